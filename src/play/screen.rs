//! The full screen: a session on a terminal that has room for a table.
//!
//! A [`ScreenState`] holds all that is shown. [`draw`](draw::draw) draws it, [`press`](press::press)
//! reads keys and the mouse, and the session runs on a thread of its own ([`worker`]).

mod draw;
mod log;
mod pace;
mod press;
mod state;
mod theme;
mod worker;

#[cfg(test)]
mod tests;

use std::io::{self, IsTerminal, Write};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use ratatui::layout::Rect;

use super::session::PlaySession;
use super::{Adviser, Ending, Setup, final_standing};
use crate::failure::Result;
use crate::fullscreen::{Fullscreen, read_events};
use crate::table_args::stoppable;
use crate::{interrupt, terminal, threads};
use pace::Pace;
use press::Target;
use state::{Cards, Request, ScreenState, Stage};
use theme::Theme;
use worker::{Order, Update};

/// The usual number of milliseconds between two cards.
pub(super) const DELAY: u64 = 200;

/// How long the session's thread may take to end, and how often it is looked after.
const TO_END: Duration = Duration::from_millis(500);
const TICK: Duration = Duration::from_millis(5);

/// Whether the terminal has room for the table, and can show it.
pub(super) fn fits() -> bool {
    let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
    let (wide, high) = crossterm::terminal::size().unwrap_or((0, 0));
    let room = wide >= draw::LEAST.0 && high >= draw::LEAST.1;
    room && !dumb && io::stdin().is_terminal() && io::stdout().is_terminal()
}

/// What the loop waits for.
enum Message {
    Input(crossterm::event::Event),
    Update(Update),
    /// A line that would have gone to standard error.
    Line(String),
    /// The shell stops the program, or lets it go on.
    #[cfg(unix)]
    Job(interrupt::Job),
    /// An interrupt, or the end of the input.
    Leave,
    /// The session's thread has ended.
    Done,
}

/// Shows the session until it is over or the person leaves, then prints the standing.
pub(super) fn run(setup: Setup) -> Result {
    let Setup { session, adviser, hints, wait, delay, introduction, luck } = setup;
    let (send, messages) = mpsc::channel();
    let (orders, ordered) = mpsc::channel();
    let pace = Pace::of_millis(delay.unwrap_or(DELAY));
    let (game, viewer) = (session.game().clone(), session.viewer());
    let mut screen = ScreenState::new(game, viewer, &session.opening(), pace, hints);
    screen.footer = luck;
    screen.cards = if wait { Cards::Wait } else { Cards::AtOnce };
    screen.introduce(introduction);
    let interrupted = send.clone();
    // After the session the channel is closed; then an interrupt may do nothing.
    interrupt::on(move || drop(interrupted.send(Message::Leave)))?;
    #[cfg(unix)]
    {
        let jobs = send.clone();
        interrupt::on_jobs(move |job| jobs.send(Message::Job(job)).is_ok())?;
    }
    let worker = start_worker(session, adviser, ordered, send.clone())?;
    start_reader(send.clone())?;

    let lines = send.clone();
    let diverted = terminal::divert(move |line| drop(lines.send(Message::Line(line))));
    let ended = Loop { screen, orders, messages }.run();
    drop(diverted);
    let Loop { mut screen, orders, messages } = ended?;
    // From now on an interrupt ends the program, even while a player thinks.
    interrupt::on(|| interrupt::quit())?;
    if let Some(ending) = ending(&mut screen, &orders, &messages) {
        let title = ending.title(screen.table.number);
        let standing = final_standing(&screen.wording(), &screen.table).join("\n");
        writeln!(io::stdout(), "\n── {title} ──\n{standing}")?;
    }
    drop(orders);
    // A player may think for minutes more, and nobody waits for its decision.
    let mut left = TO_END;
    while !worker.is_finished() {
        if left.is_zero() {
            interrupt::leave(0);
        }
        thread::sleep(TICK);
        left = left.saturating_sub(TICK);
    }
    match worker.join() {
        Ok(ended) => ended,
        Err(panic) => std::panic::resume_unwind(panic),
    }
}

