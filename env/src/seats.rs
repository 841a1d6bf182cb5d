//! Sets of seats.

use core::fmt;

use crate::rules::MAX_PLAYERS;

/// Some of the seats, as a bit mask.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, serde::Serialize, serde::Deserialize)]
pub struct Seats(u8);

impl Seats {
    /// The empty set.
    pub const NONE: Self = Self(0);
    /// Every seat that a table can have.
    pub const ALL: Self = Self::first(MAX_PLAYERS);

    /// The first `n` seats.
    pub const fn first(n: usize) -> Self {
        Self(((1_u16 << n) - 1) as u8)
    }

    /// The seats among the first `SEATS` for which `holds` is true, found without a branch.
    pub(crate) fn those<const SEATS: usize>(holds: impl Fn(usize) -> bool) -> Self {
        Self((0..SEATS).fold(0, |seats, seat| seats | u8::from(holds(seat)) << seat))
    }

    /// The lowest seat of the set.
    pub(crate) const fn lowest(self) -> Option<usize> {
        if self.0 == 0 { None } else { Some(self.0.trailing_zeros() as usize) }
    }

    /// The seats of a mask, bit `s` for seat `s`.
    pub(crate) const fn from_bits(bits: u8) -> Self {
        Self(bits)
    }

    /// The mask, bit `s` for seat `s`.
    pub const fn bits(self) -> u8 {
        self.0
    }

    /// Number of seats.
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether it has no seat.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether the set has this seat; false for a number that is no seat.
    pub const fn contains(self, seat: usize) -> bool {
        seat < MAX_PLAYERS && self.0 >> seat & 1 == 1
    }

    /// Adds a seat.
    pub fn insert(&mut self, seat: usize) {
        self.0 |= 1 << seat;
    }

    /// Removes a seat.
    pub fn remove(&mut self, seat: usize) {
        self.0 &= !(1 << seat);
    }

    /// The next of these seats to the left of `seat`, going round. `seat` need not be one of them; if it
    /// is the only one, it is the result.
    ///
    /// # Panics
    /// In debug builds, if there is no seat.
    pub const fn left_of(self, seat: usize) -> usize {
        debug_assert!(self.0 != 0, "nobody is in");
        let after = self.0 as u16 & !((2_u16 << seat) - 1);
        let pick = if after == 0 { self.0 as u16 } else { after };
        pick.trailing_zeros() as usize
    }

    /// The seats, each once, from the left of `seat` round to `seat` itself: eldest first and
    /// the dealer last, if `seat` deals.
    pub fn from_left_of(self, seat: usize) -> impl Iterator<Item = usize> {
        let mut next = seat;
        (0..self.len()).map(move |_| {
            next = self.left_of(next);
            next
        })
    }

    /// The seats in ascending order.
    pub fn iter(self) -> impl Iterator<Item = usize> {
        (0..MAX_PLAYERS).filter(move |&seat| self.contains(seat))
    }
}

impl FromIterator<usize> for Seats {
    fn from_iter<I: IntoIterator<Item = usize>>(seats: I) -> Self {
        let mut all = Self::default();
        seats.into_iter().for_each(|seat| all.insert(seat));
        all
    }
}

impl core::ops::BitAnd for Seats {
    type Output = Self;
    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl core::ops::Sub for Seats {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }
}

impl fmt::Debug for Seats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn left_goes_round_those_who_are_in() {
        let mut seats = Seats::first(5);
        seats.remove(2);
        assert_eq!(seats.from_left_of(1).collect::<Vec<_>>(), [3, 4, 0, 1]);
        assert_eq!(seats.from_left_of(2).collect::<Vec<_>>(), [3, 4, 0, 1]);
        assert_eq!(seats.left_of(4), 0);
        assert_eq!(Seats::first(8).left_of(7), 0);
        assert!(Seats::first(8).contains(7) && !Seats::first(8).contains(8));
        assert!(!seats.contains(1001), "a trace may say any number");
        let mut one = Seats::default();
        one.insert(6);
        assert_eq!(one.left_of(6), 6);
    }
}
