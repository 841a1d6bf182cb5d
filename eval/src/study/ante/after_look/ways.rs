//! Simple ways to stake after a look: one for hands with a boodle, one for hands without.

use newmarket_agents::heuristic::stakes::Cells;

use super::counts::{Count, Notes};

/// On which of the cells, of those that the hand claims or of all where it claims none.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Pick {
    /// Evenly on all cells, held or not.
    Even,
    /// On those that the hand claims.
    Own,
    /// On the one with most of this; evenly on several of them.
    Most(Count),
    /// On the one with least of this; evenly on several of them.
    Least(Count),
}

/// For hands with a boodle.
pub(super) const WITH: [Pick; 9] = [
    Pick::Even,
    Pick::Own,
    Pick::Most(Count::Chips),
    Pick::Most(Count::Place),
    Pick::Least(Count::Place),
    Pick::Most(Count::Suit),
    Pick::Most(Count::Below),
    Pick::Least(Count::Between),
    Pick::Least(Count::Others),
];

/// For hands without.
pub(super) const WITHOUT: [Pick; 6] = [
    Pick::Even,
    Pick::Most(Count::Chips),
    Pick::Least(Count::Chips),
    Pick::Most(Count::Below),
    Pick::Least(Count::Below),
    Pick::Least(Count::Staked),
];

/// A way to stake.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Way {
    pub(super) with: Pick,
    pub(super) without: Pick,
}

impl Way {
    pub(super) const EVEN: Self = Self { with: Pick::Even, without: Pick::Even };

    /// Every pick on its own, evenly with other hands.
    pub(super) fn single() -> impl Iterator<Item = Self> {
        let with = WITH[1..].iter().map(|&with| Self { with, ..Self::EVEN });
        with.chain(WITHOUT[1..].iter().map(|&without| Self { without, ..Self::EVEN }))
    }

    /// The cells on which it stakes.
    pub(super) fn cells(self, notes: &Notes) -> Cells {
        let all = notes.all();
        let own = notes.cells_where(Count::Own, |own| own > 0);
        let (pick, among) = if own == 0 { (self.without, all) } else { (self.with, own) };
        let values = |count| {
            let cells = (0..notes.cells()).filter(move |cell| among >> cell & 1 == 1);
            cells.map(move |cell| notes.get(count, cell))
        };
        let only = |count, value: Option<i32>| {
            among & notes.cells_where(count, |other| Some(other) == value)
        };
        match pick {
            Pick::Even => all,
            Pick::Own => among,
            Pick::Most(count) => only(count, values(count).max()),
            Pick::Least(count) => only(count, values(count).min()),
        }
    }

    /// As a row of a table: what differs from an even split.
    pub(super) fn name(self) -> String {
        match (self.with, self.without) {
            (Pick::Even, Pick::Even) => "evenly".into(),
            (with, Pick::Even) => format!("with a boodle: {}", with.text("own one")),
            (Pick::Even, without) => format!("without: {}", without.text("one")),
            _ => self.sentence(),
        }
    }

    /// What to do with any hand.
    pub(super) fn sentence(self) -> String {
        let (with, without) = (self.with.text("own one"), self.without.text("one"));
        format!("with boodles in hand, stake {with}; without any, stake {without}")
    }
}

impl Pick {
    fn text(self, one: &str) -> String {
        let (all, extreme, count) = match self {
            Self::Even => return "evenly on all".into(),
            Self::Own => return "evenly on your own".into(),
            Self::Most(Count::Chips) => return format!("all on the richest {one}"),
            Self::Least(Count::Chips) => return format!("all on the poorest {one}"),
            Self::Most(Count::Place) => return format!("all on the highest {one}"),
            Self::Least(Count::Place) => return format!("all on the lowest {one}"),
            Self::Most(count) => ("all on the", "most", count),
            Self::Least(count) => ("all on the", "fewest", count),
        };
        format!("{all} {one} with the {extreme} {}", count.text())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_way_has_a_name_of_its_own() {
        let names: Vec<String> = Way::single().map(Way::name).collect();
        for (at, name) in names.iter().enumerate() {
            assert!(!names[..at].contains(name), "{name}");
        }
    }
}
