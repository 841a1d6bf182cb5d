//! Ways to decide on the dead hand, chosen on other deals than those on which they are measured.

use newmarket_agents::paired::Estimate;
use newmarket_env::Seed;

use super::features::{SEATS_BEFORE, values};
use super::offer::{Gain, Offer};
use super::offers::Offers;
use super::places::Places;
use super::rules::{self, Rule};
use super::scene::{Asked, Decision, Scene};
use crate::study::measure::Measurement;
use crate::study::payoff::Ledger;
use crate::study::report::{ReportCell, ReportTable};
use crate::study::setting::Setting;
use crate::study::tally::Tally;

/// A rule for a decision, and where its figures begin: chips over declining; then for each share how often
/// hands are treated so.
struct Tried {
    decision: usize,
    rule: Rule,
    start: usize,
}

/// What came of a rule.
struct Outcome {
    decision: usize,
    rule: Rule,
    /// Chips a deal over always declining.
    worth: Estimate,
    /// How often hands are treated in each way that the decision counts.
    shares: Vec<Estimate>,
    /// Chips gained by each hand that does not decline.
    each: Estimate,
}

/// What came of all of them.
pub(super) struct Policies {
    outcomes: Vec<Outcome>,
    places: Places,
}

impl Policies {
    pub(super) fn measure(
        setting: &Setting,
        ledger: &Ledger,
        scene: &Scene,
        offers: &Offers,
        seed: Seed,
        done: &(dyn Fn(u64) + Sync),
    ) -> Self {
        let mut tallies = 0;
        let mut tried: Vec<Tried> = Vec::new();
        for (at, decision) in scene.decisions.iter().enumerate() {
            for rule in rules::all(scene, decision, offers) {
                tried.push(Tried { decision: at, rule, start: tallies });
                tallies += 1 + decision.shares.len();
            }
        }
        let places_at = tallies;
        let players = setting.game.players();
        let measurement = Measurement {
            deals: setting.deals,
            seed,
            tallies: places_at + Places::tallies(players),
            features: 0,
        };
        let measured = measurement.run(
            || Offer::new(setting, ledger, scene),
            |offer, deal| {
                if !offer.begin(deal.number, deal.seed) {
                    return;
                }
                let Gain { gains, .. } = offer.play();
                let gain = |choice: Option<usize>| choice.map_or(0.0, |choice| gains[choice]);
                let hand = values(&offer.view());
                let choice = |decision: usize, rule: &Rule| {
                    rule.choice(scene, &scene.decisions[decision], offers, offer, &hand)
                };
                for Tried { decision, rule, start } in &tried {
                    let choice = choice(*decision, rule);
                    let acts = f64::from(u8::from(choice.is_some()));
                    deal.add(*start, gain(choice), acts);
                    let shares = &scene.decisions[*decision].shares;
                    for (nth, (_, counted)) in shares.iter().enumerate() {
                        let is = choice.is_some_and(|choice| counted.contains(&choice));
                        deal.add(start + 1 + nth, f64::from(u8::from(is)), 0.0);
                    }
                }
                let by_fit = choice(0, &Rule::Fit);
                let acts = f64::from(u8::from(by_fit.is_some()));
                let figures = [gains[scene.taken()], acts, gain(by_fit)];
                Places::add(deal, places_at, hand[SEATS_BEFORE] as usize, figures);
            },
            done,
        );
        let outcome = |Tried { decision, rule, start }| {
            let shares = scene.decisions[decision].shares.len();
            let shares = &measured.tallies[start + 1..start + 1 + shares];
            Outcome {
                decision,
                rule,
                worth: measured.tallies[start].mean(),
                shares: shares.iter().map(Tally::mean).collect(),
                each: measured.tallies[start].ratio(),
            }
        };
        let outcomes = tried.into_iter().map(outcome).collect();
        Self { outcomes, places: Places::read(&measured.tallies[places_at..]) }
    }

    /// The outcomes of a decision.
    fn of(&self, decision: usize) -> impl Iterator<Item = &Outcome> {
        self.outcomes.iter().filter(move |it| it.decision == decision)
    }

    fn by_fit(&self, decision: usize) -> &Outcome {
        let fit = self.of(decision).find(|it| matches!(it.rule, Rule::Fit));
        fit.expect("the rule of all features was measured")
    }

