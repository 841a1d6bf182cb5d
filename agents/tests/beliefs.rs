//! Sampled worlds against all worlds of small games: earlier decisions weight the worlds, and what
//! was led where that is asked for.

#[path = "../../env/tests/common/mod.rs"]
mod common;

use std::sync::Arc;

use common::{house, table};
use newmarket_agents::Agent;
use newmarket_agents::net::{
    ActionSelection, BeliefSampler, DecisionModel, LikelihoodModel, NetAgent, NetBatch,
    PolicyTrials,
};
use newmarket_env::encode::SPANS;
use newmarket_env::rules::Cell;
use newmarket_env::{
    Action, Card, CardSet, DealStart, Env, Episode, Game, Hands, MAX_PLAYERS, Observation, Phase,
    PublicState, Seats, Seed, State, Suit, View,
};
use newmarket_net::{NetConfig, QuantisedNet, Weights};

/// The model of [`PolicyTrials`]: the policy at a fifth of its temperature, and a uniform choice in one of
/// a hundred decisions.
const MODELLED: ActionSelection = ActionSelection::Tempered(0.2);
const RANDOM_SHARE: f64 = 0.01;

/// Stakes on cells whose cards it holds, keeps a hand with such a card and exchanges others, and leads their
/// suits.
fn honest() -> QuantisedNet {
    let suits = [Suit::Clubs, Suit::Diamonds, Suit::Hearts];
    let cells = 8;
    let shape = NetConfig { inputs: Observation::LEN, hidden: vec![cells], actions: Action::COUNT };
    let held = SPANS.iter().find(|span| span.name == "cell held").expect("a span");
    let mut arrays = Weights::init(&shape, 0).arrays().to_vec();
    for array in &mut arrays {
        array.data.fill(0.0);
        for cell in 0..cells {
            let to_policy = cell * Action::COUNT;
            match &*array.name {
                "trunk.0.weight" => array.data[(held.start + cell) * cells + cell] = 1.0,
                "policy.weight" => {
                    array.data[to_policy + Action::chip(cell).index()] = 0.8;
                    array.data[to_policy + Action::KEEP.index()] = 1.0;
                    if let Some(&suit) = suits.get(cell) {
                        array.data[to_policy + Action::lead(suit).index()] = 0.4;
                    }
                }
                "policy.bias" => array.data[Action::EXCHANGE.index()] = 0.5,
                _ => {}
            }
        }
    }
    QuantisedNet::new(&Weights::from_arrays(&shape, arrays).expect("finite"))
}

fn counts(phase: Phase) -> bool {
    matches!(phase, Phase::Ante | Phase::DeadHand | Phase::Auction)
}

/// A deal as it was played so far: every action, with what was public before it.
struct Record<'g> {
    game: &'g Game,
    start: DealStart,
    actions: Vec<(PublicState, Action)>,
    /// Whether leads count as well.
    leads: bool,
}

impl Record<'_> {
    /// The state after the same actions with these cards, and the likelihood of the decisions of all seats
    /// but the viewer's. `None` if something else would be seen.
    fn in_world(
        &self,
        policy: &mut NetAgent,
        hands: &Hands,
        viewer: usize,
    ) -> Option<(State, f64)> {
        let mut state = State::new(self.game, &self.start);
        let mut likelihood = 1.0;
        // The ante that is being placed: whose, how likely, how likely at random.
        let mut ante = (viewer, 0.0, 0.0);
        let mixed = |(_, policy, random): (usize, f64, f64)| {
            (1.0 - RANDOM_SHARE) * policy + RANDOM_SHARE * random
        };
        let mut complete = |ante: &mut (usize, f64, f64)| {
            if ante.0 != viewer {
                likelihood *= mixed(*ante);
            }
            ante.0 = viewer;
        };
        for (public, action) in &self.actions {
            if state.phase() == Phase::Deal {
                state.deal(self.game, hands);
            }
            let legal = state.legal(self.game);
            if state.public() != public || !legal.contains(*action) {
                return None;
            }
            let seat = state.actor().expect("a decision");
            let first = state.phase() != Phase::Ante || ante.0 != seat;
            if first {
                complete(&mut ante);
            }
            let counts = counts(state.phase()) || self.leads && state.phase() == Phase::Lead;
            if counts && seat != viewer {
                let chances = policy.probabilities(&state.view(self.game, seat)).expect("it draws");
                let nth = legal.iter().position(|legal| legal == *action).expect("it is legal");
                let chance = chances[nth];
                let random = 1.0 / legal.len() as f64;
                let before = if first { (seat, 1.0, 1.0) } else { ante };
                ante = (seat, before.1 * chance, before.2 * random);
            }
            state.apply(self.game, *action).expect("it is legal");
        }
        complete(&mut ante);
        if state.phase() == Phase::Deal {
            state.deal(self.game, hands);
        }
        Some((state, likelihood))
    }
}

