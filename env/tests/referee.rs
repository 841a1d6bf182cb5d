//! Small deals, each told event by event: every event of the trace at least once. The packs are
//! scaled down so that a reader can follow the cards.

use newmarket_env::trace::{InSession, check};
use newmarket_env::{Action, ActionMask, Card, DealStart, Game, Record, Referee, Rules};
use serde_json::{Value, json};

struct Table {
    game: Game,
    deal_start: DealStart,
}

/// A table of `newmarket` with changes: two players, seat 1 deals.
fn table(changes: Value) -> Table {
    let Value::Object(mut changes) = changes else { panic!("changes are a table") };
    let players = changes.remove("n").map_or(2, |n| n.as_u64().unwrap() as usize);
    changes.insert("players".into(), json!([2, players]));
    let rules = Rules::from_overrides("newmarket", &changes).unwrap();
    Table {
        game: Game::new(rules, players).unwrap(),
        deal_start: DealStart::fresh(players, players - 1),
    }
}

impl Table {
    /// Plays a deal. Decisions are actions in words; the forced ones are taken unasked.
    fn plays(&self, pack: &str, decisions: &[&str]) -> Referee<'_> {
        let aces = self.game.rules().aces;
        let pack: Vec<Card> =
            pack.split_whitespace().map(|name| Card::parse(name, aces).unwrap()).collect();
        let mut decisions = decisions.iter();
        let decide = |_: &Referee<'_>, _: usize, legal: ActionMask| {
            if legal.is_forced() {
                return Ok(legal.first().unwrap());
            }
            let word = decisions.next().ok_or_else(|| format!("no decision left for {legal}"))?;
            legal
                .iter()
                .find(|action| action.to_string() == *word)
                .ok_or(format!("{word}: {legal}"))
        };
        let played = Referee::play(&self.game, self.deal_start, &pack, decide).unwrap();
        assert_eq!(decisions.next(), None, "a decision is left");
        let before: i32 = self.deal_start.stacks.iter().chain(&self.deal_start.layout).sum();
        let after: i32 = played.stacks().iter().chain(played.layout()).sum();
        assert_eq!(before + self.deal_start.kitty, after + played.kitty(), "chips are conserved");
        if self.deal_start.credit && self.deal_start.seats_in.len() == self.game.players() {
            let line = Record::of(&played, InSession::default()).to_line();
            check(line.as_bytes()).unwrap();
        }
        played
    }
}

/// Compares the events that follow the deal (or all, if `expected` begins with an ante).
fn tells(played: &Referee<'_>, expected: &str) {
    let events: Vec<String> =
        played.events().iter().map(|event| serde_json::to_string(event).unwrap()).collect();
    let expected: Vec<&str> =
        expected.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let from = events.len().saturating_sub(expected.len());
    assert_eq!(events[from..], expected, "{events:#?}");
    if from > 0 {
        assert!(events[from - 1].contains(r#""e":"deal""#), "not told: {}", events[from - 1]);
    }
}

/// Three ranks of two suits: seat 0 gets AC AD, seat 1 2C 3C, the dead hand 2D 3D.
const SIX: &str = "AC 2C 3D AD 3C 2D";

fn six(mut changes: Value) -> Table {
    let fields = changes.as_object_mut().unwrap();
    for (key, value) in [("ranks", json!(3)), ("suits", json!(2)), ("cells", json!(["3C", "AD"]))] {
        fields.entry(key).or_insert(value);
    }
    fields.entry("dead_hand").or_insert(json!({ "remainder": "rotation" }));
    fields.entry("layout_ante").or_insert(json!({ "free": { "chips": 2, "dealer_chips": 2 } }));
    table(changes)
}

/// Antes that put everything on the first cell.
const ALL_ON_FIRST: [&str; 4] = ["chip on cell 0"; 4];

fn then<'a>(decisions: &[&'a str]) -> Vec<&'a str> {
    ALL_ON_FIRST.iter().chain(decisions).copied().collect()
}

