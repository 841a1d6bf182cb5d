//! Tables that deal for their host: whole sessions by lines alone, and by single actions.

use std::time::Duration;

use newmarket_agents::Agent;
use newmarket_agents::strategy::Strategy;
use newmarket_engine::{Engine, SharedDeal, Tables};
use newmarket_env::rules::NAMES;
use newmarket_env::{Action, Rules, trace};
use serde_json::{Value, json};

fn player(name: &str) -> Result<Box<dyn Agent>, String> {
    let found = Strategy::named(name).map(|player| Box::new(player) as Box<dyn Agent>);
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

/// The line of a trace that a record is.
fn trace_line(record: &Value) -> Value {
    let mut line = record.clone();
    for key in ["type", "table", "id"] {
        line.as_object_mut().expect("an object").remove(key);
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

/// The letters of a deal code for this JSON.
fn letters(json: &[u8]) -> String {
    use base64::Engine as _;
    base64::engine::general_purpose::URL_SAFE_NO_PAD.encode(json)
}

/// A deal code opens what `open` opens; any other text is refused in words.
#[test]
fn deal_codes_are_read_or_refused() {
    let read = |deal: &Value| SharedDeal::read(&letters(deal.to_string().as_bytes()));
    let first = json!({"rules":{"base":"four-horses"},"players":4,"seed":"9","seat":2});
    let shared = read(&first).expect("a code");
    assert_eq!((shared.seat, shared.session.deal_number()), (2, 1));
    let later = json!({"rules":{"base":"four-horses"},"players":4,"seed":"9","deal":3,"dealer":1,
        "stacks":[12,11,12,12],"layout":[1,0,0,0],"kitty":0});
    let shared = read(&later).expect("a code");
    assert_eq!(
        (shared.seat, shared.session.deal_number(), shared.session.deal_start().dealer),
        (0, 3, 1)
    );
    for (key, value, due) in [
        ("rules", json!({"base":"whist"}), "whist"),
        ("rules", json!("michigan"), "`rules`"),
        ("players", json!(9), "`players`"),
        ("players", json!("4"), "`players`"),
        ("seed", json!(7), "`seed`"),
        ("seed", json!("18446744073709551616"), "`seed`"),
        ("deal", json!(0), "`deal`"),
        ("deal", json!(11), "`deal`"),
        ("deal", json!(1_u64 << 40), "`deal`"),
        ("dealer", json!(4), "`dealer`"),
        ("seat", json!(4), "`seat`"),
        ("seat", Value::Null, "`seat`"),
        ("stacks", json!([0, 12, 12, 12]), "ante"),
        ("stacks", json!([12]), "`stacks`"),
        ("stacks", json!([12, 11, 12, 0.5]), "`stacks`"),
        ("seats_in", json!([1, 1, 1, 1]), "`seats_in`"),
        ("bought", json!([-1, 0, 0, 0]), "bought"),
        ("layout", json!([-1, 0, 0, 0]), "below 0"),
        ("kitty", json!(i64::from(i32::MAX)), "1000000000"),
        ("rebuys", json!([0, 0, 0, 0]), "`rebuys`"),
        ("more", json!(1), "`more`"),
    ] {
        let mut code = later.clone();
        code[key] = value;
        let problem = read(&code).expect_err("refused");
        assert!(problem.contains(due), "{code}: {problem}");
        assert!(!problem.contains('\n') && problem.len() < 400, "{problem}");
    }
    let cut = letters(first.to_string().as_bytes());
    let texts: [&str; 6] = ["", "ä", "abc", "#/deal/", &cut[..cut.len() - 6], &"A".repeat(8193)];
    for text in
        texts.map(String::from).into_iter().chain([b"{", b"5", b"[", b"\xff"].map(|it| letters(it)))
    {
        let problem = SharedDeal::read(&text).expect_err("refused");
        assert!(
            problem.contains("is no deal's code") || problem.contains("8193 letters"),
            "{problem}"
        );
    }
}

/// The code of a deal is the base64 of its fields in their order, and comes back as the same deal.
#[test]
fn deal_codes_are_written() {
    let mut tables = tables();
    let first =
        json!({"rules":{"base":"michigan"},"players":4,"seed":"18446744073709551615","seat":0});
    let later = json!({"rules":{"base":"newmarket","name":"Bei uns – ♥","kitty_ante":2},"players":4,"seed":"7",
        "seat":3,"deal":3,"dealer":1,"stacks":[-4,3,0,1],"layout":[1,0,0,2],"kitty":4,
        "seats_in":[true,true,false,true],"bought":[0,0,12,0]});
    for deal in [first, later] {
        let mut request = deal.clone();
        request["type"] = "code".into();
        request["id"] = "5".into();
        let reply = say(&mut tables, &request);
        assert_eq!(reply["deal"], deal);
        let code = reply["code"].as_str().expect("a code");
        assert_eq!(code, letters(deal.to_string().as_bytes()));
        let link = format!(" https://example.org/cards/#/deal/{code}\n");
        assert_eq!(say(&mut tables, &json!({"type":"code","id":"5","code":link})), reply);
        assert!(SharedDeal::read(&link).is_ok());
    }
    for wrong in [
        json!({"type":"code"}),
        json!({"type":"code","code":"","seat":1}),
        json!({"type":"code","rules":{"base":"michigan"},"players":4,"seed":"1","rebuys":[0,0,0,0]}),
    ] {
        assert_eq!(code(&mut tables, &wrong), "field");
    }
    let named = json!({"type":"code","rules":{"base":"michigan","name":"x".repeat(8000)},"players":4,"seed":"1"});
    assert_eq!(code(&mut tables, &named), "field");
}

/// The judge of single records takes what is recorded here, at any place in a session, and refuses each
/// change of a number, of a card and of an event.
#[test]
fn records_are_checked() {
    let mut checked = 0;
    for rules in houses() {
        let mut tables = tables();
        say(&mut tables, &json!({"type":"open","table":"a","rules":rules,"players":4,"seed":"3"}));
        loop {
            play_out(&mut tables);
            let next = say(&mut tables, &json!({"type":"next","table":"a"}));
            if next["session_over"] == false {
                continue;
            }
            let line = trace_line(&say(&mut tables, &json!({"type":"record","table":"a"})));
            let resolved =
                say(&mut tables, &json!({"type":"rules","rules":rules}))["resolved"].clone();
            let check = |record: &Value| json!({"type":"check","id":"8","record":record});
            let reply = say(&mut tables, &check(&line));
            assert_eq!((&reply["type"], &reply["id"]), (&json!("check"), &json!("8")), "{reply}");
            assert_eq!(reply["resolved"], resolved);
            // By itself the last deal of a session is one that `trace --check` refuses.
            assert_eq!(
                trace::check(line.to_string().as_bytes()).is_ok(),
                line["session"]["deal"] == 1
            );
            for (key, value) in line.as_object().expect("an object") {
                let mut changed = line.clone();
                changed[key] = match value {
                    Value::Number(number) => json!(number.as_i64().expect("a whole number") + 1),
                    Value::Array(list) => list[1..].into(),
                    Value::Object(_) => json!({"odd": 1}),
                    _ => json!("odd"),
                };
                let error = code(&mut tables, &check(&changed));
                assert!(["field", "rules", "trace"].contains(&&*error), "{changed}: {error}");
                checked += 1;
            }
            let events = line["events"].as_array().expect("a list").len();
            for nth in 0..events {
                let mut changed = line.clone();
                changed["events"].as_array_mut().expect("a list").remove(nth);
                assert_eq!(code(&mut tables, &check(&changed)), "trace");
            }
            break;
        }
    }
    assert!(checked > 250, "{checked}");
}

/// Overrides that say what the base has, places in no session and rebuys that are none are refused.
#[test]
fn what_is_no_record_is_refused() {
    let mut tables = tables();
    let rules = json!({"base":"newmarket","session":{"deals":2}});
    say(&mut tables, &json!({"type":"open","table":"a","rules":rules,"players":3,"seed":"3"}));
    play_out(&mut tables);
    let line = trace_line(&say(&mut tables, &json!({"type":"record","table":"a"})));
    for (pointer, value, due) in [
        ("/schema", json!("newmarket.trace/2"), "schema"),
        ("/rules", json!("whist"), "whist"),
        ("/overrides", json!({"session":{"deals":2},"per_card":1}), "left out"),
        ("/overrides", json!({"session":{"deals":2},"odd":1}), "odd"),
        ("/session/deal", json!(3), "session.deal"),
        ("/session/deal", json!(0), "session.deal"),
        ("/session/deal", json!(1_u64 << 40), "session.deal"),
        ("/session/of", json!(3), "session.of"),
        ("/session/bankroll", json!("chips"), "session.bankroll"),
        ("/session", json!({"deal":1,"of":2}), "session.bankroll"),
        ("/session", Value::Null, "session"),
        ("/seats_in", json!([true, true, true]), "one is out"),
        ("/pack/0", json!("XX"), "pack"),
        ("/events/0/e", json!("dance"), "events[0]"),
        ("/events/0/seat", json!(7), "events[0]"),
        ("/odd", json!(1), "odd"),
    ] {
        let mut changed = line.clone();
        match changed.pointer_mut(pointer) {
            Some(place) => *place = value,
            None => changed[&pointer[1..]] = value,
        }
        let reply = say(&mut tables, &json!({"type":"check","record":changed}));
        let told = format!("{} {}", reply["field"], reply["message"]);
        assert_eq!(reply["type"], "error", "{changed}");
        assert!(told.contains(due), "{pointer}: {told}");
    }
}

/// The options that a host is told are the keys of the rules that it is told.
#[test]
fn options_are_told() {
    let mut tables = tables();
    let reply = say(&mut tables, &json!({"type":"options","id":"3"}));
    assert_eq!((&reply["type"], &reply["id"]), (&json!("options"), &json!("3")));
    assert_eq!(reply["games"], json!(NAMES));
    for game in NAMES {
        let resolved =
            say(&mut tables, &json!({"type":"rules","rules":{"base":game}}))["resolved"].clone();
        for option in reply["options"].as_array().expect("a list") {
            let key = option["key"].as_str().expect("a key");
            let known = resolved.pointer(&format!("/{}", key.replace('.', "/"))).is_some();
            let may_be_missing =
                option["kind"].get("none").is_some() || option.get("short_for").is_some();
            assert!(known || may_be_missing, "{game}: {key}");
        }
    }
}

/// The reply to `rules` that are right has every option, and the options that differ from the base.
#[test]
fn rules_are_resolved() {
    let mut tables = tables();
    let mut ask = |rules: Value| say(&mut tables, &json!({"type":"rules","rules":rules}));
    for game in NAMES {
        let reply = ask(json!({"base":game}));
        assert_eq!((&reply["faults"], &reply["overrides"]), (&json!([]), &json!({})), "{game}");
        // All is said, so the base does not matter.
        for base in NAMES {
            let mut rules = reply["resolved"].clone();
            rules["base"] = json!(base);
            assert_eq!(ask(rules)["resolved"], reply["resolved"], "{game} on {base}");
        }
    }
    let played = ask(json!({"base":"three-in-one","claim_when":"played"}));
    assert_eq!(played["resolved"]["stages"], json!(["poker"]));
    assert_eq!(played["overrides"], json!({"claim_when":"played"}));
    let cells = played["resolved"]["cells"].as_array().expect("a list");
    assert_eq!(cells.last(), Some(&json!({"name":"pot","claimed_by":[]})));
    let faulty = ask(json!({"base":"michigan","ranks":0}));
    assert!(faulty.get("resolved").is_none() && faulty.get("overrides").is_none(), "{faulty}");
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

/// The strategy of the example, as a host sends it.
fn keep_the_lead() -> Value {
    let file = include_str!("../../agents/strategies/examples/keep-the-lead.toml");
    toml::from_str(file).expect("TOML")
}

/// Chips of each seat in a deal in which all ask this player.
fn payoffs(game: &str, seed: u32, player: &Value) -> Vec<i64> {
    let mut tables = tables();
    let rules = json!({"base":game});
    let open = json!({"type":"open","table":"a","rules":rules,"players":4,"seed":seed.to_string()});
    let mut table = say(&mut tables, &open);
    while table["deal_over"] == false {
        let answer = say(&mut tables, &json!({"type":"ask","id":"2","table":"a","player":player}));
        table = say(&mut tables, &json!({"type":"answer","table":"a","do":answer["do"]}));
    }
    let record = say(&mut tables, &json!({"type":"record","table":"a"}));
    let payoffs = record["payoffs"].as_array().expect("a list").iter();
    payoffs.map(|chips| chips.as_i64().expect("chips")).collect()
}

/// `web/test/unit/strategy.test.ts` expects the same chips of the same file.
#[test]
fn a_strategy_in_a_message_is_a_player() {
    let told = json!({"strategy": keep_the_lead()});
    let found = ["newmarket", "michigan", "three-in-one"]
        .map(|game| (1..=3).flat_map(|seed| payoffs(game, seed, &told)).collect::<Vec<_>>());
    let expected: [&[i64]; 3] = [
        &[-12, -12, -9, 26, -11, 22, -6, -5, -2, 10, 0, -8],
        &[-7, -15, -6, 18, -14, -1, 21, -6, -2, 2, -5, 0],
        &[-13, 22, -17, 0, -8, -12, 31, -19, 12, -7, -11, -6],
    ];
    assert_eq!(found, expected);
    // A strategy without clauses plays as its base.
    let base = json!({"strategy": {"base": "stopper"}});
    for seed in 1..=3 {
        let [stopper, base] = [&json!("stopper"), &base].map(|who| payoffs("newmarket", seed, who));
        assert_eq!(stopper, base);
        assert_ne!(stopper, payoffs("newmarket", seed, &told));
    }
}

#[test]
fn all_faults_of_a_strategy_are_told() {
    let mut tables = tables();
    open(&mut tables, "newmarket", 4);
    let before = say(&mut tables, &json!({"type":"state","table":"a"}));
    let mut deep = json!("stopper");
    for _ in 0..20 {
        deep = json!({"base": deep});
    }
    for (strategy, keys) in [
        (json!({"lead":["most chps","cards >="],"led":[]}), &["lead[1]", "lead[2]", "led"][..]),
        (json!({"base":"strategy:mine.toml"}), &["base"]),
        (json!({"base":"exec:true"}), &["base"]),
        (json!({"base":"nobody"}), &["base"]),
        (json!({"base":"net:player","over":{"base":7}}), &["over.base"]),
        (json!({"format":2}), &["format"]),
        (json!({"lead":vec!["cards"; 33]}), &["lead"]),
        (json!({"lead":["1.5.2 * cards", 7]}), &["lead[1]", "lead[2]"]),
    ] {
        let reply = say(&mut tables, &json!({"type":"strategy","id":"4","strategy":strategy}));
        let faults = reply["faults"].as_array().expect("a list");
        let mut found: Vec<_> = faults.iter().map(|fault| fault["key"].as_str()).collect();
        found.sort_unstable();
        assert_eq!(found, keys.iter().map(|&key| Some(key)).collect::<Vec<_>>(), "{reply}");
        let ask = json!({"type":"ask","id":"2","table":"a","player":{"strategy":strategy}});
        let error = say(&mut tables, &ask);
        let place = (&error["code"], &error["field"]);
        assert_eq!(place, (&json!("player"), &json!("player.strategy")), "{error}");
        let message = error["message"].as_str().expect("a text");
        assert!(keys.iter().all(|key| message.contains(key)) && !message.contains('\n'), "{error}");
    }
    let reply = say(&mut tables, &json!({"type":"strategy","strategy":deep}));
    assert!(reply["faults"][0]["key"].as_str().is_some_and(|key| key.starts_with("base.base.")));
    for player in [json!({}), json!({"strategy":{},"more":1}), json!({"strategie":{}}), json!(7)] {
        let ask = json!({"type":"ask","id":"2","table":"a","player":player});
        assert_eq!(code(&mut tables, &ask), "field", "{player}");
    }
    let right = say(&mut tables, &json!({"type":"strategy","strategy":keep_the_lead()}));
    assert_eq!((&right["faults"], &right["name"]), (&json!([]), &json!("keep-the-lead")));
    assert_eq!(say(&mut tables, &json!({"type":"state","table":"a"})), before);
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

/// A name is a name: none of the host's collides with what the engine keeps for itself, and none with another.
#[test]
fn odd_names_are_names() {
    let mut tables = tables();
    let names = [
        "a\u{1}0", "a\u{1}1", "a\u{1}2", "a", "", "\0", "a\n1", "a/1", "a 1", "\u{1}", "\u{200c}",
        "\u{feff}",
    ];
    // Seats at tables of the host's, each of another deal than those that are dealt here.
    let (hosted, opened) = names.split_at(3);
    for name in hosted {
        let deal = json!({"type":"deal","table":name,"seat":1,"player":"stopper",
            "rules":{"base":"newmarket"},"players":3,"dealer":2});
        assert_eq!(tables.receive(deal.to_string().as_bytes()), [""; 0]);
        let events = json!([{"e":"ante","seat":0,"kitty":1,"layout":[1,1,1,1]}]);
        let event = json!({"type":"event","table":name,"at":0,"events":events});
        assert_eq!(tables.receive(event.to_string().as_bytes()), [""; 0]);
    }
    for name in opened {
        let open = json!({"type":"open","table":name,"rules":{"base":"michigan"},"players":4,"seed":name.len().to_string()});
        assert_eq!(say(&mut tables, &open)["table"], *name);
    }
    for name in opened {
        let mut table = say(&mut tables, &json!({"type":"state","table":name}));
        while table["deal_over"] == false {
            let answer =
                say(&mut tables, &json!({"type":"ask","id":"1","table":name,"player":"stopper"}));
            assert_eq!(answer["type"], "answer", "{name:?}: {answer}");
            table = say(&mut tables, &json!({"type":"answer","table":name,"do":answer["do"]}));
            assert_eq!(table["table"], *name);
        }
    }
    // Each of the host's has its own events still.
    for name in hosted {
        let ask = json!({"type":"ask","id":"1","table":name,"at":0});
        assert_eq!(say(&mut tables, &ask)["at"], 1);
    }
    // No name stands for a player that a message told, or for one that nobody has named.
    for player in ["", "\u{1}{\"base\":\"stopper\"}"] {
        let told = json!({"strategy":{"base":"stopper"}});
        say(&mut tables, &json!({"type":"next","table":"a"}));
        say(&mut tables, &json!({"type":"ask","id":"1","table":"a","player":told}));
        assert_eq!(
            code(&mut tables, &json!({"type":"ask","id":"1","table":"a","player":player})),
            "player"
        );
    }
}

/// A table that is there is there, however many others are.
#[test]
fn a_full_house_is_told_to_new_tables_alone() {
    let mut tables = tables();
    let open = |name: &str| json!({"type":"open","table":name,"rules":{"base":"michigan"},"players":3,"seed":"7"});
    let deal = |name: &str| {
        json!({"type":"deal","table":name,"seat":1,"player":"stopper","rules":{"base":"michigan"},"players":3,"dealer":2})
            .to_string()
    };
    for nth in 0..1024 {
        assert_eq!(say(&mut tables, &open(&nth.to_string()))["type"], "table");
        assert_eq!(tables.receive(deal(&format!("host {nth}")).as_bytes()), [""; 0]);
    }
    assert_eq!(say(&mut tables, &open("5"))["type"], "table", "one of that name before is closed");
    assert_eq!(tables.receive(deal("host 5").as_bytes()), [""; 0]);
    let message = |reply: Value| reply["message"].as_str().expect("an error").to_owned();
    assert!(message(say(&mut tables, &open("host 5"))).contains("the host deals"));
    assert!(message(say(&mut tables, &open("more"))).contains("at most 1024 tables"));
    let refused = tables.receive(deal("more").as_bytes());
    assert!(refused[0].contains("at most 1024 tables"), "{refused:?}");
    let long = "é".repeat(101);
    assert!(message(say(&mut tables, &open(&long))).contains("at most 200 bytes"));
    // A table that is closed makes room, and asking for decisions takes none.
    assert_eq!(tables.receive(br#"{"type":"over","table":"7"}"#), [""; 0]);
    assert_eq!(say(&mut tables, &open("more"))["type"], "table");
    let ask = json!({"type":"ask","id":"1","table":"more","player":"stopper"});
    assert_eq!(say(&mut tables, &ask)["type"], "answer");
    assert_eq!(tables.receive(br#"{"type":"over","table":"host 7"}"#), [""; 0]);
    assert_eq!(tables.receive(deal("host more").as_bytes()), [""; 0]);
}

/// Whatever has an `id` is answered with all of it.
#[test]
fn every_reply_has_the_id_of_its_request() {
    let mut tables = tables();
    let ids = [
        String::new(),
        "1".into(),
        "x".repeat(240),
        "\u{feff}é\0\u{200c}\u{1f469}".into(),
        "y".repeat(60_000),
    ];
    for id in &ids {
        let mut all = |mut message: Value| {
            message["id"] = json!(id);
            let reply = say(&mut tables, &message);
            assert_eq!(reply["id"], json!(id), "{message}: {reply}");
            reply["type"].as_str().expect("a type").to_owned()
        };
        let rules = json!({"base":"michigan"});
        assert_eq!(all(json!({"type":"hello","versions":[1]})), "hello");
        assert_eq!(
            all(json!({"type":"open","table":"a","rules":rules,"players":3,"seed":"7"})),
            "table"
        );
        assert_eq!(all(json!({"type":"state","table":"a"})), "table");
        assert_eq!(all(json!({"type":"told","table":"a","seat":0,"at":0})), "event");
        assert_eq!(all(json!({"type":"ask","table":"a","player":"stopper"})), "answer");
        assert_eq!(all(json!({"type":"analyse","table":"a","budget":{"worlds":4}})), "analysis");
        assert_eq!(all(json!({"type":"rules","rules":rules})), "rules");
        assert_eq!(all(json!({"type":"strategy","strategy":{"base":"stopper"}})), "strategy");
        assert_eq!(all(json!({"type":"options"})), "options");
        assert_eq!(all(json!({"type":"code","rules":rules,"players":3,"seed":"7"})), "code");
        for wrong in [
            json!({"type":"hello","versions":[2]}),
            json!({"type":"nothing"}),
            json!({}),
            json!({"type":"record","table":"a"}),
            json!({"type":"stop","more":1}),
            json!({"type":"quit","more":1}),
            json!({"type":"over","table":"b"}),
            json!({"type":"deal","table":"a"}),
        ] {
            assert_eq!(all(wrong), "error");
        }
    }
}

/// The types that an error lists are all that are taken, and no others.
#[test]
fn an_unknown_type_is_told_what_is_taken() {
    let listed = |replies: Vec<String>| -> Vec<String> {
        let reply: Value = serde_json::from_str(&replies[0]).expect("JSON");
        assert_eq!((&reply["code"], &reply["field"]), (&json!("type"), &json!("type")));
        let list = reply["message"].as_str().and_then(|text| text.strip_prefix("expected one of "));
        list.expect("a list").split(", ").map(String::from).collect()
    };
    let mut engine = Engine::new(Box::new(player), &["stopper"], || Duration::ZERO);
    let own = ["hello", "deal", "event", "ask", "analyse", "stop", "over", "quit"];
    assert_eq!(listed(engine.receive(br#"{"type":"open"}"#)), own);
    let mut tables = tables();
    let all = listed(tables.receive(br#"{"type":"opn"}"#));
    let further = [
        "open", "state", "answer", "undo", "next", "record", "told", "rules", "strategy",
        "options", "code", "check",
    ];
    assert_eq!(all, [&own[..], &further[..]].concat());
    for kind in all {
        let reply = tables.receive(json!({"type":kind,"no such field":1}).to_string().as_bytes());
        assert!(!reply[0].contains(r#""code":"type""#), "{kind}: {reply:?}");
        let upper = json!({"type":kind.to_uppercase()}).to_string();
        assert!(tables.receive(upper.as_bytes())[0].contains(r#""code":"type""#));
    }
}

/// A byte order mark before a message, which some programs write, is no part of it.
#[test]
fn a_byte_order_mark_is_passed_over() {
    let mut tables = tables();
    let hello = r#"{"type":"hello","versions":[1]}"#;
    for (line, due) in [
        (format!("\u{feff}{hello}"), "hello"),
        (format!("\u{feff}{hello}{}", " ".repeat((64 << 10) - hello.len())), "hello"),
        (format!("{hello}{}", " ".repeat((64 << 10) - hello.len() + 1)), "error"),
        (format!("\u{feff}\u{feff}{hello}"), "error"),
    ] {
        let reply = tables.receive(line.as_bytes());
        assert!(reply[0].starts_with(&format!(r#"{{"type":"{due}""#)), "{reply:?}");
    }
}
