//! Leads of a network with what they are worth, for regressions: what would an input tell the network that it does not
//! know?
//!
//! `cargo run --release -p newmarket-checkpoints --example lead_advantages -- NETWORK RULES PLAYERS DEALS WORLDS SEED`
//! plays DEALS deals of the network in all seats, and prints a line of JSON for each lead of one seat, which changes
//! from deal to deal:
//!
//! | key | value |
//! | --- | --- |
//! | `deal` | the number of the deal |
//! | `entries` | the entries of the observation that are not 0: index and value |
//! | `value` | the network's estimate of the deal |
//! | `leads` | the suits that may be led; the lists below have this order |
//! | `logits` | the network's |
//! | `gains` | for 32, 64 and 200 sampled worlds: the mean gain of each lead in chips, played out by `stopper` |
//! | `halves` | twice, in WORLDS other worlds, weighted by earlier decisions: the same if all play on as the network |
//! | `true` | the gain of each lead in the deal itself, if all play on as the network |
//!
//! The two halves are independent, so that their covariance is free of noise. The deal itself is drawn from exactly
//! what the seat can know, so that `true` has no bias.

#![expect(clippy::print_stdout, reason = "a report")]

use std::error::Error;
use std::path::Path;
use std::sync::Arc;

use newmarket_agents::net::{NetBatch, Playouts, PolicyTrials};
use newmarket_agents::search::{Playout, gains_by_world};
use newmarket_checkpoints::roster::net_player;
use newmarket_env::{
    Action, DealDriver, DealStart, Game, Observation, Phase, Rules, Seats, Seed, State,
};
use newmarket_net::{QuantisedNet, argmax};
use serde_json::json;

/// Worlds of the rule's gains, each the beginning of the next.
const RULE_WORLDS: [u32; 3] = [32, 64, 200];

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [network, rules, players, deals, worlds, seed] = &args[..] else {
        return Err(
            "expected NETWORK RULES PLAYERS DEALS WORLDS SEED, as champion newmarket 4 100 32 1"
                .into(),
        );
    };
    let game = Game::new(Rules::load(rules)?, players.parse()?)?;
    let (deals, worlds): (u64, u32) = (deals.parse()?, worlds.parse()?);
    let net = Arc::new(QuantisedNet::new(&net_player(Path::new(network))?.checkpoint.weights));
    let mut trials = PolicyTrials::new(Box::new(NetBatch::new(net.clone()))).weigh_leads();
    let mut playouts = Playouts::new([Box::new(NetBatch::new(net.clone())) as _]);
    let mut scratch = net.scratch();
    let mut row = vec![0.0; Observation::LEN];
    for deal in 0..deals {
        let seeds = Seed::new(seed.parse()?).child(deal);
        let dealer = deal as usize % game.players();
        let hero = deal as usize / game.players() % game.players();
        let cards =
            game.shuffle_and_deal(&mut seeds.child(0).rng(), dealer, Seats::first(game.players()));
        let (mut of_rule, mut of_net) = (seeds.child(1).rng(), seeds.child(2).rng());
        let mut state = State::new(&game, &DealStart::fresh(game.players(), dealer));
        while let Some(decision) = DealDriver::CHOICES_BUT_FIVE.next(&game, &mut state, || cards) {
            let view = state.view(&game, decision.seat);
            let observation = Observation::of(&view);
            observation.write(&mut row);
            let (mut logits, mut value) = (Vec::new(), 0.0);
            net.forward_each(
                &row,
                |_| decision.legal.bits(),
                &mut scratch,
                |_, of, worth| {
                    logits.extend_from_slice(of);
                    value = worth;
                },
            );
            if state.phase() == Phase::Lead && decision.seat == hero {
                let leads: Vec<Vec<Action>> = decision.legal.iter().map(|it| vec![it]).collect();
                let mut sums = vec![0_i64; leads.len()];
                let (mut drawn, mut gains) = (0, Vec::new());
                let most = RULE_WORLDS[RULE_WORLDS.len() - 1];
                gains_by_world(&view, &leads, most, Playout::Stopper, &mut of_rule, &mut |world| {
                    sums.iter_mut().zip(world).for_each(|(sum, &gain)| *sum += i64::from(gain));
                    drawn += 1;
                    if RULE_WORLDS.contains(&drawn) {
                        gains.push(means(&sums, drawn));
                    }
                });
                let halves = [(); 2].map(|()| {
                    let mut sums = vec![0_i64; leads.len()];
                    trials.gains_by_world(&view, &leads, worlds, &mut of_net, &mut |world| {
                        sums.iter_mut().zip(world).for_each(|(sum, &gain)| *sum += i64::from(gain));
                    });
                    means(&sums, worlds)
                });
                let mut ends = vec![state; leads.len()];
                for (end, lead) in ends.iter_mut().zip(&leads) {
                    end.apply_unchecked(&game, lead[0]);
                }
                playouts.play_on(DealDriver::CHOICES_BUT_FIVE, &game, &mut ends, &mut of_net);
                let gained = |end: &State| end.stacks()[hero] - state.stacks()[hero];
                let mut entries = Vec::new();
                observation.for_each_nonzero(|index, number| entries.push((index, number)));
                let line = json!({
                    "deal": deal, "entries": entries, "value": value,
                    "leads": leads.iter().map(|it| it[0].index()).collect::<Vec<_>>(),
                    "logits": leads.iter().map(|it| logits[it[0].index()]).collect::<Vec<_>>(),
                    "gains": gains, "halves": halves, "true": ends.iter().map(gained).collect::<Vec<_>>(),
                });
                println!("{line}");
            }
            let own = argmax(&logits, decision.legal.bits());
            state.apply_unchecked(&game, Action::from_index(own));
        }
    }
    Ok(())
}

fn means(sums: &[i64], count: u32) -> Vec<f64> {
    sums.iter().map(|&sum| sum as f64 / f64::from(count)).collect()
}
