//! The shuffle is fair, and cards go round the table as the rules say.

mod common;

use common::{all_tables, any_rules, house, table};
use newmarket_env::rules::{DeadHand, FirstDealer, Remainder};
use newmarket_env::{Aces, Card, CardSet, DealStart, Game, Hands, Seats, Seed, Session};

/// Chi-square of counts that are all expected to be equal.
fn chi_square(counts: &[u32]) -> f64 {
    let expected = f64::from(counts.iter().sum::<u32>()) / counts.len() as f64;
    counts.iter().map(|&count| (f64::from(count) - expected).powi(2) / expected).sum()
}

/// A bound that chi-square of so many degrees of freedom exceeds once in some 30,000 samples
/// (Wilson and Hilferty's approximation, four standard deviations).
fn bound(freedom: f64) -> f64 {
    let spread = 2.0 / (9.0 * freedom);
    freedom * (1.0 - spread + 4.0 * spread.sqrt()).powi(3)
}

#[test]
fn every_card_is_as_likely_in_every_place_of_the_pack() {
    let game = table("newmarket", 4);
    let mut rng = Seed::new(1).rng();
    let mut counts = vec![0; 52 * 52];
    let mut neighbours = vec![0; 52 * 52];
    for _ in 0..200_000 {
        let pack = game.shuffle(&mut rng);
        for (place, card) in pack.cards().iter().enumerate() {
            counts[52 * place + card.index()] += 1;
        }
        // Which card follows which: a shuffle can be fair place by place and still keep order.
        for pair in pack.cards().windows(2) {
            neighbours[52 * pair[0].index() + pair[1].index()] += 1;
        }
    }
    // 51 × 51 ways in which the table of counts can vary.
    let found = chi_square(&counts);
    assert!(found < bound(51.0 * 51.0), "places: {found}");
    assert!(found > 51.0 * 51.0 - 4.0 * (2.0 * 51.0 * 51.0_f64).sqrt(), "too even: {found}");
    neighbours.retain(|&count| count > 0);
    assert_eq!(neighbours.len(), 52 * 51, "every card is followed by every other");
    let found = chi_square(&neighbours);
    assert!(found < bound(52.0 * 51.0), "neighbours: {found}");
}

#[test]
fn every_card_is_as_likely_in_every_hand() {
    for (name, players) in [("newmarket", 4), ("hoyle-1885", 5), ("four-horses", 3)] {
        let game = table(name, players);
        let mut rng = Seed::new(2).rng();
        let mut counts = vec![vec![0_u32; 52]; players + 1];
        for round in 0..60_000 {
            // Every seat deals as often as every other.
            let pack = game.shuffle(&mut rng);
            let hands = game.deal(pack.cards(), round % players, Seats::first(players));
            for (hand, counts) in
                hands.seats[..players].iter().chain([&hands.dead]).zip(&mut counts)
            {
                for card in *hand {
                    counts[card.index()] += 1;
                }
            }
        }
        for (hand, counts) in counts.iter().enumerate() {
            let in_pack: Vec<u32> = game.pack().iter().map(|card| counts[card.index()]).collect();
            let freedom = in_pack.len() as f64 - 1.0;
            let found = chi_square(&in_pack);
            assert!(found < bound(freedom), "{name}, hand {hand}: {found}");
        }
    }
}

