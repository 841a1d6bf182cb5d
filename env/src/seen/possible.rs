//! Whether any deal is consistent with what a seat knows.

use crate::card_set::CardSet;
use crate::rules::{MAX_CHIPS, MAX_PLAYERS, Stage};
use crate::seats::Seats;
use crate::state::{NOBODY, Outcome, Phase};
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

impl View<'_> {
    /// Whether the view can come about: all numbers are within the bounds of the game, and some deal of the
    /// cards is consistent with them. A view that was read from elsewhere may be impossible.
    pub fn is_possible(&self) -> bool {
        self.is_within_bounds() && any_deal(self)
    }

    fn is_within_bounds(&self) -> bool {
        let (game, public, own) = (self.game(), self.public(), self.own());
        let players = game.players();
        let seat = |seat: u8| usize::from(seat) < players || seat == NOBODY;
        let out = match public.outcome {
            Outcome::Out(seat) => seat,
            Outcome::Playing | Outcome::NoWinner => 0,
        };
        let seats = [public.actor, public.bidder, public.exchanger];
        let is_seat = self.seat() < players
            && usize::from(public.dealer) < players
            && public.seats_in.contains(usize::from(public.dealer))
            && (public.seats_in - Seats::first(players)).is_empty()
            && seats.into_iter().chain(public.poker.winner).all(seat)
            && out < players;
        let chips = public.stacks.iter().chain(&public.layout).chain(&public.carried);
        let few = |&chips: &i32| i64::from(chips).abs() <= MAX_CHIPS;
        let mut played = CardSet::EMPTY;
        let apart = (0..MAX_PLAYERS).all(|seat| {
            let more = public.played_by[seat];
            let fits = (played & more).is_empty() && more.len() <= usize::from(public.sizes[seat]);
            played |= more;
            fits
        });
        let all = played | own.hand | own.discard | own.apart | public.knowledge.dead;
        let dealt =
            public.sizes.iter().map(|&size| usize::from(size)).sum::<usize>() + self.dead_size();
        is_seat
            && chips.chain([&public.kitty]).all(few)
            && apart
            && game.pack().is_superset(all)
            && [0, game.pack().len()].contains(&dealt)
            && own.hand.len() == self.hand_size(self.seat())
            && public.leads.is_list()
            && usize::from(public.cursor) <= game.cells()
            && usize::from(public.claims) < game.all_claims().len()
            && (public.phase == Phase::Over
                || [Phase::Deal, Phase::Ante].contains(&public.phase)
                || self.is_dealt())
            && (self.actor().is_some() != [Phase::Deal, Phase::Over].contains(&public.phase))
    }
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
