//! Numbers that change while training goes on: learning rate, entropy bonus, mixture shares.
//!
//! A schedule is a value that can be composed and compared; its curve is a pure function of the
//! *progress* of a run, a number from 0 (nothing learnt yet) to 1 (the planned updates are done).
//! Progress counts updates, never seconds: a run that was stopped and resumed therefore meets the
//! same numbers as one that was not.
//!
//! In TOML a schedule is a plain number, or one of the forms of [`Schedule`]:
//!
//! ```toml
//! learning_rate = 3e-4
//! entropy = { linear = { from = 0.02, to = 0.001 } }
//! clip = { warmup = { over = 0.05, then = { cosine = { from = 0.2, to = 0.1 } } } }
//! ```

use serde::de::value::MapAccessDeserializer;
use serde::de::{self, Deserializer, MapAccess, Visitor};
use serde::ser::Serializer;
use serde::{Deserialize, Serialize};
use std::fmt;

/// A curve over training progress.
#[derive(Clone, Debug, PartialEq)]
pub enum Schedule {
    /// The same number throughout.
    Constant(f64),
    /// A straight line.
    Linear(Span),
    /// Half a cosine: flat at both ends (Loshchilov and Hutter 2017, without restarts).
    Cosine(Span),
    /// A constant factor a step: a straight line on a logarithmic scale. Both ends are positive.
    Exponential(Span),
    /// Rises in a straight line from 0 to the beginning of `then` while progress is below `over`;
    /// afterwards `then` runs over what is left.
    Warmup(Warmup),
    /// `first` until progress `at`, then `then`; each runs over its own part from 0 to 1.
    Switch(Switch),
}

/// Both ends of a curve.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Span {
    /// The value at progress 0.
    pub from: f64,
    /// The value at progress 1.
    pub to: f64,
}

/// See [`Schedule::Warmup`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Warmup {
    /// The share of the run that the rise takes, above 0 and below 1.
    pub over: f64,
    /// What follows.
    pub then: Box<Schedule>,
}

/// See [`Schedule::Switch`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Switch {
    /// The progress at which the second part begins, above 0 and below 1.
    pub at: f64,
    /// The first part.
    pub first: Box<Schedule>,
    /// The second part.
    pub then: Box<Schedule>,
}

impl Schedule {
    /// The value at `progress`; numbers outside 0..=1 are taken as the nearer end.
    pub fn at(&self, progress: f64) -> f64 {
        let p = progress.clamp(0.0, 1.0);
        match self {
            Self::Constant(value) => *value,
            Self::Linear(Span { from, to }) => from + (to - from) * p,
            Self::Cosine(Span { from, to }) => {
                to + (from - to) * 0.5 * (1.0 + (std::f64::consts::PI * p).cos())
            }
            Self::Exponential(Span { from, to }) => from * (to / from).powf(p),
            Self::Warmup(Warmup { over, then }) if p < *over => then.at(0.0) * p / over,
            Self::Warmup(Warmup { over, then }) => then.at((p - over) / (1.0 - over)),
            Self::Switch(Switch { at, first, .. }) if p < *at => first.at(p / at),
            Self::Switch(Switch { at, then, .. }) => then.at((p - at) / (1.0 - at)),
        }
    }

    /// What is wrong with the numbers of this schedule, if anything: a phrase that continues
    /// "`learning_rate` …".
    pub fn fault(&self) -> Option<String> {
        let share = |name: &str, x: f64| {
            (!(x > 0.0 && x < 1.0)).then(|| format!("has `{name}` = {x}; a share between 0 and 1"))
        };
        match self {
            Self::Constant(value) => {
                (!value.is_finite()).then(|| format!("is {value}; a finite number is needed"))
            }
            Self::Linear(span) | Self::Cosine(span) | Self::Exponential(span) => {
                if !span.from.is_finite() || !span.to.is_finite() {
                    return Some("has an end that is not a finite number".into());
                }
                let positive = span.from > 0.0 && span.to > 0.0;
                (matches!(self, Self::Exponential(_)) && !positive)
                    .then(|| "is exponential, so `from` and `to` must be above 0".into())
            }
            Self::Warmup(Warmup { over, then }) => share("over", *over).or_else(|| then.fault()),
            Self::Switch(Switch { at, first, then }) => {
                share("at", *at).or_else(|| first.fault()).or_else(|| then.fault())
            }
        }
    }

    /// The least and the greatest value on a grid fine enough for checking bounds.
    pub fn range(&self) -> (f64, f64) {
        (0..=1000)
            .map(|i| self.at(f64::from(i) / 1000.0))
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| {
                (low.min(value), high.max(value))
            })
    }
}

impl From<f64> for Schedule {
    fn from(value: f64) -> Self {
        Self::Constant(value)
    }
}

