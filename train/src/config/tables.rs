//! The games of a run.

use crate::TrainError;
use newmarket_env::rules::{House, NAMES};
use newmarket_env::{Game, LoadError, MAX_PLAYERS, Rules, Seed};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::fmt;

/// How the name of the rules of a random house begins.
const HOUSE_PREFIX: &str = "house:";

/// One kind of table, or several with equal shares.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(
    deny_unknown_fields,
    expecting = "a table, as { rules = \"michigan\", players = 5, share = 1, episode = \"deal\" }"
)]
pub struct TableMix {
    /// A named game, the path of a rules file, [`TableMix::ALL`] or [`TableMix::HOUSES`].
    pub rules: String,
    /// Players at the table: a number, or the least and the greatest number.
    pub players: Players,
    /// Its share of the deals, relative to the shares of the other tables.
    pub share: f64,
    /// The kind of episode.
    pub episode: EpisodeKind,
    /// What the rules file said when the run began, in JSON: from then on the run does not need the file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<Map<String, Value>>,
}

/// A number of players, or a range of them: `4`, `[3, 8]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged, expecting = "expected a number of players, as 4, or a range, as [3, 8]")]
pub enum Players {
    /// Exactly this number.
    Exactly(usize),
    /// All numbers from the first to the second that the rules allow.
    Range([usize; 2]),
}

impl Players {
    /// The least and the greatest number.
    pub(crate) fn range(self) -> (usize, usize) {
        match self {
            Self::Exactly(players) => (players, players),
            Self::Range([least, most]) => (least, most),
        }
    }
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
    /// The name for all named games.
    pub const ALL: &str = "all";
    /// The name for random house rules, drawn anew for every episode. [`House::is_held_out`] names those
    /// that are never trained on.
    pub const HOUSES: &str = "houses";
    /// The number of houses in benchmarks; the same houses in every run.
    const SAMPLE: usize = 48;

    /// Whether the rules are drawn anew for every episode.
    pub(crate) fn is_houses(&self) -> bool {
        self.rules == Self::HOUSES
    }

    /// The drawn game of the episode with this seed.
    pub(crate) fn house(players: Players, episode: Seed) -> Game {
        let (least, most) = players.range();
        let drawn = (0..).map(|nth| House::draw(episode.child(nth)));
        let mut fit = drawn.filter(|h| (least..=most).contains(&h.players) && !h.is_held_out());
        let House { rules, players } = fit.next().expect("one of endlessly many fits");
        Game::new(rules, players).expect("a house seats its players")
    }

    /// The rules of a table with one game: those of the file as it was, else by their name or path.
    ///
    /// # Errors
    ///
    /// If there are no such rules.
    pub fn load(&self) -> Result<Rules, LoadError> {
        self.load_by(&self.rules, &|name| Rules::load(name))
    }

    fn load_by(
        &self,
        name: &str,
        load: &dyn Fn(&str) -> Result<Rules, LoadError>,
    ) -> Result<Rules, LoadError> {
        let Some(file) = &self.file else { return load(name) };
        Rules::from_table(file).map_err(|faults| LoadError::Faults { path: name.into(), faults })
    }

    /// Whether the rules are those of a file.
    pub(crate) fn are_of_file(&self) -> bool {
        let name = &*self.rules;
        ![Self::ALL, Self::HOUSES].contains(&name)
            && !name.starts_with(HOUSE_PREFIX)
            && Rules::named(name).is_none()
    }

    /// Keeps what the rules file says, if the rules are those of one.
    pub(crate) fn keep_file(&mut self) -> Result<(), TrainError> {
        if self.are_of_file() && self.file.is_none() {
            let rules = self.load().map_err(TrainError::rules(&self.rules))?;
            self.file = Some(rules.to_file());
            // In the order in which a folder's configuration has them: a resumed run saves the same bytes.
            self.file.iter_mut().flat_map(Map::values_mut).for_each(Value::sort_all_objects);
            self.file.iter_mut().for_each(Map::sort_keys);
        }
        Ok(())
    }

    /// Its players. A single number that the rules do not allow becomes the nearest allowed number.
    pub(crate) fn nearest_players(&self) -> Result<Players, TrainError> {
        match self.players {
            Players::Exactly(players) if !self.is_houses() && self.rules != Self::ALL => {
                let rules = self.load().map_err(TrainError::rules(&self.rules))?;
                Ok(Players::Exactly(players.clamp(rules.players.0, rules.players.1)))
            }
            players => Ok(players),
        }
    }

    /// The games of this table; for houses, a sample.
    ///
    /// # Errors
    ///
    /// If there are no such rules, or they do not allow this number of players.
    pub fn games(&self) -> Result<Vec<Game>, TrainError> {
        self.games_by(&|name| Rules::load(name))
    }

    /// The same, with rules from `load`.
    pub(crate) fn games_by(
        &self,
        load: &dyn Fn(&str) -> Result<Rules, LoadError>,
    ) -> Result<Vec<Game>, TrainError> {
        if self.is_houses() {
            let sample = (0..Self::SAMPLE as u64).map(Seed::new);
            self.check_houses()?;
            return Ok(sample.map(|seed| Self::house(self.players, seed)).collect());
        }
        let names = if self.rules == Self::ALL { &NAMES[..] } else { &[&*self.rules] };
        let mut games = Vec::new();
        for &name in names {
            let wrong = || TrainError::rules(&self.rules);
            let rules = self.load_by(name, load).map_err(wrong())?;
            let (least, most) = match self.players {
                Players::Exactly(players) => (players, players),
                Players::Range([from, to]) => (from.max(rules.players.0), to.min(rules.players.1)),
            };
            for players in least..=most {
                games.push(Game::new(rules.clone(), players).map_err(wrong())?);
            }
        }
        if games.is_empty() {
            return Err(self.no_seats());
        }
        Ok(games)
    }

    /// Whether houses allow this number of players.
    fn check_houses(&self) -> Result<(), TrainError> {
        let (least, most) = self.players.range();
        let fits = least <= most && least <= MAX_PLAYERS && most >= 2;
        if fits { Ok(()) } else { Err(self.no_seats()) }
    }

    fn no_seats(&self) -> TrainError {
        let fault = format!("`players` of `{}` is a range that it does not seat", self.rules);
        TrainError::Values(vec![fault])
    }
}

/// The kind of episode, which says where returns end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EpisodeKind {
    /// A deal on an empty layout, with no deal after it: each seat counts the share that it can expect of
    /// what nobody has claimed, by the rule `leftover`.
    Deal,
    /// A deal of a running session, with chips of earlier deals on the layout. Returns end with the deal.
    CarriedDeal,
    /// A whole session. With credit, the return is the chips of the rest of the session. With chips that
    /// can run out, it is the [`SessionPayoff::Prize`] for being ahead at the end. No other table may have
    /// a [`EpisodeKind::CarriedDeal`]: it has the same observations and other returns.
    ///
    /// [`SessionPayoff::Prize`]: crate::SessionPayoff::Prize
    Session,
}

impl EpisodeKind {
    /// Its name in a configuration.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Deal => "deal",
            Self::CarriedDeal => "carried_deal",
            Self::Session => "session",
        }
    }
}
