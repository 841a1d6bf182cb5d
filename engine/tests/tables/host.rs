//! A host of tables, for tests.

use std::time::Duration;

use newmarket_agents::Agent;
use newmarket_agents::strategy::Strategy;
use newmarket_engine::{Engine, Tables};
use newmarket_env::rules::NAMES;
use serde_json::{Value, json};

pub(super) fn player(name: &str) -> Result<Box<dyn Agent>, String> {
    let found = Strategy::named(name).map(|player| Box::new(player) as Box<dyn Agent>);
    found.ok_or_else(|| format!("unknown agent `{name}`"))
}

pub(super) fn tables() -> Tables {
    Tables::new(Engine::new(Box::new(player), &["stopper"], || Duration::ZERO))
}

/// The one reply to a message, once all work is done.
pub(super) fn say(tables: &mut Tables, message: &Value) -> Value {
    let mut replies = tables.receive(message.to_string().as_bytes());
    while tables.is_busy() {
        replies.extend(tables.work());
    }
    assert_eq!(replies.len(), 1, "{message}: {replies:?}");
    serde_json::from_str(&replies[0]).expect("JSON")
}

pub(super) fn open(tables: &mut Tables, game: &str, players: usize) -> Value {
    let open = json!({"type":"open","id":"1","table":"a","rules":{"base":game},"players":players,"seed":"7"});
    let table = say(tables, &open);
    assert_eq!((&table["type"], &table["id"]), (&json!("table"), &json!("1")), "{table}");
    table
}

pub(super) fn ask(tables: &mut Tables) -> Value {
    let answer = say(tables, &json!({"type":"ask","id":"2","table":"a","player":"stopper"}));
    assert_eq!(answer["type"], "answer", "{answer}");
    answer["do"].clone()
}

pub(super) fn code(tables: &mut Tables, message: &Value) -> String {
    let reply = say(tables, message);
    assert_eq!(reply["type"], "error", "{message}: {reply}");
    reply["code"].as_str().expect("a code").into()
}

/// The line of a trace that a record is.
pub(super) fn trace_line(record: &Value) -> Value {
    let mut line = record.clone();
    for key in ["type", "table", "id"] {
        line.as_object_mut().expect("an object").remove(key);
    }
    line
}

/// Rules under which much happens between the deals of a session.
pub(super) fn houses() -> Vec<Value> {
    let short = |on_bust: &str| {
        json!({"base":"michigan","session":{"deals":6,"leftover":"lot",
            "bankroll":{"chips":{"start":9,"on_bust":on_bust}}}})
    };
    let named = NAMES.iter().map(|game| json!({"base":game,"session":{"deals":3}}));
    named.chain(["eliminate", "rebuy", "end_session"].map(short)).collect()
}

/// Plays the deal of table `a` to its end.
pub(super) fn play_out(tables: &mut Tables) -> Value {
    let mut table = say(tables, &json!({"type":"state","table":"a"}));
    while table["deal_over"] == false {
        let choice = ask(tables);
        table = say(tables, &json!({"type":"answer","table":"a","do":choice}));
    }
    table
}
