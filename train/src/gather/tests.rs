//! Messages are read back, faulty ones are refused, and all workers compute the same.

use super::*;
use crate::config::Config;
use crate::{Quiet, Trainer};
use newmarket_env::seed::{Rng, Seed, below};
use newmarket_env::{Action, Observation};
use rand_core::Rng as _;
use std::path::Path;
use std::sync::{Arc, Mutex};

/// Bytes before the first row.
const HEADER: usize = 8 + 4 + 16 + 8 + 32 + 4 + 4 + 3 * 8;

/// A run of a second in which every kind of network sits at the tables; `folder` is for files.
fn config(folder: &Path, sets: &[&str]) -> Config {
    let network = folder.join("network.ckpt");
    if !network.exists() {
        let saved = newmarket_checkpoints::roster::net_checkpoint(Path::new("champion"));
        saved.expect("comes with the program").write(&network).expect("written");
    }
    let rules = folder.join("mine.toml");
    std::fs::write(&rules, "base = \"michigan\"\nper_card = 2\n").expect("written");
    let (network, rules) = (network.display(), rules.display());
    let own = [
        format!(
            "tables=[{{ rules = '{rules}', players = 3, share = 1, episode = 'carried_deal' }}, \
                 {{ rules = 'newmarket', players = [4, 5], share = 2, episode = 'deal' }}, \
                 {{ rules = 'houses', players = [3, 6], share = 2, episode = 'carried_deal' }}]"
        ),
        format!(
            "opponents.agents=[{{ agent = 'net:{network}', share = 0.2 }}, \
                 {{ agent = 'pimc:2', share = 0.2, playout_policy = 'net:champion' }}]"
        ),
    ];
    let always = [
        "network.hidden=[16, 12]",
        "network.symmetry=colours",
        "run.updates=5",
        "run.checkpoint_every=1",
        "run.benchmark_every=0",
        "rollout.deals=160",
        "learner.minibatch=64",
        "phases.0.estimator.worlds=2",
        "phases.1.estimator.playouts=2",
    ];
    let sets: Vec<String> =
        own.into_iter().chain(always.iter().chain(sets).map(|&s| s.into())).collect();
    Config::load("quick", None, &sets).expect("a configuration")
}

/// Computes shards by messages, as on other machines: by several workers, in another order, some of them
/// twice.
#[derive(Clone, Default)]
struct ByMessages {
    /// By update, how many shards it had.
    shards: Arc<Mutex<Vec<usize>>>,
    elsewhere: Arc<Mutex<[RolloutWorker; 2]>>,
}

impl Gather for ByMessages {
    fn gather(&mut self, plan: &Plan, _: &Workers) -> Result<Vec<Rollout>, TrainError> {
        let message = plan.to_bytes()?;
        let form = ShardForm::of(plan, &message);
        let mut elsewhere = self.elsewhere.lock().expect("free");
        for worker in &mut *elsewhere {
            for network in plan.networks() {
                if !worker.knows(network.id()) {
                    worker.add_network(network.bytes())?;
                }
            }
            worker.set_plan(&message)?;
        }
        let mut shards: Vec<Vec<u8>> = vec![Vec::new(); plan.shards()];
        for index in (0..plan.shards()).rev().chain([0]) {
            let again = elsewhere[index % 2].gather(index)?;
            assert!(shards[index].is_empty() || shards[index] == again);
            shards[index] = again;
        }
        let rollouts = shards.iter().enumerate().map(|(index, shard)| form.read(index, shard));
        let rollouts = rollouts.collect::<Result<_, _>>()?;
        self.shards.lock().expect("free").push(shards.len());
        Ok(rollouts)
    }
}

/// The last checkpoint of a run.
fn trained(config: &Config, folder: &Path, gather: Box<dyn Gather>) -> Vec<u8> {
    let mut trainer = Trainer::create(config.clone(), folder, 2).expect("begins");
    trainer.gather_with(gather);
    trainer.run(&mut Quiet).expect("runs");
    std::fs::read(folder.join("checkpoints/update-000005.ckpt")).expect("saved")
}

