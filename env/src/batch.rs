//! Many tables at once, stepped in parallel, written into buffers that the caller owns.

mod options;
mod plain;
mod rows;
mod tables;

use alloc::sync::Arc;

use crate::action::{Action, ActionMask};
use crate::episode::Episode;
use crate::game::Game;
use crate::rules::MAX_PLAYERS;
use crate::seed::Seed;
use crate::state::State;
use crate::view::View;
use options::fits;
pub use options::{Autoreset, BatchError};
pub use plain::{PlainObservations, PlainRewards, PlainRows};
pub use rows::{Buffers, Entry, Rows};
pub use tables::Entries;
use tables::{Step, Tables};

/// Many tables, each with its game and its kind of episode. Each table does what [`Env`](crate::Env)
/// does, the same for any number of threads: episode `e` of table `t` has the seed
/// `seed.child(t).child(e)`.
///
/// A step writes into the caller's [`Rows`] and allocates nothing. It uses the threads of the `rayon`
/// pool that it is called in. A call from outside a pool must first wake a thread, which costs more than
/// stepping a few hundred tables: run a loop of steps within `rayon::ThreadPool::install`. After
/// [`BatchEnv::single_threaded`], and without the feature `std`, no pool is used.
///
/// A table whose episode is over ignores its action. An episode without any decision is over as soon as
/// it begins: its rewards are those of the step that begins it, or of the next step, where another call begins it
/// or under [`Autoreset::SameStep`].
///
/// ```
/// use newmarket_env::{
///     Action, Autoreset, BatchEnv, Buffers, Episode, Game, ActionMask, Observation, Rules, Seed,
/// };
/// use std::sync::Arc;
///
/// let game = |name, players| -> Result<_, Box<dyn std::error::Error>> {
///     Ok((Arc::new(Game::new(Rules::named(name).unwrap(), players)?), Episode::Deal))
/// };
/// let tables = [game("newmarket", 4)?, game("michigan", 3)?, game("three-in-one", 8)?];
/// let mut batch = BatchEnv::new(tables, Autoreset::SameStep, Seed::new(1));
/// let mut buffers = Buffers {
///     observations: &mut [Observation::BLANK; 3],
///     legal: &mut [ActionMask::NONE; 3],
///     seats: &mut [0; 3],
///     rewards: &mut [[0; 8]; 3],
///     over: &mut [false; 3],
/// };
/// batch.observe_all(&mut buffers)?;
/// for _ in 0..100 {
///     let first = |legal: &ActionMask| legal.first().unwrap_or(Action::KEEP);
///     let actions: Vec<Action> = buffers.legal.iter().map(first).collect();
///     batch.step(&actions, &mut buffers)?;
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct BatchEnv {
    tables: Tables,
    autoreset: Autoreset,
    /// Whether a step uses the threads of a pool.
    in_pool: bool,
    /// Whether a table has been stepped or reset by itself since all rows were written.
    afresh: bool,
}

impl Clone for BatchEnv {
    /// The copy has written no rows yet: its first step writes whole rows.
    fn clone(&self) -> Self {
        Self { tables: self.tables.clone(), afresh: true, ..*self }
    }
}

impl BatchEnv {
    /// Sets up tables, each at the first decision of its first episode.
    ///
    /// # Panics
    /// If the episodes of a table carry chips over from another game.
    pub fn new(
        tables: impl IntoIterator<Item = (Arc<Game>, Episode)>,
        autoreset: Autoreset,
        seed: Seed,
    ) -> Self {
        let seeded = tables
            .into_iter()
            .enumerate()
            .map(|(table, (game, episode))| (game, episode, seed.child(table as u64)));
        Self::with_seeds(seeded, autoreset)
    }

    /// Sets up tables with a seed each: episode `e` of a table has the seed `seed.child(e)`.
    ///
    /// # Panics
    /// If the episodes of a table carry chips over from another game.
    pub fn with_seeds(
        tables: impl IntoIterator<Item = (Arc<Game>, Episode, Seed)>,
        autoreset: Autoreset,
    ) -> Self {
        let mut tables = Tables::new(tables);
        if autoreset == Autoreset::SameStep {
            tables.keep_ends();
        }
        Self { tables, autoreset, in_pool: cfg!(feature = "std"), afresh: true }
    }

    /// Steps in the calling thread alone, without a pool.
    #[must_use]
    pub fn single_threaded(self) -> Self {
        Self { in_pool: false, ..self }
    }

    /// Number of tables.
    pub fn len(&self) -> usize {
        self.tables.len()
    }

    /// Whether there is no table.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The rules and the table.
    pub fn game(&self, table: usize) -> &Arc<Game> {
        self.tables.game(table)
    }

    /// The legal actions of the seat to act at a table; none if its episode is over.
    #[inline]
    pub fn legal(&self, table: usize) -> ActionMask {
        self.tables.legal(table)
    }

    /// The state of a table with all hidden cards, see [`Env::state`](crate::Env::state).
    pub fn state(&self, table: usize) -> &State {
        self.tables.state(table)
    }

    /// Begins a table's next episode.
    pub fn reset_table(&mut self, table: usize) {
        self.afresh = true;
        self.tables.reset(table);
    }

    /// Gives a table a new seed, and begins its episode of this number.
    pub fn reset_table_to(&mut self, table: usize, seed: Seed, episode: u64) {
        self.afresh = true;
        self.tables.reset_to(table, seed, episode);
    }

    /// The number of a table's episode, from 0.
    pub fn episode(&self, table: usize) -> u64 {
        self.tables.episode(table)
    }

    /// Steps one table: what each seat gained, and whether an episode ended.
    ///
    /// # Errors
    /// If the action is not legal. The table is unchanged then.
    pub fn step_table(
        &mut self,
        table: usize,
        action: Action,
    ) -> Result<([i32; MAX_PLAYERS], bool), BatchError> {
        self.tables.check_one(table, action)?;
        self.afresh = true;
        Ok(self.tables.step_one(table, action, self.autoreset))
    }

    /// What a seat of a table may know now.
    pub fn observe(&self, table: usize, seat: usize) -> View<'_> {
        self.tables.state(table).view(self.game(table), seat)
    }

    /// What a seat of a table could know at the end of an episode: under [`Autoreset::SameStep`] the last
    /// one that ended, else the table's current one. `None` if no episode has ended yet, or the current
    /// one goes on.
    pub fn observe_final(&self, table: usize, seat: usize) -> Option<View<'_>> {
        let end = self.tables.end(table)?;
        Some(end.view(self.game(table), seat))
    }

    /// Writes the rows of all tables without a step; rewards are 0.
    ///
    /// # Errors
    /// If a buffer does not fit.
    pub fn observe_all(&mut self, rows: &mut impl Rows) -> Result<(), BatchError> {
        rows.check(self.len())?;
        self.tables.slice().write_all(rows);
        self.afresh = false;
        Ok(())
    }

    /// Steps every table with its action, and writes its row.
    ///
    /// # Errors
    /// If a buffer does not fit or an action is not legal; the error names the first such table. No table
    /// has changed then.
    pub fn step(&mut self, actions: &[Action], rows: &mut impl Rows) -> Result<(), BatchError> {
        fits("actions", actions.len(), self.len())?;
        rows.check(self.len())?;
        self.tables.check(actions)?;
        let afresh = core::mem::take(&mut self.afresh);
        let step = Step { actions, autoreset: self.autoreset, afresh };
        let tables = self.tables.slice();
        match self.in_pool {
            #[cfg(feature = "std")]
            true => tables.step_in_pool(step, rows),
            _ => tables.step(step, rows),
        }
        Ok(())
    }
}
