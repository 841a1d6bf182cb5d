//! The two halves of the protocol play together; every line of it is as it was written down.
//!
//! `UPDATE_TRANSCRIPTS=1` writes the transcripts anew.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use newmarket_agents::Agent;
use newmarket_agents::strategy::Strategy;
use newmarket_engine::{Choice, Engine, LONGEST_LINE, SessionTable};
use newmarket_env::rules::NAMES;
use newmarket_env::seed::below;
use newmarket_env::{Game, Phase, Rng, Rules, Seed, random};
use serde_json::{Value, json};

fn player(name: &str) -> Result<Box<dyn Agent>, String> {
    let found = Strategy::named(name).map(|player| Box::new(player) as Box<dyn Agent>);
    found.ok_or_else(|| format!("unknown agent `{name}`"))
}

fn engine() -> Engine {
    Engine::new(Box::new(player), &["stopper"], || Duration::ZERO)
}

fn table(name: &str, players: usize, seed: u64) -> SessionTable {
    let game = Game::new(Rules::named(name).expect("a game"), players).expect("it seats them");
    SessionTable::open(Arc::new(game), Seed::new(seed))
}

/// Two programs that talk: what the host says (`>`), and what the engine answers (`<`).
struct Talk {
    engine: Engine,
    lines: Vec<String>,
}

impl Talk {
    fn new() -> Self {
        let mut talk = Self { engine: engine(), lines: Vec::new() };
        let hello = talk.say(&json!({"type":"hello","versions":[1],"name":"host"}));
        assert_eq!(hello[0]["version"], 1);
        talk
    }

    /// Says a line, waits until nothing is left to do, and returns the answers.
    fn say(&mut self, message: &Value) -> Vec<Value> {
        let line = message.to_string();
        let mut replies = self.engine.receive(line.as_bytes());
        while self.engine.is_busy() {
            replies.extend(self.engine.work());
        }
        self.lines.push(format!("> {line}"));
        self.lines.extend(replies.iter().map(|reply| format!("< {reply}")));
        replies.iter().map(|reply| serde_json::from_str(reply).expect("JSON")).collect()
    }

    fn tell(&mut self, table: &SessionTable, seat: usize, at: usize) {
        let told = &table.told(seat)[at..];
        if !told.is_empty() {
            let message = json!({"type":"event","table":"a","at":at,"events":told});
            assert_eq!(self.say(&message), [] as [Value; 0]);
        }
    }
}

fn deal_message(table: &SessionTable, seat: usize) -> Value {
    let (game, session) = (table.game(), table.session());
    let start = session.deal_start();
    let players = game.players();
    let mut rules = game.rules().overrides();
    rules.insert("base".into(), json!(game.rules().base));
    let seats_in: Vec<bool> = (0..players).map(|seat| start.seats_in.contains(seat)).collect();
    json!({
        "type": "deal", "table": "a", "seat": seat, "player": "stopper", "rules": rules,
        "players": players, "dealer": start.dealer, "stacks": start.stacks[..players],
        "layout": game.cells_of(&start.layout), "kitty": start.kitty, "seats_in": seats_in,
        "session": {
            "deal": session.deal_number(), "of": game.rules().session.deals,
            "bankroll": game.rules().session.bankroll.value(),
        },
        "seed": "7",
    })
}

/// What a player does here that sees the state itself.
fn decides(table: &SessionTable, agent: &mut dyn Agent, rng: &mut Rng) -> Choice {
    let mut state = *table.state();
    let (seat, phase) = (state.actor().expect("a decision"), state.phase());
    let mut actions = Vec::new();
    loop {
        let legal = state.legal(table.game());
        let action = match legal.first() {
            Some(only) if legal.is_forced() => only,
            _ => agent.act(&state.view(table.game(), seat), rng),
        };
        actions.push(action);
        state.apply(table.game(), action).expect("it is legal");
        let several = matches!(phase, Phase::Ante | Phase::SetApart);
        if !several || state.phase() != phase || state.actor() != Some(seat) {
            break;
        }
    }
    Choice::of(&table.state().view(table.game(), seat), &actions).expect("a decision")
}

