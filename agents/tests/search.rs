//! Searching players: legal everywhere, blind to what is hidden, right where the truth is known.

#[path = "../../env/tests/common/mod.rs"]
mod common;

use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant};

use common::{about, all_tables, any_rules, house, table};
use newmarket_agents::net::{
    self, ActionSelection, BeliefSampler, CorrectedNet, DecisionModel, LikelihoodModel, NetAgent,
    NetBatch, Plays, correction_weight,
};
use newmarket_agents::search::{DeterminizedEvaluator, Expectimax, Gains, MaxN, Playout, named};
use newmarket_agents::strategy::Strategy;
use newmarket_agents::{Agent, OpenView, Player, Table};
use newmarket_env::{
    Aces, Action, ActionMask, DealStart, Game, Hands, Next, Observation, OpenPlay, Phase, Position,
    Rng, Seats, Seed, Session, State, Suit, View, Worlds, random,
};
use newmarket_net::{NetConfig, QuantisedNet, Weights};
use rand_core::Rng as _;

fn clock() -> Duration {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    START.elapsed()
}

/// A player by name; `net:new+search:N` and `net:new+pimc:N` have a network that nobody trained.
fn agent(name: &str) -> Player {
    if let Some((_, Some((how, worlds)))) = net::parts(name) {
        let worlds = net::worlds(worlds).expect("a number of worlds");
        return Player::Fair(how.player(name, untrained(), worlds, Plays::LIKELIEST));
    }
    named(name, Some(clock)).expect("it is well formed").expect("it is the name of one")
}

fn fair(name: &str) -> Box<dyn Agent> {
    agent(name).fair().expect("it sees its own hand alone")
}

fn untrained() -> Arc<QuantisedNet> {
    let shape = NetConfig { inputs: Observation::LEN, hidden: vec![16], actions: Action::COUNT };
    Arc::new(QuantisedNet::new(&Weights::init(&shape, 3)))
}

/// Plays sessions with these agents in turn at the seats, and calls `each` before every decision.
fn sessions(
    game: &Game,
    agents: &mut [Player],
    (seed, deals): (Seed, u32),
    mut each: impl FnMut(&State, usize),
) {
    let mut rng = seed.child(5).rng();
    let mut session = Session::new(game, seed);
    for _ in 0..deals {
        let mut state = State::new(game, session.deal_start());
        while !state.is_over() {
            if state.phase() == Phase::Deal {
                let hands = random::hands(game, state.dealer(), state.seats_in(), &mut rng);
                state.deal(game, &hands);
                continue;
            }
            let legal = state.legal(game);
            let seat = state.actor().expect("somebody is to act");
            let action = if legal.is_forced() {
                legal.first().expect("there is one")
            } else {
                each(&state, seat);
                let agent = &mut agents[seat % agents.len()];
                agent.act(&OpenView::new(game, &state, seat), &mut rng)
            };
            if let Err(error) = state.apply(game, action) {
                panic!("{}: {error}", agents[seat % agents.len()].name());
            }
        }
        session.close(game, &mut state);
        if session.is_over() {
            break;
        }
    }
}

#[test]
fn every_choice_is_legal_in_every_named_game() {
    for game in all_tables() {
        let mut agents =
            ["pimc:4", "ismcts:8", "omniscient", "net:new+search:2", "net:new+pimc:3"].map(agent);
        about(&format!("{}, {} players", game.rules().title(), game.players()), || {
            sessions(&game, &mut agents, (Seed::new(1), 3), |_, _| {});
        });
    }
}

#[test]
fn every_choice_is_legal_under_any_rules() {
    for case in 0..300 {
        let seed = Seed::new(case).child(9);
        let base = if case % 4 == 0 { "three-in-one" } else { "newmarket" };
        let (game, text) = any_rules::game_of(base, &mut seed.rng());
        let mut agents =
            ["pimc:4", "ismcts:8,playout=random", "net:new+pimc:3", "net:new+search:2"].map(agent);
        about(&text, || sessions(&game, &mut agents, (seed, 3), |_, _| {}));
    }
}

/// The state with what the seat cannot see dealt anew; the seat sees the same.
fn same_view(game: &Game, state: &State, seat: usize, rng: &mut Rng) -> State {
    let view = state.view(game, seat);
    let other = view.determinize(&Worlds::of(&view).draw(rng));
    assert_eq!(other.view(game, seat), view);
    other
}