const OUTCOMES: &str = "phases=[{ until = 1, objective = { kind = 'clipped', clip = 0.2, entropy = 0 }, \
     estimator = { kind = 'gae', lambda = 0.9 } }]";

const SESSIONS: &str =
    "tables=[{ rules = 'houses', players = [3, 5], share = 1, episode = 'session' }]";

#[test]
fn who_gathers_changes_no_byte() {
    for sets in [&[][..], &[OUTCOMES], &[SESSIONS, "rollout.deals=640"]] {
        let dir = tempfile::tempdir().expect("a folder");
        let config = config(dir.path(), sets);
        let here = trained(&config, &dir.path().join("here"), Box::new(Local));
        let by_messages = ByMessages::default();
        let there = trained(&config, &dir.path().join("there"), Box::new(by_messages.clone()));
        assert!(here == there, "another checkpoint");
        let shards = by_messages.shards.lock().expect("free");
        assert!(shards.len() == 5 && shards.iter().all(|&shards| shards > 2), "{shards:?}");
    }
}

/// A worker elsewhere has neither the file of a strategy nor the network on which it builds.
#[test]
fn a_worker_plays_strategies_by_their_content() {
    let dir = tempfile::tempdir().expect("a folder");
    let (mine, network) = (dir.path().join("strategy.toml"), dir.path().join("below.ckpt"));
    let saved = newmarket_checkpoints::roster::net_checkpoint(Path::new("hard"));
    saved.expect("comes with the program").write(&network).expect("written");
    let text =
        format!("base = 'net:{}'\nlead = ['most cards']\nante = 'even'\n", network.display());
    std::fs::write(&mine, text).expect("written");
    let opponents =
        format!("opponents.agents=[{{ agent = 'strategy:{}', share = 0.6 }}]", mine.display());
    let config = config(dir.path(), &[&opponents]);
    let here = trained(&config, &dir.path().join("here"), Box::new(Local));
    let mut trainer = Trainer::create(config, &dir.path().join("there"), 2).expect("begins");
    for file in [mine, network] {
        std::fs::remove_file(file).expect("removed");
    }
    trainer.gather_with(Box::new(ByMessages::default()));
    trainer.run(&mut Quiet).expect("runs");
    let there = std::fs::read(dir.path().join("there/checkpoints/update-000005.ckpt"));
    assert!(here == there.expect("saved"), "another checkpoint");
}

/// A plan with its messages: the last of a run.
struct Sent {
    _dir: tempfile::TempDir,
    plan: Vec<u8>,
    shard: Vec<u8>,
    form: ShardForm,
    networks: Vec<Vec<u8>>,
}

fn sent() -> Sent {
    type Latest = Option<(Vec<u8>, ShardForm, Vec<Vec<u8>>)>;
    #[derive(Clone, Default)]
    struct Keep(Arc<Mutex<Latest>>);
    impl Gather for Keep {
        fn gather(&mut self, plan: &Plan, workers: &Workers) -> Result<Vec<Rollout>, TrainError> {
            let message = plan.to_bytes()?;
            let form = ShardForm::of(plan, &message);
            let networks = plan.networks().iter().map(|network| network.bytes().to_vec()).collect();
            *self.0.lock().expect("free") = Some((message, form, networks));
            Local.gather(plan, workers)
        }
    }
    let dir = tempfile::tempdir().expect("a folder");
    let keep = Keep::default();
    trained(&config(dir.path(), &[]), &dir.path().join("run"), Box::new(keep.clone()));
    let (plan, form, networks) = keep.0.lock().expect("free").take().expect("updates");
    let mut worker = RolloutWorker::new();
    add_network(&mut worker, &networks);
    worker.set_plan(&plan).expect("a plan");
    let shard = worker.gather(1).expect("a shard");
    Sent { _dir: dir, plan, shard, form, networks }
}

fn add_network(worker: &mut RolloutWorker, networks: &[Vec<u8>]) {
    for network in networks {
        worker.add_network(network).expect("an opponent network");
    }
}

/// The seal that a message should have.
fn sealed(mut message: Vec<u8>) -> Vec<u8> {
    if let Some(body) = message.len().checked_sub(32) {
        let seal = blake3::hash(&message[..body]);
        message[body..].copy_from_slice(seal.as_bytes());
    }
    message
}

