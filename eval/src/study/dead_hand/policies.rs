//! Ways to decide on the dead hand, chosen on other deals than those on which they are measured.

use newmarket_agents::heuristic::stakes;
use newmarket_agents::paired::Estimate;
use newmarket_env::{Action, Seed, View};

use super::card::Card;
use super::features::FEATURES;
use super::offer::{Fees, Gain, Offer, Offers};
use crate::study::measure::Measurement;
use crate::study::payoff::Ledger;
use crate::study::report::{ReportCell, ReportTable};
use crate::study::setting::Setting;
use crate::study::tally::Tally;

/// A rule that says when to take the dead hand.
#[derive(Clone, Copy, Debug)]
enum When {
    Always,
    /// When the heuristic takes it.
    Heuristic,
    /// A feature is in the ranges up to this one, or in those above it.
    Threshold {
        feature: usize,
        last: usize,
        at_most: bool,
    },
    /// Least squares expect more than the price.
    Fit,
    /// The card of this game says so.
    Card,
}

impl When {
    fn name(self) -> String {
        match self {
            Self::Always => "always".into(),
            Self::Heuristic => "the heuristic says so".into(),
            Self::Threshold { feature, last, at_most } => {
                FEATURES[feature].threshold_name(last, at_most)
            }
            Self::Fit => "all features say so".into(),
            Self::Card => "the card says so".into(),
        }
    }

    /// `expected` is the free gain that least squares see in the hand, `price` what an exchange
    /// costs, as far as it does not come back.
    fn exchanges(self, view: &View, card: &Card, expected: f64, price: f64) -> bool {
        match self {
            Self::Card => card.takes(view),
            Self::Always => true,
            Self::Heuristic => stakes::dead_hand(view) == Action::EXCHANGE,
            Self::Threshold { feature, last, at_most } => {
                let feature = &FEATURES[feature];
                (feature.level((feature.of)(view)) <= last) == at_most
            }
            Self::Fit => expected > price,
        }
    }
}

/// The best threshold of each feature that helps, by the offers' figures in one of the games; the
/// best feature first.
fn thresholds(offers: &Offers, game: usize) -> Vec<When> {
    let mut found: Vec<(f64, When)> = Vec::new();
    for &feature in &offers.used {
        let levels = &offers.levels[feature];
        let worth: Vec<f64> = (levels.iter())
            .map(|level| {
                if level.share.mean > 0.0 { level.share.mean * level.gains[game].mean } else { 0.0 }
            })
            .collect();
        let mut best = (0.0, None);
        for last in 0..levels.len() - 1 {
            let below: f64 = worth[..=last].iter().sum();
            let above: f64 = worth[last + 1..].iter().sum();
            for (total, at_most) in [(below, true), (above, false)] {
                if total > best.0 {
                    best = (total, Some(When::Threshold { feature, last, at_most }));
                }
            }
        }
        found.extend(best.1.map(|when| (best.0, when)));
    }
    found.sort_by(|a, b| b.0.total_cmp(&a.0));
    found.into_iter().map(|it| it.1).collect()
}

/// What taking the dead hand costs in one of the games.
fn price_name(fees: &Fees, game: usize) -> String {
    match (fees.charged, game) {
        (0, _) => "as the rules have it".into(),
        (fee, 0) => format!("at the fee of {fee}"),
        _ => "if it were free".into(),
    }
}

/// What came of a policy.
struct Outcome {
    game: usize,
    when: When,
    /// Chips a deal over never exchanging.
    worth: Estimate,
    share: Estimate,
    /// Chips gained per exchange.
    each: Estimate,
}

/// What came of all of them.
pub(super) struct Policies {
    outcomes: Vec<Outcome>,
    /// By game: the card, and what it loses against least squares.
    cards: Vec<(Card, Estimate)>,
}

