//! A quantity over the updates of a run, and its drawing as SVG, in which text stays text.

use std::fmt::Write;

use super::axis::Axis;
use super::page::escaped;

const TOP: f64 = 14.0;
const RIGHT: f64 = 18.0;
/// The width of a character, and the height below the curve.
const CHARACTER: f64 = 8.0;
const BOTTOM: f64 = 44.0;
/// More points than this are drawn as a line without dots.
const DOTS: usize = 60;

/// How large a drawing is, in units that scale to the page.
#[derive(Clone, Copy)]
pub(crate) struct Size {
    pub(crate) width: f64,
    pub(crate) height: f64,
}

/// A value with half the width of its interval, if it has one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Point {
    pub(crate) x: f64,
    pub(crate) y: f64,
    pub(crate) ci95: Option<f64>,
}

/// A quantity over the updates of a run.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Curve {
    pub(crate) name: String,
    /// The unit of the values; empty where they have none.
    pub(crate) unit: &'static str,
    /// How to read the curve; may be empty.
    pub(crate) about: &'static str,
    /// Whether values have a sign. A drawing then shows 0.
    pub(crate) signed: bool,
    /// By update, ascending.
    pub(crate) points: Vec<Point>,
}

impl Curve {
    /// The name and the unit.
    pub(crate) fn title(&self) -> String {
        if self.unit.is_empty() {
            self.name.clone()
        } else {
            format!("{}, {}", self.name, self.unit)
        }
    }

    /// The value after the latest update.
    pub(crate) fn latest(&self) -> Option<f64> {
        self.points.last().map(|point| point.y)
    }

    /// The drawing: a line through the points, and a band for their intervals. `what` describes it for
    /// readers who cannot see it; `marked` is an update whose point stands out, with a word for it.
    pub(crate) fn svg(&self, what: &str, size: Size, marked: Option<(u64, &str)>) -> String {
        let points: Vec<Point> = self
            .points
            .iter()
            .copied()
            .filter(|point| point.x.is_finite() && point.y.is_finite())
            .collect();
        let Size { width, height } = size;
        let foot = height - BOTTOM;
        let ends = |end: fn(f64, f64) -> f64, sign: f64| {
            let ends = points.iter().map(|point| point.y + sign * point.ci95.unwrap_or(0.0));
            let zero = if self.signed { Some(0.0) } else { None };
            zero.into_iter().chain(ends).reduce(end).unwrap_or(0.0)
        };
        let steps = (height / 60.0) as u32;
        let vertical = Axis::holding(ends(f64::min, -1.0), ends(f64::max, 1.0), steps);
        let first = points.first().map_or(0.0, |point| point.x);
        let last = points.last().map_or(1.0, |point| point.x);
        let first = if self.signed { 0.0 } else { first };
        let horizontal = Axis::holding(first, last, (width / 70.0) as u32);
        let sign = |value: f64| if self.signed && value > 0.0 { "+" } else { "" };
        let longest = vertical.marks().map(|(value, label)| sign(value).len() + label.len()).max();
        let left = longest.unwrap_or(0) as f64 * CHARACTER + 12.0;
        let x = |value: f64| horizontal.at(value, left, width - RIGHT);
        let y = |value: f64| vertical.at(value, foot, TOP);

        let mut svg = format!(
            "<svg viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"{}\">\n",
            escaped(what)
        );
        for (value, label) in vertical.marks() {
            let (height, class) = (y(value), if value == 0.0 { "zero" } else { "grid" });
            let _ = writeln!(
                svg,
                "<line class=\"{class}\" x1=\"{left:.1}\" y1=\"{height:.1}\" x2=\"{:.1}\" \
                 y2=\"{height:.1}\"/><text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}{label}</text>",
                width - RIGHT,
                left - 6.0,
                height + 5.0,
                sign(value)
            );
        }
        for (value, label) in horizontal.marks() {
            let _ = writeln!(
                svg,
                "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{label}</text>",
                x(value),
                foot + 18.0
            );
        }
        let path = |points: &mut dyn Iterator<Item = (f64, f64)>| -> String {
            let each = points.map(|(update, value)| format!("{:.1},{:.1}", x(update), y(value)));
            each.collect::<Vec<_>>().join(" ")
        };
        let band: Vec<(Point, f64)> =
            points.iter().filter_map(|point| Some((*point, point.ci95?))).collect();
        if band.len() > 1 {
            let upper = band.iter().map(|(point, ci95)| (point.x, point.y + ci95));
            let lower = band.iter().rev().map(|(point, ci95)| (point.x, point.y - ci95));
            let edge = path(&mut upper.chain(lower));
            let _ = writeln!(svg, "<polygon class=\"band\" points=\"{edge}\"/>");
        } else {
            for (point, ci95) in &band {
                let ends =
                    path(&mut [(point.x, point.y - ci95), (point.x, point.y + ci95)].into_iter());
                let _ = writeln!(svg, "<polyline class=\"line\" points=\"{ends}\"/>");
            }
        }
        let line = path(&mut points.iter().map(|point| (point.x, point.y)));
        let _ = writeln!(svg, "<polyline class=\"line\" points=\"{line}\"/>");
        if points.len() <= DOTS {
            let radius = if band.is_empty() { 2.0 } else { 3.5 };
            for point in &points {
                let (x, y) = (x(point.x), y(point.y));
                let _ = writeln!(svg, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius}\"/>");
            }
        }
        if let Some((update, name)) = marked
            && let Some(point) = points.iter().find(|point| point.x as u64 == update)
        {
            let (x, y) = (x(point.x), y(point.y));
            // Beside the point on the side with more room.
            let right = x > f64::midpoint(left, width);
            let (anchor, dx) = if right { ("end", -4.0) } else { ("start", 4.0) };
            let _ = writeln!(
                svg,
                "<circle class=\"marked\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"7\"/>\
                 <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"{anchor}\">{}</text>",
                x + dx,
                (y + 26.0).min(foot - 6.0),
                escaped(name)
            );
        }
        let _ = write!(
            svg,
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">updates</text>\n</svg>",
            f64::midpoint(left, width - RIGHT),
            foot + 37.0
        );
        svg
    }
}

