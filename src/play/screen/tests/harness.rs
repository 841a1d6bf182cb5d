//! A table and its screen, driven step by step.

use std::cell::RefCell;
use std::sync::Arc;
use std::time::Duration;

use newmarket_agents::Player;
use newmarket_agents::strategy::Strategy;
use newmarket_engine::{Analysis, SessionTable};
use newmarket_env::{Game, Rules, Seed};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::super::super::players::{self, Adviser, Players};
use super::super::super::question::Question;
use super::super::super::session::PlaySession;
use super::super::draw::draw;
use super::super::pace::Pace;
use super::super::press::{Press, Target};
use super::super::state::{Request, ScreenState, Stage};
use super::super::theme::Theme;
use super::super::worker::{Order, Update, Values, obey};

pub(super) struct TestTable {
    pub(super) screen: ScreenState,
    pub(super) session: PlaySession,
    adviser: Option<Adviser>,
    now: Duration,
}

pub(super) fn stopper() -> Strategy {
    Strategy::named("stopper").unwrap()
}

/// A game of this many deals, by its name or its rules file.
pub(super) fn game(rules: &str, players: usize, deals: u32) -> Arc<Game> {
    let rules = Rules::named(rules).unwrap_or_else(|| Rules::from_toml(rules, "test").unwrap());
    let mut spec = (*rules).clone();
    spec.session.deals = deals;
    Arc::new(Game::new(spec.validate().unwrap(), players).unwrap())
}

/// The other players: `stopper`, and `random` in the last seat.
pub(super) fn others(game: &Game, person: Option<usize>) -> Vec<Option<Player>> {
    let last = game.players() - 1;
    let agent = |seat: usize| {
        let name = if seat == last { "random" } else { "stopper" };
        Some(Player::from(Strategy::named(name).unwrap())).filter(|_| Some(seat) != person)
    };
    (0..game.players()).map(agent).collect()
}

impl TestTable {
    pub(super) fn new(game: &Arc<Game>, seed: u64, viewer: Option<usize>) -> Self {
        let table = SessionTable::open(game.clone(), players::cards(seed));
        let players = Players::new(others(game, viewer), seed);
        let session = PlaySession::new(table, players, viewer);
        let screen =
            ScreenState::new(game.clone(), viewer, &session.opening(), Pace::of_millis(0), false);
        let adviser = viewer.is_some().then(|| Adviser::new(Box::new(stopper()), seed));
        Self { screen, session, adviser, now: Duration::ZERO }
    }

    /// Goes on until nothing happens by itself.
    pub(super) fn rest(&mut self) {
        while let Some(order) = self.tick() {
            self.order(order);
        }
    }

    pub(super) fn tick(&mut self) -> Option<Order> {
        self.now += Duration::from_secs(1000);
        self.screen.tick(self.now)
    }

    pub(super) fn order(&mut self, order: Order) {
        let updates = RefCell::new(Vec::new());
        obey(order, &mut self.session, &mut self.adviser, &|update| {
            updates.borrow_mut().push(update);
        })
        .expect("nothing is recorded");
        for update in updates.into_inner() {
            if let Some(order) = self.screen.update(update) {
                self.order(order);
            }
        }
    }

    /// Presses a key, and goes on until nothing happens by itself.
    pub(super) fn press(&mut self, press: Press) -> Option<Request> {
        let request = self.send(press);
        self.rest();
        request
    }

    /// Presses a key.
    fn send(&mut self, press: Press) -> Option<Request> {
        match self.screen.press(press) {
            Some(Request::Order(Order::Values)) => {
                let view = self.session.view().unwrap();
                let mut analysis = Analysis::new(&view, Seed::new(0));
                analysis.add(&view, 256);
                let (choices, worlds) = (analysis.choices(), analysis.worlds());
                let values = Values { judged: analysis.judged(&view), choices, worlds };
                self.screen.update(Update::Values(values));
                None
            }
            Some(Request::Order(order)) => {
                self.order(order);
                None
            }
            request => request,
        }
    }

    pub(super) fn keys(&mut self, keys: &str) {
        for key in keys.chars() {
            self.press(match key {
                '⏎' => Press::Enter,
                '→' => Press::Right,
                '↑' => Press::Up,
                '↓' => Press::Down,
                ' ' => Press::Space,
                key => Press::Key(key),
            });
        }
    }

    /// Presses Enter, after choosing the best five where five are asked for, and goes on.
    pub(super) fn enter(&mut self) {
        self.enter_alone();
        self.rest();
    }

    /// The same, without going on.
    pub(super) fn enter_alone(&mut self) {
        if matches!(self.screen.question, Some(Question::Five { .. })) {
            self.send(Press::Key('e'));
        }
        self.send(Press::Enter);
    }

    /// Plays on with Enter until this holds.
    pub(super) fn until(&mut self, holds: impl Fn(&ScreenState) -> bool) {
        self.rest();
        for _ in 0..10_000 {
            if holds(&self.screen) || self.screen.stage == Stage::SessionOver {
                return;
            }
            self.enter();
        }
        panic!("the session has no end");
    }

    pub(super) fn buffer(&self, wide: u16, high: u16, colour: bool) -> (Buffer, Targets) {
        let area = Rect::new(0, 0, wide, high);
        let mut buffer = Buffer::empty(area);
        let targets = draw(&self.screen, Theme { colour }, area, &mut buffer);
        (buffer, targets)
    }

    /// The screen as text.
    pub(super) fn text(&self, wide: u16, high: u16) -> String {
        let (buffer, _) = self.buffer(wide, high, true);
        let row = |y: u16| -> String { (0..wide).map(|x| buffer[(x, y)].symbol()).collect() };
        let rows = (0..high).map(|y| row(y).trim_end().to_string());
        rows.collect::<Vec<_>>().join("\n")
    }
}

pub(super) type Targets = Vec<(Rect, Target)>;
