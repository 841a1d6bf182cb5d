//! What was found about tips: tables, and sentences made of the figures.

use super::catalogue::{NOT_TESTED, TIPS, Tip};
use super::company::Company;
use super::findings::{Finding, Findings, Verdict};
use super::sessions::SessionCheck;
use crate::study::report::{ReportCell, ReportTable, Section, Sizes};
use newmarket_agents::paired::{Estimate, widening};

/// How it is measured, a paragraph each.
fn method() -> Vec<String> {
    let mut method = vec![
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
         were dealt to a player. “In the deal alone” counts chips that nobody claimed as lost; in \
         a session they will be played for in the next deal."
            .into(),
        "A tip holds if its whole interval is above 0 and is harmful if it is below; otherwise it \
         does not hold. For verdicts intervals are widened so that all of a table hold together at \
         95 % (Bonferroni); those that are shown are 95 % each."
            .into(),
    ];
    let tip = |tip: Tip| format!("“{}”. {} Modelled: {}.", tip.name, tip.says, tip.modelled);
    method.extend(TIPS.map(tip));
    let not = |(says, why): (&str, &str)| format!("Not put to the test: “{says}”, for {why}.");
    method.extend(NOT_TESTED.map(not));
    method
}

/// What was found in one game.
pub fn section(found: &Findings) -> Section {
    let mut gains = ReportTable::new(
        "What each tip gains, chips a deal",
        &["tip", "company", "verdict", "gain", "in the deal alone"],
    );
    let mut course = ReportTable::new(
        "What else it changes: how much more a deal of each",
        &["tip", "company", "own sequences", "cards to them", "to others'", "goes out"],
    );
    for it in &found.findings {
        let words = |words: &[&str]| words.iter().map(|&word| word.into()).collect();
        let mut row: Vec<ReportCell> = words(&[it.tip, it.company.name(), it.verdict.words()]);
        row.extend([it.gain, it.gain_in_deal].map(ReportCell::from));
        gains.push(row);
        let mut row: Vec<ReportCell> = words(&[it.tip, it.company.name()]);
        row.extend([it.leads, it.own_cards, it.others_cards].map(ReportCell::from));
        row.push(ReportCell::share(it.out));
        course.push(row);
    }
    let sizes = Sizes::One(found.players);
    let mut tables = vec![gains, course];
    tables.extend(in_sessions(&[found]));
    report(found.rules.clone(), sizes, &[found], sentences(found), tables)
}

/// What deals are counted to pay, against whole sessions; nothing where none were played.
fn in_sessions(found: &[&Findings]) -> Option<ReportTable> {
    let mut table = ReportTable::new(
        "Chips a deal that a tip gains: in whole sessions, and as deals are counted here",
        &["tip", "company", "game", "whole sessions", "deals", "difference"],
    );
    for found in found {
        for check in &found.sessions {
            let game = format!("{}, {} players", found.rules, found.players);
            table.push(vec![
                check.tip.into(),
                check.company.name().into(),
                game.into(),
                check.in_sessions.into(),
                check.in_deals.into(),
                check.difference().into(),
            ]);
        }
    }
    (!table.rows.is_empty()).then_some(table)
}

/// The tips that hold at every table of `stopper` that was tried, and those that are harmful at every one.
fn advice(found: &[&Findings]) -> Vec<String> {
    let always = |verdict: Verdict| -> Vec<&str> {
        let is = |tip: &&Tip| {
            let mut all =
                found.iter().filter_map(|it| it.at(tip.name, Company::Stopper)).peekable();
            all.peek().is_some() && all.all(|it| it.verdict == verdict)
        };
        TIPS.iter().filter(is).map(|tip| tip.name).collect()
    };
    [(Verdict::Holds, "hold"), (Verdict::Harmful, "are harmful")]
        .into_iter()
        .map(|(verdict, what)| (always(verdict), what))
        .filter(|(names, _)| !names.is_empty())
        .map(|(names, what)| {
            let names = names.join("”, “");
            format!(
                "Tips that {what} among players who lead as stopper, at every table: “{names}”."
            )
        })
        .collect()
}

