//! Leads, sequences and stops (rules, section 6), with bit operations: one lead resolves its
//! whole sequence.

use std::hint::select_unpredictable;

use super::{Outcome, Phase, State};
use crate::card::{Card, Suit};
use crate::card_set::CardSet;
use crate::claims::Claims;
use crate::deal_start::Seats;
use crate::game::Game;
use crate::knowledge::{Knowledge, colour, other_colour};
use crate::rules::{ChangeSuit, FirstLead, MAX_PLAYERS};

impl State {
    /// The first lead, by whoever won the poker where that is the rule.
    pub(super) fn begin_play(&mut self, game: &Game) {
        self.phase = Phase::Lead;
        self.live = self.hands.iter().fold(CardSet::EMPTY, |live, &hand| live | hand);
        self.actor = match self.poker.winner {
            Some(winner) if game.rules().first_lead == FirstLead::PokerWinner => winner,
            _ => self.eldest() as u8,
        };
        self.may_lead = self.hands[self.actor as usize].suits() as u8;
        if let FirstLead::LowestOf(suit) = game.rules().first_lead {
            match self.live.lowest(suit) {
                Some(card) => {
                    self.actor = self.holder(card) as u8;
                    self.may_lead = 1 << suit.index();
                    self.knowledge.dead(game.pack() & CardSet::below(card));
                }
                None => self.knowledge.dead(game.pack() & CardSet::suit(suit)),
            }
        }
    }

    fn holder(&self, card: Card) -> usize {
        self.hands.iter().position(|hand| hand.contains(card)).expect("a live card is in a hand")
    }

    /// Leads the lowest card of a suit, and plays the sequence out.
    #[inline]
    pub(super) fn lead(&mut self, game: &Game, suit: Suit) {
        // At most tables half of the work is for seats that nobody has.
        if game.players() <= 4 {
            self.lead_among::<4>(game, suit);
        } else {
            self.lead_among::<MAX_PLAYERS>(game, suit);
        }
    }

