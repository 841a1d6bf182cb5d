//! A ladder as one page.

use newmarket_eval::ladder::LadderReport;

use super::text;
use crate::external::Outcome;
use crate::report::page::{escaped, page, paragraphs, table};
use crate::report::plot::{self, Bar};

/// The ladder as a page of HTML.
pub(super) fn of(outcome: &Outcome<LadderReport>) -> String {
    let report = &outcome.result;
    let mut ratings = text::ratings(report);
    ratings.insert(0, text::HEADS.map(str::to_owned).to_vec());
    let bars: Vec<Bar> = (report.ranking.iter())
        .map(|standing| {
            let chips = standing.chips;
            let name = standing.agent.clone();
            Bar { name, mean: chips.mean, low: chips.low, high: chips.high }
        })
        .collect();
    let body = format!(
        "<h1>Ladder</h1>\n<p>{}</p>\n{}\n<h2>Ratings</h2>\n{}\n<h2>Cross table</h2>\n{}\n{}",
        escaped(&text::title(report)),
        plot::intervals("Chip ratings with 95 % intervals", "chips a deal above the mean", &bars),
        table(&ratings, 2),
        table(&text::crosses(report), 1),
        paragraphs(&text::notes(outcome))
    );
    page("Newmarket ladder", &body)
}
