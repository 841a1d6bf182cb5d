//! A session at the engine's table, one decision at a time, with undo: what a screen shows of it.

use newmarket_agents::Agent;
use newmarket_engine::{Choice, NotLegal, SessionTable};
use newmarket_env::text::plain;
use newmarket_env::{
    Action, CardSet, DealStart, Event, Gift, Name, Phase, Rng, Session, State, View,
};

use super::paint::Paint;
use super::pen::Pen;
use super::players::{Mark, Players};

/// A session, its players and who looks on.
pub(super) struct Sitting {
    table: SessionTable,
    players: Players,
    /// The person's seat; without one all hands are open.
    viewer: Option<usize>,
    /// Events of the deal that have been passed on.
    told: usize,
    decisions: usize,
    /// Before each decision of the person: how many decisions there had been, and the players.
    marks: Vec<(usize, Mark)>,
}

/// What comes next.
pub(super) enum Step {
    /// It happened, as the viewer is told.
    Told(Vec<Event>),
    /// The person is to decide.
    Asks,
    /// The deal is over.
    Over,
}

/// A deal that begins.
pub(super) struct Opening {
    pub(super) number: u32,
    pub(super) start: DealStart,
    /// Chips that each seat has bought so far.
    pub(super) bought: Vec<i32>,
    /// What changed at the table before it.
    pub(super) changes: Vec<String>,
}

/// The end of a session.
pub(super) struct Closing {
    /// What is given away of what was left on the table.
    pub(super) gifts: Vec<Gift>,
    /// Whether it ends before its last deal, as somebody cannot pay.
    pub(super) early: bool,
    /// The seat that was left alone, and so has won.
    pub(super) left_alone: Option<usize>,
}

impl Sitting {
    pub(super) fn new(table: SessionTable, players: Players, viewer: Option<usize>) -> Self {
        Self { table, players, viewer, told: 0, decisions: 0, marks: Vec::new() }
    }

    /// The deal that is played.
    pub(super) fn opening(&self) -> Opening {
        let session = self.table.session();
        Opening {
            number: session.deal_number(),
            start: *session.deal_start(),
            bought: session.bought()[..self.table.game().players()].to_vec(),
            changes: Vec::new(),
        }
    }

    /// The seat that is to act, if the deal is not over.
    pub(super) fn turn(&self) -> Option<usize> {
        self.table.state().actor()
    }

    /// All cards and chips, to compare with what is shown.
    #[cfg(test)]
    pub(super) fn state(&self) -> &State {
        self.table.state()
    }

