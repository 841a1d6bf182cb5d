//! `newmarket study`.

pub(crate) mod advice;
pub(crate) mod effort;
mod html;
mod plan;
mod report;
pub(crate) mod strategy;
mod text;
pub(crate) mod tips;

use std::path::PathBuf;

use clap::ValueEnum;
use newmarket_eval::study::{Payoff, Section, Study};

use crate::failure::{At, Failure, Result};
use crate::kept::Kept;
use crate::numbers::whole;
use crate::report::form::{self, FormArgs, Forms};
use crate::table_args::{agent, check_is_not_rules, payoff, players, quoted, with_agents};
use crate::terminal;
use effort::{Effort, EffortArgs};
use plan::{Asked, Common, Tables, What};
use report::{Report, Reproducible};

/// Measure what choices are worth: leads, antes, the dead hand, tips.
///
/// `advice` measures the lists of `basic`, `strategy` strategy files, `tips` a folder of them with their claims. `truth` compares the method with exact values in a game that can be solved. Lists of clauses are found by
/// `newmarket strategy learn`.
///
/// All alternatives are played on the same deals with the same random numbers, and every figure has a 95 % interval.
/// The report gives a command that reproduces each section. The same number of deals and the same seed give the same
/// figures on any machine and with any number of threads, unless an agent has a time limit.
#[derive(clap::Args)]
#[command(
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    after_help = with_agents("Examples:\n  newmarket study strategy my.toml --parts\n  \
                        newmarket study lead --deals 5000\n  \
                        newmarket study ante --rules hoyle-1885 --players 5 --ci 0.02\n  \
                        newmarket study dead-hand --rules michigan-widow --json\n  \
                        newmarket study tips --deals 20000\n  \
                        newmarket study truth --deals 250000\n  \
                        newmarket study all --minutes 10 --out report.html"))]
pub(crate) struct StudyArgs {
    #[command(subcommand)]
    of_files: Option<OfFiles>,
    /// The study, or all of them.
    #[arg(value_enum, required = true)]
    study: Option<Which>,
    /// A named game (see `newmarket rules`), a rules file, or house:N [default: newmarket; for the dead hand
    /// newmarket-buy; for the truth eval/games/two-seats.toml, a small pack; for `all`, several of each].
    #[arg(long, value_name = "R")]
    rules: Option<String>,
    /// Players at the table [default: 4, or the nearest number that the game allows].
    #[arg(long, value_name = "N", value_parser = players)]
    players: Option<usize>,
    /// The agent in the other seats [default: stopper; for `all` advice is measured among net:champion, too].
    #[arg(long, value_name = "AGENT")]
    field: Option<String>,
    /// The agent that plays the studied seat after its choice.
    #[arg(long, value_name = "AGENT", default_value = "basic")]
    player: String,
    /// The payoff: of a deal in a session, where chips that stay on the table count for what they are worth later, or
    /// of a deal alone, where they are lost.
    #[arg(long, value_name = "P", default_value = Payoff::Session.name(), value_parser = payoff())]
    payoff: Payoff,
    #[command(flatten)]
    effort: EffortArgs,
    /// Seed of the deals and of all random numbers.
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = whole::<u64>(0..=u64::MAX))]
    seed: u64,
    #[command(flatten)]
    form: FormArgs,
    /// Also write the report as an HTML page.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Keep each finished section in this folder, so that a stopped report can continue. Networks in files must stay
    /// the same.
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["ci", "minutes"])]
    keep: Option<PathBuf>,
}

/// The studies of strategies.
#[derive(clap::Subcommand)]
enum OfFiles {
    Advice(Box<advice::AdviceArgs>),
    Strategy(Box<strategy::StrategyArgs>),
    Tips(Box<tips::TipsArgs>),
}

/// The reason why a study is not in a report.
fn why(what: What, error: &Failure) -> String {
    format!("{}: {error}", what.name())
}

/// The studies to run.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Which {
    One(Study),
    All,
}

impl ValueEnum for Which {
    fn value_variants<'a>() -> &'a [Self] {
        const COUNT: usize = Study::ALL.len() + 1;
        static VARIANTS: [Which; COUNT] = {
            let mut variants = [Which::All; COUNT];
            let mut at = 0;
            while at + 1 < COUNT {
                variants[at] = Which::One(Study::ALL[at]);
                at += 1;
            }
            variants
        };
        &VARIANTS
    }

