//! What has been played at many tables: with their seeds, all that a copy in another process needs.

use std::ops::Range;

use newmarket_env::{Action, BatchEnv, BatchError, Seed};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::errors;
use crate::game::action;
use crate::seeds::TableSeed;

/// Steps whose actions are noted before they are told apart by table.
const WINDOW: usize = 256;

/// What stands for an action at a table that stood at no decision.
const NONE: u8 = u8::MAX;

/// Tables that are looked at together: a byte each in a `u64`.
const PART: usize = 8;

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
    places: Vec<Place>,
    played: Vec<Played>,
    /// The actions of the last steps at all tables, `[steps, tables]`.
    window: Vec<u8>,
    /// How many steps these are.
    steps: usize,
    /// Tables that stood at no decision when the last step was over, or have come to stand so since.
    closed: Vec<usize>,
}

/// Where a table stands: what the end of an episode touches.
#[derive(Clone, Copy, Default)]
struct Place {
    episode: u64,
    before: u64,
    /// The steps of the window at which the episode and the one before began; 0 if that was earlier.
    from: u32,
    before_from: u32,
    /// Episodes that began in the window.
    begun: u32,
    is_open: bool,
}

/// What was played at a table before the steps of the window: in the episode that its place says,
/// and in the one before.
#[derive(Clone, Default)]
struct Played {
    actions: Vec<u8>,
    before: Vec<u8>,
}

/// A pickled table: seed, table, the episode and the one before, actions of the one before and of
/// this one.
pub(crate) type PickledTable<'py> = (u64, u64, [u64; 2], Bound<'py, PyBytes>, Bound<'py, PyBytes>);

/// A table as it was pickled.
pub(crate) type ReadTable = (u64, u64, [u64; 2], Vec<u8>, Vec<u8>);

impl History {
    /// Of tables that stand at the beginning of an episode.
    pub(crate) fn new(seeds: Vec<TableSeed>, tables: &impl Tables) -> Self {
        let (places, played) =
            (vec![Place::default(); seeds.len()], vec![Played::default(); seeds.len()]);
        let mut history = Self::of(seeds, places, played);
        for table in 0..history.seeds.len() {
            history.begin(table, tables);
        }
        history
    }

    fn of(seeds: Vec<TableSeed>, places: Vec<Place>, played: Vec<Played>) -> Self {
        let closed = (0..places.len()).filter(|&table| !places[table].is_open).collect();
        let window = vec![0; WINDOW * places.len()];
        Self { seeds, places, played, window, steps: 0, closed }
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
        for &table in self.closed.iter().filter(|&&table| !self.places[table].is_open) {
            noted[table] = NONE;
        }
        self.steps += 1;
        // Those that stood at no decision may have begun an episode.
        for table in std::mem::take(&mut self.closed) {
            self.turn(table, tables);
        }
        let (parts, rest) = over.as_chunks::<PART>();
        for (part, some) in parts.iter().enumerate() {
            // A byte a table: most often all are 0.
            let mut ends = u64::from_le_bytes(some.map(u8::from));
            while ends != 0 {
                self.turn(part * PART + ends.trailing_zeros() as usize / 8, tables);
                ends &= ends - 1;
            }
        }
        for (table, _) in rest.iter().enumerate().filter(|&(_, &over)| over) {
            self.turn(parts.len() * PART + table, tables);
        }
        self.closed.sort_unstable();
        self.closed.dedup();
        if self.steps == WINDOW {
            self.sort();
        }
    }

    /// A table may have come to the end of an episode, or to the beginning of one.
    pub(crate) fn turn(&mut self, table: usize, tables: &impl Tables) {
        let place = &mut self.places[table];
        place.stand(tables.episode(table), tables.is_open(table), self.steps as u32);
        if !place.is_open {
            self.closed.push(table);
        }
    }

    /// Tells the actions of the window apart by table, and empties it.
    fn sort(&mut self) {
        if self.steps > 0 {
            (0..self.played.len()).for_each(|table| self.sort_one(table));
            self.steps = 0;
        }
    }

    /// Takes a table's actions from the window.
    fn sort_one(&mut self, table: usize) {
        let tables = self.played.len();
        let (place, played) = (&mut self.places[table], &mut self.played[table]);
        let of = |steps: Range<u32>| {
            let noted = steps.map(|step| self.window[step as usize * tables + table]);
            noted.filter(|&action| action != NONE)
        };
        if place.begun > 0 {
            std::mem::swap(&mut played.before, &mut played.actions);
            played.actions.clear();
            if place.begun > 1 {
                played.before.clear();
            }
            played.before.extend(of(place.before_from..place.from));
        }
        played.actions.extend(of(place.from..self.steps as u32));
        (place.from, place.before_from, place.begun) = (0, 0, 0);
    }

    /// A table has begun an episode, and what was before is of no interest.
    pub(crate) fn begin(&mut self, table: usize, tables: &impl Tables) {
        let (episode, from) = (tables.episode(table), self.steps as u32);
        self.places[table] =
            Place { episode, before: episode, from, before_from: from, ..Place::default() };
        self.played[table] = Played::default();
        self.turn(table, tables);
    }

    /// The same, where the table has another seed.
    pub(crate) fn begin_seed(&mut self, table: usize, seed: TableSeed, tables: &impl Tables) {
        self.seeds[table] = seed;
        self.begin(table, tables);
    }

    pub(crate) fn pickled<'py>(&mut self, py: Python<'py>) -> Vec<PickledTable<'py>> {
        self.sort();
        let tables = self.seeds.iter().zip(&self.places).zip(&self.played);
        tables
            .map(|((&TableSeed { seed, table }, place), played)| {
                let episodes = [place.episode, place.before];
                let before = PyBytes::new(py, &played.before);
                (seed, table, episodes, before, PyBytes::new(py, &played.actions))
            })
            .collect()
    }

    /// Plays what was pickled again.
    pub(crate) fn restore(pickled: Vec<ReadTable>, tables: &mut impl Tables) -> PyResult<Self> {
        let seeds = seeds(&pickled);
        let mut places = Vec::with_capacity(pickled.len());
        let mut played = Vec::with_capacity(pickled.len());
        for (table, (_, _, [episode, first], before, actions)) in pickled.into_iter().enumerate() {
            let seed = seeds[table].node();
            tables.begin(table, seed, first);
            replay(&before, table, tables)?;
            if tables.episode(table) != episode {
                tables.begin(table, seed, episode);
            }
            replay(&actions, table, tables)?;
            let is_open = tables.is_open(table);
            places.push(Place { episode, before: first, is_open, ..Place::default() });
            played.push(Played { actions, before });
        }
        Ok(Self::of(seeds, places, played))
    }
}

impl Place {
    /// A table stands so after the first `steps` of the window.
    fn stand(&mut self, episode: u64, is_open: bool, steps: u32) {
        self.is_open = is_open;
        if self.episode != episode {
            (self.before, self.episode) = (self.episode, episode);
            (self.before_from, self.from) = (self.from, steps);
            self.begun += 1;
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