/// Deals as a person would: a card to each in turn, until no card is left.
fn by_hand(game: &Game, pack: &[Card], dealer: usize, seats_in: Seats) -> Hands {
    let rules = game.rules();
    let mut hands = Hands::default();
    let players: Vec<usize> = (1..=game.players())
        .map(|step| (dealer + step) % game.players())
        .filter(|&seat| seats_in.contains(seat))
        .collect();
    let with_dead = rules.dead_hand != DeadHand::None;
    let each = pack.len() / (players.len() + usize::from(with_dead));
    let mut left = pack.iter().copied();
    'deal: for round in 0.. {
        if round == each && rules.remainder == Remainder::DeadHand {
            hands.dead = left.fold(hands.dead, |dead, card| dead | CardSet::of(card));
            break;
        }
        if rules.dead_hand == DeadHand::First {
            let Some(card) = left.next() else { break 'deal };
            hands.dead.insert(card);
        }
        for &seat in &players {
            if rules.dead_hand == DeadHand::BeforeDealer && seat == dealer {
                let Some(card) = left.next() else { break 'deal };
                hands.dead.insert(card);
            }
            let Some(card) = left.next() else { break 'deal };
            hands.seats[seat].insert(card);
        }
        if rules.dead_hand == DeadHand::Last {
            let Some(card) = left.next() else { break 'deal };
            hands.dead.insert(card);
        }
    }
    hands
}

#[test]
fn cards_go_round_as_if_dealt_by_hand() {
    let mut rng = Seed::new(3).rng();
    let random = (0..2_000).map(|_| any_rules::game(&mut rng).0).collect::<Vec<_>>();
    for (number, game) in all_tables().into_iter().chain(random).enumerate() {
        let pack = game.shuffle(&mut Seed::new(number as u64).rng());
        for dealer in 0..game.players() {
            let mut seats_in = Seats::first(game.players());
            if number % 3 == 0 && game.players() > 2 {
                seats_in.remove((dealer + 1) % game.players());
            }
            let dealt = game.deal(pack.cards(), dealer, seats_in);
            let wanted = by_hand(&game, pack.cards(), dealer, seats_in);
            assert_eq!(
                dealt,
                wanted,
                "{} players, dealer {dealer}: {}",
                game.players(),
                game.rules()
            );
        }
    }
}

#[test]
fn hands_have_the_sizes_of_the_rule_book() {
    let sizes = |game: &Game, dealer: usize| {
        let pack = game.shuffle(&mut Seed::new(4).rng());
        let hands = game.deal(pack.cards(), dealer, Seats::first(game.players()));
        let seats: Vec<usize> =
            hands.seats[..game.players()].iter().map(|hand| hand.len()).collect();
        (seats, hands.dead.len())
    };
    // The sizes that a modern description gives: ten each and two more for the dead hand.
    assert_eq!(sizes(&table("newmarket", 4), 0), (vec![10; 4], 12));
    assert_eq!(sizes(&table("newmarket", 5), 2), (vec![8; 5], 12));
    assert_eq!(sizes(&table("newmarket", 3), 2), (vec![13; 3], 13));
    // In rotation the first hands of the round have one card more.
    assert_eq!(sizes(&table("michigan", 4), 3), (vec![11, 11, 10, 10], 10));
    assert_eq!(sizes(&table("michigan", 4), 1), (vec![10, 10, 11, 11], 10));
    assert_eq!(sizes(&table("michigan-widow", 4), 3), (vec![11, 10, 10, 10], 11));
    assert_eq!(sizes(&table("hoyle-1885", 5), 4), (vec![9, 9, 9, 8, 8], 8));
    assert_eq!(sizes(&table("bazaar-1875", 5), 4), (vec![11, 11, 10, 10, 10], 0));
    assert_eq!(sizes(&table("south-london", 4), 3), (vec![10, 10, 10, 9], 9));
    assert_eq!(sizes(&table("newmarket", 8), 7), (vec![5; 8], 12));
    // Five cards at least for poker.
    assert_eq!(sizes(&table("three-in-one", 8), 7), (vec![6, 6, 6, 6, 6, 6, 6, 5], 5));
    let spare =
        "dead_hand = { position = \"none\", remainder = \"rotation\" }\nexchange = \"none\"";
    assert_eq!(sizes(&house("newmarket", spare, 3), 2), (vec![18, 17, 17], 0));
}

#[test]
fn the_cut_makes_everybody_first_dealer_as_often() {
    for players in [3, 5, 8] {
        let game = table("newmarket", players);
        assert_eq!(game.rules().session.first_dealer, FirstDealer::Cut);
        let mut counts = vec![0; players];
        for seed in 0..40_000 {
            counts[Session::new(&game, Seed::new(seed)).deal_start().dealer] += 1;
        }
        let found = chi_square(&counts);
        assert!(found < bound(players as f64 - 1.0), "{players} players: {counts:?}");
    }
}

#[test]
fn the_first_jack_falls_where_it_should() {
    let game = table("hoyle-1885", 4);
    assert_eq!(game.rules().session.first_dealer, FirstDealer::FirstJack);
    // How likely the first of four jacks in 52 cards falls at each seat.
    let mut odds = [0.0; 4];
    let mut none_yet = 1.0;
    for card in 0..49 {
        let hit = 4.0 / (52.0 - f64::from(card));
        odds[card as usize % 4] += none_yet * hit;
        none_yet *= 1.0 - hit;
    }
    let mut counts = [0_u32; 4];
    let deals = 60_000;
    for seed in 0..deals {
        counts[Session::new(&game, Seed::new(seed)).deal_start().dealer] += 1;
    }
    let found: f64 = counts
        .iter()
        .zip(odds)
        .map(|(&count, odds)| {
            let expected = odds * deals as f64;
            (f64::from(count) - expected).powi(2) / expected
        })
        .sum();
    assert!(found < bound(3.0), "{counts:?} where {odds:?} is expected");
    assert!(counts[0] > counts[1] && counts[1] > counts[2] && counts[2] > counts[3]);
}

#[test]
fn the_first_dealer_follows_from_the_seed_by_a_literal_deal() {
    for aces in [Aces::Low, Aces::High] {
        for seed in (0..300).map(Seed::new) {
            // The first child of a session's seed is the stream of the cut.
            let mut cards: Vec<Card> = (0..52).map(Card::from_index).collect();
            newmarket_env::seed::shuffle(&mut cards, &mut seed.child(0).rng());
            let order = if aces == Aces::Low { "low" } else { "high" };
            let dealer = |first: &str| {
                let changes = format!(
                    "aces = {order:?}\ncells = [\"KH\"]\n[session]\nfirst_dealer = {first:?}"
                );
                let game = house("newmarket", &changes, 5);
                let session = Session::new(&game, seed);
                let alone = *Session::single_deal(&game, seed).deal_start();
                let due = DealStart { deals_left: Some(9), ..alone };
                assert_eq!(*session.deal_start(), due);
                session.deal_start().dealer
            };
            let mut jack = 0;
            while cards[jack].notation(aces).as_bytes()[0] != b'J' {
                jack += 1;
            }
            assert_eq!(dealer("first_jack"), jack % 5);
            let cut = newmarket_env::seed::below(&mut seed.child(0).rng(), 5);
            assert_eq!(dealer("cut"), cut as usize);
        }
    }
    let named = house("newmarket", "[session]\nfirst_dealer = 2", 5);
    assert_eq!(Session::new(&named, Seed::new(0)).deal_start().dealer, 2);
}

#[test]
fn a_deal_of_given_cards_is_that_of_the_seed() {
    for game in all_tables() {
        for seed in (0..5).map(Seed::new) {
            let drawn = Session::single_deal(&game, seed);
            let (start, hands) = (*drawn.deal_start(), drawn.hands(&game));
            let given = Session::given(&game, start, hands).expect("it was dealt");
            assert_eq!(given.hands(&game), hands);
            let pack = given.pack(&game);
            assert_eq!(game.deal(pack.cards(), start.dealer, start.seats_in), hands);
            let mut cards = pack.cards().to_vec();
            cards.sort_unstable();
            assert_eq!(cards, game.pack().iter().collect::<Vec<_>>());

            let mut more = hands;
            let card = more.seats[0].first().expect("a hand");
            more.seats[1].insert(card);
            let (field, problem) = Session::given(&game, start, more).expect_err("a card twice");
            assert!(field == "hands" && problem.contains("lies elsewhere too"), "{problem}");
            more.seats[0] -= CardSet::of(card);
            let (field, problem) = Session::given(&game, start, more).expect_err("a card moved");
            assert!(field == "hands" && problem.contains("expected"), "{problem}");
        }
    }
}
