//! Rules files: from TOML (or the JSON of a trace's `overrides`) to a [`Spec`] and back.
//!
//! Reading never stops at the first fault: each key that cannot be used is noted, its default
//! stands in for it, and the reader goes on.

use std::fs;
use std::ops::RangeInclusive;
use std::sync::LazyLock;

use serde_json::{Map, Value, json};

use super::{
    Bankroll, Cell, ChangeSuit, ClaimWhen, DeadHand, Exchange, Fault, Faults, FirstDealer,
    FirstLead, LayoutAnte, Leftover, LoadError, MAX_PLAYERS, OnBust, Remainder, Rules,
    SessionRules, Spec, Timing, plain,
};
use crate::card::{Aces, Card, Suit};
use crate::card_set::CardSet;

type Table = Map<String, Value>;

/// The named games, in the order of the rule book.
pub const NAMES: [&str; 15] = [
    "newmarket",
    "newmarket-buy",
    "hoyle-1885",
    "bazaar-1875",
    "newmarket-2011",
    "south-london",
    "michigan",
    "michigan-free-stakes",
    "michigan-widow",
    "michigan-auction",
    "michigan-one-suit",
    "four-horses",
    "saratoga",
    "chicago",
    "three-in-one",
];

/// Other names of named games.
const ALIASES: [(&str, &str); 4] = [
    ("boodle", "michigan"),
    ("stops", "michigan"),
    ("michigan-rummy", "three-in-one"),
    ("tripoley", "three-in-one"),
];

/// The one game with poker in it.
const THREE_IN_ONE: &str = "three-in-one";

/// The name of the pot of Three in One, which is the last cell.
pub const POT: &str = "pot";

/// The problem with a key that no rules file has.
const NO_KEY: &str = "is no key";

/// The greatest number of chips that a rules file may name: far above any table's, far below
/// where sums over a session could overflow.
const MOST_CHIPS: i64 = 1000;

static GAMES: LazyLock<Table> =
    LazyLock::new(|| toml::from_str(include_str!("games.toml")).expect("games.toml is TOML"));

/// Lays `changes` over `table`. The tables `dead_hand` and `session` are laid over key by key,
/// everything else is replaced whole.
fn overlay(table: &mut Table, changes: &Table) {
    for (key, value) in changes {
        match (key.as_str(), table.get_mut(key), value) {
            ("dead_hand" | "session", Some(Value::Object(old)), Value::Object(new)) => {
                old.extend(new.clone());
            }
            _ => {
                table.insert(key.clone(), value.clone());
            }
        }
    }
}

/// The keys that a fault of the whole, noted at this key, was judged by.
fn rests_on(key: &str) -> &'static [&'static str] {
    match key {
        "exchange" => &["exchange", "dead_hand", "cells", "kitty_ante", "kitty_to_winner"],
        "dead_hand.remainder" => &["dead_hand"],
        "cells" => &["cells", "aces", "ranks", "suits", "removed"],
        "players" => &["players", "aces", "ranks", "suits", "removed", "dead_hand"],
        "layout_ante" => &["layout_ante", "cells"],
        "cell_cap" => &["cell_cap"],
        "session.bankroll.chips.start" => &["session", "layout_ante", "cells", "kitty_ante"],
        _ => &["session", "players"],
    }
}

/// The complete table of a named game.
fn named_table(name: &'static str) -> Table {
    let of = |name: &str| GAMES[name].as_object().expect("games.toml holds tables");
    let mut table = of(NAMES[0]).clone();
    if name != NAMES[0] {
        overlay(&mut table, of(name));
    }
    table
}

fn canonical_name(name: &str) -> Option<&'static str> {
    let name = ALIASES.iter().find(|alias| alias.0 == name).map_or(name, |alias| alias.1);
    NAMES.into_iter().find(|&game| game == name)
}

impl Rules {
    /// A named game, or `None` if there is none of that name.
    pub fn named(name: &str) -> Option<Self> {
        let base = canonical_name(name)?;
        Some(Self::from_overrides(base, &Table::new()).expect("named games have no faults"))
    }

