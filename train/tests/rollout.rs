//! What the rollout says happened is what happened, judged by an environment that it does not use.

use newmarket_agents::Agent;
use newmarket_agents::net::{Choice, NetAgent};
use newmarket_env::encode::SPANS;
use newmarket_env::{Action, Env, Episode, Game, Observation, Rng, Rules, Seed, View};
use newmarket_net::{FastNet, NamedArray, NetConfig, Weights};
use newmarket_train::config::{EpisodeKind, Players, TableMix};
use newmarket_train::hidden::PLANES;
use newmarket_train::league::Guest;
use newmarket_train::normalise::ReturnScale;
use newmarket_train::rollout::{Cast, Gathered, Judge, Mix, gather};
use newmarket_train::trajectory::Rows;
use newmarket_train::workers::Workers;
use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex};

const PLAYERS: usize = 4;
const TRIALS: Judge = Judge::Trials { playouts: 1, antes: 1.0, decisions: 1.0 };

const SCALE: ReturnScale = ReturnScale { count: 2.0, mean: 1.0, squares: 18.0 };

fn shape() -> NetConfig {
    NetConfig { inputs: Observation::LEN, hidden: vec![12], actions: Action::COUNT }
}

/// A network whose arrays are changed by name.
fn net(change: impl Fn(&mut NamedArray)) -> FastNet {
    let mut arrays = Weights::init(&shape(), 4).arrays().to_vec();
    arrays.iter_mut().for_each(change);
    FastNet::new(&Weights::from_arrays(&shape(), arrays).expect("finite"))
}

/// Every choice as likely as every other, whatever is seen.
fn indifferent() -> FastNet {
    net(|array| array.data.fill(0.0))
}

/// Always the legal action of the lowest id; its value head says this and that.
fn decided() -> FastNet {
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
    Mix::new(&[TableMix { rules, players: Players::Exactly(PLAYERS), share: 1.0, episode }])
        .expect("a table")
}

fn play(mix: &Mix, policy: &FastNet, judge: Judge, deals: usize, guests: &[Guest]) -> Gathered {
    let scale = SCALE;
    let cast = Cast { policy, critic: None, scale: &scale, hidden: false, guests, seats: 0.5 };
    gather(mix, &cast, judge, Seed::new(9), deals, &Workers::new(2).expect("threads"))
}

/// The place among the row's choices on which all weight lies.
fn taken(rows: &Rows<Observation>, row: usize) -> usize {
    rows.weights[rows.choices(row)].iter().position(|w| *w > 0.5).expect("a choice was taken")
}

/// Plays the recorded choices again, deal by deal, on the environment.
#[test]
fn rows_are_what_the_environment_shows_and_pays() {
    let mix = table("newmarket-buy", EpisodeKind::Deal);
    let deals = 30;
    let got = play(&mix, &indifferent(), Judge::Outcome { lambda: 1.0 }, deals, &[]);
    assert_eq!((got.deals, got.decisions), (deals as u64, got.rows.len() as u64));
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
        for row in first..got.rows.len() {
            left.entry(key(&got.rows.observations[row])).or_default().push(row);
        }
        let mut last = first;
        while !env.is_over() {
            let seat = env.seat();
            let view = env.observe(seat);
            let rows = &left[&key(&Observation::of(&view))];
            let row = *rows.iter().min().expect("a row for every decision");
            assert_eq!(got.rows.legal[row], view.legal().bits());
            let action = view.legal().nth(taken(&got.rows, row)).expect("it was legal");
            seen[seat].push((row, env.state().stacks()[seat]));
            last = last.max(row + 1);
            env.step(action).expect("legal");
        }
        let order: Vec<usize> = seen.iter().flatten().map(|s| s.0).collect();
        assert_eq!(order, (first..last).collect::<Vec<_>>(), "deal {deal}: seats in turn");
        for (seat, decisions) in seen.iter().enumerate() {
            for (row, stack) in decisions {
                let gain = (env.state().stacks()[seat] - stack) as f32;
                assert!((got.rows.targets[*row] - gain).abs() < 1e-3, "deal {deal} seat {seat}");
            }
        }
        first = last;
    }
    assert_eq!(first, got.rows.len(), "no row is left over");
}

