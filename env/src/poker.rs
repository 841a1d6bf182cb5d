//! Poker hands: five cards, ranked as usual, aces high in all games.

use crate::card::{Aces, Suit};
use crate::card_set::CardSet;
use crate::event::HandName;

/// Most raises of all players together after the first bet, each of one chip.
pub(crate) const MOST_RAISES: u8 = 3;

/// The strength of a hand; equal hands share the pot. The class stands above five nibbles with the ranks
/// that decide, 0 for deuces to 12 for aces.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Strength(u32);

impl Strength {
    /// The strength of five cards.
    ///
    /// # Panics
    /// In debug builds, if there are not five cards.
    pub fn of(cards: CardSet, aces: Aces) -> Self {
        debug_assert_eq!(cards.len(), 5);
        let Ranks { lanes, once, twice, thrice, four, .. } = Ranks::of(cards, aces);
        let top = |ranks: u32| if ranks == 0 { 0 } else { ranks.ilog2() };
        let (class, ranks) = if four != 0 {
            (HandName::FourOfAKind, top(four) << 4 | top(once & !four))
        } else if thrice != 0 && twice & !thrice != 0 {
            (HandName::FullHouse, top(thrice) << 4 | top(twice & !thrice))
        } else if thrice != 0 {
            (HandName::ThreeOfAKind, top(thrice) << 8 | descending(once & !thrice))
        } else if twice.count_ones() == 2 {
            (HandName::TwoPair, descending(twice) << 4 | top(once & !twice))
        } else if twice != 0 {
            (HandName::OnePair, top(twice) << 12 | descending(once & !twice))
        } else {
            let flush = lanes.into_iter().any(|lane| lane.count_ones() == 5);
            let straight = match straight(once) {
                0 => None,
                WHEEL => Some(3),
                row => Some(top(row)),
            };
            match (flush, straight) {
                (true, Some(top)) => (HandName::StraightFlush, top),
                (false, Some(top)) => (HandName::Straight, top),
                (true, None) => (HandName::Flush, descending(once)),
                (false, None) => (HandName::HighCard, descending(once)),
            }
        };
        Self((class as u32) << 20 | ranks)
    }

    /// The class of the hand, as a pair or a flush.
    pub const fn class(self) -> HandName {
        HandName::ALL[(self.0 >> 20) as usize].0
    }

    /// The rank that decides first within the class, 0 for deuces to 12 for aces: that of the four, the
    /// three, the higher pair or the top card.
    pub const fn leading_rank(self) -> u32 {
        let nibble = match self.class() {
            HandName::HighCard | HandName::Flush => 4,
            HandName::OnePair => 3,
            HandName::TwoPair | HandName::ThreeOfAKind => 2,
            HandName::FullHouse | HandName::FourOfAKind => 1,
            HandName::Straight | HandName::StraightFlush => 0,
        };
        self.0 >> (4 * nibble) & 15
    }

    /// A number that is greater for a better hand, below 9 · 2²⁰.
    pub const fn number(self) -> u32 {
        self.0
    }

    /// The best five cards of a hand, and their strength; of equal fives, the one in the lowest suits.
    ///
    /// # Panics
    /// If the hand has fewer than five cards.
    pub fn best_five(hand: CardSet, aces: Aces) -> (CardSet, Self) {
        assert!(hand.len() >= 5, "five cards make a poker hand");
        let held = Ranks::of(hand, aces);
        let Ranks { once, twice, thrice, four, .. } = held;
        let full = highest(twice & !highest(thrice, 1), 1);
        let suited = |ranks: fn(u32) -> u32| {
            let of = |suit: Suit| held.take_of(suit, ranks(held.lanes[suit.index()]));
            let fives = Suit::ALL.into_iter().rev().map(of).filter(|five| !five.is_empty());
            fives.max_by_key(|&five| Self::of(five, aces))
        };
        let with_kickers = |ranks: u32, each: u32, kickers: u32| {
            held.take(ranks, each) | held.take(highest(once & !ranks, kickers), 1)
        };
        let five = if let Some(five) = suited(straight) {
            five
        } else if four != 0 {
            with_kickers(highest(four, 1), 4, 1)
        } else if thrice != 0 && full != 0 {
            held.take(highest(thrice, 1), 3) | held.take(full, 2)
        } else if let Some(five) = suited(flush) {
            five
        } else if straight(once) != 0 {
            held.take(straight(once), 1)
        } else if thrice != 0 {
            with_kickers(highest(thrice, 1), 3, 2)
        } else if twice.count_ones() >= 2 {
            with_kickers(highest(twice, 2), 2, 1)
        } else if twice != 0 {
            with_kickers(twice, 2, 3)
        } else {
            held.take(highest(once, 5), 1)
        };
        (five, Self::of(five, aces))
    }
}

