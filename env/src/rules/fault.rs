//! What can be wrong with rules.

use alloc::string::String;
use alloc::string::ToString;
use alloc::vec::Vec;

use core::fmt;

use crate::text::{Joined as _, QUOTED, brief, plain};

/// Faults that a message tells one by one; there may be millions.
const TOLD: usize = 10;

/// Faults that are kept; of more there is only the number.
const KEPT: usize = 100;

/// One fault of a rules file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// The key, with its table: `session.bankroll`.
    pub key: String,
    /// What is wrong with it.
    pub problem: String,
    /// What is accepted in its place.
    pub expected: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [key, problem] = [&self.key, &self.problem].map(|text| brief(text, QUOTED));
        write!(f, "`{}` {}: expected {}", plain(&key), plain(&problem), self.expected)
    }
}

/// All faults of a rules file, at least one: the first hundred, and how many more there are.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Faults(pub Vec<Fault>, pub u64);

impl Faults {
    /// Takes in one more.
    pub(super) fn push(&mut self, fault: Fault) {
        if self.0.len() < KEPT { self.0.push(fault) } else { self.1 += 1 }
    }

    /// How many there are.
    pub fn count(&self) -> u64 {
        self.0.len() as u64 + self.1
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

/// Why rules could not be loaded.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// Neither a named game nor a file.
    #[cfg(feature = "std")]
    #[error(
        "unknown game `{}`: expected a rules file (none is there), house:N or one of {}",
        plain(name), super::NAMES.joined(", ")
    )]
    Unknown {
        /// What was asked for.
        name: String,
    },
    /// House rules without a number.
    #[cfg(feature = "std")]
    #[error("unknown house `{}`: expected house:N with a whole number of 64 bits", plain(name))]
    House {
        /// What was asked for.
        name: String,
    },
    /// The file cannot be read.
    #[cfg(feature = "std")]
    #[error("cannot read the rules file {path}: {source}")]
    Io {
        /// The file.
        path: String,
        /// What the system says.
        source: std::io::Error,
    },
    /// The file is not TOML.
    #[cfg(feature = "std")]
    #[error("{path} is not TOML: {problem}")]
    Syntax {
        /// The file.
        path: String,
        /// Line, column and what is wrong, in one line.
        problem: String,
    },
    /// The file says something that no game can be played by.
    #[cfg(feature = "std")]
    #[error("{path}: {faults}")]
    Faults {
        /// The file.
        path: String,
        /// Everything that is wrong.
        faults: Faults,
    },
    /// A named game does not seat that many.
    #[error("{} is a game for {} players, not {players}", plain(rules), seats(*min, *max))]
    Players {
        /// The rules.
        rules: String,
        /// Least number of players.
        min: usize,
        /// Greatest number of players.
        max: usize,
        /// What was asked for.
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
        /// Cards that would do.
        needed: usize,
    },
    /// The first dealer that the rules name has no chair.
    #[error("`session.first_dealer` is seat {seat}: expected a seat below {players} at this table")]
    Dealer {
        /// The seat.
        seat: usize,
        /// Players at the table.
        players: usize,
    },
}

/// How many players a game seats.
fn seats(min: usize, max: usize) -> String {
    if min == max { max.to_string() } else { alloc::format!("{min} to {max}") }
}
