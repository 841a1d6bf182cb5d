//! A ladder in text: for the terminal, and as Markdown.

use newmarket_agents::paired::plus_minus;
use newmarket_eval::ladder::{CrossTableEntry, Interval, LadderReport, Rating};

use crate::external::WithPrograms;
use crate::report::rows::{aligned, escaped, piped};
use crate::report::{NOT_SEPARATED, figure};

/// What was played.
pub(super) fn title(report: &LadderReport) -> String {
    let stopped = if report.until_separated { ", fewer where a pairing was separated" } else { "" };
    format!(
        "{}, {} players, {} {}s in every seating{stopped}, seed {}",
        report.rules,
        report.players,
        report.played.count(),
        report.played.unit(),
        report.seed
    )
}

/// How to read the tables.
pub(super) fn notes(outcome: &WithPrograms<LadderReport>) -> Vec<String> {
    let report = &outcome.result;
    let mut notes = match report.bankroll {
        None => vec![
            "Chips a deal are above the mean of all agents, with 95 % intervals by bootstrap over \
             deals. The Weng–Lin rating starts at 25."
                .to_owned(),
            format!(
                "The cross table shows the gain of the row at a table of the column, in chips a deal; \
                 {NOT_SEPARATED}: not separated."
            ),
        ],
        Some(_) => vec![
            "Shares of sessions won and chips a session are above the mean of all agents, with 95 % \
             intervals by bootstrap over sessions. The Weng–Lin rating starts at 25."
                .to_owned(),
            format!(
                "Agents are ranked by {}.",
                if report.is_for_wins() { "sessions won" } else { "chips a session" }
            ),
            format!(
                "The cross tables show the gain of the row at a table of the column: chips a session, \
                 and its share of sessions won above an even share; {NOT_SEPARATED}: not separated."
            ),
        ],
    };
    if let Some(error_rate) = report.error_rate {
        notes.push(format!(
            "Pairings stopped when they were separated: at most {:.0} % of such ladders separate \
             equal agents. The intervals of the cross table hold at every look; ratings after a stop \
             are a little too far from the mean.",
            100.0 * error_rate
        ));
    }
    let open: Vec<String> = (report.pairings.iter())
        .filter(|pairing| !report.separates(pairing))
        .map(|pairing| format!("{} and {}", pairing.first, pairing.second))
        .collect();
    notes.push(match open.len() {
        0 => "Every pairing is separated.".into(),
        _ => format!("Not separated: {}.", open.join("; ")),
    });
    notes.extend(outcome.programs.iter().map(|program| format!("{}.", program.sentence())));
    notes
}

/// The table of ratings, heads first.
pub(super) fn ratings(report: &LadderReport) -> Vec<Vec<String>> {
    let chips = |it: Interval| format!("{:+.3} [{:+.3}, {:+.3}]", it.mean, it.low, it.high);
    let points = |it: Interval| format!("{:.1} [{:.1}, {:.1}]", it.mean, it.low, it.high);
    let percent = |it: Interval| {
        let [mean, low, high] = [it.mean, it.low, it.high].map(|share| 100.0 * share);
        format!("{mean:+.1} [{low:+.1}, {high:+.1}]")
    };
    let mut heads = vec![String::new(), "agent".into(), chips_head(report)];
    let at = if report.is_for_wins() { 2 } else { 3 };
    if report.bankroll.is_some() {
        heads.insert(at, WINS.into());
    }
    heads.push("Weng–Lin".into());
    let mut rows = vec![heads];
    for (place, rating) in report.ranking.iter().enumerate() {
        let Rating { agent, wins, .. } = rating;
        let mut row = vec![(place + 1).to_string(), agent.clone(), chips(rating.chips)];
        if let Some(wins) = *wins {
            row.insert(at, percent(wins));
        }
        row.push(points(rating.weng_lin));
        rows.push(row);
    }
    rows
}

/// The head of the column with shares of sessions won.
const WINS: &str = "sessions won, %";

fn chips_head(report: &LadderReport) -> String {
    format!("chips a {}", report.played.unit())
}

/// The cross tables, what matters first: heads in the first row and column, the best agent first.
pub(super) fn crosses(report: &LadderReport) -> Vec<Vec<Vec<String>>> {
    let chips = |cell: &CrossTableEntry| Some(figure(cell.gain, cell.ci95));
    let wins = |cell: &CrossTableEntry| {
        let (mean, ci95) = cell.wins.map(|it| (100.0 * it.win_gain, 100.0 * it.win_ci95))?;
        let mark = if mean.abs() > ci95 { "" } else { "~" };
        Some(format!("{mean:+.1} {}{mark}", plus_minus(ci95, 1)))
    };
    if report.bankroll.is_none() {
        return vec![cross(report, "row at a table of", chips)];
    }
    let mut tables = vec![cross(report, &chips_head(report), chips), cross(report, WINS, wins)];
    if report.is_for_wins() {
        tables.reverse();
    }
    tables
}

fn cross(
    report: &LadderReport,
    head: &str,
    text: impl Fn(&CrossTableEntry) -> Option<String>,
) -> Vec<Vec<String>> {
    let names: Vec<&String> = report.ranking.iter().map(|standing| &standing.agent).collect();
    let mut rows = vec![vec![head.to_owned()]];
    rows[0].extend(names.iter().map(ToString::to_string));
    for hero in &names {
        let cell = |field: &&String| report.cell(hero, field).and_then(&text);
        let cells = names.iter().map(|field| cell(field).unwrap_or("·".into()));
        rows.push(std::iter::once((*hero).clone()).chain(cells).collect());
    }
    rows
}

/// The ladder for a terminal.
pub(super) fn terminal(outcome: &WithPrograms<LadderReport>) -> String {
    let report = &outcome.result;
    let mut lines = vec![format!("{}; {:.1} s", title(report), report.seconds), String::new()];
    lines.extend(aligned(&ratings(report), 2));
    lines.push(String::new());
    for table in crosses(report) {
        lines.extend(aligned(&table, 1));
        lines.push(String::new());
    }
    lines.extend(notes(outcome));
    lines.join("\n")
}

/// The ladder as Markdown.
pub(super) fn markdown(outcome: &WithPrograms<LadderReport>) -> String {
    let report = &outcome.result;
    let crosses: Vec<String> = crosses(report).iter().map(|table| piped(table, 1)).collect();
    let notes: Vec<String> =
        notes(outcome).iter().map(|note| format!("- {}", escaped(note))).collect();
    format!(
        "## Ladder\n\n{}\n\n{}\n\n{}\n\n{}",
        escaped(&title(report)),
        piped(&ratings(report), 2),
        crosses.join("\n\n"),
        notes.join("\n")
    )
}