    /// What the person sees who is to decide.
    pub(super) fn view(&self) -> Option<View<'_>> {
        let seat = self.turn()?;
        Some(self.table.state().view(self.table.game(), seat))
    }

    /// Goes on by one decision.
    pub(super) fn step(&mut self) -> Step {
        let news = self.news();
        if !news.is_empty() {
            return Step::Told(news);
        }
        let Some(view) = self.view() else { return Step::Over };
        let (seat, legal) = (view.seat(), view.legal());
        // As at a plain terminal, a person is shown an ante even where there is no choice.
        let asks = view.phase() == Phase::Ante || !legal.is_forced();
        if self.players.is_person(seat) && asks {
            return Step::Asks;
        }
        let (game, session, state) = self.of_table();
        let actions = self.players.decide(&game, &session, &state, seat);
        let choice = Choice::of(&state.view(&game, seat), &actions);
        self.carry_out(&choice.expect("players take whole decisions"))
            .expect("players do what is legal");
        Step::Told(self.news())
    }

    fn of_table(&self) -> (std::sync::Arc<newmarket_env::Game>, Session, State) {
        (self.table.game().clone(), self.table.session().clone(), *self.table.state())
    }

    fn carry_out(&mut self, choice: &Choice) -> Result<(), NotLegal> {
        self.table.answer(choice)?;
        self.decisions += 1;
        Ok(())
    }

    /// A decision of the person.
    ///
    /// # Errors
    /// If the rules do not allow it.
    pub(super) fn decide(&mut self, choice: &Choice) -> Result<(), NotLegal> {
        let (game, _, mut state) = self.of_table();
        let view = self.view().ok_or(NotLegal)?;
        let actions = choice.taken(&view).ok_or(NotLegal)?;
        let mark = (self.decisions, self.players.mark());
        self.carry_out(choice)?;
        self.marks.push(mark);
        for action in actions {
            self.players.took(state.legal(&game), action);
            state.apply_unchecked(&game, action);
        }
        Ok(())
    }

    /// Takes the person's last decision of this deal back; how many events of the deal then stay.
    pub(super) fn undo(&mut self) -> Option<usize> {
        let (decisions, mark) = self.marks.pop()?;
        while self.decisions > decisions && self.table.undo() {
            self.decisions -= 1;
        }
        self.players.back_to(mark);
        self.told = self.told.min(self.all_told());
        Some(self.told)
    }

    /// Goes on to the next deal, or to the end of the session.
    ///
    /// # Errors
    /// The end of the session.
    pub(super) fn next_deal(&mut self) -> Result<Opening, Closing> {
        let (game, mut session, mut state) = self.of_table();
        self.players.over(&game, &session, &state);
        let before = state;
        let gifts = session.close(&game, &mut state);
        if !self.table.next_deal() {
            let early = session.deal_number() < game.rules().session.deals;
            return Err(Closing { gifts, early, left_alone: session.left_alone() });
        }
        self.players.begin();
        (self.told, self.decisions) = (0, 0);
        self.marks.clear();
        let pen = Pen { game: &game, paint: Paint::PLAIN, person: self.viewer };
        let changes = pen.changes(&session, &before.view(&game, self.viewer.unwrap_or(0)));
        let one_line = |text: &String| text.split_whitespace().collect::<Vec<_>>().join(" ");
        let changes = changes.iter().map(one_line).map(|line| plain(&line).into_owned());
        Ok(Opening { changes: changes.collect(), ..self.opening() })
    }

    /// Somebody's whole decision in the person's place.
    pub(super) fn advice(&self, adviser: &mut dyn Agent, draws: &mut Rng) -> Option<Vec<Action>> {
        let (game, _, mut state) = self.of_table();
        let (seat, phase) = (state.actor()?, state.phase());
        let mut actions = Vec::new();
        while actions.is_empty()
            || matches!(phase, Phase::Ante | Phase::SetApart)
                && state.phase() == phase
                && state.actor() == Some(seat)
        {
            let action = adviser.act(&state.view(&game, seat), draws);
            actions.push(action);
            state.apply_unchecked(&game, action);
        }
        Some(actions)
    }

    /// Events that the viewer has not been told yet.
    fn news(&mut self) -> Vec<Event> {
        let now = self.all_told();
        let at = std::mem::replace(&mut self.told, now);
        let (table, seats) = (&self.table, self.table.session().deal_start().seats_in);
        match self.viewer {
            Some(seat) if seats.contains(seat) => table.told(seat)[at..].to_vec(),
            Some(_) => (at..self.told).map(|nth| self.outside(nth)).collect(),
            None => (at..self.told).map(|nth| self.open(nth)).collect(),
        }
    }

    /// A seat that plays the deal, of two that are not this one.
    fn some_seat(&self, but: Option<usize>) -> usize {
        let seats = self.table.session().deal_start().seats_in;
        seats.iter().find(|&seat| Some(seat) != but).unwrap_or(0)
    }

    fn all_told(&self) -> usize {
        self.table.told(self.some_seat(None)).len()
    }

    /// An event as somebody sees it who does not play the deal.
    fn outside(&self, nth: usize) -> Event {
        let event = &self.table.told(self.some_seat(None))[nth];
        match event {
            Event::Deal { hands, .. } => {
                Event::Deal { hands: vec![Vec::new(); hands.len()], dead: Vec::new() }
            }
            Event::Exchange { seat, .. } | Event::SetApart { seat, .. } => {
                self.table.told(self.some_seat(Some(*seat)))[nth].clone()
            }
            event => event.clone(),
        }
    }

    /// An event with all cards open.
    fn open(&self, nth: usize) -> Event {
        let event = &self.table.told(self.some_seat(None))[nth];
        match event {
            Event::Deal { hands, .. } => {
                let of = |seat: usize| match self.table.told(seat).get(nth) {
                    Some(Event::Deal { hands, .. }) => hands[seat].clone(),
                    _ => Vec::new(),
                };
                let hands: Vec<Vec<Name>> = (0..hands.len()).map(of).collect();
                let aces = self.table.game().rules().aces;
                let dealt: CardSet = hands.iter().flatten().map(|name| name.card(aces)).collect();
                let dead = self.table.game().pack() - dealt;
                Event::Deal { hands, dead: dead.iter().map(|card| Name::of(card, aces)).collect() }
            }
            Event::Exchange { seat, .. } | Event::SetApart { seat, .. } => {
                self.table.told(*seat)[nth].clone()
            }
            event => event.clone(),
        }
    }
}
