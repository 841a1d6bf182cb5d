//! `basic`: that it plays everywhere, that its antes and cards are played, and that its lists pay.

#[path = "../../env/tests/common/mod.rs"]
mod common;

use std::sync::Arc;

use common::{all_tables, house, table};
use newmarket_agents::paired::PairedDuel;
use newmarket_agents::strategy::{Memory, Notes, Scope, Strategy, fact};
use newmarket_agents::{Agent, Player, Table};
use newmarket_env::{Action, Phase, Seed, View};

/// A fact of the hand.
fn counted(name: &str, view: &View) -> i32 {
    fact(Scope::Table, name).expect("a fact").of_table(&Notes::new(view, Memory::ALL)) as i32
}

fn basic() -> Strategy {
    Strategy::named("basic").expect("a named strategy")
}

/// What each seat has staked when the first card may be played, from eldest on.
fn staked(game: newmarket_env::Game) -> Vec<Vec<i32>> {
    let (cells, players) = (game.cells(), game.players());
    let (mut table, mut player, mut all) = (Table::new(Arc::new(game)), basic(), Vec::new());
    table.play(Seed::new(4), |_, view, rng| {
        if view.phase() == Phase::Lead && all.is_empty() {
            let roles = (0..players).map(|role| (view.eldest() + role) % players);
            let of = |seat| (0..cells).map(|cell| view.staked(seat, cell)).collect();
            all = roles.map(of).collect();
        }
        player.act(view, rng)
    });
    all
}

#[test]
fn antes_go_where_they_gain() {
    let (eldest, others) = (vec![4, 0, 0, 0], vec![1, 0, 3, 0]);
    let all = [eldest, others.clone(), others.clone(), others];
    assert_eq!(staked(table("newmarket", 4)), all);
    assert_eq!(staked(table("newmarket-buy", 4)), all);
    // The dealer stakes eight, of which no card speaks.
    let [.., dealer] = &staked(table("bazaar-1875", 4))[..] else { panic!("seats") };
    assert_eq!(dealer, &[2, 2, 2, 2]);
    // Another number of chips, another number of cells, and a cap that a pile would break.
    for changes in [
        "layout_ante = { free = { chips = 8, dealer_chips = 8 } }",
        "cells = [\"AS\", \"KH\"]",
        "cells = [\"2S\", \"KH\", \"QC\", \"JD\"]",
        "aces = \"high\"",
        "removed = [\"2C\", \"2D\", \"2H\", \"2S\"]",
    ] {
        let even = staked(house("newmarket", changes, 4));
        assert!(even.iter().all(|split| split.iter().all(|&it| it == split[0])), "{even:?}");
    }
    let capped = staked(house("newmarket", "cell_cap = 5", 4));
    assert!(capped.iter().all(|split| split.iter().sum::<i32>() == 4), "{capped:?}");
}

/// The card of `newmarket-buy` takes the dead hand for one with neither boodle nor stop.
#[test]
fn the_dead_hand_is_taken_by_the_card() {
    let mut answers = [0; 2];
    let (mut random, mut basic) = (Strategy::named("random").unwrap(), basic());
    let mut table = Table::new(Arc::new(table("newmarket-buy", 4)));
    for deal in 0..400 {
        table.play(Seed::new(5).child(deal), |_, view, rng| {
            if view.phase() != Phase::DeadHand {
                return random.act(view, rng);
            }
            let takes = counted("boodles", view) + counted("stops", view) == 0;
            answers[usize::from(takes)] += 1;
            let action = basic.act(view, rng);
            assert_eq!(action, if takes { Action::EXCHANGE } else { Action::KEEP });
            action
        });
    }
    assert!(answers.iter().all(|&times| times > 40), "{answers:?}");
}

/// A bidder stays below its limit and passes with a boodle in hand.
#[test]
fn bids_end_at_the_limit() {
    #[derive(Clone)]
    struct Bids;
    impl Agent for Bids {
        fn name(&self) -> &'static str {
            "bids"
        }
        fn act(&mut self, view: &View, rng: &mut newmarket_env::Rng) -> Action {
            match view.phase() {
                Phase::DeadHand => Action::AUCTION,
                Phase::Auction if view.legal().contains(Action::BID) => Action::BID,
                _ => basic().act(view, rng),
            }
        }
        fn another(&self) -> Box<dyn Agent> {
            Box::new(Self)
        }
    }
    let (mut others, mut basic) = (Bids, basic());
    let mut table = Table::new(Arc::new(table("michigan-auction", 4)));
    let (mut bids, mut passes) = (0, 0);
    for deal in 0..200 {
        table.play(Seed::new(6).child(deal), |seat, view, rng| {
            let own = seat == 1 && view.phase() == Phase::Auction;
            if !own {
                return others.act(view, rng);
            }
            let action = basic.act(view, rng);
            if action == Action::BID {
                assert!(view.bid() < 6 && counted("boodles", view) == 0);
            }
            *if action == Action::BID { &mut bids } else { &mut passes } += 1;
            action
        });
    }
    assert!(bids > 20 && passes > 20, "{bids} {passes}");
}

#[test]
fn it_plays_every_game() {
    for game in all_tables() {
        let (mut table, mut basic) = (Table::new(Arc::new(game)), basic());
        for deal in 0..3 {
            // The table refuses what is not legal.
            table.play(Seed::new(4).child(deal), |_, view, rng| basic.act(view, rng));
        }
    }
}

#[test]
fn lists_can_be_kept_in_mind() {
    for name in newmarket_env::rules::NAMES {
        let basic = basic();
        let clauses = basic.content().lead(name);
        assert!(!clauses.is_empty() && clauses.len() <= 5, "{name}");
        for (nth, clause) in clauses.iter().enumerate() {
            assert!(!clauses[..nth].contains(clause), "{name} asks twice: {}", clause.text());
        }
    }
}

#[test]
fn it_gains_over_stopper() {
    let [basic, stopper]: [Player; 2] =
        [basic().into(), Strategy::named("stopper").unwrap().into()];
    for (name, least) in [
        ("newmarket", 0.15),
        ("newmarket-buy", 0.0),
        ("michigan", 0.0),
        ("michigan-auction", 0.0),
        ("three-in-one", 0.0),
    ] {
        let games = [Arc::new(table(name, 4))];
        let duel =
            PairedDuel { games: &games, hero: &basic, field: &stopper, seed: Seed::new(2211) };
        let gain = duel.run(20_000, |_| {}).chips.estimate();
        assert!(gain.mean - gain.ci95 > least, "{name}: {gain}");
    }
}
