//! `newmarket study`, from the command line.

use std::process::{Command, Output};

fn study(args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_newmarket"));
    command.arg("study").args(args).output().unwrap()
}

fn text(args: &[&str]) -> String {
    let output = study(args);
    assert!(output.status.success() && output.stderr.is_empty(), "{args:?}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

fn json(args: &[&str]) -> serde_json::Value {
    serde_json::from_str(&text(&[args, &["--json"]].concat())).unwrap()
}

/// Flags for a fast study.
const QUICK: [&str; 2] = ["--reference", "pimc:4"];

#[test]
fn a_section_says_how_to_reproduce_it() {
    // With a time limit: the command with the resulting number of deals gives the same section.
    let args = ["all", "--field", "stopper", "--rules", "newmarket-buy", "--minutes", "0.02"];
    let args = [&args[..], &["--players", "3"], &QUICK].concat();
    let report = json(&args);
    let sections = report["sections"].as_array().unwrap();
    let names: Vec<&str> = sections.iter().map(|it| it["study"].as_str().unwrap()).collect();
    assert!(
        ["lead", "ante", "dead-hand", "tips"].iter().all(|name| names.contains(name)),
        "{names:?}"
    );
    for section in sections {
        let command = section["command"].as_str().unwrap();
        let mut words = command.split(' ');
        assert_eq!((words.next(), words.next()), (Some("newmarket"), Some("study")));
        let again = json(&words.collect::<Vec<_>>());
        assert_eq!(&again["sections"][0], section, "{command}");
    }
}

#[test]
fn threads_do_not_matter() {
    let on = |threads: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_newmarket"));
        let args = ["study", "lead", "--deals", "300", "--json"];
        command.args(args).args(QUICK).env("RAYON_NUM_THREADS", threads);
        command.output().unwrap().stdout
    };
    assert_eq!(on("1"), on("3"));
}

#[test]
fn tips_at_one_table_and_at_many() {
    let one = json(&["tips", "--rules", "newmarket-buy", "--players", "3", "--deals", "100"]);
    let section = &one["sections"][0];
    assert_eq!((&section["rules"], &section["players"]), (&"newmarket-buy".into(), &3.into()));
    let many = json(&["tips", "--players", "3", "--deals", "100"]);
    let all = &many["sections"][0];
    assert_eq!(all["rules"], "newmarket, michigan, newmarket-buy");
    assert_eq!(all["players"], serde_json::json!([3]));
    assert_eq!(
        all["command"],
        "newmarket study tips --players 3 --payoff session --deals 100 --seed 1"
    );
    // The first row and the last column have the same figures.
    let gain = &section["tables"][0]["rows"][0][3];
    assert!(gain["estimate"]["ci95"].as_f64().unwrap() > 0.0);
    assert_eq!(&all["tables"][0]["rows"][0][5], gain);
    assert_eq!(&all["tables"][1]["rows"][0][5], gain);
    let sizes = json(&["tips", "--rules", "hoyle-1885", "--deals", "100"]);
    assert_eq!(sizes["sections"][0]["players"], serde_json::json!([3, 4, 5, 6, 7, 8]));
    assert!(text(&["tips", "--rules", "michigan", "--deals", "100"]).contains("Not put to the"));
}

#[test]
fn tips_are_the_same_on_any_number_of_threads() {
    let on = |threads: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_newmarket"));
        let args = ["study", "tips", "--rules", "newmarket-buy", "--deals", "200", "--json"];
        command.args(args).args(["--players", "3"]).env("RAYON_NUM_THREADS", threads);
        command.output().unwrap().stdout
    };
    assert_eq!(on("1"), on("2"));
}

#[test]
fn intervals_as_narrow_as_wanted() {
    let report = json(&[&["ante", "--ci", "0.05"], &QUICK[..]].concat());
    let section = &report["sections"][0];
    assert!(section["precision"].as_f64().unwrap() <= 0.05, "{}", section["precision"]);
    assert!(section["deals"].as_u64().unwrap() < 5000, "{}", section["deals"]);
    let widest = (section["tables"][0]["rows"].as_array().unwrap().iter())
        .map(|row| row[1]["estimate"]["ci95"].as_f64().unwrap())
        .fold(0.0, f64::max);
    assert_eq!(section["precision"], widest);
}

#[test]
fn for_people() {
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("report.html");
    let args =
        ["all", "--field", "stopper", "--rules", "michigan-widow", "--deals", "100", "--out"];
    let shown = text(&[&args[..], &[page.to_str().unwrap()], &QUICK].concat());
    assert!(
        shown.starts_with("WHAT TO DO\n") && shown.contains("\nWHAT A LEAD IS WORTH\n"),
        "{shown}"
    );
    assert!(shown.contains("Left out: ante: nothing to study: the antes of michigan-widow are"));
    assert!(
        shown.contains("Reproduced by: newmarket study dead-hand --rules michigan-widow"),
        "{shown}"
    );
    let html = std::fs::read_to_string(&page).unwrap();
    assert!(html.contains("<svg") && html.ends_with("</html>\n") && !html.contains("http"));
    for part in ["id=\"lead-0\"", "id=\"dead-hand-1\"", "<code>newmarket study lead --rules"] {
        assert!(html.contains(part), "{part}");
    }
    let markdown = text(&[&["dead-hand", "--deals", "100", "--markdown"], &QUICK[..]].concat());
    assert!(markdown.starts_with("## Studies\n"), "{markdown}");
    assert!(markdown.contains("| own hand | gain at a fee of 4 | gain if free |"), "{markdown}");
}

