//! The batch: stepping thousands of tables, and what writing their observations takes of it.
//!
//! `cargo bench -p newmarket-env --bench batch`. Every benchmark asserts a digest of what it
//! times. The choices are made before the clock starts: a step is timed alone.

use std::sync::Arc;

use divan::{Bencher, black_box, counter::ItemsCount};
use newmarket_env::{
    Action, ActionMask, Autoreset, BatchEnv, Buffers, Encoder, Env, Episode, Game, MAX_PLAYERS,
    Observation, Rules, Seed, State, seed,
};

const TABLES: usize = 4096;
/// Steps of a sample: short, so that some samples are not interrupted on a busy machine.
const STEPS: usize = 8;
/// Steps before that, until no two tables are at the same point of their deals.
const WARM_UP: usize = 400;

fn main() {
    divan::main();
}

struct Owned {
    observations: Vec<Observation>,
    legal: Vec<ActionMask>,
    seats: Vec<u8>,
    rewards: Vec<[i32; MAX_PLAYERS]>,
    over: Vec<bool>,
}

impl Owned {
    fn new() -> Self {
        Self {
            observations: vec![Observation::BLANK; TABLES],
            legal: vec![ActionMask::NONE; TABLES],
            seats: vec![0; TABLES],
            rewards: vec![[0; MAX_PLAYERS]; TABLES],
            over: vec![false; TABLES],
        }
    }

    fn buffers(&mut self) -> Buffers<'_> {
        Buffers {
            observations: &mut self.observations,
            legal: &mut self.legal,
            seats: &mut self.seats,
            rewards: &mut self.rewards,
            over: &mut self.over,
        }
    }

    /// A number that depends on every reward and every seat.
    fn digest(&self) -> u64 {
        let rewards = self.rewards.iter().flatten().map(|&chips| chips as u64);
        let seats = self.seats.iter().map(|&seat| u64::from(seat));
        rewards.chain(seats).fold(0, |hash, x| (hash ^ x).wrapping_mul(0x0100_0000_01b3))
    }
}

fn game() -> Arc<Game> {
    Arc::new(Game::new(Rules::named("newmarket").expect("a named game"), 4).expect("it seats 4"))
}

fn random_choice(legal: ActionMask, rng: &mut newmarket_env::Rng) -> Action {
    let pick = seed::below(rng, legal.len() as u32) as usize;
    legal.nth(pick).expect("a decision has a choice")
}

/// A batch in the midst of its deals, the choices of the next steps, and the digest after them.
fn script() -> (BatchEnv, Vec<Vec<Action>>, u64) {
    let tables = vec![(game(), Episode::Deal); TABLES];
    let mut batch = BatchEnv::new(tables, Autoreset::SameStep, Seed::new(1));
    let mut owned = Owned::new();
    let mut rng = Seed::new(2).rng();
    batch.observe_all(&mut owned.buffers()).expect("the buffers fit");
    let mut step = |batch: &mut BatchEnv| -> Vec<Action> {
        let actions: Vec<_> = owned.legal.iter().map(|&l| random_choice(l, &mut rng)).collect();
        batch.step(&actions, &mut owned.buffers()).expect("legal");
        actions
    };
    for _ in 0..WARM_UP {
        step(&mut batch);
    }
    let start = batch.clone();
    let steps = (0..STEPS).map(|_| step(&mut batch)).collect();
    (start, steps, owned.digest())
}

/// Decisions through the batch, packed observation and mask written; by threads, 0 for all.
#[divan::bench(args = [1, 2, 0], sample_count = 200, sample_size = 1)]
fn step(bencher: Bencher, threads: usize) {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
    let (start, steps, digest) = script();
    let mut owned = Owned::new();
    bencher
        .counter(ItemsCount::new(STEPS * TABLES))
        .with_inputs(|| start.clone())
        .bench_local_refs(|batch| {
            pool.install(|| {
                for actions in &steps {
                    batch.step(actions, &mut owned.buffers()).expect("legal");
                }
            });
            assert_eq!(owned.digest(), digest, "the steps went another way");
        });
}

/// Observations of every decision of some deals.
#[divan::bench]
fn encode(bencher: Bencher) {
    let mut env = Env::new(game(), Episode::Deal);
    let mut rng = Seed::new(3).rng();
    let mut states: Vec<State> = Vec::new();
    for deal in 0..50 {
        env.reset(Seed::new(deal));
        while !env.is_over() {
            states.push(*env.state());
            let action = random_choice(env.legal(), &mut rng);
            env.step(action).expect("legal");
        }
    }
    let game = env.game().clone();
    let encoder = Encoder::new(&game);
    let of = |state: &State| encoder.encode(&state.view(&game, state.actor().expect("a choice")));
    let count = |observation: &Observation| {
        let mut count = 0;
        observation.for_each_nonzero(|_, _| count += 1);
        count
    };
    let facts: u32 = states.iter().map(|state| count(&of(state))).sum();
    assert_eq!(facts, FACTS, "the observations are others");
    bencher.counter(ItemsCount::new(states.len())).bench_local(|| {
        for state in &states {
            black_box(of(black_box(state)));
        }
    });
}

/// Entries that are not 0 in the observations of [`encode`].
const FACTS: u32 = 61031;
