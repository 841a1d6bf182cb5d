//! One deal, decided by a tape, in the engine; then by the referee, its slow twin.

use std::convert::Infallible;

use newmarket_env::{
    Action, ActionMask, Card, CardSet, DealStart, Game, IllegalAction, Outcome, Phase, Referee,
    State,
};

use super::common::{battery, chips};
use super::follow::Follow;
use super::tape::Tape;

/// A deal that has been played to its end.
pub(crate) struct Deal<'g> {
    game: &'g Game,
    table: DealStart,
    pack: &'g [Card],
    decisions: Vec<(usize, ActionMask, Action)>,
    pub(crate) end: State,
}

/// Plays a deal. At each step: no chip is made or lost, views rule out no truth, a decision has a
/// choice, and whoever follows stands at the same.
pub(crate) fn play<'g>(
    game: &'g Game,
    deal_start: &DealStart,
    pack: &'g [Card],
    tape: &mut Tape,
    mut follow: Option<&mut Follow>,
) -> Deal<'g> {
    let total = deal_start.stacks.iter().chain(&deal_start.layout).sum::<i32>() + deal_start.kitty;
    let mut decisions = Vec::new();
    let mut before = deal_start.stacks;
    let mut state = State::new(game, deal_start);
    loop {
        if let Some(follow) = &mut follow {
            follow.gain(&before, state.stacks());
        }
        before = *state.stacks();
        assert_eq!(chips(&state), total, "a chip was made or lost in {state:?}");
        assert!(deal_start.credit || before.iter().all(|&stack| stack >= 0), "{before:?}");
        battery::check_views(game, &state);
        battery::check_kitty_and_cap(game, &state);
        match state.phase() {
            Phase::Over => break,
            Phase::Deal => {
                refuse(game, &state, Action::KEEP);
                state.deal(game, &game.deal(pack, deal_start.dealer, deal_start.seats_in));
            }
            _ => {
                let legal = state.legal(game);
                let seat = state.actor().expect("somebody is to act");
                assert!(!legal.is_empty(), "seat {seat} has no choice in {state:?}");
                let action = if legal.is_forced() {
                    legal.first().expect("there is one")
                } else {
                    decide(game, &state, tape, &mut follow)
                };
                state.apply(game, action).expect("it is legal");
                decisions.push((seat, legal, action));
            }
        }
    }
    battery::check_end(game, &state);
    Deal { game, table: *deal_start, pack, decisions, end: state }
}

/// The choice of a tape, after what it tries that is none.
fn decide(game: &Game, state: &State, tape: &mut Tape, follow: &mut Option<&mut Follow>) -> Action {
    /// A byte from here on tries the action of any number.
    const ANY: u8 = 0xe0;
    let legal = state.legal(game);
    if let Some(follow) = follow {
        follow.stand_at(state);
    }
    let action = loop {
        let byte = tape.byte();
        if byte < ANY {
            break legal.nth(usize::from(byte) % legal.len()).expect("below the number of choices");
        }
        match Action::try_from_index(usize::from(tape.byte()) % (Action::COUNT + 4)) {
            Some(action) if legal.contains(action) => break action,
            Some(action) => {
                let error = refuse(game, state, action);
                if let Some(follow) = follow {
                    follow.refuse(action, &error);
                }
            }
            None => {}
        }
    };
    if let Some(follow) = follow {
        follow.step(action);
    }
    action
}

/// The engine refuses the action, says why, and stays as it is.
fn refuse(game: &Game, state: &State, action: Action) -> IllegalAction {
    let mut after = *state;
    let error = after.apply(game, action).expect_err("it is not legal");
    assert_eq!(after, *state, "a refused {action} changed the state");
    let due = match state.actor() {
        Some(seat) => IllegalAction::NotAllowed { seat, action, legal: state.legal(game) },
        None => IllegalAction::NotDue { action, phase: state.phase() },
    };
    assert_eq!(error, due);
    error
}

impl<'g> Deal<'g> {
    /// Whether nobody had a choice.
    pub(crate) fn is_forced(&self) -> bool {
        self.decisions.iter().all(|(_, legal, _)| legal.is_forced())
    }

    /// The referee takes the same decisions, is asked for them in the same order with the same
    /// choices, and comes to the same end.
    pub(crate) fn refereed(&self) -> Referee<'g> {
        let mut due = self.decisions.iter();
        let played = Referee::play(self.game, self.table, self.pack, |so_far, seat, legal| {
            let events = so_far.events();
            let &(due_seat, due_legal, action) =
                due.next().unwrap_or_else(|| panic!("seat {seat} is asked after {events:?}"));
            assert_eq!((due_seat, due_legal), (seat, legal), "after {events:?}");
            Ok::<_, Infallible>(action)
        });
        let played = played.unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(due.next(), None, "the referee has not asked for this");
        let (end, events) = (&self.end, played.events());
        let players = self.game.players();
        assert_eq!(played.stacks(), &end.stacks()[..players], "stacks after {events:?}");
        assert_eq!(played.layout(), self.game.cells_of(end.layout()), "layout after {events:?}");
        assert_eq!(played.kitty(), end.kitty(), "kitty after {events:?}");
        let set = |cards: &[Card]| cards.iter().copied().collect::<CardSet>();
        let hands = end.hands();
        assert_eq!(set(played.dead()), hands.dead);
        for seat in 0..players {
            assert_eq!(set(played.hand(seat)), hands.seats[seat]);
        }
        assert_eq!(played.winner().map_or(Outcome::NoWinner, Outcome::Out), end.outcome());
        played
    }
}
