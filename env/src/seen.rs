//! The knowledge of one seat, built from the events that the seat is told: a player does not need the
//! [`State`] of the table.
//!
//! A [`Seen`] takes the events of a deal as a seat is told them ([`narrate`]) and gives the same [`View`]
//! as the state does. It does not implement the rules of play. For every step it lays out cards that agree
//! with the events, with stand-ins for hidden cards (`stand_in`). The engine takes the step, and the
//! engine's events are compared with the events that were told. The public part of the state after the
//! step does not depend on the stand-ins. Last, at least one deal must be consistent with the seat's
//! knowledge (`possible`).

use alloc::format;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;

use crate::action::Action;
use crate::deal_start::DealStart;
use crate::event::Event;
use crate::game::Game;
use crate::rules::LayoutAnte;
use crate::state::{NOBODY, Phase, State};
use crate::view::View;

mod collect;
mod lead;
mod possible;
mod stand_in;

/// An event that cannot have happened, given the seat's knowledge. Nothing has changed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Impossible {
    /// The number of the event among those that were told, from 0; their count, if an event is missing.
    pub event: usize,
    /// The fault, and what was expected.
    pub problem: String,
}

impl fmt::Display for Impossible {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "event {}: {}", self.event, self.problem)
    }
}

impl core::error::Error for Impossible {}

/// One seat's knowledge of a deal.
#[derive(Clone, Debug)]
pub struct Seen {
    game: Arc<Game>,
    seat: usize,
    step: Step,
    events: usize,
}

/// The facts about a step that its events do not tell.
#[derive(Clone, Copy, Debug, Default)]
struct Kind {
    /// Whether it is the first step of the deal, which is no decision.
    first: bool,
    /// Whether a seat passed before this lead.
    passed: bool,
}

/// The last step of a deal, with its events so far.
#[derive(Clone, Debug)]
struct Step {
    /// The state before the step; the cards of other seats mean nothing.
    before: State,
    /// The events of the step so far. The beginning of the deal has none, or consequences only.
    told: Vec<Event>,
    after: State,
    /// The event that is expected next, if the step has been told in part.
    due: Option<String>,
    kind: Kind,
}

