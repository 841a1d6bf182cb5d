//! Whole sessions of every named game at a plain terminal.

use std::io::Write;
use std::process::{Command, Output, Stdio};

use base64ct::{Base64UrlUnpadded, Encoding as _};
use newmarket_engine::SharedDeal;
use newmarket_env::rules::NAMES;
use newmarket_env::{Rules, Suit};
use serde_json::json;

fn newmarket(args: &[&str], answers: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_newmarket"))
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let answers = answers.to_string();
    // A thread writes the input, because the program's output may fill its pipe first. The program may also end before
    // it has read all input.
    let writer = std::thread::spawn(move || input.write_all(answers.as_bytes()));
    let output = child.wait_with_output().unwrap();
    let _ = writer.join().unwrap();
    output
}

fn text(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

/// Input that takes Enter where that is an answer, else the first choice.
fn first_choices() -> String {
    "\n1\n".repeat(4000)
}

#[test]
fn every_named_game_is_played_to_its_end() {
    for name in NAMES {
        let (min, max) = Rules::named(name).unwrap().players;
        for players in [min, 4, max] {
            let players = players.to_string();
            let args = ["play", "--rules", name, "--players", &players, "--seed", "5"];
            let output = newmarket(&args, &first_choices());
            assert!(output.status.success(), "{args:?}");
            assert!(output.stderr.is_empty(), "{args:?}");
            let text = text(&output);
            assert!(text.contains("Final standing"), "{args:?}");
            assert!(!text.contains('\u{1b}'), "{args:?}: escape codes without a terminal");
            let wide = text.lines().find(|line| line.chars().count() > 80);
            assert_eq!(wide, None, "{args:?}");
        }
    }
}

#[test]
fn every_named_game_is_watched_to_its_end() {
    for name in NAMES {
        let args = ["watch", "--rules", name, "--seed", "5", "--delay", "60000"];
        let output = newmarket(&args, "");
        assert!(output.status.success(), "{args:?}");
        let text = text(&output);
        assert!(text.contains("Final standing"), "{args:?}");
        assert!(text.lines().all(|line| line.chars().count() <= 80), "{args:?}");
    }
}

#[test]
fn a_house_game_is_played_until_nobody_can_pay() {
    let file = tempfile::NamedTempFile::with_suffix(".toml").unwrap();
    let rules = "base = \"newmarket\"\nname = \"Our house\"\ntiming = \"after_look\"\n\
        cell_cap = 3\nexchange = { dealer_exchange = { fee = 4 } }\n\
        session = { deals = 30, leftover = \"richest\", \
        bankroll = { chips = { start = 30, on_bust = \"ON_BUST\" } } }\n";
    for (on_bust, told) in [
        ("eliminate", "cannot pay the stake and is out"),
        ("rebuy", "bought)"),
        ("end_session", "The session ends here"),
    ] {
        std::fs::write(&file, rules.replace("ON_BUST", on_bust)).unwrap();
        let path = file.path().to_str().unwrap();
        let args = ["play", "--rules", path, "--players", "5", "--seed", "5", "--hints"];
        let output = newmarket(&args, &first_choices());
        let text = text(&output);
        assert!(text.contains(told) && text.contains("Final standing"), "{on_bust}: {text}");
    }
}

#[test]
fn three_in_one_is_played_with_cells_claimed_in_the_play() {
    let file = tempfile::NamedTempFile::with_suffix(".toml").unwrap();
    let rules = "base = \"three-in-one\"\nclaim_when = \"played\"\nfirst_lead = \"eldest\"\n\
        change_suit = \"else_same\"\nsession = { leftover = \"lot\", \
        bankroll = { chips = { start = 20, on_bust = \"rebuy\" } } }\n";
    std::fs::write(&file, rules).unwrap();
    let path = file.path().to_str().unwrap();
    for players in ["3", "5", "8"] {
        let args = ["play", "--rules", path, "--players", players, "--seed", "5", "--hints"];
        let output = newmarket(&args, &first_choices());
        let text = text(&output);
        assert!(output.status.success() && text.contains("Final standing"), "{players}: {text}");
        assert!(text.contains("the pot of"), "{text}");
        assert!(!text.contains("collect"), "nothing is collected before the play: {text}");
        let wide = text.lines().find(|line| line.chars().count() > 80);
        assert_eq!(wide, None, "{players}");
    }
}

#[test]
fn a_game_that_only_a_rules_file_defines_is_played_watched_and_traced() {
    let rules = concat!(env!("CARGO_MANIFEST_DIR"), "/env/tests/rules/marriage.toml");
    let output =
        newmarket(&["play", "--rules", rules, "--players", "4", "--hints"], &first_choices());
    let played = text(&output);
    assert!(output.status.success() && played.contains("Final standing"), "{played}");
    assert!(played.contains("the pot of"), "{played}");
    let file = tempfile::NamedTempFile::new().unwrap();
    let path = file.path().to_str().unwrap();
    let agents = "stopper,net:champion,random";
    let args = ["trace", "--rules", rules, "--players", "3", "--deals", "4", "--agents", agents];
    let traced = newmarket(&args, "");
    assert!(traced.status.success(), "{}", String::from_utf8_lossy(&traced.stderr));
    std::fs::write(&file, &traced.stdout).unwrap();
    let checked = newmarket(&["trace", "--check", path], "");
    assert!(checked.status.success(), "{}", String::from_utf8_lossy(&checked.stderr));
}

#[test]
fn a_seed_repeats_a_session() {
    let play = || newmarket(&["play", "--seed", "9", "--deals", "2"], &first_choices()).stdout;
    assert_eq!(play(), play());
}

#[test]
fn what_was_typed_is_shown_without_orders_to_the_terminal() {
    let output = newmarket(&["play", "--seed", "5"], "\u{1b}[2J\n");
    let text = text(&output);
    assert!(text.contains("No: ") && text.contains("[2"), "{text}");
    assert!(!text.contains('\u{1b}'), "{text}");
}

#[test]
fn the_end_of_the_input_ends_politely() {
    for answers in ["", "\n", "q\n", "\nnonsense\n99\n\n?\nr\nh\nq\n"] {
        let output = newmarket(&["play", "--seed", "3"], answers);
        assert!(output.status.success(), "{answers:?}");
        assert!(text(&output).contains("You leave in deal 1"), "{answers:?}");
    }
}

#[test]
fn a_deal_that_is_left_does_not_count() {
    // The person and others have anted; no stack has grown.
    let output = newmarket(&["play", "--seed", "3"], "5 0 0 0\n1 1 1 1\nq\n");
    let text = text(&output);
    let (_, standing) = text.split_once("You leave in deal 1, which does not count").expect("left");
    assert_eq!(standing.matches("  1. ").count(), 4, "{text}");
}

#[test]
fn a_decision_is_taken_back() {
    let args = ["play", "--players", "4", "--seed", "5", "--against", "stopper"];
    let text = text(&newmarket(&args, "u\n\n1\nu\nq\n"));
    assert_eq!(text.matches("There is nothing of this deal to take back.").count(), 1, "{text}");
    assert_eq!(text.matches("Your last decision is taken back.").count(), 1, "{text}");
    // The same lead is asked for again, with the same hand.
    assert_eq!(text.matches("hand    ♣ A J   ♦ 3   ♥ 3 8 9 Q K*   ♠ 8 10").count(), 2, "{text}");
}

/// The deals of a trace file that hold, as `trace --check` counts them.
fn checked(path: &str) -> String {
    let output = newmarket(&["trace", "--check", path], "");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    text(&output)
}

#[test]
fn a_session_is_recorded_for_a_review() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mine.jsonl");
    let path = path.to_str().unwrap();
    let args = ["play", "--deals", "3", "--seed", "5", "--against", "stopper", "--record", path];
    let output = newmarket(&args, &first_choices());
    assert!(output.status.success() && output.stderr.is_empty());
    assert!(checked(path).contains("3 deals, 1 complete sessions"), "{}", checked(path));
    let review = ["review", path, "--seat", "0", "--by", "stopper", "--worlds", "16"];
    let reviewed = text(&newmarket(&review, ""));
    assert!(reviewed.contains("ante") && reviewed.contains("lead"), "{reviewed}");
    let shared =
        code(&json!({"rules":{"base":"four-horses"},"players":4,"seed":"9","seat":2,"deal":3,
        "dealer":1,"stacks":[12,11,12,12],"layout":[1,0,0,0],"kitty":0}));
    let output = newmarket(&["play", "--deal", &shared, "--record", path], "");
    let line = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code() == Some(2) && line.contains("goes on with deal 3"), "{line}");
    // The file stays until the first deal is over, and has all deals that were over when somebody leaves.
    newmarket(&args, "q\n");
    assert!(checked(path).contains("3 deals"), "{}", checked(path));
    let args = ["play", "--deals", "10", "--seed", "5", "--against", "stopper", "--record", path];
    let said = text(&newmarket(&args, &"\n1\n".repeat(10)));
    let (_, left) = said.split_once("── You leave ").unwrap();
    let number = left.split(|c: char| !c.is_ascii_digit()).find(|digits| !digits.is_empty());
    let deal: u32 = number.unwrap().parse().unwrap();
    assert!(deal > 1, "{said}");
    assert!(checked(path).contains(&format!("{} deals, 0 complete", deal - 1)), "{deal}");
}

