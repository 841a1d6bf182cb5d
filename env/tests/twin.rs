//! The engine against the referee, its slow twin: equal choices at every decision and an equal
//! end, over all games, tables and options.

mod common;

use std::collections::{BTreeMap, BTreeSet};
use std::convert::Infallible;

use common::{about, all_tables, any_rules, draw, one_of, pick};
use newmarket_env::perft::perft;
use newmarket_env::poker::Strength;
use newmarket_env::rules::Bankroll;
use newmarket_env::{
    Action, DealStart, Event, Game, Outcome, Phase, Referee, Rng, Seats, Seed, Session, State,
};
use rayon::prelude::*;

/// A table in the middle of a session: chips lie about, and somebody may be out.
fn any_standing(game: &Game, rng: &mut Rng) -> DealStart {
    let players = game.players();
    let rules = game.rules();
    let mut deal_start = DealStart::fresh(players, draw(rng, players));
    if draw(rng, 3) > 0 {
        let most = rules.cell_cap.map_or(9, |cap| cap as usize);
        for cell in &mut deal_start.layout[..game.cells()] {
            *cell = draw(rng, most + 1) as i32;
        }
        if rules.has_kitty() {
            deal_start.kitty = draw(rng, 9) as i32;
        }
    }
    if let Bankroll::Chips { .. } = rules.session.bankroll {
        deal_start.credit = false;
        for seat in 0..players {
            let ante = rules.full_ante(seat == deal_start.dealer);
            deal_start.stacks[seat] = ante + one_of(rng, &[0, 1, 3, 10, 50]);
        }
        let least = rules.players.0;
        if draw(rng, 2) == 0 && players > least {
            let mut seats = Seats::first(players);
            for _ in 0..=draw(rng, players - least) {
                let seat = draw(rng, players);
                if seat != deal_start.dealer && seats.len() > least {
                    seats.remove(seat);
                }
            }
            deal_start.seats_in = seats;
        }
    }
    deal_start
}

/// One deal, decided at random, in both; what happened, as the referee tells it.
fn both(game: &Game, deal_start: &DealStart, rng: &mut Rng) -> Vec<Event> {
    let pack = game.shuffle(rng);
    let pack = pack.cards();
    // Of poker hands at random, hardly ever two are equal.
    let best = draw(rng, 2) == 0;
    let mut state = State::new(game, deal_start);
    let deal_if_due = |state: &mut State| {
        if state.phase() == Phase::Deal {
            state.deal(game, &game.deal(pack, deal_start.dealer, deal_start.seats_in));
        }
    };
    let played = Referee::play(game, *deal_start, pack, |referee, seat, legal| {
        deal_if_due(&mut state);
        assert_eq!(state.actor(), Some(seat), "who is to act, after {:?}", referee.events());
        assert_eq!(state.legal(game), legal, "choices of {seat}, after {:?}", referee.events());
        let mut action = pick(legal, rng);
        let hand = state.hands().seats[seat];
        if state.phase() == Phase::SetApart && best && hand.len() < 15 {
            let five = Strength::best_five(hand, game.rules().aces).0;
            let next = five - state.view(game, seat).apart();
            action = Action::pick(next.first().expect("fewer than five are set apart"));
        }
        state.apply(game, action).expect("it is legal");
        Ok::<_, Infallible>(action)
    });
    let played = played.unwrap_or_else(|error| panic!("{error}"));
    // Where nobody decides anything the referee asks nothing.
    deal_if_due(&mut state);
    let hands = state.hands();
    let events = played.events();
    assert!(state.is_over(), "{events:?}");
    let players = game.players();
    assert_eq!(played.stacks(), &state.stacks()[..players], "stacks after {events:?}");
    assert_eq!(played.layout(), &state.layout()[..game.cells()], "layout after {events:?}");
    assert_eq!(played.kitty(), state.kitty(), "kitty after {events:?}");
    for seat in 0..players {
        assert_eq!(
            played.hand(seat).iter().copied().collect::<newmarket_env::CardSet>(),
            hands.seats[seat]
        );
    }
    assert_eq!(played.dead().iter().copied().collect::<newmarket_env::CardSet>(), hands.dead);
    let outcome = played.winner().map_or(Outcome::NoWinner, Outcome::Out);
    assert_eq!(outcome, state.outcome());
    events.to_vec()
}

#[test]
fn named_games_play_as_the_referee_plays_them() {
    all_tables().into_par_iter().for_each(|game| {
        about(&format!("{}, {} players", game.rules().title(), game.players()), || {
            let mut rng = Seed::new(31).rng();
            for deal in 0..1_000_u64 {
                let deal_start = if deal % 2 == 0 {
                    any_standing(&game, &mut rng)
                } else {
                    *Session::single_deal(&game, Seed::new(deal)).deal_start()
                };
                both(&game, &deal_start, &mut rng);
            }
        });
    });
}

#[test]
fn the_game_of_a_rules_file_plays_as_the_referee_plays_it() {
    for players in 2..=7 {
        let game = common::marriage("", players);
        let mut rng = Seed::new(33).rng();
        for _ in 0..1_000 {
            let deal_start = any_standing(&game, &mut rng);
            both(&game, &deal_start, &mut rng);
        }
    }
}

