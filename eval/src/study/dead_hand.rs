//! What the dead hand is worth, by the own hand, and what a bid for it is worth.
//!
//! There is no control variate here. The boodles and stops in the dead hand, less what the own hand
//! lets one expect there, made the interval 0.99 times as wide (`newmarket-buy`, 20,000 deals at a
//! table of `stopper`): what matters most is who goes out first.

mod auction;
mod features;
mod offer;
mod offers;
mod scene;

use newmarket_env::{Exchange, Game, Seed};

use super::payoff::Ledger;
use super::report::Section;
use super::setting::{NothingToStudy, Setting};
use offers::Offers;
use scene::{Asked, Scene};

/// The child of the seed for the deals of the second scene.
const SECOND: u64 = 3;

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

/// Deals that are told of while it runs.
pub(super) fn work(game: &Game, deals: u64) -> u64 {
    let scenes = match game.rules().exchange {
        Exchange::None => 0,
        Exchange::Dealer { .. } => 1,
        Exchange::DealerOrAuction { .. } | Exchange::OfferChain { .. } => 2,
    };
    scenes * deals
}

/// Plays it.
pub(super) fn run(setting: &Setting, ledger: &Ledger, done: &(dyn Fn(u64) + Sync)) -> Section {
    let (game, field) = (&setting.game, setting.field.name());
    let scenes = Scene::all(game);
    let mut section = Section {
        study: "dead-hand".into(),
        title: "The dead hand".into(),
        question: "What is the dead hand worth, by the own hand, and what is a bid for it worth?"
            .into(),
        rules: game.rules().title().into(),
        rules_files: vec![game.rules().to_file()],
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
        section.findings.push(offers.finding(scene, field));
        if offers.any() {
            section.tables.push(offers.by_feature(scene));
            section.tables.extend(offers.bids(scene, field));
        }
        let precision = offers.precision(scene);
        // Whoever is never asked has no figures.
        if scene.asked == Asked::First || precision.is_finite() {
            section.precision = section.precision.max(precision);
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
    let field = setting.field.name();
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
    method.push(
        "A stop is a card that no other follows: the top cards, and those below a card that is \
         not in the pack; a card that is boodle and stop counts twice in “boodles + stops”. Low \
         cards are those of the lowest two ranks; a card is joined if the next one of its suit is \
         in the hand, too. Seats before you are counted from eldest on. `newmarket strategy learn \
         dead-hand` finds a list of clauses. Intervals are 95 % each, not all together."
            .into(),
    );
    method
}
