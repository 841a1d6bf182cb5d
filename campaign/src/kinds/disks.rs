//! Full disks and folders that cannot be written. No file is lost, and the message names the user's file.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::attempt::{Attempt, filled};
use crate::common::{draw, one_of};
use crate::kinds::Law;
use crate::kinds::kills::finished;
use crate::materials::UPDATES;
use crate::program::{Call, Outcome};
use crate::verdict::{Failure, Fault, demand, first_line};

/// Limits files to a number of blocks of half a KiB.
const SMALL_FILES: &str = "ulimit -f $0";

/// Commands that write a file `@`.
const WRITERS: [&[&str]; 5] = [
    &["trace", "--deals", "30", "--out", "@"],
    &["trace", "--deals", "300", "--fresh", "--out", "@"],
    &["checkpoint", "release", "net.ckpt", "--out", "@"],
    &["checkpoint", "join", "net.ckpt", "net.ckpt", "--out", "@"],
    &["ladder", "random", "longest", "--deals", "20", "--html", "@"],
];

pub(crate) fn law(attempt: &mut Attempt<'_>) -> Result<(), Failure> {
    const LAWS: [Law; 5] = [small_files, full_device, training, full_disk, read_only];
    one_of(&mut attempt.rng, &LAWS)(attempt)
}

/// Demands that a failed run names the file `name`.
fn says_so(outcome: &Outcome, name: &str) -> Result<(), Failure> {
    let text = String::from_utf8_lossy(&outcome.stderr);
    let named = text.contains(name) && !text.contains(".tmp") && !text.contains(".unfinished");
    let failed = outcome.sent.is_some() || outcome.status.success() || named;
    demand(
        failed,
        Fault::Message,
        &format!("does not name {name}: {}", first_line(&outcome.stderr)),
    )
}

/// The file is too large to be written: the old file stays.
fn small_files(attempt: &mut Attempt<'_>) -> Result<(), Failure> {
    attempt.write("net.ckpt", &attempt.materials.checkpoint);
    let command = filled(one_of(&mut attempt.rng, &WRITERS), "out.file");
    attempt.does(&Call::new(command.clone(), 60_000))?;
    let whole = fs::read(attempt.path("out.file")).expect("it was written");
    attempt.write("out.file", "old");
    let mut call = Call::new(command, 60_000);
    call.shell = SMALL_FILES;
    call.limit = 8 + draw(&mut attempt.rng, whole.len() / 512 + 8) as u64;
    call.injected = true;
    let outcome = attempt.run(&call)?;
    let now = fs::read(attempt.path("out.file")).unwrap_or_default();
    let page = whole.starts_with(b"<!");
    let right = if outcome.success() { now == whole || page } else { now == b"old" };
    demand(right, Fault::File, &format!("{} bytes of {}", now.len(), whole.len()))?;
    says_so(&outcome, "out.file")
}

/// Standard output or the file has no room.
fn full_device(attempt: &mut Attempt<'_>) -> Result<(), Failure> {
    attempt.write("net.ckpt", &attempt.materials.checkpoint);
    let command = one_of(&mut attempt.rng, &WRITERS);
    let mut call = Call::new(filled(command, "/dev/full"), 60_000);
    if draw(&mut attempt.rng, 2) == 0 {
        let deals = ["trace", "--deals", "30"];
        let readers = [&deals[..], &["rules"], &["duel", "random", "longest", "--deals", "1"]];
        call = Call::new(one_of(&mut attempt.rng, &readers), 60_000);
        call.stdout = Some("/dev/full".into());
    }
    call.injected = true;
    attempt.refuses(&call, "a full device").map(drop)
}

/// Training cannot write its files at first.
fn training(attempt: &mut Attempt<'_>) -> Result<(), Failure> {
    attempt.write("small.toml", attempt.materials.config.to_string());
    let mut call = Call::new(["train", "--config", "small.toml", "--out", "run"], 60_000);
    call.until = Some(attempt.path("run").join(format!("checkpoints/update-{UPDATES:06}.ckpt")));
    call.shell = SMALL_FILES;
    call.limit = 8 + draw(&mut attempt.rng, 200) as u64;
    call.injected = true;
    attempt.run(&call)?;
    goes_on(attempt, "run")
}

