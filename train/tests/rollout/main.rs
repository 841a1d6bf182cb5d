//! What the rollout records is what happened, by an environment that it does not use.

mod sessions;

use newmarket_agents::net::{ActionSelection, NetAgent, PlayKind, Plays};
use newmarket_agents::{Agent, Player};
use newmarket_env::encode::SPANS;
use newmarket_env::{Action, Env, Episode, Game, Observation, Rng, Rules, Seed, View};
use newmarket_net::{FastNet, NamedArray, NetConfig, QuantisedNet, Weights};
use newmarket_train::config::{EpisodeKind, Players, TableMix};
use newmarket_train::estimator::{Determinized, Gae, PolicyRollouts, TargetEstimator};
use newmarket_train::normalise::ReturnScale;
use newmarket_train::policies::{Opponent, Policies};
use newmarket_train::rollout::{Mix, Rollout, roll_out};
use newmarket_train::trajectory::RolloutRows;
use newmarket_train::workers::Workers;
use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex};

const PLAYERS: usize = 4;
const OUTCOMES: Gae = Gae { lambda: 1.0 };

/// One rollout of each action from the true state, of every decision.
fn true_state() -> PolicyRollouts {
    PolicyRollouts::new(1, 1.0, 1.0)
}

fn search(worlds: u32, ante_share: f64, decision_share: f64) -> Determinized {
    Determinized { worlds, ante_share, decision_share }
}

const SCALE: ReturnScale = ReturnScale { count: 2.0, mean: 1.0, squares: 18.0 };

fn shape() -> NetConfig {
    NetConfig { inputs: Observation::LEN, hidden: vec![12], actions: Action::COUNT }
}

/// A network whose arrays are changed by name.
fn net(change: impl Fn(&mut NamedArray)) -> Weights {
    let mut arrays = Weights::init(&shape(), 4).arrays().to_vec();
    arrays.iter_mut().for_each(change);
    Weights::from_arrays(&shape(), arrays).expect("finite")
}

/// Every action as likely as every other, whatever is seen.
fn indifferent() -> Weights {
    net(|array| array.data.fill(0.0))
}

/// Always the legal action of the lowest id; its value head says this and that.
fn decided() -> Weights {
    net(|array| {
        if array.name == "policy.bias" {
            for (id, logit) in array.data.iter_mut().enumerate() {
                *logit = -100.0 * id as f32;
            }
        }
    })
}

fn table(rules: &str, episode: EpisodeKind) -> Mix {
    let rules = rules.into();
    Mix::new(&[TableMix {
        rules,
        players: Players::Exactly(PLAYERS),
        share: 1.0,
        episode,
        file: None,
    }])
    .expect("a table")
}

fn play(
    mix: &Mix,
    policy: &Weights,
    estimator: &dyn TargetEstimator,
    deals: usize,
    opponents: &[Opponent],
) -> Rollout {
    let policies = Policies {
        policy: &FastNet::new(policy),
        quantised: &QuantisedNet::new(policy),
        plays: Plays::LIKELIEST,
        scale: &SCALE,
        opponents,
        opponent_seats: 0.5,
    };
    let workers = Workers::new(2).expect("threads");
    roll_out(mix, &policies, estimator, Seed::new(9), deals, &workers)
}

/// The rows of the indifferent policy alone.
fn rows(mix: &Mix, estimator: &dyn TargetEstimator, deals: usize) -> RolloutRows<Observation> {
    play(mix, &indifferent(), estimator, deals, &[]).targets.rows
}

/// The place among the row's legal actions on which all weight lies.
fn taken(rows: &RolloutRows<Observation>, row: usize) -> usize {
    rows.weights[rows.actions(row)].iter().position(|w| *w > 0.5).expect("an action was taken")
}

