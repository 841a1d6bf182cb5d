//! Colours. The screen is readable without them.

use ratatui::style::{Color, Modifier, Style};

/// Whether there is colour. The eight darker colours of every terminal are enough: themes keep them legible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Theme {
    pub(super) colour: bool,
}

/// One for each curve, in turn.
const CURVES: [Color; 6] =
    [Color::Cyan, Color::Yellow, Color::Magenta, Color::Green, Color::Blue, Color::Red];

impl Theme {
    /// Colour, unless `NO_COLOR` is set.
    pub(super) fn of_environment() -> Self {
        Self { colour: std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty()) }
    }

    /// A colour for what is drawn with dots.
    pub(super) fn ink(self, colour: Color) -> Color {
        if self.colour { colour } else { Color::Reset }
    }

    fn coloured(self, colour: Color) -> Style {
        Style::new().fg(self.ink(colour))
    }

    /// The colour of a curve.
    pub(super) fn curve(self, nth: usize) -> Color {
        self.ink(CURVES[nth % CURVES.len()])
    }

    pub(super) fn good(self) -> Style {
        self.coloured(Color::Green)
    }

    pub(super) fn bad(self) -> Style {
        self.coloured(Color::Red)
    }

    /// Text that asks for attention.
    pub(super) fn alert(self) -> Style {
        self.coloured(Color::Yellow)
    }

    /// Text of little importance.
    pub(super) fn dim(self) -> Style {
        if self.colour { Style::new().add_modifier(Modifier::DIM) } else { Style::new() }
    }

    pub(super) fn strong() -> Style {
        Style::new().add_modifier(Modifier::BOLD).remove_modifier(Modifier::DIM)
    }

    /// The frame of a panel, which is looked at or not.
    pub(super) fn frame(self, chosen: bool) -> Style {
        if chosen { self.coloured(Color::Cyan) } else { self.dim() }
    }
}
