//! `newmarket bench`: the speed of the main loops on this machine.

use std::hint::black_box;
use std::sync::Arc;
use std::time::{Duration, Instant};

use newmarket_agents::net::{NetBatch, Playouts};
use newmarket_agents::search::{Budget, Pimc, Playout};
use newmarket_agents::{Agent, BatchPolicy};
use newmarket_env::random::Sampler;
use newmarket_env::{
    Action, ActionMask, Autoreset, BatchEnv, Buffers, DealDriver, DealStart, Env, Episode, Game,
    MAX_PLAYERS, Observation, OpenPlay, Phase, PlainObservations, PlainRewards, PlainRows, Rng,
    Rows, Rules, Seed, State, Worlds, random,
};
use newmarket_net::{NetConfig, QuantisedNet, Weights};
use newmarket_train::{Config, Observer, Progress, Signal, Trainer};
use serde_json::{Map, Value, json};

use crate::failure::Result;
use crate::terminal;

/// Tables of the batched rows. Their states and observations fit into the caches near the core.
const TABLES: usize = 2048;
/// Tables of the batched rows with random choices: all that a step touches fits into the near caches.
const FEW_TABLES: usize = 256;
/// The least number of rounds. The best counts: other programs on the machine only slow a round down.
const ROUNDS: u32 = 5;

/// Measure the speed of this machine on the project's main loops.
///
/// `newmarket` with four players, on one thread unless the row says otherwise. The best of several
/// rounds counts.
#[derive(clap::Args)]
#[command(after_help = "Example:\n  newmarket bench\n  newmarket bench --json --seconds 2")]
pub(crate) struct BenchArgs {
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
    /// Seconds for each row.
    #[arg(long, value_name = "S", default_value_t = 1.0, value_parser = seconds)]
    seconds: f64,
}

/// Rows of playouts by networks, and how wide their layers are.
const NETWORKS: [(&str, &str, [usize; 2]); 2] = [
    (
        "net_playouts_per_s",
        "the same by a 256-256 network for all seats, encoding included",
        [256, 256],
    ),
    ("net_playouts_per_s_512", "the same by a 512-256 network, as the champion has", [512, 256]),
];

fn seconds(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(seconds) if (0.01..=600.0).contains(&seconds) => Ok(seconds),
        _ => Err("expected seconds, 0.01 to 600".into()),
    }
}

/// One row: its name, what it is in words, its value.
struct Row {
    name: &'static str,
    about: &'static str,
    value: f64,
}

impl BenchArgs {
    pub(crate) fn run(self) -> Result {
        let rules = Rules::named("newmarket").expect("a named game");
        let game = Arc::new(Game::new(rules, 4)?);
        let time = Duration::from_secs_f64(self.seconds);
        let mut rows = Vec::new();
        let mut row = |name, about, value| rows.push(Row { name, about, value });

        let shuffle = shuffle_ns(&game, time);
        let deal = driven_deal_ns(&game, time);
        row("shuffle_ns", "one shuffle of 52 cards: the floor of a deal", shuffle);
        let about = "one random deal through the environment: cards, antes, play, settlement";
        row("driven_deal_ns", about, deal);
        row("driven_deal_per_shuffle", "the ratio of the two", deal / shuffle);
        let decisions = decisions_per_s(&game, time);
        row("decisions_per_s", "random legal decisions one by one, no encoding", decisions);
        let worlds = worlds_per_s(&game, time);
        row(
            "worlds_per_s",
            "consistent deals drawn in mid-deal, 60 a view, set-up included",
            worlds,
        );
        let playouts = playouts_per_s(&game, time);
        row("playouts_per_s", "from a lead in mid-deal to the end by a heuristic", playouts);
        for (name, about, hidden) in NETWORKS {
            row(name, about, net_playouts_per_s(&game, hidden, time));
        }
        let pimc = pimc_playouts_per_s(&game, time);
        row("pimc_playouts_per_s", "the same within pimc:60, its worlds included", pimc);
        let one = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
        let batch = one.install(|| batch_decisions_per_s(&game, time));
        let about = "through the batch, packed observation and mask written";
        row("batch_decisions_per_s", about, batch);
        let all = rayon::current_num_threads();
        let all = rayon::ThreadPoolBuilder::new().num_threads(all).build()?;
        let batch = all.install(|| batch_decisions_per_s(&game, time));
        row("batch_decisions_per_s_all_threads", "the same on all threads", batch);
        let in_place = in_place_decisions_per_s(&game, time);
        let about = "the same on one thread, rows changed in place, random choices included";
        row("in_place_decisions_per_s", about, in_place);
        let f32 = f32_decisions_per_s(&game, time);
        row("f32_decisions_per_s", "the same with whole vectors of f32 as rows", f32);
        row("infer_us_b1", "one decision of a 256-256 network", infer_us(&game, time));
        let training = training(time)?;
        let about = "decisions played and learnt from in the first phase of `quick`, all threads";
        row("train_determinized_rows_per_s", about, training.phases[0]);
        let about = "the same in its second phase, policy rollouts";
        row("train_rollouts_rows_per_s", about, training.phases[1]);
        row("train_learn_rows_per_s", "the learner alone, in both phases", training.learner);

        if self.json {
            let table: Map<String, Value> =
                rows.iter().map(|row| (row.name.into(), json!(rounded(row.value)))).collect();
            return terminal::print_json(&table);
        }
        for row in rows {
            let value = rounded(row.value);
            terminal::print(format!("{:<34} {value:>14}  {}", row.name, row.about))?;
        }
        Ok(())
    }
}

