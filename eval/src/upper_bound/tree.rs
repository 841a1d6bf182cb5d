//! The tree of all that one seat can do in a deal whose cards are known, against the fixed policy.

use newmarket_env::{Action, State};

use super::field::Field;

/// The tree of a seat's choices in one deal. What happens between two choices follows from the cards and the policy.
pub(super) struct Tree {
    /// Parents before their children; the first is the root. Empty if the seat has no choice.
    pub(super) decisions: Vec<Decision>,
}

/// A choice of the seat.
pub(super) struct Decision {
    pub(super) state: State,
    /// All actions from the dealing of the cards on.
    pub(super) record: Vec<Action>,
    pub(super) actions: Vec<Action>,
    /// The number of the policy's action.
    pub(super) usual: usize,
    /// What follows each action.
    pub(super) after: Vec<After>,
}

/// What follows an action of the seat.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum After {
    /// The seat's next decision, by its number.
    Decision(usize),
    /// The end of the deal, with the seat's chips.
    End(f64),
}

impl Tree {
    /// Grows the tree of a deal whose cards have just been dealt; `None` if it has more than `most` decisions.
    pub(super) fn grow(field: &mut Field, dealt: &State, most: usize) -> Option<Self> {
        let mut tree = Self { decisions: Vec::new() };
        let (mut root, mut record) = (*dealt, Vec::new());
        if field.advance(&mut root, &mut record) {
            tree.add(field, &root, record);
        }
        let mut nth = 0;
        while nth < tree.decisions.len() {
            for choice in 0..tree.decisions[nth].actions.len() {
                let &Decision { mut state, ref record, ref actions, .. } = &tree.decisions[nth];
                let mut record = record.clone();
                record.push(actions[choice]);
                state.apply_unchecked(field.game, actions[choice]);
                tree.decisions[nth].after[choice] = if field.advance(&mut state, &mut record) {
                    tree.add(field, &state, record);
                    After::Decision(tree.decisions.len() - 1)
                } else {
                    After::End(field.chips(&state))
                };
            }
            if tree.decisions.len() > most {
                return None;
            }
            nth += 1;
        }
        Some(tree)
    }

    fn add(&mut self, field: &mut Field, state: &State, record: Vec<Action>) {
        let view = state.view(field.game, field.seat);
        let actions: Vec<Action> = view.legal().iter().collect();
        let likeliest = field.likeliest(&view);
        let usual = actions.iter().position(|&action| action == likeliest).expect("it is legal");
        let after = vec![After::End(0.0); actions.len()];
        self.decisions.push(Decision { state: *state, record, actions, usual, after });
    }

    /// What each choice gains over the policy's in this deal, if the seat plays on by the policy. `[decisions][choices]`
    pub(super) fn gains(&self) -> Vec<Vec<f64>> {
        // The seat's chips in the end if it plays by the policy from each decision on.
        let mut usually = vec![0.0; self.decisions.len()];
        let mut gains = vec![Vec::new(); self.decisions.len()];
        for (nth, Decision { after, usual, .. }) in self.decisions.iter().enumerate().rev() {
            let chips = after.iter().map(|after| match *after {
                After::Decision(next) => usually[next],
                After::End(chips) => chips,
            });
            let chips: Vec<f64> = chips.collect();
            usually[nth] = chips[*usual];
            gains[nth] = chips.iter().map(|own| own - chips[*usual]).collect();
        }
        gains
    }

    /// The greatest sum of these figures along a path from each decision on. `[decisions]`
    fn best_from(&self, figures: &[Vec<f64>]) -> Vec<f64> {
        let mut best = vec![0.0; self.decisions.len()];
        for (nth, decision) in self.decisions.iter().enumerate().rev() {
            let sums =
                figures[nth].iter().zip(&decision.after).map(|(figure, after)| match *after {
                    After::Decision(next) => figure + best[next],
                    After::End(_) => *figure,
                });
            best[nth] = sums.fold(f64::NEG_INFINITY, f64::max);
        }
        best
    }

    /// The greatest sum of these figures along a path from the root; 0 without a decision. `[decisions][choices]`
    pub(super) fn best(&self, figures: &[Vec<f64>]) -> f64 {
        self.best_from(figures).first().copied().unwrap_or(0.0)
    }

    /// By how much the best path through each choice is behind the best path of all. `[decisions][choices]`
    pub(super) fn behind(&self, figures: &[Vec<f64>]) -> Vec<Vec<f64>> {
        let best = self.best_from(figures);
        // The sum on the way to each decision.
        let mut before = vec![0.0; self.decisions.len()];
        let mut behind = Vec::with_capacity(self.decisions.len());
        for (nth, decision) in self.decisions.iter().enumerate() {
            let through = figures[nth].iter().zip(&decision.after).map(|(figure, after)| {
                let so_far = before[nth] + figure;
                match *after {
                    After::Decision(next) => {
                        before[next] = so_far;
                        so_far + best[next]
                    }
                    After::End(_) => so_far,
                }
            });
            let through: Vec<f64> = through.collect();
            behind.push(through.into_iter().map(|sum| best[0] - sum).collect());
        }
        behind
    }
}
