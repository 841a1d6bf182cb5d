//! Stand-ins for the cards of a sequence, and for what is left of the hands after it.

use alloc::format;

use super::Fault;
use super::stand_in::{Guess, StandIn, fault};
use crate::action::Action;
use crate::card::{Card, Suit};
use crate::card_set::CardSet;
use crate::event::{Event, Name};
use crate::rules::{ChangeSuit, MAX_PLAYERS};
use crate::state::{NOBODY, State};

impl StandIn<'_> {
    /// Takes a lead.
    pub(super) fn lead(
        &self,
        mut state: State,
        leader: usize,
        card: Card,
        guess: Guess,
    ) -> Result<(State, Option<Action>), Fault> {
        let game = self.game;
        let own = state.hands[self.seat];
        let mut runs = [CardSet::EMPTY; MAX_PLAYERS];
        let mut last = card;
        for (nth, event) in self.told.iter().enumerate() {
            if let Event::Lead { seat, card } | Event::Play { seat, card } = event {
                last = self.card(*card);
                self.check_card(nth, *seat, last)?;
                runs[*seat].insert(last);
            }
        }
        if state.public.actor == NOBODY {
            for (at, hand) in state.hands.iter_mut().enumerate().filter(|(at, _)| *at != self.seat)
            {
                *hand = runs[at];
            }
            state.begin_play(game);
        }
        if state.actor() != Some(leader) {
            let actor = state.public.actor;
            return fault(0, format!("expected a lead by seat {actor}"));
        }
        self.check_suit(&state, leader, card)?;
        for seat in state.seats_in().iter().filter(|&seat| seat != self.seat) {
            let Some(more) = state.public.hand_size(seat).checked_sub(runs[seat].len()) else {
                return fault(self.last_of(seat), "it has no card left to play");
            };
            let mut fill = self.fill(seat, &state, card.suit(), guess) - runs[seat];
            if seat == leader {
                fill -= CardSet::below(card);
            }
            let fill: CardSet = fill.iter().take(more).collect();
            if fill.len() < more {
                return fault(self.last_of(seat), "it holds too many cards for this");
            }
            state.hands[seat] = runs[seat] | fill;
        }
        state.live = runs.iter().fold(own, |live, &run| live | run);
        while let Some(next) = last.above().filter(|&next| own.contains(next)) {
            last = next;
        }
        // A card that nobody plays is dead.
        if let Some(next) = last.above()
            && (game.pack() - state.live - state.public.all_played()).contains(next)
        {
            state.dead.insert(next);
        }
        let action = Action::lead(card.suit());
        state.apply_unchecked(game, action);
        state.dead = self.before.dead;
        Ok((state, Some(action)))
    }

    /// A card that a seat has played must be one that it can have had.
    fn check_card(&self, nth: usize, seat: usize, card: Card) -> Result<(), Fault> {
        let name = Name::of(card, self.game.rules().aces);
        let public = &self.before.public;
        let own = self.before.own_cards(self.seat);
        let others = |at: &usize| *at != seat;
        let shown = (0..MAX_PLAYERS).filter(others).fold(CardSet::EMPTY, |all, at| {
            all | (public.knowledge.held[at] - public.played_by[at])
        });
        let problem = if !public.seats_in.contains(seat) {
            "that seat does not play"
        } else if !self.game.pack().contains(card) {
            "it is not in the pack"
        } else if public.all_played().contains(card) {
            "it was played before"
        } else if (public.knowledge.dead | own.discard).contains(card) {
            "it is in the dead hand"
        } else if (seat == self.seat) != own.hand.contains(card) {
            if seat == self.seat { "it is not in the hand" } else { "it is in the own hand" }
        } else if seat != self.seat && public.knowledge.ruled_out[seat].contains(card) {
            "the seat has shown that it does not hold it"
        } else if seat != self.seat && shown.contains(card) {
            "another seat has shown that it holds it"
        } else {
            return Ok(());
        };
        fault(nth, format!("{name} by seat {seat}: {problem}"))
    }

    /// The rules must allow the lead.
    fn check_suit(&self, state: &State, leader: usize, card: Card) -> Result<(), Fault> {
        let suit = card.suit();
        let allowed = if leader == self.seat {
            let hand = state.hands[leader];
            state.public.may_lead(self.game, hand) >> suit.index() & 1 == 1
                && hand.lowest(suit) == Some(card)
        } else {
            match (self.game.rules().change_suit, state.public.stopped) {
                (ChangeSuit::ElsePass, Some(stopped)) => suit != stopped,
                (ChangeSuit::OtherColour, Some(stopped)) => {
                    !self.passed || suit.is_red() != stopped.is_red()
                }
                _ => true,
            }
        };
        if allowed { Ok(()) } else { fault(0, "the rules do not allow this lead") }
    }

    /// What the rest of a hand may be, so that the seat passes or leads next as it is told.
    fn fill(&self, seat: usize, state: &State, led: Suit, guess: Guess) -> CardSet {
        let of = |suits: [Suit; 2]| CardSet::suit(suits[0]) | CardSet::suit(suits[1]);
        let run = state.hands[self.seat] & CardSet::suit(led);
        let passes = self
            .told
            .iter()
            .any(|event| matches!(event, Event::PassLead { seat: at } if *at == seat));
        let played = |event: &Event| match event {
            Event::Lead { card, .. } | Event::Play { card, .. } => Some(self.card(*card)),
            _ => None,
        };
        let run: CardSet = self.told.iter().filter_map(played).chain(run).collect();
        let wanted = match (self.game.rules().change_suit, passes) {
            (ChangeSuit::OtherColour, false) if guess != Guess::OtherColourGone => {
                of(led.other_colour())
            }
            (ChangeSuit::OtherColour, _) => of(led.colour()),
            (_, true) => CardSet::suit(led),
            (_, false) => CardSet::ALL - CardSet::suit(led),
        };
        wanted - run
    }

    /// The last event of the step that tells of this seat's hand.
    fn last_of(&self, seat: usize) -> usize {
        let about = |event: &Event| {
            matches!(event, Event::Lead { seat: at, .. } | Event::Play { seat: at, .. }
                | Event::PassLead { seat: at } if *at == seat)
        };
        self.told.iter().rposition(about).unwrap_or(0)
    }
}
