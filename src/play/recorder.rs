//! The deals of a session that are over, as a trace that `newmarket review` reads.

use std::path::PathBuf;

use newmarket_checkpoints::{WholeFile, write_whole};
use newmarket_engine::SessionTable;

use crate::failure::{Failure, Result, cannot_write};

/// Deals for a file. Whenever a deal is over the file is written anew, whole, so that no end of the program loses one.
pub(super) struct Recorder {
    path: PathBuf,
    /// The numbers of the deals, and their lines.
    deals: Vec<(u32, String)>,
}

impl Recorder {
    /// A recorder of this session to this file, which is written when the first deal is over.
    ///
    /// # Errors
    /// If the file may not be written, or the session does not begin here: a trace has it from its first deal on.
    pub(super) fn to(path: PathBuf, table: &SessionTable) -> Result<Self> {
        let deal = table.session().deal_number();
        if deal > 1 {
            return Err(Failure::user(format!(
                "--record: expected a session from its first deal on, and this one goes on with deal {deal}"
            )));
        }
        match WholeFile::open(&path) {
            // Dropped: what the file has stays until then.
            Ok(_) => Ok(Self { path, deals: Vec::new() }),
            Err(error) => Err(cannot_write(path.display(), error)),
        }
    }

    /// Notes the deal of a table, which is over: in place of the same deal if its end was taken back before.
    pub(super) fn note(&mut self, table: &SessionTable) -> Result {
        let deal = table.session().deal_number();
        // A last deal ends with the piles that are given away.
        let mut after = table.clone();
        let record = if after.next_deal() { table.record() } else { after.record() };
        self.deals.retain(|(number, _)| *number < deal);
        self.deals.push((deal, record.to_line() + "\n"));
        let lines: String = self.deals.iter().map(|(_, line)| &**line).collect();
        Ok(write_whole(&self.path, lines.as_bytes())?)
    }
}
