//! What is certain about the cards that a seat has not seen.
//!
//! [`Knowledge`](crate::Knowledge) has the facts that single events show: this card is dead, that seat
//! has no card below this one. Here they are combined with each other, with the seat's own hand and
//! with the sizes of all hands: if two seats hold four cards between them and only four cards can be
//! theirs, no other place has one of these cards.

use crate::card_set::CardSet;
use crate::rules::MAX_PLAYERS;

/// What a seat can be certain of for each card: exactly what holds in all deals that are consistent
/// with what the seat has seen.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Inference {
    /// Cards that each seat holds in some consistent deal; for the seat itself, its hand.
    pub possible: [CardSet; MAX_PLAYERS],
    /// Cards that each seat holds in all of them.
    pub certain: [CardSet; MAX_PLAYERS],
    /// Cards that are in the dead hand in some of them.
    pub may_be_dead: CardSet,
    /// Cards that are in the dead hand in all of them.
    pub dead: CardSet,
}

impl Inference {
    /// From the places in which each card may be: a card with a single possible place is there for
    /// certain.
    pub(crate) fn from_possible(possible: [CardSet; MAX_PLAYERS], may_be_dead: CardSet) -> Self {
        let (mut once, mut twice) = (may_be_dead, CardSet::EMPTY);
        for cards in possible {
            twice |= once & cards;
            once |= cards;
        }
        let certain = possible.map(|cards| cards - twice);
        Self { possible, certain, may_be_dead, dead: may_be_dead - twice }
    }

    /// Cards that are certainly in some hand, so that no sequence stops for want of them.
    pub fn live(&self) -> CardSet {
        self.possible.iter().fold(CardSet::EMPTY, |all, &cards| all | cards) - self.may_be_dead
    }
}

/// A seat that holds cards which the viewer has not seen.
#[derive(Clone, Copy, Default)]
struct Holder {
    seat: usize,
    /// The unseen cards that may be among them.
    possible: CardSet,
    /// Number of these cards.
    room: usize,
}

/// The facts that a seat has after the deal, from which its conclusions follow.
#[derive(Clone, Copy)]
pub(crate) struct Evidence<'f> {
    /// The seat itself, and the number of seats.
    pub(crate) seat: usize,
    pub(crate) players: usize,
    pub(crate) pack: CardSet,
    pub(crate) hand: CardSet,
    /// Cards that are known to be dead without inference, and the size of the dead hand.
    pub(crate) known_dead: CardSet,
    pub(crate) dead_size: usize,
    pub(crate) played_by: &'f [CardSet; MAX_PLAYERS],
    /// Cards that each seat has shown to hold, played since or not; `None` if no stage shows any.
    pub(crate) held: Option<&'f [CardSet; MAX_PLAYERS]>,
    /// Cards that each seat cannot hold, by its own actions.
    pub(crate) ruled_out: &'f [CardSet; MAX_PLAYERS],
    /// Cards in each hand before the first lead.
    pub(crate) sizes: &'f [u8; MAX_PLAYERS],
    /// The seat that has gone out, if any.
    pub(crate) out: Option<usize>,
}

