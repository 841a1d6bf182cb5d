//! Answers and leads in order, in few bytes, so that a view can replay them.

use crate::card::Suit;

/// The answers of an auction in order, as bits below a leading one; 0 if there are more than 63.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, serde::Serialize, serde::Deserialize)]
pub(crate) struct Bidding(u64);

impl Bidding {
    /// No answer yet.
    pub(crate) const NONE: Self = Self(1);

    /// Adds the next answer.
    pub(crate) fn push(&mut self, bid: bool) {
        let full = self.0 == 0 || self.0 >> 63 == 1;
        self.0 = if full { 0 } else { self.0 << 1 | u64::from(bid) };
    }

    /// Whether anybody has answered.
    pub(crate) fn has_begun(self) -> bool {
        self != Self::NONE
    }

    /// Whether each answer was a bid, in order.
    pub(crate) fn answers(self) -> impl Iterator<Item = bool> {
        (0..self.0.max(1).ilog2()).rev().map(move |nth| self.0 >> nth & 1 == 1)
    }
}

/// The suits that were led, in order: two bits each below a leading one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, serde::Serialize, serde::Deserialize)]
pub(crate) struct Leads([u64; 2]);

impl Leads {
    /// No lead yet.
    pub(crate) const NONE: Self = Self([1, 0]);

    /// Adds the next lead. There are at most as many as cards, 52.
    #[inline]
    pub(crate) fn push(&mut self, suit: Suit) {
        let [low, high] = &mut self.0;
        *high = *high << 2 | *low >> 62;
        *low = *low << 2 | suit.index() as u64;
    }

    /// Whether these bits are a list of leads: one that is read from elsewhere may be none.
    pub(crate) const fn is_list(self) -> bool {
        self.0[0] != 0 || self.0[1] != 0
    }

    /// The suits, in order.
    pub(crate) fn suits(self) -> impl Iterator<Item = Suit> {
        let all = u128::from(self.0[1]) << 64 | u128::from(self.0[0]);
        let suit = move |nth: u32| Suit::from_index((all >> (2 * nth)) as usize & 3);
        (0..all.ilog2() / 2).rev().map(suit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_many_leads_as_cards_are_kept_in_order() {
        let suits = |count: usize| (0..count).map(|nth| Suit::from_index(nth * nth % 7 % 4));
        for count in [0, 1, 31, 32, 33, 52] {
            let mut leads = Leads::NONE;
            suits(count).for_each(|suit| leads.push(suit));
            assert!(leads.suits().eq(suits(count)), "{count}");
        }
    }
}
