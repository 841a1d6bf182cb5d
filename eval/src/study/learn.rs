//! Finds a list of few clauses for one kind of decision, by the chips that it gains.
//!
//! A list is put together and improved step by step. Each step is a race by successive halving (Karnin, Koren and
//! Somekh 2013): all lists that one change makes of the list so far play a few deals, the best of them play four
//! times as many others, and so on. The winner is taken if it is separated above the list so far on deals that
//! chose nothing. In the end clauses go that are not separated above the list without them.
//!
//! A list is judged in each seat, among the field, on the same deals as the list that it would replace; the base
//! decides everything else.

mod deals;
mod sample;
mod space;

use std::sync::Arc;

use newmarket_agents::paired::Estimate;
use newmarket_agents::strategy::{Content, DecisionKind, FORMAT, Scope, Strategy, fact, facts};
use newmarket_agents::{Agent, Player};
use newmarket_env::rules::Timing;
use newmarket_env::text::Joined as _;
use newmarket_env::{Exchange, Game, Rules, Seed};
use serde_json::{Map, Value, json};

use super::measure::Measurement;
use super::payoff::{Ledger, Payoff};
use super::setting::NothingToStudy;
use super::tally::Tally;
use super::{ante, dead_hand};
use deals::Deals;
use space::{Draft, Form, Space};

/// Most clauses of a list.
pub const MOST_CLAUSES: usize = 5;
/// Each stage of a race plays one deal for so many of those that are asked for, and so many lists go on.
const STAGES: [(u64, usize); 3] = [(16, 512), (4, 64), (1, 1)];
/// Deals of a stage at least.
const LEAST_DEALS: u64 = 64;
/// Races of a list at most.
const RACES: u64 = 14;
/// Races without a better list that end the search. Other deals may find what the first ones did not.
const IN_VAIN: u64 = 2;

/// Children of the seed: what chips that stay are worth, the deals that judge, the sample, and the searches.
const LEDGER: u64 = 0;
const FRESH: u64 = 1;
const SAMPLE: u64 = 2;
const SEARCH: u64 = 3;
/// Children of a search's seed after those of the races: the deals on which clauses are left out.
const LEFT_OUT: u64 = RACES;
/// The child of a race's seed on which its winner is confirmed; the stages have the numbers before.
const CONFIRMED: u64 = STAGES.len() as u64;

/// The kind of decision for which a list is found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    /// Leads: tests of suits.
    Lead,
    /// Free antes: tests of cells after a look, chips by seat before the deal.
    Ante,
    /// The dead hand and its auction: a decision list each.
    DeadHand,
}

impl Part {
    /// All parts, in the order of help pages.
    pub const ALL: [Self; 3] = [Self::Lead, Self::Ante, Self::DeadHand];

    /// Its name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Lead => "lead",
            Self::Ante => "ante",
            Self::DeadHand => "dead-hand",
        }
    }

    /// Whether a game has such decisions.
    ///
    /// # Errors
    /// If it has none, or some that no list can decide.
    pub fn fits(self, game: &Game) -> Result<(), NothingToStudy> {
        match self {
            Self::Lead => Ok(()),
            Self::Ante => ante::fits(game),
            Self::DeadHand => dead_hand::fits(game),
        }
    }

    /// The lists to be found in a game.
    fn forms(self, game: &Game) -> &'static [Form] {
        match self {
            Self::Lead => &[Form::Lead],
            Self::Ante if game.rules().timing == Timing::BeforeDeal => &[Form::Seats],
            Self::Ante => &[Form::Cells],
            Self::DeadHand if matches!(game.rules().exchange, Exchange::DealerOrAuction { .. }) => {
                &[Form::DeadHand, Form::Bid]
            }
            Self::DeadHand => &[Form::DeadHand],
        }
    }

    const fn kind(self) -> DecisionKind {
        match self {
            Self::Lead => DecisionKind::Lead,
            Self::Ante => DecisionKind::Ante,
            Self::DeadHand => DecisionKind::DeadHand,
        }
    }

    /// The scope of the facts for which its clauses ask.
    const fn scope(self) -> Scope {
        match self {
            Self::Lead => Scope::Suit,
            Self::Ante => Scope::Cell,
            Self::DeadHand => Scope::Table,
        }
    }
}

/// What is to be found, and how it is judged.
pub struct Learn<'a> {
    /// The kind of decision.
    pub part: Part,
    /// The rules and the number of seats.
    pub game: Arc<Game>,
    /// The player that decides what the list leaves open, and everything else.
    pub base: &'a dyn Agent,
    /// The base as a strategy file names it: a name, or the content of a file.
    pub base_in_file: Value,
    /// The player in the other seats.
    pub field: &'a Player,
    /// Facts for which no clause may ask, by name.
    pub without: &'a [String],
    /// What counts as the payoff of a deal.
    pub payoff: Payoff,
    /// Deals of the last stage of a race, and deals that judge the list afterwards.
    pub deals: u64,
    /// Fixes the deals and all random numbers.
    pub seed: u64,
}

