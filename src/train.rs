//! `newmarket train` and `newmarket resume`.

mod budget;
pub(crate) mod curves;
pub(crate) mod learning;
pub(crate) mod pace;
pub(crate) mod report;
pub(crate) mod run;
pub(crate) mod trial;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use newmarket_checkpoints::roster;
use newmarket_env::Game;
use newmarket_train::config::PRESETS;
use newmarket_train::device::Device;
use newmarket_train::gather::Gather;
use newmarket_train::{Config, Trainer};
use serde::Serialize;
use serde_json::{Map, Value};

use crate::failure::Result;
use crate::numbers::{positive, whole};
use crate::report::{counted, grouped};
use crate::table_args::players;
use crate::{exploit, interrupt, terminal};
use run::{finished, run, tables};
use trial::{Trial, Unit};

/// The opponents and the number of deals of the final duels.
const OPPONENTS: [&str; 3] = ["longest", "boodle", "stopper"];
const DEALS: u64 = 5_000;
/// Train a bot by self-play, then measure it against `longest`, `boodle` and `stopper`.
///
/// At the end the best checkpoint plays 5,000 deals against each of them at every table that it was trained
/// for, each deal in every seating. The gain is in chips a deal over the same seats held by the opponent, ± half
/// of the 95 % interval. Runs for sessions play sessions.
///
/// Opponents of the run's configuration may be strategies: `strategy:PATH`. Their content is part of the run, so it
/// goes on the same when the file has changed.
///
/// Without a preset, `quick`. The run is a folder: its configuration, TensorBoard events,
/// metrics.jsonl, checkpoints and, when it ends or is stopped, report.html with its curves.
/// `newmarket monitor` watches it from another terminal. Ctrl-C saves and stops; `newmarket resume`
/// goes on exactly.
#[derive(clap::Args)]
#[command(after_help = after_help())]
pub(crate) struct TrainArgs {
    /// The preset to start from.
    #[arg(default_value = "quick")]
    preset: String,
    /// A file with values that override the preset.
    #[arg(long, value_name = "F")]
    config: Option<PathBuf>,
    /// The run's folder, new or empty [default: runs/PRESET, or the next free number].
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Seed of the run.
    #[arg(long, value_name = "S", value_parser = whole::<u64>(0..=u64::MAX))]
    seed: Option<u64>,
    /// The game to train for: a named one, a rules file, or house:N.
    #[arg(long, value_name = "R")]
    rules: Option<String>,
    /// Players at the table to train for [default: the preset's, or the nearest number that the rules allow].
    #[arg(long, value_name = "N", value_parser = players)]
    players: Option<usize>,
    /// Train for whole sessions: for their chips, or for being ahead at the end where chips can run out.
    #[arg(long)]
    session: bool,
    /// Minutes of the run, approximately. The first updates are timed to plan how many fit.
    #[arg(long, value_name = "M", conflicts_with = "updates", value_parser = positive)]
    minutes: Option<f64>,
    /// Updates of the run; schedules end with the last one.
    #[arg(long, value_name = "U", value_parser = whole::<u64>(1..=u64::MAX))]
    updates: Option<u64>,
    /// Override a single value, as learner.epochs=4; may be repeated.
    #[arg(long, value_name = "key=value")]
    set: Vec<String>,
    /// Print one JSON object at the end.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    device: DeviceArgs,
}

#[derive(clap::Args)]
struct DeviceArgs {
    /// The device that computes gradients: cpu, or wgpu or cuda in a build with that feature.
    ///
    /// The results are the same up to rounding; only cpu repeats a run to the bit.
    #[arg(long, value_name = "D", default_value_t)]
    device: Device,
}

/// The result of a run, as `--json` prints it.
#[derive(Serialize)]
struct Report<'a> {
    /// The run's folder; `net:FOLDER` plays.
    folder: &'a Path,
    /// Whether it has come to its end; otherwise it was interrupted, and can be resumed.
    finished: bool,
    updates: u64,
    deals: u64,
    seed: u64,
    /// The first table of each kind.
    tables: Vec<TableOf>,
    /// The final duels, on fresh deals.
    duels: &'a [Trial],
    /// Of all updates.
    seconds: f64,
}

#[derive(Serialize)]
struct TableOf {
    rules: String,
    rules_file: Map<String, Value>,
    players: usize,
}

fn after_help() -> String {
    let presets: Vec<String> =
        PRESETS.iter().map(|preset| format!("  {:<10} {}", preset.name, preset.about)).collect();
    format!(
        "Presets:\n{}\n\nExample:\n  newmarket train quick\n  \
         newmarket train standard --rules michigan --players 5 --out runs/m5\n  \
         newmarket train quick --set learner.epochs=4 --set network.hidden=[256,256]",
        presets.join("\n")
    )
}

