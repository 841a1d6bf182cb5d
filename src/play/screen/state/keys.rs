//! What keys and clicks do.

use std::time::Duration;

use newmarket_engine::Choice;

use super::super::super::question::{Edit, Question};
use super::super::pace::Pace;
use super::super::press::{Press, Target};
use super::super::worker::Order;
use super::{Cards, Flow, Overlay, Request, ScreenState, Stage};

impl ScreenState {
    /// Takes a key press or a click.
    pub(in super::super) fn press(&mut self, press: Press) -> Option<Request> {
        match press {
            Press::Interrupt => return Some(Request::Leave),
            Press::Suspend => return Some(Request::Suspend),
            Press::Click { on: Target::Key(key), .. } => return self.press(Press::Key(key)),
            Press::Click { on: Target::Enter, .. } => return self.press(Press::Enter),
            _ => {}
        }
        if let Some(overlay) = self.overlay {
            return self.press_over(overlay, press);
        }
        self.message.clear();
        match press {
            Press::Key('q') | Press::Enter if self.stage == Stage::SessionOver => {
                return Some(Request::Leave);
            }
            Press::Key('q') | Press::Esc => self.overlay = Some(Overlay::Leave),
            Press::Key('?') => self.overlay = Some(Overlay::Help(0)),
            Press::Key('l') => self.overlay = Some(Overlay::Log(0)),
            Press::Key('<' | ',') => self.pace_is(self.pace.slower()),
            Press::Key('>' | '.') => self.pace_is(self.pace.faster()),
            press => return self.play(press).map(Request::Order),
        }
        None
    }

    fn pace_is(&mut self, pace: Pace) {
        self.pace = pace;
        self.message = format!("Pace: {} a card", pace.words());
    }

    fn press_over(&mut self, overlay: Overlay, press: Press) -> Option<Request> {
        let scrolled = |line: u16| match press {
            Press::Up => Some(line.saturating_sub(1)),
            Press::Down | Press::Space => Some(line.saturating_add(1)),
            Press::PageUp => Some(line.saturating_sub(10)),
            Press::PageDown => Some(line.saturating_add(10)),
            _ => None,
        };
        self.overlay = match overlay {
            Overlay::Leave if matches!(press, Press::Enter | Press::Key('y' | 'q')) => {
                return Some(Request::Leave);
            }
            Overlay::Help(line) => scrolled(line).map(Overlay::Help),
            // The log is scrolled from its end.
            Overlay::Log(line) => match press {
                Press::Up | Press::PageUp | Press::Down | Press::PageDown => {
                    let by = if matches!(press, Press::Up | Press::Down) { 1 } else { 10 };
                    let up = matches!(press, Press::Up | Press::PageUp);
                    let lines = self.log.lines().len() as u16;
                    let to = if up { line + by } else { line.saturating_sub(by) };
                    Some(Overlay::Log(to.min(lines)))
                }
                _ => None,
            },
            Overlay::Values if matches!(press, Press::Key('v') | Press::Esc) => None,
            Overlay::Values => {
                // Other keys answer the question. Moves keep the panel open.
                self.overlay = None;
                let request = self.press(press);
                let moves = matches!(press, Press::Left | Press::Right | Press::Up | Press::Down);
                self.overlay = self.overlay.or(moves.then_some(Overlay::Values));
                return request;
            }
            Overlay::Leave => None,
        };
        None
    }

    /// Keys of the game.
    fn play(&mut self, press: Press) -> Option<Order> {
        match (self.stage, press) {
            (_, Press::Key('u')) if self.viewer.is_some() => {
                if self.waiting || self.stage == Stage::SessionOver {
                    return None;
                }
                Some(self.order(Order::Undo))
            }
            (Stage::DealOver, Press::Enter | Press::Key('n')) if !self.waiting => {
                Some(self.order(Order::Next))
            }
            (Stage::Asked, press) => self.answer(press),
            (Stage::Running, Press::Enter | Press::Space) if self.own().is_some() => {
                (self.cards, self.due) = (Cards::Played, Duration::ZERO);
                None
            }
            (Stage::Running, Press::Space) if self.viewer.is_some() => {
                self.flow = Flow::AtOnce;
                None
            }
            (_, press) if self.viewer.is_none() => self.watch(press),
            _ => None,
        }
    }

