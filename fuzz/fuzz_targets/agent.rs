//! Any word is refused with a message, or names an agent. Networks in files are left out.
#![no_main]

use std::time::Duration;

use newmarket_checkpoints::{released, roster};

libfuzzer_sys::fuzz_target!(|name: &str| {
    let file = roster::network(name)
        .is_some_and(|net| net.path.to_str().is_none_or(|path| released::named(path).is_none()));
    if !file && let Err(error) = roster::agent(name, || Duration::ZERO) {
        newmarket_fuzz::tells(&error);
    }
});
