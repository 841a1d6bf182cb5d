//! The information boundary: what a seat cannot see makes no difference to what it sees, and
//! what it is told is all that follows from what it saw.

mod common;

use common::{about, all_tables, any_rules, pick};
use newmarket_env::rules::{FirstLead, Stage};
use newmarket_env::{
    Action, Card, CardSet, DealStart, Game, Hands, Phase, Rng, Seats, Seed, Session, State, Worlds,
};
use rayon::prelude::*;

/// Shuffles the cards of all hands but the fixed seat's among the same hands, sizes as they were.
///
/// Where the spaces of Three in One are taken while held, who collects is public. The cards that
/// can collect stay where they are, then, so that both deals have the same record.
fn reshuffle(game: &Game, hands: &Hands, fixed: usize, rng: &mut Rng) -> Hands {
    let mut lying = CardSet::EMPTY;
    if game.rules().has(Stage::Collect) {
        let sets = game.rules().cells.iter().flat_map(|cell| &cell.claimed_by);
        lying = sets.fold(lying, |all, &set| all | set);
    }
    let mut loose: Vec<Card> = (game.pack() - hands.seats[fixed] - lying).iter().collect();
    newmarket_env::seed::shuffle(&mut loose, rng);
    let mut deal = |hand: CardSet| {
        let stay = hand & lying;
        stay | loose.drain(..hand.len() - stay.len()).collect::<CardSet>()
    };
    let mut other = *hands;
    for seat in (0..game.players()).filter(|&seat| seat != fixed) {
        other.seats[seat] = deal(hands.seats[seat]);
    }
    other.dead = deal(hands.dead);
    other
}

/// Whether poker hands have been shown in this deal: more than one stayed to the end.
fn shown(game: &Game, state: &State) -> bool {
    let staying = state.seats_in() - state.view(game, 0).folded();
    let in_play = matches!(state.phase(), Phase::Lead | Phase::Over);
    game.rules().has(Stage::Poker) && in_play && staying.len() > 1
}

fn first_hands(game: &Game, deal_start: &DealStart, seed: Seed) -> Hands {
    game.deal(game.shuffle(&mut seed.rng()).cards(), deal_start.dealer, deal_start.seats_in)
}

/// From the deal until cards are played, nothing that a seat sees depends on cards that it does
/// not see: neither on hands nor on the five cards that another seat sets apart for poker. An own
/// exchange, which shows it the dead hand, and a showdown end the comparison.
fn before_play(game: &Game, seed: Seed) -> usize {
    let mut rng = seed.child(1).rng();
    let deal_start = *Session::single_deal(game, seed).deal_start();
    let hands = first_hands(game, &deal_start, seed);
    let mut compared = 0;
    for viewer in 0..game.players() {
        let other_hands = reshuffle(game, &hands, viewer, &mut rng);
        let mut state = State::new(game, &deal_start);
        let mut other = state;
        loop {
            assert_eq!(state.view(game, viewer), other.view(game, viewer), "seat {viewer}");
            compared += 1;
            let taken = state.view(game, viewer).exchanger() == Some(viewer);
            match state.phase() {
                Phase::Lead | Phase::Over => break,
                _ if taken => break,
                Phase::Deal => {
                    state.deal(game, &hands);
                    other.deal(game, &other_hands);
                }
                _ => {
                    let action = pick(state.legal(game), &mut rng);
                    let mut same = action;
                    if state.phase() == Phase::SetApart && state.actor() != Some(viewer) {
                        // Another hand, and another choice.
                        same = pick(other.legal(game), &mut rng);
                    }
                    state.apply(game, action).expect("it is legal");
                    other.apply(game, same).expect("what is legal does not depend on cards");
                    let view = state.view(game, viewer);
                    if view.exchanger() == Some(viewer) {
                        // Now the seat sees another hand: that of the other deal's dead hand.
                        assert_eq!(view.hand(), hands.dead);
                        assert_eq!(other.view(game, viewer).hand(), other_hands.dead);
                        assert_eq!(view.known_dead(), hands.seats[viewer]);
                        break;
                    }
                    // Whoever must lead the lowest club is told by the cards.
                    if state.phase() == Phase::Lead && state.actor() != other.actor() {
                        assert!(!matches!(game.rules().first_lead, FirstLead::Eldest));
                        break;
                    }
                }
            }
            let lowest = matches!(game.rules().first_lead, FirstLead::LowestOf(_));
            if state.phase() == Phase::Lead && lowest || shown(game, &state) {
                break;
            }
        }
    }
    compared
}

#[test]
fn before_play_a_view_does_not_depend_on_hidden_cards() {
    all_tables().into_par_iter().for_each(|game| {
        about(&format!("{}, {} players", game.rules().title(), game.players()), || {
            for seed in 0..60 {
                let compared = before_play(&game, Seed::new(seed));
                assert!(compared >= 2 * game.players());
            }
        });
    });
    (0..1_000).into_par_iter().for_each(|case| {
        let seed = Seed::new(case).child(6);
        let (game, text) = any_rules::game_of("three-in-one", &mut seed.rng());
        about(&text, || {
            before_play(&game, seed);
        });
    });
    (0..1_000).into_par_iter().for_each(|case| {
        let seed = Seed::new(case).child(3);
        let (game, text) = any_rules::game(&mut seed.rng());
        about(&text, || {
            before_play(&game, seed);
        });
    });
}

