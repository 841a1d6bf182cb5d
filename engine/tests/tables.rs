//! Tables that deal for their host: whole sessions by lines alone, and by single actions.

use std::time::Duration;

use newmarket_agents::Agent;
use newmarket_agents::heuristic::Heuristic;
use newmarket_engine::{Engine, Tables};
use newmarket_env::rules::NAMES;
use newmarket_env::{Action, Rules};
use serde_json::{Value, json};

fn player(name: &str) -> Result<Box<dyn Agent>, String> {
    let found = Heuristic::named(name).map(|player| Box::new(player) as Box<dyn Agent>);
    found.ok_or_else(|| format!("unknown agent `{name}`"))
}

fn tables() -> Tables {
    Tables::new(Engine::new(Box::new(player), &["stopper"], || Duration::ZERO))
}

/// The one reply to a message, once all work is done.
fn say(tables: &mut Tables, message: &Value) -> Value {
    let mut replies = tables.receive(message.to_string().as_bytes());
    while tables.is_busy() {
        replies.extend(tables.work());
    }
    assert_eq!(replies.len(), 1, "{message}: {replies:?}");
    serde_json::from_str(&replies[0]).expect("JSON")
}

fn open(tables: &mut Tables, game: &str, players: usize) -> Value {
    let open = json!({"type":"open","id":"1","table":"a","rules":{"base":game},"players":players,"seed":"7"});
    let table = say(tables, &open);
    assert_eq!((&table["type"], &table["id"]), (&json!("table"), &json!("1")), "{table}");
    table
}

fn ask(tables: &mut Tables) -> Value {
    let answer = say(tables, &json!({"type":"ask","id":"2","table":"a","player":"stopper"}));
    assert_eq!(answer["type"], "answer", "{answer}");
    answer["do"].clone()
}

fn code(tables: &mut Tables, message: &Value) -> String {
    let reply = say(tables, message);
    assert_eq!(reply["type"], "error", "{message}: {reply}");
    reply["code"].as_str().expect("a code").into()
}

/// A deal of every game and number of players, by lines.
#[test]
fn whole_deals_are_played_by_lines() {
    for game in NAMES {
        let (least, most) = Rules::named(game).expect("a game").players;
        for players in least..=most {
            let mut tables = tables();
            let mut table = open(&mut tables, game, players);
            while table["deal_over"] == false {
                let choice = ask(&mut tables);
                let listed = table["legal"].as_array().expect("a list");
                let single = table.get("ante").or(table.get("set_apart")).is_none();
                assert_eq!(listed.contains(&choice), single, "{choice}: {table}");
                table = say(&mut tables, &json!({"type":"answer","table":"a","do":choice}));
            }
            let next = say(&mut tables, &json!({"type":"next","table":"a"}));
            let sessions = table["of"] != 1;
            assert_eq!(
                (&next["deal"] == 2, next["session_over"] == json!(!sessions)),
                (sessions, true)
            );
        }
    }
}

/// The same decisions, action by action as a network is asked, leave the same table.
#[test]
fn actions_add_up_to_the_decisions() {
    for game in NAMES {
        let (mut by_lines, mut by_actions) = (tables(), tables());
        let mut table = open(&mut by_lines, game, 4);
        open(&mut by_actions, game, 4);
        while table["deal_over"] == false {
            // The first action that is legal, until the decision is whole.
            let mut asked = by_actions.observe("a").expect("a decision");
            let said = loop {
                let first = asked.legal.first().expect("a choice");
                if let Some(line) = by_actions.act("a", first).expect("it is legal") {
                    break serde_json::from_str::<Value>(&line).expect("JSON");
                }
                let next = by_actions.observe("a").expect("a decision");
                assert!(next.observation != asked.observation, "{game}: nothing has changed");
                asked = next;
            };
            assert_eq!((&said["type"], &said["seat"]), (&json!("did"), &table["seat"]));
            table = say(&mut by_lines, &json!({"type":"answer","table":"a","do":said["do"]}));
            let state = json!({"type":"state","table":"a"});
            assert_eq!(say(&mut by_actions, &state), table);
        }
    }
}

