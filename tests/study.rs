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

#[test]
fn a_section_says_how_to_reproduce_it() {
    // With a time limit: the command with the resulting number of deals gives the same section.
    let args = ["all", "--field", "stopper", "--rules", "newmarket-buy", "--minutes", "0.02"];
    let report = json(&[&args[..], &["--players", "3"]].concat());
    let sections = report["sections"].as_array().unwrap();
    let names: Vec<&str> = sections.iter().map(|it| it["study"].as_str().unwrap()).collect();
    assert_eq!(names, ["advice", "lead", "ante", "dead-hand", "tips"]);
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
        command.args(args).env("RAYON_NUM_THREADS", threads);
        command.output().unwrap().stdout
    };
    assert_eq!(on("1"), on("3"));
}

/// The tips and verdicts of a section, in the order of its first table.
fn verdicts(section: &serde_json::Value) -> Vec<(&str, &str)> {
    let table = &section["tables"][0];
    let column = |name: &str| {
        table["heads"].as_array().unwrap().iter().position(|head| head == name).unwrap()
    };
    let rows = table["rows"].as_array().unwrap();
    rows.iter()
        .map(|row| {
            let cell = |name: &str| row[column(name)]["text"].as_str().unwrap();
            (cell("tip"), cell("verdict"))
        })
        .collect()
}

/// Each tip that comes with the program is for the games that have its choice, and differs from what it is measured
/// over in one of them.
#[test]
fn every_tip_is_tested_where_its_choice_is() {
    let games =
        [("newmarket", 13), ("michigan", 10), ("newmarket-buy", 17), ("newmarket-after-look", 13)];
    let mut seen = std::collections::BTreeSet::new();
    for (game, count) in games {
        let report = json(&["tips", "--rules", game, "--deals", "1000"]);
        let section = &report["sections"][0];
        let found = verdicts(section);
        assert_eq!(found.len(), count, "{game}: {found:?}");
        let differ = found.iter().filter(|(_, verdict)| *verdict != "changes nothing");
        seen.extend(differ.map(|(tip, _)| (*tip).to_owned()));
        assert_eq!(section["rules"], game);
    }
    assert_eq!(seen.len(), 20, "{seen:?}");
}

#[test]
fn tips_are_judged_by_their_claims() {
    let args = ["tips", "--rules", "newmarket,newmarket-after-look", "--deals", "2000"];
    let report = json(&args);
    let section = &report["sections"][0];
    let found = verdicts(section);
    let of = |tip: &str| -> Vec<&str> {
        found.iter().filter(|(name, _)| *name == tip).map(|(_, verdict)| *verdict).collect()
    };
    for (tip, verdicts) in [
        ("longest suit", &["refuted", "refuted"][..]),
        ("keep control", &["holds", "holds"]),
        ("do not hoard", &["holds", "holds"]),
        ("stake on your own", &["holds"]),
    ] {
        assert_eq!(of(tip), verdicts, "{tip}");
    }
    // The command gives the same section on any number of threads.
    let command = section["command"].as_str().unwrap();
    for threads in ["1", "3"] {
        let mut again = Command::new(env!("CARGO_BIN_EXE_newmarket"));
        again.args(command.split(' ').skip(1)).arg("--json").env("RAYON_NUM_THREADS", threads);
        let output = again.output().unwrap();
        let again: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(&again["sections"][0], section, "{command}");
    }
    assert!(text(&["tips", "--rules", "michigan", "--deals", "100"]).contains("Not put to the"));
}