/// How the session ended; `None` if it failed. The table then has the chips that count. If the person
/// leaves between two deals, the session first goes on to the next one.
fn ending(
    screen: &mut ScreenState,
    orders: &Sender<Order>,
    messages: &Receiver<Message>,
) -> Option<Ending> {
    screen.catch_up();
    let between = screen.stage == Stage::DealOver;
    if between && orders.send(Order::Next).is_ok() {
        loop {
            match messages.recv() {
                Ok(Message::Update(update @ (Update::Deal(_) | Update::End(_)))) => {
                    screen.update(update);
                    break;
                }
                Ok(Message::Done) | Err(_) => return None,
                Ok(_) => {}
            }
        }
    }
    if screen.stage == Stage::SessionOver {
        return Some(Ending::Over);
    }
    screen.table = screen.table.before_deal();
    Some(if between { Ending::LeftBefore } else { Ending::LeftWithin })
}

fn start_worker(
    session: PlaySession,
    adviser: Option<Adviser>,
    ordered: Receiver<Order>,
    send: Sender<Message>,
) -> io::Result<JoinHandle<Result>> {
    /// Sends that the thread has ended, even after a panic.
    struct Done(Sender<Message>);
    impl Drop for Done {
        fn drop(&mut self) {
            let _ = self.0.send(Message::Done);
        }
    }
    threads::start(move || {
        let done = Done(send);
        let tell = |update| drop(done.0.send(Message::Update(update)));
        stoppable(|| worker::serve(session, adviser, &ordered, &tell))?
    })
}

fn start_reader(send: Sender<Message>) -> io::Result<()> {
    read_events(move |event| send.send(event.map_or(Message::Leave, Message::Input)).is_ok())
}

/// Draws the screen and waits for messages, by turns.
struct Loop {
    screen: ScreenState,
    orders: Sender<Order>,
    messages: Receiver<Message>,
}

impl Loop {
    fn run(mut self) -> Result<Self> {
        let mut terminal = Fullscreen::enter(true)?;
        let theme = Theme::of_environment();
        let mut targets: Vec<(Rect, Target)> = Vec::new();
        loop {
            let now = terminal::clock();
            while let Some(order) = self.screen.tick(now) {
                self.order(order);
            }
            terminal
                .draw(|area, buffer| targets = draw::draw(&self.screen, theme, area, buffer))?;
            let wait = self.screen.next_tick(now).unwrap_or(Duration::from_hours(1));
            let mut next = self.messages.recv_timeout(wait).ok();
            // All messages that have come are taken before the screen is drawn again.
            while let Some(message) = next {
                #[cfg(unix)]
                if matches!(message, Message::Job(interrupt::Job::GoOn)) {
                    terminal.take_again()?;
                }
                match self.take(message, &targets) {
                    Some(Request::Leave) => return Ok(self),
                    #[cfg(unix)]
                    Some(Request::Suspend) => terminal.stop()?,
                    #[cfg(not(unix))]
                    Some(Request::Suspend) => {}
                    Some(Request::Order(order)) => self.order(order),
                    None => {}
                }
                next = self.messages.try_recv().ok();
            }
        }
    }

    fn take(&mut self, message: Message, targets: &[(Rect, Target)]) -> Option<Request> {
        match message {
            Message::Input(event) => self.screen.press(press::press(&event, targets)?),
            Message::Update(update) => self.screen.update(update).map(Request::Order),
            Message::Line(line) => {
                self.screen.line(&line);
                None
            }
            #[cfg(unix)]
            Message::Job(interrupt::Job::Stop) => Some(Request::Suspend),
            #[cfg(unix)]
            Message::Job(interrupt::Job::GoOn) => None,
            Message::Leave | Message::Done => Some(Request::Leave),
        }
    }

    fn order(&mut self, order: Order) {
        // If the thread has ended, its last message says so.
        let _ = self.orders.send(order);
    }
}
