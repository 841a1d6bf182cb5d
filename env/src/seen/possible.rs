//! Whether any deal is consistent with what a seat knows.

use crate::card_set::CardSet;
use crate::rules::{MAX_PLAYERS, Stage};
use crate::view::View;
use crate::worlds::Worlds;

/// Whether any deal of the cards is consistent with the view: each card is in one place, no hand has a
/// card that it cannot have, and there are enough cards for every hand.
pub(super) fn any_deal(view: &View) -> bool {
    if !view.is_dealt() {
        return true;
    }
    let (hand, played, dead) = (view.hand(), view.played(), view.known_dead());
    let apart = (hand & played).is_empty() && ((hand | played) & dead).is_empty();
    if !apart || !(hand & view.ruled_out(view.seat())).is_empty() || dead.len() > view.dead_size() {
        return false;
    }
    let mut taken = hand | played | dead;
    for seat in others(view) {
        let shown = view.shown(seat);
        let possible = (shown & (taken | view.ruled_out(seat))).is_empty();
        if !possible || shown.len() > view.hand_size(seat) {
            return false;
        }
        taken |= shown;
    }
    hands_can_be_filled(view) && (!view.game().rules().has(Stage::Collect) || Worlds::exist(view))
}

fn others(view: &View) -> impl Iterator<Item = usize> + use<> {
    let own = view.seat();
    (0..view.game().players()).filter(move |&seat| seat != own)
}

/// By Hall's theorem (1935) they can if every group of seats can hold as many cards as it does. The
/// dead hand takes whatever is left.
fn hands_can_be_filled(view: &View) -> bool {
    let hidden = view.hidden();
    let mut holders = [(CardSet::EMPTY, 0); MAX_PLAYERS];
    let mut count = 0;
    for seat in others(view) {
        let room = view.hand_size(seat) - view.shown(seat).len();
        if room > 0 {
            holders[count] = (hidden - view.ruled_out(seat), room);
            count += 1;
        }
    }
    groups(&holders[..count], CardSet::EMPTY, 0)
}

fn groups(holders: &[(CardSet, usize)], union: CardSet, room: usize) -> bool {
    let Some((&(possible, more), others)) = holders.split_first() else {
        return union.len() >= room;
    };
    groups(others, union, room) && groups(others, union | possible, room + more)
}
