//! All hands face up, a line for each seat.

use newmarket_env::{CardSet, Suit};
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};

use super::super::state::ScreenState;
use super::super::theme::Theme;
use super::Canvas;
use crate::wording::chips;

/// Draws all hands, and the dead hand.
pub(super) fn draw(screen: &ScreenState, canvas: &mut Canvas, area: Rect) {
    let (table, theme) = (&screen.table, canvas.theme);
    let players = screen.game.players();
    for seat in 0..players {
        let y = area.y + seat as u16;
        let acts = table.turn == Some(seat);
        let leads = table.sequence.last().is_some_and(|last| last.seat == seat);
        let mark = if acts {
            "▸ "
        } else if leads {
            "• "
        } else {
            "  "
        };
        let x = canvas.put(area.x + 1, y, 2, mark, theme.cursor());
        let style = if acts { theme.cursor() } else { Theme::strong() };
        let x = canvas.put(x, y, 4, screen.wording().name(seat), style) + 1;
        if table.start.dealer == seat {
            canvas.put(x, y, 1, "D", theme.choice());
        }
        let stack = chips(table.start.credit, table.stacks[seat]);
        canvas.put(x + 2, y, 6, &format!("{stack:>4}"), Style::new());
        if !table.start.seats_in.contains(seat) {
            canvas.put(x + 8, y, area.width, "is out of the game", theme.dim());
            continue;
        }
        let behind = hand(screen, canvas, (x + 8, y), area.right(), table.hands[seat]);
        let said = &table.last_acts[seat];
        let style = if said.starts_with('+') { theme.gain() } else { theme.choice() };
        let room = area.right().saturating_sub(behind + 2);
        if usize::from(room) >= said.chars().count() {
            canvas.put(behind + 2, y, room, said, style);
        }
    }
    if !table.dead.is_empty() {
        let y = area.y + players as u16;
        canvas.put(area.x + 3, y, 4, "dead", theme.dim());
        hand(screen, canvas, (area.x + 15, y), area.right(), table.dead);
    }
}

/// Draws a hand sorted by suit. Returns the column after it.
pub(super) fn hand(
    screen: &ScreenState,
    canvas: &mut Canvas,
    (x, y): (u16, u16),
    right: u16,
    hand: CardSet,
) -> u16 {
    let theme = canvas.theme;
    let suits = Suit::ALL.into_iter().filter(|&suit| hand.lowest(suit).is_some()).count();
    let columns =
        2 * suits + hand.iter().map(|card| 1 + usize::from(is_ten(screen, card))).sum::<usize>();
    // A space between the cards, if there is room.
    let room = usize::from(right.saturating_sub(x));
    let space = u16::from(columns + hand.len() + 2 * suits <= room);
    let mut x = x;
    for suit in Suit::ALL {
        let cards = hand & CardSet::suit(suit);
        if cards.is_empty() {
            continue;
        }
        let style = theme.suit(suit);
        x = canvas.put(x, y, 1, &suit.symbol().to_string(), style);
        for card in cards {
            let text = screen.game.rules().aces.sign(card.rank());
            x = canvas.put(x + space, y, 2, text, style.add_modifier(Modifier::BOLD));
        }
        x += 1 + space;
    }
    x
}

fn is_ten(screen: &ScreenState, card: newmarket_env::Card) -> bool {
    screen.game.rules().aces.letter(card.rank()) == 'T'
}
