//! The law `trace` of `env/tests/fuzz`.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| newmarket_fuzz::law("trace", input));
