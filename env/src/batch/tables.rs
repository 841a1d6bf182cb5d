//! The tables of a batch. Data that every step uses is stored apart from data that only the end of a deal
//! uses.

use alloc::sync::Arc;
use alloc::vec::Vec;

use super::options::{Autoreset, BatchError};
use super::rows::{Entry, Rows};
use crate::action::{Action, ActionMask};
use crate::driver::DealDriver;
use crate::encode::{Change, Encoder};
use crate::episode::{Episode, EpisodeDriver, RewardLedger};
use crate::game::Game;
use crate::rules::MAX_PLAYERS;
use crate::seed::Seed;
use crate::session::Session;
use crate::state::{IllegalAction, Phase, State};

/// Tables that one task steps: far more work than a task costs.
#[cfg(feature = "std")]
const TASK: usize = 128;

/// The data of a table that every step uses.
#[derive(Clone, Debug)]
struct Table {
    state: State,
    ledger: RewardLedger,
    /// Index of the table's kind.
    kind: u32,
}

/// A game and a kind of episode, shared by tables.
#[derive(Clone, Debug)]
struct Kind {
    driver: EpisodeDriver,
    encoder: Encoder,
}

/// The data of a table that only the end of a deal uses.
#[derive(Clone, Debug)]
struct Origin {
    session: Session,
    seed: Seed,
    episode: u64,
    /// Whether a step has told that the episode is over.
    told: bool,
}

/// The tables of a batch, in arrays with an entry for each table.
#[derive(Clone, Debug)]
pub(super) struct Tables {
    kinds: Vec<Kind>,
    /// The legal actions, apart from the rest, because a policy reads only these.
    legal: Vec<ActionMask>,
    played: Vec<Table>,
    origins: Vec<Origin>,
    /// The final states of the last episodes, if they are kept; not over before a table's first end.
    ends: Vec<State>,
}

impl Tables {
    pub(super) fn new(tables: impl IntoIterator<Item = (Arc<Game>, Episode, Seed)>) -> Self {
        let mut all = Self {
            kinds: Vec::new(),
            legal: Vec::new(),
            played: Vec::new(),
            origins: Vec::new(),
            ends: Vec::new(),
        };
        for (game, episode, seed) in tables {
            let driver = EpisodeDriver::new(game, episode, DealDriver::CHOICES);
            let known = all.kinds.iter().rposition(|kind| kind.driver == driver);
            let kind = known.unwrap_or(all.kinds.len());
            if known.is_none() {
                let encoder = Encoder::new(driver.game());
                all.kinds.push(Kind { driver, encoder });
            }
            let driver = &all.kinds[kind].driver;
            let (mut session, mut state, mut ledger) = driver.begin(seed.child(0));
            all.legal.push(driver.next(&mut session, &mut state, &mut ledger));
            all.played.push(Table { state, ledger, kind: kind as u32 });
            all.origins.push(Origin { session, seed, episode: 0, told: false });
        }
        all
    }

    /// Keeps the final state of each table's last episode.
    pub(super) fn keep_ends(&mut self) {
        let none = |table: &Table| {
            let (_, mut state, _) = self.kinds[table.kind as usize].driver.begin(Seed::new(0));
            state.public.phase = Phase::Deal;
            state
        };
        self.ends = self.played.iter().map(none).collect();
    }

    pub(super) fn len(&self) -> usize {
        self.played.len()
    }

    pub(super) fn game(&self, table: usize) -> &Arc<Game> {
        self.kinds[self.played[table].kind as usize].driver.game()
    }

    #[inline]
    pub(super) fn legal(&self, table: usize) -> ActionMask {
        self.legal[table]
    }

    pub(super) fn state(&self, table: usize) -> &State {
        &self.played[table].state
    }

    pub(super) fn episode(&self, table: usize) -> u64 {
        self.origins[table].episode
    }

    /// Begins a table's next episode.
    pub(super) fn reset(&mut self, table: usize) {
        self.one(table).reset();
    }

    /// Gives a table a new seed, and begins its episode of this number.
    pub(super) fn reset_to(&mut self, table: usize, seed: Seed, episode: u64) {
        let origin = &mut self.origins[table];
        (origin.seed, origin.episode) = (seed, episode);
        self.one(table).begin();
    }

