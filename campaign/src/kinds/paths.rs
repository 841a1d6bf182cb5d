//! Paths to devices, pipes, links, folders, read-only files and endless files.

use std::fs::{self, File, Permissions};
use std::os::unix::fs::{FileTypeExt, PermissionsExt, symlink};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use crate::attempt::{Attempt, filled};
use crate::common::{draw, one_of};
use crate::hostile::READERS;
use crate::kinds::Law;
use crate::materials::ENDS;
use crate::program::{Call, Outcome};
use crate::verdict::{Failure, Fault, demand};

const LAWS: [(&str, Law); 12] = [
    ("what is read", endless),
    ("what is read", endless),
    ("a link", link),
    ("a link to nothing", dangling),
    ("a pipe", pipe),
    ("a device", device),
    ("standard output", standard_output),
    ("a closed file", closed),
    ("the mode of a file", mode),
    ("the mode of a new file", mask),
    ("a folder", folder),
    ("an interrupt", interrupt),
];

pub(crate) fn law(attempt: &mut Attempt<'_>) -> Result<(), Failure> {
    attempt.write("net.ckpt", &attempt.materials.checkpoint);
    let (what, law) = one_of(&mut attempt.rng, &LAWS);
    law(attempt)
        .map_err(|failure| Failure { detail: format!("{what}: {}", failure.detail), ..failure })
}

/// Commands that write the same bytes to a file `@` each time.
const WRITERS: [&[&str]; 3] = [
    &["trace", "--deals", "3", "--players", "3", "--out", "@"],
    &["checkpoint", "release", "net.ckpt", "--out", "@"],
    &["checkpoint", "join", "net.ckpt", "net.ckpt", "--out", "@"],
];
/// Commands that write a page `@`, which contains a duration.
const PAGES: [&[&str]; 2] = [
    &["ladder", "random", "longest", "--deals", "20", "--html", "@"],
    &["study", "lead", "--deals", "100", "--out", "@"],
];
/// Endless files, empty files, and files of another kind.
const SOURCES: [&str; 8] =
    ["/dev/zero", "/dev/urandom", "/dev/null", "/proc/self/mem", "hole", "pipe", ".", "loop"];

fn endless(attempt: &mut Attempt<'_>) -> Result<(), Failure> {
    let source = one_of(&mut attempt.rng, &SOURCES);
    let place = attempt.path(source);
    match source {
        "hole" => File::create(&place).and_then(|file| file.set_len(3 << 30)).expect("a hole"),
        "pipe" => make("mkfifo", &place, &[]),
        "loop" => symlink("loop", &place).expect("a link"),
        _ => {}
    }
    let command = one_of(&mut attempt.rng, &READERS);
    let mut call = Call::new(filled(command, source), 2_000);
    // The system reports its own error.
    call.injected = matches!(source, "loop" | "/proc/self/mem");
    // An empty file can be valid.
    if source == "/dev/null" {
        return attempt.run(&call).map(drop);
    }
    attempt.refuses(&call, source).map(drop)
}