/// Plays the recorded actions again, deal by deal, on the environment.
#[test]
fn rows_are_what_the_environment_shows_and_pays() {
    let mix = table("newmarket-buy", EpisodeKind::Deal);
    let deals = 30;
    let played = play(&mix, &indifferent(), &OUTCOMES, deals, &[]);
    let got = &played.targets.rows;
    assert_eq!((played.deals, played.decisions), (deals as u64, got.len() as u64));
    // The rows of a deal stand together, those of a seat in order: seat 0 first.
    let rules = Rules::named("newmarket-buy").expect("a game");
    let game = Arc::new(Game::new(rules, PLAYERS).expect("four play it"));
    let mut env = Env::new(game, Episode::Deal);
    let mut first = 0;
    for deal in 0..deals as u64 {
        // How many decisions each seat has is found by playing on until it comes out.
        env.reset(Seed::new(9).child(deal).child(0));
        let mut seen: Vec<Vec<(usize, i32)>> = vec![vec![]; PLAYERS];
        let mut left: HashMap<Key, Vec<usize>> = HashMap::new();
        for row in first..got.len() {
            left.entry(key(&got.observations[row])).or_default().push(row);
        }
        let mut last = first;
        while !env.is_over() {
            let seat = env.seat();
            let view = env.observe(seat);
            let rows = &left[&key(&Observation::of(&view))];
            let row = *rows.iter().min().expect("a row for every decision");
            assert_eq!(got.legal[row], view.legal().bits());
            let action = view.legal().nth(taken(got, row)).expect("it was legal");
            seen[seat].push((row, env.state().stacks()[seat]));
            last = last.max(row + 1);
            env.step(action).expect("legal");
        }
        let order: Vec<usize> = seen.iter().flatten().map(|s| s.0).collect();
        assert_eq!(order, (first..last).collect::<Vec<_>>(), "deal {deal}: seats in turn");
        for (seat, decisions) in seen.iter().enumerate() {
            for (row, stack) in decisions {
                let gain = (env.state().stacks()[seat] - stack) as f32;
                assert!((got.targets[*row] - gain).abs() < 1e-3, "deal {deal} seat {seat}");
            }
        }
        first = last;
    }
    assert_eq!(first, got.len(), "no row is left over");
}

/// An observation as something that can be compared and hashed.
type Key = Vec<u32>;

fn key(observation: &Observation) -> Key {
    let mut flat = vec![0.0; Observation::LEN];
    observation.write(&mut flat);
    flat.into_iter().map(f32::to_bits).collect()
}

/// A policy that leaves nothing to chance meets in every rollout of its own action what then happens:
/// the rollout must expect exactly what generalised advantage estimation finds afterwards.
#[test]
fn a_playout_of_what_happens_is_what_happens() {
    let mix = table("newmarket", EpisodeKind::Deal);
    let outcome = play(&mix, &decided(), &OUTCOMES, 20, &[]).targets.rows;
    let tried = play(&mix, &decided(), &true_state(), 20, &[]).targets.rows;
    assert_eq!(outcome.len(), tried.len());
    let by_view = |rows: &RolloutRows<Observation>| -> Vec<(Key, f32)> {
        let mut all: Vec<_> =
            (0..rows.len()).map(|i| (key(&rows.observations[i]), rows.targets[i])).collect();
        all.sort_by(|a, b| a.0.cmp(&b.0));
        all
    };
    for (a, b) in by_view(&outcome).iter().zip(by_view(&tried)) {
        assert!(a.0 == b.0 && (a.1 - b.1).abs() < 2e-2, "{} and {}", a.1, b.1);
    }
}

/// With the same random numbers on both sides, where the last chip of an ante goes changes nothing about the
/// play of those who do not look at it: the difference is at most that chip.
#[test]
fn actions_are_compared_with_the_same_random_numbers() {
    let rows = rows(&table("newmarket", EpisodeKind::Deal), &true_state(), 60);
    let span = SPANS.iter().find(|s| s.name == "kitty, bid, chips to place").expect("a span");
    let one_chip_left = |row: usize| {
        let mut flat = vec![0.0; Observation::LEN];
        rows.observations[row].write(&mut flat);
        (flat[span.start + 2] - span.scale).abs() < 1e-6 && rows.legal[row] > 15
    };
    let last_chips: Vec<usize> = (0..rows.len()).filter(|row| one_chip_left(*row)).collect();
    assert!(last_chips.len() > 20, "{}", last_chips.len());
    for row in last_chips {
        let gains = &rows.advantages[rows.actions(row)];
        let spread = gains.iter().fold(f32::MIN, |a, b| a.max(*b))
            - gains.iter().fold(f32::MAX, |a, b| a.min(*b));
        assert!(spread < 1.001, "{gains:?}");
    }
}

#[test]
fn shares_say_how_much_is_tried() {
    let mix = table("newmarket", EpisodeKind::Deal);
    let rows =
        |antes, decisions| rows(&mix, &PolicyRollouts::new(1, antes, decisions), 80).len() as f64;
    let (antes, decisions) = (rows(1.0, 0.0), rows(0.0, 1.0));
    assert!((rows(1.0, 1.0) - antes - decisions).abs() < 1e-9);
    assert!((rows(0.5, 0.25) / (0.5 * antes + 0.25 * decisions) - 1.0).abs() < 0.15);
}

