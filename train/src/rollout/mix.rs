//! The games of a run, each with its share of the deals.

use crate::TrainError;
use crate::config::{EpisodeKind, TableMix};
use newmarket_checkpoints::{TrainedOn, TrainedTable};
use newmarket_env::rules::Rules;
use newmarket_env::seed::{Seed, unit};
use newmarket_env::{Game, LoadError};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The child of an episode's seed that draws its table.
const TABLE: u64 = 1;

/// The games of a run, each with its share of the deals.
#[derive(Clone, Debug)]
pub struct Mix {
    tables: Vec<TrainingTable>,
    /// What the rules files said, by their paths.
    files: BTreeMap<String, String>,
}

/// One game for one number of players.
#[derive(Clone, Debug)]
pub(super) struct TrainingTable {
    pub(super) game: Arc<Game>,
    pub(super) episode: EpisodeKind,
    /// Deals of one episode.
    deals: usize,
    /// Share of the deals.
    share: f64,
    /// Probability of an episode to be at this table or one before it.
    up_to: f64,
}

impl Mix {
    /// Looks up the rules and sets up the tables.
    ///
    /// # Errors
    ///
    /// If there are no such rules, or they do not seat so many players.
    pub fn new(tables: &[TableMix]) -> Result<Self, TrainError> {
        Self::by(tables, &|name| Rules::load(name))
    }

    /// The same with rules from wherever `load` has them.
    pub(crate) fn by(
        tables: &[TableMix],
        load: &dyn Fn(&str) -> Result<Rules, LoadError>,
    ) -> Result<Self, TrainError> {
        let files = RefCell::new(BTreeMap::new());
        let load = |name: &str| {
            let rules = load(name)?;
            if Rules::named(name).is_none() {
                files.borrow_mut().insert(name.to_owned(), rules.to_toml());
            }
            Ok(rules)
        };
        // An episode of several deals must not get several times its share.
        let mut weighed = Vec::new();
        let whole: f64 = tables.iter().map(|table| table.share).sum();
        for table in tables {
            let games = table.games_by(&load)?;
            let share = table.share / games.len() as f64;
            for game in games {
                let deals = match table.episode {
                    EpisodeKind::Deal => 1,
                    EpisodeKind::CarriedDeal => game.rules().session.deals.max(1) as usize,
                };
                weighed.push((Arc::new(game), table.episode, deals, share));
            }
        }
        let weight = |deals: usize, share: f64| share / deals as f64;
        let total: f64 = weighed.iter().map(|w| weight(w.2, w.3)).sum();
        let mut up_to = 0.0;
        let tables = weighed
            .into_iter()
            .map(|(game, episode, deals, share)| {
                up_to += weight(deals, share) / total;
                TrainingTable { game, episode, deals, share: share / whole, up_to }
            })
            .collect();
        Ok(Self { tables, files: files.into_inner() })
    }

    /// The games, in the order of the configuration.
    pub fn games(&self) -> impl Iterator<Item = &Arc<Game>> {
        self.tables.iter().map(|table| &table.game)
    }

    /// Deals of one episode at the table of this place, at most.
    pub(crate) fn deals(&self, place: usize) -> usize {
        self.tables[place].deals
    }

    /// What the rules files of the configuration said, by their paths.
    pub(crate) fn files(&self) -> &BTreeMap<String, String> {
        &self.files
    }

    /// The tables as a checkpoint names them: one entry for all numbers of players of one game.
    pub fn trained_on(&self) -> TrainedOn {
        let same = |one: &TrainingTable, next: &TrainingTable| {
            one.episode == next.episode
                && one.game.rules() == next.game.rules()
                && one.game.players() + 1 == next.game.players()
        };
        let tables = self.tables.chunk_by(same).map(|tables| {
            let (first, last) = (&tables[0], &tables[tables.len() - 1]);
            TrainedTable {
                rules: first.game.rules().to_toml(),
                players: [first.game.players(), last.game.players()],
                share: tables.iter().map(|table| table.share).sum::<f64>() as f32,
                episode: first.episode.name().into(),
            }
        });
        TrainedOn::Tables(tables.collect())
    }

    pub(super) fn table(&self, place: usize) -> &TrainingTable {
        &self.tables[place]
    }

    /// The place of the table of the episode with this seed.
    fn draw(&self, episode: Seed) -> usize {
        let at = unit(&mut episode.child(TABLE).rng());
        // Rounding may leave the last share a hair below 1.
        self.tables.iter().position(|t| at < t.up_to).unwrap_or(self.tables.len() - 1)
    }

    /// The episodes that make up at least so many deals: their seeds, and the places of their
    /// tables.
    pub(crate) fn episodes(&self, seed: Seed, deals: usize) -> Vec<(Seed, usize)> {
        let mut left = deals as i64;
        let mut episodes = Vec::new();
        while left > 0 {
            let episode = seed.child(episodes.len() as u64);
            let table = self.draw(episode);
            left -= self.tables[table].deals as i64;
            episodes.push((episode, table));
        }
        episodes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{Config, Players};

    #[test]
    fn a_checkpoint_names_every_game_with_its_share() {
        let champion = Config::preset("champion").expect("champion");
        let TrainedOn::Tables(tables) = Mix::new(&champion.tables).expect("tables").trained_on()
        else {
            panic!("one run")
        };
        assert_eq!(tables.len(), 1 + 1 + 15 + 15 + 1);
        let whole: f32 = tables.iter().map(|table| table.share).sum();
        assert!((whole - 1.0).abs() < 1e-5);
        assert_eq!((tables[0].players, &*tables[0].episode), ([4, 4], "carried_deal"));
        assert!((tables[1].share - 0.15).abs() < 1e-6);
        let last = tables.last().expect("a table");
        assert_eq!((last.players, &*last.episode), ([3, 6], "deal"));
        assert!(last.rules.contains("base = \"four-horses\""), "{}", last.rules);
        let two = [3, 5].map(|players| TableMix {
            rules: "newmarket".into(),
            players: Players::Exactly(players),
            share: 1.0,
            episode: EpisodeKind::Deal,
        });
        let TrainedOn::Tables(two) = Mix::new(&two).expect("tables").trained_on() else {
            panic!("one run")
        };
        assert_eq!(two.iter().map(|table| table.players).collect::<Vec<_>>(), [[3, 3], [5, 5]]);
    }
}
