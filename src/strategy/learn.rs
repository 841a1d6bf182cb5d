//! `newmarket strategy learn`: finds a list of clauses, and writes it as a strategy file.

use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use newmarket_agents::Agent;
use newmarket_agents::net::ActionSelection;
use newmarket_agents::search::Clock;
use newmarket_agents::strategy::{BASES, Content, Strategy};
use newmarket_checkpoints::{read_strategy, roster, strategy_from_toml};
use newmarket_env::text::toml;
use newmarket_env::{Game, Rules};
use newmarket_eval::study::Payoff;
use newmarket_eval::study::learn::{Learn, Learnt, Part};
use serde_json::{Value, json};

use crate::failure::{Failure, Result};
use crate::numbers::whole;
use crate::output::{Output, check_is_no_input};
use crate::report::figure;
use crate::table_args::{agent, check_is_not_rules, payoff, players, quoted};
use crate::terminal;

/// Find a list of at most five clauses, and write it as a strategy file.
///
/// `lead` finds tests of suits, `ante` the chips by seat (after a look: tests of cells), `dead-hand` a decision list
/// (with auctions one for bids, too). A list is put together by races on the same deals, and judged on deals that
/// chose nothing.
#[derive(Args)]
#[command(
    after_help = "Examples:\n  newmarket strategy learn lead --rules michigan --out mine.toml\n  \
                  newmarket duel strategy:mine.toml stopper --rules michigan\n  \
                  newmarket strategy learn dead-hand --rules newmarket-buy --field net:champion --deals 40000 \
                  --out dead.toml"
)]
pub(crate) struct LearnArgs {
    /// The kind of decision.
    #[arg(value_parser = part())]
    part: Part,
    /// The strategy file to be written.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// The player that decides everything else, and what the list leaves open: a strategy or a network [default: for
    /// leads usual, which leads its first suit; else basic].
    #[arg(long, value_name = "AGENT")]
    base: Option<String>,
    /// The agent in the other seats.
    #[arg(long, value_name = "AGENT", default_value = "stopper")]
    field: String,
    /// A named game (see `newmarket rules`), a rules file, or house:N.
    #[arg(long, value_name = "R", default_value = "newmarket")]
    rules: String,
    /// Players at the table [default: 4, or the nearest number that the game allows].
    #[arg(long, value_name = "N", value_parser = players)]
    players: Option<usize>,
    /// A fact for which no clause may ask; may be repeated.
    #[arg(long, value_name = "FACT")]
    without: Vec<String>,
    /// The payoff: of a deal in a session, where chips that stay on the table count for what they are worth later, or
    /// of a deal alone, where they are lost.
    #[arg(long, value_name = "P", default_value = Payoff::Session.name(), value_parser = payoff())]
    payoff: Payoff,
    /// Deals on which the last lists of a race are compared, and on which the result is judged.
    #[arg(long, value_name = "K", default_value_t = 10_000, value_parser = whole::<u64>(100..=1_000_000_000))]
    deals: u64,
    /// Seed of the deals and of all random numbers.
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = whole::<u64>(0..=u64::MAX))]
    seed: u64,
    /// Print one JSON object: the clauses with their gains, and the file.
    #[arg(long)]
    json: bool,
}

fn part() -> impl TypedValueParser<Value = Part> {
    PossibleValuesParser::new(Part::ALL.map(Part::name)).map(|name| {
        Part::ALL.into_iter().find(|part| part.name() == name).expect("it is one of them")
    })
}

/// Players at a table by default, if the game allows that number.
const PLAYERS: usize = 4;

impl LearnArgs {
    pub(super) fn run(self) -> Result {
        check_is_not_rules("--out", Some(&self.out), &self.rules)?;
        let rules = Rules::load(&self.rules)?;
        let players = self.players.unwrap_or(PLAYERS.clamp(rules.players.0, rules.players.1));
        let game = Arc::new(Game::new(rules, players)?);
        self.part.fits(&game)?;
        let (base, base_in_file) = self.base()?;
        let field = agent(&self.field)?;
        // That it cannot be written is known at once.
        let out = Output::open(Some(&self.out))?;
        let learn = Learn {
            part: self.part,
            game,
            base: &*base,
            base_in_file,
            field: &field,
            without: &self.without,
            payoff: self.payoff,
            deals: self.deals,
            seed: self.seed,
        };
        let bar = terminal::progress(learn.work(), "deals");
        bar.set_message("learn");
        let learnt = learn.run(&|deals| bar.inc(deals));
        bar.finish_and_clear();
        let learnt = learnt?;
        if learnt.clauses.is_empty() && learnt.ends.is_empty() {
            return Err(Failure::user(format!(
                "no clause was found that gains over {} on {} deals, so nothing is written: more --deals may find \
                 one",
                self.base_name(),
                self.deals
            )));
        }
        let content = self.write(&learnt, out)?;
        self.tell(&learnt, &content)
    }

    fn base_name(&self) -> &str {
        let usual = if self.part == Part::Lead { "usual" } else { "basic" };
        self.base.as_deref().unwrap_or(usual)
    }

