//! Agents, evaluated exactly.

use std::sync::Arc;

use newmarket_agents::net::{ActionSelection, NetAgent, PlayKind, Plays};
use newmarket_agents::paired::Mean;
use newmarket_agents::strategy::Strategy;
use newmarket_agents::{Agent, Player, Table};
use newmarket_env::{Action, Observation, Rng, Seed, View};
use newmarket_eval::exact::policy;
use newmarket_net::{NetConfig, QuantisedNet, Weights};

use crate::{FIVE_CARDS, game, grown};

/// Tosses a coin: half of the time its first choice, else its last.
struct Coin;

impl Agent for Coin {
    fn name(&self) -> &'static str {
        "coin"
    }

    fn act(&mut self, view: &View, rng: &mut Rng) -> Action {
        let legal = view.legal();
        let nth = if newmarket_env::seed::unit(rng) < 0.5 { 0 } else { legal.len() - 1 };
        legal.nth(nth).unwrap()
    }

    fn another(&self) -> Box<dyn Agent> {
        Box::new(Self)
    }
}

#[test]
fn an_agent_becomes_what_it_does() {
    let (deal, tree) = grown(game("newmarket-buy", FIVE_CARDS, 2));
    let ask =
        |agent: &mut dyn Agent, draws| policy::of_agent(agent, &tree, &deal, draws, Seed::new(1));
    assert_eq!(ask(&mut Strategy::named("random").unwrap(), 1), tree.uniform());
    let stopper = ask(&mut Strategy::named("stopper").unwrap(), 100);
    let coin = ask(&mut Coin, 1000);
    for infoset in tree.infosets() {
        assert!(stopper.at(infoset).iter().all(|chance| [0.0, 1.0].contains(chance)));
        // Four standard deviations.
        assert!(coin.at(infoset).iter().all(|&chance| (chance - 0.5).abs() < 0.064));
    }
    let coins = tree.exploitability(&coin).values[0];
    let even = tree.exploitability(&tree.uniform()).values[0];
    assert!((coins - even).abs() < 0.05, "{coins}, {even}");
}

/// A network acts by its probabilities, and its greedy choice is the likeliest.
#[test]
fn a_network_by_its_probabilities() {
    let (deal, tree) = grown(game("newmarket-buy", FIVE_CARDS, 2));
    let (inputs, actions) = (Observation::LEN, Action::COUNT);
    let config = NetConfig { inputs, hidden: vec![16], actions };
    let mut arrays = Weights::init(&config, 4).arrays().to_vec();
    for array in arrays.iter_mut().filter(|array| array.name == "policy.weight") {
        array.data.iter_mut().for_each(|weight| *weight *= 2000.0);
    }
    let net = Arc::new(QuantisedNet::new(&Weights::from_arrays(&config, arrays).unwrap()));
    let mut sampled = NetAgent::new("net", net.clone(), ActionSelection::Sampled);
    let mut greedy = NetAgent::new("net", net, ActionSelection::Greedy);
    let ask = |agent: &mut dyn Agent| policy::of_agent(agent, &tree, &deal, 1, Seed::new(1));
    let (exact, pure) = (ask(&mut sampled), ask(&mut greedy));
    let mut rng = Seed::new(2).rng();
    let mut mixed = 0;
    for (number, infoset) in tree.infosets().iter().enumerate() {
        let view = deal.view(tree.example(number), infoset.player);
        let draws = 2000;
        let mut counts = vec![0.0; infoset.sequences().len()];
        for _ in 0..draws {
            let action = sampled.act(&view, &mut rng);
            counts[view.legal().iter().position(|legal| legal == action).unwrap()] += 1.0;
        }
        let most = exact.at(infoset).iter().copied().fold(0.0, f64::max);
        for ((count, exact), pure) in counts.iter().zip(exact.at(infoset)).zip(pure.at(infoset)) {
            // Four standard deviations.
            assert!((count / f64::from(draws) - exact).abs() < 0.045, "{count}, {exact}");
            assert_eq!(*pure > 0.5, (most - exact).abs() < 1e-9);
        }
        mixed += usize::from((0.6..0.95).contains(&most));
    }
    assert!(mixed > 3, "{mixed}");
}

