//! Whether to take the dead hand, what it is worth, and what it is worth to know the discard.
//!
//! There is no control variate here. The boodles and stops in the dead hand, less what the own hand
//! lets one expect there, made the interval 0.99 times as wide (`newmarket-buy`, 20,000 deals at a
//! table of `stopper`): what matters most is who goes out first.

mod auction;
mod discard;
mod expectation;
mod features;
mod offer;
mod offers;
mod places;
mod policies;
mod rules;
mod scene;
mod sessions;

use newmarket_env::{Exchange, Game, Seed};

use super::payoff::Ledger;
use super::report::Section;
use super::setting::{NothingToStudy, Setting};
use super::whole_sessions;
use discard::Discard;
use offers::Offers;
use policies::Policies;
use scene::{Asked, Scene};

/// Children of the seed of a scene: deals on which policies are measured that were chosen on others, and
/// deals on which the discard is known or not.
const FRESH: u64 = 1;
const DISCARD: u64 = 2;
/// The child of the seed for the deals of the second scene.
const SECOND: u64 = 3;
/// The child of the seed of a scene for whole sessions.
const SESSIONS: u64 = 4;
/// The players of the last part think long: it plays one deal for so many of the others.
const DISCARD_EVERY: u64 = 8;

/// Whether the game lets somebody take the dead hand.
pub(super) fn fits(game: &Game) -> Result<(), NothingToStudy> {
    if game.rules().exchange == Exchange::None {
        return Err(NothingToStudy(format!(
            "nothing to study: in {} nobody may take the dead hand; take a game in which somebody \
             may, as newmarket-buy",
            game.rules().title()
        )));
    }
    Ok(())
}

/// Scenes of a game.
fn scenes(game: &Game) -> u64 {
    match game.rules().exchange {
        Exchange::None => 0,
        Exchange::Dealer { .. } => 1,
        Exchange::DealerOrAuction { .. } | Exchange::OfferChain { .. } => 2,
    }
}

/// Deals that are told of while it runs.
pub(super) fn work(game: &Game, deals: u64) -> u64 {
    scenes(game) * 2 * deals + deals.div_ceil(DISCARD_EVERY)
}

/// Plays it.
pub(super) fn run(setting: &Setting, ledger: &Ledger, done: &(dyn Fn(u64) + Sync)) -> Section {
    let (game, field) = (&setting.game, setting.field.name());
    let scenes = Scene::all(game);
    let mut section = Section {
        study: "dead-hand".into(),
        title: "The dead hand".into(),
        question:
            "When should the dead hand be taken, what is a fair price or bid for it, and what \
                   is it worth to know the discard?"
                .into(),
        rules: game.rules().title().into(),
        players: game.players().into(),
        field: field.into(),
        deals: setting.deals,
        seed: setting.seed,
        method: method(setting, &scenes),
        advice: Vec::new(),
        findings: Vec::new(),
        tables: Vec::new(),
        precision: 0.0,
    };
    let root = Seed::new(setting.seed);
    for (nth, scene) in scenes.iter().enumerate() {
        let seed = if nth == 0 { root } else { root.child(SECOND) };
        let offers = Offers::measure(setting, ledger, scene, seed, done);
        let fresh = seed.child(FRESH);
        let policies = Policies::measure(setting, ledger, scene, &offers, fresh, done);
        section.findings.push(offers.finding(scene, field));
        if offers.any() {
            section.tables.push(offers.by_feature(scene));
            section.tables.extend(offers.by_regression(scene));
            section.tables.extend(policies.tables(scene, field));
            section.findings.extend(policies.findings(scene, field));
            section.advice.extend(policies.advice(scene, field));
        }
        let precision = offers.precision(scene);
        // Whoever is never asked has no figures.
        if scene.asked == Asked::First || precision.is_finite() {
            section.precision = section.precision.max(precision);
        }
        if scene.asked == Asked::First {
            let sessions = seed.child(SESSIONS);
            section.tables.extend(sessions::table(setting, sessions));
            let deals = setting.deals.div_ceil(DISCARD_EVERY);
            let seed = seed.child(DISCARD);
            let discard = Discard::measure(setting, ledger, scene, &offers, seed, deals, done);
            section.tables.push(discard.table(setting));
            section.findings.push(discard.finding(setting));
        }
    }
    section
}

/// Who is asked, in words, and how a deal gets there.
fn about(scene: &Scene, field: &str) -> String {
    match scene.asked {
        Asked::First if scene.who == "eldest" => {
            "Eldest, who is asked first, exchanges or keeps. If eldest keeps, the others are asked in \
             turn and answer as the field does."
                .into()
        }
        Asked::First if scene.choices.len() > 1 && scene.games.len() == 1 => {
            "The dealer exchanges, keeps, or puts the dead hand up for auction. In an auction the \
             others bid as the field does."
                .into()
        }
        Asked::First => "The dealer exchanges or keeps.".into(),
        Asked::Later => {
            "A later seat: only deals count in which all seats before it, which answer as the field does, \
             have kept. It exchanges or keeps. If it keeps, those after it answer as the field does. The \
             places take turns, one a deal."
                .into()
        }
        Asked::Bidder => format!(
            "A bidder: only deals count in which the dealer, as {field}, puts the dead hand up for \
             auction and the bidding comes round to it. All others bid by their own hands, as {field}. The bidder bids one chip more \
             whenever it is asked, up to its limit, then passes. Gains are over passing at once. As a \
             gift: the bidder has the dead hand for nothing, or nobody has it. The places take turns, one a deal."
        ),
    }
}

fn method(setting: &Setting, scenes: &[Scene]) -> Vec<String> {
    let (field, strong) = (setting.field.name(), setting.reference.name());
    let mut method = vec![format!(
        "{field} plays in all seats, and whoever is asked plays on as {}. All choices are played out \
         on the same deal with the same random numbers. A gain is the difference to declining, in the \
         asked seat.",
        setting.player.name()
    )];
    method.extend(scenes.iter().map(|scene| about(scene, field)));
    if scenes.iter().any(|scene| scene.games.len() > 1) {
        method.push(format!(
            "Free: the same deals under the same rules with a fee of 0. The fee is paid to {}, so \
             that some of it comes back.",
            if setting.game.rules().has_kitty() { "the kitty" } else { "the cells" }
        ));
    }
    method.extend(whole_sessions::about(
        setting,
        "the hand is exchanged by the seat that is asked first; later seats and bidders decline",
    ));
    method.extend([
        "A stop is a card that no other follows: the top cards, and those below a card that is \
         not in the pack; a card that is boodle and stop counts twice in “boodles + stops”. Low \
         cards are those of the lowest two ranks; a card is joined if the next one of its suit is \
         in the hand, too. Ranks are counted from 1, the lowest, to 13. Seats before you are \
         counted from eldest on."
            .into(),
        "The rule of all features makes the choice of which least squares expect most, if that is \
         more than nothing; they know each feature of the hand and in which of its ranges it is. \
         Intervals of what a property adds: by the sandwich estimator, clustered."
            .into(),
        "Thresholds, limits and the rule of all features are chosen on one set of deals and measured on \
         another, so that they look no better than they are. `newmarket strategy learn dead-hand` finds \
         a list of clauses."
            .into(),
        format!(
            "The discard: the hand is exchanged, and its owner ({strong}, then {field}) plays on \
             knowing which cards it discarded; then again having forgotten all about it, as if the \
             new hand had been dealt. The others do not change. One deal for {DISCARD_EVERY} of \
             the other parts."
        ),
        "Intervals are 95 % each, not all together.".into(),
    ]);
    method
}
