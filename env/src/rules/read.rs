//! Reads the options of a rules file.
//!
//! Reading does not stop at the first fault. A value that cannot be used is reported, and the option
//! keeps a value that causes no further faults.

use alloc::format;
use alloc::string::{String, ToString as _};
use alloc::vec::Vec;

use serde_json::Value;

use super::cells::{base_cells, card, cell};
use super::named::{Table, base_stages, lookup, named_value};
use super::options::{
    CLAIM_WHEN, Form, Kind, OPTIONS, Part, PartValues, RuleOption, STAGES, Setting, Written,
};
use super::{Cell, Fault, Faults, MAX_PLAYERS, Spec, Stage};
use crate::text::Joined as _;

/// `is "sideways"`: the problem with a value of the wrong kind.
pub(super) fn is(value: &Value) -> String {
    let mut text = serde_json::to_string(value).expect("a value is JSON");
    if text.chars().count() > 60 {
        text = text.chars().take(60).chain(['…']).collect();
    }
    format!("is {text}")
}

/// Reads options into a [`Spec`] and collects the faults.
pub(super) struct Reader {
    spec: Spec,
    faults: Faults,
    /// The keys that could not be read, without what follows a dot.
    unread: Vec<String>,
}

impl Reader {
    pub(super) fn new(base: &'static str) -> Self {
        Self { spec: Spec::first_values(base), faults: Faults::default(), unread: Vec::new() }
    }

    /// Reports a value that cannot be read.
    pub(super) fn unreadable(&mut self, key: &str, problem: String, expected: String) {
        let root = root(key);
        if !self.unread.iter().any(|key| key == root) {
            self.unread.push(root.into());
        }
        self.faults.push(Fault { line: None, key: key.into(), problem, expected });
    }

    fn wrong(&mut self, key: &str, value: &Value, expected: &str) {
        self.unreadable(key, is(value), expected.into());
    }

    /// Reads a rules file. A key that it leaves out has the value of the base.
    pub(super) fn read(&mut self, file: &Table) {
        match file.get("name") {
            Some(Value::String(name)) => self.spec.name = Some(name.clone()),
            Some(other) => self.wrong("name", other, "a text"),
            None => {}
        }
        for option in &OPTIONS {
            if let Some(value) =
                lookup(file, option.key).or_else(|| named_value(self.spec.base, option.key))
            {
                self.option(option, value, file);
            }
        }
        self.pot_of_the_base(file);
        self.unknown_keys(file);
    }

    /// The rules, or all faults.
    pub(super) fn finish(mut self) -> Result<Spec, Faults> {
        for fault in self.spec.faults() {
            // A key that cannot be read says nothing about how the others fit each other.
            let is_unread = |key: &str| self.unread.iter().any(|unread| unread == key);
            let option = OPTIONS.iter().find(|option| fault.key.starts_with(option.key));
            let depends_on = option.map_or(&[][..], |option| option.depends_on);
            if !is_unread(root(&fault.key)) && !depends_on.iter().any(|key| is_unread(key)) {
                self.faults.push(fault);
            }
        }
        if self.faults.count() == 0 { Ok(self.spec) } else { Err(self.faults) }
    }

