//! Heuristics: players that a person could imitate.
//!
//! They differ in how they choose a lead, by criteria of [`lead`]. Antes and the dead hand
//! ([`stakes`]) and poker (`poker`) are common to all of them, so each plays every game. A
//! [`Style`] is a heuristic put together part by part.

pub mod lead;
pub(crate) mod poker;
pub mod stakes;
mod style;

use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;

use newmarket_env::{Action, Phase, Rng, Suit, View, seed};
pub use poker::chance_to_win;
pub use style::{Style, TieBreak};

use crate::player::Agent;
use lead::Criterion;

/// A heuristic with a name on the command line.
#[derive(Clone, Copy)]
pub struct Heuristic {
    name: &'static str,
    /// What makes a lead good, the first suit among equals; `None`: every choice at random.
    lead: Option<&'static [Criterion]>,
}

/// The criteria of `stopper`, in order of weight.
pub const STOPPER: [Criterion; 4] =
    [lead::keeps_lead, lead::boodle, lead::out_of_reach, lead::length];

/// All heuristics, from the weakest to the strongest.
pub const ALL: [Heuristic; 5] = [
    Heuristic { name: "random", lead: None },
    Heuristic { name: "lowest", lead: Some(&[lead::low_card]) },
    Heuristic { name: "longest", lead: Some(&[lead::length]) },
    Heuristic { name: "boodle", lead: Some(&[lead::boodle, lead::length]) },
    Heuristic { name: "stopper", lead: Some(&STOPPER) },
];

/// What each of [`ALL`] does, in a few words.
pub const ABOUT: [&str; ALL.len()] = [
    "any legal action",
    "leads its lowest card",
    "leads its longest suit",
    "leads the suit of an unclaimed boodle that it holds, else its longest",
    "keeps the lead with a run that is sure to stop in its own hand; then boodles; then cards that nobody can \
     lead up to; then length",
];

impl Heuristic {
    /// The heuristic of this name.
    pub fn named(name: &str) -> Option<Self> {
        ALL.into_iter().find(|heuristic| heuristic.name == name)
    }

    /// Its name on the command line.
    pub fn name(&self) -> &'static str {
        self.name
    }
}

impl Agent for Heuristic {
    fn name(&self) -> &str {
        self.name
    }

    fn act(&mut self, view: &View, rng: &mut Rng) -> Action {
        let legal = view.legal();
        let Some(criteria) = self.lead else {
            let pick = seed::below(rng, legal.len() as u32) as usize;
            return legal.nth(pick).expect("a decision has a choice");
        };
        match view.phase() {
            Phase::Lead => match lead::best(view, criteria, suits(view)) {
                0 => Action::PASS,
                best => Action::lead(Suit::from_index(best.trailing_zeros() as usize & 3)),
            },
            _ => before_play(view),
        }
    }

    fn probabilities(&mut self, view: &View) -> Option<Vec<f64>> {
        let choices = view.legal().len();
        self.lead.is_none().then(|| vec![1.0 / choices as f64; choices])
    }

    fn another(&self) -> Box<dyn Agent> {
        Box::new(*self)
    }
}

/// Any decision but a lead: antes, the dead hand, poker.
///
/// # Panics
/// If a lead is due, or no decision.
pub(crate) fn before_play(view: &View) -> Action {
    match view.phase() {
        Phase::Ante => stakes::Ante::USUAL.chip(view),
        Phase::SetApart => view.pick_of_best_five(),
        Phase::Bet => poker::bet(view),
        Phase::DeadHand | Phase::Auction => stakes::dead_hand(view),
        Phase::Deal | Phase::Lead | Phase::Over => unreachable!("only decisions before the play"),
    }
}

/// Suits that may be led, one bit each.
pub(crate) fn suits(view: &View) -> u32 {
    view.legal().iter().filter_map(Action::suit).fold(0, |all, suit| all | 1 << suit.index())
}