    /// A table for each decision, and one by place where seats in several places are asked.
    pub(super) fn tables(&self, scene: &Scene, field: &str) -> Vec<ReportTable> {
        let table = |(at, decision): (usize, &Decision)| {
            let caption = format!(
                "Chips {} gained by ways to decide over {} (chosen on other deals): {}, {}",
                scene.unit(),
                scene.declining,
                scene.who,
                decision.price
            );
            let only = decision.shares.len() == 1;
            let rule = if decision.choices.len() == 1 { "take it if" } else { "what is done" };
            let shares = decision.shares.iter().map(|(head, _)| head.as_str());
            let heads: Vec<&str> = [rule, "worth a deal"]
                .into_iter()
                .chain(shares)
                .chain(only.then_some("gain of such a hand"))
                .collect();
            let mut table = ReportTable::new(caption, &heads).drawn(1);
            let words = scene.words(decision);
            for outcome in self.of(at) {
                // Whether the field bids at all is not told.
                let told = scene.asked != Asked::Bidder || !matches!(outcome.rule, Rule::Heuristic);
                let acts = told && outcome.shares.iter().any(|share| share.mean > 0.0);
                let each = if acts { outcome.each.into() } else { ReportCell::Empty };
                let share = |&share: &Estimate| {
                    if told { ReportCell::share(share) } else { ReportCell::Empty }
                };
                let shares = outcome.shares.iter().map(share);
                let cells = [outcome.rule.name(&words, field).into(), outcome.worth.into()];
                table.push(cells.into_iter().chain(shares).chain(only.then_some(each)).collect());
            }
            table
        };
        let tables = scene.decisions.iter().enumerate().map(table);
        tables.chain(self.places.table(scene)).collect()
    }

    /// The threshold that gained most on the deals on which it was chosen.
    fn best_threshold(&self, decision: usize) -> Option<&Outcome> {
        self.of(decision).find(|it| matches!(it.rule, Rule::Threshold { .. }))
    }

    /// What a player should do at the table, among such a field.
    pub(super) fn advice(&self, scene: &Scene, field: &str) -> Vec<String> {
        let of = |(at, decision): (usize, &Decision)| {
            let (words, fit) = (scene.words(decision), self.by_fit(at).worth);
            let who = format!("Among {field}, {}, {}", scene.who, decision.price);
            let always = self.of(at).filter(|it| matches!(it.rule, Rule::Always(_)));
            let always = always.max_by(|a, b| a.worth.mean.total_cmp(&b.worth.mean));
            match self.best_threshold(at).or(always).filter(|it| it.worth.mean > 0.0) {
                Some(best) => format!(
                    "{who}: “{}” gains {} chips {} over {}, all features of the hand {fit}.",
                    best.rule.name(&words, field),
                    best.worth,
                    scene.unit(),
                    scene.declining
                ),
                None => format!(
                    "{who}: {} is best, all features of the hand gain {fit}.",
                    scene.declining
                ),
            }
        };
        scene.decisions.iter().enumerate().map(of).collect()
    }

    pub(super) fn findings(&self, scene: &Scene, field: &str) -> Vec<String> {
        let mut findings = Vec::new();
        for (at, decision) in scene.decisions.iter().enumerate() {
            let name = format!("{}, {}", capitalised(scene.who), decision.price);
            findings.push(match self.best_threshold(at) {
                Some(best) => format!(
                    "{name}: the best threshold on one feature is “{}”: {} chips {}.",
                    best.rule.name(&scene.words(decision), field),
                    best.worth,
                    scene.unit()
                ),
                None => format!("{name}: no range of any feature pays."),
            });
        }
        findings.extend(self.fair_price(scene));
        findings
    }

    /// What those hands gain that should take the dead hand at its least price.
    fn fair_price(&self, scene: &Scene) -> Option<String> {
        let at = scene.decisions.len() - 1;
        let (decision, fit) = (&scene.decisions[at], self.by_fit(at));
        let [share] = fit.shares[..] else { return None };
        (scene.asked != Asked::Bidder && share.mean > 0.0).then(|| {
            format!(
                "A fair price for {}, {}: among hands that should be exchanged by all features \
                 ({:.1} ± {:.1} %) an exchange gains {} chips; the right to exchange is worth {} \
                 chips {}.",
                scene.who,
                decision.price,
                100.0 * share.mean,
                100.0 * share.ci95,
                fit.each,
                fit.worth,
                scene.unit()
            )
        })
    }
}

fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
