//! What a study found, as plain data.

use serde::Serialize;

use newmarket_agents::paired::Estimate;

/// What one study found.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Section {
    /// The study's name on the command line.
    pub study: String,
    /// A heading.
    pub title: String,
    /// What was asked.
    pub question: String,
    /// The rules.
    pub rules: String,
    /// Seats at the table.
    pub players: Sizes,
    /// Who sat there.
    pub field: String,
    /// Deals in each part of the study.
    pub deals: u64,
    /// What fixed them.
    pub seed: u64,
    /// How it was measured, a paragraph each.
    pub method: Vec<String>,
    /// What came out, a sentence each, with intervals.
    pub findings: Vec<String>,
    /// The figures.
    pub tables: Vec<ReportTable>,
    /// The widest 95 % interval (half its width) of the study's main figures, in chips a deal.
    pub precision: f64,
}

/// How many play: at one table, or at several.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(untagged)]
pub enum Sizes {
    /// So many.
    One(usize),
    /// So many at one, so many at the next.
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

/// Figures of one kind.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ReportTable {
    /// What they are, with their unit.
    pub caption: String,
    /// Heads of the columns.
    pub heads: Vec<String>,
    /// As many cells as heads in each.
    pub rows: Vec<Vec<ReportCell>>,
    /// The column of estimates that is worth a picture, if one is; the first column has its labels.
    pub drawn: Option<usize>,
}

/// One figure or word.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ReportCell {
    /// A word.
    Text(String),
    /// A count.
    Count(u64),
    /// How often, with its interval.
    Rate(Estimate),
    /// A figure with its interval.
    Estimate(Estimate),
    /// A share of 1 with its interval, for people in per cent.
    Share(Estimate),
    /// Not measured, or too rarely to say anything.
    Empty,
}

impl ReportTable {
    /// A table without rows.
    pub fn new(caption: impl Into<String>, heads: &[&str]) -> Self {
        let heads = heads.iter().map(ToString::to_string).collect();
        Self { caption: caption.into(), heads, rows: Vec::new(), drawn: None }
    }

    /// Has this column drawn.
    #[must_use]
    pub fn drawn(mut self, column: usize) -> Self {
        self.drawn = Some(column);
        self
    }

    /// Adds a row.
    ///
    /// # Panics
    /// If it has not as many cells as there are heads.
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
    /// A mean of no or one deal is no figure.
    fn from(estimate: Estimate) -> Self {
        if estimate.ci95.is_finite() { Self::Estimate(estimate) } else { Self::Empty }
    }
}

impl ReportCell {
    /// How often.
    pub fn rate(estimate: Estimate) -> Self {
        if estimate.ci95.is_finite() { Self::Rate(estimate) } else { Self::Empty }
    }

    /// A share of 1.
    pub fn share(estimate: Estimate) -> Self {
        if estimate.ci95.is_finite() { Self::Share(estimate) } else { Self::Empty }
    }
}
