//! The result of a ladder, as plain data.

use std::time::Duration;

use serde::Serialize;

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
    /// Chips a deal above the mean of all agents, by least squares over all pairings.
    pub chips: Interval,
    /// Chips a deal above the mean of all agents, by least squares over the mixed tables.
    pub mixed: Interval,
    /// The Weng–Lin rating at the mixed tables; everybody begins at 25.
    pub weng_lin: Interval,
}

/// An entry of the cross table: what a hero gains at a table of a field.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct CrossTableEntry {
    /// The agent of the row.
    pub hero: String,
    /// The agent of the column.
    pub field: String,
    /// Deals that the pairing played.
    pub deals: u64,
    /// Chips a deal that the hero gained over the field in the same seat.
    pub gain: f64,
    /// Half the width of the 95 % interval of `gain`.
    pub ci95: f64,
    /// Whether the interval does not contain 0.
    pub separated: bool,
}

/// Two agents compared, each being the hero at a table of the other.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Pairing {
    /// The agent that is compared.
    pub first: String,
    /// The agent that it is compared with.
    pub second: String,
    /// Deals that the pairing played.
    pub deals: u64,
    /// Half of what the first gains over the second, less what the second gains over the first.
    pub advantage: f64,
    /// Half the width of the 95 % interval of `advantage`.
    pub ci95: f64,
    /// Whether one of them is better. In a ladder that stops early this is at the level that all
    /// pairings share.
    pub separated: bool,
}

/// The result of a ladder, as `newmarket ladder --json` prints it.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct LadderReport {
    /// The title of the rules.
    pub rules: String,
    /// Seats at the table.
    pub players: usize,
    /// Deals that were played.
    pub deals: u64,
    /// The seed that fixed them.
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
    /// All pairs of agents.
    pub pairings: Vec<Pairing>,
    /// Wall-clock time; 0 until [`LadderReport::took`] sets it.
    pub seconds: f64,
}

impl LadderReport {
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
