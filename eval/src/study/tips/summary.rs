//! What was found about tips: tables, and sentences made of the figures.

use serde::Serialize;

use super::catalogue::{NOT_TESTED, TIPS, Tip};
use super::{Company, Finding, Findings, Verdict};
use crate::stats::Estimate;
use crate::study::{Cell, Section, Table};

/// What was found in several games and at tables of several sizes.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Overview {
    /// The rules.
    pub rules: Vec<String>,
    /// Seats at the tables.
    pub players: Vec<usize>,
    /// Deals at each table.
    pub deals: u64,
    /// What fixed them.
    pub seed: u64,
    /// What came out, a sentence each.
    pub sentences: Vec<String>,
    /// A row a tip, then all tables in full, then how each tip was modelled.
    pub tables: Vec<Table>,
    /// Everything.
    pub games: Vec<Findings>,
}

/// How it is measured, a paragraph each.
fn method() -> Vec<String> {
    vec![
        "Whoever follows a tip sits in each seat in turn, and so does whoever does not, on the same \
         deals, in the same company and with the same random numbers for every seat; they differ \
         in the one choice alone. The gain is the difference in chips a deal, its mean over the \
         seats; the deal is the unit of the interval."
            .into(),
        "“random”: everybody leads at random, and the tip decides before that. “stopper”: everybody \
         leads as `stopper`; the tip decides first, `stopper` in its ties. “stopper, in ties”: the \
         same company; the tip decides only where the first three questions of `stopper` leave a \
         choice, against a lead at random there."
            .into(),
        "The gain of an ante before the deal is controlled for luck in whether the cards staked on \
         were dealt to a player. “With what is left” counts chips that nobody claimed as \
         everybody's in equal parts: they will be played for in the next deal."
            .into(),
        "A tip holds if the whole 95 % interval is above 0 and is harmful if it is below; otherwise \
         it does not hold. Intervals are 95 % each, not all together."
            .into(),
    ]
}

/// What was found in one game.
pub fn section(found: &Findings) -> Section {
    let mut figures = Table::new(
        "What each tip gains, a deal",
        &[
            "tip",
            "company",
            "chips",
            "verdict",
            "chips, with what is left",
            "cards to own sequences",
            "cards to others' sequences",
            "sequences begun",
            "goes out",
        ],
    );
    for it in &found.findings {
        figures.push(vec![
            it.tip.into(),
            it.company.name().into(),
            it.gain.into(),
            it.verdict.words().into(),
            it.gain_with_share.into(),
            it.own_cards.into(),
            it.others_cards.into(),
            it.leads.into(),
            Cell::share(it.out),
        ]);
    }
    let precision = found.findings.iter().map(|it| it.gain.ci95).fold(0.0, f64::max);
    Section {
        study: "tips".into(),
        title: "What the books advise".into(),
        question: "Which tips are worth following, and how much?".into(),
        rules: found.rules.clone(),
        players: found.players,
        field: "random and stopper".into(),
        deals: found.deals,
        seed: found.seed,
        method: method(),
        findings: sentences(found),
        tables: vec![figures, modelled(), not_tested()],
        precision,
    }
}

/// How each tip was put to the test.
fn modelled() -> Table {
    let mut table = Table::new("The tips", &["tip", "it says", "whoever follows it"]);
    for tip in TIPS {
        table.push(vec![tip.name.into(), tip.says.into(), tip.modelled.into()]);
    }
    table
}

fn not_tested() -> Table {
    let mut table = Table::new("Not put to the test", &["it says", "why not"]);
    for (says, why) in NOT_TESTED {
        table.push(vec![says.into(), why.into()]);
    }
    table
}

fn sentences(found: &Findings) -> Vec<String> {
    let mut sentences = Vec::new();
    for company in Company::ALL {
        let here = || found.findings.iter().filter(move |it| it.company == company);
        let names = |verdict: Verdict| -> Vec<&str> {
            here().filter(|it| it.verdict == verdict).map(|it| it.tip).collect()
        };
        for verdict in [Verdict::Holds, Verdict::DoesNotHold, Verdict::Harmful] {
            let names = names(verdict);
            if !names.is_empty() {
                let list = names.join("”, “");
                let (company, words) = (company.name(), verdict.words());
                sentences.push(format!("At the table “{company}”, {words}: “{list}”."));
            }
        }
    }
    sentences.extend(found.of("longest suit").map(why));
    sentences.extend(found.of("stake on the most played").map(what_stays));
    sentences.extend(found.at("change a poor hand", Company::Random).map(|it| {
        let stops = if it.sequences.mean < 0.0 { "fewer" } else { "no fewer" };
        format!(
            "Where a player takes the dead hand as dealer with no boodle, there are {stops} \
             sequences: {} a deal, with each player dealing in turn.",
            it.sequences
        )
    }));
    sentences
}

/// Where the gain of a lead comes from: cards that it is rid of, and deals that it wins.
fn why(it: &Finding) -> String {
    let cards = it.own_cards.mean + it.others_cards.mean;
    let more = |figure: f64| if figure < 0.0 { "fewer" } else { "more" };
    let often = if it.out.mean < 0.0 { "less" } else { "more" };
    format!(
        "“{}” at the table “{}” gains {} chips: a deal, {:.2} cards {} are played to its own \
         sequences and {:.2} {} to those of others, {:.2} {} in all; it goes out {:.1} ± {:.1} \
         points {often} often of 100 deals.",
        it.tip,
        it.company.name(),
        it.gain,
        it.own_cards.mean.abs(),
        more(it.own_cards.mean),
        it.others_cards.mean.abs(),
        more(it.others_cards.mean),
        cards.abs(),
        more(cards),
        100.0 * it.out.mean.abs(),
        100.0 * it.out.ci95,
    )
}

