//! The result of a ladder, as plain data.

use std::time::Duration;

use serde::Serialize;
use serde_json::{Map, Value};

use crate::Stacks;

/// A number of deals or of whole sessions.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Length {
    /// Deals on their own.
    Deals(u64),
    /// Sessions, as the rules say.
    Sessions(u64),
}

impl Length {
    /// The number.
    pub const fn count(self) -> u64 {
        match self {
            Self::Deals(count) | Self::Sessions(count) => count,
        }
    }

    /// Another number of the same unit.
    #[must_use]
    pub const fn with(self, count: u64) -> Self {
        match self {
            Self::Deals(_) => Self::Deals(count),
            Self::Sessions(_) => Self::Sessions(count),
        }
    }

    /// The name of one of them.
    pub const fn unit(self) -> &'static str {
        match self {
            Self::Deals(_) => "deal",
            Self::Sessions(_) => "session",
        }
    }
}

/// How much larger one player's share of sessions won is than another's; a tie is split.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct WinGain {
    /// The difference of the shares.
    pub win_gain: f64,
    /// Half the width of the 95 % interval of `win_gain`.
    pub win_ci95: f64,
    /// Whether the interval does not contain 0.
    pub win_separated: bool,
}

/// An estimate with its 95 % interval, which need not be symmetric.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Interval {
    /// The estimate.
    pub mean: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end of the interval.
    pub high: f64,
}

/// An agent's ratings, with 95 % intervals by bootstrap over deals.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Rating {
    /// The agent's name.
    pub agent: String,
    /// Chips a deal or session above the mean of all agents, by least squares over all pairings.
    pub chips: Interval,
    /// Share of sessions won above the mean of all agents, by least squares over all pairings.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wins: Option<Interval>,
    /// The Weng–Lin rating from mixed tables; 25 before the first deal.
    pub weng_lin: Interval,
}

/// An entry of the cross table: what a hero gains at a table of a field.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct CrossTableEntry {
    /// The agent of the row.
    pub hero: String,
    /// The agent of the column.
    pub field: String,
    /// What the pairing played.
    #[serde(flatten)]
    pub played: Length,
    /// Chips a deal or session that the hero gained over the field in the same seat.
    pub gain: f64,
    /// Half the width of the 95 % interval of `gain`.
    pub ci95: f64,
    /// Whether the interval does not contain 0.
    pub separated: bool,
    /// The share of sessions that the hero wins against the field's in the same seat.
    #[serde(flatten)]
    pub wins: Option<WinGain>,
}

/// Two agents compared, each being the hero at a table of the other.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Pairing {
    /// The agent that is compared.
    pub first: String,
    /// The agent that it is compared with.
    pub second: String,
    /// What the pairing played.
    #[serde(flatten)]
    pub played: Length,
    /// Half of what the first gains over the second, less what the second gains over the first.
    pub advantage: f64,
    /// Half the width of the 95 % interval of `advantage`.
    pub ci95: f64,
    /// Whether one of them is better. A ladder that stops early divides its error rate among all pairings.
    pub separated: bool,
    /// The same for the share of sessions won.
    #[serde(flatten)]
    pub wins: Option<WinGain>,
}

/// The result of a ladder, as `newmarket ladder --json` prints it.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct LadderReport {
    /// The title of the rules.
    pub rules: String,
    /// The rules as a rules file, in JSON: by it and `players`, the result stands on its own.
    pub rules_file: Map<String, Value>,
    /// Seats at the table.
    pub players: usize,
    /// What was played.
    #[serde(flatten)]
    pub played: Length,
    /// In sessions: what the chips are, and so whether chips gained or sessions won count.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bankroll: Option<Stacks>,
    /// The seed that fixed them.
    pub seed: u64,
    /// Whether pairings stopped when they were separated.
    pub until_separated: bool,
    /// The chance that a ladder which stops early separates any two equal agents. `None` otherwise: each
    /// interval then holds with 95 % probability by itself, not all together.
    pub error_rate: Option<f64>,
    /// The agents, the best first.
    pub ranking: Vec<Rating>,
    /// The cross table.
    pub cells: Vec<CrossTableEntry>,
    /// All pairs of agents.
    pub pairings: Vec<Pairing>,
    /// Wall-clock time; 0 until [`LadderReport::took`] sets it.
    pub seconds: f64,
}

impl LadderReport {
    /// Whether agents are ranked, and pairings stopped, by sessions won.
    pub fn is_for_wins(&self) -> bool {
        self.bankroll == Some(Stacks::Chips)
    }

    /// Whether two agents are separated by sessions won or chips, as [`Self::is_for_wins`] says.
    pub fn separates(&self, pairing: &Pairing) -> bool {
        match pairing.wins {
            Some(wins) if self.is_for_wins() => wins.win_separated,
            _ => pairing.separated,
        }
    }

    /// The entry of the cross table for a hero and a field.
    pub fn cell(&self, hero: &str, field: &str) -> Option<&CrossTableEntry> {
        self.cells.iter().find(|cell| cell.hero == hero && cell.field == field)
    }

    /// How two agents compare, in either order.
    pub fn pairing(&self, one: &str, other: &str) -> Option<&Pairing> {
        let is = |pairing: &&Pairing| {
            let both = (&*pairing.first, &*pairing.second);
            both == (one, other) || both == (other, one)
        };
        self.pairings.iter().find(is)
    }

    /// Sets the wall-clock time.
    #[must_use]
    pub fn took(mut self, time: Duration) -> Self {
        self.seconds = time.as_secs_f64();
        self
    }
}
