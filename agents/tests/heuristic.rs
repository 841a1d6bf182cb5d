//! Heuristics: what they ask of a lead, and that they are the sum of their parts.

#[path = "../../env/tests/common/mod.rs"]
mod common;

use common::{about, all_tables, cards, house, table};
use newmarket_agents::heuristic::lead::{self, Criterion};
use newmarket_agents::heuristic::stakes::{Ante, keep, take};
use newmarket_agents::heuristic::{Heuristic, STOPPER, Style, TieBreak};
use newmarket_agents::{Agent, Table};
use newmarket_env::{Aces, Action, DealStart, Game, Hands, Phase, Seed, State, Suit};
use std::sync::Arc;

/// A deal with these hands and all other cards dead, seat 0 dealing and antes split evenly.
fn dealt(game: &Game, hands: &[&str]) -> State {
    let mut all = Hands::default();
    for (seat, text) in all.seats.iter_mut().zip(hands) {
        *seat = cards(text, Aces::Low);
    }
    all.dead = all.seats.iter().fold(game.pack(), |left, &hand| left - hand);
    let mut state = State::new(game, &DealStart::fresh(game.players(), 0));
    loop {
        match (state.phase(), state.actor()) {
            (Phase::Deal, _) => state.deal(game, &all),
            (Phase::Ante, Some(seat)) => {
                let chip = Ante::EVEN.chip(&state.view(game, seat));
                state.apply(game, chip).unwrap();
            }
            _ => return state,
        }
    }
}

fn play(game: &Game, state: &mut State, actions: &[Action]) {
    for &action in actions {
        state.apply(game, action).unwrap();
    }
}

fn mask(suits: &str) -> u32 {
    suits.chars().fold(0, |all, letter| all | 1 << Suit::from_letter(letter).unwrap().index())
}

#[test]
fn what_each_criterion_sees() {
    let game = house("newmarket", "change_suit = \"free\"", 3);
    let own = "2C 5C 3D 5D 7D 9D JD 2H 3H 4H 6H QS KS";
    let mut state = dealt(&game, &["TC JC QC", own, "3C 5H 9H TH"]);
    // 2C, 3C from the left, and 4C is dead; 5H from the left, the own 6H, and 7H is dead.
    play(&game, &mut state, &[Action::lead(Suit::Clubs), Action::lead(Suit::Hearts)]);
    assert_eq!(state.actor(), Some(1));
    let view = state.view(&game, 1);
    let table: [(&str, Criterion, &str); 15] = [
        ("the 2 of hearts is lowest", lead::low_card, "H"),
        ("QS is the highest lowest card", lead::high_card, "S"),
        ("five diamonds", lead::length, "D"),
        ("one club", lead::shortness, "C"),
        ("2H 3H 4H", lead::run, "H"),
        ("JD has chips on it", lead::boodle, "D"),
        ("5H is played, and KS is the top", lead::keeps_lead, "HS"),
        ("the same: no stop says more", lead::keeps_lead_not_noting_stops, "HS"),
        ("KS is the top", lead::keeps_lead_from_own_cards, "S"),
        ("4C has proven dead", lead::out_of_reach, "C"),
        ("nothing", lead::out_of_reach_not_noting_stops, "CDHS"),
        ("nothing", lead::out_of_reach_from_own_cards, "CDHS"),
        ("clubs and hearts have been played", lead::unopened, "DS"),
        ("KS is the top", lead::top, "S"),
        ("nobody took the dead hand", lead::top_once_bought, "CDHS"),
    ];
    for (why, criterion, suits) in table {
        assert_eq!(lead::best(&view, &[criterion], mask("CDHS")), mask(suits), "{why}");
    }
    // In order of weight, and only among suits that may be led.
    let best = |criteria: &[Criterion], suits| lead::best(&view, criteria, mask(suits));
    assert_eq!(best(&[lead::keeps_lead, lead::length], "CDHS"), mask("H"));
    assert_eq!(best(&[lead::keeps_lead, lead::length], "CD"), mask("D"));
    assert_eq!(best(&[], "CD"), mask("CD"));
}

#[test]
fn before_the_first_stop_no_suit_is_fresher_than_another() {
    let game = table("newmarket", 3);
    let state = dealt(&game, &["2C 3C", "4C 5D 6H", "7S 8S"]);
    assert_eq!(lead::best(&state.view(&game, 1), &[lead::unopened], mask("CDH")), mask("CDH"));
}