#[test]
fn a_folder_of_tips_and_another_base() {
    let folder = tempfile::tempdir().unwrap();
    let rest = "lead = ['lowest card']\n";
    strategy(&folder, "a.toml", &format!("base = 'stopper'\nclaim = 'gains'\n{rest}"));
    strategy(
        &folder,
        "b.toml",
        &format!("base = 'stopper'\nclaim = 'makes no difference'\n{rest}"),
    );
    strategy(
        &folder,
        "c.toml",
        "base = 'stopper'\nclaim = 'makes no difference'\nover = 'longest'\n",
    );
    std::fs::write(folder.path().join("readme.txt"), "no strategy").unwrap();
    let path = folder.path().to_str().unwrap();
    let own = json(&["tips", path, "--rules", "newmarket", "--deals", "2000"]);
    let found = verdicts(&own["sections"][0]);
    assert_eq!(found, [("a", "refuted"), ("b", "refuted"), ("c", "refuted")]);
    // What c is measured over is another player than its base: that says nothing to who plays as boodle.
    let args = ["tips", path, "--base", "boodle", "--field", "boodle", "--rules", "newmarket"];
    let other = json(&[&args[..], &["--deals", "300"]].concat());
    assert_eq!(verdicts(&other["sections"][0]).len(), 2);
    let a = strategy(&folder, "a2.toml", &format!("base = 'boodle'\n{rest}"));
    let alone =
        json(&["strategy", &a, "--payoff", "session", "--deals", "300", "--field", "boodle"]);
    let (mean, _) = estimate(&alone["sections"][0], 0, 0, "gain");
    let rebased = estimate(&other["sections"][0], 0, 0, "gain").0;
    assert_eq!(rebased.to_bits(), mean.to_bits());
}

/// The path of a strategy file with this text.
fn strategy(folder: &tempfile::TempDir, name: &str, text: &str) -> String {
    let path = folder.path().join(name);
    std::fs::write(&path, text).unwrap();
    path.to_str().unwrap().into()
}

/// The estimate in a row and column of the nth table.
fn estimate(section: &serde_json::Value, table: usize, row: usize, column: &str) -> (f64, f64) {
    let table = &section["tables"][table];
    let heads = table["heads"].as_array().unwrap();
    let column = heads.iter().position(|head| head == column).unwrap();
    let cell = &table["rows"][row][column]["estimate"];
    (cell["mean"].as_f64().unwrap(), cell["ci95"].as_f64().unwrap())
}

#[test]
fn a_strategy_gains_what_a_duel_says() {
    let folder = tempfile::tempdir().unwrap();
    let file = strategy(&folder, "mine.toml", "base = 'stopper'\nlead = ['most chips']\n");
    let study = json(&["strategy", &file, "--deals", "300", "--seed", "9", "--parts"]);
    let section = &study["sections"][0];
    let mut duel = Command::new(env!("CARGO_BIN_EXE_newmarket"));
    let hero = format!("strategy:{file}");
    duel.args(["duel", &hero, "stopper", "--deals", "300", "--seed", "9", "--json"]);
    let duel: serde_json::Value = serde_json::from_slice(&duel.output().unwrap().stdout).unwrap();
    let (mean, ci95) = estimate(section, 0, 0, "gain");
    // The same bits: the same deals, taken in in the same order.
    assert_eq!((duel["gain"].as_f64(), duel["ci95"].as_f64()), (Some(mean), Some(ci95)));
    assert!(ci95 > 0.0);
    // One part, of one clause: each is the whole.
    for table in [1, 2] {
        assert_eq!(section["tables"][table]["rows"].as_array().unwrap().len(), 1);
        assert_eq!(estimate(section, table, 0, "gain"), (mean, ci95), "{table}");
    }
    // Over another player than the field: what two duels differ by, paired.
    let over = json(&["strategy", &file, "--over", "longest", "--deals", "300", "--seed", "9"]);
    let mut duel = Command::new(env!("CARGO_BIN_EXE_newmarket"));
    duel.args(["duel", &hero, "stopper", "--over", "longest", "--deals", "300", "--seed", "9"]);
    let duel = duel.arg("--json").output().unwrap();
    let duel: serde_json::Value = serde_json::from_slice(&duel.stdout).unwrap();
    let (mean, ci95) = estimate(&over["sections"][0], 0, 0, "gain");
    assert_eq!((duel["gain"].as_f64(), duel["ci95"].as_f64()), (Some(mean), Some(ci95)));
}

