//! Rules that say what to do about the dead hand.

use super::features::{FEATURES, Values};
use super::offer::Offer;
use super::offers::{Level, Offers, Sample};
use super::scene::{Choice, Decision, Does, Scene};

/// Chips that a bidder may stay below what it expects.
const MARGINS: [i32; 6] = [0, 1, 2, 3, 4, 6];

/// A rule that says which choice to make in a decision.
#[derive(Clone, Debug)]
pub(super) enum Rule {
    /// The one of which least squares expect most.
    Fit,
    /// A bid up to what least squares expect of the gift, less so many chips.
    Below { gift: usize, margin: i32 },
    /// What the heuristic does; in an auction what the field does.
    Heuristic,
    /// Always the same one.
    Always(usize),
    /// One answer if a feature is in the ranges up to this one, else another.
    Threshold { feature: usize, last: usize, inside: usize, outside: usize },
}

impl Rule {
    /// In words for a table, with those for the answers of the decision.
    pub(super) fn name(&self, words: &[&str], field: &str) -> String {
        let only = words.len() == 2;
        match self {
            Self::Fit => "all features say so".into(),
            Self::Below { margin, .. } => {
                format!("up to what all features expect, less {margin}")
            }
            Self::Heuristic if words[0] == "pass" => format!("as {field} bids"),
            Self::Heuristic => "the heuristic says so".into(),
            Self::Always(_) if only => "always".into(),
            Self::Always(answer) => format!("always {}", words[*answer]),
            Self::Threshold { feature, last, inside, outside } => {
                let at_most = *inside > 0;
                let (yes, no) = if at_most { (inside, outside) } else { (outside, inside) };
                let asked = FEATURES[*feature].threshold_name(*last, at_most);
                match (only, no) {
                    (true, _) => asked,
                    (false, 0) => format!("{asked}: {}", words[*yes]),
                    (false, no) => format!("{asked}: {}; else {}", words[*yes], words[*no]),
                }
            }
        }
    }

    /// The choice for a hand that was offered the dead hand; nothing if it declines.
    pub(super) fn choice(
        &self,
        scene: &Scene,
        decision: &Decision,
        offers: &Offers,
        offer: &Offer,
        hand: &Values,
    ) -> Option<usize> {
        let of_answer = |answer: usize| answer.checked_sub(1).map(|at| decision.choices[at]);
        match self {
            Self::Fit => best_of(offers, decision, hand),
            Self::Below { gift, margin } => {
                below(scene, decision, offers.expected(hand, *gift), *margin)
            }
            Self::Heuristic => heuristic(scene, decision, offer),
            Self::Always(answer) => of_answer(*answer),
            Self::Threshold { feature, last, inside, outside } => {
                let is_inside = FEATURES[*feature].level(hand[*feature]) <= *last;
                of_answer(if is_inside { *inside } else { *outside })
            }
        }
    }
}

/// The choice of which least squares expect most, if that is more than nothing.
fn best_of(offers: &Offers, decision: &Decision, hand: &Values) -> Option<usize> {
    let mut best = (0.0, None);
    for &choice in &decision.choices {
        let expected = offers.expected(hand, choice);
        if expected > best.0 {
            best = (expected, Some(choice));
        }
    }
    best.1
}

/// The highest limit that leaves a margin below what is expected.
fn below(scene: &Scene, decision: &Decision, expected: f64, margin: i32) -> Option<usize> {
    let leaves = |choice: &&usize| match scene.choices[**choice].does {
        Does::UpTo(limit) => f64::from(limit + margin) <= expected,
        _ => false,
    };
    decision.choices.iter().rfind(leaves).copied()
}

fn heuristic(scene: &Scene, decision: &Decision, offer: &Offer) -> Option<usize> {
    let as_field = |choice: &Choice| matches!(choice.does, Does::AsField);
    scene.choices.iter().position(as_field).or_else(|| {
        let is_chosen = |&&choice: &&usize| match scene.choices[choice].does {
            Does::Act { game, action } => offer.heuristic(game) == Some(action),
            _ => false,
        };
        decision.choices.iter().find(is_chosen).copied()
    })
}

/// All rules for a decision that are measured, made of these offers.
pub(super) fn all(scene: &Scene, decision: &Decision, offers: &Offers) -> Vec<Rule> {
    let mut rules = vec![Rule::Fit];
    match scene.choices[decision.choices[0]].does {
        Does::Act { .. } => rules.push(Rule::Heuristic),
        Does::UpTo(_) => {
            rules.extend(scene.gift().map(|gift| best_margin(scene, decision, offers, gift)));
            rules.push(Rule::Heuristic);
        }
        // Nobody is asked so.
        Does::Given { .. } | Does::AsField => {}
    }
    rules.extend((1..=decision.choices.len()).map(Rule::Always));
    rules.extend(thresholds(decision, offers));
    rules
}

/// The margin that gains most on the offers.
fn best_margin(scene: &Scene, decision: &Decision, offers: &Offers, gift: usize) -> Rule {
    let gains = |margin: i32| -> f64 {
        let of = |hand: &Sample| {
            let expected = offers.expected(&hand.values, gift);
            below(scene, decision, expected, margin).map_or(0.0, |choice| hand.gains[choice])
        };
        offers.hands.iter().map(of).sum()
    };
    let best = MARGINS.into_iter().max_by(|&a, &b| gains(a).total_cmp(&gains(b)));
    Rule::Below { gift, margin: best.expect("there are margins") }
}

/// The best threshold of each feature that helps, by the offers' figures; the best feature first.
fn thresholds(decision: &Decision, offers: &Offers) -> Vec<Rule> {
    let answers = 0..=decision.choices.len();
    let mut found: Vec<(f64, Rule)> = Vec::new();
    for &feature in &offers.used {
        let levels = &offers.levels[feature];
        let worth = |level: usize, answer: usize| match &levels[level] {
            level if answer > 0 && level.share.mean > 0.0 => {
                level.share.mean * level.gains[decision.choices[answer - 1]].mean
            }
            _ => 0.0,
        };
        let best_in = |levels: std::ops::Range<usize>| -> (f64, usize) {
            let total = |answer| levels.clone().map(|level| worth(level, answer)).sum::<f64>();
            answers.clone().fold((0.0, 0), |best, answer| {
                if total(answer) > best.0 { (total(answer), answer) } else { best }
            })
        };
        let mut best = (0.0, None);
        for last in 0..levels.len() - 1 {
            let some = |levels: &[Level]| levels.iter().any(|level| level.share.mean > 0.0);
            if !some(&levels[..=last]) || !some(&levels[last + 1..]) {
                continue;
            }
            let (below, inside) = best_in(0..last + 1);
            let (above, outside) = best_in(last + 1..levels.len());
            if inside != outside && below + above > best.0 {
                best = (below + above, Some(Rule::Threshold { feature, last, inside, outside }));
            }
        }
        found.extend(best.1.map(|rule| (best.0, rule)));
    }
    found.sort_by(|a, b| b.0.total_cmp(&a.0));
    found.into_iter().map(|it| it.1).collect()
}
