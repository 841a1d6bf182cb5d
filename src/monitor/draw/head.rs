//! The progress of the run: five lines above the panels.

use newmarket_env::text::{brief, plain};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::super::summary::{State, Summary};
use super::super::theme::Theme;
use crate::report::grouped;
use crate::train::pace::exactly;

pub(super) const ROWS: u16 = 5;

pub(super) fn draw(buffer: &mut Buffer, area: Rect, summary: &Summary, theme: Theme) {
    let (sign, style) = match summary.state {
        State::Running => ("●", theme.good()),
        State::Finished => ("✔", theme.good()),
        State::Stopped => ("■", theme.alert()),
        State::Unknown => ("?", theme.alert()),
    };
    let age = match (summary.state, summary.age_seconds) {
        (State::Running | State::Unknown, Some(age)) => format!("   updated {} ago", exactly(age)),
        (State::Stopped, _) => "   newmarket resume goes on".into(),
        _ => String::new(),
    };
    let state = Line::from(vec![
        Span::styled(format!("{sign} {}", summary.state.word()), style.patch(Theme::strong())),
        Span::styled(age, theme.dim()),
    ]);
    let wide = (state.width() as u16).min(area.width);
    let right = area.right() - wide;
    let room = usize::from((right - area.x).saturating_sub(3));
    buffer.set_stringn(
        area.x + 1,
        area.y,
        end_of(&plain(&summary.folder), room),
        room,
        Theme::strong(),
    );
    buffer.set_line(right.saturating_sub(1), area.y, &state, wide);
    progress(buffer, Rect { y: area.y + 1, height: 1, ..area }, summary, theme);

    let used = exactly(summary.seconds);
    let left = summary.left.as_deref().unwrap_or("nothing: all planned updates are done");
    let phase = format!("{} of {}: {}", summary.phase.nth, summary.phase.of, summary.phase.words);
    let pace = summary.pace();
    let used = if pace.is_empty() { used } else { format!("{used}; {pace}") };
    let room = usize::from(area.width).saturating_sub(9);
    for (row, (name, text)) in
        [("Left", left), ("Used", &used), ("Phase", &phase)].iter().enumerate()
    {
        let line = Line::from(vec![
            Span::styled(format!("{name:<6}"), theme.dim()),
            Span::raw(brief(text, room)),
        ]);
        buffer.set_line(area.x + 1, area.y + 2 + row as u16, &line, area.width - 2);
    }
}

/// A bar, and how many updates are done.
fn progress(buffer: &mut Buffer, area: Rect, summary: &Summary, theme: Theme) {
    let part = (summary.update as f64 / summary.planned.unwrap_or(1) as f64).min(1.0);
    let text = match summary.planned {
        None => format!("  {}", summary.updates()),
        Some(planned) => format!(
            "  {} of {} updates, {:.0} %",
            grouped(summary.update),
            grouped(planned),
            (100.0 * part).floor()
        ),
    };
    let room = usize::from(area.width).saturating_sub(text.chars().count() + 2);
    let done = (part * room as f64) as usize;
    let bar = Line::from(vec![
        Span::styled("━".repeat(done), theme.good()),
        Span::styled("╌".repeat(room - done), theme.dim()),
        Span::raw(text),
    ]);
    buffer.set_line(area.x + 1, area.y, &bar, area.width.saturating_sub(1));
}

/// The end of a path that is too long: the end tells more than the beginning.
fn end_of(text: &str, room: usize) -> String {
    let count = text.chars().count();
    if count <= room {
        return text.into();
    }
    let rest = text.chars().skip(count + 1 - room.max(1));
    std::iter::once('…').chain(rest).collect()
}
