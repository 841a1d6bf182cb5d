//! A card for the table: what to do about the dead hand, in at most five questions.
//!
//! The questions are asked in their order, and the first that is answered with yes decides. They are
//! put together greedily, with an eye on the question after, by the chips that the list gains on the deals
//! from which it is made.

use super::features::{FEATURES, STARTS, Values};

/// Questions of a card at most.
const MOST_QUESTIONS: usize = 5;
/// Answers of a card at most, besides declining.
const MOST_CHOICES: usize = 2;
/// A question, or an answer more, is added if its gain is so many standard errors above nothing.
const SURE: f64 = 2.0;
/// A question stays on a card if its gain there is so many standard errors above nothing. With 2, a quarter of
/// the questions fell away, but cards for bidders lost a tenth of their gain (`michigan-auction`, 100,000 deals).
const KEPT: f64 = 1.0;

/// A hand whose owner was asked, and what each answer gains over declining.
#[derive(Clone, Debug)]
pub(super) struct Sample {
    pub(super) values: Values,
    pub(super) gains: Vec<f64>,
}

impl Sample {
    /// Answer 0 is to decline.
    fn gain(&self, answer: usize) -> f64 {
        if answer == 0 { 0.0 } else { self.gains[answer - 1] }
    }
}

/// Whether a feature is at most, or above, the greatest value of a range.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Question {
    feature: usize,
    last: usize,
    at_most: bool,
}

impl Question {
    fn is_yes(self, levels: &Levels) -> bool {
        (levels[self.feature] <= self.last) == self.at_most
    }

    /// The ranges with the answer yes.
    fn inside(self) -> std::ops::Range<usize> {
        if self.at_most { 0..self.last + 1 } else { self.last + 1..FEATURES[self.feature].levels() }
    }
}

/// A question, and the answer if it is answered with yes: an index.
type Step = (Question, usize);

/// A hand's range of each feature.
type Levels = [usize; FEATURES.len()];

fn levels(values: &Values) -> Levels {
    std::array::from_fn(|at| FEATURES[at].level(values[at]))
}

/// The questions in their order with the answer of a yes, and the answer if there is none.
#[derive(Clone, Debug)]
pub(super) struct Card {
    questions: Vec<Step>,
    otherwise: usize,
}

impl Card {
    /// The card that these hands suggest, of these features. It has few answers: first the one that is best
    /// with declining, then another one if that is sure to gain.
    pub(super) fn of(samples: &[Sample], features: &[usize]) -> Self {
        let hands: Vec<Hand> =
            samples.iter().map(|sample| Hand { levels: levels(&sample.values), sample }).collect();
        let count = samples.first().map_or(0, |sample| sample.gains.len());
        let mut card = Self { questions: Vec::new(), otherwise: 0 };
        let mut answers = vec![0];
        while answers.len() <= MOST_CHOICES.min(count) {
            let with = |answer: usize| {
                let mut answers = answers.clone();
                answers.push(answer);
                (Self::with(&hands, features, &answers), answers)
            };
            let others = (1..=count).filter(|answer| !answers.contains(answer)).map(with);
            let gain = |card: &Self| -> f64 { hands.iter().map(|hand| card.gain(hand)).sum() };
            let best = others.max_by(|a, b| gain(&a.0).total_cmp(&gain(&b.0)));
            let (next, more) = best.expect("an answer is left");
            let squares: f64 =
                hands.iter().map(|hand| (next.gain(hand) - card.gain(hand)).powi(2)).sum();
            if answers.len() > 1 && gain(&next) - gain(&card) <= SURE * squares.sqrt() {
                break;
            }
            (card, answers) = (next, more);
        }
        card
    }

    /// The card of these answers.
    fn with(hands: &[Hand], features: &[usize], answers: &[usize]) -> Self {
        let questions = all_questions(features);
        let mut left: Vec<&Hand> = hands.iter().collect();
        let mut card = Self { questions: Vec::new(), otherwise: best_answer(&left, answers) };
        while card.questions.len() < MOST_QUESTIONS {
            let two = card.questions.len() + 1 < MOST_QUESTIONS;
            let Some(next) = best(&left, &questions, answers, card.otherwise, two) else { break };
            left.retain(|hand| !next.0.is_yes(&hand.levels));
            card.questions.push(next);
            card.otherwise = best_answer(&left, answers);
        }
        card.prune(hands);
        card
    }

