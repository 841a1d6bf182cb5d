//! `newmarket review`, from the command line.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use newmarket_env::trace::InSession;
use newmarket_env::{
    Aces, Action, ActionMask, Card, DealStart, Game, Record, Referee, Rules, Seats, Seed, seed,
};
use serde_json::{Value, json};

fn newmarket(args: &[&str], threads: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_newmarket"));
    command.args(args).env("RAYON_NUM_THREADS", threads).output().expect("it starts")
}

/// The output of a review of this file.
fn review(file: &Path, args: &[&str]) -> String {
    let file = file.to_str().expect("a name");
    let output = newmarket(&[&["review", file][..], args].concat(), "2");
    assert!(output.status.success() && output.stderr.is_empty(), "{args:?}: {output:?}");
    String::from_utf8(output.stdout).expect("text")
}

fn json(file: &Path, args: &[&str]) -> Value {
    serde_json::from_str(&review(file, &[args, &["--json"]].concat())).expect("JSON")
}

fn decisions(report: &Value) -> &[Value] {
    report["decisions"].as_array().expect("a list")
}

/// A trace file played by agents.
fn traced(folder: &Path, args: &[&str]) -> PathBuf {
    let path = folder.join("deals.jsonl");
    let out = ["trace", "--out", path.to_str().expect("a name")];
    let output = newmarket(&[&out[..], args].concat(), "1");
    assert!(output.status.success(), "{output:?}");
    path
}

/// A trace file of a single deal with these cards. `decide` takes each decision.
fn recorded(path: &Path, game: &Game, pack: &[Card], mut decide: impl FnMut(ActionMask) -> Action) {
    let start = DealStart::fresh(game.players(), game.players() - 1);
    let played = Referee::play(game, start, pack, |_, _, legal| Ok::<_, String>(decide(legal)))
        .expect("a deal");
    fs::write(path, Record::of(&played, InSession::default()).to_line() + "\n").expect("a file");
}

fn first(legal: ActionMask) -> Action {
    legal.first().expect("there is one")
}

#[test]
fn what_cannot_be_reviewed_is_one_line() {
    let folder = tempfile::tempdir().expect("a folder");
    let good = traced(folder.path(), &["--deals", "3", "--agents", "stopper"]);
    let text = fs::read_to_string(&good).expect("a trace");
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::write(&path, text).expect("a file");
        path.to_str().expect("a name").to_owned()
    };
    let spoilt = file("spoilt", &text.replacen("\"why\":\"dead\"", "\"why\":\"played\"", 1));
    let good = good.to_str().expect("a name");
    let page = folder.path().join("page.html");
    let page = page.to_str().expect("a name");
    for (args, says) in [
        (&["/no/such/file"][..], "No such file"),
        (&[&file("garbage", "garbage\n")], "line 1: not a record"),
        (&[&file("empty", "")], "the file is empty"),
        (&[&file("half", &text[..text.len() - 9])], "line 3: the line is cut off"),
        (&[&spoilt, "--html", page], "due was"),
        (&[good, "--seat", "4"], "--seat 4: expected a seat of the trace, 0 to 3"),
        (&[good, "--by", "nobody"], "expected"),
        (&[good, "--by", "omniscient"], "expected a player that sees no hidden cards"),
        (&[good, "--worlds", "1"], "16"),
        (&[good, "--html", "/no/such/folder/page.html"], "cannot write"),
    ] {
        let output = newmarket(&[&["review"][..], args].concat(), "1");
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {error}");
        assert!(error.lines().count() == 1 && error.contains(says), "{args:?}: {error}");
    }
    // The message of the check of traces.
    let [judge, review] = [["trace", "--check", &spoilt], ["review", &spoilt, "--seat=0"]]
        .map(|args| String::from_utf8(newmarket(&args, "1").stderr).expect("text"));
    assert_eq!(judge, review);
    assert!(!Path::new(page).exists());
}

