//! A strategy in words for a card player.

use alloc::format;
use alloc::string::{String, ToString as _};
use alloc::vec::Vec;

use newmarket_env::text::Joined as _;
use newmarket_env::{Phase, View};

use super::content::{Base, Content, DecisionKind, Plan};
use super::expression::{Answer, Clause, Comparison, Condition, Line, Step, Sum};
use super::facts::{Fact, Unit};
use super::player::Strategy;
use super::split::{Antes, Split};

/// A part of a strategy in words: a heading, and what it does step by step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WordedPart {
    /// The game, if it is for one alone.
    pub game: Option<&'static str>,
    /// The heading: `A lead`, `The free ante`.
    pub heading: &'static str,
    /// One sentence for each step, in order.
    pub steps: Vec<String>,
    /// How the steps are to be read.
    pub reading: &'static str,
}

const LEADS: &str =
    "Suits are compared step by step. Those that fit a step stay; where none fits, all stay.";
const LINES: &str = "The first line that fits decides.";
const ANTES: &str = "Chips are placed before the deal, unless a line says otherwise.";

impl Content {
    /// The strategy in words, part by part: what it does in all games, then what differs in one.
    pub fn in_words(&self) -> Vec<WordedPart> {
        let general = core::iter::once((None, &self.plan));
        let games = self.games.iter().map(|(game, plan)| (Some(*game), plan));
        general.chain(games).flat_map(|(game, plan)| sections(game, plan)).collect()
    }

    /// Who decides what is left open, in words.
    pub fn rest_in_words(&self) -> String {
        let name = |kind: DecisionKind| match self.base(kind) {
            Base::Named(name) => format!("`{name}`"),
            Base::Strategy(content) => {
                let name = content.name.as_deref().unwrap_or(&content.about);
                format!("the strategy \u{201c}{name}\u{201d}")
            }
        };
        let first = name(DecisionKind::Lead);
        let others: Vec<String> = DecisionKind::ALL
            .into_iter()
            .filter(|&kind| name(kind) != first)
            .map(|kind| format!("{} on {}", name(kind), kind.spoken()))
            .collect();
        let but =
            if others.is_empty() { String::new() } else { format!("; {}", others.joined(", ")) };
        format!("What is left open, {first} decides{but}.")
    }
}

impl Strategy {
    /// What decides here, in words for a card player: the last clause of a lead that left fewer choices, the line about
    /// the dead hand, or where the chips of an ante go. `None` where it leaves the decision to its base.
    pub fn rule_in_words(&self, view: &View) -> Option<String> {
        let (_, text) = self.narrow(view, view.legal());
        let text = text?;
        let plan = self.content().plan_for(view.game().rules().base);
        let line = |lines: &[Line]| lines.iter().find(|line| line.text() == text).map(self::line);
        match view.phase() {
            Phase::Lead => {
                let mut clauses = plan.part(|plan| plan.lead.as_ref())?.iter();
                let words = clauses.find(|clause| clause.text() == text).map(clause)?;
                Some(words.trim_end_matches('?').into())
            }
            Phase::DeadHand => line(plan.part(|plan| plan.dead_hand.as_ref())?),
            Phase::Auction => line(plan.part(|plan| plan.bid.as_ref())?),
            Phase::Ante => {
                let antes = plan.part(|plan| plan.ante.as_ref())?;
                let (who, split) = antes.split(view)?;
                let for_all =
                    antes.splits().into_iter().filter_map(|it| it.1).all(|it| it == split);
                let words = self::split(split);
                Some(if for_all { words } else { format!("{who}: {words}") })
            }
            Phase::SetApart | Phase::Bet | Phase::Deal | Phase::Over => None,
        }
    }
}

impl Fact {
    /// Its least and greatest value, as `0 to 13`; `0 or more` where the rules alone bound it.
    pub fn range_in_words(&self) -> String {
        match self.range {
            (0, Some(1)) if self.unit == Unit::YesNo => "0, 1".into(),
            (least, Some(most)) => format!("{least} to {most}"),
            (0, None) => "0 or more".into(),
            (_, None) => "any".into(),
        }
    }
}

fn sections(game: Option<&'static str>, plan: &Plan) -> Vec<WordedPart> {
    let section =
        |heading, reading, steps: Vec<String>| WordedPart { game, heading, steps, reading };
    let lines = |lines: &[Line]| lines.iter().map(line).collect();
    let mut all = Vec::new();
    if let Some(when) = &plan.when {
        let step = format!("only where {}", condition(when));
        all.push(section("When", "Elsewhere the base decides everything.", Vec::from([step])));
    }
    if let Some(lead) = &plan.lead {
        all.push(section("A lead", LEADS, lead.iter().map(clause).collect()));
    }
    if let Some(ante) = &plan.ante {
        all.push(section("The free ante", ANTES, antes(ante)));
    }
    if let Some(dead_hand) = &plan.dead_hand {
        all.push(section("The dead hand", LINES, lines(dead_hand)));
    }
    if let Some(bid) = &plan.bid {
        all.push(section("A bid", LINES, lines(bid)));
    }
    all
}

