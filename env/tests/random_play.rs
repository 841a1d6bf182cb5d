//! Random hands and random choices: every one is as likely as every other.

mod common;

use std::collections::BTreeMap;

use common::{all_tables, any_rules, house, table};
use newmarket_env::random::{self, Sampler, choice};
use newmarket_env::seed::{Bounds, Draw};
use newmarket_env::{Action, ActionMask, CardSet, MAX_PLAYERS, Seats, Seed};

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

/// A change of this number changes what search and training play.
#[test]
fn a_seed_draws_the_same_hands_for_ever() {
    let game = table("newmarket", 4);
    let (sampler, mut rng) = (Sampler::new(&game, 0, Seats::first(4)), Seed::new(1).rng());
    let digest = (0..1000).fold(0, |all, _| {
        let hands = sampler.hands(&mut rng);
        all ^ hands.seats[0].bits() ^ hands.seats[3].bits().rotate_left(7) ^ hands.dead.bits()
    });
    assert_eq!(digest, 8_508_034_443_449_761_773);
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
