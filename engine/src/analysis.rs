//! What every decision of a seat is worth, in sampled worlds: one way for protocol, page and terminal.
//!
//! Half of the worlds choose the best decision, the other half say what it and the others are worth.
//! So the value of the best is not too high because it was chosen for it.

use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

use newmarket_agents::net::PolicyTrials;
use newmarket_agents::search::{Playout, gains_by_world};
use newmarket_env::{Action, Rng, Seed, View};

use crate::decision::{Choice, choices};

/// Decisions that are compared at length, and told of.
pub const MOST_RETURNED: usize = 32;
/// Worlds of each round in which decisions are tried, where there are more.
const SCREENING: u32 = 16;

/// How deals are played out after a decision.
pub enum Trials {
    /// By heuristics up to the first lead, from there by a rule with all cards face up.
    Rule(Playout),
    /// By a policy for all seats. Its prior counts when a decision is chosen, as in its search.
    Policy(PolicyTrials),
}

/// A comparison of decisions, as far as it has come.
pub struct Analysis {
    /// The decisions that are compared.
    plans: Vec<Vec<Action>>,
    choices: usize,
    listed: bool,
    trials: Trials,
    rng: Rng,
    /// Gains in the worlds that choose, and whether the next world is one of them.
    choosing: Vec<i64>,
    next_chooses: bool,
    estimates: Estimates,
}

/// Worlds of a comparison at least: two of them estimate, fewer have no interval.
pub(crate) const FEWEST_WORLDS: u32 = 4;

/// Sums over the worlds that say what decisions are worth.
struct Estimates {
    worlds: u32,
    sums: Vec<i64>,
    /// Of squares of what one decision gains more than another; of its own gains on the diagonal.
    squares: Vec<Vec<f64>>,
}

/// What a decision is worth.
#[derive(Clone, PartialEq, Debug)]
pub struct Judged {
    /// The decision.
    pub choice: Choice,
    /// Chips that the seat gains from now to the end of the deal, in the mean.
    pub chips: f64,
    /// Half of the width of its interval of 95 %.
    pub ci95: f64,
    /// Chips that it is behind the decision that was chosen.
    pub behind: f64,
    /// Half of the width of the interval of that.
    pub behind_ci95: f64,
}

impl Analysis {
    /// Nothing has been compared yet. The seat of the view is to act.
    pub fn new(view: &View, seed: Seed) -> Self {
        Self::by(view, seed, Trials::Rule(Playout::Stopper), &[])
    }

    /// The same with deals played out like this. A decision that was `taken` is compared at length,
    /// however bad it looks; it may be empty.
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

    /// Keeps the decisions that do best, where there are very many: all are tried in a few worlds, the
    /// better half of them in as many more, and so on. The first ones stay: what was taken, and what a
    /// heuristic takes.
    fn screen(&mut self, view: &View, kept: usize) {
        // That many are tried by a rule alone, which is fast.
        let (rule, mut sums) = match &mut self.trials {
            Trials::Rule(rule) => (*rule, vec![0; self.plans.len()]),
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

    /// Compares the decisions in so many more worlds. The view is that of the beginning.
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
        }
    }

    /// From now on compares so many decisions at most: those that do best in the worlds that choose,
    /// and the one that was taken.
    pub fn narrow(&mut self, most: usize) {
        let mut order = ranked(0..1, &self.choosing);
        order.truncate(most.max(1));
        self.plans = picked(&order, &self.plans);
        self.choosing = picked(&order, &self.choosing);
        let Estimates { sums, squares, .. } = &mut self.estimates;
        *sums = picked(&order, sums);
        *squares = picked(&order, squares).iter().map(|row| picked(&order, row)).collect();
    }

    /// How many decisions are compared.
    pub const fn compared(&self) -> usize {
        self.plans.len()
    }

    /// Worlds so far, those that chose and those that estimate.
    pub const fn worlds(&self) -> u32 {
        let even = if self.next_chooses { 0 } else { 1 };
        self.estimates.worlds * 2 + even
    }

    /// How many decisions there are; of very many, those that have been tried.
    pub const fn choices(&self) -> usize {
        self.choices
    }

    /// Whether all decisions have been tried.
    pub const fn all_tried(&self) -> bool {
        self.listed
    }

    /// The decisions, the chosen one first, the others by what they are worth. At most
    /// [`MOST_RETURNED`].
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

/// Those of these places, in their order.
fn picked<T: Clone>(order: &[usize], of: &[T]) -> Vec<T> {
    order.iter().map(|&plan| of[plan].clone()).collect()
}

/// Decisions by their sums, the greatest first; some of them before all others, as they stand.
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

    /// The mean of a plan's gains, and half of its interval of 95 %.
    fn mean(&self, plan: usize) -> (f64, f64) {
        self.interval(self.sums[plan], self.squares[plan][plan])
    }

    /// How far a plan is behind another in the same worlds.
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
                    let behind = worlds.iter().map(|of| f64::from(of[best] - of[plan]));
                    near(estimates.behind(plan, best), slow(&behind.collect::<Vec<_>>()));
                }
            }
        }
    }
}
