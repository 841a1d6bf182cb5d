//! Draws a run: a pure function of its contents and of the size of the window.

mod events;
mod head;
mod help;
mod learning;
mod plot;
mod signs;

use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::Style;
use ratatui::text::Line;
use ratatui::widgets::{Block, BorderType, Paragraph, Widget, Wrap};

use super::shown::{Shot, Shown};
use super::theme::Theme;
use super::view::{Panel, View};

/// The least width and height of the window.
const LEAST: (u16, u16) = (40, 12);
/// The least columns of the panel of signs.
const SIGNS: u16 = 30;

/// Draws everything.
pub(super) fn draw(buffer: &mut Buffer, shown: &Shown, view: &View, theme: Theme) {
    let area = buffer.area;
    if area.width < LEAST.0 || area.height < LEAST.1 {
        let text = format!("The window is too small: {} × {} at least.", LEAST.0, LEAST.1);
        Paragraph::new(text).wrap(Wrap { trim: true }).render(area, buffer);
        return;
    }
    let parts = Layout::vertical([Constraint::Fill(1), Constraint::Length(1)]);
    let [main, foot] = parts.areas(area);
    match shown {
        Shown::Waiting { folder, why } => waiting(buffer, main, folder, why, theme),
        Shown::Run(shot) => run(buffer, main, shot, view, theme),
    }
    help::keys(buffer, foot, shown, view, theme);
    if view.help {
        help::page(buffer, main, theme);
    }
}

fn waiting(buffer: &mut Buffer, area: Rect, folder: &str, why: &str, theme: Theme) {
    let lines = vec![
        Line::styled(format!("Waiting for a training run in {folder}"), Theme::strong()),
        Line::default(),
        Line::raw(format!("For now, {why}.")),
        Line::styled("It is shown here as soon as it has begun.", theme.dim()),
    ];
    let height = 6.min(area.height);
    let middle = Rect { y: area.y + (area.height - height) / 2, height, ..area };
    Paragraph::new(lines).centered().wrap(Wrap { trim: true }).render(middle, buffer);
}

fn run(buffer: &mut Buffer, area: Rect, shot: &Shot, view: &View, theme: Theme) {
    let parts = Layout::vertical([Constraint::Length(head::ROWS), Constraint::Fill(1)]);
    let [head, body] = parts.areas(area);
    head::draw(buffer, head, &shot.summary, theme);
    if view.zoomed {
        panel(buffer, body, shot, view, view.panel, theme);
        return;
    }
    // From 72 columns on, the signs fit beside the curves.
    let signs = if area.width < 72 { 0 } else { SIGNS.max(area.width / 3).min(56) };
    let [left, right] =
        Layout::horizontal([Constraint::Fill(1), Constraint::Length(signs)]).areas(body);
    let below = (body.height / 3).clamp(4, 14);
    let [top, bottom] =
        Layout::vertical([Constraint::Fill(1), Constraint::Length(below)]).areas(left);
    panel(buffer, top, shot, view, Panel::Learning, theme);
    if signs > 0 {
        panel(buffer, right, shot, view, Panel::Signs, theme);
        panel(buffer, bottom, shot, view, Panel::Events, theme);
    } else {
        let other = if view.panel == Panel::Signs { Panel::Signs } else { Panel::Events };
        panel(buffer, bottom, shot, view, other, theme);
    }
}

/// One panel in its frame.
fn panel(buffer: &mut Buffer, area: Rect, shot: &Shot, view: &View, which: Panel, theme: Theme) {
    let chosen = view.panel == which;
    let title = match which {
        Panel::Learning => learning::title(shot, view),
        Panel::Signs if view.zoomed => "Signs of trouble".into(),
        Panel::Signs => "Signs".into(),
        Panel::Events => "Events".into(),
    };
    let style = if chosen { Theme::strong() } else { Style::new() };
    let block = Block::bordered()
        .border_type(if chosen { BorderType::Thick } else { BorderType::Rounded })
        .border_style(theme.frame(chosen))
        .title(Line::styled(format!(" {title} "), style));
    let block = match which {
        Panel::Learning => {
            let checkpoints = format!(" {} ", shot.summary.checkpoints());
            block.title_bottom(Line::styled(checkpoints, theme.dim()).right_aligned())
        }
        _ => block,
    };
    let inner = block.inner(area);
    block.render(area, buffer);
    match which {
        Panel::Learning => learning::draw(buffer, inner, shot, view, theme),
        Panel::Signs => signs::draw(buffer, inner, shot, view, theme),
        Panel::Events => events::draw(buffer, inner, shot, view, theme),
    }
}

#[cfg(test)]
mod tests;
