//! The decisions of a deal that are evidence about hidden hands: antes after a look, answers to an
//! offer of the dead hand, bids, leads.
//!
//! A view holds enough to replay these decisions: the chips that lay on the layout before the deal, who
//! staked what (chips are placed in layout order, so every split has one path), who took the dead hand,
//! who bid and who passed, which suits were led. The engine replays the deal up to the play without
//! cards, because the public part does not depend on them. It replays the play in any possible world,
//! because the public part is the same in all of them.

use crate::action::Action;
use crate::card_set::CardSet;
use crate::deal_start::DealStart;
use crate::game::{Game, Hands};
use crate::rules::{MAX_PLAYERS, Timing};
use crate::state::{Phase, PublicState, State};
use crate::view::{OwnCards, View};

/// A decision that a seat took after it had seen its hand.
#[derive(Clone, Copy, Debug)]
pub struct PastDecision<'a> {
    /// The seat that took the decision.
    pub seat: usize,
    /// The action that the seat took.
    pub action: Action,
    game: &'a Game,
    then: &'a PublicState,
    now: &'a PublicState,
}

impl PastDecision<'_> {
    /// The kind of the decision: [`Phase::Ante`], [`Phase::DeadHand`], [`Phase::Auction`] or
    /// [`Phase::Lead`].
    pub fn phase(&self) -> Phase {
        self.then.phase
    }

    /// For a chip of an ante: how many chips the seat had placed on the same cell before it, and how
    /// many in the end. `(0, 1)` for all other decisions.
    pub fn chip_on_cell(&self) -> (usize, usize) {
        let on = |public: &PublicState, cell| public.staked[self.seat][cell] as usize;
        self.action.cell().map_or((0, 1), |cell| (on(self.then, cell), on(self.now, cell)))
    }

    /// What the seat knew when it decided, if the cards now lie as in this world.
    pub fn view_in(&self, world: &Hands) -> View<'_> {
        let took = |public: &PublicState| usize::from(public.exchanger) == self.seat;
        let later = world.seats[self.seat] | self.now.played_by[self.seat];
        // Before the exchange the seat held the cards that are dead now.
        let (hand, discard) = match (took(self.then), took(self.now)) {
            (true, _) => (later, world.dead),
            (false, true) => (world.dead, CardSet::EMPTY),
            (false, false) => (later, CardSet::EMPTY),
        };
        let hand = hand - self.then.played_by[self.seat];
        let own = OwnCards { hand, discard, apart: CardSet::EMPTY };
        View::new(self.game, self.then, self.seat, own)
    }
}

impl View<'_> {
    /// Calls `each` for every decision before the play that a seat took after it had seen its hand, and
    /// that had more than one legal action. The decisions come in order, the viewer's among them.
    ///
    /// Everything is as it was then, except for stacks: these may be wrong after poker, and where
    /// several sets of cards claim one cell, because it may be unknown who took the chips. An auction
    /// of more than 63 answers is left out.
    pub fn each_decision_before_play(&self, mut each: impl FnMut(PastDecision<'_>)) {
        if self.is_dealt() {
            self.replay_decisions(None, &mut each);
        }
    }

    /// [`View::each_decision_before_play`], then every lead, forced ones included. `world` is any
    /// possible world. Leads after poker, and after an auction of more than 63 answers, are left out.
    /// The deal must not be over: what the winner was paid is not taken back.
    pub fn each_decision_so_far(&self, world: &Hands, mut each: impl FnMut(PastDecision<'_>)) {
        if !self.is_dealt() {
            return;
        }
        self.replay_decisions(Some(&self.as_dealt(world)), &mut each);
    }

    /// The cards as they were dealt, if they now lie as in this world: played cards are in the hands
    /// again, and the seat that took the dead hand holds its first hand.
    pub fn as_dealt(&self, world: &Hands) -> Hands {
        let mut dealt = *world;
        for seat in self.seats_in().iter() {
            dealt.seats[seat] |= self.played_by(seat);
        }
        if let Some(seat) = self.exchanger() {
            core::mem::swap(&mut dealt.seats[seat], &mut dealt.dead);
        }
        dealt
    }

    /// Not generic, so that the code of the replay exists once.
    fn replay_decisions(&self, dealt: Option<&Hands>, each: &mut dyn FnMut(PastDecision<'_>)) {
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
        // A replay from stacks and a kitty of 0 shows what was paid, and so what they were.
        let paid = replay(game, &start, now, None, &mut |_| ());
        start.kitty = now.kitty - paid.kitty;
        let won = self.won(&paid);
        for seat in now.seats_in.iter() {
            start.stacks[seat] = now.stacks[seat] - paid.stacks[seat] - won[seat];
        }
        replay(game, &start, now, dealt, each);
    }

    /// Chips that each seat took from the layout, given the layout before the first chips were taken.
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

/// Replays a deal from its start up to now, or up to the play if the cards are not known. Returns the
/// public part of the last state.
fn replay(
    game: &Game,
    start: &DealStart,
    now: &PublicState,
    dealt: Option<&Hands>,
    each: &mut dyn FnMut(PastDecision<'_>),
) -> PublicState {
    let mut state = State::new(game, start);
    state.public.claims = now.claims;
    let (mut bids, mut leads) = (now.bidding.answers(), now.leads.suits());
    loop {
        match state.public.phase {
            Phase::Deal => {
                state.deal(game, dealt.unwrap_or(&Hands::default()));
                continue;
            }
            Phase::Lead if dealt.is_none() => return state.public,
            _ => {}
        }
        let action = if state.public.phase == Phase::Lead {
            leads.next().map(Action::lead)
        } else {
            taken(&state.public, now, &mut bids)
        };
        let Some(action) = action else { return state.public };
        let then = &state.public;
        let seat = usize::from(then.actor);
        let is_evidence = match then.phase {
            Phase::Lead => true,
            Phase::Ante if game.rules().timing == Timing::BeforeDeal => false,
            _ => !then.legal(game, CardSet::EMPTY, CardSet::EMPTY).is_forced(),
        };
        if is_evidence {
            each(PastDecision { seat, action, game, then, now });
        }
        state.apply_unchecked(game, action);
    }
}

/// The action that was taken at a decision before the play; `None` for the decision that is due now.
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
