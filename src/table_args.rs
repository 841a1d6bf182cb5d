//! Flags and player names that several commands share.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use newmarket_agents::Player;
use newmarket_agents::search::Omniscient;
use newmarket_checkpoints::roster;
use newmarket_env::{Game, Rules};
use newmarket_eval::study::Payoff;

use crate::external::{self, Limits, OnFault, Programs};
use crate::failure::{Failure, Result};
use crate::numbers::whole;
use crate::output::check_is_no_input;
use crate::{interrupt, terminal};

/// The game and the number of players.
#[derive(clap::Args)]
pub(crate) struct TableArgs {
    /// A named game (see `newmarket rules`), a rules file, or house:N for random house rules of seed N.
    #[arg(long, value_name = "R", default_value = "newmarket")]
    pub(crate) rules: String,
    /// Players at the table.
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = players)]
    pub(crate) players: usize,
}

pub(crate) fn players(text: &str) -> Result<usize, String> {
    text.parse().map_err(|_| "expected a number of players, as 4".into())
}

impl TableArgs {
    /// The game that the flags name.
    pub(crate) fn game(&self) -> Result<Arc<Game>> {
        Ok(Arc::new(Game::new(Rules::load(&self.rules)?, self.players)?))
    }
}

/// Refuses to overwrite the rules file.
pub(crate) fn check_is_not_rules(flag: &str, out: Option<&Path>, rules: &str) -> Result {
    match out {
        Some(out) if Rules::named(rules).is_none() => {
            check_is_no_input(flag, out, rules.as_ref(), "the rules file")
        }
        _ => Ok(()),
    }
}

/// Flags for whole sessions.
#[derive(clap::Args)]
pub(crate) struct SessionArgs {
    /// Play 1000 whole sessions instead of single deals: chips carry over, the deal moves left, and the player
    /// with the most chips at the end wins.
    #[arg(long, conflicts_with = "deals")]
    session: bool,
    /// Play this many sessions, each in every seating.
    #[arg(long, value_name = "K", conflicts_with = "deals", value_parser = whole::<u64>(1..=10_000_000))]
    sessions: Option<u64>,
}

impl SessionArgs {
    /// The number of sessions; `None` for single deals.
    pub(crate) fn count(&self) -> Option<u64> {
        self.sessions.or(self.session.then_some(1000))
    }
}

/// The end of a help page: examples, and the agents.
pub(crate) fn with_agents(example: &str) -> String {
    let agents: Vec<_> = roster::names().collect();
    listed(example, &agents)
}

/// As [`with_agents`], for a command that judges strategies: without the agent that sees hidden cards, and with
/// `more` names that only this command takes.
pub(crate) fn with_strategies(example: &str, more: &[(&'static str, &'static str)]) -> String {
    let seeing = roster::names().filter(|(name, _)| name != Omniscient::NAME);
    let more = more.iter().map(|&(name, about)| (name.into(), about.into()));
    listed(example, &seeing.chain(more).collect::<Vec<_>>())
}

fn listed(example: &str, agents: &[(String, String)]) -> String {
    let lines: Vec<String> =
        agents.iter().map(|(name, about)| format!("  {name:<17} {about}")).collect();
    format!(
        "{example}\n\nAgents:\n{}\n  pimc and ismcts take a playout policy: pimc:60,playout=random",
        lines.join("\n")
    )
}