impl Policies {
    pub(super) fn measure(
        setting: &Setting,
        ledger: &Ledger,
        fees: &Fees,
        offers: &Offers,
        seed: Seed,
        done: &(dyn Fn(u64) + Sync),
    ) -> Self {
        let all: Vec<(usize, When)> = (0..fees.count())
            .flat_map(|game| {
                let thresholds = thresholds(offers, game);
                let whens = [When::Fit, When::Card, When::Heuristic, When::Always];
                let whens = whens.into_iter().chain(thresholds);
                whens.map(move |when| (game, when))
            })
            .collect();
        let cards: Vec<Card> =
            (0..fees.count()).map(|game| Card::of(&offers.samples(game), &offers.used)).collect();
        let free = fees.count() - 1;
        // What an exchange costs in the mean: some of a fee comes back.
        let prices: Vec<f64> =
            offers.all.iter().map(|gain| offers.all[free].mean - gain.mean).collect();
        let predictor = offers.predictor();
        let measurement = Measurement {
            deals: setting.deals,
            seed,
            tallies: all.len() + cards.len(),
            features: 0,
        };
        let measured = measurement.run(
            || Offer::new(setting, ledger, fees),
            |offer, deal| {
                if !offer.begin(deal.number, deal.seed) {
                    return;
                }
                let Gain { gains, .. } = offer.play();
                let takes = |game: usize, when: When| {
                    let view = offer.view_in(game);
                    let takes = when.exchanges(&view, &cards[game], predictor(&view), prices[game]);
                    f64::from(u8::from(takes))
                };
                for (at, &(game, when)) in all.iter().enumerate() {
                    let takes = takes(game, when);
                    deal.add(at, takes * gains[game], takes);
                }
                for (game, gain) in gains.iter().enumerate() {
                    let less = takes(game, When::Fit) - takes(game, When::Card);
                    deal.add(all.len() + game, less * gain, 0.0);
                }
            },
            done,
        );
        let outcome = |(at, &(game, when)): (usize, &(usize, When))| Outcome {
            game,
            when,
            worth: measured.tallies[at].mean(),
            share: measured.tallies[at].second(),
            each: measured.tallies[at].ratio(),
        };
        let outcomes = all.iter().enumerate().map(outcome).collect();
        let lost = measured.tallies[all.len()..].iter().map(Tally::mean);
        Self { outcomes, cards: cards.into_iter().zip(lost).collect() }
    }

    /// A table for each of the games.
    pub(super) fn tables(&self, fees: &Fees) -> Vec<ReportTable> {
        let table = |game: usize| {
            let caption = format!(
                "Chips a deal gained by ways to decide over never taking the dead hand, {} (chosen \
                 on other deals)",
                price_name(fees, game)
            );
            let heads = ["take it if", "worth a deal", "hands exchanged", "gain an exchange"];
            let mut table = ReportTable::new(caption, &heads).drawn(1);
            for outcome in self.outcomes.iter().filter(|it| it.game == game) {
                let each =
                    if outcome.share.mean > 0.0 { outcome.each.into() } else { ReportCell::Empty };
                let share = ReportCell::share(outcome.share);
                table.push(vec![outcome.when.name().into(), outcome.worth.into(), share, each]);
            }
            table
        };
        (0..fees.count()).map(table).collect()
    }

    /// The policy of least squares in a game.
    fn by_fit(&self, game: usize) -> Option<&Outcome> {
        self.outcomes.iter().find(|it| it.game == game && matches!(it.when, When::Fit))
    }

    /// What a player should do at the table.
    pub(super) fn advice(&self, fees: &Fees) -> Vec<String> {
        let of = |(game, (card, lost)): (usize, &(Card, Estimate))| {
            let is = |it: &&Outcome| it.game == game && matches!(it.when, When::Card);
            let worth = self.outcomes.iter().find(is).expect("the card was measured").worth;
            format!(
                "The dead hand, {}; the first yes decides. {card}. That gains {worth} chips a deal over \
                 never taking it, and loses {lost} against the rule of all features.",
                price_name(fees, game)
            )
        };
        self.cards.iter().enumerate().map(of).collect()
    }

    pub(super) fn findings(&self, fees: &Fees) -> Vec<String> {
        let mut findings = Vec::new();
        // The first one is the best on the deals on which it was chosen.
        let best_threshold = |game: usize| {
            let is = |it: &&Outcome| it.game == game && matches!(it.when, When::Threshold { .. });
            self.outcomes.iter().find(is)
        };
        for (game, (_, lost)) in self.cards.iter().enumerate() {
            let price = price_name(fees, game);
            findings.push(format!(
                "The card, {price}, loses {lost} chips a deal against the rule of all features."
            ));
            findings.push(match best_threshold(game) {
                Some(best) => format!(
                    "The best threshold on one feature, {price}: take the dead hand with “{}”: {} \
                     chips a deal over never taking it, {:.1} % of hands exchanged.",
                    best.when.name(),
                    best.worth,
                    100.0 * best.share.mean
                ),
                None => format!("No range of any feature makes the exchange pay, {price}."),
            });
        }
        if let Some(free) = self.by_fit(fees.count() - 1).filter(|it| it.share.mean > 0.0) {
            findings.push(format!(
                "A fair price, before any fee: among hands that should be exchanged by all \
                 features ({:.1} ± {:.1} %) an exchange gains {} chips; the right to exchange is \
                 worth {} chips a deal.",
                100.0 * free.share.mean,
                100.0 * free.share.ci95,
                free.each,
                free.worth
            ));
        }
        findings
    }
}
