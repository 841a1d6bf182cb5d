//! An observer that stops a run.

use newmarket_train::{Observer, Progress, Signal};

/// Stops after this many updates of a call.
pub(crate) struct StopAfter(pub(crate) u64);

impl Observer for StopAfter {
    fn seconds(&mut self) -> f64 {
        0.0
    }
    fn update(&mut self, _: &Progress<'_>) -> Signal {
        self.0 -= 1;
        if self.0 == 0 { Signal::Stop } else { Signal::GoOn }
    }
}
