//! The pace at which events are shown.

use std::time::Duration;

use newmarket_env::Event;

/// The paces that keys choose from, in milliseconds between two cards.
const STEPS: [u64; 7] = [0, 50, 100, 200, 400, 800, 1600];

/// The time between two cards. Without time all is shown at once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Pace(u64);

impl Pace {
    pub(super) const fn of_millis(millis: u64) -> Self {
        Self(millis)
    }

    /// Whether all is shown at once.
    pub(super) const fn is_instant(self) -> bool {
        self.0 == 0
    }

    pub(super) fn faster(self) -> Self {
        Self(STEPS.into_iter().rev().find(|&step| step < self.0).unwrap_or(0))
    }

    pub(super) fn slower(self) -> Self {
        Self(STEPS.into_iter().find(|&step| step > self.0).unwrap_or(self.0))
    }

    /// The time of this many cards.
    pub(super) fn beats(self, beats: u32) -> Duration {
        Duration::from_millis(self.0) * beats
    }

    /// How long an event is shown before the next.
    pub(super) fn after(self, event: &Event) -> Duration {
        self.beats(match event {
            Event::Lead { .. }
            | Event::Play { .. }
            | Event::Ante { .. }
            | Event::SetApart { .. }
            | Event::Spill { .. }
            | Event::Settle { .. } => 1,
            Event::Showdown { .. } => 6,
            Event::Claim { .. } | Event::Stop { .. } | Event::Collect { .. } => 3,
            _ => 2,
        })
    }

    pub(super) fn words(self) -> String {
        match self.0 {
            0 => "instant".into(),
            millis => format!("{} s", millis as f64 / 1000.0),
        }
    }
}
