//! A network that looks ahead: every lead is tried in imagined worlds.

use std::sync::Arc;

use newmarket_env::{Action, Game, Observation, Phase, Rng, State, View, Worlds};

use super::{Choice, FastNet, NetAgent, Scratch, argmax};
use crate::agent::Agent;

/// A player that tries each of its leads in the same imagined worlds. In each of them everybody
/// goes on as the network would, seeing only what they could see there, until the lead comes back
/// to the player or the deal is over; what the player may then still expect is the network's value.
/// All other decisions are the network's own.
pub struct NetSearch {
    inner: NetAgent,
    name: String,
    net: Arc<FastNet>,
    worlds: u32,
    row: Vec<f32>,
    scratch: Scratch,
}

impl NetSearch {
    /// A player with this network, whose value head speaks in chips, that looks at so many worlds
    /// for a lead.
    ///
    /// # Panics
    /// If the network does not take this version's observations.
    pub fn new(name: &str, net: Arc<FastNet>, worlds: u32) -> Self {
        let inner = NetAgent::new(name, net.clone(), Choice::Greedy);
        let (row, scratch) = (vec![0.0; Observation::LEN], net.scratch());
        Self { inner, name: name.into(), net, worlds: worlds.max(1), row, scratch }
    }

    fn lead(&mut self, view: &View, rng: &mut Rng) -> Action {
        let legal = view.legal();
        let mut totals = vec![0.0; legal.len()];
        let worlds = Worlds::of(view);
        for _ in 0..self.worlds {
            let state = view.imagine(&worlds.draw(rng));
            for (total, action) in totals.iter_mut().zip(legal.iter()) {
                let mut trial = state;
                trial.apply_unchecked(view.game(), action);
                *total += self.outlook(view.game(), trial, view.seat());
            }
        }
        let best =
            (0..totals.len()).reduce(|best, at| if totals[at] > totals[best] { at } else { best });
        best.and_then(|best| legal.nth(best)).expect("a decision has a choice")
    }

    /// Chips that a seat may expect to have at the end of a deal that is being played.
    fn outlook(&mut self, game: &Game, mut state: State, seat: usize) -> f64 {
        let full = std::env::var("NM_FULL").is_ok();
        while let Some(actor) = state.actor() {
            let legal = state.legal(game);
            let forced = legal.first().filter(|_| legal.is_forced());
            let action = forced.unwrap_or_else(|| {
                Observation::of(&state.view(game, actor)).write(&mut self.row);
                let (logits, _) = self.net.forward(&self.row, &mut self.scratch);
                Action::from_id(argmax(logits, legal.bits()) as u8).expect("an action has an id")
            });
            if forced.is_none() && actor == seat && !full {
                let (_, value) = self.net.forward(&self.row, &mut self.scratch);
                return f64::from(state.stacks()[seat]) + f64::from(value);
            }
            state.apply_unchecked(game, action);
        }
        f64::from(state.stacks()[seat])
    }
}

impl Agent for NetSearch {
    fn name(&self) -> &str {
        &self.name
    }

    fn act(&mut self, view: &View, rng: &mut Rng) -> Action {
        match view.phase() {
            Phase::Lead => self.lead(view, rng),
            _ => self.inner.act(view, rng),
        }
    }

    fn another(&self) -> Box<dyn Agent> {
        Box::new(Self::new(&self.name, self.net.clone(), self.worlds))
    }
}
