//! Deals in a row: what carries over, who deals, who is bust, where the leftovers go.
//!
//! The sections of the rules on sessions are written out once more here, slowly, and random
//! sessions are held against them.

mod common;

use common::{about, advance, house};
use newmarket_env::{DealStart, Game, MAX_PLAYERS, Seats, Seed, Session, State};
use rayon::prelude::*;

/// Plays out the current deal at random.
fn play(game: &Game, session: &Session, rng: &mut newmarket_env::Rng) -> State {
    let mut state = State::new(game, session.deal_start());
    while !state.is_over() {
        if state.phase() == newmarket_env::Phase::Deal {
            let pack = session.pack(game);
            state.deal(game, &game.deal(pack.cards(), state.dealer(), state.seats_in()));
        } else {
            advance(game, &mut state, Seed::new(0), rng);
        }
    }
    state
}

/// The full ante of the game that these tests play.
fn ante(seat: usize, dealer: usize) -> i32 {
    // One to the kitty, and one on each of four cells, two from the dealer.
    if seat == dealer { 1 + 4 * 2 } else { 1 + 4 }
}

fn game(bankroll: &str, leftover: &str, deals: u32, players: usize) -> Game {
    let changes = format!(
        "layout_ante = {{ fixed = {{ each = 1, dealer = 2 }} }}\nper_card = 2\n\
         [session]\ndeals = {deals}\nbankroll = {bankroll}\nleftover = {leftover:?}"
    );
    house("newmarket", &changes, players)
}

fn next_in(seats: Seats, from: usize, players: usize) -> usize {
    let mut seat = (from + 1) % players;
    while !seats.contains(seat) {
        seat = (seat + 1) % players;
    }
    seat
}

/// What the rules say comes after a deal: the next standing and what was bought, or the end, with
/// the seats that are left where bust ones are out.
fn expected(
    game: &Game,
    on_bust: &str,
    before: &DealStart,
    after: &State,
) -> Result<(DealStart, [i32; MAX_PLAYERS]), Seats> {
    let players = game.players();
    let mut next = DealStart { stacks: *after.stacks(), layout: *after.layout(), ..*before };
    next.kitty = after.kitty();
    next.deals_left = before.deals_left.and_then(|left| left.checked_sub(1));
    next.dealer = next_in(before.seats_in, before.dealer, players);
    let mut bought = [0; MAX_PLAYERS];
    let is_bust = |next: &DealStart, seat: usize| next.stacks[seat] < ante(seat, next.dealer);
    match on_bust {
        "credit" => {}
        "end_session" => {
            if (0..players).any(|seat| is_bust(&next, seat)) {
                return Err(Seats::NONE);
            }
        }
        "rebuy" => {
            for seat in (0..players).filter(|&seat| is_bust(&next, seat)) {
                bought[seat] = 30 - next.stacks[seat];
            }
            for (stack, bought) in next.stacks.iter_mut().zip(bought) {
                *stack += bought;
            }
        }
        "eliminate" => {
            // The turn to deal goes on until it finds somebody who can pay for it.
            while is_bust(&next, next.dealer) {
                next.seats_in.remove(next.dealer);
                if next.seats_in.is_empty() {
                    return Err(Seats::NONE);
                }
                next.dealer = next_in(next.seats_in, next.dealer, players);
            }
            for seat in 0..players {
                if next.seats_in.contains(seat) && is_bust(&next, seat) {
                    next.seats_in.remove(seat);
                }
            }
            if next.seats_in.len() < 3 {
                return Err(next.seats_in);
            }
        }
        _ => unreachable!(),
    }
    Ok((next, bought))
}

