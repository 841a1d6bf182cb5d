//! The offer and the auction of the dead hand (`docs/RULES.md`, section 5).

use super::{NOBODY, Phase, PublicState, State};
use crate::action::{Action, ActionMask};
use crate::game::Game;
use crate::rules::Exchange;

impl State {
    pub(super) fn begin_dead_hand(&mut self, game: &Game) {
        self.public.phase = Phase::DeadHand;
        match game.rules().exchange {
            Exchange::None => self.after_dead_hand(game),
            Exchange::Dealer { .. } | Exchange::DealerOrAuction { .. } => {
                self.public.actor = self.public.dealer;
            }
            Exchange::OfferChain { .. } => self.public.actor = self.public.eldest() as u8,
        }
    }

    pub(super) fn answer_dead_hand(&mut self, game: &Game, action: Action) {
        let seat = self.public.actor as usize;
        match action {
            Action::EXCHANGE => {
                self.public.pay_fee(game, seat, self.public.price(game));
                self.exchange(game, seat);
            }
            Action::AUCTION => {
                self.public.phase = Phase::Auction;
                self.public.actor = self.public.eldest() as u8;
            }
            _ => match game.rules().exchange {
                Exchange::OfferChain { .. } if self.public.actor != self.public.dealer => {
                    self.public.actor = self.public.seats_in.left_of(seat) as u8;
                }
                _ => self.after_dead_hand(game),
            },
        }
    }

    fn exchange(&mut self, game: &Game, seat: usize) {
        core::mem::swap(&mut self.hands[seat], &mut self.dead);
        core::mem::swap(&mut self.public.sizes[seat], &mut self.public.dead_size);
        self.public.exchanger = seat as u8;
        self.after_dead_hand(game);
    }

    pub(super) fn answer_auction(&mut self, game: &Game, action: Action) {
        let Exchange::DealerOrAuction { max_bid } = game.rules().exchange else { return };
        let seat = self.public.actor as usize;
        self.public.bidding.push(action == Action::BID);
        if action == Action::BID {
            self.public.bid += 1;
            self.public.bidder = self.public.actor;
        } else {
            self.public.passed.insert(seat);
        }
        let mut bidding = self.public.seats_in - self.public.passed;
        bidding.remove(self.public.dealer as usize);
        let sold = self.public.bidder != NOBODY
            && (i32::from(self.public.bid) >= max_bid || bidding.len() == 1);
        if sold {
            let bidder = self.public.bidder as usize;
            self.public.stacks[bidder] -= i32::from(self.public.bid);
            self.public.stacks[self.public.dealer as usize] += i32::from(self.public.bid);
            self.exchange(game, bidder);
        } else if bidding.is_empty() {
            self.after_dead_hand(game);
        } else {
            self.public.actor = bidding.left_of(seat) as u8;
        }
    }
}

impl PublicState {
    /// The price of the dead hand for the actor, in chips, while it is on offer; else 0.
    pub(crate) fn price(&self, game: &Game) -> i32 {
        match game.rules().exchange {
            _ if self.phase != Phase::DeadHand => 0,
            Exchange::Dealer { fee } => fee,
            Exchange::OfferChain { price } if self.actor as usize != self.eldest() => price,
            _ => 0,
        }
    }

    pub(super) fn legal_dead_hand(&self, game: &Game) -> ActionMask {
        let mut legal = ActionMask::only(Action::KEEP);
        if self.can_pay(self.actor as usize, self.price(game)) {
            legal = legal.with(Action::EXCHANGE);
        }
        if matches!(game.rules().exchange, Exchange::DealerOrAuction { .. }) {
            legal = legal.with(Action::AUCTION);
        }
        legal
    }

    pub(super) fn legal_bids(&self) -> ActionMask {
        let next = i32::from(self.bid) + 1;
        let legal = ActionMask::only(Action::PASS);
        if self.can_pay(self.actor as usize, next) { legal.with(Action::BID) } else { legal }
    }

    /// Pays into the kitty or, without a kitty, onto the cells, one chip at a time from the first.
    fn pay_fee(&mut self, game: &Game, seat: usize, chips: i32) {
        self.stacks[seat] -= chips;
        if game.rules().has_kitty() {
            self.kitty += chips;
        } else {
            for chip in 0..chips as usize {
                self.layout[chip % game.cells()] += 1;
            }
        }
    }
}
