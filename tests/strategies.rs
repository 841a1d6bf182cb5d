//! Strategy files, from the command line.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

fn newmarket(folder: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_newmarket"));
    command.current_dir(folder).args(args).output().expect("the program runs")
}

/// The output of a command that succeeds.
fn said(folder: &Path, args: &[&str]) -> String {
    let output = newmarket(folder, args);
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{args:?}: {error}");
    String::from_utf8(output.stdout).expect("text")
}

/// The one line of a command that refuses its input.
fn refused(folder: &Path, args: &[&str]) -> String {
    let output = newmarket(folder, args);
    let line = String::from_utf8(output.stderr).expect("text");
    assert_eq!((output.status.code(), line.lines().count()), (Some(2), 1), "{args:?}: {line}");
    line
}

#[test]
fn a_first_file_is_written_checked_shown_and_played() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    said(folder, &["strategy", "new", "mine.toml"]);
    assert!(said(folder, &["strategy", "check", "mine.toml"]).contains("no fault"));
    let shown = said(folder, &["strategy", "show", "mine.toml"]);
    assert!(shown.contains("1. nobody can go on after the row from your lowest?"), "{shown}");
    assert!(shown.contains("What is left open, `stopper` decides."), "{shown}");
    let args = ["duel", "strategy:mine.toml", "stopper", "--deals", "200", "--json"];
    let duel: serde_json::Value = serde_json::from_str(&said(folder, &args)).expect("JSON");
    assert_eq!(duel["hero"], "strategy:mine.toml");
    // The JSON of a file needs no other file, and plays the same.
    fs::write(folder.join("same.json"), said(folder, &["strategy", "show", "mine.toml", "--json"]))
        .expect("written");
    let same = said(folder, &["duel", "strategy:same.json", "stopper", "--deals", "200", "--json"]);
    let same: serde_json::Value = serde_json::from_str(&same).expect("JSON");
    assert_eq!(same["gain"], duel["gain"]);
    // A file is never written over.
    assert!(refused(folder, &["strategy", "new", "mine.toml"]).contains("exists"));
}

/// A card has all of one game and nothing of others, in the words of the terminal.
#[test]
fn a_card_is_of_one_game() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    for (game, flags) in
        [("newmarket", &[][..]), ("michigan-widow", &["--rules", "michigan-widow"])]
    {
        said(folder, &[&["strategy", "show", "basic", "--html", "card.html"], flags].concat());
        let card = fs::read_to_string(folder.join("card.html")).expect("written");
        let shown = said(folder, &["strategy", "show", "basic", "--rules", game]);
        let steps: Vec<&str> = (shown.lines())
            .filter_map(|line| line.trim_start().split_once(". "))
            .filter(|(number, _)| number.parse::<u32>().is_ok())
            .map(|(_, step)| step)
            .collect();
        assert!(steps.len() > 4 && card.matches("<li>").count() == steps.len(), "{card}");
        for step in steps {
            let step = format!("<li>{}</li>", step.replace('&', "&amp;").replace('<', "&lt;"));
            assert!(card.contains(&step), "{step}: {card}");
        }
        assert!(
            card.contains(&format!("<h1>basic in {game}</h1>")) && card.contains("@page{size:A6")
        );
    }
    fs::write(folder.join("mine.toml"), "lead = ['most chips']\n").expect("written");
    let line = refused(folder, &["strategy", "show", "mine.toml", "--html", "mine.toml"]);
    assert!(line.contains("--html"), "{line}");
    assert!(
        refused(folder, &["strategy", "show", "basic", "--html", "/no/such/x.html"])
            .contains("no such folder")
    );
    assert_eq!(
        fs::read_to_string(folder.join("mine.toml")).expect("kept"),
        "lead = ['most chips']\n"
    );
}

#[test]
fn looking_on_tells_which_clause_decided() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let text = "base = 'longest'\nlead = ['not top card']\nante = 'even'\ndead_hand = ['take']\n";
    fs::write(folder.join("mine.toml"), text).expect("written");
    let agents = ["--agents", "strategy:mine.toml,stopper,random,first.toml"];
    assert!(refused(folder, &[&["watch"], &agents[..]].concat()).contains("first.toml"));
    let args = ["watch", "--rules", "newmarket-buy", "--deals", "4", "--seed", "1", "--plain"];
    let text = said(
        folder,
        &[&args[..], &["--agents", "strategy:mine.toml,stopper,random,longest"]].concat(),
    );
    let line = text.replace("\n    ", " ");
    for told in [
        "Ann puts 1 on each boodle and 1 into the kitty (evenly over all boodles).",
        "into the kitty (take).",
        "(not top card)",
        "(longest: most cards)",
        "(most cards; then usual)",
        "(run stops)",
        "(most cards)",
    ] {
        assert!(line.contains(told), "`{told}` is not in {line}");
    }
    // A player at the table is told nothing of what decides for the others.
    let played =
        said(folder, &["play", "--against", "strategy:mine.toml", "--seed", "1", "--plain"]);
    assert!(!played.contains("top card;"), "{played}");
}

