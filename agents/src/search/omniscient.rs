//! A player that sees all cards: the ceiling above all that do not.
//!
//! What it gains over a player says how much is to be won by knowing where the cards are, and so
//! how much a fair player can still hope for. It reads no minds: how the others will lead it has
//! to guess, see [`Outlook`].

use newmarket_env::{Action, OpenPlay, Phase, Rng, View};

use super::Outlook;
use super::plans::{Ante, after, plans};
use crate::agent::{Agent, OpenTable};
use crate::heuristic;

/// Positions that it looks at for a decision: all of them, nearly always.
const MOST: usize = 400_000;

/// A player that is shown all cards. Before they are dealt it plays by heuristics.
#[derive(Default)]
pub struct Omniscient {
    ante: Ante,
}

impl Omniscient {
    /// Tries every plan on the cards as they lie.
    fn before_play(&mut self, table: &OpenTable, rng: &mut Rng) -> Action {
        let (game, seat, view) = (table.game(), table.seat(), table.view());
        let plans = plans(&view);
        let mut best = (0, f64::NEG_INFINITY);
        for (nth, plan) in plans.iter().enumerate() {
            let state = after(game, *table.state(), plan);
            let mut stack = f64::from(state.stacks()[seat]);
            if !state.is_over() {
                let (open, at) = OpenPlay::new(game, &state);
                stack += Outlook::new(seat, MOST / plans.len()).gain(&open, &at, rng);
            }
            if stack > best.1 {
                best = (nth, stack);
            }
        }
        self.ante.plan(&view, plans, best.0)
    }
}

impl Agent for Omniscient {
    fn name(&self) -> &'static str {
        "omniscient"
    }

    /// Where nobody opens the cards to it, it plays by heuristics.
    fn act(&mut self, view: &View, rng: &mut Rng) -> Action {
        let [.., mut stopper] = heuristic::ALL;
        stopper.act(view, rng)
    }

    fn act_open(&mut self, table: &OpenTable, rng: &mut Rng) -> Action {
        let view = table.view();
        if let Some(chip) = self.ante.planned(&view) {
            return chip;
        }
        match view.phase() {
            Phase::Lead => {
                let (open, at) = OpenPlay::new(table.game(), table.state());
                Action::lead(Outlook::new(table.seat(), MOST).best(&open, &at, rng).0)
            }
            Phase::SetApart => heuristic::set_apart(&view),
            _ if !view.is_dealt() => heuristic::before_play(&view),
            _ => self.before_play(table, rng),
        }
    }

    fn another(&self) -> Box<dyn Agent> {
        Box::new(Self::default())
    }
}
