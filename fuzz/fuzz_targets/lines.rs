//! The library for C panics on no input of a host, and each of its lines is JSON.
//!
//! Lines of the input go to `nm_send`. A line `#N` is the action of number N at a table. A panic ends the process, so
//! the fuzzer finds it.
#![no_main]

use std::ptr;
use std::sync::OnceLock;

use newmarket_c::abi::{
    NM_ABI, NM_ACTIONS, NM_BY_PLAYER, NM_FAILED, NM_INPUTS, NM_MORE, nm_abi, nm_act, nm_free,
    nm_new, nm_next, nm_observe, nm_send, nm_work,
};
use newmarket_checkpoints::{Checkpoint, Encoding, Provenance};
use newmarket_net::{NetConfig, Weights};

/// The most steps of work for a line. More would not find more.
const MOST_WORK: usize = 4;

/// A small player, since the library reads it anew for each input.
fn player() -> &'static [u8] {
    static PLAYER: OnceLock<Vec<u8>> = OnceLock::new();
    PLAYER.get_or_init(|| {
        let net = NetConfig { inputs: NM_INPUTS, hidden: vec![4], actions: NM_ACTIONS };
        let run = Provenance { encoding: Encoding::current(), ..Provenance::default() };
        let player = Checkpoint::new(run, Weights::init(&net, 7));
        player.to_bytes().expect("a small network")
    })
}

libfuzzer_sys::fuzz_target!(|lines: &[u8]| {
    assert_eq!(nm_abi(), NM_ABI);
    let player = player();
    // SAFETY: the bytes are valid, and no message is asked for.
    let engine = unsafe { nm_new(player.as_ptr(), player.len(), ptr::null_mut(), 0) };
    assert!(!engine.is_null());
    let (mut row, mut legal) = ([0.0; NM_INPUTS], [0; NM_ACTIONS]);
    for line in lines.split(|&byte| byte == b'\n') {
        let status = if let Some(action) = line.strip_prefix(b"#") {
            let number = std::str::from_utf8(action).ok().and_then(|text| text.parse().ok());
            // SAFETY: the engine is alive, the table's name has one byte, and the arrays have room.
            unsafe {
                nm_observe(engine, c"a".as_ptr(), 1, row.as_mut_ptr(), legal.as_mut_ptr());
                nm_act(engine, c"a".as_ptr(), 1, number.unwrap_or(NM_BY_PLAYER))
            }
        } else {
            // SAFETY: the engine is alive, and the line has this length.
            unsafe { nm_send(engine, line.as_ptr().cast(), line.len()) }
        };
        assert_ne!(status, NM_FAILED);
        for _ in 0..MOST_WORK {
            // SAFETY: the engine is alive.
            if unsafe { nm_work(engine) } != NM_MORE {
                break;
            }
        }
        loop {
            let mut len = 0;
            // SAFETY: the engine is alive, and `len` has room for the length.
            let line = unsafe { nm_next(engine, &raw mut len) };
            if line.is_null() {
                break;
            }
            // SAFETY: the library keeps this many bytes valid until the next call.
            let line = unsafe { std::slice::from_raw_parts(line.cast::<u8>(), len) };
            serde_json::from_slice::<serde_json::Value>(line).expect("every line is JSON");
        }
    }
    // SAFETY: the engine is not used again.
    unsafe { nm_free(engine) };
});
