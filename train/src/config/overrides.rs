//! Values put over a configuration: a file's, or one `key=value`.

use super::{Config, fault};
use crate::TrainError;
use toml::{Table, Value};

impl Config {
    /// This configuration with the values of `text` put over it. A section's keys are replaced one
    /// by one, and each of them whole: a schedule is not mixed with the one that it replaces.
    ///
    /// # Errors
    ///
    /// If the text is not TOML or has a key or value that does not fit; `place` says where from.
    pub fn with_toml(self, text: &str, place: &str) -> Result<Self, TrainError> {
        let changes: Table = toml::from_str(text).map_err(|error| fault(place, &error))?;
        let mut table = self.table();
        for (key, change) in changes {
            match (table.get_mut(&key), change) {
                (Some(Value::Table(section)), Value::Table(keys)) => section.extend(keys),
                (_, change) => {
                    table.insert(key, change);
                }
            }
        }
        let wrong = |message: String| TrainError::Config { place: place.into(), message };
        let keys = self.keys();
        if let Some(key) = leaves(&table).into_iter().find(|key| !is_known(key, &keys)) {
            return Err(wrong(unknown(&key, &keys)));
        }
        table.try_into().map_err(|error: toml::de::Error| fault(place, &error))
    }

    /// This configuration with one `key=value` put over it, as in `learner.epochs=3`. The value is
    /// TOML; what is not TOML is taken as text, so that names need no quotes.
    ///
    /// # Errors
    ///
    /// If there is no such key (the nearest one is named) or the value does not fit.
    pub fn with_override(self, set: &str) -> Result<Self, TrainError> {
        let wrong = |message: String| TrainError::Override { text: set.into(), message };
        let (key, value) = set
            .split_once('=')
            .map(|(key, value)| (key.trim(), value.trim()))
            .ok_or_else(|| wrong("is not of the form key=value, as in learner.epochs=3".into()))?;
        let keys = self.keys();
        if !keys.iter().any(|known| known == key) {
            return Err(wrong(unknown(key, &keys)));
        }
        let value = toml::from_str::<Table>(&format!("value = {value}"))
            .ok()
            .and_then(|mut table| table.remove("value"))
            .unwrap_or_else(|| Value::String(value.into()));
        let mut table = self.table();
        match key.split_once('.') {
            None => drop(table.insert(key.into(), value)),
            Some((section, name)) => {
                if let Some(Value::Table(section)) = table.get_mut(section) {
                    section.insert(name.into(), value);
                }
            }
        }
        table
            .try_into()
            .map_err(|error: toml::de::Error| wrong(error.message().trim_end().replace('\n', " ")))
    }

    /// Every key that can be set, as `section.name` or `name`.
    pub fn keys(&self) -> Vec<String> {
        leaves(&self.table())
    }

    fn table(&self) -> Table {
        Table::try_from(self).unwrap_or_default()
    }
}

/// The keys of the first two levels.
fn leaves(table: &Table) -> Vec<String> {
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

fn is_known(key: &str, keys: &[String]) -> bool {
    keys.iter().any(|known| known == key)
}

fn unknown(key: &str, keys: &[String]) -> String {
    let near = nearest(key, keys.iter().map(String::as_str)).unwrap_or_default();
    format!("there is no key `{key}`; the nearest is `{near}`")
}

/// The one of `names` that takes the fewest single-letter changes to become `word`; a name whose
/// last part is `word` counts as near.
pub fn nearest<'a>(word: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    names.into_iter().min_by_key(|name| {
        let last = name.rsplit('.').next().unwrap_or(name);
        let mine = word.rsplit('.').next().unwrap_or(word);
        distance(word, name).min(distance(mine, last) + 1)
    })
}

/// Levenshtein's distance.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut corner = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let change = corner + usize::from(x != *y);
            corner = row[j + 1];
            row[j + 1] = change.min(row[j] + 1).min(corner + 1);
        }
    }
    row[b.len()]
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
        assert_eq!(set("run.yardsticks=['random']").expect("names").run.yardsticks, ["random"]);
    }

    #[test]
    fn errors_say_what_and_what_would_be_right() {
        for (text, words) in [
            ("learner.epoch=3", vec!["learner.epoch", "`learner.epochs`"]),
            ("epochs=3", vec!["`learner.epochs`"]),
            ("learner.epochs", vec!["key=value"]),
            ("learner.epochs=many", vec!["learner.epochs=many", "invalid type"]),
            ("learner.clip={square=1}", vec!["square"]),
            ("learner=3", vec!["no key"]),
        ] {
            let message = set(text).expect_err(text).to_string();
            for word in words {
                assert!(message.contains(word), "{text}: {message}");
            }
            assert!(!message.contains('\n'), "{message}");
        }
    }

    #[test]
    fn the_distance_is_levenshteins() {
        for (a, b, d) in [("kitten", "sitting", 3), ("", "abc", 3), ("same", "same", 0)] {
            assert_eq!((distance(a, b), distance(b, a)), (d, d), "{a} {b}");
        }
    }
}