/// At most `most` points, each the mean of several.
pub(crate) fn thinned(points: &[Point], most: usize) -> Vec<Point> {
    let each = points.len().div_ceil(most.max(1)).max(1);
    let mean = |of: fn(&Point) -> f64, some: &[Point]| {
        some.iter().map(of).sum::<f64>() / some.len() as f64
    };
    (points.chunks(each))
        .map(|some| match some {
            [only] => *only,
            _ => {
                Point { x: mean(|point| point.x, some), y: mean(|point| point.y, some), ci95: None }
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: Size = Size { width: 480.0, height: 240.0 };

    fn point(x: f64, y: f64, ci95: Option<f64>) -> Point {
        Point { x, y, ci95 }
    }

    fn svg(points: &[Point]) -> String {
        let (name, unit, about) = ("x".into(), "", "");
        let curve = Curve { name, unit, about, signed: true, points: points.to_vec() };
        curve.svg("gain & loss", SIZE, Some((2, "best")))
    }

    #[test]
    fn a_band_goes_round_its_points() {
        let svg = svg(&[point(1.0, 0.5, Some(0.5)), point(2.0, 1.0, Some(1.0))]);
        let band = svg.split("class=\"band\" points=\"").nth(1).expect("a band");
        let corners: Vec<(&str, &str)> = (band.split('"').next().expect("closed").split(' '))
            .map(|corner| corner.split_once(',').expect("two numbers"))
            .collect();
        // The upper edge rises; back along 0, which both intervals touch.
        let [(x1, y1), (x2, y2), (x3, y3), (x4, y4)] = corners[..] else { panic!("{corners:?}") };
        assert_eq!((x1, x2, y3), (x4, x3, y4));
        let number = |text: &str| text.parse::<f64>().expect("a number");
        assert!(number(y2) < number(y1) && number(y1) < number(y4), "up is less: {corners:?}");
        assert!(svg.contains(">best</text>") && svg.contains("gain &amp; loss"));
    }

    #[test]
    fn no_points_and_no_numbers_are_no_panic() {
        for points in [vec![], vec![point(1.0, f64::NAN, None)], vec![point(0.0, 0.0, Some(0.1))]] {
            let svg = svg(&points);
            assert!(
                svg.ends_with("</svg>") && !svg.contains("NaN") && !svg.contains("inf"),
                "{svg}"
            );
        }
    }

    #[test]
    fn thinned_points_are_means() {
        let points: Vec<Point> =
            (0..10).map(|i| point(i.into(), f64::from(i) * 2.0, None)).collect();
        let few = thinned(&points, 4);
        assert_eq!(few.len(), 4);
        assert_eq!((few[0].x, few[0].y), (1.0, 2.0));
        assert_eq!(thinned(&points, 10), points);
        assert!(thinned(&[], 3).is_empty());
    }
}
