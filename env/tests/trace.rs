//! The judge of traces: passes what is right, finds every single fault, survives garbage.

mod random;

use newmarket_env::seed::below;
use newmarket_env::trace::{CheckSummary, CheckedDeal, TraceFault, check, deals, lines};
use newmarket_env::{Event, Game, Phase, Record, Rng, Rules, Seed, State};
use serde_json::{Value, json};

fn judge(text: &str) -> Result<CheckSummary, TraceFault> {
    let result = check(text.as_bytes());
    if let Err(fault) = &result {
        let message = fault.to_string();
        assert!(message.starts_with("line ") && !message.contains('\n'), "{message}");
    }
    result
}

fn text(records: &[Record]) -> String {
    records.iter().map(|record| record.to_line() + "\n").collect()
}

/// Deals of all kinds: named games and games with changes, single deals and whole sessions.
fn good() -> Vec<Vec<Record>> {
    let mut traces = Vec::new();
    for (index, name) in newmarket_env::rules::NAMES.into_iter().enumerate() {
        let mut rng = Seed::new(1).child(index as u64).rng();
        let rules = Rules::named(name).unwrap();
        let players = rules.players.0 + index % 4;
        let game = Game::new(rules, players).unwrap();
        traces.push(random::session(&game, &mut rng));
        traces.push(vec![random::single(&game, &mut rng)]);
    }
    for index in 0..150 {
        let mut rng = Seed::new(2).child(index).rng();
        let game = random::any_game(&mut rng);
        traces.push(random::session(&game, &mut rng));
        traces.push(vec![random::single(&game, &mut rng)]);
    }
    // One suit, which nobody may lead after a stop: deals without a winner.
    let Value::Object(changes) = json!({ "suits": 1, "cells": ["4C"] }) else { unreachable!() };
    let rules = Rules::from_overrides("michigan-widow", &changes).unwrap();
    traces.push(random::session(&Game::new(rules, 3).unwrap(), &mut Seed::new(6).rng()));
    traces
}

#[test]
fn what_the_referee_writes_passes_and_reads_back() {
    let traces = good();
    let mut kinds = std::collections::BTreeSet::new();
    for records in &traces {
        let text = text(records);
        let summary = judge(&text).unwrap();
        assert_eq!(summary.deals, records.len());
        let read: Vec<Record> = lines(text.as_bytes()).map(|line| line.unwrap().1).collect();
        assert_eq!(read, *records);
        for event in records.iter().flat_map(|record| &record.events) {
            kinds.insert(serde_json::to_value(event).unwrap()["e"].as_str().unwrap().to_string());
        }
    }
    assert_eq!(kinds.len(), 26, "every kind of event occurs: {kinds:?}");
    let all: String = traces.iter().map(|records| text(records)).collect();
    assert!(judge(&all).unwrap().sessions > 100);
}

/// Every place of a value below another.
fn places(value: &Value, path: &str, found: &mut Vec<String>) {
    let inner: Vec<(String, &Value)> = match value {
        Value::Array(items) => {
            items.iter().enumerate().map(|(index, item)| (index.to_string(), item)).collect()
        }
        Value::Object(fields) => fields.iter().map(|(key, item)| (key.clone(), item)).collect(),
        _ => return found.push(path.into()),
    };
    for (key, item) in inner {
        places(item, &format!("{path}/{key}"), found);
    }
}

/// Of cards that are set apart, one that is not at this place.
fn other_card(record: &Value, path: &str) -> Option<Value> {
    let (list, index) = path.rsplit_once('/')?;
    let index: usize = list.ends_with("/cards").then(|| index.parse().unwrap())?;
    Some(record.pointer(list)?[(index + 1) % 5].clone())
}

/// Makes one fault. Other rules may fit a deal just as well, so those are left alone.
fn spoil(record: &mut Value, rng: &mut Rng) -> String {
    let mut found = Vec::new();
    places(record, "", &mut found);
    found.retain(|path| !path.starts_with("/rules") && !path.starts_with("/overrides"));
    let events = record["events"].as_array().unwrap().len();
    let at = below(rng, events as u32) as usize;
    let list = record["events"].as_array_mut().unwrap();
    match below(rng, 6) {
        0 => format!("without {}", list.remove(at)),
        1 => {
            list.insert(at, list[at].clone());
            format!("event {at} doubled")
        }
        2 => {
            record["events"][at]["note"] = json!(1);
            format!("event {at} with a note")
        }
        _ => {
            let path = random::pick(rng, &found);
            let twice = other_card(record, &path);
            let place = record.pointer_mut(&path).unwrap();
            let old = place.clone();
            *place = match &old {
                // Another lawful five may do as well, a card twice does not.
                Value::String(_) if twice.is_some() => twice.unwrap(),
                Value::Number(number) => json!(number.as_i64().unwrap() + [-1, 1, 9][at % 3]),
                Value::String(text) if text == "7C" => json!("7D"),
                Value::String(text) if text.len() == 2 => json!("7C"),
                Value::String(text) if text == "top" => json!("dead"),
                Value::String(text) if text == "dead" => json!("played"),
                Value::String(text) if text == "kitty" => json!("layout"),
                Value::Bool(is_in) => json!(!is_in),
                Value::Null => json!("kitty"),
                _ => Value::Null,
            };
            format!("{path} {place} for {old}")
        }
    }
}

