//! A scale with round marks.

/// A scale from one round number to another, with round marks.
pub(crate) struct Axis {
    step: f64,
    first: i64,
    last: i64,
}

impl Axis {
    /// The scale that holds both numbers, with about `steps` steps.
    pub(crate) fn holding(low: f64, high: f64, steps: u32) -> Self {
        // Equal numbers are drawn on a scale with 0.
        let size = high.abs().max(low.abs());
        let (low, high) = match high - low {
            span if span > size * 1e-3 => (low, high),
            _ if size > 0.0 => (low.min(0.0), high.max(0.0)),
            _ => (0.0, 1.0),
        };
        let step = step((high - low) / f64::from(steps));
        let (first, last) = ((low / step).floor() as i64, (high / step).ceil() as i64);
        Self { step, first, last }
    }

    /// The marks and their labels.
    pub(crate) fn marks(&self) -> impl Iterator<Item = (f64, String)> {
        let decimals = (-self.step.log10().floor()).max(0.0) as usize;
        (self.first..=self.last).map(move |mark| {
            let value = mark as f64 * self.step;
            (value, if mark == 0 { "0".into() } else { format!("{value:.decimals$}") })
        })
    }

    /// The coordinate of a number between two coordinates.
    pub(crate) fn at(&self, value: f64, from: f64, to: f64) -> f64 {
        let steps = (self.last - self.first) as f64;
        from + (value / self.step - self.first as f64) / steps * (to - from)
    }
}

/// 1, 2 or 5 times a power of ten, at least this.
fn step(least: f64) -> f64 {
    let power = 10_f64.powf(least.log10().floor());
    [1.0, 2.0, 5.0, 10.0]
        .map(|times| times * power)
        .into_iter()
        .find(|&it| it >= least * 0.999)
        .unwrap_or(10.0 * power)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_round() {
        for (least, round) in [(0.13, 0.2), (0.2, 0.2), (0.021, 0.05), (3.0, 5.0), (7.0, 10.0)] {
            assert!((step(least) - round).abs() < 1e-9, "{least}: {}", step(least));
        }
    }

    #[test]
    fn a_scale_holds_its_numbers_between_round_marks() {
        let labels = |low, high| -> Vec<String> {
            Axis::holding(low, high, 4).marks().map(|(_, label)| label).collect()
        };
        assert_eq!(labels(-0.3, 1.2), ["-0.5", "0", "0.5", "1.0", "1.5"]);
        assert_eq!(labels(0.0, 0.001), ["0", "0.0005", "0.0010"]);
        assert_eq!(labels(0.7, 0.7), ["0", "0.2", "0.4", "0.6", "0.8"]);
        assert_eq!(labels(0.0, 0.0), ["0", "0.5", "1.0"]);
        let axis = Axis::holding(-0.3, 1.2, 4);
        assert!((axis.at(0.5, 100.0, 200.0) - 150.0).abs() < 1e-9);
    }
}