/// How many seats in a hundred deals are asked whether they want the dead hand, by a policy whose
/// logit for keeping is so much more than that for exchanging. The first who exchanges is the last
/// to be asked.
fn asked(keep: f32, estimator: &dyn TargetEstimator) -> usize {
    let mix = table("four-horses", EpisodeKind::Deal);
    let policy = net(|array| {
        array.data.fill(0.0);
        if array.name == "policy.bias" {
            array.data[Action::KEEP.index()] = keep;
        }
    });
    let rows = play(&mix, &policy, estimator, 100, &[]).targets.rows;
    rows.legal.iter().filter(|legal| **legal >> Action::KEEP.index() & 1 == 1).count()
}

/// What is said of the dead hand tells others as much as the likeliest answer would, which is the
/// one that a measured policy gives.
#[test]
fn answers_that_are_tried_out_are_given_almost_surely() {
    // Each of four keeps with the chance 0.73: 2.7 are asked; surely: all four.
    let never_greedy = PolicyRollouts { greedy_share: 0.0, ..true_state() };
    let (outcome, tried) = (asked(1.0, &OUTCOMES), asked(1.0, &never_greedy));
    assert!((200..320).contains(&outcome), "{outcome}");
    assert!((395..=400).contains(&tried), "{tried}");
    let blunt = PolicyRollouts { response_sharpness: 1.0, ..never_greedy };
    let blunt = asked(1.0, &blunt);
    assert!((200..320).contains(&blunt), "{blunt}");
}

#[test]
fn half_of_what_is_tried_out_is_played_as_it_is_measured() {
    // By its probabilities, even those of answers, 2.3 are asked; by the likeliest answer all four.
    let tried = asked(0.1, &true_state());
    assert!((280..350).contains(&tried), "{tried}");
    let greedy = |greedy_share| asked(0.1, &PolicyRollouts { greedy_share, ..true_state() });
    let (never, always) = (greedy(0.0), greedy(1.0));
    assert!(never < 300 && always == 400, "{never} {always}");
}

/// More playouts are in other worlds, which only by chance look like the true one: less noise, and
/// in the mean the same answer.
#[test]
fn more_playouts_have_less_noise() {
    let mix = table("newmarket", EpisodeKind::Deal);
    let squares = |playouts| {
        let rows = rows(&mix, &PolicyRollouts::new(playouts, 0.1, 1.0), 300);
        let mean = rows.targets.iter().map(|t| f64::from(*t)).sum::<f64>() / rows.len() as f64;
        let squares = rows.advantages.iter().map(|a| f64::from(*a).powi(2)).sum::<f64>();
        ((squares / rows.advantages.len() as f64).sqrt(), mean)
    };
    let ((one, mean), (many, again)) = (squares(1), squares(16));
    assert!(many < 0.5 * one && many > 0.1 * one, "{one} {many}");
    assert!((mean - again).abs() < 0.5, "{mean} {again}");
}

/// Stakes on cells whose cards it holds; leads by chance.
fn honest() -> Weights {
    let held = SPANS.iter().find(|span| span.name == "cell held").expect("a span");
    let (units, cells) = (shape().hidden[0], 4);
    net(|array| {
        array.data.fill(0.0);
        for cell in 0..cells {
            match &*array.name {
                "trunk.0.weight" => array.data[(held.start + cell) * units + cell] = 1.0,
                "policy.weight" => {
                    array.data[cell * Action::COUNT + Action::chip(cell).index()] = 4.0;
                }
                _ => {}
            }
        }
    })
}

/// What it is worth to lead a suit for each chip that others have on its cell more than on those of
/// other suits, if antes were placed after a look: chips a row, by this estimator.
fn worth_of_staked_suits(estimator: &dyn TargetEstimator, deals: usize) -> f64 {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("look.toml");
    std::fs::write(&file, "base = \"newmarket\"\ntiming = \"after_look\"").expect("written");
    let mix = table(file.to_str().expect("a path"), EpisodeKind::Deal);
    let rows = play(&mix, &honest(), estimator, deals, &[]).targets.rows;
    let start = |name: &str| SPANS.iter().find(|span| span.name == name).expect("a span").start;
    let (staked, chips) = (start("staked"), start("cell chips"));
    let mut flat = vec![0.0; Observation::LEN];
    let (mut sum, mut leads) = (0.0, 0.0);
    for row in (0..rows.len()).filter(|&row| rows.legal[row] < 1 << 4) {
        rows.observations[row].write(&mut flat);
        // The cells are of spades, hearts, clubs and diamonds.
        let by_others = |suit: usize| {
            let cell = [2, 3, 1, 0][suit];
            let by_others: f32 = (1..PLAYERS).map(|seat| flat[staked + 8 * seat + cell]).sum();
            if flat[chips + cell] > 0.0 { f64::from(4.0 * by_others) } else { 0.0 }
        };
        let suits: Vec<usize> = (0..4).filter(|suit| rows.legal[row] >> suit & 1 == 1).collect();
        let mean = suits.iter().map(|&suit| by_others(suit)).sum::<f64>() / suits.len() as f64;
        for (&suit, &advantage) in suits.iter().zip(&rows.advantages[rows.actions(row)]) {
            sum += f64::from(advantage) * (by_others(suit) - mean);
        }
        leads += 1.0;
    }
    sum / leads
}

