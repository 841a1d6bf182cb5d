//! Training configurations: hostile values, other types, missing and unknown keys, in a file and by `--set`.

use newmarket_env::Rng;
use toml::Value;

use crate::attempt::Attempt;
use crate::common::{anything, draw, number, one_in, one_of};
use crate::hostile::CONFIGURATION;
use crate::mutate::mutate;
use crate::program::Call;
use crate::verdict::Failure;

pub(crate) fn law(attempt: &mut Attempt<'_>) -> Result<(), Failure> {
    let rng = &mut attempt.rng;
    let mut config = attempt.materials.config.clone();
    let mut arguments: Vec<String> =
        ["train", "--config", "config.toml", "--out", "run"].map(Into::into).into();
    for _ in 0..=draw(rng, 2) {
        let mut found = Vec::new();
        leaves(&config, "", &mut found);
        let place = &found[draw(rng, found.len())];
        if one_in(rng, 3) {
            arguments.extend(["--set".into(), format!("{place}={}", value(rng))]);
        } else {
            change(&mut config, place, rng);
        }
    }
    let mut text = config.to_string().into_bytes();
    if one_in(rng, 4) {
        text = mutate(&[text], CONFIGURATION, rng);
    }
    attempt.write("config.toml", text);
    attempt.run(&Call::new(arguments, 250)).map(drop)
}

/// A value that is TOML, or nearly.
fn value(rng: &mut Rng) -> String {
    match draw(rng, 5) {
        0 => format!("[{}]", number(rng)),
        1 => format!("{{ {} = {} }}", one_of(rng, &["constant", "linear", "kind"]), number(rng)),
        2 => format!("{:?}", anything(rng)),
        _ => anything(rng),
    }
}

/// Adds the keys of all values, in the form of `--set`, to `found`.
fn leaves(table: &toml::Table, place: &str, found: &mut Vec<String>) {
    for (key, value) in table {
        let place = if place.is_empty() { key.clone() } else { format!("{place}.{key}") };
        match value {
            Value::Table(inner) => leaves(inner, &place, found),
            Value::Array(items) => {
                for (index, item) in items.iter().enumerate() {
                    if let Some(inner) = item.as_table() {
                        leaves(inner, &format!("{place}.{index}"), found);
                    }
                }
            }
            _ => {}
        }
        found.push(place);
    }
}

/// Replaces or removes the value at this place.
fn change(config: &mut toml::Table, place: &str, rng: &mut Rng) {
    let mut whole = Value::Table(std::mem::take(config));
    let (inside, key) = place.rsplit_once('.').unwrap_or(("", place));
    let mut at = Some(&mut whole);
    for step in inside.split('.').filter(|step| !step.is_empty()) {
        at = at.and_then(|value| match step.parse::<usize>() {
            Ok(index) => value.get_mut(index),
            Err(_) => value.get_mut(step),
        });
    }
    // An earlier change may have removed the place.
    if let Some(table) = at.and_then(Value::as_table_mut) {
        let parsed: Result<toml::Table, _> = format!("x = {}", value(rng)).parse();
        let new = parsed.ok().and_then(|mut table| table.remove("x"));
        if one_in(rng, 8) {
            table.remove(key);
        } else {
            table.insert(key.into(), new.unwrap_or_else(|| Value::String(anything(rng))));
        }
    }
    if let Value::Table(table) = whole {
        *config = table;
    }
}
