//! The upper bound on what a seat gains over a network, against its slow twin and against exact best responses.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use newmarket_agents::net::{ActionSelection, NetAgent};
use newmarket_agents::strategy::Strategy;
use newmarket_agents::{Agent, Player};
use newmarket_env::{Action, Observation, Seed};
use newmarket_eval::exact::{DealHistory, DealInfoState, ExtensiveGame, Node, OneDeal, policy};
use newmarket_eval::{BoundEffort, NoBound, UpperBound};
use newmarket_net::{NetConfig, QuantisedNet, Weights};

use crate::{game, grown, shipped};

/// A network with random weights: anyone can exploit it.
fn network(seed: u64) -> NetAgent {
    let (inputs, actions) = (Observation::LEN, Action::COUNT);
    let config = NetConfig { inputs, hidden: vec![16], actions };
    let mut arrays = Weights::init(&config, seed).arrays().to_vec();
    for array in arrays.iter_mut().filter(|array| array.name == "policy.weight") {
        array.data.iter_mut().for_each(|weight| *weight *= 2000.0);
    }
    let net = Arc::new(QuantisedNet::new(&Weights::from_arrays(&config, arrays).unwrap()));
    NetAgent::new("net", net, ActionSelection::Greedy)
}

/// The bound by its definition: all deals, exact advantages, and every path of each deal.
struct Slow<'a> {
    deal: &'a OneDeal,
    agent: NetAgent,
    seat: usize,
    /// What the agent does, by information state.
    choices: HashMap<(usize, DealInfoState), usize>,
    /// Of each information set of the seat: the number of deals that come to it, and the chips after each choice, summed
    /// over them.
    sums: HashMap<DealInfoState, (f64, Vec<f64>)>,
}

impl Slow<'_> {
    /// The greatest bound over all antes before the deal.
    fn bound(deal: &OneDeal, agent: &NetAgent, seat: usize) -> f64 {
        let (agent, choices) = (agent.clone(), HashMap::new());
        let mut slow = Slow { deal, agent, seat, choices, sums: HashMap::new() };
        let usual = slow.usual_antes();
        let base: f64 = slow.dealt(&usual).iter().map(|dealt| slow.value(dealt)).sum();
        let mut bounds = Vec::new();
        for undealt in slow.all_antes(deal.start()) {
            let dealt = slow.dealt(&undealt);
            slow.sums.clear();
            for dealt in &dealt {
                slow.add(dealt);
            }
            let gain = dealt.iter().map(|dealt| slow.value(dealt)).sum::<f64>() - base;
            let best: f64 = dealt.iter().map(|dealt| slow.best(dealt)).sum();
            bounds.push((gain + best) / dealt.len() as f64);
        }
        bounds.into_iter().fold(f64::NEG_INFINITY, f64::max)
    }

    fn is_chance(&self, state: &DealHistory) -> bool {
        matches!(self.deal.node(state), Node::Chance(_))
    }

    fn dealt(&self, undealt: &DealHistory) -> Vec<DealHistory> {
        let Node::Chance(outcomes) = self.deal.node(undealt) else { panic!("not chance") };
        (0..outcomes.len()).map(|nth| self.deal.after(undealt, nth)).collect()
    }

    fn usual_antes(&mut self) -> DealHistory {
        let mut state = self.deal.start();
        while !self.is_chance(&state) {
            let choice = self.choice(&state);
            state = self.deal.after(&state, choice);
        }
        state
    }

    fn all_antes(&mut self, state: DealHistory) -> Vec<DealHistory> {
        if self.is_chance(&state) {
            return vec![state];
        }
        let Node::Decision { player, choices, .. } = self.deal.node(&state) else { panic!("over") };
        let own = player == self.seat;
        let choices = if own { (0..choices).collect() } else { vec![self.choice(&state)] };
        choices.into_iter().flat_map(|nth| self.all_antes(self.deal.after(&state, nth))).collect()
    }

    /// What the agent does.
    fn choice(&mut self, state: &DealHistory) -> usize {
        let Node::Decision { player, info_state, .. } = self.deal.node(state) else { panic!() };
        let (deal, agent) = (self.deal, &mut self.agent);
        *self.choices.entry((player, info_state)).or_insert_with(|| {
            let view = deal.view(state, player);
            let action = agent.act(&view, &mut Seed::new(0).rng());
            view.legal().iter().position(|legal| legal == action).unwrap()
        })
    }

    /// Chips of the seat if everybody plays on as the agent.
    fn value(&mut self, state: &DealHistory) -> f64 {
        if let Node::Terminal(payoffs) = self.deal.node(state) {
            return payoffs[self.seat];
        }
        let choice = self.choice(state);
        self.value(&self.deal.after(state, choice))
    }

    /// The seat's next decision; `None` at the end.
    fn next(&mut self, state: &DealHistory) -> Option<(DealHistory, DealInfoState, usize)> {
        match self.deal.node(state) {
            Node::Decision { player, info_state, choices } if player == self.seat => {
                Some((state.clone(), info_state, choices))
            }
            Node::Decision { .. } => {
                let choice = self.choice(state);
                self.next(&self.deal.after(state, choice))
            }
            _ => None,
        }
    }

    /// Adds a deal to the sums of all information sets that the seat can come to in it.
    fn add(&mut self, state: &DealHistory) {
        let Some((state, info_state, choices)) = self.next(state) else { return };
        let after: Vec<DealHistory> =
            (0..choices).map(|nth| self.deal.after(&state, nth)).collect();
        let values: Vec<f64> = after.iter().map(|after| self.value(after)).collect();
        let (count, sums) = self.sums.entry(info_state).or_insert((0.0, vec![0.0; choices]));
        *count += 1.0;
        sums.iter_mut().zip(values).for_each(|(sum, value)| *sum += value);
        for after in &after {
            self.add(after);
        }
    }

    /// The greatest sum of advantages along a path.
    fn best(&mut self, state: &DealHistory) -> f64 {
        let Some((state, info_state, choices)) = self.next(state) else { return 0.0 };
        let usual = self.choice(&state);
        let (count, sums) = self.sums[&info_state].clone();
        let after = |nth: usize| (sums[nth] - sums[usual]) / count;
        let sums = (0..choices).map(|nth| after(nth) + self.best(&self.deal.after(&state, nth)));
        sums.fold(f64::NEG_INFINITY, f64::max)
    }
}