/// Every way to give these cards to hands that have so much room; the last is the dead hand.
fn divide(
    cards: &[Card],
    room: &mut [usize; MAX_PLAYERS + 1],
    hands: &mut Hands,
    each: &mut impl FnMut(&Hands),
) {
    let Some((&card, rest)) = cards.split_first() else { return each(hands) };
    for to in 0..room.len() {
        if room[to] > 0 {
            room[to] -= 1;
            hands.seats.get_mut(to).unwrap_or(&mut hands.dead).insert(card);
            divide(rest, room, hands, each);
            hands.seats.get_mut(to).unwrap_or(&mut hands.dead).remove(card);
            room[to] += 1;
        }
    }
}

/// Every deal in which the viewer was dealt what it was dealt in truth.
fn each_deal(view: &View, truth: &State, each: &mut impl FnMut(&Hands)) {
    let (game, seat) = (view.game(), view.seat());
    // The hands as they were dealt: who took the dead hand held what is now dead.
    let (now, taker) = (truth.hands(), view.exchanger());
    let had = |of: usize| now.seats[of] | view.played_by(of);
    let dealt_to = |of: usize| if taker == Some(of) { now.dead } else { had(of) };
    let dealt = dealt_to(seat);
    let mut room = [0; MAX_PLAYERS + 1];
    for other in (0..game.players()).filter(|&other| other != seat) {
        room[other] = dealt_to(other).len();
    }
    room[MAX_PLAYERS] = taker.map_or(now.dead, had).len();
    let mut hands = Hands::default();
    hands.seats[seat] = dealt;
    let hidden: Vec<Card> = (game.pack() - dealt).iter().collect();
    divide(&hidden, &mut room, &mut hands, each);
}

/// Gains by action less their mean, from sums over worlds.
fn advantages(sums: &[f64], worlds: f64) -> Vec<f64> {
    let mean = sums.iter().sum::<f64>() / sums.len() as f64;
    sums.iter().map(|sum| (sum - mean) / worlds).collect()
}

/// The square of how far apart they are, in the mean.
fn apart(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum::<f64>() / a.len() as f64
}

/// What each action gains for the seat to act here, if all play on by the policy.
fn gains(player: &mut NetAgent, game: &Game, state: &State) -> Vec<f64> {
    let seat = state.actor().expect("a decision");
    let gain = |action| {
        let mut after = *state;
        after.apply(game, action).expect("it is legal");
        while let Some(actor) = after.actor() {
            let action = player.act(&after.view(game, actor), &mut Seed::new(0).rng());
            after.apply(game, action).expect("it is legal");
        }
        f64::from(after.stacks()[seat] - state.stacks()[seat])
    };
    state.legal(game).iter().map(gain).collect()
}

/// By phase: decisions, and how far the advantages in sampled worlds, and those in all worlds as if
/// no decision had been taken, are from the true ones (the sums of squares).
type Errors = [(u32, f64, f64); Phase::COUNT];

/// The true advantages at a decision: in all worlds, each as likely as the record is in it.
fn compare(record: &Record<'_>, truth: &State, net: &Arc<QuantisedNet>, errors: &mut Errors) {
    const WORLDS: u32 = 1_000;
    let game = record.game;
    let seat = truth.actor().expect("a decision");
    let view = truth.view(game, seat);
    let actions = view.legal().len();
    let (mut weighted, mut unweighted) = (vec![0.0; actions], vec![0.0; actions]);
    let (mut total, mut worlds) = (0.0, 0.0);
    let mut player = NetAgent::new("net", net.clone(), ActionSelection::Greedy);
    let mut model = NetAgent::new("net", net.clone(), MODELLED);
    each_deal(&view, truth, &mut |hands| {
        let Some((state, likelihood)) = record.in_world(&mut model, hands, seat) else { return };
        if state.view(game, seat) != view {
            return;
        }
        (total, worlds) = (total + likelihood, worlds + 1.0);
        for (nth, gain) in gains(&mut player, game, &state).into_iter().enumerate() {
            weighted[nth] += likelihood * gain;
            unweighted[nth] += gain;
        }
    });
    let mut trials = PolicyTrials::new(player.batch().expect("it is greedy"));
    let plans: Vec<Vec<Action>> = view.legal().iter().map(|action| vec![action]).collect();
    let mut sampled = vec![0.0; actions];
    trials.gains_by_world(&view, &plans, WORLDS, &mut Seed::new(4).rng(), &mut |gains| {
        sampled.iter_mut().zip(gains).for_each(|(sum, &gain)| *sum += f64::from(gain));
    });
    let truth = advantages(&weighted, total);
    let (times, sampled_apart, unweighted_apart) = &mut errors[view.phase() as usize];
    *times += 1;
    *sampled_apart += apart(&advantages(&sampled, f64::from(WORLDS)), &truth);
    *unweighted_apart += apart(&advantages(&unweighted, worlds), &truth);
}