    /// The base, and how a file names it: a strategy file's content is copied, since paths are relative.
    fn base(&self) -> Result<(Box<dyn Agent>, Value)> {
        let name = self.base_name();
        let alone = |base: &Value| -> Result<Strategy> {
            let content = Content::from_json(&json!({ "base": base }))?;
            let clock: Option<Clock> = Some(terminal::clock);
            Ok(roster::by_strategy(name, content.into(), ActionSelection::Greedy, clock)?)
        };
        if BASES.iter().any(|(base, _)| *base == name) {
            return Ok((Box::new(alone(&name.into())?), name.into()));
        }
        if let Some(path) = name.strip_prefix("strategy:") {
            check_is_no_input("--out", &self.out, path.as_ref(), "the base")?;
            let content = read_strategy(path.as_ref())?.json().clone();
            return Ok((Box::new(alone(&content)?), content));
        }
        let base = roster::fair(name, ActionSelection::Greedy, Some(terminal::clock))?;
        Ok((base, name.into()))
    }

    /// The command that finds the same list.
    fn command(&self) -> String {
        let mut words = vec![format!("newmarket strategy learn {}", self.part.name())];
        let players = self.players.map(|players| players.to_string());
        let flags = [
            ("base", Some(self.base_name())),
            ("field", Some(&*self.field)),
            ("rules", Some(&*self.rules)),
            ("players", players.as_deref()),
            ("payoff", Some(self.payoff.name())),
        ];
        let without = self.without.iter().map(|fact| ("without", Some(&**fact)));
        for (flag, value) in flags.into_iter().chain(without) {
            words.extend(value.map(|value| format!("--{flag} {}", quoted(value))));
        }
        words.push(format!("--deals {} --seed {}", self.deals, self.seed));
        words.join(" ")
    }

    /// Writes the file, after it was read back as it will be read.
    fn write(&self, learnt: &Learnt, mut out: Output) -> Result<Arc<Content>> {
        let mut file = learnt.file.clone();
        let about = format!(
            "found by `{}`: {} chips a deal over its base among {} on {} deals that chose nothing",
            self.command(),
            figure(learnt.gain.mean, learnt.gain.ci95),
            self.field,
            self.deals
        );
        file["about"] = about.into();
        let text = to_toml(&file);
        let content = strategy_from_toml(&text, &self.out.display().to_string())?;
        if *content != Content::from_json(&file)? {
            return Err(Failure::Program("the file does not say what was found".into()));
        }
        let name = format!("strategy:{}", self.out.display());
        let clock: Option<Clock> = Some(terminal::clock);
        roster::by_strategy(&name, content.clone(), ActionSelection::Greedy, clock)?;
        out.write(&text)?;
        out.finish()?;
        Ok(content)
    }

    fn tell(&self, learnt: &Learnt, content: &Content) -> Result {
        let Learnt { clauses, ends, gain, .. } = learnt;
        if self.json {
            let clause =
                |(text, gain): &(String, _)| json!({ "clause": text, "gains": json!(gain) });
            return terminal::print_json(&json!({
                "clauses": clauses.iter().map(clause).collect::<Vec<_>>(),
                "ends": ends,
                "gain": gain,
                "deals": self.deals,
                "command": self.command(),
                "file": content.json(),
            }));
        }
        for (nth, (clause, gain)) in clauses.iter().enumerate() {
            let alone = figure(gain.mean, gain.ci95);
            terminal::print(format!("{}. {clause:<50} {alone} over the list without it", nth + 1))?;
        }
        for end in ends {
            terminal::print(format!("   {end}"))?;
        }
        let out = self.out.display();
        terminal::print(format!(
            "Gains {} chips a deal over {} among {}, on {} deals that chose nothing.\n\
             {out} is written: newmarket duel {} {} --rules {}",
            figure(gain.mean, gain.ci95),
            self.base_name(),
            self.field,
            self.deals,
            quoted(&format!("strategy:{out}")),
            quoted(&self.field),
            quoted(&self.rules)
        ))
    }
}

/// A strategy file in TOML: first what it is, then its lists, one clause a line.
fn to_toml(file: &Value) -> String {
    let games = file.get("games").and_then(Value::as_object).into_iter().flatten();
    let sections =
        games.map(|(game, plan)| format!("\n[games.{}]\n{}", toml::key(game), entries(plan)));
    std::iter::once(entries(file)).chain(sections).collect()
}

/// The entries of a table but its games, in this order.
fn entries(table: &Value) -> String {
    let order = ["format", "about", "base", "lead", "ante", "dead_hand", "bid"];
    let own = order.iter().filter_map(|&key| Some((key, table.get(key)?)));
    let entry = |(key, value): (&str, &Value)| match value.as_array() {
        Some(clauses) => {
            let clauses = clauses.iter().map(|clause| format!("    {},\n", toml::value(clause)));
            format!("{key} = [\n{}]\n", clauses.collect::<String>())
        }
        None => format!("{key} = {}\n", toml::value(value)),
    };
    own.map(entry).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_read_back_as_it_was_written() {
        for file in [
            json!({
                "format": 1, "about": "\"quoted\" \u{7f} é \\ \t", "base": "net:champion",
                "lead": ["run stops", "chips >= 4"],
            }),
            json!({
                "format": 1, "about": "by seat",
                "base": { "base": "stopper", "lead": ["most cards"], "ante": { "others": { "A S": 1 } } },
                "games": { "newmarket": {
                    "ante": { "eldest": { "AS": 4 }, "others": "even" },
                    "dead_hand": ["boodles >= 1: keep", "take"], "bid": ["pass"],
                }},
            }),
        ] {
            let text = to_toml(&file);
            let content = strategy_from_toml(&text, "it.toml").expect(&text);
            assert_eq!(*content, Content::from_json(&file).unwrap(), "{text}");
            assert!(text.starts_with("format = 1\nabout = "), "{text}");
        }
    }
}
