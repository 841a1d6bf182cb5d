//! The full-screen table: what `play` and `watch` are on a terminal that has room for it.
//!
//! A [`Show`] is what is seen, made of what the person is told; [`draw`](draw::draw) draws it,
//! [`press`](press::press) reads keys and the mouse, and the table itself runs on a thread of its own
//! ([`worker`]).

mod draw;
mod felt;
mod fullscreen;
mod log;
mod pace;
mod press;
mod question;
mod show;
mod theme;
mod worker;

#[cfg(test)]
mod tests;

use std::io::{self, IsTerminal, Write};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use newmarket_agents::Agent;
use newmarket_env::Rng;
use ratatui::layout::Rect;

use super::events::left_within;
use super::paint::Paint;
use super::pen::Pen;
use super::sitting::Sitting;
use crate::failure::Result;
use crate::table_args::stoppable;
use crate::{interrupt, terminal};
use fullscreen::Fullscreen;
use pace::Pace;
use press::Target;
use show::{Show, Stage, Wish};
use theme::Theme;
use worker::{News, Order};

/// Milliseconds between two cards, if nobody says otherwise.
pub(super) const DELAY: u64 = 200;

/// Whether the terminal has room for the table, and can show it.
pub(super) fn fits() -> bool {
    let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
    let (wide, high) = crossterm::terminal::size().unwrap_or((0, 0));
    let room = wide >= draw::LEAST.0 && high >= draw::LEAST.1;
    room && !dumb && io::stdin().is_terminal() && io::stdout().is_terminal()
}

/// What is shown, and how.
pub(super) struct Setting {
    pub(super) sitting: Sitting,
    pub(super) game: std::sync::Arc<newmarket_env::Game>,
    pub(super) person: Option<(usize, Box<dyn Agent>, Rng)>,
    /// Whether advice is given unasked.
    pub(super) hints: bool,
    /// Milliseconds between two cards.
    pub(super) delay: u64,
    /// Who sits where, in lines.
    pub(super) introduced: String,
    pub(super) footer: String,
}

/// What the loop waits for.
enum Message {
    Input(crossterm::event::Event),
    News(News),
    /// What would have gone to standard error.
    Line(String),
    /// An interrupt, or the end of the input.
    Leave,
    /// The table's thread has ended.
    Done,
}

/// Shows the table until the session is over or the person leaves; then their result, in lines.
pub(super) fn run(setting: Setting) -> Result {
    let Setting { sitting, game, person, hints, delay, introduced, footer } = setting;
    let (send, messages) = mpsc::channel();
    let (orders, ordered) = mpsc::channel();
    let viewer = person.as_ref().map(|person| person.0);
    let opening = sitting.opening();
    let mut show = Show::new(game.clone(), viewer, &opening, Pace::of_millis(delay), hints);
    show.footer = footer;
    show.introduce(&introduced);
    let interrupted = send.clone();
    // Nothing can be sent once the session is over; then nobody waits for it.
    interrupt::on(move || drop(interrupted.send(Message::Leave)))?;
    let adviser = person.map(|(_, adviser, draws)| (adviser, draws));
    let worker = start_worker(sitting, adviser, ordered, send.clone());
    start_reader(send.clone());

    let lines = send.clone();
    let diverted = terminal::divert(move |line| drop(lines.send(Message::Line(line))));
    let ended = Loop { show, orders, messages }.run();
    drop(diverted);
    let Loop { mut show, orders, messages } = ended?;
    // From here on an interrupt ends the program, whoever thinks.
    interrupt::on(|| interrupt::quit())?;
    let before = last_words(&mut show, &orders, &messages);
    if let Some(before) = before {
        let pen = Pen { game: &game, paint: Paint::auto(), person: viewer };
        let credit = show.felt.start.credit;
        let (stacks, bought) = (&show.felt.stacks, &show.bought);
        let standing = pen.final_standing(stacks, bought, credit, show.left_alone);
        writeln!(io::stdout(), "{}\n{standing}", pen.rule(&before))?;
    }
    drop(orders);
    match worker.join() {
        Ok(ended) => ended,
        Err(panic) => std::panic::resume_unwind(panic),
    }
}

