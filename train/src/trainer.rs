//! A run: roll out, learn, benchmark, save; in a folder that is readable at every moment.
//!
//! ```text
//! DIR/config.toml          everything that the run is a function of; with it the folder is a run
//! DIR/metrics.jsonl        one row an update
//! DIR/events.out.tfevents… the same for TensorBoard
//! DIR/benchmarks.jsonl     each benchmark deal by deal, with which later ones are compared
//! DIR/report.html          a page for people, written by the program from the files above
//! DIR/checkpoints/         the latest ones, and best.ckpt
//! DIR/networks/            copies of the networks that the configuration names
//! ```
//!
//! A checkpoint holds a state between two updates, and an update is a function of that state and
//! its number. So a run that is stopped and resumed ends with the same weights, to the bit, as one
//! that is not; a run that was killed is resumed from its last checkpoint, and what came after is
//! dropped. One process at a time trains in a folder.

mod clock;
mod folder;
mod stopped;
mod update;

use crate::TrainError;
use crate::benchmark::{Benchmark, BenchmarkHistory};
use crate::config::Config;
use crate::device::Backend;
use crate::gather::{Gather, Guest, Local};
use crate::league::League;
use crate::metrics::{Metrics, MetricsRow};
use crate::policies::Opponent;
use crate::rollout::{Mix, Rollout};
use crate::state::RunState;
use crate::workers::Workers;
pub use folder::is_training;
use newmarket_agents::Player;
use newmarket_net::QuantisedNet;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use stopped::stopped;

/// The child of a run's seed that benchmarks have. The first weights have the seed itself; updates
/// have another child.
const BENCHMARK: u64 = 2;
/// The child that contests for the best policy have, each its own by its update.
const CONTEST: u64 = 3;

/// How a call of [`Trainer::run`] ended; in each case the state is saved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// All planned updates are done.
    Finished,
    /// The observer asked to stop.
    Interrupted,
}

/// Whether to go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Signal {
    /// With the next update.
    GoOn,
    /// After saving.
    Stop,
}

/// The clock of a run, and whoever watches it.
pub trait Observer {
    /// Seconds since any fixed moment; must not decrease.
    fn seconds(&mut self) -> f64;

    /// Called after every update; the answer can stop the run.
    fn update(&mut self, progress: &Progress<'_>) -> Signal;
}

/// An observer without a clock that looks at nothing and never stops a run: for tests, and where
/// only the planned updates count.
#[derive(Clone, Copy, Debug, Default)]
pub struct Quiet;

impl Observer for Quiet {
    fn seconds(&mut self) -> f64 {
        0.0
    }

    fn update(&mut self, _: &Progress<'_>) -> Signal {
        Signal::GoOn
    }
}

/// The state of a run after an update.
#[derive(Clone, Copy, Debug)]
pub struct Progress<'a> {
    /// Updates done.
    pub update: u64,
    /// Updates planned.
    pub planned: u64,
    /// Seconds of this call.
    pub seconds: f64,
    /// Deals played since the beginning of the run.
    pub deals: u64,
    /// Decisions taken in them and in playouts.
    pub decisions: u64,
    /// What was recorded for this update.
    pub row: &'a MetricsRow,
    /// The benchmarks after this update, if there were any.
    pub benchmarks: &'a [Benchmark],
}

/// A run in its folder.
pub struct Trainer {
    config: Config,
    folder: PathBuf,
    mix: Arc<Mix>,
    /// The opponents that the configuration names, in their order.
    opponents: Vec<Opponent>,
    /// The networks among the opponents, in their order, each once.
    guests: Vec<Guest>,
    benchmark_opponents: Vec<Player>,
    /// The best policy so far, if there has been a benchmark.
    best: Option<Arc<QuantisedNet>>,
    state: RunState,
    files: Files,
    workers: Workers,
    gather: Box<dyn Gather>,
    /// The benchmarks after the latest update.
    benchmarks: Vec<Benchmark>,
    /// What was odd about the folder.
    notice: Option<String>,
    /// Keeps other processes from training in the folder.
    _lock: Option<File>,
}

/// The files that grow.
struct Files {
    metrics: Metrics,
    benchmarks: BenchmarkHistory,
}

impl Trainer {
    /// Begins a run in a folder that is not there yet, or empty, or in which a beginning was cut
    /// short.
    ///
    /// # Errors
    ///
    /// If the configuration cannot be trained with, or the folder is in use or not writable.
    pub fn create(config: Config, folder: &Path, threads: usize) -> Result<Self, TrainError> {
        config.validate()?;
        // Whatever can be wrong comes out before the folder is touched.
        let (mix, workers) = (Mix::new(&config.tables)?, Workers::new(threads)?);
        League::named(&config)?;
        let start = || {
            let lock = folder::begin(folder, &config)?;
            Self::start(config, folder, mix, workers, lock)
        };
        start().map_err(|error| stopped(folder, error))
    }

    /// Goes on with a run from its latest checkpoint, or from the beginning if it has none yet.
    ///
    /// # Errors
    ///
    /// If the folder holds no run, or one that this build cannot go on with, or another process is
    /// at it.
    pub fn resume(folder: &Path, threads: usize) -> Result<Self, TrainError> {
        let config = folder::config(folder)?;
        config.validate()?;
        let (mix, workers) = (Mix::new(&config.tables)?, Workers::new(threads)?);
        let start = || {
            let lock = folder::lock(folder)?;
            folder::clean(folder)?;
            Self::start(config, folder, mix, workers, lock)
        };
        start().map_err(|error| stopped(folder, error))
    }

