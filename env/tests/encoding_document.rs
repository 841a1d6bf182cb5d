//! `docs/ENCODING.md` and its test vectors, `docs/encoding-vectors.json`, say what the code does.
//!
//! The vectors are written anew, after a change of the encoding, by
//!
//! ```sh
//! NEWMARKET_VECTORS=write cargo test --release -p newmarket-env --test encoding_document
//! ```

mod common;

use std::path::PathBuf;
use std::sync::Arc;

use common::pick;
use newmarket_env::encode::{Axis, SPANS, VERSION, fingerprint};
use newmarket_env::{
    Action, DealStart, Event, Game, Observation, Phase, Rules, Seed, Seen, State, View, narrate,
};
use serde_json::{Value, json};

fn document(name: &str) -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "..", "docs", name].iter().collect()
}

fn read(name: &str) -> String {
    std::fs::read_to_string(document(name)).expect("it is in the repository")
}

/// A number as the document writes it.
fn scale(number: f32) -> String {
    let parts = (1.0 / number).round();
    assert_eq!((1.0 / parts).to_bits(), number.to_bits(), "the unit is one part of something");
    if parts > 1.0 { format!("1/{parts}") } else { "1".into() }
}

/// The cells of the tables that begin with this heading, row by row.
fn table<'t>(text: &'t str, heading: &str) -> Vec<Vec<&'t str>> {
    let cells = |line: &'t str| {
        let inner = line.strip_prefix("| ")?.strip_suffix(" |")?;
        Some(inner.split(" | ").collect::<Vec<_>>())
    };
    let mut rows = Vec::new();
    let mut within = false;
    for line in text.lines() {
        if line == heading {
            within = true;
        } else if within && !line.starts_with("| ---") {
            match cells(line) {
                Some(row) => rows.push(row),
                None => within = false,
            }
        }
    }
    rows
}

#[test]
fn the_document_names_every_span() {
    let text = read("ENCODING.md");
    let id = format!("version {VERSION}, fingerprint `{:016x}`", fingerprint());
    assert!(text.contains(&id), "expected `{id}` in ENCODING.md");
    let rows = table(&text, "| from | entries | span | unit | axis | meaning |");
    assert_eq!(rows.len(), SPANS.len());
    for (row, span) in rows.iter().zip(SPANS) {
        let axis = match span.axis {
            Axis::Other => "",
            Axis::Suit => "suit",
            Axis::Card => "card",
        };
        let (name, unit) = (format!("`{}`", span.name), scale(span.scale));
        let expected = [&*span.start.to_string(), &span.len.to_string(), &name, &unit, axis];
        let told: Vec<&str> = row[..5].iter().map(|cell| cell.trim()).collect();
        assert_eq!(told, expected);
        assert!(row[5].len() > 10, "{}: {}", span.name, row[5]);
    }
}

#[test]
fn the_document_names_every_action() {
    let text = read("ENCODING.md");
    let rows = table(&text, "| index | actions |");
    let named: Vec<(usize, String)> = rows
        .iter()
        .flat_map(|row| {
            let first = row[0].split(' ').next().and_then(|it| it.parse().ok()).expect("an index");
            let names = row[1].split("; ").map(str::to_owned);
            (first..).zip(names)
        })
        .collect();
    // The last row stands for all cards.
    for (index, name) in &named[..22] {
        assert_eq!(Action::from_index(*index).to_string(), *name);
    }
    assert_eq!((named.len(), named[22].0), (23, 22));
    assert!(named[22].1.contains("22 + the card's index"), "{}", named[22].1);
    assert!(Action::ALL[22..].iter().all(|action| action.card().is_some()));
}

/// A deal of which some views are kept, as one seat has them.
struct Deal {
    rules: Value,
    players: usize,
    start: DealStart,
    seat: usize,
    seed: u64,
}

