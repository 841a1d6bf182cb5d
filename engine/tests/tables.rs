//! Tables that deal for their host: whole sessions by lines alone, and by single actions.

use std::time::Duration;

use newmarket_agents::Agent;
use newmarket_agents::heuristic::Heuristic;
use newmarket_engine::{Engine, SharedDeal, Tables};
use newmarket_env::rules::NAMES;
use newmarket_env::{Action, Rules, trace};
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

/// The line of a trace that a host makes of a record and of the table.
fn trace_line(rules: &Value, record: &Value, table: &Value) -> Value {
    let numbers = |value: &Value| -> Vec<i64> {
        value.as_array().expect("a list").iter().map(|it| it.as_i64().expect("a number")).collect()
    };
    let game = Rules::from_overrides(
        rules["base"].as_str().expect("a name"),
        rules.as_object().expect("rules"),
    );
    let game = game.expect("valid rules");
    let before = &table["before"];
    let stacks = numbers(&before["stacks"]);
    let mut stacks_before = stacks.clone();
    for event in record["events"].as_array().expect("a list").iter().filter(|it| it["e"] == "rebuy")
    {
        stacks_before[event["seat"].as_u64().expect("a seat") as usize] -=
            event["chips"].as_i64().expect("chips");
    }
    let after = numbers(&table["stacks"]);
    let payoffs: Vec<i64> =
        after.iter().zip(&stacks).map(|(after, before)| after - before).collect();
    let mut line = json!({"schema":"newmarket.trace/1","rules":game.base,"overrides":game.overrides(),
        "players":stacks.len(),"dealer":table["dealer"],
        "session":{"deal":table["deal"],"of":table["of"],"bankroll":game.session.bankroll.value()},
        "stacks_before":stacks_before,"layout_before":before["layout"],"kitty_before":before["kitty"],
        "pack":record["pack"],"events":record["events"],"payoffs":payoffs,
        "stacks_after":after,"layout_after":table["layout"],"kitty_after":table["kitty"]});
    if before["seats_in"].as_array().expect("a list").contains(&json!(false)) {
        line["seats_in"] = before["seats_in"].clone();
    }
    line
}

/// Rules under which much happens between the deals of a session.
fn houses() -> Vec<Value> {
    let short = |on_bust: &str| {
        json!({"base":"michigan","session":{"deals":6,"leftover":"lot",
            "bankroll":{"chips":{"start":9,"on_bust":on_bust}}}})
    };
    let named = NAMES.iter().map(|game| json!({"base":game,"session":{"deals":3}}));
    named.chain(["eliminate", "rebuy", "end_session"].map(short)).collect()
}

/// Plays the deal of table `a` to its end.
fn play_out(tables: &mut Tables) -> Value {
    let mut table = say(tables, &json!({"type":"state","table":"a"}));
    while table["deal_over"] == false {
        let choice = ask(tables);
        table = say(tables, &json!({"type":"answer","table":"a","do":choice}));
    }
    table
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
                let mut table = play_out(&mut tables);
                let ask_record = json!({"type":"record","id":"7","table":"a"});
                let mut record = say(&mut tables, &ask_record);
                assert_eq!((&record["type"], &record["id"]), (&json!("record"), &json!("7")));
                let next = say(&mut tables, &json!({"type":"next","table":"a"}));
                let over = next["session_over"] == true;
                if over {
                    (record, table) = (say(&mut tables, &ask_record), next);
                }
                lines += &trace_line(&rules, &record, &table).to_string();
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
            let (here, there) = (told(&mut part), told(&mut whole));
            let of_deal = |record: &Value| {
                let events = record["events"].as_array().expect("a list");
                events.iter().filter(|it| it["e"] != "rebuy").cloned().collect::<Vec<_>>()
            };
            assert_eq!((of_deal(&here), &here["pack"]), (of_deal(&there), &there["pack"]));
            let next = json!({"type":"next","table":"a"});
            table = say(&mut whole, &next);
            assert_eq!(say(&mut part, &next), table);
            if table["session_over"] == true {
                break;
            }
        }
    }
}

/// The JSON of a deal code opens what `open` opens; whatever else it says is refused in words.
#[test]
fn deal_codes_are_read_or_refused() {
    let first = json!({"rules":{"base":"four-horses"},"players":4,"seed":"9","seat":2});
    let shared = SharedDeal::read(first.to_string().as_bytes()).expect("a code");
    assert_eq!((shared.seat, shared.session.deal_number()), (2, 1));
    let later = json!({"rules":{"base":"four-horses"},"players":4,"seed":"9","deal":3,"dealer":1,
        "stacks":[12,11,12,12],"layout":[1,0,0,0],"kitty":0});
    let shared = SharedDeal::read(later.to_string().as_bytes()).expect("a code");
    assert_eq!(
        (shared.seat, shared.session.deal_number(), shared.session.deal_start().dealer),
        (0, 3, 1)
    );
    for (key, value, due) in [
        ("rules", json!({"base":"whist"}), "whist"),
        ("players", json!(9), "`players`"),
        ("seed", json!(7), "`seed`"),
        ("deal", json!(0), "`deal`"),
        ("deal", json!(11), "`deal`"),
        ("deal", json!(1_u64 << 40), "`deal`"),
        ("dealer", json!(4), "`dealer`"),
        ("seat", json!(4), "`seat`"),
        ("stacks", json!([0, 12, 12, 12]), "ante"),
        ("stacks", json!([12]), "`stacks`"),
        ("bought", json!([-1, 0, 0, 0]), "bought"),
        ("layout", json!([-1, 0, 0, 0]), "below 0"),
        ("kitty", json!(i64::from(i32::MAX)), "1000000000"),
        ("more", json!(1), "`more`"),
    ] {
        let mut code = later.clone();
        code[key] = value;
        let problem = SharedDeal::read(code.to_string().as_bytes()).expect_err("refused");
        assert!(problem.contains(due), "{code}: {problem}");
    }
    assert!(SharedDeal::read(b"{").is_err() && SharedDeal::read(b"[]").is_err());
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
fn faults_of_rules_are_told_key_by_key() {
    let mut tables = tables();
    let mut faults = |rules: Value, players: Value| {
        let mut question = json!({"type":"rules","id":"4","rules":rules});
        if !players.is_null() {
            question["players"] = players;
        }
        let reply = say(&mut tables, &question);
        assert_eq!((&reply["type"], &reply["id"]), (&json!("rules"), &json!("4")), "{reply}");
        let keys = reply["faults"].as_array().expect("a list").iter();
        keys.map(|fault| fault["key"].as_str().expect("a key").to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(faults(json!({"base":"michigan"}), json!(4)), [""; 0]);
    assert_eq!(faults(json!({"base":"michigan"}), json!(9)), ["players"]);
    assert_eq!(faults(json!({}), Value::Null), ["base"]);
    assert_eq!(faults(json!({"base":"bridge"}), Value::Null), ["base"]);
    let three = json!({"base":"michigan","per_card":-1,"aces":"middle","session":{"deals":0}});
    let mut found = faults(three, Value::Null);
    found.sort();
    assert_eq!(found, ["aces", "per_card", "session.deals"]);
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
        (json!({"type":"record","table":"a"}), "turn"),
        (json!({"type":"rules","rules":7}), "field"),
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
