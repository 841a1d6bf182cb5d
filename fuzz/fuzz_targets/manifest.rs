//! Any manifest in a file whose hashes and seal are right is refused in words, or read.
#![no_main]

use newmarket_checkpoints::CheckpointSummary;

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    if let Some(bytes) = newmarket_fuzz::described(input)
        && let Err(error) = CheckpointSummary::verify(&bytes)
    {
        newmarket_fuzz::tells(&error);
    }
});
