//! The selected parts of the screen, and the keys that change them.

use crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

use crate::train::curves::SIGNS;

/// A part of the screen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Panel {
    /// Gains over the benchmark opponents.
    #[default]
    Learning,
    /// Losses, speed and the like.
    Signs,
    Events,
}

const PANELS: [Panel; 3] = [Panel::Learning, Panel::Signs, Panel::Events];

/// The selected parts of the screen.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct View {
    pub(super) panel: Panel,
    /// Whether that panel has the whole screen.
    pub(super) zoomed: bool,
    /// The index of the benchmark that is shown alone.
    pub(super) benchmark: Option<usize>,
    /// The index of the selected sign.
    pub(super) sign: usize,
    /// Events below the screen's end, the latest being the last.
    pub(super) scrolled: usize,
    pub(super) help: bool,
}

/// The number of benchmarks and events.
#[derive(Clone, Copy, Debug)]
pub(super) struct Counts {
    pub(super) benchmarks: usize,
    pub(super) events: usize,
}

/// Whether the monitor continues.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Then {
    Stay,
    Quit,
    /// As the shell asks by Ctrl-Z.
    Stop,
}

impl View {
    /// Handles a key.
    pub(super) fn press(&mut self, key: KeyEvent, counts: Counts) -> Then {
        if key.kind == KeyEventKind::Release {
            return Then::Stay;
        }
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        match key.code {
            KeyCode::Char('c' | 'd') if control => return Then::Quit,
            KeyCode::Char('z') if control => return Then::Stop,
            KeyCode::Char('q') => return Then::Quit,
            // Any key closes the help.
            _ if self.help => self.help = false,
            KeyCode::Char('?' | 'h') | KeyCode::F(1) => self.help = true,
            KeyCode::Tab => self.turn(1),
            KeyCode::BackTab => self.turn(PANELS.len() - 1),
            KeyCode::Char('z') | KeyCode::Enter => self.zoomed = !self.zoomed,
            KeyCode::Esc => self.zoomed = false,
            KeyCode::Right | KeyCode::Down => self.step(1, counts),
            KeyCode::Left | KeyCode::Up => self.step(-1, counts),
            KeyCode::PageDown => self.scroll(10, counts),
            KeyCode::PageUp => self.scroll(-10, counts),
            KeyCode::End => self.scroll(isize::MAX, counts),
            KeyCode::Home => self.scroll(-isize::MAX, counts),
            _ => {}
        }
        Then::Stay
    }

    /// Selects another panel.
    fn turn(&mut self, by: usize) {
        let nth = PANELS.iter().position(|panel| *panel == self.panel).unwrap_or(0);
        self.panel = PANELS[(nth + by) % PANELS.len()];
    }

    /// Selects the next or the previous item of the panel.
    fn step(&mut self, by: isize, counts: Counts) {
        let around = |at: usize, of: usize| (at as isize + by).rem_euclid(of as isize) as usize;
        match self.panel {
            // All together, then each alone.
            Panel::Learning => {
                let nth = self.benchmark.map_or(0, |nth| nth + 1);
                self.benchmark = around(nth, counts.benchmarks + 1).checked_sub(1);
            }
            Panel::Signs => self.sign = around(self.sign, SIGNS.len()),
            Panel::Events => self.scroll(by, counts),
        }
    }

    /// Scrolls to later or earlier events.
    fn scroll(&mut self, by: isize, counts: Counts) {
        if self.panel == Panel::Events {
            let most = counts.events.saturating_sub(1);
            self.scrolled = self.scrolled.saturating_add_signed(by.saturating_neg()).min(most);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const COUNTS: Counts = Counts { benchmarks: 2, events: 30 };

    fn press(view: &mut View, code: KeyCode) -> Then {
        view.press(code.into(), COUNTS)
    }

    #[test]
    fn keys_lead_round_and_back() {
        let mut view = View::default();
        let mut seen = Vec::new();
        for _ in 0..4 {
            seen.push(view.benchmark);
            press(&mut view, KeyCode::Right);
        }
        assert_eq!(seen, [None, Some(0), Some(1), None]);
        assert_eq!(view.benchmark, Some(0));
        press(&mut view, KeyCode::Left);
        press(&mut view, KeyCode::Up);
        assert_eq!(view.benchmark, Some(1));
        for panel in [Panel::Signs, Panel::Events, Panel::Learning] {
            press(&mut view, KeyCode::Tab);
            assert_eq!(view.panel, panel);
        }
        press(&mut view, KeyCode::BackTab);
        press(&mut view, KeyCode::BackTab);
        press(&mut view, KeyCode::Left);
        assert_eq!((view.panel, view.sign), (Panel::Signs, SIGNS.len() - 1));
        press(&mut view, KeyCode::Char('z'));
        assert!(view.zoomed);
        press(&mut view, KeyCode::Esc);
        assert!(!view.zoomed);
    }

    #[test]
    fn events_scroll_within_their_number() {
        let mut view = View { panel: Panel::Events, ..View::default() };
        press(&mut view, KeyCode::Down);
        assert_eq!(view.scrolled, 0);
        press(&mut view, KeyCode::Up);
        press(&mut view, KeyCode::PageUp);
        assert_eq!(view.scrolled, 11);
        press(&mut view, KeyCode::Home);
        assert_eq!(view.scrolled, 29);
        press(&mut view, KeyCode::End);
        assert_eq!(view.scrolled, 0);
    }

    #[test]
    fn help_is_closed_by_any_key_and_q_quits_from_anywhere() {
        let mut view = View::default();
        press(&mut view, KeyCode::Char('?'));
        assert!(view.help);
        assert_eq!(press(&mut view, KeyCode::Tab), Then::Stay);
        assert_eq!((view.help, view.panel), (false, Panel::Learning));
        press(&mut view, KeyCode::Char('?'));
        assert_eq!(press(&mut view, KeyCode::Char('q')), Then::Quit);
        let interrupt = KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL);
        assert_eq!(view.press(interrupt, COUNTS), Then::Quit);
        let stop = KeyEvent::new(KeyCode::Char('z'), KeyModifiers::CONTROL);
        assert_eq!((view.press(stop, COUNTS), view.zoomed), (Then::Stop, false));
        let none = Counts { benchmarks: 0, events: 0 };
        for code in [KeyCode::Left, KeyCode::Right, KeyCode::Home, KeyCode::Up, KeyCode::Enter] {
            for panel in PANELS {
                let mut view = View { panel, ..View::default() };
                assert_eq!(view.press(code.into(), none), Then::Stay);
                assert_eq!((view.benchmark, view.scrolled), (None, 0));
            }
        }
    }
}
