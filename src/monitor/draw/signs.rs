//! Losses, entropy, speed and the like, as small curves or one large one.

use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Color, Style};
use ratatui::symbols::Marker;
use ratatui::widgets::canvas::{Canvas, Line};
use ratatui::widgets::{Sparkline, Widget};

use super::super::shown::Shot;
use super::super::theme::Theme;
use super::super::view::{Panel, View};
use super::plot::{Plot, Series, short};
use crate::report::curve::{Curve, Point};

pub(super) fn draw(buffer: &mut Buffer, area: Rect, shot: &Shot, view: &View, theme: Theme) {
    let inner = Rect { x: area.x + 1, width: area.width.saturating_sub(2), ..area };
    if view.zoomed {
        let parts = Layout::vertical([Constraint::Length(2), Constraint::Fill(1)]);
        let [about, plot] = parts.areas(inner);
        let sign = &shot.signs[view.sign];
        let text = format!("{}: {}", sign.title(), latest(sign));
        let room = usize::from(about.width);
        buffer.set_stringn(about.x, about.y, text, room, Theme::strong());
        buffer.set_stringn(about.x, about.y + 1, sign.about, room, theme.dim());
        let series = [Series { curve: sign, colour: theme.ink(Color::Cyan), label: "" }];
        Plot { series: &series, marked: None }.draw(buffer, plot, theme);
        return;
    }
    let each = (inner.height / shot.signs.len() as u16).max(2);
    let fit = usize::from(inner.height / each);
    // The selected sign is always visible.
    let first = if view.panel == Panel::Signs { view.sign.saturating_sub(fit - 1) } else { 0 };
    for (row, (nth, sign)) in shot.signs.iter().enumerate().skip(first).take(fit).enumerate() {
        let chosen = view.panel == Panel::Signs && nth == view.sign;
        let y = inner.y + row as u16 * each;
        let style = if chosen { Theme::strong() } else { theme.dim() };
        let value = latest(sign);
        let right = inner.right().saturating_sub(value.chars().count() as u16);
        let room = usize::from(right.saturating_sub(inner.x + 1));
        let name = sign.title();
        let name = if chosen { format!("▸ {name}") } else { name };
        buffer.set_stringn(inner.x, y, name, room, style);
        buffer.set_string(right, y, value, Theme::strong());
        let below =
            Rect { y: y + 1, height: if each > 3 { (each - 2).min(5) } else { each - 1 }, ..inner };
        spark(buffer, below, &sign.points, theme);
    }
}

fn latest(sign: &Curve) -> String {
    sign.latest().map_or("–".into(), short)
}

/// Values between the least and the greatest of them: columns in one row, or a line in several.
fn spark(buffer: &mut Buffer, area: Rect, points: &[Point], theme: Theme) {
    let values = columns(points, usize::from(area.width));
    let low = values.iter().copied().fold(f64::INFINITY, f64::min);
    let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let part = |value: f64| match (value - low) / (high - low) {
        part if part.is_finite() => part,
        _ => 0.0,
    };
    let colour = theme.ink(Color::Cyan);
    if area.height == 1 {
        let columns = values.iter().map(|value| 1 + (part(*value) * 7.0).round() as u64);
        let columns: Vec<u64> = columns.collect();
        Sparkline::default()
            .data(columns)
            .max(8)
            .style(Style::new().fg(colour))
            .render(area, buffer);
        return;
    }
    let fine = columns(points, 2 * usize::from(area.width));
    let last = fine.len().saturating_sub(1).max(usize::from(area.width) / 2) as f64;
    Canvas::default()
        .marker(Marker::Braille)
        .x_bounds([0.0, last])
        .y_bounds([0.0, 1.0])
        .paint(|context| {
            for (nth, pair) in fine.windows(2).enumerate() {
                let (x1, y1, y2) = (nth as f64, part(pair[0]), part(pair[1]));
                context.draw(&Line { x1, y1, x2: x1 + 1.0, y2, color: colour });
            }
        })
        .render(area, buffer);
}

/// At most `wide` values; each is the mean of several points.
fn columns(points: &[Point], wide: usize) -> Vec<f64> {
    let count = points.len().min(wide);
    let from = |column: usize| column * points.len() / count;
    let mean = |some: &[Point]| some.iter().map(|point| point.y).sum::<f64>() / some.len() as f64;
    (0..count).map(|column| mean(&points[from(column)..from(column + 1)])).collect()
}
