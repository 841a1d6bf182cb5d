//! Faults of rules files, and errors when rules are loaded.

use alloc::string::String;
use alloc::string::ToString;
use alloc::vec::Vec;

use core::fmt;

use crate::text::{Joined as _, QUOTED, brief, plain};

/// How many faults a message lists. A file may have millions.
const TOLD: usize = 10;

/// How many faults are kept. Further faults are only counted.
const KEPT: usize = 100;

/// One fault of a rules file or a strategy file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// The line where it stands, from 1; `None` if it is not known.
    pub line: Option<usize>,
    /// The key, with its table, as `session.bankroll`.
    pub key: String,
    /// The problem with the value, as in `is "sideways"`.
    pub problem: String,
    /// What is accepted instead.
    pub expected: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [key, problem] = [&self.key, &self.problem].map(|text| brief(text, QUOTED));
        if let Some(line) = self.line {
            write!(f, "line {line}: ")?;
        }
        write!(f, "`{}` {}: expected {}", plain(&key), plain(&problem), self.expected)
    }
}

/// All faults of a file, at least one: the first hundred, and the number of the others.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Faults(pub Vec<Fault>, pub u64);

impl Faults {
    /// Adds a fault.
    pub fn push(&mut self, fault: Fault) {
        if self.0.len() < KEPT { self.0.push(fault) } else { self.1 += 1 }
    }

    /// The number of all faults.
    pub fn count(&self) -> u64 {
        self.0.len() as u64 + self.1
    }
}

impl From<Fault> for Faults {
    fn from(one: Fault) -> Self {
        Self([one].into(), 0)
    }
}

impl fmt::Display for Faults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let ([one], 0) = (&self.0[..], self.1) {
            return one.fmt(f);
        }
        let told: Vec<String> = self.0.iter().take(TOLD).map(Fault::to_string).collect();
        write!(f, "{} faults: {}", self.count(), told.joined("; "))?;
        match self.count() - told.len() as u64 {
            0 => Ok(()),
            more => write!(f, "; … and {more} more"),
        }
    }
}

impl core::error::Error for Faults {}

/// The reason why rules cannot be loaded or played.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// The name is neither a named game nor a file.
    #[cfg(feature = "std")]
    #[error(
        "unknown game `{}`: expected a rules file (none is there), house:N or one of {}, {}",
        plain(name), super::NAMES.joined(", "), super::RULE_SETS.joined(", ")
    )]
    Unknown {
        /// The name.
        name: String,
    },
    /// The name begins with `house:` and has no number.
    #[cfg(feature = "std")]
    #[error("unknown house `{}`: expected house:N with a whole number of 64 bits", plain(name))]
    House {
        /// The name.
        name: String,
    },
    /// The file cannot be read.
    #[cfg(feature = "std")]
    #[error("cannot read the rules file {path}: {source}")]
    Io {
        /// The file.
        path: String,
        /// The error of the system.
        source: std::io::Error,
    },
    /// The file is not TOML.
    #[cfg(feature = "std")]
    #[error("{path} is not TOML: {problem}")]
    Syntax {
        /// The file.
        path: String,
        /// The line and the problem, in one line of text.
        problem: String,
    },
    /// The file has faults.
    #[cfg(feature = "std")]
    #[error("{path}: {faults}")]
    Faults {
        /// The file.
        path: String,
        /// All faults.
        faults: Faults,
    },
    /// The game does not seat this number of players.
    #[error("{} is a game for {} players, not {players}", plain(rules), seats(*min, *max))]
    Players {
        /// The title of the rules.
        rules: String,
        /// The least number of players.
        min: usize,
        /// The greatest number of players.
        max: usize,
        /// The number of players.
        players: usize,
    },
    /// The pack is too small for the table.
    #[error(
        "a pack of {pack} cards does not go round {players} players: expected at least {needed} cards, or fewer players"
    )]
    Pack {
        /// Cards in the pack.
        pack: usize,
        /// Players at the table.
        players: usize,
        /// The number of cards that the table needs.
        needed: usize,
    },
    /// The first dealer of the rules is not a seat of this table.
    #[error("`session.first_dealer` is seat {seat}: expected a seat below {players} at this table")]
    Dealer {
        /// The seat.
        seat: usize,
        /// Players at the table.
        players: usize,
    },
}

/// The range of players, as text.
fn seats(min: usize, max: usize) -> String {
    if min == max { max.to_string() } else { alloc::format!("{min} to {max}") }
}
