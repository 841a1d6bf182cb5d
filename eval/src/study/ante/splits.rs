//! All splits of an ante, and a table at which one seat tries them.

use std::fmt;

use newmarket_agents::strategy::Strategy;
use newmarket_agents::{Agent as _, Player, Table};
use newmarket_env::{Action, Card, Game, Hands, Phase, Seed};
use serde_json::json;

use crate::study::by_json;
use crate::study::payoff::Ledger;
use crate::study::setting::Setting;

/// A split of an ante: chips on each cell.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::study) struct Split(Vec<i32>);

impl Split {
    /// All splits of the ante of a player who does not deal.
    pub(in crate::study) fn all(game: &Game) -> Vec<Self> {
        let mut splits = Vec::new();
        fill(&mut Vec::new(), game.rules().layout_stake(false), game.cells(), &mut splits);
        splits
    }

    /// Chips on each cell.
    pub(in crate::study) fn chips(&self) -> &[i32] {
        &self.0
    }

    /// Number of splits of so many chips over so many cells.
    pub(super) fn count(chips: usize, cells: usize) -> f64 {
        (1..cells).fold(1.0, |count, k| count * (chips + k) as f64 / k as f64).round()
    }

    /// All chips on one cell.
    pub(super) fn alone(cell: usize, chips: i32, cells: usize) -> Self {
        Self((0..cells).map(|at| if at == cell { chips } else { 0 }).collect())
    }

    /// The cell that has all the chips, if one has.
    pub(super) fn all_on(&self) -> Option<usize> {
        let mut used = (0..self.0.len()).filter(|&cell| self.0[cell] > 0);
        used.next().filter(|_| used.next().is_none())
    }
}

impl fmt::Display for Split {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let chips: Vec<String> = self.0.iter().map(ToString::to_string).collect();
        f.write_str(&chips.join("·"))
    }
}

fn fill(begun: &mut Vec<i32>, left: i32, cells: usize, splits: &mut Vec<Split>) {
    if begun.len() + 1 == cells {
        let mut split = begun.clone();
        split.push(left);
        splits.push(Split(split));
        return;
    }
    for chips in (0..=left).rev() {
        begun.push(chips);
        fill(begun, left - chips, cells, splits);
        begun.pop();
    }
}

/// What the cells are called.
pub(in crate::study) fn cell_names(game: &Game) -> Vec<String> {
    game.rules().cells.iter().map(|cell| cell.name.clone()).collect()
}

/// A table of the field at which everybody antes evenly but one.
pub(super) struct SplitTable<'a> {
    ledger: &'a Ledger,
    /// Where deals begin, by deals left.
    starts: Vec<Table>,
    left: usize,
    /// Before the antes of a deal.
    start: Table,
    dealt: Hands,
    field: Player,
    /// How the seat plays on that tries splits.
    player: Player,
    /// Stakes evenly.
    evenly: Strategy,
    /// The cards that claim the cells.
    claims: Vec<Card>,
    even: Vec<i32>,
}

impl<'a> SplitTable<'a> {
    pub(super) fn new(ledger: &'a Ledger, setting: &Setting) -> Self {
        let (game, starts) = (ledger.game(), ledger.tables());
        let chips = game.rules().layout_stake(false);
        Self {
            ledger,
            start: starts[0].clone(),
            starts,
            left: 0,
            dealt: Hands::default(),
            field: setting.field.another(),
            player: setting.player.another(),
            evenly: by_json(&json!({ "ante": "even" })),
            claims: (game.rules().cells.iter())
                .map(|cell| cell.claiming_card().expect("free antes are on cells of one card"))
                .collect(),
            even: even(chips, game.cells()),
        }
    }

    /// Seats that try splits, from eldest on: all, or all but the dealer if that one stakes
    /// another number of chips.
    pub(super) fn roles(game: &Game) -> usize {
        let same = game.rules().layout_stake(false) == game.rules().layout_stake(true);
        game.players() - usize::from(!same)
    }

    /// Deals the cards of the deal of this number.
    pub(super) fn begin(&mut self, number: u64, seed: Seed) {
        self.left = self.ledger.left(number);
        self.start.clone_from(&self.starts[self.left]);
        self.start.begin(seed);
        self.dealt = self.start.dealt();
    }

    fn seat(&self, role: usize) -> usize {
        (self.start.dealer() + 1 + role) % self.start.view().game().players()
    }

    /// What a seat gets in the deal if it antes so, evenly if nothing is said. The other seats ante evenly.
    pub(super) fn play(&mut self, role: usize, split: Option<&Split>) -> f64 {
        let chooser = self.seat(role);
        let Self { field, player, evenly, .. } = self;
        let mut table = self.start.clone();
        table.play_on(|table, rng| {
            let (view, own) = (table.view(), table.seat() == chooser);
            if view.phase() != Phase::Ante {
                return if own { &mut *player } else { &mut *field }.act(table, rng);
            }
            match split.filter(|_| own) {
                Some(split) => {
                    let open = |&cell: &usize| view.staked(chooser, cell) < split.0[cell];
                    let cell = (0..split.0.len()).find(open).expect("a chip is left");
                    Action::chip(cell)
                }
                None => evenly.act(&view, rng),
            }
        });
        self.ledger.paid(self.left, &table, chooser)
    }

    /// Chips that a split moves to cells whose card the seat was dealt. Its mean is 0: the seat is
    /// as likely to be dealt one card as another, and what is moved adds up to 0.
    pub(super) fn luck(&self, role: usize, split: &Split) -> f64 {
        let hand = self.dealt.seats[self.seat(role)];
        let moved = split.0.iter().zip(&self.even).map(|(chips, even)| chips - even);
        let held = moved.zip(&self.claims).filter(|&(_, &claim)| hand.contains(claim));
        f64::from(held.map(|(moved, _)| moved).sum::<i32>())
    }
}

/// An even split: the first cells get what does not divide.
fn even(chips: i32, cells: usize) -> Vec<i32> {
    let cells = cells as i32;
    (0..cells).map(|cell| (chips + cells - 1 - cell) / cells).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use newmarket_env::Rules;

    #[test]
    fn four_chips_have_35_splits() {
        let game = Game::new(Rules::named("newmarket").unwrap(), 4).unwrap();
        let splits = Split::all(&game);
        assert_eq!((splits.len(), Split::count(4, 4), Split::count(6, 4)), (35, 35.0, 84.0));
        for (at, split) in splits.iter().enumerate() {
            assert!(!splits[..at].contains(split) && split.0.iter().sum::<i32>() == 4);
        }
        assert_eq!(splits[0], Split::alone(0, 4, 4));
        assert_eq!((splits[0].all_on(), splits[1].all_on()), (Some(0), None));
        assert_eq!(splits[1].to_string(), "3·1·0·0");
    }
}
