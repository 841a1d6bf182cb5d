//! What has been played at many tables: with their seeds, all that a copy in another process needs.

use std::ops::Range;

use newmarket_env::{Action, BatchEnv, BatchError, Seed};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::errors;
use crate::game::action;
use crate::seeds::TableSeed;

/// Steps whose actions are noted before they are told apart by table.
const WINDOW: usize = 128;

/// What stands for an action at a table that stood at no decision.
const NONE: u8 = u8::MAX;

/// Tables that are looked at together.
const PART: usize = 32;

/// Tables that take a step each.
pub(crate) trait Tables {
    /// Whether a decision is open at a table.
    fn is_open(&self, table: usize) -> bool;
    fn episode(&self, table: usize) -> u64;
    /// Begins the episode of this number at a table that has this seed from now on.
    fn begin(&mut self, table: usize, seed: Seed, episode: u64);
    fn take(&mut self, table: usize, action: Action) -> Result<(), BatchError>;
}

impl Tables for BatchEnv {
    fn is_open(&self, table: usize) -> bool {
        !self.legal(table).is_empty()
    }

    fn episode(&self, table: usize) -> u64 {
        self.episode(table)
    }

    fn begin(&mut self, table: usize, seed: Seed, episode: u64) {
        self.reset_table_to(table, seed, episode);
    }

    fn take(&mut self, table: usize, action: Action) -> Result<(), BatchError> {
        self.step_table(table, action).map(drop)
    }
}

impl Tables for newmarket_agents::Seated {
    fn is_open(&self, table: usize) -> bool {
        !self.legal(table).is_empty()
    }

    fn episode(&self, table: usize) -> u64 {
        self.episode(table)
    }

    fn begin(&mut self, table: usize, seed: Seed, episode: u64) {
        self.reset_table_to(table, seed, episode);
    }

    fn take(&mut self, table: usize, action: Action) -> Result<(), BatchError> {
        self.step_table(table, action).map(drop)
    }
}

/// The seed of each table, and the actions of its episode and of the one before.
///
/// A step notes its actions in one piece, and where episodes begin. They are told apart by table
/// after many steps, or when somebody asks: by then most of them are of older episodes, and are never
/// looked at again.
#[derive(Clone)]
pub(crate) struct History {
    seeds: Vec<TableSeed>,
    played: Vec<Played>,
    /// The actions of the last steps at all tables, `[steps, tables]`.
    window: Vec<u8>,
    /// How many steps these are.
    steps: usize,
    /// Tables that stand at no decision.
    closed: Vec<usize>,
}

/// What was played at a table.
#[derive(Clone, Default)]
struct Played {
    episode: u64,
    is_open: bool,
    /// Actions of the episode before those in the window, and the step of the window from which on
    /// all others are.
    actions: Vec<u8>,
    from: usize,
    /// The same of the episode before, whose steps in the window have an end.
    before: (u64, Vec<u8>),
    steps_before: Range<usize>,
}

/// A pickled table: seed, table, the episode and the one before, actions of the one before and of
/// this one.
pub(crate) type PickledTable<'py> = (u64, u64, [u64; 2], Bound<'py, PyBytes>, Bound<'py, PyBytes>);

/// A table as it was pickled.
pub(crate) type ReadTable = (u64, u64, [u64; 2], Vec<u8>, Vec<u8>);

impl History {
    /// Of tables that stand at the beginning of an episode.
    pub(crate) fn new(seeds: Vec<TableSeed>, tables: &impl Tables) -> Self {
        let played = vec![Played::default(); seeds.len()];
        let mut history = Self::of(seeds, played);
        for table in 0..history.seeds.len() {
            history.begin(table, tables);
        }
        history
    }

    fn of(seeds: Vec<TableSeed>, played: Vec<Played>) -> Self {
        let closed = (0..played.len()).filter(|&table| !played[table].is_open).collect();
        let window = vec![0; WINDOW * played.len()];
        Self { seeds, played, window, steps: 0, closed }
    }

    pub(crate) fn seed(&self, table: usize) -> TableSeed {
        self.seeds[table]
    }

    /// After a step by these actions, which ended episodes at the tables that are `over`.
    pub(crate) fn step(&mut self, actions: &[Action], over: &[bool], tables: &impl Tables) {
        let noted = &mut self.window[self.steps * actions.len()..][..actions.len()];
        for (noted, action) in noted.iter_mut().zip(actions) {
            *noted = action.index() as u8;
        }
        for &table in &self.closed {
            noted[table] = NONE;
        }
        self.steps += 1;
        // Those that stood at no decision may have begun an episode.
        for table in std::mem::take(&mut self.closed) {
            self.turn(table, tables);
        }
        for (part, some) in over.chunks(PART).enumerate() {
            if some.iter().fold(false, |any, &over| any | over) {
                for (table, _) in some.iter().enumerate().filter(|&(_, &over)| over) {
                    self.turn(part * PART + table, tables);
                }
            }
        }
        self.closed.sort_unstable();
        self.closed.dedup();
        if self.steps == WINDOW {
            self.sort();
        }
    }

