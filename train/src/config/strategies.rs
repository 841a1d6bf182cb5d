//! The strategies of a run: their files are read once, when the run begins.

use super::{Config, StrategyConfig};
use crate::TrainError;
use newmarket_agents::strategy::Content;
use newmarket_checkpoints::{KeptStrategy, STRATEGY_PREFIX, read_strategy};
use std::path::Path;
use std::sync::Arc;

impl Config {
    /// This configuration with the content of all strategy files that it names, except those that it has already.
    ///
    /// # Errors
    ///
    /// If a file cannot be read or has faults.
    pub fn with_strategies(mut self) -> Result<Self, TrainError> {
        for (key, agent) in self.agents() {
            let Some(path) = agent.strip_prefix(STRATEGY_PREFIX) else { continue };
            if self.kept_strategy(&agent).is_some() {
                continue;
            }
            let content = read_strategy(Path::new(path))
                .map_err(|error| TrainError::Agent { key, error: Box::new(error.into()) })?;
            let strategy = KeptStrategy::of(&content);
            self.strategies.push(StrategyConfig { agent, strategy });
        }
        Ok(self)
    }

    /// The names of all agents, each with its key.
    fn agents(&self) -> Vec<(&'static str, String)> {
        let seated = self.opponents.agents.iter().flat_map(|o| [&o.agent, &o.playout_policy]);
        let seated = seated.map(|name| ("opponents.agents", name));
        let benchmarks = self.run.benchmark_opponents.iter();
        let benchmarks = benchmarks.map(|name| ("run.benchmark_opponents", name));
        seated.chain(benchmarks).map(|(key, name)| (key, name.clone())).collect()
    }

    fn kept_strategy(&self, agent: &str) -> Option<&KeptStrategy> {
        self.strategies.iter().find(|known| known.agent == agent).map(|known| &known.strategy)
    }

    /// What the strategy of an agent says: the configuration has it, no file is read.
    ///
    /// # Errors
    ///
    /// If the configuration does not have it, or it has faults.
    pub(crate) fn strategy(&self, agent: &str) -> Result<Arc<Content>, String> {
        let kept = self.kept_strategy(agent);
        kept.ok_or_else(|| "`strategies` does not have its content".to_owned())?.content()
    }

    /// The names of the players on which the strategies of these agents build.
    pub(crate) fn bases(&self, agents: &[&str]) -> Vec<String> {
        let named = self.strategies.iter().filter(|known| agents.contains(&&*known.agent));
        let contents = named.filter_map(|known| known.strategy.content().ok());
        contents
            .flat_map(|content| {
                content.players().into_iter().map(str::to_owned).collect::<Vec<_>>()
            })
            .collect()
    }
}
