//! A card for the table: when to take the dead hand, in at most five questions.
//!
//! The questions are asked in their order, and the first that is answered with yes decides. They are
//! put together greedily, with an eye on the question after, by the chips that the list gains on the deals
//! from which it is made.

use std::fmt;

use newmarket_env::View;

use super::features::{FEATURES, Values};

/// Questions of a card at most.
const MOST_QUESTIONS: usize = 5;
/// Ranges of a feature at most.
const MOST_LEVELS: usize = 12;
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
        let questions = all_questions(features);
        let mut left: Vec<&Sample> = samples.iter().collect();
        let mut card = Self { questions: Vec::new(), otherwise: total(&left) > 0.0 };
        while card.questions.len() < MOST_QUESTIONS {
            let two = card.questions.len() + 1 < MOST_QUESTIONS;
            let Some(next) = best(&left, &questions, card.otherwise, two) else { break };
            left.retain(|sample| !next.is_yes(&sample.values));
            card.questions.push(next);
            card.otherwise = total(&left) > 0.0;
        }
        // A last question that changes nothing need not be asked.
        while card.questions.last().is_some_and(|last| last.takes == card.otherwise) {
            card.questions.pop();
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

fn total(hands: &[&Sample]) -> f64 {
    hands.iter().map(|sample| sample.gain).sum()
}

/// All questions about these features, with either answer.
fn all_questions(features: &[usize]) -> Vec<Question> {
    let mut all = Vec::new();
    for &feature in features {
        for last in 0..FEATURES[feature].levels() - 1 {
            for at_most in [true, false] {
                all.extend([true, false].map(|takes| Question { feature, last, at_most, takes }));
            }
        }
    }
    all
}

/// Sums of gains by feature and range.
type Sums = [[f64; MOST_LEVELS]; FEATURES.len()];

/// The most that hands with these sums gain by one question more, or by none; the question.
fn best_one(sums: &Sums, questions: &[Question]) -> (f64, Option<Question>) {
    let total: f64 = questions.first().map_or(0.0, |any| sums[any.feature].iter().sum());
    let mut best = (total.max(0.0), None);
    for &question in questions {
        let below: f64 = sums[question.feature][..=question.last].iter().sum();
        let inside = if question.at_most { below } else { total - below };
        let worth = if question.takes { inside } else { 0.0 } + (total - inside).max(0.0);
        if worth > best.0 {
            best = (worth, Some(question));
        }
    }
    best
}

/// The question that gains most on these hands, where `two`: together with the best one after it. Nothing
/// if none is sure to gain over doing `otherwise` with all.
fn best(left: &[&Sample], questions: &[Question], otherwise: bool, two: bool) -> Option<Question> {
    let levels: Vec<[usize; FEATURES.len()]> = left
        .iter()
        .map(|hand| std::array::from_fn(|at| FEATURES[at].level(hand.values[at])))
        .collect();
    let is_yes = |question: &Question, levels: &[usize; FEATURES.len()]| {
        (levels[question.feature] <= question.last) == question.at_most
    };
    let mut found: Option<(f64, Question, Option<Question>)> = None;
    for question in questions {
        // A question that all hands answer alike asks nothing.
        let yes = levels.iter().filter(|levels| is_yes(question, levels)).count();
        if yes == 0 || yes == left.len() {
            continue;
        }
        let (mut inside, mut rest) = (0.0, [[0.0; MOST_LEVELS]; FEATURES.len()]);
        for (hand, levels) in left.iter().zip(&levels) {
            if is_yes(question, levels) {
                inside += hand.gain;
            } else {
                rest.iter_mut().zip(levels).for_each(|(sums, &level)| sums[level] += hand.gain);
            }
        }
        let (after, next) = best_one(&rest, if two { questions } else { &questions[..1] });
        let next = next.filter(|_| two);
        let after = if two { after } else { rest[question.feature].iter().sum::<f64>().max(0.0) };
        let worth = if question.takes { inside } else { 0.0 } + after;
        if found.as_ref().is_none_or(|(most, ..)| worth > *most) {
            found = Some((worth, *question, next));
        }
    }
    let (worth, question, next) = found?;
    // What changes are the hands that are now treated otherwise than before.
    let rest: f64 = (left.iter().zip(&levels))
        .filter(|(_, levels)| {
            !is_yes(&question, levels) && !next.is_some_and(|next| is_yes(&next, levels))
        })
        .map(|(hand, _)| hand.gain)
        .sum();
    let changed = |levels: &[usize; FEATURES.len()]| {
        let decides = [Some(question), next].into_iter().flatten();
        let decides = decides.into_iter().find(|question| is_yes(question, levels));
        decides.map_or(rest > 0.0, |question| question.takes) != otherwise
    };
    let squares: f64 = (left.iter().zip(&levels))
        .filter(|(_, levels)| changed(levels))
        .map(|(hand, _)| hand.gain.powi(2))
        .sum();
    let before = if otherwise { total(left) } else { 0.0 };
    // Where nothing changes, rounding alone may gain.
    (squares > 0.0 && worth - before > SURE * squares.sqrt()).then_some(question)
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
        assert!(card.questions.len() == 2, "{card}");
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
