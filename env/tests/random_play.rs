//! Quick random play has the chances of the slow way: shuffle, deal, and choose again and again.

mod common;

use std::collections::BTreeMap;

use common::{all_tables, any_rules, chips, house, table};
use newmarket_env::random::{self, choice};
use newmarket_env::seed::{Bounds, Draw};
use newmarket_env::{
    Action, ActionMask, CardSet, DealStart, Game, MAX_PLAYERS, Outcome, Phase, Rng, Seats, Seed,
    State,
};

/// A deal as anybody would play it at random.
fn slow_deal(game: &Game, deal_start: &DealStart, rng: &mut Rng) -> State {
    let mut state = State::new(game, deal_start);
    while !state.is_over() {
        if state.phase() == Phase::Deal {
            let pack = game.shuffle(rng);
            state.deal(game, &game.deal(pack.cards(), state.dealer(), state.seats_in()));
        } else {
            let action = choice(state.legal(game), rng);
            state.apply(game, action).expect("it is legal");
        }
    }
    state
}

/// How far two samples of the same size are from having one source: chi-square of two rows less
/// its expectation, in standard deviations.
fn apart<K: Ord + Copy>(a: &BTreeMap<K, u32>, b: &BTreeMap<K, u32>) -> f64 {
    let (mut found, mut freedom) = (0.0, -1.0);
    for key in a.keys().chain(b.keys().filter(|key| !a.contains_key(key))) {
        let [a, b] = [a, b].map(|map| f64::from(map.get(key).copied().unwrap_or(0)));
        if a + b >= 20.0 {
            found += (a - b).powi(2) / (a + b);
            freedom += 1.0;
        }
    }
    (found - freedom) / f64::sqrt(2.0 * freedom)
}

#[test]
fn every_way_to_deal_is_equally_likely() {
    // Two cards for each of two players and the dead hand: 6! / (2! 2! 2!) = 90 ways.
    let rules = "players = [2, 8]\nranks = 3\nsuits = 2\ncells = [\"AC\"]";
    let game = house("newmarket", rules, 2);
    let mut counts = BTreeMap::new();
    let mut rng = Seed::new(1).rng();
    for _ in 0..90_000 {
        let hands = random::hands(&game, 1, Seats::first(2), &mut rng);
        *counts.entry((hands.seats[0], hands.seats[1], hands.dead)).or_insert(0_u32) += 1;
    }
    assert_eq!(counts.len(), 90);
    let found: f64 = counts.values().map(|&n| (f64::from(n) - 1000.0).powi(2) / 1000.0).sum();
    // 89 degrees of freedom: mean 89, standard deviation 13.3.
    assert!((40.0..145.0).contains(&found), "{found}");
}

#[test]
fn everybody_gets_as_many_cards_as_by_dealing() {
    let mut rng = Seed::new(2).rng();
    let random = (0..500).map(|_| any_rules::game(&mut rng).0).collect::<Vec<_>>();
    for (number, game) in all_tables().into_iter().chain(random).enumerate() {
        for dealer in 0..game.players() {
            let mut seats_in = Seats::first(game.players());
            if number % 3 == 0 && game.players() > 2 {
                seats_in.remove((dealer + 1) % game.players());
            }
            // One pass over the pack gives the very hands that shuffling and dealing gives.
            let mut same = rng.clone();
            let dealt = game.deal(game.shuffle(&mut rng).cards(), dealer, seats_in);
            assert_eq!(game.shuffle_and_deal(&mut same, dealer, seats_in), dealt);
            assert_eq!(same, rng);
            let drawn = random::hands(&game, dealer, seats_in, &mut rng);
            let sizes = |seats: [CardSet; MAX_PLAYERS], dead: CardSet| {
                (seats.map(CardSet::len), dead.len())
            };
            assert_eq!(sizes(drawn.seats, drawn.dead), sizes(dealt.seats, dealt.dead));
            let all = drawn.seats.iter().fold(drawn.dead, |all, &hand| all | hand);
            assert_eq!(all, game.pack());
        }
    }
}

