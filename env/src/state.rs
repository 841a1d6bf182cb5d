//! One deal in progress: the engine.
//!
//! A [`State`] is plain data of a few hundred bytes, `Copy`, without heap. It knows nothing of
//! its rules; every call is given the [`Game`]. Decisions come in through [`State::apply`], the
//! cards through [`State::deal`]; everything else in the rules follows at once, so a state always
//! stands at a decision, before the deal, or at the end.

mod ante;
mod collect;
mod dead_hand;
mod play;
mod poker;
mod settle;
mod stages;

use crate::action::{Action, ActionMask};
use crate::card::Suit;
use crate::card_set::CardSet;
use crate::claims::Claims;
use crate::deal_start::{DealStart, Seats};
use crate::game::{Game, Hands};
use crate::knowledge::Knowledge;
use crate::rules::{MAX_CELLS, MAX_PLAYERS, Timing};
pub(crate) use poker::Poker;

/// What the deal waits for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Phase {
    /// A seat places its next chip on the layout.
    Ante,
    /// The cards, see [`State::deal`].
    Deal,
    /// A seat may take the dead hand.
    DeadHand,
    /// A seat may bid for the dead hand.
    Auction,
    /// A seat chooses the next of its five cards for poker.
    SetApart,
    /// A seat checks, bets, calls, raises or folds.
    Bet,
    /// A seat chooses the suit of its lead.
    Lead,
    /// Nothing: the deal is over.
    Over,
}

/// How a deal ended, or that it has not.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Outcome {
    /// It goes on.
    Playing,
    /// This seat played its last card.
    Out(usize),
    /// Nobody could lead.
    NoWinner,
}

/// An action that the rules do not allow. The state is as it was.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum IllegalAction {
    /// A decision is due, and this is none of its choices.
    #[error("seat {seat} may not {action}: legal are {legal}")]
    NotAllowed {
        /// Who was to act.
        seat: usize,
        /// What was tried.
        action: Action,
        /// What would have been legal.
        legal: ActionMask,
    },
    /// No decision is due.
    #[error("nobody may {action}: {}", match .phase {
        Phase::Over => "the deal is over",
        _ => "the cards are not dealt yet",
    })]
    NotDue {
        /// What was tried.
        action: Action,
        /// What the deal waits for instead.
        phase: Phase,
    },
}

/// No seat, in fields that hold one.
pub(crate) const NOBODY: u8 = MAX_PLAYERS as u8;

/// One deal in progress.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct State {
    pub(crate) hands: [CardSet; MAX_PLAYERS],
    pub(crate) dead: CardSet,
    /// All cards in the hands.
    pub(crate) live: CardSet,
    pub(crate) played_by: [CardSet; MAX_PLAYERS],
    pub(crate) knowledge: Knowledge,
    pub(crate) stacks: [i32; MAX_PLAYERS],
    pub(crate) layout: [i32; MAX_CELLS],
    pub(crate) kitty: i32,
    /// Chips that each seat put on each cell before this deal.
    pub(crate) staked: [[u16; MAX_CELLS]; MAX_PLAYERS],
    pub(crate) phase: Phase,
    pub(crate) outcome: Outcome,
    pub(crate) seats_in: Seats,
    pub(crate) dealer: u8,
    /// Who is to act.
    pub(crate) actor: u8,
    pub(crate) credit: bool,
    /// Ante: chips still to place, and the first cell that may take one.
    pub(crate) chips_left: u16,
    pub(crate) cursor: u8,
    /// Auction: the highest bid and who made it; who has passed.
    pub(crate) bid: u16,
    pub(crate) bidder: u8,
    pub(crate) passed: Seats,
    /// Who took the dead hand.
    pub(crate) exchanger: u8,
    pub(crate) poker: Poker,
    /// Which of the game's tables of claims is in force.
    pub(crate) claims: u8,
    /// The suit that stopped last.
    pub(crate) stopped: Option<Suit>,
    /// Suits that the actor may lead, one bit each.
    pub(crate) may_lead: u8,
}

impl State {
    /// Begins a deal: pays what is to be paid without a decision, and stops at the first
    /// decision or before the cards.
    #[expect(clippy::inline_always, reason = "written where it is wanted, not copied there")]
    #[inline(always)]
    pub fn new(game: &Game, deal_start: &DealStart) -> Self {
        let mut state = Self::blank(deal_start);
        state.begin(game);
        state
    }

    /// A deal of which nothing has happened.
    #[expect(clippy::inline_always, reason = "written where it is wanted, not copied there")]
    #[inline(always)]
    pub(crate) fn blank(deal_start: &DealStart) -> Self {
        Self {
            hands: [CardSet::EMPTY; MAX_PLAYERS],
            dead: CardSet::EMPTY,
            live: CardSet::EMPTY,
            played_by: [CardSet::EMPTY; MAX_PLAYERS],
            knowledge: Knowledge::default(),
            stacks: deal_start.stacks,
            layout: deal_start.layout,
            kitty: deal_start.kitty,
            staked: [[0; MAX_CELLS]; MAX_PLAYERS],
            phase: Phase::Deal,
            outcome: Outcome::Playing,
            seats_in: deal_start.seats_in,
            dealer: deal_start.dealer as u8,
            actor: NOBODY,
            credit: deal_start.credit,
            chips_left: 0,
            cursor: 0,
            bid: 0,
            bidder: NOBODY,
            passed: Seats::default(),
            exchanger: NOBODY,
            poker: Poker::default(),
            claims: 0,
            stopped: None,
            may_lead: 0,
        }
    }

