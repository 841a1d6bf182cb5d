//! Leads, sequences and stops (`docs/RULES.md`, section 6), with bit operations: one lead resolves its
//! whole sequence.

use core::hint::select_unpredictable;

use super::{Outcome, Phase, State};
use crate::card::{Card, Suit};
use crate::card_set::CardSet;
use crate::claims::Claims;
use crate::game::Game;
use crate::knowledge::Knowledge;
use crate::rules::{ChangeSuit, FirstLead, MAX_PLAYERS};
use crate::seats::Seats;
use crate::stop;

impl State {
    /// Goes on to the first lead; the winner of the pot leads if the rules say so.
    pub(crate) fn begin_play(&mut self, game: &Game) {
        self.public.phase = Phase::Lead;
        self.live = self.hands.iter().fold(CardSet::EMPTY, |live, &hand| live | hand);
        self.public.actor = match self.public.poker.winner {
            Some(winner) if game.rules().first_lead == FirstLead::PokerWinner => winner,
            _ => self.public.eldest() as u8,
        };
        if let FirstLead::LowestOf(suit) = game.rules().first_lead {
            match self.live.lowest(suit) {
                Some(card) => {
                    self.public.actor = self.holder(card) as u8;
                    self.public.knowledge.dead(game.pack() & CardSet::below(card));
                }
                None => self.public.knowledge.dead(game.pack() & CardSet::suit(suit)),
            }
        }
        self.may_lead =
            stop::first_leads(game.rules().first_lead, self.hands[self.public.actor as usize]);
    }

    fn holder(&self, card: Card) -> usize {
        self.hands.iter().position(|hand| hand.contains(card)).expect("a live card is in a hand")
    }

    /// Leads the lowest card of a suit, and plays the sequence out.
    #[inline]
    pub(super) fn lead(&mut self, game: &Game, suit: Suit) {
        // Most tables have few players: looping over all eight seats would waste half the work.
        if game.players() <= 4 {
            self.lead_among::<4>(game, suit);
        } else {
            self.lead_among::<MAX_PLAYERS>(game, suit);
        }
    }

    /// Not inlined, so that [`State::apply_unchecked`] stays small enough to be inlined.
    #[inline(never)]
    fn lead_among<const SEATS: usize>(&mut self, game: &Game, suit: Suit) {
        let leader = self.public.actor as usize;
        let Some(first) = self.hands[leader].lowest(suit) else { return };
        self.public.leads.push(suit);
        self.learn_from_lead(game, leader, first);
        // The sequence is the run of live cards from the lead up. Adding the lead carries to the bit above
        // its last card.
        let live = self.live.bits();
        let mut run = CardSet::from_bits(live & !(live + (1 << first.bit())));
        // A seat that holds nothing outside the run goes out.
        let emptied =
            Seats::those::<SEATS>(|seat| run.is_superset(self.hands[seat])) & self.public.seats_in;
        let winner = (!emptied.is_empty()).then(|| self.first_out(emptied, &mut run));
        self.live -= run;
        for seat in 0..SEATS {
            self.public.played_by[seat] |= self.hands[seat] & run;
            self.hands[seat] -= run;
        }
        let last = Card::from_bit(run.bits().ilog2());
        let stopper = self.player_of::<SEATS>(last);
        self.claim::<SEATS>(game, run);
        match winner {
            Some(winner) => self.settle(game, winner),
            None => self.stop(game, stopper, last),
        }
    }

    /// Of the seats whose whole hand is in the run, the one with the lowest last card goes out, and the
    /// run ends there.
    fn first_out(&self, emptied: Seats, run: &mut CardSet) -> usize {
        let mut winner = emptied.lowest().expect("somebody goes out");
        let mut others = emptied;
        others.remove(winner);
        while let Some(seat) = others.lowest() {
            others.remove(seat);
            winner = if self.hands[seat] < self.hands[winner] { seat } else { winner };
        }
        *run &= CardSet::up_to(self.hands[winner].last().expect("it holds a card"));
        winner
    }

