//! A set of cards as four 16-bit lanes of a `u64`.

use alloc::string::String;
use alloc::vec::Vec;

use core::fmt;
use core::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, Not, Sub, SubAssign};

use crate::card::{Aces, Card, Rank, Suit};

/// The thirteen cards of a lane.
const LANE: u64 = 0x1fff;
const ALL: u64 = LANE | LANE << 16 | LANE << 32 | LANE << 48;

/// A set of cards. Lane `s` (bits `16 s … 16 s + 12`) holds suit `s`, its lowest rank first.
#[derive(
    Clone, Copy, PartialEq, Eq, Hash, Default, PartialOrd, Ord, serde::Serialize, serde::Deserialize,
)]
pub struct CardSet(u64);

impl CardSet {
    /// The empty set.
    pub const EMPTY: Self = Self(0);
    /// All 52 cards.
    pub const ALL: Self = Self(ALL);

    /// The set of these bits; the three bits above each lane's thirteen are dropped.
    pub const fn from_bits(bits: u64) -> Self {
        Self(bits & ALL)
    }

    /// The bits, lane by lane.
    pub const fn bits(self) -> u64 {
        self.0
    }

    /// The set of one card.
    pub const fn of(card: Card) -> Self {
        Self(1 << card.bit())
    }

    /// All thirteen cards of a suit.
    pub const fn suit(suit: Suit) -> Self {
        Self(LANE << (16 * suit as u32))
    }

    /// The cards of one suit at these positions (bit `p` of `lane` = position `p`).
    pub const fn lane_of(suit: Suit, lane: u16) -> Self {
        Self((lane as u64 & LANE) << (16 * suit as u32))
    }

    /// The positions held of a suit, bit `p` = position `p`.
    pub const fn lane(self, suit: Suit) -> u16 {
        (self.0 >> (16 * suit as u32)) as u16
    }

    /// All cards of the card's suit that are lower than it.
    pub const fn below(card: Card) -> Self {
        Self(((1 << card.bit()) - 1) & LANE << (card.bit() & 0x30))
    }

    /// The card, and all cards before it in order of suits, then ranks.
    pub const fn up_to(card: Card) -> Self {
        Self(ALL & (((1 << card.bit()) - 1) << 1 | 1))
    }

    /// Number of cards, 0 to 52.
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether it has no card.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether the card is in the set.
    pub const fn contains(self, card: Card) -> bool {
        self.0 >> card.bit() & 1 == 1
    }

    /// Whether every card of `other` is in the set.
    pub const fn is_superset(self, other: Self) -> bool {
        other.0 & !self.0 == 0
    }

    /// Adds a card, if it is not there.
    pub fn insert(&mut self, card: Card) {
        self.0 |= 1 << card.bit();
    }

    /// Removes a card, if it is there.
    pub fn remove(&mut self, card: Card) {
        self.0 &= !(1 << card.bit());
    }

    /// The lowest card of a suit.
    pub fn lowest(self, suit: Suit) -> Option<Card> {
        let lane = self.0 & LANE << (16 * suit as u32);
        (lane != 0).then(|| Card::from_bit(lane.trailing_zeros()))
    }

    /// The first card in order of suits, then ranks.
    pub fn first(self) -> Option<Card> {
        (self.0 != 0).then(|| Card::from_bit(self.0.trailing_zeros()))
    }

    /// The last card in order of suits, then ranks.
    pub fn last(self) -> Option<Card> {
        (self.0 != 0).then(|| Card::from_bit(self.0.ilog2()))
    }

    /// Bit `s` is set if there is a card of suit `s`.
    pub const fn suits(self) -> u32 {
        // Adding all-ones to a lane carries into its empty bit 13 exactly if the lane is not empty.
        let full = (self.0 + ALL) & 0x2000_2000_2000_2000;
        ((full >> 13 | full >> 28 | full >> 43 | full >> 58) & 15) as u32
    }

    /// The cards from the first suit to the last, each suit from the lowest rank to the highest.
    pub fn iter(self) -> Iter {
        Iter(self.0)
    }

    /// The cards in the notation of traces.
    pub fn notation(self, aces: Aces) -> Vec<String> {
        self.iter().map(|card| card.notation(aces)).collect()
    }
}

/// The cards of a [`CardSet`], in order.
#[derive(Clone, Debug)]
pub struct Iter(u64);

impl Iterator for Iter {
    type Item = Card;

    fn next(&mut self) -> Option<Card> {
        let card = CardSet(self.0).first()?;
        self.0 &= self.0 - 1;
        Some(card)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.0.count_ones() as usize;
        (left, Some(left))
    }
}

impl ExactSizeIterator for Iter {}

impl IntoIterator for CardSet {
    type Item = Card;
    type IntoIter = Iter;

    fn into_iter(self) -> Iter {
        self.iter()
    }
}

impl FromIterator<Card> for CardSet {
    fn from_iter<I: IntoIterator<Item = Card>>(cards: I) -> Self {
        cards.into_iter().fold(Self::EMPTY, |set, card| set | Self::of(card))
    }
}

impl BitOr for CardSet {
    type Output = Self;
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitOrAssign for CardSet {
    fn bitor_assign(&mut self, other: Self) {
        self.0 |= other.0;
    }
}

impl BitAnd for CardSet {
    type Output = Self;
    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl BitAndAssign for CardSet {
    fn bitand_assign(&mut self, other: Self) {
        self.0 &= other.0;
    }
}

impl Sub for CardSet {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }
}

impl SubAssign for CardSet {
    fn sub_assign(&mut self, other: Self) {
        self.0 &= !other.0;
    }
}

impl Not for CardSet {
    type Output = Self;
    fn not(self) -> Self {
        Self(!self.0 & ALL)
    }
}

/// Draws the 4 × 13 grid, one row a suit.
impl fmt::Debug for CardSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for suit in Suit::ALL {
            write!(f, "{}", suit.letter())?;
            for rank in Rank::ALL {
                let held = self.contains(Card::new(suit, rank));
                write!(f, "{}", if held { 'x' } else { '.' })?;
            }
            f.write_str(if suit == Suit::Spades { "" } else { " " })?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_behaves_like_a_set() {
        let mut set = CardSet::EMPTY;
        for index in [0, 12, 13, 30, 51] {
            set.insert(Card::from_index(index));
        }
        assert_eq!(set.len(), 5);
        assert_eq!(set.iter().map(Card::index).collect::<Vec<_>>(), [0, 12, 13, 30, 51]);
        assert_eq!(set.iter().collect::<CardSet>(), set);
        assert_eq!((!set).len(), 47);
        assert_eq!(set.suits(), 0b1111);
        assert_eq!((set - CardSet::suit(Suit::Hearts)).suits(), 0b1011);
        assert_eq!(CardSet::EMPTY.suits(), 0);
        assert_eq!(CardSet::ALL.suits(), 15);
        for suit in Suit::ALL {
            for rank in Rank::ALL {
                let card = Card::new(suit, rank);
                assert_eq!(CardSet::of(card).suits(), 1 << suit.index());
                let lower = Rank::ALL.into_iter().filter(|&lower| lower < rank);
                let below: CardSet = lower.map(|lower| Card::new(suit, lower)).collect();
                assert_eq!(CardSet::below(card), below);
            }
        }
        assert_eq!(set.lowest(Suit::Diamonds), Some(Card::from_index(13)));
        assert_eq!((set - set).lowest(Suit::Diamonds), None);
    }
}