    fn option(&mut self, option: &RuleOption, value: &Value, file: &Table) {
        let key = option.key;
        match option.kind {
            Kind::Whole { least, most, set, .. } => {
                if let Some(number) = self.whole(key, value, least, most) {
                    set(&mut self.spec, number);
                }
            }
            Kind::Forms { forms, set, .. } => {
                if let Some(setting) = self.forms(key, value, forms) {
                    set(&mut self.spec, setting);
                }
            }
            Kind::Players => match players(value) {
                Some(players) => self.spec.players = players,
                None => self.wrong(key, value, "[least, most] within [2, 8]"),
            },
            Kind::Removed => {
                let aces = self.spec.aces;
                for item in self.list(key, value) {
                    match card(item, aces) {
                        Some(card) => self.spec.removed.insert(card),
                        None => self.wrong(key, item, "a card, as \"QC\""),
                    }
                }
            }
            Kind::Cells => {
                let own = base_cells(self.spec.base, self.spec.aces);
                for item in self.list(key, value) {
                    let cell = cell(item, &own, self.spec.aces).unwrap_or_else(|expected| {
                        self.wrong(key, item, expected);
                        Cell { name: "2C".into(), claimed_by: Vec::new() }
                    });
                    self.spec.cells.push(cell);
                }
            }
            Kind::Stages => {
                for word in self.list(key, value) {
                    if let Some([stage, ..]) = self.forms(key, word, STAGES) {
                        self.spec.stages.push([Stage::Collect, Stage::Poker][stage as usize]);
                    }
                }
            }
            Kind::ClaimWhen => self.claim_when(value, file),
        }
    }

    fn list<'v>(&mut self, key: &str, value: &'v Value) -> &'v [Value] {
        let Value::Array(items) = value else {
            self.wrong(key, value, "a list");
            return &[];
        };
        items
    }

    fn whole(&mut self, key: &str, value: &Value, least: i32, most: i32) -> Option<i32> {
        let number = value.as_i64().filter(|number| (least.into()..=most.into()).contains(number));
        if number.is_none() {
            self.wrong(key, value, &format!("a whole number, {least} to {most}"));
        }
        number.map(|number| number as i32)
    }

    fn forms(&mut self, key: &str, value: &Value, forms: &[Form]) -> Option<Setting> {
        for (nth, form) in forms.iter().enumerate() {
            let nth = nth as i32;
            if let Written::Table(tag, parts) = form.written {
                if let Some(values) = part_values(value, tag, parts) {
                    let mut setting = [nth, 0, 0];
                    for (place, (part, value)) in parts.iter().zip(values).enumerate() {
                        let key = format!("{key}.{tag}.{}", part.key);
                        setting[1 + place] =
                            value.map_or(part.usual, |value| self.part(&key, value, part));
                    }
                    return Some(setting);
                }
            } else if *value == form.value([0, 0]) {
                return Some([nth, 0, 0]);
            }
        }
        self.wrong(key, value, &expected(key, forms));
        None
    }

    /// The value of a part, or the least that it may have.
    fn part(&mut self, key: &str, value: &Value, part: &Part) -> i32 {
        match part.values {
            PartValues::Whole(least, most) => self.whole(key, value, least, most).unwrap_or(least),
            PartValues::Words(words) => self.forms(key, value, words).map_or(0, |word| word[0]),
        }
    }

    /// `claim_when` stands for the stages of a base that has both, with or without the first.
    fn claim_when(&mut self, value: &Value, file: &Table) {
        let key = "claim_when";
        if file.contains_key("stages") {
            let problem = "says again what `stages` says".into();
            self.unreadable(key, problem, "one of the two keys".into());
        } else if !has_both(&base_stages(self.spec.base)) {
            let problem = "needs a base with the stages \"collect\" and \"poker\"".into();
            self.unreadable(key, problem, "it left out, or `stages`".into());
        } else if let Some([1, ..]) = self.forms(key, value, CLAIM_WHEN) {
            self.spec.stages.retain(|&stage| stage != Stage::Collect);
        }
    }

    /// The pot of the base is the last cell of a game with poker that lists no pot. A game without
    /// poker that keeps the cells of the base does not have it.
    fn pot_of_the_base(&mut self, file: &Table) {
        let Spec { base, aces, .. } = self.spec;
        let poker = self.spec.has(Stage::Poker);
        let cells = &mut self.spec.cells;
        let usual = named_value(base, "cells");
        if !poker && file.get("cells").is_none_or(|cells| Some(cells) == usual) {
            cells.retain(|cell| !cell.is_pot());
        }
        if poker && !cells.iter().any(Cell::is_pot) {
            cells.extend(base_cells(base, aces).into_iter().find(Cell::is_pot));
        }
    }

    fn unknown_keys(&mut self, file: &Table) {
        let mut keys = Vec::from(["base", "name"]);
        for option in &OPTIONS {
            let (table, inner) = option.key.split_once('.').unwrap_or((option.key, ""));
            if !keys.contains(&table) {
                keys.push(table);
                match file.get(table) {
                    Some(Value::Object(fields)) if !inner.is_empty() => {
                        self.unknown_fields(table, fields);
                    }
                    Some(other) if !inner.is_empty() => self.wrong(table, other, "a table"),
                    _ => {}
                }
            }
        }
        let expected = format!("one of {}", keys.joined(", "));
        for key in file.keys().filter(|key| !keys.contains(&key.as_str())) {
            self.no_key(key.clone(), &expected);
        }
    }

    fn unknown_fields(&mut self, table: &str, fields: &Table) {
        let keys =
            OPTIONS.iter().filter_map(|option| option.key.strip_prefix(table)?.strip_prefix('.'));
        let keys: Vec<&str> = keys.collect();
        let (last, others) = keys.split_last().expect("the table has keys");
        let expected = format!("{} or {last}", others.joined(", "));
        for key in fields.keys().filter(|key| !keys.contains(&key.as_str())) {
            self.no_key(format!("{table}.{key}"), &expected);
        }
    }

    fn no_key(&mut self, key: String, expected: &str) {
        self.faults.push(Fault {
            line: None,
            key,
            problem: "is no key".into(),
            expected: expected.into(),
        });
    }
}

