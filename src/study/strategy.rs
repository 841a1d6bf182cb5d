//! `newmarket study strategy`.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use newmarket_agents::Player;
use newmarket_agents::net::ActionSelection;
use newmarket_agents::strategy::{BASES, Base, named_content};
use newmarket_checkpoints::{read_strategy, roster};
use newmarket_env::text::with_causes;
use newmarket_env::{Game, Rules};
use newmarket_eval::study::{Candidate, Payoff, Section, StrategyStudy};

use super::effort::{Effort, EffortArgs};
use super::plan::Share;
use super::report::{Report, Reproducible};
use crate::failure::{At, Result};
use crate::numbers::whole;
use crate::report::form::{self, FormArgs};
use crate::table_args::{agent, check_is_not_rules, payoff, players, quoted, split_names};
use crate::terminal;

/// Deals by default: intervals of ± 0.05 or better in `newmarket`, in seconds.
const USUAL: u64 = 40_000;
/// How the name of a strategy's player begins.
const PREFIX: &str = "strategy:";

/// Measure strategy files: what each gains over its base, as a whole, by part and by clause.
///
/// A strategy sits in each seat in turn among players of the field, and so does the player that it is measured over,
/// on the same deals. All intervals of a table hold together with 95 % probability. FILE is a strategy file as
/// docs/STRATEGIES.md describes it, or the name of a strategy of the program, as basic.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  newmarket study strategy my.toml\n  \
                        newmarket study strategy my.toml --parts --by-seat\n  \
                        newmarket study strategy a.toml b.toml --over basic --rules newmarket,michigan --players 4,6\n  \
                        newmarket study strategy my.toml --field stopper,net:champion --sessions 2000 --json")]
pub(crate) struct StrategyArgs {
    /// The strategies: files, or names of strategies of the program.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<String>,
    /// Measure over this agent or strategy file [default: what `over` of the file says, or its base].
    #[arg(long, value_name = "NAME|FILE")]
    over: Option<String>,
    #[command(flatten)]
    measure: MeasureArgs,
    /// Also measure leads, antes and the dead hand alone, and what each clause adds.
    #[arg(long)]
    parts: bool,
}

/// What `study strategy` and `study tips` have in common.
#[derive(clap::Args)]
pub(super) struct MeasureArgs {
    /// Games, separated by commas: named ones (see `newmarket rules`), rules files, or house:N.
    #[arg(long, value_name = "G,…", value_delimiter = ',')]
    rules: Vec<String>,
    /// Numbers of players at the table, separated by commas [default: 4, or the nearest number that the game allows].
    #[arg(long, value_name = "N,…", value_delimiter = ',', value_parser = players)]
    players: Vec<usize>,
    /// The agents in the other seats, one table for each, separated by commas [default: what `field` of the file says,
    /// or stopper].
    #[arg(long, value_name = "F,…")]
    field: Option<String>,
    /// Also tell the gain by seat from eldest on; with --payoff session also by deals left.
    #[arg(long)]
    by_seat: bool,
    /// Also play this many whole sessions.
    #[arg(long, value_name = "K", value_parser = whole::<u64>(2..=10_000_000))]
    sessions: Option<u64>,
    /// The payoff: of a deal alone, where chips that stay on the table are lost, or of a deal in a session, where they
    /// count for what they are worth later [default: deal; for tips session].
    #[arg(long, value_name = "P", value_parser = payoff())]
    payoff: Option<Payoff>,
    #[command(flatten)]
    effort: EffortArgs,
    /// Seed of the deals and of all random numbers.
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = whole::<u64>(0..=u64::MAX))]
    seed: u64,
    #[command(flatten)]
    form: FormArgs,
    /// Also write the report as an HTML page.
    #[arg(long, visible_alias = "html", value_name = "FILE")]
    pub(super) out: Option<PathBuf>,
}

impl StrategyArgs {
    pub(super) fn run(self) -> Result {
        let over = self.over.as_deref().map(over).transpose()?;
        let candidates: Vec<Candidate> =
            self.files.iter().map(|name| candidate(name, over.as_ref())).collect::<Result<_>>()?;
        let study = |plan: &Plan, done: &(dyn Fn(u64) + Sync)| {
            Ok(plan.study(&candidates, self.parts).run(done)?)
        };
        let mut words: Vec<String> = self.files.iter().map(|file| quoted(file)).collect();
        words.extend(self.over.as_ref().map(|over| format!("--over {}", quoted(over))));
        words.extend(self.parts.then(|| "--parts".into()));
        let command = format!("strategy {}", words.join(" "));
        let names: Vec<&str> = self.files.iter().map(String::as_str).collect();
        check_is_no_file(&names, self.measure.out.as_deref())?;
        self.measure.show(&["newmarket"], Payoff::Deal, &command, study)
    }
}

/// Refuses to overwrite a strategy file.
pub(super) fn check_is_no_file(files: &[&str], out: Option<&Path>) -> Result {
    let Some(out) = out else { return Ok(()) };
    files.iter().filter(|name| named_content(name).is_none()).try_for_each(|name| {
        let file = Path::new(name.strip_prefix(PREFIX).unwrap_or(name));
        crate::output::check_is_no_input("--out", out, file, "a strategy file")
    })
}

/// The tables and the length of a study of strategies.
pub(super) struct Plan<'a> {
    args: &'a MeasureArgs,
    games: &'a [Arc<Game>],
    fields: &'a [String],
    deals: u64,
    payoff: Payoff,
}

