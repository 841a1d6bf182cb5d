//! `newmarket strategy learn`, from the command line.

use std::process::{Command, Output};

fn newmarket(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_newmarket")).args(args).output().unwrap()
}

fn learn(args: &[&str]) -> Output {
    newmarket(&[&["strategy", "learn"], args].concat())
}

#[test]
fn what_is_found_is_a_file_that_plays() {
    let folder = tempfile::tempdir().unwrap();
    for (part, rules, says) in [
        ("lead", "michigan", "[games.michigan]\nlead = ["),
        ("ante", "newmarket", "[games.newmarket]\nante = {"),
        ("ante", "newmarket-after-look", "ante = { after_look = { cells = ["),
        ("dead-hand", "newmarket-buy", "[games.newmarket-buy]\ndead_hand = ["),
        ("dead-hand", "three-in-one", "bid = ["),
    ] {
        let path = folder.path().join(format!("{part}-{rules}.toml"));
        let file = path.to_str().unwrap();
        let output = learn(&[part, "--rules", rules, "--deals", "200", "--out", file, "--json"]);
        assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
        let found: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(
            text.starts_with("format = 1\nabout = \"found by `newmarket strategy learn "),
            "{text}"
        );
        assert!(text.contains(says), "{text}");
        for clause in found["clauses"].as_array().unwrap() {
            assert!(
                text.contains(&format!("    {},\n", clause["clause"])) || rules.contains("look")
            );
        }
        let shown = newmarket(&["strategy", "show", file, "--json"]);
        assert_eq!(
            serde_json::from_slice::<serde_json::Value>(&shown.stdout).unwrap(),
            found["file"]
        );
        let hero = format!("strategy:{file}");
        let duel = newmarket(&["duel", &hero, "stopper", "--rules", rules, "--deals", "50"]);
        assert!(duel.status.success(), "{duel:?}");
        // The command in the file finds the same file.
        let command = found["command"].as_str().unwrap();
        let words: Vec<&str> = command.split(' ').skip(3).collect();
        let again = folder.path().join("again.toml");
        let output = learn(&[&words[..], &["--out", again.to_str().unwrap()]].concat());
        assert!(output.status.success(), "{command}: {output:?}");
        assert_eq!(std::fs::read_to_string(&again).unwrap(), text);
    }
}

#[test]
fn what_cannot_be_learnt_is_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("none.toml");
    let out = path.to_str().unwrap();
    for (args, says) in [
        (&["lead"][..], "--out"),
        (&["luck", "--out", out], "lead, ante, dead-hand"),
        (&["lead", "--base", "nobody", "--out", out], "unknown agent `nobody`"),
        (&["lead", "--base", "pimc:4", "--out", out], "cannot choose among what clauses"),
        (&["lead", "--base", "strategy:none", "--out", out], "none"),
        (&["lead", "--field", "nobody", "--out", out], "unknown agent `nobody`"),
        (&["lead", "--without", "stps", "--out", out], "`stps` is no fact of a clause on `lead`"),
        (&["lead", "--rules", "no-such-game", "--out", out], "no-such-game"),
        (&["ante", "--rules", "michigan", "--out", out], "the antes of michigan are fixed"),
        (&["dead-hand", "--out", out], "nobody may take the dead hand"),
        (&["lead", "--deals", "7", "--out", out], "7"),
        (
            &["lead", "--deals", "100", "--base", "stopper", "--out", "/no/such/folder/x.toml"],
            "folder",
        ),
    ] {
        let output = learn(args);
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), error.lines().count()), (Some(2), 1), "{args:?} {error}");
        assert!(error.contains(says) && output.stdout.is_empty(), "{args:?}: {error}");
    }
    assert!(!path.exists());
}