    /// A table may have come to the end of an episode, or to the beginning of one.
    fn turn(&mut self, table: usize, tables: &impl Tables) {
        let played = &mut self.played[table];
        played.stand(tables.episode(table), tables.is_open(table), self.steps);
        if !played.is_open {
            self.closed.push(table);
        }
    }

    /// Tells the actions of the window apart by table, and empties it.
    fn sort(&mut self) {
        let tables = self.played.len();
        for (table, played) in self.played.iter_mut().enumerate() {
            let of = |steps: Range<usize>| {
                let noted = steps.map(|step| self.window[step * tables + table]);
                noted.filter(|&action| action != NONE)
            };
            played.before.1.extend(of(std::mem::take(&mut played.steps_before)));
            played.actions.extend(of(std::mem::take(&mut played.from)..self.steps));
        }
        self.steps = 0;
    }

    /// A table has begun its next episode.
    pub(crate) fn next(&mut self, table: usize, tables: &impl Tables) {
        self.sort();
        self.played[table].stand(tables.episode(table), tables.is_open(table), 0);
        self.reopen(table);
    }

    /// A table has begun an episode, and what was before is of no interest.
    pub(crate) fn begin(&mut self, table: usize, tables: &impl Tables) {
        self.sort();
        let (episode, is_open) = (tables.episode(table), tables.is_open(table));
        let before = (episode, Vec::new());
        self.played[table] = Played { episode, is_open, before, ..Played::default() };
        self.reopen(table);
    }

    /// The same, where the table has another seed.
    pub(crate) fn begin_seed(&mut self, table: usize, seed: TableSeed, tables: &impl Tables) {
        self.seeds[table] = seed;
        self.begin(table, tables);
    }

    fn reopen(&mut self, table: usize) {
        self.closed.retain(|&closed| closed != table);
        if !self.played[table].is_open {
            self.closed.push(table);
        }
    }

    pub(crate) fn pickled<'py>(&mut self, py: Python<'py>) -> Vec<PickledTable<'py>> {
        self.sort();
        let tables = self.seeds.iter().zip(&self.played);
        tables
            .map(|(&TableSeed { seed, table }, played)| {
                let episodes = [played.episode, played.before.0];
                let before = PyBytes::new(py, &played.before.1);
                (seed, table, episodes, before, PyBytes::new(py, &played.actions))
            })
            .collect()
    }

    /// Plays what was pickled again.
    pub(crate) fn restore(pickled: Vec<ReadTable>, tables: &mut impl Tables) -> PyResult<Self> {
        let seeds = seeds(&pickled);
        let mut played = Vec::with_capacity(pickled.len());
        for (table, (_, _, [episode, first], before, actions)) in pickled.into_iter().enumerate() {
            let seed = seeds[table].node();
            tables.begin(table, seed, first);
            replay(&before, table, tables)?;
            if tables.episode(table) != episode {
                tables.begin(table, seed, episode);
            }
            replay(&actions, table, tables)?;
            let (before, is_open) = ((first, before), tables.is_open(table));
            played.push(Played { episode, is_open, actions, before, ..Played::default() });
        }
        Ok(Self::of(seeds, played))
    }
}

impl Played {
    /// Where a table stands after the first `steps` of the window.
    fn stand(&mut self, episode: u64, is_open: bool, steps: usize) {
        self.is_open = is_open;
        if self.episode != episode {
            std::mem::swap(&mut self.before.1, &mut self.actions);
            self.actions.clear();
            (self.before.0, self.episode) = (self.episode, episode);
            self.steps_before = std::mem::replace(&mut self.from, steps)..steps;
        }
    }
}

/// The seeds of pickled tables.
pub(crate) fn seeds(pickled: &[ReadTable]) -> Vec<TableSeed> {
    pickled.iter().map(|it| TableSeed { seed: it.0, table: it.1 }).collect()
}

fn replay(actions: &[u8], table: usize, tables: &mut impl Tables) -> PyResult<()> {
    actions.iter().try_for_each(|&id| {
        tables.take(table, action(i64::from(id))?).map_err(|error| errors::batch(&error))
    })
}
