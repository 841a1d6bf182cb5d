//! The program: the command line over the crates. Only it touches the terminal, the clock and
//! the operating system's entropy.

mod duel;
mod rules;
mod table_args;
mod terminal;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

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
    Duel(duel::DuelArgs),
    Rules(rules::RulesArgs),
}

fn main() -> ExitCode {
    let result = match Cli::parse().command {
        Command::Duel(args) => args.run(),
        Command::Rules(args) => args.run(),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => terminal::fail(&error),
    }
}
