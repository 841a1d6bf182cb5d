//! Tables and pictures of measured figures, as text, Markdown and a page: what the reports of
//! ladders, studies and training runs have in common.

pub(crate) mod axis;
pub(crate) mod curve;
pub(crate) mod date;
pub(crate) mod form;
pub(crate) mod page;
pub(crate) mod plot;
pub(crate) mod rows;

use newmarket_agents::paired::plus_minus;

/// Marks a figure whose interval holds 0.
pub(crate) const NOT_SEPARATED: char = '~';

/// A figure and half the width of its interval, marked if that holds 0.
pub(crate) fn figure(mean: f64, ci95: f64) -> String {
    let mark = if mean.abs() > ci95 { "" } else { "~" };
    format!("{mean:+.3} {}{mark}", plus_minus(ci95, 3))
}

/// Digits in groups of three.
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut grouped = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_stand_in_threes() {
        assert_eq!([7, 1234, 1_234_567].map(grouped), ["7", "1,234", "1,234,567"]);
    }
}
