//! One result in four forms: text, JSON, Markdown, and a page for a browser.

use std::path::Path;

use serde::Serialize;

use crate::failure::Result;
use crate::output::Output;
use crate::terminal;

/// A result that can be shown in every form. Serialized, it is what `--json` prints.
pub(crate) trait Forms: Serialize {
    /// For a terminal.
    fn text(&self) -> String;
    /// As Markdown.
    fn markdown(&self) -> String;
    /// As one page of HTML.
    fn html(&self) -> String;
}

/// The form that flags ask for on standard output.
#[derive(clap::Args)]
pub(crate) struct FormArgs {
    /// Print one JSON object.
    #[arg(long, conflicts_with = "markdown")]
    json: bool,
    /// Print Markdown.
    #[arg(long)]
    markdown: bool,
}

/// The file of a page, opened before anything is computed: that it cannot be written is known at
/// once.
pub(crate) fn page(path: Option<&Path>) -> Result<Option<Output>> {
    path.map(|path| Output::open(Some(path))).transpose()
}

impl FormArgs {
    /// Writes the page, if one is open, and prints the result.
    pub(crate) fn show(&self, report: &impl Forms, page: Option<Output>) -> Result {
        if let Some(mut page) = page {
            page.write(report.html())?;
            page.finish()?;
        }
        match (self.json, self.markdown) {
            (true, _) => terminal::print_json(report),
            (_, true) => terminal::print(report.markdown()),
            _ => terminal::print(report.text()),
        }
    }
}
