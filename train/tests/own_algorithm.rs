//! An algorithm of another crate, by public names alone: an estimator, an objective and a memory.

mod stop_after;

use newmarket_checkpoints::{Checkpoint, list};
use newmarket_env::Observation;
use newmarket_env::seed::Rng;
use newmarket_train::config::Schedule;
use newmarket_train::estimator::{DueDecision, EstimateTargets, TargetEstimator, Targets};
use newmarket_train::memory::{Kept, RowMemory};
use newmarket_train::objective::{Objective, PolicyBatch, Tensor};
use newmarket_train::policies::Policies;
use newmarket_train::trajectory::{PolicyDecision, RolloutRows};
use newmarket_train::{Config, Ended, Quiet, Trainer};
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::{Path, PathBuf};
use stop_after::StopAfter;

/// The chips of the deal after a decision, whatever the value head says.
#[derive(Debug, Serialize, Deserialize)]
struct Outcome;

#[typetag::serde(name = "test_outcome")]
impl TargetEstimator for Outcome {
    fn about(&self) -> String {
        "outcomes".into()
    }

    fn worker<'a>(&self, _: &'a Policies<'a>) -> Box<dyn EstimateTargets + 'a> {
        Box::new(Open(Vec::new()))
    }
}

/// Decisions of a deal, each with its seat, the action taken and the chips since.
struct Open(Vec<(usize, PolicyDecision<Observation>, usize, f32)>);

impl EstimateTargets for Open {
    fn pay(&mut self, seat: usize, chips: f32) {
        self.0.iter_mut().filter(|open| open.0 == seat).for_each(|open| open.3 += chips);
    }

    fn decide(
        &mut self,
        turn: &DueDecision<'_>,
        decision: PolicyDecision<Observation>,
        taken: usize,
        _: &mut Rng,
        _: &mut Targets,
    ) {
        assert_eq!(turn.legal().bits(), decision.legal);
        assert_eq!(turn.opponent(turn.seat()), None);
        self.0.push((turn.seat(), decision, taken, 0.0));
    }

    fn settle(&mut self, targets: &mut Targets) {
        for (_, decision, taken, chips) in self.0.drain(..) {
            let gain = chips - decision.value;
            targets.rows.push_sampled_action(decision, taken, gain);
        }
    }
}

/// The clipped surrogate once more.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Twin {
    clip: Schedule,
    entropy: Schedule,
}

#[typetag::serde(name = "test_twin")]
impl Objective for Twin {
    fn about(&self) -> String {
        "a twin".into()
    }

    fn loss(&self, batch: &PolicyBatch<'_>) -> Tensor<1> {
        let clip = self.clip.at(batch.progress) as f32;
        let free = batch.advantages.clone() * batch.ratio.clone();
        let cut = batch.advantages.clone() * batch.ratio.clone().clamp(1.0 - clip, 1.0 + clip);
        (free.min_pair(cut) * batch.weights.clone()).sum().neg()
    }

    fn entropy_weight(&self, progress: f64) -> Option<f32> {
        Some(self.entropy.at(progress) as f32)
    }

    fn faults(&self) -> Vec<String> {
        let fault = (self.clip.least() <= 0.0).then(|| "`clip` is no range".to_owned());
        fault.into_iter().collect()
    }
}

/// The rows of this update and of the one before.
#[derive(Debug, Serialize, Deserialize)]
struct Twice;

#[typetag::serde(name = "test_twice")]
impl RowMemory for Twice {
    fn about(&self) -> String {
        "rows twice".into()
    }

    fn recall(
        &self,
        kept: &mut Kept,
        new: &RolloutRows<Observation>,
        _: &mut Rng,
    ) -> RolloutRows<Observation> {
        let mut seen = std::mem::replace(&mut kept.rows, new.clone());
        seen.append(new.clone());
        seen
    }
}

const GAE: &str = "{ kind = 'gae', lambda = 0.9 }";
const CLIPPED: &str =
    "{ kind = 'clipped', clip = 0.2, entropy = { linear = { from = 0.1, to = 0 } } }";

fn phase(until: f64, estimator: &str, objective: &str, memory: &str) -> String {
    let memory = if memory.is_empty() { String::new() } else { format!(", memory = {memory}") };
    format!("{{ until = {until}, estimator = {estimator}, objective = {objective}{memory} }}")
}

fn config(phases: &[String]) -> Config {
    let phases = format!("phases=[{}]", phases.join(", "));
    let sets = [
        "seed=11",
        "network.hidden=[16, 12]",
        "run.updates=8",
        "run.checkpoint_every=3",
        "run.keep=2",
        "run.benchmark_every=0",
        "rollout.deals=24",
        "learner.minibatch=64",
        &phases,
    ];
    Config::load("quick", None, &sets.map(String::from)).expect("a configuration")
}

fn folder() -> (tempfile::TempDir, PathBuf) {
    let dir = tempfile::tempdir().expect("a folder");
    let run = dir.path().join("run");
    (dir, run)
}

