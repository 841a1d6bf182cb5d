//! The events of a run, the latest last.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::super::history::{Event, Kind};
use super::super::shown::Shot;
use super::super::theme::Theme;
use super::super::view::View;
use crate::report::grouped;

pub(super) fn draw(buffer: &mut Buffer, area: Rect, shot: &Shot, view: &View, theme: Theme) {
    let end = shot.events.len().saturating_sub(view.scrolled);
    let first = end.saturating_sub(area.height.into());
    if end == 0 {
        let text = "Nothing has been measured or saved yet.";
        buffer.set_stringn(area.x + 1, area.y, text, area.width.into(), theme.dim());
    }
    let shown = &shot.events[first..end];
    let wide =
        |text: fn(&Event) -> String| shown.iter().map(|event| text(event).chars().count()).max();
    let (updates, times) = (wide(update).unwrap_or(0), wide(time).unwrap_or(0));
    for (row, event) in shown.iter().enumerate() {
        let style = match event.kind {
            Kind::Best => theme.good(),
            Kind::Trouble => theme.bad(),
            Kind::Measured | Kind::Plain => Style::new(),
        };
        let mark = match event.kind {
            Kind::Best => "★",
            Kind::Measured => "·",
            Kind::Trouble => "!",
            Kind::Plain => " ",
        };
        let line = Line::from(vec![
            Span::styled(
                format!("{:>updates$}  {:>times$} ", update(event), time(event)),
                theme.dim(),
            ),
            Span::styled(format!("{mark} {}", event.text), style),
        ]);
        buffer.set_line(area.x + 1, area.y + row as u16, &line, area.width.saturating_sub(2));
    }
}

fn update(event: &Event) -> String {
    grouped(event.update)
}

/// Hours, minutes and seconds of training.
fn time(event: &Event) -> String {
    let seconds = event.seconds as u64;
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    match hours {
        0 => format!("{minutes}:{seconds:02}"),
        hours => format!("{hours}:{minutes:02}:{seconds:02}"),
    }
}
