//! Antes after a look: gains that are known, exactly solved, or played here by hand.

use std::sync::Arc;

use newmarket_agents::paired::{Estimate, Mean};
use newmarket_agents::strategy::Strategy;
use newmarket_agents::{Agent, Player, Table};
use newmarket_env::{Action, Game, Phase, Rng, Rules, Seed, View};
use newmarket_eval::exact::{OneDeal, Tree, policy};
use newmarket_eval::study::{Payoff, Section, Setting, Study};

use crate::exactly::SMALL;
use crate::{figure, game, study};

pub(crate) const AFTER_LOOK: &str = "timing = \"after_look\"\n";

const COLUMNS: [&str; 2] = ["only you look", "all look"];

fn stopper() -> Strategy {
    Strategy::named("stopper").unwrap()
}

/// Cells, one bit each.
type Cells = u8;

/// The cells to stake on.
type Pick = fn(&View) -> Cells;

/// The cells whose card is in the hand.
fn held(view: &View) -> Cells {
    let cells = view.game().rules().cells.iter().enumerate();
    let own = cells.filter(|(_, cell)| view.hand().contains(cell.claiming_card().unwrap()));
    own.fold(0, |all, (cell, _)| all | 1 << cell)
}

/// The next chip of an even split over these cells, over all where none is wanted; the first ones get what does not
/// divide.
fn evenly(view: &View, wanted: Cells) -> Action {
    let all = 0..view.game().cells();
    let own = |cell: usize| view.staked(view.seat(), cell) as usize;
    let chips = all.clone().map(own).sum::<usize>() + view.chips_left();
    let wanted: Vec<usize> = all.clone().filter(|cell| wanted >> cell & 1 == 1).collect();
    let cells = if wanted.is_empty() { all.collect() } else { wanted };
    let (share, more) = (chips / cells.len(), chips % cells.len());
    let open =
        cells.iter().enumerate().find(|&(nth, &cell)| own(cell) < share + usize::from(nth < more));
    Action::chip(*open.expect("a chip is left").1)
}

/// `stopper`, but seats stake on the cells that these functions say, where they say something.
#[derive(Clone)]
struct Staking([Option<Pick>; 2]);

impl Agent for Staking {
    fn name(&self) -> &'static str {
        "staking"
    }

    fn act(&mut self, view: &View, rng: &mut Rng) -> Action {
        match self.0[view.seat() % 2].filter(|_| view.phase() == Phase::Ante) {
            Some(cells) => evenly(view, cells(view)),
            None => stopper().act(view, rng),
        }
    }

    fn another(&self) -> Box<dyn Agent> {
        Box::new(self.clone())
    }
}

const EVENLY: Pick = |_| Cells::MAX;

fn study_by(field: &Player, player: &Player, game: &Arc<Game>, deals: u64) -> Section {
    let setting =
        Setting { game: game.clone(), field, player, deals, seed: 5, payoff: Payoff::Deal };
    Study::Ante.run(&setting, &|_| {}).unwrap()
}

fn is_exactly(it: Estimate, gain: f64, what: &str) {
    assert!((it.mean - gain).abs() < 1e-12 && it.ci95 < 1e-6, "{what}: {it:?}, {gain}");
}

#[test]
fn an_even_split_gains_exactly_nothing() {
    let rules = Rules::named("newmarket-after-look").unwrap();
    let named = study(Study::Ante, &Arc::new(Game::new(rules, 4).unwrap()), 200);
    let section = study(Study::Ante, &game("newmarket", AFTER_LOOK, 4), 200);
    assert_eq!((&named.tables, named.rules.as_str()), (&section.tables, "newmarket-after-look"));
    for column in COLUMNS {
        is_exactly(figure(&section, 0, "evenly", column), 0.0, column);
        let own = figure(&section, 0, "with a boodle: evenly on your own", column);
        assert!(own.mean - own.ci95 > 0.0, "{column}: {own}");
    }
}

/// Each of two players has one card, and eldest plays it and is out: of eldest's two chips, one more
/// on the own cell is one chip more. The dealer gets nothing.
#[test]
fn a_sure_boodle_takes_all_chips() {
    let cards = "players = [2, 2]\nranks = 1\nsuits = 2\nremoved = []\ncells = [\"AC\", \"AD\"]\n\
                 dead_hand = { position = \"none\", remainder = \"rotation\" }\n\
                 layout_ante = { free = { chips = 2, dealer_chips = 2 } }\n";
    let game = game("newmarket", &format!("{cards}{AFTER_LOOK}"), 2);
    // What nobody should do: all on the card that the other has.
    let contrary = Player::from(Staking([Some(|view| !held(view)); 2]));
    let section = study_by(&contrary, &stopper().into(), &game, 300);
    for column in COLUMNS {
        is_exactly(figure(&section, 0, "with a boodle: evenly on your own", column), 0.5, column);
        is_exactly(figure(&section, 0, "as staking (the field)", column), -0.5, column);
        is_exactly(figure(&section, 0, "as stopper", column), 0.5, column);
    }
    let says =
        |it: &String| it.contains(": with a boodle: evenly on your own. Of all 13 ways that");
    assert!(section.findings.iter().all(says), "{:?}", section.findings);
}

