//! Decisions before the play: what can be done, and how a deal goes on from there.
//!
//! What is compared are whole plans. A free ante is one plan for all its chips where there are few
//! ways to split them, else for the next chip, with the others spread as a rule of thumb would.
//! Everything else before the play is one action. All that follows, up to the first lead, everybody
//! does by rules of thumb.

use newmarket_env::{Action, Game, Hands, Phase, Rng, State, View, Worlds, random};

use super::Budget;
use super::rest::Rest;
use crate::thumb;

/// Splits of an ante that are all tried; of more, only those of the next chip are.
const MOST_PLANS: usize = 64;

/// What can be done: the actions of each plan, one after another, all by the viewer.
pub(super) fn plans(view: &View) -> Vec<Vec<Action>> {
    let one_each = || view.legal().iter().map(|action| vec![action]).collect();
    if view.phase() != Phase::Ante {
        return one_each();
    }
    let cells = view.game().cells() - view.cursor();
    let mut splits = 1_usize;
    for k in 1..cells {
        splits = splits.saturating_mul(view.chips_left() + k) / k;
    }
    if splits > MOST_PLANS || view.game().rules().cell_cap.is_some() {
        return one_each();
    }
    let mut plans = Vec::with_capacity(splits);
    let mut chips = Vec::with_capacity(view.chips_left());
    split(view.cursor(), view.game().cells(), view.chips_left(), &mut chips, &mut plans);
    plans
}

/// All ways to place so many chips on the cells from `first` on.
fn split(
    first: usize,
    cells: usize,
    left: usize,
    chips: &mut Vec<Action>,
    plans: &mut Vec<Vec<Action>>,
) {
    if left == 0 {
        plans.push(chips.clone());
        return;
    }
    for cell in first..cells {
        chips.push(Action::chip(cell));
        split(cell, cells, left - 1, chips, plans);
        chips.pop();
    }
}

/// Goes on by rules of thumb until a lead is due or the deal is over; the cards, if they are not
/// dealt yet, are `hands`.
pub(super) fn go_on(game: &Game, state: &mut State, hands: &Hands) {
    loop {
        match state.phase() {
            Phase::Lead | Phase::Over => return,
            Phase::Deal => state.deal(game, hands),
            _ => {
                let actor = state.actor().expect("somebody is to act");
                let action = thumb::before_play(&state.view(game, actor));
                state.apply_unchecked(game, action);
            }
        }
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

/// The plan of a free ante, kept from its first chip to its last.
#[derive(Default)]
pub(super) struct Ante {
    seat: usize,
    /// Chips that are still to be placed, the next one last.
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
