//! What a step changes of a packed row, so that the rest need not be written again.

use crate::state::Phase;

/// What may have changed of a packed row between two decisions at a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Change {
    /// What antes change: the step began and ended in the antes of one deal.
    Antes,
    /// What leads and their sequences change: the step began and ended at a lead of one deal.
    Play,
    /// All of it.
    Anything,
}

impl Change {
    /// What a step has changed that began and ended in these phases.
    #[expect(clippy::inline_always, reason = "part of the loop of a batch")]
    #[inline(always)]
    pub(crate) fn within(before: Phase, after: Phase, same_deal: bool) -> Self {
        match before {
            _ if before != after || !same_deal => Self::Anything,
            Phase::Ante => Self::Antes,
            Phase::Lead => Self::Play,
            _ => Self::Anything,
        }
    }
}
