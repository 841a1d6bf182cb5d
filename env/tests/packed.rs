//! Observations as bytes and back, and bytes that are none.

use std::sync::Arc;

use newmarket_env::{Env, Episode, Game, Observation, Rules, Seed, random};
use rand_core::Rng as _;

fn vector(seen: &Observation) -> Vec<f32> {
    let mut row = vec![0.0; Observation::LEN];
    seen.write(&mut row);
    row
}

#[test]
fn bytes_are_the_observation() {
    for name in ["newmarket", "michigan", "three-in-one", "newmarket-buy"] {
        let game = Arc::new(Game::new(Rules::named(name).unwrap(), 5).unwrap());
        let mut env = Env::new(game, Episode::Session);
        let mut rng = Seed::new(3).rng();
        for _ in 0..400 {
            if env.is_over() {
                env.reset(Seed::new(4));
            }
            for seat in 0..5 {
                let seen = Observation::of(&env.observe(seat));
                let again = Observation::try_from_bytes(&seen.to_bytes());
                assert_eq!(again, Some(seen));
            }
            env.step(random::choice(env.legal(), &mut rng)).unwrap();
        }
    }
}

#[test]
fn other_bytes_are_refused_or_harmless() {
    let game = Arc::new(Game::new(Rules::named("newmarket").unwrap(), 4).unwrap());
    let good = Observation::of(&Env::new(game, Episode::Deal).observe(0)).to_bytes();
    assert_eq!(Observation::try_from_bytes(&good[1..]), None);
    assert_eq!(Observation::try_from_bytes(&[255; Observation::BYTES]), None);
    let mut rng = Seed::new(5).rng();
    let mut taken = 0;
    for _ in 0..20_000 {
        let mut bytes = good;
        for _ in 0..rng.next_u64() % 20 {
            let at = (rng.next_u64() % bytes.len() as u64) as usize;
            bytes[at] = rng.next_u64() as u8;
        }
        let Some(seen) = Observation::try_from_bytes(&bytes) else { continue };
        taken += 1;
        assert_eq!(seen.to_bytes(), bytes);
        assert!(vector(&seen).iter().all(|number| number.is_finite()));
    }
    assert!(taken > 1000, "{taken}");
}
