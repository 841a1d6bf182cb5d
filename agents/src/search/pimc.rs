//! Perfect-information Monte Carlo: every choice, tried in the same imagined worlds.
//!
//! The player draws complete deals, each as likely as any other that is consistent with what it
//! has seen, plays every choice out in each of them with all cards face up, and takes the one
//! that does best in the mean. Long, Sturtevant, Buro and Furtak (2010), *Understanding the
//! Success of Perfect Information Monte Carlo Sampling in Game Tree Search*, explain why this is
//! strong where hidden cards come to light quickly, as they do here.

use newmarket_env::{
    Action, Game, Hands, Next, OpenPlay, Phase, Position, Rng, State, View, Worlds, random,
};

use super::plans::{go_on, plans};
use super::{Budget, Playout, Solver};
use crate::agent::Agent;
use crate::thumb;

/// Up to so many cards in all hands, a playout is replaced by the solution.
const SOLVED: usize = 8;

/// A player that searches imagined worlds.
pub struct Pimc {
    name: String,
    budget: Budget,
    rest: Rest,
    /// What is left of the ante that was decided upon with its first chip.
    ante: Ante,
}

/// Chips that are still to be placed as planned, the next one last.
#[derive(Default)]
struct Ante {
    seat: usize,
    chips: Vec<Action>,
}

impl Pimc {
    /// A player of this name that looks at so many worlds a decision, and plays them out by this rule.
    pub fn new(name: &str, budget: Budget, playout: Playout) -> Self {
        let rest = Rest { playout, solver: Solver::default() };
        Self { name: name.into(), budget, rest, ante: Ante::default() }
    }

    fn lead(&mut self, view: &View, rng: &mut Rng) -> Action {
        let legal: Vec<Action> = view.legal().iter().collect();
        let worlds = Worlds::of(view);
        let mut totals = vec![0_i64; legal.len()];
        for _ in self.budget.spend() {
            let state = view.imagine(&worlds.draw(rng));
            let (open, at) = OpenPlay::new(view.game(), &state);
            // The same numbers for each choice, where the rule needs any.
            let same = rng.clone();
            for (total, &action) in totals.iter_mut().zip(&legal) {
                rng.clone_from(&same);
                let suit = action.suit().expect("a lead is due");
                let gain = self.rest.gain(&open, open.lead(&at, suit), view.seat(), rng);
                *total += i64::from(gain);
            }
        }
        legal[first_best(&totals)]
    }

    fn before_play(&mut self, view: &View, rng: &mut Rng) -> Action {
        let mut plans = plans(view);
        let totals = totals(view, &plans, self.budget, &mut self.rest, rng);
        let mut plan = plans.swap_remove(first_best(&totals));
        plan.reverse();
        let first = plan.pop().expect("a plan has an action");
        self.ante = Ante { seat: view.seat(), chips: plan };
        first
    }

    /// The next chip of the plan, if this is the ante that it was made for.
    fn planned(&mut self, view: &View) -> Option<Action> {
        let begun = (0..view.game().cells()).any(|cell| view.staked(view.seat(), cell) > 0);
        let due = view.phase() == Phase::Ante && begun && self.ante.seat == view.seat();
        let fits = due && self.ante.chips.len() == view.chips_left();
        self.ante.chips.pop().filter(|&chip| fits && view.legal().contains(chip))
    }
}

impl Agent for Pimc {
    fn name(&self) -> &str {
        &self.name
    }

    fn act(&mut self, view: &View, rng: &mut Rng) -> Action {
        if let Some(chip) = self.planned(view) {
            return chip;
        }
        match view.phase() {
            Phase::Lead => self.lead(view, rng),
            // No other five win the pot more often, and they cost nothing later.
            Phase::SetApart => thumb::set_apart(view),
            _ => self.before_play(view, rng),
        }
    }

    fn another(&self) -> Box<dyn Agent> {
        Box::new(Self::new(&self.name, self.budget, self.rest.playout))
    }
}

/// How the rest of a deal goes in an imagined world.
pub(super) struct Rest {
    pub(super) playout: Playout,
    pub(super) solver: Solver,
}

impl Rest {
    /// Chips that a seat gains from where `open` begins.
    pub(super) fn gain(&mut self, open: &OpenPlay, next: Next, seat: usize, rng: &mut Rng) -> i32 {
        match next {
            Next::Over(end) => open.gain(&end, seat),
            Next::Lead(at) => self.gain_from(open, at, seat, rng),
        }
    }

    fn gain_from(&mut self, open: &OpenPlay, at: Position, seat: usize, rng: &mut Rng) -> i32 {
        if at.live().len() <= SOLVED {
            self.solver.clear();
            let gains = self.solver.gains(open, &at, usize::MAX);
            return gains.expect("there is no limit")[seat];
        }
        open.gain(&self.playout.play_out(open, at, rng), seat)
    }

    /// Chips that a seat has at the end.
    pub(super) fn stack(
        &mut self,
        game: &Game,
        mut state: State,
        hands: &Hands,
        seat: usize,
        rng: &mut Rng,
    ) -> i32 {
        go_on(game, &mut state, hands);
        let stack = state.stacks()[seat];
        if state.is_over() {
            return stack;
        }
        let (open, at) = OpenPlay::new(game, &state);
        stack + self.gain_from(&open, at, seat, rng)
    }
}

/// What each plan leaves the viewer with, summed over worlds.
pub(super) fn totals(
    view: &View,
    plans: &[Vec<Action>],
    budget: Budget,
    rest: &mut Rest,
    rng: &mut Rng,
) -> Vec<i64> {
    let game = view.game();
    let worlds = Worlds::of(view);
    let mut totals = vec![0; plans.len()];
    for _ in budget.spend() {
        let hands = if view.is_dealt() {
            worlds.draw(rng)
        } else {
            random::hands(game, view.dealer(), view.seats_in(), rng)
        };
        let before = view.imagine(&if view.is_dealt() { hands } else { Hands::default() });
        let same = rng.clone();
        for (total, plan) in totals.iter_mut().zip(plans) {
            rng.clone_from(&same);
            let mut state = before;
            for &action in plan {
                state.apply_unchecked(game, action);
            }
            *total += i64::from(rest.stack(game, state, &hands, view.seat(), rng));
        }
    }
    totals
}

/// The first of the greatest.
pub(super) fn first_best(totals: &[i64]) -> usize {
    let best = totals.iter().max().expect("a decision has a choice");
    totals.iter().position(|total| total == best).expect("it is one of them")
}
