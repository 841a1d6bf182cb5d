//! Ways to decide on the dead hand through whole sessions, where chips run out.

use std::sync::Arc;

use newmarket_agents::Player;
use newmarket_agents::heuristic::stakes;
use newmarket_env::{Action, Exchange, Seed, View};

use super::card::Card;
use super::features::values;
use super::scene::Scene;
use crate::study::minding::{Minding, Minds};
use crate::study::report::ReportTable;
use crate::study::setting::Setting;
use crate::study::whole_sessions;

/// What to do about the dead hand.
type Way = Arc<dyn Fn(&View) -> Action + Send + Sync>;

/// What those who decide in some way whenever they are asked first gain over those who keep, who play on as
/// the study's player; later seats and bidders decline. Nothing where chips do not run out.
pub(super) fn table(
    setting: &Setting,
    scene: &Scene,
    card: &Card,
    seed: Seed,
) -> Option<ReportTable> {
    let player = setting.player.another().fair()?;
    let deciding = |way: Way| {
        let way: Way =
            Arc::new(move |view| if is_first(view) { way(view) } else { stakes::keep(view) });
        Player::from(Minding::new(Minds::DeadHand(way), player.another()))
    };
    let by_card: Way = {
        let (scene, card) = (scene.clone(), card.clone());
        Arc::new(move |view| {
            let chosen = scene.action(card.answer(&values(view)));
            chosen.filter(|&it| view.legal().contains(it)).unwrap_or_else(|| stakes::keep(view))
        })
    };
    let ways: [(&str, Way); 3] = [
        ("the card says so", by_card),
        ("the heuristic says so", Arc::new(stakes::dead_hand)),
        ("always", Arc::new(stakes::take)),
    ];
    let keeps = deciding(Arc::new(stakes::keep));
    let followers = ways.map(|(when, way)| (format!("take it: {when}"), deciding(way)));
    whole_sessions::table(setting, Some(("keeping", &keeps)), followers.into(), seed)
}

/// Whether the viewer is the first who is asked in the deal.
fn is_first(view: &View) -> bool {
    match view.game().rules().exchange {
        Exchange::OfferChain { .. } => view.seat() == view.eldest(),
        _ => view.seat() == view.dealer(),
    }
}
