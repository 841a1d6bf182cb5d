//! `newmarket survey`, from the command line.

use std::process::{Command, Output};

fn survey(args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_newmarket"));
    command.arg("survey").args(args).output().unwrap()
}

fn json(args: &[&str]) -> serde_json::Value {
    let output = survey(&[args, &["--json"]].concat());
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn every_table_has_a_row_for_every_field() {
    let args = ["stopper", "stopper,random", "--half-width", "9", "--deals", "64"];
    let report = json(&args);
    let rows = report["rows"].as_array().unwrap();
    let of = |field: &str| rows.iter().filter(|row| row["field"] == field).count();
    // Fourteen games for three to eight, and four-horses for two to six.
    assert_eq!((rows.len(), of("stopper"), of("random")), (178, 89, 89));
    assert!(rows.iter().filter(|row| row["field"] == "stopper").all(|row| row["gain"] == 0.0));
    let text = survey(&args);
    let text = String::from_utf8(text.stdout).unwrap();
    assert!(text.starts_with("stopper in 178 rows (a table with a field), "), "{text}");
    assert!(text.contains("named games  stopper    89"), "{text}");
}

#[test]
fn houses_are_found_again_by_their_names() {
    let houses = ["stopper", "longest", "--tables", "held-out:8", "--deals", "128", "--seed", "6"];
    let report = json(&houses);
    let rows = report["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 8);
    let pairs = rows.iter().filter(|row| row["kind"] == "held_out_pair").count();
    assert_eq!(pairs, 2);
    let mut again = json(&houses);
    again["seconds"] = report["seconds"].clone();
    assert_eq!(again, report);
    let (rules, players) = (rows[0]["rules"].as_str().unwrap(), rows[0]["players"].to_string());
    let duel = ["duel", "stopper", "longest", "--rules", rules, "--players", &players];
    let duel = Command::new(env!("CARGO_BIN_EXE_newmarket")).args(duel).output().unwrap();
    assert!(duel.status.success(), "{}", String::from_utf8_lossy(&duel.stderr));
}

#[test]
fn a_survey_goes_on_where_it_was_stopped() {
    let folder = tempfile::tempdir().unwrap();
    let keep = folder.path().to_str().unwrap();
    let args = ["stopper", "longest,random", "--tables", "held-out:4", "--deals", "128", "--keep"];
    let args = [&args[..], &[keep]].concat();
    let same = |report: &serde_json::Value, other: &serde_json::Value| {
        report["rows"] == other["rows"] && report["summaries"] == other["summaries"]
    };
    let whole = json(&args);
    let mut files: Vec<_> =
        std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    assert_eq!(files.len(), 8);
    // A missing row is played; the others are read back.
    std::fs::remove_file(&files[0]).unwrap();
    assert!(same(&json(&args), &whole));
    let kept = std::fs::read(&files[1]).unwrap();
    std::fs::copy(&files[7], &files[1]).unwrap();
    assert!(!same(&json(&args), &whole));
    // Another survey has rows of its own.
    let other = json(&[&args[..], &["--seed", "2"]].concat());
    assert!(!same(&other, &whole));
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 16);
    std::fs::write(&files[1], &kept[..20]).unwrap();
    let output = survey(&args);
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!((output.status.code(), error.lines().count()), (Some(2), 1), "{error}");
    assert!(error.contains(files[1].to_str().unwrap()), "{error}");
}

#[test]
fn bad_input_is_one_line() {
    for (args, line) in [
        (&["stopper", "stopper,stopper"][..], "`stopper` is named twice"),
        (&["nobody", "stopper"], "unknown agent `nobody`"),
        (&["stopper", ""], "unknown agent"),
        (&["stopper", "longest", "--tables", "all"], "expected named, or held-out:K or unpaid:K"),
        (&["stopper", "longest", "--tables", "held-out:0"], "K from 1 to 10000"),
        (&["stopper", "longest", "--tables", "unpaid:10001"], "K from 1 to 10000"),
        (&["stopper", "longest", "--half-width", "0"], "a positive number of antes"),
        (&["stopper", "longest", "--margin", "nan"], "a positive number of antes"),
        (&["stopper", "longest", "--deals", "1"], "--deals"),
        (&["stopper", "longest", "--keep", "Cargo.toml"], "expected a folder"),
    ] {
        let output = survey(args);
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{args:?}: {error}");
        assert!(error.contains(line), "{args:?}: {error}");
        assert_eq!(error.lines().count(), 1, "{args:?}: {error}");
        assert!(output.stdout.is_empty(), "{args:?}");
    }
}
