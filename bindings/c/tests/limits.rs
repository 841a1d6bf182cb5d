//! Limits hold for the whole process, so they have one for themselves.

use std::ptr;

use newmarket_c::abi::{NM_OK, NM_REFUSED, nm_free, nm_limit, nm_new, nm_next, nm_send};
use newmarket_checkpoints::released;

#[test]
fn limits_are_settled_once_and_refuse_players() {
    for (threads, worlds) in [(1, 0), (1, 1_000_001), (5000, 10)] {
        assert_eq!(nm_limit(threads, worlds), NM_REFUSED);
    }
    assert_eq!(nm_limit(1, 300), NM_OK);
    assert_eq!(nm_limit(2, 500), NM_REFUSED);
    assert_eq!(rayon::current_num_threads(), 1);

    let player = released::ALL[0].file;
    // SAFETY: the bytes are there.
    let engine = unsafe { nm_new(player.as_ptr(), player.len(), ptr::null_mut(), 0) };
    let say = |line: &str| {
        // SAFETY: the engine and the line are there.
        let status = unsafe { nm_send(engine, line.as_ptr().cast(), line.len()) };
        // SAFETY: the engine is there, and no length is asked for.
        let reply = unsafe { nm_next(engine, ptr::null_mut()) };
        assert!(status == NM_OK && !reply.is_null());
        // SAFETY: a line ends with a zero.
        unsafe { std::ffi::CStr::from_ptr(reply) }.to_str().expect("UTF-8").to_owned()
    };
    say(r#"{"type":"open","table":"a","rules":{"base":"michigan"},"players":4,"seed":"7"}"#);
    let ask = |player: &str| {
        say(&format!(r#"{{"type":"ask","id":"1","table":"a","player":"{player}"}}"#))
    };
    for player in ["pimc:301", "ismcts:1000,playout=longest", "net:player+pimc:301"] {
        let reply = ask(player);
        assert!(reply.contains("expected at most 300 worlds"), "{player}: {reply}");
    }
    for player in ["pimc:300", "ismcts:2,playout=longest", "net:player+search:16", "stopper"] {
        let reply = ask(player);
        assert!(reply.starts_with(r#"{"type":"answer""#), "{player}: {reply}");
    }
    // SAFETY: nobody uses it any more.
    unsafe { nm_free(engine) };
}
