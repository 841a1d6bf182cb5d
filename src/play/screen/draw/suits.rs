//! What has been played in each suit, and what is known to be dead.

use newmarket_env::{Card, Rank, Suit};
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};

use super::super::show::Show;
use super::super::theme::rank;
use super::Sheet;

/// Columns of the word behind a suit.
const WORD: u16 = 5;

/// A row for each suit, a column for each rank.
pub(super) fn draw(show: &Show, sheet: &mut Sheet, area: Rect) {
    let (felt, theme) = (&show.felt, sheet.theme);
    let rules = show.game.rules();
    let (ranks, pack, played) = (rules.ranks, show.game.pack(), felt.all_played());
    let suits: Vec<Suit> = Suit::ALL.into_iter().take(rules.suits).collect();
    // A word about the suit stands behind its row.
    let column = (area.width.saturating_sub(2 + WORD) / ranks as u16).min(6);
    let left = area.x + area.width.saturating_sub(2 + ranks as u16 * column + WORD) / 2;
    let step = if area.height > 4 { 2 } else { 1 };
    for (nth, &suit) in suits.iter().enumerate() {
        let y = area.y + nth as u16 * step;
        let colour = theme.suit(suit);
        sheet.put(left, y, 1, &suit.symbol().to_string(), colour.add_modifier(Modifier::BOLD));
        for index in 0..ranks {
            let Some(index_of) = Rank::try_from_index(index) else { continue };
            let card = Card::new(suit, index_of);
            let text = rank(card, rules.aces);
            let runs = felt.run.iter().any(|laid| laid.card == card);
            let (text, style) = match () {
                () if runs => (text, colour.add_modifier(Modifier::BOLD | Modifier::REVERSED)),
                () if played.contains(card) => (text, colour.add_modifier(Modifier::BOLD)),
                () if felt.dead.contains(card) => ("×".into(), theme.dim()),
                () if pack.contains(card) => ("·".into(), theme.dim()),
                () => (String::new(), Style::new()),
            };
            let x = left + 1 + index as u16 * column;
            sheet.put(x + u16::from(text.chars().count() < 2), y, 2, &text, style);
        }
        let x = left + 2 + ranks as u16 * column;
        if felt.end.is_some() && felt.stopped == Some(suit) && felt.settled.is_none() {
            sheet.put(x, y, WORD, "■stop", theme.cursor());
        } else if felt.end.is_none()
            && let Some(laid) = felt.run.last().filter(|laid| laid.card.suit() == suit)
        {
            let pen = show.pen();
            sheet.put(x, y, WORD, &format!("◂ {}", pen.name(laid.seat)), theme.choice());
        }
    }
}
