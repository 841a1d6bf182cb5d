//! A review as text for a terminal, and as Markdown.

use newmarket_agents::paired::Estimate;
use newmarket_env::CardSet;

use super::judge::{Decision, Kind};
use super::report::Report;
use super::tally::Tally;
use crate::report::rows::{aligned, escaped, piped, wrapped};
use crate::report::{NOT_SEPARATED, figure, grouped};

/// Columns of a terminal.
const WIDTH: usize = 80;

/// What was judged, and how.
pub(super) fn title(report: &Report) -> String {
    let count = |number: usize, what: &str| {
        format!("{} {what}{}", grouped(number as u64), if number == 1 { "" } else { "s" })
    };
    format!(
        "{}: {} in {} of {} ({}), judged by {} in {} sampled deals each, seed {}",
        report.trace,
        count(report.decisions.len(), "decision"),
        count(report.deals, "deal"),
        report.games.join(", "),
        count(report.sessions, "session"),
        report.by,
        report.worlds,
        report.seed
    )
}

/// How to read the figures.
pub(super) fn notes(report: &Report) -> Vec<String> {
    vec![
        format!(
            "The chips lost are the chips by which a choice is behind the best one, ± half of the 95 % \
             interval ({}s are independent); {NOT_SEPARATED}: the interval holds 0. An error is a choice \
             whose interval lies above 0.",
            report.unit
        ),
        format!(
            "The best choice is found in half of the sampled deals, in which {} plays for all seats \
             after the choice. The other half measures the choices.",
            report.by
        ),
    ]
}

/// The heads of the summary, and how many of its first columns are words.
pub(super) const HEADS: [&str; 6] =
    ["seat", "kind", "decisions", "errors", "error rate", "chips lost a decision"];
pub(super) const WORDS: usize = 2;

/// The summary, heads first.
pub(super) fn summary(report: &Report) -> Vec<Vec<String>> {
    let mut rows = vec![HEADS.map(str::to_owned).to_vec()];
    let row = |tally: &Tally| {
        let seat = tally.seat.map_or("all".into(), |seat| seat.to_string());
        vec![
            if tally.kind.is_none() { seat } else { String::new() },
            tally.kind.map_or("all", Kind::name).into(),
            tally.decisions.to_string(),
            tally.errors.to_string(),
            format!("{:.1} %", 100.0 * tally.error_rate),
            mean(tally.cost),
        ]
    };
    rows.extend(report.summary.iter().map(row));
    rows
}

/// A mean and its interval. One session or deal alone has no interval.
fn mean(estimate: Estimate) -> String {
    let Estimate { mean, ci95 } = estimate;
    if ci95.is_finite() { figure(mean, ci95) } else { format!("{mean:+.3}") }
}

/// The worst mistakes.
pub(super) fn worst(report: &Report) -> impl Iterator<Item = &Decision> {
    report.worst.iter().map(|&nth| &report.decisions[nth])
}

/// The title of the list of mistakes.
pub(super) fn shown(report: &Report) -> String {
    let errors = report.decisions.iter().filter(|decision| decision.error).count();
    match (report.worst.len(), errors) {
        (_, 0) => "No choice was an error.".into(),
        (shown, all) if shown == all => format!("All {all} errors, the worst first"),
        (shown, all) => format!("The worst {shown} of {} errors", grouped(all as u64)),
    }
}

/// Where a decision was taken.
pub(super) fn place(decision: &Decision) -> String {
    let Decision { line, session, seat, .. } = decision;
    let session = match decision.deal {
        Some(deal) => format!("session {session}, deal {deal}"),
        None => "a deal on its own".into(),
    };
    format!("{session} (line {line}), seat {seat}")
}

/// What the choice taken cost.
pub(super) fn cost(decision: &Decision) -> String {
    format!("{:.2} ± {:.2}", decision.cost, decision.ci95)
}