/// Says how the session ended; nothing if the table has failed. Where the person leaves between two
/// deals, the table goes on to the next one first.
fn last_words(
    show: &mut Show,
    orders: &Sender<Order>,
    messages: &Receiver<Message>,
) -> Option<String> {
    show.catch_up();
    let between = show.stage == Stage::DealOver;
    if between && orders.send(Order::Next).is_ok() {
        loop {
            match messages.recv() {
                Ok(Message::News(news @ (News::Deal(_) | News::End(_)))) => {
                    show.hear(news);
                    break;
                }
                Ok(Message::Done) | Err(_) => return None,
                Ok(_) => {}
            }
        }
    }
    Some(match show.stage {
        Stage::SessionOver => "Final standing".to_string(),
        _ if between => format!("You leave before deal {}", show.number),
        _ => {
            let players = show.game.players();
            show.felt.stacks.copy_from_slice(&show.felt.start.stacks[..players]);
            left_within(show.number)
        }
    })
}

fn start_worker(
    sitting: Sitting,
    adviser: Option<(Box<dyn Agent>, Rng)>,
    ordered: Receiver<Order>,
    send: Sender<Message>,
) -> JoinHandle<Result> {
    /// Says that the thread has ended, however it did.
    struct Done(Sender<Message>);
    impl Drop for Done {
        fn drop(&mut self) {
            let _ = self.0.send(Message::Done);
        }
    }
    thread::spawn(move || {
        let done = Done(send);
        let tell = |news| drop(done.0.send(Message::News(news)));
        stoppable(|| worker::serve(sitting, adviser, &ordered, &tell))
    })
}

fn start_reader(send: Sender<Message>) {
    thread::spawn(move || {
        loop {
            let message = crossterm::event::read().map_or(Message::Leave, Message::Input);
            let last = matches!(message, Message::Leave);
            if send.send(message).is_err() || last {
                return;
            }
        }
    });
}

/// The screen between a message and the next.
struct Loop {
    show: Show,
    orders: Sender<Order>,
    messages: Receiver<Message>,
}

impl Loop {
    fn run(mut self) -> Result<Self> {
        let mut screen = Fullscreen::enter()?;
        let theme = Theme::of_environment();
        let mut targets: Vec<(Rect, Target)> = Vec::new();
        loop {
            let now = terminal::clock();
            while let Some(order) = self.show.tick(now) {
                self.order(order);
            }
            screen.draw(|area, buffer| targets = draw::draw(&self.show, theme, area, buffer))?;
            let wait = self.show.next_tick(now).unwrap_or(Duration::from_hours(1));
            let mut next = self.messages.recv_timeout(wait).ok();
            // Everything that has come is taken note of before it is drawn.
            while let Some(message) = next {
                match self.take(message, &targets) {
                    Some(Wish::Leave) => return Ok(self),
                    Some(Wish::Suspend) => screen.suspend()?,
                    Some(Wish::Order(order)) => self.order(order),
                    None => {}
                }
                next = self.messages.try_recv().ok();
            }
        }
    }

    fn take(&mut self, message: Message, targets: &[(Rect, Target)]) -> Option<Wish> {
        match message {
            Message::Input(event) => self.show.press(press::press(&event, targets)?),
            Message::News(news) => self.show.hear(news).map(Wish::Order),
            Message::Line(line) => {
                self.show.line(&line);
                None
            }
            Message::Leave | Message::Done => Some(Wish::Leave),
        }
    }

    fn order(&mut self, order: Order) {
        // The thread says itself when it has ended.
        let _ = self.orders.send(order);
    }
}
