//! What a caller in C may get wrong: it is refused, and what was right before stays so.

use std::ffi::{CStr, c_char};
use std::ptr;

use newmarket_c::abi::{
    NM_ACTIONS, NM_BY_PLAYER, NM_INPUTS, NM_MORE, NM_OK, NM_POINTER, NM_QUIT, NM_REFUSED, NM_TEXT,
    NmEngine, nm_act, nm_forward, nm_free, nm_new, nm_next, nm_observe, nm_send, nm_work,
};
use newmarket_checkpoints::{Checkpoint, Encoding, Provenance, released};
use newmarket_net::{NetConfig, Weights};

/// A library with a player, and a table.
struct Library(*mut NmEngine);

impl Library {
    fn new(player: &[u8]) -> Self {
        // SAFETY: the bytes are there.
        let engine = unsafe { nm_new(player.as_ptr(), player.len(), ptr::null_mut(), 0) };
        assert!(!engine.is_null());
        Self(engine)
    }

    fn small() -> Self {
        let net = NetConfig { inputs: NM_INPUTS, hidden: vec![4], actions: NM_ACTIONS };
        let run = Provenance { encoding: Encoding::current(), ..Provenance::default() };
        let player = Checkpoint::new(run, Weights::init(&net, 7));
        Self::new(&player.to_bytes().expect("a small network"))
    }

    fn send(&self, line: &str) -> i32 {
        // SAFETY: the engine is alive, and the line has so many bytes.
        unsafe { nm_send(self.0, line.as_ptr().cast(), line.len()) }
    }

    fn next(&self) -> Option<String> {
        let mut len = 0;
        // SAFETY: the engine is alive, and a number has room.
        let said = unsafe { nm_next(self.0, &raw mut len) };
        if said.is_null() {
            return None;
        }
        // SAFETY: a zero stands at the end.
        let text = unsafe { CStr::from_ptr(said) }.to_str().expect("UTF-8").to_owned();
        assert_eq!(text.len(), len);
        Some(text)
    }

    /// All that is said to a line, once all work is done.
    fn say(&self, line: &str) -> Vec<String> {
        assert_eq!(self.send(line), NM_OK);
        // SAFETY: the engine is alive.
        while unsafe { nm_work(self.0) } == NM_MORE {}
        std::iter::from_fn(|| self.next()).collect()
    }

    fn act(&self, table: &str, action: i32) -> i32 {
        // SAFETY: the engine is alive, and the name has so many bytes.
        unsafe { nm_act(self.0, table.as_ptr().cast(), table.len(), action) }
    }
}

impl Drop for Library {
    fn drop(&mut self) {
        // SAFETY: it is not used any more.
        unsafe { nm_free(self.0) };
    }
}

const OPEN: &str =
    r#"{"type":"open","table":"a","rules":{"base":"michigan"},"players":4,"seed":"7"}"#;

#[test]
#[expect(clippy::multiple_unsafe_ops_per_block, reason = "each is refused for the same reason")]
fn null_is_refused_wherever_something_must_be() {
    let library = Library::small();
    let engine = library.0;
    let nothing = ptr::null_mut::<NmEngine>();
    let text = c"a".as_ptr();
    let mut rows = [0.0; NM_INPUTS];
    // SAFETY: null is what is tried; what is not null is there.
    unsafe {
        nm_free(ptr::null_mut());
        assert!(nm_new(ptr::null(), 5, ptr::null_mut(), 0).is_null());
        assert!(nm_next(nothing, ptr::null_mut()).is_null());
        assert_eq!(nm_send(nothing, text, 1), NM_POINTER);
        assert_eq!(nm_send(engine, ptr::null(), 1), NM_POINTER);
        assert_eq!(nm_send(engine, text, usize::MAX), NM_POINTER);
        assert_eq!(nm_work(nothing), NM_POINTER);
        assert_eq!(
            nm_observe(engine, ptr::null(), 1, ptr::null_mut(), ptr::null_mut()),
            NM_POINTER
        );
        assert_eq!(nm_act(nothing, text, 1, NM_BY_PLAYER), NM_POINTER);
        assert_eq!(nm_act(engine, c"\xff".as_ptr(), 1, NM_BY_PLAYER), NM_TEXT);
        let none = (ptr::null_mut(), ptr::null_mut(), ptr::null_mut(), ptr::null_mut());
        let forward = |rows: *const f32, n: usize| {
            nm_forward(engine, rows, ptr::null(), n, none.0, none.1, none.2, none.3)
        };
        assert_eq!(forward(ptr::null(), 1), NM_POINTER);
        assert_eq!(forward(rows.as_ptr(), usize::MAX), NM_POINTER);
        assert_eq!(forward(rows.as_mut_ptr().cast::<u8>().add(1).cast(), 1), NM_POINTER);
        assert_eq!((forward(rows.as_ptr(), 1), forward(ptr::null(), 0)), (NM_OK, NM_OK));
    }
    assert_eq!(library.next(), None);
    assert_eq!(library.say(OPEN).len(), 1);
}

