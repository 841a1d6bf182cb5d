//! Self-play training.
//!
//! ```text
//! config → rollout → trajectory → advantage → learner (loss, adam) → metrics, checkpoint
//! ```
//!
//! The library prints nothing, draws no entropy from the operating system and reads no clock but
//! the one it is given (only TensorBoard's events carry the time of day); a run is a function of
//! its configuration.

pub mod adam;
pub mod advantage;
pub mod config;
pub mod device;
mod error;
mod events;
pub mod heads;
pub mod hidden;
pub mod league;
pub mod learner;
pub mod loss;
mod measured;
pub mod metrics;
pub mod normalise;
pub mod params;
pub mod policy_net;
mod record;
pub mod rollout;
pub mod schedule;
pub mod speed;
pub mod state;
pub mod ties;
pub mod trainer;
pub mod trajectory;
pub mod workers;
pub mod yardstick;

pub use config::Config;
pub use error::TrainError;
pub use measured::Change;
pub use trainer::{Ended, Observer, Progress, Quiet, Signal, Trainer};
