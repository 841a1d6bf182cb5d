//! Games that are solved exactly, or by hand.

use std::sync::Arc;

use newmarket_agents::Agent;
use newmarket_agents::paired::Estimate;
use newmarket_agents::strategy::Strategy;
use newmarket_env::{Action, Game, Phase, Rng, Seed, View};
use newmarket_eval::exact::{DealHistory, OneDeal, Tree, policy};
use newmarket_eval::study::Study;

use crate::{figure, game, study};

/// Nine cards, two boodles, two chips to split, a dead hand that the dealer may buy.
pub(crate) const SMALL: &str = "\
    players = [2, 2]\nranks = 3\nsuits = 3\ncells = [\"3C\", \"2D\"]\n\
    layout_ante = { free = { chips = 2, dealer_chips = 2 } }\n\
    dead_hand = { position = \"last\", remainder = \"rotation\" }\n";
const TO_BUY: &str = "exchange = { dealer_exchange = { fee = 1 } }\n";

/// `stopper`, but a seat does something else at times. In these trees eldest is seat 0.
#[derive(Clone)]
struct But {
    seat: usize,
    does: fn(&View) -> Option<Action>,
}

impl Agent for But {
    fn name(&self) -> &'static str {
        "but"
    }

    fn act(&mut self, view: &View, rng: &mut Rng) -> Action {
        let other = if view.seat() == self.seat { (self.does)(view) } else { None };
        other.unwrap_or_else(|| Strategy::named("stopper").unwrap().act(view, rng))
    }

    fn another(&self) -> Box<dyn Agent> {
        Box::new(self.clone())
    }
}

struct Solved {
    deal: OneDeal,
    tree: Tree<DealHistory>,
}

impl Solved {
    fn new(game: &Arc<Game>) -> Self {
        let deal = OneDeal::new(game.clone(), 1_000_000).unwrap();
        let tree = Tree::grow(&deal, 1_000_000).unwrap();
        Self { deal, tree }
    }

    /// What a seat gets if it does something else at times.
    fn value(&self, seat: usize, does: fn(&View) -> Option<Action>) -> f64 {
        let profile =
            policy::of_agent(&mut But { seat, does }, &self.tree, &self.deal, 1, Seed::new(1));
        self.tree.exploitability(&profile).values[seat]
    }
}

/// What was measured is what is true, give or take half as much again as the interval.
fn agrees(measured: Estimate, truth: f64, what: &str) {
    assert!(measured.ci95 < 0.1, "{what}: {measured:?}");
    assert!(
        (measured.mean - truth).abs() < 1.5 * measured.ci95 + 1e-9,
        "{what}: {measured:?}, {truth}"
    );
}

#[test]
fn antes() {
    // An ace is led, a three waits for the sequence.
    let cells = SMALL.replace("\"2D\"", "\"AD\"");
    let game = game("newmarket", &cells, 2);
    let solved = Solved::new(&game);
    let section = study(Study::Ante, &game, 20_000);
    let even: fn(&View) -> Option<Action> = |_| None;
    let first: fn(&View) -> Option<Action> =
        |view| (view.phase() == Phase::Ante).then_some(Action::chip(0));
    let second: fn(&View) -> Option<Action> =
        |view| (view.phase() == Phase::Ante).then_some(Action::chip(1));
    let mut overall = [0.0; 2];
    for (seat, row) in ["eldest", "dealer"].into_iter().enumerate() {
        for (nth, (column, does)) in
            [("all on 3C", first), ("all on AD", second)].into_iter().enumerate()
        {
            let truth = solved.value(seat, does) - solved.value(seat, even);
            agrees(figure(&section, 1, row, column), truth, &format!("{row}, {column}"));
            overall[nth] += truth / 2.0;
        }
    }
    agrees(figure(&section, 0, "2·0", "gain"), overall[0], "2·0");
    agrees(figure(&section, 0, "0·2", "gain"), overall[1], "0·2");
    assert!((overall[0] - overall[1]).abs() > 0.02, "{overall:?}");
}

