//! Many tables at once, stepped in parallel into buffers that the caller owns.

use std::sync::Arc;

use rayon::prelude::*;

use crate::action::{Action, Legal};
use crate::encode::Observation;
use crate::env::{Env, Episode};
use crate::game::Game;
use crate::rules::MAX_PLAYERS;
use crate::seed::Seed;
use crate::state::{IllegalAction, State};
use crate::view::View;

/// What happens to a table whose episode is over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Autoreset {
    /// It shows its end; the next step ignores its action and begins the next episode, with
    /// rewards of 0.
    NextStep,
    /// It begins its next episode within the step that ended the last one. The end can still be
    /// seen through [`BatchEnv::observe_final`].
    SameStep,
    /// It stays as it is until [`BatchEnv::reset_table`]; its actions are ignored.
    Disabled,
}

/// Why a batch did not step. No table has changed.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BatchError {
    /// A table does not allow its action.
    #[error("table {table}: {source}")]
    Illegal {
        /// Which table.
        table: usize,
        /// What was wrong.
        source: IllegalAction,
    },
    /// A buffer does not fit the number of tables.
    #[error("{what} has {len} entries, expected {expected}")]
    Length {
        /// Which buffer.
        what: &'static str,
        /// What it has.
        len: usize,
        /// What it should have.
        expected: usize,
    },
}

/// Where a step writes, one entry a table; all buffers are the caller's.
#[derive(Debug)]
pub struct Buffers<'b> {
    /// What the seat that is to act may know, packed.
    pub observations: &'b mut [Observation],
    /// Its choices; none if the episode is over.
    pub legal: &'b mut [Legal],
    /// Which seat it is.
    pub seats: &'b mut [u8],
    /// Chips that each seat gained in the step.
    pub rewards: &'b mut [[i32; MAX_PLAYERS]],
    /// Whether the step ended the episode.
    pub over: &'b mut [bool],
}

struct Slot {
    env: Env,
    seed: Seed,
    episode: u64,
    /// The end of the last episode, under [`Autoreset::SameStep`].
    ended: Option<State>,
}

/// Many tables of one game. Table by table it does what [`Env`] does, in whatever number of
/// threads.
pub struct BatchEnv {
    slots: Vec<Slot>,
    autoreset: Autoreset,
}

impl BatchEnv {
    /// Sets up so many tables, each at the first decision of its first episode.
    pub fn new(
        game: &Arc<Game>,
        episode: Episode,
        tables: usize,
        autoreset: Autoreset,
        seed: Seed,
    ) -> Self {
        let slot = |table: usize| {
            let seed = seed.child(table as u64);
            let mut env = Env::new(game.clone(), episode);
            env.reset(seed.child(0));
            Slot { env, seed, episode: 0, ended: None }
        };
        Self { slots: (0..tables).map(slot).collect(), autoreset }
    }

    /// How many tables.
    pub fn len(&self) -> usize {
        self.slots.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }

    /// Begins a table's next episode.
    pub fn reset_table(&mut self, table: usize) {
        self.slots[table].begin_next();
    }

