//! Numbers on the command line. An error says which numbers would be right.

use std::ops::RangeInclusive;

/// A parser of whole numbers in a range.
pub(crate) fn whole<T: TryFrom<u64>>(
    range: RangeInclusive<u64>,
) -> impl Fn(&str) -> Result<T, String> + Clone {
    move |text| {
        let (least, most) = (range.start(), range.end());
        let number = text.parse().ok().filter(|number| range.contains(number));
        number.and_then(|number| T::try_from(number).ok()).ok_or_else(|| match *most {
            u64::MAX => format!("expected a whole number from {least} to 2^64 - 1"),
            _ => format!("expected a whole number from {least} to {most}"),
        })
    }
}

/// Parses a finite number above 0.
pub(crate) fn positive(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|&number: &f64| number > 0.0 && number.is_finite());
    number.ok_or_else(|| "expected a number above 0, as 0.5".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_number_of_the_range_is_told_the_range() {
        let few = whole::<u32>(1..=600);
        assert_eq!((few("1"), few("600")), (Ok(1), Ok(600)));
        for text in ["", "0", "601", "-1", "1e6", "1.5", "x", "18446744073709551616"] {
            let error = few(text).expect_err(text);
            assert_eq!(error, "expected a whole number from 1 to 600");
        }
        let any = whole::<u64>(0..=u64::MAX);
        assert_eq!(any("18446744073709551615"), Ok(u64::MAX));
        assert!(any("18446744073709551616").expect_err("too large").contains("2^64"));
    }

    #[test]
    fn neither_infinity_nor_nothing_is_positive() {
        for text in ["0", "-1", "inf", "NaN", "1e999", "", "x"] {
            positive(text).expect_err(text);
        }
        assert_eq!(positive("0.5"), Ok(0.5));
    }
}
