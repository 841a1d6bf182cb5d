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
        (&["checkpoint", "show", checkpoint], ["old.ckpt: ", "version 1", "reads version 2"]),
        (&["duel", &net, "random"], ["old.ckpt: ", "version 1", "reads version 2"]),
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
    // A limit on the size of files acts like a full disk.
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("deals.jsonl");
    let mut command = Command::new("sh");
    command.args(["-c", "trap '' XFSZ; ulimit -f 16; exec \"$0\" trace --deals 1000 --out \"$1\""]);
    command.args([env!("CARGO_BIN_EXE_newmarket"), out.to_str().unwrap()]);
    let (code, error) = failed(&command.output().unwrap());
    assert_eq!(code, Some(1), "{error}");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "nothing is half written");
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
