//! The decisions that tell about hands: antes after a look, answers to an offer of the dead hand, bids,
//! leads.
//!
//! A view holds enough to go through them again: the chips that lay on the layout before, who staked
//! what (chips are placed in layout order, so every split has one path), who took the dead hand, who
//! bid and who passed, which suits were led. The engine takes the same steps once more. Before the play it
//! does so without cards, since what is public there does not depend on them; the play it goes through in
//! any one of the worlds that are possible, since what is public is the same in all of them.

use crate::action::Action;
use crate::card_set::CardSet;
use crate::deal_start::DealStart;
use crate::game::{Game, Hands};
use crate::rules::{MAX_PLAYERS, Timing};
use crate::state::{Phase, PublicState, State};
use crate::view::{OwnCards, View};

/// A decision that a seat took after it had seen its hand.
#[derive(Clone, Copy, Debug)]
pub struct Said<'a> {
    /// Who took it.
    pub seat: usize,
    /// What was done.
    pub action: Action,
    game: &'a Game,
    then: &'a PublicState,
    now: &'a PublicState,
}

impl Said<'_> {
    /// What kind of decision it was: [`Phase::Ante`], [`Phase::DeadHand`], [`Phase::Auction`] or
    /// [`Phase::Lead`].
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
        let took = |public: &PublicState| usize::from(public.exchanger) == self.seat;
        let later = world.seats[self.seat] | self.now.played_by[self.seat];
        // Until it took the dead hand it held what is dead now.
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
    /// Calls `hear` for every decision before the play that a seat took with its hand before it and a
    /// choice, in order, the viewer's own among them.
    ///
    /// All is as it was then, with two exceptions. Stacks may be off after poker, and where several sets of
    /// cards take one cell: who took it may be unknown. Of an auction of more
    /// than 63 answers nothing is told.
    pub fn each_said(&self, mut hear: impl FnMut(Said<'_>)) {
        if self.is_dealt() {
            self.go_through(None, &mut hear);
        }
    }

    /// The same with the leads after these decisions, those without a choice among them; `world` is any one of
    /// the worlds that are possible. After poker, and after an auction of more than 63 answers, no lead is
    /// told. The deal must go on: at its end what the winner was paid is not taken back.
    pub fn each_said_or_led(&self, world: &Hands, mut hear: impl FnMut(Said<'_>)) {
        if !self.is_dealt() {
            return;
        }
        self.go_through(Some(&self.as_dealt(world)), &mut hear);
    }

    /// The cards as they were dealt, if they lie now as in this world: what was played is in the hands again,
    /// and who took the dead hand holds its first hand.
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

    /// Not generic: all who listen share the way through a deal.
    fn go_through(&self, dealt: Option<&Hands>, hear: &mut dyn FnMut(Said<'_>)) {
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
        let paid = replay(game, &start, now, None, &mut |_| ());
        start.kitty = now.kitty - paid.kitty;
        let won = self.won(&paid);
        for seat in now.seats_in.iter() {
            start.stacks[seat] = now.stacks[seat] - paid.stacks[seat] - won[seat];
        }
        replay(game, &start, now, dealt, hear);
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

/// Goes through a deal from its start up to now, or to the play if the cards are not told; returns where
/// that leads.
fn replay(
    game: &Game,
    start: &DealStart,
    now: &PublicState,
    dealt: Option<&Hands>,
    hear: &mut dyn FnMut(Said<'_>),
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
        let tells = match then.phase {
            Phase::Lead => true,
            Phase::Ante if game.rules().timing == Timing::BeforeDeal => false,
            _ => !then.legal(game, CardSet::EMPTY, CardSet::EMPTY).is_forced(),
        };
        if tells {
            hear(Said { seat, action, game, then, now });
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
