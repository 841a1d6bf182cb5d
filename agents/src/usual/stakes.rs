//! Antes, the dead hand and bids: reasonable defaults, common to all heuristics.

use newmarket_env::{Action, CardSet, Exchange, View};

use super::poker;

/// Chips that a card less in hand is worth, in deciding on the dead hand: the seat is nearer to
/// going out, and pays one chip less to the winner.
const CARD_WORTH: f64 = 1.0;

/// The cells that the viewer's hand claims, one bit each; none before the deal.
pub(crate) fn held(view: &View) -> u32 {
    let claims = view.claims();
    let held = |cell: &usize| claims.card_of(*cell).is_some_and(|card| view.hand().contains(card));
    (0..view.game().cells()).filter(held).fold(0, |all, cell| all | 1 << cell)
}

/// The next chip of an even split over these cells, the first ones getting what does not divide; over all cells
/// where none is wanted. A cell that takes no more gives its share to the first that does.
pub(crate) fn evenly(view: &View, wanted: u32) -> Action {
    let all = (1_u32 << view.game().cells()) - 1;
    let wanted = if wanted & all == 0 { all } else { wanted & all };
    let count = wanted.count_ones() as usize;
    let chips = free_stake(view) as usize;
    let share = |nth: usize| (chips + count - 1 - nth) / count;
    let legal = view.legal();
    (0..view.game().cells())
        .filter(|cell| wanted >> cell & 1 == 1)
        .enumerate()
        .filter(|&(nth, cell)| (view.staked(view.seat(), cell) as usize) < share(nth))
        .map(|(_, cell)| Action::chip(cell))
        .find(|&action| legal.contains(action))
        .or(legal.first())
        .expect("a chip can always be placed")
}

/// The chips of the free ante of the seat to act, placed or not.
pub(crate) fn free_stake(view: &View) -> i32 {
    let placed = (0..view.game().cells()).map(|cell| view.staked(view.seat(), cell));
    placed.sum::<i32>() + view.chips_left() as i32
}

/// What the dead hand is worth more than the viewer's own, in chips, before any price: what it
/// may be expected to claim and how many cards it has, against the same of the own hand and of
/// what that should win at poker.
pub(crate) fn advantage(view: &View) -> f64 {
    let (hand, hidden) = (view.hand(), view.hidden());
    let dealt: usize = (0..view.game().players()).map(|seat| view.hand_size(seat)).sum();
    let dead = view.game().pack().len() - dealt;
    let in_dead = dead as f64 / hidden.len().max(1) as f64;
    let all_in_dead = |set: CardSet| {
        if hidden.is_superset(set) { power(in_dead, set.len()) } else { 0.0 }
    };
    let claims: f64 = view
        .layout()
        .iter()
        .enumerate()
        .map(|(cell, &chips)| {
            let sets = view.claims().of_cell(cell).iter().copied();
            let held = sets.clone().any(|set| hand.is_superset(set));
            let share = if held { -1.0 } else { sets.map(all_in_dead).sum() };
            f64::from(chips) * share
        })
        .sum();
    claims - poker::worth(view) + CARD_WORTH * (hand.len() as f64 - dead as f64)
}

/// A whole power by squaring, with the bits of compiler-rt's `powi`, which `f64::powi` calls.
fn power(mut base: f64, mut exponent: usize) -> f64 {
    let mut product = 1.0;
    loop {
        if exponent & 1 == 1 {
            product *= base;
        }
        exponent >>= 1;
        if exponent == 0 {
            return product;
        }
        base *= base;
    }
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

#[cfg(test)]
mod tests {
    use super::power;

    #[test]
    fn powers_have_the_bits_of_the_platforms() {
        for base in [0.0, 0.1, 1.0 / 3.0, 0.7, 0.999, 1.0] {
            for exponent in 0..20 {
                let wanted = core::hint::black_box::<f64>(base).powi(exponent);
                assert_eq!(power(base, exponent as usize).to_bits(), wanted.to_bits());
            }
        }
    }
}