#[test]
fn a_strategy_without_clauses_gains_exactly_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let none = strategy(&folder, "none.toml", "base = 'basic'\n");
    let some = strategy(&folder, "some.toml", "base = 'basic'\nlead = ['highest card']\n");
    let args = ["strategy", &none, &some, "--rules", "newmarket,michigan", "--deals", "200"];
    let study =
        json(&[&args[..], &["--payoff", "session", "--by-seat", "--sessions", "8"]].concat());
    let section = &study["sections"][0];
    for row in [0, 2] {
        assert_eq!(estimate(section, 0, row, "gain"), (0.0, 0.0));
        assert_eq!(estimate(section, 1, row, "5 or more"), (0.0, 0.0));
        assert_eq!(estimate(section, 2, row, "chips"), (0.0, 0.0));
        assert_ne!(estimate(section, 0, row + 1, "gain"), (0.0, 0.0));
    }
    // The command gives the same section on any number of threads.
    let command = section["command"].as_str().unwrap();
    let on = |threads: &str| {
        let mut again = Command::new(env!("CARGO_BIN_EXE_newmarket"));
        again.args(command.split(' ').skip(1)).arg("--json").env("RAYON_NUM_THREADS", threads);
        let output = again.output().unwrap();
        serde_json::from_slice::<serde_json::Value>(&output.stdout).unwrap()
    };
    assert_eq!(&on("1")["sections"][0], section, "{command}");
    assert_eq!(&on("3")["sections"][0], section, "{command}");
}

