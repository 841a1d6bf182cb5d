//! Agents as behavioural strategies.

use newmarket_agents::Agent;
use newmarket_env::Seed;

use super::newmarket::{DealHistory, OneDeal};
use super::tree::{Profile, Tree};

/// The profile in which an agent sits in every seat.
///
/// It is asked at every information set, once, whether or not it would ever come there. If it
/// knows its probabilities ([`Agent::probabilities`]), these are exact. Otherwise it is asked to
/// act: an answer for which it drew no random number is certain; else it is asked `draws` times
/// with fixed random numbers, and plays what it answered as often as it did so. The more draws,
/// the nearer to the agent itself; with few it looks the more exploitable, as a player with fixed
/// random numbers is.
///
/// The agent must decide by the [`View`](newmarket_env::View) that it is shown; one that remembers
/// earlier decisions would not be asked in the order of play.
///
/// # Panics
/// If the agent chooses an illegal action.
pub fn of_agent(
    agent: &mut dyn Agent,
    tree: &Tree<DealHistory>,
    deal: &OneDeal,
    draws: u32,
    seed: Seed,
) -> Profile {
    tree.profile(|number, choices| {
        let infoset = tree.infosets()[number];
        let view = deal.view(tree.example(number), infoset.player);
        if let Some(chances) = agent.probabilities(&view) {
            return chances;
        }
        let mut counts = vec![0.0; choices];
        let mut rng = seed.child(number as u64).rng();
        let fresh = rng.clone();
        let mut asked = 0;
        while asked < draws.max(1) {
            let action = agent.act(&view, &mut rng);
            let nth = view.legal().iter().position(|legal| legal == action);
            counts[nth.expect("agents choose legal actions")] += 1.0;
            asked += 1;
            if rng == fresh {
                break;
            }
        }
        counts.into_iter().map(|count| count / f64::from(asked)).collect()
    })
}
