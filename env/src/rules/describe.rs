//! Describes the options of the rules as JSON, for an editor of rules.

use alloc::vec::Vec;

use serde_json::{Value, json};

use super::named::{Table, named_value};
use super::options::{CLAIM_WHEN, Form, Kind, OPTIONS, Part, PartValues, RuleOption, Written};
use super::{MAX_CELLS, MAX_PLAYERS, NAMES, Rules};

impl Rules {
    /// All options, in the order of a rules file, as a list of objects:
    ///
    /// - `key`: the key in rules files, with a dot between a table and its key;
    /// - `group`, `label`: a heading and a name for people;
    /// - `help`: a sentence for people, if there is one;
    /// - `when`: when the option has an effect, if not always;
    /// - `section`: the section of `docs/RULES.md`;
    /// - `default`: the value in the game `newmarket`, if the game has one;
    /// - `short_for`: the other key that this one is a short way to write, if it is;
    /// - `kind`: the values, as an object with one of these forms:
    ///   - `{"kind": "options", "options": [[value, label], …]}`: one of these values;
    ///   - `{"kind": "whole", "least", "most"}`: a whole number. With `none`, the key may be left
    ///     out, and `none` says what that means;
    ///   - `{"kind": "forms", "forms": [{"tag", "label", "parts"}, …]}`: a form without `parts` is
    ///     its tag. A form with `parts` is an object of the tag and an object of the parts. Each
    ///     part is `[key, label, kind, usual value]`, where `kind` is `options` or `whole`;
    ///   - `{"kind": "range", "least", "most"}`: a list of two whole numbers, the least and the most;
    ///   - `{"kind": "cards"}`: a list of cards;
    ///   - `{"kind": "cells", "most"}`: a list of cells, in the forms of section 6.6.
    pub fn options() -> Vec<Value> {
        OPTIONS.iter().map(described).collect()
    }
}

fn described(option: &RuleOption) -> Value {
    let mut all = Table::new();
    let texts = [
        ("key", option.key),
        ("group", option.group),
        ("label", option.label),
        ("help", option.help),
        ("when", option.when),
        ("section", option.section),
        ("short_for", if let Kind::ClaimWhen = option.kind { "stages" } else { "" }),
    ];
    for (key, text) in texts.into_iter().filter(|(_, text)| !text.is_empty()) {
        all.insert(key.into(), text.into());
    }
    if let Some(default) = named_value(NAMES[0], option.key) {
        all.insert("default".into(), default.clone());
    }
    all.insert("kind".into(), kind(&option.kind));
    Value::Object(all)
}

fn kind(kind: &Kind) -> Value {
    match *kind {
        Kind::Whole { least, most, left_out, .. } => {
            let mut whole = whole("whole", least, most);
            if let Some(none) = left_out {
                whole["none"] = none.into();
            }
            whole
        }
        Kind::Forms { forms, .. } if forms.iter().any(Form::has_parts) => {
            json!({ "kind": "forms", "forms": forms.iter().map(form).collect::<Value>() })
        }
        Kind::Forms { forms, .. } => choices(forms),
        Kind::ClaimWhen => choices(CLAIM_WHEN),
        Kind::Players => whole("range", 2, MAX_PLAYERS as i32),
        Kind::Removed => json!({ "kind": "cards" }),
        Kind::Cells => json!({ "kind": "cells", "most": MAX_CELLS }),
        Kind::Stages => json!({ "kind": "options", "options": [
            [[], "none"],
            [["collect"], "pay cards"],
            [["poker"], "poker"],
            [["collect", "poker"], "pay cards, then poker"],
            [["poker", "collect"], "poker, then pay cards"],
        ]}),
    }
}

fn whole(kind: &str, least: i32, most: i32) -> Value {
    json!({ "kind": kind, "least": least, "most": most })
}

fn choices(forms: &[Form]) -> Value {
    let choices: Value = forms.iter().map(|form| json!([form.value([0, 0]), form.label])).collect();
    json!({ "kind": "options", "options": choices })
}

fn form(form: &Form) -> Value {
    match form.written {
        Written::Table(tag, parts) => {
            let parts: Value = parts.iter().map(part).collect();
            json!({ "tag": tag, "label": form.label, "parts": parts })
        }
        _ => json!({ "tag": form.value([0, 0]), "label": form.label }),
    }
}

fn part(part: &Part) -> Value {
    let kind = match part.values {
        PartValues::Whole(least, most) => whole("whole", least, most),
        PartValues::Words(words) => choices(words),
    };
    json!([part.key, part.label, kind, part.value(part.usual)])
}
