//! Who sits around the table: names, cards, chips and what they did last.

use ratatui::layout::Rect;
use ratatui::style::Style;

use super::super::super::pen::chips_text;
use super::super::log::gain;
use super::super::show::Show;
use super::super::theme::Theme;
use super::Sheet;

/// Everybody in their place, the person in one line above the hand.
pub(super) fn draw(show: &Show, sheet: &mut Sheet, places: &[Rect]) {
    let person = show.viewer.unwrap_or(0);
    let players = show.game.players();
    for (nth, &place) in places.iter().enumerate() {
        let seat = (person + nth) % players;
        if nth == 0 {
            person_line(show, sheet, place, seat);
        } else {
            block(show, sheet, place, seat);
        }
    }
}

/// The name with its marks; the column behind it.
fn name(show: &Show, sheet: &mut Sheet, x: u16, y: u16, room: u16, seat: usize) -> u16 {
    let (felt, theme) = (&show.felt, sheet.theme);
    let leads = felt.run.last().is_some_and(|laid| laid.seat == seat) && felt.settled.is_none();
    let acts = felt.turn == Some(seat);
    let mark = if acts {
        "▸ "
    } else if leads {
        "• "
    } else {
        "  "
    };
    let style = if acts { theme.cursor() } else { Theme::strong() };
    let x = sheet.put(x, y, room, mark, theme.cursor());
    let x = sheet.put(x, y, room, &show.pen().name(seat), style) + 1;
    if felt.start.dealer == seat {
        return sheet.put(x, y, 1, "D", theme.choice()) + 1;
    }
    x
}

/// What a seat did last; chips that it won stand out.
fn said(show: &Show, sheet: &mut Sheet, x: u16, y: u16, room: u16, seat: usize) {
    let (theme, text) = (sheet.theme, &show.felt.said[seat]);
    let style = if text.starts_with('+') { theme.gain() } else { theme.choice() };
    sheet.put(x, y, room, text, style);
}

/// Chips, with what the deal has brought so far.
fn chips(show: &Show, sheet: &mut Sheet, x: u16, y: u16, room: u16, seat: usize) -> u16 {
    let felt = &show.felt;
    let theme = sheet.theme;
    let stack = chips_text(felt.start.credit, felt.stacks[seat]);
    let x = sheet.put(x, y, room, "● ", theme.choice());
    let x = sheet.put(x, y, room, &stack, Style::new());
    let gained = felt.stacks[seat] - felt.start.stacks[seat];
    let style = if gained > 0 { theme.gain() } else { theme.dim() };
    if gained != 0 && !(felt.start.credit && felt.start.stacks[seat] == 0) {
        let text = format!(" ({})", gain(felt, seat));
        return sheet.put(x, y, room, &text, style);
    }
    x
}

fn block(show: &Show, sheet: &mut Sheet, area: Rect, seat: usize) {
    let (felt, theme) = (&show.felt, sheet.theme);
    let behind = name(show, sheet, area.x, area.y, area.width, seat);
    let (x, room) = (area.x + 2, area.width - 2);
    if area.height > 3 {
        said(show, sheet, x, area.y + 3, room, seat);
    } else {
        said(show, sheet, behind, area.y, area.right().saturating_sub(behind), seat);
    }
    if !felt.start.seats_in.contains(seat) {
        sheet.put(x, area.y + 1, room, "is out of the game", theme.dim());
    } else if felt.sizes[seat] > 0 || felt.settled.is_some() {
        let x = sheet.put(x, area.y + 1, room, &format!("{:<2} ", felt.sizes[seat]), Style::new());
        let most = usize::from(area.right().saturating_sub(x));
        let backs = felt.sizes[seat].min(most);
        sheet.put(
            x,
            area.y + 1,
            room,
            &"▮".repeat(backs),
            theme.suit(newmarket_env::Suit::Diamonds),
        );
    }
    let x = chips(show, sheet, x, area.y + 2, room, seat);
    if felt.put[seat] > 0 {
        let text = format!(" bet {}", felt.put[seat]);
        sheet.put(x, area.y + 2, area.right().saturating_sub(x), &text, theme.choice());
    }
}

fn person_line(show: &Show, sheet: &mut Sheet, area: Rect, seat: usize) {
    let (felt, theme) = (&show.felt, sheet.theme);
    let mut x = name(show, sheet, area.x + 1, area.y, area.width, seat);
    if !felt.start.seats_in.contains(seat) {
        sheet.put(x + 1, area.y, area.width, "You are out of the game.", theme.dim());
        return;
    }
    x = chips(show, sheet, x + 1, area.y, area.width, seat) + 2;
    if felt.sizes[seat] > 0 {
        let cards = if felt.sizes[seat] == 1 { "card" } else { "cards" };
        x = sheet.put(
            x,
            area.y,
            area.width,
            &format!("{} {cards}", felt.sizes[seat]),
            Style::new(),
        );
        x += 2;
    }
    if felt.put[seat] > 0 {
        x = sheet.put(x, area.y, area.width, &format!("bet {}", felt.put[seat]), theme.choice())
            + 2;
    }
    if !felt.apart[seat].is_empty() && felt.run.is_empty() {
        let five = format!("apart {}", show.pen().five(felt.apart[seat]));
        x = sheet.rich(x, area.y, area.right().saturating_sub(x), &five) + 2;
    }
    said(show, sheet, x, area.y, area.right().saturating_sub(x), seat);
}

/// How many cards are out of play, and those that are known.
pub(super) fn dead_hand(show: &Show, sheet: &mut Sheet, area: Rect) {
    let (felt, theme) = (&show.felt, sheet.theme);
    if felt.dead_size == 0 {
        return;
    }
    let cards = if felt.dead_size == 1 { "card" } else { "cards" };
    let known = match felt.dead.len() {
        0 => String::new(),
        known if known == felt.dead_size => ", all known".into(),
        known => format!(", {known} known (×)"),
    };
    let text = format!("dead hand: {} {cards}{known}", felt.dead_size);
    sheet.middle(area, area.y, &text, theme.dim());
}