/// Each of two players has one card, and eldest plays it and is out: the cell of that card pays.
/// Chips on one cell rather than one on each win or lose eldest one chip; the dealer wins none.
#[test]
fn a_control_variate_takes_all_luck_away() {
    let cards = "players = [2, 2]\nranks = 1\nsuits = 2\nremoved = []\ncells = [\"AC\", \"AD\"]\n\
                 dead_hand = { position = \"none\", remainder = \"rotation\" }\n\
                 layout_ante = { free = { chips = 2, dealer_chips = 2 } }\n";
    let section = study(Study::Ante, &game("newmarket", cards, 2), 300);
    for row in ["eldest", "dealer"] {
        for column in ["all on AC", "all on AD"] {
            let gain = figure(&section, 1, row, column);
            assert!(gain.mean.abs() < 1e-9 && gain.ci95 < 1e-6, "{row}, {column}: {gain:?}");
        }
    }
    // Over both seats luck adds up to 0, and nothing is left to control: ± 1.96 · ½ / √300.
    let gain = figure(&section, 0, "2·0", "gain");
    assert!((gain.ci95 - 0.0568).abs() < 0.001, "{gain:?}");
}

#[test]
fn the_dead_hand() {
    let game = game("newmarket", &format!("{SMALL}{TO_BUY}"), 2);
    let solved = Solved::new(&game);
    let section = study(Study::DeadHand, &game, 30_000);
    let take: fn(&View) -> Option<Action> =
        |view| (view.phase() == Phase::DeadHand).then_some(Action::EXCHANGE);
    let keep: fn(&View) -> Option<Action> =
        |view| (view.phase() == Phase::DeadHand).then_some(Action::KEEP);
    let kept = solved.value(1, keep);
    let always = solved.value(1, take) - kept;
    agrees(figure(&section, 0, "any", "gain at a fee of 1"), always, "always");
    // By the own hand: takes it with no boodle, or with no such hand.
    let bare: fn(&View) -> Option<Action> = |view| {
        let boodle = |cell: &newmarket_env::rules::Cell| {
            cell.claiming_card().is_some_and(|card| view.hand().contains(card))
        };
        let bare = !view.game().rules().cells.iter().any(boodle);
        let action = if bare { Action::EXCHANGE } else { Action::KEEP };
        (view.phase() == Phase::DeadHand).then_some(action)
    };
    let gain = figure(&section, 0, "boodles: 0", "gain at a fee of 1");
    let share = figure(&section, 0, "boodles: 0", "share");
    // Neither boodle among three of nine cards: 7·6·5 / 9·8·7.
    assert!((share.mean - 5.0 / 12.0).abs() < 1.5 * share.ci95, "{share:?}");
    agrees(gain, (solved.value(1, bare) - kept) * 12.0 / 5.0, "with no boodle");
}

#[test]
fn leads() {
    let game = game("newmarket", SMALL, 2);
    let solved = Solved::new(&game);
    let section = study(Study::Lead, &game, 20_000);
    let longest: fn(&View) -> Option<Action> = |view| {
        let mut rng = Seed::new(1).rng();
        (view.phase() == Phase::Lead)
            .then(|| Strategy::named("longest").unwrap().act(view, &mut rng))
    };
    let low: fn(&View) -> Option<Action> = |view| {
        let mut rng = Seed::new(1).rng();
        (view.phase() == Phase::Lead)
            .then(|| Strategy::named("lowest").unwrap().act(view, &mut rng))
    };
    for (row, does) in [("longest", longest), ("lowest", low)] {
        let gain = |seat| solved.value(seat, does) - solved.value(seat, |_| None);
        let truth = f64::midpoint(gain(0), gain(1));
        assert!(truth.abs() > 0.01, "the test can tell {row}: {truth}");
        agrees(figure(&section, 0, row, "at a table of stopper"), truth, row);
    }
}