impl Seen {
    /// A seat at a deal before its first event.
    ///
    /// # Errors
    /// If no deal can begin like this, or the seat does not play it.
    pub fn new(game: Arc<Game>, seat: usize, start: &DealStart) -> Result<Self, &'static str> {
        start.check(&game)?;
        if seat >= game.players() || !start.seats_in.contains(seat) {
            return Err("the seat is not in: expected one that plays");
        }
        let before = State::blank(start);
        let first = Kind { first: true, passed: false };
        let step = Step::taken(&game, seat, &before, Vec::new(), first);
        let step = step.map_err(|_| "the deal cannot begin")?;
        Ok(Self { game, seat, step, events: 0 })
    }

    /// The rules and the table.
    pub const fn game(&self) -> &Arc<Game> {
        &self.game
    }

    /// The seat that is told.
    pub const fn seat(&self) -> usize {
        self.seat
    }

    /// The number of events that the seat has been told.
    pub const fn events(&self) -> usize {
        self.events
    }

    /// The event that is expected next, if a step has been told in part: `expected …`. If hidden cards
    /// decide, it is one of several possibilities.
    pub fn due(&self) -> Option<&str> {
        self.step.due.as_deref()
    }

    /// Takes events.
    ///
    /// # Errors
    /// The first event that cannot have happened; nothing has then changed.
    pub fn tell(&mut self, events: &[Event]) -> Result<(), Impossible> {
        let mut latest: Option<Step> = None;
        let mut next = 0;
        while next < events.len() {
            let step = latest.as_ref().unwrap_or(&self.step);
            let begins = self.begins_step(&step.told, &events[next]);
            if begins && let Some(due) = &step.due {
                return Err(Impossible { event: next, problem: due.clone() });
            }
            let is_pass = |event: &Event| matches!(event, Event::PassLead { .. });
            let (before, mut told, kind) = if begins {
                let passed = step.told.iter().any(is_pass);
                (step.after, Vec::new(), Kind { first: false, passed })
            } else {
                (step.before, step.told.clone(), step.kind)
            };
            let earlier = told.len();
            let first = next;
            told.push(events[next].clone());
            next += 1;
            while next < events.len() && !self.begins_step(&told, &events[next]) {
                told.push(events[next].clone());
                next += 1;
            }
            let step = Step::taken(&self.game, self.seat, &before, told, kind);
            latest = Some(step.map_err(|fault| Impossible {
                event: first + fault.nth.saturating_sub(earlier),
                problem: fault.problem,
            })?);
        }
        if let Some(step) = latest {
            self.step = step;
            self.events += events.len();
        }
        Ok(())
    }

    /// Whether an event begins a step: whether it is a decision or the cards, not a consequence.
    fn begins_step(&self, told: &[Event], event: &Event) -> bool {
        match event {
            Event::Ante { seat, .. } => match self.game.rules().layout_ante {
                LayoutAnte::Fixed { .. } => false,
                LayoutAnte::Free { chips, dealer_chips } => {
                    0 < if *seat == self.step.before.dealer() { dealer_chips } else { chips }
                }
            },
            // The highest bidder takes the dead hand without being asked again.
            Event::Exchange { .. } => {
                !matches!(told.first(), Some(Event::Bid { .. } | Event::Pass { .. }))
            }
            Event::Spill { .. }
            | Event::Collect { .. }
            | Event::Showdown { .. }
            | Event::Play { .. }
            | Event::Claim { .. }
            | Event::Stop { .. }
            | Event::PassLead { .. }
            | Event::Out { .. }
            | Event::NoWinner {}
            | Event::Settle { .. } => false,
            _ => true,
        }
    }

    /// The seat's view. While an event is [due](Self::due), it is the view before the step.
    pub fn view(&self) -> View<'_> {
        let state = if self.step.due.is_some() { &self.step.before } else { &self.step.after };
        View::new(&self.game, &state.public, self.seat, state.own_cards(self.seat))
    }

    /// The view of a seat that is to act. To be asked may be news: if the lowest card of a suit leads
    /// first, the seat that is asked has this card.
    ///
    /// # Errors
    /// If the seat cannot be the one to act; nothing has then changed.
    pub fn asked(&mut self) -> Result<View<'_>, Impossible> {
        let refuse = |problem| Err(Impossible { event: 0, problem });
        if let Some(due) = &self.step.due {
            return refuse(due.clone());
        }
        let mut after = self.step.after;
        if after.phase() == Phase::Lead && after.public.actor == NOBODY {
            after.begin_play(&self.game);
        }
        if after.is_over() {
            return refuse("the deal is over".into());
        }
        match after.actor() {
            Some(seat) if seat == self.seat => {}
            Some(seat) => return refuse(format!("seat {seat} is to act, not seat {}", self.seat)),
            None => return refuse("the cards are to be dealt first".into()),
        }
        if !possible::any_deal(&after.view(&self.game, self.seat)) {
            return refuse(format!("seat {} cannot be the first to lead", self.seat));
        }
        self.step.after = after;
        Ok(self.view())
    }

    /// A whole decision of this seat, taken action by action: all chips of an ante, five cards set
    /// apart, else one action. Forced ones are taken without a choice.
    ///
    /// # Errors
    /// As [`Seen::asked`].
    pub fn decide(
        &mut self,
        mut choose: impl FnMut(&View<'_>) -> Action,
    ) -> Result<Vec<Action>, Impossible> {
        self.asked()?;
        let mut state = self.step.after;
        let phase = state.phase();
        let mut actions = Vec::new();
        while state.phase() == phase && state.actor() == Some(self.seat) {
            let own = state.own_cards(self.seat);
            let view = View::new(&self.game, &state.public, self.seat, own);
            let legal = view.legal();
            let action = match legal.first() {
                Some(only) if legal.is_forced() => only,
                _ => choose(&view),
            };
            actions.push(action);
            let whole = !matches!(phase, Phase::Ante | Phase::SetApart);
            if whole || state.apply(&self.game, action).is_err() {
                break;
            }
        }
        Ok(actions)
    }
}

/// The text about an expected event. If hidden cards decide, the event comes from stand-ins.
fn expected(due: &Event) -> String {
    match due {
        Event::Play { .. } | Event::Stop { .. } | Event::Out { .. } => {
            "expected the next card, a stop, or that a seat is out".into()
        }
        Event::Showdown { .. } => {
            "expected the showdown, with the five cards of those who stay".into()
        }
        _ => format!("expected {}", serde_json::to_string(due).unwrap_or_default()),
    }
}

/// The fault of an event of a step.
struct Fault {
    nth: usize,
    problem: String,
}

impl Step {
    /// The step, if its events are possible.
    fn taken(
        game: &Game,
        seat: usize,
        before: &State,
        told: Vec<Event>,
        kind: Kind,
    ) -> Result<Self, Fault> {
        let Kind { first, passed } = kind;
        let step = stand_in::StandIn { game, seat, before, told: &told, first, passed };
        let (after, due) = step.step()?;
        Ok(Self { before: *before, told, after, due, kind })
    }
}