    /// Keys of a viewer who does not play.
    fn watch(&mut self, press: Press) -> Option<Order> {
        match press {
            Press::Space | Press::Key('p') => {
                let paused = self.flow == Flow::Paused;
                self.flow = if paused { Flow::Paced } else { Flow::Paused };
            }
            Press::Key('n') => self.flow = Flow::AtOnce,
            Press::Key('s') | Press::Right => {
                self.flow = Flow::Paused;
                if self.shown < self.events.len() {
                    self.show_next();
                } else if self.stage == Stage::Running && !self.waiting {
                    return Some(self.order(Order::Go));
                } else if self.stage == Stage::DealOver && !self.waiting {
                    return Some(self.order(Order::Next));
                }
            }
            Press::Up => self.pace_is(self.pace.faster()),
            Press::Down => self.pace_is(self.pace.slower()),
            _ => {}
        }
        None
    }

    /// Keys that answer the question.
    fn answer(&mut self, press: Press) -> Option<Order> {
        let mut question = self.question.take()?;
        let outcome = self.edit(&mut question, press);
        self.question = Some(question);
        match outcome {
            Ok(Some(Order::Decide(choice))) => {
                (self.question, self.values) = (None, None);
                self.stage = Stage::Running;
                let leads = matches!(choice, Choice::Lead { .. });
                self.chosen = leads.then_some(self.events.len());
                Some(self.order(Order::Decide(choice)))
            }
            Ok(order) => order,
            Err(problem) => {
                self.message = problem;
                None
            }
        }
    }

    fn edit(&mut self, question: &mut Question, press: Press) -> Result<Option<Order>, String> {
        let antes = matches!(question, Question::Ante { .. });
        let picks = matches!(question, Question::Pick { .. });
        let edit = match press {
            Press::Left => Edit::Back,
            Press::Right => Edit::Next,
            Press::Up | Press::Key('+' | '=') => Edit::More,
            Press::Down | Press::Key('-') => Edit::Less,
            Press::Space if picks => Edit::Next,
            Press::Space if antes => Edit::More,
            Press::Space => Edit::Toggle,
            Press::Key('e') if !picks => Edit::Usual,
            Press::Key(digit) if digit.is_ascii_digit() => {
                let number = digit as i32 - '0' as i32;
                if antes {
                    Edit::Chips(number)
                } else {
                    Edit::To((number as usize).wrapping_sub(1))
                }
            }
            Press::Click { on: Target::Place(place), .. } => Edit::To(place),
            Press::Click { on: Target::Refused, .. } => {
                return Err("A lead is the lowest card that you hold of its suit.".into());
            }
            Press::Key('h') => return Ok(Some(Order::Hint)),
            Press::Key('v') => {
                self.overlay = Some(Overlay::Values);
                return Ok(self.values.is_none().then_some(Order::Values));
            }
            Press::Enter => {
                let view = self.view().ok_or("")?;
                return question.choice(&view).map(|choice| Some(Order::Decide(choice)));
            }
            _ => return Ok(None),
        };
        let view = self.view().ok_or("")?;
        question.edit(edit, &view)?;
        let Press::Click { less, .. } = press else { return Ok(None) };
        // A click also acts on what it points at.
        match question {
            Question::Pick { .. } => {
                return question.choice(&view).map(|choice| Some(Order::Decide(choice)));
            }
            Question::Ante { .. } if less => question.edit(Edit::Less, &view)?,
            Question::Ante { .. } => question.edit(Edit::More, &view)?,
            Question::Five { .. } => question.edit(Edit::Toggle, &view)?,
        }
        Ok(None)
    }
}
