//! Lines from the keyboard.

use std::io::{self, BufRead, IsTerminal, Write};
use std::sync::mpsc::{self, Receiver};
use std::thread;

use newmarket_env::text::plain;

use crate::failure::{Failure, Result};
use crate::interrupt;

/// Why a session is not played to its end.
pub(super) enum Stop {
    /// The person left: `q`, the end of the input, or an interrupt.
    Left,
    Failed(Failure),
}

impl<E: std::error::Error + Into<Failure>> From<E> for Stop {
    fn from(error: E) -> Self {
        Stop::Failed(error.into())
    }
}

/// The person's answers. A second thread reads them, so that an interrupt is an answer like any
/// other and the session ends in good order.
pub(super) struct Input {
    /// `None`: no more will come.
    lines: Receiver<Option<io::Result<String>>>,
    /// Without a terminal nobody else writes down what was answered.
    echo: bool,
}

impl Input {
    /// Starts the thread that reads standard input.
    ///
    /// # Errors
    /// If interrupts cannot be caught.
    pub(super) fn start() -> Result<Self> {
        let (send, lines) = mpsc::channel();
        let asked = send.clone();
        // Nothing can be sent once the session is over; then nobody waits for it.
        interrupt::on(move || drop(asked.send(None)))?;
        thread::spawn(move || {
            let mut input = io::stdin().lock();
            loop {
                let mut line = Vec::new();
                let answer = match input.read_until(b'\n', &mut line) {
                    Ok(0) => None,
                    Ok(_) => Some(Ok(String::from_utf8_lossy(&line).trim().to_string())),
                    Err(error) => Some(Err(error)),
                };
                let last = !matches!(answer, Some(Ok(_)));
                if send.send(answer).is_err() || last {
                    return;
                }
            }
        });
        Ok(Self { lines, echo: !io::stdin().is_terminal() })
    }

    /// Answers that are known before.
    #[cfg(test)]
    pub(super) fn of_lines<'a>(answers: impl Iterator<Item = &'a str>) -> Self {
        let (send, lines) = mpsc::channel();
        for answer in answers {
            send.send(Some(Ok(answer.into()))).expect("it is read later");
        }
        Self { lines, echo: false }
    }

    /// Prints a question and waits for a line.
    pub(super) fn read(&self, out: &mut dyn Write, prompt: &str) -> Result<String, Stop> {
        write!(out, "{prompt}")?;
        out.flush()?;
        let Ok(Some(line)) = self.lines.recv() else {
            writeln!(out)?;
            return Err(Stop::Left);
        };
        // It is shown again, here and where it is refused.
        let line = plain(&line?).into_owned();
        if self.echo {
            writeln!(out, "{line}")?;
        }
        if matches!(line.to_lowercase().as_str(), "q" | "quit" | "exit") {
            return Err(Stop::Left);
        }
        Ok(line)
    }
}