/// Eight cards. The first seat could take the boodle, keep the lead and go out, but leads another suit.
#[test]
fn an_obvious_blunder_is_found() {
    let changes = json!({"players": [2, 3], "ranks": 4, "suits": 2, "cells": ["4C"],
        "layout_ante": {"free": {"chips": 1, "dealer_chips": 1}}, "change_suit": "free",
        "dead_hand": {"remainder": "rotation"}});
    let rules = Rules::from_overrides("newmarket", changes.as_object().expect("changes"));
    let game = Game::new(rules.expect("rules"), 2).expect("two");
    let card = |name: &str| Card::parse(name, Aces::Low).expect("a card");
    let wanted = [["4C", "AD", "3D"], ["AC", "2D", "4D"]];
    let dead = ["2C", "3C"];
    // The pack that gives these hands.
    let any: Vec<Card> = game.pack().iter().collect();
    let owners = game.deal(&any, 1, Seats::first(2));
    let mut left = wanted.map(|hand| hand.map(card).to_vec());
    let mut rest = dead.map(card).to_vec();
    let pack: Vec<Card> = (any.iter())
        .map(|&place| match owners.seats.iter().position(|hand| hand.contains(place)) {
            Some(seat) => left[seat].pop().expect("a card"),
            None => rest.pop().expect("a card"),
        })
        .collect();
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("blunder.jsonl");
    let diamonds = |legal: ActionMask| legal.iter().last().expect("there is one");
    recorded(&path, &game, &pack, diamonds);
    for by in ["net:champion", "stopper"] {
        let report = json(&path, &["--seat", "0", "--by", by]);
        let [only] = decisions(&report) else { panic!("{report}") };
        assert_eq!((&only["kind"], &only["error"]), (&json!("lead"), &json!(true)), "{only}");
        assert_eq!(only["taken"], json!({"e": "lead", "card": "AD"}));
        assert_eq!(only["best"], json!({"e": "lead", "card": "4C"}));
        let number = |key: &str| only[key].as_f64().expect("a number");
        assert!(number("cost") > 2.0 && number("ci95") < 2.0, "{only}");
        assert_eq!(only["position"]["hand"], json!(["4C", "AD", "3D"]));
        assert_eq!(report["worst"], json!([0]));
        let text = review(&path, &["--by", by]);
        assert!(text.contains("taken   A♦\n     better  4♣"), "{text}");
    }
    // Taking the boodle first is not an error.
    recorded(&path, &game, &pack, first);
    let report = json(&path, &["--seat", "0"]);
    assert_eq!(report["worst"], json!([]));
    let lead = &decisions(&report)[0];
    assert_eq!((&lead["taken"], &lead["cost"]), (&lead["best"], &json!(0.0)));
}

/// If the cards of the others and the dead hand are dealt anew, the first leader sees the same, and its review is the
/// same.
#[test]
fn hidden_cards_make_no_difference() {
    let folder = tempfile::tempdir().expect("a folder");
    for (nth, name) in ["newmarket", "michigan", "newmarket-buy"].into_iter().enumerate() {
        let game = Game::new(Rules::named(name).expect("a game"), 4).expect("four");
        let mut rng = Seed::new(nth as u64).rng();
        let pack = game.shuffle(&mut rng).cards().to_vec();
        let own = game.deal(&pack, 3, Seats::first(4)).seats[0];
        let mut hidden: Vec<Card> = pack.iter().copied().filter(|&it| !own.contains(it)).collect();
        seed::shuffle(&mut hidden, &mut rng);
        let other: Vec<Card> = (pack.iter())
            .map(|&it| if own.contains(it) { it } else { hidden.pop().expect("a card") })
            .collect();
        assert_ne!(pack, other);
        let judged = [("one", &pack), ("other", &other)].map(|(file, pack)| {
            let path = folder.path().join(file);
            recorded(&path, &game, pack, first);
            let report = json(&path, &["--seat", "0", "--worlds", "32"]);
            let decisions = decisions(&report);
            let lead = decisions.iter().position(|it| it["kind"] == "lead").expect("a lead");
            assert_eq!(decisions[lead]["position"]["played"], json!([[], [], [], []]));
            decisions[..=lead].to_vec()
        });
        assert_eq!(judged[0], judged[1], "{name}");
    }
}

#[test]
fn text_and_json_say_the_same_and_threads_do_not_matter() {
    let folder = tempfile::tempdir().expect("a folder");
    let players = ["--agents", "random,stopper,longest,net:hard", "--deals", "2"];
    for rules in ["newmarket-buy", "michigan-auction", "three-in-one"] {
        let path = traced(folder.path(), &[&players[..], &["--rules", rules]].concat());
        let few = ["--worlds", "16", "--worst", "3"];
        let (report, text) = (json(&path, &few), review(&path, &few));
        let kinds: Vec<&str> =
            decisions(&report).iter().filter_map(|it| it["kind"].as_str()).collect();
        assert!(kinds.contains(&"lead") && (kinds.contains(&"poker") == (rules == "three-in-one")));
        for row in report["summary"].as_array().expect("rows") {
            let seat = &row["seat"];
            let of_seat = |it: &&Value| seat.is_null() || it["seat"] == *seat;
            let of_kind = |it: &&Value| row["kind"].is_null() || it["kind"] == row["kind"];
            let mine: Vec<&Value> =
                decisions(&report).iter().filter(of_seat).filter(of_kind).collect();
            let errors = mine.iter().filter(|it| it["error"] == true).count();
            assert_eq!((&row["decisions"], &row["errors"]), (&json!(mine.len()), &json!(errors)));
            let mean = row["cost"]["mean"].as_f64().expect("a number");
            let sum: f64 = mine.iter().map(|it| it["cost"].as_f64().expect("a number")).sum();
            assert!((mean - sum / mine.len() as f64).abs() < 1e-9);
            let kind = row["kind"].as_str().unwrap_or("all").replace('_', " ");
            let start = format!("{}  ", mine.len());
            let in_text = text.lines().any(|line| {
                line.contains(&kind)
                    && line.contains(&start)
                    && line.contains(&format!("{mean:+.3}"))
            });
            assert!(in_text, "{row}\n{text}");
        }
        for it in decisions(&report) {
            // The best choice comes first; the choice taken is in the list, with its cost.
            assert_eq!(it["judged"][0]["do"], it["best"]);
            let judged = it["judged"].as_array().expect("a list");
            let own =
                judged.iter().find(|judged| judged["do"] == it["taken"]).expect("it is judged");
            assert_eq!((&own["behind"], &own["behind_ci95"]), (&it["cost"], &it["ci95"]));
            assert_eq!(it["error"], it["cost"].as_f64() > it["ci95"].as_f64());
        }
        let alone = json(&path, &[&few[..], &["--seat", "1"]].concat());
        let of_one: Vec<&Value> = decisions(&report).iter().filter(|it| it["seat"] == 1).collect();
        assert_eq!(decisions(&alone).iter().collect::<Vec<_>>(), of_one);
        let on = |threads: &str| {
            let page = folder.path().join("page.html");
            let file = path.to_str().expect("a name");
            let html = ["review", file, "--json", "--html", page.to_str().expect("a name")];
            let output = newmarket(&[&html[..], &few].concat(), threads);
            (output.stdout, fs::read_to_string(page).expect("a page"))
        };
        let (one, four) = (on("1"), on("4"));
        assert!(one == four, "{rules}");
        assert!(one.1.contains("Every decision"));
        let worst = report["worst"].as_array().expect("a list").len();
        assert_eq!(one.1.matches("<article").count(), worst);
        assert!(!one.1.contains("NaN") && !one.1.contains("inf"), "{rules}");
    }
}

