//! A new agent in one file, measured against `stopper`: `cargo run --release -p newmarket-agents
//! --example new_agent`.
#![expect(clippy::print_stdout, reason = "an example prints what it measured")]

use std::sync::Arc;

use newmarket_agents::heuristic::{Heuristic, lead, stakes};
use newmarket_agents::paired::PairedDuel;
use newmarket_agents::{Agent, Player};
use newmarket_env::{Action, Game, Phase, Rng, Rules, Seed, View};

/// Leads the suit in which it holds the fewest cards; all else it does as the heuristics do.
#[derive(Clone, Copy)]
struct Shortest;

impl Agent for Shortest {
    fn name(&self) -> &'static str {
        "shortest"
    }

    fn act(&mut self, view: &View, rng: &mut Rng) -> Action {
        match view.phase() {
            Phase::Lead => {
                let leads = view.legal().iter().filter(|action| action.suit().is_some());
                let length = |action: &Action| action.suit().map(|suit| lead::length(view, suit));
                leads.min_by_key(length).unwrap_or(Action::PASS)
            }
            Phase::Ante => stakes::Ante::USUAL.chip(view),
            _ => Heuristic::named("stopper").expect("a heuristic").act(view, rng),
        }
    }

    fn another(&self) -> Box<dyn Agent> {
        Box::new(*self)
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let rules = Rules::named("newmarket").expect("a named game");
    let games = [Arc::new(Game::new(rules, 4)?)];
    let hero = Player::from(Shortest);
    let field = Player::from(Heuristic::named("stopper").expect("a heuristic"));
    let duel = PairedDuel { games: &games, hero: &hero, field: &field, seed: Seed::new(1) };
    let gain = duel.run(2_000, |_| {}).chips.estimate();
    println!(
        "{} gains {:+.2} ± {:.2} chips a deal over {} in the same seat",
        hero.name(),
        gain.mean,
        gain.ci95,
        field.name()
    );
    Ok(())
}
