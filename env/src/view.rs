//! What one seat may know: the border that hidden cards do not cross.
//!
//! Fair players are given a [`View`] and nothing else. There is no way from a view back to the
//! [`State`] that it was made from:
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

/// The cards that one seat sees besides what everybody does.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct OwnCards {
    /// The hand; empty before the deal.
    pub hand: CardSet,
    /// The hand that the seat discarded for the dead hand.
    pub discard: CardSet,
    /// Poker: the cards of the hand that the seat has set apart so far.
    pub apart: CardSet,
}

/// What one seat may know of a deal: its own hand, everything that has happened in the open, and
/// the hard facts that follow from both.
///
/// It looks through to the public state, so it costs next to nothing to make; two views are equal
/// if they show the same.
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

    /// The cards that a seat sees besides what everybody does.
    #[inline]
    pub fn own_cards(&self, seat: usize) -> OwnCards {
        let took = self.public.exchanger as usize == seat;
        let discard = if took { self.dead } else { CardSet::EMPTY };
        OwnCards { hand: self.hands[seat], discard, apart: self.apart[seat] }
    }
}

impl<'a> View<'a> {
    /// What a seat with these cards may know.
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

    /// Cards that are in the dead hand, as stops have proven or as this seat's own discard shows.
    pub fn known_dead(&self) -> CardSet {
        self.public.knowledge.dead | self.own.discard | self.dead_before_lead()
    }

    /// Cards that the seat knows to be dead before its lead shows it to the others: a leader that
    /// must lead the colour that stopped does so because nobody has the other.
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

    /// Cards that a seat may hold, as far as what it did itself tells; for the viewer, its hand.
    /// What follows from the sizes of all hands together is in [`View::infer`].
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

    /// What the viewer can draw conclusions from, once the cards are dealt.
    #[inline]
    pub(crate) fn evidence(&self) -> Evidence<'a> {
        let PublicState { played_by, knowledge, sizes, dead_size, outcome, .. } = self.public;
        // Only the stages before the play make anybody show a card.
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

    /// What follows with certainty from facts about one card and one seat each, and the sizes of
    /// all hands: the same as [`View::infer`], but where cells are collected before the play.
    /// There, sets of cards that somebody holds, or does not, are left out of account; with them
    /// it takes some 10 or 20 µs, without a fraction of one.
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

    /// Cards of which this seat has not seen where they are.
    pub fn hidden(&self) -> CardSet {
        self.game.pack() - self.hand() - self.played() - self.known_dead() - self.all_shown()
    }

    /// Cards that cannot be played any more or never could: played, dead, or not in the pack.
    pub fn gone(&self) -> CardSet {
        !self.game.pack() | self.played() | self.known_dead()
    }

    /// What every seat has been shown of hidden cards.
    pub const fn record(&self) -> &'a Knowledge {
        &self.public.knowledge
    }

    /// Cards that another seat cannot hold, as what it did itself shows.
    pub(crate) const fn ruled_out(&self, seat: usize) -> CardSet {
        self.public.knowledge.ruled_out[seat]
    }

    /// Whether the cards have been dealt.
    pub const fn is_dealt(&self) -> bool {
        self.public.is_dealt()
    }

    /// The view without the seat's exchange: the hand as if it had been dealt, the place of its
    /// discard unknown. What the play proves of the dead hand stays known.
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

    /// The cards that nobody else sees.
    pub const fn own(&self) -> &OwnCards {
        &self.own
    }

    /// Chips of a seat; a score, where [`View::credit`] says so.
    pub const fn stack(&self, seat: usize) -> i32 {
        self.public.stacks[seat]
    }

    /// Chips on each cell of the layout.
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

    /// Chips that a seat put on a cell before this deal.
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

    /// Deals of the session that follow this one, as far as nobody is bust; more than 254 are told as
    /// 254. `None` for a deal on its own.
    pub fn deals_left(&self) -> Option<u32> {
        u32::from(self.public.deals).checked_sub(1)
    }

    /// Ante: chips that the actor has still to place.
    pub const fn chips_left(&self) -> usize {
        self.public.chips_left as usize
    }

    /// Ante: the first cell on which the actor may still place a chip.
    pub const fn cursor(&self) -> usize {
        self.public.cursor as usize
    }

    /// Dead hand: chips that it costs the seat that is asked; 0 at all other times.
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

    /// Poker: the cards that this seat has set apart so far. Nobody else knows them before a
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

    /// The suit that stopped last.
    pub const fn stopped(&self) -> Option<Suit> {
        self.public.stopped
    }

    /// The seat's choices; none if it is not to act.
    pub fn legal(&self) -> ActionMask {
        if self.public.actor as usize == self.seat {
            self.public.legal(self.game, self.own.hand, self.own.apart)
        } else {
            ActionMask::NONE
        }
    }

    /// The seats of the table from this one round to the left: relative seat 0 is the viewer.
    pub fn relative_seats(&self) -> impl Iterator<Item = usize> + use<> {
        let (seat, players) = (self.seat, self.game.players());
        (0..players).map(move |k| (seat + k) % players)
    }

    /// All that it shows, in one value.
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

/// What a view shows, to compare and to print.
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
