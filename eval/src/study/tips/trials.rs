//! Tips put to the test: who plays with each and who without, and what one deal says of them.

use std::sync::Arc;

use newmarket_agents::heuristic::Style;
use newmarket_agents::heuristic::stakes::{Ante, Cells};
use newmarket_agents::{Agent, Player};
use newmarket_env::rules::Timing;
use newmarket_env::{Game, Hands, MAX_CELLS, Seed, Spec};

use super::catalogue::{Change, Stakes, Tip};
use super::company::Company;
use super::lineup::{Lineup, Outcome, Seated};
use crate::study::measure::{Deal, Measurement};
use crate::study::minding::{Minding, Minds};
use crate::study::payoff::{LEFT_GROUPS, Ledger, Payoff, left_group};
use crate::study::setting::{NothingToStudy, Setting};

/// Deals, played beforehand, by which it is counted how often each boodle is claimed.
const COUNTED: u64 = 20_000;

/// The child of the seed for what chips that stay are worth; the others are those of deals.
const LEDGER: u64 = u64::MAX;

/// The figures of one trial that are means over all seats and deals: places among its tallies. Its gain by
/// role, eldest first, and by [`LEFT_GROUPS`] follows.
pub(super) const FIGURES: usize = 7;

/// All trials of a game.
pub(super) struct Trials {
    game: Arc<Game>,
    /// The same with antes after a look, if they are free.
    after_look: Option<Arc<Game>>,
    /// The companies, what deals pay there, and the place of the line-up that follows no tip.
    companies: Vec<(Company, Arc<Ledger>, usize)>,
    lineups: Vec<Lineup>,
    field: Player,
    /// Who plays on, in the company of the field.
    player: Box<dyn Agent>,
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

impl Trials {
    /// The trials of these tips.
    ///
    /// # Errors
    /// If the study's player sees more than its view.
    pub(super) fn of(setting: &Setting, tips: &[Tip], seed: Seed) -> Result<Self, NothingToStudy> {
        let Setting { game, field, player, payoff, deals, .. } = setting;
        let player = player.another().fair().ok_or_else(|| {
            let name = player.name();
            NothingToStudy(format!(
                "nothing to study: {name} sees all cards: expected one that sees its own"
            ))
        })?;
        let spec = Spec { timing: Timing::AfterLook, ..Spec::clone(game.rules()) };
        let after_look = spec.validate().ok();
        let after_look = after_look.and_then(|rules| Game::new(rules, game.players()).ok());
        let after_look = after_look.map(Arc::new);
        let mut trials = Self {
            game: game.clone(),
            after_look,
            companies: Vec::new(),
            lineups: Vec::new(),
            field: field.another(),
            player,
            all: Vec::new(),
        };
        // First those who follow no tip: many trials share them.
        for &company in Company::of(field) {
            let others = company.others(field);
            let ledger = Ledger::new(*payoff, game, &others, *deals, seed.child(LEDGER));
            trials.companies.push((company, Arc::new(ledger), trials.lineups.len()));
            let plain = trials.plain(company);
            trials.line_up(trials.game.clone(), company, plain);
        }
        let ranks: Vec<Vec<usize>> =
            trials.companies.iter().map(|at| by_claims(&trials.lineups[at.2], seed)).collect();
        for &tip in tips.iter().filter(|tip| tip.applies(game)) {
            for (at, &company) in Company::of(field).iter().enumerate() {
                trials.add(tip, company, &ranks[at]);
            }
        }
        Ok(trials)
    }

    /// Who follows no tip, if that is not one of the others.
    fn plain(&self, company: Company) -> Option<Player> {
        match company {
            Company::Random | Company::Stopper => None,
            Company::StopperTies => Some(company.plain().into()),
            Company::Field if self.player.name() == self.field.name() => None,
            Company::Field => Some(self.player.another().into()),
        }
    }

    /// The ledger of a company, and the line-up that follows no tip.
    fn at(&self, company: Company) -> (&Arc<Ledger>, usize) {
        let here = self.companies.iter().find(|it| it.0 == company);
        let (_, ledger, plain) = here.expect("it is tried");
        (ledger, *plain)
    }

    fn add(&mut self, tip: Tip, company: Company, ranks: &[usize]) {
        let players = match company {
            Company::Field => tip.change.minded(&*self.player, ranks),
            _ => tip.change.styles(company, ranks).map(|styles| styles.map(Player::from)),
        };
        let Some([with, without]) = players else { return };
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
        let (_, plain) = self.at(company);
        let mut seat = |player| self.line_up(game.clone(), company, Some(player));
        let sides = match tip.change {
            // Who does without the tip, or with it, has been lined up.
            Change::Lead(_) | Change::LeadWhereBought(_) => [seat(with), plain],
            Change::Unlead(_) => [plain, seat(without)],
            _ => [with, without].map(seat),
        };
        self.all.push(Trial { tip, company, sides, moved });
    }