/// In every pack the exact bound is no less than what the exact best response gains, and the sampled one is as the exact
/// one, or above it by the noise of its estimates, though ways to place an ante that are behind have fewer deals.
#[test]
fn the_bound_lies_above_the_best_response() {
    for (name, deals) in [
        ("two-seats", 120),
        ("three-seats", 200),
        ("offer-chain", 200),
        ("auction", 200),
        ("after-look", 200),
        ("betting", 200),
    ] {
        let small = shipped(name);
        let (deal, tree) = grown(small.clone());
        let mut agent = network(5);
        let profile = policy::of_agent(&mut agent, &tree, &deal, 1, Seed::new(1));
        let exact = tree.exploitability(&profile).gains;
        let bound = UpperBound::of(&agent.clone().into(), small).unwrap();
        let trees = AtomicU64::new(0);
        let count = |found| _ = trees.fetch_add(found, Relaxed);
        let report = bound.run(BoundEffort { worlds: 256, deals, seed: 3 }, count).unwrap();
        assert_eq!(trees.into_inner(), deals * bound.trees_a_deal(), "{name}");
        assert!(!report.best_five, "{name}");
        for (seat, (gain, sampled)) in exact.iter().zip(&report.by_seat).enumerate() {
            let slow = Slow::bound(&deal, &agent, seat);
            assert!(slow > gain - 1e-9, "{name} {seat}: {slow} {gain}");
            // Four standard deviations below, and some noise above.
            let within = 2.0 * sampled.all.ci95;
            assert!(sampled.all.gain > slow - within, "{name} {seat}: {slow} {sampled:?}");
            assert!(sampled.all.gain < slow + within + 0.1, "{name} {seat}: {slow} {sampled:?}");
        }
    }
}

#[test]
fn the_same_on_any_number_of_threads() {
    let bound = UpperBound::of(&network(2).into(), shipped("two-seats")).unwrap();
    let run = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let effort = BoundEffort { worlds: 64, deals: 20, seed: 1 };
        pool.install(|| serde_json::to_string(&bound.run(effort, |_| {}).unwrap()).unwrap())
    };
    assert_eq!(run(1), run(3));
}

#[test]
fn what_has_no_bound_is_refused() {
    let refused = |player: Player, game| match UpperBound::of(&player, game) {
        Err(error) => error,
        Ok(_) => panic!("not refused"),
    };
    let stopper = Strategy::named("stopper").unwrap().into();
    let error = refused(stopper, shipped("two-seats"));
    assert!(error.to_string().contains("`stopper` has no upper bound"), "{error}");
    let rich = "layout_ante = { free = { chips = 30, dealer_chips = 30 } }";
    let error = refused(network(1).into(), game("newmarket", rich, 3));
    assert!(matches!(error, NoBound::Antes { .. }), "{error}");
}
