//! Lines from the keyboard.

use std::io::{self, BufRead, IsTerminal};
use std::sync::mpsc::{self, Receiver};

use newmarket_env::text::without_mark;

use crate::failure::{Failure, Result};
use crate::{interrupt, threads};

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

/// The person's answers. Another thread reads them, so that an interrupt ends the session in good order.
pub(super) struct Input {
    /// `None`: no more will come.
    lines: Receiver<Option<io::Result<String>>>,
    /// Whether answers are to be written: only a terminal shows them itself.
    pub(super) echo: bool,
}

impl Input {
    /// Starts the thread that reads standard input.
    ///
    /// # Errors
    /// If interrupts cannot be caught.
    pub(super) fn start() -> Result<Self> {
        let (send, lines) = mpsc::channel();
        let (interrupted, mut again) = (send.clone(), false);
        // After the session the channel is closed; then an interrupt may do nothing. Nobody asks for a line while a
        // player thinks: a second interrupt does not wait for it.
        interrupt::on(move || {
            if interrupted.send(None).is_ok() && again {
                interrupt::quit();
            }
            again = true;
        })?;
        threads::start(move || {
            let mut input = io::stdin().lock();
            loop {
                let mut line = Vec::new();
                let answer = match input.read_until(b'\n', &mut line) {
                    Ok(0) => None,
                    Ok(_) => {
                        Some(Ok(String::from_utf8_lossy(without_mark(&line)).trim().to_string()))
                    }
                    Err(error) => Some(Err(error)),
                };
                let last = !matches!(answer, Some(Ok(_)));
                if send.send(answer).is_err() || last {
                    return;
                }
            }
        })?;
        Ok(Self { lines, echo: !io::stdin().is_terminal() })
    }

    /// Answers that are known in advance.
    #[cfg(test)]
    pub(super) fn of_lines<'a>(answers: impl Iterator<Item = &'a str>) -> Self {
        let (send, lines) = mpsc::channel();
        for answer in answers {
            send.send(Some(Ok(answer.into()))).expect("the receiver lives");
        }
        Self { lines, echo: false }
    }

    /// Waits for a line.
    pub(super) fn line(&self) -> Result<String, Stop> {
        match self.lines.recv() {
            Ok(Some(line)) => Ok(line?),
            _ => Err(Stop::Left),
        }
    }
}
