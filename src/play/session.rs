//! A session at the engine's table, one decision at a time, with undo. Both displays show one.

use std::sync::Arc;

use newmarket_engine::{Choice, NotLegal, SessionTable};
use newmarket_env::{DealStart, Event, Game, Hands, Phase, Seats, View};

use super::hint::Advice;
use super::players::{Adviser, Players, PlayersMark};
use super::recorder::Recorder;
use crate::failure::Result;

/// A session, its players and its viewer.
pub(super) struct PlaySession {
    table: SessionTable,
    players: Players,
    recorder: Option<Recorder>,
    /// The person's seat. Without a person all hands are open.
    viewer: Option<usize>,
    /// How many events of the deal the viewer has seen.
    seen: usize,
    decisions: usize,
    /// Before each decision of the person: the number of decisions, and where the players were.
    marks: Vec<(usize, PlayersMark)>,
}

/// What comes next in a deal.
pub(super) enum Step {
    /// Events, as the viewer sees them. Without a person, why a strategy decided on the first of them.
    Events(Vec<Event>, Option<String>),
    /// The person is to decide.
    Question,
    /// The deal is over, and all cards that were not played are turned up.
    DealOver(Box<Hands>),
}

/// The beginning of a deal.
pub(super) struct Opening {
    /// The number of the deal in its session, from 1.
    pub(super) number: u32,
    pub(super) start: DealStart,
    /// Chips that each seat has bought in the session.
    pub(super) bought: Vec<i32>,
    /// Seats that have just bought chips, and how many.
    pub(super) rebuys: Vec<(usize, i32)>,
    /// Seats that played the deal before and are out now.
    pub(super) eliminated: Vec<usize>,
}

impl Opening {
    /// A deal before which nobody bought chips or went out.
    pub(super) fn of_deal(number: u32, start: DealStart) -> Self {
        let bought = vec![0; start.stacks.len()];
        Self { number, start, bought, rebuys: Vec::new(), eliminated: Vec::new() }
    }
}

/// The end of a session.
pub(super) struct Closing {
    /// Piles that are given away.
    pub(super) leftovers: Vec<Event>,
    /// Whether the session ends before its last deal, because a seat cannot pay.
    pub(super) early: bool,
    /// The seat that won because all others are out.
    pub(super) left_alone: Option<usize>,
}

impl PlaySession {
    pub(super) fn new(table: SessionTable, players: Players, viewer: Option<usize>) -> Self {
        let (recorder, seen, decisions, marks) = (None, 0, 0, Vec::new());
        Self { table, players, recorder, viewer, seen, decisions, marks }
    }

    /// The same session, of which each deal is recorded when it is over.
    pub(super) fn recorded(self, recorder: Option<Recorder>) -> Self {
        Self { recorder, ..self }
    }

    pub(super) fn game(&self) -> &Arc<Game> {
        self.table.game()
    }

    /// The person's seat. Without a person all hands are open.
    pub(super) fn viewer(&self) -> Option<usize> {
        self.viewer
    }

    /// The current deal.
    pub(super) fn opening(&self) -> Opening {
        let (session, players) = (self.table.session(), self.game().players());
        let rebuys = session.rebuys()[..players].iter().copied().enumerate();
        Opening {
            bought: session.bought()[..players].to_vec(),
            rebuys: rebuys.filter(|&(_, chips)| chips > 0).collect(),
            ..Opening::of_deal(session.deal_number(), *session.deal_start())
        }
    }

    /// The seat to act; `None` if the deal is over.
    pub(super) fn turn(&self) -> Option<usize> {
        self.table.state().actor()
    }

    /// All cards and chips, to compare with what is shown.
    #[cfg(test)]
    pub(super) fn state(&self) -> &newmarket_env::State {
        self.table.state()
    }

