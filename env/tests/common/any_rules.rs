//! Random rules files: any option with any other, as long as the whole can be played.
//!
//! A game with poker has a pot, no cap and no free antes, and wants five cards in each hand. On the
//! base of Three in One, half of the games keep its cells, and want its pay cards in the pack.

use std::fmt::Write as _;

use newmarket_env::rules::NAMES;
use newmarket_env::{Aces, Card, CardSet, Game, Rng, Rules};

use super::{draw, one_of};

/// Names that order a terminal or cannot be seen, in TOML.
const ODD_NAMES: [&str; 5] = [
    r#""a\u200cb\u202e\u2028\u0085\u007f""#,
    r#""\u0000\u001b[31m\n\r\t\"'\\""#,
    "'\u{feff}\u{200d}\u{9b}\\u200c'",
    "'ours'",
    "''",
];

/// A random valid rules file on this base and a table size for it.
fn text(base: &str, rng: &mut Rng) -> (String, usize) {
    let own_cells = base == "three-in-one" && draw(rng, 2) == 0;
    let stages: &[&str] = match draw(rng, if base == "three-in-one" { 4 } else { 16 }) {
        _ if own_cells => &["collect", "poker"],
        0 => &["poker", "collect"],
        1 => &["poker"],
        2 => &["collect"],
        3 => &["collect", "poker"],
        _ => &[],
    };
    let poker = stages.contains(&"poker");
    let least = 2 + draw(rng, 7);
    let most = least + draw(rng, 9 - least);
    let players = least + draw(rng, most - least + 1);
    let aces = one_of(rng, &["low", "high"]);
    let order = if aces == "low" { Aces::Low } else { Aces::High };
    let each = if poker { 5 } else { 1 };
    let (ranks, suits, removed, pack) = loop {
        let (ranks, suits) = match draw(rng, 2) {
            0 => (13, 4),
            // Its pay cards are hearts up to the ace and the king.
            _ if own_cells => (13, 3 + draw(rng, 2)),
            _ => (1 + draw(rng, 13), 1 + draw(rng, 4)),
        };
        let removed: CardSet =
            (0..one_of(rng, &[0, 0, 1, 4])).map(|_| Card::from_index(draw(rng, 52))).collect();
        let pack: Vec<Card> = (0..52)
            .map(Card::from_index)
            .filter(|card| card.rank().index() < ranks && card.suit().index() < suits)
            .filter(|&card| !removed.contains(card))
            .collect();
        // Enough cards for everybody, if not for the dead hand.
        let enough = pack.len() >= (each - 1) * (players + 1) + players;
        if enough && (!own_cells || has_pay_cards(&pack, order)) {
            break (ranks, suits, removed, pack);
        }
    };
    // Where there is no more than that, only the last hand can be the dead one; it is short, and
    // cannot be taken.
    let tight = pack.len() < each * (players + 1);
    let positions: &[&str] =
        if tight { &["none", "last"] } else { &["none", "first", "before_dealer", "last"] };
    let position = one_of(rng, positions);
    let dead_hand = position != "none";
    let remainder =
        if dead_hand && !tight { one_of(rng, &["rotation", "dead_hand"]) } else { "rotation" };
    let cells = if own_cells { Vec::new() } else { cells(rng, &pack, order, stages) };
    let piles = if own_cells { 8 } else { cells.len() };
    let kitty_ante = if piles == 0 { 1 } else { draw(rng, 3) };
    let free = !poker && !cells.is_empty() && draw(rng, 2) == 0;
    let (chips, dealers) = (draw(rng, 6), draw(rng, 9));
    let ante = if free {
        format!("{{ free = {{ chips = {chips}, dealer_chips = {dealers} }} }}")
    } else {
        format!("{{ fixed = {{ each = {}, dealer = {} }} }}", chips / 2, dealers / 2)
    };
    let layout = if free { chips.max(dealers) } else { piles * (chips / 2).max(dealers / 2) };
    let full_ante = kitty_ante + layout;
    let exchange = match if dead_hand && !tight { draw(rng, 5) } else { 0 } {
        0 => "\"none\"".into(),
        1 | 2 => format!("{{ dealer_exchange = {{ fee = {} }} }}", draw(rng, 12)),
        3 => format!("{{ dealer_exchange_or_auction = {{ max_bid = {} }} }}", 1 + draw(rng, 8)),
        _ => format!("{{ offer_chain = {{ price = {} }} }}", draw(rng, 4)),
    };
    let first_lead = if poker && draw(rng, 2) == 0 {
        "\"poker_winner\"".into()
    } else if draw(rng, 2) == 0 {
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
    line("base", &format!("{base:?}"));
    line("players", &format!("[{least}, {most}]"));
    line("aces", &format!("{aces:?}"));
    line("ranks", &ranks);
    line("suits", &suits);
    line("removed", &format!("{:?}", removed.notation(order)));
    if own_cells {
        line("claim_when", &format!("{:?}", one_of(rng, &["held", "played"])));
    } else {
        line("cells", &format!("[{}]", cells.join(", ")));
        line("stages", &format!("{stages:?}"));
    }
    line("kitty_ante", &kitty_ante);
    line("layout_ante", &ante);
    if stages.is_empty() && draw(rng, 2) == 0 {
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
    // A name changes nothing that is played, so it takes no draw.
    let name = ODD_NAMES[text.len() % ODD_NAMES.len()];
    (format!("name = {name}\n{text}"), players)
}

/// Whether every space of Three in One can be claimed.
fn has_pay_cards(pack: &[Card], order: Aces) -> bool {
    let all = |names: &str| super::cards(names, order).iter().all(|card| pack.contains(&card));
    all("TH JH QH KH AH")
        && ["8C 9C TC", "8D 9D TD", "8H 9H TH", "8S 9S TS"].iter().any(|run| all(run))
}

/// Up to eight cells, no two claimed by the same cards, and the pot if there is poker.
fn cells(rng: &mut Rng, pack: &[Card], order: Aces, stages: &[&str]) -> Vec<String> {
    let most = if draw(rng, 12) == 0 { 0 } else { (1 + draw(rng, 8)).min(pack.len()) };
    let mut names = CardSet::EMPTY;
    let mut claiming = CardSet::EMPTY;
    let mut used = Vec::new();
    let mut cells = Vec::new();
    let of_sets = if draw(rng, 3) == 0 { draw(rng, 3).min(most) } else { 0 };
    for nth in 0..of_sets {
        let sets = if stages.contains(&"collect") {
            // What is collected has bounds: see the rules of `collect`.
            let count = if nth == 0 { 1 + draw(rng, 4) } else { 1 };
            collected(rng, pack, count, &mut claiming)
        } else {
            any_sets(rng, pack, &mut claiming, &mut used)
        };
        if !sets.is_empty() {
            let sets: Vec<_> = sets.iter().map(|set| set.notation(order)).collect();
            cells.push(format!("{{ name = \"S{nth}\", claimed_by = {sets:?} }}"));
        }
    }
    let mut tries = 0;
    while cells.len() < most && tries < 99 {
        tries += 1;
        let claimed_by = one_of(rng, pack);
        let name = match draw(rng, 3) {
            0 => Card::from_index(draw(rng, 52)),
            _ => claimed_by,
        };
        if names.contains(name) || claiming.contains(claimed_by) {
            continue;
        }
        names.insert(name);
        claiming.insert(claimed_by);
        let (name, claimed_by) = (name.notation(order), claimed_by.notation(order));
        let at = draw(rng, cells.len() + 1);
        cells.insert(
            at,
            if name == claimed_by {
                format!("{name:?}")
            } else {
                format!("{{ card = {name:?}, claimed_by = {claimed_by:?} }}")
            },
        );
    }
    if stages.contains(&"poker") {
        cells.truncate(7);
        let at = draw(rng, cells.len() + 1);
        cells.insert(at, "{ name = \"pot\", claimed_by = [] }".into());
    }
    cells
}

/// So many sets of up to three cards, or fewer, no card in two of them.
fn collected(rng: &mut Rng, pack: &[Card], count: usize, taken: &mut CardSet) -> Vec<CardSet> {
    let mut sets = Vec::new();
    for _ in 0..count {
        let cards = (0..=draw(rng, 3)).map(|_| one_of(rng, pack));
        let set = cards.collect::<CardSet>() - *taken;
        if !set.is_empty() {
            *taken |= set;
            sets.push(set);
        }
    }
    sets
}

/// Some sets that may have cards in common, often of one suit. `alone` are the cards that are sets
/// of their own, `used` the sets of other cells.
fn any_sets(
    rng: &mut Rng,
    pack: &[Card],
    alone: &mut CardSet,
    used: &mut Vec<CardSet>,
) -> Vec<CardSet> {
    let mut sets: Vec<CardSet> = Vec::new();
    for _ in 0..=draw(rng, 4) {
        let suit = (draw(rng, 2) == 0).then(|| one_of(rng, pack).suit());
        let cards = (0..=draw(rng, 4)).map(|_| one_of(rng, pack));
        let set: CardSet = cards.filter(|card| suit.is_none_or(|it| it == card.suit())).collect();
        if !set.is_empty() && !used.contains(&set) {
            if set.len() == 1 {
                *alone |= set;
            }
            used.push(set);
            sets.push(set);
        }
    }
    sets
}

/// A random game that the parser has read, and its file.
pub(crate) fn game(rng: &mut Rng) -> (Game, String) {
    let base = one_of(rng, &NAMES);
    game_of(base, rng)
}

/// A random game on this base, and its file.
pub(crate) fn game_of(base: &str, rng: &mut Rng) -> (Game, String) {
    let (text, players) = text(base, rng);
    let rules = Rules::from_toml(&text, "random rules")
        .unwrap_or_else(|error| panic!("{error}\nin valid rules:\n{text}"));
    (Game::new(rules, players).expect("a size that the rules allow"), text)
}
