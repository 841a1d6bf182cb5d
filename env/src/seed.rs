//! One seed, one tree: run → table → deal → purpose.
//!
//! A [`Seed`] names a stream of random numbers. Children have numbers. A child's stream is independent of
//! its parent's and its siblings', so drawing more numbers for one purpose never changes another. The
//! generator is xoshiro256++ (Blackman and Vigna 2021), the mixing is the finaliser of `SplitMix64`
//! (Steele, Lea and Flood 2014): integer arithmetic, the same on every machine.

use rand_core::{Rng as _, SeedableRng};

use crate::card::Card;

/// The generator of all random numbers in this project.
pub type Rng = rand_xoshiro::Xoshiro256PlusPlus;

/// A node of the seed tree.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, serde::Serialize, serde::Deserialize)]
pub struct Seed(u64);

impl Seed {
    /// The root of the tree for a seed that a person chose.
    pub const fn new(seed: u64) -> Self {
        Self(mix(seed))
    }

    /// The child of this number.
    #[must_use]
    pub const fn child(self, label: u64) -> Self {
        Self(mix(self.0 ^ mix(label.wrapping_add(0xd1b5_4a32_d192_ed03))))
    }

    /// The stream of this node, from its beginning.
    pub fn rng(self) -> Rng {
        // The same as `seed_from_u64`, compiled here so that its parts are inlined.
        let mut words = [0; 32];
        for (nth, word) in (0..).zip(words.as_chunks_mut().0) {
            *word = mix(self.0.wrapping_add(GAMMA.wrapping_mul(nth))).to_le_bytes();
        }
        Rng::from_seed(words)
    }
}

/// `SplitMix64`'s step from number to number.
const GAMMA: u64 = 0x9e37_79b9_7f4a_7c15;

/// `SplitMix64`'s step and finaliser: a bijection of `u64` in which every bit depends on all.
const fn mix(x: u64) -> u64 {
    let x = x.wrapping_add(GAMMA);
    let x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ x >> 31
}

/// A uniform number in `0 … n-1`, without bias (Lemire 2019, on 32-bit products).
#[inline]
pub fn below(rng: &mut Rng, n: u32) -> u32 {
    // The high half of xoshiro256++'s output: its best bits.
    let mut draw = || u64::from((rng.next_u64() >> 32) as u32) * u64::from(n);
    let mut product = draw();
    if (product as u32) < n {
        let threshold = n.wrapping_neg() % n;
        while (product as u32) < threshold {
            product = draw();
        }
    }
    (product >> 32) as u32
}

/// Several independent uniform numbers from one number of the generator (Brackett-Rozinsky and Lemire
/// 2024): the part of a product that [`below`] discards is as uniform as the part that it keeps.
#[derive(Clone, Copy, Debug)]
pub struct Draw(u64);

/// The product of the bounds that a [`Draw`] serves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bounds {
    product: u64,
    /// 2⁶⁴ modulo the product: the number of draws to reject for a uniform result.
    too_many: u64,
}

impl Bounds {
    /// The bounds, in any order.
    ///
    /// # Panics
    /// If there is a 0 among them, or their product has more than 64 bits.
    pub const fn new(bounds: &[u64]) -> Self {
        let mut product = 1_u64;
        let mut nth = 0;
        while nth < bounds.len() {
            product = product.checked_mul(bounds[nth]).expect("the product has 64 bits");
            nth += 1;
        }
        Self { product, too_many: product.wrapping_neg() % product }
    }
}

impl Draw {
    /// A draw for these bounds. Use each bound once.
    #[inline]
    pub fn new(rng: &mut Rng, bounds: &Bounds) -> Self {
        loop {
            let drawn = rng.next_u64();
            if drawn.wrapping_mul(bounds.product) >= bounds.too_many {
                return Self(drawn);
            }
        }
    }

    /// A uniform number in `0 … n-1`.
    #[inline]
    pub const fn below(&mut self, n: u64) -> u64 {
        let product = self.0 as u128 * n as u128;
        self.0 = product as u64;
        (product >> 64) as u64
    }
}

/// A uniform number in `[0, 1)`, a multiple of 2⁻⁵³.
pub fn unit(rng: &mut Rng) -> f64 {
    (rng.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
}

/// Shuffles the cards, every order equally likely (Fisher–Yates).
pub fn shuffle(cards: &mut [Card], rng: &mut Rng) {
    for last in (1..cards.len()).rev() {
        cards.swap(last, below(rng, last as u32 + 1) as usize);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_stable() {
        // Frozen: a change here changes every deal that anybody has ever recorded a seed for.
        let mut rng = Seed::new(1).child(2).child(3).rng();
        let drawn: Vec<u32> = (0..8).map(|_| below(&mut rng, 1000)).collect();
        assert_eq!(drawn, [25, 105, 725, 566, 801, 979, 803, 494]);
        let mut pack: Vec<Card> = (0..52).map(Card::from_index).collect();
        shuffle(&mut pack, &mut Seed::new(7).rng());
        let first: Vec<usize> = pack[..8].iter().map(|card| card.index()).collect();
        assert_eq!(first, [7, 10, 39, 31, 23, 49, 41, 40]);
    }

    #[test]
    fn below_is_uniform() {
        let mut rng = Seed::new(5).rng();
        let mut counts = [0_u32; 52];
        let draws = 520_000;
        for _ in 0..draws {
            counts[below(&mut rng, 52) as usize] += 1;
        }
        let expected = f64::from(draws) / 52.0;
        let chi2: f64 = counts.iter().map(|&c| (f64::from(c) - expected).powi(2) / expected).sum();
        // 51 degrees of freedom: the 99.99 % point is 96.
        assert!(chi2 < 96.0, "{chi2}");
    }
}
