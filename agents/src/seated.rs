//! Many tables with one hero each. The opponents are part of the environment, so that a step goes from
//! one decision of the hero to the next: a single-agent decision process.
//!
//! Opponents that answer for many decisions at once ([`Agent::batch`](crate::Agent::batch),
//! [`Agent::many`](crate::Agent::many)) are asked for all tables of a task together.

mod table;

use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;

use newmarket_env::{
    Action, ActionMask, Autoreset, BatchError, Change, Encoder, Entry, Episode, Game,
    IllegalAction, MAX_PLAYERS, Observation, Phase, Rows, Seed, State, View,
};

use crate::many::DecideMany;
use crate::player::{BatchPolicy, Player};
pub use table::PassedOver;
use table::{Advance, SeatedTable};

/// The players in the seats that are not the hero's.
#[derive(Clone, PartialEq, Debug)]
pub enum OpponentSeats {
    /// The number of the player in each seat, from seat 0 on. The entry of the hero's seat is not used.
    Fixed(Vec<usize>),
    /// In each seat and episode one of the players, drawn by these shares. `[players]`
    Drawn(Vec<f64>),
}

/// The hero's seat.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HeroSeat {
    /// Always in this seat.
    Fixed(usize),
    /// Drawn by the seed of each episode, every seat as likely.
    Drawn,
}

/// The game, the episodes and the players of all tables.
pub struct Setup {
    /// The rules and the number of seats.
    pub game: Arc<Game>,
    /// The kind of an episode.
    pub episode: Episode,
    /// The opponents.
    pub players: Vec<Player>,
    /// The seats of the opponents.
    pub seating: OpponentSeats,
    /// The hero's seat.
    pub hero: HeroSeat,
    /// The reset of a table whose episode is over.
    pub autoreset: Autoreset,
}

/// Many tables with a hero each. Episode `e` of a table has the seed `seed.child(e)` of the
/// table's seed; its cards are those of [`Env::reset`](newmarket_env::Env::reset) by that seed. An
/// opponent's random numbers come from `seed.child(e).child(100).child(seat)`.
///
/// An episode in which the hero has no decision is played to its end, and the table then stands at the
/// next one. [`Seated::skipped`] has the number of these episodes and the hero's chips in them: rewards
/// are those of the other episodes alone, whose mean is another one. A step is the same for any number of
/// threads.
pub struct Seated {
    tasks: Vec<Task>,
    /// Tables in each task but the last.
    size: usize,
    tables: usize,
    shared: Shared,
}

/// What all tables have in common.
struct Shared {
    game: Arc<Game>,
    driver: newmarket_env::EpisodeDriver,
    encoder: Encoder,
    seating: OpponentSeats,
    hero: HeroSeat,
    autoreset: Autoreset,
}

/// Tables that one thread steps, and the policies that answer for all of them at once.
struct Task {
    tables: Vec<SeatedTable>,
    /// How each player is asked.
    asking: Vec<Asking>,
    /// The tables that are to go on to the hero's next decision.
    moving: Vec<usize>,
}

/// How a player is asked for its decisions.
enum Asking {
    /// At each table, when it is to act.
    OneByOne,
    /// Its policy, for the observations of many tables at once.
    Policy { policy: Box<dyn BatchPolicy>, observations: Vec<Observation>, tables: Vec<usize> },
    /// For many tables at once.
    Many { player: Box<dyn DecideMany>, tables: Vec<usize> },
}

