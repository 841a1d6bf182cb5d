//! Figures with their intervals as a drawing (SVG, whose text stays text).

use std::fmt::Write;

use super::axis::Axis;
use super::page::escaped;

/// Units of the drawing: it scales to the page.
const WIDTH: f64 = 480.0;
const ROW: f64 = 34.0;
const TOP: f64 = 12.0;
const BOTTOM: f64 = 46.0;
const RIGHT: f64 = 20.0;
/// A character of a name, and the most of them.
const CHARACTER: f64 = 7.6;
const LONGEST: usize = 30;

/// A figure and its interval.
pub(crate) struct Bar {
    pub(crate) name: String,
    pub(crate) mean: f64,
    pub(crate) low: f64,
    pub(crate) high: f64,
}

/// A dot and a line for each figure, the first on top; what is drawn, and its unit.
pub(crate) fn intervals(what: &str, unit: &str, bars: &[Bar]) -> String {
    let names: Vec<String> = bars.iter().map(|bar| shortened(&bar.name)).collect();
    let longest = names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
    let left = longest as f64 * CHARACTER + 18.0;
    let low = bars.iter().map(|it| it.low).fold(0.0, f64::min);
    let high = bars.iter().map(|it| it.high).fold(0.0, f64::max);
    let axis = Axis::holding(low, high, 5);
    let x = |chips: f64| axis.at(chips, left, WIDTH - RIGHT);
    let foot = TOP + ROW * names.len() as f64;
    let height = foot + BOTTOM;

    let mut svg = format!(
        "<svg viewBox=\"0 0 {WIDTH} {height}\" role=\"img\" \
         aria-label=\"{}\">\n",
        escaped(what)
    );
    for (chips, label) in axis.marks() {
        let (at, class) = (x(chips), if chips == 0.0 { "zero" } else { "grid" });
        let sign = if chips > 0.0 { "+" } else { "" };
        let _ = writeln!(
            svg,
            "<line class=\"{class}\" x1=\"{at:.1}\" y1=\"{TOP}\" x2=\"{at:.1}\" y2=\"{foot}\"/>\
             <text x=\"{at:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{sign}{label}</text>",
            foot + 18.0
        );
    }
    for (row, (name, bar)) in names.iter().zip(bars).enumerate() {
        let y = TOP + ROW * (row as f64 + 0.5);
        let _ = writeln!(
            svg,
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>\
             <line class=\"bar\" x1=\"{:.1}\" y1=\"{y}\" x2=\"{:.1}\" y2=\"{y}\"/>\
             <circle cx=\"{:.1}\" cy=\"{y}\" r=\"5\"/>",
            left - 12.0,
            y + 5.0,
            escaped(name),
            x(bar.low),
            x(bar.high),
            x(bar.mean)
        );
    }
    let _ = write!(
        svg,
        "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>\n</svg>",
        f64::midpoint(left, WIDTH - RIGHT),
        foot + 38.0,
        escaped(unit)
    );
    svg
}

/// A name that leaves room for the plot; what tells paths apart is their end.
fn shortened(name: &str) -> String {
    let count = name.chars().count();
    if count <= LONGEST {
        return name.to_owned();
    }
    std::iter::once('…').chain(name.chars().skip(count - LONGEST + 1)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_names_keep_their_end() {
        assert_eq!(shortened("stopper"), "stopper");
        let short = shortened("net:runs/a-very-long-name-for-a-run/step-000100.safetensors");
        assert_eq!(short.chars().count(), LONGEST);
        assert!(short.starts_with('…') && short.ends_with("100.safetensors"));
    }
}
