//! Rules files: what they say is what is played, and everything wrong with one is said at once.

mod common;

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
fn three_in_one_keeps_its_own() {
    one_fault("first_lead = \"poker_winner\"", "first_lead", &["poker_winner", "poker"]);
    for when in ["held", "played"] {
        one_fault(&format!("claim_when = {when:?}"), "claim_when", &["poker"]);
    }
    for lead in ["\"eldest\"", "\"poker_winner\""] {
        for when in ["held", "played"] {
            let changes = format!("first_lead = {lead}\nclaim_when = {when:?}");
            common::house("three-in-one", &changes, 8);
        }
    }
}

#[test]
fn three_in_one_leaves_some_keys_alone() {
    let base = "three-in-one";
    fault_on(base, "cell_cap = 20", "cell_cap", &["stages", "left out"]);
    let free = "layout_ante = { free = { chips = 4, dealer_chips = 4 } }";
    fault_on(base, free, "layout_ante", &["free", "pot", "fixed"]);
    common::house(base, "layout_ante = { fixed = { each = 1, dealer = 2 } }", 4);
    fault_on(base, "claim_when = \"later\"", "claim_when", &["later", "held", "played"]);
    fault_on(base, "claim_when = true", "claim_when", &["true"]);
    fault_on(base, "first_lead = \"dealer\"", "first_lead", &["dealer", "poker_winner"]);
    // All of them at once, whatever else cannot be read.
    let found = faults_on(base, "players = 4\ncell_cap = 20\n[session]\ndeals = 0");
    assert_eq!(keys(&found), ["players", "session.deals", "cell_cap"]);
    // Its spaces are no cells of another game.
    one_fault("cells = [\"RUN\"]", "cells", &["RUN"]);
    // The full ante counts the pot: eight piles and the kitty.
    let start = |start: usize| {
        format!("[session]\nbankroll = {{ chips = {{ start = {start}, on_bust = \"rebuy\" }} }}")
    };
    fault_on(base, &start(8), "session.bankroll.chips.start", &["8", "9"]);
    common::house(base, &start(9), 4);
}

/// `newmarket` with poker, all that a pot needs but the pot.
const POKER: &str = "players = [2, 6]\nstages = [\"poker\"]\n\
                     layout_ante = { fixed = { each = 1, dealer = 1 } }\n";

#[test]
fn three_in_one_is_plain_data() {
    let named = Rules::named("three-in-one").expect("a named game");
    let in_full = "base = \"newmarket\"\naces = \"high\"\n\
        cells = [\"TH\", \"JH\", \"QH\", \"KH\", \"AH\", \
        { name = \"KQ\", claimed_by = [\"KH\", \"QH\"] }, \
        { name = \"RUN\", claimed_by = [[\"8C\", \"9C\", \"TC\"], [\"8D\", \"9D\", \"TD\"], \
        [\"8H\", \"9H\", \"TH\"], [\"8S\", \"9S\", \"TS\"]] }, \
        { name = \"pot\", claimed_by = [] }]\n\
        layout_ante = { fixed = { each = 1, dealer = 1 } }\n\
        dead_hand = { position = \"last\", remainder = \"rotation\" }\n\
        exchange = { dealer_exchange_or_auction = { max_bid = 20 } }\n\
        stages = [\"collect\", \"poker\"]\nfirst_lead = \"poker_winner\"\n\
        change_suit = \"else_pass\"\n";
    let mut spec = (*Rules::from_toml(in_full, "house").expect("no fault")).clone();
    spec.base = named.base;
    assert_eq!(spec, *named);
}

