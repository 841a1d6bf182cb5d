//! All hands face up, a line for each seat.

use newmarket_env::{CardSet, Suit};
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};

use super::super::super::pen::chips_text;
use super::super::show::Show;
use super::super::theme::{Theme, rank};
use super::Sheet;

/// Draws them, and the dead hand.
pub(super) fn draw(show: &Show, sheet: &mut Sheet, area: Rect) {
    let (felt, theme) = (&show.felt, sheet.theme);
    let players = show.game.players();
    for seat in 0..players {
        let y = area.y + seat as u16;
        let acts = felt.turn == Some(seat);
        let leads = felt.run.last().is_some_and(|laid| laid.seat == seat);
        let mark = if acts {
            "▸ "
        } else if leads {
            "• "
        } else {
            "  "
        };
        let x = sheet.put(area.x + 1, y, 2, mark, theme.cursor());
        let style = if acts { theme.cursor() } else { Theme::strong() };
        let x = sheet.put(x, y, 4, &show.pen().name(seat), style) + 1;
        if felt.start.dealer == seat {
            sheet.put(x, y, 1, "D", theme.choice());
        }
        let stack = chips_text(felt.start.credit, felt.stacks[seat]);
        sheet.put(x + 2, y, 6, &format!("{stack:>4}"), Style::new());
        if !felt.start.seats_in.contains(seat) {
            sheet.put(x + 8, y, area.width, "is out of the game", theme.dim());
            continue;
        }
        let behind = hand(show, sheet, (x + 8, y), area.right(), felt.hands[seat]);
        let said = &felt.said[seat];
        let style = if said.starts_with('+') { theme.gain() } else { theme.choice() };
        let room = area.right().saturating_sub(behind + 2);
        if usize::from(room) >= said.chars().count() {
            sheet.put(behind + 2, y, room, said, style);
        }
    }
    if !felt.dead.is_empty() {
        let y = area.y + players as u16;
        sheet.put(area.x + 3, y, 4, "dead", theme.dim());
        hand(show, sheet, (area.x + 15, y), area.right(), felt.dead);
    }
}

/// A hand sorted by suit; the column behind it.
fn hand(show: &Show, sheet: &mut Sheet, (x, y): (u16, u16), right: u16, hand: CardSet) -> u16 {
    let theme = sheet.theme;
    let suits = Suit::ALL.into_iter().filter(|&suit| hand.lowest(suit).is_some()).count();
    let columns =
        2 * suits + hand.iter().map(|card| 1 + usize::from(is_ten(show, card))).sum::<usize>();
    // As much between the cards as there is room for.
    let room = usize::from(right.saturating_sub(x));
    let space = u16::from(columns + hand.len() + 2 * suits <= room);
    let mut x = x;
    for suit in Suit::ALL {
        let cards = hand & CardSet::suit(suit);
        if cards.is_empty() {
            continue;
        }
        let style = theme.suit(suit);
        x = sheet.put(x, y, 1, &suit.symbol().to_string(), style);
        for card in cards {
            let text = rank(card, show.game.rules().aces);
            x = sheet.put(x + space, y, 2, &text, style.add_modifier(Modifier::BOLD));
        }
        x += 1 + space;
    }
    x
}

fn is_ten(show: &Show, card: newmarket_env::Card) -> bool {
    show.game.rules().aces.letter(card.rank()) == 'T'
}