impl Evidence<'_> {
    /// All cards played so far.
    pub(crate) fn played(&self) -> CardSet {
        self.played_by.iter().fold(CardSet::EMPTY, |all, &played| all | played)
    }

    /// Cards that another seat has shown and still holds.
    pub(crate) fn shown(&self, seat: usize) -> CardSet {
        match self.held {
            Some(held) if seat != self.seat => held[seat] - self.played_by[seat],
            _ => CardSet::EMPTY,
        }
    }

    /// Cards that any other seat has shown and still holds.
    pub(crate) fn all_shown(&self) -> CardSet {
        if self.held.is_none() {
            return CardSet::EMPTY;
        }
        (0..self.players).fold(CardSet::EMPTY, |all, seat| all | self.shown(seat))
    }

    /// Cards in a hand now.
    fn hand_size(&self, seat: usize) -> usize {
        usize::from(self.sizes[seat]).saturating_sub(self.played_by[seat].len())
    }

    /// Whether another seat holds more than these cards that it has shown.
    #[inline]
    fn holds_unseen(&self, seat: usize, shown: CardSet) -> bool {
        if shown.is_empty() {
            // Without counting: only a seat that has gone out has played all its cards.
            self.sizes[seat] > 0 && self.out != Some(seat)
        } else {
            self.hand_size(seat) > shown.len()
        }
    }

    /// The conclusions.
    pub(crate) fn infer(&self) -> Inference {
        let known_dead = self.known_dead;
        let hidden = self.pack - (self.hand | self.played() | known_dead | self.all_shown());
        let mut shown = [CardSet::EMPTY; MAX_PLAYERS];
        let mut possible = [CardSet::EMPTY; MAX_PLAYERS];
        let (mut live, mut holders) = (CardSet::EMPTY, 0);
        // Hidden cards that at least one holder cannot have, and at least two.
        let (mut once, mut twice) = (CardSet::EMPTY, CardSet::EMPTY);
        for seat in 0..self.players {
            shown[seat] = self.shown(seat);
            if seat != self.seat && self.holds_unseen(seat, shown[seat]) {
                possible[seat] = hidden - self.ruled_out[seat];
                live |= possible[seat];
                let ruled_out = hidden & self.ruled_out[seat];
                twice |= once & ruled_out;
                once |= ruled_out;
                holders += 1;
            }
        }
        shown[self.seat] = self.hand;
        // A group of holders has all cards that it can hold only if it cannot hold as many hidden cards
        // as are dead or with the other holders, who have at least one each.
        let dead_room = self.dead_size.saturating_sub(known_dead.len());
        if twice.len() < dead_room && once.len() + 1 < dead_room + holders {
            // No such group: every hidden card may be dead, and is if nobody can hold it.
            let possible = core::array::from_fn(|seat| possible[seat] | shown[seat]);
            let (may_be_dead, dead) = (known_dead | hidden, known_dead | (hidden - live));
            return Inference { possible, certain: shown, may_be_dead, dead };
        }
        self.infer_together(hidden, known_dead, possible, &shown)
    }

    /// The conclusions where a group of seats may have to hold every card that any of them can hold.
    #[cold]
    fn infer_together(
        &self,
        hidden: CardSet,
        known_dead: CardSet,
        mut possible: [CardSet; MAX_PLAYERS],
        shown: &[CardSet; MAX_PLAYERS],
    ) -> Inference {
        let mut holders = [Holder::default(); MAX_PLAYERS];
        let mut count = 0;
        for (seat, &possible) in possible.iter().enumerate() {
            if !possible.is_empty() {
                let room = self.hand_size(seat).saturating_sub(shown[seat].len());
                holders[count] = Holder { seat, possible, room };
                count += 1;
            }
        }
        let holders = &holders[..count];
        let mut search = Tight { holders, taken: [CardSet::EMPTY; MAX_PLAYERS + 1] };
        search.from(0, 0, CardSet::EMPTY, 0, holders.iter().map(|holder| holder.room).sum());
        for (nth, holder) in holders.iter().enumerate() {
            possible[holder.seat] -= search.taken[nth];
        }
        for (possible, &shown) in possible.iter_mut().zip(shown) {
            *possible |= shown;
        }
        let mut may_be_dead = known_dead;
        if self.dead_size > known_dead.len() {
            may_be_dead |= hidden - search.taken[count];
        }
        Inference::from_possible(possible, may_be_dead)
    }
}

/// Finds the groups of seats that must hold every card that any of them can hold. By Hall's theorem
/// (1935) a card can be in a place if and only if no such group without that place has it.
struct Tight<'h> {
    holders: &'h [Holder],
    /// Cards that such groups rule out for each holder outside them, and (last) for the dead hand.
    taken: [CardSet; MAX_PLAYERS + 1],
}

impl Tight<'_> {
    /// Goes through all groups that contain `group` and any seats from `next` on. `union` is the cards
    /// that `group` can hold, `room` the number that it holds, `left` the number that all seats from
    /// `next` on hold.
    fn from(&mut self, next: usize, group: u32, union: CardSet, room: usize, left: usize) {
        // More seats add at most their cards to the room, and never shrink the union.
        if union.len() > room + left {
            return;
        }
        if union.len() == room && group != 0 {
            for nth in (0..self.holders.len()).filter(|nth| group >> nth & 1 == 0) {
                self.taken[nth] |= union;
            }
            self.taken[self.holders.len()] |= union;
        }
        let mut left = left;
        for nth in next..self.holders.len() {
            let holder = self.holders[nth];
            left -= holder.room;
            let union = union | holder.possible;
            self.from(nth + 1, group | 1 << nth, union, room + holder.room, left);
        }
    }
}