    fn line_up(&mut self, game: Arc<Game>, company: Company, player: Option<Player>) -> usize {
        let (ledger, others) = (self.at(company).0.clone(), company.others(&self.field));
        self.lineups.push(Lineup { game, ledger, others, player });
        self.lineups.len() - 1
    }

    /// The rules and the number of seats.
    pub(super) fn game(&self) -> &Arc<Game> {
        &self.game
    }

    /// Who follows a tip that is tried in this company, and the others.
    ///
    /// # Panics
    /// If it is not.
    pub(super) fn who_follows(&self, tip: &str, company: Company) -> [&Player; 2] {
        let is = |it: &&Trial| it.tip.name == tip && it.company == company;
        let trial = self.all.iter().find(is).expect("it is tried");
        let lineup = &self.lineups[trial.sides[0]];
        [lineup.player.as_ref().expect("a player among others"), &lineup.others]
    }

    /// Whether whoever does without a tip plays as all others do.
    pub(super) fn others_do_without(&self, tip: &str, company: Company) -> bool {
        let is = |it: &&Trial| it.tip.name == tip && it.company == company;
        let without = self.all.iter().find(is).map(|trial| trial.sides[1]);
        // The heuristics stake evenly, as whoever does without a tip on antes.
        company != Company::Field
            || without.is_some_and(|without| self.lineups[without].player.is_none())
    }

    /// The line-ups of one worker.
    pub(super) fn worker(&self) -> Vec<Seated<'_>> {
        self.lineups.iter().map(Lineup::seated).collect()
    }

    /// Figures of a trial.
    pub(super) fn figures(&self) -> usize {
        FIGURES + self.game.players() + LEFT_GROUPS.len()
    }

    /// Plays a deal in all line-ups and adds up what each trial says of it.
    pub(super) fn play(&self, worker: &mut [Seated], deal: &mut Deal) {
        let outcomes: Vec<_> =
            worker.iter_mut().map(|seated| seated.play(deal.number, deal.seed)).collect();
        let (players, all) = (self.game.players(), self.figures());
        for (nth, trial) in self.all.iter().enumerate() {
            let [with, without] = trial.sides.map(|side| &outcomes[side][..players]);
            let gain = |figure: fn(&Outcome) -> f64| {
                let pairs = with.iter().zip(without);
                pairs.map(|(with, without)| figure(with) - figure(without)).sum::<f64>()
                    / players as f64
            };
            let table = worker[trial.sides[0]].table(deal.number);
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
                deal.add(nth * all + at, figure, luck);
            }
            for role in 0..players {
                let seat = (table.dealer() + 1 + role) % players;
                let gain = with[seat].paid - without[seat].paid;
                deal.add(nth * all + FIGURES + role, gain, luck);
            }
            let group = left_group(self.at(trial.company).0.left(deal.number));
            deal.add(nth * all + FIGURES + players + group, figures[0], luck);
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

    /// The same of a player that plays on as this one; `None` if it says nothing to it.
    fn minded(self, player: &dyn Agent, ranks: &[usize]) -> Option<[Player; 2]> {
        let plain = || Player::from(player.another());
        let minding = |minds| Player::from(Minding::new(minds, player.another()));
        Some(match self {
            Self::Lead(criterion) | Self::LeadWhereBought(criterion) => {
                [minding(Minds::Lead(criterion)), plain()]
            }
            Self::Unlead(criterion) => [plain(), minding(Minds::Lead(criterion))],
            // What it remembers is its own affair.
            Self::Memory(_) => return None,
            Self::Ante(stakes) | Self::AnteAfterLook(stakes) => {
                stakes.map(|stakes| minding(Minds::Ante(stakes.ante(ranks))))
            }
            Self::DeadHand(choices) => {
                choices.map(|choose| minding(Minds::DeadHand(Arc::new(choose))))
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
    let alone = Ledger::new(Payoff::Deal, &lineup.game, &lineup.others, COUNTED, seed);
    let everybody = Lineup {
        game: lineup.game.clone(),
        ledger: Arc::new(alone),
        others: lineup.others.another(),
        player: None,
    };
    let counting = Measurement { deals: COUNTED, seed, tallies: cells, features: 0 };
    let measured = counting.run(
        || everybody.seated(),
        |seated, deal| {
            seated.play(deal.number, deal.seed);
            let left: Vec<i32> = seated.table(deal.number).view().layout().to_vec();
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
