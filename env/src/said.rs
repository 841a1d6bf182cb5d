//! The decisions before the play that tell about hands: antes after a look, answers to an offer of
//! the dead hand, bids.
//!
//! A view holds enough to go through them again: the chips that lay on the layout before, who staked
//! what (chips are placed in layout order, so every split has one path), who took the dead hand, who
//! bid and who passed. The engine takes the same steps once more, without cards; what is public
//! before the play does not depend on them.

use crate::action::{Action, ActionMask};
use crate::card_set::CardSet;
use crate::deal_start::DealStart;
use crate::game::{Game, Hands};
use crate::rules::{MAX_PLAYERS, Timing};
use crate::state::{Phase, PublicState, State};
use crate::view::{OwnCards, View};

/// A decision that a seat took after it had seen its hand, and before the play.
#[derive(Clone, Copy, Debug)]
pub struct Said<'a> {
    /// Who took it.
    pub seat: usize,
    /// What was done.
    pub action: Action,
    /// What could have been done; more than one action.
    pub legal: ActionMask,
    game: &'a Game,
    then: &'a PublicState,
    now: &'a PublicState,
}

impl Said<'_> {
    /// What kind of decision it was: [`Phase::Ante`], [`Phase::DeadHand`] or [`Phase::Auction`].
    pub fn phase(&self) -> Phase {
        self.then.phase
    }

    /// Where a chip of an ante stands among those that the seat placed on the same cell, one after the
    /// other: how many were there before, and how many there are now.
    pub fn chip_of(&self) -> (usize, usize) {
        let on = |public: &PublicState, cell| public.staked[self.seat][cell] as usize;
        self.action.cell().map_or((0, 1), |cell| (on(self.then, cell), on(self.now, cell)))
    }

    /// What the seat knew when it decided, if the cards lie like this now.
    pub fn view_in(&self, world: &Hands) -> View<'_> {
        let hand = if usize::from(self.now.exchanger) == self.seat {
            // It holds another hand now.
            world.dead
        } else {
            world.seats[self.seat] | self.now.played_by[self.seat]
        };
        let own = OwnCards { hand, discard: CardSet::EMPTY, apart: CardSet::EMPTY };
        View::new(self.game, self.then, self.seat, own)
    }
}

impl View<'_> {
    /// Calls `hear` for every decision before the play that a seat took with its hand before it and a
    /// choice, in order, the viewer's own among them.
    ///
    /// All is as it was then, with two exceptions. Stacks may be off after poker, and where several sets of
    /// cards take one cell: who took it may be unknown. Of an auction of more
    /// than 63 answers nothing is told.
    pub fn each_said(&self, hear: impl FnMut(Said<'_>)) {
        if !self.is_dealt() {
            return;
        }
        let (game, now) = (self.game(), self.public());
        let mut start = DealStart {
            dealer: self.dealer(),
            seats_in: self.seats_in(),
            stacks: [0; MAX_PLAYERS],
            layout: now.carried,
            kitty: 0,
            credit: now.credit,
            deals_left: self.deals_left(),
        };
        // What became of stacks and a kitty of 0 tells what they were.
        let paid = replay(game, &start, now, |_| ());
        start.kitty = now.kitty - paid.kitty;
        let won = self.won(&paid);
        for seat in now.seats_in.iter() {
            start.stacks[seat] = now.stacks[seat] - paid.stacks[seat] - won[seat];
        }
        replay(game, &start, now, hear);
    }

    /// Chips that each seat took from the layout as it was before the first were taken.
    fn won(&self, before: &PublicState) -> [i32; MAX_PLAYERS] {
        let mut won = [0; MAX_PLAYERS];
        for (cell, &chips) in self.game().cells_of(&before.layout).iter().enumerate() {
            let collected = self.record().collected[cell];
            let share = chips / collected.len().max(1) as i32;
            collected.iter().for_each(|seat| won[seat] += share);
            let complete = |&seat: &usize| {
                let sets = self.claims().of_cell(cell).iter();
                sets.into_iter().any(|&set| self.played_by(seat).is_superset(set))
            };
            if collected.is_empty()
                && self.layout()[cell] < chips
                && let Some(seat) = self.seats_in().iter().find(complete)
            {
                won[seat] += chips;
            }
        }
        won
    }
}

/// Goes through a deal from its start up to now or to the play; returns where that leads.
fn replay(
    game: &Game,
    start: &DealStart,
    now: &PublicState,
    mut hear: impl FnMut(Said<'_>),
) -> PublicState {
    let mut state = State::new(game, start);
    state.public.claims = now.claims;
    let mut bids = now.bidding.answers();
    loop {
        if state.public.phase == Phase::Deal {
            state.deal(game, &Hands::default());
        }
        let Some(action) = taken(&state.public, now, &mut bids) else { return state.public };
        let then = &state.public;
        let (seat, legal) =
            (usize::from(then.actor), then.legal(game, CardSet::EMPTY, CardSet::EMPTY));
        let looked = then.phase != Phase::Ante || game.rules().timing == Timing::AfterLook;
        if looked && !legal.is_forced() {
            hear(Said { seat, action, legal, game, then, now });
        }
        state.apply_unchecked(game, action);
    }
}

/// What was done at a decision before the play; nothing, if it is the one that is due now.
fn taken(
    then: &PublicState,
    now: &PublicState,
    bids: &mut impl Iterator<Item = bool>,
) -> Option<Action> {
    let seat = then.actor()?;
    let due = then.phase == now.phase && then.actor == now.actor;
    match then.phase {
        Phase::Ante => {
            let mut cells = now.staked[seat].iter().zip(&then.staked[seat]);
            cells.position(|(now, then)| now > then).map(Action::chip)
        }
        Phase::DeadHand if due => None,
        Phase::DeadHand if now.phase == Phase::Auction || now.bidding.has_begun() => {
            Some(Action::AUCTION)
        }
        Phase::DeadHand if usize::from(now.exchanger) == seat => Some(Action::EXCHANGE),
        Phase::DeadHand => Some(Action::KEEP),
        Phase::Auction => bids.next().map(|bid| if bid { Action::BID } else { Action::PASS }),
        _ => None,
    }
}

/// The answers of an auction in their order, as bits below a leading one; 0 if they are too many.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Bidding(u64);

impl Bidding {
    /// No answer yet.
    pub(crate) const NONE: Self = Self(1);

    /// The next answer.
    pub(crate) fn push(&mut self, bid: bool) {
        let full = self.0 == 0 || self.0 >> 63 == 1;
        self.0 = if full { 0 } else { self.0 << 1 | u64::from(bid) };
    }

    fn has_begun(self) -> bool {
        self != Self::NONE
    }

    fn answers(self) -> impl Iterator<Item = bool> {
        (0..self.0.max(1).ilog2()).rev().map(move |nth| self.0 >> nth & 1 == 1)
    }
}
