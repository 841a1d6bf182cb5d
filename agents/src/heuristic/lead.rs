//! Which suit to lead: criteria by which suits are compared.
//!
//! A heuristic is a list of criteria in order of weight. A lead is always the lowest
//! card of its suit, so the suit is all that there is to choose.

use newmarket_env::{Card, CardSet, Rank, Suit, View};

/// A criterion: a number for a suit, more is better. It is called only for suits that the viewer
/// holds and may lead.
pub type Criterion = fn(&View, Suit) -> i32;

/// The best suits, one bit each: by the first criterion, among equals by the second, and so on.
pub fn best(view: &View, criteria: &[Criterion], suits: u32) -> u32 {
    let mut left = suits;
    for criterion in criteria {
        if left & left.wrapping_sub(1) == 0 {
            break;
        }
        let (mut most, mut having) = (i32::MIN, 0);
        for suit in Suit::ALL.into_iter().filter(|suit| left >> suit.index() & 1 == 1) {
            let merit = criterion(view, suit);
            if merit > most {
                (most, having) = (merit, 0);
            }
            if merit == most {
                having |= 1 << suit.index();
            }
        }
        left = having;
    }
    left
}

/// A low card: −1 for the lowest rank, −2 for the next.
pub fn low_card(view: &View, suit: Suit) -> i32 {
    view.hand().lowest(suit).map_or(i32::MIN, |card| -1 - card.rank().index() as i32)
}

/// A high card, so that low ones are kept.
pub fn high_card(view: &View, suit: Suit) -> i32 {
    view.hand().lowest(suit).map_or(i32::MIN, |card| card.rank().index() as i32)
}

/// Cards held of the suit.
pub fn length(view: &View, suit: Suit) -> i32 {
    view.hand().lane(suit).count_ones() as i32
}

/// Few cards held of the suit.
pub fn shortness(view: &View, suit: Suit) -> i32 {
    -length(view, suit)
}

/// Cards in the viewer's unbroken run from its lowest card up.
pub fn run(view: &View, suit: Suit) -> i32 {
    let (low, next) = own_run(view, suit);
    next as i32 - low as i32
}

/// Chips on cells that the viewer's own cards of this suit claim in the play: with a set of cards
/// those that the viewer has played count too. Cells that were collected are not claimed any
/// more.
pub fn boodle(view: &View, suit: Suit) -> i32 {
    let held = view.hand() & CardSet::suit(suit);
    let own = held | view.played_by(view.seat());
    let claims = view.claims();
    let single = held.iter().filter_map(|card| claims.cell_claimed_by(card));
    let completed = |set: CardSet| own.is_superset(set) && !(set & held).is_empty();
    let sets = claims.sets().filter(|&(_, set)| completed(set)).map(|(cell, _)| cell);
    let cells: u32 = single.chain(sets).fold(0, |cells, cell| cells | 1 << cell);
    let chips = view.layout().iter().enumerate().filter(|(cell, _)| cells >> cell & 1 == 1);
    chips.map(|(_, &chips)| chips).sum()
}

/// 1 if the viewer's own run from the lowest card up ends where nobody can go on.
pub fn keeps_lead(view: &View, suit: Suit) -> i32 {
    run_stops(view, suit, view.gone())
}

/// The same for a player that does not note at which cards the play has stopped.
pub fn keeps_lead_not_noting_stops(view: &View, suit: Suit) -> i32 {
    run_stops(view, suit, seen_without_stops(view))
}

/// The same for a player that remembers no card but those in hand.
pub fn keeps_lead_from_own_cards(view: &View, suit: Suit) -> i32 {
    run_stops(view, suit, !view.game().pack())
}

/// 1 if nobody can ever lead up to the viewer's lowest card: the card below is gone.
pub fn out_of_reach(view: &View, suit: Suit) -> i32 {
    nobody_below(view, suit, view.gone())
}

/// The same for a player that does not note at which cards the play has stopped.
pub fn out_of_reach_not_noting_stops(view: &View, suit: Suit) -> i32 {
    nobody_below(view, suit, seen_without_stops(view))
}

/// The same for a player that remembers no card but those in hand.
pub fn out_of_reach_from_own_cards(view: &View, suit: Suit) -> i32 {
    nobody_below(view, suit, !view.game().pack())
}

/// After a stop: 1 if no card of the suit has been played.
pub fn unopened(view: &View, suit: Suit) -> i32 {
    let opened = !(view.played() & CardSet::suit(suit)).is_empty();
    i32::from(view.stopped().is_some() && !opened)
}

/// 1 if the viewer holds the highest card of the suit that is not known to be gone, where a sequence
/// that nothing stops comes back.
pub fn top(view: &View, suit: Suit) -> i32 {
    let top = (CardSet::suit(suit) - view.gone()).last();
    i32::from(top.is_some_and(|card| view.hand().contains(card)))
}

/// The same, but only after another seat took the dead hand.
pub fn top_once_bought(view: &View, suit: Suit) -> i32 {
    let bought = view.exchanger().is_some_and(|seat| seat != view.seat());
    if bought { top(view, suit) } else { 0 }
}

/// Where the viewer's run from its lowest card up begins, and the first position after it.
fn own_run(view: &View, suit: Suit) -> (u32, u32) {
    let held = view.hand().lane(suit);
    let low = held.trailing_zeros();
    (low, low + (!(held >> low)).trailing_zeros())
}

fn run_stops(view: &View, suit: Suit, gone: CardSet) -> i32 {
    let (_, next) = own_run(view, suit);
    let next = Rank::try_from_index(next as usize);
    i32::from(next.is_none_or(|next| gone.contains(Card::new(suit, next))))
}

fn nobody_below(view: &View, suit: Suit, gone: CardSet) -> i32 {
    let nobody = |card: Card| card.below().is_none_or(|below| gone.contains(below));
    i32::from(view.hand().lowest(suit).is_some_and(nobody))
}

/// The cards that are known to be gone if played cards are noted and stops are not.
/// The seat that took the dead hand knows what it discarded.
fn seen_without_stops(view: &View) -> CardSet {
    let own =
        if view.exchanger() == Some(view.seat()) { view.known_dead() } else { CardSet::EMPTY };
    !view.game().pack() | view.played() | own
}
