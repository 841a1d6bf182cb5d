//! The result of a study, as `--json` prints it.

use newmarket_eval::study::{Advice, Section};
use serde::Serialize;

/// The result of one or all studies.
#[derive(Serialize)]
pub(super) struct Report {
    pub(super) sections: Vec<Reproducible>,
    /// Studies that do not fit the game, with the reason.
    pub(super) left_out: Vec<String>,
}

impl Report {
    /// What to do: the advice of the first section that has some, which is for the reader.
    pub(super) fn advice(&self) -> &[Advice] {
        let mut all = self.sections.iter().map(|it| &*it.section.advice);
        all.find(|advice| !advice.is_empty()).unwrap_or_default()
    }
}

/// A section with the command that reproduces it.
#[derive(Serialize)]
pub(super) struct Reproducible {
    #[serde(flatten)]
    pub(super) section: Section,
    pub(super) command: String,
}
