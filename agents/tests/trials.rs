//! Decisions tried in worlds that a policy or a player plays on: as the network itself would play, one by
//! one.

#[path = "../../env/tests/common/mod.rs"]
mod common;
mod one_by_one;

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use common::{all_tables, table};
use newmarket_agents::Agent;
use newmarket_agents::net::{
    ActionSelection, BeliefSampler, DecisionModel, LikelihoodModel, NetAgent, NetBatch, PlayKind,
    Plays, PolicyTrials,
};
use newmarket_agents::trials::{AgentTrials, Given, PlanTrials, weighed_worlds};
use newmarket_env::random::Sampler;
use newmarket_env::{
    Action, Game, Hands, Observation, Phase, Rng, Seats, Seed, Session, State, View, Worlds, random,
};
use newmarket_net::{NetConfig, QuantisedNet, Weights, masked_softmax};
use one_by_one::OneByOne;
use rand_core::Rng as _;

fn untrained() -> Arc<QuantisedNet> {
    let shape = NetConfig { inputs: Observation::LEN, hidden: vec![16], actions: Action::COUNT };
    Arc::new(QuantisedNet::new(&Weights::init(&shape, 3)))
}

/// Every decision of some deals at every named table.
fn at_decisions(deals: u32, mut each: impl FnMut(&Game, &State, usize)) {
    let mut rng = Seed::new(5).rng();
    for game in all_tables() {
        let mut session = Session::new(&game, Seed::new(2));
        for _ in 0..deals {
            let mut state = State::new(&game, session.deal_start());
            while !state.is_over() {
                let Some(seat) = state.actor() else {
                    state.deal(&game, &session.hands(&game));
                    continue;
                };
                each(&game, &state, seat);
                let legal = state.legal(&game);
                let nth = newmarket_env::seed::below(&mut rng, legal.len() as u32) as usize;
                state.apply(&game, legal.nth(nth).expect("it is one")).expect("it is legal");
            }
            session.close(&game, &mut state);
            if session.is_over() {
                break;
            }
        }
    }
}

/// The model of leads of [`PolicyTrials::weigh_leads`].
const LEADS: DecisionModel = DecisionModel { sharpness: 1.0, random_share: 0.05 };

/// The worlds of three trials.
fn worlds(view: &View, leads: Option<DecisionModel>, rng: &mut Rng) -> Vec<Hands> {
    let on_offer = matches!(view.phase(), Phase::DeadHand | Phase::Auction);
    if on_offer || (leads.is_some() && view.is_dealt()) {
        let model = DecisionModel { sharpness: 5.0, random_share: 0.01 };
        let model = LikelihoodModel { antes: model, answers: model, bids: model, leads };
        let mut policy = NetBatch::new(untrained());
        return BeliefSampler::new(8).worlds(&mut policy, &model, Seats::ALL, view, 3, rng);
    }
    let mut world = || {
        if view.is_dealt() {
            Worlds::of(view).draw(rng)
        } else {
            random::hands(view.game(), view.dealer(), view.seats_in(), rng)
        }
    };
    (0..3).map(|_| world()).collect()
}

/// The slow twin: one deal after another, the network asked for each decision.
fn one_by_one(view: &View, plans: &[Vec<Action>], hands: Hands, player: &mut NetAgent) -> Vec<i32> {
    let game = view.game();
    let now = view.determinize(if view.is_dealt() { &hands } else { &EMPTY });
    let gain = |plan: &Vec<Action>| {
        let mut state = now;
        for &action in plan {
            state.apply(game, action).expect("it is legal");
        }
        while !state.is_over() {
            let Some(seat) = state.actor() else {
                state.deal(game, &hands);
                continue;
            };
            let action = player.act(&state.view(game, seat), &mut Seed::new(0).rng());
            state.apply(game, action).expect("it is legal");
        }
        state.stacks()[view.seat()] - view.stack(view.seat())
    };
    plans.iter().map(gain).collect()
}

static EMPTY: Hands = Hands {
    seats: [newmarket_env::CardSet::EMPTY; newmarket_env::MAX_PLAYERS],
    dead: newmarket_env::CardSet::EMPTY,
};

#[test]
fn deals_in_step_are_deals_one_by_one() {
    for leads in [None, Some(LEADS)] {
        in_step_and_one_by_one(leads);
    }
}

