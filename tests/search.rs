//! Searching players on the command line.

use std::process::{Command, Output};

fn newmarket(args: &[&str], threads: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_newmarket"));
    command.env("RAYON_NUM_THREADS", threads).args(args).output().unwrap()
}

/// A duel's report without the time that it took.
fn duel(hero: &str, field: &str, threads: &str) -> serde_json::Value {
    let output = newmarket(&["duel", hero, field, "--deals", "130", "--json"], threads);
    assert!(output.status.success(), "{hero}: {}", String::from_utf8_lossy(&output.stderr));
    let mut report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    report.as_object_mut().unwrap().remove("seconds");
    report
}

#[test]
fn a_duel_is_the_same_on_any_number_of_threads() {
    for (hero, field) in [("pimc:5", "ismcts:10"), ("omniscient", "pimc:3,playout=random")] {
        let report = duel(hero, field, "1");
        assert_eq!(report["hero"], hero);
        assert_eq!(report, duel(hero, field, "3"));
    }
}

#[test]
fn search_beats_a_heuristic_and_the_cards_beat_search() {
    let search = duel("pimc:20", "longest", "2");
    let cards = duel("omniscient", "longest", "2");
    assert!(search["separated"] == true && search["gain"].as_f64() > Some(0.5), "{search}");
    assert!(cards["gain"].as_f64() > Some(4.0), "{cards}");
}

#[test]
fn wrong_names_are_one_line_and_exit_code_two() {
    for (name, line) in [
        ("pimc", "expected pimc:N as pimc:60, or pimc:Tms as pimc:5ms"),
        ("pimc:x", "agent `pimc:x`: `x` is not a number of worlds"),
        ("pimc:9,playout=me", "expected playout=random, playout=longest, playout=stopper"),
        ("ismcts:0", "expected ismcts:N as ismcts:500"),
        ("omniscient:2", "expected omniscient"),
        ("pmic:60", "unknown agent `pmic:60`: expected random"),
    ] {
        for args in [["duel", name, "longest"], ["play", "--against", name]] {
            let output = newmarket(&args, "1");
            let error = String::from_utf8(output.stderr).unwrap();
            assert_eq!(output.status.code(), Some(2), "{args:?}");
            assert!(error.contains(line), "{error}");
            assert_eq!(error.lines().count(), 1, "{error}");
        }
    }
}

#[test]
fn every_command_that_seats_agents_names_them() {
    for command in ["duel", "play", "watch", "trace"] {
        let help = String::from_utf8(newmarket(&[command, "--help"], "1").stdout).unwrap();
        for name in ["stopper", "pimc:N", "pimc:Tms", "ismcts:N", "omniscient", "net:PATH"] {
            assert!(help.contains(name), "{command}: {help}");
        }
    }
}

#[test]
fn a_list_of_agents_keeps_their_playouts() {
    let agents = "pimc:3,playout=random,omniscient,ismcts:9";
    let args = ["watch", "--agents", agents, "--seed", "1", "--delay", "0", "--deals", "1"];
    let output = newmarket(&args, "1");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("pimc:3,playout=random") && text.contains("omniscient"), "{text}");
    let args = ["trace", "--players", "3", "--agents", agents, "--deals", "3"];
    let output = newmarket(&args, "1");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}
