//! The play in the order of time, as everybody at the table saw it.
//!
//! The public state keeps the suits that were led and the cards that each seat has played, and no order of
//! cards. Both give the order: a leader leads its lowest card of the suit, and a sequence goes on while
//! somebody holds the next card. Who led follows from the stop before, and from the seats that passed.

use crate::card::Card;
use crate::card_set::CardSet;
use crate::event::Why;
use crate::game::Game;
use crate::rules::FirstLead;
use crate::seats::Seats;
use crate::state::{Outcome, PublicState};
use crate::stop;
use crate::view::View;

/// A sequence that was played, from its lead on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sequence {
    /// The seat that led.
    pub leader: usize,
    /// The cards, in the order in which they were played.
    pub cards: CardSet,
    /// Why it stopped; `None` if a seat went out.
    pub stop: Option<Why>,
}

impl View<'_> {
    /// The sequences of the deal so far, in order.
    pub fn sequences(&self) -> impl Iterator<Item = Sequence> {
        let (game, public) = (self.game(), self.public());
        let (mut leads, mut played) = (public.leads.suits(), CardSet::EMPTY);
        let mut last: Option<Card> = None;
        core::iter::from_fn(move || {
            let suit = leads.next()?;
            let leader = match last {
                Some(card) => next_leader(game, public, card, played),
                None => first_leader(game, public),
            }?;
            let first = (public.played_by[leader] - played).lowest(suit)?;
            let later = (public.all_played() - played).bits();
            // The run of cards from the lead up: adding the lead carries to the bit above its last card.
            let cards = CardSet::from_bits(later & !(later + (1 << first.bit())));
            played |= cards;
            last = cards.last();
            let out = matches!(public.outcome, Outcome::Out(_)) && played == public.all_played();
            let stop = last.filter(|_| !out).map(|last| why(game, last, played));
            Some(Sequence { leader, cards, stop })
        })
    }

    /// All cards that have been played, in order, and the seats that played them.
    pub fn plays(&self) -> impl Iterator<Item = (usize, Card)> {
        let public = self.public();
        self.sequences().flat_map(move |sequence| {
            sequence.cards.iter().filter_map(move |card| Some((player_of(public, card)?, card)))
        })
    }

    /// Where and why the sequences have stopped, in order: the seat that played the last card, and that card.
    pub fn stops(&self) -> impl Iterator<Item = (usize, Card, Why)> {
        let public = self.public();
        self.sequences().filter_map(move |sequence| {
            let last = sequence.cards.last()?;
            Some((player_of(public, last)?, last, sequence.stop?))
        })
    }
}

/// Why a sequence stopped at this card, when these cards had been played.
pub(crate) fn why(game: &Game, last: Card, played: CardSet) -> Why {
    match last.above().filter(|next| next.rank().index() < game.rules().ranks) {
        None => Why::Top,
        Some(next) if !game.pack().contains(next) => Why::Removed,
        Some(next) if played.contains(next) => Why::Played,
        Some(_) => Why::Dead,
    }
}

fn player_of(public: &PublicState, card: Card) -> Option<usize> {
    public.played_by.iter().position(|played| played.contains(card))
}

fn first_leader(game: &Game, public: &PublicState) -> Option<usize> {
    let rule = game.rules().first_lead;
    // All cards of the suit below the first lead are dead: it stays the lowest that was played.
    let lowest = match rule {
        FirstLead::LowestOf(suit) => public.all_played().lowest(suit),
        _ => None,
    };
    match (rule, public.poker.winner) {
        (FirstLead::LowestOf(suit), _) if public.leads.suits().next() == Some(suit) => {
            lowest.and_then(|card| player_of(public, card))
        }
        (FirstLead::PokerWinner, Some(winner)) => Some(usize::from(winner)),
        _ => Some(public.eldest()),
    }
}

/// The seat that led after a stop at this card, when these cards had been played.
fn next_leader(game: &Game, public: &PublicState, last: Card, played: CardSet) -> Option<usize> {
    // A seat could lead if a card that it played later, or may still hold, let it. What a seat that passed
    // cannot hold is ruled out.
    let later = |seat: usize| {
        let held = if public.hand_size(seat) > 0 {
            game.pack() - public.all_played() - public.knowledge.ruled_out[seat]
        } else {
            CardSet::EMPTY
        };
        (public.played_by[seat] - played) | held
    };
    let (rule, stopper) = (game.rules().change_suit, player_of(public, last)?);
    let seats_in: Seats = public.seats_in;
    stop::next_leader(rule, seats_in, stopper, last.suit(), later)
}
