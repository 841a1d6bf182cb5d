//! The person's hand as cards. The cards that may be chosen stand higher.

use newmarket_env::{Card, CardSet, Event, Suit};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use ratatui::widgets::{Block, BorderType, Clear, Widget};

use super::super::super::question::Question;
use super::super::press::Target;
use super::super::state::ScreenState;
use super::Canvas;

/// Rows of a whole card.
const TALL: u16 = 5;

/// How a card is drawn.
struct CardLook {
    card: Card,
    /// Its place among the choices.
    choice: Option<usize>,
    up: bool,
    cursor: bool,
    /// Whether it waits for the person to play it.
    waits: bool,
}

/// Draws the hand, sorted by suit. Cards overlap if there is little room.
pub(super) fn draw(screen: &ScreenState, canvas: &mut Canvas, area: Rect) {
    let person = screen.viewer.unwrap_or(0);
    let hand = screen.table.hands[person];
    let asked = match (&screen.question, screen.view()) {
        (Some(question), Some(view)) => question.cards(&view),
        _ => Vec::new(),
    };
    let cursor = screen.question.as_ref().map_or(0, Question::cursor);
    let five = match &screen.question {
        Some(Question::Five { five, .. }) => Some(*five),
        _ => None,
    };
    let own = match screen.own() {
        Some(Event::Lead { card, .. } | Event::Play { card, .. }) => {
            Some(card.card(screen.game.rules().aces))
        }
        _ => None,
    };
    let look = |card: Card| {
        let choice = asked.iter().position(|&other| other == card);
        let waits = own == Some(card);
        let up = waits || five.map_or(choice.is_some(), |five| five.contains(card));
        CardLook { card, choice, up, cursor: waits || choice == Some(cursor), waits }
    };
    let suits: Vec<Vec<CardLook>> = Suit::ALL
        .into_iter()
        .map(|suit| (hand & CardSet::suit(suit)).iter().map(look).collect())
        .filter(|cards: &Vec<CardLook>| !cards.is_empty())
        .collect();
    let (cards, groups) = (hand.len() as u16, suits.len() as u16);
    // Each card covers the right of the card before it.
    let takes = |step: u16, gap: u16| cards * step + groups + groups.saturating_sub(1) * gap;
    let fits = |&(step, gap): &(u16, u16)| takes(step, gap) <= area.width - 2;
    let ways = [(6, 3), (5, 3), (5, 1), (4, 2), (4, 1), (3, 2), (3, 1), (3, 0)];
    let (step, gap) = ways.into_iter().find(fits).unwrap_or((3, 0));
    let mut x = area.x + area.width.saturating_sub(takes(step, gap)) / 2;
    for group in &suits {
        for look in group {
            card(screen, canvas, area, (x, step), look);
            x += step;
        }
        x += 1 + gap;
    }
}

fn card(
    screen: &ScreenState,
    canvas: &mut Canvas,
    area: Rect,
    (x, step): (u16, u16),
    look: &CardLook,
) {
    let theme = canvas.theme;
    let y = area.y + u16::from(!look.up);
    let height = area.bottom().saturating_sub(y).min(TALL);
    if x + step >= canvas.buffer.area.right() {
        return;
    }
    let place = Rect { x, y, width: step + 1, height };
    Clear.render(place, canvas.buffer);
    let edge = match (look.cursor, look.up) {
        (true, _) => theme.cursor(),
        (_, true) => theme.choice(),
        _ => theme.dim(),
    };
    let border = if look.cursor { BorderType::Thick } else { BorderType::Rounded };
    // Without room the lower edge is cut off.
    let whole = Rect { height: TALL, ..place };
    let mut card = Buffer::empty(whole);
    Block::bordered().border_type(border).border_style(edge).render(whole, &mut card);
    for row in place.rows() {
        for column in row.columns() {
            canvas.buffer[(column.x, column.y)] = card[(column.x, column.y)].clone();
        }
    }
    let legible = look.choice.is_some() || screen.question.is_none();
    let colour = theme.suit(look.card.suit());
    let style = if legible { colour.add_modifier(Modifier::BOLD) } else { colour };
    let text = screen.game.rules().aces.sign(look.card.rank());
    if look.cursor {
        canvas.put(x + 1, y + 1, 2, &format!("{text:<2}"), theme.shout());
    } else {
        canvas.put(x + 1, y + 1, 2, text, style);
    }
    canvas.put(x + 1, y + 2, 1, &look.card.suit().symbol().to_string(), style);
    if let (Some(nth @ 0..9), Some(Question::Pick { .. })) = (look.choice, &screen.question) {
        let style = if look.cursor { theme.cursor() } else { Style::new() };
        canvas.put(x + 1, y, 1, &(nth + 1).to_string(), style);
    }
    let target = match look.choice {
        _ if look.waits => Target::Enter,
        Some(place) => Target::Place(place),
        None => Target::Refused,
    };
    if screen.question.is_some() || look.waits {
        canvas.click(place, target);
    }
}