/// A command, and the bytes that it writes to a new file.
fn writer(attempt: &mut Attempt<'_>) -> Result<(&'static [&'static str], Vec<u8>), Failure> {
    let command = one_of(&mut attempt.rng, &WRITERS);
    attempt.does(&call(command, "whole"))?;
    Ok((command, fs::read(attempt.path("whole")).expect("it was written")))
}

fn call(command: &[&str], place: &str) -> Call {
    Call::new(filled(command, place), 60_000)
}

fn has(attempt: &Attempt<'_>, name: &str, wanted: &[u8]) -> Result<(), Failure> {
    let found = fs::read(attempt.path(name)).unwrap_or_default();
    let detail = format!("{} of {} bytes in {name}", found.len(), wanted.len());
    demand(found == wanted, Fault::File, &detail)
}

fn link(attempt: &mut Attempt<'_>) -> Result<(), Failure> {
    let (command, whole) = writer(attempt)?;
    attempt.write("elsewhere/target", "old");
    symlink("elsewhere/target", attempt.path("out")).expect("a link");
    attempt.does(&call(command, "out"))?;
    demand(attempt.path("out").is_symlink(), Fault::File, "the link was replaced")?;
    has(attempt, "elsewhere/target", &whole)
}

fn dangling(attempt: &mut Attempt<'_>) -> Result<(), Failure> {
    let (command, whole) = writer(attempt)?;
    symlink("target", attempt.path("out")).expect("a link");
    let outcome = attempt.run(&call(command, "out"))?;
    demand(attempt.path("out").is_symlink(), Fault::File, "the link was replaced")?;
    if outcome.success() { has(attempt, "target", &whole) } else { Ok(()) }
}

fn pipe(attempt: &mut Attempt<'_>) -> Result<(), Failure> {
    let (command, whole) = writer(attempt)?;
    make("mkfifo", &attempt.path("out"), &[]);
    fs::set_permissions(attempt.path("out"), Permissions::from_mode(0o666)).expect("a mode");
    let reader = Reader::of(&attempt.path("out"), &attempt.path("read"));
    attempt.does(&call(command, "out"))?;
    let kind = fs::symlink_metadata(attempt.path("out")).expect("it is there").file_type();
    demand(kind.is_fifo(), Fault::File, "the pipe was replaced")?;
    reader.finish();
    has(attempt, "read", &whole)
}

/// A process that reads a pipe to its end.
struct Reader(Child);

impl Reader {
    fn of(pipe: &Path, into: &Path) -> Self {
        let mut cat = Command::new("cat");
        cat.arg(pipe).stdout(File::create(into).expect("a file")).stdin(Stdio::null());
        Self(cat.spawn().expect("cat"))
    }

    fn finish(mut self) {
        let _ = self.0.wait();
    }
}

impl Drop for Reader {
    fn drop(&mut self) {
        // The pipe may never have had a writer.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn device(attempt: &mut Attempt<'_>) -> Result<(), Failure> {
    let command = one_of(&mut attempt.rng, &WRITERS);
    let out = attempt.path("out");
    // Only root can make a device; otherwise a link to one is used.
    let made = Command::new("mknod").arg(&out).args(["c", "1", "3"]).output();
    let made = made.is_ok_and(|output| output.status.success());
    if made {
        fs::set_permissions(&out, Permissions::from_mode(0o666)).expect("a mode");
    } else {
        symlink("/dev/null", &out).expect("a link");
    }
    let outcome = attempt.run(&call(command, "out"))?;
    let kind = fs::symlink_metadata(&out).expect("it is there").file_type();
    let kept = if made { kind.is_char_device() } else { kind.is_symlink() };
    demand(kept, Fault::File, "the device was replaced")?;
    // The folder may be mounted without devices.
    demand(made || outcome.success(), Fault::Refused, "a link to /dev/null")
}

fn standard_output(attempt: &mut Attempt<'_>) -> Result<(), Failure> {
    let (command, whole) = writer(attempt)?;
    let mut call = call(command, "/dev/stdout");
    // As in `newmarket … | cat`.
    call.shell = "exec > piped; mkfifo way; cat way & exec > way";
    let outcome: Outcome = attempt.does(&call)?;
    drop(outcome);
    for _ in 0..200 {
        if fs::metadata(attempt.path("piped")).is_ok_and(|file| file.len() >= whole.len() as u64) {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    let found = fs::read(attempt.path("piped")).unwrap_or_default();
    demand(found.starts_with(&whole), Fault::File, "what was written did not arrive")
}

fn closed(attempt: &mut Attempt<'_>) -> Result<(), Failure> {
    let command = any_writer(attempt);
    attempt.write("out", "old");
    fs::set_permissions(attempt.path("out"), Permissions::from_mode(0o444)).expect("a mode");
    let outcome = attempt.run(&call(command, "out"))?;
    has(attempt, "out", b"old")?;
    demand(!outcome.success(), Fault::Accepted, "nothing was written, nothing said")
}

fn any_writer(attempt: &mut Attempt<'_>) -> &'static [&'static str] {
    if draw(&mut attempt.rng, 2) == 0 {
        one_of(&mut attempt.rng, &WRITERS)
    } else {
        one_of(&mut attempt.rng, &PAGES)
    }
}

/// The mode of an existing file is kept.
fn mode(attempt: &mut Attempt<'_>) -> Result<(), Failure> {
    let wanted = one_of(&mut attempt.rng, &[0o600, 0o640, 0o664, 0o666, 0o755]);
    attempt.write("out", "old");
    fs::set_permissions(attempt.path("out"), Permissions::from_mode(wanted)).expect("a mode");
    let command = any_writer(attempt);
    attempt.does(&call(command, "out"))?;
    has_mode(attempt, wanted)
}

/// The mode of a new file follows the mask.
fn mask(attempt: &mut Attempt<'_>) -> Result<(), Failure> {
    const MASKS: [(&str, u32); 3] =
        [("umask 077", 0o600), ("umask 027", 0o640), ("umask 002", 0o664)];
    let (shell, wanted) = one_of(&mut attempt.rng, &MASKS);
    let mut call = call(any_writer(attempt), "out");
    call.shell = shell;
    attempt.does(&call)?;
    has_mode(attempt, wanted)
}

fn has_mode(attempt: &Attempt<'_>, wanted: u32) -> Result<(), Failure> {
    let mode = fs::metadata(attempt.path("out")).expect("it was written").permissions().mode();
    demand(mode & 0o777 == wanted, Fault::File, &format!("mode {:o}, not {wanted:o}", mode & 0o777))
}

fn folder(attempt: &mut Attempt<'_>) -> Result<(), Failure> {
    attempt.write("out/file", "old");
    let place = one_of(&mut attempt.rng, &["out", "out/", ".", "/", "", "out/file/new"]);
    let command = any_writer(attempt);
    attempt.refuses(&call(command, place), "a folder to write to")?;
    has(attempt, "out/file", b"old")
}

/// A stopped command leaves the old file or the whole new one, and no other file.
fn interrupt(attempt: &mut Attempt<'_>) -> Result<(), Failure> {
    let deals = one_of(&mut attempt.rng, &["300", "3000", "30000"]);
    attempt.write("out", "old");
    let after = 2 + draw(&mut attempt.rng, 150) as u64;
    let command = ["trace", "--players", "3", "--deals", deals, "--out", "out"];
    let mut call = Call::new(command, after);
    call.signal = one_of(&mut attempt.rng, &ENDS);
    attempt.run(&call)?;
    let found = fs::read(attempt.path("out")).unwrap_or_default();
    let lines = found.split(|&byte| byte == b'\n').count() - 1;
    let right = found == b"old" || lines.to_string() == deals;
    demand(right, Fault::File, &format!("{lines} of {deals} lines"))
}

/// Makes a special file that every user can use.
fn make(tool: &str, path: &Path, rest: &[&str]) {
    let made = Command::new(tool).args(["-m", "666"]).arg(path).args(rest).status();
    assert!(made.is_ok_and(|status| status.success()), "{tool} {}", path.display());
}
