//! Flags that many commands share.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use newmarket_agents::Player;
use newmarket_agents::search::Omniscient;
use newmarket_checkpoints::roster;
use newmarket_env::{Game, Rules};

use crate::external::{self, Limits, OnFault, Programs};
use crate::failure::{Failure, Result};
use crate::numbers::whole;
use crate::output::check_is_no_input;
use crate::{interrupt, terminal};

/// Which game, for how many.
#[derive(clap::Args)]
pub(crate) struct TableArgs {
    /// A named game (see `newmarket rules`), the path of a rules file, or house:N, house rules at random.
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

/// Refuses to write over a file of rules.
pub(crate) fn check_is_not_rules(flag: &str, out: Option<&Path>, rules: &str) -> Result {
    match out {
        Some(out) if Rules::named(rules).is_none() => {
            check_is_no_input(flag, out, rules.as_ref(), "the rules file")
        }
        _ => Ok(()),
    }
}

/// Whether whole sessions are played.
#[derive(clap::Args)]
pub(crate) struct SessionArgs {
    /// Play whole sessions as the rules say, not single deals: chips carry over, the deal moves left,
    /// and who has most chips at the end wins. 1000 of them.
    #[arg(long, conflicts_with = "deals")]
    session: bool,
    /// The same with this many sessions, each played in every seating.
    #[arg(long, value_name = "K", conflicts_with = "deals", value_parser = whole::<u64>(1..=10_000_000))]
    sessions: Option<u64>,
}

impl SessionArgs {
    /// How many sessions are played; `None` if single deals are.
    pub(crate) fn count(&self) -> Option<u64> {
        self.sessions.or(self.session.then_some(1000))
    }
}

/// The end of a help page: an example, and who can be asked to play.
pub(crate) fn with_agents(example: &str) -> String {
    let agents: Vec<_> = roster::names().collect();
    listed(example, &agents)
}

/// The same for a command that judges strategies: who looks at hidden cards has none, `more` are names
/// that this command alone knows.
pub(crate) fn with_strategies(example: &str, more: &[(&'static str, &'static str)]) -> String {
    let seeing = roster::names().filter(|(name, _)| name != Omniscient::NAME);
    let more = more.iter().map(|&(name, about)| (name.into(), about));
    listed(example, &seeing.chain(more).collect::<Vec<_>>())
}

fn listed(example: &str, agents: &[(String, &str)]) -> String {
    let lines: Vec<String> =
        agents.iter().map(|(name, about)| format!("  {name:<17} {about}")).collect();
    format!(
        "{example}\n\nAgents:\n{}\n  pimc and ismcts may say how deals are played out, as in \
         pimc:60,playout=random",
        lines.join("\n")
    )
}

/// The same where players may be programs.
pub(crate) fn with_players(example: &str) -> String {
    let forms = [
        ("exec:PROGRAM", "one without arguments"),
        (r#"exec:["PROGRAM","ARGUMENT",…]"#, "one with arguments, in JSON; no shell splits it"),
        (r#"exec:{"run":[…],"player":"NAME"}"#, "one of its players by name"),
    ]
    .map(|(name, about)| format!("  {name:<32} {about}"));
    format!(
        "{}\n\nPrograms, which are started once and asked as engine/PROTOCOL.md says:\n{}",
        with_agents(example),
        forms.join("\n")
    )
}

/// An agent by name.
pub(crate) fn agent(name: &str) -> Result<Player> {
    Ok(roster::agent(name, terminal::clock)?)
}

/// Flags for players that are programs.
#[derive(clap::Args)]
pub(crate) struct ProgramArgs {
    /// Milliseconds that a program (exec:…) has for a decision.
    #[arg(long, value_name = "MS", default_value_t = 1000, value_parser = whole::<u64>(1..=600_000))]
    move_ms: u64,
    /// Milliseconds that a program has to start.
    #[arg(long, value_name = "MS", default_value_t = 10_000, value_parser = whole::<u64>(1..=600_000))]
    start_ms: u64,
    /// What happens when a program answers nothing, nonsense, or what is not legal.
    #[arg(long, value_enum, default_value = "stopper")]
    on_fault: OnFault,
}

impl ProgramArgs {
    /// No program so far, and what those are granted that will be started.
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
    // From now on an interrupt ends programs, too.
    interrupt::tidy()?;
    programs.player(name).map_err(Failure::user)
}

/// Plays; an end at a fault of a program is a failure.
pub(crate) fn stoppable<T>(play: impl FnOnce() -> T) -> Result<T> {
    external::stoppable(play).map_err(Failure::Program)
}

/// Says on standard error which programs were at fault.
pub(crate) fn warn_of_faults(programs: &Programs) {
    for program in programs.reports().iter().filter(|program| program.faults() > 0) {
        terminal::warn(program.sentence());
    }
}

/// The names of a list. `playout=…` after a comma belongs to the name before it, and so do the
/// commas within the name of a program.
pub(crate) fn split_names(text: &str) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    let mut rest = Some(text);
    while let Some(list) = rest.map(str::trim_start) {
        let own = external::name_at(list).unwrap_or(0);
        let end = list[own..].find(',').map(|comma| own + comma);
        let part = list[..end.unwrap_or(list.len())].trim_end();
        match names.last_mut() {
            Some(last) if part.starts_with("playout=") => *last = format!("{last},{part}"),
            _ => names.push(part.into()),
        }
        rest = end.map(|end| &list[end + 1..]);
    }
    names
}

/// An agent for each seat: as many names as seats, or one that fills them all.
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

/// A word as a shell takes it.
pub(crate) fn quoted(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./:,=+".contains(c);
    if !text.is_empty() && text.chars().all(plain) {
        text.to_owned()
    } else {
        format!("'{}'", text.replace('\'', "'\\''"))
    }
}
