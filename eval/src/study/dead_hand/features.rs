//! What a hand shows to who considers giving it away.

use newmarket_env::{Card, CardSet, View};

/// A property of a hand.
pub(super) struct Feature {
    /// One more of it, in words.
    pub(super) unit: &'static str,
    /// How much of it the viewer's hand has.
    pub(super) of: fn(&View) -> f64,
    /// The greatest value of each range but the last, which has no end.
    pub(super) ends: &'static [f64],
    /// Whether least squares use it; not if it follows from others.
    pub(super) fitted: bool,
    /// What is counted.
    counted: &'static str,
}

/// A hand's value of each feature.
pub(super) type Values = [f64; FEATURES.len()];

/// All that are looked at.
pub(super) const FEATURES: [Feature; 9] = [
    Feature {
        unit: "a boodle",
        of: boodles,
        ends: &[0.0, 1.0, 2.0],
        fitted: true,
        counted: "boodles",
    },
    Feature { unit: "a stop", of: stops, ends: &[0.0, 1.0, 2.0], fitted: true, counted: "stops" },
    Feature {
        unit: "a boodle or stop",
        of: |view| boodles(view) + stops(view),
        ends: &[0.0, 1.0, 2.0, 3.0],
        fitted: false,
        counted: "boodles + stops",
    },
    Feature {
        unit: "a low card",
        of: low_cards,
        ends: &[0.0, 1.0, 2.0, 3.0],
        fitted: true,
        counted: "low cards",
    },
    Feature {
        unit: "a joined card",
        of: joined,
        ends: &[0.0, 1.0, 2.0, 3.0, 4.0],
        fitted: true,
        counted: "joined cards",
    },
    Feature {
        unit: "a mean rank higher",
        of: mean_rank,
        ends: &[5.5, 6.5, 7.5, 8.5],
        fitted: true,
        counted: "mean rank",
    },
    Feature {
        unit: "a card",
        of: cards,
        ends: &[4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0],
        fitted: true,
        counted: "cards",
    },
    Feature {
        unit: "a chip on own boodles",
        of: |view| chips(view, true),
        ends: &[0.0, 4.0, 8.0, 12.0, 16.0, 24.0],
        fitted: true,
        counted: "chips on own boodles",
    },
    Feature {
        unit: "a chip on other cells",
        of: |view| chips(view, false),
        ends: &[4.0, 8.0, 12.0, 16.0, 24.0, 32.0],
        fitted: true,
        counted: "chips on other cells",
    },
];

impl Feature {
    pub(super) fn levels(&self) -> usize {
        self.ends.len() + 1
    }

    pub(super) fn level(&self, value: f64) -> usize {
        self.ends.iter().position(|&end| value <= end).unwrap_or(self.ends.len())
    }

    /// Whether values are whole numbers.
    fn whole(&self) -> bool {
        self.ends.iter().all(|end| end.fract() == 0.0)
    }

    pub(super) fn level_name(&self, level: usize) -> String {
        let range = match (level, self.ends.get(level), self.whole()) {
            (_, None, true) => format!("{} or more", self.ends[level - 1] + 1.0),
            (_, None, false) => format!("above {}", self.ends[level - 1]),
            (0, Some(end), true) if *end > 0.0 => format!("{end} or fewer"),
            (_, Some(end), true) if *end > self.ends[level.max(1) - 1] + 1.0 => {
                format!("{} to {end}", self.ends[level - 1] + 1.0)
            }
            (_, Some(end), true) => format!("{end}"),
            (0, Some(end), false) => format!("at most {end}"),
            (_, Some(end), false) => format!("{} to {end}", self.ends[level - 1]),
        };
        format!("{}: {range}", self.counted)
    }

    /// “At most” or “at least” so many, in words.
    pub(super) fn threshold_name(&self, last: usize, at_most: bool) -> String {
        let counted = self.counted;
        match (at_most, self.whole()) {
            (true, _) => format!("{counted}: at most {}", self.ends[last]),
            (false, true) => format!("{counted}: at least {}", self.ends[last] + 1.0),
            (false, false) => format!("{counted}: above {}", self.ends[last]),
        }
    }
}

fn count(cards: CardSet) -> f64 {
    cards.len() as f64
}

/// Cells that the hand claims on its own.
fn boodles(view: &View) -> f64 {
    let held = |set: &CardSet| view.hand().is_superset(*set);
    let cells = 0..view.game().cells();
    cells.filter(|&cell| view.claims().of_cell(cell).iter().any(held)).count() as f64
}

/// Chips on the cells that the hand claims on its own, or on the others.
fn chips(view: &View, own: bool) -> f64 {
    let held = |set: &CardSet| view.hand().is_superset(*set);
    let cells = 0..view.game().cells();
    let such = cells.filter(|&cell| view.claims().of_cell(cell).iter().any(held) == own);
    such.map(|cell| f64::from(view.layout()[cell])).sum()
}

/// Cards that no other of the pack follows.
fn stops(view: &View) -> f64 {
    let pack = view.game().pack();
    let is_stop = |&card: &Card| card.above().is_none_or(|next| !pack.contains(next));
    view.hand().iter().filter(is_stop).count() as f64
}

fn low_cards(view: &View) -> f64 {
    count(view.hand().iter().filter(|card| card.rank().index() < 2).collect())
}

fn joined(view: &View) -> f64 {
    let hand = view.hand();
    hand.iter().filter(|&card| card.above().is_some_and(|next| hand.contains(next))).count() as f64
}

fn mean_rank(view: &View) -> f64 {
    let ranks: usize = view.hand().iter().map(|card| card.rank().index() + 1).sum();
    ranks as f64 / count(view.hand()).max(1.0)
}

fn cards(view: &View) -> f64 {
    count(view.hand())
}