/// What the seat knew, each fact with its label.
pub(super) fn position(decision: &Decision) -> Vec<(&'static str, String)> {
    let (view, wording) = (decision.view(), decision.wording());
    let mut piles: Vec<String> = (wording.cells().zip(view.layout()))
        .map(|(cell, chips)| format!("{cell} {chips}"))
        .collect();
    if decision.game.rules().has_kitty() {
        piles.push(format!("kitty {}", view.kitty()));
    }
    let by_seat = |number: &dyn Fn(usize) -> String| {
        let seats = 0..decision.game.players();
        seats.map(|seat| format!("{seat}: {}", number(seat))).collect::<Vec<_>>().join("   ")
    };
    let suits = |cards: CardSet| wording.suits(cards, CardSet::EMPTY).join("   ");
    let rows = [
        ("hand", suits(view.hand())),
        ("layout", piles.join("   ")),
        ("cards", by_seat(&|seat| view.hand_size(seat).to_string())),
        ("chips", by_seat(&|seat| view.stack(seat).to_string())),
        ("played", suits(view.played())),
        ("dead", suits(view.known_dead())),
    ];
    // Before the deal there are chips only.
    let known = |name: &str| !view.hand().is_empty() || ["layout", "chips"].contains(&name);
    rows.into_iter().filter(|(name, text)| !text.is_empty() && known(name)).collect()
}

/// The choice that was taken, and the better one.
pub(super) fn instead(decision: &Decision) -> (String, String) {
    let (view, wording) = (decision.view(), decision.wording());
    (wording.choice(&view, &decision.taken), wording.choice(&view, &decision.best))
}

/// The choice that was taken, with the clause by which it was.
pub(super) fn taken(decision: &Decision) -> String {
    let (taken, _) = instead(decision);
    match &decision.strategy {
        Some(why) if why.agrees => format!("{taken} ({})", why.reasons.words()),
        _ => taken,
    }
}

/// The clauses of the strategy of the seat, if the choice taken is against them.
pub(super) fn against(decision: &Decision) -> Option<String> {
    let why = decision.strategy.as_ref().filter(|why| !why.agrees)?;
    Some(why.reasons.words())
}

/// Lines for a terminal, broken between groups (suits, piles, seats).
fn in_groups(text: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for group in text.split("   ") {
        match lines.last_mut() {
            Some(line) if line.chars().count() + group.chars().count() + 16 <= WIDTH => {
                line.push_str("   ");
                line.push_str(group);
            }
            _ => lines.push(group.into()),
        }
    }
    lines
}

/// The review for a terminal.
pub(super) fn terminal(report: &Report) -> String {
    let mut lines = wrapped(&title(report), WIDTH);
    lines.push(String::new());
    lines.extend(aligned(&summary(report), WORDS));
    lines.push(String::new());
    lines.push(shown(report));
    for (nth, decision) in worst(report).enumerate() {
        let (_, best) = instead(decision);
        lines.push(format!(
            "\n{:>3}. {}: {} costs {}",
            nth + 1,
            place(decision),
            decision.kind.name(),
            cost(decision)
        ));
        for (name, text) in position(decision) {
            let mut name = name;
            for line in in_groups(&text) {
                lines.push(format!("     {name:<7} {line}"));
                name = "";
            }
        }
        lines.push(format!("     taken   {}", taken(decision)));
        lines.extend(against(decision).map(|clauses| format!("     against {clauses}")));
        lines.push(format!("     better  {best}"));
    }
    lines.push(String::new());
    lines.extend(notes(report).iter().flat_map(|note| wrapped(note, WIDTH)));
    lines.join("\n")
}

/// The review as Markdown.
pub(super) fn markdown(report: &Report) -> String {
    let heads = ["where", "kind", "hand", "taken", "better", "cost"].map(str::to_owned);
    let mut mistakes = vec![heads.to_vec()];
    mistakes.extend(worst(report).map(|decision| {
        let (_, best) = instead(decision);
        let against = against(decision).map(|clauses| format!(", against {clauses}"));
        let taken = taken(decision) + &against.unwrap_or_default();
        let hand = decision.wording().suits(decision.view().hand(), CardSet::EMPTY).join("   ");
        let kind = decision.kind.name().into();
        vec![place(decision), kind, hand, taken, best, cost(decision)]
    }));
    let notes: Vec<String> = notes(report).iter().map(|note| escaped(note)).collect();
    format!(
        "# Review of play\n\n{}.\n\n{}\n\n## {}\n\n{}\n\n{}\n",
        escaped(&title(report)),
        piped(&summary(report), WORDS),
        shown(report),
        piped(&mistakes, 5),
        notes.join("\n\n")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_row_is_broken_between_suits() {
        let suit = format!("♣{}", " 10".repeat(9));
        let text = [suit.as_str(); 4].join("   ");
        let lines = in_groups(&text);
        assert_eq!(lines, [[suit.as_str(); 2].join("   "), [suit.as_str(); 2].join("   ")]);
        assert!(lines.iter().all(|line| line.chars().count() + 13 <= WIDTH));
        assert_eq!(in_groups("♣ 2   ♦ 3"), ["♣ 2   ♦ 3"]);
    }
}
