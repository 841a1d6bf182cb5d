//! Any bytes are refused with a message, or are a player that is exported and read back unchanged.
#![no_main]

use newmarket_checkpoints::NetPlayer;
use newmarket_checkpoints::export::{Format, Precision};

libfuzzer_sys::fuzz_target!(|input: &[u8]| match NetPlayer::from_bytes(input) {
    Err(error) => newmarket_fuzz::tells(&error),
    Ok(player) => {
        let written = player.export(Format::Safetensors, Precision::Single).expect("it can be written");
        assert_eq!(NetPlayer::from_bytes(&written).expect("it can be read"), player);
    }
});
