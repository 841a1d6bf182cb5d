//! A packed row is bytes that stand on their own: they expand to the same vector wherever they have
//! been, and bytes from elsewhere do no harm.

mod common;

use std::sync::Arc;

use common::{about, all_tables, any_rules, draw, pick};
use newmarket_env::encode::{BYTES, FIELDS};
use newmarket_env::{Env, Episode, Game, Observation, Rng, Seed};

/// The vector of a row, bit for bit; and the two ways to read the row agree.
fn vector(row: &Observation) -> Vec<u32> {
    let mut dense = vec![f32::NAN; Observation::LEN];
    row.write(&mut dense);
    let (mut sparse, mut next) = (vec![0.0_f32; Observation::LEN], 0);
    row.for_each_nonzero(|index, value| {
        assert!(index >= next && value != 0.0 && value.is_finite());
        (sparse[index], next) = (value, index + 1);
    });
    assert_eq!(dense, sparse);
    dense.into_iter().map(f32::to_bits).collect()
}

/// Every seat's row at every decision of a session.
fn rows(game: Arc<Game>, seed: Seed) -> Vec<Observation> {
    let players = game.players();
    let mut env = Env::new(game, Episode::Session);
    env.reset(seed);
    let mut rng = seed.child(9).rng();
    let mut rows = Vec::new();
    while !env.is_over() {
        rows.extend((0..players).map(|seat| Observation::of(&env.observe(seat))));
        env.step(pick(env.legal(), &mut rng)).expect("it is legal");
    }
    rows
}

/// The row with a few bytes changed at random.
fn damaged(row: &Observation, rng: &mut Rng) -> [u8; BYTES] {
    let mut bytes = *row.as_bytes();
    for _ in 0..=draw(rng, 20) {
        bytes[draw(rng, BYTES)] = [0, 1, 7, 8, 0xff, draw(rng, 256) as u8][draw(rng, 6)];
    }
    bytes
}

#[test]
fn fields_follow_each_other_without_a_gap() {
    let mut at = 0;
    for field in FIELDS {
        assert_eq!(field.start, at, "{}", field.name);
        assert_eq!(at % field.kind.width(), 0, "{} is aligned", field.name);
        at += field.kind.width() * field.len;
    }
    assert_eq!((at, at), (BYTES, Observation::BYTES));
}

#[test]
fn bytes_come_back_as_the_same_observation() {
    for game in all_tables() {
        about(&format!("{} with {}", game.rules().title(), game.players()), || {
            for row in rows(Arc::new(game.clone()), Seed::new(3)).iter().step_by(7) {
                let back = Observation::from_bytes(*row.as_bytes()).expect("a row");
                assert_eq!((back, vector(&back)), (*row, vector(row)));
            }
        });
    }
}

#[test]
fn bytes_from_elsewhere_do_no_harm() {
    let mut rng = Seed::new(5).rng();
    let (mut good, mut bad) = (0, 0);
    for number in 0..80 {
        let (game, text) = any_rules::game(&mut Seed::new(number).rng());
        about(&text, || {
            for row in rows(Arc::new(game), Seed::new(number)).iter().step_by(11) {
                let mut bytes = damaged(row, &mut rng);
                if draw(&mut rng, 10) == 0 {
                    bytes.fill_with(|| draw(&mut rng, 256) as u8);
                }
                match Observation::from_bytes(bytes) {
                    Ok(row) => {
                        vector(&row);
                        good += 1;
                    }
                    Err(_) => bad += 1,
                }
            }
        });
    }
    assert!(good > 500 && bad > 100, "{good} good, {bad} bad");
}

#[test]
fn what_is_wrong_with_a_row_is_said() {
    let game = Arc::new(common::table("newmarket", 4));
    let row = rows(game, Seed::new(1))[0];
    let with = |name: &str, value| {
        let field = FIELDS.iter().find(|field| field.name == name).expect("a field");
        let mut bytes = *row.as_bytes();
        bytes[field.start] = value;
        Observation::from_bytes(bytes).map_err(|error| error.to_string())
    };
    let says = |name, value, text: &str| assert_eq!(with(name, value), Err(text.into()));
    says("players", 9, "players of a packed observation is 9, expected 2 to 8");
    says("viewer", 4, "viewer of a packed observation is 4, expected a seat of the table");
    says("cells", 9, "cells of a packed observation is 9, expected 0 to 8");
    says("seats in", 0, "seats in of a packed observation is 0, expected a seat at least");
    assert!(with("viewer", 3).is_ok());
    assert_eq!(Observation::from_bytes([0; BYTES]), Ok(Observation::BLANK));
    assert!(vector(&Observation::BLANK).iter().all(|&bits| bits == 0));
}
