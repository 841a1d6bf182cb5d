//! Sessions (`docs/RULES.md`, section 7): the dealers, carried chips, bust seats, the end.

use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::card::Card;
use crate::deal_start::DealStart;
use crate::game::{Game, Hands, Pack};
use crate::rules::{Bankroll, FirstDealer, Leftover, MAX_CHIPS, MAX_PLAYERS, OnBust};
use crate::seats::Seats;
use crate::seed::{self, Rng, Seed};
use crate::state::State;

/// The purpose of each child of a session's seed. [`DealStarts`] uses 3 and 4.
///
/// [`DealStarts`]: crate::DealStarts
#[derive(Clone, Copy)]
enum Purpose {
    FirstDealer = 0,
    Pack = 1,
    Lot = 2,
}

/// A pile that is given away at the end of a session.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Gift {
    /// The cell, or `None` for the kitty.
    pub cell: Option<usize>,
    /// The seat that gets it.
    pub seat: usize,
    /// Chips in the pile.
    pub chips: i32,
}

/// A session in progress, before or in a deal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Session {
    seed: Seed,
    deal: u32,
    deal_start: DealStart,
    rebuys: [i32; MAX_PLAYERS],
    bought: [i32; MAX_PLAYERS],
    over: bool,
    left_alone: Option<usize>,
    /// The cards of the current deal, if they do not come from the seed.
    given: Option<Arc<Hands>>,
}

impl Session {
    /// Begins a session: finds the first dealer and gives every seat its starting chips.
    pub fn new(game: &Game, seed: Seed) -> Self {
        let mut deal_start = DealStart::fresh(game.players(), first_dealer(game, seed));
        if let Bankroll::Chips { start, .. } = game.rules().session.bankroll {
            deal_start.credit = false;
            deal_start.stacks[..game.players()].fill(start);
        }
        deal_start.deals_left = Some(game.rules().session.deals - 1);
        Self::before(deal_start, seed)
    }

    /// A session at the deal of this number, from the table before it (after any rebuys) and the chips that
    /// each seat has bought so far.
    ///
    /// # Errors
    /// If no session of this game can come to this deal: what is wrong.
    pub fn at(
        game: &Game,
        seed: Seed,
        deal: u32,
        mut deal_start: DealStart,
        bought: [i32; MAX_PLAYERS],
    ) -> Result<Self, &'static str> {
        let rules = &game.rules().session;
        deal_start.check(game)?;
        if !(1..=rules.deals).contains(&deal) {
            return Err("the session has no deal of this number: expected 1 to its last");
        }
        if deal_start.credit != (rules.bankroll == Bankroll::Credit) {
            return Err("stacks are not what the rules say: expected a score, or chips");
        }
        if !bought.iter().all(|&chips| (0..=MAX_CHIPS).contains(&i64::from(chips))) {
            return Err("a seat has bought less than 0 chips, or more than 1000000000");
        }
        deal_start.deals_left = Some(rules.deals - deal);
        Ok(Self { deal, bought, ..Self::before(deal_start, seed) })
    }

    /// The same session, in which each seat bought this many chips just before the deal.
    ///
    /// # Errors
    /// If a seat has not bought so many chips in the session.
    pub fn after_rebuys(self, rebuys: [i32; MAX_PLAYERS]) -> Result<Self, &'static str> {
        let fits = |(rebuy, bought): (&i32, i32)| (0..=bought).contains(rebuy);
        if !rebuys.iter().zip(self.bought).all(fits) {
            return Err("a seat has bought more before the deal than in the session");
        }
        Ok(Self { rebuys, ..self })
    }

    /// Begins a single deal: an empty layout, stacks a score from 0, the dealer by the rules.
    pub fn single_deal(game: &Game, seed: Seed) -> Self {
        Self::before(DealStart::fresh(game.players(), first_dealer(game, seed)), seed)
    }

    /// Begins a single deal from this deal start.
    pub(crate) fn before(deal_start: DealStart, seed: Seed) -> Self {
        let none = [0; MAX_PLAYERS];
        Self {
            seed,
            deal: 1,
            deal_start,
            rebuys: none,
            bought: none,
            over: false,
            left_alone: None,
            given: None,
        }
    }

    /// A single deal of these cards, from the table before it.
    ///
    /// # Errors
    /// If no deal of this game can begin like this: the field, and what is wrong with it.
    pub fn given(
        game: &Game,
        deal_start: DealStart,
        hands: Hands,
    ) -> Result<Self, (&'static str, String)> {
        deal_start.check_fields(game).map_err(|(field, problem)| (field, problem.into()))?;
        game.check_hands(&hands, deal_start.dealer, deal_start.seats_in)?;
        let session = Self::before(deal_start, Seed::new(0));
        Ok(Self { given: Some(Arc::new(hands)), ..session })
    }

    /// The table before the current deal, after any rebuys.
    pub fn deal_start(&self) -> &DealStart {
        &self.deal_start
    }

    /// The number of the current deal, from 1.
    pub fn deal_number(&self) -> u32 {
        self.deal
    }

    /// Chips that each seat bought just before the current deal.
    pub fn rebuys(&self) -> &[i32; MAX_PLAYERS] {
        &self.rebuys
    }

    /// Chips that each seat has bought so far; they count against its result.
    pub fn bought(&self) -> &[i32; MAX_PLAYERS] {
        &self.bought
    }

    /// Whether the last deal has been closed.
    pub fn is_over(&self) -> bool {
        self.over
    }

    /// The seat that was left alone when busts ended the session, and so has won it.
    pub fn left_alone(&self) -> Option<usize> {
        self.left_alone
    }

    /// The pack of the current deal.
    pub fn pack(&self, game: &Game) -> Pack {
        let DealStart { dealer, seats_in, .. } = self.deal_start;
        match &self.given {
            Some(hands) => game.pack_of(hands, dealer, seats_in),
            None => game.shuffle(&mut self.cards()),
        }
    }

    /// The hands of the current deal, dealt from its pack.
    pub fn hands(&self, game: &Game) -> Hands {
        if let Some(hands) = &self.given {
            return **hands;
        }
        let DealStart { dealer, seats_in, .. } = self.deal_start;
        game.shuffle_and_deal(&mut self.cards(), dealer, seats_in)
    }

    fn cards(&self) -> Rng {
        self.seed.child(Purpose::Pack as u64).child(u64::from(self.deal)).rng()
    }

    /// Closes a deal that is over, and begins the next one or ends the session. At the end, the chips left
    /// on the table are given away in `state`, so that they count as won in this deal.
    pub fn close(&mut self, game: &Game, state: &mut State) -> Vec<Gift> {
        let mut gifts = Vec::new();
        self.close_with(game, state, |gift| gifts.push(gift));
        gifts
    }

    /// [`Session::close`], which calls `gift` instead of returning a list.
    pub(crate) fn close_with(&mut self, game: &Game, state: &mut State, gift: impl FnMut(Gift)) {
        let next = if self.deal < game.rules().session.deals {
            next_standing(game, state, &self.deal_start)
        } else {
            Err(Seats::NONE)
        };
        let (mut deal_start, rebuys) = match next {
            Ok(next) => next,
            Err(left) => {
                self.over = true;
                self.left_alone = left.lowest().filter(|_| left.len() == 1);
                return self.give_away(game, state, gift);
            }
        };
        self.deal += 1;
        self.given = None;
        deal_start.deals_left = self.deal_start.deals_left.and_then(|left| left.checked_sub(1));
        self.deal_start = deal_start;
        self.rebuys = rebuys;
        for (bought, chips) in self.bought.iter_mut().zip(rebuys) {
            *bought += chips;
        }
    }

    fn give_away(&self, game: &Game, state: &mut State, mut gift: impl FnMut(Gift)) {
        let leftover = game.rules().session.leftover;
        if leftover == Leftover::Stay {
            return;
        }
        let seats = state.public.seats_in;
        let lot = self.seed.child(Purpose::Lot as u64).child(u64::from(self.deal));
        let mut rng = lot.rng();
        for cell in (0..game.cells()).map(Some).chain([None]) {
            let pile = match cell {
                Some(cell) => &mut state.public.layout[cell],
                None => &mut state.public.kitty,
            };
            if *pile == 0 {
                continue;
            }
            let seat = if leftover == Leftover::Lot {
                seats.iter().nth(seed::below(&mut rng, seats.len() as u32) as usize)
            } else {
                // The richest seat; of equals, the lowest.
                seats.iter().min_by_key(|&seat| -state.public.stacks[seat])
            };
            let seat = seat.expect("somebody plays");
            let chips = core::mem::take(pile);
            state.public.stacks[seat] += chips;
            gift(Gift { cell, seat, chips });
        }
    }
}

