//! What each choice about the dead hand gains, by the hand.

use newmarket_agents::paired::Estimate;
use newmarket_env::Seed;

use super::features::{FEATURES, values};
use super::offer::{Gain, Offer};
use super::scene::{Asked, Does, Scene};
use crate::study::measure::Measurement;
use crate::study::payoff::Ledger;
use crate::study::report::{ReportCell, ReportTable};
use crate::study::setting::Setting;
use crate::study::tally::Tally;

/// Hands of which a feature is in one range.
struct Level {
    share: Estimate,
    /// By choice.
    gains: Vec<Estimate>,
}

/// What each choice gains over declining, by the hand.
pub(super) struct Offers {
    /// By choice.
    all: Vec<Estimate>,
    /// Indexed by feature, then by range.
    levels: Vec<Vec<Level>>,
    /// How often the seat went out first after the first choice.
    won: Estimate,
    /// How often the seat is asked.
    asked: Estimate,
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
        let measurement = Measurement { deals: setting.deals, seed, tallies: next, features: 0 };
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
                    for level in 0..feature.levels() {
                        let start = start + level * (choices + 1);
                        let holds = feature.level(hand[at]) == level;
                        deal.add(start + choices, f64::from(u8::from(holds)), 0.0);
                        for (choice, &gain) in gains.iter().enumerate().filter(|_| holds) {
                            deal.add(start + choice, gain, 0.0);
                        }
                    }
                }
            },
            done,
        );
        let tallies = &measured.tallies;
        let level = |start: usize| Level {
            share: tallies[start + choices].mean(),
            gains: tallies[start..start + choices].iter().map(Tally::mean).collect(),
        };
        Self {
            all: tallies[..choices].iter().map(Tally::mean).collect(),
            won: tallies[won_at].mean(),
            asked: tallies[asked_at].mean(),
            levels: (FEATURES.iter().zip(&starts))
                .map(|(feature, start)| {
                    (0..feature.levels()).map(|nth| level(start + nth * (choices + 1))).collect()
                })
                .collect(),
        }
    }

    /// Whether anybody was ever asked.
    pub(super) fn any(&self) -> bool {
        self.asked.mean > 0.0
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

    /// What bids gain in an auction, whatever one holds.
    pub(super) fn bids(&self, scene: &Scene, field: &str) -> Option<ReportTable> {
        let caption =
            "Chips an auction gained by bidding over passing, whatever one holds: a bidder";
        let mut table = ReportTable::new(caption, &["bids", "gain"]).drawn(1);
        for (choice, gain) in scene.choices.iter().zip(&self.all) {
            let name = match choice.does {
                Does::UpTo(limit) => format!("up to {limit}"),
                Does::AsField => format!("as {field} bids"),
                Does::Act { .. } | Does::Given => continue,
            };
            table.push(vec![name.into(), (*gain).into()]);
        }
        (!table.rows.is_empty()).then_some(table)
    }
}
