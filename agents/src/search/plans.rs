//! Decisions before the play as plans, and the course of a deal after a plan.
//!
//! Whole plans are compared. The value of a split of a free ante is nearly a sum over its chips, so the
//! best split with all chips on one cell is nearly the best of all. Only these splits and the heuristic's
//! are tried (`decisions/0001-search.md`). Under a cap on the cells every cell is tried for the next chip,
//! and the heuristic places the other chips. Every other decision before the play is one action. After a
//! plan, all seats act by heuristics up to the first lead.

use alloc::vec;
use alloc::vec::Vec;

use newmarket_env::random::Sampler;
use newmarket_env::{Action, DealDriver, Decision, Game, Hands, Phase, Rng, State, View, Worlds};

use super::chunks::sums;
use super::leaf::LeafEvaluator;
use super::{Budget, Playout};
use crate::usual;

/// The plans of a decision: the viewer's actions, one after the other.
pub(super) fn plans(view: &View) -> Vec<Vec<Action>> {
    let legal = view.legal().iter();
    if view.phase() != Phase::Ante || view.game().rules().cell_cap.is_some() {
        return legal.map(|action| vec![action]).collect();
    }
    let mut plans = vec![by_heuristic(view)];
    plans.extend(legal.map(|chip| vec![chip; view.chips_left()]));
    plans
}

/// The rest of an ante by the heuristic.
fn by_heuristic(view: &View) -> Vec<Action> {
    let mut viewer_alone = Hands::default();
    viewer_alone.seats[view.seat()] = view.hand();
    let mut state = view.determinize(&viewer_alone);
    let mut chips = Vec::with_capacity(view.chips_left());
    loop {
        let chip = usual::before_play(&state.view(view.game(), view.seat()));
        chips.push(chip);
        if chips.len() == view.chips_left() {
            return chips;
        }
        state.apply_unchecked(view.game(), chip);
    }
}

/// Plays on by heuristics until the cards or a lead are due, or the deal is over.
pub(super) fn go_on(game: &Game, state: &mut State) {
    while let Some(Decision { seat, .. }) = DealDriver::ALL.next_or_cards(game, state)
        && state.phase() != Phase::Lead
    {
        let action = usual::before_play(&state.view(game, seat));
        state.apply_unchecked(game, action);
    }
}

/// Plans of one decision, to be tried in worlds.
pub(crate) struct InWorlds<'v, 'p> {
    view: &'v View<'v>,
    plans: &'p [Vec<Action>],
    worlds: Worlds,
    /// Draws hands, if the cards are not dealt yet.
    undealt_hands: Option<Sampler<'v>>,
    /// The state after each plan, if the cards are not dealt yet: it is the same in every world.
    undealt: Vec<State>,
}

/// A world: the cards, and the state at the decision if the cards have been dealt.
pub(crate) struct InWorld {
    hands: Hands,
    now: Option<State>,
}

impl<'v, 'p> InWorlds<'v, 'p> {
    /// The plans of a view. `go_on` plays deals on until the cards are due.
    pub(crate) fn new(
        view: &'v View<'v>,
        plans: &'p [Vec<Action>],
        go_on: impl FnOnce(&mut [State]),
    ) -> Self {
        let mut undealt = Vec::new();
        if !view.is_dealt() {
            undealt.resize(plans.len(), view.determinize(&Hands::default()));
            for (state, plan) in undealt.iter_mut().zip(plans) {
                take(view.game(), state, plan);
            }
            go_on(&mut undealt);
        }
        let sampler = || Sampler::new(view.game(), view.dealer(), view.seats_in());
        let undealt_hands = (!view.is_dealt()).then(sampler);
        Self { view, plans, worlds: Worlds::of(view), undealt_hands, undealt }
    }

    /// Draws a world, each as likely as any other.
    pub(crate) fn draw(&self, rng: &mut Rng) -> InWorld {
        self.world(match &self.undealt_hands {
            Some(sampler) => sampler.hands(rng),
            None => self.worlds.draw(rng),
        })
    }