#[test]
fn what_is_hidden_makes_no_difference() {
    let mut rng = Seed::new(3).rng();
    let mut differed = 0;
    for game in ["newmarket-buy", "michigan-auction", "four-horses", "three-in-one"] {
        let game = table(game, 4);
        for name in ["pimc:6", "ismcts:20", "net:new+search:3", "net:new+pimc:20"] {
            let mut players = [agent(name)];
            let mut twin = agent(name);
            let mut fresh = agent(name);
            sessions(&game, &mut players, (Seed::new(4), 4), |state, seat| {
                let other = same_view(&game, state, seat, &mut rng);
                differed += u32::from(other.hands() != state.hands());
                let same = rng.clone();
                let here = OpenView::new(&game, state, seat);
                let there = OpenView::new(&game, &other, seat);
                let chosen = twin.act(&here, &mut same.clone());
                assert_eq!(fresh.act(&there, &mut same.clone()), chosen, "{name}");
            });
        }
    }
    assert!(differed > 300, "{differed}");
}

#[test]
fn a_seed_fixes_every_choice() {
    let game = Arc::new(table("newmarket", 4));
    for name in [
        "pimc:10,playout=random",
        "ismcts:30",
        "omniscient",
        "net:new+search:130",
        "net:new+pimc:40",
    ] {
        let play = |another: bool| {
            let (mut hero, mut field) = (agent(name), agent("pimc:3"));
            if another {
                (hero, field) = (hero.another(), field.another());
            }
            let mut results = Vec::new();
            for deal in 0..6 {
                let seed = Seed::new(deal);
                Table::new(game.clone()).duel(seed, &mut hero, &mut field, |paired| {
                    results.push(paired);
                });
            }
            results
        };
        assert_eq!(play(false), play(true), "{name}");
    }
}

/// Random play to a lead, somewhere in a deal of a small pack.
fn small_positions(seed: Seed) -> Vec<(Game, State)> {
    let mut rng = seed.rng();
    let mut found = Vec::new();
    for change in ["free", "else_same", "else_pass", "other_colour"] {
        let text = format!(
            "ranks = 5\ncells = [\"AS\", \"5D\", \"3C\"]\nkitty_ante = 2\nchange_suit = {change:?}\n"
        );
        let game = house("newmarket", &text, 3);
        let mut state = State::new(&game, &DealStart::fresh(3, 0));
        let skipped = common::draw(&mut rng, 3);
        let mut leads = 0;
        while !state.is_over() {
            if state.phase() == Phase::Deal {
                state.deal(&game, &random::hands(&game, 0, state.seats_in(), &mut rng));
                continue;
            }
            if state.phase() == Phase::Lead {
                leads += 1;
                if leads > skipped {
                    found.push((game, state));
                    break;
                }
            }
            state.apply(&game, random::choice(state.legal(&game), &mut rng)).expect("it is legal");
        }
    }
    found
}

/// Max-n on the engine itself, without memory.
fn slow_gains(game: &Game, state: &State) -> Gains {
    let Some(leader) = state.actor() else { return *state.stacks() };
    let mut best: Option<Gains> = None;
    for lead in state.legal(game).iter() {
        let mut next = *state;
        next.apply(game, lead).expect("it is legal");
        let gains = slow_gains(game, &next);
        if best.is_none_or(|best| gains[leader] > best[leader]) {
            best = Some(gains);
        }
    }
    best.expect("a leader has a choice")
}

#[test]
fn the_solution_is_that_of_plain_recursion() {
    let mut solver = MaxN::default();
    let mut compared = 0;
    for seed in 0..200 {
        for (game, state) in small_positions(Seed::new(seed)) {
            let (open, at) = OpenPlay::new(&game, &state);
            let mut wanted = slow_gains(&game, &state);
            for (gain, before) in wanted.iter_mut().zip(state.stacks()) {
                *gain -= before;
            }
            solver.clear();
            assert_eq!(solver.gains(&open, &at), wanted);
            compared += 1;
        }
    }
    assert!(compared > 600, "{compared}");
}

