//! Rules files: what they say is what is played, and everything wrong with one is said at once.

#[path = "../common/mod.rs"]
mod common;
mod stages;

use newmarket_env::rules::{Fault, NAMES};
use newmarket_env::{Game, LoadError, Rules};

/// The faults of `newmarket` with these changes.
fn faults(changes: &str) -> Vec<Fault> {
    faults_on("newmarket", changes)
}

/// The faults of a named game with these changes.
fn faults_on(base: &str, changes: &str) -> Vec<Fault> {
    match Rules::from_toml(&format!("base = {base:?}\n{changes}"), "house.toml") {
        Err(LoadError::Faults { faults, path }) => {
            assert_eq!(path, "house.toml");
            assert!(!faults.0.is_empty());
            faults.0
        }
        other => panic!("{changes}\nhas faults: {other:?}"),
    }
}

fn keys(faults: &[Fault]) -> Vec<&str> {
    faults.iter().map(|fault| fault.key.as_str()).collect()
}

/// That these changes have one fault, at this key, and the message names this much.
fn one_fault(changes: &str, key: &str, says: &[&str]) {
    fault_on("newmarket", changes, key, says);
}

/// The same of another named game.
fn fault_on(base: &str, changes: &str, key: &str, says: &[&str]) {
    let faults = faults_on(base, changes);
    assert_eq!(keys(&faults), [key], "{changes}\n{faults:?}");
    let text = faults[0].to_string();
    assert!(text.contains(&format!("`{key}`")) && text.contains("expected"), "{text}");
    assert!(!text.contains('\n'), "one line: {text}");
    for say in says {
        assert!(text.contains(say), "{text}\nsays {say:?}");
    }
}

#[test]
fn all_faults_are_told_at_once() {
    let text = "\
        base = \"newmarket\"\n\
        players = [1, 9]\n\
        aces = \"sideways\"\n\
        ranks = 14\n\
        suits = \"four\"\n\
        removed = [\"1S\"]\n\
        kitty_ante = -1\n\
        layout_ante = { fixed = { each = 1 } }\n\
        cell_cap = 0\n\
        timing = \"whenever\"\n\
        dead_hand = { position = \"middle\", remainder = \"nowhere\", colour = 1 }\n\
        exchange = { dealer_exchange = { fee = \"much\" } }\n\
        first_lead = \"poker_winner\"\n\
        change_suit = \"never\"\n\
        kitty_to_winner = \"yes\"\n\
        per_card = 1.5\n\
        claim_when = \"held\"\n\
        horses = 4\n\
        [session]\n\
        deals = 0\n\
        bankroll = \"gold\"\n\
        leftover = \"dealer\"\n\
        first_dealer = 8\n\
        length = 3\n";
    let error = Rules::from_toml(text, "house.toml").expect_err("hardly a line is right");
    let LoadError::Faults { faults, .. } = &error else { panic!("{error}") };
    let found = keys(&faults.0);
    for key in [
        "players",
        "aces",
        "ranks",
        "suits",
        "removed",
        "kitty_ante",
        "layout_ante",
        "cell_cap",
        "timing",
        "dead_hand.position",
        "dead_hand.remainder",
        "dead_hand.colour",
        "exchange.dealer_exchange.fee",
        "first_lead",
        "change_suit",
        "kitty_to_winner",
        "per_card",
        "claim_when",
        "horses",
        "session.deals",
        "session.bankroll",
        "session.leftover",
        "session.first_dealer",
        "session.length",
    ] {
        assert!(found.contains(&key), "{key} is not among {found:?}");
    }
    let message = error.to_string();
    assert!(message.starts_with("house.toml: ") && !message.contains('\n'), "{message}");
    for (nth, fault) in faults.0.iter().enumerate() {
        // The first ten, and how many there are besides.
        assert_eq!(message.contains(&fault.to_string()), nth < 10, "{message}\nsays {fault}");
        assert!(!fault.expected.is_empty() && !fault.problem.is_empty());
    }
    assert!(message.contains(&format!("{} faults", faults.0.len())));
    assert!(message.ends_with(&format!("; … and {} more", faults.0.len() - 10)), "{message}");
}