/// What an ante gains in the deal, and what of that is only taken from the next.
fn what_stays(it: &Finding) -> String {
    format!(
        "“{}” at the table “{}” gains {} chips in the deal, and {} if what stays on the layout \
         counts as everybody's in equal parts.",
        it.tip,
        it.company.name(),
        it.gain,
        it.gain_with_share
    )
}

impl Findings {
    /// What was found about a tip, in each company.
    pub fn of<'f>(&'f self, tip: &'f str) -> impl Iterator<Item = &'f Finding> {
        self.findings.iter().filter(move |it| it.tip == tip)
    }

    /// What was found about a tip in one company.
    pub fn at(&self, tip: &str, company: Company) -> Option<&Finding> {
        self.findings.iter().find(|it| it.tip == tip && it.company == company)
    }
}

/// What was found in several games: a row for each tip and company with the mean over all sizes of
/// table, and all figures.
pub fn overview(games: Vec<Findings>) -> Overview {
    let mut rules: Vec<String> = Vec::new();
    for game in &games {
        if !rules.contains(&game.rules) {
            rules.push(game.rules.clone());
        }
    }
    let mut players: Vec<usize> = games.iter().map(|game| game.players).collect();
    players.sort_unstable();
    players.dedup();
    let pooled = pooled(&games, &rules);
    let mut tables = vec![pooled.0, in_full(&games, &rules, &players), modelled(), not_tested()];
    tables.retain(|table| !table.rows.is_empty());
    Overview {
        deals: games.first().map_or(0, |game| game.deals),
        seed: games.first().map_or(0, |game| game.seed),
        rules,
        players,
        sentences: pooled.1,
        tables,
        games,
    }
}

/// All tips and companies.
fn rows() -> impl Iterator<Item = (Tip, Company)> {
    TIPS.into_iter().flat_map(|tip| Company::ALL.map(|company| (tip, company)))
}

fn heads(first: &[&str], rules: &[String], with_verdicts: bool) -> Vec<String> {
    let mut heads: Vec<String> = first.iter().map(ToString::to_string).collect();
    for rules in rules {
        heads.push(rules.clone());
        if with_verdicts {
            heads.push("verdict".into());
        }
    }
    heads
}

fn table(caption: &str, heads: &[String]) -> Table {
    Table::new(caption, &heads.iter().map(String::as_str).collect::<Vec<_>>())
}

/// The mean over all sizes of table, and its verdict; a sentence for each tip that has the same
/// verdict everywhere.
fn pooled(games: &[Findings], rules: &[String]) -> (Table, Vec<String>) {
    let caption = "What each tip gains, chips a deal, mean over all numbers of players";
    let mut means = table(caption, &heads(&["tip", "company"], rules, true));
    let mut sentences = Vec::new();
    for tip in TIPS {
        let mut verdicts = Vec::new();
        for company in Company::ALL {
            let mut row: Vec<Cell> = vec![tip.name.into(), company.name().into()];
            let before = verdicts.len();
            for rules in rules {
                let here = games.iter().filter(|game| game.rules == *rules);
                let gains: Vec<Estimate> =
                    here.filter_map(|game| Some(game.at(tip.name, company)?.gain)).collect();
                match mean(&gains) {
                    None => row.extend([Cell::Empty, Cell::Empty]),
                    Some(gain) => {
                        let verdict = Verdict::of(tip.claim, gain);
                        verdicts.push(verdict);
                        row.extend([Cell::from(gain), verdict.words().into()]);
                    }
                }
            }
            if verdicts.len() > before {
                means.push(row);
            }
        }
        verdicts.retain(|&verdict| verdict != Verdict::ChangesNothing);
        let count = |verdict| verdicts.iter().filter(|&&it| it == verdict).count();
        sentences.push(format!(
            "“{}”: of {} games and companies it holds in {}, does not hold in {}, is harmful in {}.",
            tip.name,
            verdicts.len(),
            count(Verdict::Holds),
            count(Verdict::DoesNotHold),
            count(Verdict::Harmful)
        ));
    }
    (means, sentences)
}

/// The mean of independent estimates.
fn mean(estimates: &[Estimate]) -> Option<Estimate> {
    let count = estimates.len() as f64;
    let squares: f64 = estimates.iter().map(|it| it.ci95 * it.ci95).sum();
    let sum: f64 = estimates.iter().map(|it| it.mean).sum();
    (!estimates.is_empty()).then(|| Estimate { mean: sum / count, ci95: squares.sqrt() / count })
}

/// Every table.
fn in_full(games: &[Findings], rules: &[String], players: &[usize]) -> Table {
    let caption = "The same at each number of players";
    let mut full = table(caption, &heads(&["tip", "company", "players"], rules, false));
    for (tip, company) in rows() {
        for &players in players {
            let gains: Vec<Option<Estimate>> = rules
                .iter()
                .map(|rules| {
                    let game =
                        games.iter().find(|it| it.rules == *rules && it.players == players)?;
                    Some(game.at(tip.name, company)?.gain)
                })
                .collect();
            if gains.iter().any(Option::is_some) {
                let mut row: Vec<Cell> =
                    vec![tip.name.into(), company.name().into(), Cell::Count(players as u64)];
                row.extend(gains.into_iter().map(|it| it.map_or(Cell::Empty, Cell::from)));
                full.push(row);
            }
        }
    }
    full
}