/// An observation as something that can be compared and hashed.
type Key = Vec<u32>;

fn key(observation: &Observation) -> Key {
    let mut flat = vec![0.0; Observation::LEN];
    observation.write(&mut flat);
    flat.into_iter().map(f32::to_bits).collect()
}

/// A policy that leaves nothing to chance meets in every playout of its own choice what then
/// happens: the trial must expect exactly what generalised advantage estimation finds afterwards.
#[test]
fn a_playout_of_what_happens_is_what_happens() {
    let mix = table("newmarket", EpisodeKind::Deal);
    let outcome = play(&mix, &decided(), Judge::Outcome { lambda: 1.0 }, 20, &[]).rows;
    let trials = play(&mix, &decided(), TRIALS, 20, &[]).rows;
    assert_eq!(outcome.len(), trials.len());
    let by_view = |rows: &Rows<Observation>| -> Vec<(Key, f32)> {
        let mut all: Vec<_> =
            (0..rows.len()).map(|i| (key(&rows.observations[i]), rows.targets[i])).collect();
        all.sort_by(|a, b| a.0.cmp(&b.0));
        all
    };
    for (a, b) in by_view(&outcome).iter().zip(by_view(&trials)) {
        assert!(a.0 == b.0 && (a.1 - b.1).abs() < 2e-2, "{} and {}", a.1, b.1);
    }
}

/// The same deals with what is hidden.
fn reveal(mix: &Mix, judge: Judge, critic: Option<&FastNet>) -> Rows<Observation> {
    let (policy, scale) = (&indifferent(), SCALE);
    let cast = Cast { policy, critic, scale: &scale, hidden: true, guests: &[], seats: 0.5 };
    gather(mix, &cast, judge, Seed::new(9), 20, &Workers::new(2).expect("threads")).rows
}

#[test]
fn a_critic_gives_the_values_and_the_policy_does_not_hear_of_it() {
    let mix = table("newmarket-buy", EpisodeKind::Deal);
    let outcome = Judge::Outcome { lambda: 1.0 };
    let config = NetConfig { inputs: Observation::LEN + PLANES, hidden: vec![9], actions: 1 };
    let critic = FastNet::new(&Weights::init(&config, 3));
    let plain = play(&mix, &indifferent(), outcome, 20, &[]).rows;
    let rows = reveal(&mix, outcome, Some(&critic));
    assert!(plain.hidden.is_empty(), "nobody asked");
    assert_eq!((rows.len(), rows.hidden.len()), (plain.len(), plain.len()));
    assert_eq!(rows.observations, plain.observations);
    assert_eq!((&rows.log_probs, &rows.weights), (&plain.log_probs, &plain.weights));
    for (row, hidden) in rows.hidden.iter().enumerate() {
        let mut whole = vec![0.0; config.inputs];
        rows.observations[row].write(&mut whole[..Observation::LEN]);
        hidden.ones().for_each(|index| whole[Observation::LEN + index] = 1.0);
        let value = critic.forward(&whole[..], &mut critic.scratch()).1;
        assert_eq!(rows.values[row].to_bits(), SCALE.chips(value).to_bits());
        assert!(
            (rows.targets[row] - plain.targets[row]).abs() < 1e-3,
            "what came of it is the same"
        );
    }
    assert_ne!(rows.values, plain.values);
}

