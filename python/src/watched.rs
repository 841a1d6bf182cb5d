//! Players that stop where they are when Ctrl-C says so.

use newmarket_agents::{Agent, BatchPolicy, OpenAgent, OpenView, Player, Telling, ToldAgent};
use newmarket_env::{Action, Rng, View};

use crate::pool::Stop;

/// The same player, which ends the work that it is asked in if that is to stop.
pub(crate) fn watched(player: Player, stop: &Stop) -> Player {
    match player {
        Player::Fair(agent) => Player::Fair(watched_agent(agent, stop)),
        Player::Open(agent) => Player::Open(Box::new(Open { agent, stop: stop.clone() })),
        Player::Told(agent) => Player::Told(Box::new(Told { agent, stop: stop.clone() })),
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

    fn batch(&self) -> Option<Box<dyn BatchPolicy>> {
        self.agent.batch()
    }

    fn another(&self) -> Box<dyn Agent> {
        Box::new(Self { agent: self.agent.another(), stop: self.stop.clone() })
    }
}

struct Open {
    agent: Box<dyn OpenAgent>,
    stop: Stop,
}

impl OpenAgent for Open {
    fn name(&self) -> &str {
        self.agent.name()
    }

    fn act(&mut self, table: &OpenView, rng: &mut Rng) -> Action {
        self.stop.check();
        self.agent.act(table, rng)
    }

    fn another(&self) -> Box<dyn OpenAgent> {
        Box::new(Self { agent: self.agent.another(), stop: self.stop.clone() })
    }
}

struct Told {
    agent: Box<dyn ToldAgent>,
    stop: Stop,
}

impl ToldAgent for Told {
    fn name(&self) -> &str {
        self.agent.name()
    }

    fn act(&mut self, telling: &Telling, rng: &mut Rng) -> Action {
        self.stop.check();
        self.agent.act(telling, rng)
    }

    fn over(&mut self, telling: &Telling) {
        self.agent.over(telling);
    }

    fn another(&self) -> Box<dyn ToldAgent> {
        Box::new(Self { agent: self.agent.another(), stop: self.stop.clone() })
    }
}
