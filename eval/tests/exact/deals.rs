//! A deal in the tree is the deal that the environment plays.

use std::collections::{BTreeMap, BTreeSet};

use newmarket_env::{Card, Env, Episode, Seats, Seed, seed};
use newmarket_eval::exact::{DealHistory, ExtensiveGame, Node, OneDeal};

use crate::{FIVE_CARDS, FOUR_CARDS, game};

/// Counts the hands of all orders of a pack.
fn of_all_orders(deal: &OneDeal) -> BTreeMap<String, usize> {
    fn orders(cards: &mut Vec<Card>, from: usize, each: &mut impl FnMut(&[Card])) {
        if from == cards.len() {
            return each(cards);
        }
        for pick in from..cards.len() {
            cards.swap(from, pick);
            orders(cards, from + 1, each);
            cards.swap(from, pick);
        }
    }
    let mut counts = BTreeMap::new();
    let game = deal.game();
    orders(&mut game.pack().iter().collect(), 0, &mut |pack| {
        let hands = game.deal(pack, deal.dealer(), Seats::first(game.players()));
        *counts.entry(format!("{:?}", &hands.seats[..game.players()])).or_default() += 1;
    });
    counts
}

#[test]
fn every_set_of_hands_is_dealt_as_often_as_packs_give_it() {
    let four = OneDeal::new(game("bazaar-1875", FOUR_CARDS, 2), 100).unwrap();
    let five = OneDeal::new(game("newmarket-buy", FIVE_CARDS, 2), 100).unwrap();
    for (deal, expected) in [(four, 6), (five, 30)] {
        assert!((OneDeal::count(deal.game()) - f64::from(expected)).abs() < 1e-9);
        let counts = of_all_orders(&deal);
        let start = deal.start();
        let Node::Chance(chances) = deal.node(&start) else { panic!("antes are fixed") };
        assert_eq!((counts.len(), chances.len()), (expected as usize, expected as usize));
        let all: usize = counts.values().sum();
        let mut seen = BTreeSet::new();
        for (nth, chance) in chances.into_iter().enumerate() {
            let hands = hands(&deal, &deal.after(&start, nth));
            // The hands before the first action. Forced leads are taken at once, so played cards are added.
            assert!((chance - counts[&hands] as f64 / all as f64).abs() < 1e-12);
            seen.insert(hands);
        }
        assert_eq!(seen.len(), counts.len());
    }
}

/// The hands as they were dealt, if none was exchanged.
fn hands(deal: &OneDeal, position: &DealHistory) -> String {
    let dealt = |seat| {
        let view = deal.view(position, seat);
        view.hand() | view.played_by(seat)
    };
    format!("{:?}", (0..deal.game().players()).map(dealt).collect::<Vec<_>>())
}

/// Plays the same actions in the tree and in the environment, with a session of one deal.
#[test]
fn payoffs_are_those_of_a_session_of_one_deal() {
    const BOTH: &str = "players = [2, 3]\nranks = 4\nsuits = 3\ncells = [\"4C\", \"3D\"]\n";
    const ONE: &str = "[session]\ndeals = 1\nfirst_dealer = ";
    for (base, changes, players) in [
        ("newmarket", "leftover = \"stay\"", 2),
        ("newmarket", "leftover = \"stay\"", 3),
        ("newmarket-buy", "leftover = \"richest\"", 2),
        ("michigan-auction", "leftover = \"richest\"", 3),
        ("michigan-widow", "leftover = \"stay\"", 3),
    ] {
        let changes = format!("{BOTH}{ONE}{}\n{changes}", players - 1);
        let deal = OneDeal::new(game(base, &changes, players), 1_000_000).unwrap();
        let mut env = Env::new(deal.game().clone(), Episode::Session);
        let mut rng = Seed::new(11).rng();
        for round in 0..3 {
            env.reset(Seed::new(round));
            let mut position = deal.start();
            let mut paid = vec![0.0; players];
            loop {
                if let Node::Chance(chances) = deal.node(&position) {
                    let truth = env.state().hands();
                    let dealt = |seat| truth.seats[seat] | env.observe(seat).played_by(seat);
                    let wanted = format!("{:?}", (0..players).map(dealt).collect::<Vec<_>>());
                    let nth = (0..chances.len())
                        .find(|&nth| hands(&deal, &deal.after(&position, nth)) == wanted);
                    position = deal.after(&position, nth.expect("the deal is one of them"));
                }
                if env.is_over() {
                    break;
                }
                let legal = env.legal();
                assert_eq!(legal, deal.legal(&position));
                assert_eq!(env.observe(env.seat()), deal.view(&position, env.seat()));
                let nth = seed::below(&mut rng, legal.len() as u32) as usize;
                env.step(legal.nth(nth).unwrap()).unwrap();
                for (paid, &reward) in paid.iter_mut().zip(env.rewards()) {
                    *paid += f64::from(reward);
                }
                position = deal.after(&position, nth);
            }
            assert_eq!(deal.node(&position), Node::Terminal(paid), "{base}, round {round}");
        }
    }
}