struct AtRandom;

impl Agent for AtRandom {
    fn name(&self) -> &'static str {
        "at random"
    }

    fn act(&mut self, view: &newmarket_env::View, rng: &mut Rng) -> newmarket_env::Action {
        random::choice(view.legal(), rng)
    }

    fn another(&self) -> Box<dyn Agent> {
        Box::new(Self)
    }
}

/// A deal of which the engine plays a seat, and analyses every decision of that seat.
fn play(talk: &mut Talk, table: &mut SessionTable, seat: usize, rng: &mut Rng) -> usize {
    talk.say(&deal_message(table, seat));
    let (mut told, mut decisions) = (0, 0);
    while let Some(actor) = table.state().actor() {
        let choice = if actor == seat {
            decisions += 1;
            talk.tell(table, seat, told);
            told = table.told(seat).len();
            let id = decisions.to_string();
            let mut question = json!({"type":"analyse","id":format!("a{id}"),"table":"a","at":told,
                "budget":{"worlds":8}});
            if decisions % 2 == 0 {
                question["playout"] = json!("stopper");
            }
            let analysis = talk.say(&question).pop().expect("an analysis");
            judge(table, &analysis);
            let answer = talk.say(&json!({"type":"ask","id":id,"table":"a","at":told}));
            assert_eq!((&answer[0]["type"], &answer[0]["id"]), (&json!("answer"), &json!(id)));
            let choice: Choice = serde_json::from_value(answer[0]["do"].clone()).expect("a choice");
            let mut stopper = player("stopper").expect("a player");
            assert_eq!(choice, decides(table, &mut *stopper, &mut Seed::new(0).rng()));
            choice
        } else {
            decides(table, &mut AtRandom, rng)
        };
        table.answer(&choice).expect("it is legal");
    }
    talk.tell(table, seat, told);
    assert_eq!(talk.say(&json!({"type":"over","table":"a"})), [] as [Value; 0]);
    decisions
}

/// An analysis has legal decisions, the best first; its numbers are those of one another.
fn judge(table: &SessionTable, analysis: &Value) {
    let actions = analysis["actions"].as_array().expect("actions");
    let choices = analysis["choices"].as_u64().expect("a number") as usize;
    assert_eq!(actions.len(), choices.min(32), "{analysis}");
    assert_eq!((&analysis["final"], &analysis["worlds"]), (&json!(true), &json!(8)));
    for action in actions {
        let choice: Choice = serde_json::from_value(action["do"].clone()).expect("a choice");
        table.clone().answer(&choice).expect("it is legal");
        let chips = |of: &Value, key: &str| of[key].as_f64().expect("chips");
        let behind = chips(&actions[0], "chips") - chips(action, "chips");
        assert!((behind - chips(action, "behind")).abs() < 0.002, "{analysis}");
        assert!(chips(action, "ci95") >= 0.0 && chips(action, "behind_ci95") >= 0.0);
    }
}

/// One deal or more of a game, of which the engine is asked something.
fn talk_of(name: &str) -> Vec<String> {
    let rules = Rules::named(name).expect("a game");
    let players = rules.players.0.max(4).min(rules.players.1);
    let mut table = table(name, players, 5);
    let mut rng = Seed::new(1).rng();
    let mut talk = Talk::new();
    let seat = table.session().deal_start().dealer;
    let mut decisions = play(&mut talk, &mut table, seat, &mut rng);
    while decisions == 0 && table.next_deal() {
        decisions += play(&mut talk, &mut table, seat, &mut rng);
    }
    talk.say(&json!({"type":"quit"}));
    assert!(talk.engine.is_over() && decisions > 0);
    talk.lines
}

fn transcripts() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/transcripts")
}