#[cfg(unix)]
#[test]
fn no_end_of_the_program_loses_a_deal_that_was_over() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mine.jsonl");
    let mut child = Command::new(env!("CARGO_BIN_EXE_newmarket"))
        .args(["play", "--seed", "5", "--against", "stopper", "--record"])
        .arg(&path)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let begun = std::time::Instant::now();
    while !path.exists() {
        assert!(begun.elapsed() < std::time::Duration::from_mins(1));
        input.write_all(b"\n1\n").unwrap();
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(checked(path.to_str().unwrap()).contains(" deals, 0 complete sessions"));
}

#[test]
fn a_hint_names_the_rule_of_thumb_that_says_the_same() {
    let args = ["play", "--deals", "3", "--seed", "5", "--hints", "--adviser", "net:easy"];
    let said = text(&newmarket(&args, &first_choices()));
    for words in ["Rule of thumb – ", "Calculated: no rule of thumb says so.", "it matters little"]
    {
        assert!(said.split_whitespace().collect::<Vec<_>>().join(" ").contains(words), "{words}");
    }
}

#[test]
fn all_hands_are_turned_up_at_the_end_of_a_deal() {
    let args = ["play", "--deals", "1", "--seed", "5", "--against", "stopper"];
    let said = text(&newmarket(&args, &first_choices()));
    let (_, end) = said.rsplit_once("\n  left").unwrap();
    let (end, _) = end.split_once("── Final standing").unwrap();
    let names: Vec<&str> =
        end.lines().skip(1).filter_map(|line| line.split_whitespace().next()).collect();
    assert!(
        names.contains(&"dead") && names.iter().any(|name| ["Ann", "Ben", "Cat"].contains(name)),
        "{end}"
    );
}

