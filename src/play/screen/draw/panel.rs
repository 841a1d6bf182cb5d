//! Panels over the table: help, the log, values, results, and the question whether to leave.

use newmarket_engine::Judged;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::Line;
use ratatui::widgets::{Block, BorderType, Clear, Widget};

use super::super::super::help;
use super::super::super::values::{HALVES, MOST_SHOWN, behind};
use super::super::press::Target;
use super::super::state::{ScreenState, Stage};
use super::super::theme::Theme;
use super::super::worker::Values;
use super::{Canvas, hands};
use crate::wording::chips;

/// What is said until there are values.
const WORKING: &str = "working them out …";

/// Keys and what they do.
const KEYS: [(&str, &str); 10] = [
    ("← → 1–9", "choose a card, a boodle or a button; Enter does it"),
    ("Enter", "play your card where it waits for you (`--wait`)"),
    ("↑ ↓", "stake: put a chip on the boodle, take one back; e: evenly"),
    ("Space", "set a card apart; otherwise: show the rest at once"),
    ("h", "a hint: what the adviser would do"),
    ("v", "what every choice is worth, with intervals of 95 %"),
    ("u", "take your last decision of this deal back"),
    ("l", "the log"),
    ("< >", "slower, faster"),
    ("q", "leave the table"),
];

/// Keys of a viewer who does not play.
const WATCH_KEYS: [(&str, &str); 6] = [
    ("Space", "pause, or go on"),
    ("→", "the next card alone"),
    ("n", "the end of the deal; then the next deal"),
    ("l", "the log"),
    ("< >", "slower, faster"),
    ("q", "leave the table"),
];