#[test]
fn a_file_of_its_name_alone_plays_as_its_base() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    fs::write(folder.join("base.toml"), "base = 'longest'\n").expect("written");
    let trace =
        |agent: &str| said(folder, &["trace", "--agents", agent, "--deals", "5", "--seed", "3"]);
    let renamed = trace("strategy:base.toml").replace("strategy:base.toml", "longest");
    assert_eq!(renamed, trace("longest"));
    // It plays wherever an agent is named.
    for args in [
        &[
            "survey",
            "strategy:base.toml",
            "stopper",
            "--deals",
            "64",
            "--half-width",
            "9",
            "--tables",
            "held-out:2",
        ][..],
        &["ladder", "strategy:base.toml", "random", "--deals", "50"],
        &["watch", "--agents", "strategy:base.toml", "--deals", "1", "--seed", "1", "--delay", "0"],
        &["exploit", "strategy:base.toml", "--rules", "newmarket", "--deals", "20", "--search"],
    ] {
        said(folder, args);
    }
}

/// The example of `docs/STRATEGIES.md`. The engine, C, Python and the page have tests with the same file.
#[test]
fn the_example_plays_duels_studies_and_against_people() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let file = "agents/strategies/examples/keep-the-lead.toml";
    let player = format!("strategy:{file}");
    let deals = ["--deals", "2000", "--seed", "5", "--json"];
    let json = |args: &[&str]| -> serde_json::Value {
        serde_json::from_str(&said(folder, &[args, &deals].concat())).expect("JSON")
    };
    let duel = json(&["duel", &player, "stopper"]);
    let study = json(&["study", "strategy", file]);
    let row = &study["sections"][0]["tables"][0]["rows"][0];
    assert_eq!(row[0]["text"], "keep-the-lead", "{study}");
    assert_eq!(row[2]["estimate"]["mean"], duel["gain"], "{duel}");
    // The input ends at the first question.
    let output = newmarket(folder, &["play", "--against", &player, "--plain", "--seed", "7"]);
    let table = String::from_utf8(output.stdout).expect("text");
    assert!(output.status.success() && table.contains("keep-the-lead"), "{table}");
}

#[test]
fn all_faults_are_told_in_one_line() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    fs::write(
        folder.join("bad.toml"),
        "base = 'stopper'\nlead = [\n'most chps',\n'run']\nbid = ['keep']\n",
    )
    .expect("written");
    for args in [
        &["strategy", "check", "bad.toml"][..],
        &["strategy", "show", "bad.toml"],
        &["duel", "strategy:bad.toml", "stopper"],
        &["play", "--against", "strategy:bad.toml", "--plain"],
    ] {
        let line = refused(folder, args);
        for part in
            ["bad.toml: 2 faults", "line 3: `lead[1]` `chps`", "nearest: chips", "line 5: `bid[1]`"]
        {
            assert!(line.contains(part), "{part} is not in {line}");
        }
    }
    assert!(refused(folder, &["strategy", "check", "none.toml"]).contains("cannot read"));
    assert!(refused(folder, &["strategy", "show", "stoper"]).contains("random, lowest"));
    fs::write(folder.join("search.toml"), "base = 'pimc:2'\nlead = ['run stops']\n")
        .expect("written");
    let line = refused(folder, &["duel", "strategy:search.toml", "stopper"]);
    assert!(line.contains("cannot choose among"), "{line}");
    // The same base is right where no clause leaves some of the leads.
    fs::write(folder.join("search.toml"), "base = 'pimc:2'\nante = 'even'\n").expect("written");
    said(folder, &["duel", "strategy:search.toml", "stopper", "--deals", "5"]);
}

#[test]
fn a_named_strategy_is_shown_as_its_file_and_in_words() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    fs::write(folder.join("basic.toml"), said(folder, &["strategy", "show", "basic", "--toml"]))
        .expect("written");
    let trace = |agent: &str| {
        said(folder, &["trace", "--agents", agent, "--deals", "5", "--rules", "michigan-auction"])
    };
    assert_eq!(
        trace("strategy:basic.toml").replace("strategy:basic.toml", "basic"),
        trace("basic")
    );
    let shown = said(folder, &["strategy", "show", "basic", "--rules", "michigan-auction"]);
    assert!(shown.contains("A bid in michigan-auction") && !shown.contains("chicago"), "{shown}");
    let facts = said(folder, &["strategy", "facts"]);
    assert!(
        facts.contains("cards of others before my first boodle") && facts.contains("usual"),
        "{facts}"
    );
}
