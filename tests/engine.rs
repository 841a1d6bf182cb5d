//! `newmarket engine`, for a host.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// A running engine.
struct Engine {
    child: Child,
    to: Option<ChildStdin>,
    from: BufReader<ChildStdout>,
}

impl Engine {
    fn start() -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_newmarket"))
            .arg("engine")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("it starts");
        let to = child.stdin.take();
        let from = BufReader::new(child.stdout.take().expect("a pipe"));
        Self { child, to, from }
    }

    fn send(&mut self, line: &[u8]) {
        let to = self.to.as_mut().expect("the input is open");
        to.write_all(line).and_then(|()| to.write_all(b"\n")).expect("it reads");
        to.flush().expect("it reads");
    }

    fn say(&mut self, message: &Value) {
        self.send(message.to_string().as_bytes());
    }

    fn hear(&mut self) -> Value {
        let mut line = String::new();
        self.from.read_line(&mut line).expect("it writes");
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line:?}"))
    }

    /// Closes the input. Returns the rest of the output and the exit code.
    fn end(mut self) -> (Vec<String>, Option<i32>) {
        drop(self.to.take());
        let rest = self.from.lines().map(|line| line.expect("it writes")).collect();
        (rest, self.child.wait().expect("it ends").code())
    }
}

fn begin(engine: &mut Engine, player: &str) {
    engine.say(&json!({"type":"deal","table":"a","seat":0,"player":player,
        "rules":{"base":"newmarket"},"players":3,"dealer":2}));
}

#[test]
fn hostile_lines_are_answered_and_the_end_of_the_input_is_the_end() {
    let mut engine = Engine::start();
    for (line, code) in [
        (&b"\xff\xfe"[..], "json"),
        (b"", "json"),
        (b"{\"type\":\"ask\"", "json"),
        (&vec![b'['; 60_000], "json"),
        (&vec![b'x'; 300_000], "too_long"),
        (b"{\"type\":\"hello\",\"versions\":[2]}", "version"),
    ] {
        engine.send(line);
        let error = engine.hear();
        assert_eq!((&error["type"], &error["code"]), (&json!("error"), &json!(code)));
    }
    // A host cannot start programs.
    begin(&mut engine, "exec:touch nothing");
    assert_eq!(engine.hear()["code"], "player");
    begin(&mut engine, "omniscient");
    assert_eq!(engine.hear()["code"], "player");
    engine.say(&json!({"type":"hello","versions":[1]}));
    assert_eq!(engine.hear()["players"][0], "net:champion");
    assert_eq!(engine.end(), (Vec::new(), Some(0)));
}

#[test]
fn quit_ends_it_though_something_is_under_way() {
    let mut engine = Engine::start();
    begin(&mut engine, "net:champion");
    engine.say(&json!({"type":"analyse","id":"1","table":"a","at":0,"budget":{"ms":600_000}}));
    engine.say(&json!({"type":"quit"}));
    let begun = Instant::now();
    let status = engine.child.wait().expect("it ends");
    assert!(status.success() && begun.elapsed() < Duration::from_mins(1));
}

#[test]
fn an_analysis_comes_soon_and_is_refined() {
    let mut engine = Engine::start();
    begin(&mut engine, "net:champion");
    engine.say(&json!({"type":"ask","id":"0","table":"a","at":0}));
    assert_eq!(engine.hear()["do"]["e"], "ante");
    engine.say(&json!({"type":"analyse","id":"1","table":"a","at":0,
        "budget":{"ms":600_000},"every_ms":5_000}));
    let first = engine.hear();
    assert_eq!((&first["final"], &first["choices"]), (&json!(false), &json!(35)));
    assert_eq!(first["actions"].as_array().map(Vec::len), Some(32));
    engine.say(&json!({"type":"stop","id":"1"}));
    let last = engine.hear();
    assert_eq!(last["final"], true);
    assert!(last["worlds"].as_u64() >= first["worlds"].as_u64());
    engine.say(&json!({"type":"ask","id":"2","table":"a","at":0,"budget":{"worlds":20},
        "why":true}));
    let answer = engine.hear();
    assert_eq!((&answer["id"], answer["why"].as_array().map(Vec::len)), (&json!("2"), Some(2)));
    assert_eq!(engine.end(), (Vec::new(), Some(0)));
}

/// A weaker level would make no mistakes if it searched.
#[test]
fn who_makes_mistakes_on_purpose_does_not_search() {
    let mut engine = Engine::start();
    let mut answer = |player: &str, budget: Option<Value>| {
        begin(&mut engine, player);
        let mut ask = json!({"type":"ask","id":"1","table":"a","at":0});
        if let Some(budget) = budget {
            ask["budget"] = budget;
        }
        engine.say(&ask);
        engine.hear()["do"].clone()
    };
    let alone = answer("net:easy", None);
    assert_eq!(answer("net:easy", Some(json!({"worlds":64}))), alone);
    assert_ne!(answer("net:champion", Some(json!({"worlds":64}))), alone);
    begin(&mut engine, "net:easy+search:64");
    assert_eq!(engine.hear()["code"], "player");
    assert_eq!(engine.end(), (Vec::new(), Some(0)));
}

