//! One deal in progress: the engine.
//!
//! A [`State`] is plain data of a few hundred bytes, `Copy`, without heap. It does not contain its
//! rules; every call takes the [`Game`]. [`State::apply`] takes decisions and [`State::deal`] takes the
//! cards. Everything else in the rules follows at once, so a state always waits for a decision, for the
//! cards, or is over.

mod ante;
mod collect;
mod dead_hand;
mod history;
mod phase;
mod play;
mod poker;
mod public;
mod settle;
mod stages;

use crate::action::{Action, ActionMask};
use crate::card::Suit;
use crate::card_set::CardSet;
use crate::claims::Claims;
use crate::deal_start::DealStart;
use crate::game::{Game, Hands};
use crate::rules::{MAX_CELLS, MAX_PLAYERS, Timing};
use crate::seats::Seats;
pub(crate) use phase::NOBODY;
pub use phase::{IllegalAction, Outcome, Phase};
pub use public::PublicState;

/// One deal in progress, hidden cards included.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct State {
    /// The part that every seat sees.
    pub(crate) public: PublicState,
    pub(crate) hands: [CardSet; MAX_PLAYERS],
    pub(crate) dead: CardSet,
    /// All cards in the hands.
    pub(crate) live: CardSet,
    /// Poker: the cards that each seat has set apart so far.
    pub(crate) apart: [CardSet; MAX_PLAYERS],
    /// Suits that the actor may lead, one bit each.
    pub(crate) may_lead: u8,
}

impl State {
    /// Begins a deal: takes payments that need no decision, and stops at the first decision or when the
    /// cards are due.
    #[expect(clippy::inline_always, reason = "written where it is wanted, not copied there")]
    #[inline(always)]
    pub fn new(game: &Game, deal_start: &DealStart) -> Self {
        let mut state = Self::blank(deal_start);
        state.begin(game);
        state
    }

    /// [`State::new`], written over this state without a copy.
    #[inline]
    pub fn restart(&mut self, game: &Game, deal_start: &DealStart) {
        *self = Self::blank(deal_start);
        self.begin(game);
    }

    /// A deal before its first event.
    #[expect(clippy::inline_always, reason = "written where it is wanted, not copied there")]
    #[inline(always)]
    pub fn blank(deal_start: &DealStart) -> Self {
        Self {
            public: PublicState::blank(deal_start),
            hands: [CardSet::EMPTY; MAX_PLAYERS],
            dead: CardSet::EMPTY,
            live: CardSet::EMPTY,
            apart: [CardSet::EMPTY; MAX_PLAYERS],
            may_lead: 0,
        }
    }

    /// The first step of a blank deal.
    pub(crate) fn begin(&mut self, game: &Game) {
        if game.rules().timing == Timing::BeforeDeal {
            self.begin_antes(game);
        }
    }

    /// Deals the cards: the hands and the dead hand are the whole pack.
    ///
    /// # Panics
    /// In debug builds, if the cards are not due.
    pub fn deal(&mut self, game: &Game, hands: &Hands) {
        debug_assert_eq!(self.public.phase, Phase::Deal);
        self.hands = hands.seats;
        self.dead = hands.dead;
        (self.public.sizes, self.public.dead_size) =
            game.hand_sizes(self.dealer(), self.public.seats_in);
        match game.rules().timing {
            Timing::BeforeDeal => self.begin_dead_hand(game),
            Timing::AfterLook => self.begin_antes(game),
        }
    }

    /// The legal actions of the seat to act; none before the deal and at the end.
    #[inline]
    pub fn legal(&self, game: &Game) -> ActionMask {
        match self.public.phase {
            Phase::Lead => ActionMask::leads(u32::from(self.may_lead)),
            Phase::Ante => self.public.legal_chips(game),
            _ => self.legal_elsewhere(game),
        }
    }