fn deals() -> Vec<Deal> {
    let deal = |base: &str, players, dealer, seat, seed| {
        let (rules, start) = (json!({ "base": base }), DealStart::fresh(players, dealer));
        Deal { rules, players, start, seat, seed }
    };
    let mut deals = vec![
        deal("newmarket", 4, 3, 1, 1),
        deal("newmarket-buy", 5, 2, 2, 2),
        deal("michigan-auction", 4, 0, 2, 3),
        deal("michigan-one-suit", 3, 1, 0, 4),
        deal("four-horses", 2, 0, 1, 5),
        deal("three-in-one", 4, 1, 3, 6),
    ];
    // A card is not in the pack; chips of earlier deals, and stacks that can run out.
    deals[3].rules["removed"] = json!(["9D"]);
    deals[3].start.layout[..4].copy_from_slice(&[3, 0, 1, 2]);
    let chips = json!({ "chips": { "start": 30, "on_bust": "eliminate" } });
    deals[1].rules["session"] = json!({ "bankroll": chips, "leftover": "richest" });
    deals[1].rules["cell_cap"] = json!(20);
    deals[1].start.deals_left = Some(6);
    deals[1].start.credit = false;
    deals[1].start.stacks[..5].copy_from_slice(&[40, 25, 31, 28, 36]);
    deals
}

/// A game as the protocol names it: a named one, and what differs from it.
fn game_of(rules: &Value, players: usize) -> Game {
    let mut changes = rules.as_object().expect("an object").clone();
    let base = changes.remove("base").expect("a base");
    let rules = Rules::from_overrides(base.as_str().expect("a name"), &changes);
    Game::new(rules.expect("sound rules"), players).expect("so many can play")
}

/// A view as the vectors have it: the entries that are not 0, and the legal actions.
fn vector(view: &View) -> Value {
    let mut entries = Vec::new();
    Observation::of(view).for_each_nonzero(|index, value| {
        // The fewest digits that are read as this number.
        let value: f64 = value.to_string().parse().expect("a number");
        entries.push(json!([index, value]));
    });
    let legal: Vec<usize> = view.legal().iter().map(Action::index).collect();
    json!({ "entries": entries, "legal": legal })
}

/// Plays a deal at random, but that the seat takes the dead hand where it may. Kept are the first decision of the seat in every phase, one within an ante
/// and one within five cards set apart, and its third lead.
fn played(deal: &Deal) -> Value {
    let &Deal { ref rules, players, start, seat, seed } = deal;
    let game = game_of(rules, players);
    let mut seen = Seen::new(Arc::new(game.clone()), seat, &start).expect("it plays");
    let mut state = State::new(&game, &start);
    let mut rng = Seed::new(seed).rng();
    let mut events: Vec<Event> = Vec::new();
    let mut decisions: Vec<Value> = Vec::new();
    let (mut kept, mut done, mut leads) = (Vec::new(), Vec::new(), 0);
    let mut tell = |before: &State, action, after: &State| {
        let told = narrate(&game, before, action, after, Some(seat));
        seen.tell(&told).expect("it is true");
        events.extend(told);
        events.len()
    };
    let mut at = tell(&State::blank(&start), None, &state);
    while !state.is_over() {
        let before = state;
        if state.phase() == Phase::Deal {
            let hands = game.shuffle_and_deal(&mut rng, start.dealer, start.seats_in);
            state.deal(&game, &hands);
            at = tell(&before, None, &state);
            continue;
        }
        let (phase, legal) = (state.phase(), state.legal(&game));
        if state.actor() == Some(seat) && !legal.is_forced() {
            leads += usize::from(phase == Phase::Lead);
            let nth = if phase == Phase::Lead { leads } else { done.len() + 1 };
            if [1, 3].contains(&nth) && !kept.contains(&(phase, nth)) {
                kept.push((phase, nth));
                let mut vector = vector(&state.view(&game, seat));
                vector["at"] = at.into();
                vector["done"] = json!(done);
                decisions.push(vector);
            }
        }
        let mut action = pick(legal, &mut rng);
        if state.actor() == Some(seat) && legal.contains(Action::EXCHANGE) {
            action = Action::EXCHANGE;
        }
        state.apply(&game, action).expect("it is legal");
        let mine = before.actor() == Some(seat) && state.actor() == Some(seat);
        if mine && state.phase() == phase && [Phase::Ante, Phase::SetApart].contains(&phase) {
            done.push(action.index());
        } else {
            done.clear();
        }
        at = tell(&before, Some(action), &state);
    }
    let last = decisions.last().expect("it decides")["at"].as_u64().expect("a number");
    events.truncate(last as usize);
    let (stacks, layout) = (&start.stacks[..players], &start.layout[..game.cells()]);
    json!({
        "deal": {
            "rules": rules, "players": players, "dealer": start.dealer, "seat": seat,
            "stacks": stacks, "layout": layout, "kitty": start.kitty, "credit": start.credit,
            "deals_left": start.deals_left,
        },
        "events": events,
        "decisions": decisions,
    })
}

