//! Overrides of a configuration: a file, or one `key=value`.

use super::{Config, in_words, malformed, misfit, unwritable};
use crate::TrainError;
use newmarket_env::text::brief;
use strsim::levenshtein;
use toml::{Table, Value};

impl Config {
    /// This configuration with the values of `text` laid over it. A section's keys are replaced one
    /// by one, and each value whole: a schedule is not mixed with the schedule that it replaces.
    ///
    /// # Errors
    ///
    /// If the text is not TOML or has a key or value that does not fit. `place` names the text's origin.
    pub fn with_toml(self, text: &str, place: &str) -> Result<Self, TrainError> {
        let changes: Table =
            toml::from_str(text).map_err(|error| malformed(place, text, &error))?;
        let mut table = self.table()?;
        let (mut keys, all) = (sections(&table), leaves(&table));
        // It is there if the configuration names a strategy file.
        keys.push("strategies".into());
        for (key, change) in changes {
            match (table.get_mut(&key), change) {
                (Some(Value::Table(section)), Value::Table(keys)) => section.extend(keys),
                (_, change) => {
                    table.insert(key, change);
                }
            }
        }
        if let Some(key) = sections(&table).into_iter().find(|key| !keys.contains(key)) {
            let message = unknown(&key, &all);
            return Err(TrainError::Config { place: place.into(), message });
        }
        table.try_into().map_err(|error: toml::de::Error| misfit(place, &error))
    }

    /// This configuration with one `key=value`, as in `learner.epochs=3` or
    /// `phases.0.estimator.worlds=20`. The value is TOML. A value that is not TOML is a string, so names
    /// need no quotes.
    ///
    /// # Errors
    ///
    /// If there is no such key (the error names the nearest key), or the value does not fit.
    pub fn with_override(self, set: &str) -> Result<Self, TrainError> {
        let wrong = |message: String| TrainError::Override { text: set.into(), message };
        let (key, value) = set
            .split_once('=')
            .map(|(key, value)| (key.trim(), value.trim()))
            .ok_or_else(|| wrong("is not of the form key=value, as in learner.epochs=3".into()))?;
        let (before, mut table) = (&self.tables, self.table()?);
        let keys = leaves(&table);
        let Some(place) = find(&mut table, key) else {
            return Err(wrong(unknown(key, &keys)));
        };
        *place = toml::from_str::<Table>(&format!("value = {value}"))
            .ok()
            .and_then(|mut table| table.remove("value"))
            .unwrap_or_else(|| Value::String(value.into()));
        let mut config: Self =
            table.try_into().map_err(|error: toml::de::Error| wrong(in_words(&error)))?;
        if key != "tables" {
            // What was kept of a file is not what another one says.
            let tables = config.tables.iter_mut().zip(before);
            tables
                .filter(|(now, before)| now.rules != before.rules)
                .for_each(|(now, _)| now.file = None);
        }
        Ok(config)
    }

    fn table(&self) -> Result<Table, TrainError> {
        Table::try_from(self).map_err(|error| unwritable(&error))
    }
}

/// The keys of the first two levels.
fn sections(table: &Table) -> Vec<String> {
    let mut keys = Vec::new();
    for (key, value) in table {
        match value {
            Value::Table(section) => {
                keys.extend(section.keys().map(|name| format!("{key}.{name}")));
            }
            _ => keys.push(key.clone()),
        }
    }
    keys
}

/// The keys of all plain values, with parts joined by dots. Entries of a list are numbered from 0.
fn leaves(table: &Table) -> Vec<String> {
    let below = |value: &Value| match value {
        Value::Table(table) => leaves(table),
        Value::Array(list) if list.iter().any(Value::is_table) => {
            let entries = list.iter().enumerate();
            leaves(&entries.map(|(nth, value)| (nth.to_string(), value.clone())).collect())
        }
        _ => vec![String::new()],
    };
    let join = |key: &str, rest: String| match rest.as_str() {
        "" => key.to_owned(),
        rest => format!("{key}.{rest}"),
    };
    let keys = table
        .iter()
        .flat_map(|(key, value)| below(value).into_iter().map(move |rest| join(key, rest)));
    keys.collect()
}

/// The value of a key; `None` for a whole section.
fn find<'t>(table: &'t mut Table, key: &str) -> Option<&'t mut Value> {
    let mut parts = key.split('.');
    let mut value = table.get_mut(parts.next()?)?;
    if value.is_table() && !key.contains('.') {
        return None;
    }
    for part in parts {
        value = match value {
            Value::Table(table) => table.get_mut(part)?,
            Value::Array(list) => list.get_mut(part.parse::<usize>().ok()?)?,
            _ => return None,
        };
    }
    Some(value)
}

