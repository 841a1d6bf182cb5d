//! The one action space of all games, and masks over it.

use alloc::string::String;
use alloc::string::ToString;
use alloc::vec::Vec;

use core::fmt;

use crate::card::{Card, Suit};
use crate::card_set::CardSet;
use crate::rules::MAX_CELLS;
use crate::text::Joined as _;

/// A decision. The ids are stable: they mean the same in all games, at all table sizes, in all
/// versions.
///
/// | id | action |
/// | --- | --- |
/// | 0 – 3 | lead the lowest card of a suit: clubs, diamonds, hearts, spades |
/// | 4 – 11 | put one chip on cell 0 … 7 |
/// | 12 – 14 | keep the own hand, exchange it for the dead hand, auction the dead hand |
/// | 15, 16 | bid one chip more, pass |
/// | 17 – 21 | check, bet, call, raise, fold |
/// | 22 – 73 | set a card apart, `22 + card index` |
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Action(u8);

const CHIP: u8 = 4;
const PICK: u8 = 22;
const WORDS: [&str; 10] =
    ["keep", "exchange", "auction", "bid", "pass", "check", "bet", "call", "raise", "fold"];

/// `NTH_BIT[mask][n]` is the place of the `n`-th bit that is set in `mask`.
const NTH_BIT: [[u8; 8]; 256] = {
    let mut table = [[0; 8]; 256];
    let mut mask = 0;
    while mask < 256 {
        let (mut n, mut place) = (0, 0);
        while place < 8 {
            if mask >> place & 1 == 1 {
                table[mask][n] = place;
                n += 1;
            }
            place += 1;
        }
        mask += 1;
    }
    table
};

impl Action {
    /// Size of the action space.
    pub const COUNT: usize = 74;
    /// All actions, in order of ids.
    pub const ALL: [Self; Self::COUNT] = {
        let mut actions = [Self(0); Self::COUNT];
        let mut id = 0;
        while id < Self::COUNT {
            actions[id] = Self(id as u8);
            id += 1;
        }
        actions
    };
    /// Keep the own hand; decline the dead hand.
    pub const KEEP: Self = Self(12);
    /// Take the dead hand and discard the own hand.
    pub const EXCHANGE: Self = Self(13);
    /// Put the dead hand up for auction.
    pub const AUCTION: Self = Self(14);
    /// Bid one chip more than the highest bid.
    pub const BID: Self = Self(15);
    /// Leave the auction for good.
    pub const PASS: Self = Self(16);
    /// Stay in without a bet.
    pub const CHECK: Self = Self(17);
    /// Put in the first chip.
    pub const BET: Self = Self(18);
    /// Match the highest bet.
    pub const CALL: Self = Self(19);
    /// Match the highest bet and put in one chip more.
    pub const RAISE: Self = Self(20);
    /// Give the pot up.
    pub const FOLD: Self = Self(21);

    /// Lead the lowest card held of a suit.
    pub const fn lead(suit: Suit) -> Self {
        Self(suit as u8)
    }

    /// Put one chip on a cell.
    ///
    /// # Panics
    /// If `cell` is not below [`MAX_CELLS`].
    pub const fn chip(cell: usize) -> Self {
        assert!(cell < MAX_CELLS);
        Self(CHIP + cell as u8)
    }

    /// Set a card apart for poker.
    pub const fn pick(card: Card) -> Self {
        Self(PICK + card.index() as u8)
    }

    /// The action of this id, if it is below [`Action::COUNT`].
    pub const fn try_from_index(id: usize) -> Option<Self> {
        if id < Self::COUNT { Some(Self(id as u8)) } else { None }
    }

    /// Reads ids from outside into `out`, and overwrites it.
    ///
    /// # Errors
    /// The first number that is no id; `out` is then as it was.
    pub fn read_all(ids: &[i64], out: &mut Vec<Self>) -> Result<(), i64> {
        const MOST: i64 = Action::COUNT as i64 - 1;
        // All at once, without a branch for each id: wrong ids are rare.
        let wrong = ids.iter().fold(0, |wrong, &id| wrong | id | MOST.wrapping_sub(id)) < 0;
        if wrong && let Some(&wrong) = ids.iter().find(|id| !(0..=MOST).contains(*id)) {
            return Err(wrong);
        }
        out.clear();
        out.extend(ids.iter().map(|&id| Self(id as u8)));
        Ok(())
    }