/// A network that draws one kind of decision is judged by its probabilities there, and by its likeliest
/// actions elsewhere.
#[test]
fn a_network_that_draws_one_kind() {
    let (deal, tree) = grown(game("newmarket-buy", FIVE_CARDS, 2));
    let shape = NetConfig { inputs: Observation::LEN, hidden: vec![16], actions: Action::COUNT };
    let net = Arc::new(QuantisedNet::new(&Weights::init(&shape, 4)));
    let ask = |choice: ActionSelection| {
        let mut agent = NetAgent::new("net", net.clone(), choice);
        policy::of_agent(&mut agent, &tree, &deal, 1, Seed::new(1))
    };
    let plays = Plays::LIKELIEST.with(PlayKind::DeadHand, Some(2.0));
    let mixed = ask(plays.into());
    let (tempered, greedy) = (ask(ActionSelection::Tempered(2.0)), ask(ActionSelection::Greedy));
    let mut drawn = 0;
    for (number, infoset) in tree.infosets().iter().enumerate() {
        let view = deal.view(tree.example(number), infoset.player);
        let is_drawn = PlayKind::due(&view) == PlayKind::DeadHand;
        let expected = if is_drawn { tempered.at(infoset) } else { greedy.at(infoset) };
        assert_eq!(mixed.at(infoset), expected);
        drawn += usize::from(is_drawn);
    }
    assert!(drawn > 3, "{drawn}");
    let exploited = |profile| tree.exploitability(profile).nash_conv;
    assert!((exploited(&mixed) - exploited(&greedy)).abs() > 1e-3);
}

/// The value in the tree is what the agent wins at a table.
#[test]
fn exact_values_are_the_means_of_play() {
    let changes = "players = [2, 3]\nranks = 3\nsuits = 3\ncells = [\"3C\", \"2D\"]\n\
                   [session]\nfirst_dealer = ";
    for (base, players) in [("newmarket", 2), ("newmarket-buy", 2), ("michigan", 3)] {
        let small = game(base, &format!("{changes}{}", players - 1), players);
        let (deal, tree) = grown(small.clone());
        for name in ["stopper", "random"] {
            let mut agent = Strategy::named(name).unwrap();
            let profile = policy::of_agent(&mut agent, &tree, &deal, 1, Seed::new(1));
            let exact = tree.exploitability(&profile).values;
            let mut table = Table::new(small.clone());
            let mut means = vec![Mean::default(); players];
            for nth in 0..20_000 {
                let seed = Seed::new(5).child(nth);
                let played = table.play(seed, |_, view, rng| agent.act(view, rng));
                for (mean, payoff) in means.iter_mut().zip(played.payoffs) {
                    mean.add(payoff.into());
                }
            }
            for (mean, exact) in means.iter().zip(exact) {
                let played = mean.estimate();
                // Twice the half-width of the 95 % interval: four standard deviations.
                let near = (played.mean - exact).abs() < 2.0 * played.ci95;
                assert!(near, "{base}, {name}: {played:?}, {exact}");
            }
        }
    }
}

/// A playing profile gets its value, also where an observation lacks the order of earlier leads.
#[test]
fn a_profile_plays_as_it_says() {
    let three = newmarket_eval::study::usual_rules("eval/games/three-seats.toml").unwrap();
    for (deal, tree) in [
        grown(game("newmarket-buy", FIVE_CARDS, 2)),
        grown(Arc::new(newmarket_env::Game::new(three, 3).unwrap())),
    ] {
        let mut cfr = newmarket_eval::exact::CfrPlus::new(&tree);
        cfr.run(50, |_| {});
        let profile = cfr.average();
        let agent = policy::ProfileAgent::new("it", &tree, &deal, &profile);
        for number in 0..tree.infosets().len() {
            let chances = agent.at(&deal, tree.example(number));
            assert_eq!(chances, profile.at(&tree.infosets()[number]));
        }
        let players = tree.players();
        let exact = tree.values(&profile);
        let mut table = Table::new(deal.game().clone());
        let mut players_of = [Player::Events(Box::new(agent))];
        let mut means = vec![Mean::default(); players];
        for nth in 0..30_000 {
            let played = table.play_seated(Seed::new(5).child(nth), &mut players_of, |_| 0);
            for (seat, payoff) in played.payoffs[..players].iter().enumerate() {
                // In the tree the last seat deals.
                let role = (seat + 2 * players - table.dealer() - 1) % players;
                means[role].add(f64::from(*payoff));
            }
        }
        for (role, mean) in means.iter().enumerate() {
            let (found, exact) = (mean.estimate(), exact[(deal.dealer() + 1 + role) % players]);
            assert!((found.mean - exact).abs() < 1.6 * found.ci95, "{role}: {found} {exact}");
        }
    }
}
