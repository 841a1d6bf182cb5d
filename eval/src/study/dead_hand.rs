//! Whether to take the dead hand, what it is worth, and what it is worth to know the discard.
//!
//! There is no control variate here. The boodles and stops in the dead hand, less what the own hand
//! lets one expect there, made the interval 0.99 times as wide (`newmarket-buy`, 20,000 deals at a
//! table of `stopper`): what matters most is who goes out first.

mod card;
mod discard;
mod features;
mod offer;
mod policies;

use newmarket_agents::paired::Estimate;
use newmarket_env::{Exchange, Game, Seed};

use super::payoff::Ledger;
use super::report::{ReportCell, ReportTable, Section};
use super::setting::{NothingToStudy, Setting};
use features::FEATURES;
use offer::{Fees, Offers};
use policies::Policies;

/// Children of the seed: deals on which policies are measured that were chosen on others, and
/// deals on which the discard is known or not.
const FRESH: u64 = 1;
const DISCARD: u64 = 2;
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

/// Deals that are told of while it runs.
pub(super) fn work(_game: &Game, deals: u64) -> u64 {
    2 * deals + deals.div_ceil(DISCARD_EVERY)
}

/// Plays it.
pub(super) fn run(setting: &Setting, ledger: &Ledger, done: &(dyn Fn(u64) + Sync)) -> Section {
    let (game, seed) = (&setting.game, Seed::new(setting.seed));
    let fees = Fees::of(game);
    let offers = Offers::measure(setting, ledger, &fees, seed, done);
    let policies = Policies::measure(setting, ledger, &fees, &offers, seed.child(FRESH), done);
    let discard = discard::Discard::measure(
        setting,
        ledger,
        &fees,
        offers.predictor(),
        seed.child(DISCARD),
        setting.deals.div_ceil(DISCARD_EVERY),
        done,
    );

    let mut tables = vec![by_feature(&offers, &fees)];
    tables.extend(by_regression(&offers, &fees));
    tables.extend(policies.tables(&fees));
    tables.push(discard.table(setting));
    let mut findings = vec![offers.finding(&fees)];
    findings.extend(policies.findings(&fees));
    findings.push(discard.finding(setting));
    Section {
        study: "dead-hand".into(),
        title: "The dead hand".into(),
        question: "When should the dead hand be taken, what is a fair price for it, and what is \
                   it worth to know the discard?"
            .into(),
        rules: game.rules().title().into(),
        players: game.players().into(),
        field: setting.field.name().into(),
        deals: setting.deals,
        seed: setting.seed,
        method: method(setting, &fees),
        advice: policies.advice(&fees),
        findings,
        tables,
        precision: offers.precision(),
    }
}

fn method(setting: &Setting, fees: &Fees) -> Vec<String> {
    let (field, strong) = (setting.field.name(), setting.reference.name());
    let who = match setting.game.rules().exchange {
        Exchange::OfferChain { .. } => {
            "Eldest, who is asked first, exchanges or keeps; if eldest keeps, the others are asked \
             in turn and answer by the heuristic"
        }
        Exchange::DealerOrAuction { .. } => {
            "The dealer exchanges or leaves the dead hand where it is; auctions are not looked at"
        }
        _ => "The dealer exchanges or keeps",
    };
    let mut method = vec![format!(
        "{field} plays in all seats, and whoever is asked plays on as {}. {who}: both are played out \
         on the same deal with the same random numbers, and the gain is the difference in the \
         asker's seat.",
        setting.player.name()
    )];
    if fees.charged > 0 {
        method.push(format!(
            "Free: the same deals under the same rules with a fee of 0. The fee of {} is paid to \
             {}, so that some of it comes back.",
            fees.charged,
            if setting.game.rules().has_kitty() { "the kitty" } else { "the cells" }
        ));
    }
    method.extend([
        "A stop is a card that no other follows: the top cards, and those below a card that is \
         not in the pack; a card that is boodle and stop counts twice in “boodles + stops”. Low \
         cards are those of the lowest two ranks; a card is joined if the next one of its suit is \
         in the hand, too. Ranks are counted from 1, the lowest, to 13."
            .into(),
        "Least squares of the free gain on the features of the hand; intervals by the sandwich \
         estimator, clustered."
            .into(),
        "Thresholds, the card and the rule of least squares are chosen on one set of deals and \
         measured on another, so that they look no better than they are."
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

/// The heads of two columns, or of one where there is no fee.
fn fee_heads(fees: &Fees) -> Vec<String> {
    if fees.charged > 0 {
        vec![format!("gain at a fee of {}", fees.charged), "gain if free".into()]
    } else {
        vec!["gain".into()]
    }
}

fn by_feature(offers: &Offers, fees: &Fees) -> ReportTable {
    let fee_heads = fee_heads(fees);
    let heads: Vec<&str> = std::iter::once("own hand")
        .chain(fee_heads.iter().map(String::as_str))
        .chain(["share of hands"])
        .collect();
    let caption = "Chips gained by taking the dead hand over keeping, by the own hand";
    let mut table = ReportTable::new(caption, &heads).drawn(1);
    let row = |name: String, share: ReportCell, gains: &[Estimate]| {
        let cells = gains.iter().map(|&gain| ReportCell::from(gain));
        std::iter::once(name.into()).chain(cells).chain([share]).collect()
    };
    table.push(row("any".into(), ReportCell::Empty, &offers.all));
    for (feature, levels) in FEATURES.iter().zip(&offers.levels) {
        // A feature that all hands share says nothing.
        if levels.iter().filter(|level| level.share.mean > 0.0).count() < 2 {
            continue;
        }
        for (nth, level) in levels.iter().enumerate() {
            if level.share.mean > 0.0 {
                table.push(row(
                    feature.level_name(nth),
                    ReportCell::share(level.share),
                    &level.gains,
                ));
            }
        }
    }
    table
}

fn by_regression(offers: &Offers, fees: &Fees) -> Option<ReportTable> {
    let fit = offers.fit.as_ref()?;
    let free = if fees.charged > 0 { "free " } else { "" };
    let caption =
        format!("Chips that a property of the own hand adds to the {free}gain, all else equal");
    let mut table = ReportTable::new(caption, &["property", "adds"]).drawn(1);
    for ((feature, it), mean) in
        offers.fitted.iter().map(|&at| &FEATURES[at]).zip(&fit.coefficients[1..]).zip(&offers.means)
    {
        table.push(vec![format!("{} (mean {mean:.1})", feature.unit).into(), (*it).into()]);
    }
    Some(table)
}
