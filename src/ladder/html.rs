//! A ladder as one page that needs nothing else: for a telephone, a desk and paper.

use std::fmt::Write;

use newmarket_eval::ladder::LadderReport;

use super::{plot, text};

const STYLE: &str = "\
:root{color-scheme:light dark;--ink:#1b1f24;--paper:#fff;--soft:#d5dae0;--mark:#0b5cad}
@media (prefers-color-scheme:dark){:root{--ink:#e6e9ed;--paper:#14171b;--soft:#3a424c;--mark:#6cb0f5}}
@media print{:root{--ink:#000;--paper:#fff;--soft:#bbb;--mark:#000}body{max-width:none}}
body{font:16px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--paper);max-width:60rem;\
margin:0 auto;padding:1rem}
.wide{overflow-x:auto}
table{border-collapse:collapse;font-variant-numeric:tabular-nums}
th,td{padding:.3rem .7rem;text-align:right;white-space:nowrap;border-bottom:1px solid var(--soft)}
.words{text-align:left}
svg{width:100%;height:auto;max-width:48rem}
svg text{font:14px system-ui,sans-serif;fill:var(--ink)}
.grid{stroke:var(--soft)}.zero{stroke:var(--ink)}.bar{stroke:var(--mark);stroke-width:3}
circle{fill:var(--mark)}
tr{break-inside:avoid}";

/// The page.
pub(super) fn page(report: &LadderReport) -> String {
    let mut ratings = text::ratings(report);
    ratings.insert(0, text::HEADS.map(str::to_owned).to_vec());
    let notes: Vec<String> =
        text::notes(report).iter().map(|note| format!("<p>{}</p>", escaped(note))).collect();
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>Newmarket ladder</title>\n<style>\n{STYLE}\n</style>\n</head>\n<body>\n\
         <h1>Ladder</h1>\n<p>{}</p>\n{}\n<h2>Ratings</h2>\n{}\n<h2>Cross table</h2>\n{}\n{}\n\
         </body>\n</html>\n",
        escaped(&text::title(report)),
        plot::ratings(report),
        table(&ratings, 2),
        table(&text::crosses(report), 1),
        notes.join("\n")
    )
}

/// A table whose first row has heads, and this many of whose columns are words.
fn table(rows: &[Vec<String>], words: usize) -> String {
    let mut html = String::from("<div class=\"wide\"><table>\n");
    for (at, row) in rows.iter().enumerate() {
        html.push_str("<tr>");
        for (column, cell) in row.iter().enumerate() {
            let tag = if at == 0 { "th" } else { "td" };
            let class = if column < words { " class=\"words\"" } else { "" };
            let _ = write!(html, "<{tag}{class}>{}</{tag}>", escaped(cell));
        }
        html.push_str("</tr>\n");
    }
    html + "</table></div>"
}

/// Text that HTML takes as it is.
pub(super) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
