//! The configuration: a run is a function of it.
//!
//! A configuration is a preset, overridden by the values of a file, and then by single values. The
//! result is complete, and is written into the run folder before the first step.

mod digits;
mod exploit;
mod named;
mod overrides;
mod phases;
mod plays;
mod presets;
mod sections;
mod strategies;
mod tables;
mod validate;

pub use crate::equivariance::Symmetry;
pub use crate::schedule::Schedule;
pub use named::Named;
pub use phases::TrainingPhase;
pub use plays::{KindChoice, PlaysConfig};
pub use presets::{PRESETS, Preset};
pub use sections::{
    Config, LearnerConfig, NetworkConfig, OpponentConfig, OpponentsConfig, RolloutConfig,
    RunConfig, StrategyConfig,
};
pub use tables::{EpisodeKind, Players, TableMix};

use crate::TrainError;
use newmarket_env::Game;
use newmarket_env::files::{LONGEST_SETTINGS, read_text};
use newmarket_env::rules::ChangeSuit;
use std::path::Path;

impl Config {
    /// The preset of this name.
    ///
    /// # Errors
    ///
    /// If there is no such preset.
    pub fn preset(name: &str) -> Result<Self, TrainError> {
        let preset = PRESETS.iter().find(|p| p.name == name).ok_or_else(|| {
            let known: Vec<&str> = PRESETS.iter().map(|p| p.name).collect();
            TrainError::UnknownPreset { name: name.into(), known: known.join(", ") }
        })?;
        Self::from_toml(preset.toml, &format!("preset {name}"))
    }

    /// A preset, overridden by the values of `file` and then by each `key=value` of `sets`; validated.
    ///
    /// # Errors
    ///
    /// If a name, a file, a key or a value does not fit. One line names it and says what would fit.
    pub fn load(preset: &str, file: Option<&Path>, sets: &[String]) -> Result<Self, TrainError> {
        let mut config = Self::preset(preset)?;
        if let Some(path) = file {
            let text = read_text(path, LONGEST_SETTINGS).map_err(TrainError::io("read", path))?;
            config = config.with_toml(&text, &path.display().to_string())?;
        }
        for set in sets {
            config = config.with_override(set)?;
        }
        config.validate()?;
        Ok(config)
    }

    /// This configuration with the first table alone, with these rules and players. Without `rules`, the
    /// table keeps its own. Without `players`, it keeps its own or the nearest number that the rules allow.
    ///
    /// # Errors
    ///
    /// If there are no such rules, or they do not allow this number of players.
    pub fn at_one_table(
        mut self,
        rules: Option<&str>,
        players: Option<usize>,
    ) -> Result<Self, TrainError> {
        self.tables.truncate(1);
        for table in &mut self.tables {
            if let Some(rules) = rules {
                (table.rules, table.file) = (rules.into(), None);
            }
            table.players = match players {
                Some(players) => Players::Exactly(players),
                None => table.nearest_players()?,
            };
            table.share = 1.0;
        }
        self.keep_colours()?;
        Ok(self)
    }

    /// This configuration with the content of all rules files that it names.
    ///
    /// # Errors
    ///
    /// If a file cannot be read or has faults.
    pub fn with_rules_files(mut self) -> Result<Self, TrainError> {
        self.tables.iter_mut().try_for_each(TableMix::keep_file)?;
        Ok(self)
    }

    /// This configuration with whole sessions as episodes. Phases with determinized search still count
    /// the chips of a deal; later phases teach the value head the returns of sessions.
    #[must_use]
    pub fn by_sessions(mut self) -> Self {
        for table in &mut self.tables {
            table.episode = EpisodeKind::Session;
        }
        self
    }

    /// Whether all episodes are sessions. Benchmarks then play sessions.
    pub fn counts_sessions(&self) -> bool {
        self.tables.iter().all(|table| table.episode == EpisodeKind::Session)
    }

    /// Restricts the symmetry to suits of one colour if the rules distinguish colours.
    fn keep_colours(&mut self) -> Result<(), TrainError> {
        if self.network.symmetry == Symmetry::Suits && self.tells_colours()? {
            self.network.symmetry = Symmetry::Colours;
        }
        Ok(())
    }

