//! How `policy` follows from logits: by temperature, or kind of decision by kind.
//!
//! The kind of a decision follows from any of its legal actions, here the likeliest. Antes before and after
//! a look have the same actions; an entry of the observation tells them apart.

use alloc::vec;
use alloc::vec::Vec;

use newmarket_agents::net::PlayKind;
use newmarket_env::encode::SPANS;
use newmarket_env::{Action, Phase};
use newmarket_net::masked_softmax;

use super::Export;
use super::onnx::{Graph, Type};
use crate::hash::bytes as singles;

/// The span of the observation, and the entry in it, that say whether antes follow a look.
const LOOK: (&str, usize) = ("options", 2);

/// The place of that entry.
pub(super) fn look() -> usize {
    let span = SPANS.iter().find(|span| span.name == LOOK.0).expect("a span of the encoding");
    span.start + LOOK.1
}

/// The kind of a decision in which this action is legal.
fn kind(action: Action, after_look: bool) -> PlayKind {
    let phase = match action.index() {
        4..=11 => Phase::Ante,
        12..=14 => Phase::DeadHand,
        15..=16 => Phase::Auction,
        17..=21 => Phase::Bet,
        _ => Phase::Lead,
    };
    PlayKind::of(phase, after_look || phase != Phase::Ante)
}

/// The temperature of a decision, by one of its actions; 0 if the likeliest action is taken. First of games
/// with antes before a look, then of those with antes after it. `[2 · actions]`
fn temperatures(export: &Export) -> Vec<f32> {
    let looks = [false, true].into_iter();
    let kinds = looks.flat_map(|look| Action::ALL.map(|action| kind(action, look)));
    kinds.map(|kind| export.plays.temperature(kind).unwrap_or(0.0)).collect()
}

/// The policy of a decision by its logits. `[actions]`
pub(super) fn policy(
    export: &Export,
    observation: &[f32],
    logits: &[f32],
    legal: u128,
    likeliest: usize,
) -> Vec<f32> {
    let mut policy = vec![0.0; logits.len()];
    let by = if export.plays.draw() {
        let looked = observation[look()] != 0.0;
        temperatures(export)[likeliest + if looked { Action::COUNT } else { 0 }]
    } else {
        export.temperature.unwrap_or(1.0)
    };
    if by > 0.0 {
        let weighed: Vec<f32> = logits.iter().map(|logit| logit / by).collect();
        masked_softmax(&weighed, legal, &mut policy);
    } else {
        policy[likeliest] = 1.0;
    }
    policy
}

/// Writes the nodes from `logits`, `legal` and `action` to `policy`.
pub(super) fn nodes(export: &Export, graph: &mut Graph) {
    if export.plays.draw() {
        return by_kind(export, graph);
    }
    let mut weighed = "logits";
    if let Some(by) = export.temperature {
        graph.constant("temperature", Type::Float, &[], &by.to_le_bytes());
        graph.node("Div", &["logits", "temperature"], "logits.tempered", &[]);
        weighed = "logits.tempered";
    }
    graph.node("Where", &["legal", weighed, "never"], "logits.weighed", &[]);
    graph.node("Softmax", &["logits.weighed"], "policy", &[("axis", 1)]);
}

/// The same where each kind of decision has its own temperature, or takes the likeliest action.
fn by_kind(export: &Export, graph: &mut Graph) {
    let numbers: Vec<u8> = (0..Action::COUNT as i64).flat_map(i64::to_le_bytes).collect();
    let table = temperatures(export);
    graph.constant("look.entry", Type::Int64, &[1], &(look() as i64).to_le_bytes());
    graph.constant("actions", Type::Int64, &[], &(Action::COUNT as i64).to_le_bytes());
    graph.constant("action.numbers", Type::Int64, &[Action::COUNT], &numbers);
    graph.constant("temperatures", Type::Float, &[table.len()], &singles(&table));
    graph.constant("likeliest", Type::Float, &[], &0_f32.to_le_bytes());
    graph.constant("untempered", Type::Float, &[], &1_f32.to_le_bytes());

    // The row of the table: all columns are `[batch, 1]`.
    graph.node("Gather", &["observation", "look.entry"], "look", &[("axis", 1)]);
    graph.node("Cast", &["look"], "look.is", &[("to", Type::Bool as u64)]);
    graph.node("Cast", &["look.is"], "look.number", &[("to", Type::Int64 as u64)]);
    graph.node("Mul", &["look.number", "actions"], "look.start", &[]);
    graph.node("Unsqueeze", &["action", "one"], "action.column", &[]);
    graph.node("Add", &["look.start", "action.column"], "kind", &[]);
    graph.node("Gather", &["temperatures", "kind"], "temperature", &[("axis", 0)]);
    graph.node("Greater", &["temperature", "likeliest"], "is.drawn", &[]);
    graph.node("Where", &["is.drawn", "temperature", "untempered"], "divisor", &[]);

    graph.node("Div", &["logits", "divisor"], "logits.tempered", &[]);
    graph.node("Where", &["legal", "logits.tempered", "never"], "logits.weighed", &[]);
    graph.node("Softmax", &["logits.weighed"], "drawn", &[("axis", 1)]);
    graph.node("Equal", &["action.numbers", "action.column"], "is.likeliest", &[]);
    graph.node("Cast", &["is.likeliest"], "certain", &[("to", Type::Float as u64)]);
    graph.node("Where", &["is.drawn", "drawn", "certain"], "policy", &[]);
}

#[cfg(test)]
mod tests {
    use newmarket_env::{
        DealDriver, DealStart, Game, Observation, Rules, Seats, Seed, State, random,
    };

    use super::*;

    /// What a reader of a file can tell of a kind is what the player here goes by.
    #[test]
    fn observation_and_action_tell_the_kind() {
        let mut seen = [0; PlayKind::COUNT];
        let after_look = "base = \"newmarket\"\nname = \"after-look\"\ntiming = \"after_look\"";
        let after_look = Rules::from_toml(after_look, "after-look").expect("rules");
        let named = ["newmarket-buy", "michigan-auction", "three-in-one"];
        let named = named.map(|name| Rules::named(name).expect("a named game"));
        for rules in named.into_iter().chain([after_look]) {
            let game = Game::new(rules, 4).expect("it seats four");
            let mut rng = Seed::new(5).rng();
            for deal in 0..40 {
                let dealer = deal % 4;
                let mut state = State::new(&game, &DealStart::fresh(4, dealer));
                let cards = game.shuffle_and_deal(&mut rng, dealer, Seats::first(4));
                while let Some(due) = DealDriver::CHOICES.next(&game, &mut state, || cards) {
                    let view = state.view(&game, due.seat);
                    let mut row = [0.0; Observation::LEN];
                    Observation::of(&view).write(&mut row);
                    let expected = PlayKind::due(&view);
                    for action in due.legal.iter() {
                        assert_eq!(kind(action, row[look()] != 0.0), expected, "{action}");
                    }
                    seen[expected as usize] += 1;
                    let action = random::choice(due.legal, &mut rng);
                    state.apply(&game, action).expect("it is legal");
                }
            }
        }
        assert!(seen.iter().all(|&seen| seen > 10), "{seen:?}");
    }
}