    /// Legal actions of the phases that not every deal has, out of the hot path.
    #[inline(never)]
    fn legal_elsewhere(&self, game: &Game) -> ActionMask {
        let Some(seat) = self.actor() else { return ActionMask::NONE };
        self.public.legal(game, self.hands[seat], self.apart[seat])
    }

    /// Applies an action of the seat to act, and everything that follows without a decision.
    ///
    /// # Errors
    /// If the action is not legal. The state is unchanged then.
    pub fn apply(&mut self, game: &Game, action: Action) -> Result<(), IllegalAction> {
        let legal = self.legal(game);
        if legal.contains(action) {
            self.apply_unchecked(game, action);
            Ok(())
        } else if legal.is_empty() {
            Err(IllegalAction::NotDue { action, phase: self.public.phase })
        } else {
            Err(IllegalAction::NotAllowed { seat: self.public.actor as usize, action, legal })
        }
    }

    /// Applies an action that is known to be one of [`State::legal`]. Any other action leaves a
    /// meaningless state.
    #[inline]
    pub fn apply_unchecked(&mut self, game: &Game, action: Action) {
        match self.public.phase {
            Phase::Lead => self.lead(game, Suit::from_index(action.index() & 3)),
            Phase::Ante => self.place(game, action.cell().unwrap_or(0), 1),
            _ => self.answer(game, action),
        }
    }

    /// [`State::apply_unchecked`], and places the chips that are forced to follow a chip of an ante.
    #[inline]
    pub(crate) fn apply_with_forced(&mut self, game: &Game, action: Action) {
        if self.public.phase == Phase::Ante {
            let cell = action.cell().unwrap_or(0);
            self.place(game, cell, self.forced_with(game, cell));
        } else {
            self.apply_unchecked(game, action);
        }
    }

    /// Applies an action in a phase that not every deal has, out of the hot path.
    #[inline(never)]
    fn answer(&mut self, game: &Game, action: Action) {
        match self.public.phase {
            Phase::DeadHand => self.answer_dead_hand(game, action),
            Phase::Auction => self.answer_auction(game, action),
            Phase::SetApart => self.set_apart(action.card()),
            Phase::Bet => self.answer_bet(game, action),
            Phase::Ante | Phase::Lead | Phase::Deal | Phase::Over => {}
        }
    }

    /// What the deal waits for.
    #[inline]
    pub fn phase(&self) -> Phase {
        self.public.phase
    }

    /// How the deal ended.
    pub fn outcome(&self) -> Outcome {
        self.public.outcome
    }

    /// Whether the deal is over.
    #[inline]
    pub fn is_over(&self) -> bool {
        self.public.phase == Phase::Over
    }

    /// The seat to act, if a decision is due.
    #[inline]
    pub fn actor(&self) -> Option<usize> {
        self.public.actor()
    }

    /// Chips of each seat. A seat's payoff is the gain of its stack over the deal.
    pub fn stacks(&self) -> &[i32; MAX_PLAYERS] {
        &self.public.stacks
    }

    /// Chips on each cell; 0 beyond the cells of the game.
    pub fn layout(&self) -> &[i32; MAX_CELLS] {
        &self.public.layout
    }

    /// Chips in the kitty; 0 in a game without one.
    pub fn kitty(&self) -> i32 {
        self.public.kitty
    }

    /// The seat that deals.
    pub fn dealer(&self) -> usize {
        self.public.dealer as usize
    }

    /// The seats that play this deal.
    pub fn seats_in(&self) -> Seats {
        self.public.seats_in
    }

    /// All hands, which no player sees. Players see a [`View`](crate::View).
    pub fn hands(&self) -> Hands {
        Hands { seats: self.hands, dead: self.dead }
    }

    /// The part that every seat sees.
    pub const fn public(&self) -> &PublicState {
        &self.public
    }

    /// Which cards take which cells in this deal.
    pub fn claims<'g>(&self, game: &'g Game) -> &'g Claims {
        game.claims(self.public.claims)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_is_small() {
        assert!(size_of::<State>() <= 760, "{}", size_of::<State>());
    }
}
