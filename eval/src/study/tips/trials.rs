//! Tips put to the test: who plays with each and who without, and what one deal says of them.

use std::sync::Arc;

use newmarket_agents::Table;
use newmarket_agents::heuristic::Style;
use newmarket_agents::heuristic::stakes::{Ante, Cells};
use newmarket_env::rules::Timing;
use newmarket_env::{Game, Hands, MAX_CELLS, Seed, Spec};

use super::catalogue::{Change, Stakes, Tip};
use super::company::Company;
use super::lineup::{Lineup, Outcome};
use crate::study::measure::{Deal, Measurement};
use crate::study::payoff::{Ledger, Payoff};

/// Deals, played beforehand, by which it is counted how often each boodle is claimed.
const COUNTED: u64 = 20_000;

/// The child of the seed for what chips that stay are worth; the others are those of deals.
const LEDGER: u64 = u64::MAX;

/// The figures of one trial: places among its tallies.
pub(super) const FIGURES: usize = 7;

/// All trials of a game.
pub(super) struct Trials {
    game: Arc<Game>,
    /// The same with antes after a look, if they are free.
    after_look: Option<Arc<Game>>,
    /// What deals pay, by company.
    ledgers: Vec<Arc<Ledger>>,
    lineups: Vec<Lineup>,
    pub(super) all: Vec<Trial>,
}

/// One tip at one table.
pub(super) struct Trial {
    pub(super) tip: Tip,
    pub(super) company: Company,
    /// Who plays with the tip and who without: places among the line-ups.
    sides: [usize; 2],
    /// How much more of the ante goes to each cell with the tip than without, where that is fixed.
    moved: [f64; MAX_CELLS],
}

/// The tables of one worker: of each line-up.
pub(super) struct Worker(Vec<Vec<Table>>);

impl Trials {
    /// The trials of these tips in a game.
    pub(super) fn of(
        game: &Arc<Game>,
        tips: &[Tip],
        payoff: Payoff,
        deals: u64,
        seed: Seed,
    ) -> Self {
        let spec = Spec { timing: Timing::AfterLook, ..Spec::clone(game.rules()) };
        let after_look = spec.validate().ok();
        let after_look = after_look.and_then(|rules| Game::new(rules, game.players()).ok());
        let after_look = after_look.map(Arc::new);
        let ledger = |company: Company| {
            let others = company.others().into();
            Arc::new(Ledger::new(payoff, game, &others, deals, seed.child(LEDGER)))
        };
        let ledgers = Company::ALL.map(ledger).to_vec();
        let (own, lineups, all) = (game.clone(), Vec::new(), Vec::new());
        let mut trials = Self { game: own, after_look, ledgers, lineups, all };
        // First those who follow no tip: many trials share them.
        for company in Company::ALL {
            let plain = (company == Company::StopperTies).then(|| company.plain());
            trials.line_up(trials.game.clone(), company, plain);
        }
        let ranks: Vec<Vec<usize>> = Company::ALL
            .into_iter()
            .map(|company| by_claims(&trials.lineups[company.index()], seed))
            .collect();
        for &tip in tips.iter().filter(|tip| tip.applies(game)) {
            for company in Company::ALL {
                trials.add(tip, company, &ranks[company.index()]);
            }
        }
        trials
    }

    fn add(&mut self, tip: Tip, company: Company, ranks: &[usize]) {
        let Some([with, without]) = tip.change.styles(company, ranks) else { return };
        let game = match (&tip.change, &self.after_look) {
            (Change::AnteAfterLook(_), None) => return,
            (Change::AnteAfterLook(_), Some(game)) => game.clone(),
            _ => self.game.clone(),
        };
        let mut moved = [0.0; MAX_CELLS];
        if let Change::Ante(stakes) = tip.change {
            let [with, without] = stakes.map(|stakes| stakes.shares(ranks));
            moved = std::array::from_fn(|cell| with[cell] - without[cell]);
        }
        let mut seat = |style| self.line_up(game.clone(), company, Some(style));
        let sides = match tip.change {
            // Who does without the tip, or with it, has been lined up.
            Change::Lead(_) | Change::LeadWhereBought(_) => [seat(with), company.index()],
            Change::Unlead(_) => [company.index(), seat(without)],
            _ => [with, without].map(seat),
        };
        self.all.push(Trial { tip, company, sides, moved });
    }

    fn line_up(&mut self, game: Arc<Game>, company: Company, player: Option<Style>) -> usize {
        let (ledger, others) = (self.ledgers[company.index()].clone(), company.others());
        self.lineups.push(Lineup { game, ledger, others, player });
        self.lineups.len() - 1
    }

