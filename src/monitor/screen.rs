//! The loop of the full screen: draws, waits for keys, reads the run.

use std::time::{Duration, Instant};

use crossterm::event::{self, Event};

use super::draw::draw;
use super::follow::{Follow, Seen};
use super::shown::Shown;
use super::theme::Theme;
use super::view::{Then, View};
use crate::failure::{At, Result};
use crate::interrupt;

/// The time between two reads of the run.
const PAUSE: Duration = Duration::from_millis(500);

/// Shows a run until the user quits.
pub(super) fn show(mut follow: Follow) -> Result {
    interrupt::on(|| {
        ratatui::restore();
        interrupt::quit();
    })?;
    let mut terminal = ratatui::try_init().at("cannot use the terminal")?;
    let shown = (|| {
        let (mut view, theme) = (View::default(), Theme::of_environment());
        let mut shown = Shown::of(&follow);
        loop {
            let seen = follow.look();
            if seen == Seen::Nothing {
                shown.age(&follow);
            } else {
                shown = Shown::of(&follow);
            }
            // A long record is read without pauses, but keys are handled in between.
            let end = Instant::now() + if seen == Seen::More { Duration::ZERO } else { PAUSE };
            loop {
                terminal.draw(|frame| draw(frame.buffer_mut(), &shown, &view, theme))?;
                if !event::poll(end.saturating_duration_since(Instant::now()))? {
                    break;
                }
                if let Event::Key(key) = event::read()?
                    && view.press(key, shown.counts()) == Then::Quit
                {
                    return Ok(());
                }
            }
        }
    })();
    ratatui::restore();
    shown
}