impl Seated {
    /// Sets up a table for each seed, at the hero's first decision, for this many threads.
    ///
    /// # Panics
    /// If fixed opponents or a fixed seat do not fit the table, there is not one share a player, or the
    /// episodes carry chips over from another game.
    pub fn new(setup: Setup, seeds: &[Seed], threads: usize) -> Self {
        let Setup { game, episode, players, seating, hero, autoreset } = setup;
        match &seating {
            OpponentSeats::Fixed(seats) => {
                assert_eq!(seats.len(), game.players(), "a player for each seat");
                assert!(
                    seats.iter().all(|&player| player < players.len()),
                    "a player that is here"
                );
            }
            OpponentSeats::Drawn(shares) => {
                assert_eq!(shares.len(), players.len(), "a share a player");
            }
        }
        if let HeroSeat::Fixed(seat) = hero {
            assert!(seat < game.players(), "a seat at the table");
        }
        let deal = newmarket_env::DealDriver::CHOICES;
        let driver = newmarket_env::EpisodeDriver::new(game.clone(), episode, deal);
        let encoder = Encoder::new(&game);
        let shared = Shared { game, driver, encoder, seating, hero, autoreset };
        let size = seeds.len().div_ceil(threads.max(1)).max(1);
        let mut tasks: Vec<Task> =
            seeds.chunks(size).map(|seeds| Task::new(&shared, &players, seeds)).collect();
        for task in &mut tasks {
            task.begin_all(&shared);
        }
        Self { tasks, size, tables: seeds.len(), shared }
    }

    /// Number of tables.
    pub fn len(&self) -> usize {
        self.tables
    }

    /// Whether there is no table.
    pub fn is_empty(&self) -> bool {
        self.tables == 0
    }

    /// The hero's legal actions at a table; none if its episode is over.
    pub fn legal(&self, table: usize) -> ActionMask {
        self.table(table).legal
    }

    /// The hero's seat at a table.
    pub fn hero(&self, table: usize) -> usize {
        self.table(table).hero
    }

    /// The number of a table's episode, from 0.
    pub fn episode(&self, table: usize) -> u64 {
        self.table(table).episode
    }

    /// Episodes of a table in which the hero had no decision, since it was given its seed.
    pub fn skipped(&self, table: usize) -> PassedOver {
        self.table(table).skipped
    }

    /// The truth at a table: see [`Env::state`](newmarket_env::Env::state).
    pub fn state(&self, table: usize) -> &State {
        &self.table(table).state
    }

    /// What the hero of a table may know now.
    pub fn observe(&self, table: usize) -> View<'_> {
        self.table(table).view(&self.shared)
    }

    /// What the hero could know at the end of a table's last episode that ended, if one did.
    pub fn observe_final(&self, table: usize) -> Option<View<'_>> {
        self.table(table).end_view(&self.shared)
    }

    /// The hero's seat in a table's last episode that ended, and the value of [`Seated::skipped`] then.
    /// `None` if no episode has ended.
    pub fn ended(&self, table: usize) -> Option<(usize, PassedOver)> {
        self.table(table).end.as_ref().map(|end| (end.hero, end.skipped))
    }

    /// Begins a table's next episode.
    pub fn reset_table(&mut self, table: usize) {
        let episode = self.table(table).episode + 1;
        self.begin(table, episode);
    }

    /// Gives a table a new seed, and begins its episode of this number.
    pub fn reset_table_to(&mut self, table: usize, seed: Seed, episode: u64) {
        let reset = &mut self.tasks[table / self.size].tables[table % self.size];
        (reset.seed, reset.skipped) = (seed, PassedOver::default());
        self.begin(table, episode);
    }

    fn begin(&mut self, table: usize, episode: u64) {
        let (task, place) = (&mut self.tasks[table / self.size], table % self.size);
        task.begin(&self.shared, place, episode);
        task.moving.push(place);
        task.run(&self.shared);
    }

    /// Steps one table by the hero's action: what the hero gained, and whether an episode ended.
    ///
    /// # Errors
    /// If the action is not legal; nothing has then changed.
    pub fn step_table(&mut self, table: usize, action: Action) -> Result<(i32, bool), BatchError> {
        self.check(table, action)?;
        let (task, at) = (&mut self.tasks[table / self.size], table % self.size);
        task.take(&self.shared, at, action);
        task.run(&self.shared);
        task.reset_ended(&self.shared);
        Ok((task.tables[at].gain, task.tables[at].over))
    }

    /// Writes the rows of all tables without a step: rewards are 0.
    ///
    /// # Errors
    /// If a buffer does not fit.
    pub fn observe_all(&self, rows: &mut impl Rows) -> Result<(), BatchError> {
        rows.check(self.tables)?;
        for (row, table) in self.tasks.iter().flat_map(|task| &task.tables).enumerate() {
            let over = table.legal.is_empty();
            rows.write_row(row, &table.entry(&self.shared, 0, over));
        }
        Ok(())
    }

    /// Steps every table by its hero's action, and writes its row. The view is the hero's, at the end of
    /// an episode too. The only reward that is not 0 is the hero's, at the hero's seat. Uses the threads
    /// of the `rayon` pool in which it is called, if there are several tasks.
    ///
    /// # Errors
    /// If a buffer does not fit, or an action is not legal: no table has then changed.
    pub fn step(&mut self, actions: &[Action], rows: &mut impl Rows) -> Result<(), BatchError> {
        if actions.len() != self.tables {
            let (len, expected) = (actions.len(), self.tables);
            return Err(BatchError::Length { what: "actions", len, expected });
        }
        rows.check(self.tables)?;
        for (table, &action) in actions.iter().enumerate() {
            self.check(table, action)?;
        }
        step_tasks(&mut self.tasks, &self.shared, actions, rows);
        Ok(())
    }

    fn table(&self, table: usize) -> &SeatedTable {
        &self.tasks[table / self.size].tables[table % self.size]
    }

    fn check(&self, table: usize, action: Action) -> Result<(), BatchError> {
        let SeatedTable { hero: seat, legal, .. } = *self.table(table);
        if legal.is_empty() || legal.contains(action) {
            return Ok(());
        }
        let source = IllegalAction::NotAllowed { seat, action, legal };
        Err(BatchError::Illegal { table, source })
    }
}