#[test]
fn a_shard_that_is_not_whole_or_not_this_one_is_refused_in_one_line() {
    let Sent { shard, form, .. } = sent();
    let refused = |index: usize, message: &[u8]| {
        let line = form.read(index, message).expect_err("refused").to_string();
        assert!(line.starts_with(&format!("shard {index}: ")) && !line.contains('\n'), "{line}");
        line
    };
    let changed = |at: usize, bytes: &[u8]| {
        let mut message = shard.clone();
        message[at..at + bytes.len()].copy_from_slice(bytes);
        sealed(message)
    };
    let row = |at: usize, bytes: &[u8]| refused(1, &changed(HEADER + at, bytes));
    let (legal, kind) = (Observation::BYTES, Observation::BYTES + 16);
    form.read(1, &shard).expect("as it was written");
    for (line, word) in [
        (refused(0, &shard), "it is shard 1"),
        (refused(99, &shard), "the plan has"),
        (refused(1, &[]), "0 bytes"),
        (refused(1, &shard[..shard.len() - 1]), "seal"),
        (refused(1, &sealed(shard[..shard.len() - 1].to_vec())), "ends within"),
        (refused(1, &sealed([&shard[..], &[0; 3]].concat())), "3 bytes follow"),
        (refused(1, &changed(0, b"x")), "another kind of message"),
        (refused(1, &changed(8, &[2])), "version is 2"),
        (refused(1, &changed(12, b"0000000000000000")), "same sources"),
        (refused(1, &changed(28, &[1; 8])), "encoding is 0101010101010101"),
        (refused(1, &changed(36, &[1; 32])), "another plan"),
        (refused(1, &changed(72, &[255; 4])), "number of decisions"),
        (refused(1, &changed(76, &[255; 8])), "number of deals"),
        (refused(1, &changed(84, &[255; 8])), "number of decisions"),
        (refused(1, &changed(92, &[255; 8])), "playouts' decisions"),
        (row(0, &[255; Observation::BYTES]), "row 0 of "),
        (row(legal, &[0; 16]), "legal actions are 0x0"),
        (row(legal, &(1_u128 << Action::COUNT | 1).to_le_bytes()), "legal actions"),
        (row(kind, &[255; 2]), "kind of decision is 65535"),
        (row(kind + 2, &f32::NAN.to_le_bytes()), "value is NaN, expected a finite number"),
        (row(kind + 6, &f32::INFINITY.to_le_bytes()), "target is inf"),
        (
            row(kind + 10, &0.5_f32.to_le_bytes()),
            "log-probability is 0.5, expected a finite number, at",
        ),
        (row(kind + 14, &2.0_f32.to_le_bytes()), "weight is 2, expected 0 to 1"),
        (row(kind + 18, &f32::NEG_INFINITY.to_le_bytes()), "advantage is -inf"),
    ] {
        assert!(line.contains(word), "{word} is missing: {line}");
    }
    let mut damaged = shard.clone();
    damaged[HEADER + 5] ^= 1;
    assert!(refused(1, &damaged).contains("damaged"));
}