    /// Whether the rules of any game distinguish colours.
    fn tells_colours(&self) -> Result<bool, TrainError> {
        let asks = |game: &Game| game.rules().change_suit == ChangeSuit::OtherColour;
        for table in &self.tables {
            if table.is_houses() || table.games()?.iter().any(asks) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The phase at this progress, 0 to 1.
    ///
    /// # Panics
    ///
    /// If there is no phase; [`Config::validate`] refuses that.
    pub fn phase(&self, progress: f64) -> &TrainingPhase {
        let phase = self.phases.iter().find(|phase| progress < phase.until);
        phase.or(self.phases.last()).expect("a valid configuration has a phase")
    }

    /// Whether a phase begins after this many updates.
    pub(crate) fn begins_phase(&self, updates: u64) -> bool {
        let phase = |updates: u64| self.phase(updates as f64 / self.run.updates as f64);
        updates == 0 || !std::ptr::eq(phase(updates), phase(updates - 1))
    }

    /// A complete configuration from its text; `place` says where the text came from.
    ///
    /// # Errors
    ///
    /// If it is not TOML, a key is missing or unknown, or a value does not fit.
    pub fn from_toml(text: &str, place: &str) -> Result<Self, TrainError> {
        let table: toml::Table =
            toml::from_str(text).map_err(|error| malformed(place, text, &error))?;
        table.try_into().map_err(|error| misfit(place, &error))
    }

    /// The configuration as TOML, with all keys.
    ///
    /// # Errors
    ///
    /// If TOML cannot hold a value.
    pub fn to_toml(&self) -> Result<String, TrainError> {
        toml::to_string_pretty(self).map_err(|error| unwritable(&error))
    }
}

/// An error in one line for text that is not TOML; toml's own report has several.
fn malformed(place: &str, text: &str, error: &toml::de::Error) -> TrainError {
    let before = error.span().and_then(|span| text.get(..span.start)).unwrap_or_default();
    let line = before.matches('\n').count() + 1;
    TrainError::Config { place: place.into(), message: format!("line {line}: {}", in_words(error)) }
}

/// An error in one line for a value that does not fit, with its key, which is the last line of toml's report.
fn misfit(place: &str, error: &toml::de::Error) -> TrainError {
    let report = error.to_string();
    let key = report.lines().last().and_then(|line| line.strip_prefix("in "));
    let key = key.map_or(String::new(), |key| format!("{key}: "));
    TrainError::Config { place: place.into(), message: key + &in_words(error) }
}

/// The message of an error in one line, with plain words for Rust's types.
fn in_words(error: &toml::de::Error) -> String {
    let message = error.message().trim_end().replace('\n', " ");
    let Some((said, expected)) = message.rsplit_once("expected ") else { return message };
    let expected = match expected {
        "u8" | "u16" | "u32" | "u64" | "usize" => "a whole number, 0 or more",
        "f32" | "f64" => "a number",
        "a sequence" => "a list",
        other => other,
    };
    format!("{said}expected {expected}")
}

/// An error for a configuration that TOML cannot hold.
fn unwritable(error: &toml::ser::Error) -> TrainError {
    let message = error.to_string().trim_end().replace('\n', " ");
    TrainError::Config { place: "the configuration".into(), message }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_that_does_not_fit_is_told_what_would() {
        for (set, expected) in [
            ("rollout.deals=-3", "invalid value: integer `-3`, expected a whole number, 0 or more"),
            ("opponents.agents=\"stopper\"", "expected a list"),
            (
                "opponents.agents=[\"stopper\"]",
                "expected a table, as { agent = \"stopper\", share = 0.2 }",
            ),
            (
                "tables.0.players=\"four\"",
                "expected a number of players, as 4, or a range, as [3, 8]",
            ),
            ("rollout.deals=2.5", "floating point `2.5`, expected a whole number, 0 or more"),
            ("run.minutes=soon", "invalid type: string \"soon\", expected a number"),
            ("phases.0.estimator.ante_share=much", "string \"much\", expected a number"),
        ] {
            let config = Config::preset("quick").expect("quick");
            let error = config.with_override(set).expect_err(set).to_string();
            assert!(error.ends_with(expected), "{error}");
        }
    }

    #[test]
    fn a_file_that_does_not_fit_is_told_where() {
        for (text, expected) in [
            ("[learner]\nepochs = 'x'", "f.toml: `learner.epochs`: invalid type: string \"x\""),
            ("[learner]\nepochs ==", "f.toml: line 2: "),
            ("seed = 1\nseed = 2", "f.toml: line 2: "),
        ] {
            let config = Config::preset("quick").expect("quick");
            let error = config.with_toml(text, "f.toml").expect_err(text).to_string();
            assert!(error.starts_with(expected), "{error}");
        }
    }

    #[test]
    fn every_preset_is_complete_valid_and_survives_writing() {
        for preset in PRESETS {
            let config = Config::preset(preset.name).expect(preset.name);
            config.validate().expect(preset.name);
            let again = Config::from_toml(&config.to_toml().expect("written"), "again")
                .expect("reads back");
            assert_eq!(config, again, "{}", preset.name);
        }
    }

    #[test]
    fn suits_of_other_colours_are_told_apart_where_the_rules_do() {
        let quick = || Config::preset("quick").expect("quick");
        let symmetry = |rules: &str| {
            let config = quick().at_one_table(Some(rules), Some(3)).expect("seats three");
            config.validate().expect("fits");
            config.network.symmetry
        };
        assert_eq!(symmetry("michigan"), Symmetry::Suits);
        assert_eq!(symmetry("four-horses"), Symmetry::Colours);
        let mut config = quick();
        config.tables[0].rules = "four-horses".into();
        let message = config.validate().expect_err("does not fit").to_string();
        assert!(message.contains("network.symmetry") && message.contains("colours"), "{message}");
    }

    #[test]
    fn a_table_has_the_nearest_number_of_players_that_its_rules_seat() {
        let players = |rules, players| {
            let quick = Config::preset("quick").expect("quick");
            quick.at_one_table(Some(rules), players).map(|config| config.tables[0].players)
        };
        let nearest = |rules| players(rules, None).expect("there are such rules");
        assert_eq!(nearest("../eval/games/two-seats.toml"), Players::Exactly(2));
        assert_eq!(nearest("michigan"), Players::Exactly(4));
        assert_eq!(nearest(TableMix::ALL), Players::Exactly(4));
        assert_eq!(players("michigan", Some(5)).expect("seats five"), Players::Exactly(5));
        let message = players("nonesuch", None).expect_err("no such rules").to_string();
        assert!(message.contains("nonesuch"), "{message}");
    }

    #[test]
    fn an_unknown_preset_names_the_known_ones() {
        let message = Config::preset("quik").expect_err("no such preset").to_string();
        assert!(message.contains("quick") && message.contains("champion"), "{message}");
    }

    #[test]
    fn a_file_changes_what_it_names_and_nothing_else() {
        let quick = Config::preset("quick").expect("quick");
        let text = "seed = 9\n[learner]\nlearning_rate = { linear = { from = 1e-3, to = 0.0 } }\n";
        let changed = quick.clone().with_toml(text, "mine.toml").expect("fits");
        assert_eq!(changed.seed, 9);
        assert!((changed.learner.learning_rate.at(0.5) - 5e-4).abs() < 1e-12);
        let mut back = changed;
        back.seed = quick.seed;
        back.learner.learning_rate = quick.learner.learning_rate;
        assert_eq!(back, quick);
    }

    #[test]
    fn messages_are_one_line_and_name_the_place() {
        let quick = Config::preset("quick").expect("quick");
        for text in ["seed = 'x'", "sed = 1", "[learner]\nepochs = -1", "=", "[learner]\nepoch = 1"]
        {
            let message = quick.clone().with_toml(text, "f.toml").expect_err(text).to_string();
            assert!(!message.contains('\n'), "{message}");
            assert!(message.starts_with("f.toml: "), "{message}");
        }
    }

    #[test]
    fn load_reads_files_in_order_and_reports_missing_ones() {
        let dir = tempfile::tempdir().expect("a folder");
        let path = dir.path().join("c.toml");
        std::fs::write(&path, "[run]\nupdates = 7\n").expect("written");
        let sets = ["run.checkpoint_every=3".to_string(), "run.updates = 8".to_string()];
        let config = Config::load("quick", Some(&path), &sets).expect("loads");
        assert_eq!((config.run.updates, config.run.checkpoint_every), (8, 3));
        let missing = dir.path().join("none.toml");
        let message = Config::load("quick", Some(&missing), &[]).expect_err("missing").to_string();
        assert!(message.contains("none.toml"), "{message}");
    }
}
