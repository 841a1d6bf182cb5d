//! A uniform sample of all rows (Vitter 1985, algorithm R), as Deep CFR and NFSP keep it.

use super::{Kept, RowMemory};
use crate::trajectory::RolloutRows;
use newmarket_env::Observation;
use newmarket_env::seed::{Rng, below, unit};
use serde::{Deserialize, Serialize};

/// Keeps a uniform sample of all rows of the phase; the learner sees a part of it in each update.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reservoir {
    /// The most rows that are kept, 1 to a million. A row takes some 700 bytes, in memory and beside a
    /// checkpoint.
    pub capacity: usize,
    /// Rows that the learner sees in an update, at least 1, drawn without replacement.
    pub sample: usize,
}

#[typetag::serde(name = "reservoir")]
impl RowMemory for Reservoir {
    fn about(&self) -> String {
        format!("{} rows from a reservoir of {}", self.sample, self.capacity)
    }

    fn recall(
        &self,
        kept: &mut Kept,
        new: &RolloutRows<Observation>,
        rng: &mut Rng,
    ) -> RolloutRows<Observation> {
        let old = kept.rows.len();
        let mut places: Vec<usize> = (0..old).collect();
        for row in 0..new.len() {
            if places.len() < self.capacity {
                places.push(old + row);
                continue;
            }
            let seen = kept.seen + row as u64 + 1;
            if let Some(place) = places.get_mut((unit(rng) * seen as f64) as usize) {
                *place = old + row;
            }
        }
        kept.rows.append(new.clone());
        kept.rows = kept.rows.pick(&places);
        let mut order: Vec<usize> = (0..kept.rows.len()).collect();
        let drawn = self.sample.min(order.len());
        for nth in 0..drawn {
            let other = nth + below(rng, (order.len() - nth) as u32) as usize;
            order.swap(nth, other);
        }
        kept.rows.pick(&order[..drawn])
    }

    fn faults(&self) -> Vec<String> {
        /// All rows must fit into memory.
        const MOST: usize = 1_000_000;
        let values = [("capacity", self.capacity), ("sample", self.sample)];
        let wrong = values.into_iter().filter(|(_, value)| !(1..=MOST).contains(value));
        wrong.map(|(name, value)| format!("`{name}` is {value}, 1 to {MOST} are allowed")).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trajectory::PolicyDecision;
    use newmarket_env::seed::Seed;
    use newmarket_env::{Game, Rules, Session, State};

    /// An observation of a game: which one does not matter.
    fn observation() -> Observation {
        let rules = Rules::named("newmarket").expect("a game");
        let game = Game::new(rules, 3).expect("three play it");
        let session = Session::single_deal(&game, Seed::new(1));
        Observation::of(&State::new(&game, session.deal_start()).view(&game, 0))
    }

    /// Rows whose values are these numbers.
    fn rows(observation: &Observation, numbers: std::ops::Range<u32>) -> RolloutRows<Observation> {
        let mut rows = RolloutRows::default();
        for number in numbers {
            let actions = 2 + number as usize % 3;
            let decision = PolicyDecision {
                observation: *observation,
                legal: (1 << actions) - 1,
                log_probs: vec![-(actions as f32).ln(); actions],
                value: number as f32,
                kind: 0,
                unit: 1.0,
            };
            rows.push_sampled_action(decision, 1, number as f32);
        }
        rows
    }

    #[test]
    fn every_row_is_as_likely_to_be_kept_as_any_other() {
        let reservoir = Reservoir { capacity: 20, sample: 5 };
        let (observation, updates, each) = (observation(), 10, 8);
        let mut kept_in = vec![0; updates * each];
        for seed in 0..400 {
            let (mut kept, mut rng) = (Kept::default(), Seed::new(seed).rng());
            for update in 0..updates {
                let first = (update * each) as u32;
                let new = rows(&observation, first..first + each as u32);
                let seen = reservoir.recall(&mut kept, &new, &mut rng);
                kept.seen += each as u64;
                assert_eq!((seen.len(), kept.rows.len()), (5, 20.min((update + 1) * each)));
                for row in 0..seen.len() {
                    let actions = seen.actions(row);
                    assert_eq!(
                        seen.weights[actions.clone()].len(),
                        2 + seen.values[row] as usize % 3
                    );
                    assert!((seen.advantages[actions][1] - seen.values[row]).abs() < 1e-6);
                }
            }
            kept.rows.values.iter().for_each(|&value| kept_in[value as usize] += 1);
        }
        // 400 · 20 / 80 = 100 each, give or take four standard deviations.
        assert!(kept_in.iter().all(|count| (65..=135).contains(count)), "{kept_in:?}");
    }
}
