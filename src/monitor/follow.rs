//! Follows the folder of a run while another process writes to it.

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use newmarket_checkpoints::list;
use newmarket_env::files::{LONGEST_SETTINGS, read_text};
use newmarket_env::text::{brief, plain, with_causes};
use newmarket_train::metrics::FILE;
use newmarket_train::{Config, is_training};

use super::history::{History, Kind};
use super::tail::{Found, Tail};

/// A folder with this file is a run.
const CONFIG: &str = "config.toml";

/// A run that is followed.
#[derive(Debug)]
pub(super) struct Follow {
    folder: PathBuf,
    tail: Tail,
    /// The configuration, or why it cannot be read.
    pub(super) config: Result<Config, String>,
    /// Whether the folder was there and has gone.
    gone: bool,
    pub(super) history: History,
    pub(super) on: Activity,
    /// The update of the latest checkpoint.
    pub(super) saved: Option<u64>,
    /// When the record was last written.
    written: Option<SystemTime>,
    /// Why the last read of the record failed.
    pub(super) problem: Option<String>,
}

/// The result of a look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Seen {
    Nothing,
    Changes,
    /// There is more to read at once.
    More,
}

/// Whether a process trains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Activity {
    Training,
    Idle,
    /// This system cannot tell.
    Unknown,
}

impl Follow {
    pub(super) fn new(folder: &Path) -> Self {
        Self {
            folder: folder.into(),
            tail: Tail::new(folder.join(FILE)),
            config: Err("nothing has been looked at".into()),
            gone: false,
            history: History::default(),
            on: Activity::Unknown,
            saved: None,
            written: None,
            problem: None,
        }
    }

    /// The time since the record was last written.
    pub(super) fn age(&self) -> Option<Duration> {
        SystemTime::now().duration_since(self.written?).ok()
    }

    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Reads all that is new.
    pub(super) fn look(&mut self) -> Seen {
        let Ok(config) = self.config.as_ref() else {
            self.config = match config(&self.folder) {
                Err(_) if self.gone && !self.folder.is_dir() => {
                    Err("the folder was moved or deleted; it is waited for".into())
                }
                config => config,
            };
            return if self.config.is_ok() { Seen::More } else { Seen::Changes };
        };
        if !self.folder.is_dir() {
            *self = Self { gone: true, ..Self::new(&self.folder) };
            return self.look();
        }
        let found = match self.tail.look() {
            Ok(found) => found,
            Err(error) => {
                let place = self.tail.path().display();
                let text = format!("cannot read {place}: {}", with_causes(&error));
                return self.trouble(plain(&brief(&text, 300)).into_owned());
            }
        };
        if found.anew {
            // Another run has begun in the folder, or this run went back to a checkpoint.
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
        let saved = saved.last().map(|(update, _)| *update);
        let saved_before = std::mem::replace(&mut self.saved, saved);
        self.written = self.tail.path().metadata().and_then(|about| about.modified()).ok();
        let problem = self.problem.take();
        let same = before == on && saved_before == saved && problem.is_none();
        match found {
            Found { more: true, .. } => Seen::More,
            Found { anew: false, lines, .. } if same && lines.is_empty() => Seen::Nothing,
            _ => Seen::Changes,
        }
    }

    /// Notes why the record cannot be read, once.
    fn trouble(&mut self, text: String) -> Seen {
        if self.problem.as_ref() == Some(&text) {
            return Seen::Nothing;
        }
        self.history.note(Kind::Trouble, text.clone());
        self.problem = Some(text);
        Seen::Changes
    }
}

/// The configuration of a run, or why it cannot be read.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::train::quick;
    use newmarket_train::metrics::{Metrics, MetricsRow};
    use std::fs::{self, File, OpenOptions};
    use std::io::Write;

    fn row(update: u64) -> MetricsRow {
        let mut row = MetricsRow::new(update);
        row.push("loss/policy", 1.0 / update as f64);
        row.push("time/seconds", update as f64);
        row.push("time/update_seconds", 1.0);
        row
    }

    fn updates(follow: &mut Follow) -> Vec<u64> {
        while follow.look() == Seen::More {}
        follow.history.rows.iter().map(|row| row.update).collect()
    }

    fn texts(follow: &Follow) -> Vec<&str> {
        follow.history.events.iter().map(|event| &*event.text).collect()
    }