/// Four significant digits: more would be noise.
fn rounded(value: f64) -> f64 {
    if value == 0.0 || !value.is_finite() {
        return 0.0;
    }
    let unit = 10_f64.powi(3 - value.abs().log10().floor() as i32);
    (value * unit).round() / unit
}

/// Calls `round` until the time is over, at least [`ROUNDS`] times; returns the least result.
fn best(time: Duration, mut round: impl FnMut() -> f64) -> f64 {
    let start = Instant::now();
    let mut best = f64::INFINITY;
    let mut rounds = 0;
    while rounds < ROUNDS || start.elapsed() < time {
        best = best.min(round());
        rounds += 1;
    }
    best
}

fn shuffle_ns(game: &Game, time: Duration) -> f64 {
    const COUNT: u32 = 20_000;
    let mut rng = Seed::new(1).rng();
    best(time, || {
        let start = Instant::now();
        for _ in 0..COUNT {
            black_box(game.shuffle(&mut rng));
        }
        start.elapsed().as_nanos() as f64 / f64::from(COUNT)
    })
}

/// Nanoseconds for a whole random deal through [`Env`].
fn driven_deal_ns(game: &Arc<Game>, time: Duration) -> f64 {
    const COUNT: u64 = 2_000;
    let mut rng = Seed::new(1).rng();
    let mut env = Env::new(game.clone(), Episode::Deal);
    best(time, || {
        let start = Instant::now();
        for deal in 0..COUNT {
            env.reset(Seed::new(deal));
            while !env.is_over() {
                env.step(random::choice(env.legal(), &mut rng)).expect("a legal action");
            }
            black_box(&env);
        }
        start.elapsed().as_nanos() as f64 / COUNT as f64
    })
}

/// Plays a deal decision by decision, in the place of another; how many had more than one choice.
fn decide_at_random(
    state: &mut State,
    game: &Game,
    deal_start: &DealStart,
    cards: &Sampler,
    rng: &mut Rng,
) -> u32 {
    let mut decisions = 0;
    state.restart(game, deal_start);
    while !state.is_over() {
        if state.phase() == Phase::Deal {
            state.deal(game, &cards.hands(rng));
        } else {
            let legal = state.legal(game);
            decisions += u32::from(!legal.is_forced());
            state.apply_unchecked(game, random::choice(legal, rng));
        }
    }
    black_box(&*state);
    decisions
}

