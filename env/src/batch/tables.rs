//! The tables of a batch as a structure of arrays: what every step touches lies apart from what
//! only the end of a deal does.

use alloc::vec::Vec;

use alloc::sync::Arc;

use super::rows::{Entry, Rows};
use super::{Autoreset, BatchError};
use crate::action::{Action, ActionMask};
use crate::driver::DealDriver;
use crate::episode::{Episode, EpisodeDriver, RewardLedger};
use crate::game::Game;
use crate::rules::MAX_PLAYERS;
use crate::seed::Seed;
use crate::session::Session;
use crate::state::{IllegalAction, Phase, State};

/// Tables that one task steps: some ten microseconds of work, far more than a task costs.
#[cfg(feature = "std")]
const TASK: usize = 128;

/// What every step touches: the choices that are open at each table, the state of its deal, the
/// ledger of its rewards; what is played there. What it does not: the session,
/// the seed, the number of the episode.
#[derive(Clone, Debug)]
pub(super) struct Tables {
    drivers: Vec<EpisodeDriver>,
    /// By table: which of the drivers is played there.
    played: Vec<u16>,
    legal: Vec<ActionMask>,
    states: Vec<State>,
    ledgers: Vec<RewardLedger>,
    sessions: Vec<Session>,
    seeds: Vec<Seed>,
    episodes: Vec<u64>,
    /// How the last episode ended, if these are kept; not over before the first end.
    ends: Vec<State>,
}

impl Tables {
    pub(super) fn new(tables: impl IntoIterator<Item = (Arc<Game>, Episode, Seed)>) -> Self {
        let mut all = Self {
            drivers: Vec::new(),
            played: Vec::new(),
            legal: Vec::new(),
            states: Vec::new(),
            ledgers: Vec::new(),
            sessions: Vec::new(),
            seeds: Vec::new(),
            episodes: Vec::new(),
            ends: Vec::new(),
        };
        for (game, episode, seed) in tables {
            let driver = EpisodeDriver::new(game, episode, DealDriver::CHOICES);
            let known = all.drivers.iter().rposition(|known| *known == driver);
            let at = known.unwrap_or(all.drivers.len());
            if known.is_none() {
                all.drivers.push(driver);
            }
            let (mut session, mut state, mut ledger) = all.drivers[at].begin(seed.child(0));
            let legal = all.drivers[at].next(&mut session, &mut state, &mut ledger);
            all.played.push(u16::try_from(at).expect("at most 65536 kinds of table"));
            all.legal.push(legal);
            all.states.push(state);
            all.ledgers.push(ledger);
            all.sessions.push(session);
            all.seeds.push(seed);
            all.episodes.push(0);
        }
        all
    }

    /// Keeps how each table's last episode ended.
    pub(super) fn keep_ends(&mut self) {
        let none = |driver: &u16| {
            let driver = &self.drivers[usize::from(*driver)];
            let (_, mut state, _) = driver.begin(Seed::new(0));
            state.public.phase = Phase::Deal;
            state
        };
        self.ends = self.played.iter().map(none).collect();
    }

    pub(super) fn len(&self) -> usize {
        self.states.len()
    }

    pub(super) fn game(&self, table: usize) -> &Arc<Game> {
        self.drivers[usize::from(self.played[table])].game()
    }

    #[inline]
    pub(super) fn legal(&self, table: usize) -> ActionMask {
        self.legal[table]
    }

    pub(super) fn state(&self, table: usize) -> &State {
        &self.states[table]
    }

    pub(super) fn episode(&self, table: usize) -> u64 {
        self.episodes[table]
    }

    /// Begins the episode of this number at a table that has this seed from now on.
    pub(super) fn reset_to(&mut self, table: usize, seed: Seed, episode: u64) {
        self.seeds[table] = seed;
        self.episodes[table] = episode;
        self.slice().begin(table);
    }

    /// How an episode ended: the last one if ends are kept, else the table's own if it is over.
    pub(super) fn end(&self, table: usize) -> Option<&State> {
        match self.ends.get(table) {
            Some(end) => end.is_over().then_some(end),
            None => self.legal[table].is_empty().then(|| &self.states[table]),
        }
    }

    /// Whether every table allows its action.
    pub(super) fn check(&self, actions: &[Action]) -> Result<(), BatchError> {
        let illegal =
            |(legal, action): (&ActionMask, &Action)| !legal.contains(*action) && !legal.is_empty();
        let Some(table) = self.legal.iter().zip(actions).position(illegal) else { return Ok(()) };
        self.check_one(table, actions[table])
    }

    /// Whether a table allows an action.
    pub(super) fn check_one(&self, table: usize, action: Action) -> Result<(), BatchError> {
        let legal = self.legal[table];
        if legal.contains(action) || legal.is_empty() {
            return Ok(());
        }
        let seat = self.states[table].actor().expect("somebody has a choice");
        let source = IllegalAction::NotAllowed { seat, action, legal };
        Err(BatchError::Illegal { table, source })
    }

    /// All tables, to be worked on.
    pub(super) fn slice(&mut self) -> Slice<'_> {
        Slice {
            drivers: &self.drivers,
            played: &self.played,
            legal: &mut self.legal,
            states: &mut self.states,
            ledgers: &mut self.ledgers,
            sessions: &mut self.sessions,
            seeds: &self.seeds,
            episodes: &mut self.episodes,
            ends: &mut self.ends,
        }
    }
}

