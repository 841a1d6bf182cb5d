//! Which suits a hand may lead, and who leads after a stop (`docs/RULES.md`, section 6).

use crate::card::Suit;
use crate::card_set::CardSet;
use crate::rules::{ChangeSuit, FirstLead};
use crate::seats::Seats;

/// The suits that the leader of the first sequence may lead, one bit each. Where the lowest card of a
/// suit leads first, its holder must lead it. If nobody holds a card of the suit, eldest may lead any
/// suit.
pub(crate) fn first_leads(rule: FirstLead, hand: CardSet) -> u8 {
    let suits = hand.suits() as u8;
    match rule {
        FirstLead::LowestOf(suit) if suits >> suit.index() & 1 == 1 => 1 << suit.index(),
        _ => suits,
    }
}

/// The suits that the leader after a stop may lead, one bit each. Meaningless for a seat that cannot
/// lead.
#[inline]
pub(crate) fn leads(rule: ChangeSuit, stopped: Suit, hand: CardSet) -> u8 {
    let suits = hand.suits() as u8;
    let others = suits & !(1 << stopped.index());
    match rule {
        ChangeSuit::Free => suits,
        ChangeSuit::ElseSame => {
            if others == 0 {
                suits
            } else {
                others
            }
        }
        ChangeSuit::ElsePass => others,
        ChangeSuit::OtherColour => {
            let other = lowest_of(hand, stopped.other_colour());
            if other == 0 { lowest_of(hand, stopped.colour()) } else { other }
        }
    }
}

/// The seat that leads after a stop: `from`, which played the last card, or, where a leader without a
/// suit of the right kind passes, the next seat on its left that can lead. `None` if nobody can.
#[inline]
pub(crate) fn next_leader(
    rule: ChangeSuit,
    seats_in: Seats,
    from: usize,
    stopped: Suit,
    hand: impl Fn(usize) -> CardSet,
) -> Option<usize> {
    let first = |able: fn(CardSet, Suit) -> bool| {
        let mut seat = from;
        for _ in 0..seats_in.len() {
            if able(hand(seat), stopped) {
                return Some(seat);
            }
            seat = seats_in.left_of(seat);
        }
        None
    };
    match rule {
        ChangeSuit::Free | ChangeSuit::ElseSame => Some(from),
        ChangeSuit::ElsePass => first(|hand, stopped| !CardSet::suit(stopped).is_superset(hand)),
        ChangeSuit::OtherColour => first(holds_other_colour).or(Some(from)),
    }
}

/// Whether a hand holds a card of the other colour than the suit's.
pub(crate) fn holds_other_colour(hand: CardSet, suit: Suit) -> bool {
    let [a, b] = suit.other_colour().map(CardSet::suit);
    !(hand & (a | b)).is_empty()
}

/// The suits among two in which a hand has its lowest card of both, one bit each.
fn lowest_of(hand: CardSet, suits: [Suit; 2]) -> u8 {
    let lowest = suits.map(|suit| hand.lane(suit).trailing_zeros());
    let least = lowest[0].min(lowest[1]);
    let mut mask = 0;
    for (suit, lowest) in suits.into_iter().zip(lowest) {
        if lowest == least && least < 16 {
            mask |= 1 << suit.index();
        }
    }
    mask
}