fn in_step_and_one_by_one(leads: Option<DecisionModel>) {
    let mut trials = PolicyTrials::new(
        NetAgent::new("net", untrained(), ActionSelection::Greedy).batch().expect("it has one"),
    );
    if leads.is_some() {
        trials = trials.weigh_leads();
    }
    let mut player = NetAgent::new("net", untrained(), ActionSelection::Greedy);
    let mut tried = [0; Phase::COUNT];
    let mut differing = 0;
    at_decisions(2, |game, state, seat| {
        let view = state.view(game, seat);
        tried[view.phase() as usize] += 1;
        // Some that are tried at length are enough.
        if tried[view.phase() as usize] > 150 {
            return;
        }
        let plans: Vec<Vec<Action>> = view.legal().iter().map(|action| vec![action]).collect();
        let mut rng = Seed::new(9).rng();
        let mut twin = rng.clone();
        let sampled = worlds(&view, leads, &mut twin);
        differing += u32::from(sampled != worlds(&view, None, &mut Seed::new(9).rng()));
        let mut sampled = sampled.into_iter();
        trials.gains_by_world(&view, &plans, 3, &mut rng, &mut |gains| {
            let world = sampled.next().expect("three worlds");
            assert_eq!(gains, one_by_one(&view, &plans, world, &mut player), "{view:?}");
        });
        assert_eq!((rng, sampled.next()), (twin, None), "three worlds each");
    });
    let all =
        [Phase::Ante, Phase::DeadHand, Phase::Auction, Phase::SetApart, Phase::Bet, Phase::Lead];
    assert!(all.iter().all(|&phase| tried[phase as usize] > 20), "{tried:?}");
    assert!(if leads.is_some() { differing > 50 } else { differing == 0 }, "{differing}");
}

#[test]
fn the_prior_of_a_plan_is_how_likely_it_is_beside_the_likeliest() {
    let net = untrained();
    let mut trials = PolicyTrials::new(
        NetAgent::new("net", net.clone(), ActionSelection::Greedy).batch().expect("it has one"),
    );
    let game = table("newmarket", 4);
    let mut state = State::new(&game, Session::new(&game, Seed::new(1)).deal_start());
    let seat = state.actor().expect("an ante");
    let plans = [[0, 0, 0, 0], [0, 1, 2, 3], [1, 1, 3, 3], [3, 3, 3, 3]]
        .map(|cells| cells.map(Action::chip).to_vec());
    let priors = trials.priors(&state.view(&game, seat), &plans);
    let begun = state;
    for (plan, prior) in plans.iter().zip(priors) {
        state = begun;
        let mut nats = 0.0;
        for &chip in plan {
            let mut chances = [0.0; Action::COUNT];
            let seen = Observation::of(&state.view(&game, seat));
            let logits = net.logits(&seen, &mut net.scratch()).to_vec();
            masked_softmax(&logits, state.legal(&game).bits(), &mut chances);
            let likeliest = chances.iter().copied().fold(0.0, f32::max);
            nats += f64::from((chances[chip.index()] / likeliest).ln());
            state.apply(&game, chip).expect("it is legal");
        }
        assert!((prior - 25.0 * nats).abs() < 1e-3, "{plan:?}: {prior}, {nats} nats");
        assert!(prior <= 0.0);
    }
}

#[test]
fn a_player_tries_plans_as_one_by_one() {
    let player = NetAgent::new("net", untrained(), ActionSelection::Greedy);
    let (trials, mut twin) = (PlanTrials::new(player.another()), player);
    let mut tried = [0_u64; Phase::COUNT];
    at_decisions(1, |game, state, seat| {
        let view = state.view(game, seat);
        tried[view.phase() as usize] += 1;
        if tried[view.phase() as usize] > 60 {
            return;
        }
        let plans: Vec<Vec<Action>> = view.legal().iter().map(|action| vec![action]).collect();
        let seed = Seed::new(tried[view.phase() as usize]);
        let mut found = Vec::new();
        let mut each = |gains: &[i32]| found.push(gains.to_vec());
        trials.gains_by_world(&view, &plans, 3, &mut seed.rng(), &mut each);
        let worlds = Seed::new(seed.rng().next_u64());
        let wanted: Vec<Vec<i32>> = (0..3)
            .map(|nth| {
                let mut rng = worlds.child(nth).rng();
                let hands = if view.is_dealt() {
                    Worlds::of(&view).draw(&mut rng)
                } else {
                    Sampler::new(game, view.dealer(), view.seats_in()).hands(&mut rng)
                };
                one_by_one(&view, &plans, hands, &mut twin)
            })
            .collect();
        assert_eq!(found, wanted, "{view:?}");
    });
    assert!(tried[Phase::Lead as usize] > 60 && tried[Phase::Ante as usize] > 60, "{tried:?}");
}