#[test]
fn every_game_is_played_as_its_transcript_says() {
    let update = std::env::var_os("UPDATE_TRANSCRIPTS").is_some();
    for name in NAMES {
        let text = talk_of(name).join("\n") + "\n";
        let path = transcripts().join(format!("{name}.txt"));
        if update {
            std::fs::create_dir_all(transcripts()).expect("a folder");
            std::fs::write(&path, &text).expect("a file");
        }
        let written = std::fs::read_to_string(&path).expect("a transcript");
        assert!(text == written, "{name}: the transcript has changed");
    }
}

#[test]
fn what_is_refused_changes_nothing_and_kills_nobody() {
    let mut rng = Seed::new(3).rng();
    let mut refused = 0;
    for name in ["newmarket", "four-horses", "three-in-one"] {
        let text = std::fs::read_to_string(transcripts().join(format!("{name}.txt")));
        let text = text.expect("a transcript");
        let mut engine = engine();
        let mut answers = Vec::new();
        for line in text.lines() {
            let Some(line) = line.strip_prefix("> ") else {
                assert_eq!(answers.first().map(String::as_str), line.strip_prefix("< "), "{name}");
                answers.remove(0);
                continue;
            };
            assert!(answers.is_empty(), "{name}: {answers:?}");
            if !line.contains("\"quit\"") {
                for _ in 0..60 {
                    let bad = spoilt(line, &mut rng);
                    // What is still good may change something.
                    let replies = engine.receive(&bad);
                    let error = replies.first().map(|reply| serde_json::from_str::<Value>(reply));
                    match error {
                        Some(Ok(error)) if error["type"] == "error" => {
                            assert!(!error["code"].is_null() && !error["message"].is_null());
                            refused += 1;
                        }
                        _ => {
                            engine = again(&text, line);
                        }
                    }
                }
            }
            answers = engine.receive(line.as_bytes());
            while engine.is_busy() {
                answers.extend(engine.work());
            }
        }
    }
    assert!(refused > 1_000, "{refused}");
}

/// An engine that has heard all of a transcript before this line.
fn again(text: &str, until: &str) -> Engine {
    let mut engine = engine();
    for line in text.lines().filter_map(|line| line.strip_prefix("> ")) {
        if line == until {
            break;
        }
        engine.receive(line.as_bytes());
        while engine.is_busy() {
            engine.work();
        }
    }
    engine
}

fn spoilt(line: &str, rng: &mut Rng) -> Vec<u8> {
    let mut bytes = line.as_bytes().to_vec();
    for _ in 0..=below(rng, 3) {
        let at = below(rng, bytes.len() as u32) as usize;
        match below(rng, 4) {
            0 => bytes.truncate(at.max(1)),
            1 => bytes[at] = below(rng, 256) as u8,
            2 => bytes[at] = b"0123456789\"[]{}:,-"[below(rng, 18) as usize],
            _ => drop(bytes.remove(at)),
        }
        if bytes.is_empty() {
            bytes.push(b'{');
        }
    }
    bytes
}

/// The code and the field of an error.
fn error_of(replies: &[Value]) -> (&str, &str) {
    let text = |key: &str| replies[0][key].as_str().unwrap_or("");
    assert_eq!(text("type"), "error", "{replies:?}");
    (text("code"), text("field"))
}

