//! What was found about tips: tables, and sentences made of the figures.

use super::catalogue::{Claim, NOT_TESTED, TIPS, Tip};
use super::company::Company;
use super::findings::{Finding, Findings, Verdict};
use super::sessions::SessionCheck;
use crate::study::payoff::LEFT_GROUPS;
use crate::study::report::{ReportCell, ReportTable, Section, Sizes};
use crate::study::setting::USUAL_FIELD;
use newmarket_agents::paired::{Estimate, widening};

/// How it is measured, a paragraph each.
fn method(found: &Findings) -> Vec<String> {
    let mut method = vec![
        "Whoever follows a tip sits in each seat in turn, and so does whoever does not, on the same \
         deals, in the same company and with the same random numbers for every seat; they differ \
         in the one choice alone. The gain is the difference in chips a deal, its mean over the \
         seats; the deal is the unit of the interval."
            .into(),
        company(found),
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

/// Who sits where.
fn company(found: &Findings) -> String {
    if found.field == USUAL_FIELD {
        return "“random”: everybody leads at random, and the tip decides before that. “stopper”: \
                everybody leads as `stopper`; the tip decides first, `stopper` in its ties. “stopper, in \
                ties”: the same company; the tip decides only where the first three questions of \
                `stopper` leave a choice, against a lead at random there."
            .into();
    }
    format!(
        "All others are {0}, also where antes are placed after a look: they stake by their hands there. \
         Whoever follows a tip and whoever does not play on as {1} in all else. A tip on leads decides \
         first, and {1} among those that are as good by it.",
        found.field, found.player
    )
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
        let company = it.company.name(&found.field);
        let mut row: Vec<ReportCell> = words(&[it.tip, company, it.verdict.words()]);
        row.extend([it.gain, it.gain_in_deal].map(ReportCell::from));
        gains.push(row);
        let mut row: Vec<ReportCell> = words(&[it.tip, company]);
        row.extend([it.leads, it.own_cards, it.others_cards].map(ReportCell::from));
        row.push(ReportCell::share(it.out));
        course.push(row);
    }
    let sizes = Sizes::One(found.players);
    let mut tables = vec![gains];
    tables.extend(by_seat_and_left(&[found]));
    tables.push(course);
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
                check.company.name(&found.field).into(),
                game.into(),
                check.in_sessions.into(),
                check.in_deals.into(),
                check.difference().into(),
            ]);
        }
    }
    (!table.rows.is_empty()).then_some(table)
}

/// A tip in the company that advice is about: the field of the study.
fn at_field<'f>(found: &'f Findings, tip: &str) -> Option<&'f Finding> {
    [Company::Stopper, Company::Field].into_iter().find_map(|company| found.at(tip, company))
}

/// Who follows the tips in that company, and among whom.
fn among(found: &Findings) -> String {
    if found.field == USUAL_FIELD {
        return "among players who lead as stopper".into();
    }
    format!("among {}, for who plays on as {}", found.field, found.player)
}

/// The tips that hold at every table of the field that was tried, and those that are harmful at every one.
fn advice(found: &[&Findings]) -> Vec<String> {
    let Some(first) = found.first() else { return Vec::new() };
    let always = |verdict: Verdict| -> Vec<&str> {
        let is = |tip: &&Tip| {
            let mut all = found.iter().filter_map(|it| at_field(it, tip.name)).peekable();
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
            format!("Tips that {what} {}, at every table: “{names}”.", among(first))
        })
        .collect()
}

/// Numbers of players at whose tables seats are told apart, if there are many.
const SEATS_TOLD: [usize; 2] = [4, 6];

/// Tips that are worth more in one seat than in another, or with more deals left, among the field; the
/// verdict for each. Nothing if there is none.
fn by_seat_and_left(found: &[&Findings]) -> Vec<ReportTable> {
    let mut sizes: Vec<usize> = found.iter().map(|it| it.players).collect();
    sizes.sort_unstable();
    sizes.dedup();
    if sizes.len() > 1 {
        sizes.retain(|players| SEATS_TOLD.contains(players));
    }
    sizes.into_iter().filter_map(|players| seats_told(found, players)).collect()
}

