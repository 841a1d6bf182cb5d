//! The plan of a report: its studies, games, fields and tables.

use std::sync::Arc;

use newmarket_env::Game;
use newmarket_eval::study::Study;

use crate::failure::Result;

/// Players at a table by default, if the game allows that number.
pub(super) const PLAYERS: usize = 4;

/// The agent in the other seats.
struct Field {
    name: &'static str,
    /// Numbers of players; empty for the default of the study.
    players: &'static [usize],
    /// Whether the agent is a network, which is slower than a heuristic.
    is_network: bool,
}

/// The field of a single study, and the first of a report of all.
const USUAL: Field = Field { name: "stopper", players: &[], is_network: false };

/// The fields of a report of all.
const FIELDS: [Field; 3] = [
    USUAL,
    Field { name: "net:hard", players: &[4], is_network: true },
    Field { name: "net:champion", players: &[4, 6], is_network: true },
];

/// The deals of a study in a report of all, as a share of the deals that are asked for.
#[derive(Clone, Copy)]
pub(super) struct Share {
    times: u64,
    every: u64,
}

impl Share {
    /// All deals that are asked for.
    pub(super) const ALL: Self = Self { times: 1, every: 1 };

    /// More for antes among heuristics, whose values are small and quick to play; fewer for leads among
    /// networks, which are slow.
    fn of(study: Study, is_network: bool) -> Self {
        match (study, is_network) {
            (Study::Ante, false) => Self { times: 8, ..Self::ALL },
            (Study::Lead, true) => Self { every: 4, ..Self::ALL },
            _ => Self::ALL,
        }
    }

    /// This share of a number of deals.
    pub(super) fn of_deals(self, deals: u64) -> u64 {
        (deals * self.times).div_ceil(self.every)
    }
}

/// A study with its table.
pub(super) struct Asked {
    pub(super) study: Study,
    /// The name of the game.
    pub(super) rules: String,
    /// The agent in the other seats.
    pub(super) field: String,
    /// The table.
    pub(super) game: Arc<Game>,
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
    /// The parts of a study for each field: one part a table.
    pub(super) fn asked(&self, study: Study, all: bool) -> Vec<Result<Asked>> {
        let fields: &[Field] = if all && study.depends_on_company() { &FIELDS } else { &[USUAL] };
        match self.field {
            Some(name) => self.among(study, all, &USUAL, name),
            None => {
                fields.iter().flat_map(|field| self.among(study, all, field, field.name)).collect()
            }
        }
    }

    /// The parts of a study among the agent `name`.
    fn among(&self, study: Study, all: bool, field: &Field, name: &str) -> Vec<Result<Asked>> {
        let usual = study.usual_games();
        let names: Vec<&str> = match self.rules {
            Some(name) => vec![name],
            None if all => usual.to_vec(),
            None => vec![usual[0]],
        };
        let share = if all { Share::of(study, field.is_network) } else { Share::ALL };
        let each = |rules: &&str| {
            let asked =
                |game| Asked { study, rules: (*rules).into(), field: name.into(), game, share };
            match self.of_game(rules, field) {
                Ok(games) => games.into_iter().map(|game| Ok(asked(game))).collect(),
                Err(error) => vec![Err(error)],
            }
        };
        names.iter().flat_map(each).collect()
    }

    /// The tables of a game in a field.
    fn of_game(&self, rules: &str, field: &Field) -> Result<Vec<Arc<Game>>> {
        let rules = newmarket_eval::study::rules(rules)?;
        let (least, most) = rules.players;
        let fits = |players: &usize| (least..=most).contains(players);
        let sizes: Vec<usize> = match self.players {
            Some(players) => vec![players],
            None => field.players.iter().copied().filter(fits).collect(),
        };
        // A game that allows none of these numbers gets one table.
        let sizes = if sizes.is_empty() { vec![PLAYERS.clamp(least, most)] } else { sizes };
        let game = |players| Ok(Arc::new(Game::new(rules.clone(), players)?));
        sizes.into_iter().map(game).collect()
    }
}
