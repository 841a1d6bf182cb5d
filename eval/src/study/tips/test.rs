//! Tips put to the test: who plays with each and who without, and what one deal says of them.

use std::sync::Arc;

use newmarket_agents::Table;
use newmarket_agents::thumb::Style;
use newmarket_agents::thumb::stakes::{Ante, Cells};
use newmarket_env::rules::Timing;
use newmarket_env::{Game, Hands, MAX_CELLS, Seed, Spec};

use super::catalogue::{Change, Stakes, Tip};
use super::company::Company;
use super::lineup::{Lineup, Outcome};
use crate::study::{Deal, Measurement};

/// Deals, played beforehand, by which it is counted how often each boodle is claimed.
const COUNTED: u64 = 20_000;

/// The figures of one test: places among its tallies.
pub(super) const FIGURES: usize = 6;

/// All tests of a game.
pub(super) struct Tests {
    game: Arc<Game>,
    /// The same with antes after a look, if they are free.
    after_look: Option<Arc<Game>>,
    lineups: Vec<Lineup>,
    pub(super) tests: Vec<Test>,
}

/// One tip at one table.
pub(super) struct Test {
    pub(super) tip: Tip,
    pub(super) company: Company,
    /// Who plays with the tip and who without: places among the line-ups.
    sides: [usize; 2],
    /// How much more of the ante goes to each cell with the tip than without, where that is fixed.
    moved: [f64; MAX_CELLS],
}

/// What a worker needs.
pub(super) struct Worker {
    before: Table,
    after_look: Option<Table>,
}

impl Tests {
    /// The tests of these tips in a game.
    pub(super) fn of(game: &Arc<Game>, tips: &[Tip], seed: Seed) -> Self {
        let spec = Spec { timing: Timing::AfterLook, ..Spec::clone(game.rules()) };
        let after_look = spec.validate().ok();
        let after_look = after_look.and_then(|rules| Game::new(rules, game.players()).ok());
        let after_look = after_look.map(Arc::new);
        let mut tests =
            Self { game: game.clone(), after_look, lineups: Vec::new(), tests: Vec::new() };
        // First those who follow no tip: many tests share them.
        for company in Company::ALL {
            let plain = (company == Company::StopperTies).then(|| company.plain());
            tests.line_up(company, plain, false);
        }
        let ranks: Vec<Vec<usize>> = Company::ALL
            .into_iter()
            .map(|company| by_claims(&tests.lineups[company.index()], seed))
            .collect();
        for &tip in tips.iter().filter(|tip| tip.applies(game)) {
            for company in Company::ALL {
                tests.add(tip, company, &ranks[company.index()]);
            }
        }
        tests
    }

    fn add(&mut self, tip: Tip, company: Company, ranks: &[usize]) {
        let plain = company.plain();
        let mut moved = [0.0; MAX_CELLS];
        let sides = match tip.change {
            Change::Lead(criterion) | Change::LeadOncePurchased(criterion) => {
                [self.line_up(company, Some(company.minding(criterion)), false), company.index()]
            }
            Change::Unlead(criterion) => {
                [company.index(), self.line_up(company, Some(company.minding(criterion)), false)]
            }
            // The other changes leave the lead alone, so there is nothing to do in its ties.
            _ if company == Company::StopperTies => return,
            Change::Memory(forgetful) => {
                let whole = Company::Stopper.plain();
                let without = Style { lead: forgetful.to_vec(), ..whole.clone() };
                [whole, without].map(|style| self.line_up(company, Some(style), false))
            }
            Change::Ante(stakes) => {
                let [with, without] = stakes.map(|stakes| stakes.shares(ranks));
                moved = std::array::from_fn(|cell| with[cell] - without[cell]);
                let antes = stakes.map(|stakes| stakes.ante(ranks));
                self.antes(company, antes, false)
            }
            Change::AnteAfterLook(stakes) => {
                self.antes(company, stakes.map(|stakes| stakes.ante(ranks)), true)
            }
            Change::DeadHand(choices) => choices.map(|dead_hand| {
                let style = Style { dead_hand, ..plain.clone() };
                self.line_up(company, Some(style), false)
            }),
        };
        self.tests.push(Test { tip, company, sides, moved });
    }

    fn antes(&mut self, company: Company, antes: [Ante; 2], after_look: bool) -> [usize; 2] {
        antes.map(|ante| {
            let style = Style { ante, ..company.plain() };
            self.line_up(company, Some(style), after_look)
        })
    }

    fn line_up(&mut self, company: Company, player: Option<Style>, after_look: bool) -> usize {
        let game = if after_look { self.after_look.as_ref() } else { None };
        let game = game.unwrap_or(&self.game).clone();
        self.lineups.push(Lineup { game, others: company.others(), player });
        self.lineups.len() - 1
    }

