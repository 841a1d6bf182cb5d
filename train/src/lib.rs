//! Self-play training.
//!
//! A [`Config`] goes in; a run folder with checkpoints and metrics comes out.
//!
//! ```text
//! config → rollout (estimator → targets) → learner (objective → loss → adam) → benchmark → checkpoint
//! ```
//!
//! Other processes may compute rollouts: see [`gather`].
//!
//! A run is a function of its configuration. The library prints nothing, draws no entropy from the
//! operating system and reads no clock but that of its [`Observer`]; only TensorBoard's events carry the
//! time of day. It does not depend on the program, on terminals or on `newmarket-eval`. No other crate of
//! the workspace uses burn.
//!
//! A learning algorithm is values of the phases of a configuration: an [`estimator`] of targets, an
//! [`objective`], and where rows are kept a [`memory`]. Each is one file, in this crate or in another: an
//! implementation of a trait under a name, which a configuration then has (`train/examples/2_mmd.rs`).
//!
//! ```
//! use newmarket_train::{Config, Quiet, Trainer};
//!
//! # let dir = tempfile::tempdir()?;
//! # let folder = dir.path().join("run");
//! let sets = ["run.updates=2", "rollout.deals=4", "network.hidden=[8]", "run.benchmark_every=0"];
//! let config = Config::load("quick", None, &sets.map(String::from))?;
//! Trainer::create(config, &folder, 1)?.run(&mut Quiet)?;
//! assert!(folder.join("checkpoints/update-000002.ckpt").exists());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod adam;
mod benchmark;
pub mod config;
mod deal;
pub mod device;
mod equivariance;
mod error;
pub mod estimator;
pub mod gather;
mod league;
pub mod learner;
mod line_log;
pub mod loss;
pub mod memory;
pub mod metrics;
pub mod normalise;
pub mod objective;
mod params;
pub mod policies;
mod policy_net;
pub mod rollout;
mod row_sums;
mod sampling;
mod schedule;
mod session_payoff;
mod sparse;
mod state;
mod trainer;
pub mod trajectory;
pub mod workers;

pub use benchmark::{Benchmark, BenchmarkChange};
pub use config::Config;
pub use error::TrainError;
pub use session_payoff::SessionPayoff;
pub use state::{Best, RunState};
pub use trainer::{Ended, Observer, Progress, Quiet, Signal, Trainer, is_training};
