//! What a hand shows to who considers giving it away.

use newmarket_agents::basic::{HandCount, HandNotes};
use newmarket_env::View;

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
pub(super) const FEATURES: [Feature; 10] = [
    Feature {
        unit: "a boodle",
        of: |view| count(HandCount::Boodles, view),
        ends: &[0.0, 1.0, 2.0],
        fitted: true,
        counted: "boodles",
    },
    Feature {
        unit: "a stop",
        of: |view| count(HandCount::Stops, view),
        ends: &[0.0, 1.0, 2.0],
        fitted: true,
        counted: "stops",
    },
    Feature {
        unit: "a boodle or stop",
        of: |view| count(HandCount::BoodlesAndStops, view),
        ends: &[0.0, 1.0, 2.0, 3.0],
        fitted: false,
        counted: "boodles + stops",
    },
    Feature {
        unit: "a low card",
        of: |view| count(HandCount::LowCards, view),
        ends: &[0.0, 1.0, 2.0, 3.0],
        fitted: true,
        counted: "low cards",
    },
    Feature {
        unit: "a joined card",
        of: |view| count(HandCount::Joined, view),
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
        of: |view| count(HandCount::Cards, view),
        ends: &[4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0],
        fitted: true,
        counted: "cards",
    },
    Feature {
        unit: "a chip on own boodles",
        of: |view| count(HandCount::OwnChips, view),
        ends: &[0.0, 4.0, 8.0, 12.0, 16.0, 24.0],
        fitted: true,
        counted: "chips on own boodles",
    },
    Feature {
        unit: "a chip on other cells",
        of: |view| count(HandCount::OtherChips, view),
        ends: &[4.0, 8.0, 12.0, 16.0, 24.0, 32.0],
        fitted: true,
        counted: "chips on other cells",
    },
    Feature {
        unit: "a seat before",
        of: seats_before,
        ends: &[0.0, 1.0, 2.0, 3.0, 4.0],
        fitted: true,
        counted: "seats before you",
    },
];

/// Where the ranges of a feature begin among those of all features; the number of all at the end.
pub(super) const STARTS: [usize; FEATURES.len() + 1] = {
    let (mut starts, mut at) = ([0; FEATURES.len() + 1], 0);
    while at < FEATURES.len() {
        starts[at + 1] = starts[at] + FEATURES[at].levels();
        at += 1;
    }
    starts
};

/// The viewer's value of each feature.
pub(super) fn values(view: &View) -> Values {
    FEATURES.each_ref().map(|feature| (feature.of)(view))
}

impl Feature {
    pub(super) const fn levels(&self) -> usize {
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

fn count(of: HandCount, view: &View) -> f64 {
    f64::from(of.of(&HandNotes::of(view)))
}

fn mean_rank(view: &View) -> f64 {
    let ranks: usize = view.hand().iter().map(|card| card.rank().index() + 1).sum();
    ranks as f64 / view.hand().len().max(1) as f64
}

/// Seats that are asked before the viewer, from eldest on.
pub(super) fn seats_before(view: &View) -> f64 {
    let players = view.game().players();
    ((view.seat() + players - view.eldest()) % players) as f64
}
