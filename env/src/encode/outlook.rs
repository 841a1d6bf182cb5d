//! The expected results of a lead of each suit, computed from the rest of an observation when it is
//! written out.
//!
//! A suit that is led goes up from the viewer's lowest card until a card is missing, because it has been
//! played or lies in the dead hand. Each card that may be dead is taken to be dead with the same chance,
//! independently of the others, so every expectation is a sum of products.

use super::expanded::Expanded;
use super::spans::{OUTLOOKS, scalar};
use crate::card_set::CardSet;

/// Expectations by span and suit; 0 for suits that the viewer does not hold.
pub(super) type Outlook = [[f32; 4]; OUTLOOKS.len()];

/// The viewer's expectations of leads.
pub(super) fn outlook(observation: &Expanded) -> Outlook {
    const DEAD: (usize, usize) = scalar("dead hand");
    const CHIPS: (usize, usize) = scalar("card chips");
    let planes = &observation.planes;
    if planes.hand.is_empty() {
        return Outlook::default();
    }
    // Cards that are still to come for certain, and those that come if they are not dead.
    let sure = planes.located | planes.live;
    let open = !planes.in_order().into_iter().fold(CardSet::EMPTY, |all, cards| all | cards);
    let unknown = i32::from(observation.scalars[DEAD.0]) - planes.dead.len() as i32;
    let dead = if open.is_empty() { 0.0 } else { unknown.max(0) as f32 / open.len() as f32 };
    let mut outlook = Outlook::default();
    for suit in 0..4 {
        let lane = |cards: CardSet| (cards.bits() >> (16 * suit)) as u32 & 0x1fff;
        let (hand, sure, open) = (lane(planes.hand), lane(sure), lane(open));
        if hand == 0 {
            continue;
        }
        let (mut own_cards, mut others_cards, mut own_chips, mut others_chips) =
            (0.0, 0.0, 0.0, 0.0);
        // The chances that the last card was played by the viewer, that it was played by another seat,
        // and that the viewer played the last card of the sequence.
        let (mut by_viewer, mut by_others, mut last) = (0.0, 1.0, 0.0);
        for position in hand.trailing_zeros()..13 {
            let card = 1 << position;
            let chips = f32::from(observation.scalars[CHIPS.0 + 13 * suit + position as usize]);
            let comes: f32 = by_viewer + by_others;
            if hand & card != 0 {
                (by_viewer, by_others) = (comes, 0.0);
                own_cards += by_viewer;
                own_chips += by_viewer * chips;
            } else if (sure | open) & card != 0 {
                let missing = if open & card != 0 { dead } else { 0.0 };
                last += by_viewer * missing;
                (by_viewer, by_others) = (0.0, comes * (1.0 - missing));
                others_cards += by_others;
                others_chips += by_others * chips;
            } else {
                break;
            }
        }
        // Cards whose next lower card is not the viewer's: that card comes, may come, or never comes.
        let firsts = hand & !(hand << 1);
        let may_follow = (firsts & open << 1).count_ones() as f32;
        let never = (firsts & !(open << 1) & !(sure << 1)).count_ones() as f32;
        let leads = never + may_follow * dead;
        let of_suit = [own_cards, others_cards, by_viewer + last, own_chips, others_chips, leads];
        for (by_suit, value) in outlook.iter_mut().zip(of_suit) {
            by_suit[suit] = value;
        }
    }
    outlook
}
