//! The help page and the line of keys.

use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, BorderType, Clear, Paragraph, Widget};

use super::super::shown::Shown;
use super::super::theme::Theme;
use super::super::view::{Panel, View};

/// Keys and what they do.
const KEYS: [(&str, &str); 6] = [
    ("tab", "the next panel; shift-tab: the one before"),
    ("← →", "one opponent after the other, then all; other signs"),
    ("↑ ↓", "the same; earlier and later events (also page up, page down)"),
    ("z", "the panel on the whole screen, and back"),
    ("?", "this help"),
    ("q", "quit; the run goes on"),
];

/// How to read what is shown.
const READING: [&str; 7] = [
    "The player takes each seat in turn at a table of one opponent.",
    "The gain is the difference in chips to the opponent in the same",
    "seat. 0: as good as the opponent. Bars: 95 % intervals.",
    "`better` and `worse` compare with an earlier benchmark on the",
    "same deals, with intervals that are valid at every look.",
    "★ marks a new best; ~ an interval that holds 0.",
    "When it ends, the run writes report.html with the same curves.",
];

/// The keys that matter now, in one line.
pub(super) fn keys(buffer: &mut Buffer, area: Rect, shown: &Shown, view: &View, theme: Theme) {
    let arrows = match view.panel {
        Panel::Learning => "←→ opponent",
        Panel::Signs => "←→ sign",
        Panel::Events => "↑↓ scroll",
    };
    let zoom = if view.zoomed { "z back" } else { "z zoom" };
    let all = ["tab panel", arrows, zoom, "? help", "q quit"];
    let keys = if matches!(shown, Shown::Run(_)) { &all[..] } else { &all[3..] };
    let mut spans = Vec::new();
    for key in keys {
        let (key, does) = key.split_once(' ').unwrap_or((key, ""));
        spans.push(Span::styled(format!(" {key}"), Theme::strong()));
        spans.push(Span::styled(format!(" {does}  "), theme.dim()));
    }
    buffer.set_line(area.x, area.y, &Line::from(spans), area.width);
}

pub(super) fn page(buffer: &mut Buffer, area: Rect, theme: Theme) {
    let keys = KEYS.iter().map(|(key, does)| {
        let key = Span::styled(format!("  {key:<5}"), Theme::strong());
        Line::from(vec![key, Span::raw(*does)])
    });
    let reading = READING.iter().map(|line| Line::styled(format!("  {line}"), theme.dim()));
    let lines: Vec<Line<'_>> = keys.chain([Line::default()]).chain(reading).collect();
    let height = Constraint::Length(lines.len() as u16 + 2);
    let window = area.centered(Constraint::Length(72), height);
    Clear.render(window, buffer);
    let block = Block::bordered()
        .border_type(BorderType::Rounded)
        .border_style(theme.frame(true))
        .title(Line::styled(" Keys and reading ", Theme::strong()));
    Paragraph::new(lines).block(block).render(window, buffer);
}
