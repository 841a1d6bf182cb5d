//! Leads, sequences, stops and claims (`docs/RULES.md`, section 6).

use alloc::vec::Vec;

use super::{Decide, Event, PlayError, Referee, Why};
use crate::action::{Action, ActionMask};
use crate::card::{Card, Suit};
use crate::rules::{ChangeSuit, FirstLead};

impl Referee<'_> {
    /// Sequence after sequence until somebody is out, or nobody can lead.
    pub(super) fn play_out<E>(
        &mut self,
        decide: Decide<'_, E>,
    ) -> Result<Option<usize>, PlayError<E>> {
        let (mut leader, mut legal) = self.first_lead();
        loop {
            let action = self.ask(decide, leader, legal)?;
            let suit = action.suit().expect("only leads are legal");
            let card = self.lowest(leader, suit).expect("a legal lead is of a suit in hand");
            let stopper = match self.sequence(leader, card) {
                End::Out(winner) => return Ok(Some(winner)),
                End::Stop(stopper) => stopper,
            };
            let Some(next) = self.next_lead(stopper, suit) else {
                self.events.push(Event::NoWinner {});
                return Ok(None);
            };
            (leader, legal) = next;
        }
    }

    /// Section 6.1.
    fn first_lead(&self) -> (usize, ActionMask) {
        let mut leader = self.turn()[0];
        match self.rules().first_lead {
            FirstLead::Eldest => {}
            FirstLead::PokerWinner => leader = self.poker_winner.expect("the pot has been won"),
            FirstLead::LowestOf(suit) => {
                let holders = self.turn().into_iter().filter_map(|seat| {
                    let card = self.lowest(seat, suit)?;
                    Some((card, seat))
                });
                if let Some((_, seat)) = holders.min() {
                    return (seat, ActionMask::only(Action::lead(suit)));
                }
            }
        }
        (leader, leads(&self.suits_held(leader)))
    }

    /// Sections 6.3 to 6.6: from the lead to the stop.
    fn sequence(&mut self, leader: usize, lead: Card) -> End {
        let (mut seat, mut card) = (leader, lead);
        self.events.push(Event::Lead { seat, card: self.name(card) });
        loop {
            self.hands[seat].retain(|&held| held != card);
            self.played[seat].push(card);
            self.claim(seat, card);
            if self.hands[seat].is_empty() {
                self.events.push(Event::Out { seat });
                return End::Out(seat);
            }
            match self.what_follows(card) {
                Ok((next_seat, next)) => {
                    (seat, card) = (next_seat, next);
                    self.events.push(Event::Play { seat, card: self.name(card) });
                }
                Err(why) => {
                    self.events.push(Event::Stop { seat, card: self.name(card), why });
                    return End::Stop(seat);
                }
            }
        }
    }

    /// The next card after this one and its seat, or the reason of the stop.
    fn what_follows(&self, card: Card) -> Result<(usize, Card), Why> {
        let ranks = self.rules().ranks;
        let Some(next) = card.above().filter(|next| next.rank().index() < ranks) else {
            return Err(Why::Top);
        };
        if self.rules().removed.contains(next) {
            return Err(Why::Removed);
        }
        if self.dead.contains(&next) {
            return Err(Why::Dead);
        }
        match self.hands.iter().position(|hand| hand.contains(&next)) {
            Some(seat) => Ok((seat, next)),
            None => Err(Why::Played),
        }
    }

    /// The chips of each cell that this card claims.
    fn claim(&mut self, seat: usize, card: Card) {
        for (index, sets) in self.claimed_by.iter().enumerate() {
            let completes = sets.iter().any(|set| {
                set.contains(card) && set.iter().all(|part| self.played[seat].contains(&part))
            });
            let chips = self.layout[index];
            if completes && chips > 0 {
                self.layout[index] = 0;
                self.stacks[seat] += chips;
                let cell = self.rules().cells[index].name.clone();
                self.events.push(Event::Claim { seat, cell, chips });
            }
        }
    }

    /// Section 6.7: the leader after a stop and its suits; `None` if the deal ends there.
    fn next_lead(&mut self, last: usize, stopped: Suit) -> Option<(usize, ActionMask)> {
        let held = self.suits_held(last);
        match self.rules().change_suit {
            ChangeSuit::Free => Some((last, leads(&held))),
            ChangeSuit::ElseSame => {
                let mut other = held.clone();
                other.retain(|&suit| suit != stopped);
                Some((last, leads(if other.is_empty() { &held } else { &other })))
            }
            ChangeSuit::ElsePass => {
                for seat in self.from(last) {
                    let mut other = self.suits_held(seat);
                    other.retain(|&suit| suit != stopped);
                    if !other.is_empty() {
                        return Some((seat, leads(&other)));
                    }
                    self.events.push(Event::PassLead { seat });
                }
                None
            }
            ChangeSuit::OtherColour => {
                let round = self.from(last);
                let leader = round
                    .iter()
                    .position(|&seat| !self.of_colour(seat, !stopped.is_red()).is_empty());
                // Nobody holds the other colour: nobody passes.
                let Some(passes) = leader else {
                    let same = self.of_colour(last, stopped.is_red());
                    return Some((last, leads(&same)));
                };
                for &seat in &round[..passes] {
                    self.events.push(Event::PassLead { seat });
                }
                let leader = round[passes];
                Some((leader, leads(&self.of_colour(leader, !stopped.is_red()))))
            }
        }
    }

    /// The suits of a colour in which the seat's lowest card of that colour may be led: one, or
    /// two with equal lowest ranks, or none.
    fn of_colour(&self, seat: usize, red: bool) -> Vec<Suit> {
        let lowest = |suit| self.lowest(seat, suit).map(Card::rank);
        let mut suits = self.suits_held(seat);
        suits.retain(|suit| suit.is_red() == red);
        let least = suits.iter().copied().filter_map(lowest).min();
        suits.retain(|&suit| lowest(suit) == least);
        suits
    }

    /// The seats that play, from this seat round to the left.
    pub(super) fn from(&self, seat: usize) -> Vec<usize> {
        let players = self.game.players();
        (0..players)
            .map(|step| (seat + step) % players)
            .filter(|&seat| self.before.seats_in.contains(seat))
            .collect()
    }

    fn suits_held(&self, seat: usize) -> Vec<Suit> {
        Suit::ALL.into_iter().filter(|&suit| self.lowest(seat, suit).is_some()).collect()
    }

    fn lowest(&self, seat: usize, suit: Suit) -> Option<Card> {
        self.hands[seat].iter().copied().filter(|card| card.suit() == suit).min()
    }
}

/// The end of a sequence: how it ended, and the seat of the last card.
enum End {
    Out(usize),
    Stop(usize),
}

fn leads(suits: &[Suit]) -> ActionMask {
    suits.iter().map(|&suit| Action::lead(suit)).collect()
}
