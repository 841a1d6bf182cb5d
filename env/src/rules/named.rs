//! The named games.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use once_cell::race::OnceBox;
use serde_json::{Map, Value};

use super::Stage;
use super::options::STAGES;

/// A rules file as JSON, by key.
pub(super) type Table = Map<String, Value>;

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

/// Named rule sets that are no games of the rule book: variants of one, which tables, encodings and frozen counts of the
/// games do not have.
pub const RULE_SETS: [&str; 1] = ["newmarket-after-look"];

/// The rules file of a rule set.
pub(super) fn rule_set(name: &str) -> Option<Table> {
    let name = *RULE_SETS.iter().find(|&&set| set == name)?;
    let entries = [("base", NAMES[0]), ("name", name), ("timing", "after_look")];
    Some(entries.into_iter().map(|(key, value)| (key.into(), value.into())).collect())
}

/// The tables of `games.toml`. They are read from `games.json`, so that the page needs no parser for
/// TOML.
pub(super) fn games() -> &'static Table {
    static GAMES: OnceBox<Table> = OnceBox::new();
    GAMES.get_or_init(|| match serde_json::from_slice(include_bytes!("games.json")) {
        Ok(Value::Object(games)) => Box::new(games),
        _ => unreachable!("games.json is a JSON object"),
    })
}

/// The value at a key. A dot in the key separates the name of a table and the key in the table.
pub(super) fn lookup<'t>(table: &'t Table, key: &str) -> Option<&'t Value> {
    match key.split_once('.') {
        Some((inner, key)) => table.get(inner)?.get(key),
        None => table.get(key),
    }
}

/// The value of a named game at a key: its own value, or the value of `newmarket`.
pub(super) fn named_value(name: &str, key: &str) -> Option<&'static Value> {
    [name, NAMES[0]].iter().find_map(|name| lookup(games()[*name].as_object()?, key))
}

/// The stages of a named game.
pub(super) fn base_stages(base: &str) -> Vec<Stage> {
    let words = named_value(base, "stages").and_then(Value::as_array).into_iter().flatten();
    let stage = |word: &Value| STAGES.iter().position(|form| form.value([0, 0]) == *word);
    words.filter_map(stage).map(|nth| [Stage::Collect, Stage::Poker][nth]).collect()
}

pub(super) fn canonical_name(name: &str) -> Option<&'static str> {
    let name = ALIASES.iter().find(|alias| alias.0 == name).map_or(name, |alias| alias.1);
    NAMES.into_iter().find(|&game| game == name)
}
