//! Suits, ranks, cards and their notation.

use alloc::string::String;

use core::fmt;

/// The four suits, in the order in which hands are sorted and ties of the cut are broken.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, serde::Serialize, serde::Deserialize,
)]
pub enum Suit {
    /// ♣
    Clubs,
    /// ♦
    Diamonds,
    /// ♥
    Hearts,
    /// ♠
    Spades,
}

impl Suit {
    /// All suits, in order.
    pub const ALL: [Self; 4] = [Self::Clubs, Self::Diamonds, Self::Hearts, Self::Spades];

    /// 0 … 3.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The suit of this index, if it is below 4.
    pub const fn try_from_index(index: usize) -> Option<Self> {
        if index < 4 { Some(Self::ALL[index]) } else { None }
    }

    /// The suit of this index.
    ///
    /// # Panics
    /// If the index is 4 or more.
    pub const fn from_index(index: usize) -> Self {
        Self::ALL[index]
    }

    /// `C`, `D`, `H` or `S`.
    pub const fn letter(self) -> char {
        ['C', 'D', 'H', 'S'][self as usize]
    }

    /// `♣`, `♦`, `♥` or `♠`.
    pub const fn symbol(self) -> char {
        ['♣', '♦', '♥', '♠'][self as usize]
    }

    /// `clubs`, `diamonds`, `hearts` or `spades`.
    pub const fn name(self) -> &'static str {
        ["clubs", "diamonds", "hearts", "spades"][self as usize]
    }

    /// Whether the suit is red. Two suits have the same colour if this is equal.
    pub const fn is_red(self) -> bool {
        matches!(self, Self::Diamonds | Self::Hearts)
    }

    /// The two suits of this suit's colour.
    pub(crate) const fn colour(self) -> [Self; 2] {
        if self.is_red() { [Self::Diamonds, Self::Hearts] } else { [Self::Clubs, Self::Spades] }
    }

    /// The two suits of the other colour.
    pub(crate) const fn other_colour(self) -> [Self; 2] {
        if self.is_red() { [Self::Clubs, Self::Spades] } else { [Self::Diamonds, Self::Hearts] }
    }

    /// The suit of this letter.
    pub fn from_letter(letter: char) -> Option<Self> {
        Self::ALL.into_iter().find(|s| s.letter() == letter)
    }
}

impl fmt::Display for Suit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Where aces stand in the order of ranks. Only notation depends on it: the engine uses *positions*
/// in the game's own order, 0 the lowest.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Aces {
    /// `A23456789TJQK`
    Low,
    /// `23456789TJQKA`
    High,
}

impl Aces {
    /// The thirteen ranks in ascending order.
    pub const fn order(self) -> &'static str {
        match self {
            Self::Low => "A23456789TJQK",
            Self::High => "23456789TJQKA",
        }
    }

    /// The letter of a rank.
    pub const fn letter(self, rank: Rank) -> char {
        self.order().as_bytes()[rank.index()] as char
    }

    /// A rank for people: `10`, `K`.
    pub fn sign(self, rank: Rank) -> &'static str {
        let at = rank.index();
        match &self.order()[at..=at] {
            "T" => "10",
            letter => letter,
        }
    }

    /// The rank of a letter.
    pub fn rank(self, letter: char) -> Option<Rank> {
        self.order().find(letter).map(Rank::from_index)
    }
}

/// A position in the game's own order of ranks, 0 (the lowest) to 12. Where aces stand says which
/// letter it has, see [`Aces::letter`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Rank(u8);

impl Rank {
    /// All ranks, from the lowest.
    pub const ALL: [Self; 13] = {
        let mut ranks = [Self(0); 13];
        let mut index = 0;
        while index < 13 {
            ranks[index] = Self(index as u8);
            index += 1;
        }
        ranks
    };

    /// 0 … 12.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The rank of this index, if it is below 13.
    pub const fn try_from_index(index: usize) -> Option<Self> {
        if index < 13 { Some(Self(index as u8)) } else { None }
    }

    /// The rank of this index.
    ///
    /// # Panics
    /// If the index is 13 or more.
    #[inline]
    pub const fn from_index(index: usize) -> Self {
        assert!(index < 13, "there are thirteen ranks");
        Self(index as u8)
    }
}

/// A card: a suit and a rank. Printing one needs to know where aces stand, see
/// [`Card::notation`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Card(u8);

impl Card {
    /// All cards, in order of [`Card::index`].
    pub const ALL: [Self; 52] = {
        let mut cards = [Self(0); 52];
        let mut index = 0;
        while index < 52 {
            cards[index] = Self::new(Suit::ALL[index / 13], Rank::ALL[index % 13]);
            index += 1;
        }
        cards
    };

