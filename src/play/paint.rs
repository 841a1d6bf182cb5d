//! Colour, and text that may contain it.

use std::io::{self, IsTerminal};

use crossterm::style::Stylize;
use newmarket_env::{Aces, Card, CardSet, Suit};

use super::fold;

/// Columns that the program writes at most, however wide the terminal is.
pub(super) const WIDTH: usize = 78;

/// Whether to use escape codes. Text carries its meaning without them.
#[derive(Clone, Copy)]
pub(super) struct Paint {
    on: bool,
}

impl Paint {
    /// Colour on a terminal, unless the person asked for none.
    pub(super) fn auto() -> Self {
        let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        Self { on: io::stdout().is_terminal() && !refused && !dumb }
    }

    /// No escape codes.
    pub(super) const PLAIN: Self = Self { on: false };
    #[cfg(test)]
    pub(super) const FULL: Self = Self { on: true };

    fn style(self, text: &str, style: impl FnOnce(&str) -> String) -> String {
        if self.on { style(text) } else { text.to_string() }
    }

    /// The most important text of a line, in bold.
    pub(super) fn bold(self, text: &str) -> String {
        self.style(text, |text| text.bold().to_string())
    }

    /// Text of little importance, dimmed.
    pub(super) fn dim(self, text: &str) -> String {
        self.style(text, |text| text.dim().to_string())
    }

    /// Chips won, in green.
    pub(super) fn gain(self, text: &str) -> String {
        self.style(text, |text| text.dark_green().bold().to_string())
    }

    /// Text about a suit, in its colour.
    fn suited(self, suit: Suit, text: &str) -> String {
        if suit.is_red() { self.style(text, |text| text.red().to_string()) } else { text.into() }
    }

    /// A card, as in `10♦`.
    pub(super) fn card(self, card: Card, aces: Aces) -> String {
        self.suited(card.suit(), &format!("{}{}", rank(card, aces), card.suit().symbol()))
    }

    /// Cards in a row, as in `9♦ 10♦`.
    pub(super) fn cards(self, cards: CardSet, aces: Aces) -> String {
        let cards: Vec<String> = cards.iter().map(|card| self.card(card, aces)).collect();
        cards.join(" ")
    }

    /// A hand sorted by suit, as in `♣ 3 7   ♦ 9 10 K`; the cards of `marked` stand out.
    pub(super) fn hand(self, hand: CardSet, marked: CardSet, aces: Aces) -> String {
        let suits: Vec<String> = Suit::ALL
            .into_iter()
            .filter(|&suit| hand.lowest(suit).is_some())
            .map(|suit| {
                let mut text = self.suited(suit, &suit.symbol().to_string());
                for card in hand & CardSet::suit(suit) {
                    let rank = self.suited(suit, &rank(card, aces));
                    text.push(' ');
                    text.push_str(&if marked.contains(card) { self.bold(&rank) } else { rank });
                }
                text
            })
            .collect();
        if suits.is_empty() { "no cards".into() } else { suits.join("   ") }
    }
}

fn rank(card: Card, aces: Aces) -> String {
    match aces.letter(card.rank()) {
        'T' => "10".into(),
        letter => letter.into(),
    }
}

/// A card as a person may type it: `10d`, `TD`, `10♦`.
pub(super) fn read_card(text: &str, aces: Aces) -> Option<Card> {
    let mut text = text.trim().to_uppercase().replace("10", "T");
    for suit in Suit::ALL {
        text = text.replace(suit.symbol(), &suit.letter().to_string());
    }
    Card::parse(&text, aces)
}

/// Columns that a text takes, escape codes not counted.
pub(super) fn width(text: &str) -> usize {
    let mut columns = 0;
    let mut escape = false;
    for letter in text.chars() {
        match letter {
            '\u{1b}' => escape = true,
            'm' if escape => escape = false,
            _ if escape => {}
            _ => columns += 1,
        }
    }
    columns
}

/// Pads on the left to this many columns.
pub(super) fn right(text: &str, columns: usize) -> String {
    " ".repeat(columns.saturating_sub(width(text))) + text
}

/// Pads on the right to this many columns.
pub(super) fn left(text: &str, columns: usize) -> String {
    text.to_string() + &" ".repeat(columns.saturating_sub(width(text)))
}

/// Lays pieces out in lines of [`fold::columns`]; a piece is never broken. All lines but the
/// first are indented by `indent`, the first by two.
pub(super) fn wrap<S: AsRef<str>>(pieces: impl IntoIterator<Item = S>, indent: usize) -> String {
    let mut text = String::from("  ");
    let mut column = 2;
    let mut fresh = true;
    for piece in pieces {
        let piece = piece.as_ref();
        let columns = width(piece);
        if !fresh && column + 1 + columns > fold::columns() {
            text.push('\n');
            text.push_str(&" ".repeat(indent));
            column = indent;
            fresh = true;
        }
        if !fresh {
            text.push(' ');
            column += 1;
        }
        text.push_str(piece);
        column += columns;
        fresh = false;
    }
    text
}

/// A sentence in lines of bounded length.
pub(super) fn say(sentence: &str) -> String {
    wrap(sentence.split(' '), 4)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cards(text: &str) -> CardSet {
        text.split(' ').map(|card| Card::parse(card, Aces::Low).unwrap()).collect()
    }

    #[test]
    fn a_hand_is_sorted_by_suit_and_rank() {
        let hand = cards("KH 2C AS TC AH 9D");
        let text = Paint::PLAIN.hand(hand, CardSet::EMPTY, Aces::Low);
        assert_eq!(text, "♣ 2 10   ♦ 9   ♥ A K   ♠ A");
        assert_eq!(Paint::PLAIN.hand(hand, hand, Aces::Low), text, "marks are colour only");
        assert_eq!(Paint::PLAIN.hand(CardSet::EMPTY, hand, Aces::Low), "no cards");
    }

    #[test]
    fn colour_changes_no_column() {
        let hand = cards("KH 2C AS TC AH 9D");
        let [plain, full] =
            [Paint::PLAIN, Paint::FULL].map(|paint| paint.hand(hand, hand, Aces::Low));
        assert!(full.contains('\u{1b}') && !plain.contains('\u{1b}'));
        assert_eq!(width(&full), width(&plain));
        assert_eq!(width(&right(&full, 40)), 40);
        assert_eq!(width(&left(&full, 40)), 40);
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
    fn lines_are_no_longer_than_the_width() {
        let text = wrap(std::iter::repeat_n("Ann 10♦", 30), 6);
        assert!(text.lines().all(|line| width(line) <= WIDTH));
        assert_eq!(text.lines().count(), 4);
        assert!(text.lines().skip(1).all(|line| line.starts_with("      Ann")));
    }
}
