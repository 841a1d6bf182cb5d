//! Why a strategy decides as it does.

use alloc::string::String;
use alloc::vec::Vec;

use newmarket_env::{ActionMask, View};

use super::content::DecisionKind;
use super::player::{Player, Strategy};
use crate::player::Agent as _;

/// One step of a decision: a clause or a line of a strategy that left fewer choices, or the player without clauses
/// that chooses among those that are left.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reason {
    /// The name of the strategy, or of the player without clauses.
    pub by: String,
    /// The kind of the decision.
    pub kind: DecisionKind,
    /// The last clause that left fewer choices, or the line that decided, as the file says it; `ante` for a split.
    /// `None`: a player without clauses decides.
    pub text: Option<String>,
    /// The choices that are left after the step; for a player without clauses those from which it chooses.
    pub left: ActionMask,
}

impl Strategy {
    /// What decides here, step by step: the strategy first, then its base, the base of that, and so on. Strategies
    /// that leave all choices as they are do not appear. Without a decision there are no steps.
    pub fn reasons(&self, view: &View) -> Vec<Reason> {
        let mut reasons = Vec::new();
        if let Some(kind) = DecisionKind::of(view.phase()) {
            self.explain(kind, view, view.legal(), &mut reasons);
        }
        reasons
    }

    fn explain(
        &self,
        kind: DecisionKind,
        view: &View,
        among: ActionMask,
        reasons: &mut Vec<Reason>,
    ) {
        let (left, text) = self.narrow(view, among);
        if let Some(text) = text {
            reasons.push(Reason { by: self.name().into(), kind, text: Some(text.into()), left });
        }
        if left.is_forced() {
            return;
        }
        let base = match self.base_of(kind) {
            Player::First => "first",
            Player::Random => "random",
            Player::Usual => "usual",
            Player::Agent(agent) => match agent.strategy() {
                Some(base) => return base.explain(kind, view, left, reasons),
                None => agent.name(),
            },
        };
        reasons.push(Reason { by: base.into(), kind, text: None, left });
    }
}
