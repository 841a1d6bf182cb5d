//! A run: roll out, learn, benchmark, save. Its folder is readable at every moment.
//!
//! ```text
//! DIR/config.toml          the configuration; a folder with this file is a run
//! DIR/metrics.jsonl        one row of metrics for each update
//! DIR/events.out.tfevents… the same for TensorBoard
//! DIR/benchmarks.jsonl     each benchmark deal by deal; later benchmarks are compared with it
//! DIR/report.html          a report that the program writes when the run ends or stops
//! DIR/checkpoints/         the latest ones, and best.ckpt
//! DIR/networks/            copies of the networks that the configuration names
//! ```
//!
//! A checkpoint holds the state between two updates, and an update is a function of that state. So a run
//! that is stopped and resumed ends with the same weights, to the bit. A run that was killed is resumed
//! from its last checkpoint, and later rows are dropped. One process at a time trains in a folder.

mod clock;
mod folder;
mod stopped;
mod update;

use crate::TrainError;
use crate::benchmark::{Benchmark, BenchmarkHistory};
use crate::config::Config;
use crate::device::Backend;
use crate::gather::{Gather, Local, OpponentNetwork};
use crate::league::League;
use crate::metrics::{Metrics, MetricsRow};
use crate::policies::Opponent;
use crate::rollout::{Mix, Rollout};
use crate::state::RunState;
use crate::workers::Workers;
pub use folder::is_training;
use newmarket_agents::Player;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use stopped::stopped;

/// The child of a run's seed for benchmarks. Initial weights use the seed itself, updates use child 1.
const BENCHMARK: u64 = 2;
/// The child for contests; its children are numbered by update.
const CONTEST: u64 = 3;

/// The end of a call of [`Trainer::run`]. The state is saved in each case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// All planned updates are done.
    Finished,
    /// The observer asked to stop.
    Interrupted,
}

/// The answer of an observer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Signal {
    /// Continue with the next update.
    GoOn,
    /// Save and stop.
    Stop,
}

/// The clock and the observer of a run.
pub trait Observer {
    /// Seconds since a fixed moment; must not decrease.
    fn seconds(&mut self) -> f64;

    /// Called after every update.
    fn update(&mut self, progress: &Progress<'_>) -> Signal;
}

/// An observer without a clock that never stops a run: for tests and for runs with a planned number of
/// updates.
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
    /// Decisions in these deals and in playouts.
    pub decisions: u64,
    /// The metrics of this update.
    pub row: &'a MetricsRow,
    /// The benchmarks after this update; empty if there were none.
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
    networks: Vec<OpponentNetwork>,
    benchmark_opponents: Vec<Player>,
    /// The best policy so far, if there has been a benchmark.
    best: Option<Player>,
    state: RunState,
    files: Files,
    workers: Workers,
    gather: Box<dyn Gather>,
    /// The benchmarks after the latest update.
    benchmarks: Vec<Benchmark>,
    /// A warning about the folder.
    notice: Option<String>,
    /// The folder as it was opened, locked against other processes.
    lock: Option<File>,
}

/// The files that grow with every update.
struct Files {
    metrics: Metrics,
    benchmarks: BenchmarkHistory,
}

impl Trainer {
    /// Begins a run in a folder that does not exist, is empty, or has an interrupted beginning. 0
    /// `threads`: as many as the machine has.
    ///
    /// # Errors
    ///
    /// If the configuration is not valid, or the folder is in use or not writable.
    pub fn create(config: Config, folder: &Path, threads: usize) -> Result<Self, TrainError> {
        let config = config.with_strategies()?.with_rules_files()?;
        config.validate()?;
        // All other faults are found before the folder is touched.
        let (mix, workers) = (Mix::new(&config.tables)?, Workers::new(threads)?);
        League::named(&config)?;
        let start = || {
            let lock = folder::begin(folder, &config)?;
            Self::start(config, folder, mix, workers, lock)
        };
        start().map_err(|error| stopped(folder, error))
    }

    /// Resumes a run from its latest checkpoint, or from the beginning if there is none.
    ///
    /// # Errors
    ///
    /// If the folder holds no run, this build cannot resume it, or another process trains in it.
    pub fn resume(folder: &Path, threads: usize) -> Result<Self, TrainError> {
        let config = folder::config(folder)?;
        config.validate()?;
        let (mix, workers) = (Mix::new(&config.tables)?, Workers::new(threads)?);
        let start = || {
            let lock = folder::lock(folder)?;
            folder::clean(folder)?;
            folder::make_checkpoints(folder)?;
            Self::start(config, folder, mix, workers, lock)
        };
        start().map_err(|error| stopped(folder, error))
    }

    /// Loads the state of the folder.
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
            Some(best) => Some(folder::best_player(folder, best.update)?),
            None => None,
        };
        Ok(Self {
            config,
            folder: folder.into(),
            mix: Arc::new(mix),
            opponents: league.opponents,
            networks: league.networks,
            benchmark_opponents: league.benchmark_opponents,
            best,
            state,
            files,
            workers,
            gather: Box::new(Local),
            benchmarks: Vec::new(),
            notice,
            lock,
        })
    }

    /// Computes gradients on this device from now on; the default is the processor.
    pub fn compute_on(&mut self, backend: &Backend) {
        self.state.learner.compute_on(backend);
    }

    /// Gathers rollouts with `gather` from now on; the default is [`Local`].
    pub fn gather_with(&mut self, gather: Box<dyn Gather>) {
        self.gather = gather;
    }

    /// Plans the updates of a run that has minutes instead of updates: times a few updates of each phase,
    /// and writes the number of updates that fit into the configuration of the folder. `seconds` is the
    /// clock. [`Trainer::run`] does this if it was not done before.
    ///
    /// # Errors
    ///
    /// If a loss is not finite or the configuration cannot be written.
    pub fn plan_updates(&mut self, seconds: &mut dyn FnMut() -> f64) -> Result<(), TrainError> {
        self.plan_by_the_clock(seconds).map_err(|error| stopped(&self.folder, error))
    }

    /// Trains until the planned updates are done or the observer stops the run. A run with minutes
    /// instead of updates is planned first.
    ///
    /// # Errors
    ///
    /// If a loss is not finite or a file cannot be written. Earlier checkpoints stay.
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
            let next = self.state.update + 1;
            self.check_folder(next)?;
            let rollout = self.gather().or_else(|error| self.save_before(error))?;
            let gathered = observer.seconds() - start;
            self.check_folder(next)?;
            let mut row = self.learn(&rollout)?;
            self.check_folder(next)?;
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
            self.check_folder(next)?;
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

    /// Stops before `update` is recorded if the folder is no longer where it was. Otherwise the files that are open would
    /// be written on unseen, and a checkpoint would begin another folder at the old place.
    fn check_folder(&self, update: u64) -> Result<(), TrainError> {
        match folder::changed(&self.folder, self.lock.as_ref()) {
            None => Ok(()),
            Some(what) => Err(TrainError::Gone { folder: self.folder.clone(), what, update }),
        }
    }

    /// Saves the state if gathering of the next update failed.
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

    /// The state of the run.
    pub fn state(&self) -> &RunState {
        &self.state
    }

    /// The fixed agent, if this run trains an exploiter.
    pub fn exploited(&self) -> Option<&Player> {
        self.config.exploited().map(|_| &self.opponents[0].agent)
    }

    /// A warning about the folder, in one line, if there is one.
    pub fn notice(&self) -> Option<&str> {
        self.notice.as_deref()
    }

    /// The folder of the run.
    pub fn folder(&self) -> &Path {
        &self.folder
    }
}