    /// What the seat to act may know.
    pub(super) fn view(&self) -> Option<View<'_>> {
        Some(self.table.state().view(self.game(), self.turn()?))
    }

    /// Whether the person is to decide. An ante is asked for even if there is no choice.
    pub(super) fn asks_person(&self) -> bool {
        self.view().is_some_and(|view| {
            let choice = view.phase() == Phase::Ante || !view.legal().is_forced();
            choice && self.players.is_person(view.seat())
        })
    }

    /// Goes on by one decision.
    ///
    /// # Errors
    /// If a deal that is over cannot be recorded.
    pub(super) fn step(&mut self) -> Result<Step> {
        let events = self.new_events();
        if !events.is_empty() {
            return Ok(Step::Events(events, None));
        }
        let Some(seat) = self.turn() else {
            if let Some(recorder) = &mut self.recorder {
                recorder.note(&self.table)?;
            }
            return Ok(Step::DealOver(Box::new(self.table.state().hands())));
        };
        if self.asks_person() {
            return Ok(Step::Question);
        }
        let (game, runner) = (self.table.game(), self.table.runner());
        // A person may not know what the others know.
        let why = match self.viewer {
            None => self.players.why(game, runner, seat),
            Some(_) => None,
        };
        let actions = self.players.decide(game, runner, seat);
        let choice = Choice::of(&runner.state().view(game, seat), &actions);
        self.take(&choice.expect("players take whole decisions")).expect("players take legal ones");
        Ok(Step::Events(self.new_events(), why))
    }

    fn take(&mut self, choice: &Choice) -> Result<(), NotLegal> {
        self.table.answer(choice)?;
        self.decisions += 1;
        Ok(())
    }

    /// Takes a decision of the person.
    ///
    /// # Errors
    /// If the rules do not allow it.
    pub(super) fn decide(&mut self, choice: &Choice) -> Result<(), NotLegal> {
        let mark = (self.decisions, self.players.mark());
        self.take(choice)?;
        self.marks.push(mark);
        Ok(())
    }

    /// Takes back the person's last decision of this deal. Returns how many events of the deal stay;
    /// `None` if there was no decision.
    pub(super) fn undo(&mut self) -> Option<usize> {
        let (decisions, mark) = self.marks.pop()?;
        while self.decisions > decisions && self.table.undo() {
            self.decisions -= 1;
        }
        self.players.back_to(mark);
        self.seen = self.seen.min(self.all_events());
        Some(self.seen)
    }

    /// Goes on to the next deal.
    ///
    /// # Errors
    /// If the session is over: how it ended.
    pub(super) fn next_deal(&mut self) -> Result<Opening, Closing> {
        let table = &self.table;
        self.players.over(table.game(), table.runner());
        let (before, events) = (table.state().seats_in(), table.told_openly().len());
        if !self.table.next_deal() {
            let session = self.table.session();
            return Err(Closing {
                leftovers: self.table.told_openly()[events..].to_vec(),
                early: session.deal_number() < self.game().rules().session.deals,
                left_alone: session.left_alone(),
            });
        }
        (self.seen, self.decisions) = (0, 0);
        self.marks.clear();
        let opening = self.opening();
        let eliminated: Seats = before - opening.start.seats_in;
        Ok(Opening { eliminated: eliminated.iter().collect(), ..opening })
    }

    /// What an adviser would do in the person's place.
    pub(super) fn advice(&self, adviser: &mut Adviser) -> Option<Advice> {
        adviser.advise(self.game(), self.table.runner(), self.turn()?)
    }

    /// Events that the viewer has not seen.
    fn new_events(&mut self) -> Vec<Event> {
        let all = self.all_events();
        let first = std::mem::replace(&mut self.seen, all);
        if let Some(seat) = self.viewer {
            return self.table.told(seat)[first..].to_vec();
        }
        // The seats are not told of rebuys, which come before the deal.
        let openly = self.table.told_openly().iter();
        let deal = openly.skip_while(|event| matches!(event, Event::Rebuy { .. }));
        deal.skip(first).cloned().collect()
    }

    fn all_events(&self) -> usize {
        self.table.told(0).len()
    }
}
