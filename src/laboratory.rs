//! What the Python wheel shares with the commands `exploit`, `review` and `study`: their results without a terminal.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use newmarket_agents::Player;
use newmarket_agents::search::Playout;
use newmarket_agents::strategy::{Base, Content, Strategy};
use newmarket_env::{Game, Seed};
use newmarket_eval::study::{Candidate, Section};
use serde::Serialize;
use serde_json::Value;

pub use crate::failure::Failure;
use crate::failure::{At as _, Result};
use crate::review::judge::{By, Judge};
use crate::review::{Asked, read, reviewed};
use crate::study::{advice, effort, strategy, tips};
use crate::{exploit, who_played};

/// A review of recorded deals, as `newmarket review` makes it.
pub struct Review {
    /// The name of the trace.
    pub trace: String,
    /// Who plays after a choice in the sampled deals.
    pub by: ReviewBy,
    /// By seat, the strategy that played there, as far as that is known.
    pub strategies: Vec<Option<Strategy>>,
    /// The seat whose decisions are judged; `None`: all.
    pub seat: Option<usize>,
    /// Sampled deals for a decision.
    pub worlds: u32,
    /// Seed of the sampled deals.
    pub seed: u64,
    /// How many mistakes to list.
    pub worst: usize,
}

/// Who plays after a choice in the sampled deals of a review.
pub struct ReviewBy(String, By);

impl ReviewBy {
    /// A rule, which sees all cards and is fast; `None` if there is none of this name.
    pub fn rule(name: &str) -> Option<Self> {
        Some(Self(name.into(), By::Rule(Playout::named(name)?)))
    }

    /// A player with a network.
    ///
    /// # Errors
    /// If it does not answer for many decisions at once.
    pub fn player(player: Player) -> Result<Self, Failure> {
        let name = player.name().to_owned();
        Ok(Self(name, By::player(player)?))
    }
}

/// The deals of a trace, all of them checked.
pub struct RecordedDeals(Vec<crate::review::Recorded>);

impl RecordedDeals {
    /// Reads a trace file.
    ///
    /// # Errors
    /// If it cannot be read, or is no trace.
    pub fn of_file(path: &Path) -> Result<Self, Failure> {
        let file = File::open(path).at("cannot read").at(path.display())?;
        Self::read(BufReader::new(file), &path.display().to_string())
    }

    /// Reads the lines of a trace of this name.
    ///
    /// # Errors
    /// If it is no trace.
    pub fn read(from: impl BufRead, name: &str) -> Result<Self, Failure> {
        Ok(Self(read(from, name)?))
    }

    /// Number of deals.
    pub fn count(&self) -> usize {
        self.0.len()
    }

    /// The most seats of a deal.
    pub fn seats(&self) -> usize {
        self.0.iter().map(|deal| deal.game.players()).max().unwrap_or(0)
    }
}

/// The strategies that played a trace, by seat, as the file beside it says; none without such a file.
pub fn strategies_beside(trace: &Path) -> Vec<Option<Strategy>> {
    who_played::read(trace).unwrap_or_default()
}

impl Review {
    /// Judges the deals. `done` is called after each deal, from any thread. Returns what `newmarket review --json`
    /// prints.
    pub fn run(self, deals: &RecordedDeals, done: impl Fn() + Sync) -> Value {
        let ReviewBy(by, judge) = self.by;
        let Self { trace, strategies, seat, worlds, seed, worst, .. } = self;
        let judge = Judge { by: judge, worlds, seed: Seed::new(seed), strategies };
        let asked = Asked { trace, by, agents: None, seat, seed, worst };
        json(&reviewed(asked, &judge, &deals.0, done))
    }
}

/// What a search in `worlds` sampled hands that knows a player gains over it: the result of
/// `newmarket exploit --search`. `done` is told of deals, from any thread.
///
/// # Errors
/// If the player sees all cards.
pub fn searched(
    field: &Player,
    game: &Game,
    (worlds, deals): (u32, u64),
    seed: u64,
    done: impl Fn(u64) + Sync,
) -> Result<Value, Failure> {
    let report = exploit::searched::measure(field, game, (worlds, deals), seed, done)?;
    Ok(json(&report))
}

fn json(report: &impl Serialize) -> Value {
    serde_json::to_value(report).expect("a report is JSON")
}

/// How long a study plays, beside a number of deals.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum StudyLength {
    /// So many deals in each part.
    Deals(u64),
    /// Until the intervals of the main figures have at most this half-width, in chips a deal.
    Ci(f64),
    /// About this time.
    Time(Duration),
}

/// Plays a study at this length.
///
/// # Errors
/// If `play` fails, or intervals so narrow take too many deals.
pub fn at_length(
    length: StudyLength,
    play: impl Fn(u64) -> Result<Section, Failure>,
) -> Result<Section, Failure> {
    match length {
        StudyLength::Deals(deals) => play(deals),
        StudyLength::Ci(ci) => effort::narrow(ci, play),
        StudyLength::Time(time) => effort::within(time, play),
    }
}

/// A strategy by its name: of the program, or a file. It is measured over `over`, or over what it says itself.
///
/// # Errors
/// If there is none, or its file has faults.
pub fn candidate(name: &str, over: Option<&(String, Base)>) -> Result<Candidate, Failure> {
    strategy::candidate(name, over)
}

/// A player that strategies are measured over: a file, or an agent by name.
///
/// # Errors
/// If there is none, or its file has faults.
pub fn over(name: &str) -> Result<(String, Base), Failure> {
    strategy::over(name)
}

/// The player of a strategy or of a name.
///
/// # Errors
/// If there is none of this name.
pub fn strategy_player(name: &str, base: &Base) -> Result<Player, String> {
    strategy::player(name, base)
}

/// What `newmarket study advice` measures.
///
/// # Errors
/// If a file of the program has faults.
pub fn advice() -> Result<Vec<Candidate>, Failure> {
    advice::candidates()
}

/// The tips of a folder of strategy files, or those of the program, for somebody who plays on as `base`, or as each
/// says.
///
/// # Errors
/// If the folder has no strategy files, or one has faults.
pub fn tips(folder: Option<&Path>, base: Option<&Base>) -> Result<Vec<Candidate>, Failure> {
    let mut files: Vec<(String, Arc<Content>)> = match folder {
        Some(folder) => tips::of_folder(folder, |_| Ok(()))?,
        None => tips::of_program()?,
    };
    if let Some(base) = base {
        files = tips::over_base(files, base);
    }
    Ok(tips::candidates(files))
}