    /// The first step of a blank deal.
    pub(crate) fn begin(&mut self, game: &Game) {
        if game.rules().timing == Timing::BeforeDeal {
            self.begin_antes(game);
        }
    }

    /// Gives out the cards: the hands and the dead hand are the whole pack.
    ///
    /// # Panics
    /// In debug builds, if the deal is not waiting for them.
    pub fn deal(&mut self, game: &Game, hands: &Hands) {
        debug_assert_eq!(self.phase, Phase::Deal);
        self.hands = hands.seats;
        self.dead = hands.dead;
        match game.rules().timing {
            Timing::BeforeDeal => self.begin_dead_hand(game),
            Timing::AfterLook => self.begin_antes(game),
        }
    }

    /// The choices of whoever is to act; none before the deal and at the end.
    #[inline]
    pub fn legal(&self, game: &Game) -> ActionMask {
        match self.phase {
            Phase::Lead => ActionMask::leads(u32::from(self.may_lead)),
            Phase::Ante => self.legal_chips(game),
            _ => self.legal_elsewhere(game),
        }
    }

    /// What is not asked in every deal of every game, kept out of the way of what is.
    #[inline(never)]
    fn legal_elsewhere(&self, game: &Game) -> ActionMask {
        match self.phase {
            Phase::DeadHand => self.legal_dead_hand(game),
            Phase::Auction => self.legal_bids(),
            Phase::SetApart => self.legal_picks(),
            Phase::Bet => self.legal_bets(),
            _ => ActionMask::NONE,
        }
    }

    /// Takes a decision.
    ///
    /// # Errors
    /// If the action is not legal; the state is then as it was.
    pub fn apply(&mut self, game: &Game, action: Action) -> Result<(), IllegalAction> {
        let legal = self.legal(game);
        if legal.contains(action) {
            self.apply_unchecked(game, action);
            Ok(())
        } else if legal.is_empty() {
            Err(IllegalAction::NotDue { action, phase: self.phase })
        } else {
            Err(IllegalAction::NotAllowed { seat: self.actor as usize, action, legal })
        }
    }

    /// Takes a decision that is known to be one of [`State::legal`]. Another one leaves a state
    /// that means nothing.
    #[inline]
    pub fn apply_unchecked(&mut self, game: &Game, action: Action) {
        match self.phase {
            Phase::Lead => self.lead(game, Suit::from_index(action.index())),
            Phase::Ante => self.place_chip(game, action.cell().unwrap_or(0)),
            _ => self.apply_elsewhere(game, action),
        }
    }

    #[inline(never)]
    fn apply_elsewhere(&mut self, game: &Game, action: Action) {
        match self.phase {
            Phase::DeadHand => self.answer_dead_hand(game, action),
            Phase::Auction => self.answer_auction(game, action),
            Phase::SetApart => self.set_apart(action.card()),
            Phase::Bet => self.answer_bet(game, action),
            _ => {}
        }
    }

    /// What the deal waits for.
    #[inline]
    pub fn phase(&self) -> Phase {
        self.phase
    }

    /// How the deal ended.
    pub fn outcome(&self) -> Outcome {
        self.outcome
    }

    /// Whether the deal is over.
    #[inline]
    pub fn is_over(&self) -> bool {
        self.phase == Phase::Over
    }

    /// The seat that is to act, if a decision is due.
    #[inline]
    pub fn actor(&self) -> Option<usize> {
        (self.actor < NOBODY).then_some(self.actor as usize)
    }

    /// Chips of each seat; a seat's payoff is what this gains over the deal.
    pub fn stacks(&self) -> &[i32; MAX_PLAYERS] {
        &self.stacks
    }

    /// Chips on each cell.
    pub fn layout(&self) -> &[i32; MAX_CELLS] {
        &self.layout
    }

    /// Chips in the kitty.
    pub fn kitty(&self) -> i32 {
        self.kitty
    }

    /// Who deals.
    pub fn dealer(&self) -> usize {
        self.dealer as usize
    }

    /// Who plays.
    pub fn seats_in(&self) -> Seats {
        self.seats_in
    }

    /// All hands: the truth, which no player sees. Players see a [`View`](crate::View).
    pub fn hands(&self) -> Hands {
        Hands { seats: self.hands, dead: self.dead }
    }

    /// Which cards take which cells in this deal.
    pub fn claims<'g>(&self, game: &'g Game) -> &'g Claims {
        game.claims(self.claims)
    }

    /// The seat to the dealer's left.
    pub(crate) fn eldest(&self) -> usize {
        self.seats_in.left_of(self.dealer as usize)
    }

    /// Whether a seat can pay so many chips.
    fn can_pay(&self, seat: usize, chips: i32) -> bool {
        self.credit || self.stacks[seat] >= chips
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_is_small() {
        assert!(size_of::<State>() <= 640, "{}", size_of::<State>());
    }
}
