//! Numbers that change during a run: learning rate, clip range, entropy bonus.
//!
//! A schedule is a pure function of the *progress* of a run, from 0 (before the first update) to 1 (all
//! planned updates are done). Progress counts updates, not seconds: a run that was stopped and resumed
//! has the same values as one that was not.
//!
//! In TOML a schedule is a number or a straight line:
//!
//! ```toml
//! clip = 0.2
//! learning_rate = { linear = { from = 1e-3, to = 2e-5 } }
//! ```

use serde::de::value::MapAccessDeserializer;
use serde::de::{self, Deserializer, MapAccess, Visitor};
use serde::ser::Serializer;
use serde::{Deserialize, Serialize};
use std::fmt;

/// A curve over training progress.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Schedule {
    /// The same number throughout.
    Constant(f64),
    /// A straight line.
    Linear {
        /// The value at progress 0.
        from: f64,
        /// The value at progress 1.
        to: f64,
    },
}

impl Schedule {
    /// The value at `progress`; progress outside 0..=1 is clamped.
    pub fn at(&self, progress: f64) -> f64 {
        let p = progress.clamp(0.0, 1.0);
        match self {
            Self::Constant(value) => *value,
            Self::Linear { from, to } => from + (to - from) * p,
        }
    }

    /// The straight line from the value at this progress to that at the end.
    #[must_use]
    pub fn beginning_at(&self, progress: f64) -> Self {
        Self::Linear { from: self.at(progress), to: self.at(1.0) }
    }

    /// The least value of the schedule; not finite if one of its ends is not.
    pub fn least(&self) -> f64 {
        match self {
            Self::Constant(value) => *value,
            Self::Linear { from, to } if from.is_finite() && to.is_finite() => from.min(*to),
            Self::Linear { .. } => f64::NAN,
        }
    }
}

impl From<f64> for Schedule {
    fn from(value: f64) -> Self {
        Self::Constant(value)
    }
}

/// The table form in TOML; the number form is handled separately.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
enum Form {
    Linear { from: f64, to: f64 },
}

impl Serialize for Schedule {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match *self {
            Self::Constant(value) => serializer.serialize_f64(value),
            Self::Linear { from, to } => Form::Linear { from, to }.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for Schedule {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct NumberOrLine;
        impl<'de> Visitor<'de> for NumberOrLine {
            type Value = Schedule;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number, or a schedule as { linear = { from = 1e-3, to = 0 } }")
            }
            fn visit_f64<E: de::Error>(self, value: f64) -> Result<Schedule, E> {
                Ok(Schedule::Constant(value))
            }
            fn visit_i64<E: de::Error>(self, value: i64) -> Result<Schedule, E> {
                Ok(Schedule::Constant(value as f64))
            }
            fn visit_u64<E: de::Error>(self, value: u64) -> Result<Schedule, E> {
                Ok(Schedule::Constant(value as f64))
            }
            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Schedule, A::Error> {
                let Form::Linear { from, to } = Form::deserialize(MapAccessDeserializer::new(map))?;
                Ok(Schedule::Linear { from, to })
            }
        }
        deserializer.deserialize_any(NumberOrLine)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    struct Holder {
        s: Schedule,
    }

    fn parse(text: &str) -> Schedule {
        toml::from_str::<Holder>(&format!("s = {text}")).expect("a schedule").s
    }

    #[test]
    fn each_form_has_the_curve_that_it_names() {
        let line = "{ linear = { from = 1.0, to = 0 } }";
        for (text, expected) in [("2", [2.0; 4]), (line, [1.0, 0.75, 0.5, 0.0])] {
            for (progress, expected) in [0.0, 0.25, 0.5, 1.0].into_iter().zip(expected) {
                assert!((parse(text).at(progress) - expected).abs() < 1e-12, "{text}, {progress}");
            }
        }
    }

    #[test]
    fn progress_outside_the_run_is_clamped() {
        let schedule = parse("{ linear = { from = 1.0, to = 0.5 } }");
        assert!((schedule.at(-3.0) - 1.0).abs() < 1e-12 && (schedule.at(7.0) - 0.5).abs() < 1e-12);
        assert!((schedule.least() - 0.5).abs() < 1e-12 && parse("nan").least().is_nan());
        assert!(parse("{ linear = { from = nan, to = 1 } }").least().is_nan());
    }

    #[test]
    fn writing_and_reading_gives_the_same_schedule() {
        for text in ["3e-4", "{ linear = { from = 1e-3, to = 1e-5 } }"] {
            let holder = Holder { s: parse(text) };
            let written = toml::to_string(&holder).expect("serialises");
            assert_eq!(toml::from_str::<Holder>(&written).expect("reads back"), holder);
        }
    }

    #[test]
    fn an_unknown_form_or_key_is_refused() {
        for text in ["{ quadratic = { from = 1, to = 0 } }", "{ linear = { from = 1, till = 0 } }"]
        {
            assert!(toml::from_str::<Holder>(&format!("s = {text}")).is_err(), "{text}");
        }
    }
}