/// What has happened in a deal, to do it again.
struct Course {
    deal_start: DealStart,
    actions: Vec<Action>,
    /// Who took the dead hand.
    exchanger: Option<usize>,
}

impl Course {
    /// Plays the same decisions from other cards (the hands as they were when play began), as
    /// `viewer` saw them: the five cards that others set apart and did not show are any five.
    /// `None` if the decisions are not possible.
    fn again(&self, game: &Game, opening: &Hands, viewer: usize, shown: Seats) -> Option<State> {
        let mut dealt = *opening;
        if let Some(seat) = self.exchanger {
            std::mem::swap(&mut dealt.seats[seat], &mut dealt.dead);
        }
        let mut state = State::new(game, &self.deal_start);
        let mut actions = self.actions.iter();
        loop {
            if state.phase() == Phase::Deal {
                state.deal(game, &dealt);
            }
            let Some(&action) = actions.next() else { return Some(state) };
            let known = |seat| seat == viewer || shown.contains(seat);
            let action = match state.phase() {
                Phase::SetApart if !state.actor().is_some_and(known) => state.legal(game).first(),
                _ => Some(action),
            };
            state.apply(game, action.expect("a decision is due")).ok()?;
        }
    }
}

/// At a seat's own decision, every world that agrees with its view replays to the same view: the
/// view forgets nothing that the record tells. Returns how many worlds were replayed. (Packs of
/// full size here; small ones are enumerated in `enumeration.rs`.)
fn replay(game: &Game, deal_start: DealStart, seed: Seed) -> u32 {
    let mut rng = seed.child(2).rng();
    let hands = first_hands(game, &deal_start, seed);
    let mut course = Course { deal_start, actions: Vec::new(), exchanger: None };
    let mut state = State::new(game, &deal_start);
    let mut replayed = 0;
    while !state.is_over() {
        if state.phase() == Phase::Deal {
            state.deal(game, &hands);
            continue;
        }
        let actor = state.actor().expect("a decision is due");
        if matches!(state.phase(), Phase::SetApart | Phase::Bet | Phase::Lead) {
            replayed += replay_one(game, &state, actor, &course, &mut rng);
        }
        let action = pick(state.legal(game), &mut rng);
        course.actions.push(action);
        state.apply(game, action).expect("it is legal");
        course.exchanger = state.view(game, 0).exchanger();
    }
    for viewer in deal_start.seats_in.iter() {
        replayed += replay_one(game, &state, viewer, &course, &mut rng);
    }
    replayed
}

fn replay_one(game: &Game, state: &State, viewer: usize, course: &Course, rng: &mut Rng) -> u32 {
    let view = state.view(game, viewer);
    let mut opening = Worlds::of(&view).draw(rng);
    for seat in 0..game.players() {
        opening.seats[seat] |= view.played_by(seat);
    }
    let showed =
        if shown(game, state) { state.seats_in() - view.folded() } else { Seats::default() };
    let again = course.again(game, &opening, viewer, showed);
    let seen = again.as_ref().map(|again| again.view(game, viewer));
    assert_eq!(
        seen,
        Some(view),
        "seat {viewer} holds this deal for possible, and it plays differently: {opening:?}"
    );
    1
}

#[test]
fn a_view_tells_all_that_follows_from_the_record() {
    let replayed: u32 = all_tables()
        .into_par_iter()
        .map(|game| {
            let mut replayed = 0;
            about(&format!("{}, {} players", game.rules().title(), game.players()), || {
                for seed in 0..100 {
                    let seed = Seed::new(seed).child(4);
                    let deal_start = *Session::single_deal(&game, seed).deal_start();
                    replayed += replay(&game, deal_start, seed);
                }
            });
            replayed
        })
        .sum();
    assert!(replayed > 50_000, "{replayed} worlds");
    for held in [true, false] {
        let replayed: u32 = (0..2_000)
            .into_par_iter()
            .map(|case| {
                let seed = Seed::new(case).child(7);
                let (game, text) = any_rules::game_of("three-in-one", &mut seed.rng());
                if game.rules().has(Stage::Collect) != held {
                    return 0;
                }
                let deal_start = *Session::single_deal(&game, seed).deal_start();
                let mut replayed = 0;
                about(&text, || replayed = replay(&game, deal_start, seed));
                replayed
            })
            .sum();
        assert!(replayed > 2_000, "{held}: {replayed} worlds");
    }
    let replayed: u32 = (0..6_000)
        .into_par_iter()
        .map(|case| {
            let seed = Seed::new(case).child(5);
            let (game, text) = any_rules::game(&mut seed.rng());
            let mut deal_start = *Session::single_deal(&game, seed).deal_start();
            if game.players() > 3 && case % 4 == 0 {
                // One seat has been eliminated.
                let out = (deal_start.dealer + 2) % game.players();
                let mut seats = Seats::first(game.players());
                seats.remove(out);
                deal_start.seats_in = seats;
            }
            let mut replayed = 0;
            about(&text, || replayed = replay(&game, deal_start, seed));
            replayed
        })
        .sum();
    assert!(replayed > 20_000, "{replayed} worlds");
}
