//! A network that looks ahead: every lead is tried in imagined worlds.

use std::sync::Arc;

use newmarket_env::{Action, Game, Observation, Phase, Rng, State, View, Worlds};

use super::{Choice, FastNet, NetAgent, Playouts, argmax};
use crate::agent::Agent;
use crate::search::first_best;
use crate::thumb;

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
    net: Arc<FastNet>,
    player: NetAgent,
    playouts: Playouts,
}

/// Worlds whose deals are played side by side.
const AT_ONCE: u32 = 64;

impl NetSearch {
    /// A player with this network that looks at so many worlds for a lead.
    ///
    /// # Panics
    /// If the network does not take this version's observations.
    pub fn new(name: &str, net: Arc<FastNet>, worlds: u32) -> Self {
        let player = NetAgent::new(name, net.clone(), Choice::Greedy);
        let playouts = Playouts::new([&*net]);
        Self { name: name.into(), worlds: worlds.max(1), net, player, playouts }
    }

    fn lead(&mut self, view: &View, rng: &mut Rng) -> Action {
        let (game, legal) = (view.game(), view.legal());
        let worlds = Worlds::of(view);
        let mut totals = vec![0_i64; legal.len()];
        let mut left = self.worlds;
        while left > 0 {
            let now = left.min(AT_ONCE);
            left -= now;
            let mut deals: Vec<State> = (0..now)
                .flat_map(|_| {
                    let state = view.imagine(&worlds.draw(rng));
                    legal.iter().map(move |action| {
                        let mut trial = state;
                        trial.apply_unchecked(game, action);
                        trial
                    })
                })
                .collect();
            self.playouts.run(
                &[&self.net],
                &mut deals,
                |state| {
                    let actor = go_on(game, state)?;
                    Some((0, Observation::of(&state.view(game, actor))))
                },
                |state, logits| {
                    let best = argmax(logits, state.legal(game).bits());
                    let action = Action::from_id(best as u8).expect("a legal action has an id");
                    state.apply_unchecked(game, action);
                },
            );
            for (deal, state) in deals.iter().enumerate() {
                totals[deal % legal.len()] += i64::from(state.stacks()[view.seat()]);
            }
        }
        legal.nth(first_best(&totals)).expect("it is one of them")
    }
}

/// Goes on to the next decision with a choice: who takes it, or nobody if the deal is over.
fn go_on(game: &Game, state: &mut State) -> Option<usize> {
    loop {
        let (actor, legal) = (state.actor()?, state.legal(game));
        let only = match state.phase() {
            Phase::SetApart => thumb::set_apart(&state.view(game, actor)),
            _ if legal.is_forced() => legal.first().expect("a decision has a choice"),
            _ => return Some(actor),
        };
        state.apply_unchecked(game, only);
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