/// What is not read must not be built either: a flood ends in a second, with a line of some length.
#[test]
fn a_flood_of_faults_is_one_short_line() {
    let cells = |cell: &str, count: usize| {
        format!("base = \"newmarket\"\ncells = [{}]", vec![cell; count].join(","))
    };
    let sets =
        |count| cells(&format!("{{name=\"X\",claimed_by=[{}]}}", "[\"2C\"],".repeat(count)), 8);
    let keys: Vec<String> = (0..100_000).map(|key| format!("k{key} = 1")).collect();
    let keys = keys.join("\n");
    for (text, count, words) in [
        (cells("\"KH\"", 400_000), 32, "`cells` has 400000 cells: expected at most 8"),
        (cells("\"?\"", 400_000), 400_000, "… and 399990 more"),
        (sets(10_000), 8, "claimed by 10000 sets"),
        (format!("base = \"newmarket\"\n{keys}"), 100_000, "… and 99990 more"),
        (format!("base = \"newmarket\"\n{} = 1", "k".repeat(1 << 20)), 1, "kkk…` is no key"),
    ] {
        let start = std::time::Instant::now();
        let error = Rules::from_toml(&text, "flood.toml").expect_err(words);
        let message = error.to_string();
        assert!(message.len() < 8000 && message.contains(words), "{words}: {message:.500}");
        let LoadError::Faults { faults, .. } = error else { panic!("{message}") };
        assert!(faults.count() >= count && faults.0.len() <= 100, "{}", faults.count());
        assert!(start.elapsed().as_secs() < 20, "{words}: {:?}", start.elapsed());
    }
}

#[test]
fn every_key_of_the_wrong_type_or_value_is_a_fault() {
    let wrong_values: [(&str, &[&str]); 18] = [
        ("name", &["3", "[\"a\"]"]),
        ("players", &["4", "[3]", "[3, 4, 5]", "[5, 4]", "[3, 9]", "[1, 4]", "[\"3\", 8]"]),
        ("aces", &["\"Low\"", "1", "true"]),
        ("ranks", &["0", "14", "-1", "2.0", "\"13\""]),
        ("suits", &["0", "5", "\"clubs\""]),
        ("removed", &["\"8D\"", "[8]", "[\"10S\"]", "[\"as\"]", "[\"\"]"]),
        ("cells", &["\"AS\"", "[1]", "[[\"AS\"]]", "[{ card = \"AS\" }]", "[\"ZZ\"]"]),
        ("kitty_ante", &["-1", "1001", "\"1\"", "0.5"]),
        ("layout_ante", &["4", "\"free\"", "{}", "{ free = 4 }", "{ free = { chips = 4 } }"]),
        ("cell_cap", &["0", "-3", "\"none\""]),
        ("timing", &["\"after\"", "0"]),
        ("dead_hand", &["\"last\"", "3"]),
        ("exchange", &["\"dealer\"", "{ dealer_exchange = {} }", "{ offer_chain = 1 }", "0"]),
        ("first_lead", &["\"dealer\"", "{ lowest_of = \"stars\" }", "{ lowest_of = 0 }"]),
        ("change_suit", &["\"else\"", "true"]),
        ("kitty_to_winner", &["1", "\"true\""]),
        ("per_card", &["-1", "\"1\"", "2000"]),
        ("session", &["10", "\"short\""]),
    ];
    for (key, values) in wrong_values {
        for value in values {
            let found = faults(&format!("{key} = {value}"));
            assert!(
                found.iter().all(|fault| fault.key.split('.').next() == Some(key)),
                "{key} = {value}: {found:?}"
            );
        }
    }
    let in_session: [(&str, &[&str]); 4] = [
        ("deals", &["0", "-1", "\"ten\"", "1000001"]),
        (
            "bankroll",
            &[
                "\"chips\"",
                "{ chips = 40 }",
                "{ chips = { start = 40 } }",
                "{ chips = { start = 40, on_bust = \"leave\" } }",
                "{ chips = { start = 0, on_bust = \"rebuy\" } }",
            ],
        ),
        ("leftover", &["\"none\"", "1"]),
        ("first_dealer", &["\"seat\"", "-1", "8", "1.0"]),
    ];
    for (key, values) in in_session {
        for value in values {
            let found = faults(&format!("[session]\n{key} = {value}"));
            let key = format!("session.{key}");
            assert!(found.iter().all(|fault| fault.key.starts_with(&key)), "{value}: {found:?}");
        }
    }
}

