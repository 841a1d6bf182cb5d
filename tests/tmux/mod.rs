//! Terminals of tests: tmux, if there is one.
#![allow(dead_code, reason = "no test file uses all of them")]

use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

pub(crate) const PROGRAM: &str = env!("CARGO_BIN_EXE_newmarket");

/// Modes of a terminal that a command has given back to the shell: no reports of the mouse, no alternate screen, a cursor.
pub(crate) const SHELL: &str = "001";
/// Modes of a terminal on which a table is drawn.
pub(crate) const SCREEN: &str = "110";

/// A terminal of 80 × 24 that runs a script.
pub(crate) struct Terminal {
    pub(crate) folder: tempfile::TempDir,
}

impl Terminal {
    /// Runs a shell command. Without tmux it prints a line and returns `None`.
    #[expect(clippy::print_stderr, reason = "whoever reads the tests' output is told")]
    pub(crate) fn run(command: &str) -> Option<Self> {
        if Command::new("tmux").arg("-V").stdout(Stdio::null()).status().is_err() {
            eprintln!("skipped: there is no tmux");
            return None;
        }
        let terminal = Self { folder: tempfile::tempdir().unwrap() };
        let script = terminal.file("script");
        let text = format!("unset NO_COLOR\n{command}\necho \"END $?\"\nstty -a\nsleep 600\n");
        std::fs::write(&script, text).unwrap();
        let script = format!("sh {}", script.display());
        terminal.tmux(&["new-session", "-d", "-x", "80", "-y", "24", &script]);
        Some(terminal)
    }

    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn tmux(&self, arguments: &[&str]) -> String {
        let socket = self.file("socket");
        let mut tmux = Command::new("tmux");
        tmux.arg("-u").args(["-f", "/dev/null", "-S"]).arg(&socket).args(arguments);
        // The tests may themselves run in tmux.
        let output = tmux.env_remove("TMUX").output().unwrap();
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    pub(crate) fn screen(&self) -> String {
        self.tmux(&["capture-pane", "-p"])
    }

    /// The modes of the terminal, as in [`SHELL`].
    pub(crate) fn modes(&self) -> String {
        let modes = "#{mouse_any_flag}#{alternate_on}#{cursor_flag}";
        self.tmux(&["display", "-p", modes]).trim().into()
    }

    pub(crate) fn keys(&self, keys: &[&str]) {
        for key in keys {
            self.tmux(&["send-keys", key]);
        }
    }

    /// Waits for a text on the screen, and presses a key at times if one is given.
    pub(crate) fn wait(&self, text: &str, key: Option<&str>) -> String {
        let begun = Instant::now();
        loop {
            let screen = self.screen();
            if screen.contains(text) {
                return screen;
            }
            assert!(begun.elapsed() < Duration::from_mins(2), "no `{text}` in\n{screen}");
            self.keys(key.as_slice());
            sleep(Duration::from_millis(30));
        }
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        self.tmux(&["kill-server"]);
    }
}
