//! A free ante: how a person says where the chips go.

use std::iter::repeat_n;

use newmarket_env::rules::{Cell, LayoutAnte};
use newmarket_env::{Action, Game, State};

use super::paint::read_card;

/// Chips that a seat has to spread over the layout.
pub(super) fn chips_due(game: &Game, deals: bool) -> i32 {
    match game.rules().layout_ante {
        LayoutAnte::Free { dealer_chips, .. } if deals => dealer_chips,
        LayoutAnte::Free { chips, .. } => chips,
        LayoutAnte::Fixed { .. } => 0,
    }
}

/// Reads a split: a number for each cell, or one card of the layout for all chips on it. The
/// error says what would be right.
pub(super) fn parse(text: &str, game: &Game, chips: i32) -> Result<Vec<i32>, String> {
    let cells = &game.rules().cells;
    let words: Vec<&str> =
        text.split(|c: char| c.is_whitespace() || c == ',').filter(|w| !w.is_empty()).collect();
    if let [word] = words[..]
        && let Some(card) = read_card(word, game.rules().aces)
    {
        let name = card.notation(game.rules().aces);
        let names = |cell: &Cell| cell.name == name || cell.claiming_card() == Some(card);
        let on = cells.iter().position(names);
        let on = on.ok_or_else(|| format!("{name} is not on the layout"))?;
        return Ok((0..cells.len()).map(|cell| if cell == on { chips } else { 0 }).collect());
    }
    let mut split = Vec::new();
    for word in &words {
        match word.parse::<u16>() {
            Ok(number) => split.push(i32::from(number)),
            Err(_) => return Err(format!("`{word}` is not a number of chips")),
        }
    }
    let (total, count) = (split.iter().sum::<i32>(), cells.len());
    if split.len() != count {
        let example: Vec<String> =
            even(&vec![0; count], None, chips).iter().map(ToString::to_string).collect();
        return Err(format!(
            "that is {} number{}; give {count}, one for each cell, as in `{}`",
            split.len(),
            if split.len() == 1 { "" } else { "s" },
            example.join(" ")
        ));
    }
    if total != chips {
        return Err(format!("that adds up to {total}; you have {chips} to place"));
    }
    Ok(split)
}

/// An even split, the first cells getting what does not divide; full cells are passed over until
/// all are full.
pub(super) fn even(layout: &[i32], cap: Option<i32>, chips: i32) -> Vec<i32> {
    let mut split = vec![0; layout.len()];
    for _ in 0..chips {
        let has_room = |&cell: &usize| cap.is_none_or(|cap| layout[cell] + split[cell] < cap);
        let least = (0..layout.len()).filter(has_room).min_by_key(|&cell| split[cell]);
        let least = least.or_else(|| (0..layout.len()).min_by_key(|&cell| split[cell]));
        split[least.unwrap_or(0)] += 1;
    }
    split
}

/// Places a split chip by chip, in layout order; the state that follows, or why the rules forbid
/// it.
pub(super) fn place(state: &State, game: &Game, split: &[i32]) -> Result<State, String> {
    let mut after = *state;
    for chip in chips(split) {
        after.apply(game, chip).map_err(|_| refusal(game.cells_of(state.layout()), game, split))?;
    }
    Ok(after)
}

/// The chips of a split, in layout order.
pub(super) fn chips(split: &[i32]) -> Vec<Action> {
    let cells = split.iter().enumerate();
    cells.flat_map(|(cell, &chips)| repeat_n(Action::chip(cell), chips as usize)).collect()
}

/// Only a cap can forbid a split of the right size.
pub(super) fn refusal(layout: &[i32], game: &Game, split: &[i32]) -> String {
    let cap = game.rules().cell_cap.unwrap_or(i32::MAX);
    let over = (0..game.cells()).find(|&cell| {
        split[cell] > 0 && i64::from(layout[cell]) + i64::from(split[cell]) > i64::from(cap)
    });
    match over {
        Some(cell) => format!(
            "{} has {} and no cell may hold more than {cap} while another has room",
            game.rules().cells[cell].name,
            layout[cell]
        ),
        None => format!("no cell may hold more than {cap}: fill the others first"),
    }
}

#[cfg(test)]
mod tests {
    use newmarket_env::{DealStart, Rules};

    use super::*;

    fn game(changes: &str) -> Game {
        let text = format!("base = \"newmarket\"\n{changes}");
        Game::new(Rules::from_toml(&text, "test").unwrap(), 4).unwrap()
    }

    #[test]
    fn a_split_is_read() {
        let game = game("");
        for text in ["4 0 0 0", " 4,0, 0 0 ", "as", "A♠"] {
            assert_eq!(parse(text, &game, 4), Ok(vec![4, 0, 0, 0]), "{text}");
        }
        let problem = |text: &str| parse(text, &game, 4).unwrap_err();
        assert_eq!(
            problem("4 0 0"),
            "that is 3 numbers; give 4, one for each cell, as in `1 1 1 1`"
        );
        assert_eq!(problem("4 1 0 0"), "that adds up to 5; you have 4 to place");
        assert_eq!(problem("4 -1 1 0"), "`-1` is not a number of chips");
        assert_eq!(
            problem("65535 65535 65535 65535"),
            "that adds up to 262140; you have 4 to place"
        );
        assert_eq!(problem("2h"), "2H is not on the layout");
        assert!(problem("").starts_with("that is 0 numbers"));
    }

    #[test]
    fn an_even_split_heeds_the_cap() {
        assert_eq!(even(&[0; 4], None, 6), [2, 2, 1, 1]);
        assert_eq!(even(&[3, 0, 0, 0], Some(3), 4), [0, 2, 1, 1]);
        assert_eq!(even(&[3, 3, 3, 2], Some(3), 4), [1, 1, 1, 1]);
        assert_eq!(even(&[3, 3, 3, 3], Some(3), 5), [2, 1, 1, 1]);
    }

    #[test]
    fn a_split_is_placed_or_refused_with_the_reason() {
        let game = game("cell_cap = 3");
        let mut state = State::new(&game, &DealStart::fresh(4, 3));
        assert_eq!(
            place(&state, &game, &[4, 0, 0, 0]).unwrap_err(),
            "AS has 0 and no cell may hold more than 3 while another has room"
        );
        for split in [[3, 1, 0, 0], [0, 2, 2, 0], [0, 0, 1, 3]] {
            state = place(&state, &game, &split).unwrap();
        }
        assert_eq!(state.layout()[..4], [3, 3, 3, 3]);
        let layout = state.layout()[..4].to_vec();
        assert!(place(&state, &game, &even(&layout, Some(3), 4)).is_ok());
    }

    #[test]
    fn every_even_split_is_legal() {
        for cap in 1..8 {
            let game = game(&format!("cell_cap = {cap}"));
            let mut state = State::new(&game, &DealStart::fresh(4, 0));
            while state.actor().is_some() {
                let chips = chips_due(&game, state.actor() == Some(state.dealer()));
                let split = even(game.cells_of(state.layout()), Some(cap), chips);
                state = place(&state, &game, &split).unwrap();
            }
        }
    }
}
