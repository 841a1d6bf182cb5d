//! How long the average of the weights looks back.
//!
//! Late weights of a run go to and fro around what it has learnt; their mean does not. Benchmarks and
//! checkpoints have an exponential moving average, whose decay is a number, or follows from a share of the
//! updates so far, so that a run of any length averages as much of it (polynomial-decay averaging, Shamir and
//! Zhang 2013):
//!
//! ```toml
//! ema_decay = 0.95
//! ema_decay = { share = 0.1 }
//! ```

use serde::{Deserialize, Serialize};

/// The decay of an exponential moving average.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged, expecting = "a decay from 0 to below 1 is needed, or { share = 0.1 }")]
pub enum EmaDecay {
    /// The same in every update, from 0 (the latest weights alone) to below 1 (0.99: about the last hundred
    /// updates).
    Constant(f64),
    /// What averages about this share of the updates so far.
    Share(UpdateShare),
}

/// The share of the updates so far that an average looks back on.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UpdateShare {
    /// From above 0 to 1.
    pub share: f64,
}

impl EmaDecay {
    /// How much of the average is kept when the weights of update `update`, counted from 1, come to it.
    ///
    /// The first weights are random: an average that began with them would drag them along. As with Adam's
    /// moments, a lower decay makes it a plain mean at first.
    pub fn at(self, update: u64) -> f64 {
        let count = update as f64 + 1.0;
        let decay = match self {
            Self::Constant(decay) => decay,
            Self::Share(UpdateShare { share }) => 1.0 - 1.0 / (share * count).max(1.0),
        };
        decay.min(1.0 - 1.0 / count)
    }

    /// Whether it is in its range.
    pub fn is_valid(self) -> bool {
        match self {
            Self::Constant(decay) => (0.0..1.0).contains(&decay),
            Self::Share(UpdateShare { share }) => share > 0.0 && share <= 1.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    struct Holder {
        decay: EmaDecay,
    }

    fn parse(text: &str) -> Result<EmaDecay, toml::de::Error> {
        toml::from_str::<Holder>(&format!("decay = {text}")).map(|holder| holder.decay)
    }

    /// The mean of 1, 2, 3, …, as an average in steps.
    fn mean_of(decay: EmaDecay, updates: u64) -> f64 {
        (1..=updates).fold(0.0, |mean, update| {
            let keep = decay.at(update);
            keep * mean + (1.0 - keep) * update as f64
        })
    }

    #[test]
    fn an_average_looks_back_on_its_share_of_any_run() {
        let share = parse("{ share = 0.1 }").expect("a share");
        for updates in [1_000, 10_000] {
            // Weights of age a count as (1 - a / updates)^9 there, so their mean age is an eleventh.
            let age = (updates as f64 - mean_of(share, updates)) / updates as f64;
            assert!((age - 1.0 / 11.0).abs() < 0.002, "{updates}: {age}");
        }
        assert!((10_000.0 - mean_of(parse("0.99").expect("a decay"), 10_000) - 99.0).abs() < 0.01);
    }

    #[test]
    fn the_first_weights_are_forgotten() {
        for text in ["0", "0.5", "0.99", "{ share = 0.1 }", "{ share = 1 }"] {
            let decay = parse(text).expect("in order");
            assert!(decay.is_valid() && decay.at(1) <= 0.5, "{text}");
        }
        assert!(parse("0").expect("the latest alone").at(5) == 0.0);
    }

    #[test]
    fn both_forms_are_read_and_written_and_no_other() {
        for text in ["0.95", "{ share = 0.1 }"] {
            let holder = Holder { decay: parse(text).expect("a form") };
            let written = toml::to_string(&holder).expect("written");
            assert_eq!(toml::from_str::<Holder>(&written).expect("read"), holder, "{text}");
        }
        for text in ["{ shares = 0.1 }", "{ share = 0.1, of = 2 }", "\"0.95\"", "true"] {
            let error = parse(text).expect_err(text).to_string();
            assert!(error.contains("{ share = 0.1 }"), "{text}: {error}");
        }
        for text in ["1", "-0.1", "nan", "{ share = 0 }", "{ share = 1.1 }", "{ share = nan }"] {
            assert!(!parse(text).expect(text).is_valid(), "{text}");
        }
    }
}
