//! What a host says or asks for as text: codes of deals, records, rules, strategies.

use newmarket_engine::SharedDeal;
use newmarket_env::rules::NAMES;
use newmarket_env::trace;
use serde_json::{Value, json};

use super::host::{code, houses, open, play_out, say, tables, trace_line};

/// The letters of a deal code for this JSON.
fn letters(json: &[u8]) -> String {
    use base64ct::{Base64UrlUnpadded, Encoding as _};
    Base64UrlUnpadded::encode_string(json)
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
        assert_eq!(
            reply["words"],
            json!(newmarket_env::Rules::named(game).expect("a named game").in_words())
        );
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
    let file = include_str!("../../../agents/strategies/examples/keep-the-lead.toml");
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