    /// A named game with changes: the `rules` and `overrides` of a trace.
    ///
    /// # Errors
    /// All faults at once.
    pub fn from_overrides(base: &str, overrides: &Table) -> Result<Self, Faults> {
        let mut changes = overrides.clone();
        changes.insert("base".into(), json!(base));
        Self::from_table(&changes)
    }

    /// The content of a rules file.
    ///
    /// # Errors
    /// The first fault of its syntax, or all faults of what it says. `path` names the source in
    /// the message.
    pub fn from_toml(text: &str, path: &str) -> Result<Self, LoadError> {
        let table: toml::Table = toml::from_str(text).map_err(|error| LoadError::Syntax {
            path: path.into(),
            problem: one_line(&error, text),
        })?;
        let Ok(Value::Object(table)) = serde_json::to_value(table) else {
            unreachable!("a TOML table is a JSON object")
        };
        Self::from_table(&table).map_err(|faults| LoadError::Faults { path: path.into(), faults })
    }

    /// A named game or the path of a rules file.
    ///
    /// # Errors
    /// If it is neither, or the file has faults.
    pub fn load(name_or_path: &str) -> Result<Self, LoadError> {
        if let Some(rules) = Self::named(name_or_path) {
            return Ok(rules);
        }
        let looks_like_path = name_or_path.contains(['/', '\\', '.']);
        match fs::read_to_string(name_or_path) {
            Ok(text) => Self::from_toml(&text, name_or_path),
            Err(error) if !looks_like_path && error.kind() == std::io::ErrorKind::NotFound => {
                Err(LoadError::Unknown { name: name_or_path.into() })
            }
            Err(source) => Err(LoadError::Io { path: name_or_path.into(), source }),
        }
    }

