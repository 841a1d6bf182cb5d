//! An algorithm of its own in one file: magnetic mirror descent with PPO (Sokota et al. 2023, *A Unified Approach to
//! Reinforcement Learning, Quantal Response Equilibria, and Two-Player Zero-Sum Games*; Rudolph et al. 2025,
//! *Reevaluating Policy Gradient Methods for Imperfect-Information Games*).
//!
//! The objective is new: PPO's clipped surrogate, less the divergence from the policy of the rollout, plus a
//! bonus for entropy, which is the magnet: the divergence from the uniform policy. Estimator, rollout, learner,
//! checkpoints and `Trainer::resume` are those of the crate. Policies are drawn as they are, at temperature 1.
//!
//! ```sh
//! cargo run --release -p newmarket-train --example 2_mmd -- eval/games/auction.toml 3 runs/mmd
//! ```
//!
//! trains for three minutes, and prints the exact `NashConv` of what the last checkpoint plays.
#![expect(clippy::print_stdout, reason = "an example speaks to the person who runs it")]

use newmarket_train::config::Schedule;
use newmarket_train::objective::{Objective, PolicyBatch, Tensor};
use newmarket_train::{Config, Observer, Progress, Signal, Trainer};
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::process::Command;
use std::time::Instant;

/// Its values, as a configuration has them.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Mmd {
    /// ε of PPO.
    clip: Schedule,
    /// Weight of the divergence from the policy of the rollout, KL(new ‖ old): one over the step size.
    stay: Schedule,
    /// Weight of the divergence from the uniform policy: the temperature, which must fall.
    magnet: Schedule,
}

#[typetag::serde(name = "mmd")]
impl Objective for Mmd {
    fn about(&self) -> String {
        "magnetic mirror descent".into()
    }

    fn loss(&self, batch: &PolicyBatch<'_>) -> Tensor<1> {
        let clip = self.clip.at(batch.progress) as f32;
        let free = batch.advantages.clone() * batch.ratio.clone();
        let cut = batch.advantages.clone() * batch.ratio.clone().clamp(1.0 - clip, 1.0 + clip);
        let gain = (free.min_pair(cut) * batch.weights.clone()).sum();
        let moved = (batch.log_probs.clone().exp() * batch.log_ratio.clone()).sum();
        moved.mul_scalar(self.stay.at(batch.progress) as f32) - gain
    }

    // KL(policy ‖ uniform) is a constant less the entropy.
    fn entropy_weight(&self, progress: f64) -> Option<f32> {
        Some(self.magnet.at(progress) as f32)
    }
}

/// What differs from the preset `quick`.
const SETTINGS: [&str; 12] = [
    "phases=[{ until = 1, estimator = { kind = 'gae', lambda = 0.95 }, \
     objective = { kind = 'mmd', clip = 0.2, stay = 0.05, magnet = { linear = { from = 0.1, to = 0.005 } } } }]",
    "rollout.deals=2048",
    "learner.epochs=4",
    "learner.learning_rate={ linear = { from = 1e-3, to = 1e-5 } }",
    "run.benchmark_every=0",
    "run.ema_decay=0.9",
    "plays.ante=1",
    "plays.ante_after_look=1",
    "plays.dead_hand=1",
    "plays.auction=1",
    "plays.bet=1",
    "plays.lead=1",
];

/// The clock alone.
struct Clock(Instant);

impl Observer for Clock {
    fn seconds(&mut self) -> f64 {
        self.0.elapsed().as_secs_f64()
    }

    fn update(&mut self, _: &Progress<'_>) -> Signal {
        Signal::GoOn
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [pack, minutes, folder, sets @ ..] = &args[..] else {
        return Err("expected PACK MINUTES FOLDER [KEY=VALUE]…".into());
    };
    let minutes = format!("run.minutes={minutes}");
    let sets = SETTINGS.map(String::from).into_iter().chain([minutes]).chain(sets.iter().cloned());
    let config = Config::load("quick", None, &sets.collect::<Vec<_>>())?;
    let config = config.at_one_table(Some(pack), None)?;
    let players = config.tables[0].games()?[0].players();
    let mut trainer = Trainer::create(config, Path::new(folder), 0)?;
    trainer.run(&mut Clock(Instant::now()))?;
    let update = trainer.state().update;
    println!("{update} updates");
    // The exact best response is a command of the program: training knows no evaluation.
    let checkpoint = format!("net:{folder}/checkpoints/update-{update:06}.ckpt");
    let exploit = ["exploit", &checkpoint, "--rules", pack, "--players", &players.to_string()];
    Command::new("cargo").args(["run", "--release", "--quiet", "--"]).args(exploit).status()?;
    Ok(())
}
