//! Random rules files: any option with any other, as long as the whole can be played.

use std::fmt::Write as _;

use newmarket_env::rules::NAMES;
use newmarket_env::{Aces, Card, CardSet, Game, Rng, Rules};

use super::{draw, one_of};

/// A random valid rules file and a table size for it.
pub(crate) fn text(rng: &mut Rng) -> (String, usize) {
    let least = 2 + draw(rng, 7);
    let most = least + draw(rng, 9 - least);
    let players = least + draw(rng, most - least + 1);
    let aces = one_of(rng, &["low", "high"]);
    let order = if aces == "low" { Aces::Low } else { Aces::High };
    let (ranks, suits, removed, pack) = loop {
        let (ranks, suits) =
            if draw(rng, 2) == 0 { (13, 4) } else { (1 + draw(rng, 13), 1 + draw(rng, 4)) };
        let removed: CardSet = (0..one_of(rng, &[0, 0, 1, 4]))
            .filter_map(|_| Card::from_index(draw(rng, 52)))
            .collect();
        let pack: Vec<Card> = (0..52)
            .filter_map(Card::from_index)
            .filter(|card| card.position() < ranks && card.suit().index() < suits)
            .filter(|&card| !removed.contains(card))
            .collect();
        // A card for everybody.
        if pack.len() >= players {
            break (ranks, suits, removed, pack);
        }
    };
    // Where there is no more than that, only the last hand can be the dead one; it is empty, and
    // cannot be taken.
    let tight = pack.len() == players;
    let positions: &[&str] =
        if tight { &["none", "last"] } else { &["none", "first", "before_dealer", "last"] };
    let position = one_of(rng, positions);
    let dead_hand = position != "none";
    let remainder =
        if dead_hand && !tight { one_of(rng, &["rotation", "dead_hand"]) } else { "rotation" };
    let cells = cells(rng, &pack, order);
    let kitty_ante = if cells.is_empty() { 1 } else { draw(rng, 3) };
    let free = !cells.is_empty() && draw(rng, 2) == 0;
    let (chips, dealers) = (draw(rng, 6), draw(rng, 9));
    let ante = if free {
        format!("{{ free = {{ chips = {chips}, dealer_chips = {dealers} }} }}")
    } else {
        format!("{{ fixed = {{ each = {}, dealer = {} }} }}", chips / 2, dealers / 2)
    };
    let layout = if free { chips.max(dealers) } else { cells.len() * (chips / 2).max(dealers / 2) };
    let full_ante = kitty_ante + layout;
    let exchange = match if dead_hand && !tight { draw(rng, 5) } else { 0 } {
        0 => "\"none\"".into(),
        1 | 2 => format!("{{ dealer_exchange = {{ fee = {} }} }}", draw(rng, 12)),
        3 => format!("{{ dealer_exchange_or_auction = {{ max_bid = {} }} }}", 1 + draw(rng, 8)),
        _ => format!("{{ offer_chain = {{ price = {} }} }}", draw(rng, 4)),
    };
    let first_lead = if draw(rng, 2) == 0 {
        "\"eldest\"".into()
    } else {
        let suit = one_of(rng, &["clubs", "diamonds", "hearts", "spades"]);
        format!("{{ lowest_of = {suit:?} }}")
    };
    let bankroll = if draw(rng, 2) == 0 {
        "\"credit\"".into()
    } else {
        let start = (full_ante * (1 + draw(rng, 4)) + draw(rng, 9)).max(1);
        let on_bust = one_of(rng, &["end_session", "eliminate", "rebuy"]);
        format!("{{ chips = {{ start = {start}, on_bust = {on_bust:?} }} }}")
    };
    let first_dealer = match draw(rng, 3) {
        0 => "\"cut\"".into(),
        1 => "\"first_jack\"".into(),
        _ => draw(rng, least).to_string(),
    };
    let mut text = String::new();
    let mut line = |key: &str, value: &dyn std::fmt::Display| {
        writeln!(text, "{key} = {value}").expect("a String takes all");
    };
    line("base", &format!("{:?}", one_of(rng, &NAMES)));
    line("players", &format!("[{least}, {most}]"));
    line("aces", &format!("{aces:?}"));
    line("ranks", &ranks);
    line("suits", &suits);
    line("removed", &format!("{:?}", removed.notation(order)));
    line("cells", &format!("[{}]", cells.join(", ")));
    line("kitty_ante", &kitty_ante);
    line("layout_ante", &ante);
    if draw(rng, 2) == 0 {
        line("cell_cap", &(1 + draw(rng, 12)));
    }
    line("timing", &format!("{:?}", one_of(rng, &["before_deal", "after_look"])));
    line("dead_hand", &format!("{{ position = {position:?}, remainder = {remainder:?} }}"));
    line("exchange", &exchange);
    line("first_lead", &first_lead);
    let change = one_of(rng, &["free", "else_same", "else_pass", "other_colour"]);
    line("change_suit", &format!("{change:?}"));
    line("kitty_to_winner", &(draw(rng, 2) == 0));
    line("per_card", &draw(rng, 3));
    line("[session]\ndeals", &(1 + draw(rng, 6)));
    line("bankroll", &bankroll);
    line("leftover", &format!("{:?}", one_of(rng, &["stay", "lot", "richest"])));
    line("first_dealer", &first_dealer);
    (text, players)
}

/// Up to eight cells, each claimed by a card of the pack, no two by the same.
fn cells(rng: &mut Rng, pack: &[Card], order: Aces) -> Vec<String> {
    let wanted = if draw(rng, 12) == 0 { 0 } else { (1 + draw(rng, 8)).min(pack.len()) };
    let mut names = CardSet::EMPTY;
    let mut claiming = CardSet::EMPTY;
    let mut cells = Vec::new();
    while cells.len() < wanted {
        let claimed_by = one_of(rng, pack);
        let name = match draw(rng, 3) {
            0 => Card::from_index(draw(rng, 52)).expect("below 52"),
            _ => claimed_by,
        };
        if names.contains(name) || claiming.contains(claimed_by) {
            continue;
        }
        names.insert(name);
        claiming.insert(claimed_by);
        let (name, claimed_by) = (name.notation(order), claimed_by.notation(order));
        cells.push(if name == claimed_by {
            format!("{name:?}")
        } else {
            format!("{{ card = {name:?}, claimed_by = {claimed_by:?} }}")
        });
    }
    cells
}

/// A random game that the parser has read, and its file.
pub(crate) fn game(rng: &mut Rng) -> (Game, String) {
    let (text, players) = text(rng);
    let rules = Rules::from_toml(&text, "random rules")
        .unwrap_or_else(|error| panic!("{error}\nin valid rules:\n{text}"));
    (Game::new(rules, players).expect("a size that the rules allow"), text)
}
