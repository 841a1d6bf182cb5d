//! The drivers against a slow twin, which takes one decision after the other.

mod common;

use std::sync::Arc;

use common::{all_tables, pick, table};
use newmarket_env::poker::Strength;
use newmarket_env::{
    Action, ActionMask, Card, CardSet, DealDriver, DealStart, Episode, EpisodeDriver, Game, Hands,
    MAX_PLAYERS, Phase, Rng, Seats, Seed, Session, State,
};

/// Which decisions are yielded.
#[derive(Clone, Copy)]
struct Yields {
    forced: bool,
    best_five: Seats,
}

impl Yields {
    fn driver(self) -> DealDriver {
        let all = if self.forced { DealDriver::ALL } else { DealDriver::CHOICES };
        all.set_best_five_apart(self.best_five)
    }
}

/// All that can be yielded, for different seats each time.
fn kinds(nth: u64) -> [Yields; 4] {
    let some: Seats = (0..MAX_PLAYERS).filter(|seat| (nth + 1) >> seat & 1 == 1).collect();
    [(false, Seats::NONE), (true, Seats::NONE), (false, some), (true, Seats::ALL)]
        .map(|(forced, best_five)| Yields { forced, best_five })
}

/// The best five cards of a hand: of all fives the first that no other beats.
fn best_five(hand: CardSet, game: &Game) -> CardSet {
    let cards: Vec<Card> = hand.iter().collect();
    let mut best: Option<(Strength, CardSet)> = None;
    for choice in 0_u32..1 << cards.len() {
        if choice.count_ones() == 5 {
            let five = (0..cards.len()).filter(|nth| choice >> nth & 1 == 1);
            let five: CardSet = five.map(|nth| cards[nth]).collect();
            let strength = Strength::of(five, game.rules().aces);
            if best.is_none_or(|best| strength > best.0) {
                best = Some((strength, five));
            }
        }
    }
    best.expect("a hand has five cards").1
}

/// One step towards the next decision; true when it is reached, or the end.
fn slow_step(game: &Game, yields: Yields, state: &mut State, cards: &Hands) -> bool {
    let legal = state.legal(game);
    if state.phase() == Phase::Deal {
        state.deal(game, cards);
        return false;
    }
    let Some(seat) = state.actor() else { return true };
    let action = if legal.len() == 1 && !yields.forced {
        legal.first().expect("one is legal")
    } else if state.phase() == Phase::SetApart && yields.best_five.contains(seat) {
        let view = state.view(game, seat);
        let five = best_five(view.hand(), game) - view.apart();
        Action::pick(five.iter().next().expect("five are not apart yet"))
    } else {
        return true;
    };
    state.apply(game, action).expect("it is legal");
    false
}

#[test]
fn a_deal_goes_as_step_by_step() {
    for (nth, game) in all_tables().iter().enumerate() {
        for (round, yields) in
            (0..3).flat_map(|round| kinds(round + nth as u64).map(|y| (round, y)))
        {
            let mut rng = Seed::new(round).child(nth as u64).rng();
            let start = DealStart::fresh(game.players(), round as usize % game.players());
            let cards = game.shuffle_and_deal(&mut rng, start.dealer, start.seats_in);
            let mut fast = State::new(game, &start);
            let mut slow = fast;
            loop {
                let decision = yields.driver().next(game, &mut fast, || cards);
                while !slow_step(game, yields, &mut slow, &cards) {}
                assert_eq!(fast, slow, "{}", game.rules().title());
                let expected = slow.actor().map(|seat| (seat, slow.legal(game)));
                assert_eq!(decision.map(|it| (it.seat, it.legal)), expected);
                let Some(decision) = decision else { break };
                let only = decision.legal.first().filter(|_| decision.legal.len() == 1);
                assert_eq!(decision.forced(), only);
                let action = pick(decision.legal, &mut rng);
                fast.apply(game, action).expect("it is legal");
                slow.apply(game, action).expect("it is legal");
            }
            assert!(fast.is_over());
        }
    }
}