/// A text in lines of this many columns.
pub(super) fn folded(text: &str, columns: usize) -> Vec<String> {
    let mut lines = Vec::new();
    for paragraph in text.lines() {
        let mut line = String::new();
        for word in paragraph.split_whitespace() {
            let wide = line.chars().count() + 1 + word.chars().count();
            if !line.is_empty() && wide > columns {
                lines.push(std::mem::take(&mut line));
            }
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
        lines.push(line);
    }
    lines
}

/// Draws an empty panel in the middle of an area. Returns the area inside it.
fn panel(canvas: &mut Canvas, area: Rect, wide: u16, high: u16, title: &str) -> Rect {
    let (wide, high) = (wide.min(area.width - 2), high.min(area.height));
    let place = Rect {
        x: area.x + (area.width - wide) / 2,
        y: area.y + (area.height - high) / 2,
        width: wide,
        height: high,
    };
    Clear.render(place, canvas.buffer);
    let block = Block::bordered()
        .border_type(BorderType::Rounded)
        .border_style(canvas.theme.choice())
        .title(Line::styled(format!(" {title} "), Theme::strong()));
    let inner = block.inner(place);
    block.render(place, canvas.buffer);
    // What lies under the panel cannot be clicked.
    canvas.targets.retain(|(_, on)| matches!(on, Target::Key(_)));
    Rect { x: inner.x + 1, width: inner.width - 2, ..inner }
}

/// Draws the keys and the rules of this game in short.
pub(super) fn help(screen: &ScreenState, canvas: &mut Canvas, area: Rect, scrolled: u16) {
    let wide = area.width.min(84);
    let room = usize::from(wide) - 6;
    let keys = if screen.viewer.is_some() { &KEYS[..] } else { &WATCH_KEYS };
    let mut lines: Vec<Line> = keys
        .iter()
        .map(|(key, does)| {
            let key = ratatui::text::Span::styled(format!("{key:<9}"), canvas.theme.choice());
            Line::from(vec![key, (*does).into()])
        })
        .collect();
    if screen.viewer.is_some() {
        lines.push("The mouse does the same: click on cards, cells, buttons and keys.".into());
    }
    lines.push(Line::default());
    for rule in help::rules(&screen.wording()) {
        for (nth, line) in folded(&rule, room - 2).iter().enumerate() {
            let dash = if nth == 0 { "– " } else { "  " };
            lines.push(canvas.theme.rich(&format!("{dash}{line}")));
        }
    }
    let high = (lines.len() as u16 + 2).min(area.height - 2);
    let inner = panel(canvas, area, wide, high, "Help · ↑↓ scroll · any other key closes");
    let last = lines.len().saturating_sub(usize::from(inner.height));
    for (y, line) in (inner.y..inner.bottom()).zip(&lines[usize::from(scrolled).min(last)..]) {
        canvas.line(inner.x, y, inner.width, line);
    }
}

/// Draws the end of the log, scrolled back by `back` lines.
fn log_lines(screen: &ScreenState, canvas: &mut Canvas, inner: Rect, back: u16) {
    let room = usize::from(inner.width);
    let mut lines = Vec::new();
    for line in screen.log.lines() {
        for (nth, part) in folded(line, room - 2).iter().enumerate() {
            let indent = if nth == 0 { "" } else { "  " };
            lines.push(format!("{indent}{part}"));
        }
    }
    let rows = usize::from(inner.height);
    let end = lines.len().saturating_sub(usize::from(back)).max(rows.min(lines.len()));
    let shown = &lines[end.saturating_sub(rows)..end];
    for (y, text) in (inner.y..).zip(shown) {
        if text.starts_with("──") {
            canvas.put(inner.x, y, inner.width, text, Theme::strong());
        } else {
            canvas.rich(inner.x, y, inner.width, text);
        }
    }
}

/// Draws the log over the table.
pub(super) fn log(screen: &ScreenState, canvas: &mut Canvas, area: Rect, back: u16) {
    let inner = panel(canvas, area, 84, area.height - 2, "Log · ↑↓ scroll · any other key closes");
    log_lines(screen, canvas, inner, back);
}

/// Draws a frame beside the table. Returns the area inside it.
fn framed(canvas: &mut Canvas, area: Rect, title: &str) -> Rect {
    let block = Block::bordered()
        .border_type(BorderType::Rounded)
        .border_style(canvas.theme.dim())
        .title(Line::styled(format!(" {title} "), Theme::strong()));
    let inner = block.inner(area);
    block.render(area, canvas.buffer);
    Rect { x: inner.x + 1, width: inner.width.saturating_sub(1), ..inner }
}

/// Draws the log beside the table.
pub(super) fn side_log(screen: &ScreenState, canvas: &mut Canvas, area: Rect) {
    let inner = framed(canvas, area, "Log");
    log_lines(screen, canvas, inner, 0);
}

/// The values of the choices that are shown, the best first, with the choices in words.
fn rows<'s>(screen: &'s ScreenState, values: &'s Values) -> Vec<(String, &'s Judged)> {
    let wording = screen.wording();
    let Some(view) = screen.view() else { return Vec::new() };
    let shown = values.judged.iter().take(MOST_SHOWN);
    shown.map(|judged| (wording.choice(&view, &judged.choice), judged)).collect()
}

/// What the values are, and how they were found.
fn note(values: &Values, shown: usize) -> String {
    let best = if values.choices > shown {
        format!("The best of {} choices. ", values.choices)
    } else {
        String::new()
    };
    format!("{best}{HALVES} After the choice all play as stopper. v closes; ←→ Enter choose.")
}

fn longest<'t>(texts: impl Iterator<Item = &'t str>) -> u16 {
    texts.map(|text| text.chars().count()).max().unwrap_or(0) as u16
}

