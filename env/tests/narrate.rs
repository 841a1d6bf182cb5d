//! The engine's steps, told in events, are what the referee writes: in every game, card for card.

mod common;

use common::{about, all_tables, any_rules, pick};
use newmarket_env::{
    DealStart, Event, Game, MAX_PLAYERS, Phase, Referee, Seed, Session, State, narrate,
};
use rayon::prelude::*;

/// Plays a deal at random, in the engine and by the referee; returns the number of events.
fn compare(game: &Game, start: &DealStart, seed: Seed) -> usize {
    let mut rng = seed.child(1).rng();
    let pack = game.shuffle(&mut rng);
    let mut state = State::new(game, start);
    let mut told = Vec::new();
    let mut actions = Vec::new();
    let mut before = State::new(game, start);
    // The step to the first decision has no state before it but the chips of the table.
    told.extend(narrate(game, &blank(game, start), None, &state, None));
    while !state.is_over() {
        let action = if state.phase() == Phase::Deal {
            state.deal(game, &game.deal(pack.cards(), start.dealer, start.seats_in));
            None
        } else {
            let action = pick(state.legal(game), &mut rng);
            state.apply(game, action).expect("it is legal");
            actions.push(action);
            Some(action)
        };
        told.extend(narrate(game, &before, action, &state, None));
        before = state;
    }
    let mut actions = actions.into_iter();
    let played = Referee::play(game, *start, pack.cards(), |_, _, _| actions.next().ok_or(()));
    let due: Vec<Event> = played.expect("it is legal").events().to_vec();
    assert_eq!(told, due);
    due.len()
}

fn blank(_: &Game, start: &DealStart) -> State {
    State::blank(start)
}

fn starts(game: &Game, seed: Seed) -> Vec<DealStart> {
    let mut start = *Session::single_deal(game, seed).deal_start();
    let mut starts = vec![start];
    start.layout[..game.cells()].fill(7);
    start.kitty = if game.rules().has_kitty() { 5 } else { 0 };
    if game.players() > game.rules().players.0 {
        start.seats_in.remove((start.dealer + 1) % game.players());
    }
    start.credit = false;
    start.stacks = [25; MAX_PLAYERS];
    if start.check(game).is_ok() {
        starts.push(start);
    }
    starts
}

#[test]
fn steps_are_told_as_the_referee_writes_them() {
    let events: usize = all_tables()
        .into_par_iter()
        .map(|game| {
            let one = |nth| {
                let seed = Seed::new(nth);
                let mut events = 0;
                about(&format!("{}, {} players", game.rules().title(), game.players()), || {
                    let each = starts(&game, seed).into_iter();
                    events = each.map(|start| compare(&game, &start, seed)).sum();
                });
                events
            };
            (0..20).map(one).sum::<usize>()
        })
        .sum();
    assert!(events > 100_000, "{events}");
}

#[test]
fn so_they_are_under_any_rules() {
    (0..3_000).into_par_iter().for_each(|case| {
        let seed = Seed::new(case).child(11);
        let base = ["three-in-one", "newmarket", "four-horses"][case as usize % 3];
        let (game, text) = any_rules::game_of(base, &mut seed.rng());
        about(&text, || {
            for start in starts(&game, seed) {
                compare(&game, &start, seed);
            }
        });
    });
}