    #[test]
    fn a_run_that_begins_later_is_waited_for() {
        let folder = tempfile::tempdir().expect("a folder");
        let run = folder.path().join("run");
        let mut follow = Follow::new(&run);
        let why = |follow: &mut Follow| {
            assert_eq!(updates(follow), [0; 0]);
            follow.config.clone().expect_err("no run yet")
        };
        assert!(why(&mut follow).contains("no such folder"));
        fs::create_dir(&run).expect("a folder");
        assert!(why(&mut follow).contains("no config.toml"));
        fs::write(run.join(CONFIG), "seed = \u{1b}[2J").expect("written");
        let words = why(&mut follow);
        assert!(words.contains("config.toml") && !words.contains('\u{1b}'), "{words}");
        let config = quick().to_toml().expect("quick");
        fs::write(run.join(CONFIG), config).expect("written");
        assert_eq!(updates(&mut follow), [0; 0]);
        assert!(follow.config.is_ok(), "{:?}", follow.config);
        let mut metrics = Metrics::resume(&run, 0).expect("a record");
        for update in 1..=3 {
            metrics.write(&row(update)).expect("written");
            assert_eq!(updates(&mut follow), (1..=update).collect::<Vec<_>>());
        }
        // Half a line, then the rest.
        let mut file = OpenOptions::new().append(true).open(run.join(FILE)).expect("a file");
        file.write_all(b"{\"update\":4,\"loss/pol").expect("written");
        assert_eq!((updates(&mut follow), follow.history.unreadable), (vec![1, 2, 3], 0));
        file.write_all(b"icy\":0.5}\n").expect("written");
        assert_eq!(updates(&mut follow), [1, 2, 3, 4]);
        assert!((follow.history.seconds - 3.0).abs() < 1e-9);
    }

    #[test]
    fn a_run_that_goes_on_from_a_checkpoint() {
        let folder = tempfile::tempdir().expect("a folder");
        let config = quick().to_toml().expect("quick");
        fs::write(folder.path().join(CONFIG), config).expect("written");
        let mut metrics = Metrics::resume(folder.path(), 0).expect("a record");
        for update in 1..=5 {
            metrics.write(&row(update)).expect("written");
        }
        let mut follow = Follow::new(folder.path());
        assert_eq!(updates(&mut follow), [1, 2, 3, 4, 5]);
        let mut metrics = Metrics::resume(folder.path(), 3).expect("a record");
        for update in 4..=7 {
            let mut row = row(update);
            row.push("policy/kl", 0.5);
            // Its clock begins anew.
            row.values[1].1 = update as f64 - 3.0;
            metrics.write(&row).expect("written");
        }
        assert_eq!(updates(&mut follow), [1, 2, 3, 4, 5, 6, 7]);
        assert_eq!(
            follow.history.rows[3].get("policy/kl"),
            Some(0.5),
            "what it did the second time"
        );
        assert!((follow.history.seconds - 7.0).abs() < 1e-9, "{}", follow.history.seconds);
        assert_eq!(texts(&follow), ["went on from update 3"]);
        fs::remove_file(folder.path().join(FILE)).expect("removed");
        assert_eq!(updates(&mut follow), [0; 0], "another run begins there");
    }

    #[cfg(unix)]
    #[test]
    fn whether_a_program_trains_is_seen() {
        let folder = tempfile::tempdir().expect("a folder");
        let config = quick().to_toml().expect("quick");
        fs::write(folder.path().join(CONFIG), config).expect("written");
        let mut follow = Follow::new(folder.path());
        updates(&mut follow);
        assert_eq!(follow.on, Activity::Idle);
        let lock = File::open(folder.path()).expect("a folder");
        lock.try_lock().expect("nobody else: the one who looks holds it no longer");
        updates(&mut follow);
        assert_eq!(follow.on, Activity::Training);
        drop(lock);
        updates(&mut follow);
        assert_eq!(follow.on, Activity::Idle);
        assert_eq!(texts(&follow), ["a program trains", "the program that trained has ended"]);
    }

    #[test]
    fn what_is_no_row_is_counted_and_memory_is_bounded() {
        let folder = tempfile::tempdir().expect("a folder");
        let config = quick().to_toml().expect("quick");
        fs::write(folder.path().join(CONFIG), config).expect("written");
        let names: Vec<String> = (0..210).map(|nth| format!("\"benchmark/{nth:085}\":1")).collect();
        let wide = |update: u64| format!("{{\"update\":{update},{}}}\n", names.join(","));
        let mut text =
            String::from("garbage\n[1]\n{\"update\":-1}\n{\"update\":1,\"loss/policy\":NaN}\n");
        text += &"x".repeat(200_000);
        text += "\n";
        for update in 1..=2500 {
            text += &wide(update);
        }
        fs::write(folder.path().join(FILE), text).expect("written");
        let mut follow = Follow::new(folder.path());
        let updates = updates(&mut follow);
        assert_eq!(follow.history.unreadable, 5);
        assert_eq!(texts(&follow).iter().filter(|text| text.contains("no row")).count(), 1);
        assert!(follow.history.rows.iter().all(|row| row.values.len() <= 200));
        assert!((500..2400).contains(&updates.len()), "{}", updates.len());
        assert_eq!(updates.last(), Some(&2500));
        // A pipe is not waited for.
        fs::remove_file(folder.path().join(FILE)).expect("removed");
        fs::create_dir(folder.path().join(FILE)).expect("a folder");
        follow.look();
        assert!(texts(&follow).last().is_some_and(|text| text.contains("regular file")));
    }
}
