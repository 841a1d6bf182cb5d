//! A run's folder, looked at again and again while another process writes there.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use newmarket_checkpoints::list;
use newmarket_env::files::{LONGEST_SETTINGS, read_text};
use newmarket_env::text::{brief, plain, with_causes};
use newmarket_train::metrics::FILE;
use newmarket_train::{Config, is_training};

use super::history::{History, Kind};
use super::tail::Tail;

/// With this file a folder is a run.
const CONFIG: &str = "config.toml";

/// A run that is followed.
#[derive(Debug)]
pub(super) struct Follow {
    folder: PathBuf,
    tail: Tail,
    /// What is configured, or why nothing is known of that.
    pub(super) config: Result<Config, String>,
    pub(super) history: History,
    pub(super) on: Activity,
    /// The update of the latest checkpoint that is there.
    pub(super) saved: Option<u64>,
    /// When the record was last written.
    pub(super) written: Option<SystemTime>,
}

/// Whether a process trains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Activity {
    Training,
    Idle,
    /// That cannot be known on this system.
    Unknown,
}

impl Follow {
    pub(super) fn new(folder: &Path) -> Self {
        Self {
            folder: folder.into(),
            tail: Tail::new(folder.join(FILE)),
            config: Err("nothing has been looked at".into()),
            history: History::default(),
            on: Activity::Unknown,
            saved: None,
            written: None,
        }
    }

    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Looks at everything; whether more is there than was read at once.
    pub(super) fn look(&mut self) -> bool {
        let Ok(config) = self.config.as_ref() else {
            self.config = config(&self.folder);
            return self.config.is_ok();
        };
        let found = match self.tail.look() {
            Ok(found) => found,
            Err(error) => {
                let place = self.tail.path().display();
                self.trouble(&format!("cannot read {place}: {}", with_causes(&error)));
                return false;
            }
        };
        if found.anew {
            // What was there is another run now, or this one went back to a checkpoint.
            self.history = History::default();
        }
        for line in &found.lines {
            self.history.take(line.as_deref(), config);
        }
        if found.anew {
            self.config = self::config(&self.folder);
        }
        let on = match is_training(&self.folder) {
            Some(true) => Activity::Training,
            Some(false) => Activity::Idle,
            None => Activity::Unknown,
        };
        let before = std::mem::replace(&mut self.on, on);
        match (before, on) {
            (Activity::Training, Activity::Idle) => {
                self.history.note(Kind::Plain, "the program that trained has ended");
            }
            (Activity::Idle, Activity::Training) => {
                self.history.note(Kind::Plain, "a program trains");
            }
            _ => {}
        }
        let saved = list(&self.folder.join("checkpoints")).unwrap_or_default();
        self.saved = saved.last().map(|(update, _)| *update);
        self.written = self.tail.path().metadata().and_then(|it| it.modified()).ok();
        found.more
    }

    /// Notes what is wrong, once.
    fn trouble(&mut self, text: &str) {
        let text = plain(&brief(text, 300)).into_owned();
        if self.history.events.back().is_none_or(|last| last.text != text) {
            self.history.note(Kind::Trouble, text);
        }
    }
}

/// The configuration of a run, or in words why there is none.
fn config(folder: &Path) -> Result<Config, String> {
    let path = folder.join(CONFIG);
    if !folder.is_dir() {
        return Err("there is no such folder yet".into());
    }
    if !path.is_file() {
        return Err(format!("there is no {CONFIG} in it yet, so no run has begun there"));
    }
    let words = |text: String| plain(&brief(&text.replace('\n', " "), 600)).into_owned();
    let text = read_text(&path, LONGEST_SETTINGS)
        .map_err(|error| words(format!("cannot read {CONFIG}: {}", with_causes(&error))))?;
    Config::from_toml(&text, CONFIG).map_err(|error| words(with_causes(&error)))
}
