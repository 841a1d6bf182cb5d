//! Deals on the record: agents play on the engine, the referee plays along and writes the trace.

use alloc::format;
use alloc::string::{String, ToString as _};
use alloc::vec::Vec;

use newmarket_env::trace::{InSession, Pile, Record};
use newmarket_env::{
    Action, ActionMask, DealDriver, Decision, Game, MAX_PLAYERS, Referee, Rng, Seed, Session, State,
};

use crate::player::{OpenView, Player};
use crate::session::streams;
use crate::told::Course;

/// The referee asks for every decision.
const DRIVER: DealDriver = DealDriver::ALL;

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

/// Plays deals and hands their records to `write`, one by one. `agents` sit from seat 0 on.
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
        let mut session = match kind {
            Deals::InSessions => Session::new(game, root),
            Deals::Fresh => Session::single_deal(game, root),
        };
        while done < count && !session.is_over() {
            let number = session.deal_number();
            let rebuys: Vec<(usize, i32)> =
                session.rebuys().iter().copied().enumerate().filter(|r| r.1 > 0).collect();
            let alone = kind == Deals::Fresh;
            let rngs = streams(root, number);
            let (referee, mut state) = play(game, (&session, alone), agents, rngs)
                .map_err(|what| Disagreement { seed, deal: done, what })?;
            done += 1;
            let mut place = InSession::default();
            let mut leftover = Vec::new();
            if !alone {
                for gift in session.close(game, &mut state) {
                    let pile = gift.cell.map_or(Pile::Kitty, Pile::Cell);
                    leftover.push((pile, gift.seat, gift.chips));
                }
                place.deal = Some(number);
                place.rebuys = &rebuys;
                place.leftover = &leftover;
            }
            write(&Record::of(&referee, place))?;
            if alone {
                break;
            }
        }
    }
    Ok(())
}

/// Plays the current deal of a session on the engine and by the referee, both with the decisions
/// that the agents take on the engine's views.
fn play<'g>(
    game: &'g Game,
    (session, alone): (&Session, bool),
    agents: &mut [Player],
    mut rngs: [Rng; MAX_PLAYERS],
) -> Result<(Referee<'g>, State), String> {
    let mut choices = Vec::new();
    let (pack, hands) = (session.pack(game), session.hands(game));
    let mut state = State::new(game, session.deal_start());
    let decide = |_: &Referee, seat: usize, legal: ActionMask| -> Result<Action, String> {
        let (engine, referee) = (DRIVER.next(game, &mut state, || hands), Decision { seat, legal });
        if engine != Some(referee) {
            return Err(format!("{engine:?} is due, not {referee:?}"));
        }
        let action = referee.forced().unwrap_or_else(|| {
            let table = OpenView::new(game, &state, seat);
            let table = table.following(Course::new(session, alone, &choices));
            let chosen = agents[seat].act(&table, &mut rngs[seat]);
            choices.push(chosen);
            chosen
        });
        state.apply(game, action).map_err(|error| error.to_string())?;
        Ok(action)
    };
    let referee = Referee::play(game, *session.deal_start(), pack.cards(), decide)
        .map_err(|error| error.to_string())?;
    let due = DRIVER.next(game, &mut state, || hands);
    let players = game.players();
    let engine = (&state.stacks()[..players], game.cells_of(state.layout()), state.kitty());
    if engine != (referee.stacks(), referee.layout(), referee.kitty()) || due.is_some() {
        return Err(format!("the engine ends with {engine:?}, {due:?} is due"));
    }
    for (seat, agent) in agents.iter_mut().enumerate() {
        let table = OpenView::new(game, &state, seat);
        agent.over(&table.following(Course::new(session, alone, &choices)));
    }
    Ok((referee, state))
}
