//! Who played the deals of a trace: a file beside it, `TRACE.players.json`.
//!
//! A trace says what happened, and neither who played nor by which seed. `trace --out` writes that beside the trace, with
//! the content of strategies, since their files may change. `review` reads it.

use std::ffi::OsString;
use std::fs::File;
use std::path::{Path, PathBuf};

use newmarket_agents::Player;
use newmarket_agents::net::ActionSelection;
use newmarket_agents::search::Clock;
use newmarket_agents::strategy::Strategy;
use newmarket_checkpoints::{KeptStrategy, roster, write_whole};
use newmarket_env::files::read_text;
use newmarket_env::text::with_causes;
use serde::{Deserialize, Serialize};

use crate::failure::{At, Failure, Result};
use crate::terminal;

const SCHEMA: &str = "newmarket.players/1";
/// Most bytes of the file: eight strategies, each with its bases.
const LONGEST: u64 = 1 << 23;

/// The file.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct PlayersFile {
    schema: String,
    /// BLAKE3 of the trace, in hexadecimal.
    trace: String,
    /// Who sat where, from seat 0.
    seats: Vec<SeatEntry>,
    /// The seed of the deals and of all random numbers.
    #[serde(skip_serializing_if = "Option::is_none")]
    seed: Option<u64>,
    /// Whether each deal was played on its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    fresh: Option<bool>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SeatEntry {
    agent: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    strategy: Option<KeptStrategy>,
}

/// The file beside a trace.
fn beside(trace: &Path) -> PathBuf {
    let mut name = OsString::from(trace);
    name.push(".players.json");
    name.into()
}

fn hash_of(trace: &Path) -> Result<String> {
    let mut hasher = blake3::Hasher::new();
    let file = File::open(trace).at("cannot read").at(trace.display())?;
    hasher.update_reader(file).at("cannot read").at(trace.display())?;
    Ok(hasher.finalize().to_hex().to_string())
}

/// Writes the file beside a trace, unless the trace went to a pipe or a device.
pub(crate) fn write(trace: &Path, players: &[Player], seed: u64, fresh: bool) -> Result {
    if !trace.is_file() {
        return Ok(());
    }
    let seats = players.iter().map(|player| SeatEntry {
        agent: player.name().into(),
        strategy: player.strategy().map(|strategy| KeptStrategy::of(strategy.content())),
    });
    let (schema, trace_hash) = (SCHEMA.into(), hash_of(trace)?);
    let (seats, seed, fresh) = (seats.collect(), Some(seed), Some(fresh));
    let file = PlayersFile { schema, trace: trace_hash, seats, seed, fresh };
    let text = serde_json::to_string_pretty(&file).expect("names and strategies are JSON") + "\n";
    Ok(write_whole(&beside(trace), text.as_bytes())?)
}

/// The strategies by seat, as the file beside a trace says; `None` without such a file. A file that cannot be used
/// is told on standard error: a review needs none.
pub(crate) fn read(trace: &Path) -> Option<Vec<Option<Strategy>>> {
    let path = beside(trace);
    if !path.is_file() {
        return None;
    }
    match strategies(trace, &path) {
        Ok(strategies) => Some(strategies),
        Err(fault) => {
            terminal::warn(format!("{}: {fault}: no reasons are told", path.display()));
            None
        }
    }
}

fn strategies(trace: &Path, path: &Path) -> Result<Vec<Option<Strategy>>> {
    let text = read_text(path, LONGEST)?;
    let file: PlayersFile =
        serde_json::from_str(&text).map_err(|error| Failure::user(error.to_string()))?;
    if file.schema != SCHEMA {
        return Err(Failure::user(format!("its schema is not {SCHEMA}")));
    }
    if file.trace != hash_of(trace)? {
        return Err(Failure::user("it is about another trace"));
    }
    file.seats.into_iter().map(SeatEntry::strategy).collect()
}

impl SeatEntry {
    fn strategy(self) -> Result<Option<Strategy>> {
        let Some(kept) = self.strategy else { return Ok(None) };
        let content = kept.content().map_err(Failure::user)?;
        let clock: Option<Clock> = Some(terminal::clock);
        roster::by_strategy(&self.agent, content, ActionSelection::Greedy, clock)
            .map(Some)
            .map_err(|error| Failure::user(with_causes(&error)))
    }
}
