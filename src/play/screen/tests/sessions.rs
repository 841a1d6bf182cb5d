//! Whole sessions of every named game: the table agrees with the engine, and both ways to play agree.

use newmarket_env::rules::NAMES;
use newmarket_env::{CardSet, Phase, Rules};

use super::super::super::players::{self, Adviser, Players};
use super::super::super::session::PlaySession;
use super::super::super::{Setup, final_standing, lines};
use super::super::state::{ScreenState, Stage};
use super::super::worker::Order;
use super::harness::{TestTable, game, others, stopper};

/// The fewest and the most players of each named game.
fn tables() -> impl Iterator<Item = (&'static str, usize)> {
    NAMES.into_iter().flat_map(|name| {
        let (min, max) = Rules::named(name).unwrap().players;
        [(name, min), (name, max)]
    })
}

/// House rules under which players run out of chips.
fn houses() -> [String; 3] {
    ["eliminate", "rebuy", "end_session"].map(|on_bust| {
        format!(
            "base = \"newmarket\"\nname = \"Our house\"\ntiming = \"after_look\"\n\
             cell_cap = 3\nexchange = {{ dealer_exchange = {{ fee = 4 }} }}\n\
             session = {{ leftover = \"richest\", \
             bankroll = {{ chips = {{ start = 12, on_bust = \"{on_bust}\" }} }} }}\n"
        )
    })
}

/// Compares all chips and cards on the screen with what the seat may know.
fn agrees(test: &TestTable, context: &str) {
    let (table, screen) = (&test.screen.table, &test.screen);
    let state = test.session.state();
    let viewer = screen.viewer.unwrap_or(0);
    let view = state.view(&screen.game, viewer);
    let seats = 0..screen.game.players();
    // The event of an ante comes with its last chip.
    if view.phase() == Phase::Ante {
        return;
    }
    assert_eq!(table.stacks[..], state.stacks()[seats.clone()], "{context}");
    assert_eq!(table.layout, view.layout(), "{context}");
    assert_eq!(table.kitty, view.kitty(), "{context}");
    for seat in seats.clone() {
        assert_eq!(table.played[seat], view.played_by(seat), "{context}: seat {seat}");
        assert_eq!(table.sizes[seat], view.hand_size(seat), "{context}: seat {seat}");
        if view.phase() == Phase::Bet {
            assert_eq!(table.bets[seat], view.put(seat), "{context}: seat {seat}");
        }
    }
    if view.is_dealt() {
        assert_eq!(table.dead_size, view.dead_size(), "{context}");
    }
    let hands = state.hands();
    let over = matches!(screen.stage, Stage::DealOver | Stage::SessionOver);
    if screen.viewer.is_none() || over {
        let open: Vec<CardSet> = seats.map(|seat| hands.seats[seat]).collect();
        assert_eq!(table.hands, open, "{context}");
        assert_eq!(table.dead, hands.dead, "{context}");
        return;
    }
    assert_eq!(table.hands[viewer], view.hand(), "{context}");
    assert!(view.known_dead().is_superset(table.dead), "{context}: a hidden card");
    for seat in seats.filter(|&seat| seat != viewer) {
        assert!(table.hands[seat].is_empty(), "{context}: a hidden hand");
        let shown = matches!(view.phase(), Phase::Lead | Phase::Over);
        assert!(table.apart[seat].is_empty() || shown, "{context}: hidden cards");
    }
}

#[test]
fn the_table_shows_what_the_seat_may_know() {
    let mut looked = 0;
    for (name, count) in tables() {
        let mut test = TestTable::new(&game(name, count, 3), 11, Some(0));
        while test.screen.stage != Stage::SessionOver {
            // Decision by decision.
            while let Some(order) = test.tick() {
                test.order(order);
                test.screen.catch_up();
                agrees(&test, &format!("{name}, {count} players"));
                looked += 1;
            }
            test.enter_alone();
        }
    }
    assert!(looked > 1000, "{looked}");
}

