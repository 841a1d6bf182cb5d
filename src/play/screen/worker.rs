//! The session's thread. Players think and choices are valued there, while the screen goes on.

use std::sync::mpsc::{Receiver, TryRecvError};

use newmarket_engine::{Analysis, Choice, Judged};
use newmarket_env::{Event, Hands, Seed};

use super::super::hint::Advice;
use super::super::players::Adviser;
use super::super::session::{Closing, Opening, PlaySession, Step};
use super::super::values::WORLDS;
use crate::failure::Result;

/// Sampled deals of an analysis between two looks at the orders.
const BATCH: u32 = 64;

/// What the screen asks for.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Order {
    /// The next decision of a player.
    Go,
    Decide(Choice),
    Undo,
    Hint,
    /// The values of the choices.
    Values,
    /// The next deal.
    Next,
}

/// What the session answers.
pub(super) enum Update {
    Deal(Opening),
    /// This seat thinks now.
    Turn(usize),
    /// With why a strategy decided on the first of them.
    Events(Vec<Event>, Option<String>),
    /// The person is to decide.
    Question,
    /// With the cards that were not played.
    DealOver(Box<Hands>),
    /// This many events of the deal stay, the others are taken back. `None` if there was nothing to
    /// take back.
    Undone(Option<usize>),
    Advice(Advice),
    Values(Values),
    /// The session is over.
    End(Closing),
}

/// The values of choices, as far as they are known.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Values {
    pub(super) judged: Vec<Judged>,
    pub(super) choices: usize,
    pub(super) worlds: u32,
}

/// Plays as the screen orders, until the screen is gone.
///
/// # Errors
/// As [`PlaySession::step`].
pub(super) fn serve(
    mut session: PlaySession,
    mut adviser: Option<Adviser>,
    orders: &Receiver<Order>,
    tell: &dyn Fn(Update),
) -> Result {
    let mut analysis: Option<Analysis> = None;
    loop {
        let order = if analysis.is_none() {
            orders.recv().map_err(|_| TryRecvError::Disconnected)
        } else {
            orders.try_recv()
        };
        match (order, session.view()) {
            (Ok(Order::Values), Some(view)) => analysis = Some(Analysis::new(&view, Seed::new(0))),
            (Ok(order), _) => {
                analysis = None;
                obey(order, &mut session, &mut adviser, tell)?;
            }
            (Err(TryRecvError::Empty), Some(view)) => {
                let mut current = analysis.take();
                if let Some(values) = &mut current {
                    values.add(&view, BATCH);
                    let (choices, worlds) = (values.choices(), values.worlds());
                    tell(Update::Values(Values { judged: values.judged(&view), choices, worlds }));
                    analysis = current.filter(|_| worlds < WORLDS);
                }
            }
            (Err(_), _) => return Ok(()),
        }
    }
}

/// Carries an order out; `Order::Values` is not for this function.
pub(super) fn obey(
    order: Order,
    session: &mut PlaySession,
    adviser: &mut Option<Adviser>,
    tell: &dyn Fn(Update),
) -> Result {
    match order {
        Order::Go => {
            if let Some(seat) = session.turn() {
                tell(Update::Turn(seat));
            }
            tell(match session.step()? {
                Step::Events(events, why) => Update::Events(events, why),
                Step::Question => Update::Question,
                Step::DealOver(hands) => Update::DealOver(hands),
            });
        }
        Order::Decide(choice) => {
            // The screen sends legal choices only. Any other would leave the table as it is.
            if session.decide(&choice).is_ok()
                && let Step::Events(events, why) = session.step()?
            {
                tell(Update::Events(events, why));
            } else {
                tell(Update::Question);
            }
        }
        Order::Undo => tell(Update::Undone(session.undo())),
        Order::Hint => {
            if let Some(adviser) = adviser
                && let Some(advice) = session.advice(adviser)
            {
                tell(Update::Advice(advice));
            }
        }
        Order::Next => tell(match session.next_deal() {
            Ok(opening) => Update::Deal(opening),
            Err(closing) => Update::End(closing),
        }),
        Order::Values => {}
    }
    Ok(())
}