    /// The action of this id.
    ///
    /// # Panics
    /// If the id is [`Action::COUNT`] or more.
    pub const fn from_index(id: usize) -> Self {
        Self::ALL[id]
    }

    /// The stable id, below [`Action::COUNT`]: the index into a row of logits.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Reads what [`Display`](fmt::Display) writes, as in `lead clubs` or `keep`.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|action| action.to_string() == text)
    }

    /// The suit, if this is a lead.
    pub const fn suit(self) -> Option<Suit> {
        Suit::try_from_index(self.0 as usize)
    }

    /// The card, if this sets one apart.
    pub fn card(self) -> Option<Card> {
        Card::try_from_index(self.0.checked_sub(PICK)? as usize)
    }

    /// The same action where suit `s` has become `suits[s]`.
    #[must_use]
    pub fn permute_suits(self, suits: [usize; 4]) -> Self {
        match (self.suit(), self.card()) {
            (Some(suit), _) => Self::lead(Suit::from_index(suits[suit.index()])),
            (_, Some(card)) => {
                let suit = Suit::from_index(suits[card.suit().index()]);
                Self::pick(Card::new(suit, card.rank()))
            }
            _ => self,
        }
    }

    /// The cell, if this places a chip.
    #[inline]
    pub const fn cell(self) -> Option<usize> {
        if self.0 >= CHIP && self.0 < Self::KEEP.0 { Some((self.0 - CHIP) as usize) } else { None }
    }
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.suit(), self.cell(), self.card()) {
            (Some(suit), ..) => write!(f, "lead {suit}"),
            (_, Some(cell), _) => write!(f, "chip on cell {cell}"),
            (.., Some(card)) => {
                write!(f, "set {}{} apart", card.rank().index(), card.suit().letter())
            }
            _ => f.write_str(WORDS[(self.0 - Self::KEEP.0) as usize]),
        }
    }
}

impl fmt::Debug for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{self}", self.0)
    }
}

/// A set of actions: bit `i` stands for the action of id `i`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct ActionMask(u128);

impl ActionMask {
    /// No action.
    pub const NONE: Self = Self(0);

    /// The set of one action.
    pub const fn only(action: Action) -> Self {
        Self(1 << action.0)
    }

    /// Leads of the suits whose bits are set (bit 0 clubs … bit 3 spades).
    #[inline]
    pub const fn leads(suits: u32) -> Self {
        Self((suits & 15) as u128)
    }

    /// Chips on the cells whose bits are set.
    #[inline]
    pub const fn chips(cells: u32) -> Self {
        Self(((cells & 0xff) as u128) << CHIP)
    }

    /// Whether these are chips on cells: a mask with one such action has no other kind.
    #[inline]
    pub(crate) const fn are_chips(self) -> bool {
        self.0 as u64 & 0xff << CHIP != 0
    }

    /// Setting one of these cards apart.
    pub fn picks(cards: CardSet) -> Self {
        cards.iter().map(Action::pick).collect()
    }

    /// This set and one more action.
    #[must_use]
    pub const fn with(self, action: Action) -> Self {
        Self(self.0 | 1 << action.0)
    }

    /// The actions whose bits are set.
    pub(crate) const fn from_bits(bits: u128) -> Self {
        Self(bits)
    }

    /// The mask, bit `i` for id `i`.
    pub const fn bits(self) -> u128 {
        self.0
    }

    /// How many actions.
    #[inline]
    pub const fn len(self) -> usize {
        match self.few() {
            Some((_, few)) => few.count_ones() as usize,
            None => self.len_of_many(),
        }
    }

    /// The first id and a byte of the eight ids from it on, if the set has no others. Only sets of
    /// poker's cards spread wider, and a byte is quick to look up and to count.
    #[inline]
    const fn few(self) -> Option<(u8, u8)> {
        let (low, high) = (self.0 as u64, (self.0 >> 64) as u64);
        let first = low.trailing_zeros();
        if high == 0 && low != 0 && low >> first < 256 {
            Some((first as u8, (low >> first) as u8))
        } else {
            None
        }
    }

    /// Whether there is none.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether there is exactly one.
    #[expect(clippy::manual_is_power_of_two, reason = "that counts bits, which takes longer")]
    #[inline]
    pub const fn is_forced(self) -> bool {
        let (low, high) = (self.0 as u64, (self.0 >> 64) as u64);
        if high == 0 { low != 0 && low & (low - 1) == 0 } else { self.is_forced_among_many() }
    }

