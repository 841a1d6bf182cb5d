//! Traces of deals: agents play on the engine, and the referee plays along and writes the trace.

use alloc::format;
use alloc::string::{String, ToString as _};
use alloc::vec::Vec;

use newmarket_env::trace::{InSession, Pile, Record};
use newmarket_env::{
    Action, ActionMask, DealDriver, Decision, Game, MAX_PLAYERS, Referee, Rng, Seed, Session,
};

use crate::session::streams;
use crate::{Player, Runner};

/// Whether the deals of a trace make sessions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Deals {
    /// Chips carry over and the deal moves left, until the session ends and the next one begins.
    InSessions,
    /// Each deal stands alone, with an empty layout.
    Fresh,
}

/// The engine and the referee do not agree: one of them is wrong.
#[derive(Debug, thiserror::Error)]
#[error("engine and referee differ in deal {deal} of seed {seed}: {what}; please report this")]
pub struct Disagreement {
    seed: u64,
    deal: u64,
    what: String,
}

/// Plays deals and calls `write` with the record of each. `agents` sit from seat 0 on.
///
/// # Errors
/// If `write` fails, or engine and referee do not agree.
///
/// # Panics
/// If there are not as many agents as players.
pub fn record<E: From<Disagreement>>(
    game: &Game,
    agents: &mut [Player],
    deals: (u64, Deals),
    seed: u64,
    mut write: impl FnMut(&Record) -> Result<(), E>,
) -> Result<(), E> {
    assert_eq!(agents.len(), game.players(), "every seat needs an agent");
    let (count, kind) = deals;
    let (mut done, mut index) = (0, 0);
    while done < count {
        let root = Seed::new(seed).child(index);
        index += 1;
        // The referee asks for every decision, forced ones included.
        let driver = DealDriver::ALL;
        let mut runner = match kind {
            Deals::InSessions => Runner::of_session(game, Session::new(game, root), driver),
            Deals::Fresh => Runner::of_deal(game, Session::single_deal(game, root), driver),
        };
        while done < count && !runner.session().is_over() {
            let session = runner.session();
            let number = session.deal_number();
            let rebuys: Vec<(usize, i32)> =
                session.rebuys().iter().copied().enumerate().filter(|r| r.1 > 0).collect();
            let referee = play(game, &mut runner, agents, streams(root, number))
                .map_err(|what| Disagreement { seed, deal: done, what })?;
            done += 1;
            if runner.is_single() {
                write(&Record::of(&referee, InSession::default()))?;
                break;
            }
            let mut leftover = Vec::new();
            for gift in runner.next_deal(game) {
                let pile = gift.cell.map_or(Pile::Kitty, Pile::Cell);
                leftover.push((pile, gift.seat, gift.chips));
            }
            let deal = Some(number);
            let place = InSession { deal, rebuys: &rebuys, leftover: &leftover };
            write(&Record::of(&referee, place))?;
        }
    }
    Ok(())
}

/// Plays the current deal on the engine and by the referee, both with the decisions that the agents
/// take on the engine's views.
fn play<'g>(
    game: &'g Game,
    runner: &mut Runner,
    agents: &mut [Player],
    mut rngs: [Rng; MAX_PLAYERS],
) -> Result<Referee<'g>, String> {
    let (deal_start, pack) = (*runner.session().deal_start(), runner.session().pack(game));
    let decide = |_: &Referee, seat: usize, legal: ActionMask| -> Result<Action, String> {
        let (engine, referee) = (runner.decision(), Decision { seat, legal });
        if engine != Some(referee) {
            return Err(format!("{engine:?} is due, not {referee:?}"));
        }
        let action = referee
            .forced()
            .unwrap_or_else(|| agents[seat].act(&runner.open_view(game, seat), &mut rngs[seat]));
        runner.take(game, action).map_err(|error| error.to_string())?;
        Ok(action)
    };
    let referee =
        Referee::play(game, deal_start, pack.cards(), decide).map_err(|error| error.to_string())?;
    let (state, due) = (runner.state(), runner.decision());
    let players = game.players();
    let engine = (&state.stacks()[..players], game.cells_of(state.layout()), state.kitty());
    if engine != (referee.stacks(), referee.layout(), referee.kitty()) || due.is_some() {
        return Err(format!("the engine ends with {engine:?}, {due:?} is due"));
    }
    for (seat, agent) in agents.iter_mut().enumerate() {
        agent.over(&runner.open_view(game, seat));
    }
    Ok(referee)
}
