//! Losses, entropy, speed and the like, as small curves or one large one.

use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::Color;
use ratatui::widgets::{Sparkline, Widget};

use super::super::shown::Shot;
use super::super::signs::{Sign, short};
use super::super::theme::Theme;
use super::super::view::{Panel, View};
use super::plot::{Plot, Series};
use crate::report::curve::{Point, thinned};

pub(super) fn draw(buffer: &mut Buffer, area: Rect, shot: &Shot, view: &View, theme: Theme) {
    let inner = Rect { x: area.x + 1, width: area.width.saturating_sub(2), ..area };
    if view.zoomed {
        let parts = Layout::vertical([Constraint::Length(1), Constraint::Fill(1)]);
        let [about, plot] = parts.areas(inner);
        let sign = &shot.signs[view.sign];
        let text = format!("{}: {}  {}", sign.name, latest(sign), sign.about);
        buffer.set_stringn(about.x, about.y, text, usize::from(about.width), theme.strong());
        let (colour, label) = (theme.ink(Color::Cyan), String::new());
        let series = [Series { points: &sign.points, colour, label }];
        Plot { series: &series, signed: false, marked: None }.draw(buffer, plot, theme);
        return;
    }
    let each = (inner.height / shot.signs.len() as u16).max(2);
    let fit = usize::from(inner.height / each);
    // The one that is looked at is among those that there is room for.
    let first = if view.panel == Panel::Signs { view.sign.saturating_sub(fit - 1) } else { 0 };
    for (row, (nth, sign)) in shot.signs.iter().enumerate().skip(first).take(fit).enumerate() {
        let chosen = view.panel == Panel::Signs && nth == view.sign;
        let y = inner.y + row as u16 * each;
        let style = if chosen { theme.strong() } else { theme.dim() };
        let value = latest(sign);
        let right = inner.right().saturating_sub(value.chars().count() as u16);
        let room = usize::from(right.saturating_sub(inner.x + 1));
        let name = if chosen { format!("▸ {}", sign.name) } else { sign.name.into() };
        buffer.set_stringn(inner.x, y, name, room, style);
        buffer.set_string(right, y, value, theme.strong());
        let below = Rect { y: y + 1, height: (each - 1).min(4), ..inner };
        spark(buffer, below, &sign.points, theme);
    }
}

fn latest(sign: &Sign) -> String {
    sign.latest.map_or("–".into(), short)
}

/// Values as columns between the least and the greatest of them.
fn spark(buffer: &mut Buffer, area: Rect, points: &[Point], theme: Theme) {
    let values: Vec<f64> = thinned(points, area.width.into()).iter().map(|it| it.y).collect();
    let low = values.iter().copied().fold(f64::INFINITY, f64::min);
    let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let steps = f64::from(area.height) * 8.0;
    let height = |value: f64| match (value - low) / (high - low) {
        part if part.is_finite() => 1 + (part * (steps - 1.0)).round() as u64,
        _ => 1,
    };
    Sparkline::default()
        .data(values.into_iter().map(height).collect::<Vec<u64>>())
        .max(steps as u64)
        .style(ratatui::style::Style::new().fg(theme.ink(Color::Cyan)))
        .render(area, buffer);
}
