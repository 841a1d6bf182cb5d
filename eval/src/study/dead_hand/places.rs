//! The choice by the place of the seat, from eldest on.

use newmarket_agents::paired::Estimate;

use super::scene::Scene;
use crate::study::measure::Deal;
use crate::study::report::{ReportCell, ReportTable};
use crate::study::tally::Tally;

/// Figures of a place: what the dead hand gains whatever one holds; how often the rule of all features acts, and what
/// that gains.
const FIGURES: usize = 3;

/// The figures of each place.
pub(super) struct Places(Vec<[Estimate; FIGURES]>);

impl Places {
    /// How many tallies they need.
    pub(super) const fn tallies(players: usize) -> usize {
        players * FIGURES
    }

    /// Takes in a deal, in tallies from this one on.
    pub(super) fn add(deal: &mut Deal, start: usize, place: usize, figures: [f64; FIGURES]) {
        for (nth, figure) in figures.into_iter().enumerate() {
            deal.add(start + place * FIGURES + nth, figure, 0.0);
        }
    }

    /// Reads those tallies.
    pub(super) fn read(tallies: &[Tally]) -> Self {
        let (places, _) = tallies.as_chunks::<FIGURES>();
        Self(places.iter().map(|figures| figures.each_ref().map(Tally::mean)).collect())
    }

    /// The table, if seats in several places are asked.
    pub(super) fn table(&self, scene: &Scene) -> Option<ReportTable> {
        let caption = format!(
            "By the place of {}: chips gained by the dead hand whatever one holds, and by all features",
            scene.who
        );
        let gain = scene.shown().next().map(|(_, head)| head).unwrap_or_default();
        let heads = ["seats before", gain, "all features act", "all features gain"];
        let mut table = ReportTable::new(caption, &heads);
        for (place, [always, acts, gains]) in self.0.iter().enumerate() {
            if always.ci95.is_finite() {
                table.push(vec![
                    place.to_string().into(),
                    (*always).into(),
                    ReportCell::share(*acts),
                    (*gains).into(),
                ]);
            }
        }
        (table.rows.len() > 1).then_some(table)
    }
}