/// Where antes tell who holds what, sampled worlds say of leads what true ones do in the mean.
#[test]
fn antes_after_a_look_are_heard_in_rollouts() {
    let truth = worth_of_staked_suits(&PolicyRollouts::new(1, 0.0, 1.0), 6_000);
    let sampled = worth_of_staked_suits(&PolicyRollouts::new(17, 0.0, 1.0), 400);
    assert!(truth > 1.0 && (truth - sampled).abs() < 0.25, "{truth} {sampled}");
}

/// In the mean over worlds a choice is worth what it is worth in the mean over deals: advantages
/// from one world or from many are those of the same policy, but with other noise.
#[test]
fn determinized_search_has_less_noise_than_rollouts() {
    let mix = table("newmarket", EpisodeKind::Deal);
    let spread = |estimator: &dyn TargetEstimator| {
        let rows = rows(&mix, estimator, 200);
        assert!(rows.weights.iter().all(|weight| *weight > 0.0), "every action is tried");
        let squares = rows.advantages.iter().map(|a| f64::from(*a).powi(2)).sum::<f64>();
        (squares / rows.advantages.len() as f64).sqrt()
    };
    let worlds = |worlds| spread(&search(worlds, 0.0, 1.0));
    let (one, many, truth) = (worlds(1), worlds(64), spread(&true_state()));
    assert!(many < 0.6 * one && many < 0.6 * truth, "{one} {many} {truth}");
    let chips = rows(&mix, &search(1, 1.0, 0.0), 20);
    assert!(
        !chips.is_empty() && chips.legal.iter().all(|legal| legal.trailing_zeros() >= 4),
        "antes alone"
    );
}

/// In a session chips lie on the layout from deal to deal, and what is staked for the next deal is
/// not charged to the last decision of this one.
#[test]
fn deals_of_a_session_have_targets_of_their_own() {
    let mix = table("newmarket", EpisodeKind::CarriedDeal);
    let played = play(&mix, &indifferent(), &OUTCOMES, 200, &[]);
    assert_eq!(played.deals, 200);
    let got = &played.targets.rows;
    let kitty = SPANS.iter().find(|s| s.name == "cell chips").expect("a span");
    let mut flat = vec![0.0; Observation::LEN];
    let mut most: f32 = 0.0;
    for observation in &got.observations {
        observation.write(&mut flat);
        most = most.max(flat[kitty.start..kitty.start + 4].iter().sum::<f32>() / kitty.scale);
    }
    assert!(most > 17.0, "four antes of four make 16, more must have been carried over: {most}");
    // Nobody can win more in a deal than what lies there, the kitty and a chip for each card.
    assert!(got.targets.iter().all(|chips| *chips < most + 4.0 + 40.0));
    assert!(got.targets.iter().all(|chips| *chips >= -4.0 - 13.0), "antes and cards at most");
}

#[test]
fn opponents_take_their_share_and_leave_no_rows() {
    let mix = table("newmarket", EpisodeKind::Deal);
    let heuristic = newmarket_agents::strategy::Strategy::named("stopper").expect("a rule");
    let alone = play(&mix, &indifferent(), &OUTCOMES, 200, &[]);
    let opponents = [Opponent::new(heuristic.into(), 1.0)];
    let mixed = play(&mix, &indifferent(), &OUTCOMES, 200, &opponents);
    // Three seats in four, each with probability one half, are opponents', who decide a little more
    // often.
    let share = mixed.targets.rows.len() as f64 / mixed.decisions as f64;
    assert!((0.5..0.65).contains(&share), "{share}");
    assert_eq!(alone.targets.rows.len() as u64, alone.decisions);
}

/// Does what is listed first, and keeps a list of the seats in which it was asked.
#[derive(Clone, Default)]
struct Spy(Arc<Mutex<Vec<usize>>>);