#[test]
fn errors_say_what_is_wrong_and_where() {
    let table = table("michigan", 3, 4);
    let seat = table.state().actor().expect("a decision");
    let deal = deal_message(&table, seat);
    let with = |key: &str, value: Value| {
        let mut message = deal.clone();
        message[key] = value;
        message
    };
    let mut talk = Talk::new();
    for (message, code, field) in [
        (json!([]), "json", ""),
        (json!({}), "field", "type"),
        (json!({"type":"dance"}), "type", "type"),
        (json!({"type":"hello","versions":[2]}), "version", "versions"),
        (with("colour", json!(1)), "field", "colour"),
        (with("seat", json!(3)), "deal", "seat"),
        (with("seat", json!("a")), "field", "seat"),
        (with("rules", json!({"base":"whist"})), "rules", "rules"),
        (with("players", json!(99)), "rules", "players"),
        (with("player", json!("nobody")), "player", "player"),
        (with("player", json!({"strategy":{"lead":7}})), "player", "player.strategy"),
        (with("player", json!({"strategy":7})), "player", "player.strategy"),
        (with("player", json!({"name":"stopper"})), "field", "player"),
        (with("dealer", json!(7)), "field", "dealer"),
        (with("stacks", json!([0])), "field", "stacks"),
        (with("layout", json!([-1, 0, 0, 0])), "deal", "layout"),
        (with("kitty", json!(-1)), "deal", "kitty"),
        (with("stacks", json!([2_000_000_000, 0, 0])), "deal", "stacks"),
        (with("seats_in", json!([false, false, true])), "deal", "seats_in"),
        (with("session", json!({"deal":0,"of":1,"bankroll":"credit"})), "field", "session.deal"),
        (with("seed", json!("x")), "field", "seed"),
        (json!({"type":"ask","id":"1","table":"a","at":0}), "table", "table"),
    ] {
        assert_eq!(error_of(&talk.say(&message)), (code, field), "{message}");
    }
    assert_eq!(talk.say(&deal), [] as [Value; 0]);
    let told = table.told(seat);
    let ask = json!({"type":"ask","id":"1","table":"a","at":0});
    assert_eq!(error_of(&talk.say(&ask)), ("turn", "table"));
    let late = json!({"type":"event","table":"a","at":2,"events":told});
    let error = talk.say(&late);
    assert_eq!((error_of(&error), &error[0]["at"]), (("out_of_step", "at"), &json!(0)));
    let mut wrong = json!({"type":"event","table":"a","at":0,"events":told});
    let last = told.len() - 1;
    wrong["events"][last]["hands"][seat][0] = json!("??");
    assert_eq!(error_of(&talk.say(&wrong)), ("field", &*format!("events[{last}]")));
    wrong["events"][last]["hands"][seat] = json!([]);
    assert_eq!(error_of(&talk.say(&wrong)), ("impossible", &*format!("events[{last}]")));
    let long = "x".repeat(LONGEST_LINE + 1);
    assert_eq!(error_of(&talk.say(&json!(long))), ("too_long", ""));
    // All the same the deal goes on.
    talk.tell(&table, seat, 0);
    let id = json!({"type":"ask","id":"q","table":"a","at":told.len(),"budget":{"years":1}});
    let error = talk.say(&id);
    assert_eq!((error_of(&error), &error[0]["id"]), (("field", "budget.years"), &json!("q")));
    // Two worlds estimate: fewer have no interval.
    let few = json!({"type":"analyse","id":"q","table":"a","at":told.len(),"budget":{"worlds":1}});
    assert_eq!(talk.say(&few)[0]["worlds"], 4);
    let ask = json!({"type":"ask","id":"q","table":"a","at":told.len()});
    assert_eq!(talk.say(&ask)[0]["type"], "answer");
}

#[test]
fn sending_fewer_events_takes_the_others_back() {
    let mut table = table("michigan", 4, 9);
    let seat = table.state().actor().expect("a decision");
    let mut talk = Talk::new();
    talk.say(&deal_message(&table, seat));
    talk.tell(&table, seat, 0);
    let at = table.told(seat).len();
    let ask = |at: usize| json!({"type":"ask","id":"1","table":"a","at":at});
    let first = talk.say(&ask(at));
    let choice: Choice = serde_json::from_value(first[0]["do"].clone()).expect("a choice");
    let before = table.state().view(table.game(), seat).hand();
    table.answer(&choice).expect("it is legal");
    talk.tell(&table, seat, at);
    assert_eq!(error_of(&talk.say(&ask(at))), ("out_of_step", "at"));
    assert!(table.undo() && !table.undo());
    assert_eq!(table.state().view(table.game(), seat).hand(), before);
    let back = json!({"type":"event","table":"a","at":at,"events":[]});
    assert_eq!(talk.say(&back), [] as [Value; 0]);
    assert_eq!(talk.say(&ask(at)), first);
}

