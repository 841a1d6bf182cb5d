//! Whole sessions, where chips run out: a deal's chips do not say there what a choice is worth.

use std::ops::Range;
use std::sync::Arc;

use newmarket_agents::Player;
use newmarket_agents::paired::{
    Estimate, Mean, PairedSessions, SESSION_CHUNK, SessionGain, run_chunks_of,
};
use newmarket_env::rules::Bankroll;
use newmarket_env::{Game, Seed};

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

/// Chips a deal that a player gains over a field in whole sessions.
pub(super) fn chips_a_deal(
    game: &Arc<Game>,
    hero: &Player,
    field: &Player,
    sessions: u64,
    seed: Seed,
) -> Estimate {
    let games = std::slice::from_ref(game);
    let gains = PairedSessions { games, hero, field, seed }.run(sessions, |_| ());
    let (gain, deals) = (gains.chips.estimate(), gains.deals.average());
    Estimate { mean: gain.mean / deals, ci95: gain.ci95 / deals }
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
    let games = std::slice::from_ref(game);
    let play = |hero: &Player, sessions: Range<u64>| {
        PairedSessions { games, hero, field, seed }.play(sessions)
    };
    let mut gains = vec![[Mean::default(); 2]; followers.len()];
    run_chunks_of(
        SESSION_CHUNK,
        0..sessions,
        |sessions| {
            let base = without.map(|(_, player)| play(player, sessions.clone()));
            let of = |(_, hero): &(String, Player)| play(hero, sessions.clone());
            (base, followers.iter().map(of).collect::<Vec<_>>())
        },
        |(base, heroes)| {
            for (means, gained) in gains.iter_mut().zip(heroes) {
                for (at, gain) in gained.iter().enumerate() {
                    let base = base.as_ref().map(|base| &base[at]);
                    let more = |figure: fn(&SessionGain) -> f64| {
                        (figure(gain) - base.map_or(0.0, figure)) / gain.players as f64
                    };
                    means[0].add(more(|gain| gain.chips as f64));
                    means[1].add(more(|gain| gain.win_gain));
                }
            }
        },
    );
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
        let won = ReportCell::share(won.estimate());
        table.push(vec![name.into(), chips.estimate().into(), won]);
    }
    Some(table)
}
