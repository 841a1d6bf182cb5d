//! What a command found, as the data that `--json` prints.

use newmarket_eval::study::Section;
use serde::Serialize;

/// What was found, and how to find it again.
#[derive(Serialize)]
pub(super) struct Report {
    pub(super) sections: Vec<Reproducible>,
    /// Studies that make no sense in the game, and why.
    pub(super) left_out: Vec<String>,
}

/// A section with the command that gives it again.
#[derive(Serialize)]
pub(super) struct Reproducible {
    #[serde(flatten)]
    pub(super) section: Section,
    pub(super) command: String,
}
