//! Free antes: how many chips are due, how they are spread evenly, and why a split is refused.

use newmarket_env::Game;
use newmarket_env::rules::LayoutAnte;

/// Chips that a seat has to spread over the layout.
pub(super) fn chips_due(game: &Game, deals: bool) -> i32 {
    match game.rules().layout_ante {
        LayoutAnte::Free { dealer_chips, .. } if deals => dealer_chips,
        LayoutAnte::Free { chips, .. } => chips,
        LayoutAnte::Fixed { .. } => 0,
    }
}

/// An even split. The first cells get the remainder. Full cells get nothing until all are full.
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

/// Why the rules refuse a split of the right size: only a cap can.
pub(super) fn refusal(layout: &[i32], game: &Game, split: &[i32]) -> String {
    let cap = game.rules().cell_cap.unwrap_or(i32::MAX);
    let over = (0..game.cells()).find(|&cell| {
        split[cell] > 0 && i64::from(layout[cell]) + i64::from(split[cell]) > i64::from(cap)
    });
    match over {
        Some(cell) => format!(
            "{} has {} and no boodle may hold more than {cap} while another has room",
            game.rules().cells[cell].name,
            layout[cell]
        ),
        None => format!("no boodle may hold more than {cap}: fill the others first"),
    }
}

#[cfg(test)]
mod tests {
    use newmarket_engine::Choice;
    use newmarket_env::{DealStart, Rules, State};

    use super::*;

    fn game(changes: &str) -> Game {
        let text = format!("base = \"newmarket\"\n{changes}");
        Game::new(Rules::from_toml(&text, "test").unwrap(), 4).unwrap()
    }

    /// Places a split; `false` if the rules refuse it.
    fn place(game: &Game, state: &mut State, split: &[i32]) -> bool {
        let view = state.view(game, state.actor().unwrap());
        let Some(chips) = (Choice::Ante { layout: split.to_vec() }).taken(&view) else {
            return false;
        };
        for chip in chips {
            state.apply(game, chip).unwrap();
        }
        true
    }

    #[test]
    fn an_even_split_heeds_the_cap() {
        assert_eq!(even(&[0; 4], None, 6), [2, 2, 1, 1]);
        assert_eq!(even(&[3, 0, 0, 0], Some(3), 4), [0, 2, 1, 1]);
        assert_eq!(even(&[3, 3, 3, 2], Some(3), 4), [1, 1, 1, 1]);
        assert_eq!(even(&[3, 3, 3, 3], Some(3), 5), [2, 1, 1, 1]);
    }

    #[test]
    fn a_split_above_the_cap_is_refused_with_the_reason() {
        let game = game("cell_cap = 3");
        let mut state = State::new(&game, &DealStart::fresh(4, 3));
        assert!(!place(&game, &mut state, &[4, 0, 0, 0]));
        assert_eq!(
            refusal(game.cells_of(state.layout()), &game, &[4, 0, 0, 0]),
            "AS has 0 and no boodle may hold more than 3 while another has room"
        );
        for split in [[3, 1, 0, 0], [0, 2, 2, 0], [0, 0, 1, 3]] {
            assert!(place(&game, &mut state, &split));
        }
        assert_eq!(state.layout()[..4], [3, 3, 3, 3]);
        let layout = state.layout()[..4].to_vec();
        assert!(place(&game, &mut state, &even(&layout, Some(3), 4)));
    }

    #[test]
    fn every_even_split_is_legal() {
        for cap in 1..8 {
            let game = game(&format!("cell_cap = {cap}"));
            let mut state = State::new(&game, &DealStart::fresh(4, 0));
            while state.actor().is_some() {
                let chips = chips_due(&game, state.actor() == Some(state.dealer()));
                let split = even(game.cells_of(state.layout()), Some(cap), chips);
                assert!(place(&game, &mut state, &split), "{cap}");
            }
        }
    }
}
