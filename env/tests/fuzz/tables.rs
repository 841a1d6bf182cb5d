//! A batch of three tables, of which the middle one is played: all that the fuzz targets know of
//! [`BatchEnv`].

use std::sync::Arc;

use newmarket_env::{
    Action, ActionMask, Autoreset, BatchEnv, BatchError, Episode, Game, IllegalAction, Observation,
    PlainObservations, PlainRewards, PlainRows, Seed, View,
};

const TABLES: usize = 3;
const MIDDLE: usize = 1;

/// What a batch writes of a table.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Row {
    pub(crate) observation: Observation,
    pub(crate) legal: ActionMask,
    pub(crate) seat: usize,
    pub(crate) rewards: [i32; 8],
    pub(crate) over: bool,
}

/// The batch, with rows in place. The other tables take the first action that is legal, whatever it is.
pub(crate) struct Tables {
    batch: BatchEnv,
    pub(crate) autoreset: Autoreset,
    observations: [[u8; Observation::BYTES]; TABLES],
    mask: [[i8; Action::COUNT]; TABLES],
    seats: [u8; TABLES],
    rewards: [[f32; 8]; TABLES],
    over: [bool; TABLES],
}

impl Tables {
    pub(crate) fn new(
        game: &Arc<Game>,
        episode: Episode,
        autoreset: Autoreset,
        seed: Seed,
    ) -> Self {
        let tables = vec![(game.clone(), episode); TABLES];
        let batch = BatchEnv::new(tables, autoreset, seed);
        let mut tables = Self {
            batch,
            autoreset,
            observations: [[0; Observation::BYTES]; TABLES],
            mask: [[0; Action::COUNT]; TABLES],
            seats: [0; TABLES],
            rewards: [[0.0; 8]; TABLES],
            over: [false; TABLES],
        };
        tables.look();
        tables
    }

    /// The seed of an episode of the middle table.
    pub(crate) fn seed(root: Seed, episode: u64) -> Seed {
        root.child(MIDDLE as u64).child(episode)
    }

    fn rows(&mut self) -> (&mut BatchEnv, PlainRows<'_>) {
        let Self { batch, observations, mask, seats, rewards, over, .. } = self;
        let observations = PlainObservations::PackedInPlace(observations);
        let rewards = PlainRewards::Seats(rewards);
        (batch, PlainRows { observations, mask, seats, rewards, over })
    }

    /// The legal actions of a table, as the last call has written them.
    fn legal(&self, table: usize) -> ActionMask {
        let legal = Action::ALL.into_iter().filter(|action| self.mask[table][action.index()] == 1);
        legal.collect()
    }

    /// The middle table as it stands.
    pub(crate) fn look(&mut self) -> Row {
        let (batch, mut rows) = self.rows();
        batch.observe_all(&mut rows).expect("the rows fit");
        self.row()
    }

    /// The middle table as the last call has written it.
    pub(crate) fn row(&self) -> Row {
        Row {
            observation: Observation::from_bytes(self.observations[MIDDLE]).expect("a row"),
            legal: self.legal(MIDDLE),
            seat: self.seats[MIDDLE].into(),
            rewards: self.rewards[MIDDLE].map(|chips| chips as i32),
            over: self.over[MIDDLE],
        }
    }

    pub(crate) fn step(&mut self, action: Action) -> Result<Row, IllegalAction> {
        let any = |table| self.legal(table).first().unwrap_or(Action::KEEP);
        let mut actions: [Action; TABLES] = std::array::from_fn(any);
        actions[MIDDLE] = action;
        let (batch, mut rows) = self.rows();
        match batch.step(&actions, &mut rows) {
            Ok(()) => Ok(self.row()),
            Err(BatchError::Illegal { table: MIDDLE, source }) => Err(source),
            Err(error) => panic!("{error}"),
        }
    }

    pub(crate) fn reset(&mut self) -> Row {
        self.batch.reset_table(MIDDLE);
        self.look()
    }

    pub(crate) fn observe(&self, seat: usize) -> View<'_> {
        self.batch.observe(MIDDLE, seat)
    }

    pub(crate) fn observe_final(&self, seat: usize) -> Option<View<'_>> {
        self.batch.observe_final(MIDDLE, seat)
    }
}
