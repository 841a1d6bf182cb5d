//! Under any rules the two halves play sessions together, and every decision can be analysed.

#[path = "../../env/tests/common/mod.rs"]
mod common;

use std::sync::Arc;
use std::time::Duration;

use common::{about, any_rules};
use newmarket_agents::Agent;
use newmarket_agents::strategy::Strategy;
use newmarket_engine::{Choice, Engine, SessionTable};
use newmarket_env::Seed;
use serde_json::{Value, json};

fn engine() -> Engine {
    let player = |name: &str| {
        let found = Strategy::named(name).map(|player| Box::new(player) as Box<dyn Agent>);
        found.ok_or_else(|| "expected a heuristic".to_string())
    };
    Engine::new(Box::new(player), &["stopper"], || Duration::ZERO)
}

fn say(engine: &mut Engine, message: &Value) -> Vec<Value> {
    let mut replies = engine.receive(message.to_string().as_bytes());
    while engine.is_busy() {
        replies.extend(engine.work());
    }
    replies.iter().map(|reply| serde_json::from_str(reply).expect("JSON")).collect()
}

/// A deal in which the engine plays every seat, each at a table of its own.
fn play(engine: &mut Engine, table: &mut SessionTable) -> usize {
    let start = *table.session().deal_start();
    let rules = table.game().rules().clone();
    let players = table.game().players();
    let mut changes = rules.overrides();
    changes.insert("base".into(), json!(rules.base));
    let mut told = vec![0; players];
    let seats_in: Vec<bool> = (0..players).map(|seat| start.seats_in.contains(seat)).collect();
    for seat in start.seats_in.iter() {
        let deal = json!({
            "type":"deal","table":seat.to_string(),"seat":seat,"player":"random","rules":changes,
            "players":players,"dealer":start.dealer,"stacks":start.stacks[..players],
            "layout":table.game().cells_of(&start.layout),"kitty":start.kitty,"seats_in":seats_in,
            "session":{"deal":table.session().deal_number(),"of":rules.session.deals,
                "bankroll":rules.session.bankroll.value()},
        });
        assert_eq!(say(engine, &deal), [] as [Value; 0]);
    }
    let mut decisions = 0;
    while let Some(seat) = table.state().actor() {
        let (name, events) = (seat.to_string(), table.told(seat));
        let event = json!({"type":"event","table":name,"at":told[seat],
            "events":events[told[seat]..]});
        assert_eq!(say(engine, &event), [] as [Value; 0]);
        told[seat] = events.len();
        let at = events.len();
        let analyse = json!({"type":"analyse","id":"a","table":name,"at":at,
            "budget":{"worlds":4}});
        let analysis = say(engine, &analyse);
        for action in analysis[0]["actions"].as_array().expect("actions") {
            let choice: Choice = serde_json::from_value(action["do"].clone()).expect("a choice");
            table.clone().answer(&choice).expect("it is legal");
        }
        let answer = say(engine, &json!({"type":"ask","id":"b","table":name,"at":at,"why":true}));
        let choice: Choice = serde_json::from_value(answer[0]["do"].clone()).expect("a choice");
        table.answer(&choice).expect("it is legal");
        decisions += 1;
    }
    decisions
}

#[test]
fn any_game_can_be_played_and_analysed() {
    let mut decisions = 0;
    for case in 0..120 {
        let seed = Seed::new(case).child(31);
        let base = ["three-in-one", "newmarket", "four-horses"][case as usize % 3];
        let (game, text) = any_rules::game_of(base, &mut seed.rng());
        about(&text, || {
            let mut engine = engine();
            let mut table = SessionTable::open(Arc::new(game), seed);
            for _ in 0..3 {
                decisions += play(&mut engine, &mut table);
                if !table.next_deal() {
                    break;
                }
            }
        });
    }
    assert!(decisions > 1_500, "{decisions}");
}
