//! Studies: what a choice is worth, with intervals.
//!
//! A study is a function of a [`Setting`]: the same game, agents, number of deals and seed give the
//! same [`Section`] on any machine and any number of threads. All ways to choose are played on the
//! same deals, with the same random numbers for every seat (common random numbers), so that luck
//! cancels in every difference.
//!
//! [`Section`] and [`ReportTable`] are what a study found, as plain data. The program shows them.

mod least_squares;
mod measure;
mod report;
mod setting;
mod tally;

mod ante;
mod dead_hand;
mod lead;
pub mod tips;

use newmarket_env::Game;

pub use report::{ReportCell, ReportTable, Section, Sizes};
pub use setting::{NothingToStudy, Setting};

/// A study that can be asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Study {
    /// What each rule for a lead is worth.
    Lead,
    /// What each split of a free ante is worth.
    Ante,
    /// When to take the dead hand, and a fair price for it.
    DeadHand,
    /// What each piece of advice from books is worth.
    Tips,
}

impl Study {
    /// All studies, in the order of a report.
    pub const ALL: [Self; 4] = [Self::Lead, Self::Ante, Self::DeadHand, Self::Tips];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Lead => "lead",
            Self::Ante => "ante",
            Self::DeadHand => "dead-hand",
            Self::Tips => "tips",
        }
    }

    /// The game that it is about unless another one is named.
    pub fn usual_game(self) -> &'static str {
        match self {
            Self::Lead | Self::Ante | Self::Tips => "newmarket",
            Self::DeadHand => "newmarket-buy",
        }
    }

    /// Whether it makes sense in a game.
    ///
    /// # Errors
    /// If the game has no such choice, or one that the study cannot take apart.
    pub fn fits(self, game: &Game) -> Result<(), NothingToStudy> {
        match self {
            Self::Lead | Self::Tips => Ok(()),
            Self::Ante => ante::fits(game),
            Self::DeadHand => dead_hand::fits(game),
        }
    }

    /// Of how many deals its `done` is told while it runs.
    pub fn work(self, game: &Game, deals: u64) -> u64 {
        match self {
            Self::Lead => lead::work(game, deals),
            Self::Ante => ante::work(game, deals),
            Self::DeadHand => dead_hand::work(game, deals),
            Self::Tips => deals,
        }
    }

    /// Plays it. `done` is told of every so many deals, from any thread.
    ///
    /// # Errors
    /// The same as [`Study::fits`].
    pub fn run(
        self,
        setting: &Setting,
        done: &(dyn Fn(u64) + Sync),
    ) -> Result<Section, NothingToStudy> {
        self.fits(&setting.game)?;
        Ok(match self {
            Self::Lead => lead::run(setting, done),
            Self::Ante => ante::run(setting, done),
            Self::DeadHand => dead_hand::run(setting, done),
            Self::Tips => {
                let Setting { game, deals, seed, .. } = setting;
                tips::section(&tips::run(game, &tips::TIPS, *deals, *seed, done))
            }
        })
    }
}