/// The events of an open table are what a seat elsewhere is told: it is asked for the same.
#[test]
fn a_seat_elsewhere_is_told_the_same() {
    let (mut here, mut there) = (tables(), tables());
    let mut table = open(&mut here, "three-in-one", 4);
    let mut told = [0; 4];
    for seat in 0..4 {
        let deal = json!({"type":"deal","table":seat.to_string(),"seat":seat,"player":"stopper",
            "rules":{"base":"three-in-one"},"players":4,"dealer":table["dealer"]});
        assert_eq!(there.receive(deal.to_string().as_bytes()), [""; 0]);
    }
    while table["deal_over"] == false {
        let seat = table["seat"].as_u64().expect("a seat") as usize;
        let request = json!({"type":"told","table":"a","seat":seat,"at":told[seat]});
        let mut events = say(&mut here, &request);
        events["table"] = json!(seat.to_string());
        assert_eq!(there.receive(events.to_string().as_bytes()), [""; 0]);
        told[seat] = table["told"][seat].as_u64().expect("a number") as usize;
        let (a, b) =
            (here.observe("a").expect("asked"), there.observe(&seat.to_string()).expect("asked"));
        assert_eq!((a.seat, a.observation, a.legal), (seat, b.observation, b.legal));
        let choice = ask(&mut here);
        table = say(&mut here, &json!({"type":"answer","table":"a","do":choice}));
    }
}

#[test]
fn undo_takes_a_decision_back_for_all_who_know_of_it() {
    let mut tables = tables();
    let mut before = vec![open(&mut tables, "michigan", 4)];
    for _ in 0..6 {
        let choice = ask(&mut tables);
        before.push(say(&mut tables, &json!({"type":"answer","id":"1","table":"a","do":choice})));
    }
    before.pop();
    while let Some(table) = before.pop() {
        assert_eq!(say(&mut tables, &json!({"type":"undo","id":"1","table":"a"})), table);
        ask(&mut tables);
    }
    assert_eq!(code(&mut tables, &json!({"type":"undo","table":"a"})), "turn");
}

#[test]
fn an_analysis_needs_nothing_more_than_the_table() {
    let mut tables = tables();
    open(&mut tables, "newmarket", 4);
    let question = json!({"type":"analyse","id":"3","table":"a","budget":{"worlds":32}});
    let analysis = say(&mut tables, &question);
    assert_eq!((&analysis["type"], &analysis["worlds"]), (&json!("analysis"), &json!(32)));
}

#[test]
fn what_cannot_be_is_refused_and_changes_nothing() {
    let mut tables = tables();
    let state = json!({"type":"state","table":"a"});
    assert_eq!(code(&mut tables, &state), "table");
    let table = open(&mut tables, "michigan", 4);
    let as_it_was = say(&mut tables, &state);
    for (message, due) in [
        (
            json!({"type":"open","table":"a","rules":{"base":"bridge"},"players":4,"seed":"7"}),
            "rules",
        ),
        (
            json!({"type":"open","table":"a","rules":{"base":"michigan"},"players":99,"seed":"7"}),
            "rules",
        ),
        (
            json!({"type":"open","table":"a","rules":{"base":"michigan"},"players":4,"seed":7}),
            "field",
        ),
        (
            json!({"type":"open","table":"a","rules":{"base":"michigan"},"players":4,"seed":"x"}),
            "field",
        ),
        (json!({"type":"state","table":"a","more":1}), "field"),
        (json!({"type":"told","table":"a","seat":4,"at":0}), "field"),
        (json!({"type":"told","table":"a","seat":0,"at":1000}), "field"),
        (json!({"type":"next","table":"a"}), "turn"),
        (json!({"type":"ask","id":"1","table":"a"}), "field"),
        (json!({"type":"ask","id":"1","table":"a","player":"nobody"}), "player"),
        (json!({"type":"event","table":"a","at":0,"events":[]}), "table"),
        (json!({"type":"answer","table":"a","do":{"e":"call"}}), "illegal"),
        (json!({"type":"answer","table":"a","do":{"e":"ante","layout":[]}}), "illegal"),
    ] {
        assert_eq!(code(&mut tables, &message), due, "{message}");
        assert_eq!(say(&mut tables, &state), as_it_was);
    }
    assert!(tables.observe("b").is_err());
    let legal = tables.observe("a").expect("a decision").legal;
    for action in Action::ALL {
        if !legal.contains(action) {
            assert!(tables.act("a", action).expect_err("not legal").contains("illegal"));
        }
    }
    assert_eq!(say(&mut tables, &state), as_it_was);
    assert_eq!(table["seat"], as_it_was["seat"]);
    assert_eq!(tables.receive(br#"{"type":"over","table":"a"}"#), [""; 0]);
    assert_eq!(code(&mut tables, &state), "table");
}
