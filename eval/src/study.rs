//! Studies: what a choice is worth, with intervals.
//!
//! A study is a function of a [`Setting`]: the same game, agents, number of deals and seed give the
//! same [`Section`] on any machine and any number of threads. All ways to choose are played on the
//! same deals, with the same random numbers for every seat (common random numbers), so that luck
//! cancels in every difference.
//!
//! [`Section`] and [`ReportTable`] are what a study found, as plain data. The program shows them.

mod heroes;
mod least_squares;
mod measure;
mod payoff;
mod report;
mod setting;
mod tally;
mod whole_sessions;

pub mod advice;
mod ante;
mod dead_hand;
mod lead;
pub mod learn;
mod strategy;
pub mod tips;
mod truth;

use newmarket_agents::Player;
use newmarket_agents::strategy::{Content, Strategy};
use newmarket_env::rules::{Bankroll, LoadError};
use newmarket_env::{Game, Rules, Seed};
use serde_json::Value;

use crate::Duel;
use heroes::Gain;
use payoff::Ledger;
pub use payoff::Payoff;
pub use report::{Advice, ReportCell, ReportTable, Section, Sizes};
use setting::LEDGER;
pub use setting::{NothingToStudy, Setting};
pub use strategy::{Candidate, MakePlayer, StrategyStudy};

const TWO_SEATS: &str = "eval/games/two-seats.toml";
const THREE_SEATS: &str = "eval/games/three-seats.toml";

/// The rules of one of [`Study::usual_games`]. The rules files among them come with the program.
///
/// # Errors
/// If it is none of them.
pub fn usual_rules(name: &str) -> Result<Rules, LoadError> {
    match name {
        TWO_SEATS => Rules::from_toml(include_str!("../games/two-seats.toml"), name),
        THREE_SEATS => Rules::from_toml(include_str!("../games/three-seats.toml"), name),
        _ => Rules::load(name),
    }
}

/// The player of a strategy without faults whose bases are named.
fn by_json(plan: &Value) -> Strategy {
    let content = Content::from_json(plan).expect("a plan of a study has no faults");
    let mut none = |name: &str| Err(format!("no player {name}"));
    Strategy::new("plan", content.into(), &mut none).expect("a plan has named bases")
}

/// What the hero of a duel gains in deals that are parts of sessions, by [`Payoff::Session`]. `done` is told of deals, from
/// any thread.
pub(crate) fn in_sessions(duel: &Duel, over: Option<&Player>, done: &(dyn Fn(u64) + Sync)) -> Gain {
    let Duel { game, field, deals, .. } = duel;
    let seed = Seed::new(duel.seed);
    let ledger = Ledger::new(Payoff::Session, game, field, *deals, seed.child(LEDGER));
    let heroes: Vec<Player> = std::iter::once(duel.hero).chain(over).map(Player::another).collect();
    let pair = (0, over.map(|_| 1));
    let gains = heroes::gains_of(&ledger, field, &heroes, &[pair], *deals, seed, done);
    gains.into_iter().next().expect("a pair has its gain")
}

/// What a study adds in a game on cash.
const CHIPS_RUN_OUT: &str = "Chips run out in this game, so a deal alone does not say all; deals begin with full stacks \
                             here. `newmarket study strategy --sessions` plays whole sessions.";

/// A study that can be asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Study {
    /// What each rule for a lead is worth.
    Lead,
    /// What each split of a free ante is worth.
    Ante,
    /// When to take the dead hand, and a fair price for it.
    DeadHand,
    /// Whether what is measured is true, in a game that can be solved exactly.
    Truth,
}

impl Study {
    /// All studies, in the order of a report.
    pub const ALL: [Self; 4] = [Self::Lead, Self::Ante, Self::DeadHand, Self::Truth];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Lead => "lead",
            Self::Ante => "ante",
            Self::DeadHand => "dead-hand",
            Self::Truth => "truth",
        }
    }

    /// The games that it is about in a report of all studies. The first is the one that it is about
    /// alone.
    pub fn usual_games(self) -> &'static [&'static str] {
        match self {
            Self::Ante => &["newmarket", "newmarket-after-look"],
            Self::DeadHand => &[
                "newmarket-buy",
                "michigan-widow",
                "michigan-auction",
                "three-in-one",
                "four-horses",
            ],
            Self::Lead => &["newmarket", "michigan", "newmarket-buy"],
            Self::Truth => &[TWO_SEATS, THREE_SEATS],
        }
    }

    /// Whether it makes sense in a game.
    ///
    /// # Errors
    /// If the game has no such choice, or one that the study cannot take apart.
    pub fn fits(self, game: &Game) -> Result<(), NothingToStudy> {
        match self {
            Self::Lead => Ok(()),
            Self::Ante => ante::fits(game),
            Self::DeadHand => dead_hand::fits(game),
            Self::Truth => truth::fits(game),
        }
    }

    /// Of how many deals its `done` is told while it runs.
    pub fn work(self, game: &Game, deals: u64) -> u64 {
        match self {
            Self::Lead => lead::work(deals),
            Self::Ante => ante::work(game, deals),
            Self::DeadHand => dead_hand::work(game, deals),
            Self::Truth => truth::work(game, deals),
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
        let ledger = || setting.ledger(&setting.game, setting.field);
        let mut section = match self {
            Self::Lead => lead::run(setting, &ledger(), done),
            Self::Ante => ante::run(setting, &ledger(), done),
            Self::DeadHand => dead_hand::run(setting, &ledger(), done),
            Self::Truth => truth::run(setting, done)?,
        };
        // There a deal is a whole session.
        if self != Self::Truth {
            section.method.push(setting.payoff.in_game(&setting.game).about().into());
            if setting.game.rules().session.bankroll != Bankroll::Credit {
                section.method.push(CHIPS_RUN_OUT.into());
            }
        }
        Ok(section)
    }
}
