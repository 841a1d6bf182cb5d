//! What is read key by key is what serde reads: of true messages, and of messages changed at random.

use newmarket_engine::{Choice, words};
use newmarket_env::seed::below;
use newmarket_env::{Event, Rng, Seed};
use serde_json::{Value, json};

/// All events and decisions of the transcripts.
fn from_transcripts(kind: &str, key: &str) -> Vec<Value> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/transcripts");
    let mut found = Vec::new();
    for file in std::fs::read_dir(folder).expect("transcripts") {
        let text = std::fs::read_to_string(file.expect("a file").path()).expect("text");
        for line in text.lines() {
            let message: Value = serde_json::from_str(&line[2..]).expect("JSON");
            if message["type"] == kind {
                match &message[key] {
                    Value::Array(values) => found.extend(values.iter().cloned()),
                    value => found.push(value.clone()),
                }
            }
        }
    }
    found
}

/// Changes one thing somewhere in it: a key is gone, is new, or has another value.
fn changed(value: &mut Value, rng: &mut Rng) {
    const OTHERS: &str = r#"[null, -1, 3, 5000000000, 1.5, "TC", "kitty", [], {}]"#;
    let others: Vec<Value> = serde_json::from_str(OTHERS).expect("JSON");
    let any = |rng: &mut Rng| others[below(rng, others.len() as u32) as usize].clone();
    match value {
        Value::Object(map) if !map.is_empty() => {
            let nth = below(rng, map.len() as u32) as usize;
            let key = map.keys().nth(nth).expect("it is there").clone();
            match below(rng, 4) {
                0 => drop(map.shift_remove(&key)),
                1 => drop(map.insert(
                    ["hand", "more", "hands", "to"][below(rng, 4) as usize].into(),
                    any(rng),
                )),
                _ => changed(&mut map[&key], rng),
            }
        }
        Value::Array(values) if !values.is_empty() && below(rng, 3) > 0 => {
            let nth = below(rng, values.len() as u32) as usize;
            changed(&mut values[nth], rng);
        }
        _ => *value = any(rng),
    }
}

#[test]
fn events_and_decisions_are_those_of_serde() {
    let mut rng = Seed::new(1).rng();
    let (mut read, mut refused) = (0, 0);
    let mut events = from_transcripts("event", "events");
    events.push(json!({"e":"rebuy","seat":1,"chips":20}));
    events.push(json!({"e":"leftover","from":"kitty","seat":1,"chips":20}));
    events.push(json!({"e":"no_winner"}));
    for event in events {
        for round in 0..20 {
            let mut event = event.clone();
            if round > 0 {
                changed(&mut event, &mut rng);
            }
            let by_serde = serde_json::from_value::<Event>(event.clone()).ok();
            assert!(round > 0 || by_serde.is_some(), "{event}");
            let here = words::event(event.clone()).ok();
            *(if here.is_some() { &mut read } else { &mut refused }) += 1;
            assert_eq!(here, by_serde, "{event}");
        }
    }
    for choice in from_transcripts("answer", "do") {
        for round in 0..20 {
            let mut choice = choice.clone();
            if round > 0 {
                changed(&mut choice, &mut rng);
            }
            let by_serde = serde_json::from_value::<Choice>(choice.clone()).ok();
            assert!(round > 0 || by_serde.is_some(), "{choice}");
            assert_eq!(words::choice(choice.clone()).ok(), by_serde, "{choice}");
        }
    }
    assert!(read > 1_000 && refused > 1_000, "{read} read, {refused} refused");
}