#[test]
fn a_card_is_named_as_it_was_written() {
    one_fault("removed = [\"10S\"]", "removed", &["10S", "a card"]);
    one_fault("horses = 4", "horses", &["is no key", "cells"]);
    one_fault("players = [9, 9]", "players", &["[9,9]", "[2, 8]"]);
}

#[test]
fn one_fault_is_not_told_as_several() {
    // The pack, and with it cells and hands, cannot be judged by ranks that cannot be read.
    one_fault("ranks = 14", "ranks", &["14", "1 to 13"]);
    one_fault("suits = \"four\"", "suits", &["four", "1 to 4"]);
    one_fault("cells = [\"XX\"]", "cells", &["XX"]);
    // What does not rest on it is told all the same.
    let found = faults("ranks = 14\ndead_hand = { position = \"none\" }\nhorses = 4");
    assert_eq!(keys(&found), ["ranks", "horses", "dead_hand.remainder"]);
    // A key that is none takes nothing away.
    let found = faults("dead_hand = { position = \"none\", colour = 1 }");
    assert_eq!(keys(&found), ["dead_hand.colour", "dead_hand.remainder"]);
}

#[test]
fn the_base_is_a_named_game() {
    for (text, says) in [
        ("players = [3, 4]", "is missing"),
        ("base = 4", "is 4"),
        ("base = \"bridge\"", "bridge"),
        ("base = \"Newmarket\"", "Newmarket"),
    ] {
        let error = Rules::from_toml(text, "x").expect_err("no base").to_string();
        assert!(error.contains("`base`") && error.contains(says), "{error}");
        assert!(NAMES.iter().all(|name| error.contains(name)), "{error} names the games");
    }
}

#[test]
fn what_is_not_toml_is_told_with_its_line() {
    let error = Rules::from_toml("base = \"newmarket\"\nplayers = [3,\n", "x.toml");
    let message = error.expect_err("it is not TOML").to_string();
    assert!(message.starts_with("x.toml is not TOML: line "), "{message}");
    assert!(!message.contains('\n'), "{message}");
    assert!(Rules::from_toml("base = \"newmarket\"\nbase = \"michigan\"", "x").is_err());
}

const NO_DEAD_HAND: &str = "dead_hand = { position = \"none\", remainder = \"rotation\" }\n";

#[test]
fn an_exchange_needs_a_dead_hand() {
    for exchange in [
        "{ dealer_exchange = { fee = 1 } }",
        "{ dealer_exchange_or_auction = { max_bid = 5 } }",
        "{ offer_chain = { price = 1 } }",
    ] {
        one_fault(&format!("{NO_DEAD_HAND}exchange = {exchange}"), "exchange", &["dead hand"]);
    }
}

#[test]
fn a_remainder_for_the_dead_hand_needs_one() {
    one_fault("dead_hand = { position = \"none\" }", "dead_hand.remainder", &["dead_hand"]);
}