/// The table before the next deal, with the chips that each seat bought. If busts end the session: the
/// seats that are left where bust seats leave.
fn next_standing(
    game: &Game,
    state: &State,
    before: &DealStart,
) -> Result<(DealStart, [i32; MAX_PLAYERS]), Seats> {
    let rules = game.rules();
    let mut next = DealStart {
        dealer: before.seats_in.left_of(before.dealer),
        stacks: state.public.stacks,
        layout: state.public.layout,
        kitty: state.public.kitty,
        ..*before
    };
    let mut rebuys = [0; MAX_PLAYERS];
    let Bankroll::Chips { start, on_bust } = rules.session.bankroll else {
        return Ok((next, rebuys));
    };
    let bust =
        |seat: usize, dealer: usize| state.public.stacks[seat] < rules.full_ante(seat == dealer);
    match on_bust {
        OnBust::EndSession => {
            let dealer = next.dealer;
            if next.seats_in.iter().any(|seat| bust(seat, dealer)) {
                return Err(Seats::NONE);
            }
        }
        OnBust::Rebuy => {
            for seat in next.seats_in.iter() {
                if bust(seat, next.dealer) {
                    rebuys[seat] = start - next.stacks[seat];
                    next.stacks[seat] = start;
                }
            }
        }
        OnBust::Eliminate => {
            // A bust dealer's turn goes to the next seat in.
            while bust(next.dealer, next.dealer) {
                next.seats_in.remove(next.dealer);
                if next.seats_in.is_empty() {
                    return Err(Seats::NONE);
                }
                next.dealer = next.seats_in.left_of(next.dealer);
            }
            for seat in 0..MAX_PLAYERS {
                if next.seats_in.contains(seat) && bust(seat, next.dealer) {
                    next.seats_in.remove(seat);
                }
            }
            if next.seats_in.len() < rules.players.0 {
                return Err(next.seats_in);
            }
        }
    }
    Ok((next, rebuys))
}

fn first_dealer(game: &Game, seed: Seed) -> usize {
    let players = game.players();
    let mut rng = seed.child(Purpose::FirstDealer as u64).rng();
    match game.rules().session.first_dealer {
        FirstDealer::Seat(seat) => seat,
        // No two cards of a cut are equal, so each seat has the same chance of the highest.
        FirstDealer::Cut => seed::below(&mut rng, players as u32) as usize,
        FirstDealer::FirstJack => {
            // From a full pack, which always has a jack.
            let mut cards = Card::ALL;
            seed::shuffle(&mut cards, &mut rng);
            let jack = game.rules().aces.rank('J');
            let is_jack = |card: &Card| Some(card.rank()) == jack;
            cards.iter().position(is_jack).unwrap_or(0) % players
        }
    }
}
