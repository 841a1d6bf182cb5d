//! Rules of thumb: players that a person could imitate.
//!
//! Each is a way to choose a lead, in `lead`; antes and the dead hand, in `stakes`, and
//! poker, in `poker`, are common to all of them. So every one of them plays every game.

mod lead;
mod poker;
mod stakes;

use newmarket_env::{Action, Phase, Rng, View, seed};
pub use poker::{chance_to_win, set_apart};

use crate::agent::Agent;

/// How good a lead is: the highest wins, the first suit among equals.
type Score = fn(&View, newmarket_env::Suit) -> lead::Merit;

/// A rule of thumb.
#[derive(Clone, Copy)]
pub struct Thumb {
    name: &'static str,
    about: &'static str,
    /// `None`: every choice at random.
    score: Option<Score>,
}

/// All rules of thumb, from the weakest to the strongest.
pub const ALL: [Thumb; 5] = [
    Thumb { name: "random", about: "any legal action", score: None },
    Thumb { name: "lowest", about: "leads its lowest card", score: Some(lead::lowest) },
    Thumb { name: "longest", about: "leads its longest suit", score: Some(lead::longest) },
    Thumb {
        name: "boodle",
        about: "leads the suit of an unclaimed boodle that it holds, else its longest",
        score: Some(lead::boodle),
    },
    Thumb {
        name: "stopper",
        about: "keeps the lead with a run that is sure to stop in its own hand; then boodles; \
                then cards that nobody can lead up to; then length",
        score: Some(lead::stopper),
    },
];

impl Thumb {
    /// The rule of this name.
    pub fn named(name: &str) -> Option<Self> {
        ALL.into_iter().find(|thumb| thumb.name == name)
    }

    /// What it does, in a few words.
    pub fn about(&self) -> &'static str {
        self.about
    }

    /// Its name.
    pub fn name(&self) -> &'static str {
        self.name
    }
}

impl Agent for Thumb {
    fn name(&self) -> &str {
        self.name
    }

    fn act(&mut self, view: &View, rng: &mut Rng) -> Action {
        let legal = view.legal();
        let Some(score) = self.score else {
            let pick = seed::below(rng, legal.len() as u32) as usize;
            return legal.nth(pick).expect("a decision has a choice");
        };
        match view.phase() {
            Phase::Lead => {
                let lead =
                    legal.iter().filter_map(Action::suit).first_max_by(|&suit| score(view, suit));
                lead.map_or(Action::PASS, Action::lead)
            }
            _ => before_play(view),
        }
    }

    fn probabilities(&mut self, view: &View) -> Option<Vec<f64>> {
        let choices = view.legal().len();
        self.score.is_none().then(|| vec![1.0 / choices as f64; choices])
    }

    fn another(&self) -> Box<dyn Agent> {
        Box::new(*self)
    }
}

/// Any decision but a lead: antes, the dead hand, poker.
pub(crate) fn before_play(view: &View) -> Action {
    match view.phase() {
        Phase::Ante => stakes::chip(view),
        Phase::SetApart => poker::set_apart(view),
        Phase::Bet => poker::bet(view),
        _ => stakes::dead_hand(view),
    }
}

/// The first of the greatest, where `Iterator::max_by_key` finds the last.
trait FirstMax: Iterator + Sized {
    fn first_max_by<K: PartialOrd>(self, key: impl Fn(&Self::Item) -> K) -> Option<Self::Item> {
        self.map(|item| (key(&item), item))
            .reduce(|best, next| if next.0 > best.0 { next } else { best })
            .map(|best| best.1)
    }
}

impl<I: Iterator> FirstMax for I {}
