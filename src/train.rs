//! `newmarket train` and `newmarket resume`.

mod learning;
mod pace;
pub(crate) mod report;

use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use indicatif::{ProgressBar, ProgressStyle};
use newmarket_checkpoints::roster;
use newmarket_env::Game;
use newmarket_eval::{Duel, DuelReport};
use newmarket_train::config::{PRESETS, TableMix};
use newmarket_train::device::Device;
use newmarket_train::{Config, Ended, Observer, Progress, Signal, Trainer};

use crate::{exploit, terminal};
use report::{Page, State};

/// Against whom, and on how many deals, a trained bot is measured at the end.
const OPPONENTS: [&str; 3] = ["longest", "boodle", "stopper"];
const DEALS: u64 = 5_000;
/// Seconds after which the report of a run is written anew even if nothing was measured or saved.
const REPORT_EVERY: f64 = 20.0;
/// What fixes those deals: none of them has been trained or chosen on.
pub(crate) const FRESH_DEALS: u64 = 20_240_229;

/// Train a bot by self-play, and say how good it is.
///
/// Without a preset, `quick`. The run is a folder: its configuration, TensorBoard events,
/// metrics.jsonl, checkpoints, and report.html, which shows at any time how far it is and whether it
/// still improves. Ctrl-C saves and stops; `newmarket resume` goes on exactly.
#[derive(clap::Args)]
#[command(after_help = after_help())]
pub(crate) struct TrainArgs {
    /// What to start from.
    #[arg(default_value = "quick")]
    preset: String,
    /// Values from a file, laid over the preset.
    #[arg(long, value_name = "F")]
    config: Option<PathBuf>,
    /// The run's folder, new or empty; runs/PRESET, or the next free number, if left out.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// What fixes the run.
    #[arg(long, value_name = "S")]
    seed: Option<u64>,
    /// The game to train for: a named one or a rules file.
    #[arg(long, value_name = "R")]
    rules: Option<String>,
    /// Players at the table to train for.
    #[arg(long, value_name = "N")]
    players: Option<usize>,
    /// Stop after so many minutes.
    #[arg(long, value_name = "M")]
    minutes: Option<f64>,
    /// Updates in all; the schedules end there.
    #[arg(long, value_name = "U")]
    updates: Option<u64>,
    /// Set a single value, as learner.epochs=4; may be repeated.
    #[arg(long, value_name = "key=value")]
    set: Vec<String>,
    #[command(flatten)]
    device: DeviceArgs,
}

#[derive(clap::Args)]
struct DeviceArgs {
    /// Where gradients are computed: cpu, or wgpu or cuda in a build with that feature.
    ///
    /// The results are the same up to rounding; only cpu repeats a run to the bit.
    #[arg(long, value_name = "D", default_value_t)]
    device: Device,
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
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let mut sets = self.set;
        let flags = [
            self.seed.map(|seed| format!("seed={seed}")),
            self.minutes.map(|minutes| format!("run.minutes={minutes:?}")),
            self.updates.map(|updates| format!("run.updates={updates}")),
        ];
        sets.extend(flags.into_iter().flatten());
        let mut config = Config::load(&self.preset, self.config.as_deref(), &sets)?;
        if self.rules.is_some() || self.players.is_some() {
            config = config.at_one_table(self.rules.as_deref(), self.players)?;
        }
        let folder = self.out.unwrap_or_else(|| free_folder(&self.preset));
        let backend = self.device.device.open()?;
        let mut trainer = Trainer::create(config, &folder, rayon::current_num_threads())?;
        trainer.compute_on(&backend);
        terminal::print(format!(
            "training `{}` into {} on {}; Ctrl-C saves and stops",
            self.preset,
            folder.display(),
            backend.name()
        ))?;
        finish(&mut trainer)
    }
}

/// `runs/quick`, or `runs/quick-2`, … : the first that is not there yet.
pub(crate) fn free_folder(preset: &str) -> PathBuf {
    let runs = Path::new("runs");
    let numbered = (2..).map(|number| runs.join(format!("{preset}-{number}")));
    let mut names = std::iter::once(runs.join(preset)).chain(numbered);
    names.find(|path| !path.exists()).expect("the numbers do not end")
}

