//! The table of the rules' options: its description tells an editor the truth, and `docs/RULES.md`
//! lists the same keys and values.

use newmarket_env::Rules;
use newmarket_env::rules::NAMES;
use serde_json::{Map, Value, json};

/// A rules file with this value of one option.
fn file(key: &str, value: &Value) -> Map<String, Value> {
    let file = match key.split_once('.') {
        Some((table, key)) => json!({ table: { key: value } }),
        None => json!({ key: value }),
    };
    file.as_object().expect("a table").clone()
}

/// Whether the rules of some game with this value of an option have this value.
fn is_kept(key: &str, value: &Value) -> bool {
    let pointer = format!("/{}", key.replace('.', "/"));
    NAMES.iter().any(|base| {
        let rules = Rules::from_overrides(base, &file(key, value));
        rules.is_ok_and(|rules| Value::Object(rules.resolved()).pointer(&pointer) == Some(value))
    })
}

/// Whether every game refuses this value of an option because of this key.
fn is_refused(key: &str, value: &Value, at: &str) -> bool {
    NAMES.iter().all(|base| {
        let rules = Rules::from_overrides(base, &file(key, value));
        rules.is_err_and(|faults| faults.0.iter().any(|fault| fault.key == at))
    })
}

/// Tries the values of an option or of a part: `as_value` makes a value of the whole option.
fn tried(key: &str, at: &str, kind: &Value, as_value: &dyn Fn(Value) -> Value) {
    let kept = |value: &Value| {
        assert!(is_kept(key, &as_value(value.clone())), "{at} = {value} is not kept");
    };
    let refused = |value: Value| {
        assert!(is_refused(key, &as_value(value.clone()), at), "{at} = {value} is not refused");
    };
    match kind["kind"].as_str().expect("a kind") {
        "options" => {
            let options = kind["options"].as_array().expect("a list");
            assert!(options.len() > 1);
            for option in options {
                kept(&option[0]);
            }
            refused(json!("no such word"));
        }
        "whole" => {
            let number = |bound: &str| kind[bound].as_i64().expect("a number");
            // Other options may rule out the least or the greatest number.
            let (least, most) = (number("least"), number("most"));
            assert!((least..=most).any(|number| is_kept(key, &as_value(json!(number)))), "{at}");
            refused(json!(least - 1));
            refused(json!(most + 1));
        }
        "range" => {
            kept(&json!([kind["least"], kind["most"]]));
            refused(json!([kind["least"].as_i64().expect("a number") - 1, kind["most"]]));
            refused(json!([kind["least"], kind["most"].as_i64().expect("a number") + 1]));
        }
        "cards" => {
            kept(&json!(["8D", "9S"]));
            refused(json!(["1D"]));
        }
        "cells" => {
            kept(&json!(["8D", { "name": "pair", "claimed_by": ["9S", "TS"] }]));
            let cells =
                (0..=kind["most"].as_u64().expect("a number")).map(|nth| format!("{}C", 2 + nth));
            refused(cells.collect());
        }
        other => panic!("{other} is no kind of a value"),
    }
}

#[test]
fn the_description_of_an_option_tells_its_values() {
    for option in Rules::options() {
        let key = option["key"].as_str().expect("a key");
        let kind = &option["kind"];
        if option["short_for"].is_string() {
            continue;
        }
        if kind["kind"] != "forms" {
            tried(key, key, kind, &|value| value);
            continue;
        }
        for form in kind["forms"].as_array().expect("a list") {
            let Some(parts) = form["parts"].as_array() else {
                assert!(is_kept(key, &form["tag"]), "{key} = {}", form["tag"]);
                continue;
            };
            let tag = form["tag"].as_str().expect("a word");
            let usual =
                parts.iter().map(|part| (part[0].as_str().expect("a key").into(), part[3].clone()));
            let usual: Map<String, Value> = usual.collect();
            for part in parts {
                let name = part[0].as_str().expect("a key");
                tried(key, &format!("{key}.{tag}.{name}"), &part[2], &|value| {
                    let mut parts = usual.clone();
                    parts.insert(name.into(), value);
                    json!({ tag: parts })
                });
            }
        }
        assert!(is_refused(key, &json!("no such word"), key));
    }
}

