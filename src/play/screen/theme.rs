//! Colours. All text can be read without them.

use newmarket_env::Suit;
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};

/// Styles in the eight darker colours of every terminal, or without colour. Themes keep these legible on their background,
/// light or dark; of the brighter eight some make greys, as Solarized does, in which text vanishes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Theme {
    pub(super) colour: bool,
}

impl Theme {
    /// Colour, unless `NO_COLOR` is set.
    pub(super) fn of_environment() -> Self {
        Self { colour: std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty()) }
    }

    fn coloured(self, colour: Color) -> Style {
        if self.colour { Style::new().fg(colour) } else { Style::new() }
    }

    /// Four colours for four suits.
    pub(super) fn suit(self, suit: Suit) -> Style {
        match suit {
            Suit::Clubs => self.coloured(Color::Green),
            Suit::Diamonds => self.coloured(Color::Cyan),
            Suit::Hearts => self.coloured(Color::Red),
            Suit::Spades => Style::new().fg(Color::Reset),
        }
    }

    /// The edge of the table.
    pub(super) fn edge(self) -> Style {
        self.coloured(Color::Green)
    }

    /// A choice.
    pub(super) fn choice(self) -> Style {
        self.coloured(Color::Yellow)
    }

    /// The choice at the cursor.
    pub(super) fn cursor(self) -> Style {
        self.coloured(Color::Yellow).add_modifier(Modifier::BOLD)
    }

    /// Chips won.
    pub(super) fn gain(self) -> Style {
        self.coloured(Color::Green).add_modifier(Modifier::BOLD)
    }

    /// Text of little importance.
    pub(super) fn dim(self) -> Style {
        if self.colour { Style::new().add_modifier(Modifier::DIM) } else { Style::new() }
    }

    /// Text to read first, also on an edge that is dim.
    pub(super) fn strong() -> Style {
        let strong = Style::new().fg(Color::Reset).add_modifier(Modifier::BOLD);
        strong.remove_modifier(Modifier::DIM)
    }

    /// Text that must be seen.
    pub(super) fn shout(self) -> Style {
        self.coloured(Color::Yellow).add_modifier(Modifier::BOLD | Modifier::REVERSED)
    }

    /// Text with cards and lone suits in colour.
    pub(super) fn rich<'a>(self, text: &str) -> Line<'a> {
        let mut spans: Vec<Span> = Vec::new();
        let mut plain = String::new();
        for letter in text.chars() {
            let Some(suit) = Suit::ALL.into_iter().find(|suit| suit.symbol() == letter) else {
                plain.push(letter);
                continue;
            };
            let ranks = plain.trim_end_matches(|c: char| "A234567890JQK1".contains(c)).len();
            let rank = plain.split_off(ranks);
            if !plain.is_empty() {
                spans.push(Span::raw(std::mem::take(&mut plain)));
            }
            spans.push(Span::styled(format!("{rank}{letter}"), self.suit(suit)));
        }
        spans.extend((!plain.is_empty()).then(|| Span::raw(plain)));
        Line::from(spans)
    }
}
