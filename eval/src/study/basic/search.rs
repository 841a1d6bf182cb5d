//! The search for a list of questions: greedy, then local, every step a race.
//!
//! A race is successive halving (Karnin, Koren and Somekh 2013): all candidates play a few deals, the better
//! quarter of them play four times as many others, and so on. A candidate is judged by the chips that it gains
//! over the list that it is to replace, in the same seat, on the same deals.

use std::collections::BTreeMap;
use std::sync::Arc;

use newmarket_agents::basic::{Basic, Bound, Count, MOST_QUESTIONS, Notes, Question};
use newmarket_agents::{Player, Table};
use newmarket_env::{Action, Game, Phase, Seed, Suit};

use crate::study::measure::Measurement;
use crate::study::tally::Tally;

/// A list of questions.
pub(super) type List = Vec<Question>;

/// Each stage of a race plays one deal for so many of the last stage's.
const STAGES: [u64; 4] = [64, 16, 4, 1];
/// One candidate of so many goes on to the next stage.
const KEPT: usize = 4;
/// Deals of a stage at least.
const LEAST_DEALS: u64 = 64;
/// Steps after the list has been put together.
const CHANGES: u64 = 7;
/// Races of a search at most.
pub(super) const RACES: u64 = MOST_QUESTIONS as u64 + CHANGES;
/// Deals from which constants to compare a count with are taken.
const SAMPLE: u64 = 256;
/// Constants for a count at most.
const CONSTANTS: usize = 10;

/// The child of the seed for the sample; races have the numbers before it.
const SAMPLED: u64 = RACES;

/// A table at which lists are tried.
pub(super) struct Search<'a> {
    pub(super) game: &'a Arc<Game>,
    pub(super) field: &'a Player,
    /// Deals of a race's last stage.
    pub(super) deals: u64,
    pub(super) seed: Seed,
}

impl Search<'_> {
    /// The best list that was found. `done` is told of [`Search::deals`] for each of [`RACES`].
    pub(super) fn run(&self, done: &(dyn Fn(u64) + Sync)) -> List {
        let questions = self.questions();
        let mut list = List::new();
        for race in 0..RACES {
            let candidates = if race < MOST_QUESTIONS as u64 {
                longer(&list, &questions)
            } else {
                changed(&list, &questions)
            };
            match self.race(&list, candidates, self.seed.child(race)) {
                Some(better) => list = better,
                // Other deals would only find what chance makes look better.
                None if race >= MOST_QUESTIONS as u64 => {
                    done(self.deals * (RACES - race));
                    break;
                }
                None => {}
            }
            done(self.deals);
        }
        list
    }

    /// The best of the candidates, if it is separated above the list that it is to replace.
    fn race(&self, list: &List, mut left: Vec<List>, seed: Seed) -> Option<List> {
        for (stage, &share) in STAGES.iter().enumerate() {
            let deals = (self.deals / share).max(LEAST_DEALS);
            let gains = self.gains(list, &left, deals, seed.child(stage as u64));
            let mut order: Vec<usize> = (0..left.len()).collect();
            let mean = |at: usize| gains[at].mean().mean;
            order.sort_by(|&a, &b| mean(b).total_cmp(&mean(a)));
            if share == 1 {
                let best = *order.first()?;
                let gain = gains[best].mean();
                return (gain.mean > gain.ci95).then(|| left.swap_remove(best));
            }
            order.truncate(left.len().div_ceil(KEPT));
            left = order.into_iter().map(|at| left[at].clone()).collect();
        }
        None
    }

    /// What each of the candidates gains over the list, in chips a deal.
    fn gains(&self, list: &List, candidates: &[List], deals: u64, seed: Seed) -> Vec<Tally> {
        let measurement = Measurement { deals, seed, tallies: candidates.len(), features: 0 };
        let seats = self.game.players();
        // The field is agent 0, the list 1; the candidates follow.
        let worker = || {
            let lists = std::iter::once(list).chain(candidates);
            let asking = lists.map(|list| Basic::asking(list.clone()).into());
            let players: Vec<Player> =
                std::iter::once(self.field.another()).chain(asking).collect();
            (Table::new(self.game.clone()), players)
        };
        let measured = measurement.run(
            worker,
            |(table, players), deal| {
                let mut payoff = |hero: usize| -> i32 {
                    let alone = |seat: usize| {
                        let seated = |at| if at == seat { hero } else { 0 };
                        table.play_seated(deal.seed, players, seated).payoffs[seat]
                    };
                    (0..seats).map(alone).sum()
                };
                let base = payoff(1);
                let gains: Vec<i32> =
                    (0..candidates.len()).map(|at| payoff(at + 2) - base).collect();
                for (at, gain) in gains.into_iter().enumerate() {
                    deal.add(at, f64::from(gain) / seats as f64, 0.0);
                }
            },
            &|_| {},
        );
        measured.tallies
    }

    /// All questions that divide the leads which the field has to choose from.
    fn questions(&self) -> Vec<Question> {
        let mut seen = vec![BTreeMap::<i32, usize>::new(); Count::ALL.len()];
        let (mut table, mut field) = (Table::new(self.game.clone()), self.field.another());
        for deal in 0..SAMPLE {
            table.begin(self.seed.child(SAMPLED).child(deal));
            table.play_on(|open, rng| {
                let view = open.view();
                if view.phase() == Phase::Lead {
                    let notes = Notes::of(&view);
                    for suit in view.legal().iter().filter_map(Action::suit) {
                        note(&mut seen, &notes, suit);
                    }
                }
                field.act(open, rng)
            });
        }
        let both = |count: Count, least: i32| {
            [Bound::AtLeast(least), Bound::AtMost(least - 1)].map(|bound| Question { count, bound })
        };
        let of = |(count, seen): (Count, &BTreeMap<i32, usize>)| {
            constants(seen).into_iter().flat_map(move |least| both(count, least))
        };
        Count::ALL.into_iter().zip(&seen).flat_map(of).collect()
    }
}

