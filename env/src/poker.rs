//! Poker hands: five cards, ranked as usual, aces high whatever the rest of the game says.

use crate::card::{Aces, Suit};
use crate::card_set::CardSet;

/// The classes of poker hands, from the lowest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[expect(missing_docs, reason = "the names say it all")]
pub enum Class {
    HighCard,
    OnePair,
    TwoPair,
    ThreeOfAKind,
    Straight,
    Flush,
    FullHouse,
    FourOfAKind,
    StraightFlush,
}

impl Class {
    /// All classes, from the lowest.
    pub const ALL: [Self; 9] = [
        Self::HighCard,
        Self::OnePair,
        Self::TwoPair,
        Self::ThreeOfAKind,
        Self::Straight,
        Self::Flush,
        Self::FullHouse,
        Self::FourOfAKind,
        Self::StraightFlush,
    ];

    /// The class in words, as traces write it: `two pair`.
    pub const fn name(self) -> &'static str {
        [
            "high card",
            "one pair",
            "two pair",
            "three of a kind",
            "straight",
            "flush",
            "full house",
            "four of a kind",
            "straight flush",
        ][self as usize]
    }
}

/// How good a hand is; equal hands share the pot. The class stands above five nibbles with the
/// ranks that decide, 0 for deuces to 12 for aces.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Strength(u32);

impl Strength {
    /// The strength of five cards.
    ///
    /// # Panics
    /// In debug builds, if there are not five.
    pub fn of(cards: CardSet, aces: Aces) -> Self {
        debug_assert_eq!(cards.len(), 5);
        let lanes = Suit::ALL.map(|suit| {
            let lane = u32::from(cards.lane(suit));
            match aces {
                Aces::High => lane,
                Aces::Low => lane >> 1 | (lane & 1) << 12,
            }
        });
        let [a, b, c, d] = lanes;
        // Ranks that are there at least once, twice, three and four times.
        let (ab, cd, either) = (a & b, c & d, (a | b) & (c | d));
        let once = a | b | c | d;
        let twice = ab | cd | either;
        let thrice = ab & (c | d) | cd & (a | b);
        let four = ab & cd;
        let top = |ranks: u32| if ranks == 0 { 0 } else { ranks.ilog2() };
        let (class, ranks) = if four != 0 {
            (Class::FourOfAKind, top(four) << 4 | top(once & !four))
        } else if thrice != 0 && twice & !thrice != 0 {
            (Class::FullHouse, top(thrice) << 4 | top(twice & !thrice))
        } else if thrice != 0 {
            (Class::ThreeOfAKind, top(thrice) << 8 | descending(once & !thrice))
        } else if twice.count_ones() == 2 {
            (Class::TwoPair, descending(twice) << 4 | top(once & !twice))
        } else if twice != 0 {
            (Class::OnePair, top(twice) << 12 | descending(once & !twice))
        } else {
            let flush = lanes.into_iter().any(|lane| lane.count_ones() == 5);
            // Five in a row leave one bit, the lowest, of the and of all shifts; the wheel is
            // A 2 3 4 5, whose top card is the five.
            let row = once & once >> 1 & once >> 2 & once >> 3 & once >> 4;
            let straight = if once == 0x100f { Some(3) } else { (row != 0).then(|| top(row) + 4) };
            match (flush, straight) {
                (true, Some(top)) => (Class::StraightFlush, top),
                (false, Some(top)) => (Class::Straight, top),
                (true, None) => (Class::Flush, descending(once)),
                (false, None) => (Class::HighCard, descending(once)),
            }
        };
        Self((class as u32) << 20 | ranks)
    }

    /// Its class.
    pub const fn class(self) -> Class {
        Class::ALL[(self.0 >> 20) as usize]
    }

    /// The rank that decides first within the class, 0 for deuces to 12 for aces: of the four, the
    /// three, the higher pair, the top card.
    pub const fn leading_rank(self) -> u32 {
        let nibble = match self.class() {
            Class::HighCard | Class::Flush => 4,
            Class::OnePair => 3,
            Class::TwoPair | Class::ThreeOfAKind => 2,
            Class::FullHouse | Class::FourOfAKind => 1,
            Class::Straight | Class::StraightFlush => 0,
        };
        self.0 >> (4 * nibble) & 15
    }

    /// A number that is greater for a better hand, below 9 · 2²⁰.
    pub const fn number(self) -> u32 {
        self.0
    }

    /// The best five cards of a hand, and what they are worth; of equals the first.
    ///
    /// # Panics
    /// If the hand has fewer than five cards.
    pub fn best_five(hand: CardSet, aces: Aces) -> (CardSet, Self) {
        let cards: Vec<u64> = hand.iter().map(|card| CardSet::of(card).bits()).collect();
        assert!(cards.len() >= 5, "five cards make a poker hand");
        let mut best = (CardSet::EMPTY, Self(0));
        for (e, &first) in cards.iter().enumerate().skip(4) {
            for (d, &second) in cards[..e].iter().enumerate().skip(3) {
                for (c, &third) in cards[..d].iter().enumerate().skip(2) {
                    for (b, &fourth) in cards[..c].iter().enumerate().skip(1) {
                        for &fifth in &cards[..b] {
                            let five = CardSet::from_bits(first | second | third | fourth | fifth);
                            let strength = Self::of(five, aces);
                            if strength > best.1 || best.0.is_empty() {
                                best = (five, strength);
                            }
                        }
                    }
                }
            }
        }
        best
    }
}

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
                            let five =
                                cards.into_iter().filter_map(Card::from_index).collect::<CardSet>();
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

    #[test]
    fn the_best_five_are_found() {
        let all = hand("2C 2D 2H 5S 6S 7S 8S 9S KC AD KD", Aces::High);
        let (five, strength) = Strength::best_five(all, Aces::High);
        assert_eq!(five, hand("5S 6S 7S 8S 9S", Aces::High));
        assert_eq!(strength.class(), Class::StraightFlush);
    }
}
