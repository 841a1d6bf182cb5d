//! `newmarket engine`: serves players to another program over standard input and output.

use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};
use std::sync::mpsc::{Receiver, TryRecvError, sync_channel};
use std::time::{Duration, Instant};

use newmarket_agents::net::ActionSelection;
use newmarket_checkpoints::{STRATEGY_PREFIX, released, roster};
use newmarket_engine::{Engine, LONGEST_LINE};

use newmarket_env::text::BYTE_ORDER_MARK;

use crate::failure::{Failure, Result, cannot_write};
use crate::table_args::with_strategies;
use crate::{terminal, threads};

/// The most batches of lines that wait to be answered. A host that sends more has to wait.
const MOST_WAITING: usize = 4;
/// The most lines of a batch. Their answers are flushed together.
const MOST_AT_ONCE: usize = 16;

/// How long questions with a budget of worlds may take after the end of the input. A host that is gone has left at
/// most this much work.
const AFTER_THE_INPUT: Duration = Duration::from_secs(10);

/// Serve players to another program over standard input and output.
///
/// Each line is one JSON object of the protocol `newmarket.protocol/1` (engine/PROTOCOL.md). At the end of the input
/// the engine answers the open questions, and exits.
#[derive(clap::Args)]
#[command(after_help = with_strategies("Example:\n  echo '{\"type\":\"hello\",\"versions\":[1]}' | newmarket engine", &[]))]
pub(crate) struct EngineArgs {}

impl EngineArgs {
    #[expect(clippy::unused_self, reason = "all commands have this signature")]
    pub(crate) fn run(self) -> Result {
        let player = |name: &str| {
            // Names come from another program, which may read no files by them.
            if name.starts_with(STRATEGY_PREFIX) {
                return Err(format!(
                    "`{name}` is a file: expected {{\"strategy\": …}} with what the file says"
                ));
            }
            roster::fair(name, ActionSelection::Greedy, Some(terminal::clock))
                .map_err(|error| error.to_string())
        };
        let names = released::ALL.map(|released| format!("net:{}", released.name));
        let mut names: Vec<&str> = names.iter().map(String::as_str).collect();
        names.push("stopper");
        let mut engine = Engine::new(Box::new(player), &names, terminal::clock);
        let batches = batches()?;
        end_without_a_reader()?;
        let mut closed: Option<Instant> = None;
        let mut out = BufWriter::new(io::stdout().lock());
        while !engine.is_over() {
            let batch = if engine.is_busy() {
                batches.try_recv()
            } else {
                batches.recv().map_err(TryRecvError::from)
            };
            let (lines, worked) = match batch {
                Ok(lines) => (lines, Vec::new()),
                Err(TryRecvError::Empty) => (Vec::new(), engine.work()),
                Err(TryRecvError::Disconnected) if engine.is_busy() => {
                    engine.hurry();
                    if closed.get_or_insert_with(Instant::now).elapsed() > AFTER_THE_INPUT {
                        engine.finish();
                    }
                    (Vec::new(), engine.work())
                }
                Err(TryRecvError::Disconnected) => break,
            };
            let answers = lines.iter().map_while(|line| {
                let over = engine.is_over();
                (!over).then(|| engine.receive(line))
            });
            for reply in worked.into_iter().chain(answers.flatten()) {
                writeln!(out, "{reply}").map_err(|error| cannot_write("standard output", error))?;
            }
            out.flush().map_err(|error| cannot_write("standard output", error))?;
        }
        Ok(())
    }
}

/// Ends the process as soon as nobody can read its replies any more, whatever it is working on.
fn end_without_a_reader() -> io::Result<()> {
    #[cfg(unix)]
    threads::start(|| {
        if terminal::wait_for_hangup(&io::stdout()) {
            std::process::exit(i32::from(Failure::ReaderGone.exit_code()));
        }
    })?;
    Ok(())
}

/// Lines of standard input, without their line ends. Lines that arrive together form a batch. A line that is too
/// long is cut to a few bytes more than [`LONGEST_LINE`] allows.
fn batches() -> io::Result<Receiver<Vec<Vec<u8>>>> {
    let (to, from) = sync_channel(MOST_WAITING);
    threads::start(move || {
        let mut input = BufReader::new(io::stdin());
        while let Some(first) = line(&mut input) {
            let mut lines = vec![first];
            while lines.len() < MOST_AT_ONCE
                && input.buffer().contains(&b'\n')
                && let Some(next) = line(&mut input)
            {
                lines.push(next);
            }
            if to.send(lines).is_err() {
                return;
            }
        }
    })?;
    Ok(from)
}

/// The next line; `None` at the end of the input.
fn line(input: &mut impl BufRead) -> Option<Vec<u8>> {
    let mut line = Vec::new();
    let most = (LONGEST_LINE + BYTE_ORDER_MARK.len()) as u64 + 1;
    if input.by_ref().take(most + 1).read_until(b'\n', &mut line).ok()? == 0 {
        return None;
    }
    if line.last() == Some(&b'\n') {
        line.pop();
    } else if line.len() as u64 > most {
        skip_line(input).ok()?;
    }
    Some(line)
}

/// Skips the rest of a line.
fn skip_line(input: &mut impl BufRead) -> io::Result<()> {
    loop {
        let buffer = input.fill_buf()?;
        let end = buffer.iter().position(|&byte| byte == b'\n');
        let (read, over) =
            (end.map_or(buffer.len(), |end| end + 1), end.is_some() || buffer.is_empty());
        input.consume(read);
        if over {
            return Ok(());
        }
    }
}
