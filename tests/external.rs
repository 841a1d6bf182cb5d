//! Players that are programs, `exec:…`. A good program plays like a built-in player. A faulty one loses its deal, and
//! no other player loses anything.
#![cfg(unix)]

mod bots;

use std::fs;
use std::io::{Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use bots::{FIRST, bot, noting, script};
use serde_json::{Value, json};

const NEWMARKET: &str = env!("CARGO_BIN_EXE_newmarket");

/// The program with a gigabyte of address space. External programs have long time limits by default, because the machine
/// may be busy.
fn newmarket(args: &[&str]) -> Output {
    let patient = !args.contains(&"--move-ms") && ["duel", "ladder", "trace"].contains(&args[0]);
    let patience: &[&str] = if patient { &["--move-ms", "30000"] } else { &[] };
    let mut command = Command::new("sh");
    command
        .args(["-c", "ulimit -v 1000000; exec \"$0\" \"$@\"", NEWMARKET])
        .args(args)
        .args(patience);
    command.env("MALLOC_ARENA_MAX", "2").stdin(Stdio::null()).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// The report of a duel.
fn duel(hero: &str, field: &str, flags: &[&str]) -> Value {
    let output = newmarket(&[&["duel", hero, field, "--json"], flags].concat());
    let error = text(&output.stderr);
    assert_eq!((output.status.code(), error.as_str()), (Some(0), ""), "{hero}");
    serde_json::from_slice(&output.stdout).unwrap()
}

/// This program as an external program.
fn through_a_pipe(player: &str) -> String {
    format!("exec:{}", json!({"run": [NEWMARKET, "engine"], "player": player}))
}

#[test]
fn a_player_through_a_pipe_is_that_player() {
    let flags = |game| ["--rules", game, "--players", "5", "--deals", "60"];
    for game in ["newmarket", "michigan-auction", "three-in-one", "michigan-free-stakes"] {
        for (hero, field) in [("net:champion", "stopper"), ("stopper", "boodle")] {
            let inside = duel(hero, field, &flags(game));
            let piped = duel(&through_a_pipe(hero), &through_a_pipe(field), &flags(game));
            for figure in ["gain", "ci95", "win_share", "win_share_ci95"] {
                assert_eq!(inside[figure], piped[figure], "{figure} of {hero} in {game}");
            }
            for program in piped["programs"].as_array().unwrap() {
                assert_eq!((&program["faults"], &program["restarts"]), (&json!({}), &json!(0)));
                assert!(program["answers"].as_u64() > Some(100), "{program}");
            }
        }
    }
    // Without a name the program's first player plays.
    let first =
        duel(&format!("exec:{}", json!([NEWMARKET, "engine"])), "stopper", &flags("michigan"));
    assert_eq!(first["gain"], duel("net:champion", "stopper", &flags("michigan"))["gain"]);
}

#[test]
fn a_duel_is_the_same_on_any_number_of_threads() {
    let run = |threads: &str| {
        let mut command = Command::new(NEWMARKET);
        command.args(["duel", &bot(FIRST), "stopper", "--deals", "200", "--json"]);
        command.args(["--move-ms", "30000"]);
        let output = command.env("RAYON_NUM_THREADS", threads).output().unwrap();
        let mut report: Value = serde_json::from_slice(&output.stdout).unwrap();
        report["seconds"] = Value::Null;
        report
    };
    let one = run("1");
    assert_eq!(one["programs"][0]["faults"], json!({}));
    assert_eq!(one, run("4"));
}

#[test]
fn sessions_are_told_with_chips_carried_over_and_seats_out() {
    for game in ["three-in-one", "michigan-widow", "bazaar-1875", "michigan"] {
        let flags = ["trace", "--rules", game, "--players", "6", "--deals", "60", "--agents"];
        let inside = newmarket(&[&flags[..], &["net:champion"]].concat());
        let piped = newmarket(&[&flags[..], &[&through_a_pipe("net:champion")]].concat());
        assert!(inside.status.success() && piped.stderr.is_empty(), "{game}");
        assert_eq!(text(&inside.stdout), text(&piped.stdout), "{game}");
    }
}

#[test]
fn a_deal_says_where_in_the_session_it_is_and_who_is_bust() {
    let folder = tempfile::tempdir().unwrap();
    let (rules, heard) = (folder.path().join("rules.toml"), folder.path().join("heard"));
    let bankroll = r#"bankroll = { chips = { start = 20, on_bust = "eliminate" } }"#;
    fs::write(&rules, format!("base = \"newmarket\"\nsession = {{ {bankroll} }}\n")).unwrap();
    let rules = rules.display().to_string();
    let flags = ["trace", "--rules", &rules, "--players", "6", "--deals", "40", "--agents"];
    let piped = script(&format!("tee '{}' | '{NEWMARKET}' engine", heard.display()));
    let inside = newmarket(&[&flags[..], &["net:champion"]].concat());
    let piped = newmarket(&[&flags[..], &[&piped]].concat());
    assert!(inside.status.success() && piped.stderr.is_empty(), "{}", text(&piped.stderr));
    assert_eq!(text(&inside.stdout), text(&piped.stdout));
    let heard = fs::read_to_string(&heard).unwrap();
    let said: Vec<Value> = heard.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let deals: Vec<&Value> = said.iter().filter(|it| it["type"] == "deal").collect();
    for deal in &deals {
        let bankroll = json!({"chips": {"start": 20, "on_bust": "eliminate"}});
        assert_eq!((&deal["session"]["of"], &deal["session"]["bankroll"]), (&json!(10), &bankroll));
        let seat = deal["seat"].as_u64().unwrap() as usize;
        assert!(deal.get("seats_in").is_none_or(|seats| seats[seat] == true), "{deal}");
    }
    assert!(deals.iter().any(|deal| deal["session"]["deal"] == 4), "{deals:?}");
    assert!(deals.iter().any(|deal| deal["seats_in"].to_string().contains("false")));
    // The program is told the end of every deal.
    let count = |kind: &str| said.iter().filter(|it| it["type"] == kind).count();
    assert_eq!((count("over"), count("hello"), count("quit")), (deals.len(), 1, 1));
}

/// The first `deal` that a bot is told in these rules.
fn first_deal(rules: &str) -> Value {
    let folder = tempfile::tempdir().unwrap();
    let seen = folder.path().join("seen");
    let note = format!(r#"printf '%s\n' "$l" >> '{}'"#, seen.display());
    duel(&noting(FIRST, &note), "stopper", &["--rules", rules, "--deals", "2"]);
    let seen = fs::read_to_string(seen).unwrap();
    serde_json::from_str(seen.lines().next().unwrap()).unwrap()
}

#[test]
fn a_deal_says_what_the_rules_come_to() {
    let deal = first_deal("south-london");
    let claims = |card: &str, by: &str| json!({"name": card, "claimed_by": [[by]], "chips": 0});
    let cells = [("KC", "QC"), ("KD", "QD"), ("KH", "QH"), ("KS", "QS")];
    assert_eq!(deal["cells"], json!(cells.map(|(card, by)| claims(card, by))));
    assert_eq!((&deal["aces"], &deal["order"]), (&json!("low"), &json!("A23456789TJQK")));
    assert_eq!(deal["removed"], json!(["KC", "KD", "KH", "KS"]));
    let deal = first_deal("three-in-one");
    let run = |suit: char| json!(["8", "9", "T"].map(|rank| format!("{rank}{suit}")));
    assert_eq!(deal["cells"][5], json!({"name": "KQ", "claimed_by": [["QH", "KH"]], "chips": 0}));
    assert_eq!(deal["cells"][6]["claimed_by"], json!(['C', 'D', 'H', 'S'].map(run)));
    assert_eq!(deal["cells"][7], json!({"name": "pot", "claimed_by": [], "chips": 0}));
    assert_eq!((&deal["aces"], &deal["order"]), (&json!("high"), &json!("23456789TJQKA")));
    assert_eq!(deal["removed"], json!([]));
}

#[test]
fn a_person_plays_against_a_program() {
    let play = |against: &str, game: &str| {
        let mut command = Command::new(NEWMARKET);
        command.args(["play", "--rules", game, "--players", "4", "--seed", "3", "--deals", "4"]);
        command.args(["--against", against]).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut input = child.stdin.take().unwrap();
        let writer = std::thread::spawn(move || input.write_all("\n1\n".repeat(4000).as_bytes()));
        let output = child.wait_with_output().unwrap();
        let _ = writer.join().unwrap();
        assert!(output.status.success(), "{game}");
        let text = text(&output.stdout);
        text.split_once("At any question").unwrap().1.to_owned()
    };
    for game in ["newmarket", "three-in-one"] {
        let named = format!("boodle, {}, boodle", through_a_pipe("net:champion"));
        assert_eq!(play("boodle,net:champion,boodle", game), play(&named, game), "{game}");
    }
}

#[test]
fn faults_are_counted_and_stopper_plays_on() {
    let long = "head -c 70000 /dev/zero | tr '\\0' x; echo";
    for (does, kind, ends) in [
        ("sleep 60", "silence", true),
        ("echo hello", "garbage", true),
        ("echo '{\"type\":\"answer\"'", "garbage", true),
        ("printf '[%.0s' $(seq 2000); echo", "garbage", true),
        ("printf '\\377\\376\\n'", "garbage", true),
        ("echo '{\"type\":\"hello\",\"version\":1}'", "garbage", true),
        (long, "flood", true),
        ("cat /dev/zero", "flood", true),
        ("exit 3", "death", true),
        ("exec >&-; sleep 60", "death", true),
        ("kill -9 $$", "death", true),
        (
            "echo \"{\\\"type\\\":\\\"answer\\\",\\\"id\\\":\\\"x$id\\\",\\\"do\\\":$first}\"",
            "wrong_id",
            true,
        ),
        ("echo '{\"type\":\"error\",\"message\":\"no\"}'", "refusal", true),
        (
            "echo \"{\\\"type\\\":\\\"answer\\\",\\\"id\\\":\\\"$id\\\",\\\"do\\\":{\\\"e\\\":\\\"fold\\\"}}\"",
            "illegal",
            false,
        ),
        (
            "echo \"{\\\"type\\\":\\\"answer\\\",\\\"id\\\":\\\"$id\\\",\\\"do\\\":7}\"",
            "illegal",
            false,
        ),
    ] {
        let begun = Instant::now();
        let limit = if kind == "silence" { "300" } else { "10000" };
        let report = duel(&bot(does), "stopper", &["--deals", "10", "--move-ms", limit]);
        assert!(begun.elapsed() < Duration::from_secs(40), "{does}");
        let program = &report["programs"][0];
        // It never played: `stopper` took all of its decisions.
        assert_eq!((&report["gain"], &program["answers"]), (&json!(0.0), &json!(0)), "{does}");
        let expected = if ends { json!({ kind: 3 }) } else { json!({ kind: 40 }) };
        assert_eq!(program["faults"], expected, "{does}: {program}");
        assert_eq!(program["given_up"], json!(ends), "{does}");
        assert!(program["by_stopper"].as_u64() > Some(40), "{does}");
    }
}

/// Programs of some languages write one before their first line, or before each.
#[test]
fn a_byte_order_mark_before_a_line_is_no_fault() {
    let answer = r#"printf '\357\273\277{"type":"answer","id":"%s","do":%s}\r\n' "$id" "$first""#;
    let marked = bot(answer).replace("echo '{", r"printf '\\357\\273\\277%s\\n' '{");
    assert!(marked.matches("357").count() == 2, "{marked}");
    let report = duel(&marked, "stopper", &["--deals", "4"]);
    let program = &report["programs"][0];
    assert_eq!(program["faults"], json!({}), "{program}");
    assert!(program["answers"].as_u64() > Some(8) && program["by_stopper"] == 0, "{program}");
}

#[test]
fn a_program_is_started_again_and_told_all_again() {
    let folder = tempfile::tempdir().unwrap();
    let count = folder.path().join("count");
    // The bot ends after every twentieth answer.
    let dying = bot(&format!(
        "n=$(( $(cat '{0}') + 1 )); echo $n >'{0}'; [ $((n % 20)) = 0 ] && exit 1; {FIRST}",
        count.display()
    ));
    fs::write(&count, "0").unwrap();
    let report = duel(&dying, "stopper", &["--deals", "10"]);
    let program = &report["programs"][0];
    let answers = program["answers"].as_u64().unwrap();
    assert_eq!(program["faults"], json!({ "death": answers / 19 }), "{program}");
    assert!(answers > 60 && program["given_up"] == json!(false), "{program}");
    let first = program["first_fault"].as_str().unwrap();
    assert!(first.contains("exit status: 1") && first.ends_with("(death)"), "{first}");
    // A restarted player can continue a deal, because it is told the deal again.
    let short =
        "n=0; while [ $n -lt 300 ] && read -r l; do printf '%s\\n' \"$l\"; n=$((n + 1)); done";
    let short = script(&format!("{short} | '{NEWMARKET}' engine"));
    let report = duel("stopper", &short, &["--deals", "10"]);
    let program = &report["programs"][0];
    let deaths = program["restarts"].as_u64().unwrap();
    assert_eq!(program["faults"], json!({ "death": deaths }), "{program}");
    assert!(deaths > 2 && program["by_stopper"].as_u64() > Some(deaths), "{program}");
    // The number of restarts is limited.
    fs::write(&count, "0").unwrap();
    let report = duel(&dying.replace("% 20", "% 2"), "stopper", &["--deals", "200"]);
    let program = &report["programs"][0];
    assert_eq!((&program["restarts"], &program["given_up"]), (&json!(100), &json!(true)));
}

#[test]
fn a_ladder_reports_its_programs() {
    let named = bot("echo no");
    let flags = ["ladder", &named, "stopper", "random", "--deals", "20"];
    let says = text(&newmarket(&flags).stdout);
    assert!(says.contains("0 answers, faults: 3 garbage; stopper took"), "{says}");
    let json = newmarket(&[&flags[..], &["--json"]].concat()).stdout;
    let json: Value = serde_json::from_slice(&json).unwrap();
    assert_eq!(json["programs"][0]["faults"], json!({"garbage": 3}));
    let without = newmarket(&["ladder", "stopper", "random", "--deals", "20", "--json"]).stdout;
    assert!(!text(&without).contains("programs"));
}

/// The last line of a command, and its exit code.
fn refused(args: &[&str]) -> (Option<i32>, String) {
    let output = newmarket(args);
    let error = text(&output.stderr);
    assert_eq!((error.lines().count(), text(&output.stdout)), (1, String::new()), "{error}");
    (output.status.code(), error)
}

#[test]
fn a_fault_may_end_the_command() {
    for args in [
        &["duel", &bot("echo x; echo y"), "stopper"][..],
        &["ladder", "random", &bot("echo x"), "stopper"],
        &["trace", "--agents", &bot("echo x")],
    ] {
        let (code, line) = refused(&[args, &["--on-fault", "stop"]].concat());
        assert!(line.contains("its line is not a reply") && line.contains("(garbage)"), "{line}");
        assert_eq!(code, Some(1), "{line}");
    }
}

#[test]
fn a_program_that_cannot_start_is_told_at_once() {
    let hello = |says: &str| script(&format!("read -r l; echo '{says}'; sleep 60"));
    for (hero, says) in [
        ("exec:/no/such/program".to_owned(), "cannot start `/no/such/program`"),
        ("exec:python3 bot.py".into(), r#"exec:["PROGRAM","ARGUMENT"]"#),
        ("exec:".into(), "it names no program"),
        ("exec:[\"sh\"".into(), "expected exec:PROGRAM"),
        (script("exit 4"), "exit status: 4"),
        (script("sleep 60"), "no answer within 300 ms"),
        (hello(r#"{"type":"hello","version":2}"#), "hello with version 1"),
        (hello("Hello!"), "is not a reply"),
    ] {
        let limit = if says.contains("300 ms") { "300" } else { "10000" };
        let (code, line) = refused(&["duel", &hero, "stopper", "--start-ms", limit]);
        assert!(code == Some(2) && line.contains(says), "{line}");
    }
}

#[test]
fn no_file_and_no_training_starts_a_program() {
    let folder = tempfile::tempdir().unwrap();
    let (run, touched) = (folder.path().join("run"), folder.path().join("touched"));
    let (run, config) = (run.display().to_string(), folder.path().join("config.toml"));
    let named = format!("exec:{}", json!(["touch", touched]));
    let opponents = format!("[{{agent={},share=0.5}}]", json!(named));
    let benchmark = format!("run.benchmark_opponents=[{}]", json!(named));
    fs::write(&config, format!("[opponents]\nagents = {opponents}\n")).unwrap();
    for args in [
        &["study", "lead", "--field", &named][..],
        &["exploit", &named],
        &["exploit", &named, "--train", "--out", &run],
        &["play", "--adviser", &named],
        &["train", "--out", &run, "--set", &format!("opponents.agents={opponents}")],
        &["train", "--out", &run, "--set", &benchmark],
        &["train", "--out", &run, "--config", &config.display().to_string()],
    ] {
        let (code, line) = refused(args);
        assert!(code == Some(2) && line.contains("is a program: expected an agent"), "{line}");
    }
    for args in [
        &["checkpoint", "show", &named][..],
        &["duel", "stopper", "stopper", "--rules", &named],
        &["duel", &format!("net:{named}"), "stopper"],
    ] {
        let (code, line) = refused(args);
        assert_eq!(code, Some(2), "{line}");
    }
    assert!(!touched.exists());
}

#[test]
fn names_with_spaces_quotes_and_commas() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("my bot's \"first\", $HOME.sh");
    let name = bot(&format!("echo \"$1|$2|$NEWMARKET_MOVE_MS\" >&2; {FIRST}"));
    let parts: Vec<String> = serde_json::from_str(&name["exec:".len()..]).unwrap();
    fs::write(&path, format!("#!/bin/sh\n{}\n", parts[2])).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    let path = path.display().to_string();
    let alone = newmarket(&["duel", &format!("exec:{path}"), "stopper", "--deals", "1"]);
    assert!(alone.status.success(), "{}", text(&alone.stderr));
    // Commas inside the name do not split the list of agents.
    let named = format!("exec:{}", json!([path, "a b,c", "\"d' \u{1b}[31m"]));
    let agents = format!("stopper,{named},stopper , random");
    let output = newmarket(&["trace", "--deals", "1", "--agents", &agents, "--move-ms", "1234"]);
    let said = text(&output.stderr);
    assert!(output.status.success(), "{said}");
    assert!(said.contains(r#".sh: a b,c|"d' \u{1b}[31m|1234"#), "{said}");
}

#[test]
fn what_a_program_says_aside_is_bounded() {
    let loud = bot(&format!("yes noise 2>&1 | head -n 5000 >&2; {FIRST}"));
    let output = newmarket(&["duel", &loud, "stopper", "--deals", "2"]);
    let said = text(&output.stderr);
    assert!(output.status.success() && said.lines().count() == 101, "{}", said.lines().count());
    // Over all starts of the program.
    let loud = bot(&format!("{FIRST}; yes noise 2>&1 | head -n 60 >&2; exit 1"));
    let output = newmarket(&["duel", &loud, "stopper", "--deals", "4"]);
    let said = text(&output.stderr);
    assert_eq!(said.lines().filter(|line| line.ends_with("noise")).count(), 100, "{said}");
}

#[test]
fn no_program_outlives_the_command() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("numbers");
    // The program and its child process neither read nor react to signals.
    let stubborn = bot(&format!(
        "trap '' INT TERM HUP; sleep 60 & echo $$ $! >'{0}.new'; mv '{0}.new' '{0}'; wait; wait",
        file.display()
    ));
    let alive = || {
        let numbers = fs::read_to_string(&file).unwrap();
        numbers.split_whitespace().any(|number| {
            let mut status = String::new();
            let read = fs::File::open(format!("/proc/{number}/status"))
                .and_then(|mut file| file.read_to_string(&mut status));
            read.is_ok() && !status.contains("State:\tZ")
        })
    };
    let until = |what: &dyn Fn() -> bool| {
        let begun = Instant::now();
        while !what() {
            assert!(begun.elapsed() < Duration::from_secs(20));
            std::thread::sleep(Duration::from_millis(10));
        }
    };
    // It is killed after too many faults.
    duel(&stubborn, "stopper", &["--deals", "1", "--move-ms", "1000"]);
    until(&|| !alive());
    // It is killed at an interrupt.
    for signal in ["-INT", "-TERM"] {
        fs::remove_file(&file).unwrap();
        let mut command = Command::new(NEWMARKET);
        command.args(["duel", &stubborn, "stopper", "--move-ms", "600000"]);
        let mut child = command.stdout(Stdio::null()).spawn().unwrap();
        until(&|| file.exists());
        assert!(alive());
        Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(130));
        until(&|| !alive());
    }
}
