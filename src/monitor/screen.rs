//! The loop of the full screen: draws, waits for keys, reads the run.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

use crossterm::event::Event;

use super::draw::draw;
use super::follow::{Follow, Seen};
use super::shown::Shown;
use super::theme::Theme;
use super::view::{Then, View};
use crate::failure::{At, Result};
use crate::fullscreen::{Fullscreen, read_events};
use crate::interrupt;

/// The time between two reads of the run.
const PAUSE: Duration = Duration::from_millis(500);
/// The most time between two looks at the signals.
const GLANCE: Duration = Duration::from_millis(50);

/// What signals have asked for.
#[derive(Default)]
struct Asked {
    quit: AtomicBool,
    #[cfg(unix)]
    stop: AtomicBool,
    #[cfg(unix)]
    go_on: AtomicBool,
}

/// Shows a run until the user quits.
pub(super) fn show(mut follow: Follow) -> Result {
    let asked = Arc::new(Asked::default());
    listen(&asked)?;
    let mut screen = Fullscreen::enter(false).at("cannot use the terminal")?;
    let (send, events) = channel();
    read_events(move |event| send.send(event).is_ok())?;
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
        let mut changed = true;
        loop {
            if asked.quit.load(Ordering::SeqCst) {
                drop(screen);
                interrupt::quit();
            }
            changed |= obey(&asked, &mut screen)?;
            if std::mem::take(&mut changed) {
                screen.draw(|_, buffer| draw(buffer, &shown, &view, theme))?;
            }
            let left = end.saturating_duration_since(Instant::now());
            let Ok(event) = events.recv_timeout(left.min(GLANCE)) else {
                if left.is_zero() {
                    break;
                }
                continue;
            };
            changed = true;
            if let Event::Key(key) = event? {
                match view.press(key, shown.counts()) {
                    Then::Stay => {}
                    Then::Quit => return Ok(()),
                    #[cfg(unix)]
                    Then::Stop => screen.stop()?,
                    #[cfg(not(unix))]
                    Then::Stop => {}
                }
            }
        }
    }
}

/// Notes what signals ask for, from now on.
fn listen(asked: &Arc<Asked>) -> Result {
    let noted = asked.clone();
    interrupt::on(move || {
        // The second one does not wait for a look.
        if noted.quit.swap(true, Ordering::SeqCst) {
            interrupt::quit();
        }
    })?;
    #[cfg(unix)]
    {
        let noted = asked.clone();
        interrupt::on_jobs(move |job| {
            let flag = match job {
                interrupt::Job::Stop => &noted.stop,
                interrupt::Job::GoOn => &noted.go_on,
            };
            flag.store(true, Ordering::SeqCst);
            true
        })?;
    }
    Ok(())
}

/// Stops, or takes the screen again, if a signal has asked for it. Returns whether all is to be drawn again.
fn obey(asked: &Asked, screen: &mut Fullscreen) -> Result<bool> {
    #[cfg(unix)]
    {
        let stop = asked.stop.swap(false, Ordering::SeqCst);
        let go_on = asked.go_on.swap(false, Ordering::SeqCst);
        if stop {
            screen.stop()?;
        } else if go_on {
            screen.take_again()?;
        }
        Ok(stop || go_on)
    }
    #[cfg(not(unix))]
    {
        let _ = (asked, screen);
        Ok(false)
    }
}