impl Plan<'_> {
    /// The study of these strategies.
    pub(super) fn study<'s>(
        &'s self,
        candidates: &'s [Candidate],
        parts: bool,
    ) -> StrategyStudy<'s> {
        let &MeasureArgs { seed, by_seat, .. } = self.args;
        let payoff = self.payoff;
        let sessions = self.args.sessions.unwrap_or(0);
        let (games, fields, deals) = (self.games, self.fields, self.deals);
        let make = &player;
        StrategyStudy {
            candidates,
            games,
            fields,
            make,
            deals,
            sessions,
            seed,
            payoff,
            parts,
            by_seat,
        }
    }
}

impl MeasureArgs {
    /// Plays a study at the tables that the flags ask for, and shows its section. `usual` and
    /// `payoff` are the games and the payoff by default. `command` reproduces it, with the
    /// flags of these arguments.
    pub(super) fn show(
        &self,
        usual: &[&str],
        payoff: Payoff,
        command: &str,
        study: impl Fn(&Plan, &(dyn Fn(u64) + Sync)) -> Result<Section>,
    ) -> Result {
        let games = self.games(usual)?;
        let payoff = self.payoff.unwrap_or(payoff);
        let fields = self.field.as_deref().map(split_names).unwrap_or_default();
        // That there is no such agent is told before anything is played.
        fields.iter().try_for_each(|name| agent(name).map(drop))?;
        let page = form::page(self.out.as_deref())?;
        let play = |deals: u64| {
            let plan = Plan { args: self, games: &games, fields: &fields, deals, payoff };
            let groups = games.len() * fields.len().max(1);
            let bar =
                terminal::progress(groups as u64 * (deals + self.sessions.unwrap_or(0)), "deals");
            let section = study(&plan, &|played| bar.inc(played));
            bar.finish_and_clear();
            section
        };
        let section = Effort::new(&self.effort, 1, USUAL)
            .spend(Share::ALL, play)
            .at(format!("study {command}"))?;
        let command = self.command(command, section.deals);
        let sections = vec![Reproducible { section, command }];
        self.form.show(&Report { sections, left_out: Vec::new() }, page)
    }

    fn games(&self, usual: &[&str]) -> Result<Vec<Arc<Game>>> {
        let asked: Vec<&str> = self.rules.iter().map(String::as_str).collect();
        let names = if asked.is_empty() { usual } else { &asked[..] };
        let mut games = Vec::new();
        for name in names {
            check_is_not_rules("--out", self.out.as_deref(), name)?;
            let rules = Rules::load(name)?;
            let (least, most) = rules.players;
            let own = [super::plan::PLAYERS.clamp(least, most)];
            let sizes = if self.players.is_empty() { &own[..] } else { &self.players };
            for &players in sizes {
                games.push(Arc::new(Game::new(rules.clone(), players)?));
            }
        }
        Ok(games)
    }

    /// The command that reproduces a section.
    fn command(&self, study: &str, deals: u64) -> String {
        let mut words = vec![format!("newmarket study {study}")];
        let listed = |names: &[String]| (!names.is_empty()).then(|| quoted(&names.join(",")));
        let sizes: Vec<String> = self.players.iter().map(ToString::to_string).collect();
        let flags = [
            ("rules", listed(&self.rules)),
            ("players", listed(&sizes)),
            ("field", self.field.as_deref().map(quoted)),
            ("sessions", self.sessions.map(|sessions| sessions.to_string())),
            ("payoff", self.payoff.map(|payoff| payoff.name().into())),
        ];
        let flags = flags.into_iter().filter_map(|(flag, value)| Some((flag, value?)));
        words.extend(flags.map(|(flag, value)| format!("--{flag} {value}")));
        words.extend(self.by_seat.then(|| "--by-seat".into()));
        words.push(format!("--deals {deals} --seed {}", self.seed));
        words.join(" ")
    }
}

/// The strategy of a name on the command line: of the program, or a file.
pub(crate) fn candidate(name: &str, over: Option<&(String, Base)>) -> Result<Candidate> {
    let content = match named_content(name) {
        Some(content) => content,
        None => read_strategy(Path::new(name.strip_prefix(PREFIX).unwrap_or(name)))?,
    };
    let name = content.name.clone().unwrap_or_else(|| short(name));
    Ok(Candidate { name, content, over: over.cloned() })
}

/// The name of a strategy file without its folder and its end.
pub(super) fn short(name: &str) -> String {
    let stem = Path::new(name).file_stem();
    stem.map_or_else(|| name.into(), |stem| stem.to_string_lossy().into_owned())
}

/// The player of `--over`: a file, or an agent by name.
pub(crate) fn over(name: &str) -> Result<(String, Base)> {
    let path = name.strip_prefix(PREFIX);
    let is_file =
        |path: &&str| Path::new(path).extension().is_some_and(|end| end == "toml" || end == "json");
    if let Some(path) = path.or_else(|| Some(name).filter(is_file)) {
        let content = read_strategy(Path::new(path))?;
        let called = content.name.clone().unwrap_or_else(|| short(path));
        return Ok((called, Base::Strategy(content)));
    }
    if !BASES.iter().any(|(base, _)| *base == name) {
        agent(name)?;
    }
    Ok((name.into(), Base::Named(name.into())))
}

/// The player of a strategy or of a name.
pub(crate) fn player(name: &str, base: &Base) -> Result<Player, String> {
    match base {
        Base::Named(name) => agent(name).map_err(|error| error.to_string()),
        Base::Strategy(content) => {
            let made = roster::by_strategy(
                name,
                content.clone(),
                ActionSelection::Greedy,
                Some(terminal::clock),
            );
            made.map(Player::from).map_err(|error| with_causes(&error))
        }
    }
}