/// As [`with_agents`], for a command whose players may be programs.
pub(crate) fn with_players(example: &str) -> String {
    let forms = [
        ("exec:PROGRAM", "a program without arguments"),
        (
            r#"exec:["PROGRAM","ARGUMENT",…]"#,
            "a program with arguments, as JSON; no shell reads it",
        ),
        (r#"exec:{"run":[…],"player":"NAME"}"#, "one of the players of a program, by name"),
    ]
    .map(|(name, about)| format!("  {name:<32} {about}"));
    format!(
        "{}\n\nPrograms (each is started once and speaks the protocol of engine/PROTOCOL.md):\n{}",
        with_agents(example),
        forms.join("\n")
    )
}

/// An agent by name.
pub(crate) fn agent(name: &str) -> Result<Player> {
    Ok(roster::agent(name, terminal::clock)?)
}

/// Reads a payoff by its name.
pub(crate) fn payoff() -> impl TypedValueParser<Value = Payoff> {
    PossibleValuesParser::new(Payoff::ALL.map(Payoff::name)).map(|name| {
        Payoff::ALL.into_iter().find(|payoff| payoff.name() == name).expect("it is one of them")
    })
}

/// Flags for players that are programs.
#[derive(clap::Args)]
pub(crate) struct ProgramArgs {
    /// Time limit of a program (exec:…) for a decision, in milliseconds.
    #[arg(long, value_name = "MS", default_value_t = 1000, value_parser = whole::<u64>(1..=600_000))]
    move_ms: u64,
    /// Time limit of a program to start, in milliseconds.
    #[arg(long, value_name = "MS", default_value_t = 10_000, value_parser = whole::<u64>(1..=600_000))]
    start_ms: u64,
    /// What to do when a program does not answer, or answers with nonsense or an illegal action.
    #[arg(long, value_enum, default_value = "stopper")]
    on_fault: OnFault,
}

impl ProgramArgs {
    /// An empty set of programs, with the limits for those that will be started.
    pub(crate) fn programs(&self) -> Programs {
        Programs::new(Limits {
            to_move: Duration::from_millis(self.move_ms),
            to_start: Duration::from_millis(self.start_ms),
            on_fault: self.on_fault,
        })
    }
}

/// An agent by name, which may be a program.
pub(crate) fn player(name: &str, programs: &mut Programs) -> Result<Player> {
    if !name.starts_with(external::PREFIX) {
        return agent(name);
    }
    // An interrupt must kill the program.
    interrupt::catch()?;
    programs.player(name).map_err(Failure::user)
}

/// Plays. If a fault of a program ends the play, that is a failure.
pub(crate) fn stoppable<T>(play: impl FnOnce() -> T) -> Result<T> {
    external::stoppable(play).map_err(Failure::Program)
}

/// Reports programs with faults on standard error.
pub(crate) fn warn_of_faults(programs: &Programs) {
    for program in programs.reports().iter().filter(|program| program.faults() > 0) {
        terminal::warn(program.sentence());
    }
}

/// Splits a list of names at commas. `playout=…` after a comma belongs to the name before it, and commas inside the
/// name of a program belong to that name.
pub(crate) fn split_names(text: &str) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    let mut rest = Some(text);
    while let Some(list) = rest.map(str::trim_start) {
        let program = external::name_at(list).unwrap_or(0);
        let end = list[program..].find(',').map(|comma| program + comma);
        let part = list[..end.unwrap_or(list.len())].trim_end();
        match names.last_mut() {
            Some(last) if part.starts_with("playout=") => *last = format!("{last},{part}"),
            _ => names.push(part.into()),
        }
        rest = end.map(|end| &list[end + 1..]);
    }
    names
}

/// An agent for each seat, from as many names as seats, or from one name for all.
pub(crate) fn players_for(
    names: &str,
    seats: usize,
    programs: &mut Programs,
) -> Result<Vec<Player>> {
    let names = split_names(names);
    match &names[..] {
        [one] => (0..seats).map(|_| player(one, programs)).collect(),
        _ if names.len() == seats => names.iter().map(|name| player(name, programs)).collect(),
        _ => Err(Failure::user(format!(
            "{} agents for {seats} seats: expected {seats} names, or one for all",
            names.len()
        ))),
    }
}

/// A word, quoted for a shell if needed.
pub(crate) fn quoted(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./:,=+".contains(c);
    if !text.is_empty() && text.chars().all(plain) {
        text.to_owned()
    } else {
        format!("'{}'", text.replace('\'', "'\\''"))
    }
}
