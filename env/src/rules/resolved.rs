//! Rules in which every option has its value.

use alloc::string::ToString as _;

use serde_json::{Value, json};

use super::Rules;
use super::file::Table;
use super::words::{STAGES, word};

impl Rules {
    /// All options with their values, as a rules file writes them, so that nothing needs the base
    /// to be understood: each cell has its cards, the pot is among the cells, and `stages` stands in
    /// the place of `claim_when`. A cap that is not set is left out.
    pub fn resolved(&self) -> Table {
        let mut table = self.table();
        table.remove("claim_when");
        let cells: Value = self.cells.iter().map(|cell| cell.value(&[], self.aces)).collect();
        let stages: Value = self.stages.iter().map(|&stage| json!(word(&STAGES, stage))).collect();
        table.insert("cells".to_string(), cells);
        table.insert("stages".to_string(), stages);
        table
    }
}