fn seats_told(found: &[&Findings], players: usize) -> Option<ReportTable> {
    let tried: Vec<(&Findings, &Finding)> = (found.iter().filter(|it| it.players == players))
        .flat_map(|&found| {
            TIPS.iter().filter_map(move |tip| Some((found, at_field(found, tip.name)?)))
        })
        .collect();
    let roles = (0..players).map(|role| match role {
        0 => "eldest".to_owned(),
        last if last + 1 == players => "dealer".into(),
        other => format!("seat {}", other + 1),
    });
    let with_left = tried.iter().any(|(_, it)| !it.by_left.is_empty());
    let lefts = LEFT_GROUPS.iter().filter(|_| with_left).map(|(_, name)| (*name).to_owned());
    let heads: Vec<String> =
        ["tip", "game"].map(str::to_owned).into_iter().chain(roles).chain(lefts).collect();
    let heads: Vec<&str> = heads.iter().map(String::as_str).collect();
    let judged = tried.len() * (heads.len() - 2);
    let pairs_of = |count: usize| count * (count - 1) / 2;
    let pairs = tried.len() * (pairs_of(players) + pairs_of(LEFT_GROUPS.len()));
    let mut table = ReportTable::new(
        format!(
            "Tips whose gain is not the same in all seats, or with any number of deals left after the deal: verdict and gain of each ({players} players, {})",
            found.first().map(|found| among(found)).unwrap_or_default()
        ),
        &heads,
    );
    for (found, it) in tried {
        if !apart(&it.by_role, pairs) && !apart(&it.by_left, pairs) {
            continue;
        }
        let claim = Tip::named(it.tip).map_or(Claim::Gains, |tip| tip.claim);
        let cell = |&gain: &Estimate| {
            if gain.ci95.is_finite() {
                format!("{}: {gain}", Verdict::of(claim, gain, judged).words()).into()
            } else {
                ReportCell::Empty
            }
        };
        let mut row: Vec<ReportCell> = vec![it.tip.into(), found.rules.clone().into()];
        row.extend(it.by_role.iter().chain(&it.by_left).map(cell));
        row.resize(heads.len(), ReportCell::Empty);
        table.push(row);
    }
    (!table.rows.is_empty()).then_some(table)
}

/// Whether two of these are separated, where so many pairs are compared. Figures of the same deals may go together
/// in any way, so their intervals are added.
fn apart(figures: &[Estimate], pairs: usize) -> bool {
    let wide = widening(pairs as u64);
    let known: Vec<&Estimate> = figures.iter().filter(|it| it.ci95.is_finite()).collect();
    let above = |a: &Estimate, b: &Estimate| a.mean - b.mean > wide * (a.ci95 + b.ci95);
    known.iter().any(|a| known.iter().any(|b| a.mean > b.mean && above(a, b)))
}

/// Tips on which the two payoffs give different verdicts among the field.
fn payoffs_disagree(found: &[&Findings]) -> Option<String> {
    let mut differ = Vec::new();
    for &found in found {
        for it in TIPS.iter().filter_map(|tip| at_field(found, tip.name)) {
            let claim = Tip::named(it.tip).map_or(Claim::Gains, |tip| tip.claim);
            let alone = Verdict::of(claim, it.gain_in_deal, found.findings.len());
            if alone != it.verdict {
                differ.push(format!(
                    "“{}” in {}, {} players ({}, {} in the deal alone)",
                    it.tip,
                    found.rules,
                    found.players,
                    it.verdict.words(),
                    alone.words()
                ));
            }
        }
    }
    let all = differ.join("; ");
    (!differ.is_empty())
        .then(|| format!("The verdict is another one where chips that stay are lost: {all}."))
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
    findings.extend(payoffs_disagree(found));
    findings.extend(checked(found));
    let first = found.first();
    let field = first.map(|it| it.field.as_str()).unwrap_or_default();
    let field = if field == USUAL_FIELD { "random or stopper" } else { field };
    let all = found.iter().flat_map(|found| &found.findings);
    Section {
        study: "tips".into(),
        title: "What the books advise".into(),
        question: "Which tips are worth following, and how much?".into(),
        rules,
        players,
        field: field.into(),
        deals: first.map_or(0, |found| found.deals),
        seed: first.map_or(0, |found| found.seed),
        method: first.map(|found| method(found)).unwrap_or_default(),
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
                let (company, words) = (company.name(&found.field), verdict.words());
                sentences.push(format!("At the table “{company}”, {words}: “{list}”."));
            }
        }
    }
    let leads = found.of("longest suit").chain(found.of("off-suit"));
    sentences.extend(leads.map(|it| why(it, &found.field)));
    sentences.extend(found.of("stake on the most played").map(|it| what_stays(it, &found.field)));
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
fn why(it: &Finding, field: &str) -> String {
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
        it.company.name(field),
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
fn what_stays(it: &Finding, field: &str) -> String {
    format!(
        "“{}” at the table “{}” gains {} chips, and {} if the chips that stay on the layout are \
         lost.",
        it.tip,
        it.company.name(field),
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
            let field = &game.field;
            let why = if it.tip == "longest suit" { why(it, field) } else { what_stays(it, field) };
            format!("{}, 4 players: {why}", game.rules)
        }));
    }
    let full = in_full(games, &rules, &players);
    let found: Vec<&Findings> = games.iter().collect();
    let mut tables = vec![means];
    tables.extend(by_seat_and_left(&found));
    tables.push(full);
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
    let field = games.first().map(|game| game.field.as_str()).unwrap_or_default();
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
                    vec![tip.name.into(), company.name(field).into(), words.into()];
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
            let of = match all.len() {
                1 => "1 game and company".into(),
                count => format!("{count} games and companies"),
            };
            sentences.push(format!(
                "“{}”: of {of} it holds in {}, does not hold in {}, is harmful in {}.",
                tip.name,
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
    let field = games.first().map(|game| game.field.as_str()).unwrap_or_default();
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
                let mut row: Vec<ReportCell> = vec![
                    tip.name.into(),
                    company.name(field).into(),
                    ReportCell::Count(players as u64),
                ];
                row.extend(
                    gains.into_iter().map(|it| it.map_or(ReportCell::Empty, ReportCell::from)),
                );
                full.push(row);
            }
        }
    }
    full
}
