//! Every message has its reply; what is wrong in it is told, and changes nothing.

use std::time::Duration;

use newmarket_engine::Engine;
use newmarket_env::Action;
use serde_json::{Value, json};

use super::host::{code, open, player, say, tables};

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
