//! The play with all cards face up, for search.
//!
//! A lead in a [`State`] updates what each seat has played, knows and owns. Search does not need that.
//! Here the hands stay as they were dealt. The cards that a seat still holds are its hand and one word of
//! live cards, so a [`Position`] is two words, a lead changes only these, and chips are counted once, at
//! the end.
//!
//! A fair player has no state, but can make an [`OpenPlay`] from a sampled determinization
//! ([`View::determinize`](crate::View::determinize)).

use alloc::vec::Vec;

mod playout;

use core::hash::{Hash, Hasher};

use crate::card::Suit;
use crate::card_set::CardSet;
use crate::game::Game;
use crate::rules::{MAX_CELLS, MAX_PLAYERS};
use crate::seats::Seats;
use crate::state::{Phase, State};
use crate::stop;
pub use playout::Turn;

/// A bit of no card. It stays live and seats that are not in hold it, so that they never go out.
const NO_CARD: u64 = 1 << 63;
/// Bits of a claimed cell in [`Position::taken`].
const TAKER: u32 = 4;

/// The part that stays the same to the end of the deal: hands, claims, rules.
#[derive(Clone, Debug)]
pub struct OpenPlay<'g> {
    game: &'g Game,
    seats_in: Seats,
    /// Cards at the beginning, [`NO_CARD`] for seats that are out.
    hands: [u64; MAX_PLAYERS],
    /// Live single cards that claim chips, the first `claims`: the card, its holder, the chips.
    boodles: [(u64, u8, i32); MAX_CELLS],
    claims: usize,
    /// Sets of cards that one seat can still complete.
    sets: Vec<SetClaim>,
    layout: [i32; MAX_CELLS],
    kitty: i32,
    /// The chips of each seat; `None` if stacks are a score.
    stacks: Option<[i32; MAX_PLAYERS]>,
}

/// Cards that claim a cell when their seat has played the last of them.
#[derive(Clone, Copy, Debug)]
struct SetClaim {
    cell: u32,
    seat: u8,
    /// The cards that the seat still holds.
    held: u64,
}

/// A position in which a lead is due.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Position {
    live: u64,
    /// The seat that took each cell that sets claim, plus 1; [`TAKER`] bits for each cell.
    taken: u32,
    leader: u8,
    may_lead: u8,
}

/// The end of a deal: the seat that went out, and the cells taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ending {
    live: u64,
    taken: u32,
    winner: Option<u8>,
}

/// The result of a lead.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Next {
    /// The sequence stopped; the next lead is due.
    Lead(Position),
    /// A seat went out, or nobody can lead.
    Over(Ending),
}

impl Position {
    /// The seat that leads.
    pub const fn leader(&self) -> usize {
        self.leader as usize
    }

    /// The suits that may be led, one bit each (bit 0 clubs … bit 3 spades); at least one.
    pub const fn may_lead(&self) -> u8 {
        self.may_lead
    }

    /// The suits that may be led.
    pub fn suits(&self) -> impl Iterator<Item = Suit> + use<> {
        let suits = self.may_lead;
        Suit::ALL.into_iter().filter(move |suit| suits >> suit.index() & 1 == 1)
    }

    /// Cards in all hands.
    pub const fn live(&self) -> CardSet {
        CardSet::from_bits(self.live)
    }
}

impl Hash for Position {
    /// One word: the leader and the suits use bits of no card.
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        let (leader, suits) = (u64::from(self.leader), u64::from(self.may_lead));
        let rest = (leader & 7) << 13 | (suits & 7) << 29 | (suits >> 3) << 45;
        hasher.write_u64((self.live & !NO_CARD | rest) ^ u64::from(self.taken) << 32);
    }
}

impl Ending {
    /// The seat that went out; `None` if nobody could lead.
    pub fn winner(&self) -> Option<usize> {
        self.winner.map(usize::from)
    }
}

