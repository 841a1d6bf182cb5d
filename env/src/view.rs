//! What one seat may know: the border that hidden cards do not cross.
//!
//! Agents are given a [`View`] and nothing else. There is no way from a view back to the
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

use crate::action::Legal;
use crate::card::Suit;
use crate::card_set::CardSet;
use crate::game::Game;
use crate::knowledge::Knowledge;
use crate::rules::{MAX_CELLS, MAX_PLAYERS};
use crate::standing::Seats;
use crate::state::{NOBODY, Outcome, Phase, State};

/// What one seat may know of a deal: its own hand, everything that has happened in the open, and
/// the hard facts that follow from both.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct View<'g> {
    game: &'g Game,
    seat: usize,
    hand: CardSet,
    hand_sizes: [u8; MAX_PLAYERS],
    played_by: [CardSet; MAX_PLAYERS],
    played: CardSet,
    knowledge: Knowledge,
    stacks: [i32; MAX_PLAYERS],
    layout: [i32; MAX_CELLS],
    kitty: i32,
    staked: [[u16; MAX_CELLS]; MAX_PLAYERS],
    phase: Phase,
    outcome: Outcome,
    seats_in: Seats,
    dealer: usize,
    actor: Option<usize>,
    credit: bool,
    chips_left: u16,
    cursor: u8,
    bid: u16,
    bidder: Option<usize>,
    passed: Seats,
    exchanger: Option<usize>,
    apart: CardSet,
    put: [u16; MAX_PLAYERS],
    bet: u16,
    raises: u8,
    folded: Seats,
    stopped: Option<Suit>,
    legal: Legal,
}

impl State {
    /// What a seat may know.
    ///
    /// # Panics
    /// If there is no such seat.
    pub fn view<'g>(&self, game: &'g Game, seat: usize) -> View<'g> {
        let someone = |seat: u8| (seat < NOBODY).then_some(seat as usize);
        let mut knowledge = self.knowledge;
        if self.exchanger as usize == seat {
            // The dead hand is this seat's own discard.
            knowledge.dead |= self.dead;
        }
        if self.actor as usize == seat {
            self.learn_before_lead(game, &mut knowledge);
        }
        View {
            game,
            seat,
            hand: self.hands[seat],
            hand_sizes: self.hands.map(|hand| hand.len() as u8),
            played_by: self.played_by,
            played: self.all_played(),
            knowledge,
            stacks: self.stacks,
            layout: self.layout,
            kitty: self.kitty,
            staked: self.staked,
            phase: self.phase,
            outcome: self.outcome,
            seats_in: self.seats_in,
            dealer: self.dealer as usize,
            actor: self.actor(),
            credit: self.credit,
            chips_left: self.chips_left,
            cursor: self.cursor,
            bid: self.bid,
            bidder: someone(self.bidder),
            passed: self.passed,
            exchanger: someone(self.exchanger),
            apart: self.poker.apart[seat],
            put: self.poker.put,
            bet: self.poker.bet,
            raises: self.poker.raises,
            folded: self.poker.folded,
            stopped: self.stopped,
            legal: if self.actor as usize == seat { self.legal(game) } else { Legal::NONE },
        }
    }
}

