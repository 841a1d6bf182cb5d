//! The value of every decision of a seat, in sampled worlds: the one analysis of protocol, page and
//! terminal.
//!
//! Half of the worlds choose the best decision, and the other half estimate the value of every decision.
//! So the estimate of the best decision is not biased by its choice.

use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

use newmarket_agents::net::PolicyTrials;
use newmarket_agents::search::{Playout, gains_by_world};
#[cfg(feature = "std")]
use newmarket_agents::trials::PlanTrials;
use newmarket_env::{Action, Rng, Seed, View};

use crate::decision::{Choice, choices};

/// The most decisions that are compared at length and returned.
pub const MOST_RETURNED: usize = 32;
/// Worlds of each screening round, if there are more decisions.
const SCREENING: u32 = 16;

/// The way in which deals are played out after a decision.
pub enum Trials {
    /// By heuristics up to the first lead, from there by a rule with all cards face up.
    Rule(Playout),
    /// By a policy for all seats. Its prior counts when a decision is chosen, as in its search.
    Policy(PolicyTrials),
    /// By a fair player in all seats.
    #[cfg(feature = "std")]
    Agent(PlanTrials),
}

/// A comparison of decisions in progress.
pub struct Analysis {
    /// The decisions that are compared.
    plans: Vec<Vec<Action>>,
    choices: usize,
    listed: bool,
    trials: Trials,
    rng: Rng,
    /// Chips gained in the worlds that choose, by decision.
    choosing: Vec<i64>,
    /// Whether the next world chooses; else it estimates.
    next_chooses: bool,
    estimates: Estimates,
}

/// The fewest worlds of a comparison: two of them estimate, and fewer have no interval.
pub(crate) const FEWEST_WORLDS: u32 = 4;

/// Sums over the worlds that estimate.
struct Estimates {
    worlds: u32,
    sums: Vec<i64>,
    /// Sums of the squared difference in gain of two decisions; on the diagonal, of the squared gain.
    /// `[decisions][decisions]`
    squares: Vec<Vec<f64>>,
}

/// The value of a decision.
#[derive(Clone, PartialEq, Debug)]
pub struct Judged {
    /// The decision.
    pub choice: Choice,
    /// Chips that the seat gains from now to the end of the deal, in the mean over worlds.
    pub chips: f64,
    /// Half the width of the 95 % interval of `chips`.
    pub ci95: f64,
    /// Chips by which the decision is behind the chosen one.
    pub behind: f64,
    /// Half the width of the 95 % interval of `behind`.
    pub behind_ci95: f64,
}

impl Analysis {
    /// An analysis by the rule `stopper`, before its first world. The seat of the view is to act.
    pub fn new(view: &View, seed: Seed) -> Self {
        Self::by(view, seed, Trials::Rule(Playout::Stopper), &[])
    }

    /// An analysis by these trials, before its first world. The decision that was `taken` is compared at
    /// length, however bad it looks; it may be empty.
    pub fn by(view: &View, seed: Seed, trials: Trials, taken: &[Action]) -> Self {
        let (mut plans, listed) = choices(view);
        let all = plans.len();
        let mut kept = 1;
        if !taken.is_empty() {
            plans.retain(|plan| plan != taken);
            plans.insert(0, taken.to_vec());
            kept = 2;
        }
        let mut analysis = Self {
            choices: all.max(plans.len()),
            listed,
            trials,
            rng: seed.rng(),
            choosing: Vec::new(),
            next_chooses: true,
            estimates: Estimates::of(0),
            plans,
        };
        analysis.screen(view, kept);
        analysis
    }

    /// Keeps the best of very many decisions: all are tried in a few worlds, the better half in as many
    /// more, and so on. The first `kept` decisions stay: the taken one and the heuristic's.
    fn screen(&mut self, view: &View, kept: usize) {
        // Very many decisions are tried by a rule, which is fast.
        let (rule, mut sums) = match &mut self.trials {
            Trials::Rule(rule) => (*rule, vec![0; self.plans.len()]),
            #[cfg(feature = "std")]
            Trials::Agent(_) => (Playout::Stopper, vec![0; self.plans.len()]),
            Trials::Policy(policy) => {
                let priors = policy.priors(view, &self.plans);
                (Playout::Stopper, priors.into_iter().map(|prior| prior as i64).collect())
            }
        };
        self.choosing.clone_from(&sums);
        while self.plans.len() > MOST_RETURNED {
            gains_by_world(view, &self.plans, SCREENING, rule, &mut self.rng, &mut |gains| {
                add_to(&mut sums, gains);
            });
            let mut order = ranked(0..kept, &sums);
            order.truncate((order.len() / 2).max(MOST_RETURNED));
            self.plans = picked(&order, &self.plans);
            self.choosing = picked(&order, &self.choosing);
            sums = picked(&order, &sums);
        }
        self.estimates = Estimates::of(self.plans.len());
    }

    /// Compares the decisions in `worlds` more worlds. The view must be the one of the beginning.
    pub fn add(&mut self, view: &View, worlds: u32) {
        let Self { plans, trials, rng, choosing, next_chooses, estimates, .. } = self;
        let each = &mut |gains: &[i32]| {
            if *next_chooses {
                add_to(choosing, gains);
            } else {
                estimates.add(gains);
            }
            *next_chooses = !*next_chooses;
        };
        match trials {
            Trials::Rule(rule) => gains_by_world(view, plans, worlds, *rule, rng, each),
            Trials::Policy(policy) => policy.gains_by_world(view, plans, worlds, rng, each),
            #[cfg(feature = "std")]
            Trials::Agent(agent) => agent.gains_by_world(view, plans, worlds, rng, each),
        }
    }