impl<'g> OpenPlay<'g> {
    /// The open play of a state that waits for a lead, and its position.
    ///
    /// # Panics
    /// If the state does not wait for a lead.
    pub fn new(game: &'g Game, state: &State) -> (Self, Position) {
        assert_eq!(state.public.phase, Phase::Lead, "the play is on");
        let hands = core::array::from_fn(|seat| {
            state.hands[seat].bits()
                | if state.public.seats_in.contains(seat) { 0 } else { NO_CARD }
        });
        let live = hands.iter().fold(NO_CARD, |live, hand| live | hand);
        let mut boodles = [(0, 0, 0); MAX_CELLS];
        let mut claims = 0;
        let table = state.claims(game);
        for card in table.singles & CardSet::from_bits(live) {
            let chips = state.public.layout[table.cell_of[card.bit() as usize] as usize];
            if chips > 0 {
                let bit = 1 << card.bit();
                boodles[claims] = (bit, holder(&hands, bit) as u8, chips);
                claims += 1;
            }
        }
        let stacks = (!state.public.credit).then_some(state.public.stacks);
        let open = Self {
            sets: set_claims(game, state),
            seats_in: state.public.seats_in,
            layout: state.public.layout,
            kitty: if game.rules().kitty_to_winner { state.public.kitty } else { 0 },
            game,
            hands,
            boodles,
            claims,
            stacks,
        };
        let (leader, may_lead) = (state.public.actor, state.may_lead);
        (open, Position { live, taken: 0, leader, may_lead })
    }

