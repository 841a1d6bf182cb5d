//! A training run as the program sees it: the clock, the bar, Ctrl-C, the report in its folder.

use std::fs;
use std::io::{ErrorKind, IsTerminal};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use newmarket_env::Game;
use newmarket_train::config::TableMix;
use newmarket_train::{Config, Ended, Observer, Progress, Signal, TrainError, Trainer, metrics};

use super::report::{Page, State};
use super::trial::{Trial, Unit};
use super::{budget, pace};
use crate::failure::{At, Failure, Result};
use crate::{interrupt, terminal};

/// Signals within this time count as one interrupt: `timeout` and batch systems send a signal to a program and
/// to its process group.
const ONE_INTERRUPT: Duration = Duration::from_millis(500);
/// The seed of the final duels. Training and selection use none of these deals.
pub(crate) const FRESH_DEALS: u64 = 20_240_229;

/// Begins a run in this folder; without one, in the first of `runs/NAME`, `runs/NAME-2`, … that does not exist.
pub(crate) fn create(config: Config, out: Option<&Path>, name: &str) -> Result<Trainer> {
    interrupt::catch()?;
    for line in budget::lines(&config) {
        terminal::warn(line);
    }
    let create = |folder: &Path| Trainer::create(config, folder, rayon::current_num_threads());
    if let Some(folder) = out {
        if folder.is_file() {
            let path = folder.display();
            return Err(Failure::user(format!("--out {path}: it is a file, expected a folder")));
        }
        return Ok(create(folder)?);
    }
    let folder = claim_folder(name)?;
    Ok(create(&folder).inspect_err(|_| {
        // Fails if the run has begun, which can then be resumed.
        let _ = fs::remove_dir(&folder);
    })?)
}

/// Creates the first folder that does not exist. The process that created it owns it; others that begin at the
/// same time take the next name.
fn claim_folder(name: &str) -> Result<PathBuf> {
    let runs = Path::new("runs");
    fs::create_dir_all(runs).at("cannot create").at(runs.display())?;
    let mut names =
        std::iter::once(name.into()).chain((2..).map(|nth: u64| format!("{name}-{nth}")));
    loop {
        let folder = runs.join(names.next().unwrap_or_default());
        match fs::create_dir(&folder) {
            Ok(()) => return Ok(folder),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error).at("cannot create").at(folder.display()),
        }
    }
}

/// The observer of a run: its clock, its progress bar, Ctrl-C.
struct Watcher {
    start: Instant,
    bar: ProgressBar,
    /// Whether standard error is no terminal. Then lines replace the bar.
    plain: bool,
    stop: Arc<AtomicBool>,
    by: Unit,
}

impl Watcher {
    fn new(trainer: &Trainer) -> Result<Self> {
        let stop = Arc::new(AtomicBool::new(false));
        let asked = stop.clone();
        let mut since = None;
        interrupt::on(move || match since {
            None => {
                since = Some(Instant::now());
                asked.store(true, Ordering::SeqCst);
                terminal::warn("\nstopping after this update; interrupt again to stop at once …");
            }
            // A second interrupt stops at once.
            Some(first) if first.elapsed() >= ONE_INTERRUPT => interrupt::quit(),
            Some(_) => {}
        })?;
        let bar = terminal::progress(trainer.config().run.updates, "updates");
        let template = "{bar:28} {pos}/{len}  {elapsed} gone, {msg}";
        bar.set_style(ProgressStyle::with_template(template)?);
        bar.set_position(trainer.state().update);
        bar.reset_eta();
        let plain = !std::io::stderr().is_terminal();
        Ok(Self { start: Instant::now(), bar, plain, stop, by: Unit::of(trainer.config()) })
    }

    /// Prints a line above the bar.
    fn say(&self, line: &str) {
        if self.plain {
            terminal::warn(line);
        } else {
            self.bar.println(line);
        }
    }
}

impl Observer for Watcher {
    fn seconds(&mut self) -> f64 {
        self.start.elapsed().as_secs_f64()
    }

    fn update(&mut self, progress: &Progress<'_>) -> Signal {
        let speed = progress.row.get("time/rows_per_s").unwrap_or(0.0);
        self.bar.set_position(progress.update);
        let left = self.bar.eta().as_secs();
        let message = format!("{left} s left  {:.0} thousand rows/s", speed / 1000.0);
        self.bar.set_message(message);
        if !progress.benchmarks.is_empty() {
            let gains: Vec<String> = progress
                .benchmarks
                .iter()
                .map(|y| format!("{:+.2} over {}", y.gain, y.against))
                .collect();
            let line = format!(
                "update {:>4}  {:>5.0} s  chips a {}: {}",
                progress.update,
                progress.seconds,
                self.by.one,
                gains.join(", ")
            );
            self.say(&line);
        }
        if self.stop.load(Ordering::SeqCst) { Signal::Stop } else { Signal::GoOn }
    }
}

/// Trains to the end. Returns the seconds of all updates; `None` if the run was stopped, which is then printed.
pub(crate) fn run(trainer: &mut Trainer) -> Result<Option<f64>> {
    if trainer.config().run.updates == 0 {
        let again = format!("newmarket resume {}", trainer.folder().display());
        interrupt::on(move || {
            terminal::warn(format!("\nstopped; nothing is saved yet; begin again with: {again}"));
            interrupt::quit()
        })?;
        let minutes = pace::minutes(trainer.config());
        terminal::warn(format!("timing updates to plan {minutes}; nothing is saved until then …"));
        let clock = Instant::now();
        trainer.plan_updates(&mut || clock.elapsed().as_secs_f64())?;
    }
    let mut watcher = Watcher::new(trainer)?;
    let ended = trainer.run(&mut watcher);
    watcher.bar.finish_and_clear();
    let ended = match ended {
        Ok(ended) => ended,
        Err(error) => {
            // What is at the place of a folder that has gone is not the run's.
            if !matches!(error, TrainError::Gone { .. })
                && let Err(page) = Page::of(trainer).write(State::Failed(&error.to_string()))
            {
                terminal::warn(format!("warning: {page}"));
            }
            return Err(error.into());
        }
    };
    Page::of(trainer).write(match ended {
        Ended::Finished => State::Finished(&[]),
        Ended::Interrupted => State::Stopped,
    })?;
    if ended == Ended::Interrupted {
        let (update, folder) = (trainer.state().update, trainer.folder().display());
        terminal::warn(format!("saved at update {update}; go on with: newmarket resume {folder}"));
        return Ok(None);
    }
    Ok(Some(pace::used(&metrics::read(trainer.folder())?)))
}

/// Adds the final duels to the report of a finished run. Returns the path of the report.
pub(crate) fn finished(trainer: &Trainer, trials: &[Trial]) -> Result<PathBuf> {
    let page = Page::of(trainer);
    page.write(State::Finished(trials))?;
    Ok(page.path())
}

/// The first game of each kind of table: the name of its rules, and the game.
pub(crate) fn tables(config: &Config) -> Result<Vec<(String, Arc<Game>)>> {
    let mut tables: Vec<(String, Arc<Game>)> = Vec::new();
    for table in &config.tables {
        let game = table.games()?.swap_remove(0);
        if !tables.iter().any(|(_, known)| **known == game) {
            let one = ![TableMix::ALL, TableMix::HOUSES].contains(&&*table.rules);
            let rules = if one { &table.rules } else { game.rules().title() };
            tables.push((rules.to_owned(), Arc::new(game)));
        }
    }
    Ok(tables)
}
