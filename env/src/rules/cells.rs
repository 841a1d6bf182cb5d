//! The cells of a rules file.
//!
//! A cell is written as its card (`"QC"`), as a card that another card claims
//! (`{ card = "KC", claimed_by = "QC" }`), as a name that a card, a set of cards or any of several
//! sets claims (`{ name = "KQ", claimed_by = ["KH", "QH"] }`), or as the name of a cell of the base.
//! No card claims the pot: `{ name = "pot", claimed_by = [] }`.

use alloc::vec;
use alloc::vec::Vec;

use serde_json::{Value, json};

use super::Cell;
use super::named::named_value;
use crate::card::{Aces, Card};
use crate::card_set::CardSet;

/// The greatest length of the name of a cell.
const LONGEST_NAME: usize = 12;

/// The forms of a cell, for messages.
const EXPECTED: &str = "a card, as \"QC\", { card, claimed_by } with another card, or { name, \
                        claimed_by } with a name of its own and cards, as [\"KH\", \"QH\"] or \
                        [[\"8C\", \"9C\"], [\"8D\", \"9D\"]]";

/// The cells of a named game.
pub(super) fn base_cells(base: &str, aces: Aces) -> Vec<Cell> {
    let cells = named_value(base, "cells").and_then(Value::as_array);
    let cells = cells.into_iter().flatten();
    cells.map(|value| cell(value, &[], aces).expect("a named game has no faults")).collect()
}

/// The cards that a named game takes out of the pack.
pub(super) fn base_removed(base: &str, aces: Aces) -> CardSet {
    let cards = named_value(base, "removed").and_then(Value::as_array).into_iter().flatten();
    cards.filter_map(|value| card(value, aces)).collect()
}

/// Reads one cell. `own` are the cells of the base.
///
/// # Errors
/// The forms of a cell.
pub(super) fn cell(value: &Value, own: &[Cell], aces: Aces) -> Result<Cell, &'static str> {
    if let Some(card) = card(value, aces) {
        return Ok(Cell::of(card, aces));
    }
    if let Some(cell) = own.iter().find(|cell| value.as_str() == Some(&cell.name)) {
        return Ok(cell.clone());
    }
    let field = |key: &str| value.as_object().filter(|fields| fields.len() == 2)?.get(key);
    let sets = field("claimed_by").and_then(|claimed_by| sets(claimed_by, aces)).ok_or(EXPECTED)?;
    if let Some(card) = field("card").and_then(|own| card(own, aces))
        && sets.len() == 1
        && sets[0].len() == 1
    {
        return Ok(Cell { name: card.notation(aces), claimed_by: sets });
    }
    let name = field("name").and_then(Value::as_str).filter(|name| is_name(name, aces));
    name.map(|name| Cell { name: name.into(), claimed_by: sets }).ok_or(EXPECTED)
}

impl Cell {
    /// The cell of a card that claims it.
    pub(super) fn of(card: Card, aces: Aces) -> Self {
        Self { name: card.notation(aces), claimed_by: vec![CardSet::of(card)] }
    }

    /// The cell as rules files write it. `own` are the cells of the base.
    pub(super) fn value(&self, own: &[Cell], aces: Aces) -> Value {
        let claiming = self.claiming_card().map(|card| card.notation(aces));
        let is_card = Card::parse(&self.name, aces).is_some();
        if claiming.as_ref() == Some(&self.name) || !is_card && own.contains(self) {
            return json!(self.name);
        }
        let claimed_by = match (&claiming, &self.claimed_by[..]) {
            (Some(card), _) => json!(card),
            (None, [set]) => json!(set.notation(aces)),
            (None, sets) => sets.iter().map(|set| set.notation(aces)).collect(),
        };
        let key = if is_card { "card" } else { "name" };
        json!({ key: self.name, "claimed_by": claimed_by })
    }
}

/// Reads a card.
pub(super) fn card(value: &Value, aces: Aces) -> Option<Card> {
    Card::parse(value.as_str()?, aces)
}

/// Reads `"QC"`, `["KH", "QH"]` or `[["8C", "9C"], ["8D", "9D"]]`. No set is empty or has a card twice.
fn sets(value: &Value, aces: Aces) -> Option<Vec<CardSet>> {
    if let Some(card) = card(value, aces) {
        return Some(vec![CardSet::of(card)]);
    }
    let set = |value: &Value| {
        let cards: Vec<Card> =
            value.as_array()?.iter().map(|value| card(value, aces)).collect::<Option<_>>()?;
        let set: CardSet = cards.iter().copied().collect();
        (!cards.is_empty() && set.len() == cards.len()).then_some(set)
    };
    let items = value.as_array()?;
    if items.is_empty() {
        return Some(Vec::new());
    }
    set(value).map(|set| vec![set]).or_else(|| items.iter().map(set).collect())
}

/// Whether the text has letters, digits and hyphens alone, and is neither a card nor `kitty`.
fn is_name(name: &str, aces: Aces) -> bool {
    (1..=LONGEST_NAME).contains(&name.len())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
        && Card::parse(name, aces).is_none()
        && name != "kitty"
}
