//! Ladders of heuristics.

use std::sync::Arc;

use newmarket_agents::paired::{Mean, PairedDuel};
use newmarket_agents::{Player, strategy::Strategy};
use newmarket_env::{Game, Rules, Seed};
use newmarket_eval::ladder::{Ladder, LadderReport, Length};
use newmarket_eval::{Duel, SessionDuel, Stacks};

fn ladder(names: &[&str], deals: u64, until_separated: bool) -> LadderReport {
    ladder_of(game(), Length::Deals(deals), names, until_separated)
}

fn ladder_of(
    game: Arc<Game>,
    length: Length,
    names: &[&str],
    until_separated: bool,
) -> LadderReport {
    let agents: Vec<Player> = names.iter().map(|name| heuristic(name)).collect();
    Ladder { game, agents: &agents, length, seed: 3, until_separated }.run(|_| {})
}

fn heuristic(name: &str) -> Player {
    Strategy::named(name).expect("a heuristic").into()
}

fn game() -> Arc<Game> {
    Arc::new(Game::new(Rules::load("newmarket").unwrap(), 4).unwrap())
}

#[test]
fn a_cell_is_a_duel() {
    let report = ladder(&["longest", "boodle", "stopper"], 300, false);
    assert_eq!((report.cells.len(), report.pairings.len()), (6, 3));
    for cell in &report.cells {
        let (hero, field) = (heuristic(&cell.hero), heuristic(&cell.field));
        let duel = Duel { game: game(), hero: &hero, field: &field, deals: 300, seed: 3 };
        let duel = duel.run(|_| {});
        // The same bits: the same deals, taken in in the same order.
        assert_eq!((cell.gain, cell.ci95), (duel.gain, duel.ci95));
        assert_eq!((cell.played.count(), cell.separated), (300, duel.separated));
    }
    for pairing in &report.pairings {
        let gain = |a: &str, b: &str| report.cell(a, b).unwrap().gain;
        let (a, b) = (&pairing.first, &pairing.second);
        assert!((pairing.advantage - (gain(a, b) - gain(b, a)) / 2.0).abs() < 1e-12);
    }
}

/// What a hero gains over another one at a table of a third player is the difference of what both gain there,
/// deal by deal.
#[test]
fn two_heroes_are_compared_in_the_same_seat() {
    let [hero, other, field] = ["stopper", "boodle", "longest"].map(heuristic);
    let games = [game()];
    let chips = |hero: &Player| -> Vec<f64> {
        let duel = PairedDuel { games: &games, hero, field: &field, seed: Seed::new(3) };
        duel.play(0..300).iter().map(|deal| f64::from(deal.chips) / 4.0).collect()
    };
    let gains = chips(&hero).into_iter().zip(chips(&other)).map(|(a, b)| a - b);
    let mean: Mean = gains.collect();
    let duel = |hero, field| Duel { game: game(), hero, field, deals: 300, seed: 3 };
    let compared = duel(&hero, &field).run_over(&other, |_| {});
    assert!((compared.gain - mean.estimate().mean).abs() < 1e-9, "{compared:?}");
    assert!((compared.ci95 - mean.estimate().ci95).abs() < 1e-9, "{compared:?}");
    assert_eq!((&*compared.over, &*compared.field), ("boodle", "longest"));
    assert!(compared.sentence().contains("over boodle at a table of longest"));
    let same = duel(&hero, &field).run_over(&hero, |_| {});
    assert_eq!((same.gain, same.ci95), (0.0, 0.0));
    let plain = duel(&hero, &field).run(|_| {});
    assert_eq!(duel(&hero, &field).run_over(&field, |_| {}), plain);
}

#[test]
fn threads_do_not_matter() {
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| ladder(&["random", "boodle", "stopper"], 700, true))
    };
    assert_eq!(on(1), on(3));
}

#[test]
fn the_order_of_the_agents_on_the_command_line_does_not_matter_to_a_cell() {
    let (one, other) =
        (ladder(&["random", "boodle"], 100, false), ladder(&["boodle", "random"], 100, false));
    assert_eq!(one.cell("boodle", "random"), other.cell("boodle", "random"));
    let difference = one.ranking[0].chips.mean - other.ranking[0].chips.mean;
    assert!(difference.abs() < 1e-12, "{difference}");
}

