//! Stages before the play, and cells of several cards, in rules files.

use newmarket_env::{Game, Rules};

use super::{common, fault_on, faults_on, keys, one_fault};

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
