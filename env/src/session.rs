//! Sessions (`docs/RULES.md`, section 7): the dealers, carried chips, bust seats, the end.

use alloc::vec::Vec;

use crate::card::Card;
use crate::deal_start::DealStart;
use crate::game::{Game, Hands, Pack};
use crate::rules::{Bankroll, FirstDealer, Leftover, MAX_CHIPS, MAX_PLAYERS, OnBust};
use crate::seats::Seats;
use crate::seed::{self, Rng, Seed};
use crate::state::State;

/// What each child of a session's seed is for; 3 and 4 are those of [`DealStarts`].
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

/// A session in progress: it stands before, or in, a deal.
#[derive(Clone, Debug)]
pub struct Session {
    seed: Seed,
    deal: u32,
    deal_start: DealStart,
    rebuys: [i32; MAX_PLAYERS],
    bought: [i32; MAX_PLAYERS],
    over: bool,
    left_alone: Option<usize>,
}

impl Session {
    /// Begins a session: the first dealer is found, every seat has its starting chips.
    pub fn new(game: &Game, seed: Seed) -> Self {
        let mut deal_start = DealStart::fresh(game.players(), first_dealer(game, seed));
        if let Bankroll::Chips { start, .. } = game.rules().session.bankroll {
            deal_start.credit = false;
            deal_start.stacks[..game.players()].fill(start);
        }
        deal_start.deals_left = Some(game.rules().session.deals - 1);
        Self::before(deal_start, seed)
    }

    /// A session that has come to the deal of this number: how the table stands before it, after any
    /// rebuys, and what each seat has bought so far.
    ///
    /// # Errors
    /// If no deal of a session of this game begins like this: what is wrong.
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

    /// The same session, where each seat bought this many chips just before the deal.
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

    /// Begins a single deal: an empty layout, stacks a score from 0, the dealer found as the rules
    /// say.
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
        }
    }

    /// How the table stands before the current deal, after any rebuys.
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

    /// Chips that each seat bought so far; they count against its result.
    pub fn bought(&self) -> &[i32; MAX_PLAYERS] {
        &self.bought
    }

    /// Whether the last deal has been closed.
    pub fn is_over(&self) -> bool {
        self.over
    }

    /// The seat that was left alone when bust seats ended the session: it has won.
    pub fn left_alone(&self) -> Option<usize> {
        self.left_alone
    }

    /// The pack of the current deal.
    pub fn pack(&self, game: &Game) -> Pack {
        game.shuffle(&mut self.cards())
    }

    /// The hands of the current deal, as its pack gives them.
    pub fn hands(&self, game: &Game) -> Hands {
        let DealStart { dealer, seats_in, .. } = self.deal_start;
        game.shuffle_and_deal(&mut self.cards(), dealer, seats_in)
    }

    fn cards(&self) -> Rng {
        self.seed.child(Purpose::Pack as u64).child(u64::from(self.deal)).rng()
    }

    /// Closes a deal that is over, and opens the next one or ends the session. At the end, what
    /// is left on the table is given away in `state`, so that it counts as won in this deal.
    pub fn close(&mut self, game: &Game, state: &mut State) -> Vec<Gift> {
        let mut gifts = Vec::new();
        self.close_with(game, state, |gift| gifts.push(gift));
        gifts
    }

    /// [`Session::close`], which calls `gift` in the place of returning a list.
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
                // The richest, of equals the lowest seat.
                seats.iter().min_by_key(|&seat| -state.public.stacks[seat])
            };
            let seat = seat.expect("somebody plays");
            let chips = core::mem::take(pile);
            state.public.stacks[seat] += chips;
            gift(Gift { cell, seat, chips });
        }
    }
}

/// How the table stands before the next deal, with what each seat bought. If a bust ends the session:
/// the seats that the bust ones have left, where these are out.
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
        // No two cards of a cut are equal, so each seat's is as likely as any to be the highest.
        FirstDealer::Cut => seed::below(&mut rng, players as u32) as usize,
        FirstDealer::FirstJack => {
            // With a full pack, so that there is always a jack in it.
            let mut cards = Card::ALL;
            seed::shuffle(&mut cards, &mut rng);
            let jack = game.rules().aces.rank('J');
            let is_jack = |card: &Card| Some(card.rank()) == jack;
            cards.iter().position(is_jack).unwrap_or(0) % players
        }
    }
}
