//! Self-play: deals are played by the policy of now, and every decision becomes a row.
//!
//! A *sitting* is one deal, or one session of several. Each has a seed of its own for its cards,
//! its seating and its dice, and rows are put together in the order of the sittings: which worker
//! plays which changes nothing. The network is asked one decision at a time; most of an
//! observation is zero, which plain inference turns to better account than a batch would.

mod heard;
mod player;

use crate::TrainError;
use crate::config::{EpisodeKind, TableMix};
use crate::league::Guest;
use crate::normalise::ReturnScale;
use crate::trajectory::{Packed, Rows};
use crate::workers::Workers;
use newmarket_env::seed::{Seed, unit};
use newmarket_env::{Game, Observation};
use newmarket_net::FastNet;
use player::Player;
use std::sync::Arc;

/// Sittings that a worker takes at a time.
const PIECE: usize = 16;

impl Packed for Observation {
    const WIDTH: usize = Self::LEN;
    fn expand_into(&self, out: &mut [f32]) {
        self.write(out);
    }
}

/// What each child of a sitting's seed is for.
#[derive(Clone, Copy)]
enum Purpose {
    Cards = 0,
    Table = 1,
    Seating = 2,
    Dice = 3,
    Trials = 4,
    Greedy = 5,
}

/// The games of a run, each with its share of the deals.
#[derive(Clone, Debug)]
pub struct Mix {
    tables: Vec<Table>,
}

#[derive(Clone, Debug)]
struct Table {
    game: Arc<Game>,
    episode: EpisodeKind,
    /// Deals of one sitting.
    deals: usize,
    /// Chance of a sitting to be at this table or one before it.
    up_to: f64,
}

impl Mix {
    /// Looks up the rules and sets up the tables.
    ///
    /// # Errors
    ///
    /// If there are no such rules, or they do not seat so many players.
    pub fn new(tables: &[TableMix]) -> Result<Self, TrainError> {
        // A sitting of several deals must not get several times its share.
        let mut weighed = Vec::new();
        for table in tables {
            let games = table.games()?;
            let share = table.share / games.len() as f64;
            for game in games {
                let deals = match table.episode {
                    EpisodeKind::Deal => 1,
                    EpisodeKind::CarriedDeal => game.rules().session.deals.max(1) as usize,
                };
                weighed.push((Arc::new(game), table.episode, deals, share / deals as f64));
            }
        }
        let total: f64 = weighed.iter().map(|w| w.3).sum();
        let mut up_to = 0.0;
        let tables = weighed
            .into_iter()
            .map(|(game, episode, deals, weight)| {
                up_to += weight / total;
                Table { game, episode, deals, up_to }
            })
            .collect();
        Ok(Self { tables })
    }

    /// The games, in the order of the configuration.
    pub fn games(&self) -> impl Iterator<Item = &Arc<Game>> {
        self.tables.iter().map(|table| &table.game)
    }

    /// The table of the sitting of this seed.
    fn pick(&self, sitting: Seed) -> usize {
        let at = unit(&mut sitting.child(Purpose::Table as u64).rng());
        // Rounding may leave the last share a hair below 1.
        self.tables.iter().position(|t| at < t.up_to).unwrap_or(self.tables.len() - 1)
    }

    /// The sittings that make up at least so many deals.
    fn sittings(&self, seed: Seed, deals: usize) -> Vec<(Seed, usize)> {
        let mut left = deals as i64;
        let mut sittings = Vec::new();
        while left > 0 {
            let sitting = seed.child(sittings.len() as u64);
            let table = self.pick(sitting);
            left -= self.tables[table].deals as i64;
            sittings.push((sitting, table));
        }
        sittings
    }
}

/// Who sits at the tables.
#[derive(Clone, Copy)]
pub struct Cast<'a> {
    /// The policy of now.
    pub policy: &'a FastNet,
    /// Gives the values in place of its value head, from a view of all hands.
    pub critic: Option<&'a FastNet>,
    /// What values mean in chips.
    pub scale: &'a ReturnScale,
    /// Whether rows say what could not be seen; with a critic they do in any case.
    pub hidden: bool,
    /// Others who may sit in some of the seats.
    pub guests: &'a [Guest],
    /// The chance of each seat but one to be the guest's, where there is one.
    pub seats: f64,
}

/// How decisions are judged.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Judge {
    /// By what came of them: generalised advantage estimation with this λ.
    Outcome {
        /// See [`crate::advantage`].
        lambda: f32,
    },
    /// By trying every choice: each is played out to the end of the deal by the same company, the
    /// policy always by its likeliest action, as it will when it is measured; the first time from
    /// the true state, then in sampled determinizations that are consistent with what the seat has seen, all
    /// choices in the same ones, with the same dice for guests. The luck of the cards is then the
    /// same on both sides of every comparison.
    ///
    /// Since every choice is tried, none has to be drawn to be learnt. In half of the sittings the
    /// policy stakes, answers and bets as it does in playouts, too, so that what is learnt fits the
    /// stakes and answers that it meets when it is measured; in the others it draws them, and all
    /// leads, so that it knows what else there is.
    Trials {
        /// Playouts of each choice.
        playouts: usize,
        /// Share of the ante's chips that are tried, and learnt from.
        antes: f64,
        /// Share of all other decisions that are.
        decisions: f64,
    },
    /// By trying every choice in sampled determinizations that are consistent with what the seat has seen,
    /// all choices in the same ones: what `pimc` goes by is then learnt, without its noise.
    Worlds {
        /// How many worlds.
        worlds: u32,
        /// Share of the ante's chips that are tried, and learnt from.
        antes: f64,
        /// Share of all other decisions that are.
        decisions: f64,
    },
}

/// What was gathered.
#[derive(Clone, Debug, Default)]
pub struct Gathered {
    /// The policy's decisions.
    pub rows: Rows<Observation>,
    /// Deals that were played.
    pub deals: u64,
    /// Decisions that were taken in them by anybody.
    pub decisions: u64,
    /// Decisions that were taken in playouts.
    pub trial_decisions: u64,
}

/// Plays at least `deals` deals.
pub fn gather(
    mix: &Mix,
    cast: &Cast<'_>,
    judge: Judge,
    seed: Seed,
    deals: usize,
    workers: &Workers,
) -> Gathered {
    let sittings = mix.sittings(seed, deals);
    let pieces: Vec<&[(Seed, usize)]> = sittings.chunks(PIECE).collect();
    let parts = workers.map(pieces.len(), |i| {
        let mut player = Player::new(cast, judge);
        for (sitting, table) in pieces[i] {
            player.sit(*sitting, *table, &mix.tables[*table]);
        }
        player.gathered
    });
    let mut all = Gathered::default();
    for part in parts {
        all.rows.append(part.rows);
        all.deals += part.deals;
        all.decisions += part.decisions;
        all.trial_decisions += part.trial_decisions;
    }
    all
}
