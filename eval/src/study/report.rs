//! What a study found, as plain data. `newmarket study --json` prints it.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use newmarket_agents::paired::Estimate;

/// The result of one study.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Section {
    /// The study's name on the command line.
    pub study: String,
    /// The heading in a report.
    pub title: String,
    /// The question that the study answers.
    pub question: String,
    /// The title of the rules.
    pub rules: String,
    /// The rules of each game as a rules file, in JSON: by these, the result stands on its own.
    pub rules_files: Vec<Map<String, Value>>,
    /// Seats at the table.
    pub players: Sizes,
    /// The name of the agent in all seats.
    pub field: String,
    /// Deals in each part of the study.
    pub deals: u64,
    /// The seed that fixed them.
    pub seed: u64,
    /// How it was measured, one paragraph per entry.
    pub method: Vec<String>,
    /// What a card player should do, and what it pays.
    pub advice: Vec<Advice>,
    /// The findings, one sentence per entry, with 95 % intervals.
    pub findings: Vec<String>,
    /// The tables of estimates.
    pub tables: Vec<ReportTable>,
    /// The widest 95 % interval (half its width) of the study's main figures, in chips a deal.
    pub precision: f64,
}

/// What a card player should do in some kind of decision, and what that pays.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Advice {
    /// The decision and the game.
    pub title: String,
    /// What to do, step by step.
    pub steps: Vec<String>,
    /// Chips a deal that it gains.
    pub gain: Estimate,
    /// What it gains that over.
    pub over: String,
    /// Among whom.
    pub among: String,
    /// The strategy that plays so.
    pub strategy: String,
}

/// How many play: at one table, or at several.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Sizes {
    /// One table size.
    One(usize),
    /// Several table sizes, in rising order.
    Many(Vec<usize>),
}

impl From<usize> for Sizes {
    fn from(players: usize) -> Self {
        Self::One(players)
    }
}

impl std::fmt::Display for Sizes {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::One(players) => write!(f, "{players}"),
            Self::Many(sizes) => {
                let sizes: Vec<String> = sizes.iter().map(ToString::to_string).collect();
                f.write_str(&sizes.join(", "))
            }
        }
    }
}

/// A table of a report.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ReportTable {
    /// What the estimates are, with their unit.
    pub caption: String,
    /// The heads of the columns.
    pub heads: Vec<String>,
    /// The rows; each has as many cells as there are heads.
    pub rows: Vec<Vec<ReportCell>>,
    /// The column of estimates to be drawn, if any; the first column has the labels.
    pub drawn: Option<usize>,
    /// Whether a report of several studies leaves it out.
    pub detail: bool,
}

/// A cell of a table in a report.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReportCell {
    /// A label.
    Text(String),
    /// A count.
    Count(u64),
    /// A rate per deal, with its interval.
    Rate(Estimate),
    /// An estimate, in the unit of the caption.
    Estimate(Estimate),
    /// A share of 1 with its interval; shown in per cent.
    Share(Estimate),
    /// Not measured, or too rarely to say anything.
    Empty,
}

impl ReportTable {
    /// A table without rows.
    pub fn new(caption: impl Into<String>, heads: &[&str]) -> Self {
        let heads = heads.iter().map(ToString::to_string).collect();
        Self { caption: caption.into(), heads, rows: Vec::new(), drawn: None, detail: false }
    }

    /// Marks a column to be drawn.
    #[must_use]
    pub fn drawn(mut self, column: usize) -> Self {
        self.drawn = Some(column);
        self
    }

    /// Marks a table that a report of several studies leaves out.
    #[must_use]
    pub fn detail(mut self) -> Self {
        self.detail = true;
        self
    }

    /// Adds a row.
    ///
    /// # Panics
    /// If the number of cells is not the number of heads.
    pub fn push(&mut self, row: Vec<ReportCell>) {
        assert_eq!(row.len(), self.heads.len(), "a row has a cell for each head");
        self.rows.push(row);
    }
}

impl From<&str> for ReportCell {
    fn from(text: &str) -> Self {
        Self::Text(text.into())
    }
}

impl From<String> for ReportCell {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<Estimate> for ReportCell {
    /// The mean of fewer than two deals is [`ReportCell::Empty`].
    fn from(estimate: Estimate) -> Self {
        if estimate.ci95.is_finite() { Self::Estimate(estimate) } else { Self::Empty }
    }
}

impl ReportCell {
    /// A rate per deal; empty without an interval.
    pub fn rate(estimate: Estimate) -> Self {
        if estimate.ci95.is_finite() { Self::Rate(estimate) } else { Self::Empty }
    }

    /// A share of 1; empty without an interval.
    pub fn share(estimate: Estimate) -> Self {
        if estimate.ci95.is_finite() { Self::Share(estimate) } else { Self::Empty }
    }
}
