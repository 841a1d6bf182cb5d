//! Advances a deal from decision to decision.

use crate::action::{Action, ActionMask};
use crate::card_set::CardSet;
use crate::game::{Game, Hands};
use crate::poker::Strength;
use crate::seats::Seats;
use crate::state::{Phase, State};
use crate::view::View;

/// A decision that is due.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Decision {
    /// The seat that is to act.
    pub seat: usize,
    /// Its legal actions, at least one.
    pub legal: ActionMask,
}

impl Decision {
    /// The only legal action, if there is no other.
    pub fn forced(&self) -> Option<Action> {
        self.legal.first().filter(|_| self.legal.is_forced())
    }
}

/// Advances a deal to its next decision: it takes forced decisions and deals the cards when they are
/// due.
///
/// ```
/// use newmarket_env::{DealDriver, DealStart, Game, Rules, Seats, Seed, State};
///
/// let game = Game::new(Rules::named("newmarket").unwrap(), 4)?;
/// let mut state = State::new(&game, &DealStart::fresh(4, 3));
/// let cards = || game.shuffle_and_deal(&mut Seed::new(7).rng(), 3, Seats::first(4));
/// while let Some(decision) = DealDriver::CHOICES.next(&game, &mut state, cards) {
///     let action = decision.legal.first().expect("a decision has a legal action");
///     state.apply(&game, action)?;
/// }
/// assert!(state.is_over());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DealDriver {
    forced: bool,
    best_five: Seats,
}

impl DealDriver {
    /// Yields the decisions that have more than one legal action.
    pub const CHOICES: Self = Self { forced: false, best_five: Seats::NONE };
    /// The same, but sets the best five cards apart for poker without asking.
    pub const CHOICES_BUT_FIVE: Self = Self::CHOICES.set_best_five_apart(Seats::ALL);
    /// Yields all decisions, forced ones too.
    pub const ALL: Self = Self { forced: true, best_five: Seats::NONE };

    /// Also sets the best five cards apart for poker for these seats, without asking. No other five win
    /// the pot more often, and setting them apart costs nothing later.
    #[must_use]
    pub const fn set_best_five_apart(self, seats: Seats) -> Self {
        Self { best_five: seats, ..self }
    }

    /// Advances to the next decision; `None` at the end of the deal. `cards` is called once a deal, when
    /// the cards are due.
    #[expect(clippy::inline_always, reason = "part of the loop of a batch")]
    #[inline(always)]
    pub fn next(
        &self,
        game: &Game,
        state: &mut State,
        cards: impl FnOnce() -> Hands,
    ) -> Option<Decision> {
        let decision = self.next_or_cards(game, state);
        if state.phase() != Phase::Deal {
            return decision;
        }
        state.deal(game, &cards());
        self.next_or_cards(game, state)
    }

    /// [`DealDriver::next`], but also `None` where the cards are due.
    #[expect(clippy::inline_always, reason = "part of the loop of a batch")]
    #[inline(always)]
    pub fn next_or_cards(&self, game: &Game, state: &mut State) -> Option<Decision> {
        self.next_by(game, state, |state, action| state.apply_with_forced(game, action))
    }

    /// [`DealDriver::next_or_cards`] for a caller that records the driver's actions: `apply` gets each
    /// action that the driver takes, and must apply it.
    #[expect(clippy::inline_always, reason = "part of the loop of a batch")]
    #[inline(always)]
    pub fn next_by(
        &self,
        game: &Game,
        state: &mut State,
        mut apply: impl FnMut(&mut State, Action),
    ) -> Option<Decision> {
        loop {
            let seat = state.actor()?;
            let legal = state.legal(game);
            if legal.is_forced() && !self.forced {
                apply(state, legal.first()?);
            } else if state.phase() == Phase::SetApart && self.best_five.contains(seat) {
                set_best_five_apart(game, state, seat, &mut apply);
            } else {
                return Some(Decision { seat, legal });
            }
        }
    }
}

impl View<'_> {
    /// The next card to set apart for poker when the best five are wanted: the lowest of them that is
    /// still in the hand.
    ///
    /// # Panics
    /// If the seat is not setting cards apart.
    pub fn pick_of_best_five(&self) -> Action {
        let five = best_five(self.game(), self.hand());
        next_pick(five, self.apart(), self.legal())
    }
}

#[inline(never)]
fn set_best_five_apart(
    game: &Game,
    state: &mut State,
    seat: usize,
    mut apply: impl FnMut(&mut State, Action),
) {
    let five = best_five(game, state.hands[seat]);
    while state.phase() == Phase::SetApart && state.actor() == Some(seat) {
        let pick = next_pick(five, state.apart[seat], state.legal(game));
        apply(state, pick);
    }
}

fn best_five(game: &Game, hand: CardSet) -> CardSet {
    Strength::best_five(hand, game.rules().aces).0
}

/// The lowest of the five that is not set apart yet. If other cards have been set apart, that card may
/// be illegal; then the lowest legal card.
fn next_pick(five: CardSet, apart: CardSet, legal: ActionMask) -> Action {
    let next = (five - apart).first().map(Action::pick);
    let wanted = next.filter(|&pick| legal.contains(pick));
    wanted.or(legal.first()).expect("a card can be set apart")
}
