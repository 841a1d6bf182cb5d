//! Environments that follow a course: [`Env`](newmarket_env::Env), and a batch of each autoreset.

use std::sync::Arc;

use newmarket_env::{
    Action, ActionMask, Autoreset, Env, Episode, Game, IllegalAction, Observation, Seed, State,
};

use super::tables::{Row, Tables};

/// The environments, which know of the course only the decisions that are a choice.
pub(crate) struct Follow {
    env: Env,
    batches: [Tables; 3],
    root: Seed,
    steps: usize,
    /// Chips that each seat has gained since the last decision, as the course counts them.
    gained: [i32; 8],
}

impl Follow {
    /// Environments whose episode is that of [`Tables::seed`].
    pub(crate) fn new(game: &Arc<Game>, episode: &Episode, root: Seed) -> Self {
        let mut env = Env::new(game.clone(), episode.clone());
        env.reset(Tables::seed(root, 0));
        let batches = [Autoreset::NextStep, Autoreset::SameStep, Autoreset::Disabled]
            .map(|autoreset| Tables::new(game, episode.clone(), autoreset, root));
        Self { env, batches, root, steps: 0, gained: [0; 8] }
    }

    /// Chips have moved.
    pub(crate) fn gain(&mut self, before: &[i32; 8], after: &[i32; 8]) {
        for (seat, gained) in self.gained.iter_mut().enumerate() {
            *gained += after[seat] - before[seat];
        }
    }

    /// The rewards that are due. What is paid before the first decision is in those of the first
    /// step.
    fn due_rewards(&mut self) -> [i32; 8] {
        if self.steps == 0 { [0; 8] } else { std::mem::take(&mut self.gained) }
    }

    /// All stand at this decision.
    pub(crate) fn stand_at(&mut self, state: &State) {
        let rewards = self.due_rewards();
        assert!(!self.env.is_over(), "the environment has ended at {state:?}");
        assert_eq!(self.env.state(), state, "the environment plays another deal");
        self.check_env(&rewards);
        for tables in &self.batches {
            let row = tables.row();
            check_row(&row, &self.env, &rewards, false);
            for seat in [row.seat, (row.seat + 1) % self.env.game().players()] {
                assert_eq!(tables.observe(seat), self.env.observe(seat));
            }
        }
    }

    fn check_env(&self, rewards: &[i32; 8]) {
        let players = self.env.game().players();
        assert_eq!(self.env.rewards(), &rewards[..players], "rewards of step {}", self.steps);
        assert_eq!(self.env.legal(), self.env.observe(self.env.seat()).legal());
    }

    /// All take the decision.
    pub(crate) fn step(&mut self, action: Action) {
        self.steps += 1;
        self.env.step(action).expect("it is legal");
        for tables in &mut self.batches {
            tables.step(action).expect("it is legal");
        }
    }

    /// All refuse the action, with this error, and stay as they are.
    pub(crate) fn refuse(&mut self, action: Action, error: &IllegalAction) {
        let (state, rewards) = (*self.env.state(), self.env.rewards().to_vec());
        assert_eq!(self.env.step(action).as_ref(), Err(error));
        assert_eq!((self.env.state(), self.env.rewards()), (&state, &rewards[..]));
        for tables in &mut self.batches {
            let before = tables.row();
            assert_eq!(tables.step(action).as_ref(), Err(error));
            assert_eq!(tables.row(), before, "a refused step writes nothing");
            let looks = Row { rewards: [0; 8], ..before.clone() };
            assert_eq!(tables.look(), looks, "a refused step changes nothing");
        }
    }

    /// The episode ends like this; each batch goes on as its autoreset says.
    pub(crate) fn end_at(mut self, state: &State) {
        let rewards = self.due_rewards();
        assert!(self.env.is_over(), "the environment goes on after {state:?}");
        assert_eq!(self.env.state(), state, "the environment has played another deal");
        assert!(self.env.legal().is_empty());
        if self.steps == 0 {
            // There was nothing to decide, nor a step with rewards.
            return self.batches.iter_mut().for_each(|tables| assert!(tables.look().over));
        }
        self.check_env(&rewards);
        let mut next = self.env.clone();
        next.reset(Tables::seed(self.root, 1));
        for tables in &mut self.batches {
            let row = tables.row();
            match tables.autoreset {
                Autoreset::NextStep => {
                    check_row(&row, &self.env, &rewards, true);
                    let row = tables.step(Action::FOLD).expect("the action is ignored");
                    // Of an episode that was over when it began, the rewards are here.
                    let mut begun = [0; 8];
                    begun[..next.rewards().len()].copy_from_slice(next.rewards());
                    check_row(&row, &next, &begun, next.is_over());
                }
                Autoreset::SameStep => {
                    check_row(&row, &next, &rewards, true);
                    for seat in 0..self.env.game().players() {
                        assert_eq!(tables.observe_final(seat), Some(self.env.observe(seat)));
                    }
                }
                Autoreset::Disabled => {
                    check_row(&row, &self.env, &rewards, true);
                    let row = tables.step(Action::FOLD).expect("the action is ignored");
                    check_row(&row, &self.env, &[0; 8], true);
                    check_row(&tables.reset(), &next, &[0; 8], next.is_over());
                }
            }
        }
    }
}

/// A row says how an environment stands.
fn check_row(row: &Row, env: &Env, rewards: &[i32; 8], over: bool) {
    assert_eq!((row.rewards, row.over), (*rewards, over));
    assert_eq!((row.seat, row.legal), (env.seat(), env.legal()));
    assert_eq!(row.legal == ActionMask::NONE, env.is_over());
    assert_eq!(row.observation, Observation::of(&env.observe(row.seat)));
}
