//! Strategies: what clauses, lines and antes do.

#[path = "../../../env/tests/common/mod.rs"]
mod common;
mod facts;

use std::sync::Arc;

use common::{all_tables, cards, house, table};
use newmarket_agents::strategy::{Content, Strategy};
use newmarket_agents::{Agent, Table};
use serde_json::{Value, json};

use newmarket_env::{Aces, Action, DealStart, Game, Hands, Phase, Seed, State, Suit, View};

/// Calls `each` at every decision of some deals of `random`, at every table and at one where antes are placed
/// after a look.
fn at_decisions(deals: u64, mut each: impl FnMut(&View)) {
    let looking = "timing = \"after_look\"\ncells = [\"AS\", \"7H\", \"2C\"]";
    for game in all_tables().into_iter().chain([house("newmarket", looking, 4)]) {
        let mut random = Strategy::named("random").unwrap();
        let mut table = Table::new(Arc::new(game));
        for deal in 0..deals {
            table.play(Seed::new(3).child(deal), |_, view, rng| {
                each(view);
                random.act(view, rng)
            });
        }
    }
}

/// A strategy of this JSON.
fn strategy(json: &Value) -> Strategy {
    let content = Content::from_json(json).unwrap_or_else(|faults| panic!("{json}: {faults}"));
    Strategy::new("test", content.into(), &mut |name| Err(format!("no {name}"))).unwrap()
}

/// A deal with these hands and all other cards dead, seat 0 dealing.
fn dealt(game: &Game, hands: &[&str]) -> State {
    let mut all = Hands::default();
    for (seat, text) in all.seats.iter_mut().zip(hands) {
        *seat = cards(text, Aces::Low);
    }
    all.dead = all.seats.iter().fold(game.pack(), |left, &hand| left - hand);
    let (mut usual, mut rng) = (Strategy::named("stopper").unwrap(), Seed::new(1).rng());
    let mut state = State::new(game, &DealStart::fresh(game.players(), 0));
    loop {
        match (state.phase(), state.actor()) {
            (Phase::Deal, _) => state.deal(game, &all),
            (Phase::Ante, Some(seat)) => {
                let chip = usual.act(&state.view(game, seat), &mut rng);
                state.apply(game, chip).unwrap();
            }
            _ => return state,
        }
    }
}

/// The suits among which clauses leave the lead.
fn left(view: &View, json: &Value) -> String {
    let letter = |action: Action| action.suit().unwrap().letter();
    strategy(json).left(view).iter().map(letter).collect()
}