/// The table forms, as TOML spells them; the number form is handled beside it.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Form {
    Constant(f64),
    Linear(Span),
    Cosine(Span),
    Exponential(Span),
    Warmup(Warmup),
    Switch(Switch),
}

impl From<Form> for Schedule {
    fn from(form: Form) -> Self {
        match form {
            Form::Constant(value) => Self::Constant(value),
            Form::Linear(span) => Self::Linear(span),
            Form::Cosine(span) => Self::Cosine(span),
            Form::Exponential(span) => Self::Exponential(span),
            Form::Warmup(warmup) => Self::Warmup(warmup),
            Form::Switch(switch) => Self::Switch(switch),
        }
    }
}

impl Serialize for Schedule {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.clone() {
            Self::Constant(value) => serializer.serialize_f64(value),
            Self::Linear(span) => Form::Linear(span).serialize(serializer),
            Self::Cosine(span) => Form::Cosine(span).serialize(serializer),
            Self::Exponential(span) => Form::Exponential(span).serialize(serializer),
            Self::Warmup(warmup) => Form::Warmup(warmup).serialize(serializer),
            Self::Switch(switch) => Form::Switch(switch).serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for Schedule {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct NumberOrForm;
        impl<'de> Visitor<'de> for NumberOrForm {
            type Value = Schedule;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number, or a schedule such as { linear = { from = 1e-3, to = 0 } }")
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
                Form::deserialize(MapAccessDeserializer::new(map)).map(Into::into)
            }
        }
        deserializer.deserialize_any(NumberOrForm)
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

    /// The curve at 0, ¼, ½, ¾, 1, in ten-thousandths.
    fn curve(schedule: &Schedule) -> [i64; 5] {
        [0.0, 0.25, 0.5, 0.75, 1.0].map(|p| ten_thousandths(schedule.at(p)))
    }

    fn ten_thousandths(x: f64) -> i64 {
        (x * 1e4).round() as i64
    }

    #[test]
    fn each_form_has_the_curve_that_it_names() {
        let cases: [(&str, [f64; 5]); 6] = [
            ("2", [2.0; 5]),
            ("{ linear = { from = 1.0, to = 0.0 } }", [1.0, 0.75, 0.5, 0.25, 0.0]),
            ("{ cosine = { from = 1.0, to = 0.0 } }", [1.0, 0.8536, 0.5, 0.1464, 0.0]),
            ("{ exponential = { from = 16.0, to = 1.0 } }", [16.0, 8.0, 4.0, 2.0, 1.0]),
            (
                "{ warmup = { over = 0.5, then = { linear = { from = 4.0, to = 2.0 } } } }",
                [0.0, 2.0, 4.0, 3.0, 2.0],
            ),
            (
                "{ switch = { at = 0.5, first = 1.0, then = { linear = { from = 8, to = 0 } } } }",
                [1.0, 1.0, 8.0, 4.0, 0.0],
            ),
        ];
        for (text, expected) in cases {
            assert_eq!(curve(&parse(text)), expected.map(ten_thousandths), "{text}");
        }
    }

    #[test]
    fn what_lies_outside_the_run_is_the_nearer_end() {
        let schedule = parse("{ linear = { from = 1.0, to = 0.5 } }");
        assert_eq!((schedule.at(-3.0), schedule.at(7.0)), (1.0, 0.5));
    }

    #[test]
    fn writing_and_reading_gives_the_same_schedule() {
        let nested = "{ warmup = { over = 0.1, then = { switch = { at = 0.5, first = 1.0, \
                      then = { cosine = { from = 1.0, to = 0.1 } } } } } }";
        for text in ["3e-4", "{ exponential = { from = 1e-3, to = 1e-5 } }", nested] {
            let holder = Holder { s: parse(text) };
            let written = toml::to_string(&holder).expect("serialises");
            assert_eq!(toml::from_str::<Holder>(&written).expect("reads back"), holder);
        }
    }

    #[test]
    fn faults_are_named() {
        for (text, word) in [
            ("{ warmup = { over = 0.0, then = 1.0 } }", "over"),
            ("{ switch = { at = 1.5, first = 1.0, then = 2.0 } }", "at"),
            ("{ exponential = { from = 1.0, to = 0.0 } }", "above 0"),
            ("nan", "finite"),
        ] {
            let fault = parse(text).fault().unwrap_or_else(|| panic!("{text} has no fault"));
            assert!(fault.contains(word), "{text}: {fault}");
        }
        assert_eq!(parse("{ cosine = { from = 1, to = 0 } }").fault(), None);
    }

    #[test]
    fn an_unknown_form_or_key_is_refused() {
        for text in ["{ quadratic = { from = 1, to = 0 } }", "{ linear = { from = 1, till = 0 } }"]
        {
            assert!(toml::from_str::<Holder>(&format!("s = {text}")).is_err(), "{text}");
        }
    }
}