fn last(folder: &Path) -> Checkpoint {
    let (_, last) = list(&folder.join("checkpoints")).expect("listed").pop().expect("saved");
    Checkpoint::read(&last).expect("whole")
}

/// A whole run, which was stopped and resumed after so many updates.
fn run(config: &Config, stops: &[u64], threads: usize) -> Checkpoint {
    let (_keep, path) = folder();
    let mut trainer = Trainer::create(config.clone(), &path, threads).expect("begins");
    for &stop in stops {
        assert_eq!(trainer.run(&mut StopAfter(stop)).expect("runs"), Ended::Interrupted);
        drop(trainer);
        trainer = Trainer::resume(&path, threads).expect("goes on");
    }
    assert_eq!(trainer.run(&mut Quiet).expect("runs"), Ended::Finished);
    last(&path)
}

#[test]
fn a_twin_of_an_objective_learns_the_same() {
    let twin = CLIPPED.replace("clipped", "test_twin");
    let [one, other] = [CLIPPED, &twin].map(|it| run(&config(&[phase(1.0, GAE, it, "")]), &[], 2));
    assert_eq!(one.weights, other.weights);
    assert!(other.run.training.contains("test_twin"), "{}", other.run.training);
}

#[test]
fn stopped_and_resumed_is_the_same_run() {
    let outcome = "{ kind = 'test_outcome' }";
    let twin = CLIPPED.replace("clipped", "test_twin");
    let own = config(&[phase(1.0, outcome, &twin, "{ kind = 'test_twice' }")]);
    let reservoir = "{ kind = 'reservoir', capacity = 700, sample = 200 }";
    let two = config(&[phase(0.6, outcome, CLIPPED, reservoir), phase(1.0, GAE, CLIPPED, "")]);
    for config in [own, two] {
        let whole = run(&config, &[], 2);
        assert_eq!(run(&config, &[4, 2], 1), whole);
        assert_eq!(run(&config, &[1, 5], 2), whole);
        let mut without = config;
        without.phases.iter_mut().for_each(|phase| phase.memory = None);
        assert_ne!(run(&without, &[], 2).weights, whole.weights, "a memory makes a difference");
    }
}

#[test]
fn what_was_kept_is_beside_the_checkpoints_that_are_kept() {
    let config = config(&[
        phase(0.75, GAE, CLIPPED, "{ kind = 'test_twice' }"),
        phase(1.0, GAE, CLIPPED, ""),
    ]);
    let (_keep, path) = folder();
    let mut trainer = Trainer::create(config, &path, 1).expect("begins");
    let names = || {
        let files = fs::read_dir(path.join("checkpoints")).expect("listed");
        let names =
            files.map(|file| file.expect("a file").file_name().into_string().expect("UTF-8"));
        let mut names: Vec<String> = names.collect();
        names.sort();
        names
    };
    trainer.run(&mut StopAfter(4)).expect("runs");
    let pair = |update| ["ckpt", "rows"].map(|ending| format!("update-00000{update}.{ending}"));
    assert_eq!(names(), [pair(3), pair(4)].concat());
    drop(trainer);
    // Without its file, or with a damaged one, a run does not go on as if nothing had been kept.
    let file = path.join("checkpoints").join(&pair(4)[1]);
    let bytes = fs::read(&file).expect("readable");
    let mut damaged = bytes.clone();
    damaged[bytes.len() / 2] ^= 1;
    for (content, word) in [(Some(damaged), "its seal does not match"), (None, "earlier updates")] {
        match content {
            Some(content) => fs::write(&file, content).expect("written"),
            None => fs::remove_file(&file).expect("removed"),
        }
        let message = Trainer::resume(&path, 1).err().expect("refused").to_string();
        assert!(message.contains("update-000004.rows") && message.contains(word), "{message}");
        assert!(!message.contains('\n'), "{message}");
    }
    fs::write(&file, bytes).expect("written");
    Trainer::resume(&path, 1).expect("goes on").run(&mut Quiet).expect("runs");
    assert_eq!(names(), [pair(6).to_vec(), vec![pair(8)[0].clone()]].concat());
}

#[test]
fn faults_of_other_crates_are_told() {
    let load = |phase: &str| {
        let sets = [format!("phases=[{phase}]")];
        Config::load("quick", None, &sets).expect_err("refused").to_string()
    };
    let faulty = phase(1.0, GAE, "{ kind = 'test_twin', clip = 0, entropy = 0 }", "");
    assert!(load(&faulty).contains("phases.0: `clip` is no range"), "{}", load(&faulty));
    for (objective, word) in [
        ("{ kind = 'test_twig' }", "unknown variant `test_twig`, expected one of `clipped`"),
        ("{ kind = 'test_twin', clip = 0.2, entropy = 0, more = 1 }", "unknown field `more`"),
        ("{ kind = 'test_twin', clip = 'wide', entropy = 0 }", "expected a number, or a schedule"),
    ] {
        let message = load(&phase(1.0, GAE, objective, ""));
        assert!(message.contains(word) && !message.contains('\n'), "{message}");
    }
}