#[test]
fn a_file_that_is_none_says_so_in_the_room_there_is() {
    let player = released::ALL[0].file;
    for (room, due) in [(400, 20), (8, 7), (1, 0)] {
        let mut problem = vec![1; room];
        let at: *mut c_char = problem.as_mut_ptr();
        // SAFETY: the bytes are there, and the message has the room that is told.
        let engine = unsafe { nm_new(player.as_ptr(), 1_000, at, room) };
        assert!(engine.is_null());
        // SAFETY: a zero stands at the end.
        let text = unsafe { CStr::from_ptr(at) }.to_str().expect("UTF-8");
        assert!("it is no file of a player, or it is cut off".starts_with(text), "{text}");
        assert!(text.len() >= due && text.len() < room);
    }
}

/// Named strategies and strategies in a message, over the players of the library.
#[test]
fn strategies_are_players_here() {
    let library = Library::small();
    library.say(OPEN);
    let ask = |player: &str| {
        library.say(&format!(r#"{{"type":"ask","id":"1","table":"a","player":{player}}}"#)).concat()
    };
    let file = include_str!("../../../agents/strategies/examples/keep-the-lead.toml");
    let file = newmarket_checkpoints::strategy_from_toml(file, "keep-the-lead.toml");
    let example = format!(r#"{{"strategy":{}}}"#, file.expect("a strategy").json());
    for player in [
        &*example,
        r#""basic""#,
        r#"{"strategy":{"base":"net:player","lead":["most cards"],"dead_hand":["keep"]}}"#,
        r#"{"strategy":{"base":"net:easy"}}"#,
        r#"{"strategy":{"bases":{"lead":{"base":"first"},"ante":"random"}}}"#,
    ] {
        assert!(ask(player).contains(r#""type":"answer""#), "{player}: {}", ask(player));
    }
    for (player, part) in [
        (r#""strategy:mine.toml""#, "unknown player"),
        (r#"{"strategy":{"base":"strategy:mine.toml"}}"#, "is a file"),
        (r#"{"strategy":{"base":"net:player+search:4","lead":["cards"]}}"#, "cannot choose among"),
        (r#"{"strategy":{"base":"net:mine.ckpt"}}"#, "unknown player"),
    ] {
        assert!(ask(player).contains(part), "{player}: {}", ask(player));
    }
}

#[test]
fn a_line_or_an_action_that_is_refused_changes_nothing() {
    let library = Library::small();
    let before = library.say(OPEN);
    let state = r#"{"type":"state","table":"a"}"#;
    for line in ["", "{", "\u{fffd}", "[]", r#"{"type":"next","table":"a"}"#] {
        let said = library.say(line);
        assert!(said.len() == 1 && said[0].contains(r#""type":"error""#), "{said:?}");
    }
    for (table, action) in [("b", NM_BY_PLAYER), ("a", 73), ("a", 74), ("a", -2), ("a", i32::MAX)] {
        assert_eq!(library.act(table, action), NM_REFUSED, "{table} {action}");
        assert!(library.next().is_some_and(|line| line.contains(r#""type":"error""#)));
    }
    assert_eq!(library.say(state), before);
    assert_eq!(library.act("a", NM_BY_PLAYER), NM_OK);
    assert!(library.next().is_some_and(|line| line.contains(r#""type":"did""#)));
    assert_ne!(library.say(state), before);
    assert_eq!((library.send(r#"{"type":"quit"}"#), library.send(state)), (NM_OK, NM_QUIT));
}

#[test]
fn a_row_without_a_legal_action_is_refused() {
    let library = Library::small();
    let (rows, legal) = ([0.0; 2 * NM_INPUTS], [0; 2 * NM_ACTIONS]);
    let mut action = [0; 2];
    let none = ptr::null_mut();
    // SAFETY: the arrays are there.
    let status = unsafe {
        let (rows, legal) = (rows.as_ptr(), legal.as_ptr());
        nm_forward(library.0, rows, legal, 2, none, none, none, action.as_mut_ptr())
    };
    assert_eq!(status, NM_REFUSED);
    assert!(library.next().is_some_and(|line| line.contains("row 0")));
    let mut rows = vec![0.0; 2 * NM_INPUTS];
    rows[NM_INPUTS + 3] = f32::NAN;
    // SAFETY: the arrays are there.
    let status = unsafe {
        nm_forward(library.0, rows.as_ptr(), ptr::null(), 2, none, none, none, action.as_mut_ptr())
    };
    assert_eq!(status, NM_REFUSED);
    assert!(library.next().is_some_and(|line| line.contains("expected finite numbers")));
}

/// The transcripts of the protocol are those of every door.
#[test]
fn the_transcripts_are_the_same_here() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../engine/tests/transcripts");
    let mut lines = 0;
    for file in std::fs::read_dir(folder).expect("transcripts") {
        let library = Library::small();
        let path = file.expect("a file").path();
        let text = std::fs::read_to_string(&path).expect("text");
        let mut due = text.lines().peekable();
        while let Some(line) = due.next() {
            let line = line.strip_prefix("> ").expect("a request");
            let mut answers = Vec::new();
            while let Some(answer) = due.peek().and_then(|line| line.strip_prefix("< ")) {
                answers.push(without_time(answer));
                due.next();
            }
            let said: Vec<String> =
                library.say(line).iter().map(|line| without_time(line)).collect();
            // The players that are told of differ.
            if !line.contains(r#""type":"hello""#) {
                assert_eq!(said, answers, "{}: {line}", path.display());
            }
            lines += 1;
        }
    }
    assert!(lines > 200, "{lines}");
}

/// A line without the time that was spent.
fn without_time(line: &str) -> String {
    match line.split_once(r#","spent_ms":"#) {
        Some((before, _)) => before.into(),
        None => line.into(),
    }
}

/// No name of a table is one that the library keeps for itself, whatever characters it has.
#[test]
fn tables_of_any_name_are_tables() {
    let library = Library::small();
    let deal = r#"{"type":"deal","table":"a\u00011","seat":1,"player":"stopper","rules":{"base":"newmarket"},"players":3,"dealer":2}"#;
    assert_eq!(library.say(deal), [""; 0]);
    for name in ["a", r"a\u00012", "", r"\u0000", r"\u200c\u202e"] {
        let open = format!(
            r#"{{"type":"open","id":"1","table":"{name}","rules":{{"base":"michigan"}},"players":4,"seed":"7"}}"#
        );
        assert!(library.say(&open)[0].starts_with(r#"{"type":"table","id":"1""#));
        let ask = format!(r#"{{"type":"ask","id":"2","table":"{name}","player":"stopper"}}"#);
        assert!(library.say(&ask)[0].starts_with(r#"{"type":"answer","id":"2""#));
    }
}

/// What a refusal lists is all that this library takes, and an `id` comes back whole.
#[test]
fn refusals_list_what_is_taken_here() {
    let library = Library::small();
    let id = "é".repeat(240);
    let said = library.say(&format!("\u{feff}{{\"type\":\"opn\",\"id\":\"{id}\"}}"));
    for word in ["hello", "quit", "open", "state", "answer", "next", "check", &id] {
        assert!(said[0].contains(word), "{word} is not in {said:?}");
    }
    let hello = library.say(&format!(r#"{{"type":"hello","versions":[1],"id":"{id}"}}"#));
    assert!(hello[0].contains(&id), "{hello:?}");
    let open = r#"{"type":"open","table":"a","rules":{"base":"michigan"},"players":4,"seed":"7"}"#;
    library.say(open);
    let said = library.say(r#"{"type":"ask","id":"1","table":"a","player":"nobody"}"#);
    for player in ["net:player", "net:easy", "pimc:N", "ismcts:N", "stopper"] {
        assert!(said[0].contains(player), "{player} is not in {said:?}");
    }
    let said = library.say(r#"{"type":"analyse","id":"1","table":"a","playout":"nobody"}"#);
    for playout in ["stopper", "longest", "random", "net:player"] {
        assert!(said[0].contains(playout), "{playout} is not in {said:?}");
    }
}
