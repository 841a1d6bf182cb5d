//! Whole sessions, where chips run out: a deal's chips do not say there what a choice is worth.

use std::sync::Arc;

use newmarket_agents::Player;
use newmarket_agents::paired::{
    Estimate, Mean, PairedSessions, SESSION_CHUNK, SessionGain, run_chunks_of,
};
use newmarket_env::rules::Bankroll;
use newmarket_env::{Game, Seed};

use super::heroes::Pair;
use super::report::{ReportCell, ReportTable};
use super::setting::Setting;

/// A session is played for so many deals of the study.
const DEALS_A_SESSION: u64 = 8;

/// How sessions were played, for a report; nothing where chips do not run out.
pub(super) fn about(setting: &Setting, what: &str) -> Option<String> {
    (setting.game.rules().session.bankroll != Bankroll::Credit).then(|| {
        format!(
            "Chips run out in this game, so a deal alone does not say what a choice is worth. Whole sessions \
             do: {what}, in each seat in turn, on the same packs. What is found on deals is from deals that \
             begin with full stacks. A session is played for {DEALS_A_SESSION} deals of the study."
        )
    })
}

/// What players who follow advice through whole sessions gain there over the one who does not that is named, or
/// over the field in the same seat; nothing where chips do not run out.
pub(super) fn table(
    setting: &Setting,
    without: Option<(&str, &Player)>,
    followers: Vec<(String, Player)>,
    seed: Seed,
) -> Option<ReportTable> {
    let Setting { game, field, deals, .. } = setting;
    if game.rules().session.bankroll == Bankroll::Credit {
        return None;
    }
    let sessions = (deals / DEALS_A_SESSION).max(2);
    let mut heroes: Vec<&Player> = followers.iter().map(|(_, player)| player).collect();
    heroes.extend(without.map(|(_, player)| player));
    let over = without.map(|_| followers.len());
    let pairs: Vec<Pair> = (0..followers.len()).map(|hero| (hero, over)).collect();
    let gains = gains_of(game, field, &heroes, &pairs, sessions, seed, &|_| ());
    let over = without.map_or("the field in the same seat", |(name, _)| name);
    let mut table = ReportTable::new(
        format!(
            "Whole sessions, since chips run out: what each gains over {over}, chips a session, and how \
             much more often it wins one ({sessions} sessions)"
        ),
        &["who", "chips", "sessions won"],
    )
    .drawn(1);
    for ((name, _), [chips, won]) in followers.into_iter().zip(gains) {
        table.push(vec![name.into(), chips.into(), ReportCell::share(won)]);
    }
    Some(table)
}

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
