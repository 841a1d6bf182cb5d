//! The program: a command line over the crates. Only this crate touches the terminal, the clock and the
//! operating system's entropy.
//!
//! It is a library, so that the Python wheel contains the same program: [`run`] is the whole program, [`train()`]
//! trains with rollouts from other processes, [`external`] has players that are programs, and [`laboratory`] the results
//! of some commands as data.

mod bench;
mod checkpoint;
mod duel;
mod engine;
mod exploit;
pub mod external;
mod failure;
mod fullscreen;
mod interrupt;
mod kept;
pub mod laboratory;
mod ladder;
mod monitor;
mod numbers;
mod output;
mod play;
pub mod processor;
mod reasons;
mod report;
mod review;
mod rules;
mod strategy;
mod study;
mod survey;
mod table_args;
mod terminal;
mod threads;
mod trace;
mod train;
mod web;
mod who_played;
mod wording;

use std::ffi::OsString;

use clap::{CommandFactory as _, FromArgMatches as _, Parser, Subcommand};
use failure::Failure;
use newmarket_train::gather::{Gather, Local};

/// The card game Newmarket (Michigan, Boodle, Stops) and its family: environment, self-play
/// trainer and evaluation laboratory.
#[derive(Parser)]
#[command(name = "newmarket", version, max_term_width = 100, arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Train(train::TrainArgs),
    Resume(train::ResumeArgs),
    Monitor(monitor::MonitorArgs),
    Duel(duel::DuelArgs),
    Survey(survey::SurveyArgs),
    Ladder(ladder::LadderArgs),
    Exploit(exploit::ExploitArgs),
    Study(study::StudyArgs),
    #[command(subcommand)]
    Strategy(strategy::StrategyCommand),
    Review(review::ReviewArgs),
    Play(play::PlayArgs),
    Watch(play::WatchArgs),
    Trace(trace::TraceArgs),
    Perft(trace::PerftArgs),
    Rules(rules::RulesArgs),
    #[command(subcommand)]
    Checkpoint(checkpoint::CheckpointCommand),
    Engine(engine::EngineArgs),
    Web(web::WebArgs),
    Bench(bench::BenchArgs),
}

/// Whether a training run of [`train`] that goes on has been interrupted: it stops after its update.
pub fn interrupted() -> bool {
    interrupt::came()
}

/// Runs the program and returns its exit code. The first of `args` is the program's name.
pub fn run(args: impl IntoIterator<Item = OsString>) -> u8 {
    with_parsed(args, |command| match command {
        Command::Train(args) => args.run(Box::new(Local)),
        Command::Resume(args) => args.run(Box::new(Local)),
        Command::Monitor(args) => args.run(),
        Command::Duel(args) => args.run(),
        Command::Survey(args) => args.run(),
        Command::Ladder(args) => args.run(),
        Command::Exploit(args) => args.run(),
        Command::Study(args) => args.run(),
        Command::Strategy(command) => command.run(),
        Command::Review(args) => args.run(),
        Command::Play(args) => args.run(),
        Command::Watch(args) => args.run(),
        Command::Trace(args) => args.run(),
        Command::Perft(args) => args.run(),
        Command::Rules(args) => args.run(),
        Command::Checkpoint(command) => command.run(),
        Command::Engine(args) => args.run(),
        Command::Web(args) => args.run(),
        Command::Bench(args) => args.run(),
    })
}

/// Runs the commands `train` and `resume`, with the rollouts that `gather` collects. Returns the exit code.
pub fn train(args: impl IntoIterator<Item = OsString>, gather: Box<dyn Gather>) -> u8 {
    with_parsed(args, |command| match command {
        Command::Train(args) => args.run(gather),
        Command::Resume(args) => args.run(gather),
        _ => Err(Failure::user("only train and resume use other processes")),
    })
}

fn with_parsed(
    args: impl IntoIterator<Item = OsString>,
    run: impl FnOnce(Command) -> failure::Result,
) -> u8 {
    // Otherwise clap would take a negative number for an unknown flag, and not say what the flag expects.
    let numbers = |command: clap::Command| command.allow_negative_numbers(true);
    let program = Cli::command().mut_subcommands(numbers);
    let parsed = program.try_get_matches_from(args).and_then(|found| Cli::from_arg_matches(&found));
    let cli = match parsed {
        Ok(cli) => cli,
        Err(error) => return terminal::fail_usage(&error),
    };
    match prepare(&cli.command).and_then(|()| run(cli.command)) {
        Ok(()) => 0,
        Err(error) => terminal::fail(&error),
    }
}

/// Prepares this process for a command.
fn prepare(command: &Command) -> failure::Result {
    #[cfg(unix)]
    interrupt::survive_large_files()?;
    match command {
        // They share no work.
        Command::Monitor(_) | Command::Rules(_) | Command::Web(_) => Ok(()),
        _ => threads::share_work(),
    }
}
