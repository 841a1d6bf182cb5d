//! The battery again, over random rules: every option in combination with every other, read from
//! the text of a rules file.

mod common;

use std::sync::Arc;

use common::battery::{self, Tally};
use common::{about, any_rules};
use newmarket_env::{Episode, Rules, Seed};
use rayon::prelude::*;

#[test]
fn random_rules_pass_the_battery() {
    let tallies: Vec<Tally> = (0..3_000_u64)
        .into_par_iter()
        .map(|case| {
            let seed = Seed::new(case).child(17);
            let (game, text) = any_rules::game(&mut seed.rng());
            let mut tally = Tally::default();
            about(&format!("case {case}, {} players\n{text}", game.players()), || {
                tally = battery::session(&game, seed, 8);
            });
            tally
        })
        .collect();
    let all = tallies.into_iter().fold(Tally::default(), Tally::add);
    assert!(all.deals > 8_000 && all.exchanges > 500 && all.no_winner > 20, "{all:?}");
    assert!(all.gifts > 1000 && all.rebuys > 100 && all.out_of_it > 50, "{all:?}");
}

#[test]
fn random_rules_make_environments() {
    (0..1_000_u64).into_par_iter().for_each(|case| {
        let seed = Seed::new(case).child(18);
        let (game, text) = any_rules::game(&mut seed.rng());
        about(&format!("case {case}, {} players\n{text}", game.players()), || {
            let game = Arc::new(game);
            battery::environment(&game, &Episode::Deal, seed);
            battery::environment(&game, &Episode::Session, seed);
        });
    });
}

#[test]
fn random_rules_survive_their_own_file() {
    for case in 0..2_000 {
        let (game, text) = any_rules::game(&mut Seed::new(case).child(19).rng());
        let rules = game.rules();
        let again = Rules::from_toml(&rules.to_toml(), "again");
        assert_eq!(again.as_ref().ok(), Some(rules), "{text}\n{again:?}");
        // A name is no difference between games.
        let mut overrides = rules.overrides();
        overrides.extend(rules.name.clone().map(|name| ("name".into(), name.into())));
        let again = Rules::from_overrides(rules.base, &overrides);
        assert_eq!(again.as_ref(), Ok(rules), "{text}\n{overrides:?}");
    }
}
