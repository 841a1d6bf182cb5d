//! Files that the program writes to a given path.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::{FileTypeExt, PermissionsExt, symlink};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

fn newmarket(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_newmarket"));
    command.args(args).stdout(Stdio::null()).stderr(Stdio::piped());
    command
}

/// Every command that writes a file, without the value of its flag.
const WRITERS: [&[&str]; 5] = [
    &["trace", "--deals", "3", "--out"],
    &["study", "lead", "--deals", "100", "--out"],
    &["ladder", "random", "lowest", "--deals", "20", "--html"],
    &["checkpoint", "release", "net:champion", "--out"],
    &["checkpoint", "join", "net:champion", "net:champion", "--out"],
];

fn write(args: &[&str], path: &Path) -> Output {
    newmarket(args).arg(path).output().unwrap()
}

fn succeed(output: &Output) {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

fn refused(output: &Output, code: i32) -> String {
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(code), "{text}");
    assert_eq!(text.lines().count(), 1, "{text}");
    text
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o7777
}

fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
    let mut names: Vec<String> = entries.map(|name| name.into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn a_link_stays_a_link_and_its_target_is_written() {
    for args in WRITERS {
        let folder = tempfile::tempdir().unwrap();
        let [real, link, hanging] = ["real", "link", "hanging"].map(|it| folder.path().join(it));
        fs::write(&real, "old").unwrap();
        set_mode(&real, 0o640);
        symlink("real", &link).unwrap();
        succeed(&write(args, &link));
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink(), "{args:?}");
        assert!(fs::metadata(&real).unwrap().len() > 3, "{args:?}");
        assert_eq!(mode(&real), 0o640, "{args:?}");
        fs::create_dir(folder.path().join("below")).unwrap();
        symlink("below/new", &hanging).unwrap();
        succeed(&write(args, &hanging));
        assert!(fs::symlink_metadata(&hanging).unwrap().is_symlink(), "{args:?}");
        assert!(fs::metadata(folder.path().join("below/new")).unwrap().is_file(), "{args:?}");
        // A trace has a file with its players beside it.
        let mut all = names(folder.path());
        all.retain(|name| !name.ends_with(".players.json"));
        assert_eq!(all, ["below", "hanging", "link", "real"]);
    }
    let folder = tempfile::tempdir().unwrap();
    let round = folder.path().join("round");
    symlink("round", &round).unwrap();
    assert!(refused(&write(WRITERS[0], &round), 2).contains("round in a circle"));
}

#[test]
fn what_is_read_is_not_written_over() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let names = ["d.jsonl", "a.ckpt", "a.safetensors", "r.toml", "link"];
    let [trace, best, weights, rules, link] = names.map(path);
    fs::write(&rules, "base = \"michigan\"\n").unwrap();
    succeed(&newmarket(&["trace", "--deals", "3", "--out", &trace]).output().unwrap());
    succeed(
        &newmarket(&["checkpoint", "release", "net:champion", "--out", &best]).output().unwrap(),
    );
    let export = ["checkpoint", "export", &best, "--format", "safetensors", "--out"];
    succeed(&newmarket(&export).arg(&weights).output().unwrap());
    symlink(&trace, &link).unwrap();
    for (args, read, flag) in [
        (vec!["review", &trace, "--by", "stopper", "--html", &trace], &trace, "--html"),
        (vec!["review", &trace, "--by", "stopper", "--html", &link], &trace, "--html"),
        (vec!["checkpoint", "import", &weights, "--out", &weights], &weights, "--out"),
        (vec!["checkpoint", "release", &best, "--out", &best], &best, "--out"),
        (vec!["checkpoint", "join", &best, &best, "--out", &best], &best, "--out"),
        ([&export[..], &[&best]].concat(), &best, "--out"),
        (vec!["trace", "--rules", &rules, "--out", &rules], &rules, "--out"),
    ] {
        let before = fs::read(read).unwrap();
        let message = refused(&newmarket(&args).output().unwrap(), 2);
        assert!(message.contains(&format!("error: {flag} ")), "{message}");
        assert!(
            message.contains(": it is the ") && message.ends_with("name another file\n"),
            "{message}"
        );
        assert!(fs::read(read).unwrap() == before, "{args:?}");
    }
}

#[test]
fn a_pipe_gets_the_output_and_stays_a_pipe() {
    for args in WRITERS {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let read = folder.path().join("read");
        let mut reader = Command::new("timeout");
        let reader = reader.args(["20", "cat"]).arg(&pipe).stdout(fs::File::create(&read).unwrap());
        let mut reader = reader.spawn().unwrap();
        succeed(&write(args, &pipe));
        assert!(fs::symlink_metadata(&pipe).unwrap().file_type().is_fifo(), "{args:?}");
        assert!(reader.wait().unwrap().success(), "{args:?}");
        assert!(fs::metadata(&read).unwrap().len() > 0, "{args:?}");
    }
}

