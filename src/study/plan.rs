//! The plan of a report: its studies, games, fields and tables.

use std::sync::Arc;

use newmarket_agents::Player;
use newmarket_env::{Game, Rules};
use newmarket_eval::study::{
    Candidate, Payoff, Section, Setting, StrategyStudy, Study, advice, tips, usual_rules,
};

use super::strategy::player;
use crate::failure::Result;
use crate::table_args::agent;

/// Players at a table by default, if the game allows that number.
pub(super) const PLAYERS: usize = 4;
/// The agent in the other seats by default.
const FIELD: &str = "stopper";
/// The company of the second section of a report of all, and its game.
const CHAMPION: (&str, &str) = ("net:champion", "newmarket");

/// The deals of a study in a report of all, as a share of the deals that are asked for.
#[derive(Clone, Copy)]
pub(super) struct Share {
    times: u64,
    every: u64,
}

impl Share {
    /// All deals that are asked for.
    pub(super) const ALL: Self = Self { times: 1, every: 1 };
    /// For what is quick to play, and whose figures are small.
    const MORE: Self = Self { times: 2, ..Self::ALL };
    /// For small packs, of which a study plays many more deals.
    const FEWER: Self = Self { every: 4, ..Self::ALL };

    /// This share of a number of deals.
    pub(super) fn of_deals(self, deals: u64) -> u64 {
        (deals * self.times).div_ceil(self.every)
    }
}

/// What is measured.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum What {
    /// What the lists of `basic` gain.
    Advice,
    Study(Study),
    Tips,
}

impl What {
    /// All, in the order of a report.
    const ALL: [Self; 6] = [
        Self::Advice,
        Self::Study(Study::Lead),
        Self::Study(Study::Ante),
        Self::Study(Study::DeadHand),
        Self::Tips,
        Self::Study(Study::Truth),
    ];

    /// Its name on the command line.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Advice => "advice",
            Self::Study(study) => study.name(),
            Self::Tips => "tips",
        }
    }

    /// Whether it studies the choice of one seat, whose player plays on.
    pub(super) fn plays_on(self) -> bool {
        matches!(self, Self::Study(study) if study != Study::Truth)
    }

    fn usual_games(self) -> Vec<&'static str> {
        match self {
            Self::Advice => advice::games(),
            Self::Study(study) => study.usual_games().to_vec(),
            Self::Tips => tips::GAMES.to_vec(),
        }
    }

    fn share(self) -> Share {
        match self {
            Self::Advice | Self::Study(Study::Ante) => Share::MORE,
            Self::Study(Study::Truth) => Share::FEWER,
            Self::Study(_) | Self::Tips => Share::ALL,
        }
    }
}

/// A part of a report with its tables: several for advice and tips, else one.
pub(super) struct Asked {
    pub(super) what: What,
    /// The names of the games; none: those that the study takes by default.
    pub(super) rules: Vec<String>,
    /// The agent in the other seats; for tips none is that of each tip.
    pub(super) field: Option<String>,
    /// The number of players, if it is asked for.
    pub(super) players: Option<usize>,
    /// The tables.
    pub(super) games: Vec<Arc<Game>>,
    /// The share of the deals that are asked for.
    pub(super) share: Share,
}

/// The tables that the flags ask for; `None` for the defaults of each study.
pub(super) struct Tables<'a> {
    pub(super) rules: Option<&'a str>,
    pub(super) players: Option<usize>,
    pub(super) field: Option<&'a str>,
}

