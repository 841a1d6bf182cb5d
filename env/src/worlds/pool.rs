//! The places that can hold any unseen card, filled as from a shuffled pack.
//!
//! Facts about sets of cards rule out some splits: a seat that did not collect did not hold a whole set.
//! Inclusion and exclusion over the sets that lie wholly in the pool gives the number of valid splits. A
//! valid split is drawn by rejection; most splits are valid.

use alloc::vec;
use alloc::vec::Vec;

use super::joint::Joint;
use super::place::{DEAD, Place, take};
use super::splits::splits;
use crate::card::Card;
use crate::card_set::CardSet;
use crate::game::Hands;
use crate::seats::Seats;
use crate::seed::Rng;

/// A set of cards, and the seats of the pool for which it matters if they hold the whole set.
#[derive(Clone, Copy, Debug)]
struct Whole {
    cards: CardSet,
    seats: Seats,
}

/// The wide places and the facts about sets in them.
#[derive(Clone, Debug)]
pub(super) struct Pool {
    places: Vec<Place>,
    /// For each set of [`Joint::sets`].
    wholes: Vec<Whole>,
}

/// The mean places of the cards of the pool over all valid splits.
pub(super) struct Shares {
    /// The fraction of splits that are valid.
    pub(super) fraction: f64,
    /// By place of the pool, for cards of no set that lies wholly in the pool.
    of_others: Vec<f64>,
    /// By set and place, for the cards of such sets.
    of_sets: Vec<(CardSet, Vec<f64>)>,
}