fn clause(clause: &Clause) -> String {
    let step = match &clause.step {
        Step::Test(test) => format!("{}?", condition(test)),
        Step::Order { sum, most, all_but } => {
            let which = if *most { "most" } else { "least" };
            let all_but = if *all_but { "all but the " } else { "" };
            format!("{all_but}{which}: {}", self::sum(sum))
        }
    };
    match &clause.when {
        Some(when) => format!("where {}: {step}", condition(when)),
        None => step,
    }
}

fn line(line: &Line) -> String {
    let answer = match &line.answer {
        Answer::Keep => "keep your hand".to_string(),
        Answer::Take => "take the dead hand".to_string(),
        Answer::Auction => "put the dead hand up for auction".to_string(),
        Answer::Pass => "pass".to_string(),
        Answer::UpTo(most) => format!("bid up to {}", sum(most)),
        Answer::UpToBelow(limit) => format!("bid less than {}", sum(limit)),
        Answer::Base => "do as the base does".to_string(),
    };
    match &line.when {
        Some(when) => format!("{}: {answer}", condition(when)),
        None => format!("otherwise {answer}"),
    }
}

fn antes(antes: &Antes) -> Vec<String> {
    let splits = antes
        .splits()
        .into_iter()
        .filter_map(|(who, split)| Some(format!("{who}: {}", self::split(split?))));
    let when = antes.when.iter().map(|when| format!("only where {}", condition(when)));
    when.chain(splits).collect()
}

fn split(split: &Split) -> String {
    match split {
        Split::Base => "as the base does".into(),
        Split::Even => "evenly over all boodles".into(),
        Split::Chips(chips) => {
            let chips: Vec<String> =
                chips.iter().map(|(cell, chips)| format!("{chips} on {cell}")).collect();
            chips.joined(", ")
        }
        Split::Over { cells, one } => {
            let steps: Vec<String> = cells.iter().map(clause).collect();
            let (all, left) = if *one {
                ("all on the first boodle of the layout", "all on the first that stays")
            } else {
                ("evenly over the layout", "evenly over those that stay")
            };
            if steps.is_empty() {
                all.into()
            } else {
                format!("compare the boodles: {}; {left}", steps.joined("; "))
            }
        }
    }
}

fn condition(of: &Condition) -> String {
    let all = |parts: &[Condition], word: &str| {
        let parts: Vec<String> = parts.iter().map(condition).collect();
        parts.joined(word)
    };
    match of {
        Condition::Compared(left, comparison, right) => compared(left, *comparison, right),
        Condition::Yes(number) => match one_fact(number) {
            Some(fact) if fact.unit == Unit::YesNo => fact.about.into(),
            _ => format!("{}: any", sum(number)),
        },
        Condition::Not(inner) => match &**inner {
            Condition::Yes(number)
                if one_fact(number).is_some_and(|fact| fact.unit != Unit::YesNo) =>
            {
                format!("{}: none", sum(number))
            }
            inner => format!("not: {}", condition(inner)),
        },
        Condition::All(parts) => all(parts, ", and "),
        Condition::Any(parts) => all(parts, ", or "),
    }
}

fn compared(left: &Sum, comparison: Comparison, right: &Sum) -> String {
    let least_one = right.0.len() == 1
        && right.0[0].fact.is_none()
        && right.0[0].times.to_bits() == 1.0_f64.to_bits();
    let zero = right.0.len() == 1 && right.0[0].fact.is_none() && right.0[0].times == 0.0;
    let (left, right) = (sum(left), sum(right));
    match comparison {
        Comparison::AtLeast if least_one => format!("{left}: any"),
        Comparison::AtLeast => format!("{left}: {right} or more"),
        Comparison::AtMost | Comparison::Equal if zero => format!("{left}: none"),
        Comparison::AtMost => format!("{left}: {right} or fewer"),
        Comparison::Above if zero => format!("{left}: any"),
        Comparison::Above => format!("{left}: more than {right}"),
        Comparison::Below => format!("{left}: fewer than {right}"),
        Comparison::Equal => format!("{left}: exactly {right}"),
        Comparison::Unequal => format!("{left}: not {right}"),
    }
}

fn one_fact(sum: &Sum) -> Option<&'static Fact> {
    match &sum.0[..] {
        [term] if term.times.to_bits() == 1.0_f64.to_bits() => term.fact,
        _ => None,
    }
}

fn sum(of: &Sum) -> String {
    let mut text = String::new();
    for (nth, term) in of.0.iter().enumerate() {
        let sign = match (nth, term.times < 0.0) {
            (0, false) => "",
            (0, true) => "-",
            (_, false) => " + ",
            (_, true) => " - ",
        };
        let times = if term.times < 0.0 { -term.times } else { term.times };
        text.push_str(sign);
        match term.fact {
            Some(fact) if times.to_bits() == 1.0_f64.to_bits() => text.push_str(fact.about),
            Some(fact) => text.extend([&times.to_string(), " times ", fact.about]),
            None => text.push_str(&times.to_string()),
        }
    }
    text
}