/// Plays sessions and compares; returns how many ended early, how many deals were dealt by a
/// seat out of turn because of a bust one, and how many had somebody out.
fn compare(on_bust: &str, players: usize, deals: u32) -> (u32, u32, u32) {
    let bankroll = match on_bust {
        "credit" => "\"credit\"".to_string(),
        _ => format!("{{ chips = {{ start = 30, on_bust = {on_bust:?} }} }}"),
    };
    let game = game(&bankroll, "stay", deals, players);
    let (mut early, mut skipped, mut thinned) = (0, 0, 0);
    for seed in (0..150).map(Seed::new) {
        let mut rng = seed.child(9).rng();
        let mut session = Session::new(&game, seed);
        let start = if on_bust == "credit" { 0 } else { 30 };
        assert!(session.deal_start().stacks[..players].iter().all(|&stack| stack == start));
        assert_eq!(session.deal_start().credit, on_bust == "credit");
        let mut bought = [0; MAX_PLAYERS];
        loop {
            let before = *session.deal_start();
            let number = session.deal_number();
            let mut state = play(&game, &session, &mut rng);
            let outcome = if number < deals {
                expected(&game, on_bust, &before, &state)
            } else {
                Err(Seats::NONE)
            };
            assert!(session.close(&game, &mut state).is_empty(), "what is left stays");
            let (next, rebuys) = match outcome {
                Ok(next) => next,
                Err(left) => {
                    assert!(session.is_over());
                    early += u32::from(number < deals);
                    let alone = left.iter().find(|_| left.len() == 1);
                    assert_eq!(session.left_alone(), alone);
                    break;
                }
            };
            assert!(!session.is_over() && session.left_alone().is_none());
            assert_eq!(*session.deal_start(), next);
            assert_eq!(*session.rebuys(), rebuys);
            assert_eq!(session.deal_number(), number + 1);
            for (bought, chips) in bought.iter_mut().zip(rebuys) {
                *bought += chips;
            }
            assert_eq!(*session.bought(), bought);
            skipped += u32::from(next.dealer != next_in(before.seats_in, before.dealer, players));
            thinned += u32::from(next.seats_in.len() < players);
        }
        assert!(session.deal_number() <= deals);
    }
    (early, skipped, thinned)
}

#[test]
fn a_session_of_credit_goes_on_to_its_last_deal() {
    assert_eq!(compare("credit", 4, 12), (0, 0, 0));
}

#[test]
fn a_bust_seat_ends_the_session() {
    let (early, skipped, thinned) = compare("end_session", 5, 12);
    assert!(early > 100, "{early} of 150 ended early");
    assert_eq!((skipped, thinned), (0, 0));
}

#[test]
fn a_bust_seat_is_brought_back_to_its_start() {
    assert_eq!(compare("rebuy", 6, 12), (0, 0, 0));
}

#[test]
fn a_bust_seat_is_out_and_its_turn_to_deal_goes_on() {
    let (early, skipped, thinned) = compare("eliminate", 6, 40);
    assert!(early > 50, "{early} sessions ended with fewer than three players");
    assert!(skipped > 50, "{skipped} deals went past a bust dealer");
    assert!(thinned > 300, "{thinned} deals without somebody");
}

#[test]
fn who_is_out_takes_no_part() {
    let bankroll = "{ chips = { start = 30, on_bust = \"eliminate\" } }";
    let game = game(bankroll, "stay", 40, 6);
    let mut seen = 0;
    for seed in (0..100).map(Seed::new) {
        let mut rng = seed.child(9).rng();
        let mut session = Session::new(&game, seed);
        while !session.is_over() {
            let before = *session.deal_start();
            let mut state = play(&game, &session, &mut rng);
            for seat in (0..6).filter(|&seat| !before.seats_in.contains(seat)) {
                seen += 1;
                assert_eq!(state.stacks()[seat], before.stacks[seat], "it keeps its chips");
                let view = state.view(&game, seat);
                assert!(view.hand().is_empty() && view.played_by(seat).is_empty());
            }
            session.close(&game, &mut state);
        }
    }
    assert!(seen > 200, "{seen}");
}

#[test]
fn the_deal_passes_to_the_left() {
    let game = game("\"credit\"", "stay", 9, 4);
    let mut rng = Seed::new(1).rng();
    let mut session = Session::new(&game, Seed::new(3));
    let first = session.deal_start().dealer;
    let mut dealers = Vec::new();
    while !session.is_over() {
        dealers.push(session.deal_start().dealer);
        let mut state = play(&game, &session, &mut rng);
        session.close(&game, &mut state);
    }
    let expected: Vec<usize> = (0..9).map(|deal| (first + deal) % 4).collect();
    assert_eq!(dealers, expected);
}

/// Plays a session of one deal; the state before and after what is left was given away.
fn last_deal(game: &Game, seed: Seed) -> (State, State, Vec<newmarket_env::Gift>) {
    let mut session = Session::new(game, seed);
    let before = play(game, &session, &mut seed.child(9).rng());
    let mut after = before;
    let gifts = session.close(game, &mut after);
    assert!(session.is_over());
    (before, after, gifts)
}