    /// Steps one table with a legal action: what each seat gained, and whether an episode ended.
    pub(super) fn step_one(
        &mut self,
        table: usize,
        action: Action,
        autoreset: Autoreset,
    ) -> ([i32; MAX_PLAYERS], bool) {
        let (rewards, over, _) = self.one(table).step(action, autoreset);
        (rewards, over)
    }

    /// The final state of an episode: the last one if ends are kept, else the current one if it is over.
    pub(super) fn end(&self, table: usize) -> Option<&State> {
        match self.ends.get(table) {
            Some(end) => end.is_over().then_some(end),
            None => self.legal[table].is_empty().then(|| self.state(table)),
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
        let seat = self.state(table).actor().expect("somebody has a choice");
        let source = IllegalAction::NotAllowed { seat, action, legal };
        Err(BatchError::Illegal { table, source })
    }

    /// One table.
    fn one(&mut self, table: usize) -> One<'_> {
        One {
            driver: &self.kinds[self.played[table].kind as usize].driver,
            legal: &mut self.legal[table],
            table: &mut self.played[table],
            origin: &mut self.origins[table],
            end: self.ends.get_mut(table),
        }
    }

    /// All tables.
    pub(super) fn slice(&mut self) -> Slice<'_> {
        Slice {
            kinds: &self.kinds,
            legal: &mut self.legal,
            tables: &mut self.played,
            origins: &mut self.origins,
            ends: &mut self.ends,
        }
    }
}

/// Consecutive tables, for one thread.
pub(super) struct Slice<'t> {
    kinds: &'t [Kind],
    legal: &'t mut [ActionMask],
    tables: &'t mut [Table],
    origins: &'t mut [Origin],
    ends: &'t mut [State],
}

/// A step of all tables.
#[derive(Clone, Copy)]
pub(super) struct Step<'a> {
    /// A legal action for each table.
    pub(super) actions: &'a [Action],
    pub(super) autoreset: Autoreset,
    /// Whether a table may have been stepped or reset by itself since its row was written.
    pub(super) afresh: bool,
}

impl Slice<'_> {
    #[cfg(feature = "std")]
    fn split_at(self, at: usize) -> (Self, Self) {
        let (legal, legal_) = self.legal.split_at_mut(at);
        let (tables, tables_) = self.tables.split_at_mut(at);
        let (origins, origins_) = self.origins.split_at_mut(at);
        let (ends, ends_) = self.ends.split_at_mut(at.min(self.ends.len()));
        let kinds = self.kinds;
        (
            Self { kinds, legal, tables, origins, ends },
            Self { kinds, legal: legal_, tables: tables_, origins: origins_, ends: ends_ },
        )
    }

    /// Steps the tables, and writes their rows.
    pub(super) fn step(self, step: Step, rows: &mut impl Rows) {
        rows.write(Entries { tables: self, step: Some(step) });
    }

    /// [`Slice::step`] in the threads of the `rayon` pool that this is called in.
    #[cfg(feature = "std")]
    pub(super) fn step_in_pool(self, step: Step, rows: &mut impl Rows) {
        let tables = self.tables.len();
        if tables > TASK && rayon::current_num_threads() > 1 {
            let half = tables / 2;
            let (left, right) = self.split_at(half);
            let (mut left_rows, mut right_rows) = rows.split_at(half);
            let (left_actions, right_actions) = step.actions.split_at(half);
            rayon::join(
                || left.step_in_pool(Step { actions: left_actions, ..step }, &mut left_rows),
                || right.step_in_pool(Step { actions: right_actions, ..step }, &mut right_rows),
            );
        } else {
            self.step(step, rows);
        }
    }

    /// Writes the rows of the tables.
    pub(super) fn write_all(self, rows: &mut impl Rows) {
        rows.write(Entries { tables: self, step: None });
    }
}

/// One table.
struct One<'t> {
    driver: &'t EpisodeDriver,
    legal: &'t mut ActionMask,
    table: &'t mut Table,
    origin: &'t mut Origin,
    end: Option<&'t mut State>,
}