fn note(seen: &mut [BTreeMap<i32, usize>], notes: &Notes, suit: Suit) {
    for (count, seen) in Count::ALL.into_iter().zip(seen) {
        *seen.entry(count.of(notes, suit)).or_default() += 1;
    }
}

/// Where values are to be cut in two, each time between two that were seen; of many such places those that
/// leave as many values between them.
pub(in crate::study) fn constants(seen: &BTreeMap<i32, usize>) -> Vec<i32> {
    let all: Vec<i32> = seen.keys().skip(1).copied().collect();
    if all.len() <= CONSTANTS {
        return all;
    }
    let total: usize = seen.values().sum();
    let (mut below, mut cuts) = (0, Vec::new());
    for (&value, &times) in seen {
        if below * (CONSTANTS + 1) >= total * (cuts.len() + 1) && cuts.len() < CONSTANTS {
            cuts.push(value);
        }
        below += times;
    }
    cuts
}

/// The list with one more question, at any place.
fn longer<Q: Copy>(list: &[Q], questions: &[Q]) -> Vec<Vec<Q>> {
    let at = |place: usize| {
        questions.iter().map(move |question| {
            let mut longer = list.to_vec();
            longer.insert(place, *question);
            longer
        })
    };
    (0..=list.len()).flat_map(at).collect()
}

/// The list with one change: another question in a place, a question less, a question somewhere else, and
/// where there is room one more.
pub(in crate::study) fn changed<Q: Copy + PartialEq>(list: &[Q], questions: &[Q]) -> Vec<Vec<Q>> {
    let mut all = if list.len() < MOST_QUESTIONS { longer(list, questions) } else { Vec::new() };
    for place in 0..list.len() {
        let mut less = list.to_vec();
        let taken = less.remove(place);
        for other in (0..list.len()).filter(|&other| other != place) {
            let mut moved = less.clone();
            moved.insert(other, taken);
            all.push(moved);
        }
        for question in questions.iter().filter(|question| **question != taken) {
            let mut replaced = list.to_vec();
            replaced[place] = *question;
            all.push(replaced);
        }
        all.push(less);
    }
    all
}
