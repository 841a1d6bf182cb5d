//! A view needs no state: public facts and the cards that one seat has seen make the same one.

mod common;

use common::{about, all_tables, any_rules, pick};
use newmarket_env::{
    CardSet, DealDriver, DealStart, Game, MAX_PLAYERS, OwnCards, Phase, PublicState, Rng, Seed,
    Session, State, View, Worlds,
};
use rayon::prelude::*;

/// One seat as a player in another program has it: its cards by what it was told.
#[derive(Clone, Copy, Default)]
struct Player {
    own: OwnCards,
    took_dead_hand: bool,
}

impl Player {
    /// The seat takes the dead hand: its own goes there.
    fn see(&mut self, public: &PublicState, game: &Game, seat: usize, dead: CardSet) {
        let taken = |own| View::new(game, public, seat, own).exchanger() == Some(seat);
        if !self.took_dead_hand && taken(self.own) {
            self.own.discard = self.own.hand;
            self.own.hand = dead;
            self.took_dead_hand = true;
        }
    }
}

/// Compares at every decision of a deal, for every seat. Returns how many views were compared.
fn compare(game: &Game, start: &DealStart, seed: Seed) -> usize {
    let mut rng = seed.rng();
    let mut state = State::new(game, start);
    let cards = game.shuffle_and_deal(&mut rng, start.dealer, start.seats_in);
    let mut players = [Player::default(); MAX_PLAYERS];
    let mut compared = 0;
    loop {
        let decision = DealDriver::ALL.next(game, &mut state, || {
            for (player, hand) in players.iter_mut().zip(cards.seats) {
                player.own.hand = hand;
            }
            cards
        });
        // All that goes from the program of the table to that of a player.
        let public = *state.public();
        for seat in 0..game.players() {
            players[seat].see(&public, game, seat, cards.dead);
            let mut own = players[seat].own;
            own.hand -= View::new(game, &public, seat, own).played_by(seat);
            let view = View::new(game, &public, seat, own);
            assert_eq!(view, state.view(game, seat), "seat {seat}");
            agrees_with_truth(&view, &state);
            compared += 1;
        }
        let Some(decision) = decision else { return compared };
        resampled(game, &state, decision.seat, &mut rng);
        let action = pick(decision.legal, &mut rng);
        if let Some(card) = action.card() {
            players[decision.seat].own.apart.insert(card);
        }
        state.apply(game, action).expect("it is legal");
    }
}

/// What a view works out from public facts and its own hand is as the cards lie.
fn agrees_with_truth(view: &View, state: &State) {
    let (game, hands) = (view.game(), state.hands());
    assert_eq!(view.is_dealt(), hands.seats.iter().any(|hand| !hand.is_empty()));
    for (seat, hand) in hands.seats.iter().enumerate() {
        assert_eq!(view.hand_size(seat), hand.len(), "seat {seat}");
    }
    assert_eq!(view.dead_size(), hands.dead.len());
    assert!(hands.dead.is_superset(view.known_dead()));
    if state.actor() == Some(view.seat()) {
        assert_eq!(view.legal(), state.legal(game));
    } else {
        assert!(view.legal().is_empty());
    }
}

/// With other hidden cards the actor's view is the same, and so is what everybody sees.
fn resampled(game: &Game, state: &State, seat: usize, rng: &mut Rng) {
    let view = state.view(game, seat);
    let other = view.determinize(&Worlds::of(&view).draw(rng));
    assert_eq!(other.public(), state.public());
    assert_eq!(other.view(game, seat), view);
    assert_eq!(other.legal(game), state.legal(game));
    let mut same = view.determinize(&state.hands());
    assert_eq!(same.view(game, seat), view);
    if state.phase() == Phase::Lead {
        // The true cards make the true state, poker hands set apart unseen excepted.
        let (mut truth, action) = (*state, pick(state.legal(game), rng));
        truth.apply(game, action).expect("it is legal");
        same.apply(game, action).expect("it is legal");
        assert_eq!((same.public(), same.hands()), (truth.public(), truth.hands()));
    }
}

#[test]
fn public_facts_and_the_own_hand_make_the_view() {
    let compared: usize = all_tables()
        .into_par_iter()
        .map(|game| {
            let deals = (0..12).map(|nth| {
                let seed = Seed::new(nth);
                let mut start = *Session::single_deal(&game, seed).deal_start();
                // A seat that is out, and chips that can run out.
                if nth % 3 == 0 && game.players() > game.rules().players.0 {
                    start.seats_in.remove((start.dealer + 1) % game.players());
                    start.credit = false;
                    start.stacks = [25; MAX_PLAYERS];
                }
                compare(&game, &start, seed)
            });
            deals.sum::<usize>()
        })
        .sum();
    assert!(compared > 10_000, "{compared}");
}

#[test]
fn so_they_do_under_any_rules() {
    (0..600).into_par_iter().for_each(|case| {
        let seed = Seed::new(case).child(9);
        let base = if case % 3 == 0 { "three-in-one" } else { "newmarket" };
        let (game, text) = any_rules::game_of(base, &mut seed.rng());
        about(&text, || {
            compare(&game, Session::single_deal(&game, seed).deal_start(), seed);
        });
    });
}