#[test]
fn everybody_gets_a_card() {
    // Eight players and a dead hand want nine cards where the dead hand is not the last.
    let small = |ranks: usize, position: &str, remainder: &str| {
        format!(
            "players = [8, 8]\nranks = {ranks}\nsuits = 1\ncells = []\nlayout_ante = {{ free = {{ chips = 0, \
             dealer_chips = 0 }} }}\ndead_hand = {{ position = {position:?}, remainder = \
             {remainder:?} }}"
        )
    };
    one_fault(&small(8, "first", "rotation"), "players", &["8", "9"]);
    one_fault(&small(8, "before_dealer", "rotation"), "players", &["8", "9"]);
    one_fault(&small(8, "last", "dead_hand"), "players", &["8", "9"]);
    one_fault(&small(7, "last", "rotation"), "players", &["7", "8"]);
    one_fault(&small(7, "none", "rotation"), "players", &["7", "8"]);
    for fine in [
        small(9, "first", "rotation"),
        small(9, "last", "dead_hand"),
        small(8, "last", "rotation"),
        small(8, "none", "rotation"),
    ] {
        common::house("newmarket", &fine, 8);
    }
    // A dead hand that can be taken needs a card, too.
    let taken = |ranks| {
        let exchange = "\nexchange = { dealer_exchange = { fee = 0 } }";
        small(ranks, "last", "rotation") + exchange
    };
    one_fault(&taken(8), "players", &["8", "9"]);
    common::house("newmarket", &taken(9), 8);
}

#[test]
fn the_pack_is_judged_at_the_table_that_is_played() {
    let changes = "ranks = 5\nsuits = 1\ncells = [\"AC\"]\n";
    let rules = common::house("newmarket", changes, 4).rules().clone();
    let error = Game::new(rules, 5).expect_err("five cards, six hands").to_string();
    assert!(error.contains("5 cards") && error.contains("at least 6"), "{error}");
    // At no table of these players does it go round.
    let changes = "players = [5, 8]\nranks = 5\nsuits = 1\ncells = [\"AC\"]";
    one_fault(changes, "players", &["5", "6"]);
}

#[test]
fn the_start_covers_the_dealers_ante() {
    let chips = |start: usize| {
        format!(
            "layout_ante = {{ fixed = {{ each = 1, dealer = 2 }} }}\n[session]\n\
             bankroll = {{ chips = {{ start = {start}, on_bust = \"rebuy\" }} }}"
        )
    };
    // Two on each of four cells, and one to the kitty.
    one_fault(&chips(8), "session.bankroll.chips.start", &["8", "9"]);
    common::house("newmarket", &chips(9), 3);
}

#[test]
fn a_cell_is_claimed_by_a_card_in_play() {
    one_fault("cells = [\"AS\", \"KH\"]\nremoved = [\"KH\"]", "cells", &["KH"]);
    one_fault("cells = [\"KH\"]\nranks = 12", "cells", &["KH"]);
    one_fault("cells = [\"AS\"]\nsuits = 3", "cells", &["AS"]);
    one_fault("cells = [{ card = \"AS\", claimed_by = \"KH\" }]\nranks = 12", "cells", &["KH"]);
    // The cell's own card need not be in play.
    common::house(
        "newmarket",
        "removed = [\"KH\"]\ncells = [{ card = \"KH\", claimed_by = \"QH\" }]",
        3,
    );
}

#[test]
fn no_two_cells_are_claimed_by_one_card() {
    one_fault("cells = [\"QH\", { card = \"KH\", claimed_by = \"QH\" }]", "cells", &["QH", "KH"]);
    one_fault("cells = [\"QH\", \"QH\"]", "cells", &["QH"]);
}

#[test]
fn eight_cells_at_most() {
    let nine = ["AC", "2C", "3C", "4C", "5C", "6C", "7C", "8C", "9C"];
    one_fault(&format!("cells = {nine:?}"), "cells", &["9", "8"]);
    common::house("newmarket", &format!("cells = {:?}", &nine[..8]), 3);
}

#[test]
fn only_tables_that_the_rules_seat() {
    let rules = Rules::named("four-horses").expect("a named game");
    for players in [0, 1, 7, 8, 100] {
        let error = Game::new(rules.clone(), players).expect_err("two to six").to_string();
        assert_eq!(error, format!("four-horses is a game for 2 to 6 players, not {players}"));
    }
    let pair = Rules::from_toml("base = \"newmarket\"\nplayers = [3, 3]", "x").expect("valid");
    let error = Game::new(pair, 4).expect_err("three").to_string();
    assert_eq!(error, "newmarket is a game for 3 players, not 4");
    let rules = Rules::from_toml("base = \"newmarket\"\n[session]\nfirst_dealer = 5", "x");
    let error = Game::new(rules.expect("valid"), 4).expect_err("there is no seat 5").to_string();
    assert!(error.contains("seat 5") && error.contains("below 4"), "{error}");
}

