//! `newmarket engine`: players for other programs, by lines on standard input and output.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::sync::mpsc::{Receiver, RecvError, TryRecvError, sync_channel};
use std::thread;

use newmarket_agents::net::Choice;
use newmarket_checkpoints::{released, roster};
use newmarket_engine::{Engine, LONGEST_LINE};

use crate::failure::Result;
use crate::output::cannot_write;
use crate::table_args::with_agents;
use crate::terminal;

/// Lines that wait to be answered: a host that sends more waits itself.
const MOST_WAITING: usize = 64;

/// Play for another program, which speaks `newmarket.protocol/1` on standard input and output.
///
/// One JSON object a line, as engine/PROTOCOL.md says. The end of the input ends the program.
#[derive(clap::Args)]
#[command(after_help = with_agents("Example:\n  echo '{\"type\":\"hello\",\"versions\":[1]}' | newmarket engine"))]
pub(crate) struct EngineArgs {}

impl EngineArgs {
    #[expect(clippy::unused_self, reason = "as the other commands")]
    pub(crate) fn run(self) -> Result {
        let player = |name: &str| {
            roster::fair(name, Choice::Greedy, Some(terminal::clock))
                .map_err(|error| error.to_string())
        };
        let names = released::ALL.map(|released| format!("net:{}", released.name));
        let mut names: Vec<&str> = names.iter().map(String::as_str).collect();
        names.push("stopper");
        let mut engine = Engine::new(Box::new(player), &names, terminal::clock);
        let lines = lines();
        let mut out = io::stdout().lock();
        while !engine.is_over() {
            let line = if engine.is_busy() {
                lines.try_recv()
            } else {
                lines.recv().map_err(|RecvError| TryRecvError::Disconnected)
            };
            let replies = match line {
                Ok(line) => engine.receive(&line),
                Err(TryRecvError::Empty) => engine.work(),
                Err(TryRecvError::Disconnected) => break,
            };
            for reply in replies {
                writeln!(out, "{reply}")
                    .and_then(|()| out.flush())
                    .map_err(|error| cannot_write("standard output", error))?;
            }
        }
        Ok(())
    }
}

/// The lines of standard input, as they come, without their ends. Of one that is too long there is
/// enough to see that it is.
fn lines() -> Receiver<Vec<u8>> {
    let (to, from) = sync_channel(MOST_WAITING);
    thread::spawn(move || {
        let mut input = BufReader::new(io::stdin());
        loop {
            let mut line = Vec::new();
            let most = LONGEST_LINE as u64 + 1;
            match input.by_ref().take(most + 1).read_until(b'\n', &mut line) {
                Ok(0) | Err(_) => return,
                Ok(_) => {}
            }
            if line.last() == Some(&b'\n') {
                line.pop();
            } else if line.len() as u64 > most && skip_line(&mut input).is_err() {
                return;
            }
            if to.send(line).is_err() {
                return;
            }
        }
    });
    from
}

/// Reads to the end of a line and keeps nothing of it.
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
