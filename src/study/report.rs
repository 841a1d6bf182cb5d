//! The result of a study, as `--json` prints it.

use newmarket_eval::study::Section;
use serde::Serialize;

/// The result of one or all studies.
#[derive(Serialize)]
pub(super) struct Report {
    pub(super) sections: Vec<Reproducible>,
    /// Studies that do not fit the game, with the reason.
    pub(super) left_out: Vec<String>,
}

/// A section with the command that reproduces it.
#[derive(Serialize)]
pub(super) struct Reproducible {
    #[serde(flatten)]
    pub(super) section: Section,
    pub(super) command: String,
}