    /// The world of these hands.
    pub(crate) fn world(&self, hands: Hands) -> InWorld {
        let now = self.view.is_dealt().then(|| self.view.determinize(&hands));
        InWorld { hands, now }
    }

    /// The state after a plan in a world, with the cards dealt.
    pub(crate) fn after(&self, world: &InWorld, nth: usize) -> State {
        let game = self.view.game();
        let mut state = world.now.unwrap_or_else(|| self.undealt[nth]);
        if world.now.is_some() {
            take(game, &mut state, &self.plans[nth]);
        } else {
            state.deal(game, &world.hands);
        }
        state
    }

    /// The viewer's stack after each plan in one world, all in the same.
    pub(super) fn stacks(
        &self,
        leaf: &mut LeafEvaluator,
        rng: &mut Rng,
        mut stack: impl FnMut(usize, i32),
    ) {
        let (view, game) = (self.view, self.view.game());
        let world = self.draw(rng);
        let same = rng.clone();
        for nth in 0..self.plans.len() {
            // The same random numbers for each plan, if the rule of playouts draws any.
            rng.clone_from(&same);
            let mut state = self.after(&world, nth);
            go_on(game, &mut state);
            stack(nth, leaf.stack(game, &state, view.seat(), rng));
        }
    }
}

/// Takes the actions of a plan.
fn take(game: &Game, state: &mut State, plan: &[Action]) {
    for &action in plan {
        state.apply_unchecked(game, action);
    }
}

/// The state after a plan, played on by heuristics until the cards or a lead are due.
pub(super) fn after(game: &Game, mut state: State, plan: &[Action]) -> State {
    take(game, &mut state, plan);
    go_on(game, &mut state);
    state
}

/// Plays on by heuristics in all of these deals.
pub(super) fn all_go_on(game: &Game, states: &mut [State]) {
    for state in states {
        go_on(game, state);
    }
}

/// The viewer's gain by each plan, in chips, summed over worlds.
pub(super) fn totals(
    view: &View,
    plans: &[Vec<Action>],
    budget: Budget,
    playout: Playout,
    rng: &mut Rng,
) -> Vec<i64> {
    let in_worlds = InWorlds::new(view, plans, |states| all_go_on(view.game(), states));
    sums(budget, rng, |count, rng| {
        let mut leaf = LeafEvaluator::new(playout);
        let mut totals = vec![0; plans.len()];
        for _ in 0..count {
            in_worlds.stacks(&mut leaf, rng, |nth, stack| totals[nth] += i64::from(stack));
        }
        totals
    })
}

/// The index of the greatest value, the first among equals.
pub(super) fn first_best(totals: &[i64]) -> usize {
    let best = totals.iter().max().expect("a decision has a choice");
    totals.iter().position(|total| total == best).expect("it is one of them")
}

/// The plan of a free ante, kept from its first chip to its last.
#[derive(Default)]
pub(super) struct Ante {
    seat: usize,
    /// Chips that are still to be placed, the next last.
    chips: Vec<Action>,
}

impl Ante {
    /// Begins the chosen plan: its first action.
    pub(super) fn plan(&mut self, view: &View, mut plans: Vec<Vec<Action>>, best: usize) -> Action {
        let mut chips = plans.swap_remove(best);
        chips.reverse();
        let first = chips.pop().expect("a plan has an action");
        *self = Self { seat: view.seat(), chips };
        first
    }

    /// The next chip of the plan, if this is the ante that it was made for.
    pub(super) fn planned(&mut self, view: &View) -> Option<Action> {
        let begun = (0..view.game().cells()).any(|cell| view.staked(view.seat(), cell) > 0);
        let due = view.phase() == Phase::Ante && begun && self.seat == view.seat();
        let fits = due && self.chips.len() == view.chips_left();
        self.chips.pop().filter(|&chip| fits && view.legal().contains(chip))
    }
}
