//! `duel` and `ladder` over whole sessions, from the command line.

use std::process::{Command, Output};

use serde_json::{Value, json};

const NEWMARKET: &str = env!("CARGO_BIN_EXE_newmarket");

fn newmarket(args: &[&str]) -> Output {
    Command::new(NEWMARKET).args(args).output().unwrap()
}

fn report(args: &[&str]) -> Value {
    let output = newmarket(&[args, &["--json"]].concat());
    assert!(output.status.success() && output.stderr.is_empty(), "{args:?} {output:?}");
    let mut report: Value = serde_json::from_slice(&output.stdout).unwrap();
    report["seconds"] = json!(0);
    report
}

/// A rules file with chips that run out.
fn chips(folder: &std::path::Path) -> String {
    let path = folder.join("chips.toml");
    let text = "base = \"newmarket\"\n[session]\nleftover = \"richest\"\n\
                bankroll = { chips = { start = 40, on_bust = \"eliminate\" } }\n";
    std::fs::write(&path, text).unwrap();
    path.to_str().unwrap().into()
}

#[test]
fn a_duel_says_what_matters_first() {
    let folder = tempfile::tempdir().unwrap();
    let chips = chips(folder.path());
    for (rules, first) in [("michigan", "chips a session over"), (&chips, "% of sessions (even:")] {
        let args = ["duel", "stopper", "random", "--sessions", "60", "--rules", rules];
        let text = String::from_utf8(newmarket(&args).stdout).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 4, "{text}");
        let head = "4 players, 60 sessions of up to 10 deals in every seating, seed 1";
        assert!(lines[0].ends_with(head) && lines[1].contains(first), "{text}");
        assert!(lines.iter().all(|line| line.chars().count() <= 80), "{text}");

        let report = report(&args);
        let said = |figure: &str| report[figure].as_f64().unwrap();
        assert_eq!(report["sessions"], 60);
        assert_eq!(report["bankroll"], if rules == "michigan" { "credit" } else { "chips" });
        assert!((said("win_share") - 0.25 - said("win_gain")).abs() < 1e-12, "{report}");
        assert!((said("gain") / said("deals_a_session") - said("gain_a_deal")).abs() < 1e-12);
        // `stopper` is better than `random` in either figure.
        assert!(said("gain") > said("ci95") && said("win_gain") > said("win_ci95"), "{report}");
    }
}

#[test]
fn threads_do_not_change_a_byte() {
    let args = ["duel", "boodle", "random", "--rules", "four-horses", "--sessions", "100"];
    let on = |threads: &str| {
        let mut command = Command::new(NEWMARKET);
        let output = command.args(args).arg("--json").env("RAYON_NUM_THREADS", threads).output();
        let text = String::from_utf8(output.unwrap().stdout).unwrap();
        let end = text.find(",\"seconds\"").expect("the time stands last");
        text[..end].to_owned()
    };
    assert_eq!(on("1"), on("3"));
}

#[test]
fn a_session_of_one_deal_is_a_deal() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("one.toml");
    std::fs::write(&path, "base = \"newmarket\"\nsession = { deals = 1 }\n").unwrap();
    let rules = path.to_str().unwrap();
    let one = report(&["duel", "stopper", "stopper", "--rules", rules, "--session"]);
    assert_eq!((&one["sessions"], &one["deals_a_session"]), (&json!(1000), &json!(1.0)));
    assert_eq!((&one["gain"], &one["win_gain"]), (&json!(0.0), &json!(0.0)));
    assert_eq!(one["win_share"], 0.25);
}

#[test]
fn a_cell_of_a_ladder_is_what_duel_says() {
    let folder = tempfile::tempdir().unwrap();
    let rules = &*chips(folder.path());
    let flags = ["--sessions", "40", "--seed", "9", "--rules", rules, "--players", "5"];
    let ladder = report(&[&["ladder", "random", "boodle", "stopper"], &flags[..]].concat());
    assert_eq!((&ladder["sessions"], &ladder["bankroll"]), (&json!(40), &json!("chips")));
    assert_eq!(ladder["cells"].as_array().unwrap().len(), 6);
    for cell in ladder["cells"].as_array().unwrap() {
        let (hero, field) = (cell["hero"].as_str().unwrap(), cell["field"].as_str().unwrap());
        let duel = report(&[&["duel", hero, field], &flags[..]].concat());
        for figure in ["gain", "ci95", "separated", "win_gain", "win_ci95", "win_separated"] {
            assert_eq!(cell[figure], duel[figure], "{figure} of {hero} over {field}");
        }
    }
}

#[test]
fn a_ladder_for_people() {
    let folder = tempfile::tempdir().unwrap();
    let (rules, page) = (chips(folder.path()), folder.path().join("ladder.html"));
    let args = ["ladder", "random", "stopper", "--sessions", "60", "--rules", &rules];
    let output = newmarket(&[&args[..], &["--html", page.to_str().unwrap()]].concat());
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("4 players, 60 sessions in every seating, seed 1"), "{text}");
    assert!(text.contains("sessions won, %") && text.contains("ranked by sessions won"), "{text}");
    assert!(text.contains("\n1  stopper") && text.contains("\n2  random"), "{text}");
    let html = std::fs::read_to_string(&page).unwrap();
    assert_eq!(html.matches("<svg").count(), 2);
}

#[cfg(unix)]
#[test]
fn a_player_through_a_pipe_plays_the_same_sessions() {
    let piped =
        |player: &str| format!("exec:{}", json!({"run": [NEWMARKET, "engine"], "player": player}));
    let folder = tempfile::tempdir().unwrap();
    let rules = chips(folder.path());
    for rules in ["michigan-auction", "four-horses", &rules] {
        let duel = |hero: &str, field: &str| {
            report(&[
                "duel",
                hero,
                field,
                "--rules",
                rules,
                "--sessions",
                "10",
                "--move-ms",
                "30000",
            ])
        };
        let inside = duel("stopper", "boodle");
        let outside = duel(&piped("stopper"), &piped("boodle"));
        for figure in ["gain", "ci95", "win_share", "win_ci95", "deals_a_session"] {
            assert_eq!(inside[figure], outside[figure], "{figure} in {rules}");
        }
        for program in outside["programs"].as_array().unwrap() {
            assert_eq!((&program["faults"], &program["restarts"]), (&json!({}), &json!(0)));
        }
    }
}

#[test]
fn bad_input_is_one_line() {
    for (args, says) in [
        (
            &["duel", "random", "stopper", "--sessions", "0"][..],
            "expected a whole number from 1 to 10000000",
        ),
        (&["duel", "random", "stopper", "--sessions", "many"], "many"),
        (&["duel", "random", "stopper", "--session", "--deals", "5"], "cannot be used with"),
        (
            &["ladder", "random", "stopper", "--sessions", "5", "--deals", "50"],
            "cannot be used with",
        ),
        (&["ladder", "random", "stopper", "--sessions", "5"], "5 sessions: expected 20 or more"),
    ] {
        let output = newmarket(args);
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), error.lines().count()), (Some(2), 1), "{args:?} {error}");
        assert!(error.contains(says) && output.stdout.is_empty(), "{error}");
    }
}
