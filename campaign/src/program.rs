//! One run of the program under observation.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Read};
use std::os::unix::fs::lchown;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};
use std::thread::sleep;
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

/// The most bytes of an output that are read.
pub(crate) const READ: u64 = 1 << 20;

/// The program under test.
pub(crate) struct Program {
    pub(crate) path: PathBuf,
    /// The unprivileged user as which the program runs, if this process runs as root.
    pub(crate) user: Option<u32>,
    /// Time limit for an answer to an interrupt.
    pub(crate) patience: Duration,
    /// The memory limit in bytes.
    pub(crate) memory: u64,
}

/// The program's message that another signal ends it at once.
const AGAIN: &str = "again to stop at once";

/// A run to be made.
pub(crate) struct Call {
    pub(crate) arguments: Vec<OsString>,
    pub(crate) input: Vec<u8>,
    /// Shell commands to run first, as `ulimit -f $0`.
    pub(crate) shell: &'static str,
    /// The value of `$0` in these commands.
    pub(crate) limit: u64,
    pub(crate) threads: usize,
    /// The signal to send if the program still runs after this time.
    pub(crate) signal: Signal,
    pub(crate) after: Duration,
    /// The program is killed as soon as this file exists.
    pub(crate) until: Option<PathBuf>,
    /// Whether a fault of input or output was injected. Then exit code 1 is right.
    pub(crate) injected: bool,
    /// The path for standard output, if it is not to be read afterwards.
    pub(crate) stdout: Option<PathBuf>,
}

impl Call {
    /// A plain run, which is interrupted after `ms` milliseconds.
    pub(crate) fn new<A: Into<OsString>>(arguments: impl IntoIterator<Item = A>, ms: u64) -> Self {
        Self {
            arguments: arguments.into_iter().map(Into::into).collect(),
            input: Vec::new(),
            shell: "",
            limit: 0,
            threads: 1,
            signal: Signal::SIGINT,
            after: Duration::from_millis(ms),
            until: None,
            injected: false,
            stdout: None,
        }
    }

    /// The command line for a shell.
    pub(crate) fn line(&self, program: &Path) -> String {
        let words = self.arguments.iter().map(|word| {
            let text = word.to_string_lossy();
            let shown: String = text.chars().take(300).collect();
            format!("'{}'", shown.replace('\'', "'\\''"))
        });
        let shell = self.shell.replace("$1", &self.limit.to_string());
        let words: Vec<String> = words.collect();
        let name = program.file_name().unwrap_or_default().to_string_lossy();
        format!("{shell}{}{name} {}", if shell.is_empty() { "" } else { "; " }, words.join(" "))
    }
}

/// The result of a run.
pub(crate) struct Outcome {
    pub(crate) status: ExitStatus,
    /// The signal that was sent.
    pub(crate) sent: Option<Signal>,
    /// Whether the program ended by itself, or within the time limit after the signal.
    pub(crate) answered: bool,
    /// The highest observed memory in bytes.
    pub(crate) peak: u64,
    pub(crate) stdout: Vec<u8>,
    pub(crate) stderr: Vec<u8>,
}

impl Outcome {
    /// Whether the program succeeded.
    pub(crate) fn success(&self) -> bool {
        self.status.success() && self.sent.is_none()
    }
}

impl Program {
    /// Runs the program in the subfolder `work` of `folder`, and waits for its end.
    pub(crate) fn run(&self, call: &Call, folder: &Path) -> io::Result<Outcome> {
        let [stdin, stdout, stderr] = ["stdin", "stdout", "stderr"].map(|name| folder.join(name));
        fs::write(&stdin, &call.input)?;
        let mut command = Command::new(&self.path);
        if !call.shell.is_empty() {
            command = Command::new("sh");
            let script = format!("{}; exec \"$@\"", call.shell);
            command.arg("-c").arg(script).arg(call.limit.to_string()).arg(&self.path);
        }
        let out = match &call.stdout {
            Some(path) => File::options().write(true).open(path)?,
            None => File::create(&stdout)?,
        };
        command
            .args(&call.arguments)
            // Ctrl-C at the terminal goes only to the campaign.
            .process_group(0)
            .current_dir(folder.join("work"))
            .env_clear()
            .env("PATH", "/usr/bin:/bin")
            .env("HOME", folder.join("work"))
            .env("RAYON_NUM_THREADS", call.threads.to_string())
            .stdin(File::open(&stdin)?)
            .stdout(out)
            .stderr(File::create(&stderr)?);
        if let Some(user) = self.user {
            give(&folder.join("work"), user)?;
            give(&stdout, user)?;
            command.uid(user).gid(user);
        }
        let mut outcome = self.watch(command, call, &stderr)?;
        outcome.stdout = if call.stdout.is_some() { Vec::new() } else { beginning(&stdout)? };
        outcome.stderr = beginning(&stderr)?;
        Ok(outcome)
    }

    fn watch(&self, mut command: Command, call: &Call, stderr: &Path) -> io::Result<Outcome> {
        let mut child = command.spawn()?;
        let pid = Pid::from_raw(child.id() as i32);
        let start = Instant::now();
        let (mut sent, mut again, mut answered, mut peak) =
            (None::<(Signal, Instant)>, false, true, 0);
        let mut nap = Duration::from_millis(1);
        let status = loop {
            if let Some(status) = child.try_wait()? {
                break status;
            }
            peak = peak.max(high_water(child.id()));
            // A second signal, as an impatient person would send it.
            if let Some((signal, at)) = sent
                && !again
                && at.elapsed() > self.patience / 6
                && String::from_utf8_lossy(&beginning(stderr)?).contains(AGAIN)
            {
                again = true;
                let _ = kill(pid, signal);
            }
            let silent =
                sent.is_some_and(|(_, at): (Signal, Instant)| at.elapsed() > self.patience);
            answered &= !silent;
            if peak > self.memory || silent {
                child.kill()?;
            }
            let seen = call.until.as_ref().is_some_and(|path| path.exists());
            if sent.is_none() && (seen || start.elapsed() >= call.after) {
                let signal = if seen { Signal::SIGKILL } else { call.signal };
                // The program may have ended.
                let _ = kill(pid, signal);
                sent = Some((signal, Instant::now()));
            }
            sleep(nap);
            nap = (nap * 2).min(Duration::from_millis(8));
        };
        let sent = sent.map(|(signal, _)| signal);
        Ok(Outcome { status, sent, answered, peak, stdout: Vec::new(), stderr: Vec::new() })
    }
}

/// The highest memory of a process so far in bytes; 0 if unknown.
fn high_water(process: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let words = line.and_then(|rest| rest.split_whitespace().next()?.parse::<u64>().ok());
    words.unwrap_or(0) * 1024
}

/// The beginning of a file.
fn beginning(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(READ).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Changes the owner of a folder and everything in it. Links are not followed.
pub(crate) fn give(path: &Path, user: u32) -> io::Result<()> {
    if !path.is_symlink() && path.is_dir() {
        for entry in fs::read_dir(path)? {
            give(&entry?.path(), user)?;
        }
    }
    if path.is_symlink() || path.exists() { lchown(path, Some(user), Some(user)) } else { Ok(()) }
}