#[test]
fn clauses_narrow_the_suits() {
    let game = house("newmarket", "change_suit = \"free\"", 3);
    let own = "2C 5C 3D 5D 7D 9D JD 2H 3H 4H 6H QS KS";
    let mut state = dealt(&game, &["TC JC QC", own, "3C 5H 9H TH"]);
    // 2C, 3C from the left, and 4C is dead; 5H from the left, the own 6H, and 7H is dead.
    for action in [Action::lead(Suit::Clubs), Action::lead(Suit::Hearts)] {
        state.apply(&game, action).unwrap();
    }
    assert_eq!(state.actor(), Some(1));
    let view = state.view(&game, 1);
    for (why, clause, suits) in [
        ("the 2 of hearts is lowest", "lowest card", "H"),
        ("QS is the highest lowest card", "highest card", "S"),
        ("five diamonds", "most cards", "D"),
        ("one club", "fewest cards", "C"),
        ("all but the longest", "all but most cards", "CHS"),
        ("2H 3H 4H", "most run", "H"),
        ("JD has chips on it", "most boodle chips", "D"),
        ("5H is played, and KS is the top", "run stops", "HS"),
        ("not these", "not run stops", "CD"),
        ("4C has proven dead", "nobody below", "C"),
        ("clubs and hearts have been played", "unopened", "DS"),
        ("KS is the top", "top card", "S"),
        ("nobody took the dead hand", "when others took the dead hand: top card", "CDHS"),
        (
            "nobody took it, so the clause counts",
            "when not others took the dead hand: top card",
            "S",
        ),
        ("no suit has fourteen", "cards >= 14", "CDHS"),
        ("either", "cards >= 5 or card >= 12", "DS"),
        ("both", "(cards = 3 or cards = 2) and run stops", "HS"),
        ("a sum", "cards + 2 * run >= 9", "H"),
        ("a difference", "most run - cards", "CHS"),
    ] {
        assert_eq!(left(&view, &json!({ "lead": [clause] })), suits, "{why}: {clause}");
    }
    // In their order.
    assert_eq!(left(&view, &json!({ "lead": ["run stops", "most cards"] })), "H");
    assert_eq!(left(&view, &json!({ "lead": ["most cards", "run stops"] })), "D");
    // What a player does not remember, it does not know.
    let forgetful = |remember: &[&str], clause: &str| {
        left(&view, &json!({ "remember": remember, "lead": [clause] }))
    };
    assert_eq!(forgetful(&["played", "discard"], "run stops"), "HS");
    assert_eq!(forgetful(&[], "run stops"), "S");
    assert_eq!(forgetful(&["played", "discard"], "nobody below"), "CDHS");
    assert_eq!(forgetful(&["stops"], "nobody below"), "C");
    // The reason is the clause that left fewer.
    let player = strategy(&json!({ "lead": ["cards >= 1", "run stops", "cards >= 14"] }));
    assert_eq!(player.reasons(&view)[0].text.as_deref(), Some("run stops"));
}

#[test]
fn what_decides_is_told_in_words() {
    let game = table("newmarket", 3);
    let mut state = State::new(&game, &DealStart::fresh(3, 2));
    let mut basic = Strategy::named("basic").unwrap();
    let even = strategy(&json!({ "base": "stopper", "ante": "even" }));
    let mut rng = Seed::new(8).rng();
    let mut told = Vec::new();
    while let Some(seat) = state.actor() {
        let view = state.view(&game, seat);
        assert_eq!(even.rule_in_words(&view).as_deref(), Some("evenly over all boodles"));
        told.push((seat, basic.rule_in_words(&view).unwrap()));
        let chip = basic.act(&view, &mut rng);
        state.apply(&game, chip).unwrap();
    }
    told.dedup();
    let others = "the others: 1 on AS, 3 on QC".to_owned();
    assert_eq!(told, [(0, "eldest: 4 on AS".into()), (1, others.clone()), (2, others)]);

    let state = dealt(&game, &["2C 3C", "4C 5D 6H 7H", "7S 8S"]);
    let view = state.view(&game, 1);
    let words = |json: Value| strategy(&json).rule_in_words(&view);
    // Two suits have one card, the clause after them decides; `cards >= 9` leaves all as they are.
    let lead = json!({ "base": "first", "lead": ["cards <= 1", "cards >= 9", "highest card"] });
    assert!(words(lead).unwrap().starts_with("most: "));
    let lead = json!({ "base": "first", "lead": ["cards >= 2", "highest card"] });
    let said = words(lead).unwrap();
    assert!(said.ends_with(": 2 or more") && !said.contains('?'), "{said}");
    assert_eq!(words(json!({ "base": "first", "lead": ["cards >= 9"] })), None);
    assert_eq!(words(json!({ "base": "first", "ante": "even" })), None, "that is no lead");
}

