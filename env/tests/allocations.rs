//! A step of a batch allocates nothing. Alone in its test binary: it counts what the whole
//! process allocates.

mod common;

use std::alloc::System;
use std::sync::Arc;

use common::{all_tables, buffers::Owned, draw};
use newmarket_env::{
    Action, ActionMask, Autoreset, BatchEnv, DealStarts, Episode, Game, Observation,
    PlainObservations, PlainRewards, PlainRows, Seed,
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
    let mut observations = vec![[0.0; Observation::LEN]; count];
    let mut mask = vec![[0; Action::COUNT]; count];
    let mut rest = Owned::new(count);
    let mut rewards = vec![0.0; count];
    let mut rows = PlainRows {
        observations: PlainObservations::F32(&mut observations),
        mask: &mut mask,
        seats: &mut rest.seats,
        rewards: PlainRewards::Actor(&mut rewards),
        over: &mut rest.over,
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
                twin.step(&actions, &mut rows).expect("legal");
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
