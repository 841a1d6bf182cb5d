//! Exit codes: 0 for success, 2 for a fault of the user, 1 for a failure of the program or the system. Every failure is
//! one line on standard error.
#![cfg(unix)]

use std::fs::File;
use std::io::Read;
use std::process::{Command, Output, Stdio};

fn newmarket(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_newmarket"));
    command.args(args);
    command
}

/// The exit code and the line of a failure.
fn failed(output: &Output) -> (Option<i32>, String) {
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(error.lines().count(), 1, "{error}");
    assert!(error.starts_with("error: "), "{error}");
    (output.status.code(), error)
}

#[test]
fn what_the_user_gave_cannot_be_used() {
    let folder = tempfile::tempdir().unwrap();
    let garbage = folder.path().join("garbage");
    std::fs::write(&garbage, "garbage").unwrap();
    let garbage = garbage.to_str().unwrap();
    let net = format!("net:{garbage}");
    for args in [
        &["duel", "shark", "random"][..],
        &["duel", &net, "random"],
        &["duel", "net:/no/such/file", "random"],
        &["duel", "random", "random", "--deals", "0"],
        &["duel", "random", "random", "--rules", "no-such-game"],
        &["duel", "random", "random", "--players", "99"],
        &["trace", "--check", "/no/such/file"],
        &["trace", "--check", garbage],
        &["trace", "--out", "/no/such/folder/deals.jsonl"],
        &["trace", "--agents", "random,random"],
        &["perft", garbage],
        &["ladder", "random"],
        &["ladder", "random", "lowest", "--deals", "255", "--until-separated"],
        &["exploit", "stopper", "--iterations", "5"],
        &["exploit", "stopper", "--sampled"],
        &["train", "--out", garbage],
        &["study", "dead-hand", "--rules", "newmarket"],
        &["exploit", "omniscient"],
        &["checkpoint", "show", garbage],
        &["resume", "/no/such/run"],
        &["train", "no-such-preset"],
        &["no-such-command"],
    ] {
        let (code, error) = failed(&newmarket(args).output().unwrap());
        assert_eq!(code, Some(2), "{args:?}: {error}");
    }
}

/// A run folder with a key that was removed, and a checkpoint of format 1, whose seal is right.
#[test]
fn a_format_that_is_gone_is_refused_in_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let run = folder.path().join("run");
    std::fs::create_dir(&run).unwrap();
    let config = newmarket_train::Config::preset("quick").unwrap().to_toml().unwrap();
    let config = config.replace("[learner]\n", "[learner]\nkl_weight = 0.0\n");
    std::fs::write(run.join("config.toml"), config).unwrap();
    let checkpoint = folder.path().join("old.ckpt");
    let mut bytes = newmarket_checkpoints::released::ALL[0].file.to_vec();
    let version = br#"checkpoint\",\"version\":"#;
    let place = bytes.windows(version.len()).position(|part| part == version).unwrap();
    bytes[place + version.len()] = b'1';
    let body = bytes.len() - 32;
    let seal = blake3::hash(&bytes[..body]);
    bytes[body..].copy_from_slice(seal.as_bytes());
    std::fs::write(&checkpoint, bytes).unwrap();
    let (run, checkpoint) = (run.to_str().unwrap(), checkpoint.to_str().unwrap());
    let net = format!("net:{checkpoint}");
    for (args, what) in [
        (&["resume", run][..], ["config.toml: ", "`kl_weight`", "--set network.start="]),
        (&["monitor", run, "--plain"], ["config.toml: ", "`kl_weight`", "expected"]),
        (
            &["checkpoint", "show", checkpoint],
            ["old.ckpt: ", "version 1", "reads versions 2 and 3"],
        ),
        (&["duel", &net, "random"], ["old.ckpt: ", "version 1", "reads versions 2 and 3"]),
    ] {
        let (code, error) = failed(&newmarket(args).output().unwrap());
        assert_eq!(code, Some(2), "{args:?}: {error}");
        for words in what {
            assert!(error.contains(words), "{words}: {error}");
        }
    }
}

#[test]
fn a_full_disk_is_the_systems_failure() {
    let full = || File::options().write(true).open("/dev/full").unwrap();
    for args in [
        &["rules"][..],
        &["trace", "--deals", "100"],
        &["duel", "random", "random", "--deals", "64", "--json"],
        &["watch", "--plain"],
        &["--help"],
    ] {
        let (code, error) = failed(&newmarket(args).stdout(full()).output().unwrap());
        assert_eq!(code, Some(1), "{args:?}: {error}");
        assert!(error.starts_with("error: cannot write standard output: No space left"), "{error}");
    }
}