/// What the expectation is, without memory: on the engine, with the rules' leads by a playout's rule.
fn slow_expectimax(open: &OpenPlay, at: &Position, seat: usize) -> f64 {
    let after = |suit: Suit| match open.lead(at, suit) {
        Next::Lead(next) => slow_expectimax(open, &next, seat),
        Next::Over(end) => f64::from(open.gains(&end)[seat]),
    };
    if at.leader() == seat {
        return at.suits().map(after).fold(f64::NEG_INFINITY, f64::max);
    }
    let suits: Vec<Suit> = at.suits().collect();
    let any = suits.iter().map(|&suit| after(suit)).sum::<f64>() / suits.len() as f64;
    let mut nobody = Seed::new(0).rng();
    let by = |rule: Playout, rng: &mut Rng| after(rule.lead(open, at, rng));
    0.4 * any + 0.3 * by(Playout::Longest, &mut nobody) + 0.3 * by(Playout::Stopper, &mut nobody)
}

#[test]
fn the_expectation_is_that_of_plain_recursion() {
    let mut rng = Seed::new(0).rng();
    for seed in 0..100 {
        for (game, state) in small_positions(Seed::new(seed)) {
            let (open, at) = OpenPlay::new(&game, &state);
            for seat in 0..3 {
                let gain = Expectimax::new(seat, usize::MAX).gain(&open, &at, &mut rng);
                let wanted = slow_expectimax(&open, &at, seat);
                assert!((gain - wanted).abs() < 1e-9, "{gain} for {wanted}");
                let hasty = Expectimax::new(seat, 2).gain(&open, &at, &mut rng);
                assert!(hasty.is_finite());
            }
        }
    }
}

/// Eldest holds the top diamond, which is sure to stop with it, and two clubs, after which it has
/// no more. Diamonds first wins whatever the others hold; clubs, the longer suit, gives the lead
/// away.
#[test]
fn the_winning_lead_is_found() {
    let changes = "ranks = 6\nsuits = 2\ncells = [\"7D\"]\nper_card = 3\n";
    let game = house("michigan", changes, 3);
    let set = |text| common::cards(text, Aces::High);
    let mut state = State::new(&game, &DealStart::fresh(3, 2));
    let mut hands = Hands { dead: set("2D 3D 2C"), ..Hands::default() };
    hands.seats[0] = set("7D 3C 4C");
    hands.seats[1] = set("5C 4D 5D");
    hands.seats[2] = set("6C 7C 6D");
    state.deal(&game, &hands);
    assert_eq!((state.phase(), state.actor()), (Phase::Lead, Some(0)));
    for name in ["pimc:10", "pimc:10,playout=longest", "ismcts:60", "omniscient", "pimc:1ms"] {
        let open = OpenView::new(&game, &state, 0);
        let chosen = agent(name).act(&open, &mut Seed::new(1).rng());
        assert_eq!(chosen, Action::lead(Suit::Diamonds), "{name}");
    }
}

#[test]
fn time_is_kept() {
    let game = table("newmarket", 4);
    let mut times = Vec::new();
    let mut player = [agent("pimc:5ms")];
    let mut last = None;
    sessions(&game, &mut player, (Seed::new(2), 2), |state, _| {
        let now = Instant::now();
        let fresh = state.phase() == Phase::Lead;
        if let Some((since, true)) = last.replace((now, fresh)) {
            times.push(now.duration_since(since));
        }
    });
    times.sort();
    // A busy machine may keep it waiting now and then.
    let quick = times[times.len() / 4];
    assert!(times[0] >= Duration::from_millis(5), "{times:?}");
    assert!(quick < Duration::from_millis(25), "{quick:?}");
}

/// To see where a lead leads to is worth more than a network that has learnt nothing.
#[test]
fn a_network_that_searches_beats_the_network() {
    let mut table = Table::new(Arc::new(table("newmarket", 4)));
    let mut net = NetAgent::new("net", untrained(), ActionSelection::Greedy).into();
    let mut search = agent("net:new+search:30");
    let (mut gain, deals) = (0, 150);
    for deal in 0..deals {
        table.duel(Seed::new(deal), &mut search, &mut net, |paired| gain += paired.gain());
    }
    let gain = f64::from(gain) / (4 * deals) as f64;
    assert!(gain > 0.4, "{gain}");
}

