//! Any bytes are refused with a message, or are a checkpoint that is written as the same bytes.
#![no_main]

use newmarket_checkpoints::{Checkpoint, CheckpointSummary};

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    for bytes in [input, &newmarket_fuzz::resealed(input)] {
        match CheckpointSummary::verify(bytes) {
            Err(error) => newmarket_fuzz::tells(&error),
            Ok(_) => {
                let checkpoint = Checkpoint::from_bytes(bytes).expect("it was verified");
                let written = checkpoint.to_bytes().expect("it can be written");
                let again = Checkpoint::from_bytes(&written).expect("it can be read");
                assert_eq!(again.to_bytes().expect("again"), written);
            }
        }
    }
});
