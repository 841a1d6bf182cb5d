//! Dealing, and the dead hand (`docs/RULES.md`, sections 4 and 5).

use alloc::vec::Vec;

use core::mem;

use super::{Decide, Event, Payee, PlayError, Referee};
use crate::action::{Action, ActionMask};
use crate::rules::{DeadHand, Exchange, Remainder};

impl Referee<'_> {
    /// One card at a time, round the table.
    pub(super) fn deal(&mut self) {
        // `None` is the dead hand.
        let mut round: Vec<Option<usize>> = self.turn().into_iter().map(Some).collect();
        match self.rules().dead_hand {
            DeadHand::None => {}
            DeadHand::First => round.insert(0, None),
            DeadHand::BeforeDealer => round.insert(round.len() - 1, None),
            DeadHand::Last => round.push(None),
        }
        let full_rounds = self.pack.len() / round.len();
        for index in 0..self.pack.len() {
            let left_over = index / round.len() >= full_rounds;
            let hand = match self.rules().remainder {
                Remainder::DeadHand if left_over => None,
                _ => round[index % round.len()],
            };
            let card = self.pack[index];
            match hand {
                Some(seat) => self.hands[seat].push(card),
                None => self.dead.push(card),
            }
        }
        self.dead.sort_unstable();
        for hand in &mut self.hands {
            hand.sort_unstable();
        }
        let hands = self.hands.iter().map(|hand| self.names(hand)).collect();
        self.events.push(Event::Deal { hands, dead: self.names(&self.dead) });
    }

    pub(super) fn dead_hand<E>(&mut self, decide: Decide<'_, E>) -> Result<(), PlayError<E>> {
        let dealer = self.before.dealer;
        match self.rules().exchange {
            Exchange::None => {}
            Exchange::Dealer { fee } => {
                self.offer(dealer, fee, decide)?;
            }
            Exchange::OfferChain { price } => {
                for (place, seat) in self.turn().into_iter().enumerate() {
                    // Eldest pays nothing.
                    if self.offer(seat, if place == 0 { 0 } else { price }, decide)? {
                        break;
                    }
                }
            }
            Exchange::DealerOrAuction { max_bid } => {
                let mut legal = ActionMask::only(Action::KEEP).with(Action::AUCTION);
                // An empty dead hand cannot be taken (a pack with as many cards as players).
                if !self.dead.is_empty() {
                    legal = legal.with(Action::EXCHANGE);
                }
                let action = self.ask(decide, dealer, legal)?;
                if action == Action::KEEP {
                    self.events.push(Event::Keep { seat: dealer });
                } else if action == Action::EXCHANGE {
                    self.exchange(dealer, 0, None);
                } else {
                    self.auction(max_bid, decide)?;
                }
            }
        }
        Ok(())
    }

    /// Offers the dead hand to a seat; true if the seat takes it.
    fn offer<E>(
        &mut self,
        seat: usize,
        price: i32,
        decide: Decide<'_, E>,
    ) -> Result<bool, PlayError<E>> {
        let mut legal = ActionMask::only(Action::KEEP);
        if self.can_pay(seat, price) && !self.dead.is_empty() {
            legal = legal.with(Action::EXCHANGE);
        }
        if self.ask(decide, seat, legal)? == Action::KEEP {
            self.events.push(Event::Keep { seat });
            return Ok(false);
        }
        let to = if self.rules().has_kitty() { Payee::Kitty } else { Payee::Layout };
        self.exchange(seat, price, Some(to));
        Ok(true)
    }

    /// Every other seat bids or passes in turn, from eldest.
    fn auction<E>(&mut self, max_bid: i32, decide: Decide<'_, E>) -> Result<(), PlayError<E>> {
        let dealer = self.before.dealer;
        self.events.push(Event::Auction { seat: dealer });
        let mut bidders = self.turn();
        bidders.retain(|&seat| seat != dealer);
        let mut highest: Option<(usize, i32)> = None;
        let mut at = 0;
        loop {
            let high = highest.map_or(0, |(_, chips)| chips);
            match bidders[..] {
                [] => break,
                [last] if highest.is_some_and(|(seat, _)| seat == last) => break,
                _ if high == max_bid => break,
                _ => {}
            }
            at %= bidders.len();
            let seat = bidders[at];
            let mut legal = ActionMask::only(Action::PASS);
            if self.can_pay(seat, high + 1) && !self.dead.is_empty() {
                legal = legal.with(Action::BID);
            }
            if self.ask(decide, seat, legal)? == Action::BID {
                highest = Some((seat, high + 1));
                self.events.push(Event::Bid { seat, chips: high + 1 });
                at += 1;
            } else {
                self.events.push(Event::Pass { seat });
                bidders.remove(at);
            }
        }
        if let Some((seat, chips)) = highest {
            self.exchange(seat, chips, Some(Payee::Seat(dealer)));
        }
        Ok(())
    }

    /// Swaps hands and pays.
    fn exchange(&mut self, seat: usize, paid: i32, to: Option<Payee>) {
        mem::swap(&mut self.hands[seat], &mut self.dead);
        self.stacks[seat] -= paid;
        let to = to.filter(|_| paid > 0);
        match to {
            None => {}
            Some(Payee::Kitty) => self.kitty += paid,
            Some(Payee::Seat(dealer)) => self.stacks[dealer] += paid,
            Some(Payee::Layout) => {
                let cells = self.layout.len();
                for chip in 0..paid as usize {
                    self.layout[chip % cells] += 1;
                }
            }
        }
        let dead = self.names(&self.dead);
        self.events.push(Event::Exchange { seat, paid, to, dead, hand: None });
    }
}
