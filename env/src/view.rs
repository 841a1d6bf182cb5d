//! What one seat may know: the border that hidden cards do not cross.
//!
//! A fair player gets a [`View`] and nothing else. No method of a view leads back to the [`State`] that
//! it was made from:
//!
//! ```
//! use newmarket_env::{Env, Episode, Game, Rules, Seed};
//! use std::sync::Arc;
//! let game = Arc::new(Game::new(Rules::named("michigan").unwrap(), 4).unwrap());
//! let mut env = Env::new(game, Episode::Deal);
//! env.reset(Seed::new(1));
//! let own = env.observe(env.seat()).hand();
//! assert_eq!(own.len(), 11);
//! ```
//!
//! ```compile_fail
//! use newmarket_env::{Env, Episode, Game, Rules, Seed};
//! use std::sync::Arc;
//! let game = Arc::new(Game::new(Rules::named("michigan").unwrap(), 4).unwrap());
//! let mut env = Env::new(game, Episode::Deal);
//! env.reset(Seed::new(1));
//! let all = env.observe(env.seat()).hands(); // a view has one hand, not all of them
//! assert_eq!(all.dead.len(), 10);
//! ```

use core::fmt;

use crate::action::ActionMask;
use crate::card::Suit;
use crate::card_set::CardSet;
use crate::claims::Claims;
use crate::game::Game;
use crate::inference::{Evidence, Inference};
use crate::knowledge::Knowledge;
use crate::rules::{ChangeSuit, MAX_CELLS, MAX_PLAYERS};
use crate::seats::Seats;
use crate::state::{NOBODY, Outcome, Phase, PublicState, State};
use crate::stop;

/// The cards that only one seat sees.
#[derive(
    Clone, Copy, PartialEq, Eq, Hash, Debug, Default, serde::Serialize, serde::Deserialize,
)]
pub struct OwnCards {
    /// The hand; empty before the deal.
    pub hand: CardSet,
    /// The hand that the seat discarded for the dead hand.
    pub discard: CardSet,
    /// Poker: the cards that the seat has set apart so far.
    pub apart: CardSet,
}

/// What one seat may know of a deal: its own hand, everything that has happened in the open, and the
/// certain facts that follow from both.
///
/// A view borrows the public state, so it costs next to nothing to make. Two views are equal if they
/// show the same.
#[derive(Clone, Copy)]
pub struct View<'a> {
    game: &'a Game,
    public: &'a PublicState,
    seat: usize,
    own: OwnCards,
}

impl State {
    /// What a seat may know.
    #[inline]
    pub fn view<'a>(&'a self, game: &'a Game, seat: usize) -> View<'a> {
        View::new(game, &self.public, seat, self.own_cards(seat))
    }

    /// The cards that only this seat sees.
    #[inline]
    pub fn own_cards(&self, seat: usize) -> OwnCards {
        let took = self.public.exchanger as usize == seat;
        let discard = if took { self.dead } else { CardSet::EMPTY };
        OwnCards { hand: self.hands[seat], discard, apart: self.apart[seat] }
    }
}

impl<'a> View<'a> {
    /// The view of a seat with these cards.
    pub const fn new(game: &'a Game, public: &'a PublicState, seat: usize, own: OwnCards) -> Self {
        Self { game, public, seat, own }
    }

