//! What each choice about the dead hand gains, by the hand.

use std::sync::Mutex;

use newmarket_agents::paired::{CHUNK, Estimate};
use newmarket_env::Seed;

use super::expectation::Expectation;
use super::features::{FEATURES, Values, values};
use super::offer::{Gain, Offer};
use super::scene::{Asked, Scene};
use crate::study::least_squares::{Fit, NormalEquations};
use crate::study::measure::Measurement;
use crate::study::payoff::Ledger;
use crate::study::report::{ReportCell, ReportTable};
use crate::study::setting::Setting;
use crate::study::tally::Tally;

/// Hands of so many deals are kept for least squares.
const MOST_HANDS: u64 = 500_000;

/// A hand whose owner was asked, and what each choice gains over declining.
#[derive(Clone, Debug)]
pub(super) struct Sample {
    pub(super) values: Values,
    pub(super) gains: Vec<f64>,
}

/// Hands of which a feature is in one range.
#[derive(Clone, Debug)]
pub(super) struct Level {
    pub(super) share: Estimate,
    /// By choice.
    pub(super) gains: Vec<Estimate>,
}

/// What each choice gains over declining, by the hand.
pub(super) struct Offers {
    /// By choice.
    pub(super) all: Vec<Estimate>,
    /// Indexed by feature, then by range.
    pub(super) levels: Vec<Vec<Level>>,
    /// How often the seat went out first after the first choice.
    won: Estimate,
    /// How often the seat is asked.
    asked: Estimate,
    /// By choice, what the hand lets one expect.
    expectations: Vec<Option<Expectation>>,
    /// The gain of the dead hand at its least price, by a constant and the fitted features.
    fit: Option<Fit>,
    /// Features that differ between hands.
    pub(super) used: Vec<usize>,
    /// The hands, in their order, and what they gain.
    pub(super) hands: Vec<Sample>,
    /// Those that are fitted, and their means.
    fitted: Vec<usize>,
    means: Vec<f64>,
}

impl Offers {
    pub(super) fn measure(
        setting: &Setting,
        ledger: &Ledger,
        scene: &Scene,
        seed: Seed,
        done: &(dyn Fn(u64) + Sync),
    ) -> Self {
        let choices = scene.choices.len();
        // Figures of a choice each; then who wins, and whether the seat is asked.
        let (won_at, asked_at) = (choices, choices + 1);
        let mut next = choices + 2;
        let mut more = |tallies: usize| {
            next += tallies;
            next - tallies
        };
        let starts: Vec<usize> =
            FEATURES.iter().map(|feature| more(feature.levels() * (choices + 1))).collect();
        let values_at = more(FEATURES.len());
        let measurement = Measurement { deals: setting.deals, seed, tallies: next, features: 0 };
        let hands = Mutex::new(Vec::new());
        let measured = measurement.run(
            || Offer::new(setting, ledger, scene),
            |offer, deal| {
                let asked = offer.begin(deal.number, deal.seed);
                deal.add(asked_at, f64::from(u8::from(asked)), 0.0);
                if !asked {
                    return;
                }
                let Gain { gains, won } = offer.play();
                for (choice, &gain) in gains.iter().enumerate() {
                    deal.add(choice, gain, 0.0);
                }
                deal.add(won_at, f64::from(u8::from(won)), 0.0);
                let hand = values(&offer.view());
                for (at, (feature, start)) in FEATURES.iter().zip(&starts).enumerate() {
                    deal.add(values_at + at, hand[at], 0.0);
                    for level in 0..feature.levels() {
                        let start = start + level * (choices + 1);
                        let holds = feature.level(hand[at]) == level;
                        deal.add(start + choices, f64::from(u8::from(holds)), 0.0);
                        for (choice, &gain) in gains.iter().enumerate().filter(|_| holds) {
                            deal.add(start + choice, gain, 0.0);
                        }
                    }
                }
                if deal.number < MOST_HANDS {
                    let mut hands = hands.lock().expect("nobody panics with it");
                    hands.push((deal.number, Sample { values: hand, gains }));
                }
            },
            done,
        );
        // In the order of the deals, whichever thread played them.
        let mut hands = hands.into_inner().expect("nobody panics with it");
        hands.sort_by_key(|(number, _)| *number);
        let tallies = &measured.tallies;
        let level = |start: usize| Level {
            share: tallies[start + choices].mean(),
            gains: tallies[start..start + choices].iter().map(Tally::mean).collect(),
        };
        let used: Vec<usize> =
            (0..FEATURES.len()).filter(|&at| tallies[values_at + at].varies()).collect();
        let regression = Regression::of(&hands, scene.taken());
        let fitted = regression.independent(&used);
        let hands: Vec<Sample> = hands.into_iter().map(|(_, hand)| hand).collect();
        Self {
            all: tallies[..choices].iter().map(Tally::mean).collect(),
            won: tallies[won_at].mean(),
            asked: tallies[asked_at].mean(),
            levels: (FEATURES.iter().zip(&starts))
                .map(|(feature, start)| {
                    (0..feature.levels()).map(|nth| level(start + nth * (choices + 1))).collect()
                })
                .collect(),
            expectations: (0..choices).map(|choice| Expectation::of(&hands, choice)).collect(),
            fit: regression.fit(&fitted),
            means: fitted.iter().map(|&at| tallies[values_at + at].mean().mean).collect(),
            hands,
            used,
            fitted,
        }
    }

