//! How much a searching player may do for one decision.

use std::time::Duration;

/// A clock: the time since some fixed moment. Only the program has one; it hands it in.
pub type Clock = fn() -> Duration;

/// Worlds that are looked at between two looks at the clock.
const BETWEEN_LOOKS: u32 = 8;

/// How much may be done for one decision.
#[derive(Clone, Copy, Debug)]
pub enum Budget {
    /// So many worlds or iterations: the same seed gives the same choice.
    Count(u32),
    /// So much time, by this clock.
    Time(Duration, Clock),
}

impl Budget {
    /// The numbers from 0 on, until the budget is spent; at least one.
    pub(super) fn spend(self) -> impl Iterator<Item = u32> {
        let start = match self {
            Self::Count(_) => Duration::ZERO,
            Self::Time(_, clock) => clock(),
        };
        (0..u32::MAX).take_while(move |&done| match self {
            Self::Count(count) => done < count.max(1),
            Self::Time(limit, clock) => {
                done == 0 || done % BETWEEN_LOOKS != 0 || clock().saturating_sub(start) < limit
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    thread_local! {
        static NOW: Cell<u64> = const { Cell::new(0) };
    }

    /// A millisecond goes by with every look.
    fn clock() -> Duration {
        NOW.set(NOW.get() + 1);
        Duration::from_millis(NOW.get())
    }

    #[test]
    fn a_budget_is_spent_and_no_more() {
        assert_eq!(Budget::Count(7).spend().count(), 7);
        assert_eq!(Budget::Count(0).spend().count(), 1);
        let time = Budget::Time(Duration::from_millis(5), clock);
        assert_eq!(time.spend().count(), 5 * BETWEEN_LOOKS as usize);
        let none = Budget::Time(Duration::ZERO, clock);
        assert_eq!(none.spend().count(), BETWEEN_LOOKS as usize);
    }
}
