//! A batch does, table by table, what single environments do.

use std::sync::Arc;

use newmarket_env::{
    Action, Autoreset, BatchEnv, BatchError, Buffers, Env, Episode, Game, Legal, Observation,
    Rules, Seed, seed,
};

const TABLES: usize = 150;

struct Owned {
    observations: Vec<Observation>,
    legal: Vec<Legal>,
    seats: Vec<u8>,
    rewards: Vec<[i32; 8]>,
    over: Vec<bool>,
}

impl Owned {
    fn new() -> Self {
        Self {
            observations: vec![Observation::BLANK; TABLES],
            legal: vec![Legal::NONE; TABLES],
            seats: vec![0; TABLES],
            rewards: vec![[0; 8]; TABLES],
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
}

fn game(name: &str, players: usize) -> Arc<Game> {
    Arc::new(Game::new(Rules::named(name).unwrap(), players).unwrap())
}

/// The table's choice at a step: any function of both will do.
fn pick(legal: Legal, table: usize, step: usize) -> Action {
    let mut rng = Seed::new(step as u64).child(table as u64).rng();
    legal.nth(seed::below(&mut rng, legal.len().max(1) as u32) as usize).unwrap_or(Action::KEEP)
}

fn equals_single(name: &str, players: usize, episode: Episode, autoreset: Autoreset) {
    let (game, seed) = (game(name, players), Seed::new(3));
    let mut batch = BatchEnv::new(&game, episode, TABLES, autoreset, seed);
    let mut singles: Vec<(Env, u64)> = (0..TABLES)
        .map(|table| {
            let mut env = Env::new(game.clone(), episode);
            env.reset(seed.child(table as u64).child(0));
            (env, 0)
        })
        .collect();
    let mut owned = Owned::new();
    batch.observe_all(&mut owned.buffers()).unwrap();
    let mut ends = 0;
    for step in 0..400 {
        let actions: Vec<Action> =
            (0..TABLES).map(|table| pick(owned.legal[table], table, step)).collect();
        batch.step(&actions, &mut owned.buffers()).unwrap();
        for (table, (env, episode)) in singles.iter_mut().enumerate() {
            let mut rewards = [0; 8];
            let mut next = |env: &mut Env| {
                *episode += 1;
                env.reset(seed.child(table as u64).child(*episode));
            };
            let over = if env.is_over() {
                if autoreset == Autoreset::NextStep {
                    next(env);
                }
                env.is_over()
            } else {
                env.step(actions[table]).unwrap();
                rewards[..players].copy_from_slice(env.rewards());
                let over = env.is_over();
                if over && autoreset == Autoreset::SameStep {
                    let end = batch.observe_final(table, 1).expect("an episode has ended");
                    assert_eq!(end, env.observe(1));
                    next(env);
                }
                over
            };
            ends += usize::from(over);
            assert_eq!(owned.over[table], over, "step {step} table {table}");
            assert_eq!(owned.rewards[table], rewards);
            assert_eq!(owned.seats[table] as usize, env.seat());
            assert_eq!(owned.legal[table], env.legal());
            assert_eq!(owned.observations[table], Observation::of(&env.observe(env.seat())));
        }
    }
    assert!(ends >= TABLES, "{ends} episodes ended");
}

#[test]
fn equals_single_environments() {
    for autoreset in [Autoreset::NextStep, Autoreset::SameStep, Autoreset::Disabled] {
        equals_single("newmarket", 4, Episode::Deal, autoreset);
        equals_single("michigan-auction", 6, Episode::Deal, autoreset);
        equals_single("four-horses", 2, Episode::Session, autoreset);
    }
}

#[test]
fn threads_make_no_difference() {
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut batch = BatchEnv::new(
                &game("newmarket-buy", 5),
                Episode::Deal,
                TABLES,
                Autoreset::SameStep,
                Seed::new(9),
            );
            let mut owned = Owned::new();
            batch.observe_all(&mut owned.buffers()).unwrap();
            let mut seen = Vec::new();
            for step in 0..100 {
                let actions: Vec<Action> =
                    (0..TABLES).map(|table| pick(owned.legal[table], table, step)).collect();
                batch.step(&actions, &mut owned.buffers()).unwrap();
                seen.push((owned.observations.clone(), owned.rewards.clone()));
            }
            seen
        })
    };
    let one = run(1);
    assert!(one == run(2) && one == run(3));
}

#[test]
fn a_refused_step_changes_nothing() {
    let mut batch = BatchEnv::new(
        &game("newmarket", 4),
        Episode::Deal,
        TABLES,
        Autoreset::NextStep,
        Seed::new(1),
    );
    let mut owned = Owned::new();
    batch.observe_all(&mut owned.buffers()).unwrap();
    let before = owned.observations.clone();
    let mut actions = vec![Action::chip(2); TABLES];
    actions[70] = Action::BID;
    actions[99] = Action::BID;
    let error = batch.step(&actions, &mut owned.buffers()).unwrap_err();
    assert!(matches!(error, BatchError::Illegal { table: 70, .. }), "{error}");
    assert!(error.to_string().starts_with("table 70: seat "), "{error}");
    let short = batch.step(&actions[1..], &mut owned.buffers()).unwrap_err();
    assert_eq!(short.to_string(), "actions has 149 entries, expected 150");
    batch.observe_all(&mut owned.buffers()).unwrap();
    assert!(owned.observations == before);
}
