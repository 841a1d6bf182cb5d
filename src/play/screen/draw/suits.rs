//! The cards of each suit: played, known to be dead, or neither.

use newmarket_env::{Card, Rank, Suit};
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};

use super::super::state::ScreenState;
use super::Canvas;

/// Columns of the word to the right of a suit.
const WORD: u16 = 5;

/// A row for each suit, a column for each rank.
pub(super) fn draw(screen: &ScreenState, canvas: &mut Canvas, area: Rect) {
    let (table, theme) = (&screen.table, canvas.theme);
    let rules = screen.game.rules();
    let (ranks, pack, played) = (rules.ranks, screen.game.pack(), table.all_played());
    let suits: Vec<Suit> = Suit::ALL.into_iter().take(rules.suits).collect();
    // A word about the suit stands to the right of its row.
    let column = (area.width.saturating_sub(2 + WORD) / ranks as u16).min(6);
    let left = area.x + area.width.saturating_sub(2 + ranks as u16 * column + WORD) / 2;
    let step = if area.height > 4 { 2 } else { 1 };
    for (nth, &suit) in suits.iter().enumerate() {
        let y = area.y + nth as u16 * step;
        let colour = theme.suit(suit);
        canvas.put(left, y, 1, &suit.symbol().to_string(), colour.add_modifier(Modifier::BOLD));
        for index in 0..ranks {
            let Some(of_index) = Rank::try_from_index(index) else { continue };
            let card = Card::new(suit, of_index);
            let text = rules.aces.sign(card.rank());
            let runs = table.sequence.iter().any(|played| played.card == card);
            let (text, style) = match () {
                () if runs => (text, colour.add_modifier(Modifier::BOLD | Modifier::REVERSED)),
                () if played.contains(card) => (text, colour.add_modifier(Modifier::BOLD)),
                () if table.dead.contains(card) => ("×", theme.dim()),
                () if pack.contains(card) => ("·", theme.dim()),
                () => ("", Style::new()),
            };
            let x = left + 1 + index as u16 * column;
            canvas.put(x + u16::from(text.chars().count() < 2), y, 2, text, style);
        }
        let x = left + 2 + ranks as u16 * column;
        if table.has_stopped && table.stopped == Some(suit) && table.settled.is_none() {
            canvas.put(x, y, WORD, "■stop", theme.cursor());
        } else if !table.has_stopped
            && let Some(last) = table.sequence.last().filter(|last| last.card.suit() == suit)
        {
            let wording = screen.wording();
            canvas.put(x, y, WORD, &format!("◂ {}", wording.name(last.seat)), theme.choice());
        }
    }
}
