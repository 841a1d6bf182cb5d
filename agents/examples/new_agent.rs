//! A new agent in one file, measured against `stopper`: `cargo run --release -p newmarket-agents
//! --example new_agent`.
#![expect(clippy::print_stdout, reason = "an example prints what it measured")]

use std::sync::Arc;

use newmarket_agents::paired::PairedDuel;
use newmarket_agents::strategy::Strategy;
use newmarket_agents::{Agent, Player};
use newmarket_env::{Action, Game, Phase, Rng, Rules, Seed, Suit, View};

/// Leads the suit in which it holds the fewest cards; all else it does as `stopper` does.
#[derive(Clone, Copy)]
struct Shortest;

impl Agent for Shortest {
    fn name(&self) -> &'static str {
        "shortest"
    }

    fn act(&mut self, view: &View, rng: &mut Rng) -> Action {
        match view.phase() {
            Phase::Lead => {
                let leads = view.legal().iter().filter_map(Action::suit);
                let length = |suit: &Suit| view.hand().lane(*suit).count_ones();
                leads.min_by_key(length).map_or(Action::PASS, Action::lead)
            }
            _ => Strategy::named("stopper").expect("a named strategy").act(view, rng),
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
    let field = Player::from(Strategy::named("stopper").expect("a named strategy"));
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
