//! A batch of three tables, of which the middle one is played: all that the fuzz targets know of
//! [`BatchEnv`].

use std::sync::Arc;

use newmarket_env::{
    Action, ActionMask, Autoreset, BatchEnv, BatchError, Buffers, Episode, Game, IllegalAction,
    InPlace, Observation, Seed, View,
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

/// The batch. The other tables take the first action that is legal, whatever it is.
pub(crate) struct Tables {
    batch: BatchEnv,
    pub(crate) autoreset: Autoreset,
    observations: Vec<Observation>,
    legal: Vec<ActionMask>,
    seats: Vec<u8>,
    rewards: Vec<[i32; 8]>,
    over: Vec<bool>,
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
            observations: vec![Observation::BLANK; TABLES],
            legal: vec![ActionMask::NONE; TABLES],
            seats: vec![0; TABLES],
            rewards: vec![[0; 8]; TABLES],
            over: vec![false; TABLES],
        };
        tables.look();
        tables
    }

    /// The seed of an episode of the middle table.
    pub(crate) fn seed(root: Seed, episode: u64) -> Seed {
        root.child(MIDDLE as u64).child(episode)
    }

    fn buffers(&mut self) -> (&mut BatchEnv, Buffers<'_>) {
        let Self { batch, observations, legal, seats, rewards, over, .. } = self;
        (batch, Buffers { observations, legal, seats, rewards, over })
    }

    /// The middle table as it stands.
    pub(crate) fn look(&mut self) -> Row {
        let (batch, mut buffers) = self.buffers();
        batch.observe_all(&mut buffers).expect("the buffers fit");
        self.row()
    }

    /// The middle table as the last call has written it.
    pub(crate) fn row(&self) -> Row {
        Row {
            observation: self.observations[MIDDLE],
            legal: self.legal[MIDDLE],
            seat: self.seats[MIDDLE].into(),
            rewards: self.rewards[MIDDLE],
            over: self.over[MIDDLE],
        }
    }

    pub(crate) fn step(&mut self, action: Action) -> Result<Row, IllegalAction> {
        let any = |legal: &ActionMask| legal.first().unwrap_or(Action::KEEP);
        let mut actions: Vec<Action> = self.legal.iter().map(any).collect();
        actions[MIDDLE] = action;
        let (batch, buffers) = self.buffers();
        match batch.step(&actions, &mut InPlace(buffers)) {
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
