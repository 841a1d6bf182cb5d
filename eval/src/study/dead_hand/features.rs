//! What a hand shows to who considers giving it away.

use newmarket_agents::strategy::{Memory, Notes, Scope, fact};
use newmarket_env::View;

/// A property of a hand.
pub(super) struct Feature {
    /// One more of it, in words.
    pub(super) unit: &'static str,
    /// What is counted: facts of strategies, added.
    facts: &'static [&'static str],
    /// The greatest value of each range but the last, which has no end.
    pub(super) ends: &'static [f64],
    /// Whether least squares use it; not if it follows from others.
    pub(super) fitted: bool,
}

/// A hand's value of each feature.
pub(super) type Values = [f64; FEATURES.len()];

/// All that are looked at.
pub(super) const FEATURES: [Feature; 10] = [
    Feature { unit: "a boodle", facts: &["boodles"], ends: &[0.0, 1.0, 2.0], fitted: true },
    Feature { unit: "a stop", facts: &["stops"], ends: &[0.0, 1.0, 2.0], fitted: true },
    Feature {
        unit: "a boodle or stop",
        facts: &["boodles", "stops"],
        ends: &[0.0, 1.0, 2.0, 3.0],
        fitted: false,
    },
    Feature {
        unit: "a low card",
        facts: &["low cards"],
        ends: &[0.0, 1.0, 2.0, 3.0],
        fitted: true,
    },
    Feature {
        unit: "a joined card",
        facts: &["joined cards"],
        ends: &[0.0, 1.0, 2.0, 3.0, 4.0],
        fitted: true,
    },
    Feature {
        unit: "a mean rank higher",
        facts: &["mean rank"],
        ends: &[5.5, 6.5, 7.5, 8.5],
        fitted: true,
    },
    Feature {
        unit: "a card",
        facts: &["cards"],
        ends: &[4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0],
        fitted: true,
    },
    Feature {
        unit: "a chip on own boodles",
        facts: &["chips on my boodles"],
        ends: &[0.0, 4.0, 8.0, 12.0, 16.0, 24.0],
        fitted: true,
    },
    Feature {
        unit: "a chip on other cells",
        facts: &["chips on other cells"],
        ends: &[4.0, 8.0, 12.0, 16.0, 24.0, 32.0],
        fitted: true,
    },
    Feature {
        unit: "a seat before",
        facts: &["seats before me"],
        ends: &[0.0, 1.0, 2.0, 3.0, 4.0],
        fitted: true,
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
    let notes = Notes::new(view, Memory::ALL);
    let value = |name: &&str| {
        fact(Scope::Table, name).expect("a feature is a fact of the table").of_table(&notes)
    };
    FEATURES.each_ref().map(|feature| feature.facts.iter().map(value).sum())
}

impl Feature {
    fn counted(&self) -> String {
        self.facts.join(" + ")
    }

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
        format!("{}: {range}", self.counted())
    }

    /// “At most” or “at least” so many, in words.
    pub(super) fn threshold_name(&self, last: usize, at_most: bool) -> String {
        let counted = self.counted();
        match (at_most, self.whole()) {
            (true, _) => format!("{counted}: at most {}", self.ends[last]),
            (false, true) => format!("{counted}: at least {}", self.ends[last] + 1.0),
            (false, false) => format!("{counted}: above {}", self.ends[last]),
        }
    }
}

/// Where the number of seats before the viewer, from eldest on, is among the features.
pub(super) const SEATS_BEFORE: usize = FEATURES.len() - 1;