/// A list that was found.
#[derive(Clone, PartialEq, Debug)]
pub struct Learnt {
    /// What a strategy file with the list says, without `about`: for a named game in its section, otherwise for
    /// all games.
    pub file: Value,
    /// Its clauses in their order, and the chips a deal that each gains over the list without it.
    pub clauses: Vec<(String, Estimate)>,
    /// The rest of what was found: last answers, the spread, or chips by seat. Empty for leads.
    pub ends: Vec<String>,
    /// Chips a deal that the list gains over its base in the same seat.
    pub gain: Estimate,
}

impl Learn<'_> {
    /// Deals that are told of while it runs.
    pub fn work(&self) -> u64 {
        self.part.forms(&self.game).len() as u64 * self.search_work() + self.deals
    }

    fn search_work(&self) -> u64 {
        RACES * self.race_work() + MOST_CLAUSES as u64 * self.deals
    }

    fn race_work(&self) -> u64 {
        STAGES.iter().map(|&(every, _)| self.stage(every)).sum::<u64>() + self.deals
    }

    fn stage(&self, every: u64) -> u64 {
        (self.deals / every).max(LEAST_DEALS)
    }

    /// Finds a list and judges it. `done` is told of every so many deals, from any thread.
    ///
    /// # Errors
    /// If the game has no such decision, the base cannot choose among what clauses on leads leave, or there is no fact of a
    /// name that is to be left out.
    pub fn run(&self, done: &(dyn Fn(u64) + Sync)) -> Result<Learnt, NothingToStudy> {
        self.part.fits(&self.game)?;
        // Clauses on leads alone leave some choices.
        if self.part == Part::Lead && !self.base.chooses_among() {
            return Err(NothingToStudy(format!(
                "`{}` cannot choose among what clauses leave: expected a strategy, as basic, or a network without \
                 search, as net:champion",
                self.base.name()
            )));
        }
        if let Some(name) = self.without.iter().find(|name| fact(self.part.scope(), name).is_none())
        {
            let names: Vec<&str> = facts(self.part.scope()).iter().map(|fact| fact.name).collect();
            return Err(NothingToStudy(format!(
                "`{name}` is no fact of a clause on `{}`: expected one of {}",
                self.part.kind().key(),
                names.joined(", ")
            )));
        }
        let seed = Seed::new(self.seed);
        let ledger =
            Ledger::new(self.payoff, &self.game, self.field, self.deals, seed.child(LEDGER));
        let mut found = Vec::new();
        for (nth, &form) in self.part.forms(&self.game).iter().enumerate() {
            let clauses = sample::clauses(self, &ledger, form, seed.child(SAMPLE));
            let space = Space::new(form, &self.game, clauses);
            let draft = self.search(&ledger, &space, seed.child(SEARCH).child(nth as u64), done);
            found.push((space, draft));
        }
        Ok(self.judged(&ledger, &found, seed.child(FRESH), done))
    }

    /// The list of this form that was found.
    fn search(
        &self,
        ledger: &Ledger,
        space: &Space,
        seed: Seed,
        done: &(dyn Fn(u64) + Sync),
    ) -> Draft {
        let mut draft = space.first();
        let (mut races, mut in_vain) = (0, 0);
        while races < RACES && in_vain < IN_VAIN && space.asks() {
            let better = self.race(ledger, space, &draft, seed.child(races), done);
            races += 1;
            match better {
                Some(better) => (draft, in_vain) = (better, 0),
                None => in_vain += 1,
            }
        }
        let mut left_out = 0;
        while !draft.clauses.is_empty() && left_out < MOST_CLAUSES as u64 {
            let seed = seed.child(LEFT_OUT + left_out);
            left_out += 1;
            let shorter: Vec<Draft> =
                (0..draft.clauses.len()).map(|nth| draft.without(nth)).collect();
            let gains = self.gains(ledger, space, &draft, &shorter, self.deals, seed, done);
            let gains: Vec<Estimate> = gains.iter().map(Tally::mean).collect();
            // The last of equals.
            let best = (0..gains.len()).max_by(|&a, &b| gains[a].mean.total_cmp(&gains[b].mean));
            let best = best.expect("there is a clause");
            if gains[best].mean < -gains[best].ci95 {
                break;
            }
            draft = shorter[best].clone();
        }
        let told = races * self.race_work() + left_out * self.deals;
        done(self.search_work() - told);
        draft
    }

    /// The best of the lists that one change makes of a list, if it is separated above that one.
    fn race(
        &self,
        ledger: &Ledger,
        space: &Space,
        draft: &Draft,
        seed: Seed,
        done: &(dyn Fn(u64) + Sync),
    ) -> Option<Draft> {
        let mut left = space.changed(draft);
        for (stage, &(every, most)) in STAGES.iter().enumerate() {
            let deals = self.stage(every);
            let gains =
                self.gains(ledger, space, draft, &left, deals, seed.child(stage as u64), done);
            let mean = |at: usize| gains[at].mean().mean;
            let mut order: Vec<usize> = (0..left.len()).collect();
            order.sort_by(|&a, &b| mean(b).total_cmp(&mean(a)));
            order.truncate(most);
            left = order.into_iter().map(|at| left[at].clone()).collect();
        }
        let seed = seed.child(CONFIRMED);
        let gain = self.gains(ledger, space, draft, &left, self.deals, seed, done);
        let is_better = gain.first().is_some_and(|gain| gain.mean().mean > gain.mean().ci95);
        left.pop().filter(|_| is_better)
    }

    /// What each of the others gains over a list, in chips a deal.
    #[expect(clippy::too_many_arguments, reason = "two lists and the deals on which they meet")]
    fn gains(
        &self,
        ledger: &Ledger,
        space: &Space,
        draft: &Draft,
        others: &[Draft],
        deals: u64,
        seed: Seed,
        done: &(dyn Fn(u64) + Sync),
    ) -> Vec<Tally> {
        let compiled = |draft: &Draft| compiled(space.plan(draft));
        let others: Vec<Strategy> = others.iter().map(compiled).collect();
        self.gains_of(ledger, &compiled(draft), &others, deals, seed, done)
    }

    fn gains_of(
        &self,
        ledger: &Ledger,
        list: &Strategy,
        others: &[Strategy],
        deals: u64,
        seed: Seed,
        done: &(dyn Fn(u64) + Sync),
    ) -> Vec<Tally> {
        let measurement = Measurement { deals, seed, tallies: others.len(), features: 0 };
        let seats = self.game.players();
        let measured = measurement.run(
            || (Deals::new(ledger, self.part, self.base, self.field), vec![0.0; others.len()]),
            |(deals, sums), deal| {
                deals.begin(deal.number, deal.seed);
                sums.fill(0.0);
                for seat in 0..seats {
                    deals.sit(seat);
                    // A seat that is never asked gets the same by every list.
                    if deals.is_asked() {
                        let base = deals.paid(list);
                        for (sum, other) in sums.iter_mut().zip(others) {
                            *sum += deals.paid(other) - base;
                        }
                    }
                }
                for (at, sum) in sums.iter().enumerate() {
                    deal.add(at, sum / seats as f64, 0.0);
                }
            },
            done,
        );
        measured.tallies
    }

    /// What was found, judged on deals that chose nothing.
    fn judged(
        &self,
        ledger: &Ledger,
        found: &[(Space, Draft)],
        seed: Seed,
        done: &(dyn Fn(u64) + Sync),
    ) -> Learnt {
        // The lists together, one of them without a clause.
        let plan = |without: Option<(usize, usize)>| {
            let plans = found.iter().enumerate().map(|(at, (space, draft))| match without {
                Some((other, nth)) if other == at => space.plan(&draft.without(nth)),
                _ => space.plan(draft),
            });
            plans.flatten().collect::<Map<String, Value>>()
        };
        let places = found.iter().enumerate();
        let places: Vec<(usize, usize)> = places
            .flat_map(|(at, (_, draft))| (0..draft.clauses.len()).map(move |nth| (at, nth)))
            .collect();
        let nothing = compiled(Map::new());
        let others: Vec<Strategy> = std::iter::once(nothing)
            .chain(places.iter().map(|&place| compiled(plan(Some(place)))))
            .collect();
        let lost = self.gains_of(ledger, &compiled(plan(None)), &others, self.deals, seed, done);
        let gained = |tally: &Tally| {
            let lost = tally.mean();
            // Not a negative zero.
            Estimate { mean: 0.0 - lost.mean, ..lost }
        };
        let name = |&(at, nth): &(usize, usize)| {
            let (space, draft) = &found[at];
            space.clause(draft.clauses[nth]).to_owned()
        };
        let clauses = places.iter().map(name).zip(lost[1..].iter().map(gained)).collect();
        Learnt {
            file: self.file(plan(None)),
            clauses,
            ends: found.iter().flat_map(|(space, draft)| space.ends(draft)).collect(),
            gain: gained(&lost[0]),
        }
    }

    /// The strategy file with what was found.
    fn file(&self, plan: Map<String, Value>) -> Value {
        let rules = self.game.rules();
        let named = Rules::named(rules.base).is_some_and(|named| named == *rules);
        let mut file = Map::new();
        file.insert("format".into(), FORMAT.into());
        file.insert("base".into(), self.base_in_file.clone());
        if named {
            file.insert("games".into(), json!({ rules.base: plan }));
        } else {
            file.extend(plan);
        }
        Value::Object(file)
    }
}

/// The player of a plan, to be asked what it leaves open.
fn compiled(mut plan: Map<String, Value>) -> Strategy {
    plan.insert("base".into(), "first".into());
    let content = Content::from_json(&Value::Object(plan)).expect("a plan has no faults");
    let mut none = |name: &str| Err(format!("no player {name}"));
    Strategy::new("list", content.into(), &mut none).expect("a plan needs no other player")
}