fn unknown(key: &str, keys: &[String]) -> String {
    let within = section(key, keys);
    let key = brief(key, 100);
    if !within.is_empty() {
        return format!("`{key}` is a section, of {within}");
    }
    let near = nearest(&key, keys.iter().map(String::as_str)).unwrap_or_default();
    // A key with little in common would not help.
    let (above, last) = key.rsplit_once('.').unwrap_or(("", &key));
    if far(&key, near) * 2 <= last.len() {
        return format!("there is no key `{key}`; the nearest is `{near}`");
    }
    match section(above, keys) {
        within if within.is_empty() => {
            format!("there is no key `{key}`; a run's config.toml has all")
        }
        within => format!("there is no key `{key}`; `{above}` has {within}"),
    }
}

/// The keys of a section, joined; empty if there is no such section.
fn section(name: &str, keys: &[String]) -> String {
    let below = format!("{name}.");
    let within = keys.iter().filter_map(|it| it.strip_prefix(&below)?.split('.').next());
    let mut within: Vec<&str> = within.collect();
    within.dedup();
    within.join(", ")
}

/// The name with the least edit distance to `word`. A name whose last part is `word` counts as near.
fn nearest<'a>(word: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    names.into_iter().min_by_key(|name| far(word, name))
}

/// The edit distance from `word` to `name`, or that of their last parts plus one.
fn far(word: &str, name: &str) -> usize {
    levenshtein(word, name).min(levenshtein(last_part(word), last_part(name)) + 1)
}

fn last_part(key: &str) -> &str {
    key.rsplit('.').next().unwrap_or(key)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Players;
    use crate::schedule::Schedule;

    fn set(text: &str) -> Result<Config, TrainError> {
        Config::preset("quick").expect("quick").with_override(text)
    }

    #[test]
    fn values_of_every_kind_can_be_set() {
        assert_eq!(set("seed=12").expect("number").seed, 12);
        assert_eq!(set("network.hidden = [64, 32]").expect("list").network.hidden, [64, 32]);
        let rate = set("learner.learning_rate=1e-2").expect("number").learner.learning_rate;
        assert_eq!(rate, Schedule::Constant(0.01));
        let rate = set("learner.learning_rate={linear={from=1,to=0}}").expect("schedule");
        assert!((rate.learner.learning_rate.at(0.5) - 0.5).abs() < 1e-12);
        let tables = "tables=[{rules='michigan',players=5,share=1,episode='deal'}]";
        assert_eq!(set(tables).expect("tables").tables[0].players, Players::Exactly(5));
        let config = set("run.benchmark_opponents=['random']").expect("names");
        assert_eq!(config.run.benchmark_opponents, ["random"]);
        let estimator = |set_to: &str| {
            let config = set(set_to).expect(set_to);
            toml::to_string(&config.phases[0]).expect("serialises")
        };
        assert!(estimator("phases.0.estimator.worlds=7").contains("worlds = 7"));
        let gae = "phases=[{until=1,estimator={kind='gae',lambda=0.9},\
                   objective={kind='clipped',clip=0.2,entropy=0}}]";
        assert!(estimator(gae).contains("lambda = 0.9"));
    }

    #[test]
    fn errors_say_what_and_what_would_be_right() {
        for (text, words) in [
            ("learner.epoch=3", vec!["learner.epoch", "`learner.epochs`"]),
            ("epochs=3", vec!["`learner.epochs`"]),
            ("learner.epochs", vec!["key=value"]),
            ("learner.epochs=many", vec!["learner.epochs=many", "invalid type"]),
            ("learner.learning_rate={square=1}", vec!["square"]),
            ("phases.2.until=1", vec!["no key", "`phases."]),
            ("phases.0.estimator.kind=gae", vec!["unknown field"]),
            ("learner=3", vec!["`learner` is a section, of epochs, learning_rate, "]),
            ("foo=1", vec!["no key `foo`", "config.toml has all"]),
            (
                "learner.foo=1",
                vec!["no key `learner.foo`", "`learner` has epochs, learning_rate, "],
            ),
        ] {
            let message = set(text).expect_err(text).to_string();
            for word in words {
                assert!(message.contains(word), "{text}: {message}");
            }
            assert!(!message.contains('\n'), "{message}");
        }
    }

    #[test]
    fn whole_numbers_of_64_bits_are_digits_where_toml_has_none() {
        let quick = || Config::preset("quick").expect("quick");
        for number in [0, 1 << 53, i64::MAX as u64, 1 << 63, u64::MAX] {
            let config = quick().with_override(&format!("seed={number}")).expect("a seed");
            let config = config.with_override(&format!("run.updates={number}")).expect("updates");
            assert_eq!((config.seed, config.run.updates), (number, number));
            let again = Config::from_toml(&config.to_toml().expect("written"), "again");
            assert_eq!(again.expect("reads back"), config);
            let text = format!("seed = \"{number}\"\n");
            assert_eq!(quick().with_toml(&text, "f.toml").expect("digits").seed, number);
        }
        for wrong in ["-1", "18446744073709551616", "1.5", "'x'", "true"] {
            let error = quick().with_override(&format!("seed={wrong}")).expect_err(wrong);
            assert!(error.to_string().contains("a whole number from 0 to 184467"), "{error}");
        }
    }
}
