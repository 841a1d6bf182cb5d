//! Players that follow a deal by its events, as their seat sees them.

use alloc::boxed::Box;
use alloc::vec::Vec;

use newmarket_env::{Action, DealStart, Event, Game, Phase, Rng, State, View, rules::Bankroll};

use crate::Runner;

/// A fair player that needs the course of a deal, as one in another program does. It learns what its
/// seat may know from [`DealEvents`] alone.
pub trait EventAgent: Send + Sync {
    /// What the agent is called on the command line.
    fn name(&self) -> &str;

    /// One of the legal actions of the seat, of which there are at least two.
    fn act(&mut self, deal: &DealEvents, rng: &mut Rng) -> Action;

    /// The deal is over. It is called for every seat of the player.
    fn over(&mut self, deal: &DealEvents);

    /// Another player of the same kind, for another table.
    fn another(&self) -> Box<dyn EventAgent>;
}

/// A deal as one seat sees it: its view, and the events that led to it.
#[derive(Clone, Copy, Debug)]
pub struct DealEvents<'a> {
    game: &'a Game,
    runner: &'a Runner,
    seat: usize,
}

/// The place of a deal in its session.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SessionPlace {
    /// The number of the deal, from 1.
    pub deal: u32,
    /// Deals in the session, if nothing ends it before.
    pub of: u32,
    /// Whether stacks are a score or chips, and what happens at a bust.
    pub bankroll: Bankroll,
}

impl<'a> DealEvents<'a> {
    pub(crate) const fn new(game: &'a Game, runner: &'a Runner, seat: usize) -> Self {
        Self { game, runner, seat }
    }

    /// The rules and the number of seats.
    pub const fn game(&self) -> &'a Game {
        self.game
    }

    /// The seat that sees the events.
    pub const fn seat(&self) -> usize {
        self.seat
    }

    /// What the seat may know now.
    pub fn view(&self) -> View<'a> {
        self.runner.state().view(self.game, self.seat)
    }

    /// How the table stood before the deal.
    pub fn deal_start(&self) -> &'a DealStart {
        self.runner.session().deal_start()
    }

    /// The place of the deal in its session; `None` for a deal on its own.
    pub fn session(&self) -> Option<SessionPlace> {
        let rules = &self.game.rules().session;
        let deal = self.runner.session().deal_number();
        let place = SessionPlace { deal, of: rules.deals, bankroll: rules.bankroll };
        (!self.runner.is_single()).then_some(place)
    }

    /// The events since `replay` was told the last ones, as the seat sees them.
    pub fn since(&self, replay: &mut Replay) -> Vec<Event> {
        self.runner.events(self.game, Some(self.seat), replay)
    }

    /// All actions of the deal so far that everybody saw, forced ones included: all but which cards
    /// were set apart for poker.
    pub fn public_actions(&self) -> Vec<Action> {
        let mut actions = Vec::new();
        Replay::default().go_on(self.game, self.runner, |before, action, _| {
            actions.extend(action.filter(|_| before.phase() != Phase::SetApart));
        });
        actions
    }
}

/// How far a deal has been replayed for one viewer.
#[derive(Clone, Debug, Default)]
pub struct Replay {
    state: Option<State>,
    choices: usize,
    actions: usize,
}

impl Replay {
    /// Actions of all seats that have been replayed, forced ones included.
    pub const fn actions(&self) -> usize {
        self.actions
    }

    /// Goes on to where the deal stands. `step` is called with the state before each step, the
    /// action, and the state after it. The beginning of the deal and the cards are no actions.
    pub(crate) fn go_on(
        &mut self,
        game: &Game,
        runner: &Runner,
        mut step: impl FnMut(&State, Option<Action>, &State),
    ) {
        let start = runner.session().deal_start();
        let mut state = self.state.unwrap_or_else(|| {
            let first = State::new(game, start);
            step(&State::blank(start), None, &first);
            first
        });
        while state != *runner.state() {
            let mut after = state;
            let mut taken = None;
            if state.phase() == Phase::Deal {
                after.deal(game, &runner.session().hands(game));
            } else {
                taken = self.next(&state, game, runner.choices());
                let Some(action) = taken else { break };
                after.apply_unchecked(game, action);
                self.actions += 1;
            }
            step(&state, taken, &after);
            state = after;
        }
        self.state = Some(state);
    }

    /// The action that was taken here; `None` at the end of the deal.
    fn next(&mut self, state: &State, game: &Game, choices: &[Action]) -> Option<Action> {
        state.actor()?;
        let legal = state.legal(game);
        if legal.is_forced() {
            return legal.first();
        }
        let chosen = choices.get(self.choices).copied();
        self.choices += usize::from(chosen.is_some());
        chosen
    }
}
