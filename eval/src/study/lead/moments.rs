//! What one lead is worth at the moment at which it is made.

use newmarket_agents::paired::Estimate;
use newmarket_agents::strategy::{Fact, Memory, Notes, Scope, fact};
use newmarket_agents::{Player, Table};
use newmarket_env::{Action, Phase, Seed, Suit};

use crate::study::least_squares::Fit;
use crate::study::measure::{Deal, Measurement};
use crate::study::payoff::Ledger;
use crate::study::report::{ReportCell, ReportTable};
use crate::study::setting::Setting;

/// A kind of lead: the values of a fact of its suit, from the least to the greatest.
struct Kind {
    name: &'static str,
    fact: &'static str,
    values: (f64, f64),
    /// Only after the play has stopped.
    after_a_stop: bool,
}

const fn kind(name: &'static str, fact: &'static str, least: f64, most: f64) -> Kind {
    Kind { name, fact, values: (least, most), after_a_stop: false }
}

const ANY: f64 = f64::INFINITY;

const KINDS: [Kind; 19] = [
    kind("keeps the lead for certain", "run stops", 1.0, 1.0),
    kind("suit of an own boodle", "boodle chips", 1.0, ANY),
    kind("out of reach", "nobody below", 1.0, 1.0),
    Kind { after_a_stop: true, ..kind("suit not yet opened", "unopened", 1.0, 1.0) },
    kind("1 card of the suit", "cards", 1.0, 1.0),
    kind("2 cards", "cards", 2.0, 2.0),
    kind("3 cards", "cards", 3.0, 3.0),
    kind("4 cards", "cards", 4.0, 4.0),
    kind("5 cards or more", "cards", 5.0, ANY),
    kind("a run of 1 from the lowest", "run", 1.0, 1.0),
    kind("a run of 2", "run", 2.0, 2.0),
    kind("a run of 3 or more", "run", 3.0, ANY),
    kind("lowest card: ranks 1–2", "card", 1.0, 2.0),
    kind("ranks 3–4", "card", 3.0, 4.0),
    kind("ranks 5–6", "card", 5.0, 6.0),
    kind("ranks 7–8", "card", 7.0, 8.0),
    kind("ranks 9–10", "card", 9.0, 10.0),
    kind("ranks 11–12", "card", 11.0, 12.0),
    kind("rank 13", "card", 13.0, 13.0),
];

impl Kind {
    fn holds(&self, notes: &Notes, suit: Suit) -> bool {
        let (least, most) = self.values;
        let stopped = || named(Scope::Table, "after a stop").of_table(notes) > 0.0;
        let value = named(Scope::Suit, self.fact).of_suit(notes, suit);
        (least..=most).contains(&value) && (!self.after_a_stop || stopped())
    }
}

/// A property of a lead for the regression and its unit, and the fact that it is.
const PROPERTIES: [(&str, &str); 6] = [
    ("keeps the lead for certain", "run stops"),
    ("a chip on an own boodle", "boodle chips"),
    ("out of reach", "nobody below"),
    ("a card more of the suit", "cards"),
    ("a card more in the run", "run"),
    ("a rank higher", "card"),
];

fn named(scope: Scope, name: &str) -> &'static Fact {
    fact(scope, name).expect("the vocabulary has it")
}

/// Tallies of a kind, in this order from `FIGURES * kind` on: its worth; how often a random lead is one.
const FIGURES: usize = 2;

/// The estimates of this part of the study.
pub(super) struct Moments {
    /// For each kind: its worth, moments a deal, the share of random leads.
    kinds: Vec<[Estimate; 3]>,
    /// What each property is worth, all else equal.
    fit: Option<Fit>,
}

impl Moments {
    pub(super) fn measure(setting: &Setting, ledger: &Ledger, done: &(dyn Fn(u64) + Sync)) -> Self {
        let measurement = Measurement {
            deals: setting.deals,
            seed: Seed::new(setting.seed),
            tallies: KINDS.len() * FIGURES,
            features: PROPERTIES.len(),
        };
        let worker = || Worker {
            ledger,
            tables: ledger.tables(),
            field: setting.field.another(),
            player: setting.player.another(),
            sums: Sums::default(),
        };
        let measured = measurement.run(worker, Worker::play, done);
        let tallies = &measured.tallies;
        let kind = |kind: usize| {
            let [worth, any] = std::array::from_fn(|it| &tallies[kind * FIGURES + it]);
            [worth.ratio(), worth.second(), any.ratio()]
        };
        Self { kinds: (0..KINDS.len()).map(kind).collect(), fit: Fit::of(&measured.normals) }
    }

