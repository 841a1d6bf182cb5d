//! Names with control and format characters: whatever is called JSON or TOML has them as they were given.

use newmarket_env::Rng;
use serde_json::{Map, Value, json};

use crate::attempt::Attempt;
use crate::common::{draw, one_in, one_of};
use crate::hostile::{NAME_PARTS, WORDS};
use crate::program::Call;
use crate::verdict::{Failure, Fault, demand};

/// Commands that play by the rules of `@`, and tell their result as one JSON object.
const RESULTS: [&[&str]; 4] = [
    &["duel", "random", "longest", "--rules", "@", "--deals", "2", "--json"],
    &["ladder", "random", "longest", "--rules", "@", "--deals", "20", "--json"],
    &["study", "lead", "--rules", "@", "--deals", "100", "--json"],
    &["exploit", "longest", "--rules", "@", "--players", "2", "--max-states", "2000", "--json"],
];

/// A name of several parts, most of which order a terminal, or cannot be seen.
fn name(rng: &mut Rng) -> String {
    let part = |rng: &mut Rng| match draw(rng, 3) {
        0 => one_of(rng, &WORDS).to_owned(),
        1 => one_of(rng, NAME_PARTS).to_owned(),
        _ => char::from_u32(draw(rng, 0x2100) as u32).map_or_else(String::new, String::from),
    };
    (0..=draw(rng, 4)).map(|_| part(rng)).collect()
}

pub(crate) fn law(attempt: &mut Attempt<'_>) -> Result<(), Failure> {
    match draw(&mut attempt.rng, 4) {
        0 => engine(attempt),
        1 => rules_file(attempt),
        2 => strategy(attempt),
        _ => result(attempt),
    }
}

/// A string in TOML and in JSON.
fn quoted(name: &str) -> String {
    Value::from(name).to_string().replace('\u{7f}', "\\u007f")
}

/// Writes a rules file of this name, perhaps with a byte order mark.
fn write_rules(attempt: &mut Attempt<'_>, name: &str) {
    let mark = if one_in(&mut attempt.rng, 2) { "\u{feff}" } else { "" };
    let small = "ranks = 3\nsuits = 2\nplayers = [2, 4]\ncells = [\"2C\"]";
    let rules = format!("{mark}base = \"michigan\"\nname = {}\n{small}\n", quoted(name));
    attempt.write("house.toml", rules);
}

fn result(attempt: &mut Attempt<'_>) -> Result<(), Failure> {
    let name = name(&mut attempt.rng);
    write_rules(attempt, &name);
    let command = one_of(&mut attempt.rng, &RESULTS);
    let call = Call::new(crate::attempt::filled(command, "house.toml"), 10_000);
    let outcome = attempt.run(&call)?;
    if !outcome.success() {
        return Ok(());
    }
    let told: Result<Value, _> = serde_json::from_slice(&outcome.stdout);
    demand(told.is_ok(), Fault::Message, "a result that is no JSON")
}

/// Rules in TOML are the same rules.
fn rules_file(attempt: &mut Attempt<'_>) -> Result<(), Failure> {
    let name = name(&mut attempt.rng);
    write_rules(attempt, &name);
    let first = attempt.does(&Call::new(["rules", "house.toml", "--toml"], 10_000))?.stdout;
    let table: Option<Map<String, Value>> =
        std::str::from_utf8(&first).ok().and_then(|text| toml::from_str(text).ok());
    let same = table.is_some_and(|table| table["name"] == name);
    demand(same, Fault::Message, "a rules file of another name")?;
    attempt.write("again.toml", &first);
    let second = attempt.does(&Call::new(["rules", "again.toml", "--toml"], 10_000))?.stdout;
    demand(first == second, Fault::Message, "a rules file that is not read back")
}

/// A strategy is told as its file says.
fn strategy(attempt: &mut Attempt<'_>) -> Result<(), Failure> {
    let name = name(&mut attempt.rng);
    let mark = if one_in(&mut attempt.rng, 2) { "\u{feff}" } else { "" };
    let file = json!({ "base": "stopper", "name": name, "about": name, "lead": ["most cards"] });
    attempt.write("mine.json", format!("{mark}{file}"));
    let outcome = attempt.run(&Call::new(["strategy", "show", "mine.json", "--json"], 10_000))?;
    if !outcome.success() {
        return Ok(());
    }
    let told: Value = serde_json::from_slice(&outcome.stdout).unwrap_or_default();
    demand(told["about"] == name, Fault::Message, "a strategy with other words")
}

/// Tables, ids and players of odd names at the engine.
fn engine(attempt: &mut Attempt<'_>) -> Result<(), Failure> {
    let names: Vec<String> = (0..3).map(|_| name(&mut attempt.rng)).collect();
    let mark = if one_in(&mut attempt.rng, 2) { "\u{feff}" } else { "" };
    let mut lines = vec![json!({"type":"hello","versions":[1],"id":names[0]})];
    for table in &names {
        lines.push(json!({"type":"deal","table":table,"seat":0,"player":"stopper",
            "rules":{"base":"michigan","name":table},"players":3,"dealer":2}));
        lines.push(json!({"type":"ask","id":table,"table":table,"at":1}));
        lines.push(json!({"type":"deal","id":table,"table":table,"player":table}));
    }
    let mut call = Call::new(["engine"], 10_000);
    let text: Vec<String> = lines.iter().map(|line| format!("{mark}{line}")).collect();
    call.input = text.join("\n").into_bytes();
    let outcome = attempt.run(&call)?;
    if !outcome.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&outcome.stdout);
    let ids = said.lines().map(|line| {
        let reply: Value = serde_json::from_str(line).unwrap_or_default();
        reply["id"].as_str().map(str::to_owned)
    });
    let due = names[..1].iter().chain(names.iter().flat_map(|name| [name, name]));
    let same = ids.eq(due.map(|name| Some(name.clone())));
    demand(same, Fault::Message, "replies with other ids")
}
