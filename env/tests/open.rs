//! The play with all cards face up against the engine: equal leads, equal ends, equal chips.

mod common;

use common::{about, all_tables, any_rules, draw};
use newmarket_env::{
    Game, Next, OpenPlay, Outcome, Phase, Position, Rng, Seed, Session, State, Suit, random,
};
use rayon::prelude::*;

/// Compares the two from a state that waits for a lead to the end.
fn follow(game: &Game, state: &State, rng: &mut Rng) {
    let (open, start) = OpenPlay::new(game, state);
    let mut state = *state;
    let before = *state.stacks();
    let mut at = start;
    let mut leads = Vec::new();
    let end = loop {
        assert_eq!(state.actor(), Some(at.leader()));
        assert_eq!(state.legal(game).bits(), u128::from(at.may_lead()));
        let hands = state.hands().seats;
        assert_eq!(hands[at.leader()], open.hand(&at, at.leader()));
        let lead = random::choice(state.legal(game), rng);
        state.apply(game, lead).expect("it is legal");
        leads.push(lead.suit().expect("it is a lead"));
        match open.lead(&at, leads[leads.len() - 1]) {
            Next::Lead(next) => at = next,
            Next::Over(end) => break end,
        }
    };
    assert!(state.is_over());
    let winner = match state.outcome() {
        Outcome::Out(winner) => Some(winner),
        _ => None,
    };
    assert_eq!(end.winner(), winner);
    let gains = open.gains(&end);
    for (seat, &gain) in gains.iter().enumerate() {
        assert_eq!(gain, state.stacks()[seat] - before[seat], "seat {seat}");
        assert_eq!(gain, open.gain(&end, seat));
    }
    let mut same = leads.iter().copied();
    assert_eq!(open.play_out(start, |_| same.next().expect("no lead more")), end);
    turns_are_complete(&open, start, &leads);
}

/// A rule of play is shown what the position says.
fn turns_are_complete(open: &OpenPlay, start: Position, leads: &[Suit]) {
    let mut at = Next::Lead(start);
    let mut nth = 0;
    open.play_out(start, |turn| {
        let Next::Lead(here) = at else { panic!("it is over") };
        assert_eq!((turn.leader, turn.live), (here.leader(), here.live()));
        assert_eq!(turn.hand, open.hand(&here, turn.leader));
        assert_eq!(turn.lanes.suits(), u32::from(here.may_lead()));
        at = open.lead(&here, leads[nth]);
        nth += 1;
        leads[nth - 1]
    });
}

/// Whole sessions, each deal compared from a lead somewhere on.
fn sessions(game: &Game, seed: Seed) -> usize {
    let mut rng = seed.child(7).rng();
    let mut session = Session::new(game, seed);
    let mut compared = 0;
    for _ in 0..4 {
        let mut state = State::new(game, session.deal_start());
        let mut skipped = draw(&mut rng, 6);
        while !state.is_over() {
            match state.phase() {
                Phase::Deal => {
                    let hands = random::hands(game, state.dealer(), state.seats_in(), &mut rng);
                    state.deal(game, &hands);
                    continue;
                }
                Phase::Lead if skipped == 0 => {
                    follow(game, &state, &mut rng);
                    compared += 1;
                    skipped = usize::MAX;
                }
                Phase::Lead => skipped -= 1,
                _ => {}
            }
            state.apply(game, random::choice(state.legal(game), &mut rng)).expect("it is legal");
        }
        session.close(game, &mut state);
        if session.is_over() {
            break;
        }
    }
    compared
}

#[test]
fn every_named_game_is_stepped_through_alike() {
    all_tables().into_par_iter().for_each(|game| {
        about(&format!("{}, {} players", game.rules().title(), game.players()), || {
            let compared: usize = (0..100).map(|seed| sessions(&game, Seed::new(seed))).sum();
            assert!(compared > 100, "{compared}");
        });
    });
}

#[test]
fn any_rules_are_stepped_through_alike() {
    (0..4_000).into_par_iter().for_each(|case| {
        let seed = Seed::new(case).child(8);
        let base = if case % 3 == 0 { "three-in-one" } else { "newmarket" };
        let (game, text) = any_rules::game_of(base, &mut seed.rng());
        about(&text, || {
            sessions(&game, seed);
        });
    });
}
