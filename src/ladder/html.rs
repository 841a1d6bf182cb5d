//! A ladder as one page.

use newmarket_eval::ladder::{Interval, LadderReport, Rating};

use super::text;
use crate::external::WithPrograms;
use crate::report::page::{escaped, page, paragraphs, table};
use crate::report::plot::{self, Bar};

/// The ladder as a page of HTML.
pub(super) fn of(outcome: &WithPrograms<LadderReport>) -> String {
    let report = &outcome.result;
    let unit = report.played.unit();
    let chips = bars(report, |rating| Some(rating.chips), 1.0);
    let chips = plot::intervals(
        "Chip ratings with 95 % intervals",
        &format!("chips a {unit} above the mean"),
        &chips,
    );
    let wins = bars(report, |rating| rating.wins, 100.0);
    let mut plots = vec![chips];
    if !wins.is_empty() {
        let title = "Sessions won with 95 % intervals";
        let wins = plot::intervals(title, "% of sessions won above the mean", &wins);
        plots.insert(usize::from(!report.is_for_wins()), wins);
    }
    let crosses: Vec<String> =
        text::crosses(report).iter().map(|crosses| table(crosses, 1)).collect();
    let body = format!(
        "<h1>Ladder</h1>\n<p>{}</p>\n{}\n<h2>Ratings</h2>\n{}\n<h2>Cross table</h2>\n{}\n{}",
        escaped(&text::title(report)),
        plots.join("\n"),
        table(&text::ratings(report), 2),
        crosses.join("\n"),
        paragraphs(&text::notes(outcome))
    );
    page("Newmarket ladder", &body)
}

/// A rating of each agent, times a factor.
fn bars(
    report: &LadderReport,
    rating: impl Fn(&Rating) -> Option<Interval>,
    times: f64,
) -> Vec<Bar> {
    let bar = |standing: &Rating| {
        let Interval { mean, low, high } = rating(standing)?;
        let name = standing.agent.clone();
        Some(Bar { name, mean: times * mean, low: times * low, high: times * high })
    };
    report.ranking.iter().filter_map(bar).collect()
}
