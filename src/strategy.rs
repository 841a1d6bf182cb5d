//! `newmarket strategy`.

mod card;
mod learn;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::{Args, Subcommand};
use newmarket_agents::net::ActionSelection;
use newmarket_agents::search::Clock;
use newmarket_agents::strategy::{self, BASES, Content, Scope, WordedPart, facts};
use newmarket_checkpoints::{read_strategy, roster, write_whole};
use newmarket_env::rules::NAMES;

use crate::failure::{Failure, Result};
use crate::output::{Output, check_is_no_input};
use crate::terminal;

/// Show, check or begin a strategy: an idea of leads, antes or the dead hand, as a file.
#[derive(Subcommand)]
pub(crate) enum StrategyCommand {
    Show(ShowArgs),
    Check(CheckArgs),
    New(NewArgs),
    Learn(learn::LearnArgs),
    /// List all facts that clauses can ask for, with their units and ranges.
    Facts,
}

/// Show a strategy in words, step by step.
#[derive(Args)]
#[command(
    after_help = "Example:\n  newmarket strategy show basic --rules michigan\n  newmarket strategy show mine.toml --html card.html"
)]
pub(crate) struct ShowArgs {
    /// A named strategy, or the path of a strategy file.
    strategy: String,
    /// Show what it does in this game alone.
    #[arg(long, value_name = "GAME")]
    rules: Option<String>,
    /// Also write a card to print (HTML), of what it does in one game: that of --rules [default: newmarket].
    #[arg(long, value_name = "FILE", conflicts_with_all = ["json", "toml"])]
    html: Option<PathBuf>,
    /// Print the file of a named strategy.
    #[arg(long, conflicts_with_all = ["json", "rules"])]
    toml: bool,
    /// Print the strategy as JSON, with all files on which it builds: for programs and pages.
    #[arg(long, conflicts_with = "rules")]
    json: bool,
}

/// Check strategy files, and say all their faults.
#[derive(Args)]
#[command(after_help = "Example:\n  newmarket strategy check mine.toml")]
pub(crate) struct CheckArgs {
    /// The files.
    #[arg(required = true)]
    files: Vec<PathBuf>,
}

/// Write a strategy file to begin with.
#[derive(Args)]
#[command(
    after_help = "Example:\n  newmarket strategy new mine.toml\n  newmarket duel strategy:mine.toml stopper"
)]
pub(crate) struct NewArgs {
    /// The file; none of this name may exist.
    file: PathBuf,
}

/// What `strategy new` writes.
const STARTER: &str = include_str!("strategy/starter.toml");

impl StrategyCommand {
    pub(crate) fn run(self) -> Result {
        match self {
            Self::Show(args) => args.run(),
            Self::Check(args) => args.run(),
            Self::New(args) => args.run(),
            Self::Learn(args) => args.run(),
            Self::Facts => list_facts(),
        }
    }
}

/// A strategy by its name, or by the path of its file.
fn content(name: &str) -> Result<Arc<Content>> {
    match strategy::named_content(name) {
        Some(content) => Ok(content),
        None if name.contains(['/', '\\', '.']) => Ok(checked(Path::new(name))?),
        None => Err(Failure::user(format!(
            "unknown strategy `{name}`: expected the path of a strategy file, or one of {}",
            strategy::NAMES.join(", ")
        ))),
    }
}

/// The content of a file whose bases can be used.
fn checked(path: &Path) -> Result<Arc<Content>> {
    let content = read_strategy(path)?;
    let clock: Option<Clock> = Some(terminal::clock);
    let name = path.display().to_string();
    roster::by_strategy(&name, content.clone(), ActionSelection::Greedy, clock)?;
    Ok(content)
}

impl ShowArgs {
    fn run(self) -> Result {
        let content = content(&self.strategy)?;
        if self.json {
            return terminal::print_json(content.json());
        }
        if self.toml {
            let Some(text) = strategy::named_toml(&self.strategy) else {
                return Err(Failure::user(format!(
                    "`{}` is a file already: expected a named strategy with --toml",
                    self.strategy
                )));
            };
            return terminal::print_toml(text);
        }
        let game = self.rules.as_deref().map(newmarket_env::Rules::load).transpose()?;
        let game = game.map(|rules| rules.base);
        if let Some(path) = &self.html {
            if strategy::named_content(&self.strategy).is_none() {
                check_is_no_input("--html", path, self.strategy.as_ref(), "the strategy")?;
            }
            let mut out = Output::open(Some(path))?;
            let name = content.name.as_deref().unwrap_or(&self.strategy);
            out.write(card::page(name, &content, game.unwrap_or(NAMES[0])))?;
            out.finish()?;
        }
        terminal::print(&content.about)?;
        if let Some(says) = &content.says {
            terminal::print(format!("It models this advice: {says}"))?;
        }
        for section in of_game(&content, game) {
            let place = section.game.map_or_else(String::new, |game| format!(" in {game}"));
            terminal::print(format!("\n{}{place}", section.heading))?;
            for (nth, step) in section.steps.iter().enumerate() {
                terminal::print(format!("  {}. {step}", nth + 1))?;
            }
            terminal::print(format!("  {}", section.reading))?;
        }
        terminal::print(format!("\n{}", content.rest_in_words()))
    }
}

/// What a strategy does, in words: in one game, where its own part takes the place of the general one, or in all.
fn of_game(content: &Content, game: Option<&str>) -> Vec<WordedPart> {
    let mut parts = content.in_words();
    let Some(game) = game else { return parts };
    let own: Vec<&str> =
        parts.iter().filter(|part| part.game == Some(game)).map(|part| part.heading).collect();
    parts.retain(|part| match part.game {
        Some(of) => of == game,
        None => !own.contains(&part.heading),
    });
    parts
}

impl CheckArgs {
    fn run(self) -> Result {
        let mut faults = Vec::new();
        for file in &self.files {
            match checked(file) {
                Ok(_) => terminal::print(format!("{}: no fault", file.display()))?,
                Err(Failure::User(line)) => faults.push(line),
                Err(other) => return Err(other),
            }
        }
        if faults.is_empty() { Ok(()) } else { Err(Failure::user(faults.join("; "))) }
    }
}

impl NewArgs {
    fn run(self) -> Result {
        if self.file.exists() {
            let file = self.file.display();
            return Err(Failure::user(format!("{file} exists: expected the path of a new file")));
        }
        write_whole(&self.file, STARTER.as_bytes())?;
        let file = self.file.display();
        terminal::print(format!(
            "{file} is written. Change it, then:\n  newmarket strategy check {file}\n  \
             newmarket duel strategy:{file} stopper"
        ))
    }
}

fn list_facts() -> Result {
    for (scope, title) in [
        (Scope::Suit, "Of a suit, in `lead`"),
        (Scope::Cell, "Of a cell, in the `cells` of an ante"),
        (Scope::Table, "Of your hand and the table, everywhere"),
    ] {
        terminal::print(format!("{title}:"))?;
        for fact in facts(scope) {
            terminal::print(format!(
                "  {:<40} {:<10} {:<10} {}",
                fact.name,
                fact.unit.name(),
                fact.range_in_words(),
                fact.about
            ))?;
        }
        terminal::print("")?;
    }
    terminal::print("Bases without a file:")?;
    for (name, about) in BASES {
        terminal::print(format!("  {name:<40} {about}"))?;
    }
    Ok(())
}