    /// Leaves out questions that hardly gain, from the last on.
    fn prune(&mut self, hands: &[Hand]) {
        for at in (0..self.questions.len()).rev() {
            let mut shorter = self.clone();
            shorter.questions.remove(at);
            let (mut lost, mut squares) = (0.0, 0.0);
            for hand in hands {
                let less = self.gain(hand) - shorter.gain(hand);
                lost += less;
                squares += less * less;
            }
            if lost <= KEPT * squares.sqrt() {
                *self = shorter;
            }
        }
    }

    fn answer_by(&self, levels: &Levels) -> usize {
        let decides = self.questions.iter().find(|(question, _)| question.is_yes(levels));
        decides.map_or(self.otherwise, |&(_, answer)| answer)
    }

    fn gain(&self, hand: &Hand) -> f64 {
        hand.sample.gain(self.answer_by(&hand.levels))
    }

    /// Its answer to a hand, 0 to decline.
    pub(super) fn answer(&self, values: &Values) -> usize {
        self.answer_by(&levels(values))
    }

    /// The questions, each with the answer of a yes, in these words for the answers.
    pub(super) fn questions(&self, words: &[&str]) -> impl Iterator<Item = (String, String)> {
        let read = |&(Question { feature, last, at_most }, answer): &Step| {
            (FEATURES[feature].threshold_name(last, at_most), words[answer].to_owned())
        };
        self.questions.iter().map(read)
    }

    /// What it answers if no question is answered with yes.
    pub(super) fn otherwise(&self) -> usize {
        self.otherwise
    }

    /// As it would be read out: `boodles: at most 0? take; … otherwise keep. The first yes decides`.
    pub(super) fn read(&self, words: &[&str]) -> String {
        if self.questions.is_empty() {
            return format!("always {}", words[self.otherwise]);
        }
        let questions = self.questions(words).map(|(asks, answer)| format!("{asks}? {answer}; "));
        let questions = questions.collect::<String>();
        format!("{questions}otherwise {}. The first yes decides", words[self.otherwise])
    }
}

/// A sample, and its ranges.
struct Hand<'a> {
    levels: Levels,
    sample: &'a Sample,
}

/// The answer that gains most with all of these hands.
fn best_answer(hands: &[&Hand], answers: &[usize]) -> usize {
    let total = |answer: usize| hands.iter().map(|hand| hand.sample.gain(answer)).sum::<f64>();
    let totals: Vec<f64> = answers.iter().map(|&answer| total(answer)).collect();
    answers[greatest(&totals)]
}

/// The index of the greatest value, the first of several.
fn greatest(values: &[f64]) -> usize {
    (1..values.len()).fold(0, |best, at| if values[at] > values[best] { at } else { best })
}

/// All questions about these features.
fn all_questions(features: &[usize]) -> Vec<Question> {
    let of = |&feature: &usize| {
        let lasts = 0..FEATURES[feature].levels() - 1;
        lasts.flat_map(move |last| [true, false].map(|at_most| Question { feature, last, at_most }))
    };
    features.iter().flat_map(of).collect()
}

/// Sums of gains by feature and range, and there by answer.
#[derive(Clone)]
struct Sums {
    sums: Vec<f64>,
    answers: usize,
}

/// The ranges of all features.
const ALL_LEVELS: usize = STARTS[FEATURES.len()];

impl Sums {
    fn new(answers: usize) -> Self {
        Self { sums: vec![0.0; ALL_LEVELS * answers], answers }
    }

    fn at(&self, feature: usize, level: usize) -> &[f64] {
        let start = (STARTS[feature] + level) * self.answers;
        &self.sums[start..start + self.answers]
    }