/// Go on with a run that was stopped, exactly as if it had not been.
#[derive(clap::Args)]
#[command(after_help = "Example:\n  newmarket resume runs/quick")]
pub(crate) struct ResumeArgs {
    /// The run's folder.
    folder: PathBuf,
    #[command(flatten)]
    device: DeviceArgs,
}

impl ResumeArgs {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let backend = self.device.device.open()?;
        let mut trainer = Trainer::resume(&self.folder, rayon::current_num_threads())?;
        trainer.compute_on(&backend);
        let planned = trainer.config().run.updates;
        terminal::print(format!(
            "going on with {} on {} from update {} of {planned}",
            self.folder.display(),
            backend.name(),
            trainer.state().update
        ))?;
        finish(&mut trainer)
    }
}

/// The program's eyes on a run: the clock, the bar, Ctrl-C.
struct Watcher {
    start: Instant,
    bar: ProgressBar,
    /// Without a terminal, a line now and then instead of a bar.
    plain: bool,
    stop: Arc<AtomicBool>,
    page: Page,
    checkpoint_every: u64,
    /// When the page was last written, and whether that failed.
    written: f64,
    failed: bool,
}

impl Watcher {
    fn new(trainer: &Trainer) -> anyhow::Result<Self> {
        let stop = Arc::new(AtomicBool::new(false));
        let asked = stop.clone();
        ctrlc::set_handler(move || {
            // Whoever asks twice does not want to wait for the update to end.
            if asked.swap(true, Ordering::SeqCst) {
                std::process::exit(130);
            }
            let _ = writeln!(std::io::stderr(), "\nstopping after this update …");
        })?;
        let bar = terminal::progress(trainer.config().run.updates, "updates");
        let template = "{bar:28} {pos}/{len}  {elapsed} gone, {msg}";
        bar.set_style(ProgressStyle::with_template(template)?);
        bar.set_position(trainer.state().update);
        bar.reset_eta();
        let plain = !std::io::stderr().is_terminal();
        let (page, checkpoint_every) = (Page::of(trainer), trainer.config().run.checkpoint_every);
        // That it cannot be written is known before the first update.
        page.write(State::Running(0.0))?;
        let (start, written, failed) = (Instant::now(), 0.0, false);
        Ok(Self { start, bar, plain, stop, page, checkpoint_every, written, failed })
    }

    /// Writes the page anew if it is time. That it cannot be written does not end a run; it is said
    /// once, and again by the error at the end.
    fn show(&mut self, progress: &Progress<'_>) {
        let due = !progress.benchmarks.is_empty()
            || progress.update.is_multiple_of(self.checkpoint_every)
            || progress.seconds - self.written >= REPORT_EVERY;
        if !due {
            return;
        }
        self.written = progress.seconds;
        if let Err(error) = self.page.write(State::Running(progress.seconds))
            && !std::mem::replace(&mut self.failed, true)
        {
            self.say(&format!("warning: {error:#}"));
        }
    }