#[test]
fn a_plan_that_cannot_be_played_is_refused_in_one_line() {
    use newmarket_checkpoints::Checkpoint;
    let Sent { plan, networks, .. } = sent();
    let mut worker = RolloutWorker::new();
    let refused = |worker: &mut RolloutWorker, plan: &[u8]| {
        let line = worker.set_plan(plan).expect_err("refused").to_string();
        assert!(line.starts_with("the plan: ") && !line.contains('\n'), "{line}");
        line
    };
    assert!(worker.gather(0).expect_err("too early").to_string().contains("no plan yet"));
    assert!(refused(&mut worker, &plan).contains("was not sent"));
    assert!(
        worker
            .add_network(&plan[..99])
            .expect_err("half")
            .to_string()
            .starts_with("an opponent network: ")
    );
    add_network(&mut worker, &networks);
    let changed = |change: &dyn Fn(&mut Checkpoint)| {
        let mut saved = Checkpoint::from_bytes(&plan).expect("a checkpoint");
        change(&mut saved);
        saved.to_bytes().expect("written")
    };
    let swapped = |from: &'static str, to: &'static str| {
        move |saved: &mut Checkpoint| {
            for text in [&mut saved.run.training, &mut saved.run.trainer_state] {
                *text = text.replace(from, to);
            }
        }
    };
    for (message, word) in [
        (plan[..plan.len() - 1].to_vec(), "truncated"),
        (changed(&|saved| saved.run.encoding.fingerprint ^= 1), "encoding"),
        (changed(&swapped(BUILD, "0000000000000000")), "same sources"),
        (changed(&|saved| saved.run.trainer_state = "x".into()), "its details"),
        (changed(&|saved| saved.run.update = 5), "none is left"),
        (changed(&swapped("deals = 160", "deals = 0")), "rollout.deals"),
        (changed(&swapped("pimc:2", "nobody")), "unknown agent `nobody`"),
        (changed(&swapped("per_card = 2", "per_card = -2")), "per_card"),
        (changed(&swapped("    12,", "    13,")), "hidden layers"),
        (changed(&swapped("newmarket\"", "/etc/passwd\"")), "/etc/passwd"),
    ] {
        let line = refused(&mut worker, &message);
        assert!(line.contains(word), "{word} is missing: {line}");
    }
    worker.set_plan(&plan).expect("as it was written");
    assert!(worker.gather(999).expect_err("none").to_string().contains("the plan has"));
}

/// Changes a few bytes, or drops, doubles or adds some.
fn spoil(message: &mut Vec<u8>, rng: &mut Rng) {
    for _ in 0..=below(rng, 3) {
        let at = below(rng, message.len() as u32) as usize;
        let end = (at + 1 + below(rng, 8) as usize).min(message.len());
        match below(rng, 8) {
            0 => drop(message.drain(at..end)),
            1 => message.extend_from_within(at..end),
            2 => message[at..end].fill(0xff),
            3 => message[at..end].fill(0),
            _ => message[at] = rng.next_u64() as u8,
        }
    }
}

#[test]
fn whatever_bytes_come_in_are_refused_or_rows_that_can_be_learnt_from() {
    let Sent { plan, shard, form, networks, .. } = sent();
    let (mut rng, mut taken) = (Seed::new(5).rng(), 0);
    // Few rows, so that what stands before them is hit as well.
    let short = {
        let one = form.read(1, &shard).expect("whole");
        let mut few = shard[..HEADER].to_vec();
        let row = shard.len() / one.targets.rows.len();
        few[72..76].copy_from_slice(&0_u32.to_le_bytes());
        few.extend(&shard[HEADER..HEADER + row]);
        few.extend([0; 32]);
        few
    };
    for nth in 0..4000 {
        let mut message = if nth % 2 == 0 { shard.clone() } else { short.clone() };
        spoil(&mut message, &mut rng);
        let message = sealed(message);
        let Ok(read) = form.read(1, &message) else { continue };
        taken += 1;
        assert!(form.write(1, &read) == message, "written, it is another message");
        let rows = read.targets.rows;
        let mut vector = vec![0.0; Observation::LEN];
        for row in 0..rows.len() {
            rows.observations[row].write(&mut vector);
            assert_eq!(rows.actions(row).len(), rows.legal[row].count_ones() as usize);
        }
        let columns =
            [&rows.values, &rows.targets, &rows.log_probs, &rows.weights, &rows.advantages];
        assert!(columns.into_iter().flatten().all(|number| number.is_finite()));
    }
    assert!(taken > 200, "{taken} of 4000: what was changed is not reached");
    let mut worker = RolloutWorker::new();
    add_network(&mut worker, &networks);
    for _ in 0..60 {
        let mut message = plan.clone();
        // The head is where the words are.
        let words = message.len().min(12_000) as u32;
        let at = below(&mut rng, words) as usize;
        message[at] = rng.next_u64() as u8;
        if worker.set_plan(&sealed(message)).is_ok() {
            worker.gather(0).expect("a shard");
        }
    }
}
