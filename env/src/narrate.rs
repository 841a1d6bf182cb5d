//! The events of a step of the engine, as a trace has them (`docs/TRACE.md`, section 10) or as one seat
//! sees them.
//!
//! A seat is told the events of the trace, with an empty list for cards that it does not see. Two keys are
//! told to seats only: in `exchange`, `hand` holds the cards that the seat found in the dead hand; in
//! `showdown`, `shown` holds the five cards of each seat that showed them.

use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

use crate::action::Action;
use crate::card::Card;
use crate::card_set::CardSet;
use crate::event::{Event, Name, Payee};
use crate::game::Game;
use crate::poker::Strength;
use crate::rules::{ChangeSuit, MAX_CELLS, MAX_PLAYERS, Timing};
use crate::seats::Seats;
use crate::sequences::why;
use crate::state::{NOBODY, Outcome, Phase, State};

/// The events of one step of a deal, as this seat sees them, or as a trace has them (`None`).
///
/// A step leads from `before` to `after`: by an action; by the cards, if the deal waited for them;
/// or from a blank deal to its first decision. An ante of several chips is told with its last chip, and
/// five cards set apart are told with the last card.
pub fn narrate(
    game: &Game,
    before: &State,
    action: Option<Action>,
    after: &State,
    viewer: Option<usize>,
) -> Vec<Event> {
    let layout = before.public.layout;
    let mut step =
        Step { game, before, after, viewer, layout, won: [0; MAX_PLAYERS], events: Vec::new() };
    let begins = action.is_none() && !after.public.is_dealt();
    if action.is_none() && !begins {
        step.deal();
    }
    if let Some(action) = action.filter(|_| before.public.phase != Phase::Lead) {
        step.decision(action);
    }
    step.antes(begins);
    if before.public.phase == Phase::Bet && after.public.phase != Phase::Bet {
        step.showdown();
    }
    step.collect();
    if before.public.phase == Phase::Lead {
        step.sequence();
    }
    if after.is_over() {
        step.end();
    }
    step.events
}

struct Step<'a> {
    game: &'a Game,
    before: &'a State,
    after: &'a State,
    viewer: Option<usize>,
    /// Chips on each cell after the events so far.
    layout: [i32; MAX_CELLS],
    /// Chips that each seat has claimed in the play of this step.
    won: [i32; MAX_PLAYERS],
    events: Vec<Event>,
}

