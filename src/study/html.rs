//! A report as one page.

use newmarket_eval::study::{ReportCell, ReportTable, Section};

use super::report::{Report, Reproducible};
use super::text::{advice, left_out, legend, rows, setting, words};
use crate::report::page::{self, escaped, paragraphs};
use crate::report::plot::{self, Bar};

/// The report as a page of HTML.
pub(super) fn page(report: &Report) -> String {
    let mut body =
        vec!["<h1>Newmarket: what choices are worth</h1>".to_owned(), paragraphs(&[legend()])];
    let advice = advice(report);
    if !advice.is_empty() {
        body.push("<h2>What to do</h2>".into());
        for (game, advice) in advice {
            let items = advice.iter().map(|it| format!("<li>{}</li>", escaped(it)));
            let items = items.collect::<String>();
            body.push(format!("<h3>{}</h3>\n<ul>{items}</ul>", escaped(&game)));
        }
    }
    if report.sections.len() > 1 {
        body.push(contents(report));
    }
    body.extend(report.sections.iter().enumerate().map(|(at, it)| section(at, it)));
    body.push(paragraphs(&left_out(report)));
    page::page("Newmarket: what choices are worth", &body.join("\n"))
}

fn contents(report: &Report) -> String {
    let items = report.sections.iter().enumerate().map(|(at, it)| {
        let Section { study, title, rules, players, field, .. } = &it.section;
        let title = format!("{title}: {rules}, {players} players, at a table of {field}");
        let title = escaped(&title);
        format!("<li><a href=\"#{study}-{at}\">{title}</a></li>")
    });
    format!("<ul>{}</ul>", items.collect::<String>())
}

fn section(at: usize, Reproducible { section, command }: &Reproducible) -> String {
    let findings = section.findings.iter().map(|it| format!("<li>{}</li>", escaped(it)));
    let parts: Vec<String> = section.tables.iter().map(table).collect();
    format!(
        "<h2 id=\"{}-{at}\">{}</h2>\n<p>{}<br>{}.</p>\n<ul>{}</ul>\n{}\n\
         <div class=\"aside\">\n<h3>How it was measured</h3>\n{}\n\
         <p>Reproduced by <code>{}</code></p>\n</div>",
        escaped(&section.study),
        escaped(&section.title),
        escaped(&section.question),
        escaped(&setting(section)),
        findings.collect::<String>(),
        parts.join("\n"),
        paragraphs(&section.method),
        escaped(command)
    )
}

fn table(table: &ReportTable) -> String {
    let picture = table.drawn.map(|column| {
        let bars: Vec<Bar> = (table.rows.iter()).filter_map(|row| bar(row, column)).collect();
        let what = format!("{}: {}, with 95 % intervals", table.caption, table.heads[column]);
        let drawing = plot::intervals(&what, &format!("{}, chips", table.heads[column]), &bars);
        format!("<figure>{drawing}</figure>\n")
    });
    format!(
        "<h3>{}</h3>\n{}{}",
        escaped(&table.caption),
        picture.unwrap_or_default(),
        page::table(&rows(table), words(table))
    )
}

/// The bar of a row: its first cell as the name, and the figure of this column.
fn bar(row: &[ReportCell], column: usize) -> Option<Bar> {
    let (ReportCell::Text(name), ReportCell::Estimate(it)) = (&row[0], &row[column]) else {
        return None;
    };
    Some(Bar { name: name.clone(), mean: it.mean, low: it.mean - it.ci95, high: it.mean + it.ci95 })
}
