//! Players that stop where they are when Ctrl-C says so.

use newmarket_agents::strategy::Strategy;
use newmarket_agents::{Agent, BatchPolicy, DealEvents, DecideMany, EventAgent, Player};
use newmarket_env::{Action, ActionMask, Rng, View};

use crate::pool::Stop;

/// The same player, which ends the work that it is asked in if that is to stop.
pub(crate) fn watched(player: Player, stop: &Stop) -> Player {
    match player {
        Player::Fair(agent) => Player::Fair(watched_agent(agent, stop)),
        // It decides in a moment, and a duel asks between deals.
        Player::Open(agent) => Player::Open(agent),
        Player::Events(agent) => Player::Events(Box::new(WithEvents { agent, stop: stop.clone() })),
    }
}

/// The same for an agent.
pub(crate) fn watched_agent(agent: Box<dyn Agent>, stop: &Stop) -> Box<dyn Agent> {
    Box::new(Fair { agent, stop: stop.clone() })
}

struct Fair {
    agent: Box<dyn Agent>,
    stop: Stop,
}

impl Agent for Fair {
    fn name(&self) -> &str {
        self.agent.name()
    }

    fn act(&mut self, view: &View, rng: &mut Rng) -> Action {
        self.stop.check();
        self.agent.act(view, rng)
    }

    fn probabilities(&mut self, view: &View) -> Option<Vec<f64>> {
        self.stop.check();
        self.agent.probabilities(view)
    }

    fn act_among(&mut self, view: &View, among: ActionMask, rng: &mut Rng) -> Option<Action> {
        self.stop.check();
        self.agent.act_among(view, among, rng)
    }

    fn chooses_among(&self) -> bool {
        self.agent.chooses_among()
    }

    fn batch(&self) -> Option<Box<dyn BatchPolicy>> {
        self.agent.batch()
    }

    fn many(&self) -> Option<Box<dyn DecideMany>> {
        self.agent.many()
    }

    fn act_undecided(&mut self, view: &View, rng: &mut Rng) -> Action {
        self.agent.act_undecided(view, rng)
    }

    fn strategy(&self) -> Option<&Strategy> {
        self.agent.strategy()
    }

    fn another(&self) -> Box<dyn Agent> {
        Box::new(Self { agent: self.agent.another(), stop: self.stop.clone() })
    }
}

struct WithEvents {
    agent: Box<dyn EventAgent>,
    stop: Stop,
}

impl EventAgent for WithEvents {
    fn name(&self) -> &str {
        self.agent.name()
    }

    fn act(&mut self, deal: &DealEvents, rng: &mut Rng) -> Action {
        self.stop.check();
        self.agent.act(deal, rng)
    }

    fn over(&mut self, deal: &DealEvents) {
        self.agent.over(deal);
    }

    fn another(&self) -> Box<dyn EventAgent> {
        Box::new(Self { agent: self.agent.another(), stop: self.stop.clone() })
    }
}
