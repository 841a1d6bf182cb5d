//! Writes rules as a rules file, or as the `overrides` of a trace.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use serde_json::{Value, json};

use super::cells::base_cells;
use super::named::{Table, base_stages};
use super::options::{BANKROLL, CLAIM_WHEN, Kind, OPTIONS, RuleOption, STAGES, Setting};
use super::read::has_both;
use super::{Bankroll, Rules, Spec, Stage};
use crate::text::toml;

/// Whether values may refer to the base.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Detail {
    /// As in a rules file: `claim_when` if it can say the stages, names of the cells of the base, and
    /// no pot of the base.
    File,
    /// No reference to the base: `stages`, and all cells in full.
    Full,
}

impl Rules {
    /// The options in which these rules differ from their base, with the keys and values of a
    /// rules file: the `overrides` of a trace.
    pub fn overrides(&self) -> Table {
        let base = Self::named(self.base).expect("the base is a named game");
        table_of(|option| {
            let value = self.value(option, Detail::File);
            value.filter(|value| base.value(option, Detail::File).as_ref() != Some(value))
        })
    }

    /// A rules file as JSON that says no more than it must: the base, the name if there is one, and the
    /// options that differ from the base. What is kept of rules stands on its own by it.
    pub fn to_file(&self) -> Table {
        let mut file = Table::new();
        file.insert("base".into(), self.base.into());
        if let Some(name) = &self.name {
            file.insert("name".into(), json!(name));
        }
        file.extend(self.overrides());
        file
    }

    /// All options, in the order of a rules file; `base` and `name` are not among them.
    pub(super) fn table(&self) -> Table {
        table_of(|option| self.value(option, Detail::File))
    }

    /// All options with their values, without any reference to the base: each cell has its cards, the
    /// pot is one of the cells, and `stages` replaces `claim_when`. A cap that is not set is left out.
    pub fn resolved(&self) -> Table {
        table_of(|option| self.value(option, Detail::Full))
    }

    /// A complete rules file with these rules.
    pub fn to_toml(&self) -> String {
        let line = |(key, value): (&String, &Value)| format!("{key} = {}\n", toml::value(value));
        let mut table = self.table();
        let session = table.remove("session").expect("the table is complete");
        let name = self.name.as_ref().map(|name| format!("name = {}\n", toml::value(&json!(name))));
        [format!("base = \"{}\"\n", self.base), name.unwrap_or_default()]
            .into_iter()
            .chain(table.iter().map(line))
            .chain(["\n[session]\n".into()])
            .chain(session.as_object().expect("session is a table").iter().map(line))
            .collect()
    }

    /// A title for people: the name of the rules, or the name of their base.
    pub fn title(&self) -> &str {
        self.name.as_deref().unwrap_or(self.base)
    }
}

/// A rules file of the options that have a value.
fn table_of(value: impl Fn(&RuleOption) -> Option<Value>) -> Table {
    let mut table = Table::new();
    for option in &OPTIONS {
        let Some(value) = value(option) else { continue };
        match option.key.split_once('.') {
            Some((name, key)) => {
                let inner = table.entry(name).or_insert_with(|| Value::Object(Table::new()));
                inner[key] = value;
            }
            None => {
                table.insert(option.key.into(), value);
            }
        }
    }
    table
}

impl Spec {
    /// The value of an option; none if it is left out.
    fn value(&self, option: &RuleOption, detail: Detail) -> Option<Value> {
        let value = match option.kind {
            Kind::Whole { left_out, get, .. } => {
                let number = get(self);
                if left_out.is_some() && number == 0 {
                    return None;
                }
                json!(number)
            }
            Kind::Forms { forms, get, .. } => {
                let [form, parts @ ..] = get(self);
                forms[form as usize].value(parts)
            }
            Kind::Players => json!([self.players.0, self.players.1]),
            Kind::Removed => json!(self.removed.notation(self.aces)),
            Kind::Cells => self.cell_values(detail),
            Kind::ClaimWhen => {
                let word = self.claim_when().filter(|_| detail == Detail::File)?;
                CLAIM_WHEN[word].value([0, 0])
            }
            Kind::Stages => {
                let is_short = self.claim_when().is_some()
                    || self.stages.is_empty() && base_stages(self.base).is_empty();
                if detail == Detail::File && is_short {
                    return None;
                }
                self.stages.iter().map(|&stage| STAGES[stage as usize].value([0, 0])).collect()
            }
        };
        Some(value)
    }

    fn cell_values(&self, detail: Detail) -> Value {
        let mut own = Vec::new();
        let mut cells = &self.cells[..];
        if detail == Detail::File {
            own = base_cells(self.base, self.aces);
            if let Some((pot, others)) = cells.split_last()
                && pot.is_pot()
                && own.contains(pot)
            {
                cells = others;
            }
        }
        cells.iter().map(|cell| cell.value(&own, self.aces)).collect()
    }

    /// The index of the word of `claim_when` that says these stages, if one does.
    fn claim_when(&self) -> Option<usize> {
        let stages = base_stages(self.base);
        if !has_both(&stages) {
            return None;
        }
        let without = stages.iter().filter(|&&stage| stage != Stage::Collect);
        if self.stages == stages {
            Some(0)
        } else if self.stages.iter().eq(without) {
            Some(1)
        } else {
            None
        }
    }
}

impl Bankroll {
    /// The value as rules files and traces write it.
    pub fn value(self) -> Value {
        let [form, parts @ ..] = self.setting();
        BANKROLL[form as usize].value(parts)
    }

    pub(super) fn setting(self) -> Setting {
        match self {
            Self::Credit => [0, 0, 0],
            Self::Chips { start, on_bust } => [1, start, on_bust as i32],
        }
    }
}
