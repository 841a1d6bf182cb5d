//! A network that is asked for one decision at a time.

use newmarket_agents::Agent;
use newmarket_agents::net::NetAgent;
use newmarket_env::{Action, Rng, View};

/// The network behind the interface of a player alone, so that nothing asks it for many decisions at once.
pub(crate) struct OneByOne(pub(crate) NetAgent);

impl Agent for OneByOne {
    fn name(&self) -> &str {
        self.0.name()
    }

    fn act(&mut self, view: &View, rng: &mut Rng) -> Action {
        self.0.act(view, rng)
    }

    fn another(&self) -> Box<dyn Agent> {
        Box::new(Self(self.0.clone()))
    }
}
