//! A card for the table: when to take the dead hand, in at most five questions.
//!
//! The questions are asked in their order, and the first that is answered with yes decides. They are
//! put together greedily, by the chips that the list gains on the deals from which it is made.

use std::fmt;

use newmarket_env::View;

use super::features::{FEATURES, Values};

/// Questions of a card at most.
const MOST_QUESTIONS: usize = 5;
/// A question is added if its gain is so many standard errors above nothing.
const SURE: f64 = 2.0;

/// A hand that was offered the dead hand, and what taking it gains in a game.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sample {
    pub(super) values: Values,
    pub(super) gain: f64,
}

/// Whether a feature is at most, or above, the greatest value of a range; if so, the dead hand is taken or
/// left.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Question {
    feature: usize,
    last: usize,
    at_most: bool,
    takes: bool,
}

impl Question {
    fn is_yes(self, values: &Values) -> bool {
        let feature = &FEATURES[self.feature];
        (feature.level(values[self.feature]) <= self.last) == self.at_most
    }
}

/// The questions in their order, and what is done if none of them is answered with yes.
#[derive(Clone, Debug)]
pub(super) struct Card {
    questions: Vec<Question>,
    otherwise: bool,
}

impl Card {
    /// The card that these hands suggest, of these features.
    pub(super) fn of(samples: &[Sample], features: &[usize]) -> Self {
        let total: f64 = samples.iter().map(|sample| sample.gain).sum();
        let mut card = Self { questions: Vec::new(), otherwise: total > 0.0 };
        let mut left: Vec<Sample> = samples.to_vec();
        while card.questions.len() < MOST_QUESTIONS {
            let Some((question, otherwise)) = best(&left, features, card.otherwise) else { break };
            left.retain(|sample| !question.is_yes(&sample.values));
            card.questions.push(question);
            card.otherwise = otherwise;
        }
        card
    }

    /// Whether it takes the dead hand.
    pub(super) fn takes(&self, view: &View) -> bool {
        let values = FEATURES.each_ref().map(|feature| (feature.of)(view));
        let decides = self.questions.iter().find(|question| question.is_yes(&values));
        decides.map_or(self.otherwise, |question| question.takes)
    }
}

/// The question that gains most on the hands that are left, and what is best done with those that it leaves;
/// nothing if none is sure to gain over doing the same with all.
fn best(left: &[Sample], features: &[usize], otherwise: bool) -> Option<(Question, bool)> {
    let total: f64 = left.iter().map(|sample| sample.gain).sum();
    let before = if otherwise { total } else { 0.0 };
    let mut found: Option<(f64, Question, bool)> = None;
    for &feature in features {
        let levels = FEATURES[feature].levels();
        let mut sums = vec![0.0; levels];
        for sample in left {
            sums[FEATURES[feature].level(sample.values[feature])] += sample.gain;
        }
        for last in 0..levels - 1 {
            let below: f64 = sums[..=last].iter().sum();
            for (inside, at_most) in [(below, true), (total - below, false)] {
                let outside = total - inside;
                // Hands inside and outside are treated differently, or nothing was asked.
                let takes = inside > outside;
                let worth = if takes { inside } else { outside };
                if found.as_ref().is_none_or(|(most, ..)| worth > *most) {
                    let question = Question { feature, last, at_most, takes };
                    found = Some((worth, question, !takes));
                }
            }
        }
    }
    let (worth, question, otherwise_then) = found?;
    // What changes are the hands that are now treated otherwise than before.
    let changed = |sample: &&Sample| {
        let takes = if question.is_yes(&sample.values) { question.takes } else { otherwise_then };
        takes != otherwise
    };
    let squares: f64 = left.iter().filter(changed).map(|sample| sample.gain.powi(2)).sum();
    (worth - before > SURE * squares.sqrt()).then_some((question, otherwise_then))
}

/// As it would be read out: `boodles: at most 0? take; … otherwise keep`.
impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = |takes| if takes { "take" } else { "keep" };
        for Question { feature, last, at_most, takes } in &self.questions {
            let asked = FEATURES[*feature].threshold_name(*last, *at_most);
            write!(f, "{asked}? {}; ", word(*takes))?;
        }
        write!(f, "otherwise {}", word(self.otherwise))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(boodles: f64, stops: f64, gain: f64) -> Sample {
        let mut values = [0.0; FEATURES.len()];
        (values[0], values[1]) = (boodles, stops);
        Sample { values, gain }
    }

    #[test]
    fn a_card_asks_what_pays() {
        // Boodles forbid it; without one, stops do.
        let hands: Vec<Sample> = (0..400)
            .map(|nth| {
                let (boodles, stops) = (f64::from(nth % 3), f64::from(nth / 3 % 3));
                let noise = f64::from(nth % 7) - 3.0;
                let gain = if boodles + stops < 0.5 { 4.0 } else { -2.0 - boodles };
                sample(boodles, stops, gain + 0.1 * noise)
            })
            .collect();
        let card = Card::of(&hands, &[0, 1]);
        let takes = |sample: &Sample| {
            let decides = card.questions.iter().find(|question| question.is_yes(&sample.values));
            decides.map_or(card.otherwise, |question| question.takes)
        };
        assert!(card.questions.len() <= 3, "{card}");
        for hand in &hands {
            assert_eq!(takes(hand), hand.gain > 0.0, "{hand:?}: {card}");
        }
    }

    #[test]
    fn noise_asks_nothing() {
        let hands: Vec<Sample> = (0..400)
            .map(|nth| {
                let gain = if nth * 7919 % 13 < 6 { 1.0 } else { -1.0 };
                sample(f64::from(nth % 4), f64::from(nth / 4 % 3), gain - 0.2)
            })
            .collect();
        let card = Card::of(&hands, &[0, 1]);
        assert_eq!((card.questions.len(), card.otherwise), (0, false), "{card}");
        assert_eq!(card.to_string(), "otherwise keep");
    }
}
