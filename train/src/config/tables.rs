//! Which games are trained on.

use crate::TrainError;
use newmarket_env::rules::NAMES;
use newmarket_env::{Game, LoadError, Rules};
use serde::{Deserialize, Serialize};
use std::fmt;

/// One kind of table, or several that share alike.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TableMix {
    /// A named game, the path of a rules file, or [`TableMix::ALL`] named games.
    pub rules: String,
    /// Players at the table: a number, or the least and the most.
    pub players: Players,
    /// Its share of the deals, in proportion to those of the others.
    pub share: f64,
    /// What an episode is.
    pub episode: EpisodeKind,
}

/// A number of players, or a range of them: `4`, `[3, 8]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Players {
    /// So many.
    Exactly(usize),
    /// From the first to the second, as far as the rules seat so many.
    Range([usize; 2]),
}

impl fmt::Display for Players {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exactly(players) => write!(f, "{players}"),
            Self::Range([least, most]) => write!(f, "{least} to {most}"),
        }
    }
}

impl TableMix {
    /// What stands for every named game.
    pub const ALL: &str = "all";

    /// The games of this kind of table.
    ///
    /// # Errors
    ///
    /// If there are no such rules, or they do not seat so many players.
    pub fn games(&self) -> Result<Vec<Game>, TrainError> {
        self.games_by(&|name| Rules::load(name))
    }

    /// The same with rules from wherever `load` has them.
    pub(crate) fn games_by(
        &self,
        load: &dyn Fn(&str) -> Result<Rules, LoadError>,
    ) -> Result<Vec<Game>, TrainError> {
        let names = if self.rules == Self::ALL { &NAMES[..] } else { &[&*self.rules] };
        let mut games = Vec::new();
        for &name in names {
            let wrong = || TrainError::rules(&self.rules);
            let rules = load(name).map_err(wrong())?;
            let (least, most) = match self.players {
                Players::Exactly(players) => (players, players),
                Players::Range([from, to]) => (from.max(rules.players.0), to.min(rules.players.1)),
            };
            for players in least..=most {
                games.push(Game::new(rules.clone(), players).map_err(wrong())?);
            }
        }
        if games.is_empty() {
            let fault = format!("`players` of `{}` is a range that it does not seat", self.rules);
            return Err(TrainError::Values(vec![fault]));
        }
        Ok(games)
    }
}

/// What an episode is; returns always end with the deal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EpisodeKind {
    /// A deal on an empty layout.
    Deal,
    /// A deal out of a running session: chips of earlier deals lie on the layout.
    CarriedDeal,
}

impl EpisodeKind {
    /// What it is called in a configuration.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Deal => "deal",
            Self::CarriedDeal => "carried_deal",
        }
    }
}