    /// The rules and the number of seats.
    pub fn game(&self) -> &'g Game {
        self.game
    }

    /// The cards that a seat holds.
    pub fn hand(&self, position: &Position, seat: usize) -> CardSet {
        CardSet::from_bits(self.hands[seat] & position.live)
    }

    /// Live single cards that claim chips.
    pub fn boodles(&self, position: &Position) -> CardSet {
        let claims = self.boodles[..self.claims].iter();
        CardSet::from_bits(claims.fold(0, |all, claim| all | claim.0) & position.live)
    }

    /// Leads a suit that may be led, and plays the sequence out.
    pub fn lead(&self, position: &Position, suit: Suit) -> Next {
        let held =
            self.hands[position.leader as usize] & position.live & CardSet::suit(suit).bits();
        debug_assert!(position.may_lead >> suit.index() & 1 == 1 && held != 0, "not a legal lead");
        // Adding the first card carries to the bit above the last card of the run.
        let carried = position.live + (held & held.wrapping_neg());
        let (left, next) = (position.live & carried, carried & !position.live);
        if self.hands.iter().any(|hand| hand & left == 0) {
            return Next::Over(self.out(&self.hands, position, left));
        }
        let taken = self.take_sets(position, left);
        let stopper = holder(&self.hands, next >> 1);
        self.after_stop(left, taken, stopper, suit)
    }

    /// The seat that goes out first, among those that hold nothing of `left` after the last lead.
    fn out(&self, hands: &[u64], position: &Position, left: u64) -> Ending {
        // All their cards are of one run: the seat with the lowest last card goes out, and the run ends
        // there.
        let (mut winner, mut last_cards) = (0, u64::MAX);
        for (seat, hand) in hands.iter().enumerate() {
            if hand & left == 0 && hand & position.live < last_cards {
                (winner, last_cards) = (seat, hand & position.live);
            }
        }
        let live = position.live & (left | !(u64::MAX >> last_cards.leading_zeros()));
        Ending { live, taken: self.take_sets(position, live), winner: Some(winner as u8) }
    }

    /// Takes the cells that sets claim after a sequence: if two sets claim a cell, the one that is complete
    /// first takes it.
    fn take_sets(&self, position: &Position, left: u64) -> u32 {
        let mut taken = position.taken;
        let mut first = [u64::MAX; MAX_CELLS];
        for claim in &self.sets {
            let (played, shift) = (claim.held & position.live, TAKER * claim.cell);
            let completed = claim.held & left == 0 && played != 0;
            let by = position.taken >> shift & 15;
            // All cards are of one run, in different hands: the set with the lower last card compares lower.
            if completed && by == 0 && played < first[claim.cell as usize] {
                first[claim.cell as usize] = played;
                taken = taken & !(15 << shift) | (u32::from(claim.seat) + 1) << shift;
            }
        }
        taken
    }

    /// The next leader and its suits after a suit stopped at a seat (`docs/RULES.md`, section 6.7).
    fn after_stop(&self, live: u64, taken: u32, seat: usize, stopped: Suit) -> Next {
        let rule = self.game.rules().change_suit;
        let hand = |seat: usize| CardSet::from_bits(self.hands[seat] & live);
        match stop::next_leader(rule, self.seats_in, seat, stopped, hand) {
            Some(leader) => {
                let may_lead = stop::leads(rule, stopped, hand(leader));
                Next::Lead(Position { live, taken, leader: leader as u8, may_lead })
            }
            None => Next::Over(Ending { live, taken, winner: None }),
        }
    }

    /// Chips that a seat gains from the beginning of the open play to this end.
    #[inline]
    pub fn gain(&self, end: &Ending, seat: usize) -> i32 {
        if self.stacks.is_some() {
            return self.gains(end)[seat];
        }
        let claimed = self.claimed(end, seat);
        let per_card = self.game.rules().per_card;
        let cards = |live: u64| (live & !NO_CARD).count_ones() as i32;
        match end.winner {
            None => claimed,
            Some(winner) if usize::from(winner) == seat => {
                claimed + self.kitty + per_card * cards(end.live)
            }
            Some(_) => claimed - per_card * cards(end.live & self.hands[seat]),
        }
    }

    /// Chips that each seat gains from the beginning of the open play to this end.
    pub fn gains(&self, end: &Ending) -> [i32; MAX_PLAYERS] {
        let mut gains: [i32; MAX_PLAYERS] = core::array::from_fn(|seat| self.claimed(end, seat));
        let Some(winner) = end.winner else { return gains };
        let mut won = self.kitty;
        for (seat, gain) in gains.iter_mut().enumerate() {
            let cards = (end.live & self.hands[seat] & !NO_CARD).count_ones() as i32;
            let owed = self.game.rules().per_card * cards;
            let paid = self.stacks.map_or(owed, |stacks| owed.min(stacks[seat] + *gain));
            *gain -= paid;
            won += paid;
        }
        gains[winner as usize] += won;
        gains
    }

    fn claimed(&self, end: &Ending, seat: usize) -> i32 {
        let mut chips = 0;
        for &(card, holder, worth) in &self.boodles[..self.claims] {
            let claims = usize::from(holder) == seat && card & end.live == 0;
            chips += if claims { worth } else { 0 };
        }
        if end.taken != 0 {
            for (cell, &worth) in self.layout.iter().enumerate() {
                let taker = end.taken >> (TAKER * cell as u32) & 15;
                chips += if taker == seat as u32 + 1 { worth } else { 0 };
            }
        }
        chips
    }
}

/// The seat that holds a card, which must be in one of the hands.
fn holder(hands: &[u64; MAX_PLAYERS], card: u64) -> usize {
    let seat = hands.iter().position(|hand| hand & card != 0);
    seat.expect("a live card is in a hand")
}

/// Sets of cards that one seat can still complete.
fn set_claims(game: &Game, state: &State) -> Vec<SetClaim> {
    let mut claims = Vec::new();
    let sets = state.claims(game).sets();
    for (cell, set) in sets.filter(|&(cell, _)| state.public.layout[cell] > 0) {
        for seat in 0..game.players() {
            let held = state.hands[seat] & set;
            if (held | state.public.played_by[seat]).is_superset(set) && !held.is_empty() {
                let (cell, seat) = (cell as u32, seat as u8);
                claims.push(SetClaim { cell, seat, held: held.bits() });
            }
        }
    }
    claims
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_is_two_words() {
        assert_eq!(size_of::<Position>(), 16);
    }
}
