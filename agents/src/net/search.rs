//! A network that looks ahead: every lead is tried in sampled determinizations.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

use newmarket_env::{Action, DealDriver, Observation, Phase, Rng, Seats, State, View, Worlds};
use newmarket_net::{FastNet, argmax};

use super::elimination::SequentialElimination;
use super::{Choice, NetAgent, NetBatch, Playouts};
use crate::player::{Agent, BatchPolicy};

/// Every seat plays on by the network, which sets the best five cards apart for poker.
const DRIVER: DealDriver = DealDriver::CHOICES.set_best_five_apart(Seats::ALL);

/// A player that tries each of its leads in the same sampled determinizations, every one equally
/// likely. In each of them everybody plays on to the end of the deal as the network would, seeing
/// only what they could see there. A lead that falls clearly behind is tried no more, so most
/// decisions need few of the worlds. All other decisions are the network's own.
///
/// Stopping where the lead comes back to the player, with the value head's estimate for the rest,
/// is faster and gained nothing: the head does not distinguish well enough between leads.
pub struct NetSearch {
    name: String,
    worlds: u32,
    net: Arc<FastNet>,
    player: NetAgent,
    playouts: Playouts<'static>,
}

/// Worlds that are played in one batch, before the leads that are behind drop out.
const WORLDS_PER_ROUND: u32 = 64;

/// The weight of the network's prior, in worlds per nat: a lead that it thinks e times as likely as
/// another starts with this many chips more. In one world two leads differ by about nine chips to
/// either side, so with few worlds the network knows better. (Measured: without the prior, 64
/// worlds lose; 10 or 40 a nat find no more; see `decisions/0001-search.md`.)
const PRIOR_WORLDS_PER_NAT: f64 = 25.0;

impl NetSearch {
    /// A player with this network that tries a lead in at most `worlds` worlds.
    ///
    /// # Panics
    /// If the network does not take this version's observations.
    pub fn new(name: &str, net: Arc<FastNet>, worlds: u32) -> Self {
        let player = NetAgent::new(name, net.clone(), Choice::Greedy);
        let policy: Box<dyn BatchPolicy> = Box::new(NetBatch::new(net.clone()));
        let playouts = Playouts::new([policy]);
        Self { name: name.into(), worlds: worlds.max(1), net, player, playouts }
    }

    fn lead(&mut self, view: &View, rng: &mut Rng) -> Action {
        let choices: Vec<Action> = view.legal().iter().collect();
        let logits = self.player.logits(view);
        let opinion = |action: &Action| PRIOR_WORLDS_PER_NAT * f64::from(logits[action.index()]);
        let mut contest = SequentialElimination::new(choices.iter().map(opinion).collect());
        let worlds = Worlds::of(view);
        let mut left = self.worlds;
        while left > 0 && contest.runners().len() > 1 {
            let now = left.min(WORLDS_PER_ROUND);
            left -= now;
            let runners: Vec<Action> = contest.runners().iter().map(|&i| choices[i]).collect();
            let sampled: Vec<State> =
                (0..now).map(|_| view.determinize(&worlds.draw(rng))).collect();
            let gains = self.gains(view, &sampled, &runners);
            for world in gains.chunks_exact(runners.len()) {
                contest.add(world);
            }
            contest.drop_out();
        }
        choices[contest.best()]
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
            &mut deals,
            |state| {
                let decision = DRIVER.next_or_cards(game, state)?;
                Some((0, Observation::of(&state.view(game, decision.seat))))
            },
            |state, logits| {
                let best = argmax(logits, state.legal(game).bits());
                let action = Action::from_index(best);
                state.apply_unchecked(game, action);
            },
        );
        let stack = view.stack(seat);
        deals.iter().map(|state| i64::from(state.stacks()[seat] - stack)).collect()
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
        Box::new(Self::new(&self.name, self.net.clone(), self.worlds))
    }
}
