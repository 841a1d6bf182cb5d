//! Conversion between agents and behavioural strategies.

use std::collections::HashMap;
use std::sync::Arc;

use newmarket_agents::{Agent, DealEvents, EventAgent};
use newmarket_env::{Action, CardSet, Rng, Seed, View, seed};

use super::newmarket::{DealHistory, OneDeal};
use super::tree::{Profile, Tree};

/// The profile in which an agent sits in every seat.
///
/// The agent is asked at every information set, including those that it would never reach. If it gives its probabilities
/// ([`Agent::probabilities`]), the profile is exact. Otherwise it is asked to act. An action for which it draws no random
/// number gets probability 1; else it is asked `draws` times with fixed random numbers, and the profile has the
/// frequencies of its actions. Few draws make the agent look more exploitable than it is.
///
/// The agent must decide only by the [`View`] that it gets, since it is not asked in the order of play.
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

/// The information state of a seat, as an agent sees it. Seats are counted from eldest.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Known {
    role: usize,
    hand: CardSet,
    dead: CardSet,
    /// The cards that each seat has played.
    played: Vec<CardSet>,
    /// All public actions, in order.
    actions: Vec<Action>,
}

impl Known {
    fn of(view: &View, actions: Vec<Action>) -> Self {
        let (players, eldest) = (view.game().players(), view.eldest());
        Self {
            role: (view.seat() + players - eldest) % players,
            hand: view.hand(),
            dead: view.known_dead(),
            played: (0..players).map(|role| view.played_by((eldest + role) % players)).collect(),
            actions,
        }
    }
}

/// A profile as an agent: at each information set it draws its action from the profile's probabilities. It follows the
/// events of the deal, because some information sets differ only in the order of events. Seats are relative to the
/// dealer, so it can play with any seat as the dealer.
#[derive(Clone, Debug)]
pub struct ProfileAgent {
    name: Arc<str>,
    chances: Arc<HashMap<Known, Vec<f64>>>,
}

impl ProfileAgent {
    /// The agent of a profile.
    ///
    /// # Panics
    /// If a seat cannot tell two information sets apart by what it is told.
    pub fn new(name: &str, tree: &Tree<DealHistory>, deal: &OneDeal, profile: &Profile) -> Self {
        let mut chances = HashMap::new();
        for (number, infoset) in tree.infosets().iter().enumerate() {
            let position = tree.example(number);
            let known = Known::of(&deal.view(position, infoset.player), position.actions.clone());
            let other = chances.insert(known, profile.at(infoset).to_vec());
            assert!(other.is_none(), "what is told tells information sets apart");
        }
        Self { name: name.into(), chances: Arc::new(chances) }
    }

    /// The probability of each choice of the seat to act at a history of the game.
    ///
    /// # Panics
    /// If no seat is to act.
    pub fn at(&self, deal: &OneDeal, position: &DealHistory) -> &[f64] {
        let seat = deal.to_act(position).expect("a seat is to act");
        self.chances(&Known::of(&deal.view(position, seat), position.actions.clone()))
    }

    fn chances(&self, known: &Known) -> &[f64] {
        self.chances.get(known).expect("every decision of the game is in its tree")
    }
}

impl EventAgent for ProfileAgent {
    fn name(&self) -> &str {
        &self.name
    }

    fn act(&mut self, deal: &DealEvents, rng: &mut Rng) -> Action {
        let view = deal.view();
        let known = Known::of(&view, deal.public_actions());
        let mut left = seed::unit(rng);
        let chances = self.chances(&known).iter();
        let drawn = chances.zip(view.legal().iter()).find(|(chance, _)| {
            left -= *chance;
            left < 0.0
        });
        // Rounding may leave nothing for the last action.
        let last = || view.legal().iter().last().expect("a decision has a choice");
        drawn.map_or_else(last, |(_, action)| action)
    }

    fn over(&mut self, _: &DealEvents) {}

    fn another(&self) -> Box<dyn EventAgent> {
        Box::new(self.clone())
    }
}
