//! A report as text, for the terminal or as Markdown.

use newmarket_eval::study::{Advice, ReportCell, ReportTable, Section};

use super::report::{Report, Reproducible};
use crate::report::rows::{aligned, escaped, piped, wrapped};
use crate::report::{NOT_SEPARATED, figure};

/// Columns of a terminal.
const WIDTH: usize = 100;

/// The line under a section's title: rules, players, field, deals and seed.
pub(super) fn setting(section: &Section) -> String {
    format!(
        "{}, {} players, at a table of {}; {} deals in each part, seed {}",
        section.rules, section.players, section.field, section.deals, section.seed
    )
}

/// How to read the figures.
pub(super) fn legend() -> String {
    format!(
        "Gains are in chips a deal unless a caption says otherwise, ± half of their 95 % interval; \
         {NOT_SEPARATED}: the interval contains 0."
    )
}

/// A table's rows, heads first.
pub(super) fn rows(table: &ReportTable) -> Vec<Vec<String>> {
    let mut rows = vec![table.heads.clone()];
    rows.extend(table.rows.iter().map(|row| row.iter().map(cell).collect()));
    rows
}

/// The number of columns of words, from the left.
pub(super) fn words(table: &ReportTable) -> usize {
    let is_word =
        |column: usize| table.rows.iter().any(|row| matches!(row[column], ReportCell::Text(_)));
    (0..table.heads.len()).take_while(|&column| is_word(column)).count()
}

fn cell(cell: &ReportCell) -> String {
    match cell {
        ReportCell::Text(text) => text.clone(),
        ReportCell::Count(count) => count.to_string(),
        ReportCell::Rate(it) => format!("{:.2} ± {:.2}", it.mean, it.ci95),
        ReportCell::Estimate(it) => figure(it.mean, it.ci95),
        ReportCell::Share(it) => format!("{:.1} ± {:.1} %", 100.0 * it.mean, 100.0 * it.ci95),
        ReportCell::Empty => "·".into(),
    }
}

/// The report for a terminal.
pub(super) fn terminal(report: &Report) -> String {
    let mut lines = Vec::new();
    for (nth, (title, steps)) in advice(report).enumerate() {
        if nth == 0 {
            lines.push("WHAT TO DO".into());
        }
        lines.extend(wrapped(&title, WIDTH));
        lines.extend(steps.iter().flat_map(|it| item(it)));
        lines.push(String::new());
    }
    for Reproducible { section, command } in &report.sections {
        lines.push(section.title.to_uppercase());
        lines.extend(wrapped(&section.question, WIDTH));
        lines.extend(wrapped(&setting(section), WIDTH));
        lines.push(String::new());
        lines.extend(section.findings.iter().flat_map(|it| item(it)));
        for table in &section.tables {
            lines.push(String::new());
            lines.extend(wrapped(&table.caption, WIDTH));
            lines.extend(aligned(&rows(table), words(table)));
        }
        lines.push(String::new());
        for paragraph in &section.method {
            lines.extend(wrapped(paragraph, WIDTH));
        }
        lines.push(format!("Reproduced by: {command}"));
        lines.push(String::new());
    }
    lines.extend(left_out(report).iter().flat_map(|line| wrapped(line, WIDTH)));
    lines.extend(wrapped(&legend(), WIDTH));
    lines.join("\n")
}

/// An item of a list for a terminal.
fn item(text: &str) -> Vec<String> {
    let lines = wrapped(text, WIDTH - 2).into_iter().enumerate();
    lines.map(|(at, line)| format!("{}{line}", if at == 0 { "- " } else { "  " })).collect()
}

/// All advice, each with its steps and what they gain.
fn advice(report: &Report) -> impl Iterator<Item = (String, &[String])> {
    report.advice().iter().map(|it| {
        let gain = figure(it.gain.mean, it.gain.ci95);
        let Advice { title, over, among, strategy, .. } = it;
        let title =
            format!("{title}: {gain} chips a deal {over}, among {among} (strategy {strategy})");
        (title, &*it.steps)
    })
}

/// The studies that are not in the report.
pub(super) fn left_out(report: &Report) -> Vec<String> {
    report.left_out.iter().map(|why| format!("Left out: {why}.")).collect()
}

/// The report as Markdown.
pub(super) fn markdown(report: &Report) -> String {
    let mut parts = vec!["## Studies".to_owned(), escaped(&legend())];
    let list = |texts: &[String]| {
        let items = texts.iter().map(|text| format!("- {}", escaped(text)));
        items.collect::<Vec<_>>().join("\n")
    };
    for (nth, (title, steps)) in advice(report).enumerate() {
        if nth == 0 {
            parts.push("### What to do".to_owned());
        }
        parts.extend([format!("**{}**", escaped(&title)), list(steps)]);
    }
    for Reproducible { section, command } in &report.sections {
        parts.push(format!("### {}", escaped(&section.title)));
        parts.push(format!("{} {}.", escaped(&section.question), escaped(&setting(section))));
        parts.push(list(&section.findings));
        for table in &section.tables {
            parts.push(format!("**{}**", escaped(&table.caption)));
            parts.push(piped(&rows(table), words(table)));
        }
        parts.push(format!("Method:\n\n{}", list(&section.method)));
        parts.push(format!("Reproduced by `{command}`"));
    }
    parts.extend(left_out(report).iter().map(|line| escaped(line)));
    parts.join("\n\n")
}