#[test]
fn an_illegal_split_is_refused_with_the_reason() {
    let output = newmarket(&["play", "--seed", "3"], "4 0 0\n5 0 0 0\nx\nq\n");
    let text = text(&output);
    for reason in ["that is 3 numbers", "that adds up to 5", "`x` is not a number of chips"] {
        assert!(text.contains(reason), "{reason}: {text}");
    }
}

#[test]
fn bad_flags_are_one_line_and_exit_code_two() {
    for (args, line) in [
        (["play", "--rules", "bridge"], "unknown game `bridge`"),
        (["play", "--against", "alice"], "unknown agent `alice`"),
        (["play", "--adviser", "alice"], "unknown agent `alice`"),
        (["play", "--players", "9"], "newmarket is a game for 3 to 8 players, not 9"),
        (["watch", "--agents", "stopper,random"], "for 3 to 8 players, not 2"),
    ] {
        let output = newmarket(&args, "");
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(error.contains(line), "{error}");
        assert_eq!(error.lines().count(), 1, "{error}");
    }
    let output = newmarket(&["play", "--players", "5", "--against", "random,random"], "");
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(
        error.contains("--against: 2 agents for 4 seats: expected 4 names, or one for all"),
        "{error}"
    );
}

#[test]
fn what_choices_are_worth_is_told_at_every_stage() {
    for (rules, stages) in
        [("three-in-one", 3), ("michigan-auction", 2), ("michigan-free-stakes", 2)]
    {
        let answers = "v\n\n".repeat(4) + &"v\n1\n".repeat(40);
        let args = ["play", "--rules", rules, "--players", "4", "--seed", "5"];
        let output = newmarket(&args, &answers);
        let text = text(&output);
        let told = text.matches("Chips that you gain from now on").count();
        assert!(told > stages && text.contains(" behind\n"), "{rules}: {text}");
        // Repeated texts are equal, and no line is wider than a terminal.
        assert!(text.lines().all(|line| line.chars().count() <= 80), "{rules}: {text}");
    }
}

