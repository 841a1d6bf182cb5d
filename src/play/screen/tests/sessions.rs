//! Whole sessions of every named game: the table agrees with the engine, and both ways to play agree.

use std::time::Duration;

use newmarket_env::rules::NAMES;
use newmarket_env::{CardSet, Phase, Rules};

use super::super::super::ask::Input;
use super::super::super::host::Host;
use super::super::super::paint::Paint;
use super::super::super::pen::Pen;
use super::super::super::person::Person;
use super::super::super::players::{self, Players};
use super::super::show::{Show, Stage};
use super::super::worker::Order;
use super::desk::{Desk, game, others, stopper};

/// The fewest and the most players of each named game.
fn tables() -> impl Iterator<Item = (&'static str, usize)> {
    NAMES.into_iter().flat_map(|name| {
        let (min, max) = Rules::named(name).unwrap().players;
        [(name, min), (name, max)]
    })
}

/// Games of a house in which people run out of chips.
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

/// What is shown is what the seat may know, to the chip and the card.
fn agrees(desk: &Desk, context: &str) {
    let (felt, show) = (&desk.show.felt, &desk.show);
    let state = desk.sitting.state();
    let viewer = show.viewer.unwrap_or(0);
    let view = state.view(&show.game, viewer);
    let seats = 0..show.game.players();
    // An ante is told when all of it is paid.
    if view.phase() == Phase::Ante {
        return;
    }
    assert_eq!(felt.stacks[..], state.stacks()[seats.clone()], "{context}");
    assert_eq!(felt.layout, view.layout(), "{context}");
    assert_eq!(felt.kitty, view.kitty(), "{context}");
    for seat in seats.clone() {
        assert_eq!(felt.played[seat], view.played_by(seat), "{context}: seat {seat}");
        assert_eq!(felt.sizes[seat], view.hand_size(seat), "{context}: seat {seat}");
        if view.phase() == Phase::Bet {
            assert_eq!(felt.put[seat], view.put(seat), "{context}: seat {seat}");
        }
    }
    if view.is_dealt() {
        assert_eq!(felt.dead_size, view.dead_size(), "{context}");
    }
    let hands = state.hands();
    if show.viewer.is_none() {
        let open: Vec<CardSet> = seats.map(|seat| hands.seats[seat]).collect();
        assert_eq!(felt.hands, open, "{context}");
        assert_eq!(felt.dead, hands.dead, "{context}");
        return;
    }
    assert_eq!(felt.hands[viewer], view.hand(), "{context}");
    assert!(view.known_dead().is_superset(felt.dead), "{context}: a hidden card");
    for seat in seats.filter(|&seat| seat != viewer) {
        assert!(felt.hands[seat].is_empty(), "{context}: a hidden hand");
        let shown = matches!(view.phase(), Phase::Lead | Phase::Over);
        assert!(felt.apart[seat].is_empty() || shown, "{context}: hidden cards");
    }
}

#[test]
fn the_table_shows_what_the_seat_may_know() {
    let mut looked = 0;
    for (name, count) in tables() {
        let mut desk = Desk::new(&game(name, count, 3), 11, Some(0));
        while desk.show.stage != Stage::SessionOver {
            // Decision by decision.
            while let Some(order) = desk.tick() {
                desk.order(order);
                desk.show.catch_up();
                agrees(&desk, &format!("{name}, {count} players"));
                looked += 1;
            }
            desk.enter_alone();
        }
    }
    assert!(looked > 1000, "{looked}");
}

#[test]
fn those_who_look_on_see_every_card() {
    for (name, count) in tables() {
        let mut desk = Desk::new(&game(name, count, 2), 12, None);
        while desk.show.stage != Stage::SessionOver {
            while let Some(order) = desk.tick() {
                desk.order(order);
                desk.show.catch_up();
                agrees(&desk, &format!("{name}, {count} players"));
            }
            desk.enter_alone();
        }
    }
}

/// The result of a session in lines, answered with Enter, or where that is no answer, with 1.
fn in_lines(name: &str, count: usize, deals: u32, seed: u64) -> String {
    let game = game(name, count, deals);
    let table = newmarket_engine::SessionTable::open(game.clone(), players::cards(seed));
    let pen = Pen { game: &game, paint: Paint::PLAIN, person: Some(0) };
    let players = Players::new(others(&game, Some(0)), seed);
    let mut out = Vec::new();
    let session = table.session().clone();
    let mut host = Host::new(pen, &mut out, players, session, Duration::ZERO);
    host.seat(Person {
        input: Input::of_lines(["", "1"].into_iter().cycle().take(10_000)),
        adviser: Box::new(stopper()),
        rng: players::advice(seed),
        hints: false,
    });
    host.run().unwrap();
    let text = String::from_utf8(out).unwrap();
    text.split_once("Final standing").expect("it is played to its end").1.to_string()
}

fn standing(show: &Show) -> String {
    let credit = show.felt.start.credit;
    show.pen().final_standing(&show.felt.stacks, &show.bought, credit, show.left_alone)
}

#[test]
fn a_session_comes_out_the_same_as_line_by_line() {
    for (name, count) in tables() {
        let mut desk = Desk::new(&game(name, count, 3), 21, Some(0));
        desk.until(|_| false);
        let lines = in_lines(name, count, 3, 21);
        let lines = lines.split_once('\n').unwrap().1;
        assert_eq!(lines.trim_end(), standing(&desk.show), "{name}, {count} players");
    }
}

#[test]
fn those_who_run_out_of_chips_are_shown_so() {
    for rules in houses() {
        for seed in 0..4 {
            let mut desk = Desk::new(&game(&rules, 4, 12), seed, Some(0));
            desk.rest();
            for _ in 0..2_000 {
                agrees(&desk, &rules);
                desk.enter();
            }
            assert_eq!(desk.show.stage, Stage::SessionOver);
            let lines = in_lines(&rules, 4, 12, seed);
            let lines = lines.split_once('\n').unwrap().1;
            assert_eq!(lines.trim_end(), standing(&desk.show), "{rules}");
        }
    }
}

#[test]
fn what_is_undone_happens_again() {
    for (name, count) in tables() {
        let mut desk = Desk::new(&game(name, count, 2), 31, Some(0));
        for nth in 0..40 {
            desk.rest();
            if desk.show.stage == Stage::SessionOver {
                break;
            }
            let asked = desk.show.stage == Stage::Asked;
            let before = desk.screen(80, 24);
            desk.enter();
            let after = desk.screen(120, 40);
            if !asked {
                continue;
            }
            let context = format!("{name}, {count} players, decision {nth}");
            desk.keys("u");
            agrees(&desk, &context);
            assert_eq!(desk.show.stage, Stage::Asked, "{context}");
            assert_eq!(desk.screen(80, 24), before, "{context}");
            desk.enter();
            assert_eq!(desk.screen(120, 40), after, "{context}");
        }
    }
}

#[test]
fn nothing_before_the_first_decision_of_a_deal_is_undone() {
    let mut desk = Desk::new(&game("newmarket", 4, 2), 7, Some(0));
    desk.rest();
    let stage = desk.show.stage;
    desk.keys("u");
    assert_eq!(desk.show.message, "There is nothing of this deal to take back.");
    assert_eq!(desk.show.stage, stage);
    desk.until(|show| show.stage == Stage::DealOver);
    desk.order(Order::Undo);
    desk.rest();
    assert_eq!(desk.show.stage, Stage::Asked, "a deal that is over may be taken back");
}