/// Compares the decisions of deals that are played by the modelled policy.
fn play(game: &Game, deals: u32) -> Errors {
    let net = Arc::new(honest());
    let mut player = NetAgent::new("net", net.clone(), MODELLED);
    let mut rng = Seed::new(1).rng();
    let mut errors = Errors::default();
    for _ in 0..deals {
        let start = DealStart::fresh(game.players(), game.players() - 1);
        let hands = game.shuffle_and_deal(&mut rng, start.dealer, start.seats_in);
        let mut state = State::new(game, &start);
        let mut record = Record { game, start, actions: Vec::new(), leads: false };
        while !state.is_over() {
            let Some(seat) = state.actor() else {
                state.deal(game, &hands);
                continue;
            };
            let legal = state.legal(game);
            let view = state.view(game, seat);
            // The first chip of an ante is enough.
            let staked = (0..game.cells()).any(|cell| view.staked(seat, cell) > 0);
            if !legal.is_forced() && (state.phase() != Phase::Ante || !staked) {
                compare(&record, &state, &net, &mut errors);
            }
            let action = player.act(&view, &mut rng);
            record.actions.push((*state.public(), action));
            state.apply(game, action).expect("it is legal");
        }
    }
    errors
}

/// Chips a decision, in the mean over actions: what sampled worlds may be off at most, and what worlds
/// without weights are off at least.
type Bounds = (Phase, f64, f64);

fn check(exchange: &str, bounds: &[Bounds]) {
    let changes = "ranks = 4\nsuits = 3\nplayers = [3, 3]\ncells = [\"4C\", \"3D\", \"4H\"]\n\
                   timing = \"after_look\"\nlayout_ante = { free = { chips = 3, dealer_chips = 4 } }";
    let game = house("newmarket", &format!("{changes}\nexchange = {exchange}"), 3);
    let errors = play(&game, 8);
    for &(phase, most, least) in bounds {
        let (times, sampled, unweighted) = errors[phase as usize];
        let off = |sum: f64| (sum / f64::from(times)).sqrt();
        let (sampled, unweighted) = (off(sampled), off(unweighted));
        let found = format!("{phase:?}: {times} decisions, {sampled:.3}, {unweighted:.3}");
        assert!(times >= 8 && sampled < most && unweighted > least, "{found}");
    }
}

#[test]
fn antes_after_a_look_weight_worlds() {
    check("\"none\"", &[(Phase::Lead, 0.2, 0.5)]);
}

#[test]
fn antes_and_answers_weight_worlds() {
    let bounds = [(Phase::Ante, 0.03, 0.05), (Phase::DeadHand, 0.2, 1.0), (Phase::Lead, 0.2, 0.5)];
    check("{ offer_chain = { price = 1 } }", &bounds);
}

/// By card of the pack and place (seats, then the dead hand): how often it lies there.
type Places = Vec<[f64; MAX_PLAYERS + 1]>;

fn count(places: &mut Places, world: &Hands, weight: f64) {
    for card in (0..52).map(Card::from_index) {
        let at = (0..MAX_PLAYERS).find(|&seat| world.seats[seat].contains(card));
        if at.is_some() || world.dead.contains(card) {
            places[card.index()][at.unwrap_or(MAX_PLAYERS)] += weight;
        }
    }
}

/// The square of how far apart two distributions are, summed over cards and places.
fn apart_places(a: &Places, b: &Places) -> f64 {
    let flat = |places: &Places| -> Vec<f64> {
        let all: f64 = places.iter().flatten().sum();
        places.iter().flatten().map(|weight| weight / all).collect()
    };
    flat(a).iter().zip(flat(b)).map(|(a, b)| (a - b).powi(2)).sum()
}

