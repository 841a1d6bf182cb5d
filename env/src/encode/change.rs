//! Which part of a packed row a step changes: the rest need not be written again.

use crate::state::Phase;

/// The part of a packed row that may have changed between two decisions at a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Change {
    /// The part that antes change: the step began and ended in the antes of one deal.
    Antes,
    /// The part that leads change: the step began and ended at leads of one deal.
    Play,
    /// The whole row.
    Anything,
}

impl Change {
    /// The change by a step that began and ended in these phases.
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
