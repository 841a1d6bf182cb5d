//! A program as a player: one table of the protocol for each seat of each deal.

use std::sync::Arc;

use newmarket_agents::strategy::Strategy;
use newmarket_agents::{Agent, DealEvents, EventAgent, Replay};
use newmarket_env::{Action, Event, MAX_PLAYERS, Rng, Rules, seed};

use super::message::RulesForm;
use super::program::{Place, Program};

/// A player of a program.
pub(super) struct External {
    program: Arc<Program>,
    seats: [Option<Seat>; MAX_PLAYERS],
    /// The rules of the last deal, and their form in the message `deal`.
    rules: Option<(Rules, RulesForm)>,
    stopper: Strategy,
}

/// A seat in a deal.
struct Seat {
    place: Place,
    replay: Replay,
    events: Vec<Event>,
    /// The last decision, and the number of actions in the deal before it.
    decision: Vec<Action>,
    decided_at: usize,
    /// Whether the program has had a fault in this deal.
    at_fault: bool,
}

impl External {
    pub(super) fn new(program: Arc<Program>) -> Self {
        let stopper = Strategy::named("stopper").expect("a heuristic of that name");
        Self { program, seats: Default::default(), rules: None, stopper }
    }
}

impl Seat {
    fn new(program: &Program, rng: &mut Rng) -> Self {
        Self {
            place: Place::new(program, u64::from(seed::below(rng, u32::MAX))),
            replay: Replay::default(),
            events: Vec::new(),
            decision: Vec::new(),
            decided_at: 0,
            at_fault: false,
        }
    }

    fn listen(&mut self, deal: &DealEvents) {
        self.events.extend(deal.since(&mut self.replay));
    }

    /// The next action of a decision that has several. Forced actions among them have been taken already.
    fn next(&self) -> Option<Action> {
        self.decision.get(self.replay.actions() - self.decided_at).copied()
    }
}

impl EventAgent for External {
    fn name(&self) -> &str {
        self.program.name()
    }

    fn act(&mut self, deal: &DealEvents, rng: &mut Rng) -> Action {
        let Self { program, seats, rules, stopper } = self;
        let seat = seats[deal.seat()].get_or_insert_with(|| Seat::new(program, rng));
        seat.listen(deal);
        if let Some(action) = seat.next() {
            return action;
        }
        if seat.at_fault {
            program.replaced();
            return stopper.act(&deal.view(), rng);
        }
        let due = deal.game().rules();
        if rules.as_ref().is_none_or(|(known, _)| known != due) {
            *rules = Some((due.clone(), RulesForm::of(due)));
        }
        let (_, rules) = rules.as_ref().expect("they have just been written");
        if let Some(decision) = program.ask(&mut seat.place, deal, &seat.events, rules) {
            seat.decided_at = seat.replay.actions();
            seat.decision = decision;
        } else {
            seat.at_fault = true;
            seat.decision.clear();
        }
        seat.next().unwrap_or_else(|| stopper.act(&deal.view(), rng))
    }

    fn over(&mut self, deal: &DealEvents) {
        // A seat without a decision has not been told of the deal.
        if let Some(mut seat) = self.seats[deal.seat()].take() {
            seat.listen(deal);
            self.program.over(&mut seat.place, &seat.events);
        }
    }

    fn another(&self) -> Box<dyn EventAgent> {
        Box::new(Self::new(self.program.clone()))
    }
}
