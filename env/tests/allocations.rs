//! A step of a batch allocates nothing. Alone in its test binary: it counts what the whole
//! process allocates.

mod common;

use std::alloc::System;
use std::sync::Arc;

use common::{all_tables, buffers::Owned, draw};
use ndarray::{Array1, Array2};
use newmarket_env::{
    Action, ActionMask, Arrays, Autoreset, BatchEnv, DealStarts, Episode, Game, MAX_PLAYERS,
    Observation, Seed,
};
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

const STEPS: usize = 300;

fn choose(legal: &[ActionMask], actions: &mut [Action], step: usize) {
    let mut rng = Seed::new(step as u64).rng();
    for (action, legal) in actions.iter_mut().zip(legal) {
        *action = legal.nth(draw(&mut rng, legal.len().max(1))).unwrap_or(Action::KEEP);
    }
}

#[test]
fn no_step_allocates() {
    let tables: Vec<(Arc<Game>, Episode)> = all_tables()
        .into_iter()
        .flat_map(|game| {
            let game = Arc::new(game);
            let deal_starts = Arc::new(DealStarts::random(&game, 2, Seed::new(1)));
            [Episode::Deal, Episode::Carried(deal_starts), Episode::Session]
                .map(|episode| (game.clone(), episode))
        })
        .collect();
    let count = tables.len();
    let mut owned = Owned::new(count);
    let mut actions = vec![Action::KEEP; count];
    let mut observations = Array2::zeros([count, Observation::LEN]);
    let mut legal = Array2::default([count, Action::COUNT]);
    let mut seats = Array1::zeros(count);
    let mut rewards = Array2::zeros([count, MAX_PLAYERS]);
    let mut over = Array1::default(count);
    let mut arrays = Arrays {
        observations: observations.view_mut(),
        legal: legal.view_mut(),
        seats: seats.view_mut(),
        rewards: rewards.view_mut(),
        over: over.view_mut(),
    };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().expect("two threads");
    // Each thread sets itself up when it first takes over work.
    pool.broadcast(|_| ());
    for autoreset in [Autoreset::NextStep, Autoreset::SameStep, Autoreset::Disabled] {
        let mut batch = BatchEnv::new(tables.iter().cloned(), autoreset, Seed::new(2));
        let mut twin = batch.clone();
        batch.observe_all(&mut owned.buffers()).expect("they fit");
        let mut ends = 0;
        pool.install(|| {
            let region = Region::new(ALLOCATOR);
            for step in 0..STEPS {
                choose(&owned.legal, &mut actions, step);
                batch.step(&actions, &mut owned.buffers()).expect("legal");
                twin.step(&actions, &mut arrays).expect("legal");
                ends += owned.over.iter().filter(|&&over| over).count();
                if autoreset == Autoreset::Disabled && step % 40 == 39 {
                    for table in 0..count {
                        batch.reset_table(table);
                        twin.reset_table(table);
                    }
                    batch.observe_all(&mut owned.buffers()).expect("they fit");
                }
            }
            let change = region.change();
            assert_eq!((change.allocations, change.reallocations), (0, 0), "{autoreset:?}");
        });
        assert!(ends > count, "only {ends} episodes ended");
    }
    let region = Region::new(ALLOCATOR);
    drop(std::hint::black_box(vec![0_u8; 100]));
    assert_eq!(region.change().allocations, 1, "an allocation would have been seen");
}