/// Some tables that stand in a row, to be worked on by one thread.
pub(super) struct Slice<'t> {
    drivers: &'t [EpisodeDriver],
    played: &'t [u16],
    legal: &'t mut [ActionMask],
    states: &'t mut [State],
    ledgers: &'t mut [RewardLedger],
    sessions: &'t mut [Session],
    seeds: &'t [Seed],
    episodes: &'t mut [u64],
    ends: &'t mut [State],
}

impl Slice<'_> {
    #[cfg(feature = "std")]
    fn split_at(self, at: usize) -> (Self, Self) {
        let (played, played_) = self.played.split_at(at);
        let (legal, legal_) = self.legal.split_at_mut(at);
        let (states, states_) = self.states.split_at_mut(at);
        let (ledgers, ledgers_) = self.ledgers.split_at_mut(at);
        let (sessions, sessions_) = self.sessions.split_at_mut(at);
        let (seeds, seeds_) = self.seeds.split_at(at);
        let (episodes, episodes_) = self.episodes.split_at_mut(at);
        let (ends, ends_) = self.ends.split_at_mut(at.min(self.ends.len()));
        let drivers = self.drivers;
        (
            Self { drivers, played, legal, states, ledgers, sessions, seeds, episodes, ends },
            Self {
                drivers,
                played: played_,
                legal: legal_,
                states: states_,
                ledgers: ledgers_,
                sessions: sessions_,
                seeds: seeds_,
                episodes: episodes_,
                ends: ends_,
            },
        )
    }

    /// Steps the tables, all of whose actions are legal, and writes how they then stand.
    pub(super) fn step(self, actions: &[Action], autoreset: Autoreset, rows: &mut impl Rows) {
        rows.write(Entries { tables: self, step: Some((actions, autoreset)) });
    }

    /// [`Slice::step`] in the threads of the `rayon` pool that this is called in.
    #[cfg(feature = "std")]
    pub(super) fn step_in_pool(
        self,
        actions: &[Action],
        autoreset: Autoreset,
        rows: &mut impl Rows,
    ) {
        let tables = self.states.len();
        if tables > TASK && rayon::current_num_threads() > 1 {
            let at = tables / 2;
            let (left, right) = self.split_at(at);
            let (mut left_rows, mut right_rows) = rows.split_at(at);
            let (left_actions, right_actions) = actions.split_at(at);
            rayon::join(
                || left.step_in_pool(left_actions, autoreset, &mut left_rows),
                || right.step_in_pool(right_actions, autoreset, &mut right_rows),
            );
        } else {
            self.step(actions, autoreset, rows);
        }
    }

    /// Writes how the tables stand.
    pub(super) fn write_all(self, rows: &mut impl Rows) {
        rows.write(Entries { tables: self, step: None });
    }

    /// Begins a table's next episode.
    #[inline(never)]
    pub(super) fn reset(&mut self, table: usize) {
        self.episodes[table] += 1;
        self.begin(table);
    }

    /// Begins a table's episode.
    fn begin(&mut self, table: usize) {
        let seed = self.seeds[table].child(self.episodes[table]);
        let driver = &self.drivers[usize::from(self.played[table])];
        let (session, state) = (&mut self.sessions[table], &mut self.states[table]);
        driver.begin_again(seed, session, state, &mut self.ledgers[table]);
        self.legal[table] = driver.next(session, state, &mut self.ledgers[table]);
    }

    /// What each seat gained, and whether an episode ended.
    #[expect(clippy::inline_always, reason = "part of the loop of a batch")]
    #[inline(always)]
    pub(super) fn step_table(
        &mut self,
        table: usize,
        action: Action,
        autoreset: Autoreset,
    ) -> ([i32; MAX_PLAYERS], bool) {
        let (legal, ledger) = (&mut self.legal[table], &mut self.ledgers[table]);
        if !legal.is_empty() {
            let driver = &self.drivers[usize::from(self.played[table])];
            let state = &mut self.states[table];
            state.apply_unchecked(driver.game(), action);
            *legal = driver.next(&mut self.sessions[table], state, ledger);
            if !legal.is_empty() {
                return (ledger.gains(state), false);
            }
        } else if autoreset == Autoreset::NextStep {
            self.reset(table);
            if !self.legal[table].is_empty() {
                return ([0; MAX_PLAYERS], false);
            }
        }
        let rewards = self.ledgers[table].gains(&self.states[table]);
        if autoreset == Autoreset::SameStep {
            self.ends[table] = self.states[table];
            self.reset(table);
        }
        (rewards, true)
    }
}

/// The entries of some tables, from the first to the last.
pub struct Entries<'t> {
    tables: Slice<'t>,
    /// The actions of the step; none if the tables stay as they are.
    step: Option<(&'t [Action], Autoreset)>,
}

impl Entries<'_> {
    /// Calls `write` with the row and the entry of each table. A table takes its step when it is its
    /// turn, so that it is still near the core when its row is written.
    #[expect(clippy::inline_always, reason = "so is the loop of a batch compiled in one piece")]
    #[inline(always)]
    pub fn for_each(mut self, mut write: impl FnMut(usize, &Entry)) {
        for row in 0..self.tables.states.len() {
            let (rewards, over) = match self.step {
                Some((actions, autoreset)) => self.tables.step_table(row, actions[row], autoreset),
                None => ([0; MAX_PLAYERS], self.tables.legal[row].is_empty()),
            };
            let Slice { drivers, played, legal, states, .. } = &self.tables;
            let (game, state) = (drivers[usize::from(played[row])].game(), &states[row]);
            let view = state.view(game, state.actor().unwrap_or(0));
            write(row, &Entry { view, legal: legal[row], rewards, over });
        }
    }
}
