//! Traces of deals: agents play on the engine, and the referee plays along and writes the trace.

use alloc::format;
use alloc::string::{String, ToString as _};
use alloc::vec::Vec;

use newmarket_env::trace::{InSession, Over, Pile, Record};
use newmarket_env::{
    Action, ActionMask, DealDriver, Decision, Event, Game, Gift, IllegalAction, MAX_PLAYERS,
    Referee, Rng, Seed, Session,
};

use crate::session::streams;
use crate::{Player, Replay, Runner};

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

/// A deal in which known actions were taken.
#[derive(Clone, Debug)]
pub struct Recorded {
    /// What happened, with the chips as they stand.
    pub record: Record,
    /// Whether the deal is over. If it is not, the record says what has happened so far, and no check of
    /// traces accepts it.
    pub over: bool,
}

/// Plays known actions again, from the beginning of the current deal of a runner, and through the deals of
/// its session. The last deal may be unfinished.
///
/// # Errors
/// At the first action that is not legal.
pub fn record_actions(
    game: &Game,
    mut runner: Runner,
    actions: impl IntoIterator<Item = Action>,
) -> Result<Vec<Recorded>, IllegalAction> {
    let (mut actions, mut recorded) = (actions.into_iter(), Vec::new());
    loop {
        while runner.decision().is_some() {
            let Some(action) = actions.next() else { break };
            runner.take(game, action)?;
        }
        let session = runner.session();
        let (before, number, pack) =
            (*session.deal_start(), session.deal_number(), session.pack(game));
        let rebuys = session.rebuys().iter().copied().enumerate().filter(|it| it.1 > 0);
        let mut events: Vec<Event> =
            rebuys.map(|(seat, chips)| Event::Rebuy { seat, chips }).collect();
        events.extend(runner.events(game, None, &mut Replay::default()));
        let (mut end, over) = (*runner.state(), runner.state().is_over());
        let single = runner.is_single();
        if over && !single {
            for Gift { cell, seat, chips } in runner.next_deal(game) {
                let name = |cell: usize| game.rules().cells[cell].name.clone();
                let from = cell.map_or_else(|| "kitty".into(), name);
                events.push(Event::Leftover { from, seat, chips });
            }
            if runner.session().is_over() {
                end = *runner.state();
            }
        }
        let told = Over {
            game,
            before: &before,
            deal: (!single).then_some(number),
            pack: pack.cards(),
            stacks: &end.stacks()[..game.players()],
            layout: game.cells_of(end.layout()),
            kitty: end.kitty(),
        };
        recorded.push(Recorded { record: Record::new(&told, events), over });
        if !over || single || runner.session().is_over() {
            return Ok(recorded);
        }
    }
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