/// In a report of all, the studied seat sits among heuristics and among networks.
#[test]
fn a_report_goes_on_where_it_was_stopped() {
    let folder = tempfile::tempdir().unwrap();
    let keep = folder.path().to_str().unwrap();
    let args = ["all", "--rules", "michigan-widow", "--players", "3", "--deals", "100", "--keep"];
    let args = [&args[..], &[keep], &QUICK].concat();
    let whole = json(&args);
    let sections = whole["sections"].as_array().unwrap();
    let of = |study: &str| -> Vec<&str> {
        let such = sections.iter().filter(|it| it["study"] == study);
        such.map(|it| it["field"].as_str().unwrap()).collect()
    };
    assert_eq!(of("lead"), ["stopper", "net:hard", "net:champion"]);
    assert_eq!(of("dead-hand"), ["stopper", "net:hard", "net:champion"]);
    assert_eq!(of("tips"), ["random or stopper", "net:hard", "net:champion"]);
    let is = |study: &str, field: &str| {
        sections.iter().find(|it| it["study"] == study && it["field"] == field).unwrap()
    };
    for section in [is("dead-hand", "net:champion"), is("tips", "net:hard")] {
        let command: Vec<&str> = section["command"].as_str().unwrap().split(' ').skip(2).collect();
        assert_eq!(&json(&command)["sections"][0], section, "{command:?}");
    }
    let mut files: Vec<_> =
        std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    assert_eq!(files.len(), sections.len());
    // A missing section is played; the others are read back to the last bit.
    let [first, second, .., last] = &files[..] else { panic!("sections") };
    std::fs::remove_file(first).unwrap();
    assert_eq!(json(&args), whole);
    let kept = std::fs::read(second).unwrap();
    std::fs::copy(last, second).unwrap();
    assert_ne!(json(&args), whole);
    std::fs::write(second, &kept[..100]).unwrap();
    let output = study(&args);
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!((output.status.code(), error.lines().count()), (Some(2), 1), "{error}");
    assert!(error.contains(second.to_str().unwrap()) && error.contains("--keep"), "{error}");
}

/// A game for three has no table of four or six champions, so its own table is used.
#[test]
fn a_game_of_one_size_is_studied_in_all_companies() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("three.toml");
    std::fs::write(&path, "base = \"michigan\"\nplayers = [3, 3]\n").unwrap();
    let args = ["all", "--deals", "100", "--rules", path.to_str().unwrap()];
    let report = json(&[&args[..], &QUICK].concat());
    let sections = report["sections"].as_array().unwrap();
    let leads = sections.iter().filter(|it| it["study"] == "lead" && it["players"] == 3);
    assert_eq!(leads.count(), 3);
    let left_out = report["left_out"].as_array().unwrap();
    let begins =
        |name: &str| left_out.iter().filter(|why| why.as_str().unwrap().starts_with(name)).count();
    assert_eq!(
        (begins("ante:"), begins("dead-hand:"), begins("truth:")),
        (1, 1, 1),
        "{left_out:?}"
    );
    assert_eq!(left_out.len(), 3, "{left_out:?}");
}

#[test]
fn bad_input_is_one_line() {
    for (args, says) in [
        (&[][..], "<STUDY>"),
        (&["luck"], "lead, ante, dead-hand"),
        (&["ante", "--rules", "michigan"], "the antes of michigan are fixed"),
        (&["dead-hand", "--rules", "newmarket"], "nobody may take the dead hand"),
        (&["lead", "--rules", "no-such-game"], "no-such-game"),
        (&["all", "--rules", "no-such-game"], "no-such-game"),
        (&["all", "--players", "9"], "players"),
        (&["lead", "--field", "nobody"], "unknown agent `nobody`"),
        (&["lead", "--reference", "nobody"], "unknown agent `nobody`"),
        (&["lead", "--player", "nobody"], "unknown agent `nobody`"),
        (&["lead", "--payoff", "x"], "session, deal"),
        (&["truth", "--rules", "newmarket"], "--rules two-seats"),
        (&["truth", "--field", "omniscient"], "expected one that sees its own"),
        (&["lead", "--deals", "5"], "5"),
        (&["lead", "--ci", "0"], "expected a number above 0"),
        (&["lead", "--minutes", "nan"], "expected a number above 0"),
        (&["lead", "--minutes", "1", "--deals", "500"], "cannot be used with"),
        (&["lead", "--json", "--markdown"], "cannot be used with"),
        (&["lead", "--keep", "/dev/null/x"], "/dev/null/x"),
        (&["lead", "--keep", "Cargo.toml"], "expected a folder"),
        (&["lead", "--keep", "x", "--minutes", "1"], "cannot be used with"),
        (&["tips", "--field", "net:hard", "--player", "omniscient"], "sees all cards"),
        (&["lead", "--out", "/no/such/folder/x.html"], "no such folder"),
        (&["lead", "--players", "9"], "players"),
    ] {
        let output = study(args);
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), error.lines().count()), (Some(2), 1), "{args:?} {error}");
        assert!(error.contains(says) && output.stdout.is_empty(), "{args:?}: {error}");
    }
}
