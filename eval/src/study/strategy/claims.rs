//! How often each cell is claimed at a table.

use std::sync::Arc;

use newmarket_agents::{Player, Table};
use newmarket_env::{Game, Seed};

use crate::study::measure::Measurement;

/// Deals, played beforehand, on which claims are counted.
const COUNTED: u64 = 20_000;

/// The share of deals in which each cell is claimed, where a field sits in all seats.
pub(in crate::study) struct Claims {
    game: Arc<Game>,
    shares: Vec<f64>,
}

impl Claims {
    /// Counts: a cell is claimed by the seat that plays its card, or all cards of one of its sets.
    pub(super) fn count(game: &Arc<Game>, field: &Player, seed: Seed) -> Self {
        let (cells, players) = (game.cells(), game.players());
        let counting = Measurement { deals: COUNTED, seed, tallies: cells, features: 0 };
        let counted = counting.run(
            || (Table::new(game.clone()), field.another()),
            |(table, field), deal| {
                table.play_seated(deal.seed, std::slice::from_mut(field), |_| 0);
                let view = table.view();
                for cell in 0..cells {
                    let sets = view.claims().of_cell(cell);
                    let claims =
                        |seat: usize| sets.iter().any(|&set| view.played_by(seat).is_superset(set));
                    let claimed = (0..players).any(claims);
                    deal.add(cell, f64::from(u8::from(claimed)), 0.0);
                }
            },
            &|_| (),
        );
        let shares = counted.tallies.iter().map(|tally| tally.mean().mean).collect();
        Self { game: game.clone(), shares }
    }

    /// By the names of cells.
    pub(super) fn by_cell(&self) -> Vec<(&str, f64)> {
        let names = self.game.rules().cells.iter().map(|cell| &*cell.name);
        names.zip(self.shares.iter().copied()).collect()
    }

    /// As a sentence.
    pub(super) fn about(&self, field: &str) -> String {
        let shares: Vec<String> = self
            .by_cell()
            .into_iter()
            .map(|(cell, often)| format!("{cell} {:.1} %", 100.0 * often))
            .collect();
        format!(
            "Cells are claimed this often in {}, {} players, among {field} ({COUNTED} deals): {}.",
            self.game.rules().title(),
            self.game.players(),
            shares.join(", ")
        )
    }
}
