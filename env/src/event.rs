//! What happens in a deal, in the words of the trace (`docs/TRACE.md`, section 10).

use alloc::format;
use alloc::string::String;
use alloc::string::ToString;
use alloc::vec::Vec;

use core::fmt;

use serde::{Deserialize, Deserializer, Serialize};

use crate::by_seat::BySeat;
use crate::card::{Aces, Card, Suit};
use crate::text::Joined as _;

/// The written form of a card, rank then suit. Unlike a [`Card`] it prints without knowing where aces
/// stand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Name {
    rank: char,
    suit: Suit,
}

impl Name {
    /// The name of a card where aces stand like this.
    pub fn of(card: Card, aces: Aces) -> Self {
        Self { rank: aces.letter(card.rank()), suit: card.suit() }
    }

    /// The card of this name where aces stand like this.
    ///
    /// # Panics
    /// Never: a name is checked when it is read.
    pub fn card(self, aces: Aces) -> Card {
        let rank = aces.rank(self.rank).expect("a name has a rank of the order");
        Card::new(self.suit, rank)
    }

    /// The suit.
    pub fn suit(self) -> Suit {
        self.suit
    }
}

impl TryFrom<String> for Name {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        match Card::parse(&text, Aces::Low) {
            Some(card) => Ok(Self::of(card, Aces::Low)),
            None => Err(format!("\"{text}\" is no card: expected rank and suit, as AS, TC or 9D")),
        }
    }
}

impl From<Name> for String {
    fn from(name: Name) -> Self {
        name.to_string()
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.rank, self.suit.letter())
    }
}

impl fmt::Debug for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// Why a sequence stopped (`docs/RULES.md`, section 6.4): the first reason of this list that holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Why {
    /// The last card is the top card of the suit.
    Top,
    /// The next card was taken out of the pack.
    Removed,
    /// The next card is in the dead hand.
    Dead,
    /// The next card has been played.
    Played,
}

impl Why {
    /// Why nothing follows on a card, in words: `7♣ is dead`.
    pub fn in_words(self, card: Card, aces: Aces) -> String {
        let how = match self {
            Self::Top => return "top card".into(),
            Self::Removed => "is not in the pack",
            Self::Played => "was played",
            Self::Dead => "is dead",
        };
        [&*card.above().unwrap_or(card).sign(aces), how].joined(" ")
    }
}

/// The receiver of the price of an exchange (`docs/RULES.md`, section 5).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Payee {
    /// The kitty.
    Kitty,
    /// The cells, one chip each from the first and round again.
    Layout,
    /// The dealer who auctioned the dead hand.
    Seat(usize),
}

impl TryFrom<String> for Payee {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let seat = || match text.strip_prefix("seat:")?.as_bytes() {
            [digit @ b'0'..=b'7'] => Some(Self::Seat(usize::from(digit - b'0'))),
            _ => None,
        };
        match text.as_str() {
            "kitty" => Ok(Self::Kitty),
            "layout" => Ok(Self::Layout),
            _ => seat().ok_or_else(|| {
                format!("\"{text}\" cannot be paid: expected \"kitty\", \"layout\" or \"seat:3\"")
            }),
        }
    }
}

impl From<Payee> for String {
    fn from(payee: Payee) -> Self {
        match payee {
            Payee::Kitty => "kitty".into(),
            Payee::Layout => "layout".into(),
            Payee::Seat(seat) => format!("seat:{seat}"),
        }
    }
}

/// The names of poker hands (`docs/RULES.md`, section 8.1), the lowest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum HandName {
    /// No other name applies.
    HighCard,
    /// Two of a rank.
    OnePair,
    /// Two of a rank, and two of another.
    TwoPair,
    /// Three of a rank.
    ThreeOfAKind,
    /// Five ranks in a row.
    Straight,
    /// All of a suit.
    Flush,
    /// Three of a rank, and two of another.
    FullHouse,
    /// Four of a rank.
    FourOfAKind,
    /// Five ranks in a row, all of a suit.
    StraightFlush,
}

impl HandName {
    /// All names, from the lowest, and how traces write them.
    pub const ALL: [(Self, &str); 9] = [
        (Self::HighCard, "high card"),
        (Self::OnePair, "one pair"),
        (Self::TwoPair, "two pair"),
        (Self::ThreeOfAKind, "three of a kind"),
        (Self::Straight, "straight"),
        (Self::Flush, "flush"),
        (Self::FullHouse, "full house"),
        (Self::FourOfAKind, "four of a kind"),
        (Self::StraightFlush, "straight flush"),
    ];

    /// As traces write it: `two pair`.
    pub const fn word(self) -> &'static str {
        Self::ALL[self as usize].1
    }
}