impl Pool {
    pub(super) fn new(places: Vec<Place>, joint: &Joint) -> Self {
        let whole = |set| {
            let seats = places.iter().map(|place| place.holder);
            let seats = seats.filter(|&seat| seat != DEAD && joint.matters(set, seat)).collect();
            Whole { cards: set.unseen, seats }
        };
        Self { wholes: joint.sets.iter().map(whole).collect(), places }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// Whether it matters if a set lies wholly in the pool.
    pub(super) fn matters(&self, set: usize) -> bool {
        !self.wholes[set].seats.is_empty()
    }

    /// Ways to split the cards over the places, facts about sets ignored.
    pub(super) fn splits(&self) -> f64 {
        splits(self.places.iter().map(|place| place.room))
    }

    /// The mean places of the cards, given the marks made.
    pub(super) fn shares(&self, joint: &Joint, marks: u32) -> Shares {
        let none = vec![0.0; self.places.len()];
        let of_sets = self.wholes.iter().map(|whole| (whole.cards, none.clone())).collect();
        let mut shares = Shares { fraction: 0.0, of_others: none, of_sets };
        let mut room: Vec<usize> = self.places.iter().map(|place| place.room).collect();
        let mut given = vec![None; self.wholes.len()];
        let sets = joint.in_pool(marks);
        self.exclude(sets, 1.0, &mut room, &mut given, &mut shares, &|given| {
            joint.agrees(marks, given)
        });
        let fraction = shares.fraction;
        let all = shares.of_sets.iter_mut().flat_map(|(_, shares)| shares);
        if fraction < ROUNDING {
            shares.fraction = 0.0;
        } else {
            for share in all.chain(&mut shares.of_others) {
                *share /= fraction;
                if share.abs() < ROUNDING {
                    *share = 0.0;
                }
            }
        }
        let mut set = 0;
        shares.of_sets.retain(|_| {
            set += 1;
            sets >> (set - 1) & 1 == 1
        });
        shares
    }

    /// Goes through the ways in which seats may hold the first of `sets` whole and, recursively, the
    /// others: nothing is assumed about it, or one of its seats has the whole set. `weight` is the chance
    /// of the assumptions so far.
    fn exclude(
        &self,
        sets: u32,
        weight: f64,
        room: &mut [usize],
        given: &mut [Option<usize>],
        shares: &mut Shares,
        agrees: &impl Fn(&[Option<usize>]) -> bool,
    ) {
        let cards: usize = room.iter().sum();
        if sets == 0 {
            let weight = weight * exactly(given, agrees);
            shares.fraction += weight;
            for (nth, (place, &room)) in self.places.iter().zip(&*room).enumerate() {
                let share = if cards == 0 { 0.0 } else { weight * room as f64 / cards as f64 };
                shares.of_others[nth] += share;
                for (given, (_, of_set)) in given.iter().zip(&mut shares.of_sets) {
                    of_set[nth] += match given {
                        Some(seat) if *seat == place.holder => weight,
                        Some(_) => 0.0,
                        None => share,
                    };
                }
            }
            return;
        }
        let (nth, others) = (sets.trailing_zeros() as usize, sets & (sets - 1));
        self.exclude(others, weight, room, given, shares, agrees);
        let Whole { cards: whole, seats } = self.wholes[nth];
        let size = whole.len();
        for place in 0..room.len() {
            let seat = self.places[place].holder;
            if seats.contains(seat) && room[place] >= size {
                // The chance that this place has the whole set.
                let chance = |k: usize| (room[place] - k) as f64 / (cards - k) as f64;
                let all: f64 = (0..size).map(chance).product();
                room[place] -= size;
                given[nth] = Some(seat);
                self.exclude(others, weight * all, room, given, shares, agrees);
                given[nth] = None;
                room[place] += size;
            }
        }
    }

    /// Adds the cards to the hands of the pool, if these marks have been made.
    pub(super) fn split(
        &self,
        cards: &[Card],
        joint: &Joint,
        marks: u32,
        hands: &mut Hands,
        rng: &mut Rng,
    ) {
        loop {
            let mut left = [Card::from_bit(0); 52];
            left[..cards.len()].copy_from_slice(cards);
            let mut count = cards.len();
            let mut filled = *hands;
            for place in &self.places {
                if place.holder == DEAD {
                    for &card in &left[..count] {
                        filled.dead.insert(card);
                    }
                    break;
                }
                for _ in 0..place.room {
                    filled.seats[place.holder] |= take(&mut left[..count], rng);
                    count -= 1;
                }
            }
            let holder = |whole: &Whole| {
                whole.seats.iter().find(|&seat| filled.seats[seat].is_superset(whole.cards))
            };
            if self.wholes.is_empty()
                || joint.agrees(marks, &self.wholes.iter().map(holder).collect::<Vec<_>>())
            {
                *hands = filled;
                return;
            }
        }
    }

    /// Calls `add(place, chance)` for each place of the pool that a card may be in.
    pub(super) fn each(&self, card: Card, shares: &Shares, mut add: impl FnMut(usize, f64)) {
        let of_set = shares.of_sets.iter().find(|(cards, _)| cards.contains(card));
        let by_place = of_set.map_or(&shares.of_others, |(_, by_place)| by_place);
        for (place, &share) in self.places.iter().zip(by_place) {
            add(place.holder, share);
        }
    }
}

/// A sum below this is a rounding error: no hand is that improbable.
const ROUNDING: f64 = 1e-9;

/// The inclusion-exclusion coefficient of these assumptions: 1 or 0 as they agree with the facts, less the
/// coefficients of all weaker assumptions.
fn exactly(given: &[Option<usize>], agrees: &impl Fn(&[Option<usize>]) -> bool) -> f64 {
    let said: Vec<usize> = (0..given.len()).filter(|&set| given[set].is_some()).collect();
    let mut sum = 0.0;
    for kept in 0..1_u32 << said.len() {
        let mut part = given.to_vec();
        for (nth, &set) in said.iter().enumerate() {
            if kept >> nth & 1 == 0 {
                part[set] = None;
            }
        }
        if agrees(&part) {
            let left_out = said.len() as u32 - kept.count_ones();
            sum += if left_out.is_multiple_of(2) { 1.0 } else { -1.0 };
        }
    }
    sum
}
