//! The panel of gains over benchmark opponents.

use newmarket_env::text::plain;
use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Widget, Wrap};

use super::super::shown::Shot;
use super::super::summary::Benchmark;
use super::super::theme::Theme;
use super::super::view::View;
use super::plot::{Plot, Series};
use crate::report::curve::Curve;

pub(super) fn title(shot: &Shot, view: &View) -> String {
    let one = view.benchmark.and_then(|nth| shot.gains.get(nth));
    match one {
        Some(curve) => format!("Chips a {} over {}", shot.by.one, curve.name),
        None => format!("Chips a {} over each opponent", shot.by.one),
    }
}

pub(super) fn draw(buffer: &mut Buffer, area: Rect, shot: &Shot, view: &View, theme: Theme) {
    let shown: Vec<(usize, &Curve)> = shot
        .gains
        .iter()
        .enumerate()
        .filter(|(nth, _)| view.benchmark.is_none_or(|one| one == *nth || one >= shot.gains.len()))
        .collect();
    if shown.is_empty() {
        let inner = Rect { x: area.x + 1, width: area.width.saturating_sub(2), ..area };
        Paragraph::new(shot.first.as_str())
            .style(theme.dim())
            .wrap(Wrap { trim: true })
            .render(inner, buffer);
        return;
    }
    let lines = shown.len().min(usize::from(area.height / 3)) as u16;
    let parts = Layout::vertical([Constraint::Fill(1), Constraint::Length(lines)]);
    let [plot, below] = parts.areas(area);
    let series: Vec<Series<'_>> = shown
        .iter()
        .map(|(nth, curve)| Series { curve, colour: theme.curve(*nth), label: &curve.name })
        .collect();
    let marked = shot.summary.best.map(|best| (best, "best"));
    Plot { series: &series, marked }.draw(buffer, plot, theme);
    let longest = shown.iter().map(|(_, curve)| curve.name.chars().count()).max().unwrap_or(0);
    for (row, (nth, _)) in shown.iter().take(usize::from(lines)).enumerate() {
        if let Some(benchmark) = shot.summary.benchmarks.get(*nth) {
            let line = verdict(benchmark, theme.curve(*nth).into(), longest.min(14), theme);
            buffer.set_line(below.x + 1, below.y + row as u16, &line, below.width - 1);
        }
    }
}

/// The gain with its interval, to a hundredth.
fn figure(benchmark: &Benchmark) -> String {
    let mark =
        if benchmark.ci95.is_some_and(|ci95| benchmark.gain.abs() <= ci95) { "~" } else { "" };
    let ci95 = benchmark.ci95.map(|ci95| format!(" ± {ci95:.2}{mark}"));
    format!("{:+.2}{}", benchmark.gain, ci95.unwrap_or_default())
}

/// The latest benchmark with its verdict.
fn verdict(benchmark: &Benchmark, name: Style, room: usize, theme: Theme) -> Line<'_> {
    let style = match benchmark.change.as_ref().map(|change| change.verdict) {
        Some("better") => theme.good(),
        Some("worse") => theme.bad(),
        _ => theme.dim(),
    };
    let against: String = plain(&benchmark.against).chars().take(room).collect();
    Line::from(vec![
        Span::styled(format!("{against:<room$} "), name),
        Span::styled(format!("{:<14} ", figure(benchmark)), Theme::strong()),
        Span::styled(benchmark.verdict(), style),
    ])
}
