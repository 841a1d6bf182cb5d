//! The tests that clauses are made of: facts, compared with numbers that were seen at the table.

use newmarket_agents::strategy::{Fact, Memory, Notes, Unit, facts};
use newmarket_env::{Action, Phase, Seed, View};

use super::space::Form;
use super::{Learn, Scope};
use crate::study::payoff::Ledger;

/// Deals from which numbers are taken.
const DEALS: u64 = 256;
/// Numbers that a fact is compared with at most.
const CONSTANTS: usize = 10;
/// A sum of facts of the table that is compared with numbers, too.
const SUM: [&str; 2] = ["boodles", "stops"];

/// What is compared: a fact, or a sum of several.
struct Counted {
    text: String,
    facts: Vec<&'static Fact>,
    /// Values that were seen.
    seen: Vec<f64>,
}

/// All tests of a form that divide what the field has to choose from.
pub(super) fn clauses(learn: &Learn, ledger: &Ledger, form: Form, seed: Seed) -> Vec<String> {
    let scope = match form {
        Form::Lead => Scope::Suit,
        Form::Cells => Scope::Cell,
        Form::DeadHand | Form::Bid => Scope::Table,
        // Chips by seat ask for nothing.
        Form::Seats => return Vec::new(),
    };
    let known = |fact: &&Fact| !learn.without.iter().any(|name| name == fact.name);
    let facts: Vec<&'static Fact> = facts(scope).iter().filter(known).collect();
    let single = facts.iter().map(|&fact| Counted::new(vec![fact]));
    let mut counted: Vec<Counted> = single.collect();
    let sum: Vec<&'static Fact> =
        facts.iter().copied().filter(|fact| SUM.contains(&fact.name)).collect();
    if scope == Scope::Table && sum.len() == SUM.len() {
        counted.push(Counted::new(sum));
    }
    let (mut tables, mut field) = (ledger.tables(), learn.field.another());
    for deal in 0..DEALS {
        let table = &mut tables[ledger.left(deal)];
        table.begin(seed.child(deal));
        table.play_on(|open, rng| {
            note(&mut counted, form, &open.view());
            field.act(open, rng)
        });
    }
    counted.iter_mut().flat_map(Counted::tests).collect()
}

/// Takes in a decision of the form.
fn note(counted: &mut [Counted], form: Form, view: &View) {
    let notes = Notes::new(view, Memory::ALL);
    let mut see = |value: &dyn Fn(&Fact) -> f64| {
        for counted in &mut *counted {
            counted.seen.push(counted.facts.iter().map(|fact| value(fact)).sum());
        }
    };
    match (form, view.phase()) {
        (Form::Lead, Phase::Lead) => {
            for suit in view.legal().iter().filter_map(Action::suit) {
                see(&|fact| fact.of_suit(&notes, suit));
            }
        }
        (Form::Cells, Phase::Ante) => {
            for cell in 0..view.game().cells() {
                see(&|fact| fact.of_cell(&notes, cell, &[]));
            }
        }
        (Form::DeadHand, Phase::DeadHand) | (Form::Bid, Phase::Auction) => {
            see(&|fact| fact.of_table(&notes));
        }
        _ => {}
    }
}

impl Counted {
    fn new(facts: Vec<&'static Fact>) -> Self {
        let names: Vec<&str> = facts.iter().map(|fact| fact.name).collect();
        Self { text: names.join(" + "), facts, seen: Vec::new() }
    }

    /// Tests that divide the values that were seen.
    fn tests(&mut self) -> Vec<String> {
        let text = &self.text;
        self.seen.sort_by(f64::total_cmp);
        let mut all = self.seen.clone();
        all.dedup();
        let is_whole = all.iter().all(|value| value.fract() == 0.0);
        if self.facts.iter().all(|fact| fact.unit == Unit::YesNo) {
            let yes_no = [text.clone(), format!("not {text}")];
            return yes_no.into_iter().filter(|_| all.len() > 1).collect();
        }
        let both = |least: f64| {
            if is_whole {
                let below = all[all.partition_point(|&value| value < least) - 1];
                [format!("{text} >= {least}"), format!("{text} <= {below}")]
            } else {
                [format!("{text} >= {least}"), format!("{text} < {least}")]
            }
        };
        constants(&self.seen, &all, is_whole).into_iter().flat_map(both).collect()
    }
}

/// Where values are to be cut in two, each time between two that were seen; of many such places those that leave as
/// many values between them. Numbers that are not whole are cut at tenths.
fn constants(seen: &[f64], all: &[f64], is_whole: bool) -> Vec<f64> {
    if is_whole && all.len() <= CONSTANTS + 1 {
        return all.iter().skip(1).copied().collect();
    }
    let (Some(&first), Some(&last)) = (all.first(), all.last()) else { return Vec::new() };
    let part = |nth: usize| seen[nth * seen.len() / (CONSTANTS + 1)];
    let rounded = |value: f64| if is_whole { value } else { (10.0 * value).round() / 10.0 };
    let mut cuts: Vec<f64> = (1..=CONSTANTS).map(part).map(rounded).collect();
    cuts.retain(|&cut| first < cut && cut <= last);
    cuts.dedup();
    cuts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_divide_what_was_seen() {
        let fact =
            |name: &str| newmarket_agents::strategy::fact(Scope::Table, name).expect("a fact");
        let tests = |names: &[&str], seen: &[f64]| {
            let mut counted = Counted::new(names.iter().map(|name| fact(name)).collect());
            counted.seen = seen.to_vec();
            counted.tests()
        };
        assert_eq!(
            tests(&["boodles", "stops"], &[2.0, 0.0, 5.0, 2.0]),
            [
                "boodles + stops >= 2",
                "boodles + stops <= 0",
                "boodles + stops >= 5",
                "boodles + stops <= 2"
            ]
        );
        assert_eq!(tests(&["eldest"], &[1.0, 0.0]), ["eldest", "not eldest"]);
        assert_eq!(tests(&["mean rank"], &[6.04, 7.54]), ["mean rank >= 7.5", "mean rank < 7.5"]);
        for constant in [("eldest", 1.0), ("boodles", 2.0), ("mean rank", 6.5)] {
            assert_eq!(tests(&[constant.0], &[constant.1; 3]), Vec::<String>::new());
        }
        assert_eq!(tests(&["kitty"], &[]), Vec::<String>::new());
        // Of many values as many lie between two cuts.
        let many: Vec<f64> = (0..1100).map(f64::from).collect();
        let tests = tests(&["my chips"], &many);
        assert_eq!(tests.len(), 2 * CONSTANTS);
        assert_eq!((&*tests[0], &*tests[19]), ("my chips >= 100", "my chips <= 999"));
    }
}