#[test]
fn the_named_games_come_back_from_their_own_files() {
    for name in NAMES {
        let rules = Rules::named(name).expect("a named game");
        assert_eq!(Rules::from_toml(&rules.to_toml(), "x").ok().as_ref(), Some(&rules), "{name}");
        assert!(rules.overrides().is_empty(), "{name} differs from itself");
        let overrides = rules.overrides();
        assert_eq!(Rules::from_overrides(name, &overrides).as_ref(), Ok(&rules));
        assert_eq!(Rules::load(name).ok().as_ref(), Some(&rules));
        assert_eq!(rules.title(), name);
        for other in NAMES.into_iter().filter(|&other| other != name) {
            assert_ne!(Rules::named(other), Some(rules.clone()), "{other} is {name}");
        }
    }
    for (alias, name) in [
        ("boodle", "michigan"),
        ("stops", "michigan"),
        ("michigan-rummy", "three-in-one"),
        ("tripoley", "three-in-one"),
    ] {
        assert_eq!(Rules::named(alias), Rules::named(name));
    }
    assert_eq!(Rules::named("bridge"), None);
}

#[test]
fn whatever_a_file_says_it_is_quoted_in_one_plain_line() {
    for text in [
        "base = \"\u{89}\u{7f}\"",
        "base = \"newmarket\"\n\"a\\nb\\u001b\" = 1",
        "base = \"newmarket\"\nsession.\"\\r\" = 1",
        "base = \"newmarket\"\nname = \"\u{1b}\"",
    ] {
        let error = Rules::from_toml(text, "x").expect_err("a fault").to_string();
        assert!(!error.contains(char::is_control), "{error:?}");
    }
    let named = Rules::from_toml("base = \"newmarket\"\nname = \"\\u007fa\\nb\"", "x").unwrap();
    assert_eq!(Rules::from_toml(&named.to_toml(), "x").ok().as_ref(), Some(&named));
    let error = Game::new(named, 9).expect_err("eight at most").to_string();
    assert!(error.starts_with("\\u{7f}a\\nb is a game for 3 to 8 players"), "{error:?}");
}

#[test]
fn changes_inside_a_table_keep_the_rest_of_it() {
    let text =
        "base = \"hoyle-1885\"\ndead_hand = { remainder = \"dead_hand\" }\n[session]\ndeals = 3";
    let rules = Rules::from_toml(text, "x").expect("valid");
    let base = Rules::named("hoyle-1885").expect("a named game");
    assert_eq!(rules.dead_hand, base.dead_hand);
    assert_eq!(rules.session.leftover, base.session.leftover);
    assert_eq!(rules.session.first_dealer, base.session.first_dealer);
    assert_eq!(rules.session.deals, 3);
    let overrides = serde_json::Value::Object(rules.overrides());
    let expected = serde_json::json!({
        "dead_hand": { "remainder": "dead_hand" }, "session": { "deals": 3 }
    });
    assert_eq!(overrides, expected);
}

#[test]
fn rules_without_a_name_of_their_own_are_called_as_their_file_is() {
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("our-house.toml");
    for (text, title) in [
        ("base = \"newmarket\"\nkitty_ante = 2", "our-house"),
        ("base = \"newmarket\"\nkitty_ante = 2\nname = \"Sunday\"", "Sunday"),
        ("base = \"newmarket\"", "newmarket"),
    ] {
        std::fs::write(&path, text).expect("a rules file");
        let rules = Rules::load(path.to_str().expect("plain")).expect("valid");
        assert_eq!(rules.title(), title, "{text}");
    }
}

#[test]
fn a_file_that_is_not_there_is_told_apart_from_a_game_that_is_not() {
    let unknown = Rules::load("brigde").expect_err("no such game").to_string();
    assert!(unknown.contains("brigde") && unknown.contains("newmarket"), "{unknown}");
    let missing = Rules::load("no/such/file.toml").expect_err("no such file").to_string();
    assert!(missing.contains("no/such/file.toml"), "{missing}");
}
