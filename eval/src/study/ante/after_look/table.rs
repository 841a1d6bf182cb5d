//! A table at which antes are placed after a look, and one seat tries ways to stake.

use newmarket_agents::paired::Estimate;
use newmarket_agents::{OpenView, Player, Table};
use newmarket_env::{Action, Game, Phase, Rng, Seed};

use super::staking;
use crate::study::measure::Measurement;
use crate::study::payoff::Ledger;
use crate::study::setting::Setting;
use crate::study::tally::Tally;

/// How the others stake. They play on as the field.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Company {
    /// Only the chooser looks: the others stake evenly over all cells.
    Blind,
    /// All look: the others stake as the field does.
    Looking,
}

impl Company {
    pub(super) const ALL: [Self; 2] = [Self::Blind, Self::Looking];

    /// As the head of a column.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Blind => "only you look",
            Self::Looking => "all look",
        }
    }
}

/// Seats that have chips to place, from eldest on: all, or all but the dealer.
pub(super) fn roles(game: &Game) -> usize {
    game.players() - usize::from(game.rules().layout_stake(true) < 1)
}

/// What the choosers gain over the one of them, `even`, that stakes evenly: in each company, by chooser, in chips
/// a deal over all seats.
pub(super) fn measure(
    setting: &Setting,
    ledger: &Ledger,
    choosers: &[Player],
    even: usize,
    seed: Seed,
    done: &(dyn Fn(u64) + Sync),
) -> [Vec<Estimate>; 2] {
    let (roles, count) = (roles(&setting.game), choosers.len());
    let measurement = Measurement { deals: setting.deals, seed, tallies: 2 * count, features: 0 };
    let worker = || {
        let table = LookTable::new(ledger, setting.field, setting.player);
        (table, choosers.iter().map(Player::another).collect::<Vec<_>>())
    };
    let measured = measurement.run(
        worker,
        |(table, choosers), deal| {
            table.begin(deal.number, deal.seed);
            for (nth, place) in Company::ALL.into_iter().enumerate() {
                let mut sums = vec![0.0; count];
                for role in 0..roles {
                    let mut turn = table.turn(place, role);
                    let mut paid = |chooser: &mut Player| table.staked_as(&mut turn, chooser);
                    let paid: Vec<f64> = choosers.iter_mut().map(&mut paid).collect();
                    for (sum, paid_one) in sums.iter_mut().zip(&paid) {
                        *sum += (paid_one - paid[even]) / roles as f64;
                    }
                }
                for (at, gain) in sums.into_iter().enumerate() {
                    deal.add(nth * count + at, gain, 0.0);
                }
            }
        },
        done,
    );
    [0, 1].map(|nth: usize| {
        measured.tallies[nth * count..(nth + 1) * count].iter().map(Tally::mean).collect()
    })
}

/// The table, and who sits there.
struct LookTable<'a> {
    ledger: &'a Ledger,
    /// Where deals begin, by deals left.
    starts: Vec<Table>,
    left: usize,
    /// The deal before its first ante.
    start: Table,
    field: Player,
    /// Stakes evenly.
    even: Player,
    /// How the chooser plays on.
    player: Player,
}

/// One seat's turn to stake. What a split pays is played once and remembered.
struct Turn {
    company: Company,
    seat: usize,
    /// The table before the seat's first chip.
    before: Table,
    /// Payoffs in chips, by the chips that the seat puts on each cell.
    played: Vec<(Vec<i32>, f64)>,
}

impl<'a> LookTable<'a> {
    fn new(ledger: &'a Ledger, field: &Player, player: &Player) -> Self {
        let starts = ledger.tables();
        let (field, player, even) = (field.another(), player.another(), staking(&[]).into());
        Self { ledger, start: starts[0].clone(), starts, left: 0, field, even, player }
    }

    /// Deals the cards of the deal of this number.
    fn begin(&mut self, number: u64, seed: Seed) {
        self.left = self.ledger.left(number);
        self.start.clone_from(&self.starts[self.left]);
        self.start.begin(seed);
    }

    /// How the others stake in a company.
    fn others(&mut self, company: Company) -> &mut Player {
        match company {
            Company::Blind => &mut self.even,
            Company::Looking => &mut self.field,
        }
    }

    /// The turn of the seat of a role, which has chips to place.
    fn turn(&mut self, company: Company, role: usize) -> Turn {
        let seat = (self.start.dealer() + 1 + role) % self.ledger.game().players();
        let mut before = self.start.clone();
        while before.seat() != seat {
            before.decide(|table, rng| self.others(company).act(table, rng));
        }
        Turn { company, seat, before, played: Vec::new() }
    }

    /// What the seat gets if it stakes as this player does.
    fn staked_as(&mut self, turn: &mut Turn, chooser: &mut Player) -> f64 {
        let mut table = turn.before.clone();
        let mut split = vec![0; self.ledger.game().cells()];
        while table.view().phase() == Phase::Ante && table.seat() == turn.seat {
            table.decide(|open: &OpenView, rng: &mut Rng| -> Action {
                let action = chooser.act(open, rng);
                split[action.cell().expect("an ante is a chip on a cell")] += 1;
                action
            });
        }
        if let Some((_, paid)) = turn.played.iter().find(|(other, _)| *other == split) {
            return *paid;
        }
        table.play_on(|open, rng| match open.view().phase() {
            Phase::Ante => self.others(turn.company).act(open, rng),
            _ if open.seat() == turn.seat => self.player.act(open, rng),
            _ => self.field.act(open, rng),
        });
        let paid = self.ledger.paid(self.left, &table, turn.seat);
        turn.played.push((split, paid));
        paid
    }
}