#[test]
fn random_rules_play_as_the_referee_plays_them() {
    (0..30_000_u64).into_par_iter().for_each(|case| {
        let mut rng = Seed::new(case).child(32).rng();
        let (game, text) = any_rules::game(&mut rng);
        about(&format!("case {case}, {} players\n{text}", game.players()), || {
            for _ in 0..3 {
                let deal_start = any_standing(&game, &mut rng);
                both(&game, &deal_start, &mut rng);
            }
        });
    });
}

#[test]
fn three_in_one_plays_as_the_referee_plays_it() {
    // What the deals went through: the comparison is worth what it has seen.
    let seen: BTreeMap<&str, u32> = (0..12_000_u64)
        .into_par_iter()
        .map(|case| {
            let mut rng = Seed::new(case).child(34).rng();
            let (game, text) = any_rules::game_of("three-in-one", &mut rng);
            let mut seen = BTreeMap::new();
            about(&format!("case {case}, {} players\n{text}", game.players()), || {
                for _ in 0..4 {
                    let deal_start = any_standing(&game, &mut rng);
                    for what in points(&both(&game, &deal_start, &mut rng)) {
                        *seen.entry(what).or_default() += 1;
                    }
                }
            });
            seen
        })
        .reduce(BTreeMap::new, |mut all, seen| {
            for (what, times) in seen {
                *all.entry(what).or_default() += times;
            }
            all
        });
    for what in [
        "KQ held",
        "RUN held",
        "RUN shared",
        "KQ played",
        "RUN played",
        "checked round",
        "three raises",
        "pot shared",
        "odd chip",
        "unseen",
    ] {
        assert!(seen.get(what).is_some_and(|&times| times >= 10), "{what}: {seen:?}");
    }
}

/// The points of Three in One that came up in a deal.
fn points(events: &[Event]) -> BTreeSet<&'static str> {
    let mut points = BTreeSet::new();
    let count = |is: &dyn Fn(&Event) -> bool| events.iter().filter(|event| is(event)).count();
    let runs = count(&|e| matches!(e, Event::Collect { cell, .. } if cell == "RUN"));
    let bets = count(&|e| matches!(e, Event::Bet { .. }));
    let raises = count(&|e| matches!(e, Event::Raise { .. }));
    let mut saw = |what, happened| {
        if happened {
            points.insert(what);
        }
    };
    saw("RUN held", runs > 0);
    saw("RUN shared", runs > 1);
    saw("checked round", bets == 0);
    saw("three raises", raises == 3);
    for event in events {
        match event {
            Event::Collect { cell, .. } => saw("KQ held", cell == "KQ"),
            Event::Claim { cell, .. } => {
                saw("KQ played", cell == "KQ");
                saw("RUN played", cell == "RUN");
            }
            Event::Showdown { winners, hands, paid, .. } => {
                let mut shares = winners.iter().map(|&seat| paid[seat]);
                let first = shares.next();
                saw("pot shared", winners.len() > 1);
                saw("odd chip", shares.any(|share| Some(share) != first));
                saw("unseen", hands.is_none());
            }
            _ => {}
        }
    }
    points
}

/// Lines of play from here on, counted with the engine.
fn lines(game: &Game, state: &State) -> u128 {
    if state.is_over() {
        return 1;
    }
    state
        .legal(game)
        .iter()
        .map(|action| {
            let mut next = *state;
            next.apply(game, action).expect("it is legal");
            lines(game, &next)
        })
        .sum()
}

#[test]
fn the_engine_counts_the_lines_of_play_that_perft_counts() {
    let counted: u128 = (0..600_u64)
        .into_par_iter()
        .map(|case| {
            let mut rng = Seed::new(case).child(33).rng();
            // Few cards, so that all lines can be walked.
            let (ranks, suits) = one_of(&mut rng, &[(4, 4), (6, 4), (8, 3), (13, 2), (8, 4)]);
            let change = one_of(&mut rng, &["free", "else_same", "else_pass", "other_colour"]);
            let lead = one_of(&mut rng, &["\"eldest\"", "{ lowest_of = \"clubs\" }"]);
            let dead = one_of(&mut rng, &["none", "first", "before_dealer", "last"]);
            let changes = format!(
                "players = [2, 5]\nranks = {ranks}\nsuits = {suits}\ncells = [\"2C\"]\n\
                 layout_ante = {{ fixed = {{ each = 1, dealer = 1 }} }}\n\
                 dead_hand = {{ position = {dead:?}, remainder = \"rotation\" }}\n\
                 first_lead = {lead}\nchange_suit = {change:?}"
            );
            let players = 2 + draw(&mut rng, 4);
            let game = common::house("newmarket", &changes, players);
            let dealer = draw(&mut rng, players);
            let seats_in = Seats::first(players);
            let hands = game.deal(game.shuffle(&mut rng).cards(), dealer, seats_in);
            let mut state = State::new(&game, &DealStart::fresh(players, dealer));
            state.deal(&game, &hands);
            let count = lines(&game, &state);
            assert_eq!(count, perft(&game, dealer, seats_in, &hands, None), "{changes}\n{hands:?}");
            count
        })
        .sum();
    assert!(counted > 20_000, "{counted} lines");
}