    /// The card of a suit and a rank.
    #[inline]
    pub const fn new(suit: Suit, rank: Rank) -> Self {
        Self((suit as u8) << 4 | rank.0)
    }

    /// The card of a bit of a [`CardSet`](crate::CardSet), `16 * suit + rank`.
    pub(crate) const fn from_bit(bit: u32) -> Self {
        Self(bit as u8)
    }

    /// The bit of this card in a [`CardSet`](crate::CardSet): `16 * suit + rank`.
    pub const fn bit(self) -> u32 {
        self.0 as u32
    }

    /// `13 * suit + rank`, 0 … 51: the dense numbering that encodings and actions use.
    pub const fn index(self) -> usize {
        (self.0 >> 4) as usize * 13 + (self.0 & 15) as usize
    }

    /// The card of this [index](Card::index), if it is below 52.
    pub const fn try_from_index(index: usize) -> Option<Self> {
        if index < 52 { Some(Self::ALL[index]) } else { None }
    }

    /// The card of this [index](Card::index).
    ///
    /// # Panics
    /// If the index is 52 or more.
    pub const fn from_index(index: usize) -> Self {
        Self::ALL[index]
    }

    /// The suit.
    pub const fn suit(self) -> Suit {
        Suit::ALL[(self.0 >> 4 & 3) as usize]
    }

    /// The rank in the game's own order.
    #[inline]
    pub const fn rank(self) -> Rank {
        Rank(self.0 & 15)
    }

    /// The next higher card of the suit.
    pub const fn above(self) -> Option<Self> {
        if self.rank().0 < 12 { Some(Self(self.0 + 1)) } else { None }
    }

    /// The next lower card of the suit.
    pub const fn below(self) -> Option<Self> {
        if self.rank().0 > 0 { Some(Self(self.0 - 1)) } else { None }
    }

    /// Rank then suit, as in `AS`, `TC`, `9D`.
    pub fn notation(self, aces: Aces) -> String {
        let mut text = String::with_capacity(2);
        text.push(aces.letter(self.rank()));
        text.push(self.suit().letter());
        text
    }

    /// The card for people: `A♠`, `10♣`.
    pub fn sign(self, aces: Aces) -> String {
        let mut text = String::from(aces.sign(self.rank()));
        text.push(self.suit().symbol());
        text
    }

    /// Reads `AS`, `TC`, `9D`.
    pub fn parse(text: &str, aces: Aces) -> Option<Self> {
        let mut letters = text.chars();
        let (rank, suit, None) = (letters.next()?, letters.next()?, letters.next()) else {
            return None;
        };
        Some(Self::new(Suit::from_letter(suit)?, aces.rank(rank)?))
    }
}

impl fmt::Debug for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.rank().index(), self.suit().letter())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_index_reads_back_and_none_is_wrapped() {
        for (index, suit) in Suit::ALL.into_iter().enumerate() {
            assert_eq!((suit.index(), Suit::from_index(index)), (index, suit));
            assert_eq!(Suit::from_letter(suit.letter()), Some(suit));
        }
        for (index, rank) in Rank::ALL.into_iter().enumerate() {
            assert_eq!((rank.index(), Rank::from_index(index)), (index, rank));
        }
        for (index, card) in Card::ALL.into_iter().enumerate() {
            assert_eq!((card.index(), Card::from_index(index)), (index, card));
            assert_eq!(Card::new(card.suit(), card.rank()), card);
            assert!(card.above().is_none_or(|above| above.below() == Some(card)));
        }
        assert_eq!(Suit::try_from_index(4), None);
        assert_eq!(Rank::try_from_index(13), None);
        assert_eq!(Card::try_from_index(52), None);
    }

    #[test]
    #[should_panic(expected = "out of bounds")]
    fn a_suit_of_index_four_panics() {
        let _ = Suit::from_index(core::hint::black_box(4));
    }

    #[test]
    fn notation_reads_back_in_both_orders() {
        for aces in [Aces::Low, Aces::High] {
            for card in Card::ALL {
                assert_eq!(Card::parse(&card.notation(aces), aces), Some(card));
            }
            for rank in Rank::ALL {
                assert_eq!(aces.rank(aces.letter(rank)), Some(rank));
            }
        }
        assert_eq!(Card::parse("AS", Aces::Low), Some(Card::new(Suit::Spades, Rank::ALL[0])));
        assert_eq!(Card::parse("AS", Aces::High), Some(Card::new(Suit::Spades, Rank::ALL[12])));
        for wrong in ["", "A", "10S", "1S", "AX", "as", "ASS", "♠A"] {
            assert_eq!(Card::parse(wrong, Aces::Low), None, "{wrong}");
        }
    }
}