/// The ranks of some cards, bit 0 for deuces to bit 12 for aces.
struct Ranks {
    /// The ranks of each suit, bit 0 for deuces.
    lanes: [u32; 4],
    /// The ranks that occur at least once, twice, three and four times.
    once: u32,
    twice: u32,
    thrice: u32,
    four: u32,
    aces: Aces,
}

impl Ranks {
    fn of(cards: CardSet, aces: Aces) -> Self {
        let lanes = Suit::ALL.map(|suit| {
            let lane = u32::from(cards.lane(suit));
            match aces {
                Aces::High => lane,
                Aces::Low => lane >> 1 | (lane & 1) << 12,
            }
        });
        let [a, b, c, d] = lanes;
        let (ab, cd, either) = (a & b, c & d, (a | b) & (c | d));
        Self {
            lanes,
            once: a | b | c | d,
            twice: ab | cd | either,
            thrice: ab & (c | d) | cd & (a | b),
            four: ab & cd,
            aces,
        }
    }

    /// The cards of a suit that have these ranks.
    fn take_of(&self, suit: Suit, ranks: u32) -> CardSet {
        let ranks = self.lanes[suit.index()] & ranks;
        let lane = match self.aces {
            Aces::High => ranks,
            Aces::Low => ranks << 1 & 0x1fff | ranks >> 12,
        };
        CardSet::lane_of(suit, lane as u16)
    }

    /// A number of cards of each of these ranks, in the lowest suits.
    fn take(&self, ranks: u32, each: u32) -> CardSet {
        let mut taken = CardSet::EMPTY;
        // The ranks of which 1, 2, … cards have been taken.
        let mut counts = [0; 4];
        for suit in Suit::ALL {
            let mut here = ranks & self.lanes[suit.index()] & !counts[each as usize - 1];
            taken |= self.take_of(suit, here);
            for count in &mut counts {
                (here, *count) = (here & *count, *count | here);
            }
        }
        taken
    }
}

/// The highest `n` ranks, or all if there are fewer.
fn highest(ranks: u32, count: u32) -> u32 {
    let mut left = ranks;
    for _ in 0..count.min(ranks.count_ones()) {
        left ^= 1 << left.ilog2();
    }
    ranks ^ left
}

/// The highest five ranks in a row; 0 for none. The wheel is A 2 3 4 5.
fn straight(ranks: u32) -> u32 {
    // The `and` of all shifts has the lowest bit of each five in a row.
    match ranks & ranks >> 1 & ranks >> 2 & ranks >> 3 & ranks >> 4 {
        0 if ranks & WHEEL == WHEEL => WHEEL,
        0 => 0,
        row => 0x1f << row.ilog2(),
    }
}

/// The highest five ranks of a suit; 0 for fewer.
fn flush(ranks: u32) -> u32 {
    if ranks.count_ones() < 5 { 0 } else { highest(ranks, 5) }
}

/// A 2 3 4 5.
const WHEEL: u32 = 0x100f;

