//! The table's half of the protocol: it deals, tells every seat what it may know, and takes answers.

use alloc::sync::Arc;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;

use newmarket_agents::{Replay, Runner};
use newmarket_env::trace::{Over, Record};
use newmarket_env::{DealDriver, Event, Game, Gift, Seed, Session, State};

use crate::decision::Choice;

/// A decision that the seat to act may not take, or that is not whole.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NotLegal;

impl fmt::Display for NotLegal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the seat that is to act may not decide so")
    }
}

impl core::error::Error for NotLegal {}

/// A session at a table, deal by deal.
#[derive(Clone, Debug)]
pub struct SessionTable {
    game: Arc<Game>,
    runner: Runner,
    /// The events that each seat has been told; last, the events with all cards.
    told: Vec<Told>,
    /// The deal as it stood before each decision.
    before: Vec<Runner>,
}

/// The events that a viewer has been told of a deal.
#[derive(Clone, Debug, Default)]
struct Told {
    events: Vec<Event>,
    replay: Replay,
}

impl SessionTable {
    /// A session of this game, before its first decision.
    pub fn open(game: Arc<Game>, seed: Seed) -> Self {
        let session = Session::new(&game, seed);
        Self::begin(game, session)
    }

    /// The deal of a session that is about to begin.
    pub fn begin(game: Arc<Game>, session: Session) -> Self {
        let runner = Runner::of_session(&game, session, DealDriver::ALL);
        let mut table = Self { game, runner, told: Vec::new(), before: Vec::new() };
        table.tell_again();
        table
    }

    /// Tells all viewers the deal from its beginning.
    fn tell_again(&mut self) {
        self.told = vec![Told::default(); self.game.players() + 1];
        let bought = self.session().rebuys().iter().enumerate().filter(|bought| *bought.1 > 0);
        let rebuys = bought.map(|(seat, &chips)| Event::Rebuy { seat, chips }).collect();
        self.told[self.game.players()].events = rebuys;
        self.tell();
    }

    /// Tells all viewers the events since they were told last.
    fn tell(&mut self) {
        let Self { game, runner, told, .. } = self;
        for (seat, Told { events, replay }) in told.iter_mut().enumerate() {
            let viewer = Some(seat).filter(|&seat| seat < game.players());
            events.extend(runner.events(game, viewer, replay));
        }
    }

    /// The rules and the number of seats.
    pub const fn game(&self) -> &Arc<Game> {
        &self.game
    }

    /// The deal in progress.
    pub const fn runner(&self) -> &Runner {
        &self.runner
    }

    /// The session, before or in this deal.
    pub const fn session(&self) -> &Session {
        self.runner.session()
    }

    /// All cards and chips.
    pub const fn state(&self) -> &State {
        self.runner.state()
    }

    /// The events that a seat has been told of this deal. A seat that is out of the session sees the
    /// public part.
    pub fn told(&self, seat: usize) -> &[Event] {
        &self.told[seat].events
    }

    /// Copies of the events of this deal from this place on, as a seat sees them, or with all cards for the seat
    /// after the last. A loop: `to_vec` would be two thousand bytes more in a web page.
    pub(crate) fn told_from(&self, seat: usize, at: usize) -> Vec<Event> {
        let mut told = Vec::new();
        for event in &self.told(seat)[at..] {
            told.push(event.clone());
        }
        told
    }

    /// The events of this deal with all cards, as a trace has them.
    pub fn told_openly(&self) -> &[Event] {
        &self.told[self.game.players()].events
    }

    /// The record of this deal as a trace has it, as far as it has been played: with the piles that are given away once
    /// the session is over.
    pub fn record(&self) -> Record {
        let (game, session, state) = (&*self.game, self.session(), self.state());
        let pack = session.pack(game);
        let over = Over {
            game,
            before: session.deal_start(),
            deal: Some(session.deal_number()),
            pack: pack.cards(),
            stacks: &state.stacks()[..game.players()],
            layout: game.cells_of(state.layout()),
            kitty: state.kitty(),
        };
        Record::new(&over, self.told_from(game.players(), 0))
    }

    /// Takes a whole decision of the seat that is to act.
    ///
    /// # Errors
    /// If the decision is not legal, or not whole; nothing has then changed.
    pub fn answer(&mut self, choice: &Choice) -> Result<(), NotLegal> {
        let seat = self.state().actor().ok_or(NotLegal)?;
        let actions = choice.taken(&self.state().view(&self.game, seat)).ok_or(NotLegal)?;
        self.before.push(self.runner.clone());
        for action in actions {
            self.runner.take(&self.game, action).expect("a whole decision has legal actions");
        }
        self.tell();
        Ok(())
    }

    /// Takes the last decision back, and the cards too if the decision was before them. Returns whether
    /// there was a decision.
    pub fn undo(&mut self) -> bool {
        let Some(runner) = self.before.pop() else { return false };
        self.runner = runner;
        self.tell_again();
        true
    }

    /// Goes on to the next deal of the session if this one is over. Returns whether there is another.
    pub fn next_deal(&mut self) -> bool {
        if !self.state().is_over() || self.session().is_over() {
            return false;
        }
        let gifts = self.runner.next_deal(&self.game);
        if self.session().is_over() {
            let name = |cell: usize| self.game.rules().cells[cell].name.clone();
            let leftovers = gifts.iter().map(|&Gift { cell, seat, chips }| {
                let from = cell.map_or("kitty".into(), name);
                Event::Leftover { from, seat, chips }
            });
            self.told[self.game.players()].events.extend(leftovers);
            return false;
        }
        self.before.clear();
        self.tell_again();
        true
    }
}
