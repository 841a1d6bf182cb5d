//! A report as one page: what to do, then the tables. Sections of one study share their tables.

use newmarket_agents::paired::Estimate;
use newmarket_env::{Aces, Card};
use newmarket_eval::study::{Advice, ReportCell, ReportTable, Section};

use super::report::{Report, Reproducible};
use super::text::{left_out, legend, rows, setting, words};
use crate::report::figure;
use crate::report::page::{self, escaped, paragraphs};
use crate::report::plot::{self, Bar};

const TITLE: &str = "Newmarket: what choices are worth";
/// A table of more rows is not drawn.
const MOST_BARS: usize = 24;

const STYLE: &str = "<style>\n\
.advice{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,17rem),1fr));gap:.5rem}\n\
.advice section{border:1px solid var(--soft);border-radius:.5rem;padding:.4rem .7rem;break-inside:avoid}\n\
.advice section h3{margin:0}.advice ol{margin:.2rem 0;padding-left:1.3rem;line-height:1.3}.advice p{margin:.2rem 0;line-height:1.3}\n\
.gain{font-weight:bold;font-variant-numeric:tabular-nums;white-space:nowrap}\n\
h1{font-size:1.4rem;line-height:1.2;margin:.2rem 0}h1+p{margin:0 0 .5rem}table{font-size:.9rem}a{color:var(--mark)}\n\
@media(max-width:30rem){html body{padding:.5rem}h1{font-size:1rem}h1+p{font-size:.8rem;line-height:1.2}\
.advice{font-size:.8rem;gap:.3rem}.advice section h3{font-size:.9rem}.advice section{padding:.2rem .5rem}.advice p,.advice ol{margin:0;line-height:1.25}}\n</style>\n";

/// The report as a page of HTML.
pub(super) fn page(report: &Report) -> String {
    let mut body = vec![format!("<h1>{TITLE}</h1>")];
    if let [first, ..] = report.advice() {
        let among = escaped(&first.among);
        body.push(format!(
            "<p>What to do at a table of {among}, what it gains in chips a deal, and the strategy.</p>"
        ));
        let each = report.advice().iter().map(advice).collect::<Vec<_>>().join("\n");
        body.push(format!("<div class=\"advice\">\n{each}\n</div>"));
    }
    body.push(paragraphs(&[legend()]));
    let groups: Vec<&[Reproducible]> =
        report.sections.chunk_by(|a, b| a.section.study == b.section.study).collect();
    if groups.len() > 1 {
        let links = groups.iter().map(|group| {
            let Section { study, title, .. } = &group[0].section;
            format!("<a href=\"#{study}\">{}</a>", escaped(title))
        });
        body.push(format!("<p>{}</p>", links.collect::<Vec<_>>().join(" · ")));
    }
    // The page of one study has all its tables.
    let whole = report.sections.len() == 1;
    body.extend(groups.into_iter().map(|group| self::group(group, whole)));
    body.push(paragraphs(&left_out(report)));
    page::with_head(TITLE, STYLE, &body.join("\n"))
}

fn advice(it: &Advice) -> String {
    let steps = it.steps.iter().map(|step| format!("<li>{}</li>", escaped(&with_suits(step))));
    format!(
        "<section><h3>{}</h3><ol>{}</ol><p><span class=\"gain\">{}</span> {}, by <code>{}</code></p></section>",
        escaped(&it.title),
        steps.collect::<String>(),
        figure(it.gain.mean, it.gain.ci95),
        escaped(&it.over),
        escaped(&it.strategy)
    )
}

/// Cards as a player writes them: `A♠` for AS.
fn with_suits(text: &str) -> String {
    let word = |word: &str| {
        let (card, comma) = word.strip_suffix(',').map_or((word, ""), |card| (card, ","));
        match Card::parse(card, Aces::High) {
            Some(it) => format!("{}{}{comma}", &card[..1], it.suit().symbol()),
            None => word.to_owned(),
        }
    };
    text.split(' ').map(word).collect::<Vec<_>>().join(" ")
}

/// Sections of one study.
fn group(group: &[Reproducible], whole: bool) -> String {
    let Section { study, title, question, .. } = &group[0].section;
    let several = group.len() > 1;
    let tables = joined(group, whole);
    // Where sections share a table, it has what the sections after the first found.
    let shared = tables.len() < group.iter().map(|it| shown(&it.section, whole).count()).sum();
    let mut findings = Vec::new();
    for Reproducible { section, .. } in &group[..if shared { 1 } else { group.len() }] {
        let place = if several { format!("{}: ", section.rules) } else { String::new() };
        let items = section.findings.iter();
        findings.extend(items.map(|it| format!("<li>{}</li>", escaped(&format!("{place}{it}")))));
    }
    let tables: Vec<String> = tables.iter().map(table).collect();
    let mut method: Vec<&str> = Vec::new();
    for text in group.iter().flat_map(|it| &it.section.method) {
        if !method.contains(&text.as_str()) {
            method.push(text);
        }
    }
    let commands = group.iter().map(|Reproducible { section, command }| {
        format!("<li>{}: <code>{}</code></li>", escaped(&setting(section)), escaped(command))
    });
    format!(
        "<h2 id=\"{}\">{}</h2>\n<p>{}</p>\n<ul>{}</ul>\n{}\n<details>\n<summary>How it was measured</summary>\n{}\n\
         <ul>{}</ul>\n</details>",
        escaped(study),
        escaped(title),
        escaped(question),
        findings.concat(),
        tables.join("\n"),
        paragraphs(&method),
        commands.collect::<String>()
    )
}