/// Resumes the rest of a run, now that there is room. It must end with the right weights.
fn goes_on(attempt: &mut Attempt<'_>, run: &str) -> Result<(), Failure> {
    let begun = attempt.path(run).join("config.toml").exists();
    let (resume, train) = (["resume", run], ["train", "--config", "small.toml", "--out", run]);
    let mut call = Call::new(if begun { &resume[..] } else { &train }.iter().copied(), 60_000);
    let last = attempt.path(run).join(format!("checkpoints/update-{UPDATES:06}.ckpt"));
    call.until = Some(last.clone());
    let outcome = attempt.run(&call)?;
    demand(last.exists(), Fault::File, &format!("a lost run: {}", first_line(&outcome.stderr)))?;
    finished(attempt, run)
}

/// The whole disk is full. Only root can mount one.
fn full_disk(attempt: &mut Attempt<'_>) -> Result<(), Failure> {
    let disk = attempt.path("disk");
    fs::create_dir_all(&disk).expect("can be made");
    let size = 16 + draw(&mut attempt.rng, 500);
    let Some(_disk) = Disk::mount(&disk, size) else { return small_files(attempt) };
    attempt.write("small.toml", attempt.materials.config.to_string());
    if draw(&mut attempt.rng, 2) == 0 {
        let mut call = Call::new(["train", "--config", "small.toml", "--out", "disk/run"], 60_000);
        let last = format!("disk/run/checkpoints/update-{UPDATES:06}.ckpt");
        call.until = Some(attempt.path(&last));
        call.injected = true;
        attempt.run(&call)?;
        Disk::grow(&disk);
        return goes_on(attempt, "disk/run");
    }
    attempt.write("net.ckpt", &attempt.materials.checkpoint);
    attempt.write("disk/out.file", "old");
    let command = one_of(&mut attempt.rng, &WRITERS);
    let mut call = Call::new(filled(command, "disk/out.file"), 60_000);
    call.injected = true;
    let outcome = attempt.run(&call)?;
    let now = fs::read(attempt.path("disk/out.file")).unwrap_or_default();
    let old = now == b"old";
    demand(old != outcome.success(), Fault::File, &format!("{} bytes", now.len()))?;
    says_so(&outcome, "out.file")
}

/// A disk of a fixed size, unmounted when it is dropped.
struct Disk<'p>(&'p Path);

impl<'p> Disk<'p> {
    fn mount(path: &'p Path, kib: usize) -> Option<Self> {
        let size = format!("size={kib}k,mode=777");
        let mount =
            Command::new("mount").args(["-t", "tmpfs", "-o", &size, "none"]).arg(path).output();
        mount.is_ok_and(|output| output.status.success()).then(|| Self(path))
    }

    fn grow(path: &Path) {
        let mount = Command::new("mount").args(["-o", "remount,size=64m"]).arg(path).status();
        assert!(mount.is_ok_and(|status| status.success()), "a disk cannot be made larger");
    }
}

impl Drop for Disk<'_> {
    fn drop(&mut self) {
        // It may be busy for a moment.
        let _ = Command::new("umount").arg("-l").arg(self.0).status();
    }
}

/// The folder cannot be written.
fn read_only(attempt: &mut Attempt<'_>) -> Result<(), Failure> {
    use std::os::unix::fs::PermissionsExt;
    attempt.write("net.ckpt", &attempt.materials.checkpoint);
    attempt.write("closed/out.file", "old");
    let closed = attempt.path("closed");
    let mode =
        |mode| fs::set_permissions(&closed, fs::Permissions::from_mode(mode)).expect("a mode");
    mode(0o555);
    let name = one_of(&mut attempt.rng, &["closed/new.file", "closed/run/new.file"]);
    let command = one_of(&mut attempt.rng, &WRITERS);
    let mut call = Call::new(filled(command, name), 60_000);
    if draw(&mut attempt.rng, 3) == 0 {
        call = Call::new(["train", "--updates", "1", "--out", "closed/new.file"], 60_000);
    }
    let result = attempt.refuses(&call, "a folder that cannot be written");
    mode(0o755);
    let outcome = result?;
    says_so(&outcome, "new.file")
}
