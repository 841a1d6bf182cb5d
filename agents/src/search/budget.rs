//! How much a searching player may do for one decision.

use core::time::Duration;

/// A clock: the time since some fixed moment. Only the program has one; it hands it in.
pub type Clock = fn() -> Duration;

/// How much may be done for one decision.
#[derive(Clone, Copy, Debug)]
pub enum Budget {
    /// A number of worlds or iterations: the same seed gives the same choice.
    Count(u32),
    /// A time by this clock: the choice depends on the machine's speed.
    Time(Duration, Clock),
}

impl Budget {
    /// The numbers of rounds from 0 on, until the time is up; one at least, and one only where
    /// there is no time to look at.
    pub(super) fn looks(self) -> impl Iterator<Item = u64> {
        let start = match self {
            Self::Count(_) => Duration::ZERO,
            Self::Time(_, clock) => clock(),
        };
        (0..u64::MAX).take_while(move |&round| match self {
            Self::Count(_) => round == 0,
            Self::Time(limit, clock) => round == 0 || clock().saturating_sub(start) < limit,
        })
    }
}

#[cfg(all(test, feature = "std"))]
mod tests {
    use core::cell::Cell;

    use super::*;

    std::thread_local! {
        static NOW: Cell<u64> = const { Cell::new(0) };
    }

    /// A millisecond goes by with every look.
    fn clock() -> Duration {
        NOW.set(NOW.get() + 1);
        Duration::from_millis(NOW.get())
    }

    #[test]
    fn a_budget_is_spent_and_no_more() {
        assert_eq!(Budget::Count(7).looks().count(), 1);
        assert_eq!(Budget::Time(Duration::from_millis(5), clock).looks().count(), 5);
        assert_eq!(Budget::Time(Duration::ZERO, clock).looks().count(), 1);
    }
}
