//! A list of questions about cells: which of them to stake on.

use std::fmt;

use newmarket_agents::basic::Bound;
use newmarket_agents::heuristic::stakes::Cells;

use super::counts::{Count, Notes};

/// A question about a cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Question {
    pub(super) count: Count,
    pub(super) bound: Bound,
}

impl Question {
    /// The cells of which the answer is yes.
    pub(super) fn yes(self, notes: &Notes) -> Cells {
        notes.cells_where(self.count, |count| self.bound.holds(count))
    }
}

/// As it would be asked.
impl fmt::Display for Question {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = self.count.text();
        match (self.count, self.bound) {
            (Count::Own, Bound::AtLeast(_)) => f.write_str("do you hold it?"),
            (Count::Own, Bound::AtMost(_)) => f.write_str("do you not hold it?"),
            (_, Bound::AtLeast(1)) => write!(f, "{text}: any?"),
            (_, Bound::AtLeast(least)) => write!(f, "{text}: {least} or more?"),
            (_, Bound::AtMost(0)) => write!(f, "{text}: none?"),
            (_, Bound::AtMost(most)) => write!(f, "{text}: {most} or fewer?"),
        }
    }
}

/// Questions in their order.
pub(super) type List = Vec<Question>;

/// The cells that stay: those with a yes, unless there are none, question by question.
pub(super) fn cells_left(all: Cells, answers: impl IntoIterator<Item = Cells>) -> Cells {
    answers.into_iter().fold(all, |left, yes| if left & yes == 0 { left } else { left & yes })
}

/// The cells on which these questions stake.
pub(super) fn cells_of(list: &[Question], notes: &Notes) -> Cells {
    cells_left(notes.all(), list.iter().map(|question| question.yes(notes)))
}