#[test]
fn those_who_look_on_see_every_card() {
    for (name, count) in tables() {
        let mut test = TestTable::new(&game(name, count, 2), 12, None);
        while test.screen.stage != Stage::SessionOver {
            while let Some(order) = test.tick() {
                test.order(order);
                test.screen.catch_up();
                agrees(&test, &format!("{name}, {count} players"));
            }
            test.enter_alone();
        }
    }
}

/// The standing after a session in lines, answered with Enter, or with 1 if Enter is no answer; whether own cards `wait`.
fn in_lines(name: &str, count: usize, deals: u32, seed: u64, wait: bool) -> String {
    let game = game(name, count, deals);
    let table = newmarket_engine::SessionTable::open(game.clone(), players::cards(seed));
    let players = Players::new(others(&game, Some(0)), seed);
    let setup = Setup {
        session: PlaySession::new(table, players, Some(0)),
        adviser: Some(Adviser::new(Box::new(stopper()), seed)),
        hints: false,
        wait,
        delay: None,
        introduction: String::new(),
        luck: String::new(),
    };
    let text = lines::typed(setup, ["", "1"].into_iter().cycle().take(10_000));
    assert_eq!(text.contains("Enter plays "), wait, "{text}");
    text.split_once("Final standing").expect("it is played to its end").1.to_string()
}

fn standing(screen: &ScreenState) -> String {
    final_standing(&screen.wording(), &screen.table).join("\n")
}

#[test]
fn a_session_comes_out_the_same_as_line_by_line() {
    for (name, count) in tables() {
        let mut test = TestTable::new(&game(name, count, 3), 21, Some(0));
        test.until(|_| false);
        for wait in [false, true] {
            let lines = in_lines(name, count, 3, 21, wait);
            let lines = lines.split_once('\n').unwrap().1;
            assert_eq!(lines.trim_end(), standing(&test.screen), "{name}, {count} players");
        }
    }
}

#[test]
fn those_who_run_out_of_chips_are_shown_so() {
    for rules in houses() {
        for seed in 0..4 {
            let mut test = TestTable::new(&game(&rules, 4, 12), seed, Some(0));
            test.rest();
            for _ in 0..2_000 {
                agrees(&test, &rules);
                test.enter();
            }
            assert_eq!(test.screen.stage, Stage::SessionOver);
            let lines = in_lines(&rules, 4, 12, seed, false);
            let lines = lines.split_once('\n').unwrap().1;
            assert_eq!(lines.trim_end(), standing(&test.screen), "{rules}");
        }
    }
}

#[test]
fn what_is_undone_happens_again() {
    for (name, count) in tables() {
        let mut test = TestTable::new(&game(name, count, 2), 31, Some(0));
        for nth in 0..40 {
            test.rest();
            if test.screen.stage == Stage::SessionOver {
                break;
            }
            let asked = test.screen.stage == Stage::Asked;
            let before = test.text(80, 24);
            test.enter();
            let after = test.text(120, 40);
            if !asked {
                continue;
            }
            let context = format!("{name}, {count} players, decision {nth}");
            test.keys("u");
            agrees(&test, &context);
            assert_eq!(test.screen.stage, Stage::Asked, "{context}");
            assert_eq!(test.text(80, 24), before, "{context}");
            test.enter();
            assert_eq!(test.text(120, 40), after, "{context}");
        }
    }
}

#[test]
fn nothing_before_the_first_decision_of_a_deal_is_undone() {
    let mut test = TestTable::new(&game("newmarket", 4, 2), 7, Some(0));
    test.rest();
    let stage = test.screen.stage;
    test.keys("u");
    assert_eq!(test.screen.message, "There is nothing of this deal to take back.");
    assert_eq!(test.screen.stage, stage);
    test.until(|screen| screen.stage == Stage::DealOver);
    test.order(Order::Undo);
    test.rest();
    assert_eq!(test.screen.stage, Stage::Asked, "a deal that is over may be taken back");
}