/// What precedes the first dot of a key.
fn root(key: &str) -> &str {
    key.split('.').next().unwrap_or(key)
}

/// Whether `claim_when` can tell which of these stages of the base are played.
pub(super) fn has_both(stages: &[Stage]) -> bool {
    [Stage::Collect, Stage::Poker].iter().all(|stage| stages.contains(stage))
}

fn players(value: &Value) -> Option<(usize, usize)> {
    let number = |value: &Value| {
        value.as_u64().map(|number| number as usize).filter(|n| (2..=MAX_PLAYERS).contains(n))
    };
    let [least, most] = &value.as_array()?[..] else { return None };
    let (least, most) = (number(least)?, number(most)?);
    (least <= most).then_some((least, most))
}

/// The values of the parts, if the value is a table of this tag and these parts; of a part that is
/// left out, none.
fn part_values<'v>(value: &'v Value, tag: &str, parts: &[Part]) -> Option<Vec<Option<&'v Value>>> {
    let form = value.as_object().filter(|form| form.len() == 1)?;
    let fields = form.get(tag)?.as_object()?;
    let values: Vec<_> = parts.iter().map(|part| fields.get(part.key)).collect();
    let is_complete =
        parts.iter().zip(&values).all(|(part, value)| part.optional || value.is_some());
    (is_complete && fields.len() == values.iter().flatten().count()).then_some(values)
}

/// What is accepted for a value of one of these forms.
fn expected(key: &str, forms: &[Form]) -> String {
    match key {
        "first_lead" => {
            "\"eldest\", \"poker_winner\" or { lowest_of = \"clubs\" } (or another suit)".into()
        }
        "session.first_dealer" => "\"cut\", \"first_jack\" or a seat, 0 to 7".into(),
        _ => {
            let quote = if forms.iter().any(Form::has_parts) { "\"" } else { "" };
            let forms: Vec<String> = forms
                .iter()
                .map(|form| match form.written {
                    Written::Table(tag, parts) => {
                        let keys: Vec<&str> = parts.iter().map(|part| part.key).collect();
                        format!("{{ {tag} = {{ {} }} }}", keys.joined(", "))
                    }
                    Written::Word(word) => format!("{quote}{word}{quote}"),
                    _ => form.value([0, 0]).to_string(),
                })
                .collect();
            forms.joined(" or ")
        }
    }
}