/// Claims are counted where a file asks for them, and refused where nobody counts.
#[test]
fn a_strategy_is_told_how_often_cells_are_claimed() {
    let folder = tempfile::tempdir().unwrap();
    let asks_text =
        "base = 'stopper'\nante = { others = { cells = ['highest claimed'], spread = 'one' } }\n";
    let asks = strategy(&folder, "asks.toml", asks_text);
    let shown = text(&["strategy", &asks, "--deals", "200"]);
    assert!(
        shown.contains("Cells are claimed this often in newmarket, 4 players, among"),
        "{shown}"
    );
    let mut duel = Command::new(env!("CARGO_BIN_EXE_newmarket"));
    let duel = duel.args(["duel", &format!("strategy:{asks}"), "stopper"]).output().unwrap();
    let error = String::from_utf8(duel.stderr).unwrap();
    assert_eq!((duel.status.code(), error.lines().count()), (Some(2), 1), "{error}");
    assert!(error.contains("asks how often each cell is claimed"), "{error}");
    // At a table for which it is not, and at one for which it is.
    let needs = strategy(&folder, "needs.toml", "needs = 'players >= 5'\nlead = ['most cards']\n");
    let shown = text(&["strategy", &needs, "--players", "4,5", "--deals", "200"]);
    assert!(shown.contains("“needs” is not for newmarket, 4 players"), "{shown}");
    let output = study(&["strategy", &needs]);
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn intervals_as_narrow_as_wanted() {
    let report = json(&["ante", "--ci", "0.05"]);
    let section = &report["sections"][0];
    assert!(section["precision"].as_f64().unwrap() <= 0.05, "{}", section["precision"]);
    assert!(section["deals"].as_u64().unwrap() < 8000, "{}", section["deals"]);
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
    let shown = text(&[&args[..], &[page.to_str().unwrap()]].concat());
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
    for part in ["id=\"lead\"", "id=\"dead-hand\"", "<code>newmarket study lead --rules"] {
        assert!(html.contains(part), "{part}");
    }
    let markdown = text(&["dead-hand", "--deals", "100", "--markdown"]);
    assert!(markdown.starts_with("## Studies\n"), "{markdown}");
    assert!(markdown.contains("| own hand | gain at a fee of 4 | gain if free |"), "{markdown}");
}

/// The page of all studies opens with what to do, which fits a screen, and is short.
fn is_short_and_opens_with_advice(html: &str) {
    let body = html.split("<body>\n").nth(1).unwrap();
    let begin = "<h1>Newmarket: what choices are worth</h1>\n<p>What to do at a table of stopper";
    assert!(body.starts_with(begin), "{}", &body[..400]);
    assert!(body.find("class=\"advice\"") < body.find("<h2"));
    let advice = body.split("</div>").next().unwrap();
    let titles: Vec<&str> =
        advice.split("<h3>").skip(1).map(|it| it.split('<').next().unwrap()).collect();
    assert_eq!(
        titles[..3],
        [
            "What to lead in newmarket",
            "Where to ante in newmarket",
            "Antes after a look at the hand"
        ]
    );
    let dead_hand = titles[3..].iter().all(|title| title.starts_with("The dead hand in "));
    assert!(titles.len() > 3 && titles.len() <= 5 && dead_hand, "{titles:?}");
    for section in advice.split("<section>").skip(1) {
        assert!(section.contains("<li>") && section.contains(" ± "), "{section}");
        let strategy = section.split(", by <code>").nth(1).unwrap().split('<').next().unwrap();
        assert!(strategy == "basic" || std::path::Path::new(strategy).is_file(), "{strategy}");
    }
    let words = |html: &str| {
        html.split('<')
            .filter_map(|it| it.split_once('>'))
            .flat_map(|it| it.1.split_whitespace())
            .count()
    };
    assert!(words(advice) < 250, "{}", words(advice));
    assert!(html.len() < 200_000 && words(body) < 16_000, "{} {}", html.len(), words(body));
}

#[test]
fn the_page_of_all_opens_with_advice_and_is_short() {
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("report.html");
    text(&["all", "--field", "stopper", "--deals", "100", "--out", page.to_str().unwrap()]);
    is_short_and_opens_with_advice(&std::fs::read_to_string(&page).unwrap());
    // The released one.
    is_short_and_opens_with_advice(&std::fs::read_to_string("eval/reports/studies.html").unwrap());
}

/// The whole and each part are measured as a study of strategies measures them.
#[test]
fn a_part_of_the_lists_is_what_they_add() {
    let folder = tempfile::tempdir().unwrap();
    let keep =
        strategy(&folder, "keep.toml", "base = 'basic'\ndead_hand = ['keep']\nbid = ['pass']\n");
    let args = ["--rules", "michigan-widow", "--payoff", "session", "--deals", "300"];
    let advice = json(&[&["advice"], &args[..]].concat());
    let section = &advice["sections"][0];
    let study = json(&[&["strategy", "basic", "--over", &keep], &args[..]].concat());
    let part = estimate(section, 0, 0, "dead hand, over keeping");
    let alone = estimate(&study["sections"][0], 0, 0, "gain");
    // The intervals of three figures hold together.
    assert_eq!(part.0.to_bits(), alone.0.to_bits());
    assert!(part.0 > 0.0 && part.1 > 1.1 * alone.1 && part.1 < 1.3 * alone.1, "{part:?} {alone:?}");
    // Where antes are fixed, there is no advice on them; else it is on those that the game has.
    let titles: Vec<&str> = section["advice"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it["title"].as_str().unwrap())
        .collect();
    assert_eq!(titles, ["What to lead in michigan-widow", "The dead hand in michigan-widow"]);
    let shown = text(&["advice", "--rules", "newmarket", "--deals", "300"]);
    assert!(shown.contains("Where to ante in newmarket") && !shown.contains("Antes after a look"));
}

/// In a report of all, the reader sits among heuristics, and the lists are measured among champions, too.
#[test]
fn a_report_goes_on_where_it_was_stopped() {
    let folder = tempfile::tempdir().unwrap();
    let keep = folder.path().to_str().unwrap();
    let args = ["all", "--rules", "michigan-widow", "--players", "3", "--deals", "100", "--keep"];
    let args = [&args[..], &[keep]].concat();
    let whole = json(&args);
    let sections = whole["sections"].as_array().unwrap();
    let of = |study: &str| -> Vec<&str> {
        let such = sections.iter().filter(|it| it["study"] == study);
        such.map(|it| it["field"].as_str().unwrap()).collect()
    };
    assert_eq!(of("advice"), ["stopper", "net:champion"]);
    assert_eq!((of("lead"), of("dead-hand")), (vec!["stopper"], vec!["stopper"]));
    let among_champions = &sections[1];
    let command: Vec<&str> =
        among_champions["command"].as_str().unwrap().split(' ').skip(2).collect();
    assert_eq!(&json(&command)["sections"][0], among_champions, "{command:?}");
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

/// A game for three is studied at a table of three.
#[test]
fn a_game_of_one_size_is_studied() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("three.toml");
    std::fs::write(&path, "base = \"michigan\"\nplayers = [3, 3]\n").unwrap();
    let report = json(&["all", "--deals", "100", "--rules", path.to_str().unwrap()]);
    let sections = report["sections"].as_array().unwrap();
    let names: Vec<&str> = sections.iter().map(|it| it["study"].as_str().unwrap()).collect();
    assert_eq!(names, ["advice", "advice", "lead", "tips"]);
    assert!(sections.iter().all(|it| it["players"] == 3));
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
        (&["strategy"], "<FILE>"),
        (&["strategy", "no-such-file.toml"], "no-such-file.toml"),
        (&["strategy", "basic", "--over", "nobody"], "unknown agent `nobody`"),
        (&["strategy", "basic", "--field", "stopper,nobody"], "unknown agent `nobody`"),
        (&["strategy", "basic", "--rules", "newmarket,no-such-game"], "no-such-game"),
        (&["strategy", "basic", "--players", "4,9"], "players"),
        (&["strategy", "basic", "--sessions", "0"], "0"),
        (&["lead", "--rules", "no-such-game"], "no-such-game"),
        (&["all", "--rules", "no-such-game"], "no-such-game"),
        (&["all", "--players", "9"], "players"),
        (&["lead", "--field", "nobody"], "unknown agent `nobody`"),
        (&["advice", "--field", "nobody"], "unknown agent `nobody`"),
        (&["advice", "--out", "/no/such/folder/x.html"], "no such folder"),
        (&["lead", "--player", "nobody"], "unknown agent `nobody`"),
        (&["lead", "--payoff", "x"], "session, deal"),
        (&["truth", "--rules", "newmarket"], "--rules eval/games/two-seats.toml"),
        (&["truth", "--field", "omniscient"], "expected one that sees its own"),
        (&["lead", "--deals", "5"], "5"),
        (&["lead", "--ci", "0"], "expected a number above 0"),
        (&["lead", "--minutes", "nan"], "expected a number above 0"),
        (&["lead", "--minutes", "1", "--deals", "500"], "cannot be used with"),
        (&["lead", "--json", "--markdown"], "cannot be used with"),
        (&["lead", "--keep", "/dev/null/x"], "/dev/null/x"),
        (&["lead", "--keep", "Cargo.toml"], "expected a folder"),
        (&["lead", "--keep", "x", "--minutes", "1"], "cannot be used with"),
        (&["tips", "/no/such/folder"], "/no/such/folder"),
        (&["tips", "src"], "src has no strategy file"),
        (&["tips", "--base", "nobody"], "unknown agent `nobody`"),
        (&["tips", "--base", "pimc:4", "--deals", "100"], "cannot choose among"),
        (&["lead", "--out", "/no/such/folder/x.html"], "no such folder"),
        (&["lead", "--players", "9"], "players"),
    ] {
        let output = study(args);
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), error.lines().count()), (Some(2), 1), "{args:?} {error}");
        assert!(error.contains(says) && output.stdout.is_empty(), "{args:?}: {error}");
    }
}