impl One<'_> {
    /// Begins the next episode.
    #[expect(clippy::inline_always, reason = "part of the loop of a batch")]
    #[inline(always)]
    fn reset(&mut self) {
        self.origin.episode += 1;
        self.begin();
    }

    /// Begins the episode.
    #[expect(clippy::inline_always, reason = "part of the loop of a batch")]
    #[inline(always)]
    fn begin(&mut self) {
        begin(self.driver, self.origin, self.table, self.legal);
    }

    /// Takes a legal action: what each seat gained, whether an episode ended, and the change of the row.
    #[expect(clippy::inline_always, reason = "part of the loop of a batch")]
    #[inline(always)]
    fn step(&mut self, action: Action, autoreset: Autoreset) -> ([i32; MAX_PLAYERS], bool, Change) {
        let Table { state, ledger, .. } = &mut *self.table;
        if !self.legal.is_empty() {
            let (before, deal) = (state.phase(), self.origin.session.deal_number());
            state.apply_with_forced(self.driver.game(), action);
            *self.legal = self.driver.next(&mut self.origin.session, state, ledger);
            if !self.legal.is_empty() {
                let same_deal = deal == self.origin.session.deal_number();
                let change = Change::within(before, state.phase(), same_deal);
                return (ledger.gains(state), false, change);
            }
        } else if autoreset == Autoreset::NextStep && self.origin.told {
            self.reset();
            if !self.legal.is_empty() {
                return ([0; MAX_PLAYERS], false, Change::Anything);
            }
        }
        let Table { state, ledger, .. } = &mut *self.table;
        let rewards = ledger.gains(state);
        self.origin.told = true;
        if let Some(end) = &mut self.end {
            **end = *state;
            self.reset();
        }
        (rewards, true, Change::Anything)
    }
}

/// Begins an episode. A function that is not inlined, so that the loop of a batch keeps its table in
/// registers.
#[inline(never)]
fn begin(driver: &EpisodeDriver, origin: &mut Origin, table: &mut Table, legal: &mut ActionMask) {
    let Origin { session, seed, episode, told } = origin;
    *told = false;
    driver.begin_again(seed.child(*episode), session, &mut table.state, &mut table.ledger);
    *legal = driver.next(session, &mut table.state, &mut table.ledger);
}

/// The entries of some tables, one each.
pub struct Entries<'t> {
    tables: Slice<'t>,
    /// `None` if the tables stay as they are.
    step: Option<Step<'t>>,
}

impl Entries<'_> {
    /// Calls `write` with the row and the entry of each table, in any order. A table steps just before its
    /// row is written, so that it is still in the cache.
    #[expect(clippy::inline_always, reason = "so is the loop of a batch compiled in one piece")]
    #[inline(always)]
    pub fn for_each(self, mut write: impl FnMut(usize, &Entry)) {
        let Slice { kinds, legal, tables, origins, ends } = self.tables;
        for first in (0..tables.len()).step_by(TILE) {
            let tile = first..tables.len().min(first + TILE);
            // Antes first, then the other decisions: the processor then predicts branches well.
            let antes = legal[tile.clone()].iter().rev();
            let antes = antes.fold(0, |bits, legal| bits << 1 | u64::from(legal.are_chips()));
            let others = u64::MAX >> (64 - tile.len()) & !antes;
            for mut rest in [antes, others] {
                while rest != 0 {
                    let row = first + rest.trailing_zeros() as usize;
                    rest &= rest - 1;
                    let (table, origin) = (&mut tables[row], &mut origins[row]);
                    let Kind { driver, encoder } = &kinds[table.kind as usize];
                    let (legal, end) = (&mut legal[row], ends.get_mut(row));
                    let mut one = One { driver, legal, table, origin, end };
                    let (rewards, over, change) = match self.step {
                        Some(Step { actions, autoreset, afresh }) => {
                            let (rewards, over, change) = one.step(actions[row], autoreset);
                            (rewards, over, if afresh { Change::Anything } else { change })
                        }
                        None => ([0; MAX_PLAYERS], one.legal.is_empty(), Change::Anything),
                    };
                    let (state, legal) = (&one.table.state, *one.legal);
                    let view = state.view(driver.game(), state.actor().unwrap_or(0));
                    write(row, &Entry { view, legal, rewards, over, change, encoder });
                }
            }
        }
    }
}

/// Tables that are stepped together, one for each bit.
const TILE: usize = 64;