    fn add(&mut self, feature: usize, level: usize, gains: &[f64]) {
        let start = (STARTS[feature] + level) * self.answers;
        let sums = &mut self.sums[start..start + self.answers];
        sums.iter_mut().zip(gains).for_each(|(sum, gain)| *sum += gain);
    }

    fn less(&mut self, other: &Self) {
        self.sums.iter_mut().zip(&other.sums).for_each(|(sum, less)| *sum -= less);
    }

    /// The sums over some ranges of a feature.
    fn over(&self, feature: usize, levels: std::ops::Range<usize>) -> Vec<f64> {
        let mut total = vec![0.0; self.answers];
        for level in levels {
            total.iter_mut().zip(self.at(feature, level)).for_each(|(sum, it)| *sum += it);
        }
        total
    }

    /// The most that hands with these sums gain by one question more, or by none, and the question with
    /// its answer, an index.
    fn best_one(&self, questions: &[Question]) -> (f64, Option<Step>) {
        let Some(any) = questions.first() else { return (0.0, None) };
        let total = self.over(any.feature, 0..FEATURES[any.feature].levels());
        let mut best = (total[greatest(&total)], None);
        for &question in questions {
            let inside = self.over(question.feature, question.inside());
            let rest: Vec<f64> =
                total.iter().zip(&inside).map(|(total, inside)| total - inside).collect();
            let answer = greatest(&inside);
            let worth = inside[answer] + rest[greatest(&rest)];
            if worth > best.0 {
                best = (worth, Some((question, answer)));
            }
        }
        best
    }
}

/// The question that gains most on these hands, where `two`: together with the best one after it; and its
/// answer. Nothing if none is sure to gain over doing `otherwise` with all.
fn best(
    left: &[&Hand],
    questions: &[Question],
    answers: &[usize],
    otherwise: usize,
    two: bool,
) -> Option<Step> {
    let features: Vec<usize> = {
        let mut features: Vec<usize> = questions.iter().map(|question| question.feature).collect();
        features.dedup();
        features
    };
    // By range of one feature, the sums of all.
    let mut all = Sums::new(answers.len());
    let mut joint = vec![all.clone(); ALL_LEVELS];
    let mut counts = [0; ALL_LEVELS];
    let mut gains = vec![0.0; answers.len()];
    for hand in left {
        for (gain, &answer) in gains.iter_mut().zip(answers) {
            *gain = hand.sample.gain(answer);
        }
        for &feature in &features {
            let at = STARTS[feature] + hand.levels[feature];
            counts[at] += 1;
            all.add(feature, hand.levels[feature], &gains);
            for &other in &features {
                joint[at].add(other, hand.levels[other], &gains);
            }
        }
    }
    let mut found: Option<(f64, Step, Option<Step>)> = None;
    for &question in questions {
        let Question { feature, .. } = question;
        // A question that all hands answer alike asks nothing.
        let yes: usize = question.inside().map(|level| counts[STARTS[feature] + level]).sum();
        if yes == 0 || yes == left.len() {
            continue;
        }
        let mut rest = all.clone();
        question.inside().for_each(|level| rest.less(&joint[STARTS[feature] + level]));
        let inside = all.over(feature, question.inside());
        let answer = greatest(&inside);
        let (after, next) = if two {
            rest.best_one(questions)
        } else {
            let total = rest.over(feature, 0..FEATURES[feature].levels());
            (total[greatest(&total)], None)
        };
        let worth = inside[answer] + after;
        if found.as_ref().is_none_or(|(most, ..)| worth > *most) {
            found = Some((worth, (question, answer), next));
        }
    }
    let (_, question, next) = found?;
    // What changes are the hands that are now treated otherwise than before.
    let asked: Vec<Step> = [Some(question), next]
        .into_iter()
        .flatten()
        .map(|(question, answer)| (question, answers[answer]))
        .collect();
    let decides = |hand: &Hand| {
        let yes = asked.iter().find(|(question, _)| question.is_yes(&hand.levels));
        yes.map(|&(_, answer)| answer)
    };
    let rest: Vec<&Hand> = left.iter().copied().filter(|hand| decides(hand).is_none()).collect();
    let rest = best_answer(&rest, answers);
    let (mut more, mut squares) = (0.0, 0.0);
    for hand in left {
        let answer = decides(hand).unwrap_or(rest);
        let gain = hand.sample.gain(answer) - hand.sample.gain(otherwise);
        more += gain;
        squares += gain * gain;
    }
    // Where nothing changes, nothing is gained.
    (squares > 0.0 && more > SURE * squares.sqrt()).then_some((question.0, answers[question.1]))
}

