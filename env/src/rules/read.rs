//! Reads the fields of a rules file, one by one.
//!
//! Reading never stops at the first fault: each key that cannot be used is noted, its default
//! stands in for it, and the reader goes on.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use core::ops::RangeInclusive;

use serde_json::{Value, json};

use super::cells::base_cells;
use super::file::{Table, games, named_table};
use super::words::{
    ACES, CHANGE_SUIT, CLAIM_WHEN, DEAD_HAND, LEFTOVER, ON_BUST, REMAINDER, STAGES, TIMING, Words,
};
use super::{
    Bankroll, Cell, Exchange, Fault, Faults, FirstDealer, FirstLead, LayoutAnte, MAX_PLAYERS,
    NAMES, SessionRules, Spec, Stage,
};
use crate::card::{Aces, Card, Suit};
use crate::text::Joined as _;

/// The problem with a key that no rules file has.
pub(super) const NO_KEY: &str = "is no key";

/// The greatest number of chips that a rules file may name: far above any table's.
const MOST_CHIPS: i64 = 1000;

/// `is "sideways"`: the problem with a value of the wrong kind.
pub(super) fn is(value: &Value) -> String {
    let mut text = serde_json::to_string(value).expect("a value is JSON");
    if text.chars().count() > 60 {
        text = text.chars().take(60).chain(['…']).collect();
    }
    format!("is {text}")
}

/// The stages of a named game.
pub(super) fn base_stages(base: &'static str) -> Vec<Stage> {
    Reader::default().stages(base, &named_table(base)["stages"], None)
}

/// Whether `claim_when` says which of these stages of the base are played.
pub(super) fn has_claim_when(stages: &[Stage]) -> bool {
    [Stage::Collect, Stage::Poker].iter().all(|stage| stages.contains(stage))
}

/// Reads fields, notes faults, goes on with a stand-in.
#[derive(Default)]
pub(super) struct Reader {
    pub(super) faults: Faults,
    /// The keys of the whole file that could not be read.
    pub(super) unread: Vec<String>,
}

impl Reader {
    pub(super) fn fault(&mut self, key: &str, problem: String, expected: String) {
        if problem != NO_KEY {
            let whole = key.split('.').next().unwrap_or(key);
            if !self.unread.iter().any(|key| key == whole) {
                self.unread.push(whole.into());
            }
        }
        self.faults.push(Fault { key: key.into(), problem, expected });
    }

    fn wrong<T>(&mut self, key: &str, value: &Value, expected: &str, stand_in: T) -> T {
        self.fault(key, is(value), expected.into());
        stand_in
    }

    fn int(&mut self, key: &str, value: &Value, range: RangeInclusive<i64>) -> i64 {
        let least = *range.start();
        self.int_or(key, value, range, least)
    }

    /// A number with a stand-in that causes no further faults.
    fn int_or(
        &mut self,
        key: &str,
        value: &Value,
        range: RangeInclusive<i64>,
        stand_in: i64,
    ) -> i64 {
        match value.as_i64() {
            Some(number) if range.contains(&number) => number,
            _ => {
                let expected = format!("a whole number, {} to {}", range.start(), range.end());
                self.wrong(key, value, &expected, stand_in)
            }
        }
    }

    fn chips(&mut self, key: &str, value: &Value) -> i32 {
        self.int(key, value, 0..=MOST_CHIPS) as i32
    }

    fn bool(&mut self, key: &str, value: &Value) -> bool {
        value.as_bool().unwrap_or_else(|| self.wrong(key, value, "true or false", false))
    }

    fn word<T: Copy, const N: usize>(
        &mut self,
        key: &str,
        value: &Value,
        words: &Words<T, N>,
    ) -> T {
        let found = words.iter().find(|word| value.as_str() == Some(word.0));
        if let Some(word) = found {
            return word.1;
        }
        let expected = words.map(|word| word.0).joined(" or ");
        self.wrong(key, value, &expected, words[0].1)
    }