#[test]
fn what_a_discard_and_a_purchase_say() {
    let game = table("newmarket-buy", 3);
    let mut state = dealt(&game, &["4H 5C 9S", "2H 3H 4S KS", "6H 8S"]);
    play(&game, &mut state, &[Action::EXCHANGE]);
    // Eldest holds the king of spades, and the dealer took the dead hand.
    let best =
        |criterion, seat: usize| lead::best(&state.view(&game, seat), &[criterion], mask("HS"));
    assert_eq!(best(lead::top_once_bought, 1), mask("S"));
    // The dealer holds the clubs below the 5 and remembers that it discarded that, stops or no
    // stops.
    let view = state.view(&game, 0);
    assert_eq!(lead::keeps_lead_not_noting_stops(&view, Suit::Clubs), 1);
    assert_eq!(lead::keeps_lead_from_own_cards(&view, Suit::Clubs), 0);
    assert_eq!(lead::top_once_bought(&view, Suit::Diamonds), 0);
}

#[test]
fn antes_are_split_as_they_say() {
    let game = table("newmarket", 3);
    let split = |ante: Ante, state: &mut State, game: &Game| {
        let seat = state.actor().unwrap();
        while state.phase() == Phase::Ante && state.actor() == Some(seat) {
            let chip = ante.chip(&state.view(game, seat));
            state.apply(game, chip).unwrap();
        }
        [0, 1, 2, 3].map(|cell| state.view(game, seat).staked(seat, cell))
    };
    let none: fn(&newmarket_env::View) -> u8 = |_| 0;
    for (ante, chips) in [
        (Ante::EVEN, [1, 1, 1, 1]),
        (Ante::USUAL, [1, 1, 1, 1]),
        (Ante::Over(0b0101), [2, 0, 2, 0]),
        (Ante::Over(0b1101), [2, 0, 1, 1]),
        (Ante::Over(0b1000), [0, 0, 0, 4]),
        (Ante::Over(0), [1, 1, 1, 1]),
        (Ante::Picked(none), [1, 1, 1, 1]),
    ] {
        let mut state = State::new(&game, &DealStart::fresh(3, 0));
        assert_eq!(split(ante, &mut state, &game), chips, "{ante:?}");
    }
    let game = house("newmarket", "timing = \"after_look\"", 3);
    let mut hands = Hands { dead: game.pack(), ..Hands::default() };
    hands.seats[1] = cards("KH JD 2C", Aces::Low);
    for (ante, chips) in [(Ante::USUAL, [0, 2, 0, 2]), (Ante::EVEN, [1, 1, 1, 1])] {
        let mut state = State::new(&game, &DealStart::fresh(3, 0));
        state.deal(&game, &hands);
        assert_eq!(split(ante, &mut state, &game), chips, "{ante:?}");
    }
}

#[test]
fn the_dead_hand_is_kept_or_taken() {
    let game = table("newmarket-buy", 3);
    let state = dealt(&game, &["KH", "QC JD", "2C 3C"]);
    let view = state.view(&game, 0);
    assert_eq!((keep(&view), take(&view)), (Action::KEEP, Action::EXCHANGE));
}

/// A style of the parts of `stopper` is `stopper`, in every game.
#[test]
fn a_style_is_the_sum_of_its_parts() {
    for game in all_tables() {
        about(&format!("{}, {} players", game.rules().title(), game.players()), || {
            let mut style = Style::leading(STOPPER, TieBreak::First);
            let mut heuristic = Heuristic::named("stopper").unwrap();
            let mut table = Table::new(Arc::new(game));
            for deal in 0..20 {
                table.play(Seed::new(3).child(deal), |_, view, rng| {
                    let action = style.act(view, rng);
                    assert_eq!(action, heuristic.act(view, rng));
                    action
                });
            }
        });
    }
}

#[test]
fn ties_are_broken_as_they_say() {
    let game = table("newmarket", 3);
    let state = dealt(&game, &["2C 3C", "4C 5D 6H 7H", "7S 8S"]);
    let mut rng = Seed::new(8).rng();
    let view = state.view(&game, 1);
    let first = Style::leading([lead::shortness as Criterion], TieBreak::First);
    let random = Style::leading([lead::shortness as Criterion], TieBreak::Random);
    let mut led = [0; 4];
    for _ in 0..1000 {
        assert_eq!(first.choose(&view, &mut rng), Action::lead(Suit::Clubs));
        led[random.choose(&view, &mut rng).suit().unwrap().index()] += 1;
    }
    assert!(led[0] > 420 && led[1] > 420 && led[0] + led[1] == 1000, "{led:?}");
}