#[test]
fn the_base_decides_among_what_is_left() {
    let game = table("newmarket", 3);
    let state = dealt(&game, &["2C 3C", "4C 5D 6H 7H", "7S 8S"]);
    let view = state.view(&game, 1);
    let mut rng = Seed::new(8).rng();
    let mut led = |json: Value| strategy(&json).act(&view, &mut rng).suit().unwrap();
    let shortest = json!({ "base": "first", "lead": ["fewest cards"] });
    assert_eq!(led(shortest.clone()), Suit::Clubs);
    let other =
        json!({ "base": { "base": "usual", "lead": ["highest card"] }, "lead": ["fewest cards"] });
    assert_eq!(led(other), Suit::Diamonds);
    let by_kind = json!({ "base": "first", "bases": { "lead": "longest" } });
    assert_eq!(led(by_kind), Suit::Hearts);
    let mut times = [0; 4];
    let random = json!({ "base": "random", "lead": ["fewest cards"] });
    for _ in 0..1000 {
        times[led(random.clone()).index()] += 1;
    }
    assert!(times[0] > 420 && times[1] > 420 && times[0] + times[1] == 1000, "{times:?}");
    // Where the plan is not for this table, the base decides.
    let elsewhere = json!({ "base": "longest", "when": "players >= 4", "lead": ["fewest cards"] });
    assert_eq!(led(elsewhere), Suit::Hearts);
    let section =
        json!({ "lead": ["most cards"], "games": { "newmarket": { "lead": ["highest card"] } } });
    assert_eq!(led(section), Suit::Hearts);
}

/// What the first seat to place chips stakes on the four cells of `newmarket`.
fn staked(game: &Game, hands: Option<&Hands>, ante: &Value) -> [i32; 4] {
    let mut player = strategy(
        &json!({ "ante": ante, "claimed": { "AS": 0.9, "KH": 0.2, "QC": 0.5, "JD": 0.4 } }),
    );
    let mut state = State::new(game, &DealStart::fresh(game.players(), 0));
    if let Some(hands) = hands {
        state.deal(game, hands);
    }
    let (seat, mut rng) = (state.actor().unwrap(), Seed::new(1).rng());
    while state.phase() == Phase::Ante && state.actor() == Some(seat) {
        let chip = player.act(&state.view(game, seat), &mut rng);
        state.apply(game, chip).unwrap();
    }
    [0, 1, 2, 3].map(|cell| state.view(game, seat).staked(seat, cell))
}

#[test]
fn antes_are_split_as_they_say() {
    let game = table("newmarket", 3);
    for (ante, chips) in [
        (json!("even"), [1, 1, 1, 1]),
        (json!("base"), [1, 1, 1, 1]),
        (json!({ "eldest": { "AS": 3, "JD": 1 }, "others": { "AS": 4 } }), [3, 0, 0, 1]),
        (json!({ "others": { "QC": 4 } }), [0, 0, 4, 0]),
        // Another sum, another layout, and a table for which the antes are not: the base.
        (json!({ "others": { "QC": 5 } }), [1, 1, 1, 1]),
        (json!({ "others": { "QS": 4 } }), [1, 1, 1, 1]),
        (json!({ "when": "players = 4", "others": { "QC": 4 } }), [1, 1, 1, 1]),
        (json!({ "after_look": { "QC": 4 } }), [1, 1, 1, 1]),
        (json!({ "others": { "cells": ["all but fewest claimed"] } }), [2, 0, 1, 1]),
        (json!({ "others": { "cells": ["most claimed"], "spread": "one" } }), [4, 0, 0, 0]),
        (json!({ "others": { "cells": ["claimed < 0.5"] } }), [0, 2, 0, 2]),
    ] {
        assert_eq!(staked(&game, None, &ante), chips, "{ante}");
    }
    let game = house("newmarket", "timing = \"after_look\"", 3);
    let mut hands = Hands { dead: game.pack(), ..Hands::default() };
    hands.seats[1] = cards("KH JD 2C 3C", Aces::Low);
    for (ante, chips) in [
        (json!("base"), [0, 2, 0, 2]),
        (json!({ "others": { "QC": 4 } }), [0, 2, 0, 2]),
        (json!({ "after_look": "even" }), [1, 1, 1, 1]),
        (json!({ "after_look": { "cells": ["mine"] } }), [0, 2, 0, 2]),
        (
            json!({ "after_look": { "cells": ["mine", "lowest card"], "spread": "one" } }),
            [0, 0, 0, 4],
        ),
        (json!({ "after_look": { "cells": ["most cards below"] } }), [0, 0, 4, 0]),
        // A plan stays, though the own chips lie on the cell then.
        (json!({ "after_look": { "cells": ["fewest chips"], "spread": "one" } }), [4, 0, 0, 0]),
    ] {
        assert_eq!(staked(&game, Some(&hands), &ante), chips, "{ante}");
    }
    let capped = house("newmarket", "cell_cap = 5", 3);
    let all_on_one = json!({ "others": { "cells": [], "spread": "one" } });
    assert_eq!(staked(&capped, None, &all_on_one).iter().sum::<i32>(), 4);
}