    /// A line that the bar leaves alone.
    fn say(&self, line: &str) {
        if self.plain {
            let _ = writeln!(std::io::stderr(), "{line}");
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
        let message = format!("{left} s left  {:.0} thousand decisions/s", speed / 1000.0);
        self.bar.set_message(message);
        if !progress.benchmarks.is_empty() {
            let gains: Vec<String> = progress
                .benchmarks
                .iter()
                .map(|y| format!("{:+.2} over {}", y.gain, y.against))
                .collect();
            let line = format!(
                "update {:>4}  {:>5.0} s  chips a deal: {}",
                progress.update,
                progress.seconds,
                gains.join(", ")
            );
            self.say(&line);
        }
        self.show(progress);
        if self.stop.load(Ordering::SeqCst) { Signal::Stop } else { Signal::GoOn }
    }
}

/// Trains to the end: how many seconds it took, or nothing if it was stopped, which is then said.
pub(crate) fn run(trainer: &mut Trainer) -> anyhow::Result<Option<f64>> {
    let mut watcher = Watcher::new(trainer)?;
    let ended = trainer.run(&mut watcher);
    watcher.bar.finish_and_clear();
    let ended = match ended {
        Ok(ended) => ended,
        Err(error) => {
            // The run's own error is the one to report.
            let _ = watcher.page.write(State::Failed(&error.to_string()));
            return Err(error.into());
        }
    };
    watcher.page.write(match ended {
        Ended::Finished => State::Finished(&[]),
        Ended::TimeUp => State::TimeUp(&[]),
        Ended::Interrupted => State::Stopped,
    })?;
    if ended == Ended::Interrupted {
        let (update, folder) = (trainer.state().update, trainer.folder().display());
        let line = format!("saved at update {update}; go on with: newmarket resume {folder}");
        writeln!(std::io::stderr(), "{line}")?;
        return Ok(None);
    }
    Ok(Some(watcher.start.elapsed().as_secs_f64()))
}

/// Trains to the end, and says what was learnt.
fn finish(trainer: &mut Trainer) -> anyhow::Result<()> {
    let Some(seconds) = run(trainer)? else { return Ok(()) };
    if trainer.exploited().is_some() {
        return exploit::report(trainer, seconds, exploit::DEALS, false);
    }
    let (folder, state) = (trainer.folder().display(), trainer.state());
    terminal::print(format!(
        "{} updates, {} deals in {seconds:.0} s\n",
        state.update, state.deals
    ))?;
    let tables = tables(trainer.config())?;
    let mut reports = Vec::new();
    for (_, game) in &tables {
        reports.extend(duels(trainer.folder(), game)?);
    }
    let page = finished(trainer, &reports)?;
    terminal::print(format!(
        "play it:     newmarket play{} --against net:{folder}\n\
         measure it:  newmarket duel net:{folder} stopper{0}\n\
         its report:  {}\n\
         its curves:  tensorboard --logdir {folder}",
        table_flags(&tables[0].0, &tables[0].1),
        page.display()
    ))
}

/// Adds to the report of a run that is over how its player fared on fresh deals; where it is.
pub(crate) fn finished(trainer: &Trainer, duels: &[DuelReport]) -> anyhow::Result<PathBuf> {
    let page = Page::of(trainer);
    let all = trainer.state().update == trainer.config().run.updates;
    page.write(if all { State::Finished(duels) } else { State::TimeUp(duels) })?;
    Ok(page.path())
}

/// Of each kind of table that was trained for, the first: its rules as they are named, and the game.
pub(crate) fn tables(config: &Config) -> anyhow::Result<Vec<(String, Arc<Game>)>> {
    let mut tables: Vec<(String, Arc<Game>)> = Vec::new();
    for table in &config.tables {
        let game = table.games()?.swap_remove(0);
        if !tables.iter().any(|(_, known)| **known == game) {
            let all = table.rules == TableMix::ALL;
            let rules = if all { game.rules().title() } else { &table.rules };
            tables.push((rules.to_owned(), Arc::new(game)));
        }
    }
    Ok(tables)
}

/// The flags of a table, those with default values left out.
fn table_flags(rules: &str, game: &Game) -> String {
    let players = game.players();
    let rules = (rules != "newmarket").then(|| format!(" --rules {rules}"));
    let players = (players != 4).then(|| format!(" --players {players}"));
    rules.into_iter().chain(players).collect()
}

/// The table of duels of a trained bot at one of its tables.
fn duels(folder: &Path, game: &Arc<Game>) -> anyhow::Result<Vec<DuelReport>> {
    let hero = roster::agent(&format!("net:{}", folder.display()), terminal::clock)?;
    let title = format!("{}, {} players", game.rules().title(), game.players());
    terminal::print(format!("{title:<26} chips a deal gained     goes out first"))?;
    let mut reports = Vec::new();
    for name in OPPONENTS {
        let field = roster::agent(name, terminal::clock)?;
        let bar = terminal::progress(DEALS, "deals");
        let duel = Duel {
            game: game.clone(),
            hero: &hero,
            field: &field,
            deals: DEALS,
            seed: FRESH_DEALS,
        };
        let report = duel.run(|deals| bar.inc(deals));
        bar.finish_and_clear();
        let verdict = if report.separated { "" } else { "  (not separated)" };
        terminal::print(format!(
            "  at a table of {name:<10} {:>+7.3} ± {:.3}         {:>5.1} ± {:.1} %{verdict}",
            report.gain,
            report.ci95,
            100.0 * report.win_share,
            100.0 * report.win_share_ci95
        ))?;
        reports.push(report);
    }
    terminal::print("")?;
    Ok(reports)
}
