//! The order of the play that a view gives is the order in which the events told it: in every game, after
//! every step.

mod common;

use common::{about, all_tables, any_rules, pick};
use newmarket_env::{Event, Game, Name, Outcome, Seed, Session, State, Why, narrate};
use rayon::prelude::*;

/// Seats and the cards that they played.
type Plays = Vec<(usize, Name)>;
/// Seats, the cards with which they stopped, and why these were stops.
type Stops = Vec<(usize, Name, Why)>;

/// The plays and the stops that these events tell.
fn told(events: &[Event]) -> (Plays, Stops) {
    let plays = events.iter().filter_map(|event| match *event {
        Event::Lead { seat, card } | Event::Play { seat, card } => Some((seat, card)),
        _ => None,
    });
    let stops = events.iter().filter_map(|event| match *event {
        Event::Stop { seat, card, why } => Some((seat, card, why)),
        _ => None,
    });
    (plays.collect(), stops.collect())
}

/// Plays a deal at random and compares after every step; returns the number of plays.
fn compare(game: &Game, seed: Seed) -> usize {
    let mut rng = seed.child(9).rng();
    let session = Session::single_deal(game, seed);
    let aces = game.rules().aces;
    let (mut state, mut events) = (State::new(game, session.deal_start()), Vec::new());
    while !state.is_over() {
        let before = state;
        let action = if state.actor().is_some() {
            let action = pick(state.legal(game), &mut rng);
            state.apply(game, action).expect("it is legal");
            Some(action)
        } else {
            state.deal(game, &session.hands(game));
            None
        };
        events.extend(narrate(game, &before, action, &state, None));
        let (plays, stops) = told(&events);
        let leads = events.iter().filter(|event| matches!(event, Event::Lead { .. })).count();
        for seat in 0..game.players() {
            let view = state.view(game, seat);
            let name = |card| Name::of(card, aces);
            assert!(view.is_possible());
            let played: Plays = view.plays().map(|(seat, card)| (seat, name(card))).collect();
            assert_eq!(played, plays);
            let stopped: Stops = view.stops().map(|it| (it.0, name(it.1), it.2)).collect();
            assert_eq!(stopped, stops);
            assert_eq!(view.sequences().count(), leads);
        }
    }
    let out = matches!(state.outcome(), Outcome::Out(_));
    assert_eq!(state.view(game, 0).sequences().last().is_some_and(|it| it.stop.is_none()), out);
    told(&events).0.len()
}

#[test]
fn the_order_of_the_play_is_as_told() {
    let plays: usize = all_tables()
        .into_par_iter()
        .map(|game| {
            let mut plays = 0;
            about(&format!("{}, {} players", game.rules().title(), game.players()), || {
                plays = (0..20).map(|deal| compare(&game, Seed::new(deal))).sum();
            });
            plays
        })
        .sum();
    assert!(plays > 10_000, "{plays}");
}

#[test]
fn so_it_is_under_any_rules() {
    (0..1_000).into_par_iter().for_each(|case| {
        let seed = Seed::new(case).child(12);
        let base = ["three-in-one", "newmarket", "four-horses"][case as usize % 3];
        let (game, text) = any_rules::game_of(base, &mut seed.rng());
        about(&text, || {
            compare(&game, seed);
        });
    });
}
