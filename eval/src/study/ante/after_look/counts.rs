//! What a player can count of a cell before it stakes.

use newmarket_agents::heuristic::stakes::Cells;
use newmarket_env::{CardSet, View};

/// What is counted of a cell. Cards are of the suit of the card that claims it; cards that others
/// may hold are all but the own ones, the dead hand included.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Count {
    /// 1 for a card in hand, 0 for one that is not.
    Own,
    /// Own cards of the suit.
    Suit,
    /// Own cards below the boodle.
    Below,
    /// Own cards above the boodle.
    Above,
    /// Cards that others may hold between the lowest own one and the boodle; 99 without an own one
    /// as low as that.
    Between,
    /// Cards right below the boodle that others may hold.
    Gap,
    /// Cards below the boodle that others may hold.
    Others,
    /// Cards below the lowest own one that others may hold; all of them without an own one.
    Under,
    /// The place of the boodle in its suit: 1 for the lowest.
    Place,
    /// Chips on the cell.
    Chips,
    /// Chips that others have staked on the cell in this deal.
    Staked,
}

/// No own card leads up to the boodle.
const NEVER: i32 = 99;

impl Count {
    pub(super) const ALL: [Self; 11] = [
        Self::Own,
        Self::Suit,
        Self::Below,
        Self::Above,
        Self::Between,
        Self::Gap,
        Self::Others,
        Self::Under,
        Self::Place,
        Self::Chips,
        Self::Staked,
    ];

    /// How a person would put it.
    pub(super) const fn text(self) -> &'static str {
        match self {
            Self::Own => "it in your hand",
            Self::Suit => "cards of its suit in your hand",
            Self::Below => "cards below it in your hand",
            Self::Above => "cards above it in your hand",
            Self::Between => "cards that others may hold from your lowest of the suit up to it",
            Self::Gap => "cards right below it that others may hold",
            Self::Others => "cards below it that others may hold",
            Self::Under => "cards of its suit that others may hold below your lowest",
            Self::Place => "its place in the suit, counted from the bottom",
            Self::Chips => "chips on it",
            Self::Staked => "chips that others have staked on it in this deal",
        }
    }

    fn of(self, view: &View, cell: usize) -> i32 {
        let card = view.claims().card_of(cell).expect("free antes are on cells of one card");
        let suit = CardSet::suit(card.suit());
        let (own, others) = (view.hand() & suit, view.hidden() & suit);
        let (under, below) = (CardSet::below(card), others & CardSet::below(card));
        let count = |set: CardSet| set.len() as i32;
        match self {
            Self::Own => i32::from(own.contains(card)),
            Self::Suit => count(own),
            Self::Below => count(own & under),
            Self::Above => count(own - under - CardSet::of(card)),
            Self::Between => match own.lowest(card.suit()) {
                Some(low) if low.bit() <= card.bit() => count(below - CardSet::below(low)),
                _ => NEVER,
            },
            Self::Gap => {
                let lower = std::iter::successors(card.below(), |card| card.below());
                lower.take_while(|&card| others.contains(card)).count() as i32
            }
            Self::Others => count(below),
            Self::Under => own
                .lowest(card.suit())
                .map_or(count(others), |low| count(others & CardSet::below(low))),
            Self::Place => card.rank().index() as i32 + 1,
            Self::Chips => view.layout()[cell],
            Self::Staked => (0..view.game().players())
                .filter(|&seat| seat != view.seat())
                .map(|seat| view.staked(seat, cell))
                .sum(),
        }
    }
}

/// All counts of all cells.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Notes(Vec<[i32; Count::ALL.len()]>);

impl Notes {
    /// What the viewer can count.
    pub(super) fn of(view: &View) -> Self {
        let of = |cell: usize| Count::ALL.map(|count| count.of(view, cell));
        Self((0..view.game().cells()).map(of).collect())
    }

    /// Number of cells.
    pub(super) fn cells(&self) -> usize {
        self.0.len()
    }

    /// All cells.
    pub(super) fn all(&self) -> Cells {
        self.cells_where(Count::Own, |_| true)
    }

    /// A count of a cell.
    pub(super) fn get(&self, count: Count, cell: usize) -> i32 {
        self.0[cell][count as usize]
    }

    /// The cells whose count fulfils this.
    pub(super) fn cells_where(&self, count: Count, wanted: impl Fn(i32) -> bool) -> Cells {
        let cells = (0..self.cells()).filter(|&cell| wanted(self.get(count, cell)));
        cells.fold(0, |all, cell| all | 1 << cell)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use newmarket_agents::Table;
    use newmarket_env::{Card, Game, Rules, Seed};

    /// The same counts, card by card.
    fn slowly(count: Count, view: &View, cell: usize) -> i32 {
        let boodle = view.claims().card_of(cell).unwrap();
        let of_suit = |card: &Card| card.suit() == boodle.suit();
        let place = |card: &Card| card.rank().index() as i32 + 1;
        let hand: Vec<i32> = (Card::ALL.into_iter())
            .filter(|card| of_suit(card) && view.hand().contains(*card))
            .map(|card| place(&card))
            .collect();
        let pack = view.game().pack();
        let others: Vec<i32> = (Card::ALL.into_iter())
            .filter(|card| of_suit(card) && pack.contains(*card) && !hand.contains(&place(card)))
            .map(|card| place(&card))
            .collect();
        let at = place(&boodle);
        let many = |all: &[i32], from: i32, to: i32| {
            all.iter().filter(|&&it| from <= it && it < to).count() as i32
        };
        let low = hand.iter().copied().min();
        match count {
            Count::Own => many(&hand, at, at + 1),
            Count::Suit => hand.len() as i32,
            Count::Below => many(&hand, 0, at),
            Count::Above => many(&hand, at + 1, 99),
            Count::Between => low.filter(|&low| low <= at).map_or(99, |low| many(&others, low, at)),
            Count::Gap => (1..at).rev().take_while(|it| others.contains(it)).count() as i32,
            Count::Others => many(&others, 0, at),
            Count::Under => many(&others, 0, low.unwrap_or(99)),
            Count::Place => at,
            Count::Chips => view.layout()[cell],
            Count::Staked => {
                let own = view.staked(view.seat(), cell);
                (0..view.game().players()).map(|seat| view.staked(seat, cell)).sum::<i32>() - own
            }
        }
    }

    #[test]
    fn cells_are_counted_as_card_by_card() {
        let text =
            "base = \"newmarket\"\ntiming = \"after_look\"\ncells = [\"AS\", \"7H\", \"2C\"]\n";
        let rules = Rules::from_toml(text, "test").expect("valid rules");
        let mut table = Table::new(Arc::new(Game::new(rules, 4).expect("it seats four")));
        let mut seen = vec![std::collections::BTreeSet::new(); Count::ALL.len()];
        for deal in 0..200 {
            table.begin(Seed::new(deal));
            for chip in 0..6 {
                let view = table.view();
                let notes = Notes::of(&view);
                for cell in 0..3 {
                    for count in Count::ALL {
                        let counted = notes.get(count, cell);
                        assert_eq!(counted, slowly(count, &view, cell), "{count:?} {cell}");
                        seen[count as usize].insert(counted);
                    }
                }
                table.take(newmarket_env::Action::chip(chip % 3));
            }
        }
        assert!(seen.iter().all(|values| values.len() > 1), "{seen:?}");
    }
}
