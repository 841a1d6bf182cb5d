//! What is shown, and what the keys do to it. It knows no terminal, no clock and no hidden card.

mod keys;

use std::sync::Arc;
use std::time::Duration;

use newmarket_engine::Choice;
use newmarket_env::{Event, Game, Seen, View};

use super::super::paint::Paint;
use super::super::pen::Pen;
use super::super::sitting::{Closing, Opening};
use super::felt::Felt;
use super::log::Log;
use super::pace::Pace;
use super::question::Question;
use super::worker::{News, Order, Values};

/// Where the session stands, as far as it has been shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Stage {
    /// Something happens, or somebody thinks.
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

/// What lies over the table. Numbers are lines scrolled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Overlay {
    Help(u16),
    Log(u16),
    Values,
    Leave,
}

/// What a key press asks of whoever runs the screen.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Wish {
    Order(Order),
    Leave,
    Suspend,
}

/// The table on the screen.
pub(super) struct Show {
    pub(super) game: Arc<Game>,
    /// The person's seat; without one all hands are open.
    pub(super) viewer: Option<usize>,
    pub(super) felt: Felt,
    pub(super) log: Log,
    pub(super) number: u32,
    pub(super) bought: Vec<i32>,
    /// The seat that was left alone at the end.
    pub(super) left_alone: Option<usize>,
    pub(super) stage: Stage,
    pub(super) question: Option<Question>,
    pub(super) overlay: Option<Overlay>,
    pub(super) message: String,
    pub(super) values: Option<Values>,
    pub(super) pace: Pace,
    pub(super) flow: Flow,
    pub(super) footer: String,
    hints: bool,
    /// What the person knows, if they play the deal.
    seen: Option<Seen>,
    /// Events of the deal, and how many have been shown.
    events: Vec<Event>,
    shown: usize,
    /// Lines of the log before the deal.
    log_before: usize,
    /// Whether an order is being carried out.
    waiting: bool,
    /// When the next event may be shown.
    due: Duration,
}

impl Show {
    pub(super) fn new(
        game: Arc<Game>,
        viewer: Option<usize>,
        opening: &Opening,
        pace: Pace,
        hints: bool,
    ) -> Self {
        let mut show = Self {
            felt: Felt::new(game.clone(), &opening.start),
            game,
            viewer,
            log: Log::default(),
            number: 0,
            bought: Vec::new(),
            left_alone: None,
            stage: Stage::Running,
            question: None,
            overlay: None,
            message: String::new(),
            values: None,
            pace,
            flow: Flow::Paced,
            footer: String::new(),
            hints,
            seen: None,
            events: Vec::new(),
            shown: 0,
            log_before: 0,
            waiting: false,
            due: Duration::ZERO,
        };
        show.open(opening);
        show
    }

    /// Says who sits where, before the first deal.
    pub(super) fn introduce(&mut self, who: &str) {
        let line = who.split_whitespace().collect::<Vec<_>>().join(" ");
        self.log.insert_first(line.clone());
        self.log_before += 1;
        self.message = line;
    }