    fn from_table(changes: &Table) -> Result<Self, Faults> {
        let mut reader = Reader::default();
        let base = match changes.get("base") {
            Some(Value::String(name)) => canonical_name(name),
            _ => None,
        };
        if base.is_none() {
            let found = changes.get("base").map_or("is missing".into(), is);
            reader.fault("base", found, format!("one of {}", NAMES.join(", ")));
        }
        let base = base.unwrap_or(NAMES[0]);
        let mut table = named_table(base);
        for (key, value) in changes {
            if ["dead_hand", "session"].contains(&key.as_str()) && !value.is_object() {
                reader.fault(key, is(value), "a table".into());
            }
        }
        overlay(&mut table, changes);
        let spec = reader.spec(base, &mut table);
        // What cannot be read has a stand-in: nothing is to be said of how that fits the rest.
        let unread = |key: &&str| {
            let of_key = |fault: &Fault| fault.key.split('.').next() == Some(*key);
            reader.faults.iter().any(|fault| of_key(fault) && fault.problem != NO_KEY)
        };
        let of_the_whole: Vec<Fault> = spec
            .faults()
            .into_iter()
            .filter(|fault| !rests_on(&fault.key).iter().any(unread))
            .collect();
        reader.faults.extend(of_the_whole);
        if reader.faults.is_empty() { Ok(Self(spec)) } else { Err(Faults(reader.faults)) }
    }

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
    fn table(&self) -> Table {
        let card = |card: Card| card.notation(self.aces);
        let cell = |cell: &Cell| match cell.claiming_card().map(card) {
            Some(claiming) if claiming != cell.name => {
                json!({ "card": cell.name, "claimed_by": claiming })
            }
            _ => json!(cell.name),
        };
        let mut table = Table::new();
        let mut put = |key: &str, value: Value| table.insert(key.into(), value);
        put("players", json!([self.players.0, self.players.1]));
        put("aces", json!(word(&ACES, self.aces)));
        put("ranks", json!(self.ranks));
        put("suits", json!(self.suits));
        put("removed", json!(self.removed.notation(self.aces)));
        let spaces = self.cells.iter().filter(|cell| cell.name != POT);
        put("cells", spaces.map(cell).collect());
        put("kitty_ante", json!(self.kitty_ante));
        put(
            "layout_ante",
            match self.layout_ante {
                LayoutAnte::Fixed { each, dealer } => {
                    json!({ "fixed": { "each": each, "dealer": dealer } })
                }
                LayoutAnte::Free { chips, dealer_chips } => {
                    json!({ "free": { "chips": chips, "dealer_chips": dealer_chips } })
                }
            },
        );
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
        if let Some(when) = self.poker {
            put("claim_when", json!(word(&CLAIM_WHEN, when)));
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

    /// A complete rules file that says the same.
    pub fn to_toml(&self) -> String {
        let line = |(key, value): (&String, &Value)| format!("{key} = {}\n", inline(value));
        let mut table = self.table();
        let session = table.remove("session").expect("the table is complete");
        let name = self.name.as_ref().map(|name| format!("name = {}\n", inline(&json!(name))));
        [format!("base = {:?}\n", self.base), name.unwrap_or_default()]
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

/// The words of a choice, as the rules file spells them.
type Words<T, const N: usize> = [(&'static str, T); N];

const ACES: Words<Aces, 2> = [("low", Aces::Low), ("high", Aces::High)];
const TIMING: Words<Timing, 2> =
    [("before_deal", Timing::BeforeDeal), ("after_look", Timing::AfterLook)];
const DEAD_HAND: Words<DeadHand, 4> = [
    ("none", DeadHand::None),
    ("first", DeadHand::First),
    ("before_dealer", DeadHand::BeforeDealer),
    ("last", DeadHand::Last),
];
const REMAINDER: Words<Remainder, 2> =
    [("rotation", Remainder::Rotation), ("dead_hand", Remainder::DeadHand)];
const CHANGE_SUIT: Words<ChangeSuit, 4> = [
    ("free", ChangeSuit::Free),
    ("else_same", ChangeSuit::ElseSame),
    ("else_pass", ChangeSuit::ElsePass),
    ("other_colour", ChangeSuit::OtherColour),
];
const CLAIM_WHEN: Words<ClaimWhen, 2> = [("held", ClaimWhen::Held), ("played", ClaimWhen::Played)];
const ON_BUST: Words<OnBust, 3> = [
    ("end_session", OnBust::EndSession),
    ("eliminate", OnBust::Eliminate),
    ("rebuy", OnBust::Rebuy),
];
const LEFTOVER: Words<Leftover, 3> =
    [("stay", Leftover::Stay), ("lot", Leftover::Lot), ("richest", Leftover::Richest)];

/// The word of a value.
fn word<T: Copy + PartialEq, const N: usize>(words: &Words<T, N>, value: T) -> &'static str {
    words.iter().find(|word| word.1 == value).expect("the words are complete").0
}

/// Joins a TOML error, which has a drawing of the place, into one line.
fn one_line(error: &toml::de::Error, text: &str) -> String {
    let place = error.span().map_or(String::new(), |span| {
        let line = text[..span.start.min(text.len())].matches('\n').count() + 1;
        format!("line {line}: ")
    });
    format!("{place}{}", plain(&error.message().replace('\n', " ")))
}

/// `is "sideways"`: the problem with a value of the wrong kind.
fn is(value: &Value) -> String {
    let mut text = value.to_string();
    if text.chars().count() > 60 {
        text = text.chars().take(60).chain(['…']).collect();
    }
    format!("is {text}")
}

/// Reads fields, notes faults, goes on with a stand-in.
#[derive(Default)]
struct Reader {
    faults: Vec<Fault>,
}

impl Reader {
    fn fault(&mut self, key: &str, problem: String, expected: String) {
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
        let expected = words.map(|word| word.0).join(" or ");
        self.wrong(key, value, &expected, words[0].1)
    }

    fn card(&mut self, key: &str, value: &Value, aces: Aces) -> Card {
        value.as_str().and_then(|text| Card::parse(text, aces)).unwrap_or_else(|| {
            self.wrong(key, value, "a card, as \"QC\"", Card::new(Suit::Clubs, 0))
        })
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
                .map(|(name, fields)| format!("{{ {name} = {{ {} }} }}", fields.join(", ")))
                .collect();
            self.fault(key, is(value), format!("{also}{}", forms.join(" or ")));
        }
        found
    }

    /// Takes the fields of a complete table (a named game's, with changes laid over it).
    fn spec(&mut self, base: &'static str, table: &mut Table) -> Spec {
        table.remove("base");
        let mut take = |key: &str| table.remove(key);
        let name = take("name").map(|value| match value {
            Value::String(name) => name,
            other => self.wrong("name", &other, "a text", String::new()),
        });
        let cap = take("cell_cap")
            .map(|value| self.int("cell_cap", &value, 1..=MOST_CHIPS * MOST_CHIPS) as i32);
        let poker = take("claim_when").and_then(|value| {
            if base == THREE_IN_ONE {
                return Some(self.word("claim_when", &value, &CLAIM_WHEN));
            }
            // The rest is not judged as if this made it a game with poker.
            let expected = "it left out, or base = \"three-in-one\"".into();
            self.fault("claim_when", "belongs to Three in One".into(), expected);
            None
        });
        let mut take = |key: &str| take(key).expect("a named game's table is complete");
        let aces = self.word("aces", &take("aces"), &ACES);
        let mut dead_hand = take("dead_hand");
        let mut session = take("session");
        let spec = Spec {
            base,
            name,
            players: self.players(&take("players")),
            aces,
            ranks: self.int_or("ranks", &take("ranks"), 1..=13, 13) as usize,
            suits: self.int_or("suits", &take("suits"), 1..=4, 4) as usize,
            removed: self
                .list("removed", &take("removed"))
                .iter()
                .map(|value| self.card("removed", value, aces))
                .collect(),
            cells: self.cells(base, &take("cells"), aces),
            kitty_ante: self.chips("kitty_ante", &take("kitty_ante")),
            layout_ante: self.layout_ante(&take("layout_ante")),
            cell_cap: cap,
            timing: self.word("timing", &take("timing"), &TIMING),
            dead_hand: {
                let value = Self::field("dead_hand", &mut dead_hand, "position");
                self.word("dead_hand.position", &value, &DEAD_HAND)
            },
            remainder: {
                let value = Self::field("dead_hand", &mut dead_hand, "remainder");
                self.word("dead_hand.remainder", &value, &REMAINDER)
            },
            exchange: self.exchange(&take("exchange")),
            first_lead: self.first_lead(base, &take("first_lead")),
            change_suit: self.word("change_suit", &take("change_suit"), &CHANGE_SUIT),
            kitty_to_winner: self.bool("kitty_to_winner", &take("kitty_to_winner")),
            per_card: self.chips("per_card", &take("per_card")),
            poker,
            session: self.session(&mut session),
        };
        self.no_more("", table);
        for (key, rest) in [("dead_hand.", dead_hand), ("session.", session)] {
            self.no_more(key, rest.as_object().unwrap_or(&Table::new()));
        }
        spec
    }

    /// Takes a field of a table that the named game completes; a table of the wrong kind has
    /// been noted already.
    fn field(table: &str, value: &mut Value, key: &str) -> Value {
        let fallback = || named_table(NAMES[0])[table][key].clone();
        value.as_object_mut().and_then(|fields| fields.remove(key)).unwrap_or_else(fallback)
    }

    /// Whatever is left over is not a field.
    fn no_more(&mut self, prefix: &str, table: &Table) {
        const KEYS: [&str; 20] = [
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
            "claim_when",
            "session",
        ];
        for key in table.keys() {
            let full = format!("{prefix}{key}");
            match (prefix, key.as_str()) {
                ("dead_hand.", _) => {
                    self.fault(&full, NO_KEY.into(), "position or remainder".into());
                }
                ("session.", _) => {
                    let keys = "deals, bankroll, leftover or first_dealer";
                    self.fault(&full, NO_KEY.into(), keys.into());
                }
                _ => self.fault(&full, NO_KEY.into(), format!("one of {}", KEYS.join(", "))),
            }
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

    /// The layout; that of Three in One is fixed, and the pot belongs to it.
    fn cells(&mut self, base: &str, value: &Value, aces: Aces) -> Vec<Cell> {
        if base != THREE_IN_ONE {
            let cells = self.list("cells", value).iter();
            return cells.map(|cell| self.cell(cell, aces)).collect();
        }
        let spaces = &GAMES[THREE_IN_ONE]["cells"];
        if value != spaces {
            self.wrong("cells", value, &format!("it left out, or {spaces}"), ());
        }
        let cards = |text: &str| -> CardSet {
            text.split(' ').map(|card| Card::parse(card, aces).expect("a card")).collect()
        };
        let claimed_by = |name: &str| match name {
            "KQ" => vec![cards("KH QH")],
            "RUN" => Suit::ALL
                .map(|suit| {
                    cards(&["8", "9", "T"].map(|r| format!("{r}{}", suit.letter())).join(" "))
                })
                .to_vec(),
            card => vec![cards(card)],
        };
        let names = spaces.as_array().expect("a list").iter().filter_map(Value::as_str);
        names
            .map(|name| Cell { name: name.into(), claimed_by: claimed_by(name) })
            .chain([Cell { name: POT.into(), claimed_by: Vec::new() }])
            .collect()
    }

    fn cell(&mut self, value: &Value, aces: Aces) -> Cell {
        let (card, claimed_by) = match value {
            Value::Object(fields) if fields.len() == 2 => {
                match (fields.get("card"), fields.get("claimed_by")) {
                    (Some(card), Some(claimed_by)) => (card, claimed_by),
                    _ => (value, value),
                }
            }
            plain => (plain, plain),
        };
        if card.is_object() {
            self.fault("cells", is(value), "a card or { card, claimed_by }".into());
        }
        let stand_in = json!("2C");
        let card = if card.is_object() { &stand_in } else { card };
        let claimed_by = if claimed_by.is_object() { &stand_in } else { claimed_by };
        let own = self.card("cells", card, aces);
        let claiming = if card == claimed_by { own } else { self.card("cells", claimed_by, aces) };
        Cell { name: own.notation(aces), claimed_by: vec![CardSet::of(claiming)] }
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

    fn first_lead(&mut self, base: &str, value: &Value) -> FirstLead {
        match value.as_str() {
            Some("eldest") => return FirstLead::Eldest,
            Some("poker_winner") if base == THREE_IN_ONE => return FirstLead::PokerWinner,
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
                "\"eldest\" or { lowest_of = \"clubs\" } (or another suit); \
                 \"poker_winner\" belongs to Three in One",
                FirstLead::Eldest,
            ),
        }
    }

    fn session(&mut self, session: &mut Value) -> SessionRules {
        let deals = Self::field("session", session, "deals");
        let bankroll = Self::field("session", session, "bankroll");
        let leftover = Self::field("session", session, "leftover");
        let dealer = Self::field("session", session, "first_dealer");
        SessionRules {
            deals: self.int("session.deals", &deals, 1..=1_000_000) as u32,
            bankroll: self.bankroll(&bankroll),
            leftover: self.word("session.leftover", &leftover, &LEFTOVER),
            first_dealer: match dealer.as_str() {
                Some("cut") => FirstDealer::Cut,
                Some("first_jack") => FirstDealer::FirstJack,
                _ => match dealer.as_u64().filter(|&seat| seat < MAX_PLAYERS as u64) {
                    Some(seat) => FirstDealer::Seat(seat as usize),
                    None => self.wrong(
                        "session.first_dealer",
                        &dealer,
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