impl Agent for Spy {
    fn name(&self) -> &'static str {
        "spy"
    }
    fn act(&mut self, view: &View, _: &mut Rng) -> Action {
        self.0.lock().expect("whole").push(view.seat());
        view.legal().first().expect("a choice")
    }
    fn another(&self) -> Box<dyn Agent> {
        Box::new(self.clone())
    }
}

/// One deal with the spy in all seats but one; the seats in which it was asked, in order.
fn spied(
    seed: u64,
    estimator: &dyn TargetEstimator,
    playout_policy: Option<&Spy>,
) -> (Rollout, Vec<usize>) {
    let mix = table("newmarket", EpisodeKind::Deal);
    let (policy, scale, spy) = (indifferent(), ReturnScale::default(), Spy::default());
    let mut opponent = Opponent::new(spy.clone().into(), 1.0);
    opponent.playout_policy = playout_policy.map(|spy| spy.clone().into());
    let policies = Policies {
        policy: &FastNet::new(&policy),
        quantised: &QuantisedNet::new(&policy),
        plays: Plays::LIKELIEST,
        scale: &scale,
        opponents: &[opponent],
        opponent_seats: 1.0,
    };
    let workers = Workers::new(1).expect("a thread");
    let got = roll_out(&mix, &policies, estimator, Seed::new(seed), 1, &workers);
    let asked = spy.0.lock().expect("whole").clone();
    (got, asked)
}

#[test]
fn a_learner_alone_sits_in_every_seat_and_only_its_decisions_are_rows() {
    let mut learnt = [0; PLAYERS];
    for seed in 0..400 {
        let (got, asked) = spied(seed, &OUTCOMES, None);
        let rows = got.targets.rows.len();
        assert_eq!(rows + asked.len(), got.decisions as usize, "one or the other");
        let asked: BTreeSet<usize> = asked.into_iter().collect();
        // Everybody antes, so everybody is asked.
        let left: Vec<usize> = (0..PLAYERS).filter(|seat| !asked.contains(seat)).collect();
        assert_eq!(left.len(), 1, "one seat is the policy's");
        learnt[left[0]] += 1;
    }
    assert!(learnt.iter().all(|deals| (70..130).contains(deals)), "{learnt:?}");
}

#[test]
fn a_playout_policy_plays_in_playouts_and_nowhere_else() {
    let playout_policy = Spy::default();
    let (got, asked) = spied(3, &true_state(), Some(&playout_policy));
    let rows = got.targets.rows.len();
    assert_eq!(rows + asked.len(), got.decisions as usize, "the deal is the opponent's");
    let in_playouts = playout_policy.0.lock().expect("whole").len() as u64;
    assert!(in_playouts > 100 && in_playouts < got.targets.playout_decisions, "{in_playouts}");
    let (alone, asked) = spied(3, &true_state(), None);
    let in_deal = alone.decisions - alone.targets.rows.len() as u64;
    assert_eq!(asked.len() as u64, in_playouts + in_deal, "itself in both");
}

/// A network that does not say that it is one.
struct Disguised(NetAgent);

impl Agent for Disguised {
    fn name(&self) -> &'static str {
        "disguised"
    }
    fn act(&mut self, view: &View, dice: &mut Rng) -> Action {
        self.0.act(view, dice)
    }
    fn another(&self) -> Box<dyn Agent> {
        Box::new(Self(self.0.clone()))
    }
}

#[test]
fn opponents_that_are_networks_answer_side_by_side_as_they_would_one_by_one() {
    let estimator = PolicyRollouts::new(3, 0.2, 1.0);
    let weights = Arc::new(QuantisedNet::new(&net(|_| {})));
    let draws = Plays::LIKELIEST.with(PlayKind::Lead, Some(0.5)).with(PlayKind::Ante, Some(1.0));
    for (rules, plays) in
        [("newmarket", Plays::LIKELIEST), ("three-in-one", Plays::LIKELIEST), ("newmarket", draws)]
    {
        let opponent = NetAgent::new("opponent", weights.clone(), plays.into());
        assert!(opponent.batch().is_some());
        let mix = table(rules, EpisodeKind::Deal);
        let opponents: [Player; 2] = [opponent.clone().into(), Disguised(opponent.clone()).into()];
        let [at_once, one_by_one] = opponents.map(|opponent| {
            play(&mix, &indifferent(), &estimator, 30, &[Opponent::new(opponent, 1.0)]).targets
        });
        assert!(at_once.rows.len() > 100);
        assert_eq!(at_once.playout_decisions, one_by_one.playout_decisions, "{rules}");
        assert_eq!(at_once.rows.advantages, one_by_one.rows.advantages, "{rules}");
    }
}
