//! The terminal while the table is on it: entered, left, and restored whatever happens.

use std::io;

use crossterm::event::{DisableMouseCapture, EnableMouseCapture};
use crossterm::execute;
use ratatui::DefaultTerminal;
use ratatui::backend::CrosstermBackend;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

/// The other screen of the terminal.
pub(super) struct Fullscreen {
    terminal: DefaultTerminal,
}

impl Fullscreen {
    /// Takes the terminal. A panic gives it back before it is reported.
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

    /// Gives the terminal back until the shell goes on with the program.
    pub(super) fn suspend(&mut self) -> io::Result<()> {
        #[cfg(unix)]
        {
            use crossterm::terminal;
            use nix::sys::signal::{Signal, raise};
            give_back();
            raise(Signal::SIGTSTP)?;
            terminal::enable_raw_mode()?;
            execute!(io::stdout(), terminal::EnterAlternateScreen, EnableMouseCapture)?;
            // Another one knows that nothing is on the screen yet. (To clear it the usual way, the
            // terminal would be asked where the cursor is, and the answer read by another thread.)
            self.terminal = DefaultTerminal::new(CrosstermBackend::new(io::stdout()))?;
        }
        Ok(())
    }
}

fn give_back() {
    // It is as good as lost if this fails.
    let _ = execute!(io::stdout(), DisableMouseCapture);
    ratatui::restore();
}

impl Drop for Fullscreen {
    fn drop(&mut self) {
        give_back();
    }
}