fn decisions_per_s(game: &Game, time: Duration) -> f64 {
    const COUNT: u32 = 5_000;
    let mut rng = Seed::new(1).rng();
    let deal_start = DealStart::fresh(game.players(), 0);
    let mut state = State::new(game, &deal_start);
    let cards = Sampler::new(game, deal_start.dealer, deal_start.seats_in);
    let seconds_each = best(time, || {
        let start = Instant::now();
        let mut one_deal = || decide_at_random(&mut state, game, &deal_start, &cards, &mut rng);
        let decisions: u32 = (0..COUNT).map(|_| one_deal()).sum();
        start.elapsed().as_secs_f64() / f64::from(decisions)
    });
    seconds_each.recip()
}

/// Deals at the fourth lead.
fn mid_deal(game: &Game, count: usize) -> Vec<State> {
    let mut rng = Seed::new(1).rng();
    let mut states = Vec::new();
    while states.len() < count {
        let mut state = State::new(game, &DealStart::fresh(game.players(), 0));
        let mut leads = 0;
        while !state.is_over() {
            if state.phase() == Phase::Deal {
                state.deal(game, &random::hands(game, state.dealer(), state.seats_in(), &mut rng));
                continue;
            }
            leads += u32::from(state.phase() == Phase::Lead);
            if leads == 4 {
                states.push(state);
                break;
            }
            state.apply_unchecked(game, random::choice(state.legal(game), &mut rng));
        }
    }
    states
}

/// Who is to lead.
fn leader(state: &State) -> usize {
    state.actor().expect("a lead is due")
}

/// Consistent deals drawn a second, for the leader of the fourth sequence.
fn worlds_per_s(game: &Game, time: Duration) -> f64 {
    const VIEWS: usize = 200;
    const WORLDS: usize = 60;
    let states = mid_deal(game, VIEWS);
    let mut rng = Seed::new(2).rng();
    let seconds = best(time, || {
        let start = Instant::now();
        for state in &states {
            let worlds = Worlds::of(&state.view(game, leader(state)));
            for _ in 0..WORLDS {
                black_box(worlds.draw(&mut rng));
            }
        }
        start.elapsed().as_secs_f64()
    });
    (VIEWS * WORLDS) as f64 / seconds
}

/// Deals played a second from the fourth lead to the end, settlement included.
fn playouts_per_s(game: &Game, time: Duration) -> f64 {
    const DEALS: usize = 1000;
    const TIMES: usize = 10;
    let states = mid_deal(game, DEALS);
    let deals: Vec<_> = states.iter().map(|state| OpenPlay::new(game, state)).collect();
    let mut rng = Seed::new(2).rng();
    let seconds = best(time, || {
        let start = Instant::now();
        for _ in 0..TIMES {
            for (open, at) in &deals {
                let end = Playout::Stopper.play_out(open, *black_box(at), &mut rng);
                black_box(open.gain(&end, at.leader()));
            }
        }
        start.elapsed().as_secs_f64()
    });
    (DEALS * TIMES) as f64 / seconds
}

/// Deals played a second from the fourth lead to the end by a network, as in training and search.
fn net_playouts_per_s(game: &Game, hidden: [usize; 2], time: Duration) -> f64 {
    const DEALS: usize = 192;
    let states = mid_deal(game, DEALS);
    let net = QuantisedNet::new(&Weights::init(&shape(hidden), 1));
    let policy: Box<dyn BatchPolicy + '_> = Box::new(NetBatch::new(&net));
    let (mut playouts, mut unused) = (Playouts::new([policy]), Seed::new(0).rng());
    let seconds = best(time, || {
        let mut deals = states.clone();
        let start = Instant::now();
        playouts.play_on(DealDriver::CHOICES, game, &mut deals, &mut unused);
        black_box(&deals);
        start.elapsed().as_secs_f64()
    });
    DEALS as f64 / seconds
}

/// A network for observations with these hidden layers.
fn shape(hidden: [usize; 2]) -> NetConfig {
    NetConfig { inputs: Observation::LEN, hidden: hidden.into(), actions: Action::COUNT }
}