/// Steps these tasks, each in a separate thread if the pool has enough.
fn step_tasks(tasks: &mut [Task], shared: &Shared, actions: &[Action], rows: &mut impl Rows) {
    match tasks {
        [] => {}
        [task] => task.step(shared, actions, rows),
        _ => {
            let (left, right) = tasks.split_at_mut(tasks.len() / 2);
            let tables = left.iter().map(|task| task.tables.len()).sum();
            let (left_actions, right_actions) = actions.split_at(tables);
            let (mut left_rows, mut right_rows) = rows.split_at(tables);
            rayon::join(
                || step_tasks(left, shared, left_actions, &mut left_rows),
                || step_tasks(right, shared, right_actions, &mut right_rows),
            );
        }
    }
}

impl Task {
    fn new(shared: &Shared, players: &[Player], seeds: &[Seed]) -> Self {
        let tables = seeds.iter().map(|&seed| SeatedTable::new(shared, players, seed)).collect();
        Self { tables, asking: players.iter().map(Asking::of).collect(), moving: Vec::new() }
    }

    fn begin_all(&mut self, shared: &Shared) {
        for table in 0..self.tables.len() {
            self.begin(shared, table, 0);
        }
        self.moving.extend(0..self.tables.len());
        self.run(shared);
    }

    /// Begins an episode of a table; [`Task::run`] then takes it to the hero's first decision.
    fn begin(&mut self, shared: &Shared, table: usize, episode: u64) {
        self.tables[table].begin(shared, episode);
    }

    fn step(&mut self, shared: &Shared, actions: &[Action], rows: &mut impl Rows) {
        for (table, &action) in actions.iter().enumerate() {
            self.take(shared, table, action);
        }
        self.run(shared);
        self.reset_ended(shared);
        for (row, table) in self.tables.iter().enumerate() {
            rows.write_row(row, &table.entry(shared, table.gain, table.over));
        }
    }

    /// Takes the hero's decision at a table, or begins its next episode if that is due.
    fn take(&mut self, shared: &Shared, place: usize, action: Action) {
        let table = &mut self.tables[place];
        if !table.legal.is_empty() {
            table.decide(shared, action);
            self.moving.push(place);
        } else if shared.autoreset == Autoreset::NextStep {
            let episode = table.episode + 1;
            self.begin(shared, place, episode);
            self.moving.push(place);
        } else {
            table.gain = 0;
        }
    }

