//! Decisions before the play: what can be done, and how a deal goes on from there.
//!
//! What is compared are whole plans. A free ante is one plan for all its chips where there are few
//! ways to split them, else for the next chip, with the others spread as a rule of thumb would.
//! Everything else before the play is one action. All that follows, up to the first lead, everybody does by
//! rules of thumb.

use newmarket_env::{Action, Game, Hands, Phase, State, View};

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
    while let Some(action) = match state.phase() {
        Phase::Lead | Phase::Over => return,
        Phase::Deal => {
            state.deal(game, hands);
            None
        }
        _ => {
            let actor = state.actor().expect("somebody is to act");
            Some(thumb::before_play(&state.view(game, actor)))
        }
    } {
        state.apply_unchecked(game, action);
    }
}
