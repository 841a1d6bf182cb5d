//! Where to put the chips of a free ante that is placed after a look at one's hand.
//!
//! Two companies: others who stake evenly, and others who stake by their hands. A seat tries all ways to stake in
//! both, on the same cards. A way is a strategy: clauses about cells.

mod table;

use newmarket_agents::Player;
use newmarket_agents::paired::Estimate;
use newmarket_agents::strategy::Strategy;
use newmarket_env::Seed;
use serde_json::json;

use crate::study::by_json;
use crate::study::payoff::Ledger;
use crate::study::report::{ReportCell, ReportTable, Section};
use crate::study::setting::Setting;
use table::Company;

/// The child of the seed for the deals; another one was for deals on which ways were chosen.
const FRESH: u64 = 1;

/// Ways to stake for hands with a boodle, evenly with other hands: on which of the own cells.
const WITH: [(&str, &str); 8] = [
    ("evenly on your own", "mine"),
    ("all on the richest own one", "most chips"),
    ("all on the highest own one", "highest card"),
    ("all on the lowest own one", "lowest card"),
    ("all on the own one with the most cards of its suit in your hand", "most cards"),
    ("all on the own one with the most cards below it in your hand", "most cards below"),
    (
        "all on the own one with the fewest cards that others may hold from your lowest of the suit up to it",
        "fewest cards of others between",
    ),
    (
        "all on the own one with the fewest cards below it that others may hold",
        "fewest cards of others below",
    ),
];

/// The same for hands without a boodle, evenly with other hands: on which of all cells.
const WITHOUT: [(&str, &str); 5] = [
    ("all on the richest one", "most chips"),
    ("all on the poorest one", "fewest chips"),
    ("all on the one with the most cards below it in your hand", "most cards below"),
    ("all on the one with the fewest cards below it in your hand", "fewest cards below"),
    (
        "all on the one with the fewest chips that others have staked on it in this deal",
        "fewest chips of others",
    ),
];

/// The choosers in their order: the player, the field, an even split, then the ways.
const PLAYER: usize = 0;
const FIELD: usize = 1;
const EVEN: usize = 2;
const WAYS: usize = 3;

/// The names of all ways, and the clauses of each.
fn ways() -> impl Iterator<Item = (String, Vec<String>)> {
    let with = WITH.into_iter().map(|(name, clause)| {
        let clauses = ["mine", clause].map(|clause| format!("when boodles >= 1: {clause}"));
        (format!("with a boodle: {name}"), clauses.to_vec())
    });
    let without = WITHOUT.into_iter().map(|(name, clause)| {
        (format!("without: {name}"), vec![format!("when boodles <= 0: {clause}")])
    });
    with.chain(without)
}

/// Stakes evenly on the cells that the clauses leave.
fn staking(clauses: &[String]) -> Strategy {
    by_json(&json!({ "ante": { "after_look": { "cells": clauses } } }))
}

/// What the choosers gain in one company.
struct Found {
    company: Company,
    names: Vec<String>,
    gains: Vec<Estimate>,
}

impl Found {
    fn gain(&self, at: usize) -> Estimate {
        self.gains[at]
    }

    /// The way that gains most.
    fn best(&self) -> usize {
        let mean = |at: usize| self.gain(at).mean;
        let all = WAYS..self.names.len();
        all.reduce(|best, next| if mean(next) > mean(best) { next } else { best })
            .expect("there are ways")
    }

    /// The company as the beginning of a sentence.
    fn company(&self, field: &str) -> String {
        match self.company {
            Company::Blind => format!("If only you look, among {field} who stake evenly"),
            Company::Looking => format!("If all look, among {field}"),
        }
    }