#[test]
fn a_device_is_written_through() {
    let folder = tempfile::tempdir().unwrap();
    let null = folder.path().join("null");
    // A link to a device, and a device itself if one can be made.
    symlink("/dev/null", &null).unwrap();
    succeed(&write(WRITERS[0], &null));
    assert!(fs::metadata(&null).unwrap().file_type().is_char_device());
    fs::remove_file(&null).unwrap();
    let made =
        Command::new("mknod").arg(&null).args(["c", "1", "3"]).stderr(Stdio::null()).status();
    if made.is_ok_and(|made| made.success()) && fs::File::options().write(true).open(&null).is_ok()
    {
        succeed(&write(WRITERS[0], &null));
        assert!(fs::metadata(&null).unwrap().file_type().is_char_device());
    }
    let full = folder.path().join("full");
    symlink("/dev/full", &full).unwrap();
    assert!(refused(&write(WRITERS[0], &full), 1).contains("No space left"));
}

#[test]
fn standard_output_by_its_path_is_standard_output() {
    let folder = tempfile::tempdir().unwrap();
    let [log, stdout] = ["log", "stdout"].map(|it| folder.path().join(it));
    // Like /dev/stdout: a program that replaces its output file must not replace this one.
    symlink("/proc/self/fd/1", &stdout).unwrap();
    set_mode(folder.path(), 0o755);
    // The file keeps its contents; a replaced file would lose them.
    let script = "exec >> \"$1\"; echo first; \"$0\" trace --deals 2 --out \"$2\"; echo last";
    let mut command = Command::new("sh");
    command.args(["-c", script, env!("CARGO_BIN_EXE_newmarket")]).arg(&log).arg(&stdout);
    succeed(&command.output().unwrap());
    let text = fs::read_to_string(&log).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!((lines.len(), lines[0], lines[3]), (4, "first", "last"), "{text}");
    // A pipe of another user.
    let mut command = newmarket(&["trace", "--deals", "2", "--out"]);
    command.arg(&stdout);
    command.uid(65534).gid(65534).stdout(Stdio::piped());
    // Another user needs access to the program, and only root can act as one.
    if let Ok(output) = command.output() {
        succeed(&output);
        assert_eq!(output.stdout.split(|&byte| byte == b'\n').count(), 3);
    }
}

#[test]
fn a_new_file_has_what_the_umask_leaves() {
    for (umask, expected) in [("027", 0o640), ("000", 0o666), ("077", 0o600)] {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("deals.jsonl");
        let script = format!("umask {umask}; exec \"$0\" trace --deals 1 --out \"$1\"");
        let mut command = Command::new("sh");
        command.args(["-c", &script, env!("CARGO_BIN_EXE_newmarket")]).arg(&out);
        succeed(&command.output().unwrap());
        assert_eq!(mode(&out), expected);
    }
}

#[test]
fn a_file_that_may_only_be_read_is_refused() {
    for args in WRITERS {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("out");
        fs::write(&out, "mine").unwrap();
        set_mode(&out, 0o444);
        let line = refused(&write(args, &out), 2);
        assert!(line.contains(out.to_str().unwrap()) && line.contains("read-only"), "{line}");
        assert_eq!(fs::read_to_string(&out).unwrap(), "mine");
        assert_eq!(names(folder.path()), ["out"]);
    }
}

#[test]
fn an_interrupt_leaves_what_was_there() {
    for signal in ["INT", "TERM", "HUP"] {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("out");
        fs::write(&out, "old").unwrap();
        let mut child = newmarket(&["trace", "--deals", "1000000000", "--out"]);
        let mut child = child.arg(&out).spawn().unwrap();
        while names(folder.path()).len() < 2 {
            assert_eq!(child.try_wait().unwrap(), None);
            std::thread::sleep(Duration::from_millis(2));
        }
        std::thread::sleep(Duration::from_millis(50));
        let pid = child.id().to_string();
        assert!(Command::new("kill").args(["-s", signal, &pid]).status().unwrap().success());
        assert_eq!(child.wait().unwrap().code(), Some(130), "{signal}");
        assert_eq!(names(folder.path()), ["out"], "{signal}");
        assert_eq!(fs::read_to_string(&out).unwrap(), "old");
    }
}

#[test]
fn a_limit_on_the_size_of_files_names_the_file_that_was_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("deals.jsonl");
    let script = "ulimit -f 16; exec \"$0\" trace --deals 1000 --out \"$1\"";
    let mut command = Command::new("sh");
    command.args(["-c", script, env!("CARGO_BIN_EXE_newmarket")]).arg(&out);
    let line = refused(&command.output().unwrap(), 2);
    assert!(line.starts_with(&format!("error: cannot write {}: File", out.display())), "{line}");
    assert!(line.ends_with("(os error 27)\n") && !line.contains("unfinished"), "{line}");
    assert!(names(folder.path()).is_empty());
}
