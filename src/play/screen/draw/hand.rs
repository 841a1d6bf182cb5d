//! The person's hand as cards; those that may be led stand up.

use newmarket_env::{Card, CardSet, Suit};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use ratatui::widgets::{Block, BorderType, Clear, Widget};

use super::super::press::Target;
use super::super::question::Question;
use super::super::show::Show;
use super::super::theme::rank;
use super::Sheet;

/// Rows of a whole card.
const TALL: u16 = 5;

/// How a card lies.
struct Lies {
    card: Card,
    /// Its place among the choices.
    choice: Option<usize>,
    up: bool,
    cursor: bool,
}

/// Draws the hand, sorted by suit, fanned out as far as there is room.
pub(super) fn draw(show: &Show, sheet: &mut Sheet, area: Rect) {
    let person = show.viewer.unwrap_or(0);
    let hand = show.felt.hands[person];
    let asked = match (&show.question, show.view()) {
        (Some(question), Some(view)) => question.cards(&view),
        _ => Vec::new(),
    };
    let at = show.question.as_ref().map_or(0, Question::at);
    let five = match &show.question {
        Some(Question::Five { five, .. }) => Some(*five),
        _ => None,
    };
    let lies = |card: Card| {
        let choice = asked.iter().position(|&other| other == card);
        let up = five.map_or(choice.is_some(), |five| five.contains(card));
        Lies { card, choice, up, cursor: choice == Some(at) }
    };
    let suits: Vec<Vec<Lies>> = Suit::ALL
        .into_iter()
        .map(|suit| (hand & CardSet::suit(suit)).iter().map(lies).collect())
        .filter(|cards: &Vec<Lies>| !cards.is_empty())
        .collect();
    let (cards, groups) = (hand.len() as u16, suits.len() as u16);
    // Each card covers all but the left of the one before it.
    let takes = |step: u16, gap: u16| cards * step + groups + groups.saturating_sub(1) * gap;
    let fits = |&(step, gap): &(u16, u16)| takes(step, gap) <= area.width - 2;
    let ways = [(6, 3), (5, 3), (5, 1), (4, 2), (4, 1), (3, 2), (3, 1), (3, 0)];
    let (step, gap) = ways.into_iter().find(fits).unwrap_or((3, 0));
    let mut x = area.x + area.width.saturating_sub(takes(step, gap)) / 2;
    for group in &suits {
        for lies in group {
            card(show, sheet, area, (x, step), lies);
            x += step;
        }
        x += 1 + gap;
    }
}

fn card(show: &Show, sheet: &mut Sheet, area: Rect, (x, step): (u16, u16), lies: &Lies) {
    let theme = sheet.theme;
    let y = area.y + u16::from(!lies.up);
    let height = area.bottom().saturating_sub(y).min(TALL);
    if x + step >= sheet.buffer.area.right() {
        return;
    }
    let place = Rect { x, y, width: step + 1, height };
    Clear.render(place, sheet.buffer);
    let edge = match (lies.cursor, lies.up) {
        (true, _) => theme.cursor(),
        (_, true) => theme.choice(),
        _ => theme.dim(),
    };
    let border = if lies.cursor { BorderType::Thick } else { BorderType::Rounded };
    // The lower edge is out of sight where there is no room for it.
    let whole = Rect { height: TALL, ..place };
    let mut card = Buffer::empty(whole);
    Block::bordered().border_type(border).border_style(edge).render(whole, &mut card);
    for row in place.rows() {
        for column in row.columns() {
            sheet.buffer[(column.x, column.y)] = card[(column.x, column.y)].clone();
        }
    }
    let legible = lies.choice.is_some() || show.question.is_none();
    let colour = theme.suit(lies.card.suit());
    let style = if legible { colour.add_modifier(Modifier::BOLD) } else { colour };
    let text = rank(lies.card, show.game.rules().aces);
    if lies.cursor {
        sheet.put(x + 1, y + 1, 2, &format!("{text:<2}"), theme.shout());
    } else {
        sheet.put(x + 1, y + 1, 2, &text, style);
    }
    sheet.put(x + 1, y + 2, 1, &lies.card.suit().symbol().to_string(), style);
    if let (Some(nth @ 0..9), Some(Question::Pick { .. })) = (lies.choice, &show.question) {
        let style = if lies.cursor { theme.cursor() } else { Style::new() };
        sheet.put(x + 1, y, 1, &(nth + 1).to_string(), style);
    }
    let target = lies.choice.map_or(Target::Refused, Target::Place);
    if show.question.is_some() {
        sheet.click(place, target);
    }
}