#[test]
fn every_single_fault_is_found() {
    let traces = good();
    for round in 0..4000 {
        let mut rng = Seed::new(3).child(round).rng();
        let mut records: Vec<Value> = random::pick(&mut rng, &traces)
            .iter()
            .map(|record| serde_json::to_value(record).unwrap())
            .collect();
        let line = below(&mut rng, records.len() as u32) as usize;
        let fault = spoil(&mut records[line], &mut rng);
        let lines: Vec<String> = records.iter().map(Value::to_string).collect();
        let text = lines.join("\n");
        assert!(judge(&text).is_err(), "line {}: {fault}\n{text}", line + 1);
    }
}

#[test]
fn a_session_broken_or_mixed_up_is_found() {
    for index in 0..60 {
        let mut rng = Seed::new(4).child(index).rng();
        let game = random::any_game(&mut rng);
        let good = random::session(&game, &mut rng);
        if good.len() < 2 {
            continue;
        }
        let at = below(&mut rng, good.len() as u32 - 1) as usize;
        let mut records = good.clone();
        records.swap(at, at + 1);
        judge(&text(&records)).unwrap_err();
        let mut records = good.clone();
        records.remove(at);
        judge(&text(&records)).unwrap_err();
        let mut records = good.clone();
        records.pop();
        // A trace has as many deals as were asked for: it may break off within a session, but
        // nothing may follow there that is not the session's next deal.
        judge(&text(&records)).unwrap();
        records.extend_from_slice(&good);
        judge(&text(&records)).unwrap_err();
        let mut records = good.clone();
        records[at].session = None;
        judge(&text(&records)).unwrap_err();
    }
}

