//! Value stability: a fixed seed plays the same deals for ever.
//!
//! `digests.txt` freezes, for each named game, a digest of 1,000 random deals: every decision,
//! every final hand, every chip. A change that was meant to change nothing leaves it alone; a
//! change that was meant to change the game replaces the lines that the failure prints.

mod common;

use std::fmt::Write as _;

use common::{advance, table};
use newmarket_env::rules::NAMES;
use newmarket_env::{Game, Rules, Seed, Session, State};

/// FNV-1a, 64 bits.
struct Digest(u64);

impl Digest {
    fn eat(&mut self, value: u64) {
        for byte in value.to_le_bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}

fn deal(game: &Game, seed: Seed, digest: &mut Digest) -> i64 {
    let mut rng = seed.child(7).rng();
    let session = Session::single_deal(game, seed);
    let mut state = State::new(game, session.deal_start());
    while !state.is_over() {
        if let Some(action) = advance(game, &mut state, seed, &mut rng) {
            digest.eat(action.index() as u64);
        }
    }
    for &chips in state.stacks().iter().chain(state.layout()).chain([&state.kitty()]) {
        digest.eat(i64::from(chips) as u64);
    }
    let hands = state.hands();
    for hand in hands.seats.iter().chain([&hands.dead]) {
        digest.eat(hand.bits());
    }
    i64::from(state.stacks()[0])
}

#[test]
fn random_deals_are_what_they_always_were() {
    let mut found = String::new();
    for name in NAMES {
        let mut digest = Digest(0xcbf2_9ce4_8422_2325);
        let mut of_seat_0 = 0;
        let (least, most) = Rules::named(name).expect("a named game").players;
        for players in least..=most {
            let game = table(name, players);
            for seed in (0..1_000).filter(|seed| seed % (most - least + 1) == players - least) {
                of_seat_0 += deal(&game, Seed::new(seed as u64), &mut digest);
            }
        }
        writeln!(found, "{name} {:016x} {of_seat_0}", digest.0).expect("a String takes all");
    }
    let frozen = include_str!("digests.txt").lines().filter(|line| !line.starts_with('#'));
    let same = frozen.eq(found.lines());
    assert!(same, "the deals of a seed have changed; they are now\n{found}");
}
