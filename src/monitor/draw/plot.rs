//! Curves with axes, drawn with braille dots.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color, Style};
use ratatui::symbols::Marker;
use ratatui::widgets::Widget;
use ratatui::widgets::canvas::{Canvas, Context, Line, Points};

use super::super::theme::Theme;
use crate::report::axis::Axis;
use crate::report::curve::{Curve, thinned};

/// A curve, its colour, and the label at its end.
pub(super) struct Series<'a> {
    pub(super) curve: &'a Curve,
    pub(super) colour: Color,
    pub(super) label: &'a str,
}

/// Curves over updates.
pub(super) struct Plot<'a> {
    pub(super) series: &'a [Series<'a>],
    /// An update that is marked below the plot, with a word for it.
    pub(super) marked: Option<(u64, &'a str)>,
}

impl Plot<'_> {
    pub(super) fn draw(&self, buffer: &mut Buffer, area: Rect, theme: Theme) {
        let points = || self.series.iter().flat_map(|series| &series.curve.points);
        let signed = self.signed();
        if area.height < 3 || area.width < 20 || points().next().is_none() {
            return;
        }
        let ends = |sign: f64, end: fn(f64, f64) -> f64| {
            let ends = points().map(|point| point.y + sign * point.ci95.unwrap_or(0.0));
            let zero = signed.then_some(0.0);
            zero.into_iter().chain(ends).reduce(end).unwrap_or(0.0)
        };
        let rows = area.height - 1;
        let steps = u32::from(rows / 2).clamp(2, 8);
        let (low, high) = (ends(-1.0, f64::min), ends(1.0, f64::max));
        let vertical = Axis::holding(low, high, steps);
        let first =
            if signed { 0.0 } else { points().map(|point| point.x).fold(f64::MAX, f64::min) };
        let last = points().map(|point| point.x).fold(first, f64::max);
        let labels: Vec<(f64, String)> = vertical
            .marks()
            .map(|(value, label)| {
                let sign = if signed && value > 0.0 { "+" } else { "" };
                (value, if value.abs() >= 1e4 { short(value) } else { format!("{sign}{label}") })
            })
            .collect();
        let left = labels.iter().map(|mark| mark.1.chars().count()).max().unwrap_or(0) as u16 + 1;
        let names =
            self.series.iter().map(|series| series.label.chars().count()).max().unwrap_or(0) as u16;
        let right = if names == 0 { 0 } else { (names + 1).min(area.width / 3) };
        let Some(wide) = area.width.checked_sub(left + right).filter(|&wide| wide > 5) else {
            return;
        };
        let inside = Rect { x: area.x + left, width: wide, height: rows, ..area };
        // The scale ends where the curves do, unless they are flat.
        let flat = high - low <= high.abs().max(low.abs()) * 1e-3;
        let ends = labels.first().zip(labels.last()).filter(|_| flat);
        let (low, high) = ends.map_or((low, high), |(first, last)| (first.0, last.0));
        let row = |value: f64| {
            let from_top = (high - value) / (high - low) * f64::from(rows * 4 - 1) / 4.0;
            inside.y + (from_top as u16).min(rows - 1)
        };
        // Of labels that would share a row, only the first is drawn.
        let mut used = Vec::new();
        for (value, label) in labels.iter().filter(|mark| (low..=high).contains(&mark.0)) {
            let y = row(*value);
            if !used.contains(&y) {
                used.push(y);
                let x = area.x + left - 1 - label.chars().count() as u16;
                buffer.set_string(x, y, label, theme.dim());
            }
        }
        let (from, to) = (first, if last > first { last } else { first + 1.0 });
        Canvas::default()
            .marker(Marker::Braille)
            .x_bounds([from, to])
            .y_bounds([low, high])
            .paint(|context| self.paint(context, [from, to], inside, theme))
            .render(inside, buffer);
        self.below(buffer, inside, [from, to], theme);
        self.names(buffer, inside, right, &row);
    }

    /// Whether values have a sign. The plot then shows 0.
    fn signed(&self) -> bool {
        self.series.iter().any(|series| series.curve.signed)
    }

    fn paint(&self, context: &mut Context<'_>, [from, to]: [f64; 2], inside: Rect, theme: Theme) {
        if self.signed() {
            // Every other column: a line of its own kind.
            let dots = f64::from(inside.width);
            let zero: Vec<(f64, f64)> = (0..inside.width)
                .map(|column| (from + (to - from) * f64::from(column) / dots, 0.0))
                .collect();
            context.draw(&Points { coords: &zero, color: theme.ink(Color::Reset) });
        }
        for series in self.series {
            let all = &series.curve.points;
            let (most, last) = (usize::from(inside.width), all.last());
            // More points than can be told apart are drawn as means, with the latest interval.
            let many = all.len() > 2 * most;
            let means = if many { thinned(all, most) } else { Vec::new() };
            let points = if many { &means } else { all };
            let every = points.len().div_ceil(most / 2).max(1);
            let intervals = points.iter().rev().step_by(every).chain(last);
            for (point, ci95) in intervals.filter_map(|point| Some((point, point.ci95?))) {
                let (y1, y2) = (point.y - ci95, point.y + ci95);
                context.draw(&Line { x1: point.x, y1, x2: point.x, y2, color: series.colour });
            }
            for pair in points.windows(2) {
                let [a, b] = pair else { continue };
                context.draw(&Line { x1: a.x, y1: a.y, x2: b.x, y2: b.y, color: series.colour });
            }
            if let [only] = &points[..] {
                context.draw(&Points { coords: &[(only.x, only.y)], color: series.colour });
            }
        }
    }

    /// Draws the axis of updates and the marked update.
    fn below(&self, buffer: &mut Buffer, inside: Rect, [from, to]: [f64; 2], theme: Theme) {
        let (y, wide) = (inside.bottom(), f64::from(inside.width - 1));
        let column = |value: f64| inside.x + ((value - from) / (to - from) * wide).round() as u16;
        let mut free = inside.x;
        let mut put = |text: &str, at: f64, style: Style| {
            let room = text.chars().count() as u16;
            let x = column(at).saturating_sub(room / 2).min(inside.right().saturating_sub(room));
            let x = x.max(inside.x);
            if x < free || x + room > inside.right() {
                return;
            }
            buffer.set_string(x, y, text, style);
            free = x + room + 2;
        };
        let mark = self.marked.map(|(update, what)| (update as f64, format!("▲ {what}")));
        let mut marks: Vec<(f64, String, Style)> = Axis::holding(from, to, 6)
            .marks()
            .filter(|(update, _)| (from..=to).contains(update))
            .map(|(update, label)| (update, label, theme.dim()))
            .collect();
        if let Some((update, text)) = mark.filter(|(update, _)| (from..=to).contains(update)) {
            // The marked update replaces labels that it would touch.
            let reach = text.chars().count() as f64 / wide * (to - from);
            marks.retain(|mark| (mark.0 - update).abs() > reach);
            marks.push((update, text, theme.good()));
            marks.sort_by(|a, b| a.0.total_cmp(&b.0));
        }
        for (update, text, style) in marks {
            put(&text, update, style);
        }
    }

    /// Draws the label of each curve beside its end.
    fn names(&self, buffer: &mut Buffer, inside: Rect, room: u16, row: &dyn Fn(f64) -> u16) {
        let ends = self.series.iter().filter_map(|series| Some((series.curve.latest()?, series)));
        let mut ends: Vec<(u16, &Series<'_>)> = ends.map(|(y, it)| (row(y), it)).collect();
        ends.sort_by_key(|end| end.0);
        // Labels that would share a row move down, and all move up if the last has no row.
        let mut free = inside.y;
        for end in &mut ends {
            end.0 = end.0.max(free);
            free = end.0 + 1;
        }
        let mut most = inside.bottom();
        for end in ends.iter_mut().rev() {
            end.0 = end.0.min(most.saturating_sub(1));
            most = end.0;
        }
        for (y, series) in ends {
            if y >= inside.y {
                let style = Style::new().fg(series.colour);
                let room = usize::from(room) - 1;
                buffer.set_stringn(inside.right() + 1, y, series.label, room, style);
            }
        }
    }
}

/// A value in few characters.
pub(super) fn short(value: f64) -> String {
    match value.abs() {
        0.0 => "0".into(),
        size if !(0.001..1e9).contains(&size) => format!("{value:.1e}"),
        size if size < 10.0 => format!("{value:.3}"),
        size if size < 1000.0 => format!("{value:.1}"),
        size if size < 1e6 => format!("{:.1} k", value / 1e3),
        _ => format!("{:.1} M", value / 1e6),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_short() {
        for (value, text) in [
            (0.0, "0"),
            (-0.00012, "-1.2e-4"),
            (0.28345, "0.283"),
            (42.0, "42.0"),
            (8123.0, "8.1 k"),
            (-1.25e7, "-12.5 M"),
            (3e20, "3.0e20"),
        ] {
            assert_eq!(short(value), text);
        }
    }
}