#[test]
fn what_a_file_of_before_says_of_three_in_one_holds() {
    let base = "three-in-one";
    let rules = |changes: &str| common::house(base, changes, 4).rules().clone();
    let named = rules("");
    // The seven cells without the pot, by their names.
    let own = "cells = [\"TH\", \"JH\", \"QH\", \"KH\", \"AH\", \"KQ\", \"RUN\"]\n";
    assert_eq!(rules(own), named);
    assert_eq!(rules(&format!("{own}claim_when = \"held\"")), named);
    assert_eq!(rules("stages = [\"collect\", \"poker\"]"), named);
    let played = rules("claim_when = \"played\"");
    assert_eq!(played, rules("stages = [\"poker\"]"));
    assert_eq!(serde_json::to_string(&played.overrides()).unwrap(), r#"{"claim_when":"played"}"#);
    assert!(named.to_toml().contains(own) && named.to_toml().contains("claim_when = \"held\""));
    assert!(!named.to_toml().contains("stages"));
    fault_on(base, "stages = [\"poker\"]\nclaim_when = \"played\"", "claim_when", &["stages"]);
}

#[test]
fn the_pot_of_the_base_is_there_with_the_poker() {
    let changed = |changes: &str| common::house("three-in-one", changes, 4).rules().clone();
    let names = |rules: &Rules| -> Vec<String> {
        rules.cells.iter().map(|cell| cell.name.clone()).collect()
    };
    assert_eq!(names(&changed("cells = [\"AS\", \"RUN\"]")), ["AS", "RUN", "pot"]);
    assert_eq!(names(&changed("cells = [\"pot\", \"AS\"]")), ["pot", "AS"]);
    let own = "cells = [\"AS\", { name = \"pool\", claimed_by = [] }]";
    assert_eq!(names(&changed(own)), ["AS", "pool"]);
    let without = changed("stages = [\"collect\"]\nfirst_lead = \"eldest\"");
    assert_eq!(names(&without), ["TH", "JH", "QH", "KH", "AH", "KQ", "RUN"]);
    // All of them read back from what they are written as.
    for rules in [changed("cells = [\"AS\", \"RUN\"]"), changed(own), without] {
        assert_eq!(Rules::from_overrides("three-in-one", &rules.overrides()), Ok(rules.clone()));
        assert_eq!(Rules::from_toml(&rules.to_toml(), "again").ok(), Some(rules));
    }
}

#[test]
fn stages_and_their_pot() {
    let with = |cells: &str| format!("{POKER}cells = {cells}");
    let pot = "{ name = \"pot\", claimed_by = [] }";
    common::house("newmarket", &with(&format!("[{pot}, \"AS\"]")), 4);
    one_fault(&with("[\"AS\"]"), "stages", &["poker", "pot", "claimed_by = []"]);
    let two = format!("[{pot}, {{ name = \"pool\", claimed_by = [] }}]");
    one_fault(&with(&two), "cells", &["pot and pool", "one pot"]);
    one_fault(&format!("cells = [{pot}]"), "cells", &["pot", "no card", "poker"]);
    one_fault("stages = [\"stops\"]", "stages", &["stops", "collect", "poker"]);
    one_fault("stages = \"collect\"", "stages", &["collect", "a list"]);
    one_fault("stages = [\"collect\", \"collect\"]", "stages", &["twice"]);
    one_fault("stages = [\"collect\"]\ncell_cap = 4", "cell_cap", &["stages"]);
    // Every order, and each without the other.
    for stages in ["[\"poker\", \"collect\"]", "[\"collect\", \"poker\"]", "[\"poker\"]"] {
        let text = with(&format!("[{pot}, \"AS\"]")).replace("[\"poker\"]", stages);
        common::house("newmarket", &text, 4);
    }
    common::house("newmarket", "stages = [\"collect\"]", 4);
    common::house("newmarket", "stages = []", 4);
}

#[test]
fn cells_of_several_cards() {
    let cell =
        |claimed_by: &str| format!("cells = [{{ name = \"X\", claimed_by = {claimed_by} }}]");
    for fine in ["\"9D\"", "[\"9D\"]", "[\"9D\", \"TD\"]", "[[\"9D\", \"TD\"], [\"2C\"]]"] {
        let rules = common::house("newmarket", &cell(fine), 4).rules().clone();
        assert_eq!(Rules::from_toml(&rules.to_toml(), "again").ok(), Some(rules), "{fine}");
    }
    for wrong in ["[[]]", "[\"9D\", \"9D\"]", "[\"9D\", [\"TD\"]]", "[[[\"9D\"]]]", "9", "\"X\""] {
        one_fault(&cell(wrong), "cells", &["claimed_by"]);
    }
    for name in ["", "kitty", "two words", "AS", "\\u001b[1m", "a-name-too-long"] {
        let text = format!("cells = [{{ name = \"{name}\", claimed_by = \"9D\" }}]");
        one_fault(&text, "cells", &["a name of its own"]);
    }
    one_fault("cells = [{ card = \"AS\", claimed_by = [\"9D\", \"TD\"] }]", "cells", &["name"]);
    one_fault(&cell("[[\"9D\"], [\"9D\"]]"), "cells", &["twice", "different"]);
    one_fault(&format!("removed = [\"9D\"]\n{}", cell("[\"9D\", \"TD\"]")), "cells", &["9D TD"]);
    let two = |b: &str| {
        format!(
            "cells = [{{ name = \"X\", claimed_by = [\"9D\", \"TD\"] }}, \
             {{ name = \"{b}\", claimed_by = [[\"2C\"], [\"TD\", \"9D\"]] }}]"
        )
    };
    one_fault(&two("Y"), "cells", &["X and Y", "one set of cards"]);
    one_fault(&two("X"), "cells", &["X twice"]);
}

#[test]
fn what_is_collected_can_be_told() {
    let collect = |cells: &str| format!("stages = [\"collect\"]\ncells = [{cells}]");
    let cell = |name: &str, claimed_by: &str| {
        format!("{{ name = \"{name}\", claimed_by = {claimed_by} }}")
    };
    let pair = cell("X", "[\"9D\", \"TD\"]");
    let either = cell("Y", "[[\"2C\"], [\"3C\", \"4C\", \"5C\"]]");
    common::house("newmarket", &collect(&format!("{pair}, {either}, \"TD\"")), 4);
    for (cells, says) in [
        (cell("Z", "[\"2C\", \"3C\", \"4C\", \"5C\"]"), "2C 3C 4C 5C"),
        (format!("{pair}, {}", cell("Z", "[\"TD\", \"JD\"]")), "in two sets"),
        (cell("Z", "[[\"2C\"], [\"3C\"], [\"4C\"], [\"5C\"], [\"6C\"], [\"7C\"]]"), "6 sets"),
        (format!("{either}, {}", cell("Z", "[[\"2D\"], [\"3D\"]]")), "2 cells"),
    ] {
        one_fault(&collect(&cells), "cells", &[says, "collect"]);
    }
}

#[test]
fn three_in_one_has_its_pay_cards_in_the_pack() {
    let base = "three-in-one";
    for card in ["TH", "JH", "AH"] {
        fault_on(base, &format!("removed = [{card:?}]"), "cells", &[card, "not in the pack"]);
    }
    // The queen's own space, and that of king and queen.
    let found = faults_on(base, "removed = [\"QH\"]");
    assert_eq!(keys(&found), ["cells", "cells"], "{found:?}");
    let found = faults_on(base, "suits = 2");
    assert_eq!(keys(&found), ["cells"; 6], "{found:?}");
    // One run of the four will do.
    common::house(base, "removed = [\"8C\", \"9D\", \"9H\"]", 4);
    fault_on(base, "removed = [\"8C\", \"9D\", \"9H\", \"TS\"]", "cells", &["RUN"]);
    // Aces low, the ace of hearts is still a pay card.
    common::house(base, "aces = \"low\"", 4);
    fault_on(base, "aces = \"low\"\nremoved = [\"AH\"]", "cells", &["AH"]);
}

#[test]
fn poker_takes_five_cards() {
    // 39 cards: five hands of seven and more, or seven of five and a dead hand of four.
    let small = |players: usize, position: &str, exchange: &str| {
        format!(
            "players = [{players}, {players}]\nsuits = 3\nexchange = {exchange}\n\
             dead_hand = {{ position = {position:?} }}"
        )
    };
    let (base, none, fee) = ("three-in-one", "\"none\"", "{ dealer_exchange = { fee = 0 } }");
    for fine in [(7, "none", none), (7, "last", none), (6, "last", fee), (6, "first", fee)] {
        common::house(base, &small(fine.0, fine.1, fine.2), fine.0);
    }
    for (players, position, exchange, needed) in
        [(8, "none", none, "40"), (7, "first", none, "40"), (7, "last", fee, "40")]
    {
        let changes = small(players, position, exchange);
        fault_on(base, &changes, "players", &["39", "five cards", needed]);
    }
    // And so at the table that is played.
    let rules = common::house(base, "suits = 3", 4).rules().clone();
    let error = Game::new(rules, 7).expect_err("39 cards, eight hands").to_string();
    assert!(error.contains("39 cards") && error.contains("at least 40"), "{error}");
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
fn a_file_that_is_not_there_is_told_apart_from_a_game_that_is_not() {
    let unknown = Rules::load("brigde").expect_err("no such game").to_string();
    assert!(unknown.contains("brigde") && unknown.contains("newmarket"), "{unknown}");
    let missing = Rules::load("no/such/file.toml").expect_err("no such file").to_string();
    assert!(missing.contains("no/such/file.toml"), "{missing}");
}
