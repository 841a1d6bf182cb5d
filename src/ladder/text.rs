//! A ladder in text: for the terminal, and as Markdown.

use newmarket_eval::ladder::{Interval, LadderReport};

use crate::external::Outcome;
use crate::report::rows::{aligned, escaped, piped};
use crate::report::{NOT_SEPARATED, figure};

/// The heads of the table of ratings.
pub(super) const HEADS: [&str; 5] = ["", "agent", "chips a deal", "at mixed tables", "Weng–Lin"];

/// What was played.
pub(super) fn title(report: &LadderReport) -> String {
    let most = if report.until_separated { "at most " } else { "" };
    format!(
        "{}, {} players, {most}{} deals in every seating, seed {}",
        report.rules, report.players, report.deals, report.seed
    )
}

/// How to read the tables.
pub(super) fn notes(outcome: &Outcome<LadderReport>) -> Vec<String> {
    let report = &outcome.result;
    let mut notes = vec![
        "Chips a deal are above the mean of all agents, with 95 % intervals by bootstrap over \
         deals."
            .to_owned(),
        format!(
            "The cross table has what the row gains, in chips a deal, at a table of the column; \
             {NOT_SEPARATED}: not separated."
        ),
    ];
    if let Some(error_rate) = report.error_rate {
        notes.push(format!(
            "Pairings stopped when they were separated: at most {:.0} % of such ladders separate \
             any equals. The cross table's intervals hold at every look; ratings after a stop \
             lean a little outwards.",
            100.0 * error_rate
        ));
    }
    let open: Vec<String> = (report.pairings.iter())
        .filter(|pairing| !pairing.separated)
        .map(|pairing| format!("{} and {}", pairing.first, pairing.second))
        .collect();
    notes.push(match open.len() {
        0 => "Every pairing is separated.".into(),
        _ => format!("Not separated: {}.", open.join("; ")),
    });
    notes.extend(outcome.programs.iter().map(|program| format!("{}.", program.sentence())));
    notes
}

/// The table of ratings, without heads.
pub(super) fn ratings(report: &LadderReport) -> Vec<Vec<String>> {
    let chips = |it: Interval| format!("{:+.3} [{:+.3}, {:+.3}]", it.mean, it.low, it.high);
    let points = |it: Interval| format!("{:.1} [{:.1}, {:.1}]", it.mean, it.low, it.high);
    let row = |(place, standing): (usize, &newmarket_eval::ladder::Rating)| {
        vec![
            (place + 1).to_string(),
            standing.agent.clone(),
            chips(standing.chips),
            chips(standing.mixed),
            points(standing.weng_lin),
        ]
    };
    report.ranking.iter().enumerate().map(row).collect()
}

/// The cross table, heads in the first row and column, the best first.
pub(super) fn crosses(report: &LadderReport) -> Vec<Vec<String>> {
    let names: Vec<&String> = report.ranking.iter().map(|standing| &standing.agent).collect();
    let mut rows = vec![vec!["row at a table of".to_owned()]];
    rows[0].extend(names.iter().map(ToString::to_string));
    for hero in &names {
        let cell = |cell: &newmarket_eval::ladder::CrossTableEntry| figure(cell.gain, cell.ci95);
        let cells = names.iter().map(|field| report.cell(hero, field).map_or("·".into(), cell));
        rows.push(std::iter::once((*hero).clone()).chain(cells).collect());
    }
    rows
}

/// The ladder for a terminal.
pub(super) fn terminal(outcome: &Outcome<LadderReport>) -> String {
    let report = &outcome.result;
    let mut table = ratings(report);
    table.insert(0, HEADS.map(str::to_owned).to_vec());
    let mut lines = vec![format!("{}; {:.1} s", title(report), report.seconds), String::new()];
    lines.extend(aligned(&table, 2));
    lines.push(String::new());
    lines.extend(aligned(&crosses(report), 1));
    lines.push(String::new());
    lines.extend(notes(outcome));
    lines.join("\n")
}

/// The ladder as Markdown.
pub(super) fn markdown(outcome: &Outcome<LadderReport>) -> String {
    let report = &outcome.result;
    let mut table = ratings(report);
    table.insert(0, HEADS.map(str::to_owned).to_vec());
    let notes: Vec<String> =
        notes(outcome).iter().map(|note| format!("- {}", escaped(note))).collect();
    format!(
        "## Ladder\n\n{}\n\n{}\n\n{}\n\n{}",
        escaped(&title(report)),
        piped(&table, 2),
        piped(&crosses(report), 1),
        notes.join("\n")
    )
}