#[cfg(test)]
mod tests {
    use super::*;

    const WORDS: [&str; 3] = ["keep", "take", "auction"];

    fn sample(boodles: f64, stops: f64, gains: &[f64]) -> Sample {
        let mut values = [0.0; FEATURES.len()];
        (values[0], values[1]) = (boodles, stops);
        Sample { values, gains: gains.to_vec() }
    }

    #[test]
    fn a_card_asks_what_pays() {
        // Boodles forbid it; without one, stops do.
        let hands: Vec<Sample> = (0..400)
            .map(|nth| {
                let (boodles, stops) = (f64::from(nth % 3), f64::from(nth / 3 % 3));
                let noise = f64::from(nth % 7) - 3.0;
                let gain = if boodles + stops < 0.5 { 4.0 } else { -2.0 - boodles };
                sample(boodles, stops, &[gain + 0.1 * noise])
            })
            .collect();
        let card = Card::of(&hands, &[0, 1]);
        assert!(card.questions.len() == 2, "{card:?}");
        for hand in &hands {
            let takes = card.answer(&hand.values) == 1;
            assert_eq!(takes, hand.gains[0] > 0.0, "{hand:?}: {card:?}");
        }
    }

    #[test]
    fn noise_asks_nothing() {
        let hands: Vec<Sample> = (0..400)
            .map(|nth| {
                let gain = if nth * 7919 % 13 < 6 { 1.0 } else { -1.0 };
                sample(f64::from(nth % 4), f64::from(nth / 4 % 3), &[gain - 0.2])
            })
            .collect();
        let card = Card::of(&hands, &[0, 1]);
        assert_eq!((card.questions.len(), card.otherwise), (0, 0), "{card:?}");
        assert_eq!(card.read(&WORDS), "always keep");
    }

    #[test]
    fn a_question_that_changes_nothing_is_not_asked() {
        let question = |feature, last| Question { feature, last, at_most: true };
        // Who has neither has no boodle either.
        let mut card =
            Card { questions: vec![(question(2, 0), 1), (question(0, 0), 1)], otherwise: 0 };
        let gains = [[4.0], [3.0], [-2.0]];
        let samples: Vec<Sample> = (0..27)
            .map(|nth| {
                let kind = nth % 3;
                let mut sample = sample((kind / 2) as f64, (kind % 2) as f64, &gains[kind]);
                sample.values[2] = sample.values[0] + sample.values[1];
                sample
            })
            .collect();
        let hands: Vec<Hand> =
            samples.iter().map(|sample| Hand { levels: levels(&sample.values), sample }).collect();
        card.prune(&hands);
        assert_eq!(
            card.read(&WORDS),
            "boodles: at most 0? take; otherwise keep. The first yes decides"
        );
    }

    #[test]
    fn a_card_has_the_answers_that_pay() {
        // Bare hands take; of the others an auction pays, and the fourth choice is never the best.
        let hands: Vec<Sample> = (0..400)
            .map(|nth| {
                let (boodles, noise) = (f64::from(nth % 3), 0.1 * (f64::from(nth % 7) - 3.0));
                let take = if boodles < 0.5 { 3.0 } else { -3.0 };
                sample(boodles, f64::from(nth / 3 % 3), &[take + noise, 1.0 + noise, 0.9 + noise])
            })
            .collect();
        let card = Card::of(&hands, &[0, 1]);
        let read = card.read(&WORDS);
        assert!(
            [
                "boodles: at most 0? take; otherwise auction. The first yes decides",
                "boodles: at least 1? auction; otherwise take. The first yes decides"
            ]
            .contains(&read.as_str()),
            "{read}"
        );
    }
}
