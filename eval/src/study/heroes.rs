//! What players gain over a field in the same seat, on the same deals.

use newmarket_agents::Player;
use newmarket_agents::paired::Estimate;
use newmarket_env::Seed;

use super::measure::Measurement;
use super::payoff::{LEFT_GROUPS, Ledger, left_group};
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

/// Chips a deal that a hero gains over the field.
#[derive(Clone, Debug)]
pub(super) struct Gain {
    /// The mean over all seats.
    pub(super) all: Estimate,
    /// By role, eldest first, the dealer last.
    pub(super) by_role: Vec<Estimate>,
    /// By [`LEFT_GROUPS`].
    pub(super) by_left: Vec<Estimate>,
}

/// What each of the heroes gains over the field, by this ledger.
pub(super) fn gains(
    ledger: &Ledger,
    field: &Player,
    heroes: &[Hero],
    deals: u64,
    seed: Seed,
    done: &(dyn Fn(u64) + Sync),
) -> Vec<Gain> {
    let players = ledger.game().players();
    let figures = 1 + players + LEFT_GROUPS.len();
    let measurement = Measurement { deals, seed, tallies: heroes.len() * figures, features: 0 };
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
                let (mut sum, at) = (0.0, at * figures);
                for (seat, base) in base.iter().enumerate() {
                    let seated = |other| if other == seat { at / figures + 1 } else { 0 };
                    table.play_seated(deal.seed, agents, seated);
                    let gain = ledger.paid(left, table, seat) - base;
                    let role = (seat + 2 * players - table.dealer() - 1) % players;
                    deal.add(at + 1 + role, gain, 0.0);
                    sum += gain;
                }
                let mean = sum / players as f64;
                deal.add(at, mean, 0.0);
                deal.add(at + 1 + players + left_group(left), mean, 0.0);
            }
        },
        done,
    );
    let of_hero = |tallies: &[Tally]| {
        let mut means = tallies.iter().map(Tally::mean);
        let all = means.next().expect("a hero has its figures");
        Gain { all, by_role: means.by_ref().take(players).collect(), by_left: means.collect() }
    };
    measured.tallies.chunks(figures).map(of_hero).collect()
}
