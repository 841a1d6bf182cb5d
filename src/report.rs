//! Tables and pictures of measured figures, as text, Markdown and a page: what the reports of
//! ladders, studies and training runs have in common.

pub(crate) mod axis;
pub(crate) mod curve;
pub(crate) mod form;
pub(crate) mod page;
pub(crate) mod plot;
pub(crate) mod rows;

use newmarket_agents::paired::plus_minus;
use time::UtcDateTime;

/// Marks a figure whose interval holds 0.
pub(crate) const NOT_SEPARATED: char = '~';

/// A figure and half the width of its interval, marked if that holds 0.
pub(crate) fn figure(mean: f64, ci95: f64) -> String {
    let mark = if mean.abs() > ci95 { "" } else { "~" };
    format!("{mean:+.3} {}{mark}", plus_minus(ci95, 3))
}

/// Date and time of now, in UTC, as "2026-03-01 12:00 UTC".
pub(crate) fn now() -> String {
    let now = UtcDateTime::now();
    let (year, month, day) = now.to_calendar_date();
    let (hour, minute, _) = now.time().as_hms();
    format!("{year}-{:02}-{day:02} {hour:02}:{minute:02} UTC", u8::from(month))
}

/// So many of what is named, in the plural but for one.
pub(crate) fn counted(number: u64, one: &str) -> String {
    let s = if number == 1 { "" } else { "s" };
    format!("{} {one}{s}", grouped(number))
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
    fn one_is_no_plural() {
        let deals = |number| counted(number, "deal");
        assert_eq!([0, 1, 18_432].map(deals), ["0 deals", "1 deal", "18,432 deals"]);
    }

    #[test]
    fn digits_stand_in_threes() {
        assert_eq!([7, 1234, 1_234_567].map(grouped), ["7", "1,234", "1,234,567"]);
    }
}