/// Playouts a second of a whole search: a world for every so many of them, and each choice led.
fn pimc_playouts_per_s(game: &Game, time: Duration) -> f64 {
    const WORLDS: u32 = 60;
    let mut pimc = Pimc::new("pimc:60", Budget::Count(WORLDS), Playout::Stopper);
    let states = mid_deal(game, 200);
    let views: Vec<_> = states.iter().map(|state| state.view(game, leader(state))).collect();
    let playouts: usize = views.iter().map(|view| view.legal().len() * WORLDS as usize).sum();
    let mut rng = Seed::new(2).rng();
    let seconds = best(time, || {
        let start = Instant::now();
        for view in &views {
            black_box(pimc.act(view, &mut rng));
        }
        start.elapsed().as_secs_f64()
    });
    playouts as f64 / seconds
}

/// Microseconds for one forward pass, over observations of a random deal.
fn infer_us(game: &Arc<Game>, time: Duration) -> f64 {
    let net = QuantisedNet::new(&Weights::init(&shape([256, 256]), 1));
    let mut scratch = net.scratch();
    let mut rng = Seed::new(3).rng();
    let mut env = Env::new(game.clone(), Episode::Deal);
    let mut rows = Vec::new();
    while !env.is_over() {
        let view = env.observe(env.seat());
        rows.push(Observation::of(&view));
        let action = random::choice(view.legal(), &mut rng);
        env.step(action).expect("a legal action");
    }
    best(time, || {
        let start = Instant::now();
        for _ in 0..20 {
            for row in &rows {
                black_box(net.logits(row, &mut scratch));
            }
        }
        start.elapsed().as_secs_f64() * 1e6 / (20 * rows.len()) as f64
    })
}

/// Decisions a second through [`BatchEnv::step`]. What is timed is the steps alone, each with the
/// hand-over to the threads of the pool: the random choices between them, which on several threads
/// leave all but one idle, are made while the clock stands still, as a policy's would be.
fn batch_decisions_per_s(game: &Arc<Game>, time: Duration) -> f64 {
    /// Some three milliseconds: short, so that not every round is interrupted on a busy machine.
    const STEPS: u32 = 8;
    /// Until the tables are at all points of their deals.
    const WARM_UP: u32 = 200;
    let mut batch = BatchEnv::new(
        vec![(game.clone(), Episode::Deal); TABLES],
        Autoreset::SameStep,
        Seed::new(1),
    );
    let mut observations = vec![Observation::BLANK; TABLES];
    let mut legal = vec![ActionMask::NONE; TABLES];
    let mut seats = vec![0; TABLES];
    let mut rewards = vec![[0; MAX_PLAYERS]; TABLES];
    let mut over = vec![false; TABLES];
    let mut actions = vec![Action::KEEP; TABLES];
    let mut rng = Seed::new(2).rng();
    let mut buffers = Buffers {
        observations: &mut observations,
        legal: &mut legal,
        seats: &mut seats,
        rewards: &mut rewards,
        over: &mut over,
    };
    batch.observe_all(&mut buffers).expect("the buffers fit");
    let mut steps = |count: u32| {
        let mut stepping = Duration::ZERO;
        for _ in 0..count {
            for (action, &legal) in actions.iter_mut().zip(buffers.legal.iter()) {
                *action = random::choice(legal, &mut rng);
            }
            let start = Instant::now();
            batch.step(&actions, &mut buffers).expect("the actions are legal");
            stepping += start.elapsed();
        }
        stepping.as_secs_f64()
    };
    steps(WARM_UP);
    let seconds = best(time, || steps(STEPS));
    black_box(&buffers);
    f64::from(STEPS) * TABLES as f64 / seconds
}

/// Decisions a second with packed rows, kept from step to step, random choices included.
fn in_place_decisions_per_s(game: &Arc<Game>, time: Duration) -> f64 {
    let mut rows = PlainRows {
        observations: PlainObservations::PackedInPlace(&mut vec![
            [0; Observation::BYTES];
            FEW_TABLES
        ]),
        mask: &mut vec![[0; Action::COUNT]; FEW_TABLES],
        seats: &mut [0; FEW_TABLES],
        rewards: PlainRewards::Seats(&mut [[0.0; MAX_PLAYERS]; FEW_TABLES]),
        over: &mut [false; FEW_TABLES],
    };
    chosen_decisions_per_s(game, time, &mut rows)
}

