//! The table in lines: seats in columns, the layout, hands.

use newmarket_env::{CardSet, Phase, View};

use super::super::table_view::{TableView, claims};
use crate::wording::{Wording, chips};

/// Columns of a label at the beginning of a line, the indent included.
const LABEL: usize = 10;
/// Columns of a seat.
const SEAT: usize = 7;

/// All that a person needs for a decision.
pub(super) fn question(
    wording: &Wording,
    table: &TableView,
    view: &View,
    columns: usize,
) -> Vec<String> {
    let claims = claims(view);
    let players = 0..wording.game.players();
    let cards = players.clone().map(|seat| {
        let plays = table.start.seats_in.contains(seat);
        if plays { table.sizes[seat].to_string() } else { "out".into() }
    });
    let stacks = players.clone().map(|seat| chips(table.start.credit, table.stacks[seat]));
    let mut rows = vec![("chips", stacks.collect())];
    if view.is_dealt() {
        rows.insert(0, ("cards", cards.collect()));
    }
    if view.phase() == Phase::Bet {
        let bets = players.map(|seat| {
            let folded = table.folded.contains(seat);
            if folded { "folded".into() } else { table.bets[seat].to_string() }
        });
        rows.push(("bets", bets.collect()));
    }
    let mut lines = seats(wording, &rows, columns);
    lines.push(layout(wording, table, &claims));
    if view.is_dealt() {
        let all = claims.iter().fold(CardSet::EMPTY, |all, &set| all | set);
        lines.push(hand(wording, "hand", view.hand(), all));
    }
    if view.phase() == Phase::Bet {
        lines.push(row("apart", &wording.five(view.apart())));
    }
    lines
}

/// All that was played, and the cards that are known to be dead.
pub(super) fn record(wording: &Wording, view: &View) -> Vec<String> {
    let sets = [("played", view.played()), ("dead", view.known_dead())];
    let known = sets.into_iter().filter(|(_, cards)| !cards.is_empty());
    known.map(|(label, cards)| hand(wording, label, cards, CardSet::EMPTY)).collect()
}

/// The cards and chips of all seats after a deal.
pub(super) fn settlement(wording: &Wording, table: &TableView, columns: usize) -> Vec<String> {
    let players = 0..wording.game.players();
    let left = players.clone().map(|seat| table.sizes[seat].to_string());
    let gains = players.clone().map(|seat| chips(true, table.gain(seat)));
    let stacks = players.map(|seat| chips(table.start.credit, table.stacks[seat]));
    let rows = [("left", left.collect()), ("deal", gains.collect()), ("chips", stacks.collect())];
    let mut lines = seats(wording, &rows, columns);
    lines.push(layout(wording, table, &[]));
    lines
}

/// The hands that the viewer sees, by seat, and the dead hand.
pub(super) fn open_hands(wording: &Wording, table: &TableView, dead: CardSet) -> Vec<String> {
    let seats = table.hands.iter().enumerate().map(|(seat, &cards)| (wording.name(seat), cards));
    let hands = seats.chain([("dead", dead)]).filter(|(_, cards)| !cards.is_empty());
    hands.map(|(label, cards)| hand(wording, label, cards, CardSet::EMPTY)).collect()
}

/// Chips on each cell and in the kitty. A star marks the cells that the viewer can take.
pub(super) fn layout(wording: &Wording, table: &TableView, claims: &[CardSet]) -> String {
    let amount = |chips: i32| if chips == 0 { "–".into() } else { chips.to_string() };
    let mut piles: Vec<String> = Vec::new();
    let mut note = "";
    for (nth, (cell, &chips)) in wording.cells().zip(&table.layout).enumerate() {
        let claimable = claims.get(nth).is_some_and(|set| !set.is_empty());
        let star = if claimable { "*" } else { "" };
        note = if claimable { "   * yours to take" } else { note };
        piles.push(format!("{cell}{star} {}", amount(chips)));
    }
    if wording.game.rules().has_kitty() {
        piles.push(format!("kitty {}", table.kitty));
    }
    let gap = if piles.len() < 7 { "    " } else { "  " };
    row("layout", &(piles.join(gap) + note))
}

/// Cards by suit, after a label.
pub(super) fn hand(wording: &Wording, label: &str, cards: CardSet, marked: CardSet) -> String {
    let suits = wording.suits(cards, marked);
    row(label, &if suits.is_empty() { "no cards".into() } else { suits.join("   ") })
}

fn row(label: &str, text: &str) -> String {
    format!("  {label:<width$}{text}", width = LABEL - 2)
}

/// A column for each seat, as many beside each other as there is room for.
fn seats(wording: &Wording, rows: &[(&str, Vec<String>)], columns: usize) -> Vec<String> {
    let names: Vec<&str> = (0..wording.game.players()).map(|seat| wording.name(seat)).collect();
    let fit = (columns.saturating_sub(LABEL - 4) / SEAT).max(1);
    let mut lines = Vec::new();
    for first in (0..names.len()).step_by(fit) {
        let part = first..names.len().min(first + fit);
        lines.push(seat_row("", &names[part.clone()]));
        lines.extend(rows.iter().map(|(label, cells)| seat_row(label, &cells[part.clone()])));
    }
    lines
}

fn seat_row<S: AsRef<str>>(label: &str, cells: &[S]) -> String {
    let label = format!("  {label:<width$}", width = LABEL - 6);
    cells.iter().fold(label, |row, cell| format!("{row}{:>SEAT$}", cell.as_ref()))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use newmarket_env::{DealStart, Game, Rules, State};

    use super::super::super::session::Opening;
    use super::*;

    #[test]
    fn the_table_fits_and_lines_up() {
        let game = Arc::new(Game::new(Rules::named("south-london").unwrap(), 8).unwrap());
        let wording = Wording { game: &game, person: Some(0) };
        let start = DealStart::fresh(8, 7);
        let table = TableView::new(game.clone(), &Opening::of_deal(1, start));
        let state = State::new(&game, &start);
        let lines = question(&wording, &table, &state.view(&game, 0), 78);
        assert_eq!(
            lines.join("\n"),
            "          You    Ann    Ben    Cat    Dan    Eve    Fay    Gus\n  \
             chips      0      0      0      0      0      0      0      0\n  \
             layout  K♣(Q♣) –    K♦(Q♦) –    K♥(Q♥) –    K♠(Q♠) –    kitty 0"
        );
    }
}
