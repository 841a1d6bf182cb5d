//! Rules as a rules file, or the `overrides` of a trace, says them.

use alloc::format;
use alloc::string::String;
use alloc::string::ToString;
use alloc::vec::Vec;

use serde_json::{Value, json};

use super::cells::base_cells;
use super::file::Table;
use super::read::{base_stages, has_claim_when};
use super::words::{
    ACES, CHANGE_SUIT, CLAIM_WHEN, DEAD_HAND, LEFTOVER, ON_BUST, REMAINDER, STAGES, TIMING, word,
};
use super::{Bankroll, Exchange, FirstDealer, FirstLead, LayoutAnte, Rules, Stage};

impl Rules {
    /// The fields in which these rules differ from the named game that they extend, with the
    /// names and values of the rules file: the `overrides` of a trace.
    pub fn overrides(&self) -> Table {
        let base = Self::named(self.base).expect("the base is a named game").table();
        let mut overrides = Table::new();
        for (key, value) in self.table() {
            let difference = match (&value, &base.get(&key)) {
                (Value::Object(new), Some(Value::Object(old)))
                    if ["dead_hand", "session"].contains(&key.as_str()) =>
                {
                    let changed = |(k, v): &(&String, &Value)| old.get(*k) != Some(v);
                    let fields: Table = new
                        .iter()
                        .filter(changed)
                        .map(|(key, value)| (key.clone(), value.clone()))
                        .collect();
                    (!fields.is_empty()).then_some(Value::Object(fields))
                }
                (new, Some(old)) if new == *old => None,
                _ => Some(value),
            };
            if let Some(difference) = difference {
                overrides.insert(key, difference);
            }
        }
        overrides
    }

    /// All fields, in the order of the rules file; `base` and `name` are not among them.
    pub(super) fn table(&self) -> Table {
        let mut table = Table::new();
        let mut put = |key: &str, value: Value| table.insert(key.into(), value);
        put("players", json!([self.players.0, self.players.1]));
        put("aces", json!(word(&ACES, self.aces)));
        put("ranks", json!(self.ranks));
        put("suits", json!(self.suits));
        put("removed", json!(self.removed.notation(self.aces)));
        put("cells", self.cell_values());
        put("kitty_ante", json!(self.kitty_ante));
        put("layout_ante", self.layout_ante.value());
        if let Some(cap) = self.cell_cap {
            put("cell_cap", json!(cap));
        }
        put("timing", json!(word(&TIMING, self.timing)));
        put(
            "dead_hand",
            json!({
                "position": word(&DEAD_HAND, self.dead_hand),
                "remainder": word(&REMAINDER, self.remainder),
            }),
        );
        put(
            "exchange",
            match self.exchange {
                Exchange::None => json!("none"),
                Exchange::Dealer { fee } => json!({ "dealer_exchange": { "fee": fee } }),
                Exchange::DealerOrAuction { max_bid } => {
                    json!({ "dealer_exchange_or_auction": { "max_bid": max_bid } })
                }
                Exchange::OfferChain { price } => json!({ "offer_chain": { "price": price } }),
            },
        );
        put(
            "first_lead",
            match self.first_lead {
                FirstLead::Eldest => json!("eldest"),
                FirstLead::LowestOf(suit) => json!({ "lowest_of": suit.name() }),
                FirstLead::PokerWinner => json!("poker_winner"),
            },
        );
        put("change_suit", json!(word(&CHANGE_SUIT, self.change_suit)));
        put("kitty_to_winner", json!(self.kitty_to_winner));
        put("per_card", json!(self.per_card));
        let (key, value) = self.stage_values();
        if self.stages != base_stages(self.base) || !self.stages.is_empty() {
            put(key, value);
        }
        put(
            "session",
            json!({
                "deals": self.session.deals,
                "bankroll": self.session.bankroll.value(),
                "leftover": word(&LEFTOVER, self.session.leftover),
                "first_dealer": match self.session.first_dealer {
                    FirstDealer::Cut => json!("cut"),
                    FirstDealer::FirstJack => json!("first_jack"),
                    FirstDealer::Seat(seat) => json!(seat),
                },
            }),
        );
        table
    }

    /// The cells; the pot of the base is understood where it comes last.
    fn cell_values(&self) -> Value {
        let own = base_cells(self.base, self.aces);
        let cells = match self.cells.split_last() {
            Some((pot, cells)) if pot.is_pot() && own.contains(pot) => cells,
            _ => &self.cells,
        };
        cells.iter().map(|cell| cell.value(&own, self.aces)).collect()
    }

    /// The stages, by `claim_when` where that can tell them.
    fn stage_values(&self) -> (&'static str, Value) {
        let mut stages = base_stages(self.base);
        if has_claim_when(&stages) {
            for held in [true, false] {
                stages.retain(|&stage| held || stage != Stage::Collect);
                if stages == self.stages {
                    return ("claim_when", json!(word(&CLAIM_WHEN, held)));
                }
            }
        }
        let words = self.stages.iter().map(|&stage| json!(word(&STAGES, stage)));
        ("stages", words.collect())
    }

    /// A complete rules file that says the same.
    pub fn to_toml(&self) -> String {
        let line = |(key, value): (&String, &Value)| format!("{key} = {}\n", inline(value));
        let mut table = self.table();
        let session = table.remove("session").expect("the table is complete");
        let name = self.name.as_ref().map(|name| format!("name = {}\n", inline(&json!(name))));
        [format!("base = \"{}\"\n", self.base), name.unwrap_or_default()]
            .into_iter()
            .chain(table.iter().map(line))
            .chain(["\n[session]\n".into()])
            .chain(session.as_object().expect("session is a table").iter().map(line))
            .collect()
    }

    /// What to call the rules in a sentence or a table: their own name, else the named game's.
    pub fn title(&self) -> &str {
        self.name.as_deref().unwrap_or(self.base)
    }
}

impl LayoutAnte {
    /// The value as rules files write it.
    pub(super) fn value(self) -> Value {
        match self {
            Self::Fixed { each, dealer } => json!({ "fixed": { "each": each, "dealer": dealer } }),
            Self::Free { chips, dealer_chips } => {
                json!({ "free": { "chips": chips, "dealer_chips": dealer_chips } })
            }
        }
    }
}

impl Bankroll {
    /// The value as rules files and traces write it.
    pub fn value(self) -> Value {
        match self {
            Self::Credit => json!("credit"),
            Self::Chips { start, on_bust } => {
                json!({ "chips": { "start": start, "on_bust": word(&ON_BUST, on_bust) } })
            }
        }
    }
}

/// A value in TOML, tables inline.
fn inline(value: &Value) -> String {
    match value {
        Value::Array(items) => {
            format!("[{}]", items.iter().map(inline).collect::<Vec<_>>().join(", "))
        }
        Value::Object(fields) => {
            let fields: Vec<String> =
                fields.iter().map(|(key, value)| format!("{key} = {}", inline(value))).collect();
            format!("{{ {} }}", fields.join(", "))
        }
        // JSON's strings, numbers and booleans are TOML's, but that TOML wants DEL escaped.
        simple => simple.to_string().replace('\u{7f}', "\\u007f"),
    }
}
