//! What a hand shows to who considers giving it away.

use newmarket_agents::strategy::{Memory, Notes, Scope, fact};
use newmarket_env::View;

/// A property of a hand.
pub(super) struct Feature {
    /// What is counted: facts of strategies, added.
    facts: &'static [&'static str],
    /// The greatest value of each range but the last, which has no end.
    pub(super) ends: &'static [f64],
}

/// A hand's value of each feature.
pub(super) type Values = [f64; FEATURES.len()];

const fn feature(facts: &'static [&'static str], ends: &'static [f64]) -> Feature {
    Feature { facts, ends }
}

/// All that are looked at.
pub(super) const FEATURES: [Feature; 9] = [
    feature(&["boodles"], &[0.0, 1.0, 2.0]),
    feature(&["stops"], &[0.0, 1.0, 2.0]),
    feature(&["boodles", "stops"], &[0.0, 1.0, 2.0, 3.0]),
    feature(&["low cards"], &[0.0, 1.0, 2.0, 3.0]),
    feature(&["joined cards"], &[0.0, 1.0, 2.0, 3.0, 4.0]),
    feature(&["cards"], &[5.0, 7.0, 9.0, 11.0, 13.0]),
    feature(&["chips on my boodles"], &[0.0, 4.0, 8.0, 12.0, 16.0, 24.0]),
    feature(&["chips on other cells"], &[4.0, 8.0, 12.0, 16.0, 24.0, 32.0]),
    feature(&["seats before me"], &[0.0, 1.0, 2.0, 3.0, 4.0]),
];

/// The viewer's value of each feature.
pub(super) fn values(view: &View) -> Values {
    let notes = Notes::new(view, Memory::ALL);
    let value = |name: &&str| {
        fact(Scope::Table, name).expect("a feature is a fact of the table").of_table(&notes)
    };
    FEATURES.each_ref().map(|feature| feature.facts.iter().map(value).sum())
}

impl Feature {
    pub(super) const fn levels(&self) -> usize {
        self.ends.len() + 1
    }

    pub(super) fn level(&self, value: f64) -> usize {
        self.ends.iter().position(|&end| value <= end).unwrap_or(self.ends.len())
    }

    pub(super) fn level_name(&self, level: usize) -> String {
        let range = match (level, self.ends.get(level)) {
            (_, None) => format!("{} or more", self.ends[level - 1] + 1.0),
            (0, Some(end)) if *end > 0.0 => format!("{end} or fewer"),
            (_, Some(end)) if level > 0 && *end > self.ends[level - 1] + 1.0 => {
                format!("{} to {end}", self.ends[level - 1] + 1.0)
            }
            (_, Some(end)) => format!("{end}"),
        };
        format!("{}: {range}", self.facts.join(" + "))
    }
}
