//! Tables and pictures of measured figures, as text, Markdown and a page: what the ladder's and the
//! studies' reports have in common.

mod axis;
pub(crate) mod curve;
pub(crate) mod page;
pub(crate) mod plot;
pub(crate) mod rows;

/// Marks a figure whose interval holds 0.
pub(crate) const NOT_SEPARATED: char = '~';

/// A figure and half the width of its interval, marked if that holds 0.
pub(crate) fn figure(mean: f64, ci95: f64) -> String {
    let mark = if mean.abs() > ci95 { "" } else { "~" };
    format!("{mean:+.3} ± {ci95:.3}{mark}")
}