    #[expect(
        clippy::inline_always,
        reason = "part of a lead, which is one function in the loop of a batch"
    )]
    #[inline(always)]
    fn learn_from_lead(&mut self, game: &Game, leader: usize, card: Card) {
        match (game.rules().change_suit, self.public.stopped) {
            (ChangeSuit::OtherColour, Some(stopped)) => {
                if stopped.is_red() == card.suit().is_red() {
                    let mut knowledge = self.public.knowledge;
                    self.nobody_has_other_colour(game, stopped, &mut knowledge);
                    self.public.knowledge = knowledge;
                }
                self.public.knowledge.led_lowest_of_colour(leader, card);
            }
            (ChangeSuit::ElseSame, Some(stopped)) => {
                // The leader has no other suit. (Without a branch: the processor could not predict it.)
                let same = stopped == card.suit();
                let others = select_unpredictable(same, !CardSet::suit(stopped), CardSet::EMPTY);
                self.public.knowledge.ruled_out[leader] |= others;
                self.public.knowledge.led(leader, card);
            }
            _ => self.public.knowledge.led(leader, card),
        }
    }

    fn nobody_has_other_colour(&self, game: &Game, stopped: Suit, knowledge: &mut Knowledge) {
        for seat in self.public.seats_in.iter() {
            knowledge.none_of_other_colour(seat, stopped);
        }
        let [a, b] = stopped.other_colour().map(CardSet::suit);
        knowledge.dead((game.pack() - self.public.all_played()) & (a | b));
    }

    /// The seat that has played a card.
    fn player_of<const SEATS: usize>(&self, card: Card) -> usize {
        let players = Seats::those::<SEATS>(|seat| self.public.played_by[seat].contains(card));
        players.lowest().expect("somebody has")
    }

    /// Pays the cells whose claiming cards are in the run to those who played them.
    fn claim<const SEATS: usize>(&mut self, game: &Game, run: CardSet) {
        let claims = self.claims(game);
        for card in run & claims.singles {
            let cell = claims.cell_of[card.bit() as usize] as usize;
            if self.public.layout[cell] > 0 {
                self.public.stacks[self.player_of::<SEATS>(card)] += self.public.layout[cell];
                self.public.layout[cell] = 0;
            }
        }
        if claims.has_sets() {
            self.claim_by_sets::<SEATS>(claims, run);
        }
    }

    /// Pays the cells that sets of cards claim, card by card: if two sets claim a cell, the one that is
    /// complete first takes it.
    #[inline(never)]
    fn claim_by_sets<const SEATS: usize>(&mut self, claims: &Claims, run: CardSet) {
        for card in run {
            let seat = self.player_of::<SEATS>(card);
            for (cell, set) in claims.sets() {
                let completes = (set & run).last() == Some(card)
                    && self.public.played_by[seat].is_superset(set);
                if completes && self.public.layout[cell] > 0 {
                    self.public.stacks[seat] += self.public.layout[cell];
                    self.public.layout[cell] = 0;
                }
            }
        }
    }

    #[expect(
        clippy::inline_always,
        reason = "part of a lead, which is one function in the loop of a batch"
    )]
    #[inline(always)]
    fn stop(&mut self, game: &Game, stopper: usize, last: Card) {
        // A card that stops a sequence and was not played is in the dead hand, if the pack has it. Above
        // the top card there is none.
        self.public.knowledge.dead(CardSet::from_bits(1 << (last.bit() + 1)) & self.dead);
        let (suit, rule) = (last.suit(), game.rules().change_suit);
        self.public.stopped = Some(suit);
        let next = match rule {
            ChangeSuit::Free | ChangeSuit::ElseSame => Some(stopper),
            ChangeSuit::ElsePass | ChangeSuit::OtherColour => self.pass_on(rule, stopper, suit),
        };
        let Some(leader) = next else { return self.end(game, Outcome::NoWinner) };
        self.public.actor = leader as u8;
        self.may_lead = stop::leads(rule, suit, self.hands[leader]);
    }

    /// The seat that leads after a stop where seats may pass. A pass shows something of a hand.
    #[inline(never)]
    fn pass_on(&mut self, rule: ChangeSuit, from: usize, stopped: Suit) -> Option<usize> {
        let Self { public, hands, .. } = self;
        let next = stop::next_leader(rule, public.seats_in, from, stopped, |seat| hands[seat]);
        let mut seat = from;
        for _ in 0..public.seats_in.len() {
            match rule {
                _ if next == Some(seat) => break,
                ChangeSuit::OtherColour => public.knowledge.none_of_other_colour(seat, stopped),
                _ => public.knowledge.only(seat, stopped),
            }
            seat = public.seats_in.left_of(seat);
        }
        next
    }
}
