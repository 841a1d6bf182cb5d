//! The games of `eval/games`: their sizes, their equilibria, and players far from these.

use newmarket_agents::strategy::Strategy;
use newmarket_env::Seed;
use newmarket_eval::exact::{CfrPlus, policy};

use crate::{grown, shipped};

#[test]
fn two_seats() {
    check("two-seats", 178_217, 12_185, &[2.685, -2.685], 600);
}

#[test]
fn three_seats() {
    check("three-seats", 475_289, 3692, &[3.360, -3.301, -3.301], 100);
}

#[test]
fn offers_of_the_dead_hand() {
    check("offer-chain", 30_541, 4362, &[4.192, -4.192], 300);
}

#[test]
fn an_auction_of_the_dead_hand() {
    check("auction", 39_601, 4749, &[2.370, -2.370], 300);
}

#[test]
fn antes_after_a_look() {
    check("after-look", 94_981, 4155, &[2.782, -2.782], 600);
}

#[test]
fn betting_at_poker() {
    check("betting", 15_305, 6770, &[0.579, -0.579], 600);
}

fn check(name: &str, states: u64, infosets: usize, values: &[f64], iterations: u64) {
    let (deal, tree) = grown(shipped(name));
    assert_eq!((tree.states(), tree.infosets().len()), (states, infosets));
    let mut solver = CfrPlus::new(&tree);
    let reached = solver.run(iterations, |_| {});
    assert!(reached.nash_conv < 1e-3, "{name}: {}", reached.nash_conv);
    for (value, known) in reached.values.iter().zip(values) {
        assert!((value - known).abs() < 2e-3, "{name}: {:?}", reached.values);
    }
    let equilibrium = solver.average();
    let mut all = Vec::new();
    for strategy in ["random", "lowest", "longest", "boodle", "stopper"] {
        let mut agent = Strategy::named(strategy).expect("a named strategy");
        let profile = policy::of_agent(&mut agent, &tree, &deal, 1, Seed::new(1));
        let found = tree.exploitability(&profile);
        for player in 0..tree.players() {
            assert!(found.gains[player] > -1e-9, "{name}, {strategy}: {found:?}");
            // No player gains more than NashConv by a deviation from the equilibrium.
            let best = tree.best_response(&equilibrium, player).value;
            assert!(best - reached.values[player] <= reached.nash_conv + 1e-12);
        }
        all.push(found.nash_conv);
    }
    let [random, .., stopper] = all[..] else { unreachable!("there are five") };
    assert!(all.iter().all(|&conv| conv > 0.1), "{name}: {all:?}");
    assert!(stopper < random, "{name}: {all:?}");
}

#[test]
fn the_same_bits_at_every_run() {
    let (_, tree) = grown(shipped("two-seats"));
    let run = || {
        let mut solver = CfrPlus::new(&tree);
        (solver.run(20, |_| {}), solver.average())
    };
    assert_eq!(run(), run());
}
