//! The terminal during a session. It is restored at the end, and also after a panic.

use std::io;

use crossterm::event::{DisableMouseCapture, EnableMouseCapture};
use crossterm::execute;
use ratatui::DefaultTerminal;
use ratatui::backend::CrosstermBackend;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

/// The alternate screen of the terminal.
pub(super) struct Fullscreen {
    terminal: DefaultTerminal,
}

impl Fullscreen {
    /// Takes the terminal. A panic gives the terminal back before the message is printed.
    pub(super) fn enter() -> io::Result<Self> {
        let terminal = ratatui::try_init()?;
        let restore = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            let _ = execute!(io::stdout(), DisableMouseCapture);
            restore(panic);
        }));
        execute!(io::stdout(), EnableMouseCapture)?;
        Ok(Self { terminal })
    }

    pub(super) fn draw(&mut self, draw: impl FnOnce(Rect, &mut Buffer)) -> io::Result<()> {
        self.terminal.draw(|frame| draw(frame.area(), frame.buffer_mut())).map(drop)
    }

    /// Suspends the program: the shell has the terminal until it resumes the program.
    pub(super) fn suspend(&mut self) -> io::Result<()> {
        #[cfg(unix)]
        {
            use crossterm::terminal;
            use nix::sys::signal::{Signal, raise};
            give_back();
            raise(Signal::SIGTSTP)?;
            terminal::enable_raw_mode()?;
            execute!(io::stdout(), terminal::EnterAlternateScreen, EnableMouseCapture)?;
            // A new terminal redraws all cells. Clearing the old one would ask the terminal for the
            // cursor's position, and the thread that reads keys would take the answer.
            self.terminal = DefaultTerminal::new(CrosstermBackend::new(io::stdout()))?;
        }
        Ok(())
    }
}

fn give_back() {
    // If this fails, nothing else can be done.
    let _ = execute!(io::stdout(), DisableMouseCapture);
    ratatui::restore();
}

impl Drop for Fullscreen {
    fn drop(&mut self) {
        give_back();
    }
}
