//! What is on the screen, and what keys do to it. It knows no terminal, no clock and no hidden card.

mod keys;

use std::sync::Arc;
use std::time::Duration;

use newmarket_env::{Event, Game, Seen, View};

use super::super::hint::{Advice, hint};
use super::super::narrator;
use super::super::question::Question;
use super::super::session::{Closing, Opening};
use super::super::table_view::{TableView, is_own};
use super::log::Log;
use super::pace::Pace;
use super::worker::{Order, Update, Values};
use crate::wording::Wording;

/// Where the session stands, as far as it has been shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Stage {
    /// Events are shown, or a player thinks.
    Running,
    Asked,
    DealOver,
    SessionOver,
}

/// How events are shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Flow {
    /// One after the other.
    Paced,
    Paused,
    /// All at once until the next question, or the end of the deal.
    AtOnce,
}

/// How the person's own cards are shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Cards {
    /// As those of the others.
    AtOnce,
    /// When the person plays them.
    Wait,
    /// The person has just played the next one.
    Played,
}

/// What lies over the table. Numbers are lines scrolled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Overlay {
    Help(u16),
    Log(u16),
    Values,
    Leave,
}

/// What a key press asks of the loop around the screen.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Request {
    Order(Order),
    Leave,
    Suspend,
}

/// All that is on the screen.
pub(super) struct ScreenState {
    pub(super) game: Arc<Game>,
    /// The person's seat. Without a person all hands are open.
    pub(super) viewer: Option<usize>,
    pub(super) table: TableView,
    pub(super) log: Log,
    pub(super) stage: Stage,
    pub(super) question: Option<Question>,
    pub(super) overlay: Option<Overlay>,
    pub(super) message: String,
    pub(super) values: Option<Values>,
    pub(super) pace: Pace,
    pub(super) flow: Flow,
    pub(super) footer: String,
    /// How the person's own cards are shown.
    pub(super) cards: Cards,
    /// The number of the event that is a lead of the person's choice, which does not wait.
    chosen: Option<usize>,
    hints: bool,
    /// What the person knows, if the person plays the deal.
    seen: Option<Seen>,
    /// Events of the deal, and how many of them have been shown.
    events: Vec<Event>,
    shown: usize,
    /// Why strategies decided on events of the deal, by the numbers of the events.
    whys: Vec<(usize, String)>,
    /// Lines of the log before the deal.
    log_before: usize,
    /// Whether an order is being carried out.
    waiting: bool,
    /// When the next event may be shown.
    due: Duration,
}

impl ScreenState {
    pub(super) fn new(
        game: Arc<Game>,
        viewer: Option<usize>,
        opening: &Opening,
        pace: Pace,
        hints: bool,
    ) -> Self {
        let mut screen = Self {
            table: TableView::new(game.clone(), opening),
            game,
            viewer,
            log: Log::default(),
            stage: Stage::Running,
            question: None,
            overlay: None,
            message: String::new(),
            values: None,
            pace,
            flow: Flow::Paced,
            footer: String::new(),
            cards: Cards::AtOnce,
            chosen: None,
            hints,
            seen: None,
            events: Vec::new(),
            shown: 0,
            whys: Vec::new(),
            log_before: 0,
            waiting: false,
            due: Duration::ZERO,
        };
        screen.open(opening);
        screen
    }

    /// Says who sits where, before the first deal.
    pub(super) fn introduce(&mut self, line: String) {
        self.log.insert_first(line.clone());
        self.log_before += 1;
        self.message = line;
    }

