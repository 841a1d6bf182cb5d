//! Hostile input and bad luck: the program answers with one line, an exit code and little memory.
#![cfg(unix)]

mod runs;

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use newmarket_campaign::hostile::{FLOODS, NAME_PARTS, READERS, WORDS};
use newmarket_checkpoints::list;
use runs::{finish, next, result, small};

/// Runs the program with a gigabyte of address space, and interrupts it after so many seconds.
fn bounded(seconds: u32, args: &[&str]) -> Output {
    bounded_in(Path::new("."), seconds, args)
}

fn bounded_in(folder: &Path, seconds: u32, args: &[&str]) -> Output {
    let script = "ulimit -v 1000000; s=$1; shift; exec timeout -s INT \"$s\" \"$0\" \"$@\"";
    let mut command = Command::new("sh");
    command.current_dir(folder);
    command.args(["-c", script, env!("CARGO_BIN_EXE_newmarket"), &seconds.to_string()]);
    command.args(args).env("RAYON_NUM_THREADS", "2").env("MALLOC_ARENA_MAX", "2");
    command.stdin(Stdio::null()).output().unwrap()
}

/// The one line of a refusal.
fn refused(output: &Output) -> String {
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{text:.2000}");
    assert_eq!(text.lines().count(), 1, "{text:.2000}");
    assert!(text.len() < 8000, "{} bytes", text.len());
    text
}

#[test]
fn memory_does_not_grow_with_a_count() {
    let folder = tempfile::tempdir().unwrap();
    let run = folder.path().join("run").display().to_string();
    let most = u64::MAX.to_string();
    for args in [
        &["duel", "random", "random", "--deals", &most][..],
        &["duel", "random", "random", "--deals", "10000000000"],
        &["trace", "--deals", &most],
        &["study", "lead", "--deals", "1000000000"],
        &["ladder", "random", "lowest", "--deals", "10000000"],
    ] {
        let output = bounded(2, args);
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(124), "{args:?}: {error}");
        assert!(error.is_empty(), "{args:?}: {error}");
    }
    let line = refused(&bounded(20, &["ladder", "random", "lowest", "--deals", &most]));
    assert!(line.contains("10000000"), "{line}");
    for (key, most) in [
        ("rollout.deals", "1000000"),
        ("run.benchmark_deals", "1000000"),
        ("learner.minibatch", "1000000"),
        ("learner.shards", "10000"),
    ] {
        for count in ["10000000000", "9223372036854775807"] {
            let set = format!("{key}={count}");
            let line = refused(&bounded(20, &["train", "quick", "--out", &run, "--set", &set]));
            assert!(line.contains(&format!("at most {most}")), "{line}");
            assert!(!Path::new(&run).exists(), "nothing has begun");
        }
    }
}