/// Without cards it stops before them, and whoever applies the actions sees all of them.
#[test]
fn the_caller_may_deal_and_apply() {
    let game = table("three-in-one", 4);
    let mut rng = Seed::new(3).rng();
    let start = DealStart::fresh(4, 3);
    let driver = DealDriver::CHOICES.set_best_five_apart(Seats::first(3));
    let mut state = State::new(&game, &start);
    let (mut played, mut dealt) = (Vec::new(), 0);
    loop {
        let note = |state: &mut State, action| {
            played.push(action);
            state.apply_unchecked(&game, action);
        };
        match driver.next_by(&game, &mut state, note) {
            Some(decision) => {
                assert!(decision.seat == 3 || state.phase() != Phase::SetApart);
                let action = pick(decision.legal, &mut rng);
                played.push(action);
                state.apply(&game, action).expect("it is legal");
            }
            None if state.phase() == Phase::Deal => {
                state.deal(&game, &game.shuffle_and_deal(&mut rng, 3, start.seats_in));
                dealt += 1;
            }
            None => break,
        }
    }
    assert_eq!(dealt, 1);
    let picks = played.iter().filter(|action| action.card().is_some()).count();
    assert_eq!(picks, 4 * 5, "every seat sets five cards apart");
}

/// Where other cards than the best are apart already, the best that are left and legal follow.
#[test]
fn the_best_five_go_on_from_any_pick() {
    let game = table("three-in-one", 3);
    let start = DealStart::fresh(3, 2);
    for seed in 0..200 {
        let mut rng = Seed::new(seed).rng();
        let mut state = State::new(&game, &start);
        let cards = game.shuffle_and_deal(&mut rng, 2, start.seats_in);
        while state.phase() != Phase::SetApart {
            let decision = DealDriver::ALL.next(&game, &mut state, || cards).expect("poker comes");
            if state.phase() != Phase::SetApart {
                state.apply(&game, pick(decision.legal, &mut rng)).expect("it is legal");
            }
        }
        let seat = state.actor().expect("somebody sets cards apart");
        state.apply(&game, pick(state.legal(&game), &mut rng)).expect("it is legal");
        let mut by_view = state;
        while by_view.actor() == Some(seat) && by_view.phase() == Phase::SetApart {
            let action = by_view.view(&game, seat).pick_of_best_five();
            by_view.apply(&game, action).expect("it is legal");
        }
        let driver = DealDriver::ALL.set_best_five_apart(Seats::from_iter([seat]));
        driver.next(&game, &mut state, || cards);
        assert_eq!(state, by_view);
    }
}

/// An episode step by step: what is yielded, and what each seat gains between decisions.
fn slow_session(
    game: &Game,
    seed: Seed,
    yields: Yields,
    rng: &mut Rng,
) -> Vec<(ActionMask, [i32; MAX_PLAYERS])> {
    let mut decisions = Vec::new();
    let mut session = Session::new(game, seed);
    let mut counted = session.deal_start().stacks;
    let mut gained = |state: &State, rebuys: &[i32; MAX_PLAYERS]| {
        let gains = std::array::from_fn(|seat| state.stacks()[seat] - counted[seat] - rebuys[seat]);
        counted = *state.stacks();
        gains
    };
    let mut rebuys = [0; MAX_PLAYERS];
    while !session.is_over() {
        let mut state = State::new(game, session.deal_start());
        let pack = session.pack(game);
        let start = session.deal_start();
        let cards = game.deal(pack.cards(), start.dealer, start.seats_in);
        loop {
            while !slow_step(game, yields, &mut state, &cards) {}
            if state.is_over() {
                break;
            }
            let legal = state.legal(game);
            decisions.push((legal, gained(&state, &rebuys)));
            rebuys = [0; MAX_PLAYERS];
            state.apply(game, pick(legal, rng)).expect("it is legal");
        }
        session.close(game, &mut state);
        if session.is_over() {
            decisions.push((ActionMask::NONE, gained(&state, &rebuys)));
        } else {
            for (all, bought) in rebuys.iter_mut().zip(session.rebuys()) {
                *all += bought;
            }
        }
    }
    decisions
}

#[test]
fn a_session_goes_as_step_by_step() {
    for (nth, game) in all_tables().into_iter().enumerate() {
        let (game, nth) = (Arc::new(game), nth as u64);
        let yields = kinds(nth)[nth as usize % 4];
        let seed = Seed::new(5).child(nth);
        let driver = EpisodeDriver::new(game.clone(), Episode::Session, yields.driver());
        let (mut session, mut state, mut ledger) = driver.begin(seed);
        let mut rng = Seed::new(nth).rng();
        let mut fast = Vec::new();
        loop {
            let legal = driver.next(&mut session, &mut state, &mut ledger);
            fast.push((legal, ledger.gains(&state)));
            if legal.is_empty() {
                break;
            }
            state.apply(&game, pick(legal, &mut rng)).expect("it is legal");
        }
        let slow = slow_session(&game, seed, yields, &mut Seed::new(nth).rng());
        assert_eq!(fast, slow, "{}", game.rules().title());
    }
}
