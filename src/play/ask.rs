//! Lines from the keyboard.

use std::io::{self, BufRead, IsTerminal, Write};
use std::sync::mpsc::{self, Receiver};
use std::thread;

/// Why a session is not played to its end.
pub(super) enum Stop {
    /// The person left: `q`, the end of the input, or an interrupt.
    Left,
    Failed(anyhow::Error),
}

impl<E: Into<anyhow::Error>> From<E> for Stop {
    fn from(error: E) -> Self {
        Stop::Failed(error.into())
    }
}

/// The person's answers. They are read on a thread of their own, so that an interrupt is an
/// answer like any other and the session ends in good order.
pub(super) struct Input {
    /// `None`: no more will come.
    lines: Receiver<Option<String>>,
    /// Without a terminal nobody else writes down what was answered.
    echo: bool,
}

impl Input {
    pub(super) fn start() -> Self {
        let (send, lines) = mpsc::channel();
        let interrupt = send.clone();
        // Should there be a handler already, an interrupt ends the program at once: also fine.
        let _ = ctrlc::set_handler(move || {
            let _ = interrupt.send(None);
        });
        thread::spawn(move || {
            let mut input = io::stdin().lock();
            let mut line = Vec::new();
            while matches!(input.read_until(b'\n', &mut line), Ok(1..)) {
                let text = String::from_utf8_lossy(&line).trim().to_string();
                line.clear();
                if send.send(Some(text)).is_err() {
                    return;
                }
            }
            let _ = send.send(None);
        });
        Self { lines, echo: !io::stdin().is_terminal() }
    }

    /// Asks for a line.
    pub(super) fn read(&self, out: &mut dyn Write, prompt: &str) -> Result<String, Stop> {
        write!(out, "{prompt}")?;
        out.flush()?;
        let Ok(Some(line)) = self.lines.recv() else {
            writeln!(out)?;
            return Err(Stop::Left);
        };
        if self.echo {
            writeln!(out, "{line}")?;
        }
        if matches!(line.to_lowercase().as_str(), "q" | "quit" | "exit") {
            return Err(Stop::Left);
        }
        Ok(line)
    }
}
