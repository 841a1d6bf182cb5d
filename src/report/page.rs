//! A page that needs nothing else: for a telephone, a desk and paper.

use std::fmt::Write;

const STYLE: &str = "\
:root{color-scheme:light dark;--ink:#1b1f24;--paper:#fff;--soft:#d5dae0;--mark:#0b5cad}
@media (prefers-color-scheme:dark){:root{--ink:#e6e9ed;--paper:#14171b;--soft:#3a424c;--mark:#6cb0f5}}
body{font:16px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--paper);max-width:60rem;\
margin:0 auto;padding:1rem}
.wide{overflow-x:auto;margin:.5rem 0 1.5rem}
@media(min-width:62rem){.wide{width:max-content;max-width:calc(50vw + 29rem)}}
table{border-collapse:collapse;font-variant-numeric:tabular-nums}
th,td{padding:.3rem .7rem;text-align:right;white-space:nowrap;border-bottom:1px solid var(--soft)}
th{vertical-align:bottom;white-space:normal}
.words{text-align:left;white-space:normal;min-width:7rem}
.short{white-space:nowrap;min-width:0}
figure{margin:1rem 0}
svg{width:100%;height:auto;max-width:36rem}
svg text{font:14px system-ui,sans-serif;fill:var(--ink)}
.bars{max-width:40rem}.bars text{font-size:13px}.bars .name{paint-order:stroke;stroke:var(--paper);stroke-width:4px}
.grid{stroke:var(--soft)}.zero{stroke:var(--ink)}.bar{stroke:var(--mark);stroke-width:3}
circle{fill:var(--mark)}
.line{fill:none;stroke:var(--mark);stroke-width:2}.band{fill:var(--mark);opacity:.18}
.marked{fill:none;stroke:var(--ink);stroke-width:2}
.small{display:grid;grid-template-columns:repeat(auto-fill,minmax(15rem,1fr));gap:0 1.5rem}
.small figure{margin:.5rem 0}.small svg{max-width:20rem}.small h3{margin-top:.5rem}
.ask,.do{border:2px solid var(--ink);padding:.4rem .6rem}
.ask{border-color:var(--mark);border-radius:1rem}.no{grid-column:1}
progress{width:100%;max-width:36rem;margin-bottom:.5rem;accent-color:var(--mark)}
.facts th{text-align:left;font-weight:normal;white-space:nowrap;vertical-align:top}
h2{margin-top:2.5rem;border-top:2px solid var(--soft);padding-top:1rem}
h3{font-size:1rem;margin:1.5rem 0 .5rem}
code{overflow-wrap:anywhere;font-size:.9em}
.aside,details{font-size:.9rem;border-left:3px solid var(--soft);padding-left:1rem}summary{cursor:pointer}
tr,figure{break-inside:avoid}h2,h3{break-after:avoid}
@media print{:root{--ink:#000;--paper:#fff;--soft:#bbb;--mark:#000}\
body{max-width:none;font-size:10pt;padding:0}.wide{overflow:visible}th,td{padding:.15rem .4rem}}";

/// A page of this title around a body.
pub(crate) fn page(title: &str, body: &str) -> String {
    with_head(title, "", body)
}

/// The same with more in its head, as it is.
pub(crate) fn with_head(title: &str, head: &str, body: &str) -> String {
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n{head}\
         <title>{}</title>\n<style>\n{STYLE}\n</style>\n</head>\n<body>\n{body}\n\
         </body>\n</html>\n",
        escaped(title)
    )
}

/// What is known, by its name.
pub(crate) fn facts(facts: &[(&str, String)]) -> String {
    let row = |(name, fact): &(&str, String)| {
        let (name, fact) = (escaped(name), escaped(fact));
        format!("<tr><th scope=\"row\">{name}</th><td class=\"words\">{fact}</td></tr>\n")
    };
    format!("<table class=\"facts\">\n{}</table>", facts.iter().map(row).collect::<String>())
}

/// A table whose first row has heads, and this many of whose columns are words.
pub(crate) fn table(rows: &[Vec<String>], words: usize) -> String {
    let mut html = String::from("<div class=\"wide\"><table>\n");
    for (at, row) in rows.iter().enumerate() {
        html.push_str("<tr>");
        for (column, cell) in row.iter().enumerate() {
            let tag = if at == 0 { "th" } else { "td" };
            let class = match cell.chars().count() {
                _ if column >= words => "",
                0..=24 => " class=\"words short\"",
                _ => " class=\"words\"",
            };
            let _ = write!(html, "<{tag}{class}>{}</{tag}>", escaped(cell));
        }
        html.push_str("</tr>\n");
    }
    html + "</table></div>"
}

/// Each text as a paragraph of HTML.
pub(crate) fn paragraphs<S: AsRef<str>>(texts: &[S]) -> String {
    let each = texts.iter().map(|text| format!("<p>{}</p>", escaped(text.as_ref())));
    each.collect::<Vec<_>>().join("\n")
}

/// Text that HTML takes as it is.
pub(crate) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
