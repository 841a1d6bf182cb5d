//! Ways to decide on the dead hand through whole sessions, where chips run out.

use newmarket_agents::Player;
use newmarket_env::Seed;
use serde_json::json;

use crate::study::over;
use crate::study::report::ReportTable;
use crate::study::setting::Setting;
use crate::study::whole_sessions;

/// The line by which later seats decline; the others are asked first.
const LATER: &str = "offered in turn and not eldest: keep";

/// What those who decide in some way whenever they are asked first gain over those who keep, who play on as
/// the study's player; later seats and bidders decline. Nothing where chips do not run out.
pub(super) fn table(setting: &Setting, seed: Seed) -> Option<ReportTable> {
    let player = setting.player.another().fair()?;
    let deciding = |base: &str, answer: &str| {
        let bases = json!({ "dead_hand": base });
        let plan = json!({ "bases": bases, "dead_hand": [LATER, answer], "bid": ["pass"] });
        Player::from(over(&plan, &*player))
    };
    let ways = [
        ("`basic` does", deciding("basic", "base")),
        ("the heuristic says so", deciding("usual", "base")),
        ("always", deciding("usual", "take")),
    ];
    let keeps = deciding("usual", "keep");
    let followers = ways.map(|(when, player)| (format!("take it: {when}"), player));
    whole_sessions::table(setting, Some(("keeping", &keeps)), followers.into(), seed)
}
