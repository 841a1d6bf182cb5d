//! How a ladder came out.

use std::time::Duration;

use serde::Serialize;

/// A figure with its 95 % interval.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Interval {
    /// The figure.
    pub mean: f64,
    /// Where the interval begins.
    pub low: f64,
    /// Where it ends.
    pub high: f64,
}

/// An agent's place.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Rating {
    /// Who.
    pub agent: String,
    /// Chips a deal above the mean of all agents, by least squares over all pairings.
    pub chips: Interval,
    /// Chips a deal above the mean of all agents, by least squares over the mixed tables.
    pub mixed: Interval,
    /// The Weng–Lin rating at the mixed tables; everybody begins at 25.
    pub weng_lin: Interval,
}

/// What a hero gains at a table of a field.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct CrossTableEntry {
    /// The row.
    pub hero: String,
    /// The column.
    pub field: String,
    /// Deals that the pairing played.
    pub deals: u64,
    /// Chips a deal that the hero gained over the field in the same seat.
    pub gain: f64,
    /// Half the width of the gain's 95 % interval.
    pub ci95: f64,
    /// Whether the interval leaves out 0.
    pub separated: bool,
}

/// Both ways of a pairing together.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Pairing {
    /// Who is measured.
    pub first: String,
    /// Against whom.
    pub second: String,
    /// Deals that the pairing played.
    pub deals: u64,
    /// Half of what the first gains over the second, less what the second gains over the first.
    pub advantage: f64,
    /// Half the width of the advantage's 95 % interval.
    pub ci95: f64,
    /// Whether one of them is better. In a ladder that stops early this is at the level that all
    /// pairings share.
    pub separated: bool,
}

/// How a ladder came out.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct LadderReport {
    /// The rules.
    pub rules: String,
    /// Seats at the table.
    pub players: usize,
    /// Deals that were played.
    pub deals: u64,
    /// What fixed them.
    pub seed: u64,
    /// Whether pairings stopped when they were separated.
    pub until_separated: bool,
    /// The chance that a ladder which stops early separates any two equal agents; none otherwise:
    /// every interval is then right by itself with 95 % probability, and not all together.
    pub error_rate: Option<f64>,
    /// The agents, the best first.
    pub ranking: Vec<Rating>,
    /// The cross table.
    pub cells: Vec<CrossTableEntry>,
    /// The pairings.
    pub pairings: Vec<Pairing>,
    /// How long it took.
    pub seconds: f64,
}

impl LadderReport {
    /// What a hero gained over a field.
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

    /// Notes how long it took.
    #[must_use]
    pub fn took(mut self, time: Duration) -> Self {
        self.seconds = time.as_secs_f64();
        self
    }
}