    /// From now on compares at most `most` decisions: the best in the worlds that choose, and the taken
    /// one.
    pub fn narrow(&mut self, most: usize) {
        let mut order = ranked(0..1, &self.choosing);
        order.truncate(most.max(1));
        self.plans = picked(&order, &self.plans);
        self.choosing = picked(&order, &self.choosing);
        let Estimates { sums, squares, .. } = &mut self.estimates;
        *sums = picked(&order, sums);
        *squares = picked(&order, squares).iter().map(|row| picked(&order, row)).collect();
    }

    /// The number of decisions that are compared.
    pub const fn compared(&self) -> usize {
        self.plans.len()
    }

    /// Worlds so far, those that chose and those that estimate.
    pub const fn worlds(&self) -> u32 {
        let even = if self.next_chooses { 0 } else { 1 };
        self.estimates.worlds * 2 + even
    }

    /// The number of decisions; of very many, the number that were tried.
    pub const fn choices(&self) -> usize {
        self.choices
    }

    /// Whether all decisions have been tried.
    pub const fn all_tried(&self) -> bool {
        self.listed
    }

    /// The decisions, the chosen one first, the others by their value. At most [`MOST_RETURNED`].
    pub fn judged(&self, view: &View) -> Vec<Judged> {
        let best =
            (0..self.plans.len()).max_by_key(|&plan| (self.choosing[plan], usize::MAX - plan));
        let Some(best) = best else { return Vec::new() };
        let judge = |plan: usize| {
            let (chips, ci95) = self.estimates.mean(plan);
            let (behind, behind_ci95) = self.estimates.behind(plan, best);
            let choice = Choice::of(view, &self.plans[plan])?;
            Some(Judged { choice, chips, ci95, behind, behind_ci95 })
        };
        let order = ranked(best..best + 1, &self.estimates.sums);
        order.into_iter().filter_map(judge).collect()
    }
}

fn add_to(sums: &mut [i64], gains: &[i32]) {
    sums.iter_mut().zip(gains).for_each(|(sum, &gain)| *sum += i64::from(gain));
}

/// The items at these places, in this order.
fn picked<T: Clone>(order: &[usize], items: &[T]) -> Vec<T> {
    order.iter().map(|&plan| items[plan].clone()).collect()
}

/// Decisions by their sums, the greatest first; the decisions `first` come before all others.
fn ranked(first: Range<usize>, sums: &[i64]) -> Vec<usize> {
    let key =
        |(plan, sum): (usize, &i64)| (if first.contains(&plan) { i64::MIN } else { -sum }, plan);
    let mut order: Vec<_> = sums.iter().enumerate().map(key).collect();
    order.sort_unstable();
    order.into_iter().map(|(_, plan)| plan).collect()
}

impl Estimates {
    fn of(plans: usize) -> Self {
        Self { worlds: 0, sums: vec![0; plans], squares: vec![vec![0.0; plans]; plans] }
    }

    fn add(&mut self, gains: &[i32]) {
        self.worlds += 1;
        for (plan, &gain) in gains.iter().enumerate() {
            self.sums[plan] += i64::from(gain);
            for (nth, &other) in gains.iter().enumerate() {
                let other = if nth == plan { 0.0 } else { f64::from(other) };
                let more = f64::from(gain) - other;
                self.squares[plan][nth] += more * more;
            }
        }
    }

    /// The mean of a plan's gains, and half the width of its 95 % interval.
    fn mean(&self, plan: usize) -> (f64, f64) {
        self.interval(self.sums[plan], self.squares[plan][plan])
    }

    /// How far a plan is behind another in the same worlds, and half the width of the 95 % interval.
    fn behind(&self, plan: usize, best: usize) -> (f64, f64) {
        if plan == best {
            return (0.0, 0.0);
        }
        self.interval(self.sums[best] - self.sums[plan], self.squares[best][plan])
    }

    fn interval(&self, sum: i64, squares: f64) -> (f64, f64) {
        let (count, sum) = (f64::from(self.worlds.max(1)), sum as f64);
        let mean = sum / count;
        let variance = (squares - sum * mean).max(0.0) / (count - 1.0).max(1.0);
        (mean, 1.96 * libm::sqrt(variance / count))
    }
}

#[cfg(test)]
mod tests {
    use newmarket_env::seed::below;

    use super::*;

    /// The mean of these, and half of its interval, by their definition.
    fn slow(values: &[f64]) -> (f64, f64) {
        let count = values.len() as f64;
        let mean = values.iter().sum::<f64>() / count;
        let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
        (mean, 1.96 * (squares / (count - 1.0) / count).sqrt())
    }

    fn near(got: (f64, f64), due: (f64, f64)) {
        assert!((got.0 - due.0).abs() < 1e-9 && (got.1 - due.1).abs() < 1e-9, "{got:?}, {due:?}");
    }

    /// Also where all gains are nearly as many chips as a table may hold.
    #[test]
    fn intervals_are_those_of_their_definition() {
        let mut rng = Seed::new(9).rng();
        for (most, base) in [(40, 0), (40, 400_000_000), (40, -900_000_000)] {
            let mut estimates = Estimates::of(3);
            let worlds: Vec<[i32; 3]> = (0..50)
                .map(|_| core::array::from_fn(|_| base + below(&mut rng, most) as i32))
                .collect();
            for gains in &worlds {
                estimates.add(gains);
            }
            for plan in 0..3 {
                let gains: Vec<f64> = worlds.iter().map(|gains| f64::from(gains[plan])).collect();
                if base == 0 {
                    near(estimates.mean(plan), slow(&gains));
                }
                for best in 0..3 {
                    let behind = worlds.iter().map(|world| f64::from(world[best] - world[plan]));
                    near(estimates.behind(plan, best), slow(&behind.collect::<Vec<_>>()));
                }
            }
        }
    }
}
