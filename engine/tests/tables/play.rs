//! Whole sessions by lines alone, and by single actions; undo; an analysis.

use newmarket_engine::Tables;
use newmarket_env::rules::NAMES;
use newmarket_env::{Rules, trace};
use serde_json::{Value, json};

use super::host::{ask, code, houses, open, play_out, say, tables, trace_line};

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

/// An answer has reasons where the host asks for them.
#[test]
fn an_answer_has_reasons_on_demand() {
    let mut tables = tables();
    let mut table = open(&mut tables, "michigan", 4);
    let mut takes = 0;
    while table["deal_over"] == false {
        let mut ask = json!({"type":"ask","id":"2","table":"a","player":"stopper"});
        let plain = say(&mut tables, &ask);
        assert_eq!(plain.get("why"), None, "{plain}");
        ask["why"] = json!(true);
        let told = say(&mut tables, &ask);
        assert_eq!(told["do"], plain["do"]);
        let why = told["why"].as_array().expect("a list");
        let takes_chips = |text: &Value| text.as_str().expect("a text").starts_with("it takes");
        takes += usize::from(why.iter().any(takes_chips));
        table = say(&mut tables, &json!({"type":"answer","table":"a","do":plain["do"]}));
    }
    assert!(takes > 0, "no lead takes chips");
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
            "rules":{"base":"three-in-one"},"players":4,"dealer":table["dealer"],
            "session":{"deal":table["deal"],"of":table["of"],"bankroll":"credit"}});
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

/// The records of whole sessions are traces without a fault, all hands and gifts included.
#[test]
fn records_are_traces() {
    for rules in houses() {
        for seed in 0..4 {
            let mut tables = tables();
            say(
                &mut tables,
                &json!({"type":"open","table":"a","rules":rules,"players":4,"seed":seed.to_string()}),
            );
            let mut lines = String::new();
            loop {
                play_out(&mut tables);
                let ask_record = json!({"type":"record","id":"7","table":"a"});
                let mut record = say(&mut tables, &ask_record);
                assert_eq!((&record["type"], &record["id"]), (&json!("record"), &json!("7")));
                let next = say(&mut tables, &json!({"type":"next","table":"a"}));
                let over = next["session_over"] == true;
                if over {
                    record = say(&mut tables, &ask_record);
                }
                lines += &trace_line(&record).to_string();
                lines.push('\n');
                if over {
                    break;
                }
            }
            let summary = trace::check(lines.as_bytes())
                .unwrap_or_else(|fault| panic!("{rules}, seed {seed}: {fault}"));
            assert_eq!(summary.sessions, 1, "{rules}");
        }
    }
}

/// A deal that is opened as a link describes it is the same deal, and so is the rest of its session.
#[test]
fn a_deal_can_be_opened_in_the_middle_of_a_session() {
    for rules in houses() {
        let (mut whole, mut part) = (tables(), tables());
        let open = json!({"type":"open","table":"a","rules":rules,"players":4,"seed":"11"});
        let mut table = say(&mut whole, &open);
        loop {
            let mut link = open.clone();
            let before = table["before"].as_object().expect("an object").clone();
            link.as_object_mut().expect("an object").extend(before);
            for key in ["deal", "dealer", "bought"] {
                link[key] = table[key].clone();
            }
            let opened = say(&mut part, &link);
            assert_eq!(opened, table, "{link}");
            let told = |tables: &mut Tables| {
                play_out(tables);
                say(tables, &json!({"type":"record","table":"a"}))
            };
            assert_eq!(told(&mut part), told(&mut whole));
            let next = json!({"type":"next","table":"a"});
            table = say(&mut whole, &next);
            assert_eq!(say(&mut part, &next), table);
            if table["session_over"] == true {
                break;
            }
        }
    }
}

/// Undo takes the end of a session back, too.
#[test]
fn undo_after_the_last_deal_opens_the_session_again() {
    let mut tables = tables();
    let rules = json!({"base":"hoyle-1885","session":{"deals":1}});
    say(&mut tables, &json!({"type":"open","table":"a","rules":rules,"players":4,"seed":"3"}));
    play_out(&mut tables);
    let next = json!({"type":"next","table":"a"});
    let over = say(&mut tables, &next);
    assert_eq!(over["session_over"], true);
    let undone = say(&mut tables, &json!({"type":"undo","table":"a"}));
    assert_eq!((&undone["session_over"], &undone["deal_over"]), (&json!(false), &json!(false)));
    play_out(&mut tables);
    assert_eq!(say(&mut tables, &next), over, "the same decisions, the same gifts");
}

#[test]
fn an_analysis_needs_nothing_more_than_the_table() {
    let mut tables = tables();
    open(&mut tables, "newmarket", 4);
    let question = json!({"type":"analyse","id":"3","table":"a","budget":{"worlds":32}});
    let analysis = say(&mut tables, &question);
    assert_eq!((&analysis["type"], &analysis["worlds"]), (&json!("analysis"), &json!(32)));
}
