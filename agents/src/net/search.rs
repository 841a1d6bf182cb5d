//! A network that looks ahead: every lead is tried in imagined worlds.

use std::sync::Arc;

use newmarket_env::{Action, Game, Phase, Rng, State, View, Worlds};

use super::{Choice, FastNet, NetAgent};
use crate::agent::Agent;
use crate::search::first_best;

/// A player that tries each of its leads in the same imagined worlds, every one equally likely. In
/// each of them everybody goes on to the end of the deal as the network would, seeing only what
/// they could see there. All other decisions are the network's own.
///
/// To stop where the lead comes back to the player, and to take the value head's word for the rest,
/// is faster and gained nothing: the head is not good enough at telling apart what leads lead to.
#[derive(Clone)]
pub struct NetSearch {
    name: String,
    worlds: u32,
    player: NetAgent,
}

impl NetSearch {
    /// A player with this network that looks at so many worlds for a lead.
    ///
    /// # Panics
    /// If the network does not take this version's observations.
    pub fn new(name: &str, net: Arc<FastNet>, worlds: u32) -> Self {
        let player = NetAgent::new(name, net, Choice::Greedy);
        Self { name: name.into(), worlds: worlds.max(1), player }
    }

    fn lead(&mut self, view: &View, rng: &mut Rng) -> Action {
        let legal = view.legal();
        let mut totals = vec![0_i64; legal.len()];
        let worlds = Worlds::of(view);
        for _ in 0..self.worlds {
            let state = view.imagine(&worlds.draw(rng));
            for (total, action) in totals.iter_mut().zip(legal.iter()) {
                let mut trial = state;
                trial.apply_unchecked(view.game(), action);
                *total += i64::from(self.play_out(view.game(), trial, view.seat(), rng));
            }
        }
        legal.nth(first_best(&totals)).expect("it is one of them")
    }

    /// Chips that a seat has at the end of a deal which everybody plays as the network would.
    fn play_out(&mut self, game: &Game, mut state: State, seat: usize, rng: &mut Rng) -> i32 {
        while let Some(actor) = state.actor() {
            let legal = state.legal(game);
            let forced = legal.first().filter(|_| legal.is_forced());
            let action = forced.unwrap_or_else(|| self.player.act(&state.view(game, actor), rng));
            state.apply_unchecked(game, action);
        }
        state.stacks()[seat]
    }
}

impl Agent for NetSearch {
    fn name(&self) -> &str {
        &self.name
    }

    fn act(&mut self, view: &View, rng: &mut Rng) -> Action {
        match view.phase() {
            Phase::Lead => self.lead(view, rng),
            _ => self.player.act(view, rng),
        }
    }

    fn another(&self) -> Box<dyn Agent> {
        Box::new(self.clone())
    }
}