/// The first of two cells if the first figure is less, the second if the other is; both of equals.
fn first_of_two(one: i32, other: i32) -> Cells {
    Cells::from(one <= other) | Cells::from(other <= one) << 1
}

/// A pack so small that all that may happen is known.
#[test]
fn what_a_stake_gains_is_exact() {
    let game = game("newmarket", &format!("{SMALL}{AFTER_LOOK}"), 2);
    let deal = OneDeal::new(game.clone(), 1_000_000).unwrap();
    let tree = Tree::grow(&deal, 1_000_000).unwrap();
    let values = |seats: [Option<Pick>; 2]| {
        let profile = policy::of_agent(&mut Staking(seats), &tree, &deal, 1, Seed::new(1));
        tree.exploitability(&profile).values
    };
    let section = study(Study::Ante, &game, 20_000);
    let own: Pick = held;
    // Decided before the own chips lie there.
    let richest_else: Pick = |view| {
        let before = |cell: usize| view.layout()[cell] - view.staked(view.seat(), cell);
        if held(view) == 0 { first_of_two(before(1), before(0)) } else { Cells::MAX }
    };
    let least_staked_else: Pick = |view| {
        let staked = |cell: usize| view.staked(1 - view.seat(), cell);
        if held(view) == 0 { first_of_two(staked(0), staked(1)) } else { Cells::MAX }
    };
    let least_staked =
        "without: all on the one with the fewest chips that others have staked on it in this deal";
    for (row, way) in [
        ("with a boodle: evenly on your own", own),
        ("without: all on the richest one", richest_else),
        (least_staked, least_staked_else),
    ] {
        for (column, others) in COLUMNS.into_iter().zip([Some(EVENLY), None]) {
            // In this tree eldest is seat 0.
            let gain = values([Some(way), others])[0] - values([Some(EVENLY), others])[0]
                + values([others, Some(way)])[1]
                - values([others, Some(EVENLY)])[1];
            let measured = figure(&section, 0, row, column);
            assert!(measured.ci95 < 0.05, "{row}, {column}: {measured:?}");
            assert!(
                (measured.mean - gain / 2.0).abs() < 1.5 * measured.ci95 + 1e-9,
                "{row}, {column}: {measured:?}, {}",
                gain / 2.0
            );
        }
    }
}

/// The deals of the study played once more. `boodle` leads for chips, so that others' stakes make a
/// difference to what it does.
#[test]
fn gains_are_those_of_deals_played_by_hand() {
    let game = game("newmarket", AFTER_LOOK, 4);
    let boodle = Strategy::named("boodle").unwrap();
    let (field, player) = (Player::from(stopper()), Player::from(boodle.clone()));
    let deals = 70;
    let section = study_by(&field, &player, &game, deals);
    let (mut field, mut player) = (stopper(), boodle);
    let mut table = Table::new(game.clone());
    for (column, looking) in COLUMNS.into_iter().zip([false, true]) {
        let mut overall = Mean::default();
        for number in 0..deals {
            let seed = Seed::new(5).child(1).child(number);
            let mut gain = |hero: usize| {
                let [own, even] = [held, EVENLY].map(|pick: Pick| {
                    let result = table.play(seed, |seat, view, rng| match view.phase() {
                        Phase::Ante if seat == hero => evenly(view, pick(view)),
                        Phase::Ante if looking => field.act(view, rng),
                        Phase::Ante => evenly(view, EVENLY(view)),
                        _ if seat == hero => player.act(view, rng),
                        _ => field.act(view, rng),
                    });
                    f64::from(result.payoffs[hero])
                });
                own - even
            };
            let gains: Vec<f64> = (0..4).map(&mut gain).collect();
            overall.add(gains.iter().sum::<f64>() / 4.0);
        }
        // `boodle` stakes as all heuristics do, on its own boodles.
        let by_hand = overall.estimate();
        for row in ["with a boodle: evenly on your own", "as boodle"] {
            let found = figure(&section, 0, row, column);
            assert!(by_hand.mean > 0.0 && by_hand.ci95 > 0.0);
            assert!((found.mean - by_hand.mean).abs() < 1e-9, "{row}, {column}: {found} {by_hand}");
            assert!((found.ci95 - by_hand.ci95).abs() < 1e-9, "{row}, {column}: {found} {by_hand}");
        }
    }
}