impl Step<'_> {
    fn tell(&mut self, event: Event) {
        self.events.push(event);
    }

    fn sees(&self, seat: usize) -> bool {
        self.viewer.is_none_or(|viewer| viewer == seat)
    }

    fn cell(&self, cell: usize) -> String {
        self.game.rules().cells[cell].name.clone()
    }

    fn name(&self, card: Card) -> Name {
        Name::of(card, self.game.rules().aces)
    }

    /// The names of these cards, or none if the viewer does not see them.
    fn names(&self, cards: CardSet, seen: bool) -> Vec<Name> {
        cards.iter().filter(|_| seen).map(|card| self.name(card)).collect()
    }

    fn in_turn(&self) -> impl Iterator<Item = usize> + use<> {
        let public = &self.after.public;
        public.seats_in.from_left_of(usize::from(public.dealer))
    }

    fn deal(&mut self) {
        let hands = self.after.hands();
        // An exchange of the dead hand is a later step.
        let by_seat = (0..self.game.players())
            .map(|seat| self.names(hands.seats[seat], self.sees(seat)))
            .collect();
        let dead = self.names(hands.dead, self.viewer.is_none());
        self.tell(Event::Deal { hands: by_seat, dead });
    }

    fn decision(&mut self, action: Action) {
        let (before, after) = (&self.before.public, &self.after.public);
        let seat = usize::from(before.actor);
        let chips = i32::from(after.poker.put[seat]) - i32::from(before.poker.put[seat]);
        let told = match action {
            Action::KEEP => Some(Event::Keep { seat }),
            Action::AUCTION => Some(Event::Auction { seat }),
            Action::BID => Some(Event::Bid { seat, chips: i32::from(after.bid) }),
            Action::PASS => Some(Event::Pass { seat }),
            Action::CHECK => Some(Event::Check { seat, chips }),
            Action::BET => Some(Event::Bet { seat, chips }),
            Action::CALL => Some(Event::Call { seat, chips }),
            Action::RAISE => Some(Event::Raise { seat, chips }),
            Action::FOLD => Some(Event::Fold { seat, chips }),
            _ if before.phase == Phase::SetApart && self.after.apart[seat].len() == 5 => {
                let cards = self.names(self.after.apart[seat], self.sees(seat));
                Some(Event::SetApart { seat, cards })
            }
            _ => None,
        };
        self.events.extend(told);
        if before.phase == Phase::Bet
            && let Some(pot) = self.game.rules().pot()
        {
            self.layout[pot] += chips;
        }
        if after.exchanger != before.exchanger {
            self.exchange(usize::from(after.exchanger));
        }
    }

    fn exchange(&mut self, seat: usize) {
        let auctioned = self.before.public.phase == Phase::Auction;
        let paid = if auctioned {
            i32::from(self.after.public.bid)
        } else {
            self.before.public.price(self.game)
        };
        let to = match paid {
            0 => None,
            _ if auctioned => Some(Payee::Seat(self.after.dealer())),
            _ if self.game.rules().has_kitty() => Some(Payee::Kitty),
            _ => Some(Payee::Layout),
        };
        if to == Some(Payee::Layout) {
            for chip in 0..paid as usize {
                self.layout[chip % self.game.cells()] += 1;
            }
        }
        let dead = self.names(self.after.dead, self.sees(seat));
        let is_viewer = self.viewer == Some(seat);
        let hand = is_viewer.then(|| self.names(self.after.hands[seat], true));
        self.tell(Event::Exchange { seat, paid, to, dead, hand });
    }

    /// The seats whose ante is complete.
    fn staked(&self, state: &State) -> Seats {
        let public = &state.public;
        let asked =
            |seat: &usize| public.phase == Phase::Ante && usize::from(public.actor) == *seat;
        if public.phase == Phase::Deal && self.game.rules().timing == Timing::AfterLook {
            return Seats::NONE;
        }
        self.in_turn().take_while(|seat| !asked(seat)).collect()
    }

    fn antes(&mut self, begins: bool) {
        let earlier = if begins { Seats::NONE } else { self.staked(self.before) };
        let now = self.staked(self.after);
        let (before, after) = (self.before.public.staked, self.after.public.staked);
        for (before, after) in before.iter().zip(&after) {
            for (cell, lies) in self.layout.iter_mut().enumerate() {
                *lies += i32::from(after[cell] - before[cell]);
            }
        }
        for seat in self.in_turn().filter(|&seat| (now - earlier).contains(seat)) {
            let staked = after[seat][..self.game.cells()].iter();
            let layout = staked.map(|&chips| i32::from(chips)).collect();
            self.tell(Event::Ante { seat, kitty: self.game.rules().kitty_ante, layout });
        }
        if now != earlier && now == self.after.public.seats_in {
            self.spill();
        }
    }

    /// Moves chips above the cap, summed by source and destination.
    fn spill(&mut self) {
        let mut public = self.after.public;
        public.layout = self.layout;
        let mut moves: Vec<(usize, Option<usize>, i32)> = Vec::new();
        public.spill_telling(self.game, |from, to, chips| {
            match moves.iter_mut().find(|(a, b, _)| (*a, *b) == (from, to)) {
                Some((.., sum)) => *sum += chips,
                None => moves.push((from, to, chips)),
            }
        });
        self.layout = public.layout;
        for (from, to, chips) in moves {
            let to = to.map_or_else(|| "kitty".into(), |to| self.cell(to));
            self.tell(Event::Spill { from: self.cell(from), to, chips });
        }
    }

    fn showdown(&mut self) {
        let public = self.after.public;
        let staying = public.seats_in - public.poker.folded;
        let seen = staying.len() > 1;
        let five = |seat: usize| public.poker.shown[seat];
        let strength = |seat: usize| Strength::of(five(seat), self.game.rules().aces);
        let hand = |seat| strength(seat).class();
        let hands = seen.then(|| staying.iter().map(|seat| (seat.to_string(), hand(seat))));
        let hands = hands.map(Iterator::collect);
        let cards = |seat: usize| (seat.to_string(), self.names(five(seat), true));
        let shown = (seen && self.viewer.is_some()).then(|| staying.iter().map(cards).collect());
        let best = if seen { staying.iter().map(strength).max() } else { None };
        let wins = |&seat: &usize| {
            staying.contains(seat) && best.is_none_or(|best| strength(seat) == best)
        };
        let winners: Vec<usize> = self.in_turn().filter(wins).collect();
        let pot = self.game.rules().pot().expect("poker is for a pot");
        let (chips, count) = (core::mem::take(&mut self.layout[pot]), winners.len() as i32);
        let mut paid = vec![0; self.game.players()];
        for (nth, &seat) in winners.iter().enumerate() {
            paid[seat] = chips / count + i32::from((nth as i32) < chips % count);
        }
        self.tell(Event::Showdown { winners, hands, shown, paid });
    }

    fn collect(&mut self) {
        let (before, after) = (self.before.public.knowledge, self.after.public.knowledge);
        for cell in (0..self.game.cells())
            .filter(|cell| after.judged >> cell & 1 == 1 && before.judged >> cell & 1 == 0)
        {
            let seats = after.collected[cell];
            let share = self.layout[cell] / seats.len().max(1) as i32;
            for seat in self.in_turn().filter(|&seat| seats.contains(seat)) {
                self.layout[cell] -= share;
                self.tell(Event::Collect { seat, cell: self.cell(cell), chips: share });
            }
        }
    }

    /// A lead, the rest of its sequence, and the seats that pass after it.
    fn sequence(&mut self) {
        let seats = 0..self.game.players();
        let (was, is) = (self.before.public.played_by, self.after.public.played_by);
        let mut played = was;
        let run = seats.clone().fold(CardSet::EMPTY, |run, seat| run | (is[seat] - was[seat]));
        let Some(last) = run.last() else { return };
        let mut by = 0;
        for (nth, card) in run.iter().enumerate() {
            by = seats.clone().find(|&seat| is[seat].contains(card)).expect("somebody played it");
            played[by].insert(card);
            let (seat, card_name) = (by, self.name(card));
            self.tell(if nth == 0 {
                Event::Lead { seat, card: card_name }
            } else {
                Event::Play { seat, card: card_name }
            });
            self.claim(by, card, played[by]);
        }
        if let Outcome::Out(seat) = self.after.public.outcome {
            return self.tell(Event::Out { seat });
        }
        let why = why(self.game, last, self.after.public.all_played());
        self.tell(Event::Stop { seat: by, card: self.name(last), why });
        let passes =
            matches!(self.game.rules().change_suit, ChangeSuit::ElsePass | ChangeSuit::OtherColour);
        let (seats_in, leader) = (self.after.public.seats_in, self.after.public.actor);
        let mut seat = by;
        for _ in 0..seats_in.len() {
            if !passes || leader < NOBODY && usize::from(leader) == seat {
                break;
            }
            self.tell(Event::PassLead { seat });
            seat = seats_in.left_of(seat);
        }
        if self.after.public.outcome == Outcome::NoWinner {
            self.tell(Event::NoWinner {});
        }
    }

    /// The cells that a card claims, if the seat has played these cards, this one among them.
    fn claim(&mut self, seat: usize, card: Card, played: CardSet) {
        let claims = self.after.claims(self.game);
        for cell in 0..self.game.cells() {
            let by_card = claims.cell_claimed_by(card) == Some(cell);
            let completes = |(of, set): (usize, CardSet)| {
                of == cell && set.contains(card) && played.is_superset(set)
            };
            if self.layout[cell] > 0 && (by_card || claims.sets().any(completes)) {
                let chips = core::mem::take(&mut self.layout[cell]);
                self.won[seat] += chips;
                self.tell(Event::Claim { seat, cell: self.cell(cell), chips });
            }
        }
    }

    fn end(&mut self) {
        let (before, after) = (&self.before.public, &self.after.public);
        if let Outcome::Out(winner) = after.outcome {
            let kitty = if self.game.rules().kitty_to_winner { before.kitty } else { 0 };
            let seats = 0..self.game.players();
            let cards = seats.clone().map(|seat| after.hand_size(seat) as i32).collect();
            let lost = |seat: usize| before.stacks[seat] + self.won[seat] - after.stacks[seat];
            let paid = seats.map(|seat| if seat == winner { 0 } else { lost(seat) }).collect();
            self.tell(Event::Settle { winner, kitty, cards, paid });
        }
        self.spill();
    }
}