#[test]
fn no_file_is_read_without_a_bound() {
    let folder = tempfile::tempdir().unwrap();
    // Three gigabytes in a sparse file, which take no room.
    let holes = folder.path().join("holes").display().to_string();
    fs::File::create(&holes).unwrap().set_len(3 << 30).unwrap();
    for endless in ["/dev/zero", &holes] {
        for reader in READERS {
            let args: Vec<String> = reader.iter().map(|word| word.replace('@', endless)).collect();
            let args: Vec<&str> = args.iter().map(String::as_str).collect();
            let start = Instant::now();
            let line = refused(&bounded_in(folder.path(), 60, &args));
            assert!(line.contains(endless), "{args:?}: {line}");
            assert!(start.elapsed() < Duration::from_secs(30), "{args:?}");
        }
    }
    fs::create_dir(folder.path().join("old")).unwrap();
    let old = folder.path().join("old");
    std::os::unix::fs::symlink("/dev/zero", old.join("config.toml")).unwrap();
    refused(&bounded(60, &["resume", old.to_str().unwrap()]));
    // A pipe can be read like a file.
    let args = ["-c", "\"$0\" rules newmarket --toml | \"$0\" rules /dev/stdin"];
    let mut command = Command::new("sh");
    let output = command.args(args).arg(env!("CARGO_BIN_EXE_newmarket")).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let args = ["-c", "\"$0\" trace --deals 3 | \"$0\" trace --check /dev/stdin"];
    let mut command = Command::new("sh");
    let output = command.args(args).arg(env!("CARGO_BIN_EXE_newmarket")).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn a_flood_is_one_short_line() {
    let folder = tempfile::tempdir().unwrap();
    for (number, flood) in FLOODS.iter().enumerate() {
        fs::write(folder.path().join("@"), (flood.text)(900_000)).unwrap();
        let start = Instant::now();
        refused(&bounded_in(folder.path(), 60, flood.reader));
        assert!(start.elapsed() < Duration::from_secs(20), "flood {number}: {:?}", start.elapsed());
    }
}

#[test]
fn no_name_gives_the_terminal_an_order() {
    let folder = tempfile::tempdir().unwrap();
    let rules = folder.path().join("red.toml").display().to_string();
    fs::write(&rules, "base = \"newmarket\"\nname = \"\\u001b[31mred\\u009b\"\n").unwrap();
    for args in [
        &["rules", &rules][..],
        &["rules", &rules, "--toml"],
        &["duel", "random", "random", "--deals", "2", "--rules", &rules],
        &["duel", "random", "random", "--deals", "2", "--rules", &rules, "--players", "9"],
        &["ladder", "random", "lowest", "--deals", "20", "--rules", &rules],
        &["study", "lead", "--deals", "100", "--rules", &rules],
        &["watch", "--deals", "1", "--rules", &rules],
        &["play", "--seed", "1", "--rules", &rules],
    ] {
        prints_no_control_character(args);
    }
    for word in WORDS.into_iter().filter(|word| word.contains(char::is_control)) {
        let set = format!("{word}=1");
        let missing = format!("{}/{word}", folder.path().display());
        for args in [
            &["duel", word, "random"][..],
            &["rules", word],
            &[word],
            &["rules", &missing],
            &["train", "quick", "--set", &set],
            &["train", word],
            &["checkpoint", "show", &missing],
            &["trace", "--out", &missing, "--deals", word],
        ] {
            prints_no_control_character(args);
        }
    }
}

/// Everything that is called JSON or TOML has a name as it was given, and no order for the terminal.
#[test]
fn results_for_programs_have_names_as_they_were_given() {
    let folder = tempfile::tempdir().unwrap();
    let all: String = NAME_PARTS.iter().chain(&WORDS).copied().collect();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let (rules, again) = (path("house.toml"), path("again.toml"));
    let order = |c: char| {
        (c.is_control() && c != '\n')
            || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{feff}')
    };
    let machine = |args: &[&str]| {
        let output = bounded(60, args);
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{args:?}: {error}");
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(!text.contains(order), "{args:?}: {text:?}");
        text
    };
    for name in NAME_PARTS.iter().copied().chain(WORDS).chain([&*all]) {
        let file = serde_json::json!({ "base": "michigan", "name": name });
        let mut text = toml::to_string(&file).unwrap();
        fs::write(&rules, &text).unwrap();
        let told = machine(&["rules", &rules, "--toml"]);
        let read: toml::Table = toml::from_str(&told).expect(&told);
        assert_eq!(read["name"].as_str(), Some(name));
        fs::write(&again, &told).unwrap();
        assert_eq!(machine(&["rules", &again, "--toml"]), told);
        // For people: one line, then rules that could be read.
        text = machine(&["rules", &rules]);
        assert_eq!(toml::from_str::<toml::Table>(&text).expect(&text)["name"].as_str(), Some(name));
    }
    let small = "players = [2, 4]\nranks = 3\nsuits = 2\ncells = [\"2C\"]\n";
    fs::write(
        &rules,
        format!(
            "base = \"michigan\"\nname = {}\n{small}",
            serde_json::json!(all).to_string().replace('\u{7f}', "\\u007f")
        ),
    )
    .unwrap();
    for args in [
        &["duel", "longest", "stopper", "--deals", "2"][..],
        &["ladder", "longest", "stopper", "--deals", "20"],
        &["study", "lead", "--deals", "100"],
        &["exploit", "longest", "--players", "2"],
    ] {
        let text = machine(&[args, &["--rules", &rules, "--json"]].concat());
        let value: serde_json::Value =
            serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
        let has = |text: &str| text.contains(&all);
        assert!(anywhere(&value, &has), "{args:?}: {text}");
    }
    // A strategy of such words, and what a trace says of who played.
    let strategy = path("mine\u{200c}\u{7f}\u{85}\u{202e}.json");
    let content = serde_json::json!({ "base": "stopper", "about": all, "lead": ["most cards"] });
    fs::write(&strategy, content.to_string()).unwrap();
    let told: serde_json::Value =
        serde_json::from_str(&machine(&["strategy", "show", &strategy, "--json"])).unwrap();
    assert_eq!(told["about"], *all);
    let deals = path("deals.jsonl");
    let player = format!("strategy:{strategy}");
    let text = machine(&["duel", &player, "longest", "--deals", "2", "--json"]);
    let duel: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert!(anywhere(&duel, &|text: &str| text == player), "{duel}");
    machine(&[
        "trace",
        "--rules",
        &rules,
        "--players",
        "2",
        "--deals",
        "2",
        "--agents",
        &player,
        "--out",
        &deals,
    ]);
    let players = fs::read_to_string(format!("{deals}.players.json")).unwrap();
    let players: serde_json::Value = serde_json::from_str(&players).unwrap();
    assert!(anywhere(&players, &|text: &str| text == all));
    machine(&["trace", "--check", &deals]);
}

/// Whether a text of this kind is anywhere in a value.
fn anywhere(value: &serde_json::Value, is: &impl Fn(&str) -> bool) -> bool {
    match value {
        serde_json::Value::String(text) => is(text),
        serde_json::Value::Array(items) => items.iter().any(|item| anywhere(item, is)),
        serde_json::Value::Object(fields) => fields.values().any(|item| anywhere(item, is)),
        _ => false,
    }
}

/// Text files may begin with a byte order mark, as some programs write them; so may lines for the engine.
#[test]
fn byte_order_marks_are_passed_over() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let marked = |name: &str, text: &str| {
        fs::write(path(name), format!("\u{feff}{text}")).unwrap();
        path(name)
    };
    let runs = |args: &[&str]| {
        let output = bounded(60, args);
        assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    let rules = marked("house.toml", "base = \"michigan\"\nper_card = 2\n");
    runs(&["rules", &rules]);
    for (name, text) in [("a.toml", "base = \"stopper\"\n"), ("a.json", "{\"base\":\"stopper\"}")] {
        let file = marked(name, text);
        runs(&["strategy", "check", &file]);
        runs(&["strategy", "show", &file, "--json"]);
    }
    let trace = path("deals.jsonl");
    let player = format!("strategy:{}", path("a.json"));
    runs(&[
        "trace",
        "--rules",
        "michigan",
        "--players",
        "3",
        "--deals",
        "3",
        "--agents",
        &player,
        "--out",
        &trace,
    ]);
    // The players file names the trace by its hash, so that one is marked alone.
    let players = format!("{trace}.players.json");
    let text = fs::read_to_string(&players).unwrap();
    fs::write(&players, format!("\u{feff}{text}")).unwrap();
    let output = bounded(60, &["review", &trace, "--by", "stopper", "--worlds", "16"]);
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && !error.contains("no reasons"), "{error}");
    let text = fs::read_to_string(&trace).unwrap();
    let each = format!("\u{feff}{}", text.replace('\n', "\r\n\u{feff}"));
    let each = each.trim_end_matches('\u{feff}').to_owned();
    for text in [each, format!("\u{feff}{text}")] {
        fs::write(&trace, text).unwrap();
        assert!(runs(&["trace", "--check", &trace]).contains("3 deals"));
        runs(&["perft", &trace]);
    }
    let config = marked("run.toml", "[run]\nupdates = 1\n");
    let run = folder.path().join("run");
    let mut args = small(&run, &["run.updates=2".into()]);
    args.extend(["--config".into(), config]);
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    runs(&args);
    for name in ["config.toml", "metrics.jsonl"] {
        let file = run.join(name);
        let text = fs::read_to_string(&file).unwrap();
        fs::write(&file, format!("\u{feff}{text}")).unwrap();
    }
    let shown = runs(&["monitor", &run.display().to_string(), "--json"]);
    let shown: serde_json::Value = serde_json::from_str(&shown).unwrap();
    assert_eq!((&shown["update"], &shown["unreadable_lines"]), (&2.into(), &0.into()), "{shown}");
}