#[test]
fn leads_weight_worlds_on_request() {
    let changes = "ranks = 4\nsuits = 3\nplayers = [3, 3]\ncells = [\"4C\", \"3D\", \"4H\"]\n\
                   layout_ante = { fixed = { each = 1, dealer = 2 } }\n\
                   exchange = { dealer_exchange = { fee = 1 } }";
    let game = house("newmarket", changes, 3);
    let net = Arc::new(honest());
    let mut player = NetAgent::new("net", net.clone(), MODELLED);
    let model = DecisionModel { sharpness: 5.0, random_share: RANDOM_SHARE };
    let [with_leads, without_leads] = [Some(model), None].map(|leads| LikelihoodModel {
        antes: model,
        answers: model,
        bids: model,
        leads,
    });
    let mut rng = Seed::new(2).rng();
    let (mut decisions, mut off, mut off_without) = (0, 0.0, 0.0);
    for _ in 0..120 {
        let start = DealStart::fresh(3, 2);
        let hands = game.shuffle_and_deal(&mut rng, start.dealer, start.seats_in);
        let mut state = State::new(&game, &start);
        let mut record = Record { game: &game, start, actions: Vec::new(), leads: true };
        let mut led = Seats::NONE;
        while !state.is_over() {
            let Some(seat) = state.actor() else {
                state.deal(&game, &hands);
                continue;
            };
            let view = state.view(&game, seat);
            let others = led.iter().any(|other| other != seat);
            if state.phase() == Phase::Lead && others && !view.legal().is_forced() {
                let mut truth: Places = vec![[0.0; MAX_PLAYERS + 1]; 52];
                each_deal(&view, &state, &mut |dealt| {
                    if let Some((then, likelihood)) = record.in_world(&mut player, dealt, seat)
                        && then.view(&game, seat) == view
                    {
                        count(&mut truth, &then.hands(), likelihood);
                    }
                });
                let mut sampled = |likelihood| {
                    let mut places: Places = vec![[0.0; MAX_PLAYERS + 1]; 52];
                    let mut batch = NetBatch::new(&*net);
                    let mut sampler = BeliefSampler::new(8);
                    for world in
                        sampler.worlds(&mut batch, likelihood, Seats::ALL, &view, 500, &mut rng)
                    {
                        count(&mut places, &world, 1.0);
                    }
                    apart_places(&places, &truth)
                };
                off += sampled(&with_leads);
                off_without += sampled(&without_leads);
                decisions += 1;
            }
            if state.phase() == Phase::Lead {
                led.insert(seat);
            }
            let action = player.act(&view, &mut rng);
            record.actions.push((*state.public(), action));
            state.apply(&game, action).expect("it is legal");
        }
    }
    let found = format!("{decisions} decisions, {off:.4} and {off_without:.4}");
    assert!(decisions >= 20 && off < 0.1 * off_without, "{found}");
}

#[test]
fn who_keeps_a_hand_holds_what_is_worth_keeping() {
    let game = Arc::new(table("four-horses", 3));
    let net = honest();
    let mut policy = NetBatch::new(&net);
    let model = DecisionModel { sharpness: 24.0, random_share: 0.0 };
    let likelihood = LikelihoodModel { antes: model, answers: model, bids: model, leads: None };
    let claiming: CardSet = game.rules().cells.iter().filter_map(Cell::claiming_card).collect();
    let claims = |hand: CardSet| !(hand & claiming).is_empty();
    let (mut plain, mut weighted) = ((0, 0), (0, 0));
    for seed in 0..200 {
        let mut env = Env::new(game.clone(), Episode::Deal);
        env.reset(Seed::new(seed));
        let mut rng = Seed::new(seed).rng();
        while env.state().phase() == Phase::Ante {
            env.step(env.legal().first().expect("a choice")).expect("legal");
        }
        let asked: Vec<usize> = (0..2)
            .filter_map(|_| {
                let (seat, state) = (env.seat(), *env.state());
                if state.phase() != Phase::DeadHand || !claims(env.observe(seat).hand()) {
                    return None;
                }
                env.step(Action::KEEP).expect("legal");
                Some(seat)
            })
            .collect();
        if asked.len() < 2 {
            continue;
        }
        let view = env.observe(env.seat());
        for (modelled, (all, kept)) in [(Seats::NONE, &mut plain), (Seats::ALL, &mut weighted)] {
            let mut sampler = BeliefSampler::new(8);
            for world in sampler.worlds(&mut policy, &likelihood, modelled, &view, 7, &mut rng) {
                *all += 1;
                *kept += u32::from(asked.iter().all(|&seat| claims(world.seats[seat])));
            }
        }
    }
    assert!(plain.0 > 200 && plain.0 == weighted.0);
    // Where none of the worlds drawn would do, all are as good.
    assert!(plain.1 < plain.0 / 2 && weighted.1 > weighted.0 * 9 / 10, "{plain:?} {weighted:?}");
}