impl TryFrom<String> for HandName {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let named = Self::ALL.into_iter().find(|(_, word)| text == *word);
        named.map(|(name, _)| name).ok_or_else(|| {
            let words = Self::ALL.map(|(_, word)| word);
            format!("no poker hand of this name: expected one of {}", words.joined(", "))
        })
    }
}

impl From<HandName> for String {
    fn from(name: HandName) -> Self {
        name.word().into()
    }
}

/// One event of a deal. Serialised, it is the object of a trace, key by key: cells are names, seats and
/// chips are numbers.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "e", rename_all = "snake_case", deny_unknown_fields)]
#[expect(
    missing_docs,
    reason = "the fields are the keys of `docs/TRACE.md`, section 10, where they are explained"
)]
pub enum Event {
    /// A bust seat is brought back to its starting chips, before anything else.
    Rebuy { seat: usize, chips: i32 },
    /// The whole ante of one seat.
    Ante { seat: usize, kitty: i32, layout: Vec<i32> },
    /// Chips above the cap move from one cell to another cell or the kitty.
    Spill { from: String, to: String, chips: i32 },
    /// The cards, by seat, and the dead hand.
    Deal { hands: Vec<Vec<Name>>, dead: Vec<Name> },
    /// The seat declines the dead hand.
    Keep { seat: usize },
    /// The seat takes the dead hand; `dead` is what it discards.
    Exchange {
        seat: usize,
        paid: i32,
        // Without this, a missing key would read as null.
        #[serde(deserialize_with = "Option::deserialize")]
        to: Option<Payee>,
        dead: Vec<Name>,
        /// The cards of the dead hand: only for the seat itself, never in a trace.
        #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
        hand: Option<Vec<Name>>,
    },
    /// The dealer puts the dead hand up for auction.
    Auction { seat: usize },
    /// The seat's bid in total.
    Bid { seat: usize, chips: i32 },
    /// The seat leaves the auction.
    Pass { seat: usize },
    /// The seat holds the cards of a cell and takes its share of the chips.
    Collect { seat: usize, cell: String, chips: i32 },
    /// The five cards with which the seat plays poker.
    SetApart { seat: usize, cards: Vec<Name> },
    /// The seat does not bet; nobody has bet yet.
    Check { seat: usize, chips: i32 },
    /// The first bet.
    Bet { seat: usize, chips: i32 },
    /// The seat matches the highest bet.
    Call { seat: usize, chips: i32 },
    /// The seat goes above the highest bet.
    Raise { seat: usize, chips: i32 },
    /// The seat leaves the poker.
    Fold { seat: usize, chips: i32 },
    /// The pot goes to the best hand among the seats that stayed. Without `hands`, nobody showed.
    Showdown {
        winners: Vec<usize>,
        #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
        hands: Option<BySeat<HandName>>,
        /// The five cards of each seat that showed: for players, never in a trace, which has them already.
        #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
        shown: Option<BySeat<Vec<Name>>>,
        paid: Vec<i32>,
    },
    /// The first card of a sequence.
    Lead { seat: usize, card: Name },
    /// A further card of a sequence.
    Play { seat: usize, card: Name },
    /// The last card played takes the chips of a cell.
    Claim { seat: usize, cell: String, chips: i32 },
    /// The sequence ends at this card.
    Stop { seat: usize, card: Name, why: Why },
    /// The seat holds no card that it may lead.
    PassLead { seat: usize },
    /// The seat has played its last card: the deal is over.
    Out { seat: usize },
    /// Nobody can lead: the deal is over.
    NoWinner {},
    /// The chips that the winner gets.
    Settle { winner: usize, kitty: i32, cards: Vec<i32>, paid: Vec<i32> },
    /// A pile that is given away at the end of a session.
    Leftover { from: String, seat: usize, chips: i32 },
}

/// A key that may be missing but not null.
pub(crate) fn given<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
    from: D,
) -> Result<Option<T>, D::Error> {
    T::deserialize(from).map(Some)
}

/// Reads a list of events; an error names the number of the event, from 1.
pub(crate) fn read_events<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<Event>, D::Error> {
    struct Events;

    impl<'de> serde::de::Visitor<'de> for Events {
        type Value = Vec<Event>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a list of events")
        }

        fn visit_seq<A: serde::de::SeqAccess<'de>>(
            self,
            mut seq: A,
        ) -> Result<Self::Value, A::Error> {
            let mut events = Vec::new();
            loop {
                match seq.next_element() {
                    Ok(Some(event)) => events.push(event),
                    Ok(None) => return Ok(events),
                    Err(error) => {
                        let which = events.len() + 1;
                        return Err(serde::de::Error::custom(format!("event {which}: {error}")));
                    }
                }
            }
        }
    }

    from.deserialize_seq(Events)
}
