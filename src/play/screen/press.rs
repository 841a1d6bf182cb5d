//! Keys and the mouse.

use crossterm::event::{
    Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEventKind,
};
use ratatui::layout::{Position, Rect};

/// A key press, or a click.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Press {
    Left,
    Right,
    Up,
    Down,
    PageUp,
    PageDown,
    Enter,
    Space,
    Esc,
    Key(char),
    /// Ctrl-C: leaves without a question.
    Interrupt,
    /// Ctrl-Z.
    Suspend,
    /// A click on a target, with the right button if `less`.
    Click {
        on: Target,
        less: bool,
    },
}

/// A target of a click.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Target {
    /// A choice, cell or card of the question, from 0.
    Place(usize),
    /// A card of the hand that may not be chosen.
    Refused,
    /// The same as this key.
    Key(char),
    Enter,
}

/// The press that an event of the terminal means; `None` for most events.
pub(super) fn press(event: &Event, targets: &[(Rect, Target)]) -> Option<Press> {
    match event {
        Event::Key(key) if key.kind != KeyEventKind::Release => of_key(key),
        Event::Mouse(mouse) => {
            let position = Position::new(mouse.column, mouse.row);
            // The target that was drawn last lies on top.
            let under = targets.iter().rev().find(|(area, _)| area.contains(position));
            let click = |less| under.map(|&(_, on)| Press::Click { on, less });
            match mouse.kind {
                MouseEventKind::Down(MouseButton::Left) => click(false),
                MouseEventKind::Down(MouseButton::Right) => click(true),
                MouseEventKind::ScrollUp => Some(Press::Up),
                MouseEventKind::ScrollDown => Some(Press::Down),
                _ => None,
            }
        }
        _ => None,
    }
}

fn of_key(key: &KeyEvent) -> Option<Press> {
    if key.modifiers.contains(KeyModifiers::CONTROL) {
        return match key.code {
            KeyCode::Char('c') => Some(Press::Interrupt),
            KeyCode::Char('z') => Some(Press::Suspend),
            _ => None,
        };
    }
    Some(match key.code {
        KeyCode::Left | KeyCode::BackTab => Press::Left,
        KeyCode::Right | KeyCode::Tab => Press::Right,
        KeyCode::Up => Press::Up,
        KeyCode::Down => Press::Down,
        KeyCode::PageUp => Press::PageUp,
        KeyCode::PageDown => Press::PageDown,
        KeyCode::Enter => Press::Enter,
        KeyCode::Esc => Press::Esc,
        KeyCode::Char(' ') => Press::Space,
        KeyCode::Char(letter) => Press::Key(letter.to_ascii_lowercase()),
        _ => return None,
    })
}