/// Without `kitty_to_winner`, so that there is a kitty to give away too.
fn leftovers(leftover: &str) -> Game {
    let changes = format!(
        "kitty_to_winner = false\n[session]\ndeals = 1\nleftover = {leftover:?}\nfirst_dealer = 1"
    );
    house("newmarket", &changes, 5)
}

#[test]
fn what_is_left_stays() {
    let game = leftovers("stay");
    for seed in (0..50).map(Seed::new) {
        let (before, after, gifts) = last_deal(&game, seed);
        assert_eq!((before, gifts.len()), (after, 0));
        assert_eq!(before.kitty(), 5);
    }
}

/// Each pile once, in layout order and the kitty last, and added to whom it is given.
fn check_gifts(game: &Game, before: &State, after: &State, gifts: &[newmarket_env::Gift]) {
    let mut piles: Vec<(Option<usize>, i32)> =
        (0..game.cells()).map(|cell| (Some(cell), before.layout()[cell])).collect();
    piles.push((None, before.kitty()));
    piles.retain(|&(_, chips)| chips > 0);
    let given: Vec<(Option<usize>, i32)> =
        gifts.iter().map(|gift| (gift.cell, gift.chips)).collect();
    assert_eq!(given, piles);
    let mut stacks = *before.stacks();
    for gift in gifts {
        stacks[gift.seat] += gift.chips;
    }
    assert_eq!(*after.stacks(), stacks);
    assert_eq!((after.kitty(), after.layout()), (0, &[0; 8]));
}

#[test]
fn what_is_left_goes_to_the_richest() {
    let game = leftovers("richest");
    let mut ties = 0;
    for seed in (0..400).map(Seed::new) {
        let (before, after, gifts) = last_deal(&game, seed);
        check_gifts(&game, &before, &after, &gifts);
        let stacks = &before.stacks()[..5];
        let most = *stacks.iter().max().expect("five");
        let richest = stacks.iter().position(|&stack| stack == most).expect("the lowest seat");
        ties += u32::from(stacks.iter().filter(|&&stack| stack == most).count() > 1);
        assert!(gifts.iter().all(|gift| gift.seat == richest), "{stacks:?}: {gifts:?}");
    }
    assert!(ties > 3, "{ties} ties");
}

#[test]
fn what_is_left_is_drawn_by_lot() {
    let game = leftovers("lot");
    let drawn: Vec<Vec<newmarket_env::Gift>> = (0..12_000_u64)
        .into_par_iter()
        .map(|seed| {
            let (before, after, gifts) = last_deal(&game, Seed::new(seed));
            check_gifts(&game, &before, &after, &gifts);
            assert_eq!(gifts, last_deal(&game, Seed::new(seed)).2, "the seed decides");
            gifts
        })
        .collect();
    // Each pile goes to each seat alike, and two piles of one session have nothing to do with
    // each other: 25 pairs alike.
    let mut pairs = [0_u32; 25];
    for gifts in drawn.iter().filter(|gifts| gifts.len() >= 2) {
        pairs[5 * gifts[0].seat + gifts[gifts.len() - 1].seat] += 1;
    }
    let expected = f64::from(pairs.iter().sum::<u32>()) / 25.0;
    let found: f64 =
        pairs.iter().map(|&count| (f64::from(count) - expected).powi(2) / expected).sum();
    // 24 degrees of freedom: the 99.99 % point is 59.
    assert!(expected > 200.0 && found < 59.0, "{found}: {pairs:?}");
}

#[test]
fn only_seats_still_in_draw_lots() {
    let bankroll = "{ chips = { start = 30, on_bust = \"eliminate\" } }";
    for leftover in ["lot", "richest"] {
        let game = game(bankroll, leftover, 40, 6);
        let mut with_somebody_out = 0;
        for seed in (0..150).map(Seed::new) {
            about(&format!("{leftover} {seed:?}"), || {
                let mut rng = seed.child(9).rng();
                let mut session = Session::new(&game, seed);
                while !session.is_over() {
                    let before = *session.deal_start();
                    let mut state = play(&game, &session, &mut rng);
                    for gift in session.close(&game, &mut state) {
                        assert!(before.seats_in.contains(gift.seat), "{gift:?}");
                        with_somebody_out += u32::from(before.seats_in.len() < 6);
                    }
                }
            });
        }
        assert!(with_somebody_out > 50, "{with_somebody_out}");
    }
}