impl Tables<'_> {
    /// One study, of one game.
    pub(super) fn one(&self, study: Study) -> Result<Asked> {
        let rules = self.rules.unwrap_or(study.usual_games()[0]);
        let asked = self.of(What::Study(study), Some(rules), self.field.or(Some(FIELD)))?;
        Ok(Asked { share: Share::ALL, ..asked })
    }

    /// The parts of a report of all: those for a reader of the lists at a table of heuristics, and what the lists
    /// gain at a table of champions.
    pub(super) fn all(&self) -> Vec<(What, Result<Asked>)> {
        let mut parts = Vec::new();
        for what in What::ALL {
            let field = match what {
                What::Tips => self.field,
                _ => self.field.or(Some(FIELD)),
            };
            let games: Vec<Option<&str>> = match (what, self.rules) {
                (_, Some(rules)) => vec![Some(rules)],
                (What::Study(study), None) => {
                    study.usual_games().iter().copied().map(Some).collect()
                }
                (What::Advice | What::Tips, None) => vec![None],
            };
            parts.extend(games.into_iter().map(|rules| (what, self.of(what, rules, field))));
            if what == What::Advice && self.field.is_none() {
                let (field, game) = CHAMPION;
                let asked = self.of(what, self.rules.or(Some(game)), Some(field));
                parts.push((what, asked.map(|asked| Asked { share: Share::ALL, ..asked })));
            }
        }
        parts
    }

    fn of(&self, what: What, rules: Option<&str>, field: Option<&str>) -> Result<Asked> {
        let names = rules.map_or_else(|| what.usual_games(), |rules| vec![rules]);
        let games = names.iter().map(|name| self.table(name)).collect::<Result<_>>()?;
        let (players, share, field) = (self.players, what.share(), field.map(str::to_owned));
        let rules = rules.map(str::to_owned).into_iter().collect();
        Ok(Asked { what, rules, field, players, games, share })
    }

    fn table(&self, rules: &str) -> Result<Arc<Game>> {
        let asked = self.rules.is_some();
        let rules = if asked { Rules::load(rules)? } else { usual_rules(rules)? };
        let (least, most) = rules.players;
        let players = self.players.unwrap_or(PLAYERS.clamp(least, most));
        Ok(Arc::new(Game::new(rules, players)?))
    }
}

/// What all parts of a report have in common.
pub(super) struct Common<'a> {
    /// Who plays on after a choice.
    pub(super) player: &'a Player,
    /// The tips.
    pub(super) tips: &'a [Candidate],
    pub(super) payoff: Payoff,
    pub(super) seed: u64,
}

impl Asked {
    /// Checks that the study makes sense at its table, and that its agents exist.
    pub(super) fn check(self) -> Result<Self> {
        if let What::Study(study) = self.what {
            study.fits(&self.games[0])?;
        }
        self.field.as_deref().map(agent).transpose()?;
        Ok(self)
    }

    /// Of how many deals its `done` is told.
    pub(super) fn work(&self, common: &Common, deals: u64) -> u64 {
        match self.what {
            What::Study(study) => study.work(&self.games[0], deals),
            What::Advice => self.strategies(common, &[], deals).work(),
            What::Tips => self.strategies(common, common.tips, deals).work(),
        }
    }

    /// Plays it.
    pub(super) fn run(
        &self,
        common: &Common,
        deals: u64,
        done: &(dyn Fn(u64) + Sync),
    ) -> Result<Section> {
        Ok(match self.what {
            What::Study(study) => {
                let field = agent(self.field.as_deref().unwrap_or(FIELD))?;
                let &Common { player, seed, payoff, .. } = common;
                let game = self.games[0].clone();
                study.run(&Setting { game, field: &field, player, deals, seed, payoff }, done)?
            }
            What::Advice => {
                let candidates = super::advice::candidates()?;
                advice::run(&self.strategies(common, &candidates, deals), done)?
            }
            What::Tips => tips::run(&self.strategies(common, common.tips, deals), true, done)?,
        })
    }

    fn strategies<'s>(
        &'s self,
        common: &Common,
        candidates: &'s [Candidate],
        deals: u64,
    ) -> StrategyStudy<'s> {
        StrategyStudy {
            candidates,
            games: &self.games,
            fields: self.field.as_slice(),
            make: &player,
            deals,
            sessions: 0,
            seed: common.seed,
            payoff: common.payoff,
            parts: false,
            by_seat: false,
        }
    }
}
