//! `newmarket ladder`, from the command line.

use std::process::{Command, Output};

fn newmarket(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_newmarket")).args(args).output().unwrap()
}

fn json(args: &[&str]) -> serde_json::Value {
    let output = newmarket(args);
    assert!(output.status.success() && output.stderr.is_empty(), "{args:?}");
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn a_cell_is_what_duel_says() {
    let flags = ["--deals", "200", "--seed", "9", "--players", "5", "--json"];
    let ladder = json(&[&["ladder", "random", "boodle", "stopper"], &flags[..]].concat());
    assert_eq!(ladder["cells"].as_array().unwrap().len(), 6);
    for cell in ladder["cells"].as_array().unwrap() {
        let (hero, field) = (cell["hero"].as_str().unwrap(), cell["field"].as_str().unwrap());
        let duel = json(&[&["duel", hero, field], &flags[..]].concat());
        for figure in ["gain", "ci95", "separated", "deals"] {
            assert_eq!(cell[figure], duel[figure], "{figure} of {hero} over {field}");
        }
    }
}

#[test]
fn for_people() {
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("ladder.html");
    let args = ["ladder", "random", "stopper", "--deals", "600", "--html", page.to_str().unwrap()];
    let output = newmarket(&args);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.starts_with("newmarket, 4 players, 600 deals in every seating, seed 1"), "{text}");
    assert!(text.contains("\n1  stopper") && text.contains("\n2  random"), "{text}");
    assert!(text.contains("Every pairing is separated."), "{text}");
    assert!(text.lines().take(9).all(|line| line.chars().count() <= 100), "{text}");
    let html = std::fs::read_to_string(&page).unwrap();
    assert!(html.contains("<svg") && html.ends_with("</html>\n") && !html.contains("http"));
    let markdown = newmarket(&["ladder", "random", "stopper", "--deals", "50", "--markdown"]);
    let markdown = String::from_utf8(markdown.stdout).unwrap();
    assert!(markdown.contains("| --- | --- | ---: | ---: |"), "{markdown}");
}

#[test]
fn bad_input_is_one_line() {
    for (args, says) in [
        (&["random"][..], "two or more"),
        (&["random", "random"], "`random` is named twice"),
        (&["random", "nobody"], "unknown agent `nobody`"),
        (&["random", "stopper", "--deals", "3"], "3"),
        (&["random", "stopper", "--html", "/no/such/folder/x.html"], "no such folder"),
        (&["random", "stopper", "--json", "--markdown"], "cannot be used with"),
        (&[], "AGENT"),
    ] {
        let output = newmarket(&[&["ladder"], args].concat());
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), error.lines().count()), (Some(2), 1), "{args:?} {error}");
        assert!(error.contains(says) && output.stdout.is_empty(), "{error}");
    }
}