    /// What one worker needs.
    pub(super) fn worker(&self) -> Worker {
        let table = |game: &Arc<Game>| Table::new(game.clone()).show_forced();
        Worker { before: table(&self.game), after_look: self.after_look.as_ref().map(table) }
    }

    /// Plays a deal in all line-ups and adds up what each test says of it.
    pub(super) fn play(&self, worker: &mut Worker, deal: &mut Deal) {
        let outcomes: Vec<_> = self
            .lineups
            .iter()
            .map(|lineup| {
                let own = Arc::ptr_eq(&lineup.game, &self.game);
                let other = worker.after_look.as_mut().filter(|_| !own);
                lineup.play(other.unwrap_or(&mut worker.before), deal.seed)
            })
            .collect();
        let players = self.game.players();
        let hands = worker.before.dealt();
        for (nth, test) in self.tests.iter().enumerate() {
            let [with, without] = test.sides.map(|side| &outcomes[side][..players]);
            let gain = |figure: fn(&Outcome) -> f64| {
                let pairs = with.iter().zip(without);
                pairs.map(|(with, without)| figure(with) - figure(without)).sum::<f64>()
                    / players as f64
            };
            let luck = self.luck(test, &hands);
            let figures: [f64; FIGURES] = [
                gain(|outcome| outcome.chips),
                gain(|outcome| outcome.with_share),
                gain(|outcome| outcome.own),
                gain(|outcome| outcome.others),
                gain(|outcome| outcome.leads),
                gain(|outcome| outcome.out),
            ];
            for (at, figure) in figures.into_iter().enumerate() {
                deal.add(nth * FIGURES + at, figure, luck);
            }
        }
    }

    /// A control variate: on how many of the cells that the tip stakes more on a card of the dealt
    /// hands claims, each cell weighted by how much more, less what is to be expected. Its mean
    /// is 0.
    fn luck(&self, test: &Test, hands: &Hands) -> f64 {
        let pack = self.game.pack().len() as f64;
        let live = 1.0 - hands.dead.len() as f64 / pack;
        let cells = self.game.rules().cells.iter().zip(test.moved);
        cells
            .filter_map(|(cell, moved)| Some((cell.claiming_card()?, moved)))
            .map(|(card, moved)| moved * (f64::from(u8::from(!hands.dead.contains(card))) - live))
            .sum()
    }
}

impl Stakes {
    /// Where it goes, given the cells from the least to the most often claimed.
    fn ante(self, ranks: &[usize]) -> Ante {
        match self {
            Self::Picked(pick) => Ante::Picked(pick),
            _ => Ante::Over(self.cells(ranks)),
        }
    }

    fn cells(self, ranks: &[usize]) -> Cells {
        let only = |cell: Option<&usize>| cell.map_or(Cells::MAX, |&cell| 1 << cell);
        match self {
            Self::Most => only(ranks.last()),
            Self::Least => only(ranks.first()),
            Self::AllButLeast => Cells::MAX & !only(ranks.first()),
            Self::Even | Self::Picked(_) => Cells::MAX,
        }
    }

    /// The share of the ante that each cell gets.
    fn shares(self, ranks: &[usize]) -> [f64; MAX_CELLS] {
        let cells = self.cells(ranks);
        let chosen = |cell: &usize| cells >> cell & 1 == 1;
        let count = ranks.iter().filter(|cell| chosen(cell)).count() as f64;
        std::array::from_fn(
            |cell| {
                if ranks.contains(&cell) && chosen(&cell) { 1.0 / count } else { 0.0 }
            },
        )
    }
}

/// The cells from the one that is claimed least often to the one claimed most often.
fn by_claims(lineup: &Lineup, seed: Seed) -> Vec<usize> {
    let cells = lineup.game.cells();
    let everybody = Lineup { player: None, ..lineup.clone() };
    let counting = Measurement { deals: COUNTED, seed, tallies: cells, features: 0 };
    let measured = counting.run(
        || everybody.table(),
        |table, deal| {
            everybody.play(table, deal.seed);
            let left: Vec<i32> = table.view().layout().to_vec();
            for (cell, chips) in left.into_iter().enumerate() {
                deal.add(cell, f64::from(u8::from(chips == 0)), 0.0);
            }
        },
        &|_| (),
    );
    let claimed: Vec<f64> = measured.tallies.iter().map(|tally| tally.mean().mean).collect();
    let mut ranks: Vec<usize> = (0..cells).collect();
    ranks.sort_by(|&a, &b| claimed[a].total_cmp(&claimed[b]));
    ranks
}
