//! Replays of a deal in other worlds: whether a fixed policy would have played it so.

use newmarket_agents::net::Playouts;
use newmarket_env::{Action, DealDriver, Decision, Encoder, Hands, Seats, State, View};
use newmarket_net::argmax;

/// Yields every action of the record.
const EACH_ACTION: DealDriver = DealDriver::ALL.set_best_five_apart(Seats::ALL);

/// A replay of the record in a world.
struct Replay {
    state: State,
    /// Number of actions so far.
    done: usize,
    /// Whether the policy has taken all of them.
    agrees: bool,
}

/// For each of these worlds, whether the deal would have come to this view in it: the policy takes the recorded actions of
/// all seats but the viewer's, and everything in the open is the same. `[worlds]`
///
/// `undealt` is the deal before its cards, and the record has all actions since, forced ones included, but not the five
/// cards for poker: each seat sets its best five apart.
pub(crate) fn agree(
    policy: &mut Playouts,
    undealt: &State,
    view: &View,
    record: &[Action],
    worlds: &[Hands],
) -> Vec<bool> {
    let game = view.game();
    let encoder = Encoder::new(game);
    let begin = |world: &Hands| {
        let mut state = *undealt;
        state.deal(game, &view.as_dealt(world));
        Replay { state, done: 0, agrees: true }
    };
    let mut replays: Vec<Replay> = worlds.iter().map(begin).collect();
    policy.run(
        &mut replays,
        |Replay { state, done, agrees }| {
            while *agrees {
                // Also sets five cards apart.
                let decision = EACH_ACTION.next_or_cards(game, state);
                let &action = record.get(*done)?;
                match decision {
                    Some(Decision { seat, legal }) if legal.contains(action) => {
                        if seat != view.seat() && !legal.is_forced() {
                            return Some((0, encoder.encode(&state.view(game, seat))));
                        }
                        state.apply_unchecked(game, action);
                        *done += 1;
                    }
                    _ => *agrees = false,
                }
            }
            None
        },
        |_, Replay { state, done, agrees }, logits| {
            let action = record[*done];
            *agrees = argmax(logits, state.legal(game).bits()) == action.index();
            if *agrees {
                state.apply_unchecked(game, action);
                *done += 1;
            }
        },
    );
    let comes_to_it = |replay: &Replay| replay.agrees && replay.state.public() == view.public();
    replays.iter().map(comes_to_it).collect()
}