    pub(super) fn wording(&self) -> Wording<'_> {
        Wording { game: &self.game, person: self.viewer }
    }

    /// What the person may know; `None` if the person does not play the deal.
    pub(super) fn view(&self) -> Option<View<'_>> {
        self.seen.as_ref().map(Seen::view)
    }

    fn open(&mut self, opening: &Opening) {
        self.table = TableView::new(self.game.clone(), opening);
        self.seen = self.new_seen();
        self.events.clear();
        self.whys.clear();
        (self.shown, self.waiting, self.chosen) = (0, false, None);
        self.end_at_once();
        (self.stage, self.question, self.values) = (Stage::Running, None, None);
        self.message.clear();
        for line in narrator::changes(&self.wording(), opening) {
            self.log.add(line);
        }
        let title = narrator::title(&self.wording(), opening);
        self.log.add(format!("── {title} ──"));
        self.log_before = self.log.lines().len();
    }

    fn end_at_once(&mut self) {
        if self.flow == Flow::AtOnce {
            self.flow = Flow::Paced;
        }
    }

    /// What the person knows before the deal.
    fn new_seen(&self) -> Option<Seen> {
        Seen::new(self.game.clone(), self.viewer?, &self.table.start).ok()
    }

    /// Takes an answer of the session.
    pub(super) fn update(&mut self, update: Update) -> Option<Order> {
        self.waiting &= matches!(update, Update::Turn(_) | Update::Values(_) | Update::Advice(_));
        match update {
            Update::Deal(opening) => self.open(&opening),
            Update::Turn(seat) => self.table.turn = Some(seat),
            Update::Events(events, why) => self.add_events(&events, why),
            Update::Question => return self.ask(),
            Update::DealOver(hands) => {
                self.stage = Stage::DealOver;
                self.table.open(&hands);
            }
            Update::Undone(None) => {
                self.message = "There is nothing of this deal to take back.".into();
            }
            Update::Undone(Some(events)) => self.undo(events),
            Update::Advice(advice) => self.advise(&advice),
            Update::Values(values) => {
                self.values = Some(values).filter(|_| self.stage == Stage::Asked);
            }
            Update::End(closing) => self.end(&closing),
        }
        None
    }

    /// Takes events, and why a strategy decided on the first of them.
    fn add_events(&mut self, events: &[Event], why: Option<String>) {
        self.whys.extend(why.map(|why| (self.events.len(), why)));
        if let Some(seen) = &mut self.seen
            && seen.tell(events).is_err()
        {
            // Never so: the session tells what can happen. Without a view there are no questions.
            self.seen = None;
        }
        self.events.extend_from_slice(events);
    }

    fn ask(&mut self) -> Option<Order> {
        let view = self.seen.as_mut()?.asked().ok()?;
        self.question = Some(Question::of(&view));
        self.stage = Stage::Asked;
        self.end_at_once();
        self.table.turn = self.viewer;
        (self.values, self.message) = (None, String::new());
        self.hints.then_some(Order::Hint)
    }

    fn undo(&mut self, events: usize) {
        let kept: Vec<Event> = self.events.drain(..).take(events).collect();
        self.table = self.table.before_deal();
        self.log.truncate(self.log_before);
        self.seen = self.new_seen();
        (self.shown, self.chosen) = (0, None);
        // Nobody takes back a decision of a session without a person, which alone has reasons.
        self.add_events(&kept, None);
        self.catch_up();
        (self.stage, self.question, self.values) = (Stage::Running, None, None);
    }

    fn advise(&mut self, advice: &Advice) {
        // The person may have decided before the advice comes.
        let view = self.seen.as_ref().map(Seen::view).filter(|_| self.stage == Stage::Asked);
        let Some(view) = view else { return };
        let wording = Wording { game: &self.game, person: self.viewer };
        let text = hint(&wording, &view, advice);
        if let Some(question) = &mut self.question {
            question.set(&advice.choice, &view);
        }
        self.log.note(text.clone());
        self.message = text;
    }

    fn end(&mut self, closing: &Closing) {
        closing.leftovers.iter().for_each(|event| self.tell(event, None));
        self.table.left_alone = closing.left_alone;
        if closing.early {
            self.message = "The session ends here: the next stake cannot be paid.".into();
        }
        self.stage = Stage::SessionOver;
    }

    /// Shows a line from elsewhere, as a program's complaint.
    pub(super) fn line(&mut self, line: &str) {
        self.log.note(line);
        self.message = line.into();
    }

    fn tell(&mut self, event: &Event, why: Option<&str>) {
        self.table.apply(event);
        let wording = Wording { game: &self.game, person: self.viewer };
        self.log.tell(&wording, &self.table, (event, why));
    }

    fn show_next(&mut self) {
        let event = self.events[self.shown].clone();
        let why = self.whys.iter().find(|(nth, _)| *nth == self.shown).map(|(_, why)| why.clone());
        self.shown += 1;
        self.tell(&event, why.as_deref());
    }

    /// What waits for the person: the event that comes next, if it is theirs to bring about.
    pub(super) fn own(&self) -> Option<&Event> {
        let person = self.viewer.filter(|_| self.cards == Cards::Wait)?;
        let next = self.events.get(self.shown).filter(|_| self.chosen != Some(self.shown))?;
        is_own(next, person).then_some(next)
    }

    /// Shows the events that are due; asks for more when all are shown.
    pub(super) fn tick(&mut self, now: Duration) -> Option<Order> {
        if self.flow == Flow::Paused {
            return None;
        }
        let at_once = self.pace.is_instant() || self.flow == Flow::AtOnce;
        while self.shown < self.events.len() && (at_once || now >= self.due) {
            if self.own().is_some() {
                self.end_at_once();
                return None;
            }
            self.show_next();
            if self.cards == Cards::Played {
                self.cards = Cards::Wait;
            }
            self.due = now + self.pace.after(&self.events[self.shown - 1]);
        }
        if self.waiting || self.shown < self.events.len() || !at_once && now < self.due {
            return None;
        }
        match self.stage {
            Stage::Running => Some(self.order(Order::Go)),
            // Nobody is asked: the next deal begins when the result has been read.
            Stage::DealOver if self.viewer.is_none() && !at_once => {
                let read = self.due + self.pace.beats(10);
                (now >= read).then(|| self.order(Order::Next))
            }
            _ => None,
        }
    }

    /// How long nothing is due; `None` if nothing is due before the next message.
    pub(super) fn next_tick(&self, now: Duration) -> Option<Duration> {
        let runs = self.shown < self.events.len() || !self.waiting && self.stage == Stage::Running;
        let result = self.stage == Stage::DealOver && self.viewer.is_none();
        let until = match () {
            () if self.flow == Flow::Paused || self.own().is_some() => return None,
            () if runs => self.due,
            () if result && !self.pace.is_instant() => self.due + self.pace.beats(10),
            () => return None,
        };
        Some(until.saturating_sub(now))
    }

    fn order(&mut self, order: Order) -> Order {
        self.waiting = true;
        order
    }

    /// Shows all events that have come.
    pub(super) fn catch_up(&mut self) {
        while self.shown < self.events.len() {
            self.show_next();
        }
    }
}