    fn finding(&self, field: &str, player: &str) -> String {
        let (company, best) = (self.company(field), self.best());
        if self.gain(best).mean <= self.gain(best).ci95 {
            return format!("{company}: no way to stake is separated above an even split.");
        }
        format!(
            "{company}: {}. Of all {} ways that gains most, {} chips a deal over an even split, where the stakes \
             of {player} gain {}.",
            self.names[best],
            self.names.len() - WAYS,
            self.gain(best),
            self.gain(PLAYER)
        )
    }
}

/// Plays the deals of the study and reports what was found.
pub(super) fn run(setting: &Setting, ledger: &Ledger, done: &(dyn Fn(u64) + Sync)) -> Section {
    let (game, seed) = (&setting.game, Seed::new(setting.seed));
    let (field, player) = (setting.field.name(), setting.player.name());
    let (names, clauses): (Vec<String>, Vec<Vec<String>>) = ways().unzip();
    let fixed = [format!("as {player}"), format!("as {field} (the field)"), "evenly".into()];
    let names: Vec<String> = fixed.into_iter().chain(names).collect();
    let even = staking(&[]);
    let ways = clauses.iter().map(|clauses| staking(clauses).into());
    let choosers: Vec<Player> = [setting.player.another(), setting.field.another(), even.into()]
        .into_iter()
        .chain(ways)
        .collect();
    let gains = table::measure(setting, ledger, &choosers, EVEN, seed.child(FRESH), done);
    let of = |(company, gains)| Found { company, names: names.clone(), gains };
    let found: Vec<Found> = Company::ALL.into_iter().zip(gains).map(of).collect();
    Section {
        study: "ante".into(),
        title: "Where to ante after a look".into(),
        question: "How should the chips of the ante be split over the cells, by one's hand?".into(),
        rules: game.rules().title().into(),
        rules_files: vec![game.rules().to_file()],
        players: game.players().into(),
        field: field.into(),
        deals: setting.deals,
        seed: setting.seed,
        method: method(setting),
        advice: Vec::new(),
        findings: found.iter().map(|found| found.finding(field, player)).collect(),
        precision: (found.iter().flat_map(|found| &found.gains))
            .map(|gain| gain.ci95)
            .fold(0.0, f64::max),
        tables: vec![all_ways(&found, setting)],
    }
}

/// A row for every way to stake, a column for each company.
fn all_ways(found: &[Found], setting: &Setting) -> ReportTable {
    let mut heads = vec!["stakes"];
    heads.extend(found.iter().map(|found| found.company.name()));
    let caption = format!(
        "Chips a deal gained over the even split; the others stake evenly (only you look) or as {} \
         (all look)",
        setting.field.name()
    );
    let mut table = ReportTable::new(caption, &heads).drawn(1);
    let is_shown = |&at: &usize| at != FIELD || setting.field.name() != setting.player.name();
    for at in (0..found[0].names.len()).filter(is_shown) {
        let gains = found.iter().map(|found| ReportCell::from(found.gain(at)));
        table.push(std::iter::once(found[0].names[at].clone().into()).chain(gains).collect());
    }
    table
}

fn method(setting: &Setting) -> Vec<String> {
    let (field, player) = (setting.field.name(), setting.player.name());
    vec![
        format!(
            "One seat tries all ways to stake and plays on as {player}; each seat in turn, on the \
             same cards and random numbers. The gain is the difference to the even split in the \
             same seat and company. If only you look, the others stake evenly over all cells; if \
             all look, they stake as {field}. They play on as {field} in both."
        ),
        "Chips on several cells are split evenly, the first cells getting what does not divide. \
         Where a way to stake finds cells equal, it stakes on all of them. A way for hands with a \
         boodle stakes evenly with other hands, and the other way round, so what they gain adds \
         up. Cards that others may hold are all but the own ones, the dead hand included."
            .into(),
        "The way that is named best is the best by these figures, and looks a little better than it is. \
         `newmarket strategy learn ante` finds a list of clauses, and judges it on other deals."
            .into(),
        "Intervals are 95 % each, not all together.".into(),
    ]
}
