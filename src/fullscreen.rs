//! The whole screen of a terminal, for a command that draws on it. The terminal is given back at the end, after a panic,
//! and while the shell has stopped the program.

use std::io;

use crossterm::event::{DisableMouseCapture, EnableMouseCapture, Event};
use crossterm::{cursor, execute, terminal};
use ratatui::DefaultTerminal;
use ratatui::backend::CrosstermBackend;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::threads;

/// The alternate screen of the terminal.
pub(crate) struct Fullscreen {
    terminal: DefaultTerminal,
    /// Whether the mouse is reported.
    mouse: bool,
}

impl Fullscreen {
    /// Takes the terminal, with reports of the mouse if they are wanted. A panic gives the terminal back before the
    /// message is printed.
    pub(crate) fn enter(mouse: bool) -> io::Result<Self> {
        let terminal = ratatui::try_init()?;
        let restore = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            give_back();
            restore(panic);
        }));
        let screen = Self { terminal, mouse };
        screen.ask_for_mouse()?;
        Ok(screen)
    }

    fn ask_for_mouse(&self) -> io::Result<()> {
        if self.mouse { execute!(io::stdout(), EnableMouseCapture) } else { Ok(()) }
    }

    pub(crate) fn draw(&mut self, draw: impl FnOnce(Rect, &mut Buffer)) -> io::Result<()> {
        self.terminal.draw(|frame| draw(frame.area(), frame.buffer_mut())).map(drop)
    }

    /// Stops the program: the shell has the terminal until it resumes the program.
    #[cfg(unix)]
    pub(crate) fn stop(&mut self) -> io::Result<()> {
        give_back();
        crate::interrupt::stop()?;
        self.take_again()
    }

    /// Takes the terminal again after a stop. The shell may have changed its modes, also if the program was stopped
    /// without a word.
    #[cfg(unix)]
    pub(crate) fn take_again(&mut self) -> io::Result<()> {
        // Otherwise the modes that are remembered would be taken for those of the terminal.
        terminal::disable_raw_mode()?;
        terminal::enable_raw_mode()?;
        execute!(io::stdout(), terminal::EnterAlternateScreen)?;
        self.ask_for_mouse()?;
        // A new terminal redraws all cells. Clearing the old one would ask the terminal for the
        // cursor's position, and the thread that reads keys would take the answer.
        self.terminal = DefaultTerminal::new(CrosstermBackend::new(io::stdout()))?;
        execute!(io::stdout(), terminal::Clear(terminal::ClearType::All))
    }
}

/// Reads the terminal's events in a thread of its own and hands each to `take`, until one is an error or `take` returns
/// false. A terminal that is gone is an error.
pub(crate) fn read_events(
    take: impl Fn(io::Result<Event>) -> bool + Clone + Send + 'static,
) -> io::Result<()> {
    // A read of a terminal that is gone never ends.
    #[cfg(unix)]
    {
        let take = take.clone();
        threads::start(move || {
            if crate::terminal::wait_for_hangup(&io::stdin()) {
                take(Err(io::Error::other("the terminal is gone")));
            }
        })?;
    }
    threads::start(move || {
        loop {
            let event = crossterm::event::read();
            let failed = event.is_err();
            if !take(event) || failed {
                return;
            }
        }
    })?;
    Ok(())
}

fn give_back() {
    // If this fails, nothing else can be done.
    let _ = execute!(io::stdout(), DisableMouseCapture);
    ratatui::restore();
    let _ = execute!(io::stdout(), cursor::Show);
}

impl Drop for Fullscreen {
    fn drop(&mut self) {
        give_back();
    }
}
