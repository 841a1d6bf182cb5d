//! The players at a table: who sits where, what each of them draws at random, and what has been
//! chosen in the deal.

use newmarket_agents::{Player, Runner};
use newmarket_env::{Action, ActionMask, Game, Phase, Rng, Seed, Session, State};

/// What each child of the seed is for.
const CARDS: u64 = 0;
const AGENTS: u64 = 1;
const ADVICE: u64 = 2;

/// The seed of a session's cards.
pub(super) fn cards(seed: u64) -> Seed {
    Seed::new(seed).child(CARDS)
}

/// What the adviser draws at random.
pub(super) fn advice(seed: u64) -> Rng {
    Seed::new(seed).child(ADVICE).rng()
}

/// Everybody but the person.
pub(super) struct Players {
    /// The agent in each seat with its stream of random numbers; `None` in the person's.
    seats: Vec<Option<(Player, Rng)>>,
    /// What has been chosen in the deal: the decisions that were not forced.
    chosen: Vec<Action>,
}

/// How far the players had come: their draws and what had been chosen.
pub(super) struct Mark {
    draws: Vec<Option<Rng>>,
    chosen: usize,
}

impl Players {
    /// Seats agents, each with a stream of its own.
    pub(super) fn new(agents: Vec<Option<Player>>, seed: u64) -> Self {
        let seed = Seed::new(seed).child(AGENTS);
        let seats = agents.into_iter().enumerate();
        let seats = seats
            .map(|(seat, agent)| agent.map(|agent| (agent, seed.child(seat as u64).rng())))
            .collect();
        Self { seats, chosen: Vec::new() }
    }

    /// Whether no agent sits here.
    pub(super) fn is_person(&self, seat: usize) -> bool {
        self.seats[seat].is_none()
    }

    /// Another deal begins.
    pub(super) fn begin(&mut self) {
        self.chosen.clear();
    }

    /// The choice of an agent; `None` of a person.
    pub(super) fn act(
        &mut self,
        game: &Game,
        session: &Session,
        state: &State,
        seat: usize,
    ) -> Option<Action> {
        let (agent, rng) = self.seats[seat].as_mut()?;
        let runner = runner(game, session, state, &self.chosen);
        Some(agent.act(&runner.open_view(game, seat), rng))
    }

    /// The whole decision of an agent: all chips of an ante, five cards, else one action; forced
    /// ones are taken without asking. What was chosen counts as [taken](Self::took).
    pub(super) fn decide(
        &mut self,
        game: &Game,
        session: &Session,
        state: &State,
        seat: usize,
    ) -> Vec<Action> {
        let (mut state, phase) = (*state, state.phase());
        let mut actions = Vec::new();
        loop {
            let legal = state.legal(game);
            let only = legal.first().filter(|_| legal.is_forced());
            let Some(action) = only.or_else(|| self.act(game, session, &state, seat)) else {
                return actions;
            };
            self.took(legal, action);
            actions.push(action);
            state.apply_unchecked(game, action);
            let several = matches!(phase, Phase::Ante | Phase::SetApart);
            if !several || state.phase() != phase || state.actor() != Some(seat) {
                return actions;
            }
        }
    }

    /// An action was taken where these were legal.
    pub(super) fn took(&mut self, legal: ActionMask, action: Action) {
        self.chosen.extend((!legal.is_forced()).then_some(action));
    }

    /// The deal is over.
    pub(super) fn over(&mut self, game: &Game, session: &Session, state: &State) {
        let runner = runner(game, session, state, &self.chosen);
        for (seat, agent) in self.seats.iter_mut().enumerate() {
            if let Some((agent, _)) = agent {
                agent.over(&runner.open_view(game, seat));
            }
        }
    }

    /// Where the players are now.
    pub(super) fn mark(&self) -> Mark {
        let draws = self.seats.iter().map(|seat| seat.as_ref().map(|(_, rng)| rng.clone()));
        Mark { draws: draws.collect(), chosen: self.chosen.len() }
    }

    /// Back to where the players were: they draw the same again. A plan for what has been undone is
    /// none, so each is another player of its kind.
    pub(super) fn back_to(&mut self, mark: Mark) {
        for (seat, draws) in self.seats.iter_mut().zip(mark.draws) {
            if let (Some((agent, rng)), Some(draws)) = (seat, draws) {
                (*agent, *rng) = (agent.another(), draws);
            }
        }
        self.chosen.truncate(mark.chosen);
    }
}

/// The deal as it stands after these choices.
fn runner(game: &Game, session: &Session, state: &State, chosen: &[Action]) -> Runner {
    Runner::at(session.clone(), *state, state.legal(game), chosen.to_vec())
}
