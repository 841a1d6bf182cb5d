//! In which order the unseen cards are placed, and where each of them can go.

use alloc::vec;
use alloc::vec::Vec;

use super::joint::Joint;
use super::pool::Pool;
use super::{DEAD, Likelihood, Place};
use crate::card::Card;
use crate::card_set::CardSet;
use crate::rules::MAX_PLAYERS;

/// The bin of all places that can hold any unseen card; the others are the narrow hands, by index.
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
    pub(super) weight: f64,
}

/// What one step places, and how.
#[derive(Clone, Debug)]
pub(super) struct Item {
    pub(super) cards: Vec<Card>,
    pub(super) choices: Vec<Choice>,
}

/// In which order the cards are placed.
pub(super) struct Plan {
    pub(super) items: Vec<Item>,
    /// The cards that are placed last: the largest group for which the same bins are possible,
    /// and equally likely.
    pub(super) rest: CardSet,
    /// These bins, one bit each.
    pub(super) rest_kind: u32,
}

impl Plan {
    pub(super) fn new(
        hidden: CardSet,
        narrow: &[Place],
        pool: &Pool,
        likelihood: Option<&Likelihood>,
        joint: &Joint,
    ) -> Self {
        // Bins and their weights, for each card; the heaviest bin has weight 1.
        let bins = |card: Card| -> Vec<(usize, f64)> {
            let weight = |place: usize| likelihood.map_or(1.0, |by| by[place][card.index()]);
            let fits = |place: &&Place| place.possible.contains(card);
            let hands = narrow.iter().enumerate().filter(|(_, place)| fits(place));
            let mut bins: Vec<_> = hands.map(|(bin, place)| (bin, weight(place.at))).collect();
            if !pool.is_empty() {
                bins.push((POOL, weight(DEAD)));
            }
            let most = bins.iter().fold(0.0_f64, |most, bin| most.max(bin.1));
            bins.retain(|bin| bin.1 > 0.0);
            bins.into_iter().map(|(bin, weight)| (bin, weight / most)).collect()
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
                    // All in one bin: that may say something about a seat.
                    if first == POOL {
                        choice.marks =
                            if pool.matters(nth_set) { joint.pool_mark(nth_set) } else { 0 };
                        return true;
                    }
                    let seat = narrow[first].at;
                    if !set.seats.contains(seat) {
                        return true;
                    }
                    joint.mark(set, seat).map(|mark| choice.marks = mark).is_some()
                });
                Item { cards, choices }
            })
            .collect();
        // The other cards, by the bins that are possible if all of them are equally likely.
        let loose = joint.sets.iter().fold(hidden, |loose, set| loose - set.unseen);
        let mut kinds: Vec<(Option<u32>, CardSet)> = Vec::new();
        for card in loose {
            let bins = bins(card);
            let even = bins.iter().all(|bin| bin.1 >= 1.0);
            let kind = even.then(|| bins.iter().fold(0, |kind, bin| kind | 1 << bin.0));
            match kinds.iter_mut().find(|(other, _)| *other == kind) {
                Some((_, cards)) => cards.insert(card),
                None => kinds.push((kind, CardSet::of(card))),
            }
        }
        // Those with the fewest bins first: the tables of the first steps are then small.
        kinds.sort_by_key(|(kind, _)| kind.map_or(u32::MAX, u32::count_ones));
        let even = kinds.iter().enumerate().filter(|(_, (kind, _))| kind.is_some());
        let largest = even.max_by_key(|(_, (_, cards))| cards.len()).map(|(nth, _)| nth);
        let (rest_kind, rest) = match largest.map(|nth| kinds.remove(nth)) {
            Some((kind, cards)) => (kind.unwrap_or(0), cards),
            None => (0, CardSet::EMPTY),
        };
        for card in kinds.into_iter().flat_map(|(_, cards)| cards) {
            let choices = Choice::extend(&[Choice::NONE], 0, &bins(card));
            items.push(Item { cards: vec![card], choices });
        }
        Self { items, rest, rest_kind }
    }
}

impl Choice {
    const NONE: Self =
        Self { bins: [0; MOST_CARDS], adds: [0; MAX_PLAYERS], marks: 0, weight: 1.0 };

    /// Each of these choices, with the next card in each of its bins.
    fn extend(choices: &[Self], nth: usize, bins: &[(usize, f64)]) -> Vec<Self> {
        let with = |choice: &Self, &(bin, weight): &(usize, f64)| {
            let mut choice = choice.clone();
            choice.bins[nth] = bin as u8;
            choice.weight *= weight;
            if bin != POOL {
                choice.adds[bin] += 1;
            }
            choice
        };
        choices.iter().flat_map(|choice| bins.iter().map(move |bin| with(choice, bin))).collect()
    }
}