/// The first worlds weighted by leads that these random numbers give: in rounds of 64 or half of the worlds
/// so far, 32 at a time, each time by random numbers of their own.
fn worlds_with_leads(view: &View, worlds: u32, rng: &mut Rng) -> Vec<Hands> {
    let model = |sharpness, random_share| DecisionModel { sharpness, random_share };
    let (answers, leads) = (model(5.0, 0.01), model(1.0, 0.05));
    let model = LikelihoodModel { antes: answers, answers, bids: answers, leads: Some(leads) };
    let (mut beliefs, mut policy) = (BeliefSampler::new(8), NetBatch::new(untrained()));
    let mut drawn = Vec::new();
    let mut draw = |now: usize, rng: &mut Rng| {
        drawn.extend(beliefs.worlds(&mut policy, &model, Seats::ALL, view, now, rng));
    };
    let (mut tried, worlds) = (0, worlds as usize);
    while tried < worlds {
        let now = (tried / 2).max(64).min(worlds - tried);
        tried += now;
        for nth in 0..now.div_ceil(32) {
            draw(32.min(now - 32 * nth), &mut Seed::new(rng.next_u64()).rng());
        }
    }
    drawn
}

/// What each lead gains in the worlds that these random numbers give, and what the network
/// thinks of it as if it had seen 25 more: one deal after another.
fn slow_search(game: &Game, state: &State, worlds: u32, rng: &mut Rng) -> Vec<f64> {
    let (net, seat) = (untrained(), state.actor().expect("a lead is due"));
    let view = state.view(game, seat);
    let mut scratch = net.scratch();
    let logits = net.logits(&Observation::of(&view), &mut scratch);
    let mut sums: Vec<f64> =
        view.legal().iter().map(|action| 25.0 * f64::from(logits[action.index()])).collect();
    let mut all = NetAgent::new("net", net, ActionSelection::Greedy);
    for hands in worlds_with_leads(&view, worlds, rng) {
        let world = view.determinize(&hands);
        for (sum, action) in sums.iter_mut().zip(view.legal().iter()) {
            let mut state = world;
            state.apply(game, action).expect("it is legal");
            while let Some(actor) = state.actor() {
                let choice = all.act(&state.view(game, actor), &mut Seed::new(0).rng());
                state.apply(game, choice).expect("it is legal");
            }
            *sum += f64::from(state.stacks()[seat]);
        }
    }
    sums
}

/// How many positions, and in how many of them a network with search takes the best by the slow way.
fn best_by_the_slow_way(worlds: u32, seeds: u64) -> (u32, u32) {
    let mut search = fair(&format!("net:new+search:{worlds}"));
    let (mut compared, mut best) = (0, 0);
    for seed in 0..seeds {
        for (game, state) in small_positions(Seed::new(seed)) {
            let legal = state.legal(&game);
            let view = state.view(&game, state.actor().expect("a lead is due"));
            let mut rng = Seed::new(seed).child(1).rng();
            let untouched = rng.clone();
            let chosen = search.act(&view, &mut rng);
            if legal.is_forced() {
                assert_eq!(rng, untouched, "no world is needed where there is no choice");
                continue;
            }
            let sums = slow_search(&game, &state, worlds, &mut untouched.clone());
            let at = legal.iter().position(|action| action == chosen).expect("it is legal");
            compared += 1;
            best += u32::from(sums.iter().all(|&sum| sum <= sums[at]));
        }
    }
    (compared, best)
}

#[test]
fn a_network_that_searches_takes_the_best_lead() {
    let (compared, best) = best_by_the_slow_way(20, 60);
    assert_eq!(best, compared);
    assert!(compared > 100, "{compared}");
}

/// Outside a pool a search shares its worlds with all threads.
#[test]
fn a_network_searches_alike_on_any_number_of_threads() {
    let mut search = fair("net:new+search:300");
    let mut compared = 0;
    for (game, state) in (0..12).flat_map(|seed| small_positions(Seed::new(seed))) {
        let view = state.view(&game, state.actor().expect("a lead is due"));
        let mut act = || {
            let mut rng = Seed::new(2).rng();
            (search.act(&view, &mut rng), rng)
        };
        let shared = act();
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
        assert_eq!(pool.install(act), shared);
        compared += 1;
    }
    assert!(compared > 20, "{compared}");
}

