//! The games of a run, each with its share of the deals.

use crate::TrainError;
use crate::benchmark::{Arena, Round};
use crate::config::{EpisodeKind, Players, TableMix};
use newmarket_checkpoints::{TrainedOn, TrainedTable};
use newmarket_env::rules::Rules;
use newmarket_env::seed::{Seed, unit};
use newmarket_env::{Game, LoadError};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The children of an episode's seed that draw its table, and the rules there.
const TABLE: u64 = 1;
const HOUSE: u64 = 6;
/// The most deals of a session of a drawn house, and about the mean.
const MOST_DEALS: usize = 20;
const MEAN_DEALS: usize = 10;

/// The games of a run, each with its share of the deals.
#[derive(Clone, Debug)]
pub struct Mix {
    tables: Vec<TrainingTable>,
    /// See [`Mix::games`].
    games: Vec<Arc<Game>>,
    /// The name of each game in the record.
    labels: Vec<String>,
    /// The text of the rules files, by path.
    files: BTreeMap<String, String>,
}

/// One game for one number of players, or houses.
#[derive(Clone, Debug)]
pub(super) struct TrainingTable {
    source: Source,
    pub(super) episode: EpisodeKind,
    /// Share of the deals.
    share: f64,
    /// The probability of an episode to be at this table or an earlier one.
    up_to: f64,
}

/// The game of a table.
#[derive(Clone, Debug)]
enum Source {
    /// A fixed game.
    Game(Arc<Game>),
    /// A game that is drawn for every episode.
    Houses(Players),
}

impl Source {
    /// Deals of one episode: the most, and about the mean.
    fn deals(&self, episode: EpisodeKind) -> (usize, usize) {
        match (episode, self) {
            (EpisodeKind::Deal, _) => (1, 1),
            (EpisodeKind::CarriedDeal | EpisodeKind::Session, Self::Game(game)) => {
                let deals = game.rules().session.deals.max(1) as usize;
                (deals, deals)
            }
            (EpisodeKind::CarriedDeal | EpisodeKind::Session, Self::Houses(_)) => {
                (MOST_DEALS, MEAN_DEALS)
            }
        }
    }
}

impl TrainingTable {
    /// The game of the episode with this seed.
    pub(super) fn game(&self, episode: Seed) -> Arc<Game> {
        match &self.source {
            Source::Game(game) => game.clone(),
            Source::Houses(players) => Arc::new(TableMix::house(*players, episode.child(HOUSE))),
        }
    }
}

impl Mix {
    /// Loads the rules of all tables.
    ///
    /// # Errors
    ///
    /// If there are no such rules, or they do not allow this number of players.
    pub fn new(tables: &[TableMix]) -> Result<Self, TrainError> {
        Self::by(tables, &|name| Rules::load(name))
    }

