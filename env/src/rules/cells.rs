//! The cells of a rules file.
//!
//! A cell is its card (`"QC"`), a card claimed by another
//! (`{ card = "KC", claimed_by = "QC" }`), a name claimed by a card, by a set of cards or by any
//! of several sets (`{ name = "KQ", claimed_by = ["KH", "QH"] }`), or the name of a cell of the
//! base. The pot is claimed by nothing: `{ name = "pot", claimed_by = [] }`.

use alloc::vec;
use alloc::vec::Vec;

use serde_json::{Value, json};

use super::Cell;
use super::file::named_table;
use super::read::{Reader, is};
use crate::card::{Aces, Card};
use crate::card_set::CardSet;

/// The longest name of a cell.
const LONGEST_NAME: usize = 12;

/// The cells of a named game.
pub(super) fn base_cells(base: &'static str, aces: Aces) -> Vec<Cell> {
    let cells = &named_table(base)["cells"];
    let cells = cells.as_array().expect("the cells of a named game are a list").iter();
    cells.map(|cell| Reader::default().cell(cell, &[], aces)).collect()
}

impl Reader {
    /// One cell; `own` are those of the base.
    pub(super) fn cell(&mut self, value: &Value, own: &[Cell], aces: Aces) -> Cell {
        let of_card = |card: Card, sets| Cell { name: card.notation(aces), claimed_by: sets };
        if let Some(card) = card(value, aces) {
            return of_card(card, vec![CardSet::of(card)]);
        }
        if let Some(cell) = own.iter().find(|cell| value.as_str() == Some(&cell.name)) {
            return cell.clone();
        }
        let field = |key: &str| value.as_object().filter(|fields| fields.len() == 2)?.get(key);
        let claimed_by = field("claimed_by").and_then(|claimed_by| sets(claimed_by, aces));
        match (field("card"), field("name").and_then(Value::as_str), claimed_by) {
            (Some(own), _, Some(sets)) if sets.len() == 1 && sets[0].len() == 1 => {
                if let Some(card) = card(own, aces) {
                    return of_card(card, sets);
                }
            }
            (_, Some(name), Some(claimed_by)) if is_name(name, aces) => {
                return Cell { name: name.into(), claimed_by };
            }
            _ => {}
        }
        let expected = "a card, as \"QC\", { card, claimed_by } with another card, or { name, \
                        claimed_by } with a name of its own and cards, as [\"KH\", \"QH\"] or \
                        [[\"8C\", \"9C\"], [\"8D\", \"9D\"]]";
        self.fault("cells", is(value), expected.into());
        Cell { name: "2C".into(), claimed_by: Vec::new() }
    }
}

impl Cell {
    /// The cell as rules files write it; `own` are the cells of the base.
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

fn card(value: &Value, aces: Aces) -> Option<Card> {
    Card::parse(value.as_str()?, aces)
}

/// `"QC"`, `["KH", "QH"]` or `[["8C", "9C"], ["8D", "9D"]]`; no set is empty or has a card twice.
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

/// Letters, digits and hyphens that are neither a card nor another pile of chips.
fn is_name(name: &str, aces: Aces) -> bool {
    (1..=LONGEST_NAME).contains(&name.len())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
        && Card::parse(name, aces).is_none()
        && name != "kitty"
}
