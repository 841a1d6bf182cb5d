//! Antes, the dead hand and bids: reasonable defaults, common to all rules of thumb.

use newmarket_env::{Action, CardSet, Exchange, View};

use super::poker;

/// Chips that a card less in hand is worth, in deciding on the dead hand: it is nearer to going
/// out, and one chip less is paid to whoever does.
const CARD_WORTH: f64 = 1.0;

/// An even split, the first cells getting what does not divide; after a look, only over cells
/// that the hand claims, if there are any.
pub(super) fn chip(view: &View) -> Action {
    let cells = view.game().cells();
    let held = |cell: usize| {
        let card = view.game().rules().cells[cell].claiming_card();
        card.is_some_and(|card| view.hand().contains(card))
    };
    let mut wanted: Vec<usize> = (0..cells).filter(|&cell| held(cell)).collect();
    if wanted.is_empty() {
        wanted = (0..cells).collect();
    }
    let placed: i32 = (0..cells).map(|cell| view.staked(view.seat(), cell)).sum();
    let chips = placed as usize + view.chips_left();
    let share = |nth: usize| (chips + wanted.len() - 1 - nth) / wanted.len();
    let legal = view.legal();
    wanted
        .iter()
        .enumerate()
        .filter(|&(nth, &cell)| (view.staked(view.seat(), cell) as usize) < share(nth))
        .map(|(_, &cell)| Action::chip(cell))
        .find(|&action| legal.contains(action))
        .or(legal.first())
        .expect("a chip can always be placed")
}

/// What the dead hand is worth more than the viewer's own, in chips, before any price: what it
/// may be expected to claim and how many cards it has, against the same of the own hand and of
/// what that should win at poker.
fn advantage(view: &View) -> f64 {
    let (hand, hidden) = (view.hand(), view.hidden());
    let dealt: usize = (0..view.game().players()).map(|seat| view.hand_size(seat)).sum();
    let dead = view.game().pack().len() - dealt;
    let in_dead = dead as f64 / hidden.len().max(1) as f64;
    let all_in_dead = |set: CardSet| {
        if hidden.is_superset(set) { in_dead.powi(set.len() as i32) } else { 0.0 }
    };
    let claims: f64 = view
        .game()
        .rules()
        .cells
        .iter()
        .zip(view.layout())
        .map(|(cell, &chips)| {
            let sets = cell.claimed_by.iter().copied();
            let held = sets.clone().any(|set| hand.is_superset(set));
            let share = if held { -1.0 } else { sets.map(all_in_dead).sum() };
            f64::from(chips) * share
        })
        .sum();
    claims - poker::worth(view) + CARD_WORTH * (hand.len() as f64 - dead as f64)
}

/// Exchanges if the dead hand should be worth more than it costs, puts it up for auction rather
/// than leave it, bids as long as it should pay.
pub(super) fn dead_hand(view: &View) -> Action {
    let legal = view.legal();
    let price = match view.game().rules().exchange {
        Exchange::Dealer { fee } => fee,
        Exchange::OfferChain { price } if view.seat() != view.seats_in().left_of(view.dealer()) => {
            price
        }
        Exchange::DealerOrAuction { .. } if legal.contains(Action::BID) => view.bid() + 1,
        _ => 0,
    };
    let gain = advantage(view) - f64::from(price);
    let wish =
        if gain > 0.0 { [Action::BID, Action::EXCHANGE] } else { [Action::AUCTION, Action::PASS] };
    let choice = wish.into_iter().find(|&action| legal.contains(action));
    choice.or(legal.first()).expect("a decision has a choice")
}
