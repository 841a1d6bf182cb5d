//! What players gain over a field in the same seat, on the same deals.

use newmarket_agents::Player;
use newmarket_agents::paired::Estimate;
use newmarket_env::Seed;

use super::measure::Measurement;
use super::payoff::{LEFT_GROUPS, Ledger, left_group};
use super::tally::Tally;

/// Chips a deal that a hero gains over the field.
#[derive(Clone, Debug)]
pub(crate) struct Gain {
    /// The mean over all seats.
    pub(crate) all: Estimate,
    /// By role, eldest first, the dealer last.
    pub(crate) by_role: Vec<Estimate>,
    /// By [`LEFT_GROUPS`].
    pub(super) by_left: Vec<Estimate>,
    /// The share of deals in which the hero goes out first.
    pub(crate) wins: Estimate,
}

/// A hero, by its number, and the one that it is measured over in the same seat; `None`: the field.
pub(super) type Pair = (usize, Option<usize>);

/// What each of the heroes gains over the field, by this ledger.
pub(super) fn gains(
    ledger: &Ledger,
    field: &Player,
    heroes: &[Player],
    deals: u64,
    seed: Seed,
    done: &(dyn Fn(u64) + Sync),
) -> Vec<Gain> {
    let pairs: Vec<Pair> = (0..heroes.len()).map(|hero| (hero, None)).collect();
    gains_of(ledger, field, heroes, &pairs, deals, seed, done)
}

/// What each pair's hero gains over its other.
pub(super) fn gains_of(
    ledger: &Ledger,
    field: &Player,
    heroes: &[Player],
    pairs: &[Pair],
    deals: u64,
    seed: Seed,
    done: &(dyn Fn(u64) + Sync),
) -> Vec<Gain> {
    let players = ledger.game().players();
    let figures = 2 + players + LEFT_GROUPS.len();
    let measurement = Measurement { deals, seed, tallies: pairs.len() * figures, features: 0 };
    let worker = || {
        let heroes: Vec<Player> = heroes.iter().map(Player::another).collect();
        (ledger.tables(), field.another(), heroes)
    };
    let measured = measurement.run(
        worker,
        |(tables, field, agents), deal| {
            let left = ledger.left(deal.number);
            let table = &mut tables[left];
            let mut seated: Vec<&mut Player> = agents.iter_mut().collect();
            // By hero, the field first, and seat.
            let mut paid = vec![vec![0.0; players]; 1 + heroes.len()];
            let mut won = vec![0.0; heroes.len()];
            table.seatings(deal.seed, &mut seated, field, |seating, table| match seating {
                Some((nth, seat)) => {
                    paid[1 + nth][seat] = ledger.paid(left, table, seat);
                    won[nth] += f64::from(table.result().winner == Some(seat));
                }
                None => {
                    for (seat, paid) in paid[0].iter_mut().enumerate() {
                        *paid = ledger.paid(left, table, seat);
                    }
                }
            });
            for (nth, &(hero, over)) in pairs.iter().enumerate() {
                let (mut sum, at) = (0.0, nth * figures);
                let over = over.map_or(0, |over| 1 + over);
                for (seat, (hero, over)) in paid[1 + hero].iter().zip(&paid[over]).enumerate() {
                    let gain = hero - over;
                    let role = (seat + 2 * players - table.dealer() - 1) % players;
                    deal.add(at + 1 + role, gain, 0.0);
                    sum += gain;
                }
                let mean = sum / players as f64;
                deal.add(at, mean, 0.0);
                deal.add(at + 1 + players + left_group(left), mean, 0.0);
                deal.add(at + figures - 1, won[hero] / players as f64, 0.0);
            }
        },
        done,
    );
    let of_pair = |tallies: &[Tally]| {
        let mut means = tallies.iter().map(Tally::mean);
        let all = means.next().expect("a pair has its figures");
        let by_role = means.by_ref().take(players).collect();
        let by_left = means.by_ref().take(LEFT_GROUPS.len()).collect();
        let wins = means.next().expect("a pair has its figures");
        Gain { all, by_role, by_left, wins }
    };
    measured.tallies.chunks(figures).map(of_pair).collect()
}