/// Draws the values of the choices over the table, as intervals on one scale.
pub(super) fn values(screen: &ScreenState, canvas: &mut Canvas, area: Rect) {
    let theme = canvas.theme;
    let Some(values) = &screen.values else {
        let inner = panel(canvas, area, 40, 3, "Values");
        canvas.put(inner.x, inner.y, inner.width, WORKING, theme.dim());
        return;
    };
    let rows = rows(screen, values);
    let title = format!("Values · chips from now on, ± 95 %, in {} sampled deals", values.worlds);
    let wide = area.width.saturating_sub(2).min(78);
    let notes = folded(&note(values, rows.len()), usize::from(wide.saturating_sub(4)));
    let inner = panel(canvas, area, wide, (rows.len() + notes.len()) as u16 + 3, &title);
    let behinds: Vec<String> =
        rows.iter().map(|(_, judged)| behind(judged).unwrap_or_default()).collect();
    // The rest of the row: a space, the value, the least bar, a space, how far behind.
    let last = longest(behinds.iter().map(|text| &**text));
    let names = longest(rows.iter().map(|(name, _)| &**name));
    let column = names.min(inner.width.saturating_sub(1 + 15 + 8 + 1 + last));
    let ends = rows.iter().map(|(_, it)| (it.chips - it.ci95, it.chips + it.ci95));
    let (low, high) = ends.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), (from, to)| {
        (low.min(from), high.max(to))
    });
    let bar = inner.width.saturating_sub(column + 17 + last).clamp(8, 30);
    let scale = f64::from(bar - 1) / (high - low).max(0.01);
    let place = |chips: f64| ((chips - low) * scale).round() as u16;
    for (nth, ((name, judged), behind)) in rows.iter().zip(&behinds).enumerate() {
        let y = inner.y + nth as u16;
        canvas.rich(inner.x, y, column, name);
        let mut x = inner.x + column + 1;
        let style = if nth == 0 { theme.gain() } else { Style::new() };
        canvas.put(x, y, 15, &figure(judged), style);
        x += 15;
        for step in
            place(judged.chips - judged.ci95)..=place(judged.chips + judged.ci95).min(bar - 1)
        {
            canvas.put(x + step, y, 1, "─", theme.dim());
        }
        canvas.put(x + place(judged.chips).min(bar - 1), y, 1, "●", style);
        x += bar + 1;
        canvas.put(x, y, inner.right().saturating_sub(x), behind, theme.dim());
    }
    let y = inner.bottom().saturating_sub(notes.len() as u16);
    for (y, line) in (y..).zip(&notes) {
        canvas.put(inner.x, y, inner.width, line, theme.dim());
    }
}

fn figure(judged: &Judged) -> String {
    format!("{:>+6.2} ± {:.2}", judged.chips, judged.ci95)
}

/// Draws the values of the choices beside the table: each with how far it is behind below it, if there is room. Returns
/// how many rows that takes.
pub(super) fn values_beside(screen: &ScreenState, canvas: &mut Canvas, area: Rect) -> u16 {
    let theme = canvas.theme;
    let room = area.width.saturating_sub(3);
    let (rows, notes) = match &screen.values {
        None => (Vec::new(), vec![WORKING.to_owned()]),
        Some(values) => {
            let rows = rows(screen, values);
            let about = format!("Chips from now on, ± 95 %, in {} sampled deals.", values.worlds);
            let text = format!("{about} {}", note(values, rows.len()));
            (rows, folded(&text, usize::from(room)))
        }
    };
    let each = if area.height >= 2 * rows.len() as u16 + notes.len() as u16 + 3 { 2 } else { 1 };
    let high = (each * rows.len() as u16 + notes.len() as u16 + 3).min(area.height);
    let inner = framed(canvas, Rect { height: high, ..area }, "Values");
    // A figure without its interval where a name has no room beside it.
    let figures = if room >= 15 + 8 { 15 } else { 6 };
    let column = room.saturating_sub(figures);
    for (nth, (name, judged)) in rows.iter().enumerate() {
        let y = inner.y + nth as u16 * each;
        if y >= inner.bottom() {
            break;
        }
        canvas.rich(inner.x, y, column, name);
        let style = if nth == 0 { theme.gain() } else { Style::new() };
        canvas.put(inner.x + column, y, figures, &figure(judged), style);
        if let Some(behind) = behind(judged).filter(|_| each == 2) {
            canvas.put(inner.x + 1, y + 1, room - 1, &behind, theme.dim());
        }
    }
    let y = inner.y + each * rows.len() as u16 + u16::from(!rows.is_empty());
    for (y, line) in (y..inner.bottom()).zip(&notes) {
        canvas.put(inner.x, y, inner.width, line, theme.dim());
    }
    high
}

/// Draws the question whether to leave.
pub(super) fn leave(screen: &ScreenState, canvas: &mut Canvas, area: Rect) {
    let inner = panel(canvas, area, 44, 4, "Leave the table?");
    let text =
        format!("This is deal {} of {}.", screen.table.number, screen.game.rules().session.deals);
    canvas.put(inner.x, inner.y, inner.width, &text, Style::new());
    let yes = canvas.put(inner.x, inner.y + 1, inner.width, " Enter leaves ", canvas.theme.shout());
    canvas.click(Rect::new(inner.x, inner.y + 1, 14, 1), Target::Enter);
    let no = canvas.put(yes + 2, inner.y + 1, inner.width, "Esc stays", canvas.theme.choice());
    canvas.click(Rect::new(yes + 2, inner.y + 1, no.saturating_sub(yes + 2), 1), Target::Key('n'));
}

