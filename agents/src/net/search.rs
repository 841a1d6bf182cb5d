//! A network that looks ahead: every lead is tried in sampled determinizations.

use std::sync::Arc;

use newmarket_env::{Action, Game, Observation, Phase, Rng, State, View, Worlds};

use super::race::Race;
use super::{Choice, FastNet, NetAgent, Playouts, argmax};
use crate::agent::Agent;
use crate::heuristic;

/// A player that tries each of its leads in the same sampled determinizations, every one equally likely. In
/// each of them everybody goes on to the end of the deal as the network would, seeing only what
/// they could see there. A lead that falls clearly behind is tried no more, so most decisions need
/// few of the worlds. All other decisions are the network's own.
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

/// Worlds whose deals are played side by side, before it is looked who is behind.
const AT_ONCE: u32 = 64;

/// Worlds that the network's own opinion is worth: to think a lead e times as likely as another
/// counts as a chip more in each of so many. In one world two leads differ by nine chips or so to
/// either side, and where few worlds are looked at the network knows better. (Measured: without,
/// 64 worlds lose; 10 or 40 a nat find no more.)
const WORLDS_A_NAT: f64 = 25.0;

impl NetSearch {
    /// A player with this network that looks at so many worlds for a lead at most.
    ///
    /// # Panics
    /// If the network does not take this version's observations.
    pub fn new(name: &str, net: Arc<FastNet>, worlds: u32) -> Self {
        let player = NetAgent::new(name, net.clone(), Choice::Greedy);
        let playouts = Playouts::new([&*net]);
        Self { name: name.into(), worlds: worlds.max(1), net, player, playouts }
    }

    fn lead(&mut self, view: &View, rng: &mut Rng) -> Action {
        let choices: Vec<Action> = view.legal().iter().collect();
        let logits = self.player.logits(view);
        let opinion = |action: &Action| WORLDS_A_NAT * f64::from(logits[action.index()]);
        let mut race = Race::new(choices.iter().map(opinion).collect());
        let worlds = Worlds::of(view);
        let mut left = self.worlds;
        while left > 0 && race.runners().len() > 1 {
            let now = left.min(AT_ONCE);
            left -= now;
            let runners: Vec<Action> = race.runners().iter().map(|&i| choices[i]).collect();
            let imagined: Vec<State> =
                (0..now).map(|_| view.determinize(&worlds.draw(rng))).collect();
            let gains = self.gains(view, &imagined, &runners);
            for world in gains.chunks_exact(runners.len()) {
                race.add(world);
            }
            race.drop_out();
        }
        choices[race.best()]
    }

    /// What each of these leads gains in each of these worlds, `[worlds, leads]`.
    fn gains(&mut self, view: &View, worlds: &[State], leads: &[Action]) -> Vec<i64> {
        let (game, seat) = (view.game(), view.seat());
        let tried = worlds.iter().flat_map(|world| {
            leads.iter().map(move |&lead| {
                let mut trial = *world;
                trial.apply_unchecked(game, lead);
                trial
            })
        });
        let mut deals: Vec<State> = tried.collect();
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
        let stack = view.stack(seat);
        deals.iter().map(|state| i64::from(state.stacks()[seat] - stack)).collect()
    }
}

/// Goes on to the next decision with a choice: who takes it, or nobody if the deal is over.
fn go_on(game: &Game, state: &mut State) -> Option<usize> {
    loop {
        let (actor, legal) = (state.actor()?, state.legal(game));
        let only = match state.phase() {
            Phase::SetApart => heuristic::set_apart(&state.view(game, actor)),
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