#[test]
fn every_key_of_resolved_rules_is_an_option_in_this_order() {
    let options = Rules::options();
    let keys: Vec<&str> = (options.iter())
        .filter(|option| option["short_for"].is_null())
        .map(|option| option["key"].as_str().expect("a key"))
        .collect();
    let mut found = Vec::new();
    // Keys that may be left out are there as well.
    let optional = options.iter().filter(|option| option["kind"]["none"].is_string());
    let file: Map<String, Value> = optional
        .map(|option| {
            (option["key"].as_str().expect("a key").into(), option["kind"]["least"].clone())
        })
        .collect();
    let rules = Rules::from_overrides("newmarket", &file).expect("rules");
    for (key, value) in rules.resolved() {
        match value {
            Value::Object(fields) if key == "dead_hand" || key == "session" => {
                found.extend(fields.keys().map(|field| format!("{key}.{field}")));
            }
            _ => found.push(key),
        }
    }
    assert_eq!(found, keys);
    for option in &options {
        for text in ["key", "group", "label", "section"] {
            assert!(option[text].as_str().is_some_and(|text| !text.is_empty()), "{option}");
        }
    }
}

/// A number with commas between thousands.
fn grouped(number: &Value) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (nth, digit) in digits.chars().enumerate() {
        // A number of four digits has no comma.
        if nth > 0 && digits.len() > 4 && (digits.len() - nth).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A value as rules files write it.
fn toml(value: &Value) -> String {
    match value {
        Value::Object(fields) => {
            let (key, value) = fields.iter().next().expect("a field");
            format!("{{ {key} = {} }}", toml(value))
        }
        Value::Array(items) => {
            format!("[{}]", items.iter().map(toml).collect::<Vec<_>>().join(", "))
        }
        simple => simple.to_string(),
    }
}

/// The values of an option or a part, as the document lists them.
fn values(kind: &Value) -> String {
    let range = || format!("{} to {}", grouped(&kind["least"]), grouped(&kind["most"]));
    match kind["kind"].as_str().expect("a kind") {
        "options" => {
            let values =
                kind["options"].as_array().expect("a list").iter().map(|option| &option[0]);
            let (seats, words): (Vec<&Value>, Vec<&Value>) =
                values.partition(|value| value.is_number());
            let mut words: Vec<String> =
                words.iter().map(|word| format!("`{}`", toml(word))).collect();
            if let [first, .., last] = seats[..] {
                words.push(format!("a seat, {first} to {last}"));
            }
            words.join(", ")
        }
        "whole" => match kind["none"].as_str() {
            Some(none) => format!("{}; left out: {none}", range()),
            None => range(),
        },
        "range" => format!("`[least, most]`, within {}", range()),
        "cards" => "a list of cards".into(),
        "cells" => format!("a list of at most {} cells, in the forms of section 6.6", kind["most"]),
        _ => {
            let forms = kind["forms"].as_array().expect("a list").iter().map(|form| {
                let Some(parts) = form["parts"].as_array() else {
                    return format!("`{}`", form["tag"]);
                };
                let keys: Vec<&str> = parts.iter().filter_map(|part| part[0].as_str()).collect();
                let tag = form["tag"].as_str().expect("a word");
                let values = parts.iter().zip(&keys);
                let values: Vec<String> =
                    values.map(|(part, key)| format!("`{key}` {}", values_of(part))).collect();
                format!("`{{ {tag} = {{ {} }} }}` with {}", keys.join(", "), values.join(" and "))
            });
            forms.collect::<Vec<_>>().join("; or ")
        }
    }
}

fn values_of(part: &Value) -> String {
    values(&part[2]).replace(", `", " or `")
}

/// `UPDATE_RULES=1` writes the table anew.
#[test]
fn the_document_lists_all_options() {
    const BEGIN: &str = "| `name` |";
    const END: &str = "\nAll numbers are whole.";
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/RULES.md");
    let document = std::fs::read_to_string(path).expect("it is in the repository");
    let row = |option: &Value| {
        let text = |key: &str| option[key].as_str().unwrap_or_default();
        let when = option["when"].as_str().map(|when| format!("; only {when}")).unwrap_or_default();
        format!("| `{}` | {}{when} | {} |\n", text("key"), values(&option["kind"]), text("section"))
    };
    let rows: String = Rules::options().iter().map(row).collect();
    let begin = document.find(BEGIN).expect("the row of `name`");
    let begin = begin + document[begin..].find('\n').expect("it ends") + 1;
    let end = begin + document[begin..].find(END).expect("the end of the table");
    if std::env::var_os("UPDATE_RULES").is_some() {
        let updated = format!("{}{rows}{}", &document[..begin], &document[end..]);
        std::fs::write(path, updated).expect("written");
        return;
    }
    assert_eq!(document[begin..end], rows, "UPDATE_RULES=1 cargo test writes docs/RULES.md anew");
}
