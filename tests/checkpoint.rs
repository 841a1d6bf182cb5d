//! `newmarket checkpoint`, from the command line.

use std::path::Path;
use std::process::{Command, Output};

use newmarket_checkpoints::TrainedOn;
use newmarket_checkpoints::roster::net_checkpoint;

fn newmarket(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_newmarket")).args(args).output().unwrap()
}

#[test]
fn networks_are_joined_to_one_that_plays() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("two.ckpt").display().to_string();
    let output = newmarket(&["checkpoint", "join", "champion", "champion", "--out", &file]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(newmarket(&["checkpoint", "verify", &file]).status.success());
    let shown = String::from_utf8(newmarket(&["checkpoint", "show", &file]).stdout).unwrap();
    for words in ["[1536, 1024]", "# part 1 of 2", "# part 2 of 2", "resumable  no"] {
        assert!(shown.contains(words), "{words}: {shown}");
    }
    // Both came about; so it took twice as much.
    let once = net_checkpoint(Path::new("champion")).unwrap().run;
    let both = net_checkpoint(Path::new(&file)).unwrap().run;
    assert!(once.update > 0 && once.decisions > 0 && once.counters.values().any(|&n| n > 0));
    assert_eq!((both.update, both.decisions), (2 * once.update, 2 * once.decisions));
    assert_eq!(both.counters, once.counters.into_iter().map(|(k, n)| (k, 2 * n)).collect());
    let TrainedOn::Joined(parents) = both.trained_on else { panic!("joined") };
    assert_eq!(parents.len(), 2);
    assert!(shown.contains(&parents[0].weights_blake3), "{shown}");
    assert_eq!(parents[1].update, once.update);
    // The mean of a network and itself plays as it does.
    let name = format!("net:{file}");
    let args = ["duel", &name, "net:champion", "--deals", "100", "--json"];
    let duel: serde_json::Value = serde_json::from_slice(&newmarket(&args).stdout).unwrap();
    assert_eq!(duel["gain"], 0.0, "{duel}");
}

#[test]
fn what_cannot_be_joined_leaves_no_file() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("two.ckpt").display().to_string();
    for (paths, words) in
        [(&["champion"][..], "2 values"), (&["champion", "no/such"][..], "no/such")]
    {
        let output = newmarket(&[&["checkpoint", "join", "--out", &file], paths].concat());
        let text = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{text}");
        assert!(text.contains(words), "{text}");
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 0);
    }
}
