//! A table at which antes are placed after a look, and one seat tries ways to stake.

use newmarket_agents::heuristic::stakes::{Ante, Cells};
use newmarket_agents::{OpenView, Player, Table};
use newmarket_env::{Action, Game, Phase, Rng, Seed, View};

use crate::study::payoff::Ledger;

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

    fn chip(self, field: &mut Player, table: &OpenView, rng: &mut Rng) -> Action {
        match self {
            Self::Blind => Ante::EVEN.chip(&table.view()),
            Self::Looking => field.act(table, rng),
        }
    }
}

/// Seats that have chips to place, from eldest on: all, or all but the dealer.
pub(super) fn roles(game: &Game) -> usize {
    game.players() - usize::from(game.rules().layout_stake(true) < 1)
}

/// The table, and who sits there.
pub(super) struct LookTable<'a> {
    ledger: &'a Ledger,
    /// Where deals begin, by deals left.
    starts: Vec<Table>,
    left: usize,
    /// The deal before its first ante.
    start: Table,
    field: Player,
    /// How the chooser plays on.
    player: Player,
}

/// One seat's turn to stake. What a split pays is played once and remembered.
pub(super) struct Turn {
    company: Company,
    seat: usize,
    /// The table before the seat's first chip.
    before: Table,
    /// Payoffs in chips, by the chips that the seat puts on each cell.
    played: Vec<(Vec<i32>, f64)>,
}

impl Turn {
    /// What the seat knows before its first chip.
    pub(super) fn view(&self) -> View<'_> {
        self.before.view()
    }
}

impl<'a> LookTable<'a> {
    pub(super) fn new(ledger: &'a Ledger, field: &Player, player: &Player) -> Self {
        let starts = ledger.tables();
        let (field, player) = (field.another(), player.another());
        Self { ledger, start: starts[0].clone(), starts, left: 0, field, player }
    }

    /// Deals the cards of the deal of this number.
    pub(super) fn begin(&mut self, number: u64, seed: Seed) {
        self.left = self.ledger.left(number);
        self.start.clone_from(&self.starts[self.left]);
        self.start.begin(seed);
    }

    /// The turn of the seat of a role, which has chips to place.
    pub(super) fn turn(&mut self, company: Company, role: usize) -> Turn {
        let seat = (self.start.dealer() + 1 + role) % self.ledger.game().players();
        let mut before = self.start.clone();
        while before.seat() != seat {
            before.decide(|table, rng| company.chip(&mut self.field, table, rng));
        }
        Turn { company, seat, before, played: Vec::new() }
    }

    /// What the seat gets if it splits its chips evenly over these cells; over all, if there are
    /// none.
    pub(super) fn over(&mut self, turn: &mut Turn, cells: Cells) -> f64 {
        self.staked_by(turn, |table, _| Ante::Over(cells).chip(&table.view()))
    }

    /// What the seat gets if it stakes as this player does.
    pub(super) fn staked_as(&mut self, turn: &mut Turn, player: &mut Player) -> f64 {
        self.staked_by(turn, |table, rng| player.act(table, rng))
    }

    fn staked_by(
        &mut self,
        turn: &mut Turn,
        mut chip: impl FnMut(&OpenView, &mut Rng) -> Action,
    ) -> f64 {
        let mut table = turn.before.clone();
        let mut split = Vec::new();
        while table.view().phase() == Phase::Ante && table.seat() == turn.seat {
            table.decide(|open, rng| {
                let action = chip(open, rng);
                split.push(action);
                action
            });
        }
        let cells = self.ledger.game().cells();
        let on = |cell: usize| split.iter().filter(|&&it| it == Action::chip(cell)).count() as i32;
        let split: Vec<i32> = (0..cells).map(on).collect();
        if let Some((_, paid)) = turn.played.iter().find(|(other, _)| *other == split) {
            return *paid;
        }
        let Self { field, player, .. } = self;
        table.play_on(|open, rng| match open.view().phase() {
            Phase::Ante => turn.company.chip(field, open, rng),
            _ if open.seat() == turn.seat => player.act(open, rng),
            _ => field.act(open, rng),
        });
        let paid = self.ledger.paid(self.left, &table, turn.seat);
        turn.played.push((split, paid));
        paid
    }
}