#[test]
fn a_whole_deal() {
    let decisions =
        ["chip on cell 0", "chip on cell 1", "chip on cell 0", "chip on cell 0", "lead clubs"];
    let table = six(json!({}));
    let played = table.plays(SIX, &decisions);
    tells(
        &played,
        r#"
        {"e":"ante","seat":0,"kitty":1,"layout":[1,1]}
        {"e":"ante","seat":1,"kitty":1,"layout":[2,0]}
        {"e":"deal","hands":[["AC","AD"],["2C","3C"]],"dead":["2D","3D"]}
        {"e":"lead","seat":0,"card":"AC"}
        {"e":"play","seat":1,"card":"2C"}
        {"e":"play","seat":1,"card":"3C"}
        {"e":"claim","seat":1,"cell":"3C","chips":3}
        {"e":"out","seat":1}
        {"e":"settle","winner":1,"kitty":2,"cards":[1,0],"paid":[1,0]}
        "#,
    );
    assert_eq!(played.stacks(), [-4, 3]);
    assert_eq!(
        Record::of(&played, InSession::default()).to_line(),
        concat!(
            r#"{"schema":"newmarket.trace/1","rules":"newmarket","overrides":{"players":[2,2],"#,
            r#""ranks":3,"suits":2,"cells":["3C","AD"],"#,
            r#""layout_ante":{"free":{"chips":2,"dealer_chips":2}},"#,
            r#""dead_hand":{"remainder":"rotation"}},"players":2,"dealer":1,"#,
            r#""stacks_before":[0,0],"layout_before":[0,0],"kitty_before":0,"#,
            r#""pack":["AC","2C","3D","AD","3C","2D"],"events":["#,
            r#"{"e":"ante","seat":0,"kitty":1,"layout":[1,1]},"#,
            r#"{"e":"ante","seat":1,"kitty":1,"layout":[2,0]},"#,
            r#"{"e":"deal","hands":[["AC","AD"],["2C","3C"]],"dead":["2D","3D"]},"#,
            r#"{"e":"lead","seat":0,"card":"AC"},{"e":"play","seat":1,"card":"2C"},"#,
            r#"{"e":"play","seat":1,"card":"3C"},{"e":"claim","seat":1,"cell":"3C","chips":3},"#,
            r#"{"e":"out","seat":1},"#,
            r#"{"e":"settle","winner":1,"kitty":2,"cards":[1,0],"paid":[1,0]}],"#,
            r#""payoffs":[-4,3],"stacks_after":[-4,3],"layout_after":[0,1],"kitty_after":0}"#
        )
    );
}

#[test]
fn antes_after_the_look_and_what_overflows() {
    let table = six(json!({ "timing": "after_look", "cell_cap": 3,
        "layout_ante": { "fixed": { "each": 2, "dealer": 3 } } }));
    tells(
        &table.plays(SIX, &["lead diamonds"]),
        r#"
        {"e":"ante","seat":0,"kitty":1,"layout":[2,2]}
        {"e":"ante","seat":1,"kitty":1,"layout":[3,3]}
        {"e":"spill","from":"3C","to":"kitty","chips":2}
        {"e":"spill","from":"AD","to":"kitty","chips":2}
        {"e":"lead","seat":0,"card":"AD"}
        {"e":"claim","seat":0,"cell":"AD","chips":3}
        {"e":"stop","seat":0,"card":"AD","why":"dead"}
        {"e":"lead","seat":0,"card":"AC"}
        {"e":"out","seat":0}
        {"e":"settle","winner":0,"kitty":6,"cards":[0,2],"paid":[0,2]}
        "#,
    );
}

#[test]
fn a_spill_fills_the_emptiest_cell_first() {
    let mut table = six(json!({ "cell_cap": 5, "ranks": 4, "cells": ["4D", "3C", "AD", "2D"],
        "layout_ante": { "fixed": { "each": 0, "dealer": 0 } } }));
    table.deal_start.layout[..4].copy_from_slice(&[9, 1, 2, 0]);
    let played = table.plays("AC 4C 4D AD 3C 2D 2C 3D", &["lead clubs"]);
    let spills: Vec<String> = played
        .events()
        .iter()
        .map(|event| serde_json::to_string(event).unwrap())
        .filter(|json| json.contains("spill"))
        .collect();
    // One chip to 2D (1 1 2), one to 3C (2 of 3C, first of the fewest), one to 2D, one to 3C.
    assert_eq!(
        spills,
        [
            r#"{"e":"spill","from":"4D","to":"2D","chips":2}"#,
            r#"{"e":"spill","from":"4D","to":"3C","chips":2}"#,
        ]
    );
}

