//! Cards that agree with what a seat is told of one step, so that the engine can take it.
//!
//! The seat's own cards are where they are. Of the others' only those matter that the step tells of:
//! what is played, what collects a cell, what is shown, whether a seat has a card left, and whether it
//! can lead. So stand-ins need not be a possible deal: two hands may have the same card. Whether all
//! that is told can be true together is another question (`possible`).

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::{Fault, possible};
use crate::action::Action;
use crate::card::Card;
use crate::card_set::CardSet;
use crate::event::{Event, Name};
use crate::game::{Game, Hands};
use crate::narrate::narrate;
use crate::rules::{ChangeSuit, FirstLead, MAX_PLAYERS, Stage};
use crate::state::{NOBODY, Phase, State};

/// One step as it is told.
#[derive(Clone, Copy)]
pub(super) struct StandIn<'a> {
    pub(super) game: &'a Game,
    pub(super) seat: usize,
    pub(super) before: &'a State,
    /// The decision or the cards first, except in the first step of a deal.
    pub(super) told: &'a [Event],
    /// Whether this is the first step of the deal.
    pub(super) first: bool,
    /// Whether a seat passed before this lead.
    pub(super) passed: bool,
}

/// Stand-ins for the cards of the others, as far as they collect cells.
#[derive(Clone, Copy, Default)]
pub(super) struct Cards {
    pub(super) hands: [CardSet; MAX_PLAYERS],
    pub(super) dead: CardSet,
}

/// What events may not say.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Guess {
    /// What they do not say is not so.
    Plain,
    /// Nobody holds the colour that is to be led next, and so nobody passes.
    OtherColourGone,
    /// More seats hold the cards of a cell than it has chips, and so it pays nobody.
    ManyShare,
}

pub(super) fn fault<T>(nth: usize, problem: impl Into<String>) -> Result<T, Fault> {
    Err(Fault { nth, problem: problem.into() })
}

