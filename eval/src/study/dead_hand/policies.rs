//! Ways to decide on the dead hand, chosen on other deals than those on which they are measured.

use newmarket_agents::paired::Estimate;
use newmarket_env::Seed;

use super::card::{Card, Sample};
use super::features::{seats_before, values};
use super::offer::{Gain, Offer};
use super::offers::Offers;
use super::places::Places;
use super::rules::{self, Rule};
use super::scene::{Asked, Decision, Scene};
use crate::study::measure::Measurement;
use crate::study::payoff::Ledger;
use crate::study::report::{ReportCard, ReportCell, ReportQuestion, ReportTable};
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
    /// By decision: the card, and what it loses against the rule of all features.
    cards: Vec<(Card, Estimate)>,
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
        let card = |decision: &Decision| {
            let of = |hand: &Sample| Sample {
                values: hand.values,
                gains: decision.choices.iter().map(|&choice| hand.gains[choice]).collect(),
            };
            Card::of(&offers.hands.iter().map(of).collect::<Vec<_>>(), &offers.used)
        };
        let cards: Vec<Card> = scene.decisions.iter().map(card).collect();
        let mut tallies = 0;
        let mut tried: Vec<Tried> = Vec::new();
        for (at, decision) in scene.decisions.iter().enumerate() {
            for rule in rules::all(scene, decision, &cards[at], offers) {
                tried.push(Tried { decision: at, rule, start: tallies });
                tallies += 1 + decision.shares.len();
            }
        }
        let lost_at = tallies;
        let places_at = lost_at + cards.len();
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
                for (decision, card) in cards.iter().enumerate() {
                    let by_fit = gain(choice(decision, &Rule::Fit));
                    let by_card = choice(decision, &Rule::Card(card.clone()));
                    let lost = by_fit - gain(by_card);
                    deal.add(lost_at + decision, lost, 0.0);
                    if decision == 0 {
                        let place = seats_before(&offer.view()) as usize;
                        let acts = f64::from(u8::from(by_card.is_some()));
                        let figures = [gains[scene.taken()], acts, gain(by_card), lost];
                        Places::add(deal, places_at, place, figures);
                    }
                }
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
        let lost = measured.tallies[lost_at..places_at].iter();
        let lost = lost.map(Tally::mean);
        Self {
            outcomes,
            cards: cards.into_iter().zip(lost).collect(),
            places: Places::read(&measured.tallies[places_at..]),
        }
    }

    /// The card of the first decision.
    pub(super) fn first_card(&self) -> &Card {
        &self.cards[0].0
    }

    /// The outcomes of a decision.
    fn of(&self, decision: usize) -> impl Iterator<Item = &Outcome> {
        self.outcomes.iter().filter(move |it| it.decision == decision)
    }

    fn by_card(&self, decision: usize) -> &Outcome {
        let card = self.of(decision).find(|it| matches!(it.rule, Rule::Card(_)));
        card.expect("the card was measured")
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

    /// The cards as data, by decision.
    pub(super) fn cards(&self, scene: &Scene) -> Vec<ReportCard> {
        let of = |((at, decision), (card, _)): ((usize, &Decision), &(Card, Estimate))| {
            let words = scene.words(decision);
            let question = |(asks, answer)| ReportQuestion { asks, answer };
            ReportCard {
                title: format!("{}, {}", scene.who, decision.price),
                questions: card.questions(&words).map(question).collect(),
                otherwise: words[card.otherwise()].into(),
                gain: self.by_card(at).worth,
            }
        };
        let all = scene.decisions.iter().enumerate().zip(&self.cards).map(of);
        // A seat that was hardly ever asked has no figures.
        all.filter(|card| card.gain.ci95.is_finite()).collect()
    }

    /// What a player should do at the table, among such a field.
    pub(super) fn advice(&self, scene: &Scene, field: &str) -> Vec<String> {
        let of = |((at, decision), (card, lost)): ((usize, &Decision), &(Card, Estimate))| {
            format!(
                "Among {field}, {}, {}: {}. That gains {} chips {} over \
                 {}, and {} the rule of all features.",
                scene.who,
                decision.price,
                card.read(&scene.words(decision)),
                self.by_card(at).worth,
                scene.unit(),
                scene.declining,
                against(*lost)
            )
        };
        scene.decisions.iter().enumerate().zip(&self.cards).map(of).collect()
    }

    pub(super) fn findings(&self, scene: &Scene, field: &str) -> Vec<String> {
        let mut findings = Vec::new();
        for (at, decision) in scene.decisions.iter().enumerate() {
            let name = format!("{}, {}", capitalised(scene.who), decision.price);
            // The first one is the best on the deals on which it was chosen.
            let best = self.of(at).find(|it| matches!(it.rule, Rule::Threshold { .. }));
            findings.push(match best {
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

/// What is lost against some rule, in words; less than nothing is gained.
fn against(lost: Estimate) -> String {
    if lost.mean < 0.0 {
        format!("gains {} over", Estimate { mean: -lost.mean, ..lost })
    } else {
        format!("loses {lost} against")
    }
}

fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
