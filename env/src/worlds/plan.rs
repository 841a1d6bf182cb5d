//! The order in which the unseen cards are placed, and the possible places of each.

use alloc::vec;
use alloc::vec::Vec;

use super::joint::Joint;
use super::place::Place;
use super::pool::Pool;
use crate::card::Card;
use crate::card_set::CardSet;
use crate::rules::MAX_PLAYERS;

/// The bin of all places that can hold any unseen card. The other bins are the narrow hands, by index.
pub(super) const POOL: usize = MAX_PLAYERS;
/// Most cards that one step places.
const MOST_CARDS: usize = 3;

/// One way to do a step.
#[derive(Clone, Debug)]
pub(super) struct Choice {
    /// The bin of each card.
    pub(super) bins: [u8; MOST_CARDS],
    /// Cards that each narrow hand gets.
    pub(super) adds: [u8; MAX_PLAYERS],
    /// Marks that are made, see [`Joint::mark`].
    pub(super) marks: u32,
}

/// The cards of one step, and the ways to place them.
#[derive(Clone, Debug)]
pub(super) struct Item {
    pub(super) cards: Vec<Card>,
    pub(super) choices: Vec<Choice>,
}

/// The order in which the cards are placed.
pub(super) struct Plan {
    pub(super) items: Vec<Item>,
    /// The cards that are placed last: the largest group with the same possible bins.
    pub(super) rest: CardSet,
    /// These bins, one bit each.
    pub(super) rest_kind: u32,
}

impl Plan {
    pub(super) fn new(hidden: CardSet, narrow: &[Place], pool: &Pool, joint: &Joint) -> Self {
        let bins = |card: Card| -> Vec<usize> {
            let fits = |bin: &usize| narrow[*bin].possible.contains(card);
            let hands = (0..narrow.len()).filter(fits);
            hands.chain((!pool.is_empty()).then_some(POOL)).collect()
        };
        let mut items: Vec<Item> = joint
            .sets
            .iter()
            .enumerate()
            .map(|(nth_set, set)| {
                let cards: Vec<Card> = set.unseen.iter().collect();
                let mut choices = vec![Choice::NONE];
                for (nth, &card) in cards.iter().enumerate() {
                    choices = Choice::extend(&choices, nth, &bins(card));
                }
                choices.retain_mut(|choice| {
                    let first = choice.bins[0] as usize;
                    if choice.bins[..cards.len()].iter().any(|&bin| bin as usize != first) {
                        return true;
                    }
                    // All in one bin: that may be a fact about a seat.
                    if first == POOL {
                        choice.marks =
                            if pool.matters(nth_set) { joint.pool_mark(nth_set) } else { 0 };
                        return true;
                    }
                    let seat = narrow[first].holder;
                    if !set.seats.contains(seat) {
                        return true;
                    }
                    joint.mark(set, seat).map(|mark| choice.marks = mark).is_some()
                });
                Item { cards, choices }
            })
            .collect();
        // The other cards, by possible bins.
        let loose = joint.sets.iter().fold(hidden, |loose, set| loose - set.unseen);
        let mut kinds: Vec<(u32, CardSet)> = Vec::new();
        for card in loose {
            let kind = bins(card).iter().fold(0, |kind, bin| kind | 1 << bin);
            match kinds.iter_mut().find(|(other, _)| *other == kind) {
                Some((_, cards)) => cards.insert(card),
                None => kinds.push((kind, CardSet::of(card))),
            }
        }
        // The cards with the fewest bins first, which keeps the tables of the first steps small.
        kinds.sort_by_key(|(kind, _)| kind.count_ones());
        let largest = (0..kinds.len()).max_by_key(|&nth| kinds[nth].1.len());
        let (rest_kind, rest) =
            largest.map_or((0, CardSet::EMPTY), |largest| kinds.remove(largest));
        for card in kinds.into_iter().flat_map(|(_, cards)| cards) {
            let choices = Choice::extend(&[Choice::NONE], 0, &bins(card));
            items.push(Item { cards: vec![card], choices });
        }
        Self { items, rest, rest_kind }
    }
}

impl Choice {
    const NONE: Self = Self { bins: [0; MOST_CARDS], adds: [0; MAX_PLAYERS], marks: 0 };

    /// Each of these choices, with the next card in each of its bins.
    fn extend(choices: &[Self], nth: usize, bins: &[usize]) -> Vec<Self> {
        let with = |choice: &Self, &bin: &usize| {
            let mut choice = choice.clone();
            choice.bins[nth] = bin as u8;
            if bin != POOL {
                choice.adds[bin] += 1;
            }
            choice
        };
        choices.iter().flat_map(|choice| bins.iter().map(move |bin| with(choice, bin))).collect()
    }
}
