//! The table's thread: players think there, and values are worked out, while the screen goes on.

use std::sync::mpsc::{Receiver, TryRecvError};

use newmarket_agents::Agent;
use newmarket_engine::{Analysis, Choice, Judged};
use newmarket_env::{Event, Rng, Seed};

use super::super::sitting::{Closing, Opening, Sitting, Step};
use super::super::values::WORLDS;

/// Worlds of an analysis between two looks at the orders.
const BATCH: u32 = 64;

/// What the screen asks for.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Order {
    /// The next decision of a player.
    Go,
    Decide(Choice),
    Undo,
    Hint,
    /// What the choices are worth.
    Values,
    /// The next deal.
    Next,
}

/// What the table tells.
pub(super) enum News {
    Deal(Opening),
    /// This seat thinks now.
    Turn(usize),
    Told(Vec<Event>),
    /// The person is to decide.
    Asks,
    /// The deal is over.
    Over,
    /// So many events of the deal have happened; the others are taken back.
    Undone(Option<usize>),
    /// What the adviser would do.
    Advice {
        choice: Choice,
        adviser: String,
    },
    Values(Values),
    /// The session is over.
    End(Closing),
}

/// What choices are worth, as far as that is worked out.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Values {
    pub(super) judged: Vec<Judged>,
    pub(super) choices: usize,
    pub(super) worlds: u32,
}

/// Plays as the screen orders, until it wants no more.
pub(super) fn serve(
    mut sitting: Sitting,
    mut adviser: Option<(Box<dyn Agent>, Rng)>,
    orders: &Receiver<Order>,
    tell: &dyn Fn(News),
) {
    let mut analysis: Option<Analysis> = None;
    loop {
        let order = if analysis.is_none() {
            orders.recv().map_err(|_| TryRecvError::Disconnected)
        } else {
            orders.try_recv()
        };
        match (order, sitting.view()) {
            (Ok(Order::Values), Some(view)) => analysis = Some(Analysis::new(&view, Seed::new(0))),
            (Ok(order), _) => {
                analysis = None;
                obey(order, &mut sitting, &mut adviser, tell);
            }
            (Err(TryRecvError::Empty), Some(view)) => {
                let mut going = analysis.take();
                if let Some(values) = &mut going {
                    values.add(&view, BATCH);
                    let (choices, worlds) = (values.choices(), values.worlds());
                    tell(News::Values(Values { judged: values.judged(&view), choices, worlds }));
                    analysis = going.filter(|_| worlds < WORLDS);
                }
            }
            (Err(_), _) => return,
        }
    }
}

/// Does what is ordered, but for values.
pub(super) fn obey(
    order: Order,
    sitting: &mut Sitting,
    adviser: &mut Option<(Box<dyn Agent>, Rng)>,
    tell: &dyn Fn(News),
) {
    match order {
        Order::Go => {
            if let Some(seat) = sitting.turn() {
                tell(News::Turn(seat));
            }
            tell(match sitting.step() {
                Step::Told(events) => News::Told(events),
                Step::Asks => News::Asks,
                Step::Over => News::Over,
            });
        }
        Order::Decide(choice) => {
            // The screen asks for what is legal alone; whatever else leaves the table as it is.
            if sitting.decide(&choice).is_ok()
                && let Step::Told(events) = sitting.step()
            {
                tell(News::Told(events));
            } else {
                tell(News::Asks);
            }
        }
        Order::Undo => tell(News::Undone(sitting.undo())),
        Order::Hint => {
            let advice = adviser.as_mut().and_then(|(adviser, draws)| {
                let actions = sitting.advice(&mut **adviser, draws)?;
                let choice = Choice::of(&sitting.view()?, &actions)?;
                Some(News::Advice { choice, adviser: adviser.name().into() })
            });
            advice.into_iter().for_each(tell);
        }
        Order::Next => tell(match sitting.next_deal() {
            Ok(opening) => News::Deal(opening),
            Err(closing) => News::End(closing),
        }),
        Order::Values => {}
    }
}
