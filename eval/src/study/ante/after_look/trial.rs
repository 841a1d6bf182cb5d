//! What ways to stake gain on fresh deals, in both companies.

use newmarket_agents::heuristic::stakes::Cells;
use newmarket_agents::paired::Estimate;
use newmarket_env::Seed;

use super::counts::Notes;
use super::questions::{List, cells_of};
use super::table::{Company, LookTable, roles};
use super::ways::Way;
use crate::study::measure::Measurement;
use crate::study::payoff::Ledger;
use crate::study::setting::Setting;
use crate::study::tally::Tally;

/// Who decides what the chooser stakes.
pub(super) enum Chooser {
    Way(Way),
    List(List),
    /// Whoever plays on in the seat.
    Player,
    Field,
}

impl Chooser {
    fn cells(&self, notes: &Notes) -> Option<Cells> {
        match self {
            Self::Way(way) => Some(way.cells(notes)),
            Self::List(list) => Some(cells_of(list, notes)),
            Self::Player | Self::Field => None,
        }
    }
}

/// What the choosers of one company gain over the even split, in chips a deal.
pub(super) struct Gains {
    /// By chooser, over all seats.
    pub(super) overall: Vec<Estimate>,
    /// By chooser, less what the player's own stakes gain.
    pub(super) less_player: Vec<Estimate>,
    /// By role, then chooser.
    pub(super) seats: Vec<Vec<Estimate>>,
}

/// Has the choosers of each company stake on the same deals.
pub(super) fn measure(
    setting: &Setting,
    ledger: &Ledger,
    choosers: &[Vec<Chooser>; 2],
    seed: Seed,
    done: &(dyn Fn(u64) + Sync),
) -> [Gains; 2] {
    let roles = roles(&setting.game);
    let most = choosers.iter().map(Vec::len).max().unwrap_or(0);
    let company = most * (roles + 2);
    let measurement = Measurement { deals: setting.deals, seed, tallies: 2 * company, features: 0 };
    let worker = || {
        let table = LookTable::new(ledger, setting.field, setting.player);
        (table, setting.field.another(), setting.player.another())
    };
    let measured = measurement.run(
        worker,
        |(table, field, player), deal| {
            table.begin(deal.number, deal.seed);
            for (nth, choosers) in choosers.iter().enumerate() {
                let mut sums = vec![[0.0; 2]; choosers.len()];
                for role in 0..roles {
                    let mut turn = table.turn(Company::ALL[nth], role);
                    let notes = Notes::of(&turn.view());
                    let even = table.over(&mut turn, notes.all());
                    let own = table.staked_as(&mut turn, player);
                    for (at, chooser) in choosers.iter().enumerate() {
                        let paid = match (chooser, chooser.cells(&notes)) {
                            (_, Some(cells)) => table.over(&mut turn, cells),
                            (Chooser::Field, None) => table.staked_as(&mut turn, field),
                            _ => own,
                        };
                        deal.add(nth * company + (role + 2) * most + at, paid - even, 0.0);
                        sums[at][0] += (paid - even) / roles as f64;
                        sums[at][1] += (paid - own) / roles as f64;
                    }
                }
                for (at, [gain, less]) in sums.into_iter().enumerate() {
                    deal.add(nth * company + at, gain, 0.0);
                    deal.add(nth * company + most + at, less, 0.0);
                }
            }
        },
        done,
    );
    [0, 1].map(|nth: usize| {
        let block = |which: usize| -> Vec<Estimate> {
            let from = nth * company + which * most;
            measured.tallies[from..from + choosers[nth].len()].iter().map(Tally::mean).collect()
        };
        Gains {
            overall: block(0),
            less_player: block(1),
            seats: (0..roles).map(|role| block(role + 2)).collect(),
        }
    })
}
