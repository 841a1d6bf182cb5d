//! Studies against answers that are known: identities, duels, games that are solved exactly.

mod after_look;
mod dead_hand;
mod exactly;
mod identities;
mod learn;

use std::sync::Arc;

use newmarket_agents::paired::Estimate;
use newmarket_agents::strategy::Strategy;
use newmarket_env::{Game, Rules};
use newmarket_eval::study::{Payoff, ReportCell, Section, Setting, Study};

/// A named game with changes.
pub(crate) fn game(base: &str, changes: &str, players: usize) -> Arc<Game> {
    let text = format!("base = \"{base}\"\n{changes}");
    Arc::new(Game::new(Rules::from_toml(&text, "test.toml").unwrap(), players).unwrap())
}

/// A game that a study is made of; for the truth one that can be solved.
pub(crate) fn usual(study: Study, players: usize) -> Arc<Game> {
    match study {
        Study::Truth => game("newmarket", exactly::SMALL, 2),
        _ => game(study.usual_games()[0], "", players),
    }
}

/// All studies, each of a game that it can be made of; antes before the deal, and after a look.
pub(crate) fn studies(players: usize) -> Vec<(Study, Arc<Game>)> {
    let mut all: Vec<_> = Study::ALL.into_iter().map(|kind| (kind, usual(kind, players))).collect();
    all.push((Study::Ante, game("newmarket", after_look::AFTER_LOOK, players)));
    all
}

/// A study of deals on their own at a table of `stopper`.
pub(crate) fn study(study: Study, game: &Arc<Game>, deals: u64) -> Section {
    study_of(Payoff::Deal, study, game, deals)
}

/// The same with this payoff.
pub(crate) fn study_of(payoff: Payoff, study: Study, game: &Arc<Game>, deals: u64) -> Section {
    let stopper: newmarket_agents::Player = Strategy::named("stopper").unwrap().into();
    let game = game.clone();
    let setting = Setting { game, field: &stopper, player: &stopper, deals, seed: 5, payoff };
    study.run(&setting, &|_| {}).unwrap()
}

/// The figure in a row and column of the nth table.
pub(crate) fn figure(section: &Section, table: usize, row: &str, column: &str) -> Estimate {
    let table = &section.tables[table];
    let at = table.heads.iter().position(|head| head.starts_with(column));
    let is_row = |cells: &&Vec<ReportCell>| cells[0] == ReportCell::from(row);
    let cells = table.rows.iter().find(is_row).unwrap_or_else(|| panic!("{row}: {table:?}"));
    match cells[at.unwrap_or_else(|| panic!("{column}: {table:?}"))] {
        ReportCell::Estimate(estimate) | ReportCell::Share(estimate) => estimate,
        ref other => panic!("{row}, {column}: {other:?}"),
    }
}