/// Ranks as nibbles, the highest first.
fn descending(mut ranks: u32) -> u32 {
    let mut nibbles = 0;
    while ranks != 0 {
        let top = ranks.ilog2();
        nibbles = nibbles << 4 | top;
        ranks ^= 1 << top;
    }
    nibbles
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::card::Card;

    fn hand(text: &str, aces: Aces) -> CardSet {
        text.split(' ').map(|card| Card::parse(card, aces).unwrap()).collect()
    }

    #[test]
    fn all_hands_fall_into_the_known_classes() {
        let mut counts = [0_u32; 9];
        for e in 4..52 {
            for d in 3..e {
                for c in 2..d {
                    for b in 1..c {
                        for a in 0..b {
                            let cards = [a, b, c, d, e];
                            let five = cards.into_iter().map(Card::from_index).collect::<CardSet>();
                            counts[Strength::of(five, Aces::High).class() as usize] += 1;
                        }
                    }
                }
            }
        }
        let known = [1_302_540, 1_098_240, 123_552, 54_912, 10_200, 5_108, 3_744, 624, 40];
        assert_eq!(counts, known);
    }

    #[test]
    fn hands_rank_as_usual() {
        // From the lowest; hands of one row are equal.
        let rows: [&[&str]; 16] = [
            &["2C 3C 4C 5C 7D", "2D 3D 4D 5D 7C"],
            &["2C 3C 4C 6C 7D"],
            &["AC QD 9H 8S 7C"],
            &["2C 2D 3C 4D 5S", "2H 2S 3C 4D 5S"],
            &["2C 2D 3C 4D 6S"],
            &["AC AD KC QD JS"],
            &["3C 3D 2C 2D AS"],
            &["KC KD 2C 2D AS", "KH KS 2C 2D AC"],
            &["2C 2D 2H 3C 4D"],
            &["AC 2D 3H 4S 5C", "AD 2C 3H 4S 5D"],
            &["2C 3D 4H 5S 6C"],
            &["TC JD QH KS AC"],
            &["2C 4C 6C 8C 9C"],
            &["2C 2D 2H AC AD"],
            &["2C 2D 2H 2S 3D"],
            &["AC 2C 3C 4C 5C"],
        ];
        for aces in [Aces::High, Aces::Low] {
            let strengths: Vec<Vec<Strength>> = rows
                .iter()
                .map(|row| row.iter().map(|text| Strength::of(hand(text, aces), aces)).collect())
                .collect();
            for pair in strengths.windows(2) {
                assert!(pair[0][0] < pair[1][0], "{pair:?}");
            }
            assert!(strengths.iter().all(|row| row.iter().all(|s| *s == row[0])));
        }
    }

    /// The best of all fives, the first among equals in order of suits.
    fn slow_best_five(hand: CardSet, aces: Aces) -> (CardSet, Strength) {
        let cards: Vec<Card> = hand.iter().collect();
        let mut best = (CardSet::EMPTY, Strength(0));
        for choice in 0_u32..1 << cards.len() {
            if choice.count_ones() == 5 {
                let chosen = (0..cards.len()).filter(|nth| choice >> nth & 1 == 1);
                let five: CardSet = chosen.map(|nth| cards[nth]).collect();
                let strength = Strength::of(five, aces);
                if strength > best.1 || best.0.is_empty() {
                    best = (five, strength);
                }
            }
        }
        best
    }

    #[test]
    fn the_best_five_are_found() {
        let mut rng = crate::seed::Seed::new(8).rng();
        let mut classes = [0; 9];
        for round in 0..3_000 {
            // Few ranks or few suits, so that every class comes up.
            let (suits, ranks) = [(4, 13), (4, 5), (2, 13), (1, 13), (3, 7)][round % 5];
            let mut cards: Vec<Card> = (0..52)
                .map(Card::from_index)
                .filter(|card| card.suit().index() < suits && card.rank().index() < ranks)
                .collect();
            crate::seed::shuffle(&mut cards, &mut rng);
            let size = 5 + round % 8;
            let hand: CardSet = cards.into_iter().take(size).collect();
            for aces in [Aces::High, Aces::Low] {
                let found = Strength::best_five(hand, aces);
                assert_eq!(found, slow_best_five(hand, aces), "{hand:?}");
                classes[found.1.class() as usize] += 1;
            }
        }
        assert!(classes.iter().all(|&count| count > 20), "{classes:?}");
    }
}
