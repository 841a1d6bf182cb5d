//! The seats around the table: names, cards, chips and last acts.

use ratatui::layout::Rect;
use ratatui::style::Style;

use super::super::state::ScreenState;
use super::super::theme::Theme;
use super::Canvas;
use crate::wording;

/// Draws each seat in its place, the person in one line above the hand.
pub(super) fn draw(screen: &ScreenState, canvas: &mut Canvas, places: &[Rect]) {
    let person = screen.viewer.unwrap_or(0);
    let players = screen.game.players();
    for (nth, &place) in places.iter().enumerate() {
        let seat = (person + nth) % players;
        if nth == 0 {
            person_line(screen, canvas, place, seat);
        } else {
            block(screen, canvas, place, seat);
        }
    }
}

/// Draws the name with its marks. Returns the column after them.
fn name(screen: &ScreenState, canvas: &mut Canvas, x: u16, y: u16, room: u16, seat: usize) -> u16 {
    let (table, theme) = (&screen.table, canvas.theme);
    let leads =
        table.sequence.last().is_some_and(|last| last.seat == seat) && table.settled.is_none();
    let acts = table.turn == Some(seat);
    let mark = if acts {
        "▸ "
    } else if leads {
        "• "
    } else {
        "  "
    };
    let style = if acts { theme.cursor() } else { Theme::strong() };
    let x = canvas.put(x, y, room, mark, theme.cursor());
    let x = canvas.put(x, y, room, screen.wording().name(seat), style) + 1;
    if table.start.dealer == seat {
        return canvas.put(x, y, 1, "D", theme.choice()) + 1;
    }
    x
}

/// Draws what a seat did last. Chips won stand out.
fn last_act(screen: &ScreenState, canvas: &mut Canvas, x: u16, y: u16, room: u16, seat: usize) {
    let (theme, text) = (canvas.theme, &screen.table.last_acts[seat]);
    let style = if text.starts_with('+') { theme.gain() } else { theme.choice() };
    canvas.put(x, y, room, text, style);
}

/// Draws the chips of a seat and its gain in the deal. Returns the column after them.
fn chips(screen: &ScreenState, canvas: &mut Canvas, x: u16, y: u16, room: u16, seat: usize) -> u16 {
    let table = &screen.table;
    let theme = canvas.theme;
    let stack = wording::chips(table.start.credit, table.stacks[seat]);
    let x = canvas.put(x, y, room, "● ", theme.choice());
    let x = canvas.put(x, y, room, &stack, Style::new());
    let gain = table.gain(seat);
    let style = if gain > 0 { theme.gain() } else { theme.dim() };
    if gain != 0 && !(table.start.credit && table.start.stacks[seat] == 0) {
        let text = format!(" ({})", wording::chips(true, gain));
        return canvas.put(x, y, room, &text, style);
    }
    x
}

fn block(screen: &ScreenState, canvas: &mut Canvas, area: Rect, seat: usize) {
    let (table, theme) = (&screen.table, canvas.theme);
    let behind = name(screen, canvas, area.x, area.y, area.width, seat);
    let (x, room) = (area.x + 2, area.width - 2);
    if area.height > 3 {
        last_act(screen, canvas, x, area.y + 3, room, seat);
    } else {
        last_act(screen, canvas, behind, area.y, area.right().saturating_sub(behind), seat);
    }
    if !table.start.seats_in.contains(seat) {
        canvas.put(x, area.y + 1, room, "is out of the game", theme.dim());
    } else if table.sizes[seat] > 0 || table.settled.is_some() {
        let x =
            canvas.put(x, area.y + 1, room, &format!("{:<2} ", table.sizes[seat]), Style::new());
        let most = usize::from(area.right().saturating_sub(x));
        let backs = table.sizes[seat].min(most);
        canvas.put(
            x,
            area.y + 1,
            room,
            &"▮".repeat(backs),
            theme.suit(newmarket_env::Suit::Diamonds),
        );
    }
    let x = chips(screen, canvas, x, area.y + 2, room, seat);
    if table.bets[seat] > 0 {
        let text = format!(" bet {}", table.bets[seat]);
        canvas.put(x, area.y + 2, area.right().saturating_sub(x), &text, theme.choice());
    }
}

fn person_line(screen: &ScreenState, canvas: &mut Canvas, area: Rect, seat: usize) {
    let (table, theme) = (&screen.table, canvas.theme);
    let mut x = name(screen, canvas, area.x + 1, area.y, area.width, seat);
    if !table.start.seats_in.contains(seat) {
        canvas.put(x + 1, area.y, area.width, "You are out of the game.", theme.dim());
        return;
    }
    x = chips(screen, canvas, x + 1, area.y, area.width, seat) + 2;
    if table.sizes[seat] > 0 {
        let cards = if table.sizes[seat] == 1 { "card" } else { "cards" };
        x = canvas.put(
            x,
            area.y,
            area.width,
            &format!("{} {cards}", table.sizes[seat]),
            Style::new(),
        );
        x += 2;
    }
    if table.bets[seat] > 0 {
        x = canvas.put(x, area.y, area.width, &format!("bet {}", table.bets[seat]), theme.choice())
            + 2;
    }
    if !table.apart[seat].is_empty() && table.sequence.is_empty() {
        let five = format!("apart {}", screen.wording().five(table.apart[seat]));
        x = canvas.rich(x, area.y, area.right().saturating_sub(x), &five) + 2;
    }
    last_act(screen, canvas, x, area.y, area.right().saturating_sub(x), seat);
}

/// Draws the size of the dead hand and the number of known cards.
pub(super) fn dead_hand(screen: &ScreenState, canvas: &mut Canvas, area: Rect) {
    let (table, theme) = (&screen.table, canvas.theme);
    if table.dead_size == 0 {
        return;
    }
    let cards = if table.dead_size == 1 { "card" } else { "cards" };
    let known = match table.dead.len() {
        0 => String::new(),
        known if known == table.dead_size => ", all known".into(),
        known => format!(", {known} known (×)"),
    };
    let text = format!("dead hand: {} {cards}{known}", table.dead_size);
    canvas.middle(area, area.y, &text, theme.dim());
}
