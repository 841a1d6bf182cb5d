//! Trains a small policy for a few seconds and shows what it learnt.
//!
//! ```sh
//! cargo run --release -p newmarket-train --example 1_train -- runs/first
//! tensorboard --logdir runs/first
//! ```
#![expect(clippy::print_stdout, reason = "an example speaks to the person who runs it")]

use newmarket_train::{Config, Observer, Progress, Signal, Trainer};
use std::path::Path;
use std::time::Instant;

/// The clock, and a line for every measurement.
struct Show(Instant);

impl Observer for Show {
    fn seconds(&mut self) -> f64 {
        self.0.elapsed().as_secs_f64()
    }

    fn update(&mut self, progress: &Progress<'_>) -> Signal {
        for benchmark in progress.benchmarks {
            let (update, planned) = (progress.update, progress.planned);
            let (gain, ci95, against) = (benchmark.gain, benchmark.ci95, &benchmark.against);
            println!("{update:3}/{planned}: {gain:+.2} ± {ci95:.2} chips a deal over {against}");
        }
        Signal::GoOn
    }
}

fn main() -> Result<(), newmarket_train::TrainError> {
    let folder = std::env::args().nth(1).unwrap_or_else(|| "runs/first".into());
    let sets = ["run.updates=20", "run.benchmark_every=5", "rollout.deals=512"].map(String::from);
    let config = Config::load("quick", None, &sets)?;
    let ended = Trainer::create(config, Path::new(&folder), 0)?.run(&mut Show(Instant::now()))?;
    println!("{ended:?}: the policy is {folder}/checkpoints/best.ckpt");
    Ok(())
}