    pub(super) fn pen(&self) -> Pen<'_> {
        Pen { game: &self.game, paint: Paint::PLAIN, person: self.viewer }
    }

    /// What the person sees; nothing while they only look on.
    pub(super) fn view(&self) -> Option<View<'_>> {
        self.seen.as_ref().map(Seen::view)
    }

    fn open(&mut self, opening: &Opening) {
        self.number = opening.number;
        self.bought.clone_from(&opening.bought);
        self.felt = Felt::new(self.game.clone(), &opening.start);
        self.seen = self.sit();
        self.events.clear();
        (self.shown, self.waiting) = (0, false);
        self.go_on_paced();
        (self.stage, self.question, self.values) = (Stage::Running, None, None);
        self.message.clear();
        for line in &opening.changes {
            self.log.add(line.clone());
        }
        let dealer = self.pen().does(opening.start.dealer, "deal", "deals");
        self.log.add(format!("── Deal {} · {dealer} ──", opening.number));
        self.log_before = self.log.lines().len();
    }

    /// What was shown at once is over.
    fn go_on_paced(&mut self) {
        if self.flow == Flow::AtOnce {
            self.flow = Flow::Paced;
        }
    }

    fn sit(&self) -> Option<Seen> {
        Seen::new(self.game.clone(), self.viewer?, &self.felt.start).ok()
    }

    /// The table has told something.
    pub(super) fn hear(&mut self, news: News) -> Option<Order> {
        self.waiting &= matches!(news, News::Turn(_) | News::Values(_) | News::Advice { .. });
        match news {
            News::Deal(opening) => self.open(&opening),
            News::Turn(seat) => self.felt.turn = Some(seat),
            News::Told(events) => self.told(&events),
            News::Asks => return self.asked(),
            News::Over => self.stage = Stage::DealOver,
            News::Undone(None) => {
                self.message = "There is nothing of this deal to take back.".into();
            }
            News::Undone(Some(events)) => self.undone(events),
            News::Advice { choice, adviser } => self.advised(&choice, &adviser),
            News::Values(values) => {
                self.values = Some(values).filter(|_| self.stage == Stage::Asked);
            }
            News::End(closing) => self.end(&closing),
        }
        None
    }

    fn told(&mut self, events: &[Event]) {
        if let Some(seen) = &mut self.seen
            && seen.tell(events).is_err()
        {
            // A person without a view is asked nothing. The table tells what can happen.
            self.seen = None;
        }
        self.events.extend_from_slice(events);
    }

    fn asked(&mut self) -> Option<Order> {
        let view = self.seen.as_mut()?.asked().ok()?;
        self.question = Some(Question::of(&view));
        self.stage = Stage::Asked;
        self.go_on_paced();
        self.felt.turn = self.viewer;
        (self.values, self.message) = (None, String::new());
        self.hints.then_some(Order::Hint)
    }

    fn undone(&mut self, events: usize) {
        let kept: Vec<Event> = self.events.drain(..).take(events).collect();
        self.felt = Felt::new(self.game.clone(), &self.felt.start);
        self.log.truncate(self.log_before);
        self.seen = self.sit();
        self.shown = 0;
        self.told(&kept);
        while self.shown < self.events.len() {
            self.show_next();
        }
        (self.stage, self.question, self.values) = (Stage::Running, None, None);
    }

    fn advised(&mut self, choice: &Choice, adviser: &str) {
        // It may come when the person has decided already.
        let view = self.view().filter(|_| self.stage == Stage::Asked);
        let Some(view) = view else { return };
        let pen = self.pen();
        let words = pen.whole_choice(&view, choice);
        let actions = choice.actions(&self.game);
        let why = match actions[..] {
            [action] => pen.why(&view, action),
            _ => String::new(),
        };
        let dash = if why.is_empty() { "" } else { " — " };
        let text = format!("{adviser}: {words}{dash}{why}.");
        let mut question = self.question.clone();
        if let Some(question) = &mut question {
            question.take(choice, &view);
        }
        self.question = question;
        self.log.note(format!("Hint, {text}"));
        self.message = text;
    }

    fn end(&mut self, closing: &Closing) {
        for gift in &closing.gifts {
            let cell = gift.cell.map(|cell| self.game.rules().cells[cell].name.clone());
            let from = cell.unwrap_or_else(|| "kitty".into());
            let event = Event::Leftover { from, seat: gift.seat, chips: gift.chips };
            self.felt.apply(&event);
            let pen = Pen { game: &self.game, paint: Paint::PLAIN, person: self.viewer };
            self.log.tell(&pen, &self.felt, &event);
        }
        self.left_alone = closing.left_alone;
        if closing.early {
            self.message = "The session ends here: the next ante cannot be paid.".into();
        }
        self.stage = Stage::SessionOver;
    }

    /// A line from elsewhere, as a program's complaint.
    pub(super) fn line(&mut self, line: &str) {
        self.log.note(line);
        self.message = line.into();
    }

    fn show_next(&mut self) {
        let event = self.events[self.shown].clone();
        self.shown += 1;
        self.felt.apply(&event);
        let pen = Pen { game: &self.game, paint: Paint::PLAIN, person: self.viewer };
        self.log.tell(&pen, &self.felt, &event);
    }

    /// Time goes by: shows what is due, and asks for more when all is shown.
    pub(super) fn tick(&mut self, now: Duration) -> Option<Order> {
        if self.flow == Flow::Paused {
            return None;
        }
        let at_once = self.pace.is_instant() || self.flow == Flow::AtOnce;
        while self.shown < self.events.len() && (at_once || now >= self.due) {
            self.show_next();
            self.due = now + self.pace.after(&self.events[self.shown - 1]);
        }
        if self.waiting || self.shown < self.events.len() || !at_once && now < self.due {
            return None;
        }
        match self.stage {
            Stage::Running => Some(self.order(Order::Go)),
            // Nobody is asked: it goes on when the result has been read.
            Stage::DealOver if self.viewer.is_none() && !at_once => {
                let read = self.due + self.pace.beats(10);
                (now >= read).then(|| self.order(Order::Next))
            }
            _ => None,
        }
    }

    /// When there is something to show, if that is known.
    pub(super) fn next_tick(&self, now: Duration) -> Option<Duration> {
        let runs = self.shown < self.events.len() || !self.waiting && self.stage == Stage::Running;
        let result = self.stage == Stage::DealOver && self.viewer.is_none();
        let until = match () {
            () if self.flow == Flow::Paused => return None,
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

    /// Shows all that has been told.
    pub(super) fn catch_up(&mut self) {
        while self.shown < self.events.len() {
            self.show_next();
        }
    }
}