/// Decisions a second with vectors of `f32` as rows, random choices included.
fn f32_decisions_per_s(game: &Arc<Game>, time: Duration) -> f64 {
    let mut rows = PlainRows {
        observations: PlainObservations::F32(&mut vec![[0.0; Observation::LEN]; FEW_TABLES]),
        mask: &mut vec![[0; Action::COUNT]; FEW_TABLES],
        seats: &mut [0; FEW_TABLES],
        rewards: PlainRewards::Seats(&mut [[0.0; MAX_PLAYERS]; FEW_TABLES]),
        over: &mut [false; FEW_TABLES],
    };
    chosen_decisions_per_s(game, time, &mut rows)
}

fn chosen_decisions_per_s(game: &Arc<Game>, time: Duration, rows: &mut impl Rows) -> f64 {
    /// Less than a millisecond: short, so that not every round is interrupted on a busy machine.
    const STEPS: u32 = 16;
    /// Until the tables are at all points of their deals.
    const WARM_UP: u32 = 200;
    let tables = vec![(game.clone(), Episode::Deal); FEW_TABLES];
    let mut batch = BatchEnv::new(tables, Autoreset::SameStep, Seed::new(1)).single_threaded();
    let mut actions = vec![Action::KEEP; FEW_TABLES];
    let mut rng = Seed::new(2).rng();
    batch.observe_all(rows).expect("the buffers fit");
    let mut steps = |count: u32| {
        let start = Instant::now();
        for _ in 0..count {
            for (table, action) in actions.iter_mut().enumerate() {
                *action = random::choice(batch.legal(table), &mut rng);
            }
            batch.step(&actions, rows).expect("the actions are legal");
        }
        start.elapsed().as_secs_f64()
    };
    steps(WARM_UP);
    let seconds = best(time, || steps(STEPS));
    f64::from(STEPS) * FEW_TABLES as f64 / seconds
}

/// Decisions learnt from a second by the trainer, on all threads.
#[derive(Default)]
struct Training {
    /// Whole updates, by phase of the preset `quick`.
    phases: [f64; 2],
    /// The learner's part of an update.
    learner: f64,
}

/// Trains short runs of the preset `quick` until the time is over; the fastest update counts.
fn training(time: Duration) -> Result<Training> {
    /// Two of each phase; the first one in a phase warms up.
    const UPDATES: u64 = 4;
    let sets = [format!("run.updates={UPDATES}"), "run.benchmark_every=0".into()];
    let config = Config::load("quick", None, &sets)?;
    let mut stopwatch = Stopwatch { start: Instant::now(), best: Training::default() };
    while stopwatch.best.learner == 0.0 || stopwatch.start.elapsed() < time {
        let folder = tempfile::tempdir()?;
        let threads = rayon::current_num_threads();
        Trainer::create(config.clone(), &folder.path().join("run"), threads)?
            .run(&mut stopwatch)?;
    }
    Ok(stopwatch.best)
}

/// Keeps the best speeds of a run.
struct Stopwatch {
    start: Instant,
    best: Training,
}

impl Observer for Stopwatch {
    fn seconds(&mut self) -> f64 {
        self.start.elapsed().as_secs_f64()
    }

    fn update(&mut self, progress: &Progress<'_>) -> Signal {
        let value = |name: &str| progress.row.get(name).unwrap_or_default();
        let (rows, seconds) = (value("rollout/rows"), value("time/update_seconds"));
        let second_phase = 2 * progress.update > progress.planned;
        let phase = &mut self.best.phases[usize::from(second_phase)];
        *phase = phase.max(rows / seconds);
        let learning = seconds - value("time/gather_seconds");
        self.best.learner = self.best.learner.max(rows / learning);
        Signal::GoOn
    }
}
