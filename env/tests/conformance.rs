//! One battery, every named game, every table.

mod common;

use std::sync::Arc;

use common::battery::{self, Tally};
use common::{about, all_tables, house};
use newmarket_env::{Episode, Seed};
use rayon::prelude::*;

#[test]
fn every_named_game_passes_the_battery_at_every_table() {
    let tables = all_tables();
    let tallies: Vec<Tally> = tables
        .par_iter()
        .map(|game| {
            let label = format!("{} with {} players", game.rules().title(), game.players());
            let mut tally = Tally::default();
            about(&label, || {
                for seed in 0..10 {
                    tally = tally.add(battery::session(game, Seed::new(seed), u32::MAX));
                }
                assert!(tally.deals >= 10 && tally.decisions > tally.deals);
            });
            tally
        })
        .collect();
    // The battery is worth what it has seen.
    let all = tallies.into_iter().fold(Tally::default(), Tally::add);
    assert!(all.deals > 7_000, "{all:?}");
    assert!(all.exchanges > 1_000 && all.no_winner > 0 && all.gifts > 100, "{all:?}");
}

#[test]
fn three_in_one_passes_the_battery_in_all_its_ways() {
    let mut ways = Vec::new();
    for players in 3..=8 {
        for when in ["held", "played"] {
            for lead in ["poker_winner", "eldest"] {
                ways.push((players, when, lead));
            }
        }
    }
    ways.into_par_iter().for_each(|(players, when, lead)| {
        let bankroll = "{ chips = { start = 30, on_bust = \"rebuy\" } }";
        for bankroll in ["\"credit\"", bankroll] {
            let changes = format!(
                "claim_when = {when:?}\nfirst_lead = {lead:?}\n[session]\nbankroll = {bankroll}"
            );
            let game = house("three-in-one", &changes, players);
            about(&format!("{players} players\n{changes}"), || {
                for seed in 0..6 {
                    battery::session(&game, Seed::new(seed), u32::MAX);
                }
            });
        }
    });
}

#[test]
fn every_environment_runs_the_same_course_shown_or_hidden() {
    all_tables().into_par_iter().for_each(|game| {
        let label = format!("{} with {} players", game.rules().title(), game.players());
        let game = Arc::new(game);
        about(&label, || {
            for seed in 0..100 {
                battery::environment(&game, &Episode::Deal, Seed::new(seed));
            }
            for seed in 0..10 {
                battery::environment(&game, &Episode::Session, Seed::new(seed));
            }
        });
    });
}

#[test]
fn a_seed_names_a_deal() {
    for game in all_tables().iter().step_by(3) {
        let course = |seed| {
            let mut rng = Seed::new(5).rng();
            let deal_start = *newmarket_env::Session::single_deal(game, seed).deal_start();
            let mut state = newmarket_env::State::new(game, &deal_start);
            while !state.is_over() {
                common::advance(game, &mut state, seed, &mut rng);
            }
            state
        };
        let first = course(Seed::new(1));
        assert_eq!(first, course(Seed::new(1)));
        assert_ne!(first, course(Seed::new(2)), "another seed, another deal");
    }
}
