//! `basic`: a player that anybody can follow at the table.
//!
//! Of every suit that may be led it asks at most five questions, always in the same order. A question
//! compares one count with a constant. Suits that answer yes stay, unless none would; of those that
//! stay after the last question, any may be led: it takes the first. All that it looks at is in
//! [`Notes`]: the own hand, the chips on the layout, and the cards that are known to be gone. Each
//! game has a list of its own ([`questions_of`]), chosen by the chips that it gains
//! (`newmarket study basic`). A free ante goes where the game's best split for the seat says, and the dead hand is
//! taken by a card of at most five questions on [`HandNotes`].

mod antes;
mod count;
mod hand;
mod lists;

use alloc::borrow::Cow;
use alloc::boxed::Box;
use core::fmt;

use newmarket_env::{Action, Phase, Rng, Suit, View};

pub use count::{Count, Notes};
pub use hand::{HandCount, HandNotes};
pub use lists::questions_of;

use crate::heuristic;
use crate::player::Agent;

/// Questions of a list at most: more than that nobody keeps in mind.
pub const MOST_QUESTIONS: usize = 5;

/// Whether a count is large or small.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// So much or more.
    AtLeast(i32),
    /// So much or less.
    AtMost(i32),
}

/// A question about a suit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Question {
    /// What is counted.
    pub count: Count,
    /// What it is compared with.
    pub bound: Bound,
}

impl Bound {
    /// Whether a count is within it.
    pub const fn holds(self, count: i32) -> bool {
        match self {
            Self::AtLeast(least) => count >= least,
            Self::AtMost(most) => count <= most,
        }
    }
}

impl Question {
    /// Whether the answer is yes.
    pub fn is_yes(self, notes: &Notes, suit: Suit) -> bool {
        self.bound.holds(self.count.of(notes, suit))
    }
}

/// As it would be asked: `cards that others may hold below your lowest: none?`
impl fmt::Display for Question {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = self.count.text();
        match self.bound {
            Bound::AtLeast(1) => write!(f, "{text}: any?"),
            Bound::AtLeast(least) => write!(f, "{text}: {least} or more?"),
            Bound::AtMost(0) => write!(f, "{text}: none?"),
            Bound::AtMost(most) => write!(f, "{text}: {most} or fewer?"),
        }
    }
}

/// The suit that these questions lead to, among those given as bits.
pub fn suit_to_lead(questions: &[Question], notes: &Notes, suits: u32) -> Option<Suit> {
    let mut left = suits;
    for question in questions {
        if left & left.wrapping_sub(1) == 0 {
            break;
        }
        let yes = suits_of(left).filter(|suit| question.is_yes(notes, *suit));
        let yes = yes.fold(0, |all, suit| all | 1 << suit.index());
        if yes != 0 {
            left = yes;
        }
    }
    suits_of(left).next()
}

/// The suits of these bits.
fn suits_of(bits: u32) -> impl Iterator<Item = Suit> {
    Suit::ALL.into_iter().filter(move |suit| bits >> suit.index() & 1 == 1)
}

/// The player. In games of which it knows no split of the ante and no card for the dead hand, it decides on
/// these as the heuristics do, and always on poker.
#[derive(Clone, Debug, Default)]
pub struct Basic {
    /// The same list in every game; none: that of the game.
    questions: Option<Cow<'static, [Question]>>,
}

impl Basic {
    /// What it is called on the command line.
    pub const NAME: &'static str = "basic";
    /// What it does, in a few words.
    pub const ABOUT: &'static str =
        "asks at most five questions a lead, which a person can keep in mind; a list for each game";

    /// Plays each game by the list of that game.
    pub const fn new() -> Self {
        Self { questions: None }
    }

    /// Leads by these questions in every game, and decides on all else as the heuristics do.
    pub fn asking(questions: impl Into<Cow<'static, [Question]>>) -> Self {
        Self { questions: Some(questions.into()) }
    }
}

impl Agent for Basic {
    fn name(&self) -> &'static str {
        Self::NAME
    }

    fn act(&mut self, view: &View, _: &mut Rng) -> Action {
        let own = self.questions.as_deref();
        match view.phase() {
            Phase::Lead => {
                let questions = own.unwrap_or_else(|| questions_of(view.game().rules()));
                let suit = suit_to_lead(questions, &Notes::of(view), heuristic::suits(view));
                suit.map_or(Action::PASS, Action::lead)
            }
            Phase::Ante if own.is_none() => {
                antes::chip(view).unwrap_or_else(|| heuristic::before_play(view))
            }
            Phase::DeadHand | Phase::Auction if own.is_none() => {
                hand::dead_hand(view).unwrap_or_else(|| heuristic::before_play(view))
            }
            _ => heuristic::before_play(view),
        }
    }

    fn another(&self) -> Box<dyn Agent> {
        Box::new(self.clone())
    }
}