/// Draws the result of a deal, or of the session.
pub(super) fn result(screen: &ScreenState, canvas: &mut Canvas, area: Rect) {
    let (table, theme, wording) = (&screen.table, canvas.theme, screen.wording());
    let over = screen.stage == Stage::SessionOver;
    let winner = table.settled.as_ref().and_then(|settled| settled.winner);
    let title = match (over, winner) {
        (true, _) => "The session is over".to_string(),
        (false, Some(winner)) => format!("{} out", wording.does(winner, "are", "is")),
        (false, None) => "Nobody can lead".into(),
    };
    let players = screen.game.players();
    let dead = !over && !table.dead.is_empty();
    let (wide, rows) = if over { (46, players) } else { (78, players + usize::from(dead)) };
    let inner = panel(canvas, area, wide, rows as u16 + 5, &title);
    let credit = table.start.credit;
    let bought = table.bought.iter().any(|&chips| chips > 0);
    let head = match (over, bought) {
        (false, _) => "           deal    chips   cards left",
        (true, true) => "           result    chips   bought",
        (true, false) => "           result",
    };
    canvas.put(inner.x, inner.y, inner.width, head, theme.dim());
    let mut order: Vec<usize> = (0..players).collect();
    let standing = |seat: usize| table.result(seat);
    if over {
        order.sort_by_key(|&seat| std::cmp::Reverse(standing(seat)));
    }
    for (nth, &seat) in order.iter().enumerate() {
        let y = inner.y + 1 + nth as u16;
        let gain = table.gain(seat);
        let best = if over { standing(seat) == standing(order[0]) } else { winner == Some(seat) };
        let style = if best { Theme::strong() } else { Style::new() };
        let place =
            order.iter().position(|&other| standing(other) == standing(seat)).unwrap_or(nth);
        let number = if over { format!("{}.", place + 1) } else { String::new() };
        canvas.put(
            inner.x,
            y,
            inner.width,
            &format!("{number:<3}{:<4}", wording.name(seat)),
            style,
        );
        let stack = chips(credit, table.stacks[seat]);
        if over {
            let result = chips(credit, standing(seat));
            let style = if best { theme.gain() } else { Style::new() };
            let x = canvas.put(inner.x + 8, y, inner.width, &format!("{result:>9}"), style);
            if bought {
                let text = format!("{stack:>9}{:>9}", table.bought[seat]);
                canvas.put(x, y, inner.width, &text, Style::new());
            }
        } else {
            let style = if gain > 0 { theme.gain() } else { Style::new() };
            let text = format!("{:>8}", chips(true, gain));
            let x = canvas.put(inner.x + 7, y, inner.width, &text, style);
            let x = canvas.put(x, y, inner.width, &format!("{stack:>9}"), Style::new()) + 3;
            let left = format!("{:>2}  ", table.sizes[seat]);
            let x = canvas.put(x, y, inner.width, &left, Style::new());
            hands::hand(screen, canvas, (x, y), inner.right(), table.hands[seat]);
        }
    }
    if dead {
        let y = inner.y + 1 + players as u16;
        canvas.put(inner.x, y, inner.width, "   dead", theme.dim());
        let left = format!("{:>2}  ", table.dead.len());
        let x = canvas.put(inner.x + 27, y, inner.width, &left, theme.dim());
        hands::hand(screen, canvas, (x, y), inner.right(), table.dead);
    }
    let y = inner.bottom().saturating_sub(1);
    let button = if over { " Enter leaves the table " } else { " Enter: next deal " };
    canvas.put(inner.x, y, inner.width, button, theme.shout());
    canvas.click(Rect::new(inner.x, y, button.chars().count() as u16, 1), Target::Enter);
    let keys = if screen.viewer.is_some() && !over { "u undo · l log" } else { "l log" };
    let x = inner.right().saturating_sub(keys.chars().count() as u16);
    canvas.put(x, y, inner.width, keys, theme.dim());
}
