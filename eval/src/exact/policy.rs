//! Agents as behavioural strategies, and back.

use std::collections::HashMap;
use std::sync::Arc;

use newmarket_agents::Agent;
use newmarket_env::{Action, Observation, Rng, Seed, View, seed};

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
/// The agent must decide by the [`View`] that it is shown; one that remembers
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

/// What tells the information sets of a game apart in a view: the entries of its observation that are
/// not 0.
type Seen = Vec<(u16, u32)>;

fn seen(view: &View) -> Seen {
    let mut entries = Vec::new();
    Observation::of(view).for_each_nonzero(|at, value| entries.push((at as u16, value.to_bits())));
    entries
}

/// A profile as an agent: at each information set it draws its action from the profile's probabilities.
/// Its seats are those of the tree as seen from the dealer, so it plays with any seat dealing.
#[derive(Clone, Debug)]
pub struct ProfileAgent {
    name: Arc<str>,
    chances: Arc<HashMap<Seen, Vec<f64>>>,
}

impl ProfileAgent {
    /// The agent of a profile; nothing if an observation does not tell all information sets apart.
    pub fn new(
        name: &str,
        tree: &Tree<DealHistory>,
        deal: &OneDeal,
        profile: &Profile,
    ) -> Option<Self> {
        let mut chances = HashMap::new();
        for (number, infoset) in tree.infosets().iter().enumerate() {
            let view = deal.view(tree.example(number), infoset.player);
            if chances.insert(seen(&view), profile.at(infoset).to_vec()).is_some() {
                return None;
            }
        }
        Some(Self { name: name.into(), chances: Arc::new(chances) })
    }

    fn chances(&self, view: &View) -> &[f64] {
        self.chances.get(&seen(view)).expect("every decision of the game is in its tree")
    }
}

impl Agent for ProfileAgent {
    fn name(&self) -> &str {
        &self.name
    }

    fn act(&mut self, view: &View, rng: &mut Rng) -> Action {
        let mut left = seed::unit(rng);
        let chances = self.chances(view).iter();
        let drawn = chances.zip(view.legal().iter()).find(|(chance, _)| {
            left -= *chance;
            left < 0.0
        });
        // Rounding may leave nothing for the last action.
        let last = || view.legal().iter().last().expect("a decision has a choice");
        drawn.map_or_else(last, |(_, action)| action)
    }

    fn probabilities(&mut self, view: &View) -> Option<Vec<f64>> {
        Some(self.chances(view).to_vec())
    }

    fn another(&self) -> Box<dyn Agent> {
        Box::new(self.clone())
    }
}