/// A network that draws tries choices, and weighs worlds, as the same network asked one by one.
#[test]
fn a_drawing_player_tries_all_choices_as_one_by_one() {
    let plays = [PlayKind::Ante, PlayKind::Auction, PlayKind::Bet, PlayKind::Lead]
        .into_iter()
        .fold(Plays::LIKELIEST, |plays, kind| plays.with(kind, Some(0.3)));
    let player = NetAgent::new("net", untrained(), plays.into());
    let likeliest = NetAgent::new("net", untrained(), ActionSelection::Greedy);
    let one_by_one = OneByOne(player.clone());
    let (mut tried, mut differing) = ([0_u64; Phase::COUNT], 0);
    at_decisions(1, |game, state, seat| {
        let view = state.view(game, seat);
        tried[view.phase() as usize] += 1;
        if tried[view.phase() as usize] > 40 {
            return;
        }
        let seed = Seed::new(tried[view.phase() as usize]);
        let by = |agent, given| AgentTrials { player: agent, given, worlds: 10, seed };
        let given = |agent| Some(Given { agent, doubt: 0.2 });
        let found = by(&player, None).run(&view, &|_| ());
        assert_eq!(found, by(&one_by_one, None).run(&view, &|_| ()), "{view:?}");
        differing += u32::from(found != by(&likeliest, None).run(&view, &|_| ()));
        // One that is asked without probabilities would be taken to be certain of what it draws.
        let weighed = weighed_worlds(&view, 10, given(&player), seed);
        let slowly = weighed_worlds(&view, 10, given(&Telling(player.clone())), seed);
        for (fast, slow) in weighed.iter().zip(&slowly) {
            assert!((fast.weight - slow.weight).abs() < 1e-6, "{view:?}");
        }
    });
    assert!(differing > 50, "{differing}");
}

/// A player that tells its probabilities, and is asked for one decision at a time.
struct Telling(NetAgent);

impl Agent for Telling {
    fn name(&self) -> &str {
        self.0.name()
    }

    fn act(&mut self, view: &View, rng: &mut Rng) -> Action {
        self.0.act(view, rng)
    }

    fn probabilities(&mut self, view: &View) -> Option<Vec<f64>> {
        self.0.probabilities(view)
    }

    fn another(&self) -> Box<dyn Agent> {
        Box::new(Self(self.0.clone()))
    }
}

#[test]
fn a_player_tries_all_choices_as_one_by_one() {
    let player = NetAgent::new("net", untrained(), ActionSelection::Greedy);
    let (one_by_one_of, mut twin) = (OneByOne(player.clone()), player.clone());
    let (mut tried, mut differing) = ([0_u64; Phase::COUNT], 0);
    at_decisions(2, |game, state, seat| {
        let view = state.view(game, seat);
        tried[view.phase() as usize] += 1;
        if tried[view.phase() as usize] > 100 {
            return;
        }
        let seed = Seed::new(tried[view.phase() as usize]);
        let by = |agent, given, worlds| AgentTrials { player: agent, given, worlds, seed };
        let done = AtomicUsize::new(0);
        let count = |worlds| {
            done.fetch_add(worlds, Ordering::Relaxed);
        };
        let found = by(&player, None, 10).run(&view, &count);
        assert_eq!(found, by(&one_by_one_of, None, 10).run(&view, &|_| ()), "{view:?}");
        assert!((found.effective_worlds - 10.0).abs() < 1e-9);

        let plans: Vec<Vec<Action>> = view.legal().iter().map(|action| vec![action]).collect();
        let worlds = weighed_worlds(&view, 10, None, seed);
        let gains = worlds.iter().map(|world| one_by_one(&view, &plans, world.hands, &mut twin));
        let gains: Vec<Vec<i32>> = gains.collect();
        let mean = |nth: usize| gains.iter().map(|gains| f64::from(gains[nth])).sum::<f64>() / 10.0;
        assert_eq!(found.choices.len(), plans.len());
        for choice in &found.choices {
            let nth = plans.iter().position(|plan| plan[..] == [choice.action]).expect("it is one");
            assert!((choice.chips - mean(nth)).abs() < 1e-9, "{view:?}: {choice:?}");
            assert!(choice.behind >= 0.0 && choice.ci95 >= 0.0);
        }

        let given = |agent| Some(Given { agent, doubt: 0.2 });
        let weighed = weighed_worlds(&view, 10, given(&player), seed);
        assert_eq!(weighed, weighed_worlds(&view, 10, given(&one_by_one_of), seed), "{view:?}");
        assert!((weighed.iter().map(|world| world.weight).sum::<f64>() - 1.0).abs() < 1e-9);
        assert!(weighed.iter().zip(&worlds).all(|(one, other)| one.hands == other.hands));
        differing += u32::from(weighed != worlds);
        let found = by(&player, given(&player), 10).run(&view, &count);
        assert_eq!(done.into_inner(), 20);
        assert!((1.0..10.001).contains(&found.effective_worlds));
    });
    let all =
        [Phase::Ante, Phase::DeadHand, Phase::Auction, Phase::SetApart, Phase::Bet, Phase::Lead];
    assert!(all.iter().all(|&phase| tried[phase as usize] > 20), "{tried:?}");
    assert!(differing > 50, "{differing}");
}
