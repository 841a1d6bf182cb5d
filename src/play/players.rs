//! The players at a table and their random numbers.

use newmarket_agents::strategy::Strategy;
use newmarket_agents::{Agent, Player, Runner};
use newmarket_engine::Choice;
use newmarket_env::{Action, Game, Phase, Rng, Seed};

use super::hint::{Advice, Grounds};
use crate::reasons::{Reasons, Why};

/// What each child of the seed is for.
const CARDS: u64 = 0;
const AGENTS: u64 = 1;
const ADVICE: u64 = 2;

/// The seed of a session's cards.
pub(super) fn cards(seed: u64) -> Seed {
    Seed::new(seed).child(CARDS)
}

/// The actions of one whole decision: all chips of an ante, five cards, else one action. It ends early
/// if `act` gives no action.
fn whole_decision(
    game: &Game,
    runner: &Runner,
    mut act: impl FnMut(&Runner) -> Option<Action>,
) -> Vec<Action> {
    let mut runner = runner.clone();
    let (phase, seat) = (runner.state().phase(), runner.state().actor());
    let several = matches!(phase, Phase::Ante | Phase::SetApart);
    let mut actions = Vec::new();
    while let Some(action) = act(&runner) {
        actions.push(action);
        runner.take(game, action).expect("agents choose legal actions");
        if !several || runner.state().phase() != phase || runner.state().actor() != seat {
            break;
        }
    }
    actions
}

/// The strategy whose rules of thumb `docs/strategy.md` tells.
const THUMB: &str = "basic";

/// The agent that gives hints.
pub(super) struct Adviser {
    agent: Box<dyn Agent>,
    rng: Rng,
    /// Rules of thumb, for an adviser who has no clauses.
    thumb: Strategy,
}

impl Adviser {
    /// An adviser with the random numbers of this seed.
    pub(super) fn new(agent: Box<dyn Agent>, seed: u64) -> Self {
        let thumb = Strategy::named(THUMB).expect("a named strategy");
        Self { agent, rng: Seed::new(seed).child(ADVICE).rng(), thumb }
    }

    /// Its whole decision for the seat to act, and how that can be found.
    pub(super) fn advise(&mut self, game: &Game, runner: &Runner, seat: usize) -> Option<Advice> {
        let actions = whole_decision(game, runner, |runner| {
            Some(self.agent.act(&runner.state().view(game, seat), &mut self.rng))
        });
        let choice = Choice::of(&runner.state().view(game, seat), &actions)?;
        let grounds = self.grounds(game, runner, &choice);
        Some(Advice { adviser: self.agent.name().into(), choice, grounds })
    }

    fn grounds(&self, game: &Game, runner: &Runner, choice: &Choice) -> Grounds {
        let state = runner.state();
        let Some(seat) = state.actor() else { return Grounds::Unruled };
        let view = state.view(game, seat);
        if let Some(strategy) = self.agent.strategy() {
            let reasons = Reasons::of(strategy, &view);
            return reasons.map_or(Grounds::Unruled, |reasons| Grounds::Clause(reasons.words()));
        }
        match Why::of(&self.thumb, game, state, choice) {
            _ if matches!(view.phase(), Phase::SetApart | Phase::Bet) => Grounds::Unruled,
            Some(why) if why.alone() => {
                self.thumb.rule_in_words(&view).map_or(Grounds::Calculated, Grounds::Rule)
            }
            _ => Grounds::Calculated,
        }
    }
}

/// All players except the person: the agent in each seat with its random numbers, `None` in the
/// person's seat.
pub(super) struct Players(Vec<Option<(Player, Rng)>>);

/// The random number streams of the players at an earlier decision.
pub(super) struct PlayersMark(Vec<Option<Rng>>);

impl Players {
    /// Seats agents, each with random numbers of its own.
    pub(super) fn new(agents: Vec<Option<Player>>, seed: u64) -> Self {
        let seed = Seed::new(seed).child(AGENTS);
        let seats = agents.into_iter().enumerate();
        let seats = seats
            .map(|(seat, agent)| agent.map(|agent| (agent, seed.child(seat as u64).rng())))
            .collect();
        Self(seats)
    }

    /// Whether the person sits here.
    pub(super) fn is_person(&self, seat: usize) -> bool {
        self.0[seat].is_none()
    }

    /// The whole decision of the seat to act. Forced actions, the person's too, need no agent; where the
    /// person has a choice, nothing is decided.
    pub(super) fn decide(&mut self, game: &Game, runner: &Runner, seat: usize) -> Vec<Action> {
        whole_decision(game, runner, |runner| {
            let forced = runner.decision()?.forced();
            forced.or_else(|| {
                let (agent, rng) = self.0[seat].as_mut()?;
                Some(agent.act(&runner.open_view(game, seat), rng))
            })
        })
    }

    /// Why the seat to act decides as it will, if it plays by a strategy and has a choice.
    pub(super) fn why(&self, game: &Game, runner: &Runner, seat: usize) -> Option<String> {
        let strategy = self.0[seat].as_ref()?.0.strategy()?;
        Some(Reasons::of(strategy, &runner.state().view(game, seat))?.words())
    }

    /// The deal is over.
    pub(super) fn over(&mut self, game: &Game, runner: &Runner) {
        for (seat, agent) in self.0.iter_mut().enumerate() {
            if let Some((agent, _)) = agent {
                agent.over(&runner.open_view(game, seat));
            }
        }
    }

    /// Where the players are now.
    pub(super) fn mark(&self) -> PlayersMark {
        let rngs = self.0.iter().map(|seat| seat.as_ref().map(|(_, rng)| rng.clone()));
        PlayersMark(rngs.collect())
    }

    /// Goes back to a mark: the players draw the same numbers again. A new agent of the same kind takes
    /// each seat, because the old one may have planned on what is undone.
    pub(super) fn back_to(&mut self, mark: PlayersMark) {
        for (seat, rng) in self.0.iter_mut().zip(mark.0) {
            if let (Some((agent, current)), Some(rng)) = (seat, rng) {
                (*agent, *current) = (agent.another(), rng);
            }
        }
    }
}