    /// The rules and the number of seats.
    pub(super) fn game(&self) -> &Arc<Game> {
        &self.game
    }

    /// Who follows a tip that is tried in this company.
    ///
    /// # Panics
    /// If it is not.
    pub(super) fn who_follows(&self, tip: &str, company: Company) -> Style {
        let is = |it: &&Trial| it.tip.name == tip && it.company == company;
        let trial = self.all.iter().find(is).expect("it is tried");
        self.lineups[trial.sides[0]].player.clone().expect("a player among others")
    }

    /// The tables of one worker.
    pub(super) fn worker(&self) -> Worker {
        Worker(self.lineups.iter().map(Lineup::tables).collect())
    }

    /// Plays a deal in all line-ups and adds up what each trial says of it.
    pub(super) fn play(&self, worker: &mut Worker, deal: &mut Deal) {
        let outcomes: Vec<_> = self
            .lineups
            .iter()
            .zip(&mut worker.0)
            .map(|(lineup, tables)| lineup.play(tables, deal.number, deal.seed))
            .collect();
        let players = self.game.players();
        for (nth, trial) in self.all.iter().enumerate() {
            let [with, without] = trial.sides.map(|side| &outcomes[side][..players]);
            let gain = |figure: fn(&Outcome) -> f64| {
                let pairs = with.iter().zip(without);
                pairs.map(|(with, without)| figure(with) - figure(without)).sum::<f64>()
                    / players as f64
            };
            let table = &worker.0[trial.sides[0]][self.ledgers[0].left(deal.number)];
            let luck = self.luck(trial, &table.dealt());
            let figures: [f64; FIGURES] = [
                gain(|outcome| outcome.paid),
                gain(|outcome| outcome.chips),
                gain(|outcome| outcome.own),
                gain(|outcome| outcome.others),
                gain(|outcome| outcome.leads),
                gain(|outcome| outcome.out),
                gain(|outcome| outcome.sequences),
            ];
            for (at, figure) in figures.into_iter().enumerate() {
                deal.add(nth * FIGURES + at, figure, luck);
            }
        }
    }

    /// A control variate: whether the cards that claim the cells on which the tip stakes more were
    /// dealt to a player, each counted by how much more. As every card is as likely dead as the
    /// others, and what is staked more on one cell is staked less on another, its mean is 0.
    pub(super) fn luck(&self, trial: &Trial, hands: &Hands) -> f64 {
        let cells = self.game.rules().cells.iter().zip(trial.moved);
        cells
            .filter(|(cell, _)| cell.claiming_card().is_some_and(|it| !hands.dead.contains(it)))
            .map(|(_, moved)| moved)
            .sum()
    }
}

impl Change {
    /// Who plays with it and who without; `None` if it says nothing in this company. The cells
    /// are given from the least to the most often claimed.
    pub(super) fn styles(self, company: Company, ranks: &[usize]) -> Option<[Style; 2]> {
        let plain = company.plain();
        let antes = |stakes: [Stakes; 2]| {
            stakes.map(|stakes| Style { ante: stakes.ante(ranks), ..plain.clone() })
        };
        Some(match self {
            Self::Lead(criterion) | Self::LeadWhereBought(criterion) => {
                [company.minding(criterion), plain]
            }
            Self::Unlead(criterion) => [plain, company.minding(criterion)],
            // The other changes leave the lead alone, so there is nothing to do in its ties.
            _ if company == Company::StopperTies => return None,
            Self::Memory(forgetful) => {
                let whole = Company::Stopper.plain();
                [whole.clone(), Style { lead: forgetful.to_vec(), ..whole }]
            }
            Self::Ante(stakes) | Self::AnteAfterLook(stakes) => antes(stakes),
            Self::DeadHand(choices) => {
                choices.map(|dead_hand| Style { dead_hand, ..plain.clone() })
            }
        })
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
    // On an empty layout a cell without chips has been claimed.
    let alone =
        Ledger::new(Payoff::Deal, &lineup.game, &lineup.others.clone().into(), COUNTED, seed);
    let everybody = Lineup { player: None, ledger: Arc::new(alone), ..lineup.clone() };
    let counting = Measurement { deals: COUNTED, seed, tallies: cells, features: 0 };
    let measured = counting.run(
        || everybody.tables(),
        |tables, deal| {
            everybody.play(tables, deal.number, deal.seed);
            let left: Vec<i32> = tables[0].view().layout().to_vec();
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