    /// Begins the next episode of every table that has just ended one, if that is due in the
    /// same step.
    fn reset_ended(&mut self, shared: &Shared) {
        if shared.autoreset != Autoreset::SameStep {
            return;
        }
        for place in 0..self.tables.len() {
            let table = &self.tables[place];
            if table.legal.is_empty() {
                let (gain, episode) = (table.gain, table.episode + 1);
                self.begin(shared, place, episode);
                // This step also ended the last episode.
                (self.tables[place].gain, self.tables[place].over) = (gain, true);
                self.moving.push(place);
            }
        }
        self.run(shared);
    }

    /// Takes all moving tables to the hero's next decision, or the end of the episode.
    fn run(&mut self, shared: &Shared) {
        let Self { tables, asking, moving } = self;
        while !moving.is_empty() {
            for place in moving.drain(..) {
                let table = &mut tables[place];
                let waits = |player: usize, phase| asking[player].waits(phase);
                if let Advance::Ask(player) = table.advance(shared, waits) {
                    asking[player].note(shared, place, table);
                }
            }
            for player in &mut *asking {
                player.answer(shared, tables, moving);
            }
        }
    }
}

impl Asking {
    fn of(player: &Player) -> Self {
        if let Some(policy) = player.batch() {
            return Self::Policy { policy, observations: Vec::new(), tables: Vec::new() };
        }
        match player.many() {
            Some(player) => Self::Many { player, tables: Vec::new() },
            None => Self::OneByOne,
        }
    }

    /// Whether the player waits with such a decision until it is asked for all tables.
    fn waits(&self, phase: Phase) -> bool {
        match self {
            Self::OneByOne => false,
            // A policy has no say in it.
            Self::Policy { .. } => phase != Phase::SetApart,
            Self::Many { player, .. } => player.decides(phase),
        }
    }

    /// Notes a table at which the player is to decide.
    fn note(&mut self, shared: &Shared, place: usize, table: &SeatedTable) {
        match self {
            Self::OneByOne => {}
            Self::Policy { observations, tables, .. } => {
                observations.push(table.observation(shared));
                tables.push(place);
            }
            Self::Many { tables, .. } => tables.push(place),
        }
    }

    /// Decides at all noted tables, which then move on.
    fn answer(&mut self, shared: &Shared, all: &mut [SeatedTable], moving: &mut Vec<usize>) {
        match self {
            Self::OneByOne => {}
            Self::Policy { policy, observations, tables } => {
                let plays = policy.plays();
                policy.logits(observations, &mut |row, logits| {
                    all[tables[row]].choose(shared, plays, logits);
                });
                observations.clear();
                moving.append(tables);
            }
            Self::Many { tables, .. } if tables.is_empty() => {}
            Self::Many { player, tables } => {
                // The views borrow their tables, in the order of these.
                tables.sort_unstable();
                let (mut views, mut rngs) = (Vec::new(), Vec::new());
                let mut next = tables.iter().peekable();
                for (place, table) in all.iter_mut().enumerate() {
                    if next.next_if_eq(&&place).is_some() {
                        let (view, rng) = table.asked(shared);
                        views.push(view);
                        rngs.push(rng);
                    }
                }
                let actions = player.act(&views, &mut rngs);
                for (&place, action) in tables.iter().zip(actions) {
                    match action {
                        Some(action) => all[place].take(shared, action),
                        None => all[place].act_undecided(shared),
                    }
                }
                moving.append(tables);
            }
        }
    }
}

impl SeatedTable {
    /// A row. The hero's gain stands at the hero's current seat.
    fn entry<'a>(&'a self, shared: &'a Shared, gain: i32, over: bool) -> Entry<'a> {
        let mut rewards = [0; MAX_PLAYERS];
        rewards[self.hero] = gain;
        let (view, legal) = (self.view(shared), self.legal);
        Entry { view, legal, rewards, over, change: Change::Anything, encoder: &shared.encoder }
    }
}
