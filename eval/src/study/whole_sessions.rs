//! Whole sessions. Where chips run out, a deal's chips do not say what a choice is worth.

use std::sync::Arc;

use newmarket_agents::Player;
use newmarket_agents::paired::{
    Estimate, Mean, PairedSessions, SESSION_CHUNK, SessionGain, run_chunks_of,
};
use newmarket_env::{Game, Seed};

use super::heroes::Pair;

/// What each pair's hero gains over its other in whole sessions: chips a session, and how much more often it wins
/// one. `done` is told of sessions, from any thread.
pub(super) fn gains_of(
    game: &Arc<Game>,
    field: &Player,
    heroes: &[&Player],
    pairs: &[Pair],
    sessions: u64,
    seed: Seed,
    done: &(dyn Fn(u64) + Sync),
) -> Vec<[Estimate; 2]> {
    let games = std::slice::from_ref(game);
    let mut gains = vec![[Mean::default(); 2]; pairs.len()];
    run_chunks_of(
        SESSION_CHUNK,
        0..sessions,
        |chunk| {
            let play =
                |&hero: &&Player| PairedSessions { games, hero, field, seed }.play(chunk.clone());
            let played: Vec<Vec<SessionGain>> = heroes.iter().map(play).collect();
            done(chunk.end - chunk.start);
            played
        },
        |played| {
            for (means, &(hero, over)) in gains.iter_mut().zip(pairs) {
                for (nth, gain) in played[hero].iter().enumerate() {
                    let base = over.map(|over| &played[over][nth]);
                    let more = |figure: fn(&SessionGain) -> f64| {
                        (figure(gain) - base.map_or(0.0, figure)) / gain.players as f64
                    };
                    means[0].add(more(|gain| gain.chips as f64));
                    means[1].add(more(|gain| gain.win_gain));
                }
            }
        },
    );
    gains.into_iter().map(|means| means.map(|mean| mean.estimate())).collect()
}