fn prints_no_control_character(args: &[&str]) {
    let output = bounded(60, args);
    for text in [output.stdout, output.stderr] {
        let text = String::from_utf8(text).unwrap();
        let order = text.chars().find(|c| c.is_control() && *c != '\n');
        assert_eq!(order, None, "{args:?}: {text}");
    }
}

#[test]
fn seeds_and_counts_have_64_bits() {
    let folder = tempfile::tempdir().unwrap();
    let run = folder.path().join("run");
    let most = u64::MAX.to_string();
    let config = folder.path().join("c.toml");
    fs::write(&config, format!("[run]\nupdates = \"{most}\"\n")).unwrap();
    let mut args = small(&run, &[format!("run.updates={most}")]);
    args.extend(["--seed", &most, "--config"].map(String::from));
    args.push(config.display().to_string());
    // The run would never end, so it is interrupted after another row.
    let for_a_while = |args: &[String]| {
        let metrics = run.join("metrics.jsonl");
        let rows = || fs::read_to_string(&metrics).map_or(0, |text| text.lines().count());
        let before = rows();
        let mut child = runs::newmarket(args).stderr(Stdio::null()).spawn().unwrap();
        while rows() == before {
            assert!(child.try_wait().unwrap().is_none(), "it ended on its own");
            std::thread::sleep(Duration::from_millis(5));
        }
        let pid = child.id().to_string();
        assert!(Command::new("kill").args(["-s", "INT", &pid]).status().unwrap().success());
        assert_eq!(child.wait().unwrap().code(), Some(0));
    };
    for_a_while(&args);
    let text = fs::read_to_string(run.join("config.toml")).unwrap();
    assert!(text.contains(&format!("seed = \"{most}\"")), "{text}");
    assert!(text.contains(&format!("updates = \"{most}\"")), "{text}");
    for_a_while(&next(&run, &args));
    let (_, last) = list(&run.join("checkpoints")).unwrap().pop().unwrap();
    assert_eq!(newmarket_checkpoints::Checkpoint::read(&last).unwrap().run.seed, u64::MAX);
}

