//! The table's half: it deals, tells every seat what it may know, and takes answers.

use alloc::sync::Arc;
use alloc::vec;
use alloc::vec::Vec;
use core::{fmt, mem};

use newmarket_env::{Action, Event, Game, Gift, Phase, Seed, Session, State, narrate};

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
pub struct Table {
    game: Arc<Game>,
    session: Session,
    state: State,
    /// What each seat has been told of the deal; last, what has happened, with all cards.
    told: Vec<Vec<Event>>,
    /// The session as it was in its last deal, once it is over.
    unfinished: Option<Session>,
    /// The deal as it stood before each decision, and how much each seat had been told.
    before: Vec<(State, Vec<usize>)>,
}

impl Table {
    /// A session of this game, before its first decision.
    pub fn open(game: Arc<Game>, seed: Seed) -> Self {
        let session = Session::new(&game, seed);
        Self::begin(game, session)
    }

    /// The deal of a session that is about to begin.
    pub fn begin(game: Arc<Game>, session: Session) -> Self {
        let blank = State::blank(session.deal_start());
        let bought = session.rebuys().iter().enumerate().filter(|bought| *bought.1 > 0);
        let rebuys = bought.map(|(seat, &chips)| Event::Rebuy { seat, chips }).collect();
        let mut told = vec![Vec::new(); game.players()];
        told.push(rebuys);
        let state = State::new(&game, session.deal_start());
        let mut table =
            Self { game, session, state: blank, told, unfinished: None, before: Vec::new() };
        table.take(None, &state);
        table.deal_cards();
        table
    }

    /// One step, told to everybody.
    fn take(&mut self, action: Option<Action>, after: &State) {
        let openly = (self.game.players(), None);
        let viewers = self.state.seats_in().iter().map(|seat| (seat, Some(seat))).chain([openly]);
        for (place, viewer) in viewers {
            let events = narrate(&self.game, &self.state, action, after, viewer);
            self.told[place].extend(events);
        }
        self.state = *after;
    }

    fn deal_cards(&mut self) {
        if self.state.phase() == Phase::Deal {
            let mut after = self.state;
            after.deal(&self.game, &self.session.hands(&self.game));
            self.take(None, &after);
        }
    }

    /// The rules and the number of seats.
    pub const fn game(&self) -> &Arc<Game> {
        &self.game
    }

    /// The session, before or in this deal.
    pub const fn session(&self) -> &Session {
        &self.session
    }

    /// All cards and chips.
    pub const fn state(&self) -> &State {
        &self.state
    }

    /// What a seat has been told of this deal.
    pub fn told(&self, seat: usize) -> &[Event] {
        &self.told[seat]
    }

    /// What has happened in this deal, with all cards: as a trace has it.
    pub fn told_openly(&self) -> &[Event] {
        &self.told[self.game.players()]
    }

    /// Takes a whole decision of the seat that is to act.
    ///
    /// # Errors
    /// If it is not legal, or not whole; all is then as it was.
    pub fn answer(&mut self, choice: &Choice) -> Result<(), NotLegal> {
        let seat = self.state.actor().ok_or(NotLegal)?;
        let actions = choice.taken(&self.state.view(&self.game, seat)).ok_or(NotLegal)?;
        let lengths = self.told.iter().map(Vec::len).collect();
        self.before.push((self.state, lengths));
        for action in actions {
            let mut after = self.state;
            after.apply_unchecked(&self.game, action);
            self.take(Some(action), &after);
        }
        self.deal_cards();
        Ok(())
    }

    /// Takes the last decision back, the cards of the deal included if it was before them; whether
    /// there was one.
    pub fn undo(&mut self) -> bool {
        let Some((state, lengths)) = self.before.pop() else { return false };
        if let Some(session) = self.unfinished.take() {
            self.session = session;
        }
        self.state = state;
        for (told, length) in self.told.iter_mut().zip(lengths) {
            told.truncate(length);
        }
        true
    }

    /// Goes on to the next deal of the session, if this one is over and there is another.
    pub fn next_deal(&mut self) -> bool {
        if !self.state.is_over() || self.session.is_over() {
            return false;
        }
        let mut session = self.session.clone();
        let gifts = session.close(&self.game, &mut self.state);
        if session.is_over() {
            let name = |cell: usize| self.game.rules().cells[cell].name.clone();
            let leftovers = gifts.iter().map(|&Gift { cell, seat, chips }| {
                let from = cell.map_or("kitty".into(), name);
                Event::Leftover { from, seat, chips }
            });
            self.told[self.game.players()].extend(leftovers);
            self.unfinished = Some(mem::replace(&mut self.session, session));
            return false;
        }
        *self = Self::begin(self.game.clone(), session);
        true
    }
}