    /// From what the folder holds.
    fn start(
        config: Config,
        folder: &Path,
        mix: Mix,
        workers: Workers,
        lock: Option<File>,
    ) -> Result<Self, TrainError> {
        let league = League::kept(&config, folder)?;
        let (state, notice) = folder::state(folder, &config, league.start.as_ref())?;
        let metrics = Metrics::resume(folder, state.update)?;
        let benchmarks = BenchmarkHistory::resume(folder, state.update)?;
        let files = Files { metrics, benchmarks };
        let best = match state.best {
            Some(best) => {
                Some(Arc::new(QuantisedNet::new(&folder::best_player(folder, best.update)?)))
            }
            None => None,
        };
        Ok(Self {
            config,
            folder: folder.into(),
            mix: Arc::new(mix),
            opponents: league.opponents,
            guests: league.guests,
            benchmark_opponents: league.benchmark_opponents,
            best,
            state,
            files,
            workers,
            gather: Box::new(Local),
            benchmarks: Vec::new(),
            notice,
            _lock: lock,
        })
    }

    /// Computes gradients on this device from now on; the default is the processor.
    pub fn compute_on(&mut self, backend: &Backend) {
        self.state.learner.compute_on(backend);
    }

    /// Has rollouts gathered there from now on; the default is [`Local`].
    pub fn gather_with(&mut self, gather: Box<dyn Gather>) {
        self.gather = gather;
    }

    /// Plans the updates of a run that has minutes instead of updates: a few of each phase are done and
    /// forgotten, and as many as fit are written into the configuration of the folder. `seconds` is the
    /// clock. [`Trainer::run`] does it otherwise.
    ///
    /// # Errors
    ///
    /// If training leaves the numbers or the configuration cannot be written.
    pub fn plan_updates(&mut self, seconds: &mut dyn FnMut() -> f64) -> Result<(), TrainError> {
        self.plan_by_the_clock(seconds).map_err(|error| stopped(&self.folder, error))
    }

    /// Trains until the planned updates are done or the observer stops the run. A run that has minutes
    /// instead of updates is planned first.
    ///
    /// # Errors
    ///
    /// If training leaves the numbers or a file cannot be written. What was saved before stays.
    pub fn run(&mut self, observer: &mut dyn Observer) -> Result<Ended, TrainError> {
        self.go_on(observer).map_err(|error| stopped(&self.folder, error))
    }

    fn go_on(&mut self, observer: &mut dyn Observer) -> Result<Ended, TrainError> {
        if self.config.run.updates == 0 {
            self.plan_by_the_clock(&mut || observer.seconds())?;
        }
        let start = observer.seconds();
        let planned = self.config.run.updates;
        let mut last = 0.0;
        while self.state.update < planned {
            let rollout = self.gather().or_else(|error| self.save_before(error))?;
            let gathered = observer.seconds() - start;
            let mut row = self.learn(&rollout)?;
            let seconds = observer.seconds() - start;
            let finished = self.state.update == planned;
            let record = self.benchmark(finished, &mut row)?;
            let learnt = seconds;
            let seconds = observer.seconds() - start;
            let took = update::Took {
                gathering: gathered - last,
                update: learnt - last,
                measurement: seconds - learnt,
            };
            update::clock(&mut row, seconds, &took);
            last = seconds;
            self.files.metrics.write(&row)?;
            let signal = observer.update(&self.progress(seconds, &row));
            let ended = match signal {
                _ if finished => Some(Ended::Finished),
                Signal::Stop => Some(Ended::Interrupted),
                Signal::GoOn => None,
            };
            let due = self.state.update.is_multiple_of(self.config.run.checkpoint_every);
            if due || record || ended.is_some() {
                self.save(record)?;
            }
            if let Some(ended) = ended {
                return Ok(ended);
            }
        }
        Ok(Ended::Finished)
    }

    /// Saves what was learnt before an update that does not come about.
    fn save_before(&self, error: TrainError) -> Result<Rollout, TrainError> {
        if matches!(error, TrainError::Gather { .. }) && self.state.update > 0 {
            self.save(false)?;
        }
        Err(error)
    }

    fn progress<'a>(&'a self, seconds: f64, row: &'a MetricsRow) -> Progress<'a> {
        Progress {
            update: self.state.update,
            planned: self.config.run.updates,
            seconds,
            deals: self.state.deals,
            decisions: self.state.decisions,
            row,
            benchmarks: &self.benchmarks,
        }
    }

    /// The configuration of the run.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// Where the run stands.
    pub fn state(&self) -> &RunState {
        &self.state
    }

    /// The agent that an exploiter is trained against, if this run trains one.
    pub fn exploited(&self) -> Option<&Player> {
        self.config.exploited().map(|_| &self.opponents[0].agent)
    }

    /// What a person should know of how the run was taken up, in one line.
    pub fn notice(&self) -> Option<&str> {
        self.notice.as_deref()
    }

    /// The folder of the run.
    pub fn folder(&self) -> &Path {
        &self.folder
    }
}