/// The logits and gains of playouts, added up lead by lead; the hands follow from the observation alone.
#[test]
fn playouts_correct_what_a_network_thinks_of_leads() {
    let (net, worlds) = (untrained(), 30);
    let mut scratch = net.scratch();
    let mut corrected = CorrectedNet::new("net", net.clone(), worlds, Plays::LIKELIEST);
    let mut alone = NetAgent::new("net", net.clone(), ActionSelection::Greedy);
    let rule = DeterminizedEvaluator::new(worlds, Playout::Stopper);
    let (mut compared, mut changed) = (0, 0);
    let game = table("newmarket", 4);
    sessions(&game, &mut [agent("net:new+pimc:3")], (Seed::new(8), 40), |state, seat| {
        let view = state.view(&game, seat);
        let random = |number| Seed::new(number).rng();
        let (chosen, by_net) =
            (corrected.act(&view, &mut random(1)), alone.act(&view, &mut random(1)));
        assert_eq!(corrected.act(&view, &mut random(2)), chosen);
        if view.phase() != Phase::Lead {
            assert_eq!(chosen, by_net);
            return;
        }
        let observation = Observation::of(&view);
        let bytes = observation.as_bytes().iter();
        let mut rng = bytes.fold(Seed::new(0), |seed, &byte| seed.child(byte.into())).rng();
        let gains = rule.gains(&view, &mut rng);
        let logits = net.logits(&observation, &mut scratch);
        let sums: Vec<(f32, Action)> = (view.legal().iter().zip(gains))
            .map(|(lead, gain)| (logits[lead.index()] + correction_weight(&game) * gain, lead))
            .collect();
        let of = |lead: Action| sums.iter().find(|it| it.1 == lead).expect("a lead").0;
        assert!(sums.iter().all(|it| it.0 <= of(chosen)), "{chosen:?} of {sums:?}");
        for among in view.legal().iter().map(ActionMask::only) {
            assert_eq!(corrected.act_among(&view, among, &mut random(3)), among.first());
        }
        compared += 1;
        changed += u32::from(chosen != by_net);
    });
    assert!(compared > 50 && changed > 20, "{changed} of {compared}");
}

/// Leads that fall behind are tried no more; hardly ever would one of them have come out best.
#[test]
fn who_drops_out_would_not_have_won() {
    let (compared, best) = best_by_the_slow_way(320, 15);
    assert!(best * 20 >= compared * 19, "{best} of {compared}");
    assert!(compared > 25, "{compared}");
}

#[test]
fn a_temperature_is_how_often_a_network_errs() {
    let game = table("newmarket", 4);
    let player = |choice| NetAgent::new("net", untrained(), choice);
    let mut compared = 0;
    sessions(&game, &mut [agent("net:new+search:1")], (Seed::new(6), 6), |state, seat| {
        let view = state.view(&game, seat);
        let chances = |choice| player(choice).probabilities(&view).expect("it can tell");
        let plain = chances(ActionSelection::Sampled);
        assert_eq!(plain, chances(ActionSelection::Tempered(1.0)));
        let even = 1.0 / plain.len() as f64;
        assert!(chances(ActionSelection::Tempered(1e6)).iter().all(|p| (p - even).abs() < 1e-3));
        // Odds are raised to the power of one over the temperature.
        let warm = chances(ActionSelection::Tempered(2.0));
        for (p, w) in plain.iter().zip(&warm) {
            assert!(((p / plain[0]).sqrt() - w / warm[0]).abs() < 1e-4);
        }
        let mut rng = Seed::new(compared).rng();
        let greedy = player(ActionSelection::Greedy).act(&view, &mut rng);
        assert_eq!(player(ActionSelection::Tempered(1e-12)).act(&view, &mut rng), greedy);
        compared += 1;
    });
    assert!(compared > 60, "{compared}");
}

/// The player takes the first of the best, where it compares actions rather than whole antes.
#[test]
fn an_evaluator_goes_by_what_pimc_goes_by() {
    for (rules, players) in [("newmarket-buy", 4), ("michigan-auction", 3), ("three-in-one", 5)] {
        let game = table(rules, players);
        let evaluator = DeterminizedEvaluator::new(6, Playout::Stopper);
        let mut compared = 0;
        let random = Strategy::named("random").expect("a heuristic").into();
        sessions(&game, &mut [random], (Seed::new(4), 12), |state, seat| {
            let view = state.view(&game, seat);
            if !matches!(view.phase(), Phase::Lead | Phase::DeadHand | Phase::Auction | Phase::Bet)
            {
                return;
            }
            let seed = Seed::new(9).child(compared);
            let gains = evaluator.gains(&view, &mut seed.rng());
            let chosen = fair("pimc:6").act(&view, &mut seed.rng());
            let best = gains.iter().copied().fold(f32::MIN, f32::max);
            let first = gains.iter().position(|&gain| gain >= best);
            let first = first.and_then(|at| view.legal().nth(at));
            assert_eq!(Some(chosen), first, "{gains:?}");
            compared += 1;
        });
        assert!(compared > 30, "{rules}: {compared}");
    }
}