impl StandIn<'_> {
    /// The state after the step, and what is still to be told of it.
    pub(super) fn step(&self) -> Result<(State, Option<String>), Fault> {
        let mut begun = None;
        let mut refused = None;
        for guess in self.guesses() {
            match self.try_step(guess) {
                Ok((after, None)) => return Ok((after, None)),
                Ok(part) => begun = begun.or(Some(part)),
                Err(fault) => refused = refused.or(Some(fault)),
            }
        }
        match (begun, refused) {
            (None, Some(fault)) => Err(fault),
            (begun, _) => Ok(begun.expect("there is a guess")),
        }
    }

    /// What may be behind events that do not say, the likeliest first.
    fn guesses(&self) -> impl Iterator<Item = Guess> {
        let rules = self.game.rules();
        let leads = self.before.phase() == Phase::Lead;
        let colour = leads && rules.change_suit == ChangeSuit::OtherColour;
        let unpaid = !leads && rules.has(Stage::Collect);
        let other =
            if colour { Some(Guess::OtherColourGone) } else { unpaid.then_some(Guess::ManyShare) };
        [Some(Guess::Plain), other].into_iter().flatten()
    }

    fn try_step(&self, guess: Guess) -> Result<(State, Option<String>), Fault> {
        let collects =
            |event: &Event| matches!(event, Event::Collect { seat, .. } if *seat != self.seat);
        let mut cards = Cards::default();
        if guess == Guess::ManyShare || self.told.iter().any(collects) {
            // Which cells have chips does not depend on who collects them.
            let (after, action) = self.by_engine(&cards, guess)?;
            let judged = after.public.knowledge.judged;
            cards = self.collectors(judged)?;
            if guess == Guess::ManyShare {
                let alone = narrate(self.game, self.before, action, &after, Some(self.seat));
                self.add_sharers(judged, &alone, &mut cards)?;
            }
        }
        let (mut after, due) = self.compare(&cards, guess)?;
        if let Some(due) = due {
            return Ok((after, Some(super::expected(&due))));
        }
        self.forget(&mut after);
        if possible::any_deal(&after.view(self.game, self.seat)) {
            return Ok((after, None));
        }
        if self.more_to_collect(after) {
            return Ok((after, Some("expected somebody to collect a cell".into())));
        }
        fault(self.told.len().saturating_sub(1), "there is no deal in which all this happens")
    }

    /// Holds what the engine tells of the step against what was told.
    fn compare(&self, cards: &Cards, guess: Guess) -> Result<(State, Option<Event>), Fault> {
        let (after, action) = self.by_engine(cards, guess)?;
        let due = narrate(self.game, self.before, action, &after, Some(self.seat));
        for (nth, event) in self.told.iter().enumerate() {
            match due.get(nth) {
                Some(it) if it == event => {}
                Some(it) if self.shares(nth, it) => return Ok((after, Some(it.clone()))),
                Some(it) => return fault(nth, super::expected(it)),
                None => return fault(nth, "nothing more can happen here without a decision"),
            }
        }
        Ok((after, due.into_iter().nth(self.told.len())))
    }

    /// Takes the step with these cards.
    fn by_engine(&self, cards: &Cards, guess: Guess) -> Result<(State, Option<Action>), Fault> {
        let Self { game, seat, before, .. } = *self;
        let mut state = *before;
        for (at, hand) in state.hands.iter_mut().enumerate().filter(|(at, _)| *at != seat) {
            *hand = cards.hands[at];
        }
        if usize::from(before.public.exchanger) != seat {
            state.dead = cards.dead;
        }
        let Some(event) = self.told.first().filter(|_| !self.first) else {
            state.begin(game);
            return Ok((state, None));
        };
        let (seat, phase, action) = match event {
            Event::Deal { hands, .. } => {
                self.deal(&mut state, hands)?;
                return Ok((state, None));
            }
            Event::Ante { seat, layout, .. } => {
                self.must_act(*seat, Phase::Ante)?;
                return self.ante(state, layout);
            }
            Event::SetApart { seat, cards } => {
                self.must_act(*seat, Phase::SetApart)?;
                return self.set_apart(state, cards);
            }
            Event::Lead { seat, card } => {
                if before.phase() != Phase::Lead {
                    return fault(0, "no lead is due");
                }
                return self.lead(state, *seat, self.card(*card), guess);
            }
            Event::Keep { seat } => (seat, Phase::DeadHand, Action::KEEP),
            Event::Auction { seat } => (seat, Phase::DeadHand, Action::AUCTION),
            Event::Exchange { seat, .. } => (seat, Phase::DeadHand, Action::EXCHANGE),
            Event::Bid { seat, .. } => (seat, Phase::Auction, Action::BID),
            Event::Pass { seat, .. } => (seat, Phase::Auction, Action::PASS),
            Event::Check { seat, .. } => (seat, Phase::Bet, Action::CHECK),
            Event::Bet { seat, .. } => (seat, Phase::Bet, Action::BET),
            Event::Call { seat, .. } => (seat, Phase::Bet, Action::CALL),
            Event::Raise { seat, .. } => (seat, Phase::Bet, Action::RAISE),
            Event::Fold { seat, .. } => (seat, Phase::Bet, Action::FOLD),
            _ => return fault(0, "this is no event of a deal that a seat is told of"),
        };
        self.must_act(*seat, phase)?;
        if let Some(hand) = self.new_hand()? {
            state.dead = hand;
        }
        if before.phase() == Phase::Bet {
            self.show(&mut state)?;
        }
        state.apply(game, action).or_else(|error| fault(0, format!("{error}")))?;
        Ok((state, Some(action)))
    }

    /// The seat must be the one that is to act.
    fn must_act(&self, seat: usize, phase: Phase) -> Result<(), Fault> {
        let due = self.before.phase();
        if due == phase && self.before.actor() == Some(seat) {
            return Ok(());
        }
        let what = match due {
            Phase::Ante => "an ante",
            Phase::Deal => "the cards",
            Phase::DeadHand => "an answer about the dead hand",
            Phase::Auction => "a bid",
            Phase::SetApart => "five cards set apart",
            Phase::Bet => "a bet",
            Phase::Lead => "a lead",
            Phase::Over => return fault(0, "the deal is over"),
        };
        match self.before.actor() {
            Some(actor) => fault(0, format!("expected {what} by seat {actor}")),
            None => fault(0, format!("expected {what}")),
        }
    }

    pub(super) fn card(&self, name: Name) -> Card {
        name.card(self.game.rules().aces)
    }

    /// A list of cards, each of the pack and once.
    pub(super) fn cards(&self, nth: usize, names: &[Name]) -> Result<CardSet, Fault> {
        let mut cards = CardSet::EMPTY;
        for &name in names {
            let card = self.card(name);
            if !self.game.pack().contains(card) || cards.contains(card) {
                return fault(nth, format!("{name} is not in play, or comes twice"));
            }
            cards.insert(card);
        }
        Ok(cards)
    }

    fn deal(&self, state: &mut State, hands: &[Vec<Name>]) -> Result<(), Fault> {
        if state.phase() != Phase::Deal {
            return fault(0, "the cards are not to be dealt now");
        }
        let own = self.cards(0, hands.get(self.seat).map_or(&[], Vec::as_slice))?;
        let (sizes, _) = self.game.hand_sizes(state.dealer(), state.seats_in());
        if own.len() != usize::from(sizes[self.seat]) {
            let size = sizes[self.seat];
            return fault(0, format!("{} cards in the hand: expected {size}", own.len()));
        }
        let mut dealt = Hands { seats: state.hands, dead: state.dead };
        dealt.seats[self.seat] = own;
        state.deal(self.game, &dealt);
        Ok(())
    }

    fn ante(&self, mut state: State, layout: &[i32]) -> Result<(State, Option<Action>), Fault> {
        let chips = i64::from(state.public.chips_left);
        let sum: i64 = layout.iter().map(|&chips| i64::from(chips)).sum();
        let cells = self.game.cells();
        if layout.len() != cells || layout.iter().any(|&chips| chips < 0) || sum != chips {
            return fault(0, format!("expected {chips} chips on {cells} cells"));
        }
        let mut last = None;
        for (cell, &chips) in layout.iter().enumerate() {
            for _ in 0..chips {
                let action = Action::chip(cell);
                state.apply(self.game, action).or_else(|error| fault(0, format!("{error}")))?;
                last = Some(action);
            }
        }
        Ok((state, last))
    }

    /// Cards that others set apart are not seen: any five stand for them.
    fn set_apart(&self, mut state: State, told: &[Name]) -> Result<(State, Option<Action>), Fault> {
        let own = state.actor() == Some(self.seat);
        let five = if own { self.cards(0, told)? } else { self.any_five() };
        if five.len() != 5 {
            return fault(0, "expected five cards");
        }
        let mut last = None;
        for action in five.iter().map(Action::pick) {
            if own {
                state.apply(self.game, action).or_else(|error| fault(0, format!("{error}")))?;
            } else {
                state.apply_unchecked(self.game, action);
            }
            last = Some(action);
        }
        Ok((state, last))
    }

    fn any_five(&self) -> CardSet {
        self.game.pack().iter().take(5).collect()
    }

    /// What the seat finds in the dead hand, if it takes it in this step.
    pub(super) fn new_hand(&self) -> Result<Option<CardSet>, Fault> {
        for (nth, event) in self.told.iter().enumerate() {
            if let Event::Exchange { seat, hand: Some(hand), .. } = event
                && *seat == self.seat
            {
                let cards = self.cards(nth, hand)?;
                let size = usize::from(self.before.public.dead_size);
                if cards.len() != size {
                    return fault(nth, format!("expected the {size} cards of the dead hand"));
                }
                return Ok(Some(cards));
            }
        }
        Ok(None)
    }

    /// The five cards of the other seats, as they show them.
    fn show(&self, state: &mut State) -> Result<(), Fault> {
        for (at, five) in state.apart.iter_mut().enumerate().filter(|(at, _)| *at != self.seat) {
            *five = if state.public.seats_in.contains(at) { self.any_five() } else { *five };
        }
        for (nth, event) in self.told.iter().enumerate() {
            let Event::Showdown { shown: Some(shown), .. } = event else { continue };
            for (at, cards) in shown.entries() {
                let five = self.cards(nth, cards)?;
                match at.parse::<usize>() {
                    Ok(at) if at < self.game.players() && five.len() == 5 => {
                        if at != self.seat {
                            state.apart[at] = five;
                        }
                    }
                    _ => return fault(nth, "expected five cards of each seat that stayed"),
                }
            }
        }
        Ok(())
    }

    /// Leaves of the state what is public and the seat's own.
    fn forget(&self, state: &mut State) {
        let own = |cards: [CardSet; MAX_PLAYERS]| {
            let mut kept = [CardSet::EMPTY; MAX_PLAYERS];
            kept[self.seat] = cards[self.seat];
            kept
        };
        state.hands = own(state.hands);
        state.apart = own(state.apart);
        state.live = CardSet::EMPTY;
        state.may_lead = 0;
        if usize::from(state.public.exchanger) != self.seat {
            state.dead = CardSet::EMPTY;
        }
        let begins = state.phase() == Phase::Lead && self.before.phase() != Phase::Lead;
        if begins && matches!(self.game.rules().first_lead, FirstLead::LowestOf(_)) {
            // The cards say who leads, so it shows with the lead.
            state.public.actor = NOBODY;
            state.public.knowledge.dead =
                self.before.public.knowledge.dead | self.not_collected(state);
        }
    }

    /// Cards that a cell shows to be dead in this step: it had chips, and nobody collected them.
    pub(super) fn not_collected(&self, after: &State) -> CardSet {
        let knowledge = &after.public.knowledge;
        let judged = knowledge.judged & !self.before.public.knowledge.judged;
        let nobody =
            |&cell: &usize| judged >> cell & 1 == 1 && knowledge.collected[cell].is_empty();
        let claims = after.claims(self.game);
        (0..self.game.cells()).filter(nobody).filter_map(|cell| claims.card_of(cell)).collect()
    }
}
