//! The log: the narrator's sentences, and notes beside them.

use newmarket_env::Event;

use super::super::narrator::Narrator;
use super::super::table_view::TableView;
use crate::wording::Wording;

/// Lines, the latest last.
#[derive(Clone, Debug, Default)]
pub(super) struct Log {
    lines: Vec<String>,
    /// The last line about the table.
    latest: usize,
    narrator: Narrator,
}

impl Log {
    pub(super) fn lines(&self) -> &[String] {
        &self.lines
    }

    /// The last lines about the table, at most `most`.
    pub(super) fn latest(&self, most: usize) -> &[String] {
        let end = self.lines.len().min(self.latest + 1);
        &self.lines[end.saturating_sub(most)..end]
    }

    /// Adds a line that is not about the table.
    pub(super) fn note(&mut self, line: impl Into<String>) {
        self.lines.push(line.into());
    }

    /// Adds a line about the table that is no event.
    pub(super) fn add(&mut self, line: impl Into<String>) {
        self.narrator = Narrator::default();
        self.latest = self.lines.len();
        self.lines.push(line.into());
    }

    /// Adds a line before all others.
    pub(super) fn insert_first(&mut self, line: String) {
        self.lines.insert(0, line);
        self.latest += 1;
    }

    /// Keeps this many lines.
    pub(super) fn truncate(&mut self, lines: usize) {
        self.latest = lines.saturating_sub(1);
        self.narrator = Narrator::default();
        self.lines.truncate(lines);
    }

    /// Tells an event, and why it came; `table` is the table after it.
    pub(super) fn tell(
        &mut self,
        wording: &Wording,
        table: &TableView,
        (event, why): (&Event, Option<&str>),
    ) {
        for sentence in self.narrator.tell(wording, table, event, why) {
            match self.lines.get_mut(self.latest) {
                Some(line) if sentence.continues => line.push_str(&sentence.text),
                _ => {
                    self.latest = self.lines.len();
                    self.lines.push(sentence.text);
                }
            }
        }
    }
}