#[test]
fn lines_decide_about_the_dead_hand() {
    let game = table("newmarket-buy", 3);
    let state = dealt(&game, &["KH", "QC JD", "2C 3C"]);
    let view = state.view(&game, 0);
    let mut rng = Seed::new(1).rng();
    let mut answer = |lines: Value| strategy(&json!({ "dead_hand": lines })).act(&view, &mut rng);
    let (keep, take) = (Action::KEEP, Action::EXCHANGE);
    assert_eq!(answer(json!(["keep"])), keep);
    assert_eq!(answer(json!(["take"])), take);
    assert_eq!(answer(json!(["boodles >= 1: keep", "take"])), keep);
    assert_eq!(answer(json!(["boodles >= 2: keep", "take"])), take);
    // No auction is possible here, so that line does not decide.
    assert_eq!(answer(json!(["auction", "take"])), take);
    // The same as the base: what the dead hand is worth.
    let by_worth = answer(json!(["worth of the dead hand > price: take", "keep"]));
    assert_eq!(by_worth, answer(json!(["base"])));
}

/// The lines that `usual` plays by, as text, decide as it does in all games.
#[test]
fn the_usual_answers_can_be_written_down() {
    let mut written = strategy(&json!({
        "base": "first",
        "dead_hand": ["worth of the dead hand > price: take", "auction", "keep"],
        "bid": ["up to below worth of the dead hand", "pass"],
    }));
    let (mut usual, mut rng) = (Strategy::named("stopper").unwrap(), Seed::new(1).rng());
    let mut answers = [0; 5];
    at_decisions(30, |view| {
        if matches!(view.phase(), Phase::DeadHand | Phase::Auction) {
            let action = written.act(view, &mut rng);
            assert_eq!(action, usual.act(view, &mut rng));
            answers[action.index() - Action::KEEP.index()] += 1;
        }
    });
    assert!(answers.iter().all(|&times| times > 10), "{answers:?}");
}

/// How often cells are claimed may be supplied after the file was read, before a player is made of it.
#[test]
fn claims_are_stated_or_supplied() {
    let most = json!({ "others": { "cells": ["most claimed"], "spread": "one" } });
    let asks = Content::from_json(&json!({ "base": { "ante": most } })).expect("it is read");
    let player = |content: &Content| {
        Strategy::new("asks", content.clone().into(), &mut |name| Err(name.into()))
    };
    assert!(asks.lacks_claims());
    let refused = player(&asks).err().expect("nobody counts");
    assert!(refused.contains("asks how often each cell is claimed"), "{refused}");
    let told = asks.with_claims(&[("AS", 0.1), ("KH", 0.2), ("QC", 0.9), ("JD", 0.3)]);
    assert!(!told.lacks_claims());
    let game = Arc::new(Game::new(newmarket_env::Rules::named("newmarket").unwrap(), 4).unwrap());
    let (mut table, mut player) = (Table::new(game), player(&told).expect("it knows"));
    table.begin(Seed::new(1));
    assert_eq!(player.act(&table.view(), &mut Seed::new(2).rng()), Action::chip(2));
}