#[test]
fn whole_deals_come_out_as_often() {
    for (game, credit) in [
        (table("newmarket", 4), true),
        (table("newmarket", 4), false),
        (table("michigan-free-stakes", 3), true),
        (table("hoyle-1885", 5), true),
        (table("four-horses", 4), false),
        (table("three-in-one", 3), true),
        (house("newmarket", "cell_cap = 5\ntiming = \"after_look\"", 3), true),
    ] {
        let players = game.players();
        let mut rng = Seed::new(3).rng();
        let mut deal_start = DealStart::fresh(players, players - 1);
        deal_start.credit = credit;
        deal_start.stacks = if credit { [0; MAX_PLAYERS] } else { [8; MAX_PLAYERS] };
        // Who won, what the first seat gained, and what lies on the first and the last cell.
        let of = |state: &State| {
            let cells = game.cells_of(state.layout());
            (
                match state.outcome() {
                    Outcome::Out(seat) => seat,
                    _ => MAX_PLAYERS,
                },
                state.stacks()[0],
                cells[0],
                cells[cells.len() - 1],
            )
        };
        let (mut fast, mut slow) = (BTreeMap::new(), BTreeMap::new());
        for _ in 0..40_000 {
            let mut state = State::new(&game, &deal_start);
            state.play_out_at_random(&game, &mut rng);
            assert!(state.is_over());
            assert_eq!(chips(&state), deal_start.stacks.iter().sum::<i32>());
            *fast.entry(of(&state)).or_insert(0) += 1;
            *slow.entry(of(&slow_deal(&game, &deal_start, &mut rng))).or_insert(0) += 1;
        }
        let found = apart(&fast, &slow);
        assert!(found < 4.0, "{found} standard deviations: {}", game.rules());
    }
}

#[test]
fn a_deal_can_be_played_out_from_anywhere() {
    let mut rng = Seed::new(4).rng();
    for game in (0..300).map(|_| any_rules::game(&mut rng).0).collect::<Vec<_>>() {
        let mut state = State::new(&game, &DealStart::fresh(game.players(), 0));
        let total = chips(&state);
        while !state.is_over() {
            let mut rest = state;
            rest.play_out_at_random(&game, &mut rng);
            assert!(rest.is_over() && rest.actor().is_none() && rest.legal(&game).is_empty());
            assert_eq!(chips(&rest), total, "a chip was made or lost: {}", game.rules());
            if state.phase() == Phase::Deal {
                let hands = random::hands(&game, state.dealer(), state.seats_in(), &mut rng);
                state.deal(&game, &hands);
            } else {
                state.apply(&game, choice(state.legal(&game), &mut rng)).expect("it is legal");
            }
        }
    }
}

#[test]
fn numbers_of_one_draw_are_uniform_and_independent() {
    let bounds = Bounds::new(&[5, 7, 3]);
    let mut rng = Seed::new(5).rng();
    let mut counts = BTreeMap::new();
    for _ in 0..105_000 {
        let mut draw = Draw::new(&mut rng, &bounds);
        *counts.entry([5, 7, 3].map(|n| draw.below(n))).or_insert(0_u32) += 1;
    }
    assert_eq!(counts.len(), 105);
    let found: f64 = counts.values().map(|&n| (f64::from(n) - 1000.0).powi(2) / 1000.0).sum();
    assert!((50.0..165.0).contains(&found), "{found}");
}

#[test]
fn a_choice_is_any_of_the_legal_ones() {
    let mut rng = Seed::new(6).rng();
    let all = |actions: &[usize]| actions.iter().map(|&id| Action::from_index(id)).collect();
    for ids in [&[2_usize][..], &[0, 3], &[4, 5, 6, 11], &[12, 13, 14], &[3, 40, 73], &[64, 70]] {
        let legal: ActionMask = all(ids);
        let mut seen = ActionMask::NONE;
        for _ in 0..100 {
            seen = seen.with(choice(legal, &mut rng));
        }
        assert_eq!((seen, legal.len()), (legal, ids.len()));
        let in_order: Vec<usize> = (0..ids.len()).map(|n| legal.nth(n).unwrap().index()).collect();
        assert_eq!((&in_order[..], legal.nth(ids.len())), (ids, None));
    }
}
