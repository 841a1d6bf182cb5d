//! Antes before the deal: every way in which the seat can place its chips.
//!
//! Nothing is known of the cards then, and the policy of the others draws no random numbers. So each pure strategy of the
//! seat comes to one of these ways in every deal.

use newmarket_env::{Phase, State};

use super::field::Field;

/// The deals before their cards to which the antes of a seat can lead.
pub(super) struct Antes {
    /// One for each way to place the chips; a single one if the antes are fixed, or follow the look at the hand.
    pub(super) ways: Vec<State>,
    /// The number of the policy's own way.
    pub(super) usual: usize,
}

impl Antes {
    /// All ways from this deal before its first action; `None` if there are more than `most`.
    pub(super) fn of(field: &mut Field, start: &State, most: usize) -> Option<Self> {
        let usual = antes(field, start, None);
        let mut ways = Vec::new();
        let mut open = vec![*start];
        while let Some(state) = open.pop() {
            let state = antes(field, &state, Some(field.seat));
            if state.phase() == Phase::Ante {
                for chip in state.legal(field.game).iter() {
                    let mut next = state;
                    next.apply_unchecked(field.game, chip);
                    open.push(next);
                }
            } else {
                ways.push(state);
            }
            if ways.len() + open.len() > most {
                return None;
            }
        }
        let usual = ways.iter().position(|way| *way == usual).expect("the policy's way is one");
        Some(Self { ways, usual })
    }
}

/// Plays antes on by the policy, until the cards are due or seat `but` is to place a chip.
fn antes(field: &mut Field, start: &State, but: Option<usize>) -> State {
    let mut state = *start;
    while state.phase() == Phase::Ante
        && let Some(seat) = state.actor()
        && Some(seat) != but
    {
        let chip = field.likeliest(&state.view(field.game, seat));
        state.apply_unchecked(field.game, chip);
    }
    state
}
