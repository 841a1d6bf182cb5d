//! The named games, and rules files, which extend them. A rules file is TOML, or JSON in the
//! `overrides` of a trace.

use alloc::format;
#[cfg(feature = "std")]
use alloc::string::String;

use serde_json::{Value, json};

#[cfg(feature = "std")]
use super::House;
#[cfg(feature = "std")]
use super::LoadError;
use super::named::{NAMES, RULE_SETS, Table, canonical_name, rule_set};
use super::read::{Reader, is};
use super::{Faults, Rules};
#[cfg(feature = "std")]
use crate::files::{LONGEST_SETTINGS, read_text};
#[cfg(feature = "std")]
use crate::seed::Seed;
use crate::text::Joined as _;
#[cfg(feature = "std")]
use crate::text::plain;

impl Rules {
    /// The named game of this name or alias, or the named rule set; `None` if there is neither.
    pub fn named(name: &str) -> Option<Self> {
        if let Some(file) = rule_set(name) {
            return Some(Self::from_table(&file).expect("rule sets have no faults"));
        }
        let base = canonical_name(name)?;
        Some(Self::from_overrides(base, &Table::new()).expect("named games have no faults"))
    }

    /// A named game with changes, as the `rules` and `overrides` of a trace.
    ///
    /// # Errors
    /// All faults at once.
    pub fn from_overrides(base: &str, overrides: &Table) -> Result<Self, Faults> {
        let mut changes = overrides.clone();
        changes.insert("base".into(), json!(base));
        Self::from_table(&changes)
    }

    /// Reads the text of a rules file. `path` names the source in messages.
    ///
    /// # Errors
    /// The first fault of the syntax, or all faults of the values.
    #[cfg(feature = "std")]
    pub fn from_toml(text: &str, path: &str) -> Result<Self, LoadError> {
        let table: Table = toml::from_str(text).map_err(|error| LoadError::Syntax {
            path: path.into(),
            problem: one_line(&error, text),
        })?;
        Self::from_table(&table).map_err(|faults| LoadError::Faults { path: path.into(), faults })
    }

    /// Loads a named game or rule set, `house:N` (the rules of the [`House`] of seed N), or the path of a rules
    /// file. Rules that differ from their base and have no name are named after their file.
    ///
    /// # Errors
    /// If the name is none of these, or the file cannot be read or has faults.
    #[cfg(feature = "std")]
    pub fn load(name_or_path: &str) -> Result<Self, LoadError> {
        if let Some(rules) = Self::named(name_or_path) {
            return Ok(rules);
        }
        if let Some(number) = name_or_path.strip_prefix("house:") {
            let Ok(number) = number.parse() else {
                return Err(LoadError::House { name: name_or_path.into() });
            };
            let mut house = House::draw(Seed::new(number)).rules;
            house.spec.name = Some(name_or_path.into());
            return Ok(house);
        }
        let looks_like_path = name_or_path.contains(['/', '\\', '.']);
        match read_text(name_or_path.as_ref(), LONGEST_SETTINGS) {
            Ok(text) => {
                let mut rules = Self::from_toml(&text, name_or_path)?;
                if rules.name.is_none() && !rules.overrides().is_empty() {
                    let stem = std::path::Path::new(name_or_path).file_stem();
                    rules.spec.name = stem.map(|stem| stem.to_string_lossy().into_owned());
                }
                Ok(rules)
            }
            Err(error) if !looks_like_path && error.kind() == std::io::ErrorKind::NotFound => {
                Err(LoadError::Unknown { name: name_or_path.into() })
            }
            Err(source) => Err(LoadError::Io { path: name_or_path.into(), source }),
        }
    }

    /// Reads a rules file in JSON, as [`Rules::to_file`] makes it.
    ///
    /// # Errors
    /// All faults at once.
    pub fn from_table(file: &Table) -> Result<Self, Faults> {
        let set = file.get("base").and_then(Value::as_str).and_then(rule_set);
        if let Some(mut extended) = set {
            // What extends a rule set is not the rule set.
            if file.len() > 1 {
                extended.remove("name");
            }
            for (key, value) in file.iter().filter(|(key, _)| *key != "base") {
                extended.insert(key.clone(), value.clone());
            }
            return Self::from_table(&extended);
        }
        let base = file.get("base").and_then(Value::as_str).and_then(canonical_name);
        let mut reader = Reader::new(base.unwrap_or(NAMES[0]));
        if base.is_none() {
            let problem = file.get("base").map_or("is missing".into(), is);
            reader.unreadable(
                "base",
                problem,
                format!("one of {}, {}", NAMES.joined(", "), RULE_SETS.joined(", ")),
            );
        }
        reader.read(file);
        let unchanged = file.len() == 1;
        Ok(Self { spec: reader.finish()?, unchanged })
    }
}

/// The line and the problem of a TOML error. Its own text draws the place in several lines.
#[cfg(feature = "std")]
fn one_line(error: &toml::de::Error, text: &str) -> String {
    let place = error.span().map_or(String::new(), |span| {
        let line = text[..span.start.min(text.len())].matches('\n').count() + 1;
        format!("line {line}: ")
    });
    format!("{place}{}", plain(&error.message().replace('\n', " ")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::named::games;

    #[test]
    fn a_named_game_is_unchanged_until_a_file_has_another_key() {
        let table = |text: &str| toml::from_str::<Table>(text).expect("it is TOML");
        let told = |text: &str| Rules::from_table(&table(text)).expect("rules");
        assert!(Rules::named("michigan").expect("a game").are_unchanged());
        assert!(told("base = 'michigan'").are_unchanged());
        // The file has another key, though the rules are the same.
        let same = told("base = 'michigan'\nper_card = 1");
        assert_eq!(same, Rules::named("michigan").expect("a game"));
        assert!(!same.are_unchanged());
        assert!(!Rules::load("house:7").expect("a house").are_unchanged());
    }

    #[test]
    fn a_rule_set_is_a_name_for_a_game_with_changes() {
        let named = Rules::named("newmarket-after-look").expect("a rule set");
        assert_eq!((named.base, named.title()), ("newmarket", "newmarket-after-look"));
        let table = |text: &str| toml::from_str::<Table>(text).expect("it is TOML");
        let told = |text: &str| Rules::from_table(&table(text)).expect("rules");
        let spelled =
            told("base = 'newmarket'\nname = 'newmarket-after-look'\ntiming = 'after_look'");
        assert_eq!(named, spelled);
        assert_eq!(told("base = 'newmarket-after-look'"), named);
        assert_eq!(Rules::load("newmarket-after-look").expect("a rule set"), named);
        let more = told("base = 'newmarket-after-look'\nper_card = 2");
        assert_eq!((more.title(), more.timing, more.per_card), ("newmarket", named.timing, 2));
        // It is none of the games that tables, encodings and frozen counts list.
        assert!(!NAMES.contains(&"newmarket-after-look"));
    }

    /// `UPDATE_GAMES=1` writes `games.json`.
    #[test]
    fn the_games_are_the_same_in_json() {
        let told: Table = toml::from_str(include_str!("games.toml")).expect("games.toml is TOML");
        if std::env::var_os("UPDATE_GAMES").is_some() {
            let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/rules/games.json");
            let text = serde_json::to_string(&told).expect("it is JSON") + "\n";
            std::fs::write(path, text).expect("written");
        }
        assert_eq!(
            *games(),
            told,
            "games.json is out of date: UPDATE_GAMES=1 cargo test writes it"
        );
    }
}