#[test]
fn the_known_order() {
    let report = ladder(&["boodle", "random", "stopper"], 2500, false);
    let order: Vec<&str> = report.ranking.iter().map(|standing| &*standing.agent).collect();
    assert_eq!(order, ["stopper", "boodle", "random"]);
    assert!(report.pairings.iter().all(|pairing| pairing.separated), "{:?}", report.pairings);
    for pair in report.ranking.windows(2) {
        assert!(pair[0].chips.low > pair[1].chips.high, "{pair:?}");
    }
    // At mixed tables, too.
    assert!(report.ranking[0].weng_lin.low > report.ranking[2].weng_lin.high);
}

#[test]
fn a_ladder_stops_when_all_is_clear() {
    let report = ladder(&["random", "stopper"], 50_000, true);
    assert!(report.played.count() < 10_000 && report.pairings[0].separated, "{report:?}");
    // Twins are equal to the last chip, and are never separated.
    let twins = ladder(&["boodle", "boodle"], 600, true);
    assert_eq!(twins.played, Length::Deals(600));
    assert_eq!((twins.cells[0].gain, twins.pairings[0].separated), (0.0, false));
}

/// `newmarket` with chips that can run out.
fn with_chips() -> Arc<Game> {
    let text = "base = \"newmarket\"\n[session]\nleftover = \"lot\"\n\
                bankroll = { chips = { start = 25, on_bust = \"eliminate\" } }";
    Arc::new(Game::new(Rules::from_toml(text, "chips").unwrap(), 4).unwrap())
}

#[test]
fn a_cell_of_sessions_is_a_duel_over_sessions() {
    for (game, bankroll) in [(game(), Stacks::Credit), (with_chips(), Stacks::Chips)] {
        let names = ["longest", "boodle", "stopper"];
        let report = ladder_of(game.clone(), Length::Sessions(50), &names, false);
        assert_eq!((report.bankroll, report.played), (Some(bankroll), Length::Sessions(50)));
        for cell in &report.cells {
            let (hero, field) = (heuristic(&cell.hero), heuristic(&cell.field));
            let (hero, field) = (&hero, &field);
            let duel = SessionDuel { game: game.clone(), hero, field, sessions: 50, seed: 3 };
            let duel = duel.run(|_| {});
            let wins = cell.wins.expect("sessions are won");
            assert_eq!((cell.gain, cell.ci95), (duel.gain, duel.ci95));
            assert_eq!((wins.win_gain, wins.win_ci95), (duel.win_gain, duel.win_ci95));
            assert_eq!((cell.separated, wins.win_separated), (duel.separated, duel.win_separated));
        }
        for pairing in &report.pairings {
            let gain = |a: &str, b: &str| report.cell(a, b).unwrap().wins.unwrap().win_gain;
            let (a, b) = (&pairing.first, &pairing.second);
            let advantage = pairing.wins.unwrap().win_gain;
            assert!((advantage - (gain(a, b) - gain(b, a)) / 2.0).abs() < 1e-12);
        }
    }
}

#[test]
fn sessions_are_ranked_by_what_matters() {
    let names = ["random", "boodle", "stopper"];
    let report = ladder_of(with_chips(), Length::Sessions(300), &names, false);
    let order: Vec<&str> = report.ranking.iter().map(|standing| &*standing.agent).collect();
    assert_eq!(order, ["stopper", "boodle", "random"]);
    let wins = |at: usize| report.ranking[at].wins.expect("sessions are won");
    assert!(wins(0).low > wins(2).high, "{:?}", report.ranking);
    // The shares are above their mean: they sum to 0.
    assert!((0..3).map(|at| wins(at).mean).sum::<f64>().abs() < 1e-12);
    // A pairing stops when sessions won separate it, where chips do not yet.
    let stopped = ladder_of(with_chips(), Length::Sessions(6000), &["longest", "random"], true);
    let pairing = &stopped.pairings[0];
    assert!(stopped.played.count() < 6000 && !pairing.separated, "{pairing:?}");
    assert!(pairing.wins.unwrap().win_separated && stopped.separates(pairing));
}

#[test]
fn threads_do_not_matter_to_sessions() {
    let (hero, field) = (heuristic("random"), heuristic("boodle"));
    let both = || {
        let ladder = ladder_of(with_chips(), Length::Sessions(70), &["random", "boodle"], false);
        let (hero, field) = (&hero, &field);
        let duel = SessionDuel { game: with_chips(), hero, field, sessions: 70, seed: 3 };
        (ladder, duel.run(|_| {}))
    };
    let on = |threads: usize| {
        rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(both)
    };
    assert_eq!(on(1), on(3));
}
