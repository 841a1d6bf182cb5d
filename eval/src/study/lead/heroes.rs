//! What a player gains who follows a rule all deal long.

use std::sync::Arc;

use newmarket_agents::paired::Estimate;
use newmarket_agents::{Player, Table};
use newmarket_env::{Game, Seed};

use super::rules::{REFERENCE_EVERY, RULES};
use crate::study::measure::Measurement;
use crate::study::tally::Tally;

/// Chips a deal that each rule gains over a field in the same seat.
#[derive(Clone, Debug)]
pub(super) struct Worth {
    pub(super) rules: Vec<Estimate>,
    /// The same of the reference, if it was asked.
    pub(super) reference: Option<Estimate>,
}

impl Worth {
    pub(super) fn measure(
        game: &Arc<Game>,
        field: &Player,
        reference: Option<&Player>,
        deals: u64,
        seed: Seed,
        done: &(dyn Fn(u64) + Sync),
    ) -> Self {
        let measurement = Measurement { deals, seed, tallies: RULES.len() + 1, features: 0 };
        // The field is agent 0, the rules follow, then the reference.
        let agents = || {
            let rules = RULES.iter().map(|rule| rule.agent().into());
            let reference = reference.map(Player::another);
            let agents: Vec<Player> =
                std::iter::once(field.another()).chain(rules).chain(reference).collect();
            (Table::new(game.clone()), agents)
        };
        let players = game.players();
        let measured = measurement.run(
            agents,
            |(table, agents), deal| {
                let base = table.play_seated(deal.seed, agents, |_| 0).payoffs;
                for hero in 1..agents.len() {
                    if hero > RULES.len() && !deal.number.is_multiple_of(REFERENCE_EVERY) {
                        continue;
                    }
                    let mut gain = 0;
                    for (seat, base) in base.iter().enumerate().take(players) {
                        let seated = |at| if at == seat { hero } else { 0 };
                        gain += table.play_seated(deal.seed, agents, seated).payoffs[seat] - base;
                    }
                    deal.add(hero - 1, f64::from(gain) / players as f64, 0.0);
                }
            },
            done,
        );
        let mut rules: Vec<Estimate> = measured.tallies.iter().map(Tally::mean).collect();
        let last = rules.pop().expect("the reference's");
        Self { rules, reference: reference.map(|_| last) }
    }
}