    /// The rules and the table.
    pub const fn game(&self) -> &'a Game {
        self.game
    }

    /// The seat whose view this is.
    pub const fn seat(&self) -> usize {
        self.seat
    }

    /// The seat's own hand; empty before the deal.
    pub const fn hand(&self) -> CardSet {
        self.own.hand
    }

    /// Cards in each seat's hand.
    pub const fn hand_size(&self, seat: usize) -> usize {
        self.public.hand_size(seat)
    }

    /// Cards in the dead hand.
    pub const fn dead_size(&self) -> usize {
        self.public.dead_size as usize
    }

    /// All cards played so far.
    pub fn played(&self) -> CardSet {
        self.public.all_played()
    }

    /// The cards that a seat has played.
    pub const fn played_by(&self, seat: usize) -> CardSet {
        self.public.played_by[seat]
    }

    /// Cards that are known to be in the dead hand, by stops or by this seat's own discard.
    pub fn known_dead(&self) -> CardSet {
        self.public.knowledge.dead | self.own.discard | self.dead_before_lead()
    }

    /// Cards that the seat knows to be dead before its lead shows it to the others: if it must lead the
    /// colour that stopped, nobody has a card of the other colour.
    fn dead_before_lead(&self) -> CardSet {
        if self.game.rules().change_suit == ChangeSuit::OtherColour
            && self.public.actor as usize == self.seat
            && let (Phase::Lead, Some(stopped)) = (self.public.phase, self.public.stopped)
            && !stop::holds_other_colour(self.own.hand, stopped)
        {
            let [a, b] = stopped.other_colour().map(CardSet::suit);
            (self.game.pack() - self.played()) & (a | b)
        } else {
            CardSet::EMPTY
        }
    }

    /// Cards that a seat may hold, by its own actions alone; for the viewer, its hand. [`View::infer`]
    /// combines them with the sizes of all hands.
    pub fn possible(&self, seat: usize) -> CardSet {
        if seat == self.seat {
            return self.hand();
        }
        (self.hidden() - self.public.knowledge.ruled_out[seat]) | self.shown(seat)
    }

    /// Cards that another seat has shown and still holds.
    pub fn shown(&self, seat: usize) -> CardSet {
        self.evidence().shown(seat)
    }

    /// Cards that any other seat has shown and still holds.
    pub fn all_shown(&self) -> CardSet {
        self.evidence().all_shown()
    }

    /// The facts from which the viewer can draw conclusions, once the cards are dealt.
    #[inline]
    pub(crate) fn evidence(&self) -> Evidence<'a> {
        let PublicState { played_by, knowledge, sizes, dead_size, outcome, .. } = self.public;
        // Only stages before the play show cards of a hand.
        let tells = !self.game.rules().stages.is_empty();
        Evidence {
            seat: self.seat,
            players: self.game.players(),
            pack: self.game.pack(),
            hand: self.own.hand,
            known_dead: self.known_dead(),
            dead_size: *dead_size as usize,
            played_by,
            held: tells.then_some(&knowledge.held),
            ruled_out: &knowledge.ruled_out,
            sizes,
            out: match *outcome {
                Outcome::Out(seat) => Some(seat),
                Outcome::Playing | Outcome::NoWinner => None,
            },
        }
    }

    /// What follows with certainty from facts about single cards and from the sizes of all hands. It equals
    /// [`View::infer`] in all games but those in which cells are collected before the play: there it
    /// ignores facts about sets of cards, and is many times faster.
    pub fn infer_apart(&self) -> Inference {
        if self.is_dealt() {
            return self.evidence().infer();
        }
        let mut possible = [CardSet::EMPTY; MAX_PLAYERS];
        for seat in self.seats_in().iter() {
            possible[seat] = self.game.pack();
        }
        Inference::from_possible(possible, self.game.pack())
    }

    /// Cards whose place this seat has not seen.
    pub fn hidden(&self) -> CardSet {
        self.game.pack() - self.hand() - self.played() - self.known_dead() - self.all_shown()
    }

    /// Cards that cannot be played: already played, dead, or not in the pack.
    pub fn gone(&self) -> CardSet {
        !self.game.pack() | self.played() | self.known_dead()
    }

    /// The public facts about hidden cards.
    pub const fn record(&self) -> &'a Knowledge {
        &self.public.knowledge
    }

    /// Cards that another seat cannot hold, by its own actions.
    pub(crate) const fn ruled_out(&self, seat: usize) -> CardSet {
        self.public.knowledge.ruled_out[seat]
    }

    /// Whether the cards have been dealt.
    pub const fn is_dealt(&self) -> bool {
        self.public.is_dealt()
    }

    /// Calls `look` with the view as if the seat had been dealt its hand and had made no exchange: the
    /// place of its discard is unknown. What the play proves of the dead hand stays known.
    pub fn without_discard<T>(&self, look: impl FnOnce(&View) -> T) -> T {
        let mut public = *self.public;
        if self.exchanger() == Some(self.seat) {
            public.exchanger = NOBODY;
        }
        let own = OwnCards { discard: CardSet::EMPTY, ..self.own };
        look(&View::new(self.game, &public, self.seat, own))
    }

    /// The part that every seat sees.
    pub const fn public(&self) -> &'a PublicState {
        self.public
    }

    /// The cards that only this seat sees.
    pub const fn own(&self) -> &OwnCards {
        &self.own
    }

    /// Chips of a seat; a score if [`View::credit`] is true.
    pub const fn stack(&self, seat: usize) -> i32 {
        self.public.stacks[seat]
    }

    /// Chips on each cell of the layout, `[cells]`.
    pub fn layout(&self) -> &'a [i32] {
        self.game.cells_of(&self.public.layout)
    }

    /// Which cards take which cells in this deal.
    pub fn claims(&self) -> &'a Claims {
        self.game.claims(self.public.claims)
    }

    /// Chips in the kitty.
    pub const fn kitty(&self) -> i32 {
        self.public.kitty
    }

    /// Chips that a seat put on a cell in this deal.
    pub fn staked(&self, seat: usize, cell: usize) -> i32 {
        i32::from(self.public.staked[seat][cell])
    }

    /// What the deal waits for.
    pub const fn phase(&self) -> Phase {
        self.public.phase
    }

    /// How the deal ended, or that it has not.
    pub const fn outcome(&self) -> Outcome {
        self.public.outcome
    }

    /// The seats that play this deal.
    pub const fn seats_in(&self) -> Seats {
        self.public.seats_in
    }

    /// The seat that deals.
    pub const fn dealer(&self) -> usize {
        self.public.dealer as usize
    }

    /// The seat to the dealer's left.
    pub fn eldest(&self) -> usize {
        self.public.eldest()
    }

    /// The seat to act; none before the deal and at the end.
    pub fn actor(&self) -> Option<usize> {
        self.public.actor()
    }

    /// Whether stacks are a score rather than chips that can run out.
    pub const fn credit(&self) -> bool {
        self.public.credit
    }

    /// Deals of the session after this one, unless a bust ends it, capped at 254. `None` for a single
    /// deal.
    pub fn deals_left(&self) -> Option<u32> {
        u32::from(self.public.deals).checked_sub(1)
    }

    /// The number of the deal in its session, from 1. `None` for a single deal, and while so many deals are
    /// left that [`View::deals_left`] is capped.
    pub fn deal_number(&self) -> Option<u32> {
        let (left, all) = (self.deals_left()?, self.game.rules().session.deals);
        let capped = left == 254 && all > 255;
        all.checked_sub(left).filter(|_| !capped)
    }

    /// Ante: chips that the actor must still place.
    pub const fn chips_left(&self) -> usize {
        self.public.chips_left as usize
    }

    /// Ante: the first cell on which the actor may still place a chip.
    pub const fn cursor(&self) -> usize {
        self.public.cursor as usize
    }

    /// Dead hand: its price for the seat to act, in chips; 0 at all other times.
    pub fn price(&self) -> i32 {
        self.public.price(self.game())
    }

    /// Auction: the highest bid, 0 before the first.
    pub fn bid(&self) -> i32 {
        i32::from(self.public.bid)
    }

    /// Auction: the seat that made the highest bid.
    pub fn bidder(&self) -> Option<usize> {
        someone(self.public.bidder)
    }

    /// Auction: the seats that have passed.
    pub const fn passed(&self) -> Seats {
        self.public.passed
    }

    /// The seat that took the dead hand.
    pub fn exchanger(&self) -> Option<usize> {
        someone(self.public.exchanger)
    }

    /// Poker: the cards that this seat has set apart so far. The others do not know them before a
    /// showdown.
    pub const fn apart(&self) -> CardSet {
        self.own.apart
    }

    /// Poker: the highest bet, 0 before the first.
    pub fn bet(&self) -> i32 {
        i32::from(self.public.poker.bet)
    }

    /// Poker: chips that a seat has put into the pot by betting.
    pub fn put(&self, seat: usize) -> i32 {
        i32::from(self.public.poker.put[seat])
    }

    /// Poker: raises so far, of all seats together.
    pub const fn raises(&self) -> usize {
        self.public.poker.raises as usize
    }

    /// Poker: the seats that have folded.
    pub const fn folded(&self) -> Seats {
        self.public.poker.folded
    }

    /// Poker: the five cards that a seat has shown; empty if it has shown none.
    pub const fn shown_five(&self, seat: usize) -> CardSet {
        self.public.poker.shown[seat]
    }

    /// The suit that stopped last.
    pub const fn stopped(&self) -> Option<Suit> {
        self.public.stopped
    }

    /// The seat's legal actions; none if another seat is to act.
    pub fn legal(&self) -> ActionMask {
        if self.public.actor as usize == self.seat {
            self.public.legal(self.game, self.own.hand, self.own.apart)
        } else {
            ActionMask::NONE
        }
    }

    /// The seats of the table, going left from the viewer, which is relative seat 0.
    pub fn relative_seats(&self) -> impl Iterator<Item = usize> + use<> {
        let (seat, players) = (self.seat, self.game.players());
        (0..players).map(move |k| (seat + k) % players)
    }

    /// Everything that the view shows, in one value.
    fn shows(&self) -> Shows {
        Shows {
            seat: self.seat,
            hand: self.hand(),
            hand_sizes: core::array::from_fn(|seat| self.hand_size(seat)),
            dead_size: self.dead_size(),
            played_by: self.public.played_by,
            known_dead: self.known_dead(),
            record: *self.record(),
            chips: (self.public.stacks, self.public.layout, self.kitty(), self.credit()),
            staked: self.public.staked,
            phase: (self.phase(), self.outcome(), self.actor(), self.legal()),
            seats: (self.seats_in(), self.dealer()),
            ante: (self.chips_left(), self.cursor()),
            dead_hand: (self.bid(), self.bidder(), self.passed(), self.exchanger()),
            poker: (self.apart(), self.bet(), self.raises(), self.folded()),
            put: self.public.poker.put,
            stopped: self.stopped(),
        }
    }
}

fn someone(seat: u8) -> Option<usize> {
    (seat < NOBODY).then_some(seat as usize)
}

/// Everything that a view shows, to compare and to print.
#[derive(PartialEq, Debug)]
struct Shows {
    seat: usize,
    hand: CardSet,
    hand_sizes: [usize; MAX_PLAYERS],
    dead_size: usize,
    played_by: [CardSet; MAX_PLAYERS],
    known_dead: CardSet,
    record: Knowledge,
    chips: ([i32; MAX_PLAYERS], [i32; MAX_CELLS], i32, bool),
    staked: [[i16; MAX_CELLS]; MAX_PLAYERS],
    phase: (Phase, Outcome, Option<usize>, ActionMask),
    seats: (Seats, usize),
    ante: (usize, usize),
    dead_hand: (i32, Option<usize>, Seats, Option<usize>),
    poker: (CardSet, i32, usize, Seats),
    put: [u16; MAX_PLAYERS],
    stopped: Option<Suit>,
}

impl PartialEq for View<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.game == other.game && self.shows() == other.shows()
    }
}

impl fmt::Debug for View<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.shows().fmt(f)
    }
}