/// What all seats gain: of the own seat what the judge says; the deal as it was played, the same
/// whether outcomes or worlds judge.
#[test]
fn gains_of_all_seats_are_those_of_the_deal_or_of_the_playouts() {
    for episode in [EpisodeKind::Deal, EpisodeKind::CarriedDeal] {
        let mix = table("newmarket", episode);
        let outcomes = reveal(&mix, Judge::Outcome { lambda: 1.0 }, None);
        for judge in [Judge::Outcome { lambda: 1.0 }, TRIALS] {
            let rows = reveal(&mix, judge, None);
            for (hidden, target) in rows.hidden.iter().zip(&rows.targets) {
                assert_eq!(hidden.gains().len(), PLAYERS);
                let own = hidden.gains().next().expect("its own");
                assert!((own - target).abs() < 1e-3, "{judge:?}: {own} and {target}");
            }
        }
        let by_view = |rows: &Rows<Observation>| -> HashMap<Key, Vec<f32>> {
            let gains = rows.hidden.iter().map(|hidden| hidden.gains().collect());
            rows.observations.iter().map(key).zip(gains).collect()
        };
        let worlds = reveal(&mix, Judge::Worlds { worlds: 1, antes: 1.0, decisions: 1.0 }, None);
        assert_eq!(by_view(&outcomes), by_view(&worlds));
    }
}

/// With the same dice on both sides, where the last chip of an ante goes changes nothing about the
/// play of those who do not look at it: the difference is at most that chip.
#[test]
fn choices_are_compared_with_the_same_dice() {
    let rows = play(&table("newmarket", EpisodeKind::Deal), &indifferent(), TRIALS, 60, &[]).rows;
    let span = SPANS.iter().find(|s| s.name == "kitty, bid, chips to place").expect("a span");
    let one_chip_left = |row: usize| {
        let mut flat = vec![0.0; Observation::LEN];
        rows.observations[row].write(&mut flat);
        (flat[span.start + 2] - span.scale).abs() < 1e-6 && rows.legal[row] > 15
    };
    let last_chips: Vec<usize> = (0..rows.len()).filter(|row| one_chip_left(*row)).collect();
    assert!(last_chips.len() > 20, "{}", last_chips.len());
    for row in last_chips {
        let gains = &rows.advantages[rows.choices(row)];
        let spread = gains.iter().fold(f32::MIN, |a, b| a.max(*b))
            - gains.iter().fold(f32::MAX, |a, b| a.min(*b));
        assert!(spread < 1.001, "{gains:?}");
    }
}

#[test]
fn shares_say_how_much_is_tried() {
    let mix = table("newmarket", EpisodeKind::Deal);
    let rows = |antes, decisions| {
        let judge = Judge::Trials { playouts: 1, antes, decisions };
        play(&mix, &indifferent(), judge, 80, &[]).rows.len() as f64
    };
    let (antes, decisions) = (rows(1.0, 0.0), rows(0.0, 1.0));
    assert!((rows(1.0, 1.0) - antes - decisions).abs() < 1e-9);
    assert!((rows(0.5, 0.25) / (0.5 * antes + 0.25 * decisions) - 1.0).abs() < 0.15);
}

/// How many seats in a hundred deals are asked whether they want the dead hand, by a policy whose
/// logit for keeping is so much more than that for exchanging. The first who exchanges is the last
/// to be asked.
fn asked(keep: f32, judge: Judge) -> usize {
    let mix = table("four-horses", EpisodeKind::Deal);
    let policy = net(|array| {
        array.data.fill(0.0);
        if array.name == "policy.bias" {
            array.data[Action::KEEP.index()] = keep;
        }
    });
    let rows = play(&mix, &policy, judge, 100, &[]).rows;
    rows.legal.iter().filter(|legal| **legal >> Action::KEEP.index() & 1 == 1).count()
}

/// What is said of the dead hand tells others as much as the likeliest answer would, which is the
/// one that a measured policy gives.
#[test]
fn answers_that_are_tried_out_are_given_almost_surely() {
    // Each of four keeps with the chance 0.73: 2.7 are asked; surely: all four.
    let (outcome, tried) = (asked(1.0, Judge::Outcome { lambda: 1.0 }), asked(1.0, TRIALS));
    assert!((200..320).contains(&outcome), "{outcome}");
    assert!((395..=400).contains(&tried), "{tried}");
}

