//! A review in text: for the terminal, and as Markdown.

use newmarket_agents::paired::Estimate;

use super::judge::{Decision, Kind};
use super::report::Report;
use super::tally::Tally;
use super::words;
use crate::report::rows::{aligned, escaped, piped, wrapped};
use crate::report::{NOT_SEPARATED, figure, grouped};

/// Columns of a terminal.
const WIDTH: usize = 80;

/// What was judged, and by whom.
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
            "Chips lost are those by which a choice is behind the best one, ± half of the 95 % interval \
             ({}s are independent); {NOT_SEPARATED}: the interval holds 0. An error is a choice whose own \
             interval lies above 0.",
            report.unit
        ),
        format!(
            "The best choice is the one that does best in half of the sampled deals, in which {} plays on \
             for all seats. The others say what it is worth.",
            report.by
        ),
    ]
}

/// The heads of the summary, and how many of its columns are words.
pub(super) const HEADS: [&str; 6] =
    ["seat", "kind", "decisions", "errors", "error rate", "chips lost a decision"];
pub(super) const WORDS: usize = 2;

/// The summary, heads first.
pub(super) fn summary(report: &Report) -> Vec<Vec<String>> {
    let mut rows = vec![HEADS.map(str::to_owned).to_vec()];
    let row = |it: &Tally| {
        let seat = it.seat.map_or("all".into(), |seat| seat.to_string());
        vec![
            if it.kind.is_none() { seat } else { String::new() },
            it.kind.map_or("all", Kind::name).into(),
            it.decisions.to_string(),
            it.errors.to_string(),
            format!("{:.1} %", 100.0 * it.error_rate),
            mean(it.cost),
        ]
    };
    rows.extend(report.summary.iter().map(row));
    rows
}

/// A mean and its interval; one session or deal alone has none.
fn mean(it: Estimate) -> String {
    if it.ci95.is_finite() { figure(it.mean, it.ci95) } else { format!("{:+.3}", it.mean) }
}

/// The worst mistakes.
pub(super) fn worst(report: &Report) -> impl Iterator<Item = &Decision> {
    report.worst.iter().map(|&at| &report.decisions[at])
}

/// How many of the mistakes are shown.
pub(super) fn shown(report: &Report) -> String {
    let errors = report.decisions.iter().filter(|it| it.error).count();
    match (report.worst.len(), errors) {
        (_, 0) => "No choice was an error.".into(),
        (shown, all) if shown == all => format!("All {all} errors, the worst first"),
        (shown, all) => format!("The worst {shown} of {} errors", grouped(all as u64)),
    }
}

/// Where a decision was taken.
pub(super) fn place(it: &Decision) -> String {
    let session = match it.deal {
        Some(deal) => format!("session {}, deal {deal}", it.session),
        None => "a deal on its own".into(),
    };
    format!("{session} (line {}), seat {}", it.line, it.seat)
}

/// What it cost.
pub(super) fn cost(it: &Decision) -> String {
    format!("{:.2} ± {:.2}", it.cost, it.ci95)
}

/// What the seat saw, by what it is called.
pub(super) fn position(it: &Decision) -> Vec<(&'static str, String)> {
    let position = &it.position;
    let piles = words::cells(&it.game).into_iter().zip(&position.layout);
    let mut piles: Vec<String> = piles.map(|(cell, chips)| format!("{cell} {chips}")).collect();
    if it.game.rules().has_kitty() {
        piles.push(format!("kitty {}", position.kitty));
    }
    let mut played: Vec<_> = position.played.iter().flatten().copied().collect();
    let aces = it.game.rules().aces;
    played.sort_unstable_by_key(|name| name.card(aces));
    let by_seat = |numbers: &mut dyn Iterator<Item = String>| {
        numbers
            .enumerate()
            .map(|(seat, it)| format!("{seat}: {it}"))
            .collect::<Vec<_>>()
            .join("   ")
    };
    let rows = [
        ("hand", words::cards(&position.hand)),
        ("layout", piles.join("   ")),
        ("cards", by_seat(&mut position.cards.iter().map(ToString::to_string))),
        ("chips", by_seat(&mut position.stacks.iter().map(ToString::to_string))),
        ("played", words::cards(&played)),
        ("dead", words::cards(&position.dead)),
    ];
    // Before the cards are dealt there is less to see.
    let dealt = |name: &str| !position.hand.is_empty() || ["layout", "chips"].contains(&name);
    rows.into_iter().filter(|(name, text)| !text.is_empty() && dealt(name)).collect()
}

/// What was done, and what would have been better.
pub(super) fn instead(it: &Decision) -> (String, String) {
    (words::choice(&it.game, &it.taken), words::choice(&it.game, &it.best))
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
    for (nth, it) in worst(report).enumerate() {
        let (taken, best) = instead(it);
        lines.push(format!(
            "\n{:>3}. {}: {} costs {}",
            nth + 1,
            place(it),
            it.kind.name(),
            cost(it)
        ));
        for (name, text) in position(it) {
            let mut name = name;
            for line in in_groups(&text) {
                lines.push(format!("     {name:<7} {line}"));
                name = "";
            }
        }
        lines.push(format!("     taken   {taken}"));
        lines.push(format!("     better  {best}"));
    }
    lines.push(String::new());
    lines.extend(notes(report).iter().flat_map(|note| wrapped(note, WIDTH)));
    lines.join("\n")
}

/// The review as Markdown.
pub(super) fn markdown(report: &Report) -> String {
    let mut heads =
        ["where", "kind", "hand", "taken", "better", "cost"].map(str::to_owned).to_vec();
    let mut mistakes = vec![std::mem::take(&mut heads)];
    mistakes.extend(worst(report).map(|it| {
        let (taken, best) = instead(it);
        let hand = words::cards(&it.position.hand);
        vec![place(it), it.kind.name().into(), hand, taken, best, cost(it)]
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