    /// What a choice should gain, by the hand alone.
    pub(super) fn expected(&self, hand: &Values, choice: usize) -> f64 {
        let expectation = self.expectations[choice].as_ref();
        expectation.map_or(self.all[choice].mean, |expectation| expectation.at(hand))
    }

    /// Whether anybody was ever asked.
    pub(super) fn any(&self) -> bool {
        !self.hands.is_empty()
    }

    /// The widest interval of the gains that are shown.
    pub(super) fn precision(&self, scene: &Scene) -> f64 {
        scene.shown().map(|(choice, _)| self.all[choice].ci95).fold(0.0, f64::max)
    }

    /// What each choice gains whatever one holds.
    pub(super) fn finding(&self, scene: &Scene, field: &str) -> String {
        let asked = 100.0 * self.asked.mean;
        if !self.any() {
            return format!("Among {field}, {} is never asked.", scene.who);
        }
        let gains: Vec<String> =
            scene.shown().map(|(choice, head)| format!("{head} {}", self.all[choice])).collect();
        let often = match scene.asked {
            Asked::Bidder => {
                format!(", in the {asked:.1} % of deals with an auction that comes round to it")
            }
            Asked::Later => format!(", in the {asked:.1} % of deals in which it is asked"),
            Asked::First => String::new(),
        };
        format!(
            "Among {field}, {}, in chips whatever one holds{often}: {}. Who takes the dead hand goes \
             out first in {:.1} ± {:.1} % of deals.",
            scene.who,
            gains.join(", "),
            100.0 * self.won.mean,
            100.0 * self.won.ci95
        )
    }

    /// The gains by each range of each feature.
    pub(super) fn by_feature(&self, scene: &Scene) -> ReportTable {
        let shown: Vec<(usize, &str)> = scene.shown().collect();
        let heads = shown.iter().map(|&(_, head)| head);
        let heads: Vec<&str> =
            std::iter::once("own hand").chain(heads).chain(["share of hands"]).collect();
        let caption = match scene.asked {
            Asked::Bidder => {
                "Chips gained by the dead hand as a gift, over nobody having it, by the own hand: \
                 a bidder"
                    .to_owned()
            }
            // A column for each game, or for each choice.
            _ if shown.len() == scene.games.len() => format!(
                "Chips gained by taking the dead hand over keeping, by the own hand: {}",
                scene.who
            ),
            _ => format!("Chips gained over keeping, by the own hand: {}", scene.who),
        };
        let mut table = ReportTable::new(caption, &heads).drawn(1);
        let row = |name: String, share: ReportCell, gains: &[Estimate]| {
            let cells = shown.iter().map(|&(choice, _)| ReportCell::from(gains[choice]));
            std::iter::once(name.into()).chain(cells).chain([share]).collect()
        };
        table.push(row("any".into(), ReportCell::Empty, &self.all));
        for (feature, levels) in FEATURES.iter().zip(&self.levels) {
            // A feature that all hands share says nothing.
            if levels.iter().filter(|level| level.share.mean > 0.0).count() < 2 {
                continue;
            }
            for (nth, level) in levels.iter().enumerate() {
                if level.share.mean > 0.0 {
                    let share = ReportCell::share(level.share);
                    table.push(row(feature.level_name(nth), share, &level.gains));
                }
            }
        }
        table
    }

    /// What a property adds to the gain of the dead hand at its least price.
    pub(super) fn by_regression(&self, scene: &Scene) -> Option<ReportTable> {
        let fit = self.fit.as_ref()?;
        let free = if scene.games.len() > 1 { "free " } else { "" };
        let caption = format!(
            "Chips that a property of the own hand adds to the {free}gain, all else equal: {}",
            scene.who
        );
        let mut table = ReportTable::new(caption, &["property", "adds"]).drawn(1);
        let names = self.fitted.iter().map(|&at| &FEATURES[at]);
        for ((feature, it), mean) in names.zip(&fit.coefficients[1..]).zip(&self.means) {
            table.push(vec![format!("{} (mean {mean:.1})", feature.unit).into(), (*it).into()]);
        }
        Some(table)
    }
}

/// Least squares of a choice's gain on a constant and all features: the sums of each chunk of deals.
struct Regression(Vec<NormalEquations>);

impl Regression {
    /// Of these hands, by the number of their deals.
    fn of(hands: &[(u64, Sample)], choice: usize) -> Self {
        let of = |chunk: &[(u64, Sample)]| {
            let mut sums = NormalEquations::new(FEATURES.len() + 1);
            for (_, hand) in chunk {
                let row: Vec<f64> = std::iter::once(1.0).chain(hand.values).collect();
                sums.add(&row, hand.gains[choice]);
            }
            sums
        };
        Self(hands.chunk_by(|a, b| a.0 / CHUNK == b.0 / CHUNK).map(of).collect())
    }

    fn fit(&self, fitted: &[usize]) -> Option<Fit> {
        let columns: Vec<usize> =
            std::iter::once(0).chain(fitted.iter().map(|at| at + 1)).collect();
        let sums: Vec<NormalEquations> = self.0.iter().map(|sums| sums.of(&columns)).collect();
        Fit::of(&sums)
    }

    /// Those of the features that do not follow from others before them: on an empty layout the chips on own
    /// boodles are as many for each of them.
    fn independent(&self, used: &[usize]) -> Vec<usize> {
        let mut fitted: Vec<usize> = Vec::new();
        for &at in used.iter().filter(|&&at| FEATURES[at].fitted) {
            fitted.push(at);
            if self.fit(&fitted).is_none() {
                fitted.pop();
            }
        }
        fitted
    }
}