#[test]
fn a_pile_given_to_nobody_is_found() {
    let changes = json!({ "session": { "leftover": "lot", "deals": 1 } });
    let rules = Rules::from_overrides("michigan", changes.as_object().unwrap()).unwrap();
    let game = Game::new(rules, 5).unwrap();
    let mut record = random::session(&game, &mut Seed::new(4).rng()).remove(0);
    let Some(newmarket_env::Event::Leftover { seat, .. }) = record.events.last_mut() else {
        panic!("five players leave no pay card in the dead hand: take another seed");
    };
    // A number that a shift of eight bits would take for seat 1.
    *seat = 1001;
    let message = judge(&record.to_line()).unwrap_err().to_string();
    assert!(message.contains(r#""seat":1001"#), "{message}");
    record.events.insert(
        6,
        newmarket_env::Event::Exchange {
            seat: 1001,
            paid: 0,
            to: None,
            dead: Vec::new(),
            hand: None,
        },
    );
    newmarket_env::perft::of_record(&record, 1).unwrap_err();
}

/// A deal to spoil by hand.
fn plain() -> Record {
    let game = Game::new(Rules::named("newmarket").unwrap(), 4).unwrap();
    random::single(&game, &mut Seed::new(9).rng())
}

#[test]
fn messages_say_where_what_and_what_was_due() {
    let record = plain();
    let line = record.to_line();
    let lead = record.events.iter().position(|e| matches!(e, newmarket_env::Event::Lead { .. }));
    let number = lead.unwrap() + 1;
    let swapped = |from: &str, to: &str| {
        assert!(line.contains(from), "{from} in {line}");
        judge(&line.replacen(from, to, 1)).unwrap_err().to_string()
    };
    let message = swapped(r#""e":"settle","winner":"#, r#""e":"settle","winner":1"#);
    assert!(message.contains(r#": due was {"e":"settle","winner":"#), "{message}");
    let message = swapped(r#"{"e":"lead","seat":"#, r#"{"e":"lead","seat":1"#);
    assert!(message.starts_with(&format!("line 1, event {number} {{\"e\":\"lead\"")), "{message}");
    let message = swapped(r#""payoffs":["#, r#""payoffs":[1,"#);
    assert!(message.starts_with("line 1: `payoffs` is [1, "), "{message}");
    assert_eq!(
        swapped(r#""rules":"newmarket""#, r#""rules":"newmarkt""#).split(": expected").next(),
        Some("line 1: `rules` and `overrides`: `base` is \"newmarkt\"")
    );
    assert_eq!(
        swapped(r#""players":4"#, r#""players":9"#),
        "line 1: newmarket is a game for 3 to 8 players, not 9"
    );
    assert_eq!(
        swapped(r#""dealer":"#, r#""dealer":7"#).split(" is ").next(),
        Some("line 1: `dealer`")
    );
    assert_eq!(
        swapped(r#""overrides":{}"#, r#""overrides":{"per_card":1}"#),
        "line 1: `overrides.per_card` is as in newmarket: it is left out"
    );
}

#[test]
fn garbage_is_one_line_of_error() {
    let line = plain().to_line();
    for (garbage, message) in [
        ("", "line 1: the file is empty: expected one deal a line"),
        ("\n", "line 1: an empty line: expected one deal a line"),
        (
            "hello",
            "line 1: not a record, which is one JSON object a line: expected value (column 1)",
        ),
        ("{}", "line 1: missing field `schema` (column 2)"),
        ("[]", "line 1: invalid length 0, expected struct Record with 16 elements (column 2)"),
        (
            r#"{"schema":"newmarket.trace/2"}"#,
            "line 1: unknown schema \"newmarket.trace/2\": expected \"newmarket.trace/1\" (column 30)",
        ),
    ] {
        assert_eq!(judge(garbage).unwrap_err().to_string(), message);
    }
    let message = judge("{\"\u{7f}\\u001b\":1}").unwrap_err().to_string();
    assert!(message.starts_with("line 1: unknown field `\\u{7f}\\u{1b}`"), "{message:?}");
    let second = format!("{line}\n{}", &line[..line.len() / 2]);
    let message = judge(&second).unwrap_err().to_string();
    assert!(message.starts_with("line 2, event ") && message.contains("cut off"), "{message}");
    check(&[0x7b, 0xff, 0xfe, 0x0a][..]).unwrap_err();
    // Cut anywhere, or with a byte changed anywhere: an error or (within a text) none, no panic.
    for cut in (0..line.len()).step_by(7) {
        judge(&line[..cut]).unwrap_err();
        for byte in [b'"', b'9', b'-', b'{', b'z'] {
            let mut bytes = line.clone().into_bytes();
            bytes[cut] = byte;
            let _ = judge(&String::from_utf8(bytes).unwrap());
        }
    }
    let huge = line.replacen(r#""stacks_before":[0"#, r#""stacks_before":[2147483647"#, 1);
    judge(&huge).unwrap_err();
}

#[test]
fn five_hundred_deals_take_no_time() {
    let game = Game::new(Rules::named("newmarket").unwrap(), 4).unwrap();
    let mut rng = Seed::new(5).rng();
    let deals: Vec<Record> = (0..500).map(|_| random::single(&game, &mut rng)).collect();
    assert_eq!(judge(&text(&deals)).unwrap().deals, 500);
}

#[test]
fn a_deal_that_was_checked_goes_the_same_way_on_the_engine() {
    let mut sessions = 0;
    for records in good() {
        let text = text(&records);
        let checked: Vec<CheckedDeal> =
            deals(text.as_bytes()).map(|deal| deal.expect("no fault")).collect();
        assert_eq!(checked.len(), records.len());
        for (deal, record) in checked.iter().zip(&records) {
            let mut state = State::new(&deal.game, &deal.start);
            for &action in &deal.actions {
                if state.phase() == Phase::Deal {
                    state.deal(&deal.game, &deal.hands);
                }
                state.apply(&deal.game, action).expect("it is legal");
            }
            let mut stacks = record.stacks_after.clone();
            for event in &record.events {
                if let Event::Leftover { seat, chips, .. } = event {
                    stacks[*seat] -= chips;
                }
            }
            assert!(state.is_over() && state.stacks()[..record.players] == stacks, "{record:?}");
            let place = record.session.as_ref().map(|place| place.deal);
            assert_eq!((deal.deal, deal.events), (place, record.events.len()));
            sessions += usize::from(deal.ends_session);
        }
        assert!(checked.iter().rev().skip(1).all(|deal| !deal.ends_session), "the last one alone");
    }
    assert!(sessions > 100, "{sessions}");
}