#[test]
fn a_split_may_not_pass_by_room_below_the_cap() {
    let table = six(json!({ "cell_cap": 3 }));
    // Two chips a seat: the second seat finds 2 on the first cell, and may add one.
    let decisions = ["chip on cell 0", "chip on cell 0", "chip on cell 0", "lead clubs"];
    let played = table.plays(SIX, &decisions);
    let json = serde_json::to_string(&played.events()[1]).unwrap();
    assert_eq!(json, r#"{"e":"ante","seat":1,"kitty":1,"layout":[1,1]}"#);
}

#[test]
fn an_exchange_pays_the_kitty() {
    let table = six(json!({ "exchange": { "dealer_exchange": { "fee": 3 } } }));
    tells(
        &table.plays(SIX, &then(&["exchange", "lead clubs"])),
        r#"
        {"e":"exchange","seat":1,"paid":3,"to":"kitty","dead":["2C","3C"]}
        {"e":"lead","seat":0,"card":"AC"}
        {"e":"stop","seat":0,"card":"AC","why":"dead"}
        {"e":"lead","seat":0,"card":"AD"}
        {"e":"out","seat":0}
        {"e":"settle","winner":0,"kitty":5,"cards":[0,2],"paid":[0,2]}
        "#,
    );
}

#[test]
fn without_a_kitty_the_cells_are_paid() {
    let table = six(json!({ "exchange": { "dealer_exchange": { "fee": 3 } },
        "kitty_ante": 0, "kitty_to_winner": false, "per_card": 2 }));
    let played = table.plays(SIX, &then(&["exchange", "lead diamonds"]));
    tells(
        &played,
        r#"
        {"e":"exchange","seat":1,"paid":3,"to":"layout","dead":["2C","3C"]}
        {"e":"lead","seat":0,"card":"AD"}
        {"e":"claim","seat":0,"cell":"AD","chips":1}
        {"e":"play","seat":1,"card":"2D"}
        {"e":"play","seat":1,"card":"3D"}
        {"e":"out","seat":1}
        {"e":"settle","winner":1,"kitty":0,"cards":[1,0],"paid":[2,0]}
        "#,
    );
    assert_eq!(played.layout(), [6, 0]);
}

#[test]
fn auctions() {
    let rules = |max_bid: u32| {
        six(
            json!({ "n": 3, "ranks": 4, "exchange": { "dealer_exchange_or_auction": { "max_bid": max_bid } },
            "layout_ante": { "fixed": { "each": 0, "dealer": 0 } } }),
        )
    };
    // Seats 0 to 2 get AC AD, 2C 2D, 3C 3D; the dead hand 4C 4D.
    let pack = "AC 2C 3C 4C AD 2D 3D 4D";
    let table = rules(20);
    tells(
        &table.plays(pack, &["auction", "bid", "bid", "bid", "pass", "lead clubs"]),
        r#"
        {"e":"auction","seat":2}
        {"e":"bid","seat":0,"chips":1}
        {"e":"bid","seat":1,"chips":2}
        {"e":"bid","seat":0,"chips":3}
        {"e":"pass","seat":1}
        {"e":"exchange","seat":0,"paid":3,"to":"seat:2","dead":["AC","AD"]}
        {"e":"lead","seat":0,"card":"4C"}
        {"e":"stop","seat":0,"card":"4C","why":"top"}
        {"e":"lead","seat":0,"card":"4D"}
        {"e":"out","seat":0}
        {"e":"settle","winner":0,"kitty":3,"cards":[0,2,2],"paid":[0,2,2]}
        "#,
    );
    let table = rules(1);
    let played = table.plays(pack, &["auction", "pass", "bid", "lead clubs"]);
    let told: Vec<String> =
        played.events()[4..8].iter().map(|e| serde_json::to_string(e).unwrap()).collect();
    assert_eq!(
        told,
        [
            r#"{"e":"auction","seat":2}"#,
            r#"{"e":"pass","seat":0}"#,
            r#"{"e":"bid","seat":1,"chips":1}"#,
            r#"{"e":"exchange","seat":1,"paid":1,"to":"seat:2","dead":["2C","2D"]}"#,
        ]
    );
    let passed = table.plays(pack, &["auction", "pass", "pass", "lead clubs"]);
    assert_eq!(passed.dead(), table.plays(pack, &["keep", "lead clubs"]).dead());
}

#[test]
fn the_offer_goes_round_and_costs_all_but_eldest() {
    let rules = json!({ "exchange": { "offer_chain": { "price": 2 } } });
    let table = six(rules);
    let played = table.plays(SIX, &then(&["keep", "exchange", "lead clubs"]));
    let told: Vec<String> =
        played.events()[3..5].iter().map(|e| serde_json::to_string(e).unwrap()).collect();
    assert_eq!(
        told,
        [
            r#"{"e":"keep","seat":0}"#,
            r#"{"e":"exchange","seat":1,"paid":2,"to":"kitty","dead":["2C","3C"]}"#,
        ]
    );
    let free = table.plays(SIX, &then(&["exchange"]));
    let told = serde_json::to_string(&free.events()[3]).unwrap();
    assert_eq!(told, r#"{"e":"exchange","seat":0,"paid":0,"to":null,"dead":["AC","AD"]}"#);
}

#[test]
fn who_cannot_lead_passes_and_nobody_may_be_left() {
    let one_suit = |change: &str| {
        six(json!({ "ranks": 5, "suits": 1, "change_suit": change, "cells": ["3C"],
            "layout_ante": { "fixed": { "each": 1, "dealer": 1 } } }))
    };
    let table = one_suit("else_pass");
    let pack = "AC 4C 2C 3C 5C";
    let played = table.plays(pack, &[]);
    tells(
        &played,
        r#"
        {"e":"lead","seat":0,"card":"AC"}
        {"e":"stop","seat":0,"card":"AC","why":"dead"}
        {"e":"pass_lead","seat":0}
        {"e":"pass_lead","seat":1}
        {"e":"no_winner"}
        "#,
    );
    assert_eq!((played.kitty(), played.stacks()), (2, &[-2, -2][..]));
    let same = r#"
        {"e":"lead","seat":0,"card":"AC"}
        {"e":"stop","seat":0,"card":"AC","why":"dead"}
        {"e":"lead","seat":0,"card":"3C"}
        {"e":"claim","seat":0,"cell":"3C","chips":2}
        {"e":"out","seat":0}
        {"e":"settle","winner":0,"kitty":2,"cards":[0,2],"paid":[0,2]}
        "#;
    for change in ["free", "else_same", "other_colour"] {
        tells(&one_suit(change).plays(pack, &[]), same);
    }
}

#[test]
fn the_other_colour_by_its_lowest_card() {
    let rules = json!({ "aces": "high", "ranks": 4, "suits": 4, "cells": [], "change_suit": "other_colour",
        "layout_ante": { "fixed": { "each": 0, "dealer": 0 } }, "dead_hand": { "remainder": "dead_hand" },
        "first_lead": { "lowest_of": "clubs" },
        "removed": ["4C", "5C", "3H", "4H", "5H", "2S"] });
    let table = table(rules);
    // Seat 0: 2C 3S 4D, seat 1: 2D 2H 5S, dead: 3C 3D 4S 5D.
    let played = table.plays("2C 2D 3C 3S 2H 3D 4D 5S 4S 5D", &[]);
    tells(
        &played,
        r#"
        {"e":"lead","seat":0,"card":"2C"}
        {"e":"stop","seat":0,"card":"2C","why":"dead"}
        {"e":"lead","seat":0,"card":"4D"}
        {"e":"stop","seat":0,"card":"4D","why":"dead"}
        {"e":"lead","seat":0,"card":"3S"}
        {"e":"out","seat":0}
        {"e":"settle","winner":0,"kitty":2,"cards":[0,3],"paid":[0,3]}
        "#,
    );
    // Seat 0: 2C 2D 2H, seat 1: 3S 4D 5S: two suits with equal lowest rank are a choice.
    let played = table.plays("2C 3S 3C 2D 4D 3D 2H 5S 4S 5D", &["lead diamonds"]);
    tells(
        &played,
        r#"
        {"e":"lead","seat":0,"card":"2C"}
        {"e":"stop","seat":0,"card":"2C","why":"dead"}
        {"e":"lead","seat":0,"card":"2D"}
        {"e":"stop","seat":0,"card":"2D","why":"dead"}
        {"e":"pass_lead","seat":0}
        {"e":"lead","seat":1,"card":"3S"}
        {"e":"stop","seat":1,"card":"3S","why":"dead"}
        {"e":"lead","seat":1,"card":"4D"}
        {"e":"stop","seat":1,"card":"4D","why":"dead"}
        {"e":"lead","seat":1,"card":"5S"}
        {"e":"out","seat":1}
        {"e":"settle","winner":1,"kitty":2,"cards":[1,0],"paid":[1,0]}
        "#,
    );
}

#[test]
fn every_reason_to_stop() {
    let table = table(json!({ "ranks": 5, "suits": 2, "removed": ["3D"], "cells": [],
        "dead_hand": { "remainder": "rotation" }, "change_suit": "free",
        "layout_ante": { "fixed": { "each": 0, "dealer": 0 } } }));
    // Seat 0: 2C 4C AD, seat 1: 3C AC 2D, dead: 5C 5D 4D.
    let pack = "2C 3C 5C 4C AC 5D AD 2D 4D";
    let played = table.plays(pack, &["lead diamonds"]);
    tells(
        &played,
        r#"
        {"e":"lead","seat":0,"card":"AD"}
        {"e":"play","seat":1,"card":"2D"}
        {"e":"stop","seat":1,"card":"2D","why":"removed"}
        {"e":"lead","seat":1,"card":"AC"}
        {"e":"play","seat":0,"card":"2C"}
        {"e":"play","seat":1,"card":"3C"}
        {"e":"out","seat":1}
        {"e":"settle","winner":1,"kitty":2,"cards":[1,0],"paid":[1,0]}
        "#,
    );
    let played = table.plays(pack, &["lead clubs"]);
    tells(
        &played,
        r#"
        {"e":"lead","seat":0,"card":"2C"}
        {"e":"play","seat":1,"card":"3C"}
        {"e":"play","seat":0,"card":"4C"}
        {"e":"stop","seat":0,"card":"4C","why":"dead"}
        {"e":"lead","seat":0,"card":"AD"}
        {"e":"out","seat":0}
        {"e":"settle","winner":0,"kitty":2,"cards":[0,2],"paid":[0,2]}
        "#,
    );
}

#[test]
fn a_sequence_that_meets_its_own_past() {
    let table = table(json!({ "ranks": 4, "suits": 2, "cells": [], "change_suit": "free",
        "dead_hand": { "position": "none", "remainder": "rotation" },
        "layout_ante": { "fixed": { "each": 0, "dealer": 0 } } }));
    // Seat 0: 2C AD 2D 3D, seat 1: AC 3C 4C 4D.
    let played = table.plays("2C 3C AD 4C 2D AC 3D 4D", &["lead clubs", "lead clubs"]);
    tells(
        &played,
        r#"
        {"e":"lead","seat":0,"card":"2C"}
        {"e":"play","seat":1,"card":"3C"}
        {"e":"play","seat":1,"card":"4C"}
        {"e":"stop","seat":1,"card":"4C","why":"top"}
        {"e":"lead","seat":1,"card":"AC"}
        {"e":"stop","seat":1,"card":"AC","why":"played"}
        {"e":"lead","seat":1,"card":"4D"}
        {"e":"out","seat":1}
        {"e":"settle","winner":1,"kitty":2,"cards":[3,0],"paid":[3,0]}
        "#,
    );
}

#[test]
fn chips_are_paid_as_far_as_they_go() {
    let mut table = six(json!({ "exchange": { "dealer_exchange": { "fee": 2 } }, "per_card": 5 }));
    table.deal_start.credit = false;
    table.deal_start.stacks[..2].copy_from_slice(&[5, 4]);
    // The dealer has one chip left: it keeps, without a choice. The loser pays what is left.
    let played = table.plays(SIX, &then(&["lead diamonds"]));
    tells(
        &played,
        r#"
        {"e":"keep","seat":1}
        {"e":"lead","seat":0,"card":"AD"}
        {"e":"stop","seat":0,"card":"AD","why":"dead"}
        {"e":"lead","seat":0,"card":"AC"}
        {"e":"out","seat":0}
        {"e":"settle","winner":0,"kitty":2,"cards":[0,2],"paid":[0,1]}
        "#,
    );
    assert_eq!(played.stacks(), [5, 0]);
}

#[test]
fn a_seat_that_is_out_takes_no_part() {
    let mut table = six(json!({ "n": 3 }));
    table.deal_start.seats_in.remove(0);
    // Seat 2 deals, so seat 1 is eldest now.
    let played = table.plays(SIX, &then(&["lead clubs"]));
    tells(
        &played,
        r#"
        {"e":"ante","seat":1,"kitty":1,"layout":[2,0]}
        {"e":"ante","seat":2,"kitty":1,"layout":[2,0]}
        {"e":"deal","hands":[[],["AC","AD"],["2C","3C"]],"dead":["2D","3D"]}
        {"e":"lead","seat":1,"card":"AC"}
        {"e":"play","seat":2,"card":"2C"}
        {"e":"play","seat":2,"card":"3C"}
        {"e":"claim","seat":2,"cell":"3C","chips":4}
        {"e":"out","seat":2}
        {"e":"settle","winner":2,"kitty":2,"cards":[0,1,0],"paid":[0,1,0]}
        "#,
    );
}

#[test]
fn what_cannot_be_played_is_an_error() {
    let table = six(json!({}));
    let mut pack: Vec<Card> = table.game.pack().iter().collect();
    let first = |_: &Referee<'_>, _, legal: ActionMask| Ok::<_, String>(legal.first().unwrap());
    let wrong = |_: &Referee<'_>, _, _| Ok::<_, String>(Action::BID);
    let error = Referee::play(&table.game, table.deal_start, &pack, wrong).unwrap_err();
    assert_eq!(
        error.to_string(),
        "seat 0 cannot bid: expected one of chip on cell 0, chip on cell 1"
    );
    pack[1] = pack[0];
    let error = Referee::play(&table.game, table.deal_start, &pack, first).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the pack: AC comes twice: expected the 6 cards of the game, each once"
    );
    pack.remove(1);
    let error = Referee::play(&table.game, table.deal_start, &pack, first).unwrap_err();
    assert!(error.to_string().contains("2C is missing"), "{error}");
}

#[test]
fn a_cell_may_want_several_cards_of_one_player() {
    // No rules file says so yet: the first cell goes to who has played 2C and 3C, or AD and 2D.
    let mut spec =
        (**six(json!({ "layout_ante": { "fixed": { "each": 1, "dealer": 1 } } })).game.rules())
            .clone();
    let aces = spec.aces;
    let set =
        |names: [&str; 2]| names.map(|name| Card::parse(name, aces).unwrap()).into_iter().collect();
    spec.cells[0].claimed_by = vec![set(["2C", "3C"]), set(["AD", "2D"])];
    let game = Game::new(spec.validate().unwrap(), 2).unwrap();
    let claims = |pack: &str| -> Vec<String> {
        let pack: Vec<Card> =
            pack.split_whitespace().map(|name| Card::parse(name, aces).unwrap()).collect();
        let first = |_: &Referee<'_>, _, legal: ActionMask| Ok::<_, String>(legal.first().unwrap());
        let played = Referee::play(&game, DealStart::fresh(2, 1), &pack, first).unwrap();
        let events = played.events().iter().map(|event| serde_json::to_string(event).unwrap());
        events.filter(|json| json.contains("claim")).collect()
    };
    // Seat 1 plays 2C and 3C.
    assert_eq!(claims(SIX), [r#"{"e":"claim","seat":1,"cell":"3C","chips":2}"#]);
    // 2C is played by seat 0 and 3C by seat 1: nobody played both.
    assert_eq!(claims("2C 3C 3D AD AC 2D"), [""; 0]);
}
