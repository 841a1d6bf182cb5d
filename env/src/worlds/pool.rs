//! The places that can hold any unseen card, filled like from a shuffled pack.
//!
//! Where something is known of sets of cards together, not every split will do: a seat that did
//! not collect did not hold a whole set. How many splits are left follows by inclusion and
//! exclusion over the sets that lie in the pool whole; one is drawn by drawing any until one will
//! do, which most do.

use super::joint::Joint;
use super::{DEAD, Place, take};
use crate::card::Card;
use crate::card_set::CardSet;
use crate::game::Hands;
use crate::seed::Rng;
use crate::standing::Seats;

/// Cards that none of these seats holds all of.
#[derive(Clone, Copy, Debug)]
struct Ban {
    cards: CardSet,
    seats: Seats,
}

/// The wide places and what is known of sets in them.
#[derive(Clone, Debug)]
pub(super) struct Pool {
    places: Vec<Place>,
    /// For each set of [`Joint::sets`].
    bans: Vec<Ban>,
}

/// Where the cards of the pool are, in the mean over all splits that will do.
pub(super) struct Shares {
    /// The fraction of splits that will do.
    pub(super) fraction: f64,
    /// By place of the pool, for a card of each banned set that lies in the pool whole.
    of_set: Vec<Vec<f64>>,
    /// By place of the pool, for any other card.
    of_others: Vec<f64>,
}

impl Pool {
    pub(super) fn new(places: Vec<Place>, joint: &Joint) -> Self {
        let bans = joint.sets.iter().map(|set| {
            let mut seats = Seats::default();
            for place in places.iter().filter(|place| set.seats.contains(place.place)) {
                if joint.mark(set, place.place).is_none() {
                    seats.insert(place.place);
                }
            }
            Ban { cards: set.unseen, seats }
        });
        Self { bans: bans.collect(), places }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// Sets of which it matters whether they lie in the pool whole, one bit each.
    pub(super) fn banned(&self) -> u32 {
        let bans = self.bans.iter().enumerate().filter(|(_, ban)| !ban.seats.is_empty());
        bans.fold(0, |mask, (nth, _)| mask | 1 << nth)
    }

    /// Ways to split the cards over the places, whatever is known of sets.
    pub(super) fn splits(&self) -> f64 {
        let room = self.places.iter().map(|place| place.room);
        super::layers::splits(room)
    }

    /// The fraction of the splits that will do if these of the banned sets are in the pool whole.
    pub(super) fn fraction(&self, sets: u32) -> f64 {
        if sets == 0 { 1.0 } else { self.shares(sets).fraction }
    }

    /// Where the cards are if these of the banned sets are in the pool whole.
    pub(super) fn shares(&self, sets: u32) -> Shares {
        let none = vec![0.0; self.places.len()];
        let mut shares =
            Shares { fraction: 0.0, of_set: vec![none.clone(); self.bans.len()], of_others: none };
        let mut room: Vec<usize> = self.places.iter().map(|place| place.room).collect();
        let mut given = vec![None; self.bans.len()];
        self.exclude(sets, 1.0, &mut room, &mut given, &mut shares);
        if shares.fraction < 1e-9 {
            // No split will do; what is left of the sum is rounding.
            shares.fraction = 0.0;
        } else {
            for share in shares.of_set.iter_mut().flatten().chain(&mut shares.of_others) {
                // What cannot be is a sum of terms that cancel, up to rounding.
                let exact = *share / shares.fraction;
                *share = if exact.abs() < 1e-12 { 0.0 } else { exact };
            }
        }
        shares
    }

    /// Inclusion and exclusion: either nothing is said about the first of the sets that are left,
    /// or one of its seats has it whole, which counts against.
    fn exclude(
        &self,
        sets: u32,
        weight: f64,
        room: &mut [usize],
        given: &mut [Option<usize>],
        shares: &mut Shares,
    ) {
        let cards: usize = room.iter().sum();
        if sets == 0 {
            shares.fraction += weight;
            for (place, &room) in room.iter().enumerate() {
                let share = if cards == 0 { 0.0 } else { weight * room as f64 / cards as f64 };
                shares.of_others[place] += share;
                for (given, of_set) in given.iter().zip(&mut shares.of_set) {
                    of_set[place] += match given {
                        Some(at) if *at == place => weight,
                        Some(_) => 0.0,
                        None => share,
                    };
                }
            }
            return;
        }
        let (set, others) = (sets.trailing_zeros() as usize, sets & (sets - 1));
        self.exclude(others, weight, room, given, shares);
        let Ban { cards: whole, seats } = self.bans[set];
        let size = whole.len();
        for place in 0..room.len() {
            if seats.contains(self.places[place].place) && room[place] >= size {
                // The chance that all of them are there.
                let chance = |k: usize| (room[place] - k) as f64 / (cards - k) as f64;
                let all: f64 = (0..size).map(chance).product();
                room[place] -= size;
                given[set] = Some(place);
                self.exclude(others, -weight * all, room, given, shares);
                given[set] = None;
                room[place] += size;
            }
        }
    }

    /// Adds the cards to the hands of the pool, these of the banned sets among them.
    pub(super) fn split(&self, cards: &[Card], sets: u32, hands: &mut Hands, rng: &mut Rng) {
        let mut left = [Card::from_bit(0); 52];
        loop {
            left[..cards.len()].copy_from_slice(cards);
            let mut count = cards.len();
            let mut filled = *hands;
            for place in &self.places {
                if place.place == DEAD {
                    for &card in &left[..count] {
                        filled.dead.insert(card);
                    }
                    break;
                }
                for _ in 0..place.room {
                    filled.seats[place.place] |= take(&mut left[..count], rng);
                    count -= 1;
                }
            }
            if !self.is_banned(sets, &filled) {
                *hands = filled;
                return;
            }
        }
    }

    fn is_banned(&self, sets: u32, hands: &Hands) -> bool {
        let bans = self.bans.iter().enumerate().filter(|(nth, _)| sets >> nth & 1 == 1);
        bans.into_iter()
            .any(|(_, ban)| ban.seats.iter().any(|seat| hands.seats[seat].is_superset(ban.cards)))
    }

    /// Calls `add(place, chance)` for where a card of the pool may be.
    pub(super) fn each(
        &self,
        card: Card,
        sets: u32,
        shares: &Shares,
        mut add: impl FnMut(usize, f64),
    ) {
        let within = |(nth, ban): (usize, &Ban)| {
            (sets >> nth & 1 == 1 && ban.cards.contains(card)).then_some(nth)
        };
        let by_place = match self.bans.iter().enumerate().find_map(within) {
            Some(set) => &shares.of_set[set],
            None => &shares.of_others,
        };
        for (place, &share) in self.places.iter().zip(by_place) {
            add(place.place, share);
        }
    }
}