#[test]
fn half_of_what_is_tried_out_is_played_as_it_is_measured() {
    // By its probabilities, even those of answers, 2.3 are asked; by the likeliest answer all four.
    let tried = asked(0.1, TRIALS);
    assert!((280..350).contains(&tried), "{tried}");
}

/// More playouts are in other worlds, which only by chance look like the true one: less noise, and
/// in the mean the same answer.
#[test]
fn more_playouts_judge_with_less_noise() {
    let mix = table("newmarket", EpisodeKind::Deal);
    let squares = |playouts| {
        let judge = Judge::Trials { playouts, antes: 0.1, decisions: 1.0 };
        let rows = play(&mix, &indifferent(), judge, 300, &[]).rows;
        let mean = rows.targets.iter().map(|t| f64::from(*t)).sum::<f64>() / rows.len() as f64;
        let squares = rows.advantages.iter().map(|a| f64::from(*a).powi(2)).sum::<f64>();
        ((squares / rows.advantages.len() as f64).sqrt(), mean)
    };
    let ((one, mean), (many, again)) = (squares(1), squares(16));
    assert!(many < 0.5 * one && many > 0.1 * one, "{one} {many}");
    assert!((mean - again).abs() < 0.5, "{mean} {again}");
}

/// In the mean over worlds a choice is worth what it is worth in the mean over deals: advantages
/// judged in one world or in many are those of the same policy, but the noise is another.
#[test]
fn worlds_judge_with_less_noise_than_playouts() {
    let mix = table("newmarket", EpisodeKind::Deal);
    let worlds = |worlds| Judge::Worlds { worlds, antes: 0.0, decisions: 1.0 };
    let spread = |judge| {
        let rows = play(&mix, &indifferent(), judge, 200, &[]).rows;
        assert!(rows.weights.iter().all(|weight| *weight > 0.0), "every choice is tried");
        let squares = rows.advantages.iter().map(|a| f64::from(*a).powi(2)).sum::<f64>();
        (squares / rows.advantages.len() as f64).sqrt()
    };
    let (one, many, truth) = (spread(worlds(1)), spread(worlds(64)), spread(TRIALS));
    assert!(many < 0.6 * one && many < 0.6 * truth, "{one} {many} {truth}");
    let shares = Judge::Worlds { worlds: 1, antes: 1.0, decisions: 0.0 };
    let chips = play(&mix, &indifferent(), shares, 20, &[]).rows;
    assert!(
        !chips.is_empty() && chips.legal.iter().all(|legal| legal.trailing_zeros() >= 4),
        "antes alone"
    );
}

/// In a session chips lie on the layout from deal to deal, and what is staked for the next deal is
/// not charged to the last decision of this one.
#[test]
fn deals_of_a_session_are_judged_apart() {
    let mix = table("newmarket", EpisodeKind::CarriedDeal);
    let got = play(&mix, &indifferent(), Judge::Outcome { lambda: 1.0 }, 200, &[]);
    assert_eq!(got.deals, 200);
    let kitty = SPANS.iter().find(|s| s.name == "cell chips").expect("a span");
    let mut flat = vec![0.0; Observation::LEN];
    let mut most: f32 = 0.0;
    for observation in &got.rows.observations {
        observation.write(&mut flat);
        most = most.max(flat[kitty.start..kitty.start + 4].iter().sum::<f32>() / kitty.scale);
    }
    assert!(most > 17.0, "four antes of four make 16, more must have been carried over: {most}");
    // Nobody can win more in a deal than what lies there, the kitty and a chip for each card.
    assert!(got.rows.targets.iter().all(|chips| *chips < most + 4.0 + 40.0));
    assert!(got.rows.targets.iter().all(|chips| *chips >= -4.0 - 13.0), "antes and cards at most");
}