    fn to_possible_value(&self) -> Option<clap::builder::PossibleValue> {
        Some(match self {
            Self::One(study) => clap::builder::PossibleValue::new(study.name()),
            Self::All => clap::builder::PossibleValue::new("all"),
        })
    }
}

impl StudyArgs {
    pub(crate) fn run(mut self) -> Result {
        match (self.of_files.take(), self.study) {
            (Some(OfFiles::Advice(args)), _) => args.run(),
            (Some(OfFiles::Strategy(args)), _) => args.run(),
            (Some(OfFiles::Tips(args)), _) => args.run(),
            (None, Some(study)) => self.play(study),
            (None, None) => unreachable!("a study is required"),
        }
    }

    fn play(self, which: Which) -> Result {
        if let Some(rules) = &self.rules {
            check_is_not_rules("--out", self.out.as_deref(), rules)?;
        }
        let player = agent(&self.player)?;
        let (rules, field) = (self.rules.as_deref(), self.field.as_deref());
        let tables = Tables { rules, players: self.players, field };
        let parts = match which {
            Which::One(study) => vec![(What::Study(study), tables.one(study))],
            Which::All => tables.all(),
        };
        let (mut studies, mut left_out, mut first) = (Vec::new(), Vec::new(), None);
        for (what, asked) in parts {
            match asked.and_then(Asked::check) {
                Ok(asked) => studies.push(asked),
                Err(error) => {
                    left_out.push(why(what, &error));
                    first.get_or_insert(error);
                }
            }
        }
        // The game is unknown, or has nothing to study.
        if let Some(error) =
            first.filter(|_| studies.iter().all(|asked| asked.what == What::Advice))
        {
            return Err(error);
        }
        let page = form::page(self.out.as_deref())?;
        let kept = Kept::in_folder(self.keep.as_deref())?;
        let tips = tips::candidates(tips::of_program()?);
        let common = Common { player: &player, tips: &tips, payoff: self.payoff, seed: self.seed };
        let mut effort = Effort::new(&self.effort, studies.len(), effort::USUAL);
        let mut sections = Vec::new();
        for asked in studies {
            let deals = effort.deals(asked.share);
            let depends_on = || {
                let command = deals.map(|deals| self.command(&asked, deals)).unwrap_or_default();
                // The rules in full, since a rules file may change.
                let rules = asked.games.iter().map(|game| game.rules().to_toml());
                std::iter::once(command).chain(rules).collect()
            };
            let section =
                kept.or(asked.what.name(), depends_on, || section(&asked, &common, &mut effort));
            let section = match section? {
                Err(error @ Failure::User(_)) if which == Which::All => {
                    left_out.push(why(asked.what, &error));
                    continue;
                }
                section => section?,
            };
            let command = self.command(&asked, section.deals);
            sections.push(Reproducible { section, command });
        }
        let report = Report { sections, left_out };
        self.form.show(&report, page)
    }

    /// The command that reproduces a section.
    fn command(&self, asked: &Asked, deals: u64) -> String {
        let Asked { what, rules, field, games, players, .. } = asked;
        let one = matches!(what, What::Study(_)).then(|| games[0].players());
        let players = players.or(one).map(|players| players.to_string());
        let rules = (!rules.is_empty()).then(|| rules.join(","));
        let flags = [
            ("rules", rules.as_deref()),
            ("players", players.as_deref()),
            ("field", field.as_deref()),
            ("player", what.plays_on().then_some(self.player.as_str())),
            ("payoff", (*what != What::Study(Study::Truth)).then_some(self.payoff.name())),
        ];
        let mut words = vec![format!("newmarket study {}", what.name())];
        for (flag, value) in flags.into_iter().filter_map(|(flag, value)| Some((flag, value?))) {
            words.push(format!("--{flag} {}", quoted(value)));
        }
        words.push(format!("--deals {deals} --seed {}", self.seed));
        words.join(" ")
    }
}

fn section(asked: &Asked, common: &Common, effort: &mut Effort) -> Result<Section> {
    let play = |deals: u64| -> Result<Section> {
        let bar = terminal::progress(asked.work(common, deals), "deals");
        bar.set_message(asked.what.name());
        let section = asked.run(common, deals, &|deals| bar.inc(deals));
        bar.finish_and_clear();
        section
    };
    effort.spend(asked.share, play).at(format!("study {}", asked.what.name()))
}

impl Forms for Report {
    fn text(&self) -> String {
        text::terminal(self)
    }

    fn markdown(&self) -> String {
        text::markdown(self)
    }

    fn html(&self) -> String {
        html::page(self)
    }
}
