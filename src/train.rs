//! `newmarket train` and `newmarket resume`.

use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use indicatif::{ProgressBar, ProgressStyle};
use newmarket_checkpoints::roster;
use newmarket_env::{Game, Rules};
use newmarket_eval::Duel;
use newmarket_train::config::{PRESETS, TableMix};
use newmarket_train::{Config, Ended, Observer, Progress, Signal, Trainer};

use crate::{exploit, terminal};

/// Against whom, and on how many deals, a trained bot is measured at the end.
const OPPONENTS: [&str; 3] = ["longest", "boodle", "stopper"];
const DEALS: u64 = 5_000;
/// What fixes those deals: none of them has been trained or chosen on.
pub(crate) const FRESH_DEALS: u64 = 20_240_229;

/// Train a bot by self-play, and say how good it is.
///
/// Without a preset, `quick`. The run is a folder: its configuration, TensorBoard events,
/// metrics.jsonl and checkpoints. Ctrl-C saves and stops; `newmarket resume` goes on exactly.
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
            config.tables = one_table(&config.tables, self.rules, self.players);
        }
        let folder = self.out.unwrap_or_else(|| free_folder(&self.preset));
        let mut trainer = Trainer::create(config, &folder, rayon::current_num_threads())?;
        terminal::print(format!(
            "training `{}` into {}; Ctrl-C saves and stops",
            self.preset,
            folder.display()
        ))?;
        finish(&mut trainer)
    }
}

/// The first table of the configuration, with another game or number of players.
pub(crate) fn one_table(
    tables: &[TableMix],
    rules: Option<String>,
    players: Option<usize>,
) -> Vec<TableMix> {
    let mut tables = tables[..1].to_vec();
    let table = &mut tables[0];
    table.rules = rules.unwrap_or(std::mem::take(&mut table.rules));
    table.players = players.unwrap_or(table.players);
    table.share = 1.0;
    tables
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
}

impl ResumeArgs {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let mut trainer = Trainer::resume(&self.folder, rayon::current_num_threads())?;
        let planned = trainer.config().run.updates;
        terminal::print(format!(
            "going on with {} from update {} of {planned}",
            self.folder.display(),
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
        Ok(Self { start: Instant::now(), bar, plain, stop })
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
        if !progress.yardsticks.is_empty() {
            let gains: Vec<String> = progress
                .yardsticks
                .iter()
                .map(|y| format!("{:+.2} over {}", y.gain, y.against))
                .collect();
            let line = format!(
                "update {:>4}  {:>5.0} s  chips a deal: {}",
                progress.update,
                progress.seconds,
                gains.join(", ")
            );
            if self.plain {
                let _ = writeln!(std::io::stderr(), "{line}");
            } else {
                self.bar.println(line);
            }
        }
        if self.stop.load(Ordering::SeqCst) { Signal::Stop } else { Signal::GoOn }
    }
}

/// Trains to the end: how many seconds it took, or nothing if it was stopped, which is then said.
pub(crate) fn run(trainer: &mut Trainer) -> anyhow::Result<Option<f64>> {
    let mut watcher = Watcher::new(trainer)?;
    let ended = trainer.run(&mut watcher);
    watcher.bar.finish_and_clear();
    if ended? == Ended::Interrupted {
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
    for table in &trainer.config().tables {
        duels(trainer.folder(), table)?;
    }
    terminal::print(format!(
        "play it:     newmarket play{} --against net:{folder}\n\
         measure it:  newmarket duel net:{folder} stopper{0}\n\
         its curves:  tensorboard --logdir {folder}",
        table_flags(&trainer.config().tables[0])
    ))
}

/// The flags of a table, those with default values left out.
fn table_flags(table: &TableMix) -> String {
    let rules = (table.rules != "newmarket").then(|| format!(" --rules {}", table.rules));
    let players = (table.players != 4).then(|| format!(" --players {}", table.players));
    rules.into_iter().chain(players).collect()
}

/// The table of duels of a trained bot at one of its tables.
fn duels(folder: &Path, table: &TableMix) -> anyhow::Result<()> {
    let game = Arc::new(Game::new(Rules::load(&table.rules)?, table.players)?);
    let hero = roster::agent(&format!("net:{}", folder.display()), terminal::clock)?;
    let title = format!("{}, {} players", game.rules().title(), table.players);
    terminal::print(format!("{title:<26} chips a deal gained     goes out first"))?;
    for name in OPPONENTS {
        let field = roster::agent(name, terminal::clock)?;
        let bar = terminal::progress(DEALS, "deals");
        let duel = Duel {
            game: game.clone(),
            hero: &*hero,
            field: &*field,
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
    }
    terminal::print("")
}
