//! Players that follow a deal by what their seat is told of it, event by event.

use alloc::boxed::Box;
use alloc::vec::Vec;

use newmarket_env::{
    Action, DealStart, Event, Game, Phase, Rng, Session, State, View, narrate, rules::Bankroll,
};

use crate::player::OpenView;

/// A fair player that needs the course of the deal, as one in another program does. What it may
/// know comes by its [`Telling`] alone.
pub trait ToldAgent: Send + Sync {
    /// What the agent is called on the command line.
    fn name(&self) -> &str;

    /// One of the legal actions of the seat, of which there are at least two.
    fn act(&mut self, telling: &Telling, rng: &mut Rng) -> Action;

    /// The deal is over. It is called for every seat of the player.
    fn over(&mut self, telling: &Telling);

    /// Another player of the same kind, for another table.
    fn another(&self) -> Box<dyn ToldAgent>;
}

/// All that has been chosen in a deal so far, from which any seat can be told of it.
#[derive(Clone, Copy, Debug)]
pub struct Course<'a> {
    session: &'a Session,
    alone: bool,
    choices: &'a [Action],
}

impl<'a> Course<'a> {
    /// The current deal of a session; `alone` if the session is of this deal only. `choices` are
    /// the decisions so far that had more than one legal action.
    pub const fn new(session: &'a Session, alone: bool, choices: &'a [Action]) -> Self {
        Self { session, alone, choices }
    }
}

/// A deal as one seat may follow it.
#[derive(Clone, Copy, Debug)]
pub struct Telling<'a> {
    table: OpenView<'a>,
    course: Course<'a>,
}

/// Which deal of a session it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SessionPlace {
    /// The number of the deal, from 1.
    pub deal: u32,
    /// Deals in the session, if nothing ends it before.
    pub of: u32,
    /// What the stacks are, and what happens at a bust.
    pub bankroll: Bankroll,
}

/// How far a seat has been told of a deal.
#[derive(Clone, Debug, Default)]
pub struct Follower {
    state: Option<State>,
    choices: usize,
    actions: usize,
}

impl Follower {
    /// Actions of all seats that it has been told of, forced ones included.
    pub const fn actions(&self) -> usize {
        self.actions
    }
}

impl<'a> Telling<'a> {
    pub(crate) const fn new(table: OpenView<'a>, course: Course<'a>) -> Self {
        Self { table, course }
    }

    /// The rules and the number of seats.
    pub const fn game(&self) -> &'a Game {
        self.table.game()
    }

    /// The seat that is told.
    pub const fn seat(&self) -> usize {
        self.table.seat()
    }

    /// What the seat may know now.
    pub fn view(&self) -> View<'a> {
        self.table.view()
    }

    /// How the table stood before the deal.
    pub fn deal_start(&self) -> &'a DealStart {
        self.course.session.deal_start()
    }

    /// Which deal of a session it is; `None` for a deal on its own.
    pub fn session(&self) -> Option<SessionPlace> {
        let rules = &self.game().rules().session;
        let deal = self.course.session.deal_number();
        (!self.course.alone).then_some(SessionPlace {
            deal,
            of: rules.deals,
            bankroll: rules.bankroll,
        })
    }

    /// What has happened since the follower was told last.
    pub fn news(&self, follower: &mut Follower) -> Vec<Event> {
        let (game, start) = (self.game(), self.deal_start());
        let mut events = Vec::new();
        let mut tell = |before: &State, action: Option<Action>, after: &State| {
            events.extend(narrate(game, before, action, after, Some(self.seat())));
        };
        let mut state = follower.state.unwrap_or_else(|| {
            let first = State::new(game, start);
            tell(&State::blank(start), None, &first);
            first
        });
        loop {
            let mut after = state;
            if state.phase() == Phase::Deal {
                after.deal(game, &self.course.session.hands(game));
                tell(&state, None, &after);
            } else if let Some(action) = self.next(&state, &mut follower.choices) {
                after.apply_unchecked(game, action);
                tell(&state, Some(action), &after);
                follower.actions += 1;
            } else {
                break;
            }
            state = after;
        }
        follower.state = Some(state);
        events
    }

    /// All actions of the deal so far that everybody saw, forced ones included: all but which cards were set
    /// apart for poker.
    pub fn public_actions(&self) -> Vec<Action> {
        let mut actions = Vec::new();
        let (mut state, mut choices) = (State::new(self.game(), self.deal_start()), 0);
        loop {
            if state.phase() == Phase::Deal {
                state.deal(self.game(), &self.course.session.hands(self.game()));
            } else if let Some(action) = self.next(&state, &mut choices) {
                if state.phase() != Phase::SetApart {
                    actions.push(action);
                }
                state.apply_unchecked(self.game(), action);
            } else {
                return actions;
            }
        }
    }

    /// The action that was taken here, if one was.
    fn next(&self, state: &State, choices: &mut usize) -> Option<Action> {
        state.actor()?;
        let legal = state.legal(self.game());
        if legal.is_forced() {
            return legal.first();
        }
        let chosen = self.course.choices.get(*choices).copied();
        *choices += usize::from(chosen.is_some());
        chosen
    }
}
