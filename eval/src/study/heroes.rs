//! What players gain over a field in the same seat, on the same deals.

use newmarket_agents::Player;
use newmarket_agents::paired::Estimate;
use newmarket_env::Seed;

use super::measure::Measurement;
use super::payoff::Ledger;
use super::tally::Tally;

/// A player that is measured.
pub(super) struct Hero {
    pub(super) player: Player,
    /// It plays one deal of so many.
    pub(super) every: u64,
}

impl<P: Into<Player>> From<P> for Hero {
    fn from(player: P) -> Self {
        Self { player: player.into(), every: 1 }
    }
}

/// Chips a deal that each of the heroes gains over the field, by this ledger; the mean over all seats.
pub(super) fn gains(
    ledger: &Ledger,
    field: &Player,
    heroes: &[Hero],
    deals: u64,
    seed: Seed,
    done: &(dyn Fn(u64) + Sync),
) -> Vec<Estimate> {
    let players = ledger.game().players();
    let measurement = Measurement { deals, seed, tallies: heroes.len(), features: 0 };
    // The field is agent 0, the heroes follow.
    let agents = || {
        let heroes = heroes.iter().map(|hero| hero.player.another());
        let agents: Vec<Player> = std::iter::once(field.another()).chain(heroes).collect();
        (ledger.tables(), agents)
    };
    let measured = measurement.run(
        agents,
        |(tables, agents), deal| {
            let left = ledger.left(deal.number);
            let table = &mut tables[left];
            table.play_seated(deal.seed, agents, |_| 0);
            let base: Vec<f64> = (0..players).map(|seat| ledger.paid(left, table, seat)).collect();
            for (at, hero) in heroes.iter().enumerate() {
                if !deal.number.is_multiple_of(hero.every) {
                    continue;
                }
                let mut gain = 0.0;
                for (seat, base) in base.iter().enumerate() {
                    let seated = |other| if other == seat { at + 1 } else { 0 };
                    table.play_seated(deal.seed, agents, seated);
                    gain += ledger.paid(left, table, seat) - base;
                }
                deal.add(at, gain / players as f64, 0.0);
            }
        },
        done,
    );
    measured.tallies.iter().map(Tally::mean).collect()
}