    #[expect(clippy::manual_is_power_of_two, reason = "that counts bits, which takes longer")]
    #[cold]
    const fn is_forced_among_many(self) -> bool {
        self.0 & (self.0 - 1) == 0
    }

    /// Whether the action is in the set.
    #[inline]
    pub const fn contains(self, action: Action) -> bool {
        // Half by half: a shift of all 128 bits takes several.
        let half = if action.0 < 64 { self.0 as u64 } else { (self.0 >> 64) as u64 };
        half >> (action.0 & 63) & 1 == 1
    }

    /// The action of the lowest id.
    #[inline]
    pub const fn first(self) -> Option<Action> {
        if self.0 == 0 { None } else { Some(Action(self.0.trailing_zeros() as u8)) }
    }

    /// One of the actions: `below` gets their number and draws a place among them.
    #[inline]
    pub(crate) fn pick(self, below: impl FnOnce(u32) -> u32) -> Option<Action> {
        match self.few() {
            Some((first, few)) => {
                let nth = below(few.count_ones()) as usize;
                Some(Action(first + NTH_BIT[few as usize][nth & 7]))
            }
            None if self.is_empty() => None,
            None => self.nth_of_many(below(self.0.count_ones()) as usize),
        }
    }

    /// The `n`-th action in order of ids, from 0.
    #[inline]
    pub const fn nth(self, n: usize) -> Option<Action> {
        match self.few() {
            Some((first, few)) if n < few.count_ones() as usize => {
                Some(Action(first + NTH_BIT[few as usize][n]))
            }
            Some(_) => None,
            None => self.nth_of_many(n),
        }
    }

    #[cold]
    const fn len_of_many(self) -> usize {
        self.0.count_ones() as usize
    }

    #[cold]
    const fn nth_of_many(self, n: usize) -> Option<Action> {
        let mut bits = self.0;
        let mut skipped = 0;
        while skipped < n && bits != 0 {
            bits &= bits - 1;
            skipped += 1;
        }
        Self(bits).first()
    }

    /// The actions in order of ids.
    pub fn iter(self) -> impl Iterator<Item = Action> {
        let mut bits = self.0;
        core::iter::from_fn(move || {
            let action = Self(bits).first()?;
            bits &= bits - 1;
            Some(action)
        })
    }
}

impl FromIterator<Action> for ActionMask {
    fn from_iter<I: IntoIterator<Item = Action>>(actions: I) -> Self {
        actions.into_iter().fold(Self::NONE, Self::with)
    }
}

impl fmt::Display for ActionMask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<String> = self.iter().map(|action| action.to_string()).collect();
        f.write_str(&names.joined(", "))
    }
}

impl fmt::Debug for ActionMask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{{{self}}}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_stable() {
        let names = |ids: &[usize]| {
            ids.iter().map(|&id| Action::from_index(id).to_string()).collect::<Vec<_>>()
        };
        assert_eq!(
            names(&[0, 3, 4, 11, 12, 13, 14, 15, 16, 17, 21, 22, 73]).join("; "),
            "lead clubs; lead spades; chip on cell 0; chip on cell 7; keep; exchange; auction; \
             bid; pass; check; fold; set 0C apart; set 12S apart"
        );
        assert_eq!(Action::try_from_index(74), None);
        for (id, action) in Action::ALL.into_iter().enumerate() {
            assert_eq!((action.index(), Action::from_index(id)), (id, action));
            assert_eq!(Action::parse(&action.to_string()), Some(action));
        }
        assert_eq!(Action::parse("lead"), None);
        assert_eq!(Action::chip(7).cell(), Some(7));
        assert_eq!(Action::KEEP.cell(), None);
        assert_eq!(Action::lead(Suit::Hearts).suit(), Some(Suit::Hearts));
    }

    #[test]
    fn a_mask_is_a_set() {
        let legal = ActionMask::leads(0b101).with(Action::PASS);
        assert_eq!(legal.len(), 3);
        assert_eq!(legal.nth(1), Some(Action::lead(Suit::Hearts)));
        assert_eq!(legal.nth(3), None);
        assert_eq!(legal.iter().collect::<ActionMask>(), legal);
        assert!(!legal.contains(Action::BID) && legal.contains(Action::PASS));
        assert!(ActionMask::only(Action::BID).is_forced() && !ActionMask::NONE.is_forced());
    }
}
