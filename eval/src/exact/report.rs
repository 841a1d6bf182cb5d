//! The result of an exact computation, as plain data.

use std::time::Duration;

use newmarket_env::Game;
use serde::Serialize;
use serde_json::{Map, Value};

use super::exploit::Exploitability;
use super::newmarket::{DealHistory, OneDeal};
use super::tree::Tree;

/// How exploitable an agent is in a small game, as `newmarket exploit --json` prints it.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ExactReport {
    /// The name of the agent in all seats, or of what solved the game.
    pub agent: String,
    /// The title of the rules.
    pub rules: String,
    /// The rules as a rules file, in JSON: by it and `players`, the result stands on its own.
    pub rules_file: Map<String, Value>,
    /// Seats at the table. The last one deals.
    pub players: usize,
    /// Cards of the pack.
    pub cards: usize,
    /// Deals of the pack, all equally likely.
    pub deals: u64,
    /// States of the game.
    pub states: u64,
    /// Information sets of all seats.
    pub infosets: usize,
    /// Of CFR+; `None` for an agent.
    pub iterations: Option<u64>,
    /// What each seat gets, and what a best response gains.
    #[serde(flatten)]
    pub exploitability: Exploitability,
    /// Wall-clock time; 0 until [`ExactReport::took`] sets it.
    pub seconds: f64,
}

impl ExactReport {
    /// The report on an agent, or on the solution after so many iterations.
    pub fn new(
        agent: String,
        game: &Game,
        tree: &Tree<DealHistory>,
        iterations: Option<u64>,
        exploitability: Exploitability,
    ) -> Self {
        Self {
            agent,
            rules: game.rules().title().into(),
            rules_file: game.rules().to_file(),
            players: game.players(),
            cards: game.pack().len(),
            deals: OneDeal::count(game) as u64,
            states: tree.states(),
            infosets: tree.infosets().len(),
            iterations,
            exploitability,
            seconds: 0.0,
        }
    }

    /// Sets the wall-clock time.
    #[must_use]
    pub fn took(mut self, time: Duration) -> Self {
        self.seconds = time.as_secs_f64();
        self
    }
}
