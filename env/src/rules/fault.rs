//! What can be wrong with rules.

use alloc::string::String;
use alloc::string::ToString;
use alloc::vec::Vec;

use core::fmt;

/// A text in which nothing breaks the line or gives a terminal an order: what it quotes may come
/// from anywhere.
pub(crate) fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_control() { plain.extend(c.escape_default()) } else { plain.push(c) }
    }
    plain
}

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
        write!(f, "`{}` {}: expected {}", plain(&self.key), plain(&self.problem), self.expected)
    }
}

/// All faults of a rules file, at least one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Faults(pub Vec<Fault>);

impl fmt::Display for Faults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let faults: Vec<String> = self.0.iter().map(Fault::to_string).collect();
        match &faults[..] {
            [one] => f.write_str(one),
            many => write!(f, "{} faults: {}", many.len(), many.join("; ")),
        }
    }
}

impl core::error::Error for Faults {}

/// Why rules could not be loaded.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// Neither a named game nor a file.
    #[error(
        "unknown game `{name}`: expected a rules file (none is there) or one of {}",
        super::NAMES.join(", ")
    )]
    Unknown {
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
    #[error("{path} is not TOML: {problem}")]
    Syntax {
        /// The file.
        path: String,
        /// Line, column and what is wrong, in one line.
        problem: String,
    },
    /// The file says something that no game can be played by.
    #[error("{path}: {faults}")]
    Faults {
        /// The file.
        path: String,
        /// Everything that is wrong.
        faults: Faults,
    },
    /// A named game does not seat that many.
    #[error("{} is a game for {min} to {max} players, not {players}", plain(rules))]
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
