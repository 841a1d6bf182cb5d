//! A single-threaded batch starts no threads. Alone in this program, so that no other test does.

#![cfg(target_os = "linux")]

mod common;

use std::sync::Arc;

use common::buffers::Owned;
use common::{pick, table};
use newmarket_env::{Action, ActionMask, Autoreset, BatchEnv, Episode, Seed};

/// Far more than one task of the pool steps.
const TABLES: usize = 600;

fn threads() -> usize {
    std::fs::read_dir("/proc/self/task").expect("the threads of this program").count()
}

/// All that a run of some steps shows.
fn run(mut batch: BatchEnv) -> Vec<Owned> {
    let mut shown = Owned::new(TABLES);
    batch.observe_all(&mut shown.buffers()).expect("they fit");
    let mut rng = Seed::new(2).rng();
    let steps = (0..60).map(|_| {
        let any = |legal: &ActionMask| pick(*legal, &mut rng);
        let actions: Vec<Action> = shown.legal.iter().map(any).collect();
        batch.step(&actions, &mut shown.buffers()).expect("they are legal");
        shown.clone()
    });
    steps.collect()
}

#[test]
fn a_single_threaded_batch_starts_no_pool() {
    let game = Arc::new(table("newmarket", 4));
    let tables = (0..TABLES).map(|_| (game.clone(), Episode::Session));
    let batch = BatchEnv::new(tables, Autoreset::SameStep, Seed::new(1));
    let before = threads();
    let alone = run(batch.clone().single_threaded());
    assert_eq!(threads(), before, "no thread was started");
    assert_eq!(run(batch), alone, "the threads of a pool make no difference");
    assert!(threads() > before, "and a pool would have been seen");
}
