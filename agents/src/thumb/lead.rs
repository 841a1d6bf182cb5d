//! Which suit to lead.

use newmarket_env::{Card, CardSet, Suit, View};

/// How good a lead is, compared entry by entry.
pub(super) type Merit = [i32; 4];

/// The lowest rank.
pub(super) fn lowest(view: &View, suit: Suit) -> Merit {
    [-lowest_position(view, suit), 0, 0, 0]
}

/// The longest suit.
pub(super) fn longest(view: &View, suit: Suit) -> Merit {
    [length(view, suit), 0, 0, 0]
}

/// The suit of an unclaimed boodle in hand, the richest first; then the longest.
pub(super) fn boodle(view: &View, suit: Suit) -> Merit {
    [boodle_chips(view, suit), length(view, suit), 0, 0]
}

/// Keep the lead; then boodles; then cards that nobody can lead up to; then length.
pub(super) fn stopper(view: &View, suit: Suit) -> Merit {
    [
        i32::from(own_run_stops(view, suit)),
        boodle_chips(view, suit),
        i32::from(out_of_reach(view, suit)),
        length(view, suit),
    ]
}

fn lowest_position(view: &View, suit: Suit) -> i32 {
    view.hand().lowest(suit).map_or(13, |card| card.position() as i32)
}

fn length(view: &View, suit: Suit) -> i32 {
    view.hand().lane(suit).count_ones() as i32
}

/// Chips on cells that the viewer's own cards of this suit claim in the play: with a set of cards
/// those that the viewer has played count too. Spaces that went to whoever held the cards are not
/// claimed any more.
fn boodle_chips(view: &View, suit: Suit) -> i32 {
    let held = view.hand() & CardSet::suit(suit);
    let own = held | view.played_by(view.seat());
    let game = view.game();
    let single = held.iter().filter_map(|card| game.cell_claimed_by(card));
    let completed = |set: CardSet| own.is_superset(set) && !(set & held).is_empty();
    let sets = game.sets().filter(|&(_, set)| completed(set)).map(|(cell, _)| cell);
    single.chain(sets).map(|cell| view.layout()[cell]).sum()
}

/// Whether the viewer's own run from the lowest card up ends where nobody can go on.
fn own_run_stops(view: &View, suit: Suit) -> bool {
    let held = view.hand().lane(suit);
    let low = held.trailing_zeros();
    let next = low + (!(held >> low)).trailing_zeros();
    next >= 13 || view.gone().contains(Card::new(suit, next as usize))
}

/// Whether nobody can ever lead up to the viewer's lowest card: the card below is gone.
fn out_of_reach(view: &View, suit: Suit) -> bool {
    view.hand().lowest(suit).is_some_and(|card| {
        card.position() == 0 || view.gone().contains(Card::new(suit, card.position() - 1))
    })
}
