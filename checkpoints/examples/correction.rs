//! What a correction of a network's leads by playouts of a rule is worth, by its weight: the figures to which the
//! weight of `net:PATH+pimc:N` is fitted.
//!
//! `cargo run --release -p newmarket-checkpoints --example correction -- NETWORK TABLE… DEALS SEED` plays DEALS deals of
//! the network in all seats at each table (`RULES/PLAYERS`, `house:N`, or `houses:COUNT` for so many houses that are
//! not held out from training), and prints a line of JSON a table. At each lead the logits are corrected with each weight of a grid.
//! Playouts of the network in hands weighted by earlier decisions say how much better the lead so chosen is than the
//! network's own. `gain` is the sum of these differences, in chips a seat and deal, with half the width of its 95 %
//! interval over deals. It is what one seat gains by the correction among networks, to first order: its other
//! decisions come at the same positions as before.

#![expect(clippy::print_stdout, reason = "a report")]

use std::error::Error;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use newmarket_agents::net::{NetBatch, PolicyTrials};
use newmarket_agents::search::{DeterminizedEvaluator, Playout};
use newmarket_checkpoints::roster::net_player;
use newmarket_env::rules::House;
use newmarket_env::{
    Action, DealDriver, DealStart, Game, Observation, Phase, Rules, Seats, Seed, State,
};
use newmarket_net::{QuantisedNet, argmax};
use serde_json::json;

/// Hands in which the rule plays out, as `net:champion+pimc:200` has them.
const RULE_WORLDS: u32 = 200;
/// Hands in which the network plays out.
const WORLDS: u32 = 48;
/// Logits a chip.
const WEIGHTS: [f32; 14] =
    [0.25, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0, 8.0, 12.0, 16.0, 32.0, 64.0, 1000.0];

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let (numbers, tables) = args.split_last_chunk::<2>().map(|(t, n)| (n, t)).ok_or(USAGE)?;
    let [network, tables @ ..] = tables else { return Err(USAGE.into()) };
    let (deals, seed): (u64, u64) = (numbers[0].parse()?, numbers[1].parse()?);
    let weights = net_player(std::path::Path::new(network))?.checkpoint.weights;
    let net = Arc::new(QuantisedNet::new(&weights));
    let mut games = Vec::new();
    for name in tables {
        match name.strip_prefix("houses:") {
            Some(count) => games.extend(houses(seed).take(count.parse()?)),
            None => games.push(table(name)?),
        }
    }
    let place = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some((name, game)) = games.get(place.fetch_add(1, Ordering::Relaxed)) {
                    println!("{}", measured(name, game, &net, deals, Seed::new(seed)));
                }
            });
        }
    });
    Ok(())
}

const USAGE: &str =
    "expected NETWORK TABLE… DEALS SEED, as champion newmarket/4 house:7 houses:50 100 1";

/// Houses that training may draw; each seed has its own.
fn houses(seed: u64) -> impl Iterator<Item = (String, Game)> {
    (seed << 20..).filter_map(|number| {
        let house = House::draw(Seed::new(number));
        let game =
            Game::new(house.rules.clone(), house.players).expect("a house seats its players");
        (!house.is_held_out()).then(|| (format!("house:{number}"), game))
    })
}

fn table(text: &str) -> Result<(String, Game), Box<dyn Error>> {
    if let Some(number) = text.strip_prefix("house:") {
        let house = House::draw(Seed::new(number.parse()?));
        return Ok((text.into(), Game::new(Rules::load(text)?, house.players)?));
    }
    let (rules, players) = text.rsplit_once('/').ok_or(USAGE)?;
    Ok((text.into(), Game::new(Rules::load(rules)?, players.parse()?)?))
}

/// Sums over deals of a figure and of its square.
#[derive(Clone, Copy, Default)]
struct Sums(f64, f64);

fn measured(name: &str, game: &Game, net: &Arc<QuantisedNet>, deals: u64, seed: Seed) -> String {
    let players = game.players();
    let rule = DeterminizedEvaluator::new(RULE_WORLDS, Playout::Stopper);
    let mut trials = PolicyTrials::new(Box::new(NetBatch::new(net.clone()))).weigh_leads();
    let mut scratch = net.scratch();
    let mut sums = [Sums::default(); WEIGHTS.len()];
    let (mut leads, mut payoffs, mut spreads) = (0_u64, Sums::default(), 0.0);
    for deal in 0..deals {
        let mut rng = seed.child(deal).rng();
        let dealer = deal as usize % players;
        let start = DealStart::fresh(players, dealer);
        let stacks = start.stacks;
        let mut state = State::new(game, &start);
        let cards = game.shuffle_and_deal(&mut rng, dealer, Seats::first(players));
        let mut gained = [0.0; WEIGHTS.len()];
        while let Some(decision) = DealDriver::CHOICES_BUT_FIVE.next(game, &mut state, || cards) {
            let view = state.view(game, decision.seat);
            let logits: Vec<f32> = net.logits(&Observation::of(&view), &mut scratch).to_vec();
            let own = argmax(&logits, decision.legal.bits());
            if state.phase() == Phase::Lead {
                leads += 1;
                let gains = rule.gains(&view, &mut rng);
                let choices: Vec<Vec<Action>> = decision.legal.iter().map(|it| vec![it]).collect();
                let mut worth = vec![0.0; choices.len()];
                trials.gains_by_world(&view, &choices, WORLDS, &mut rng, &mut |gains| {
                    worth.iter_mut().zip(gains).for_each(|(sum, &gain)| *sum += f64::from(gain));
                });
                let place = |of: usize| choices.iter().position(|it| it[0].index() == of);
                let own = place(own).expect("it is one of them");
                spreads += f64::from(
                    gains.iter().copied().fold(f32::MIN, f32::max)
                        - gains.iter().copied().fold(f32::MAX, f32::min),
                );
                for (gained, weight) in gained.iter_mut().zip(WEIGHTS) {
                    let sum = |nth: usize| logits[choices[nth][0].index()] + weight * gains[nth];
                    let best = (0..choices.len())
                        .reduce(|best, nth| if sum(nth) > sum(best) { nth } else { best })
                        .expect("a choice");
                    *gained += (worth[best] - worth[own]) / f64::from(WORLDS);
                }
            }
            state.apply_unchecked(game, Action::from_index(own));
        }
        for (sums, gained) in sums.iter_mut().zip(gained) {
            let gained = gained / players as f64;
            *sums = Sums(sums.0 + gained, sums.1 + gained * gained);
        }
        for (after, before) in state.stacks().iter().zip(stacks).take(players) {
            let payoff = f64::from(after - before);
            payoffs = Sums(payoffs.0 + payoff, payoffs.1 + payoff * payoff);
        }
    }
    let n = deals as f64;
    let by_weight = sums.map(|Sums(sum, squares)| {
        let mean = sum / n;
        let half = 1.96 * ((squares / n - mean * mean) / (n - 1.0)).max(0.0).sqrt();
        [mean, half].map(|it| (it * 1e5).round() / 1e5)
    });
    let seats = n * players as f64;
    let deviation = (payoffs.1 / seats - (payoffs.0 / seats).powi(2)).sqrt();
    json!({
        "table": name, "players": players, "deals": deals, "leads": leads as f64 / seats,
        "ante": game.rules().full_ante(false), "rules": game.rules().to_toml(),
        "deviation": deviation, "spread": spreads / leads.max(1) as f64,
        "weights": WEIGHTS, "gain": by_weight,
    })
    .to_string()
}