    pub(super) fn tables(&self, setting: &Setting) -> Vec<ReportTable> {
        let mut kinds = ReportTable::new(
            "Chips that one lead of a kind is worth over a random lead at the same moment",
            &["lead", "worth", "moments a deal", "a random lead is one"],
        )
        .drawn(1);
        for (kind, [worth, often, any]) in KINDS.iter().zip(&self.kinds) {
            // In some games some kinds do not occur.
            if often.mean > 0.0 {
                kinds.push(vec![
                    kind.name.into(),
                    (*worth).into(),
                    ReportCell::rate(*often),
                    ReportCell::share(*any),
                ]);
            }
        }
        let mut equal = ReportTable::new(
            format!(
                "Chips that a property of a lead is worth when its other properties are equal (the \
                 leader plays on as {})",
                setting.player.name()
            ),
            &["property", "worth"],
        )
        .drawn(1);
        if let Some(fit) = &self.fit {
            for ((name, _), worth) in PROPERTIES.iter().zip(&fit.coefficients) {
                equal.push(vec![(*name).into(), (*worth).into()]);
            }
        }
        if equal.rows.is_empty() { vec![kinds] } else { vec![kinds, equal] }
    }

    /// What was found, for who plays.
    pub(super) fn finding(&self, setting: &Setting) -> String {
        let (field, player) = (setting.field.name(), setting.player.name());
        format!(
            "At a table of {field}, for who plays on as {player}, one lead that keeps the lead for certain \
             is worth {} chips over a random lead at the same moment, the suit of an own boodle {}, a card \
             that nobody can lead up to {}.",
            self.kinds[0][0], self.kinds[1][0], self.kinds[2][0]
        )
    }
}

struct Worker<'a> {
    ledger: &'a Ledger,
    tables: Vec<Table>,
    field: Player,
    player: Player,
    sums: Sums,
}

/// Sums over the moments of one deal: of a figure, and how often it was seen.
struct Sums([[f64; 2]; KINDS.len() * FIGURES]);

impl Default for Sums {
    fn default() -> Self {
        Self([[0.0; 2]; KINDS.len() * FIGURES])
    }
}

impl Sums {
    fn add(&mut self, at: usize, figure: f64) {
        self.0[at][0] += figure;
        self.0[at][1] += 1.0;
    }
}

impl Worker<'_> {
    fn play(&mut self, deal: &mut Deal) {
        self.sums = Sums::default();
        let left = self.ledger.left(deal.number);
        self.tables[left].begin(deal.seed);
        while !self.tables[left].is_over() {
            if self.tables[left].view().phase() == Phase::Lead {
                self.moment(left, deal);
            }
            let field = &mut self.field;
            self.tables[left].decide(|table, rng| field.act(table, rng));
        }
        for (at, sum) in self.sums.0.iter().enumerate() {
            deal.add(at, sum[0], sum[1]);
        }
    }

    /// Tries every legal lead and plays the deal on after each.
    fn moment(&mut self, left: usize, deal: &mut Deal) {
        let Self { ledger, tables, field, player, sums } = self;
        let table = &tables[left];
        let (view, leader) = (table.view(), table.seat());
        let leads: Vec<Suit> = view.legal().iter().filter_map(Action::suit).collect();
        let count = leads.len() as f64;
        let gains: Vec<f64> = (leads.iter())
            .map(|&suit| {
                let mut table = table.clone();
                table.take(Action::lead(suit));
                table.play_on(|table, rng| {
                    if table.seat() == leader { &mut *player } else { &mut *field }.act(table, rng)
                });
                ledger.paid(left, &table, leader)
            })
            .collect();
        let mean = gains.iter().sum::<f64>() / count;
        let notes = Notes::new(&view, Memory::ALL);
        for (at, kind) in KINDS.iter().enumerate() {
            let such: Vec<usize> =
                (0..leads.len()).filter(|&at| kind.holds(&notes, leads[at])).collect();
            if such.is_empty() || such.len() == leads.len() {
                continue;
            }
            let worth = such.iter().map(|&at| gains[at]).sum::<f64>() / such.len() as f64 - mean;
            sums.add(at * FIGURES, worth);
            sums.add(at * FIGURES + 1, such.len() as f64 / count);
        }
        let properties =
            |suit: Suit| PROPERTIES.map(|(_, fact)| named(Scope::Suit, fact).of_suit(&notes, suit));
        let rows: Vec<[f64; PROPERTIES.len()]> =
            leads.iter().map(|&suit| properties(suit)).collect();
        for (row, gain) in rows.iter().zip(&gains) {
            let centred: [f64; PROPERTIES.len()] = std::array::from_fn(|at| {
                row[at] - rows.iter().map(|row| row[at]).sum::<f64>() / count
            });
            deal.observe(&centred, gain - mean);
        }
    }
}