/// As an unprivileged user, whom limits hold, if the tests run as root. `None` if that user cannot run the program.
fn limited(limit: &str, args: &[&str], folder: &std::path::Path) -> Option<Output> {
    use std::os::unix::fs::{MetadataExt, PermissionsExt};
    use std::os::unix::process::CommandExt;
    // The user may be unable to reach the program where it lies.
    let program = folder.join("newmarket");
    if !program.exists() {
        std::fs::copy(env!("CARGO_BIN_EXE_newmarket"), &program).unwrap();
        std::fs::set_permissions(folder, std::fs::Permissions::from_mode(0o777)).unwrap();
    }
    // Other shells have no limit on processes, or another letter for it.
    let mut command = Command::new("bash");
    command.args(["-c", &format!("{limit}; exec \"$0\" \"$@\"")]).arg(&program).args(args);
    if std::fs::metadata(folder).unwrap().uid() == 0 {
        command.uid(65534).gid(65534);
    }
    command.current_dir(folder).stdin(Stdio::null()).output().ok()
}

#[test]
fn limits_of_the_shell_are_told_in_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let commands: &[&[&str]] = &[
        &["trace", "--deals", "1000", "--out", "deals.jsonl"],
        &["train", "quick", "--updates", "2", "--out", "run"],
        &["duel", "stopper", "longest", "--deals", "1000"],
        &["duel", "exec:/bin/cat", "longest", "--start-ms", "200"],
        &["ladder", "stopper", "longest", "--deals", "20", "--html", "page.html"],
        &["study", "lead", "--deals", "100", "--out", "study.html"],
        &["exploit", "stopper", "--train", "quick", "--updates", "1", "--out", "exploiter"],
        &["review", "none.jsonl"],
        &["strategy", "learn", "lead", "--deals", "100", "--out", "learnt.toml"],
        &["play", "--seed", "1"],
        &["watch", "--seed", "1", "--delay", "0", "--deals", "1"],
        &["engine"],
    ];
    for limit in ["ulimit -u 1", "ulimit -u 0", "ulimit -f 0", "ulimit -n 5"] {
        for args in commands {
            let Some(output) = limited(limit, args, folder.path()) else { return };
            let error = String::from_utf8_lossy(&output.stderr).into_owned();
            let code = output.status.code();
            assert!(matches!(code, Some(0 | 2)), "{limit}; {args:?}: {:?} {error}", output.status);
            if code == Some(2) {
                let lines = error.lines().filter(|line| line.starts_with("error: ")).count();
                assert!(lines == 1 && error.lines().count() <= 3, "{limit}; {args:?}: {error}");
            }
            // Every command that needs threads says so.
            let needs = limit.starts_with("ulimit -u") && !args.contains(&"none.jsonl");
            assert!(!needs || error.contains("ulimit -u"), "{limit}; {args:?}: {error}");
            let left = left_unfinished(folder.path());
            assert!(left.is_empty(), "{limit}; {args:?}: {left:?}");
            for run in ["run", "exploiter"] {
                let _ = std::fs::remove_dir_all(folder.path().join(run));
            }
        }
    }
    // A write beyond the limit ends neither the process nor the file that is there.
    let deals = folder.path().join("deals.jsonl");
    let _ = std::fs::remove_file(&deals);
    std::fs::write(&deals, "old").unwrap();
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o666);
    std::fs::set_permissions(&deals, mode).unwrap();
    let output = limited("ulimit -f 16", commands[0], folder.path()).unwrap();
    let (code, error) = failed(&output);
    assert_eq!(code, Some(2), "{error}");
    assert!(error.starts_with("error: cannot write deals.jsonl: File too large"), "{error}");
    assert_eq!(std::fs::read_to_string(&deals).unwrap(), "old");
    assert_eq!(left_unfinished(folder.path()), [""; 0]);
}

/// The unfinished files in a folder and its runs.
fn left_unfinished(folder: &std::path::Path) -> Vec<String> {
    let places = ["", "run", "run/checkpoints", "exploiter", "exploiter/checkpoints"];
    let entries = places.iter().filter_map(|place| std::fs::read_dir(folder.join(place)).ok());
    let names = entries.flatten().flatten().map(|it| it.file_name().to_string_lossy().into_owned());
    // The mark of a run that has not quite begun stays with it.
    let marks = [".begun.unfinished"];
    names.filter(|name| name.ends_with(".unfinished") && !marks.contains(&&**name)).collect()
}

#[test]
fn a_reader_that_goes_away_is_no_failure() {
    let args = ["trace", "--deals", "20000"];
    let mut command = newmarket(&args);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut first = [0; 100];
    child.stdout.take().unwrap().read_exact(&mut first).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{:?}", output.status);
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
}
