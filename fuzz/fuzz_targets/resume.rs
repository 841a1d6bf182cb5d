//! A trainer reads a valid checkpoint with any manifest: it refuses it with a message, or has a state.
#![no_main]

use std::path::Path;
use std::sync::LazyLock;

use newmarket_checkpoints::Checkpoint;
use newmarket_train::{Config, RunState};

static CONFIG: LazyLock<Config> = LazyLock::new(|| {
    let mut config = Config::preset("quick").expect("a preset");
    config.network.hidden = vec![1];
    config
});

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    let Some(bytes) = newmarket_fuzz::described(input) else { return };
    let Ok(checkpoint) = Checkpoint::from_bytes(&bytes) else { return };
    match RunState::from_checkpoint(&CONFIG, &checkpoint, Path::new("update-000001.ckpt")) {
        Ok(state) => drop(state.player(&CONFIG)),
        Err(error) => newmarket_fuzz::tells(&error),
    }
});
