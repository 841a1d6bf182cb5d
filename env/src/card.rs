//! Suits, cards and their notation.

use alloc::string::String;

use core::fmt;

/// The four suits, in the order in which hands are sorted and ties of the cut are broken.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
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

    /// The suit of this index; only the two low bits count.
    pub const fn from_index(index: usize) -> Self {
        Self::ALL[index & 3]
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

/// Where aces stand in the order of ranks. It is a matter of notation alone: everything else in
/// the engine speaks of *positions* in the game's own order, 0 being the lowest.
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

    /// The rank letter at a position of the order, 0 … 12.
    pub fn letter(self, position: usize) -> char {
        self.order().as_bytes()[position] as char
    }
}

/// A card: a suit and a position (0 … 12) in the game's rank order. Printing one needs to know
/// where aces stand, see [`Card::notation`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Card(u8);

impl Card {
    /// All cards, in order of [`Card::index`].
    pub const ALL: [Self; 52] = {
        let mut cards = [Self(0); 52];
        let mut index = 0;
        while index < 52 {
            cards[index] = Self::new(Suit::from_index(index / 13), index % 13);
            index += 1;
        }
        cards
    };

    /// The card of a suit at a position (0 … 12) of the game's rank order.
    ///
    /// # Panics
    /// If the position is 13 or more.
    pub const fn new(suit: Suit, position: usize) -> Self {
        assert!(position < 13, "a suit has thirteen cards");
        Self((suit as u8) << 4 | position as u8)
    }

    /// The card of a bit of a [`CardSet`](crate::CardSet), `16 * suit + position`.
    pub(crate) const fn from_bit(bit: u32) -> Self {
        Self(bit as u8)
    }

    /// The bit of this card in a [`CardSet`](crate::CardSet): `16 * suit + position`.
    pub const fn bit(self) -> u32 {
        self.0 as u32
    }

    /// `13 * suit + position`, 0 … 51: the dense numbering that encodings and actions use.
    pub const fn index(self) -> usize {
        (self.0 >> 4) as usize * 13 + (self.0 & 15) as usize
    }

    /// The inverse of [`Card::index`]; `None` from 52 up.
    pub fn from_index(index: usize) -> Option<Self> {
        (index < 52).then(|| Self::new(Suit::from_index(index / 13), index % 13))
    }

    /// The suit.
    pub const fn suit(self) -> Suit {
        Suit::from_index((self.0 >> 4) as usize)
    }

    /// The position in the game's rank order, 0 … 12, 0 the lowest.
    pub const fn position(self) -> usize {
        (self.0 & 15) as usize
    }

    /// Rank then suit, as in `AS`, `TC`, `9D`.
    pub fn notation(self, aces: Aces) -> String {
        let mut text = String::with_capacity(2);
        text.push(aces.letter(self.position()));
        text.push(self.suit().letter());
        text
    }

    /// Reads `AS`, `TC`, `9D`.
    pub fn parse(text: &str, aces: Aces) -> Option<Self> {
        let mut letters = text.chars();
        let (rank, suit, None) = (letters.next()?, letters.next()?, letters.next()) else {
            return None;
        };
        Some(Self::new(Suit::from_letter(suit)?, aces.order().find(rank)?))
    }
}

impl fmt::Debug for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.position(), self.suit().letter())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notation_reads_back_in_both_orders() {
        for aces in [Aces::Low, Aces::High] {
            for index in 0..52 {
                let card = Card::from_index(index).unwrap();
                assert_eq!(card.index(), index);
                assert_eq!(Card::parse(&card.notation(aces), aces), Some(card));
            }
        }
        assert_eq!(Card::parse("AS", Aces::Low), Some(Card::new(Suit::Spades, 0)));
        assert_eq!(Card::parse("AS", Aces::High), Some(Card::new(Suit::Spades, 12)));
        for wrong in ["", "A", "10S", "1S", "AX", "as", "ASS", "♠A"] {
            assert_eq!(Card::parse(wrong, Aces::Low), None, "{wrong}");
        }
    }
}