    fn lead_among<const SEATS: usize>(&mut self, game: &Game, suit: Suit) {
        let leader = self.actor as usize;
        let Some(first) = self.hands[leader].lowest(suit) else { return };
        self.learn_from_lead(game, leader, first);
        // The sequence is the run of live cards from the lead up: adding the lead to them carries
        // to the bit above its last card.
        let live = self.live.bits();
        let mut run = CardSet::from_bits(live & !(live + (1 << first.bit())));
        // Whoever holds nothing outside the run goes out.
        let emptied =
            Seats::those::<SEATS>(|seat| run.is_superset(self.hands[seat])) & self.seats_in;
        let winner = (!emptied.is_empty()).then(|| self.first_out(emptied, &mut run));
        self.live -= run;
        for seat in 0..SEATS {
            self.played_by[seat] |= self.hands[seat] & run;
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

    /// Of those whose whole hand is in the run, the first at its last card; the run ends there.
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

    fn learn_from_lead(&mut self, game: &Game, leader: usize, card: Card) {
        match (game.rules().change_suit, self.stopped) {
            (ChangeSuit::OtherColour, Some(stopped)) => {
                if colour(stopped) == colour(card.suit()) {
                    let mut knowledge = self.knowledge;
                    self.nobody_has_other_colour(game, stopped, &mut knowledge);
                    self.knowledge = knowledge;
                }
                self.knowledge.led_lowest_of_colour(leader, card);
            }
            (ChangeSuit::ElseSame, Some(stopped)) => {
                // For want of another suit. (No branch: it can hardly be foretold.)
                let same = stopped == card.suit();
                let others = select_unpredictable(same, !CardSet::suit(stopped), CardSet::EMPTY);
                self.knowledge.ruled_out[leader] |= others;
                self.knowledge.led(leader, card);
            }
            _ => self.knowledge.led(leader, card),
        }
    }

    fn nobody_has_other_colour(&self, game: &Game, stopped: Suit, knowledge: &mut Knowledge) {
        for seat in self.seats_in.iter() {
            knowledge.none_of_other_colour(seat, stopped);
        }
        let [a, b] = other_colour(stopped).map(CardSet::suit);
        knowledge.dead((game.pack() - self.all_played()) & (a | b));
    }

    /// Cards that the actor knows to be dead before its lead shows it to the others: who is to
    /// lead the colour that stopped does so because nobody has the other.
    pub(crate) fn dead_before_lead(&self, game: &Game) -> CardSet {
        if let (Phase::Lead, ChangeSuit::OtherColour, Some(stopped)) =
            (self.phase, game.rules().change_suit, self.stopped)
            && self.lowest_of(self.actor as usize, other_colour(stopped)) == 0
        {
            let [a, b] = other_colour(stopped).map(CardSet::suit);
            (game.pack() - self.all_played()) & (a | b)
        } else {
            CardSet::EMPTY
        }
    }

    /// All cards played so far.
    pub(crate) fn all_played(&self) -> CardSet {
        self.played_by.iter().fold(CardSet::EMPTY, |all, &played| all | played)
    }

    /// Who has played a card.
    fn player_of<const SEATS: usize>(&self, card: Card) -> usize {
        let players = Seats::those::<SEATS>(|seat| self.played_by[seat].contains(card));
        players.lowest().expect("somebody has")
    }

    /// Pays the cells whose claiming cards are in the run to those who played them.
    fn claim<const SEATS: usize>(&mut self, game: &Game, run: CardSet) {
        let claims = self.claims(game);
        for card in run & claims.singles {
            let cell = claims.cell_of[card.bit() as usize] as usize;
            if self.layout[cell] > 0 {
                self.stacks[self.player_of::<SEATS>(card)] += self.layout[cell];
                self.layout[cell] = 0;
            }
        }
        if claims.has_sets() {
            self.claim_by_sets::<SEATS>(claims, run);
        }
    }

    /// The cells of several cards, card by card: of two sets that take one cell, the one that is
    /// complete first does.
    #[inline(never)]
    fn claim_by_sets<const SEATS: usize>(&mut self, claims: &Claims, run: CardSet) {
        for card in run {
            let seat = self.player_of::<SEATS>(card);
            for (cell, set) in claims.sets() {
                let completes =
                    (set & run).last() == Some(card) && self.played_by[seat].is_superset(set);
                if completes && self.layout[cell] > 0 {
                    self.stacks[seat] += self.layout[cell];
                    self.layout[cell] = 0;
                }
            }
        }
    }

    fn stop(&mut self, game: &Game, stopper: usize, last: Card) {
        // A card that is neither played nor in a hand is in the dead hand, if it is in the pack at
        // all; above the top card there is none.
        self.knowledge.dead(CardSet::from_bits(1 << (last.bit() + 1)) & self.dead);
        let suit = last.suit();
        self.stopped = Some(suit);
        self.actor = stopper as u8;
        self.may_lead = match game.rules().change_suit {
            ChangeSuit::Free => self.hands[stopper].suits() as u8,
            ChangeSuit::ElseSame => {
                let suits = self.hands[stopper].suits() as u8;
                let others = suits & !(1 << suit.index());
                if others == 0 { suits } else { others }
            }
            ChangeSuit::ElsePass => return self.lead_or_pass(game, stopper, suit),
            ChangeSuit::OtherColour => return self.lead_other_colour(stopper, suit),
        };
    }

    /// `else_pass`: the first from the stopper on who holds another suit leads.
    fn lead_or_pass(&mut self, game: &Game, first: usize, stopped: Suit) {
        let mut seat = first;
        for _ in 0..self.seats_in.len() {
            let others = self.hands[seat].suits() as u8 & !(1 << stopped.index());
            if others != 0 {
                self.actor = seat as u8;
                self.may_lead = others;
                return;
            }
            self.knowledge.only(seat, stopped);
            seat = self.seats_in.left_of(seat);
        }
        self.end(game, Outcome::NoWinner);
    }

    /// `other_colour`: the first from the stopper on who holds the other colour leads its lowest;
    /// if nobody does, the stopper leads their lowest of the colour that stopped.
    fn lead_other_colour(&mut self, first: usize, stopped: Suit) {
        let mut seat = first;
        for _ in 0..self.seats_in.len() {
            let lowest = self.lowest_of(seat, other_colour(stopped));
            if lowest != 0 {
                // Those who passed showed that they hold none of that colour.
                let mut passed = first;
                while passed != seat {
                    self.knowledge.none_of_other_colour(passed, stopped);
                    passed = self.seats_in.left_of(passed);
                }
                self.actor = seat as u8;
                self.may_lead = lowest;
                return;
            }
            seat = self.seats_in.left_of(seat);
        }
        self.may_lead = self.lowest_of(first, colour(stopped));
    }

    /// The suits among two in which a seat holds its lowest card of both, one bit each.
    fn lowest_of(&self, seat: usize, suits: [Suit; 2]) -> u8 {
        let lowest = suits.map(|suit| self.hands[seat].lane(suit).trailing_zeros());
        let least = lowest[0].min(lowest[1]);
        let mut mask = 0;
        for (suit, lowest) in suits.into_iter().zip(lowest) {
            if lowest == least && least < 16 {
                mask |= 1 << suit.index();
            }
        }
        mask
    }
}