/// The strategy of a file decides as its clauses say, also where its base and the order of an ante are concerned.
#[test]
fn a_review_says_which_clause_decided() {
    let folder = tempfile::tempdir().expect("a folder");
    let mine = folder.path().join("mine.toml");
    let text = "base = 'stopper'\nlead = ['chips >= 4', 'fewest cards of others above']\n\
                ante = { eldest = 'even', others = { AS = 1, QC = 3 } }\n\
                dead_hand = ['boodles >= 1: keep', 'take']\n";
    fs::write(&mine, text).expect("written");
    let name = format!("strategy:{}", mine.display());
    let agents = format!("{name},stopper,basic,random");
    let args = ["--rules", "newmarket-buy", "--deals", "10", "--agents", &agents];
    let path = traced(folder.path(), &args);
    // What the file said is kept beside the trace.
    fs::write(&mine, "base = 'longest'\n").expect("written");
    let few = ["--worlds", "16", "--by", "stopper"];
    let report = json(&path, &few);
    let mut clauses = Vec::new();
    for decision in decisions(&report) {
        let Some(why) = decision.get("strategy") else { continue };
        assert!(decision["seat"] != 3 || why.is_null(), "`random` has no clauses: {decision}");
        assert_eq!(why["agrees"], true, "{decision}");
        let steps = why["reasons"].as_array().expect("steps");
        let of_seat =
            [name.as_str(), "stopper", "basic"][decision["seat"].as_u64().unwrap() as usize];
        let allowed = [of_seat, "stopper", "usual"];
        assert!(steps.iter().all(|step| allowed.contains(&step["by"].as_str().unwrap())), "{why}");
        clauses.extend(steps.iter().filter(|step| step["by"] == name.as_str()).cloned());
    }
    for clause in ["ante", "chips >= 4", "fewest cards of others above", "take"] {
        let has = clauses.iter().any(|step| step["clause"] == clause);
        assert!(has, "`{clause}` decided nothing: {clauses:?}");
    }
    let text = review(&path, &[&few[..], &["--worst", "1000"]].concat());
    let cited = text.lines().any(|line| line.contains("taken") && line.contains(" ("));
    assert!(cited && !text.contains("against"), "{text}");
    // By name the players are others: choices go against their clauses.
    let cited = ["lowest", "boodle", "basic"].iter().filter(|other| {
        let others = [&few[..], &["--agents", other, "--worst", "1000"]].concat();
        let report = json(&path, &others);
        let against = decisions(&report).iter().filter(|it| it["strategy"]["agrees"] == false);
        assert!(against.count() > 0, "{other}");
        review(&path, &others).contains("     against ")
    });
    assert!(cited.count() > 0);
    // The file beside it is about this trace alone.
    let lines: Vec<String> = fs::read_to_string(&path)
        .expect("a trace")
        .lines()
        .take(5)
        .map(|line| format!("{line}\n"))
        .collect();
    fs::write(&path, lines.concat()).expect("written");
    let file = path.to_str().expect("a name");
    let output = newmarket(&[&["review", file, "--json"], &few[..]].concat(), "2");
    let warned = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success() && warned.contains("it is about another trace"), "{warned}");
    assert!(!String::from_utf8_lossy(&output.stdout).contains("\"agrees\""));
}
