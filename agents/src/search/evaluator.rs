//! The value of every choice of a decision, in the same sampled determinizations.

use alloc::vec;
use alloc::vec::Vec;

use newmarket_env::{Action, OpenPlay, Phase, Rng, View, Worlds};

use super::chunks::sums;
use super::leaf::LeafEvaluator;
use super::plans::{InWorlds, all_go_on, totals};
use super::{Budget, Playout};

/// Tries every choice in sampled determinizations, all in the same ones, and plays the deals out by a
/// heuristic.
#[derive(Clone, Copy, Debug)]
pub struct DeterminizedEvaluator {
    worlds: u32,
    playout: Playout,
}

impl DeterminizedEvaluator {
    /// An evaluator with `worlds` worlds a decision (at least one), played out by this rule.
    pub fn new(worlds: u32, playout: Playout) -> Self {
        Self { worlds: worlds.max(1), playout }
    }

    /// The chips that the viewer gains from now to the end of the deal, in the mean over worlds, for each
    /// of `view.legal()` in that order. After a choice before the play, heuristics decide up to the first
    /// lead. `[choices]`
    pub fn gains(&self, view: &View, rng: &mut Rng) -> Vec<f32> {
        let budget = Budget::Count(self.worlds);
        let (totals, before) = if view.phase() == Phase::Lead {
            (lead_totals(view, budget, self.playout, rng), 0)
        } else {
            let plans: Vec<_> = view.legal().iter().map(|action| vec![action]).collect();
            let stack = i64::from(view.stack(view.seat())) * i64::from(self.worlds);
            (totals(view, &plans, budget, self.playout, rng), stack)
        };
        totals
            .iter()
            .map(|total| ((total - before) as f64 / f64::from(self.worlds)) as f32)
            .collect()
    }
}

/// The gain of each of these plans for the view's seat from now to the end of the deal, world by world:
/// `each` is called with the gains in one world, in chips, in the order of the plans. A plan is a whole
/// decision at any stage, as its actions. After it, heuristics decide up to the first lead, and from
/// there all cards are face up. `[plans]`
///
/// # Panics
/// If the seat is not to act, or a plan is not legal.
pub fn gains_by_world(
    view: &View,
    plans: &[Vec<Action>],
    worlds: u32,
    playout: Playout,
    rng: &mut Rng,
    each: &mut dyn FnMut(&[i32]),
) {
    let in_worlds = InWorlds::new(view, plans, |states| all_go_on(view.game(), states));
    let mut leaf = LeafEvaluator::new(playout);
    let before = view.stack(view.seat());
    let mut gains = vec![0; plans.len()];
    for _ in 0..worlds {
        in_worlds.stacks(&mut leaf, rng, |nth, stack| gains[nth] = stack - before);
        each(&gains);
    }
}

/// The chips that the leader gains from now on, summed over worlds, for each legal lead. `[leads]`
pub(super) fn lead_totals(
    view: &View,
    budget: Budget,
    playout: Playout,
    rng: &mut Rng,
) -> Vec<i64> {
    let legal = view.legal();
    let worlds = Worlds::of(view);
    sums(budget, rng, |count, rng| {
        let mut leaf = LeafEvaluator::new(playout);
        let mut totals = vec![0; legal.len()];
        for _ in 0..count {
            let state = view.determinize(&worlds.draw(rng));
            let (open, position) = OpenPlay::new(view.game(), &state);
            // The same random numbers for each choice, if the rule draws any.
            let same = rng.clone();
            for (total, action) in totals.iter_mut().zip(legal.iter()) {
                rng.clone_from(&same);
                let suit = action.suit().expect("a lead is due");
                let gain = leaf.gain(&open, open.lead(&position, suit), view.seat(), rng);
                *total += i64::from(gain);
            }
        }
        totals
    })
}