/// Search with playouts by a network: the same question gives the same values.
#[test]
fn an_analysis_may_be_by_a_network() {
    let mut engine = Engine::start();
    begin(&mut engine, "stopper");
    let mut analysis = |playout: &str| {
        engine.say(&json!({"type":"analyse","id":"1","table":"a","at":0,"budget":{"worlds":32},
            "playout":playout}));
        engine.hear()
    };
    let [by_rule, by_net, again] = ["stopper", "net:champion", "net:champion"].map(&mut analysis);
    assert_eq!(by_net, again);
    assert_eq!((&by_net["choices"], &by_net["worlds"]), (&json!(35), &json!(32)));
    assert_ne!(by_net["actions"], by_rule["actions"]);
    for nobody in ["net:hard", "pimc:60", "nobody", ""] {
        let error = analysis(nobody);
        assert_eq!((&error["code"], &error["field"]), (&json!("player"), &json!("playout")));
    }
    assert_eq!(engine.end(), (Vec::new(), Some(0)));
}

/// As from a shell: `newmarket engine < questions.jsonl`.
#[test]
fn what_was_asked_before_the_end_of_the_input_is_answered() {
    let mut engine = Engine::start();
    begin(&mut engine, "net:champion");
    engine.say(&json!({"type":"analyse","id":"1","table":"a","at":0,"budget":{"worlds":300}}));
    engine.say(&json!({"type":"ask","id":"2","table":"a","at":0,"budget":{"ms":600_000}}));
    engine.say(&json!({"type":"analyse","id":"3","table":"a","at":0,"budget":{"ms":600_000}}));
    let begun = Instant::now();
    let (said, code) = engine.end();
    let said: Vec<Value> = said.iter().map(|line| serde_json::from_str(line).unwrap()).collect();
    let of = |id: &str| said.iter().find(|reply| reply["id"] == id).expect("an answer");
    assert_eq!((said.len(), code), (3, Some(0)));
    // Without a host the engine must not work on for ten minutes.
    assert!(of("3")["final"] == true && begun.elapsed() < Duration::from_mins(1));
    assert_eq!((&of("1")["worlds"], &of("1")["final"]), (&json!(300), &json!(true)));
    assert_eq!(of("2")["do"]["e"], "ante");
}

/// Waits until the program ends, at most so long; how it ended.
fn ends_within(child: &mut Child, time: Duration) -> i32 {
    let begun = Instant::now();
    while begun.elapsed() < time {
        if let Some(status) = child.try_wait().expect("it can be waited for") {
            return status.code().expect("no signal");
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    child.kill().expect("it runs");
    panic!("it has not ended after {time:?}")
}

/// Hours of work, for a host that then goes.
fn ask_for_hours(engine: &mut Engine, budget: &Value) {
    begin(engine, "net:champion");
    for nth in 0..20 {
        let kind = ["analyse", "ask"][nth % 2];
        let mut question =
            json!({"type":kind,"id":nth.to_string(),"table":"a","at":0,"budget":budget});
        if kind == "analyse" {
            question["playout"] = "net:champion".into();
        }
        engine.say(&question);
    }
}

#[cfg(unix)]
#[test]
fn nothing_is_worked_out_for_a_host_that_is_gone() {
    let (worlds, ms) = (json!({"worlds":65_536}), json!({"ms":600_000}));
    for (input_stays, budget) in [(false, &worlds), (true, &worlds), (true, &ms)] {
        let mut engine = Engine::start();
        ask_for_hours(&mut engine, budget);
        engine.say(&json!({"type":"hello","versions":[1]}));
        assert_eq!(engine.hear()["type"], "hello");
        let Engine { mut child, to, from } = engine;
        drop(from);
        let to = to.filter(|_| input_stays);
        assert_eq!(ends_within(&mut child, Duration::from_secs(5)), 0);
        drop(to);
    }
    // A search that is one decision.
    let mut engine = Engine::start();
    begin(&mut engine, "pimc:1000000");
    engine.say(&json!({"type":"hello","versions":[1]}));
    assert_eq!(engine.hear()["type"], "hello");
    engine.say(&json!({"type":"ask","id":"1","table":"a","at":0}));
    let Engine { mut child, to, from } = engine;
    drop(from);
    assert_eq!(ends_within(&mut child, Duration::from_secs(5)), 0);
    drop(to);
}

/// A host that reads on gets an answer to each question, but not after hours.
#[test]
fn the_end_of_the_input_ends_long_questions() {
    let mut engine = Engine::start();
    begin(&mut engine, "net:champion");
    for id in ["1", "2"] {
        engine.say(&json!({"type":"analyse","id":id,"table":"a","at":0,
            "budget":{"worlds":65_536},"playout":"net:champion"}));
    }
    let begun = Instant::now();
    let (said, code) = engine.end();
    assert!(begun.elapsed() < Duration::from_mins(1), "{:?}", begun.elapsed());
    let said: Vec<Value> = said.iter().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((said.len(), code), (2, Some(0)));
    for reply in said {
        assert!(reply["final"] == true && reply["worlds"].as_u64() >= Some(4), "{reply}");
    }
}

/// What some programs write before a text is no part of it; an `id` is answered whole.
#[test]
fn the_first_message_may_have_a_byte_order_mark() {
    let mut engine = Engine::start();
    let id = "é".repeat(240);
    let hello = json!({"type":"hello","versions":[1],"id":id});
    engine.send(format!("\u{feff}{hello}\r").as_bytes());
    assert_eq!(engine.hear()["id"], *id);
    engine.send(
        format!("\u{feff}{hello}{}", " ".repeat(65_536 - hello.to_string().len())).as_bytes(),
    );
    assert_eq!(engine.hear()["id"], *id);
    engine.say(&json!({"type":"nothing","id":id}));
    let error = engine.hear();
    assert_eq!((&error["code"], &error["id"]), (&json!("type"), &json!(id)));
    assert_eq!(engine.end(), (Vec::new(), Some(0)));
}
