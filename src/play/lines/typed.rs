//! Questions as the plain terminal puts them, and answers as people type them.

use newmarket_env::{Aces, Card, CardSet, Phase, Suit, View, rules::Cell};

use super::super::ante;
use super::super::question::{FIVE, Question};
use super::writer::TIE;
use crate::wording::{Wording, spaced};

/// What is asked, and how to answer.
pub(super) fn question(question: &Question, wording: &Wording, view: &View) -> Vec<String> {
    let menu = |names: Vec<String>| -> String {
        let numbered = names.iter().enumerate();
        let entries = numbered.map(|(nth, name)| format!("[{}]{TIE}{name}", nth + 1));
        entries.collect::<Vec<_>>().join("   ")
    };
    match question {
        Question::Pick { actions, .. } => {
            let names = actions.iter().map(|&action| wording.action(view, action)).collect();
            vec![format!("  {}   {}", question.prompt(wording, view), menu(names))]
        }
        Question::Ante { due, split, .. } => {
            let mut single = vec![0; split.len()];
            if let Some(last) = single.last_mut() {
                *last = *due;
            }
            let (chips, all) = match due {
                1 => ("chip", "a boodle"),
                _ => ("chips", "one card for all of them"),
            };
            vec![format!("  Your stake: {due} {chips}, as in {}, or {all}", spaced(&single))]
        }
        Question::Five { hand, .. } => vec![
            "  Set five cards apart for poker, as in 1 2 3 4 5".into(),
            format!("  {}", menu(hand.iter().map(|&card| wording.card(card)).collect())),
        ],
    }
}

/// Makes a typed text the answer.
///
/// # Errors
/// What is wrong with the text, and what would be right.
pub(super) fn read(
    question: &mut Question,
    text: &str,
    wording: &Wording,
    view: &View,
) -> Result<(), String> {
    match question {
        Question::Pick { actions, cursor } => {
            let card = read_card(text, wording.aces());
            let picked = match text.parse::<usize>() {
                Ok(number) => number.checked_sub(1).filter(|&nth| nth < actions.len()),
                Err(_) => actions.iter().position(|action| {
                    let lead = action.suit().and_then(|suit| view.hand().lowest(suit));
                    card.is_some() && card == lead || action.to_string() == text
                }),
            };
            let card = if view.phase() == Phase::Lead { ", or a card" } else { "" };
            *cursor = picked.ok_or_else(|| {
                let expected = format!("expected a number from 1 to {}{card}", actions.len());
                match text {
                    "" => format!("{expected}; h for a hint, ? for help"),
                    _ => format!("`{text}` is not a choice: {expected}"),
                }
            })?;
        }
        Question::Ante { due, split, .. } => *split = read_split(text, wording, *due)?,
        Question::Five { hand, five, .. } => *five = read_five(text, wording, hand)?,
    }
    Ok(())
}

/// A card as people type it: `10d`, `TD`, `10♦`.
fn read_card(text: &str, aces: Aces) -> Option<Card> {
    let mut text = text.trim().to_uppercase().replace("10", "T");
    for suit in Suit::ALL {
        text = text.replace(suit.symbol(), &suit.letter().to_string());
    }
    Card::parse(&text, aces)
}

fn words(text: &str) -> Vec<&str> {
    let words = text.split(|c: char| c.is_whitespace() || c == ',');
    words.filter(|word| !word.is_empty()).collect()
}

/// A split of chips: a number for each cell, or one boodle for all chips.
fn read_split(text: &str, wording: &Wording, chips: i32) -> Result<Vec<i32>, String> {
    let cells = &wording.game.rules().cells;
    let words = words(text);
    if let [word] = words[..]
        && let Some(card) = read_card(word, wording.aces())
    {
        let name = card.notation(wording.aces());
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
        return Err(format!(
            "that is {} number{}; give {count}, one for each boodle, as in `{}`",
            split.len(),
            if split.len() == 1 { "" } else { "s" },
            spaced(&ante::even(&vec![0; count], None, chips))
        ));
    }
    if total != chips {
        return Err(format!("that adds up to {total}; you have {chips} to place"));
    }
    Ok(split)
}

/// Five cards of a hand, each by its number or its name.
fn read_five(text: &str, wording: &Wording, hand: &[Card]) -> Result<CardSet, String> {
    let mut five = CardSet::EMPTY;
    for word in words(text) {
        let card = match word.parse::<usize>() {
            Ok(number) => number.checked_sub(1).and_then(|nth| hand.get(nth)).copied(),
            Err(_) => read_card(word, wording.aces()).filter(|card| hand.contains(card)),
        };
        let card = card.ok_or_else(|| {
            format!("`{word}` is none of your cards: numbers from 1 to {}, or cards", hand.len())
        })?;
        if five.contains(card) {
            return Err(format!("{} comes twice", wording.card(card)));
        }
        five.insert(card);
    }
    match five.len() {
        FIVE => Ok(five),
        1 => Err("that is 1 card; give five, as in `1 2 3 4 5`".into()),
        count => Err(format!("that is {count} cards; give five, as in `1 2 3 4 5`")),
    }
}

#[cfg(test)]
mod tests {
    use newmarket_env::{Game, Rules};

    use super::*;

    fn game(name: &str, players: usize) -> Game {
        Game::new(Rules::named(name).unwrap(), players).unwrap()
    }

    #[test]
    fn a_card_is_read_as_people_type_it() {
        for text in ["TD", "10d", " td ", "10♦"] {
            assert_eq!(read_card(text, Aces::Low), Card::parse("TD", Aces::Low), "{text}");
        }
        assert_eq!(read_card("h", Aces::Low), None);
        assert_eq!(read_card("1", Aces::Low), None);
    }

    #[test]
    fn a_split_is_read() {
        let game = game("newmarket", 4);
        let wording = Wording { game: &game, person: Some(0) };
        for text in ["4 0 0 0", " 4,0, 0 0 ", "as", "A♠"] {
            assert_eq!(read_split(text, &wording, 4), Ok(vec![4, 0, 0, 0]), "{text}");
        }
        let problem = |text: &str| read_split(text, &wording, 4).unwrap_err();
        assert_eq!(
            problem("4 0 0"),
            "that is 3 numbers; give 4, one for each boodle, as in `1 1 1 1`"
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
    fn five_cards_are_read_by_number_or_name() {
        let game = game("three-in-one", 8);
        let wording = Wording { game: &game, person: Some(0) };
        let set = |text: &str| -> CardSet {
            text.split(' ').map(|card| Card::parse(card, wording.aces()).unwrap()).collect()
        };
        let hand: Vec<Card> = set("2C 3C TD JH QS KS").iter().collect();
        let five = set("2C TD JH QS KS");
        for text in ["1 3 4 5 6", "6,5,4,3,1", "2c 10d jh Q♠ ks", "1 td 4 5 6"] {
            assert_eq!(read_five(text, &wording, &hand), Ok(five), "{text}");
        }
        let problem = |text: &str| read_five(text, &wording, &hand).unwrap_err();
        assert_eq!(problem("1 2 3"), "that is 3 cards; give five, as in `1 2 3 4 5`");
        assert_eq!(problem("1 1 2 3 4"), "2♣ comes twice");
        for text in ["0 1 2 3 4", "7 1 2 3 4", "as 1 2 3 4", "x"] {
            assert!(problem(text).contains("is none of your cards"), "{text}");
        }
    }
}
