//! Figures with their intervals as a drawing (SVG, whose text stays text).

use std::fmt::Write;

use super::axis::Axis;
use super::page::escaped;
use super::rows::wrapped;

/// Heights in pixels. Across, places are shares of the width, so that text has one size on every page.
const LINE: f64 = 18.0;
const BAR: f64 = 16.0;
const FOOT: f64 = 42.0;
/// The narrowest drawing: a telephone of 360 pixels. Lines of a name and marks of the scale fit it.
const NARROWEST: f64 = 320.0;
const CHARACTER: f64 = 7.6;
const LONGEST: usize = 40;
/// On each side of the scale, in per cent of the width: at least this, more for long marks.
const MARGIN: f64 = 6.0;

/// A figure and its interval.
pub(crate) struct Bar {
    pub(crate) name: String,
    pub(crate) mean: f64,
    pub(crate) low: f64,
    pub(crate) high: f64,
}

/// Under its name a dot and a line for each figure, the first on top; what is drawn, and its unit.
pub(crate) fn intervals(what: &str, unit: &str, bars: &[Bar]) -> String {
    let names: Vec<Vec<String>> = bars.iter().map(|bar| lines(&bar.name)).collect();
    let low = bars.iter().map(|it| it.low).fold(0.0, f64::min);
    let high = bars.iter().map(|it| it.high).fold(0.0, f64::max);
    let axis = scale(low, high);
    let margin = margin(&axis);
    let x = |chips: f64| axis.at(chips, margin, 100.0 - margin);
    let foot = names.iter().map(|name| LINE * name.len() as f64 + BAR).sum::<f64>();
    let unit = lines(unit);
    let height = foot + FOOT + LINE * (unit.len() as f64 - 1.0);

    let mut svg = format!(
        "<svg class=\"bars\" style=\"height:{height}px\" role=\"img\" aria-label=\"{}\">\n",
        escaped(what)
    );
    for (chips, label) in marks(&axis) {
        let (at, class) = (x(chips), if chips == 0.0 { "zero" } else { "grid" });
        let _ = writeln!(
            svg,
            "<line class=\"{class}\" x1=\"{at:.1}%\" y1=\"0\" x2=\"{at:.1}%\" y2=\"{foot}\"/>\
             <text x=\"{at:.1}%\" y=\"{:.1}\" text-anchor=\"middle\">{label}</text>",
            foot + 16.0
        );
    }
    let mut top = 0.0;
    for (name, bar) in names.iter().zip(bars) {
        for line in name {
            top += LINE;
            let _ = writeln!(
                svg,
                "<text class=\"name\" x=\"0\" y=\"{}\">{}</text>",
                top - 4.0,
                escaped(line)
            );
        }
        let y = top + BAR / 2.0 - 2.0;
        let _ = writeln!(
            svg,
            "<line class=\"bar\" x1=\"{:.1}%\" y1=\"{y}\" x2=\"{:.1}%\" y2=\"{y}\"/>\
             <circle cx=\"{:.1}%\" cy=\"{y}\" r=\"4\"/>",
            x(bar.low),
            x(bar.high),
            x(bar.mean)
        );
        top += BAR;
    }
    for (nth, line) in unit.iter().enumerate() {
        let y = foot + 36.0 + LINE * nth as f64;
        let _ = writeln!(
            svg,
            "<text x=\"50%\" y=\"{y}\" text-anchor=\"middle\">{}</text>",
            escaped(line)
        );
    }
    svg + "</svg>"
}

/// The marks with their labels, with a sign.
fn marks(axis: &Axis) -> Vec<(f64, String)> {
    let signed = |(value, label): (f64, String)| {
        let sign = if value > 0.0 { "+" } else { "" };
        (value, format!("{sign}{label}"))
    };
    axis.marks().map(signed).collect()
}

/// The width of a label, in pixels.
fn width(label: &str) -> f64 {
    CHARACTER * label.chars().count() as f64
}

/// The margin that the widest mark needs, in per cent of the narrowest drawing.
fn margin(axis: &Axis) -> f64 {
    let half = |(_, label): &(f64, String)| 50.0 * width(label) / NARROWEST;
    marks(axis).iter().map(half).fold(MARGIN, f64::max)
}

/// The scale that holds both numbers, with as many steps as their labels leave room for.
fn scale(low: f64, high: f64) -> Axis {
    let fits = |steps: &u32| {
        let axis = Axis::holding(low, high, *steps);
        let labels: Vec<String> = axis.marks().map(|it| it.1).collect();
        let widest = labels.iter().map(|label| width(label)).fold(0.0, f64::max);
        let room = NARROWEST * (100.0 - 2.0 * margin(&axis)) / 100.0;
        // A sign, and a space to the next.
        widest + 2.0 * CHARACTER <= room / (labels.len().max(2) - 1) as f64
    };
    let steps = (1..=5).rev().find(fits).unwrap_or(1);
    Axis::holding(low, high, steps)
}

/// A name in lines. Of a word that is longer than a line its middle is left out: the ends of paths tell them apart.
fn lines(name: &str) -> Vec<String> {
    let words: Vec<String> = name.split(' ').map(shortened).collect();
    wrapped(&words.join(" "), LONGEST)
}

fn shortened(word: &str) -> String {
    let count = word.chars().count();
    if count <= LONGEST {
        return word.to_owned();
    }
    let half = LONGEST / 2;
    let begin = word.chars().take(LONGEST - half - 1);
    begin.chain(['…']).chain(word.chars().skip(count - half)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_names_keep_both_ends() {
        assert_eq!(lines("stopper"), ["stopper"]);
        let path = "net:runs/a-very-long-name-for-a-run/step-000100.safetensors";
        let short = shortened(path);
        assert_eq!(short.chars().count(), LONGEST);
        assert!(short.starts_with("net:runs/") && short.ends_with("100.safetensors"), "{short}");
        let words = "with a boodle: all on the own one with the fewest cards below it";
        assert_eq!(lines(words).join(" "), words);
        assert!(lines(words).iter().all(|line| line.chars().count() <= LONGEST));
    }

    /// On the narrowest page no mark of the scale touches the next one, and none is cut off.
    #[test]
    fn marks_have_room() {
        for (low, high) in [(-0.03, 0.31), (0.0, 0.000_4), (-1234.0, 56.0), (0.0, 0.0), (-0.5, 5.2)]
        {
            let axis = scale(low, high);
            let margin = margin(&axis);
            let at = |value| axis.at(value, margin, 100.0 - margin) / 100.0 * NARROWEST;
            let places: Vec<(f64, f64)> = (marks(&axis).iter())
                .map(|(value, label)| (at(*value), width(label) / 2.0))
                .collect();
            assert!(places.len() > 1, "{low} {high}");
            for two in places.windows(2) {
                assert!(two[0].0 + two[0].1 <= two[1].0 - two[1].1, "{low} {high}: {places:?}");
            }
            let ends = (places[0], places[places.len() - 1]);
            assert!(
                ends.0.0 - ends.0.1 > -1.0 && ends.1.0 + ends.1.1 < NARROWEST + 1.0,
                "{places:?}"
            );
        }
    }
}