impl TrainArgs {
    pub(crate) fn run(self, gather: Box<dyn Gather>) -> Result {
        let mut sets = self.set;
        let flags = [
            self.seed.map(|seed| format!("seed={seed}")),
            self.minutes.map(|minutes| format!("run.minutes={minutes:?}")),
            self.minutes.map(|_| "run.updates=0".to_owned()),
            self.updates.map(|updates| format!("run.updates={updates}")),
        ];
        sets.extend(flags.into_iter().flatten());
        let mut config = Config::load(&self.preset, self.config.as_deref(), &sets)?;
        if self.rules.is_some() || self.players.is_some() {
            config = config.at_one_table(self.rules.as_deref(), self.players)?;
        }
        if self.session {
            config = config.by_sessions();
        }
        let what = match &self.config {
            Some(file) => format!("`{}` with {}", self.preset, file.display()),
            None => format!("`{}`", self.preset),
        };
        let backend = self.device.device.open()?;
        let mut trainer = run::create(config, self.out.as_deref(), &self.preset)?;
        trainer.compute_on(&backend);
        trainer.gather_with(gather);
        if !self.json {
            terminal::print(format!(
                "training {what} into {} on {}; Ctrl-C saves and stops",
                trainer.folder().display(),
                backend.name()
            ))?;
        }
        finish(&mut trainer, self.json)
    }
}

/// Resume a run that was stopped. The result is that of a run without a stop.
#[derive(clap::Args)]
#[command(after_help = "Example:\n  newmarket resume runs/quick")]
pub(crate) struct ResumeArgs {
    /// The run's folder.
    folder: PathBuf,
    /// Print one JSON object at the end.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    device: DeviceArgs,
}

impl ResumeArgs {
    pub(crate) fn run(self, gather: Box<dyn Gather>) -> Result {
        let backend = self.device.device.open()?;
        interrupt::catch()?;
        let mut trainer = Trainer::resume(&self.folder, rayon::current_num_threads())?;
        if let Some(notice) = trainer.notice() {
            terminal::warn(format!("warning: {notice}"));
        }
        trainer.compute_on(&backend);
        trainer.gather_with(gather);
        if !self.json {
            terminal::print(format!(
                "going on with {} on {} from update {} of {}",
                self.folder.display(),
                backend.name(),
                grouped(trainer.state().update),
                pace::planned(pace::updates(trainer.config()))
            ))?;
        }
        finish(&mut trainer, self.json)
    }
}

/// Trains to the end, and prints the results.
fn finish(trainer: &mut Trainer, json: bool) -> Result {
    let Some(seconds) = run(trainer)? else {
        return if json { print_json(trainer, None, &[]) } else { Ok(()) };
    };
    if trainer.exploited().is_some() {
        return exploit::report(trainer, seconds, exploit::DEALS, json);
    }
    let print = |line: &str| if json { Ok(()) } else { terminal::print(line) };
    let (folder, state) = (trainer.folder().display(), trainer.state());
    print(&format!(
        "{}, {} in {}\n",
        counted(state.update, "update"),
        counted(state.deals, "deal"),
        pace::exactly(seconds)
    ))?;
    let tables = tables(trainer.config())?;
    let mut reports = Vec::new();
    for (_, game) in &tables {
        reports.extend(trials(trainer.folder(), game, Unit::of(trainer.config()), &print)?);
    }
    let page = finished(trainer, &reports)?;
    if json {
        return print_json(trainer, Some(seconds), &reports);
    }
    let page = page.display();
    terminal::print(format!(
        "play it:     newmarket play{} --against net:{folder}\n\
         measure it:  newmarket duel net:{folder} stopper{0}{1}\n\
         its report:  {page}\n\
         its curves:  tensorboard --logdir {folder}",
        table_flags(&tables[0].0, &tables[0].1),
        if trainer.config().counts_sessions() { " --session" } else { "" },
    ))
}

/// Prints the result of a run that took so many seconds, or was interrupted.
fn print_json(trainer: &Trainer, seconds: Option<f64>, duels: &[Trial]) -> Result {
    let (state, config) = (trainer.state(), trainer.config());
    let table = |(rules, game): (String, Arc<Game>)| {
        let (rules_file, players) = (game.rules().to_file(), game.players());
        TableOf { rules, rules_file, players }
    };
    terminal::print_json(&Report {
        folder: trainer.folder(),
        finished: seconds.is_some(),
        updates: state.update,
        deals: state.deals,
        seed: config.seed,
        tables: tables(config)?.into_iter().map(table).collect(),
        duels,
        seconds: seconds.unwrap_or(0.0),
    })
}

/// The flags of a table, without those of default values.
fn table_flags(rules: &str, game: &Game) -> String {
    let players = game.players();
    let rules = (rules != "newmarket").then(|| format!(" --rules {rules}"));
    let players = (players != 4).then(|| format!(" --players {players}"));
    rules.into_iter().chain(players).collect()
}

/// Duels of a trained bot with each of the heuristics at one of its tables.
fn trials(
    folder: &Path,
    game: &Arc<Game>,
    by: Unit,
    print: &impl Fn(&str) -> Result,
) -> Result<Vec<Trial>> {
    let hero = roster::agent(&format!("net:{}", folder.display()), terminal::clock)?;
    print(&Trial::heads(game, by))?;
    let mut trials = Vec::new();
    for name in OPPONENTS {
        let field = roster::agent(name, terminal::clock)?;
        let trial = Trial::run(game, &hero, &field, DEALS, by);
        print(&trial.line())?;
        trials.push(trial);
    }
    print("")?;
    Ok(trials)
}

/// `quick` with updates instead of minutes, for tests.
#[cfg(test)]
pub(crate) fn quick() -> Config {
    Config::load("quick", None, &["run.updates=120".into(), "phases.0.until=0.6".into()])
        .expect("quick")
}