    /// What a seat of a table may know now.
    pub fn observe(&self, table: usize, seat: usize) -> View<'_> {
        self.slots[table].env.observe(seat)
    }

    /// What a seat of a table could know at the end of the episode that ended last under
    /// [`Autoreset::SameStep`]; `None` before the first end.
    pub fn observe_final(&self, table: usize, seat: usize) -> Option<View<'_>> {
        let slot = &self.slots[table];
        slot.ended.as_ref().map(|state| state.view(slot.env.game(), seat))
    }

    /// Writes how all tables stand, without a step: rewards are 0.
    ///
    /// # Errors
    /// If a buffer does not fit.
    pub fn observe_all(&mut self, buffers: &mut Buffers) -> Result<(), BatchError> {
        buffers.check(self.len())?;
        self.for_each(buffers, |_, slot, row| {
            slot.write(row);
            *row.rewards = [0; MAX_PLAYERS];
            *row.over = slot.env.is_over();
        });
        Ok(())
    }

    /// Steps every table with its action, and writes how it then stands.
    ///
    /// # Errors
    /// If a buffer does not fit, or an action is not legal: of several, the lowest table's is
    /// reported. No table has then changed.
    pub fn step(&mut self, actions: &[Action], buffers: &mut Buffers) -> Result<(), BatchError> {
        let tables = self.len();
        if actions.len() != tables {
            return Err(BatchError::Length {
                what: "actions",
                len: actions.len(),
                expected: tables,
            });
        }
        buffers.check(tables)?;
        let illegal = |(slot, &action): (&Slot, &Action)| {
            !slot.env.is_over() && !slot.env.legal().contains(action)
        };
        let pairs = self.slots.par_iter().zip(actions).with_min_len(MIN_TABLES);
        if let Some(table) = pairs.position_first(illegal) {
            let source = self.slots[table].env.clone().step(actions[table]).expect_err("illegal");
            return Err(BatchError::Illegal { table, source });
        }
        let autoreset = self.autoreset;
        self.for_each(buffers, |table, slot, row| slot.step(actions[table], autoreset, row));
        Ok(())
    }

    fn for_each(&mut self, buffers: &mut Buffers, act: impl Fn(usize, &mut Slot, &mut Row) + Sync) {
        let Buffers { observations, legal, seats, rewards, over } = buffers;
        (
            self.slots.par_iter_mut(),
            observations.par_iter_mut(),
            legal.par_iter_mut(),
            seats.par_iter_mut(),
            rewards.par_iter_mut(),
            over.par_iter_mut(),
        )
            .into_par_iter()
            .with_min_len(MIN_TABLES)
            .enumerate()
            .for_each(|(table, (slot, observation, legal, seat, rewards, over))| {
                act(table, slot, &mut Row { observation, legal, seat, rewards, over });
            });
    }
}

/// Tables that one thread takes at least: a step is far shorter than handing one over.
const MIN_TABLES: usize = 64;

/// One table's places in the buffers.
struct Row<'r> {
    observation: &'r mut Observation,
    legal: &'r mut Legal,
    seat: &'r mut u8,
    rewards: &'r mut [i32; MAX_PLAYERS],
    over: &'r mut bool,
}

impl Slot {
    fn begin_next(&mut self) {
        self.episode += 1;
        self.env.reset(self.seed.child(self.episode));
    }

    fn step(&mut self, action: Action, autoreset: Autoreset, row: &mut Row) {
        *row.rewards = [0; MAX_PLAYERS];
        if self.env.is_over() {
            if autoreset == Autoreset::NextStep {
                self.begin_next();
            }
            *row.over = self.env.is_over();
            return self.write(row);
        }
        self.env.step(action).expect("legality has been checked");
        row.rewards[..self.env.rewards().len()].copy_from_slice(self.env.rewards());
        *row.over = self.env.is_over();
        if *row.over && autoreset == Autoreset::SameStep {
            self.ended = Some(*self.env.state());
            self.begin_next();
        }
        self.write(row);
    }

    fn write(&self, row: &mut Row) {
        let seat = self.env.seat();
        let view = self.env.observe(seat);
        *row.seat = seat as u8;
        *row.legal = view.legal();
        *row.observation = Observation::of(&view);
    }
}

impl Buffers<'_> {
    fn check(&self, expected: usize) -> Result<(), BatchError> {
        let lengths = [
            ("observations", self.observations.len()),
            ("legal", self.legal.len()),
            ("seats", self.seats.len()),
            ("rewards", self.rewards.len()),
            ("over", self.over.len()),
        ];
        match lengths.into_iter().find(|&(_, len)| len != expected) {
            Some((what, len)) => Err(BatchError::Length { what, len, expected }),
            None => Ok(()),
        }
    }
}