/// The tables of a section that the page has.
fn shown(section: &Section, whole: bool) -> impl Iterator<Item = &ReportTable> {
    section.tables.iter().filter(move |table| whole || !table.detail)
}

/// The tables of a study's sections: those with the same caption are one, with a column for each section.
fn joined(group: &[Reproducible], whole: bool) -> Vec<ReportTable> {
    let mut all: Vec<(Vec<&Section>, Vec<ReportTable>)> = Vec::new();
    for Reproducible { section, .. } in group {
        for table in shown(section, whole).cloned() {
            let same = |it: &&mut (Vec<&Section>, Vec<ReportTable>)| {
                table.drawn.is_some() && it.1[0].caption == table.caption
            };
            match all.iter_mut().find(same) {
                Some((sections, tables)) => {
                    sections.push(section);
                    tables.push(table);
                }
                None => all.push((vec![section], vec![table])),
            }
        }
    }
    let one = |(sections, mut tables): (Vec<&Section>, Vec<ReportTable>)| match tables.len() {
        1 => tables.remove(0),
        _ => join(&sections, &tables),
    };
    all.into_iter().map(one).collect()
}

/// One table of the drawn columns of several, by the labels in their first columns.
fn join(sections: &[&Section], tables: &[ReportTable]) -> ReportTable {
    let mut heads = vec![tables[0].heads[0].clone()];
    let drawn = |table: &ReportTable| table.drawn.expect("joined tables are drawn");
    heads.extend(
        sections
            .iter()
            .zip(tables)
            .map(|(section, table)| format!("{}: {}", section.rules, table.heads[drawn(table)])),
    );
    let heads: Vec<&str> = heads.iter().map(String::as_str).collect();
    let mut joined = ReportTable::new(tables[0].caption.clone(), &heads).drawn(1);
    let mut labels: Vec<&ReportCell> = Vec::new();
    for row in tables.iter().flat_map(|table| &table.rows) {
        if !labels.contains(&&row[0]) {
            labels.push(&row[0]);
        }
    }
    for label in labels {
        let cell = |table: &ReportTable| {
            let row = table.rows.iter().find(|row| row[0] == *label);
            row.map_or(ReportCell::Empty, |row| row[drawn(table)].clone())
        };
        joined.push(std::iter::once(label.clone()).chain(tables.iter().map(cell)).collect());
    }
    joined
}

/// A table: rows of which a figure is separated from 0, and the names of the others. What is drawn has its figures
/// in the drawing.
fn table(table: &ReportTable) -> String {
    let separated = |cell: &ReportCell| matches!(cell, ReportCell::Estimate(it) if it.separated());
    let (mut shown, mut others) = (table.clone(), Vec::new());
    if table.drawn.is_some() {
        let (rows, rest): (Vec<_>, Vec<_>) =
            table.rows.iter().cloned().partition(|row| row.iter().any(separated));
        shown.rows = rows;
        others = rest;
    }
    let bars: Vec<Bar> = table
        .drawn
        .iter()
        .flat_map(|&at| shown.rows.iter().filter_map(move |row| bar(row, at)))
        .collect();
    let mut html = vec![format!("<h3>{}</h3>", escaped(&table.caption))];
    if let Some(column) = table.drawn.filter(|_| !bars.is_empty() && bars.len() <= MOST_BARS) {
        let what = format!("{}: {}, with 95 % intervals", table.caption, table.heads[column]);
        let unit = format!("{}, chips", table.heads[column]);
        html.push(format!("<figure>{}</figure>", plot::intervals(&what, &unit, &bars)));
    }
    if !shown.rows.is_empty() {
        html.push(page::table(&rows(&shown), words(&shown)));
    }
    if !others.is_empty() {
        let names: Vec<String> = rows(&ReportTable { rows: others, ..table.clone() })
            .into_iter()
            .skip(1)
            .map(|row| row[0].clone())
            .collect();
        html.push(paragraphs(&[format!("Not separated from 0: {}.", names.join(", "))]));
    }
    html.join("\n")
}

/// The bar of a row: its first cell as the name, and the figure of this column.
fn bar(row: &[ReportCell], column: usize) -> Option<Bar> {
    let (ReportCell::Text(name), ReportCell::Estimate(Estimate { mean, ci95 })) =
        (&row[0], &row[column])
    else {
        return None;
    };
    Some(Bar { name: name.clone(), mean: *mean, low: mean - ci95, high: mean + ci95 })
}