#[test]
fn guests_take_their_share_and_leave_no_rows() {
    let mix = table("newmarket", EpisodeKind::Deal);
    let heuristic = newmarket_agents::heuristic::Heuristic::named("stopper").expect("a rule");
    let alone = play(&mix, &indifferent(), Judge::Outcome { lambda: 1.0 }, 200, &[]);
    let guests = [Guest::new(Box::new(heuristic), 1.0)];
    let mixed = play(&mix, &indifferent(), Judge::Outcome { lambda: 1.0 }, 200, &guests);
    // Three seats in four, each with chance one half, are guests', who decide a little more often.
    let share = mixed.rows.len() as f64 / mixed.decisions as f64;
    assert!((0.5..0.65).contains(&share), "{share}");
    assert_eq!(alone.rows.len() as u64, alone.decisions);
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
fn spied(seed: u64, judge: Judge, stand_in: Option<&Spy>) -> (Gathered, Vec<usize>) {
    let mix = table("newmarket", EpisodeKind::Deal);
    let (policy, scale, spy) = (indifferent(), ReturnScale::default(), Spy::default());
    let mut guest = Guest::new(spy.another(), 1.0);
    guest.stand_in = stand_in.map(Agent::another);
    let cast = Cast {
        policy: &policy,
        critic: None,
        scale: &scale,
        hidden: false,
        guests: &[guest],
        seats: 1.0,
    };
    let workers = Workers::new(1).expect("a thread");
    let got = gather(&mix, &cast, judge, Seed::new(seed), 1, &workers);
    let asked = spy.0.lock().expect("whole").clone();
    (got, asked)
}

#[test]
fn a_learner_alone_sits_in_every_seat_and_only_its_decisions_are_rows() {
    let mut learnt = [0; PLAYERS];
    for seed in 0..400 {
        let (got, asked) = spied(seed, Judge::Outcome { lambda: 1.0 }, None);
        assert_eq!(got.rows.len() + asked.len(), got.decisions as usize, "one or the other");
        let asked: BTreeSet<usize> = asked.into_iter().collect();
        // Everybody antes, so everybody is asked.
        let left: Vec<usize> = (0..PLAYERS).filter(|seat| !asked.contains(seat)).collect();
        assert_eq!(left.len(), 1, "one seat is the policy's");
        learnt[left[0]] += 1;
    }
    assert!(learnt.iter().all(|deals| (70..130).contains(deals)), "{learnt:?}");
}

#[test]
fn a_stand_in_plays_in_playouts_and_nowhere_else() {
    let stand_in = Spy::default();
    let (got, asked) = spied(3, TRIALS, Some(&stand_in));
    assert_eq!(got.rows.len() + asked.len(), got.decisions as usize, "the deal is the guest's");
    let stood_in = stand_in.0.lock().expect("whole").len() as u64;
    assert!(stood_in > 100 && stood_in < got.trial_decisions, "{stood_in}");
    let (alone, asked) = spied(3, TRIALS, None);
    let twice = asked.len() as u64;
    assert_eq!(twice, stood_in + alone.decisions - alone.rows.len() as u64, "itself in both");
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
fn guests_that_are_networks_answer_side_by_side_as_they_would_one_by_one() {
    let judge = Judge::Trials { playouts: 3, antes: 0.2, decisions: 1.0 };
    let guest = NetAgent::new("guest", Arc::new(net(|_| {})), Choice::Greedy);
    assert!(guest.greedy_net().is_some());
    for rules in ["newmarket", "three-in-one"] {
        let mix = table(rules, EpisodeKind::Deal);
        let guests: [Box<dyn Agent>; 2] =
            [Box::new(guest.clone()), Box::new(Disguised(guest.clone()))];
        let [at_once, one_by_one] =
            guests.map(|guest| play(&mix, &indifferent(), judge, 30, &[Guest::new(guest, 1.0)]));
        assert!(at_once.rows.len() > 100);
        assert_eq!(at_once.trial_decisions, one_by_one.trial_decisions, "{rules}");
        assert_eq!(at_once.rows.advantages, one_by_one.rows.advantages, "{rules}");
    }
}
