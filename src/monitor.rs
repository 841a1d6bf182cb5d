//! `newmarket monitor`: a training run on the whole screen, or in a few lines.

mod draw;
mod follow;
mod history;
mod screen;
mod shown;
mod summary;
mod tail;
mod theme;
mod view;

use std::io::{self, IsTerminal};
use std::path::PathBuf;

use follow::{Follow, Seen};
use shown::Shown;

use crate::failure::{Failure, Result};
use crate::terminal;

/// The most reads of a record to reach its end.
const MOST_LOOKS: usize = 128;

/// Watch a training run: learning curves, speed, time left, signs of trouble, events.
///
/// The run may be running, begin later, or be over. The monitor only reads the folder. `q` quits, `?`
/// shows help. Without a terminal, or with --plain or --json, prints the state of the run once.
#[derive(clap::Args)]
#[command(
    after_help = "Example:\n  newmarket monitor runs/standard    # beside `newmarket train standard`\n  \
                        newmarket monitor runs/quick --plain\n  \
                        newmarket monitor runs/quick --json | jq .benchmarks"
)]
pub(crate) struct MonitorArgs {
    /// The run's folder.
    #[arg(value_name = "RUN")]
    folder: PathBuf,
    /// Print the state of the run once, as lines of text.
    #[arg(long)]
    plain: bool,
    /// Print the state of the run once, as one JSON object.
    #[arg(long, conflicts_with = "plain")]
    json: bool,
}

impl MonitorArgs {
    pub(crate) fn run(self) -> Result {
        let mut follow = Follow::new(&self.folder);
        let terminal = io::stdin().is_terminal() && io::stdout().is_terminal();
        if terminal && !self.plain && !self.json {
            return screen::show(follow);
        }
        for _ in 0..MOST_LOOKS {
            if follow.look() != Seen::More {
                break;
            }
        }
        match Shown::of(&follow) {
            Shown::Waiting { folder, why } => Err(Failure::user(format!("{folder}: {why}"))),
            Shown::Run(shot) if self.json => terminal::print_json(&shot.summary),
            Shown::Run(shot) => terminal::print(shot.summary.text()),
        }
    }
}
