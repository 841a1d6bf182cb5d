//! Heuristics that play a deal to its end in a fraction of a microsecond.
//!
//! In a playout all cards are face up, so these rules differ from those of the named
//! [strategies](crate::strategy): they see whether a run comes back to its leader. All four suits are
//! judged at once, each in 16 bits of a word, without a branch.

use newmarket_env::{CardSet, Ending, OpenPlay, Position, Rng, Suit, Turn, seed};

/// The lowest bit of each suit's lane.
const ONES: u64 = 0x0001_0001_0001_0001;

/// The rule that leads in playouts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Playout {
    /// A random suit.
    Random,
    /// The longest suit.
    Longest,
    /// A suit that comes back to the leader, then one with unclaimed boodles, then the longest.
    Stopper,
}

impl Playout {
    /// All rules, in the order of the help text.
    pub const ALL: [Self; 3] = [Self::Random, Self::Longest, Self::Stopper];

    /// The name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Random => "random",
            Self::Longest => "longest",
            Self::Stopper => "stopper",
        }
    }

    /// The rule of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|rule| rule.name() == name)
    }

    /// The lead of the rule in this position.
    pub fn lead(self, open: &OpenPlay, position: &Position, rng: &mut Rng) -> Suit {
        let turn = open.turn(position);
        match self {
            Self::Random => random(&turn, rng),
            Self::Longest => best(counts(turn.hand.bits()), turn.lanes),
            Self::Stopper => stopper(&turn, open.boodles(position)),
        }
    }

    /// Plays to the end of the deal.
    pub fn play_out(self, open: &OpenPlay, position: Position, rng: &mut Rng) -> Ending {
        if self == Self::Stopper {
            let boodles = open.boodles(&position);
            return open.play_out(position, |turn| stopper(turn, boodles));
        }
        open.play_out(position, |turn| match self {
            Self::Random => random(turn, rng),
            _ => best(counts(turn.hand.bits()), turn.lanes),
        })
    }
}

#[inline]
fn random(turn: &Turn, rng: &mut Rng) -> Suit {
    let suits = turn.lanes.suits();
    let mut nth = seed::below(rng, suits.count_ones());
    let mut left = suits;
    while nth > 0 {
        left &= left - 1;
        nth -= 1;
    }
    Suit::from_index(left.trailing_zeros() as usize & 3)
}

#[inline]
fn stopper(turn: &Turn, boodles: CardSet) -> Suit {
    let (hand, live) = (turn.hand.bits(), turn.live.bits());
    let low = lowest(hand);
    // Adding the lowest card of a lane carries through the run to the bit above its last card.
    let last = ((live + low) & !live) >> 1;
    let keeps = any(last & hand);
    let held_boodles = counts(hand & boodles.bits());
    best(keeps << 9 | held_boodles << 5 | counts(hand), turn.lanes)
}

/// The lowest card of each lane.
const fn lowest(cards: u64) -> u64 {
    // The two's complement in 13 bits, lane by lane.
    cards & ((cards ^ CardSet::ALL.bits()) + ONES)
}

/// 1 in each lane that has a card, 0 in the others.
const fn any(cards: u64) -> u64 {
    (cards + CardSet::ALL.bits()) >> 13 & ONES
}

/// The number of cards in each lane.
const fn counts(cards: u64) -> u64 {
    let twos = cards - (cards >> 1 & 0x5555_5555_5555_5555);
    let fours = (twos & 0x3333_3333_3333_3333) + (twos >> 2 & 0x3333_3333_3333_3333);
    let eights = (fours + (fours >> 4)) & 0x0f0f_0f0f_0f0f_0f0f;
    (eights + (eights >> 8)) & 0x001f_001f_001f_001f
}

/// The first suit of the greatest merit, which is greater than 0, among some lanes.
#[inline]
fn best(merits: u64, lanes: CardSet) -> Suit {
    let merits = merits & lanes.bits();
    let merit = |suit: u64| (merits >> (16 * suit) & 0x1fff) << 2 | (3 - suit);
    let best = merit(0).max(merit(1)).max(merit(2).max(merit(3)));
    Suit::from_index(3 - (best & 3) as usize)
}

#[cfg(test)]
mod tests {
    use super::*;
    use newmarket_env::Card;

    #[test]
    fn lanes_are_judged_at_once() {
        let mut rng = seed::Seed::new(1).rng();
        for _ in 0..1000 {
            let cards: CardSet =
                (0..52).map(Card::from_index).filter(|_| seed::below(&mut rng, 4) == 0).collect();
            for suit in Suit::ALL {
                let lane = |word: u64| (word >> (16 * suit.index())) as u16;
                assert_eq!(u32::from(lane(counts(cards.bits()))), cards.lane(suit).count_ones());
                assert_eq!(lane(any(cards.bits())), u16::from(cards.lane(suit) != 0));
                let low = cards.lowest(suit).map_or(0, |card| 1 << card.rank().index());
                assert_eq!(lane(lowest(cards.bits())), low);
            }
            if !cards.is_empty() {
                let longest =
                    Suit::ALL.into_iter().rev().max_by_key(|&suit| cards.lane(suit).count_ones());
                assert_eq!(best(counts(cards.bits()), CardSet::ALL), longest.unwrap());
            }
        }
    }
}