    /// The same, with rules from `load`.
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
        let (mut sources, mut games, mut labels) = (Vec::new(), Vec::new(), Vec::new());
        let whole: f64 = tables.iter().map(|table| table.share).sum();
        for table in tables {
            let its: Vec<_> = table.games_by(&load)?.into_iter().map(Arc::new).collect();
            let of_table = if table.is_houses() {
                vec![Source::Houses(table.players)]
            } else {
                its.iter().cloned().map(Source::Game).collect()
            };
            labels.extend(its.iter().map(|game| match &*table.rules {
                TableMix::ALL => game.rules().base.to_owned(),
                name => name.to_owned(),
            }));
            games.extend(its);
            let share = table.share / of_table.len() as f64;
            sources.extend(of_table.into_iter().map(|source| (source, table.episode, share)));
        }
        // Shares count deals, not episodes.
        let weight = |(source, episode, share): &(Source, EpisodeKind, f64)| {
            share / source.deals(*episode).1 as f64
        };
        let total: f64 = sources.iter().map(weight).sum();
        let mut up_to = 0.0;
        let tables = sources
            .into_iter()
            .map(|entry| {
                up_to += weight(&entry) / total;
                let (source, episode, share) = entry;
                TrainingTable { source, episode, share: share / whole, up_to }
            })
            .collect();
        Ok(Self { tables, games, labels, files: files.into_inner() })
    }

    /// The games of benchmarks, in the order of the configuration; houses are a sample.
    pub fn games(&self) -> &[Arc<Game>] {
        &self.games
    }

    /// The games of benchmarks, with the kind of round: sessions if all episodes are sessions.
    pub(crate) fn arena(&self) -> Arena<'_> {
        let sessions = self.tables.iter().all(|table| table.episode == EpisodeKind::Session);
        let round = if sessions { Round::Session } else { Round::Deal };
        Arena { games: &self.games, round }
    }

    /// The mean chips of a round and seat by the name of the game; empty if there is only one name. `chips`
    /// are those of each round of a benchmark, summed over its seats.
    pub(crate) fn by_label(&self, chips: &[i32]) -> BTreeMap<&str, f64> {
        let mut sums: BTreeMap<&str, (f64, f64)> = BTreeMap::new();
        let games = self.games.iter().zip(&self.labels).cycle();
        for (&chips, (game, label)) in chips.iter().zip(games) {
            let (sum, deals) = sums.entry(label).or_default();
            *sum += f64::from(chips) / game.players() as f64;
            *deals += 1.0;
        }
        let several = sums.len() > 1;
        let means = sums.into_iter().map(|(label, (sum, deals))| (label, sum / deals));
        means.filter(|_| several).collect()
    }

    /// The most deals of one episode at the table of this index.
    pub(crate) fn deals(&self, place: usize) -> usize {
        let TrainingTable { source, episode, .. } = &self.tables[place];
        source.deals(*episode).0
    }

    /// The number of tables, each a class of decisions: the learner weighs each class on its own.
    pub(crate) fn classes(&self) -> usize {
        self.tables.len()
    }

    /// The text of the configuration's rules files, by path.
    pub(crate) fn files(&self) -> &BTreeMap<String, String> {
        &self.files
    }

    /// The tables as a checkpoint records them: one entry for all numbers of players of one game.
    pub fn trained_on(&self) -> TrainedOn {
        let same = |one: &TrainingTable, next: &TrainingTable| match (&one.source, &next.source) {
            (Source::Game(game), Source::Game(other)) => {
                one.episode == next.episode
                    && game.rules() == other.rules()
                    && game.players() + 1 == other.players()
            }
            _ => false,
        };
        let tables = self.tables.chunk_by(same).map(|tables| {
            let (first, last) = (&tables[0], &tables[tables.len() - 1]);
            let (rules, players) = match (&first.source, &last.source) {
                (Source::Game(first), Source::Game(last)) => {
                    (first.rules().to_toml(), [first.players(), last.players()])
                }
                (Source::Houses(players), _) | (_, Source::Houses(players)) => {
                    (TableMix::HOUSES.into(), players.range().into())
                }
            };
            TrainedTable {
                rules,
                players,
                share: tables.iter().map(|table| table.share).sum::<f64>() as f32,
                episode: first.episode.name().into(),
            }
        });
        TrainedOn::Tables(tables.collect())
    }

    pub(super) fn table(&self, place: usize) -> &TrainingTable {
        &self.tables[place]
    }

    /// The index of the table of the episode with this seed.
    fn draw(&self, episode: Seed) -> usize {
        let at = unit(&mut episode.child(TABLE).rng());
        // Rounding may leave the sum of all shares just below 1.
        self.tables.iter().position(|t| at < t.up_to).unwrap_or(self.tables.len() - 1)
    }

    /// The episodes with at least about `deals` deals: their seeds, and the indices of their tables.
    pub(crate) fn episodes(&self, seed: Seed, deals: usize) -> Vec<(Seed, usize)> {
        let mut left = deals as i64;
        let mut episodes = Vec::new();
        while left > 0 {
            let episode = seed.child(episodes.len() as u64);
            let table = self.draw(episode);
            let TrainingTable { source, episode: kind, .. } = &self.tables[table];
            left -= source.deals(*kind).1 as i64;
            episodes.push((episode, table));
        }
        episodes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;
    use newmarket_env::rules::House;

    #[test]
    fn houses_are_drawn_anew_and_never_those_held_out() {
        let houses = TableMix {
            rules: TableMix::HOUSES.into(),
            players: Players::Range([3, 5]),
            share: 1.0,
            episode: EpisodeKind::CarriedDeal,
            file: None,
        };
        let named = TableMix { rules: "michigan".into(), ..houses.clone() };
        let mix = Mix::new(&[named, houses]).expect("tables");
        assert_eq!(mix.classes(), 3 + 1);
        let mut rules = Vec::new();
        for game in (0..400).map(|nth| mix.table(3).game(Seed::new(nth))) {
            assert!((3..=5).contains(&game.players()));
            let house = House { rules: game.rules().clone(), players: game.players() };
            assert!(!house.is_held_out(), "{}", house.rules);
            assert!(game.rules().session.deals as usize <= MOST_DEALS);
            rules.push(house.rules);
        }
        assert_eq!(mix.table(3).game(Seed::new(7)).rules(), &rules[7]);
        rules.dedup();
        assert_eq!(rules.len(), 400);
        // Three tables of michigan; then houses.
        let mut chips = vec![0; mix.games().len()];
        chips[..3].copy_from_slice(&[9, 8, 10]);
        let gains = mix.by_label(&chips);
        assert_eq!(
            gains.into_iter().collect::<Vec<_>>(),
            [("houses", 0.0), ("michigan", 7.0 / 3.0)]
        );
        let sample = &mix.games()[3..];
        assert!(sample.len() > 20 && sample.iter().all(|game| (3..=5).contains(&game.players())));
        let TrainedOn::Tables(tables) = mix.trained_on() else { panic!("one run") };
        let houses = tables.last().expect("a table");
        assert_eq!((&*houses.rules, houses.players), ("houses", [3, 5]));
    }

    #[test]
    fn a_checkpoint_names_every_game_with_its_share() {
        let champion = Config::preset("champion").expect("champion");
        let TrainedOn::Tables(tables) = Mix::new(&champion.tables).expect("tables").trained_on()
        else {
            panic!("one run")
        };
        assert_eq!(tables.len(), 1 + 1 + 1 + 15 + 15 + 4 + 1 + 2);
        let whole: f32 = tables.iter().map(|table| table.share).sum();
        assert!((whole - 1.0).abs() < 1e-5);
        assert_eq!((tables[0].players, &*tables[0].episode), ([4, 4], "carried_deal"));
        assert!((tables[1].share - 1.2 / 17.0).abs() < 1e-6);
        let one = &tables[tables.len() - 3];
        assert_eq!((one.players, &*one.episode), ([2, 6], "deal"));
        assert!(one.rules.contains("base = \"four-horses\""), "{}", one.rules);
        let last = tables.last().expect("a table");
        assert_eq!((&*last.rules, last.players, &*last.episode), ("houses", [2, 8], "deal"));
        let two = [3, 5].map(|players| TableMix {
            rules: "newmarket".into(),
            players: Players::Exactly(players),
            share: 1.0,
            episode: EpisodeKind::Deal,
            file: None,
        });
        let TrainedOn::Tables(two) = Mix::new(&two).expect("tables").trained_on() else {
            panic!("one run")
        };
        assert_eq!(two.iter().map(|table| table.players).collect::<Vec<_>>(), [[3, 3], [5, 5]]);
    }
}
