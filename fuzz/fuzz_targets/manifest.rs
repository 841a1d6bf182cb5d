//! Any manifest in a file with right hashes and seal is refused with a message, or read.
#![no_main]

use newmarket_checkpoints::CheckpointSummary;

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    if let Some(bytes) = newmarket_fuzz::described(input)
        && let Err(error) = CheckpointSummary::verify(&bytes)
    {
        newmarket_fuzz::tells(&error);
    }
});