#[test]
fn an_analysis_can_be_stopped() {
    let table = table("newmarket", 4, 2);
    let seat = table.state().actor().expect("a decision");
    let mut talk = Talk::new();
    talk.say(&deal_message(&table, seat));
    talk.tell(&table, seat, 0);
    let at = table.told(seat).len();
    let analyse = json!({"type":"analyse","id":"x","table":"a","at":at,"budget":{"worlds":60_000}});
    assert!(talk.engine.receive(analyse.to_string().as_bytes()).is_empty());
    assert!(talk.engine.is_busy() && talk.engine.work().is_empty());
    let again = talk.engine.receive(analyse.to_string().as_bytes());
    assert!(again[0].contains("\"field\":\"id\""), "{again:?}");
    let stop = json!({"type":"stop","id":"x"});
    let last = talk.say(&stop);
    assert_eq!((&last[0]["type"], &last[0]["final"]), (&json!("analysis"), &json!(true)));
    assert!(last[0]["worlds"].as_u64() >= Some(8) && !talk.engine.is_busy());
    assert_eq!(talk.say(&stop), [] as [Value; 0]);
}

#[test]
fn a_decision_that_is_refused_leaves_the_table_as_it_was() {
    let mut refused = 0;
    for (name, phase) in [("michigan-free-stakes", Phase::Ante), ("three-in-one", Phase::SetApart)]
    {
        let mut table = table(name, 4, 5);
        let mut talk = Talk::new();
        for nth in 0..12 {
            let Some(seat) = table.state().actor() else { break };
            let tag = format!("{name}.{nth}");
            let mut hello = deal_message(&table, seat);
            hello["table"] = json!(tag);
            talk.say(&hello);
            let told = json!({"type":"event","table":tag,"at":0,"events":table.told(seat)});
            talk.say(&told);
            let ask = json!({"type":"ask","id":tag,"table":tag,"at":table.told(seat).len()});
            let answer = talk.say(&ask);
            let choice: Choice = serde_json::from_value(answer[0]["do"].clone()).expect("a choice");
            // Its last action is not legal, those before it are; and one without its last action.
            let (wrong, part) = match &choice {
                Choice::Ante { layout } => {
                    let last = layout.iter().rposition(|&chips| chips > 0).expect("a chip");
                    let (mut more, mut less) = (layout.clone(), layout.clone());
                    more[last] += 1;
                    less[last] -= 1;
                    (Choice::Ante { layout: more }, Choice::Ante { layout: less })
                }
                Choice::SetApart { cards } => {
                    let (mut twice, four) = (cards.clone(), cards[..4].to_vec());
                    twice[4] = twice[0];
                    (Choice::SetApart { cards: twice }, Choice::SetApart { cards: four })
                }
                _ => {
                    table.answer(&choice).expect("it is legal");
                    continue;
                }
            };
            assert_eq!(table.state().phase(), phase);
            let before = format!("{table:?}");
            for bad in [wrong, part] {
                table.answer(&bad).expect_err("it is not legal");
                assert_eq!(format!("{table:?}"), before, "{name}: {bad:?}");
                refused += 1;
            }
            table.answer(&choice).expect("it is legal");
        }
    }
    assert_eq!(refused, 16, "four seats in each game, each two wrong ones");
}

/// With a player that is there.
#[test]
fn a_deal_of_the_page_begins() {
    let blocks = include_str!("../PROTOCOL.md").split("```json").skip(1);
    let blocks = blocks.filter_map(|block| block.split("```").next());
    let deals: Vec<_> = blocks.filter(|block| block.contains(r#""type":"deal""#)).collect();
    assert!(!deals.is_empty());
    for deal in deals {
        let deal = deal.replace("net:champion", "stopper");
        let deal: Value = serde_json::from_str(&deal).expect("JSON");
        assert_eq!(Talk::new().say(&deal), [] as [Value; 0], "{deal}");
    }
}