    fn card(&mut self, key: &str, value: &Value, aces: Aces) -> Card {
        value
            .as_str()
            .and_then(|text| Card::parse(text, aces))
            .unwrap_or_else(|| self.wrong(key, value, "a card, as \"QC\"", Card::ALL[0]))
    }

    /// A choice with figures, `{ name = { field = n, … } }`. All fields must be there.
    fn choice<'v>(
        &mut self,
        key: &str,
        value: &'v Value,
        choices: &[(&'static str, &[&str])],
        also: &str,
    ) -> Option<(&'static str, Vec<&'v Value>)> {
        let found = value.as_object().filter(|table| table.len() == 1).and_then(|table| {
            let (name, fields) = table.iter().next()?;
            let (name, wanted) = choices.iter().find(|choice| choice.0 == name)?;
            let fields = fields.as_object().filter(|fields| fields.len() == wanted.len())?;
            let values = wanted.iter().map(|&field| fields.get(field)).collect::<Option<_>>()?;
            Some((*name, values))
        });
        if found.is_none() {
            let forms: Vec<String> = choices
                .iter()
                .map(|(name, fields)| format!("{{ {name} = {{ {} }} }}", fields.joined(", ")))
                .collect();
            self.fault(key, is(value), format!("{also}{}", forms.joined(" or ")));
        }
        found
    }

    /// Reads the fields of a complete table (a named game's, with changes laid over it).
    pub(super) fn spec(
        &mut self,
        base: &'static str,
        table: &Table,
        claim_when: Option<&Value>,
    ) -> Spec {
        let name = table.get("name").map(|value| match value {
            Value::String(name) => name.clone(),
            other => self.wrong("name", other, "a text", String::new()),
        });
        let cap = table
            .get("cell_cap")
            .map(|value| self.int("cell_cap", value, 1..=MOST_CHIPS * MOST_CHIPS) as i32);
        // A named game's table is complete.
        let at = |key: &str| &table[key];
        let stages = self.stages(base, at("stages"), claim_when);
        let aces = self.word("aces", at("aces"), &ACES);
        let (dead_hand, session) = (at("dead_hand"), at("session"));
        let spec = Spec {
            base,
            name,
            players: self.players(at("players")),
            aces,
            ranks: self.int_or("ranks", at("ranks"), 1..=13, 13) as usize,
            suits: self.int_or("suits", at("suits"), 1..=4, 4) as usize,
            removed: self
                .list("removed", at("removed"))
                .iter()
                .map(|value| self.card("removed", value, aces))
                .collect(),
            cells: self.cells(base, at("cells"), aces, stages.contains(&Stage::Poker)),
            kitty_ante: self.chips("kitty_ante", at("kitty_ante")),
            layout_ante: self.layout_ante(at("layout_ante")),
            cell_cap: cap,
            timing: self.word("timing", at("timing"), &TIMING),
            dead_hand: {
                let value = Self::field("dead_hand", dead_hand, "position");
                self.word("dead_hand.position", value, &DEAD_HAND)
            },
            remainder: {
                let value = Self::field("dead_hand", dead_hand, "remainder");
                self.word("dead_hand.remainder", value, &REMAINDER)
            },
            exchange: self.exchange(at("exchange")),
            first_lead: self.first_lead(at("first_lead")),
            change_suit: self.word("change_suit", at("change_suit"), &CHANGE_SUIT),
            kitty_to_winner: self.bool("kitty_to_winner", at("kitty_to_winner")),
            per_card: self.chips("per_card", at("per_card")),
            stages,
            session: self.session(session),
        };
        self.no_more("", table);
        for (key, rest) in [("dead_hand.", dead_hand), ("session.", session)] {
            self.no_more(key, rest.as_object().unwrap_or(&Table::new()));
        }
        spec
    }

    /// A field of a table that the named game completes; a table of the wrong kind has been noted
    /// already.
    fn field<'v>(table: &str, value: &'v Value, key: &str) -> &'v Value {
        value.get(key).unwrap_or_else(|| &games()[NAMES[0]][table][key])
    }

    /// Any other key is none.
    fn no_more(&mut self, prefix: &str, table: &Table) {
        const KEYS: [&str; 21] = [
            "base",
            "name",
            "players",
            "aces",
            "ranks",
            "suits",
            "removed",
            "cells",
            "kitty_ante",
            "layout_ante",
            "cell_cap",
            "timing",
            "dead_hand",
            "exchange",
            "first_lead",
            "change_suit",
            "kitty_to_winner",
            "per_card",
            "stages",
            "claim_when",
            "session",
        ];
        const DEAD_HAND_KEYS: [&str; 2] = ["position", "remainder"];
        const SESSION_KEYS: [&str; 4] = ["deals", "bankroll", "leftover", "first_dealer"];
        let (keys, expected): (&[&str], _) = match prefix {
            "dead_hand." => (&DEAD_HAND_KEYS, "position or remainder".into()),
            "session." => (&SESSION_KEYS, "deals, bankroll, leftover or first_dealer".into()),
            _ => (&KEYS, format!("one of {}", KEYS.joined(", "))),
        };
        for key in table.keys().filter(|key| !keys.contains(&key.as_str())) {
            self.fault(&format!("{prefix}{key}"), NO_KEY.into(), expected.clone());
        }
    }

    fn list<'v>(&mut self, key: &str, value: &'v Value) -> &'v [Value] {
        match value {
            Value::Array(items) => items,
            other => self.wrong(key, other, "a list", &[]),
        }
    }

    fn players(&mut self, value: &Value) -> (usize, usize) {
        let number = |value: &Value| {
            value.as_u64().map(|n| n as usize).filter(|n| (2..=MAX_PLAYERS).contains(n))
        };
        match value.as_array().map(|range| range.iter().map(number).collect::<Option<Vec<_>>>()) {
            Some(Some(range)) if range.len() == 2 && range[0] <= range[1] => (range[0], range[1]),
            _ => self.wrong("players", value, "[least, most] within [2, 8]", (2, MAX_PLAYERS)),
        }
    }

    /// The stages; `claim_when` stands for those of the base, with or without the first.
    fn stages(
        &mut self,
        base: &'static str,
        value: &Value,
        claim_when: Option<&Value>,
    ) -> Vec<Stage> {
        let words = self.list("stages", value).iter();
        let mut stages: Vec<Stage> = words.map(|word| self.word("stages", word, &STAGES)).collect();
        match claim_when {
            Some(value) if has_claim_when(&base_stages(base)) => {
                let held = self.word("claim_when", value, &CLAIM_WHEN);
                stages.retain(|&stage| held || stage != Stage::Collect);
            }
            Some(_) => {
                let problem = "needs a base with the stages \"collect\" and \"poker\"".into();
                self.fault("claim_when", problem, "it left out, or `stages`".into());
            }
            None => {}
        }
        stages
    }

    /// The layout. The pot of the base is its last cell where poker is played, and is not there
    /// where it is not, whether or not the list names it.
    fn cells(&mut self, base: &'static str, value: &Value, aces: Aces, poker: bool) -> Vec<Cell> {
        let own = base_cells(base, aces);
        let pot = own.iter().find(|cell| cell.is_pot());
        let is_own = *value == named_table(base)["cells"];
        let items = self.list("cells", value).iter();
        let mut cells: Vec<Cell> = items.map(|item| self.cell(item, &own, aces)).collect();
        if is_own && !poker {
            cells.retain(|cell| !cell.is_pot());
        }
        if poker && !cells.iter().any(Cell::is_pot) {
            cells.extend(pot.cloned());
        }
        cells
    }
    fn layout_ante(&mut self, value: &Value) -> LayoutAnte {
        let forms: [(&str, &[&str]); 2] =
            [("fixed", &["each", "dealer"]), ("free", &["chips", "dealer_chips"])];
        let figure = |reader: &mut Self, key: &str, value| {
            reader.chips(&format!("layout_ante.{key}"), value)
        };
        match self.choice("layout_ante", value, &forms, "") {
            Some(("fixed", fields)) => LayoutAnte::Fixed {
                each: figure(self, "fixed.each", fields[0]),
                dealer: figure(self, "fixed.dealer", fields[1]),
            },
            Some((_, fields)) => LayoutAnte::Free {
                chips: figure(self, "free.chips", fields[0]),
                dealer_chips: figure(self, "free.dealer_chips", fields[1]),
            },
            None => LayoutAnte::Fixed { each: 0, dealer: 0 },
        }
    }

    fn exchange(&mut self, value: &Value) -> Exchange {
        if value.as_str() == Some("none") {
            return Exchange::None;
        }
        // `max_bid` alone has a default.
        let auction = json!({ "dealer_exchange_or_auction": { "max_bid": 20 } });
        let short = json!({ "dealer_exchange_or_auction": {} });
        let value = if *value == short { &auction } else { value };
        let forms: [(&str, &[&str]); 3] = [
            ("dealer_exchange", &["fee"]),
            ("dealer_exchange_or_auction", &["max_bid"]),
            ("offer_chain", &["price"]),
        ];
        match self.choice("exchange", value, &forms, "\"none\" or ") {
            Some(("dealer_exchange", fields)) => {
                Exchange::Dealer { fee: self.chips("exchange.dealer_exchange.fee", fields[0]) }
            }
            Some(("offer_chain", fields)) => {
                Exchange::OfferChain { price: self.chips("exchange.offer_chain.price", fields[0]) }
            }
            Some((_, fields)) => {
                let key = "exchange.dealer_exchange_or_auction.max_bid";
                Exchange::DealerOrAuction {
                    max_bid: self.int(key, fields[0], 1..=MOST_CHIPS) as i32,
                }
            }
            None => Exchange::None,
        }
    }

    fn first_lead(&mut self, value: &Value) -> FirstLead {
        match value.as_str() {
            Some("eldest") => return FirstLead::Eldest,
            Some("poker_winner") => return FirstLead::PokerWinner,
            _ => {}
        }
        let suit = value
            .as_object()
            .filter(|table| table.len() == 1)
            .and_then(|table| table.get("lowest_of")?.as_str())
            .and_then(|name| Suit::ALL.into_iter().find(|suit| suit.name() == name));
        match suit {
            Some(suit) => FirstLead::LowestOf(suit),
            None => self.wrong(
                "first_lead",
                value,
                "\"eldest\", \"poker_winner\" or { lowest_of = \"clubs\" } (or another suit)",
                FirstLead::Eldest,
            ),
        }
    }

    fn session(&mut self, session: &Value) -> SessionRules {
        let deals = Self::field("session", session, "deals");
        let bankroll = Self::field("session", session, "bankroll");
        let leftover = Self::field("session", session, "leftover");
        let dealer = Self::field("session", session, "first_dealer");
        SessionRules {
            deals: self.int("session.deals", deals, 1..=1_000_000) as u32,
            bankroll: self.bankroll(bankroll),
            leftover: self.word("session.leftover", leftover, &LEFTOVER),
            first_dealer: match dealer.as_str() {
                Some("cut") => FirstDealer::Cut,
                Some("first_jack") => FirstDealer::FirstJack,
                _ => match dealer.as_u64().filter(|&seat| seat < MAX_PLAYERS as u64) {
                    Some(seat) => FirstDealer::Seat(seat as usize),
                    None => self.wrong(
                        "session.first_dealer",
                        dealer,
                        "\"cut\", \"first_jack\" or a seat, 0 to 7",
                        FirstDealer::Cut,
                    ),
                },
            },
        }
    }

    fn bankroll(&mut self, value: &Value) -> Bankroll {
        if value.as_str() == Some("credit") {
            return Bankroll::Credit;
        }
        let forms: [(&str, &[&str]); 1] = [("chips", &["start", "on_bust"])];
        match self.choice("session.bankroll", value, &forms, "\"credit\" or ") {
            Some((_, fields)) => Bankroll::Chips {
                start: self.int_or(
                    "session.bankroll.chips.start",
                    fields[0],
                    1..=1_000_000,
                    1_000_000,
                ) as i32,
                on_bust: self.word("session.bankroll.chips.on_bust", fields[1], &ON_BUST),
            },
            None => Bankroll::Credit,
        }
    }
}