#[test]
fn a_clause_or_a_line_can_be_left_out() {
    let file = json!({
        "lead": ["run stops", "most chips"], "dead_hand": ["stops <= 2: take", "keep"],
        "games": { "michigan": { "lead": ["unopened"] } },
    });
    let content = Content::from_json(&file).expect("it is read");
    let texts = |content: &Content, game: &str| -> Vec<String> {
        content.entries(game).into_iter().map(|(.., text)| text.to_owned()).collect()
    };
    assert_eq!(texts(&content, "michigan"), ["unopened", "stops <= 2: take", "keep"]);
    for (nth, (list, place, text)) in content.entries("newmarket").into_iter().enumerate() {
        let mut expected = texts(&content, "newmarket");
        assert_eq!(expected.remove(nth), text);
        let without = content.without("newmarket", list, place);
        assert_eq!(texts(&without, "newmarket"), expected);
    }
    // Another game has clauses of its own.
    let without = content.without("michigan", newmarket_agents::strategy::List::Lead, 0);
    assert_eq!(texts(&without, "newmarket"), texts(&content, "newmarket"));
}

#[test]
fn every_fault_is_told_with_what_would_be_right() {
    for (json, told) in [
        (
            json!({ "lead": ["most chps"] }),
            "`lead[1]` `chps`: expected a number or a fact, of which these are nearest: chips",
        ),
        (json!({ "lead": ["cards >="] }), "ends too early"),
        (json!({ "lead": ["cards >= 3 cards"] }), "expected the end"),
        (json!({ "lead": ["3"] }), "expected a comparison"),
        (json!({ "lead": ["when cards: most cards", "when cards most cards"] }), "expected `:`"),
        (json!({ "lead": ["cards ≥ 3"] }), "expected words in small letters"),
        (json!({ "lead": [""] }), "is empty"),
        (json!({ "lead": ["((((((((( cards )))))))))"] }), "at most eight brackets"),
        (json!({ "lead": ["cards > 99999999999"] }), "is no number"),
        (json!({ "lead": ["mine"] }), "nearest"),
        (json!({ "lead": [3] }), "`lead[1]` is 3: expected a text"),
        (json!({ "lead": "most cards" }), "expected a list"),
        (json!({ "lead": vec!["most cards"; 33] }), "expected at most 32"),
        (
            json!({ "dead_hand": ["stops: sell"] }),
            "expected an answer: keep, take, auction or base",
        ),
        (json!({ "bid": ["keep"] }), "nearest"),
        (
            json!({ "ante": { "eldest": { "AS": 1.5 } } }),
            "`ante.eldest.AS` is 1.5: expected a whole number",
        ),
        (json!({ "base": "exec:bot" }), "is a program"),
        (json!({ "base": "strategy:x.toml" }), "is a file"),
        (json!({ "base": 3 }), "expected the name of a player"),
        (json!({ "games": { "whist": {} } }), "`games.whist` is no game"),
        (json!({ "format": 2 }), "`format` is 2: expected 1"),
        (json!({ "leed": [] }), "`leed` is no key: expected one of lead"),
        (json!([]), "is a list: expected a table"),
        (json!({ "remember": "stops" }), "expected a list of"),
    ] {
        let faults = Content::from_json(&json).expect_err("it has a fault").to_string();
        assert!(faults.contains(told), "{json}: {faults}");
        assert_eq!(faults.lines().count(), 1);
    }
    let both = Content::from_json(&json!({ "lead": ["most x", "cards"], "bid": ["up"] }));
    assert_eq!(both.expect_err("two faults").count(), 2);
    let mut deep = json!({});
    for _ in 0..20 {
        deep = json!({ "base": deep });
    }
    assert!(Content::from_json(&deep).expect_err("too deep").to_string().contains("too often"));
}