/// How many of the checks by whole sessions differ by more than their intervals, all together.
fn checked(found: &[&Findings]) -> Option<String> {
    let all: Vec<Estimate> =
        found.iter().flat_map(|found| &found.sessions).map(SessionCheck::difference).collect();
    let wide = widening(all.len() as u64);
    let off = all.iter().filter(|it| it.mean.abs() > wide * it.ci95).count();
    let most = all.iter().map(|it| it.mean.abs()).fold(0.0, f64::max);
    (!all.is_empty()).then(|| {
        format!(
            "Whole sessions against deals: of {} tips and tables that were played through {off} differ \
             by more than their interval (all together at 95 %), by {most:.3} chips a deal at most.",
            all.len()
        )
    })
}

fn report(
    rules: String,
    players: Sizes,
    found: &[&Findings],
    mut findings: Vec<String>,
    tables: Vec<ReportTable>,
) -> Section {
    findings.extend(checked(found));
    let all = found.iter().flat_map(|found| &found.findings);
    Section {
        study: "tips".into(),
        title: "What the books advise".into(),
        question: "Which tips are worth following, and how much?".into(),
        rules,
        players,
        field: "random or stopper".into(),
        deals: found.first().map_or(0, |found| found.deals),
        seed: found.first().map_or(0, |found| found.seed),
        method: method(),
        advice: advice(found),
        findings,
        tables,
        precision: all.map(|it| it.gain.ci95).fold(0.0, f64::max),
    }
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
    sentences.extend(found.of("longest suit").chain(found.of("off-suit")).map(why));
    sentences.extend(found.of("stake on the most played").map(what_stays));
    sentences.extend(found.at("change a poor hand", Company::Random).map(|it| {
        let fewer = it.sequences.mean < -it.sequences.ci95;
        let stops = if fewer { "fewer" } else { "no fewer" };
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
    let often = more(it.out.mean);
    let paid = if cards > 0.0 && it.out.mean < -it.out.ci95 && !it.gain.separated() {
        " What it saves on cards is lost again in deals that it no longer wins."
    } else {
        ""
    };
    format!(
        "“{}” at the table “{}” gains {} chips a deal. In each, {:.2} cards {} are played to its \
         own sequences and {:.2} {} to those of others, {:.2} {} in all, and of 100 deals it goes \
         out in {:.1} ± {:.1} {often}.{paid}",
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

/// What an ante gains, and how much of what it gains in the deal is only taken from later ones.
fn what_stays(it: &Finding) -> String {
    format!(
        "“{}” at the table “{}” gains {} chips, and {} if the chips that stay on the layout are \
         lost.",
        it.tip,
        it.company.name(),
        it.gain,
        it.gain_in_deal
    )
}

/// What was found in several games: a row for each tip and company with the mean over all sizes of
/// table, and all figures.
pub fn overview(games: &[Findings]) -> Section {
    let mut rules: Vec<&str> = Vec::new();
    for game in games {
        if !rules.contains(&game.rules.as_str()) {
            rules.push(&game.rules);
        }
    }
    let mut players: Vec<usize> = games.iter().map(|game| game.players).collect();
    players.sort_unstable();
    players.dedup();
    let (means, mut findings) = pooled(games, &rules);
    // The one that books agree on, where most play it.
    for game in games.iter().filter(|game| game.players == 4) {
        let it = game.of("longest suit").chain(game.of("stake on the most played"));
        findings.extend(it.map(|it| {
            let why = if it.tip == "longest suit" { why(it) } else { what_stays(it) };
            format!("{}, 4 players: {why}", game.rules)
        }));
    }
    let full = in_full(games, &rules, &players);
    let found: Vec<&Findings> = games.iter().collect();
    let mut tables = vec![means, full];
    tables.extend(in_sessions(&found));
    report(rules.join(", "), Sizes::Many(players), &found, findings, tables)
}

fn table(caption: &str, first: &[&str], rules: &[&str]) -> ReportTable {
    ReportTable::new(caption, &[first, rules].concat())
}

/// The mean over all sizes of table, and its verdict; a sentence for each tip.
fn pooled(games: &[Findings], rules: &[&str]) -> (ReportTable, Vec<String>) {
    let caption = "What each tip gains, chips a deal, mean over all numbers of players; the \
                   verdict for each game that has the choice";
    let mut means = table(caption, &["tip", "company", "verdict"], rules);
    let is_there = |rules: &str, tip: &str, company| {
        games.iter().any(|game| game.rules == rules && game.at(tip, company).is_some())
    };
    let count = TIPS
        .iter()
        .flat_map(|tip| Company::ALL.map(|company| (tip.name, company)))
        .map(|(tip, company)| rules.iter().filter(|rules| is_there(rules, tip, company)).count())
        .sum();
    let mut sentences = Vec::new();
    for tip in TIPS {
        let mut all = Vec::new();
        for company in Company::ALL {
            let gains: Vec<Option<Estimate>> = rules
                .iter()
                .map(|&rules| {
                    let here = games.iter().filter(|game| game.rules == rules);
                    mean(here.filter_map(|game| Some(game.at(tip.name, company)?.gain)))
                })
                .collect();
            let verdicts: Vec<Verdict> =
                gains.iter().flatten().map(|&gain| Verdict::of(tip.claim, gain, count)).collect();
            if let Some(&first) = verdicts.first() {
                let words = if verdicts.iter().all(|&verdict| verdict == first) {
                    first.words().into()
                } else {
                    verdicts.iter().map(|it| it.words()).collect::<Vec<_>>().join(" / ")
                };
                let mut row: Vec<ReportCell> =
                    vec![tip.name.into(), company.name().into(), words.into()];
                row.extend(
                    gains.into_iter().map(|it| it.map_or(ReportCell::Empty, ReportCell::from)),
                );
                means.push(row);
            }
            all.extend(verdicts);
        }
        all.retain(|&verdict| verdict != Verdict::ChangesNothing);
        let having = |verdict| all.iter().filter(|&&it| it == verdict).count();
        if !all.is_empty() {
            sentences.push(format!(
                "“{}”: of {} games and companies it holds in {}, does not hold in {}, is harmful \
                 in {}.",
                tip.name,
                all.len(),
                having(Verdict::Holds),
                having(Verdict::DoesNotHold),
                having(Verdict::Harmful)
            ));
        }
    }
    (means, sentences)
}

/// The mean of independent estimates.
fn mean(estimates: impl Iterator<Item = Estimate>) -> Option<Estimate> {
    let (count, sum, squares) = estimates.fold((0.0, 0.0, 0.0), |(count, sum, squares), it| {
        (count + 1.0, sum + it.mean, squares + it.ci95 * it.ci95)
    });
    (count > 0.0).then(|| Estimate { mean: sum / count, ci95: f64::sqrt(squares) / count })
}

/// The table of all tips, companies, games and table sizes.
fn in_full(games: &[Findings], rules: &[&str], players: &[usize]) -> ReportTable {
    let mut full =
        table("The same at each number of players", &["tip", "company", "players"], rules);
    for (tip, company) in TIPS.iter().flat_map(|tip| Company::ALL.map(|company| (tip, company))) {
        for &players in players {
            let gains: Vec<Option<Estimate>> = rules
                .iter()
                .map(|&rules| {
                    let here = |it: &&Findings| it.rules == rules && it.players == players;
                    Some(games.iter().find(here)?.at(tip.name, company)?.gain)
                })
                .collect();
            if gains.iter().any(Option::is_some) {
                let mut row: Vec<ReportCell> =
                    vec![tip.name.into(), company.name().into(), ReportCell::Count(players as u64)];
                row.extend(
                    gains.into_iter().map(|it| it.map_or(ReportCell::Empty, ReportCell::from)),
                );
                full.push(row);
            }
        }
    }
    full
}
