//! Plays a deal by the champion, with the packaged crates.

use std::error::Error;
use std::sync::Arc;

use newmarket_agents::net::ActionSelection;
use newmarket_agents::Table;
use newmarket_checkpoints::roster;
use newmarket_env::{Game, Rules, Seed};

fn main() -> Result<(), Box<dyn Error>> {
    let game = Arc::new(Game::new(Rules::named("michigan").ok_or("no such game")?, 4)?);
    let mut champion = roster::fair("net:champion", ActionSelection::Greedy, None)?;
    let mut table = Table::new(game);
    let result = table.play(Seed::new(7), |_seat, view, rng| champion.act(view, rng));
    println!("{:?}", result.payoffs);
    Ok(())
}