/// A line for every event and every decision.
fn written(deals: &[Value]) -> String {
    let list = |values: &Value| {
        let lines: Vec<String> =
            values.as_array().expect("a list").iter().map(|value| format!("   {value}")).collect();
        lines.join(",\n")
    };
    let deals: Vec<String> = deals
        .iter()
        .map(|deal| {
            let (events, decisions) = (list(&deal["events"]), list(&deal["decisions"]));
            let about = &deal["deal"];
            format!(
                " {{\"deal\": {about},\n  \"events\": [\n{events}],\n  \"decisions\": [\n{decisions}]}}"
            )
        })
        .collect();
    format!(
        "{{\"encoding\": {{\"version\": {VERSION}, \"fingerprint\": \"{:016x}\"}}, \"deals\": [\n{}\n]}}\n",
        fingerprint(),
        deals.join(",\n")
    )
}

#[test]
fn the_vectors_are_those_of_the_code() {
    let vectors: Vec<Value> = deals().iter().map(played).collect();
    let text = written(&vectors);
    if std::env::var("NEWMARKET_VECTORS").is_ok_and(|it| it == "write") {
        std::fs::write(document("encoding-vectors.json"), &text).expect("written");
    }
    let file = read("encoding-vectors.json");
    assert!(file == text, "encoding-vectors.json is another: write it anew");
    // Every span comes up.
    let parsed: Value = serde_json::from_str(&file).expect("JSON");
    let all = parsed["deals"].as_array().expect("deals").iter().flat_map(|deal| {
        deal["decisions"].as_array().expect("decisions").iter().flat_map(|it| {
            it["entries"].as_array().expect("entries").iter().map(|it| it[0].as_u64().unwrap())
        })
    });
    let indices: Vec<usize> = all.map(|index| index as usize).collect();
    let silent = SPANS.iter().filter(|span| {
        !indices.iter().any(|&index| (span.start..span.start + span.len).contains(&index))
    });
    assert_eq!(silent.map(|span| span.name).collect::<Vec<_>>(), Vec::<&str>::new());
}

/// Whoever has the file alone can check their own encoder: what it tells is all that is needed.
#[test]
fn the_vectors_follow_from_what_a_seat_is_told() {
    let file: Value = serde_json::from_str(&read("encoding-vectors.json")).expect("JSON");
    for deal in file["deals"].as_array().expect("deals") {
        let about = &deal["deal"];
        let number = |key: &str| about[key].as_u64().expect("a number") as usize;
        let game = game_of(&about["rules"], number("players"));
        let mut start = DealStart::fresh(game.players(), number("dealer"));
        let chips =
            |key: &str| -> Vec<i32> { serde_json::from_value(about[key].clone()).expect("chips") };
        start.stacks[..game.players()].copy_from_slice(&chips("stacks"));
        start.layout[..game.cells()].copy_from_slice(&chips("layout"));
        start.credit = about["credit"].as_bool().expect("true or false");
        start.deals_left = about["deals_left"].as_u64().map(|left| left as u32);
        let events: Vec<Event> = serde_json::from_value(deal["events"].clone()).expect("events");
        let mut seen = Seen::new(Arc::new(game), number("seat"), &start).expect("it plays");
        for decision in deal["decisions"].as_array().expect("decisions") {
            let at = decision["at"].as_u64().expect("a number") as usize;
            seen.tell(&events[seen.events()..at]).expect("it is true");
            let mut done = decision["done"].as_array().expect("actions").iter();
            let mut found = None;
            let chosen = seen.decide(|view| {
                let next = done.next().map(|it| it.as_u64().expect("an index") as usize);
                if next.is_none() && found.is_none() {
                    found = Some(vector(view));
                }
                next.map_or_else(|| view.legal().first().expect("one"), Action::from_index)
            });
            chosen.expect("it is to act");
            let found = found.expect("the decision is reached");
            assert_eq!(found["legal"], decision["legal"]);
            assert_eq!(found["entries"].to_string(), decision["entries"].to_string());
        }
    }
}