#[test]
fn runs_that_begin_together_have_a_folder_each() {
    let folder = tempfile::tempdir().unwrap();
    let args = small(Path::new("unused"), &["run.updates=1".into()]);
    let args: Vec<String> = args.into_iter().filter(|it| it != "--out" && it != "unused").collect();
    let begin = || runs::newmarket(&args).current_dir(folder.path()).spawn().unwrap();
    let children: Vec<_> = (0..8).map(|_| begin()).collect();
    for child in children {
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
    let runs = folder.path().join("runs");
    for name in ["quick", "quick-2", "quick-3", "quick-8"] {
        assert!(runs.join(name).join("config.toml").is_file(), "{name}");
    }
    assert_eq!(fs::read_dir(runs).unwrap().count(), 8);
}

#[test]
fn a_broken_checkpoint_is_passed_over_for_the_one_before() {
    let folder = tempfile::tempdir().unwrap();
    let (whole, run) = (folder.path().join("whole"), folder.path().join("run"));
    finish(&small(&whole, &[]));
    for broken in [0, 1000] {
        let _ = fs::remove_dir_all(&run);
        let mut child = runs::newmarket(&small(&run, &[])).spawn().unwrap();
        let checkpoints = run.join("checkpoints");
        while list(&checkpoints).map_or(0, |list| list.len()) < 2 {
            assert_eq!(child.try_wait().unwrap(), None);
            std::thread::sleep(Duration::from_millis(1));
        }
        child.kill().unwrap();
        child.wait().unwrap();
        let (_, newest) = list(&checkpoints).unwrap().pop().unwrap();
        fs::File::options().write(true).open(&newest).unwrap().set_len(broken).unwrap();
        let args = ["resume".into(), run.display().to_string()];
        let output = runs::newmarket(&args).output().unwrap();
        let text = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{text}");
        let line = text.lines().next().unwrap();
        assert!(line.starts_with("warning: ") && line.contains("the latest that can be used"));
        assert!(line.contains(newest.to_str().unwrap()), "{line}");
        assert!(result(&run) == result(&whole), "the same weights");
    }
    // The copy of the best checkpoint is made again from its original.
    let best = run.join("checkpoints/best.ckpt");
    let (_, newest) = list(&run.join("checkpoints")).unwrap().pop().unwrap();
    let whole_best = fs::read(&best).unwrap();
    let resumed =
        || runs::newmarket(&["resume".into(), run.display().to_string()]).output().unwrap();
    let update = newmarket_checkpoints::Checkpoint::read(&best).unwrap().run.update;
    let original = run.join("checkpoints").join(newmarket_checkpoints::file_name(update));
    fs::write(&original, &whole_best).unwrap();
    fs::write(&best, "").unwrap();
    let output = resumed();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(fs::read(&best).unwrap() == whole_best);
    // Without an original the message says what to do.
    if original != newest {
        fs::remove_file(&original).unwrap();
        fs::write(&best, "").unwrap();
        let line = refused(&resumed());
        assert!(line.contains("network.start=") && line.contains("update-"), "{line}");
    }
    // Without any checkpoint the message says what to do.
    for (_, path) in list(&run.join("checkpoints")).unwrap() {
        fs::write(path, "").unwrap();
    }
    fs::write(run.join("checkpoints/best.ckpt"), "").unwrap();
    let output = runs::newmarket(&["resume".into(), run.display().to_string()]).output().unwrap();
    let line = refused(&output);
    assert!(line.contains("an empty file") && line.contains("begins anew"), "{line}");
}

#[test]
fn too_many_threads_are_as_many_as_can_be_of_use() {
    let mut command = Command::new("timeout");
    command.args(["30", env!("CARGO_BIN_EXE_newmarket"), "duel", "random", "random"]);
    command.args(["--deals", "64", "--json"]).env("RAYON_NUM_THREADS", "100000");
    let output = command.output().unwrap();
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{text}");
    assert!(text.contains("RAYON_NUM_THREADS is 100000: ") && text.lines().count() == 1, "{text}");
}

#[test]
fn a_narrow_terminal_gets_short_lines() {
    for args in [
        &["play", "--rules", "michigan", "--players", "8", "--seed", "3", "--hints"][..],
        &["watch", "--rules", "three-in-one", "--players", "8", "--seed", "3", "--deals", "1"],
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_newmarket"));
        command.args(args).env("COLUMNS", "40");
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        child.stdin.take().unwrap().write_all(b"?\nh\n\n1\n1\n1\nt\nq\n").unwrap();
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(text.lines().count() > 20, "{text}");
        for line in text.lines() {
            assert!(line.trim_end().chars().count() <= 40, "{line}\n\n{text}");
        }
    }
}

#[test]
fn what_will_take_long_is_said_first_and_can_be_interrupted() {
    let folder = tempfile::tempdir().unwrap();
    let run = folder.path().join("run").display().to_string();
    let mut command = Command::new(env!("CARGO_BIN_EXE_newmarket"));
    command.args(["train", "quick", "--out", &run, "--minutes", "1e308"]);
    command.args(["--set", "network.hidden=[16384,16384,16384]"]);
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
    for words in ["GB of memory", "first weights", "1e308"] {
        let line = lines.next().expect("a line for each").unwrap();
        assert!(line.contains(words), "{line}");
    }
    std::thread::sleep(Duration::from_millis(300));
    let pid = child.id().to_string();
    assert!(Command::new("kill").args(["-s", "TERM", &pid]).status().unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let mut rest = String::new();
    lines.for_each(|line| rest += &line.unwrap());
    assert!(rest.is_empty(), "{rest}");
}