/// A deal code: its JSON in base64.
fn code(json: &serde_json::Value) -> String {
    Base64UrlUnpadded::encode_string(json.to_string().as_bytes())
}

/// A shared deal has the cards of its session, for any seat and form of the code.
#[test]
fn a_shared_deal_is_the_same_deal() {
    // Deal 3 of a session: the hand of seat 2 at the engine's table.
    let start = json!({"rules":{"base":"four-horses"},"players":4,"seed":"9","seat":2,"deal":3,
        "dealer":1,"stacks":[12,11,12,12],"layout":[1,0,0,0],"kitty":0});
    let code = code(&start);
    let shared = SharedDeal::read(&code).unwrap();
    let hands = shared.session.hands(&shared.game);
    let ranks = |suit: Suit| -> Vec<String> {
        let cards = hands.seats[2].iter().filter(|card| card.suit() == suit);
        let letters = cards.map(|card| shared.game.rules().aces.letter(card.rank()));
        letters.map(|letter| letter.to_string().replace('T', "10")).collect()
    };
    let link = format!("https://cards.example/page/#/deal/{code}");
    let mut texts = Vec::new();
    for name in [&code, &link] {
        let output = newmarket(&["play", "--deal", name, "--against", "stopper"], &first_choices());
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        texts.push(text(&output));
    }
    assert_eq!(texts[0], texts[1]);
    assert!(texts[0].starts_with("four-horses, 4 players, a shared deal\n"), "{}", texts[0]);
    assert!(texts[0].contains("Deal 3 of 10"), "{}", texts[0]);
    let hand = texts[0].lines().find(|line| line.trim_start().starts_with("hand")).unwrap();
    // Cards that take chips have a star.
    let hand = hand.replace('*', "");
    for suit in Suit::ALL {
        let cards = format!("{} {}", suit.symbol(), ranks(suit).join(" "));
        assert!(hand.contains(&cards), "{cards} in {hand}");
    }
}

#[test]
fn what_is_no_shared_deal_is_refused_in_one_line() {
    let rules = json!({"rules":{"base":"whist"},"players":4,"seed":"9"});
    let seat = json!({"rules":{"base":"michigan"},"players":4,"seed":"9","seat":7});
    let long = "A".repeat(9000);
    for (deal, due) in [
        ("x!", "`x!` is no deal's code"),
        ("foo", "`foo` is no deal's code"),
        ("", "is no deal's code"),
        (&code(&json!([1])), "is no deal's code"),
        (&code(&rules), "whist"),
        (&code(&seat), "`seat`"),
        (&*long, "9000 letters"),
    ] {
        let output = newmarket(&["play", "--deal", deal], "");
        assert_eq!((output.status.code(), &*output.stdout), (Some(2), &b""[..]), "{deal}");
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(error.starts_with("error: --deal: ") && error.contains(due), "{error}");
        assert_eq!(error.lines().count(), 1, "{error}");
    }
}

/// A player may think for minutes: the first interrupt asks for the end of the session, the second does not wait for it.
#[cfg(unix)]
#[test]
fn a_second_interrupt_does_not_wait_for_a_player_who_thinks() {
    use nix::sys::signal::{Signal, kill};
    use nix::unistd::Pid;
    use std::time::{Duration, Instant};

    let mut child = Command::new(env!("CARGO_BIN_EXE_newmarket"))
        .args(["play", "--against", "pimc:600000ms", "--rules", "michigan", "--seed", "1"])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    input.write_all(b"\n1\n\n1\n\n1\n").unwrap();
    let begun = Instant::now();
    let status = loop {
        std::thread::sleep(Duration::from_millis(500));
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        assert!(begun.elapsed() < Duration::from_secs(30), "it waits for the player");
        kill(Pid::from_raw(child.id() as i32), Signal::SIGINT).unwrap();
    };
    assert!(matches!(status.code(), Some(0 | 130)), "{status}");
}