impl<'g> View<'g> {
    /// The rules and the table.
    pub fn game(&self) -> &'g Game {
        self.game
    }

    /// Whose view this is.
    pub fn seat(&self) -> usize {
        self.seat
    }

    /// The seat's own hand; empty before the deal.
    pub fn hand(&self) -> CardSet {
        self.hand
    }

    /// Cards in each seat's hand.
    pub fn hand_size(&self, seat: usize) -> usize {
        self.hand_sizes[seat] as usize
    }

    /// All cards played so far.
    pub fn played(&self) -> CardSet {
        self.played
    }

    /// The cards that a seat has played.
    pub fn played_by(&self, seat: usize) -> CardSet {
        self.played_by[seat]
    }

    /// Cards that are certainly in the dead hand: proven by stops, or this seat's own discard.
    pub fn known_dead(&self) -> CardSet {
        self.knowledge.dead
    }

    /// Cards that a seat may hold, as far as the record tells; for the seat itself, its hand.
    pub fn possible(&self, seat: usize) -> CardSet {
        if seat == self.seat {
            return self.hand;
        }
        (self.hidden() - self.knowledge.ruled_out[seat]) | self.shown(seat)
    }

    /// Cards that another seat has shown and still holds.
    pub fn shown(&self, seat: usize) -> CardSet {
        if seat == self.seat { CardSet::EMPTY } else { self.knowledge.held[seat] - self.played }
    }

    /// Cards that any other seat has shown and still holds.
    pub fn all_shown(&self) -> CardSet {
        let seats = 0..self.game.players();
        seats.fold(CardSet::EMPTY, |all, seat| all | self.shown(seat))
    }

    /// Cards of which this seat does not know where they are.
    pub fn hidden(&self) -> CardSet {
        self.game.pack() - self.hand - self.played - self.knowledge.dead - self.all_shown()
    }

    /// Cards that cannot be played any more or never could: played, dead, or not in the pack.
    pub fn gone(&self) -> CardSet {
        !self.game.pack() | self.played | self.knowledge.dead
    }

    /// Chips of a seat.
    pub fn stack(&self, seat: usize) -> i32 {
        self.stacks[seat]
    }

    /// Chips on each cell of the layout.
    pub fn layout(&self) -> &[i32] {
        self.game.cells_of(&self.layout)
    }

    /// Chips in the kitty.
    pub fn kitty(&self) -> i32 {
        self.kitty
    }

    /// Chips that a seat put on a cell before this deal.
    pub fn staked(&self, seat: usize, cell: usize) -> i32 {
        i32::from(self.staked[seat][cell])
    }

    /// What the deal waits for.
    pub fn phase(&self) -> Phase {
        self.phase
    }

    /// How the deal ended.
    pub fn outcome(&self) -> Outcome {
        self.outcome
    }

    /// Who plays.
    pub fn seats_in(&self) -> Seats {
        self.seats_in
    }

    /// Who deals.
    pub fn dealer(&self) -> usize {
        self.dealer
    }

    /// Who is to act.
    pub fn actor(&self) -> Option<usize> {
        self.actor
    }

    /// Whether stacks are a score rather than chips that can run out.
    pub fn credit(&self) -> bool {
        self.credit
    }

    /// Ante: chips that the actor has still to place.
    pub fn chips_left(&self) -> usize {
        self.chips_left as usize
    }

    /// Ante: the first cell on which the actor may still place a chip.
    pub fn cursor(&self) -> usize {
        self.cursor as usize
    }

    /// Auction: the highest bid, 0 before the first.
    pub fn bid(&self) -> i32 {
        i32::from(self.bid)
    }

    /// Auction: who made the highest bid.
    pub fn bidder(&self) -> Option<usize> {
        self.bidder
    }

    /// Auction: who has passed.
    pub fn passed(&self) -> Seats {
        self.passed
    }

    /// Who took the dead hand.
    pub fn exchanger(&self) -> Option<usize> {
        self.exchanger
    }

    /// Poker: the cards that this seat has set apart so far. Nobody else knows them before a
    /// showdown.
    pub fn apart(&self) -> CardSet {
        self.apart
    }

    /// Poker: the highest bet, 0 before the first.
    pub fn bet(&self) -> i32 {
        i32::from(self.bet)
    }

    /// Poker: chips that a seat has put into the pot by betting.
    pub fn put(&self, seat: usize) -> i32 {
        i32::from(self.put[seat])
    }

    /// Poker: raises so far.
    pub fn raises(&self) -> usize {
        self.raises as usize
    }

    /// Poker: who has folded.
    pub fn folded(&self) -> Seats {
        self.folded
    }

    /// The suit that stopped last.
    pub fn stopped(&self) -> Option<Suit> {
        self.stopped
    }

    /// The seat's choices; none if it is not to act.
    pub fn legal(&self) -> Legal {
        self.legal
    }

    /// The seats of the table from this one round to the left: relative seat 0 is the viewer.
    pub fn relative_seats(&self) -> impl Iterator<Item = usize> + use<> {
        let (seat, players) = (self.seat, self.game.players());
        (0..players).map(move |k| (seat + k) % players)
    }
}
