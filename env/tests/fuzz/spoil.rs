//! Faults for a trace that has none.

use serde_json::{Value, json};

use super::tape::Tape;

/// Makes one change to the lines of a trace, and says what it was.
pub(crate) fn spoil(lines: &mut Vec<Value>, tape: &mut Tape) -> &'static str {
    let (what, line, a, b) = (tape.below(16), tape.byte(), tape.word().into(), tape.word().into());
    if lines.is_empty() {
        return "nothing";
    }
    let line = usize::from(line) % lines.len();
    match what {
        0 => {
            lines.remove(line);
            "a line dropped"
        }
        1 => {
            lines.insert(a % lines.len(), lines[line].clone());
            "a line doubled"
        }
        2 => {
            let other = a % lines.len();
            lines.swap(line, other);
            "two lines swapped"
        }
        _ => spoil_line(&mut lines[line], what, a, b),
    }
}

fn spoil_line(record: &mut Value, what: usize, a: usize, b: usize) -> &'static str {
    if let 3..=6 = what {
        return match record["events"].as_array_mut() {
            Some(events) if !events.is_empty() => spoil_events(events, what, a, b),
            _ => "nothing",
        };
    }
    match what {
        7 | 8 => {
            let cards = leaves(record, &|leaf| is_card(leaf));
            if cards.len() > 1 {
                let (one, other) = (&cards[a % cards.len()], &cards[b % cards.len()]);
                let (x, y) = (at(record, one).clone(), at(record, other).clone());
                *at(record, one) = y;
                *at(record, other) = x;
            }
            "two cards swapped"
        }
        9 => {
            let cards = leaves(record, &|leaf| is_card(leaf));
            if let [first, ..] = &cards[..] {
                let (x, y) =
                    (at(record, first).clone(), at(record, &cards[a % cards.len()]).clone());
                for path in &cards {
                    let card = at(record, path);
                    if *card == x {
                        *card = y.clone();
                    } else if *card == y {
                        *card = x.clone();
                    }
                }
            }
            "two cards change names"
        }
        10 => {
            let texts = leaves(record, &Value::is_string);
            if !texts.is_empty() {
                let other = at(record, &texts[b % texts.len()]).clone();
                *at(record, &texts[a % texts.len()]) = other;
            }
            "a word for another"
        }
        11 => {
            let all = leaves(record, &|_| true);
            let path = &all[a % all.len()];
            let (inside, key) = path.rsplit_once('/').expect("a path");
            match at(record, inside) {
                Value::Object(fields) => drop(fields.shift_remove(key)),
                Value::Array(items) => drop(items.remove(key.parse().expect("an index"))),
                _ => {}
            }
            "a value dropped"
        }
        13 => {
            move_pile(record, a);
            "a pile for another"
        }
        _ => {
            let mut numbers = leaves(record, &Value::is_number);
            // What a deal ends with is but a small part of it.
            let last = record["events"].as_array().map_or(0, Vec::len).saturating_sub(1);
            if what == 12 {
                numbers.retain(|path| path.starts_with(&format!("/events/{last}/")));
            }
            if !numbers.is_empty() {
                let number = at(record, &numbers[a % numbers.len()]);
                let old = number.as_i64().unwrap_or(0);
                *number = json!(match b % 8 {
                    0 | 1 => old + 1,
                    2 | 3 => old - 1,
                    4 => -old,
                    5 => old * 10 + 1,
                    6 => old + 256,
                    _ => (b / 8) as i64,
                });
            }
            "a number changed"
        }
    }
}

fn spoil_events(events: &mut Vec<Value>, what: usize, a: usize, b: usize) -> &'static str {
    let (a, b, end) = (a % events.len(), b % events.len(), b % (events.len() + 1));
    match what {
        3 => {
            events.remove(a);
            "an event dropped"
        }
        4 => {
            events.insert(end, events[a].clone());
            "an event doubled"
        }
        5 => {
            events.swap(a, b);
            "two events swapped"
        }
        _ => {
            events.truncate(a);
            "events cut off"
        }
    }
}

/// The pile that was given away last goes to another seat, and all totals with it.
fn move_pile(record: &mut Value, a: usize) {
    let players = record["stacks_after"].as_array().map_or(1, Vec::len);
    let Some(last) = record["events"].as_array_mut().and_then(|events| events.last_mut()) else {
        return;
    };
    if last["e"] == "leftover"
        && let (Some(from), Some(chips)) = (last["seat"].as_u64(), last["chips"].as_i64())
    {
        let to = a % players;
        last["seat"] = json!(to);
        for total in ["stacks_after", "payoffs"] {
            for (seat, chips) in [(from as usize, -chips), (to, chips)] {
                // Another change may have cut the list.
                if let Some(place) = record[total].get_mut(seat) {
                    *place = json!(place.as_i64().unwrap_or(0) + chips);
                }
            }
        }
    }
}

fn at<'v>(record: &'v mut Value, path: &str) -> &'v mut Value {
    record.pointer_mut(path).expect("a path that was found")
}

fn is_card(leaf: &Value) -> bool {
    leaf.as_str().is_some_and(|text| text.len() == 2 && text.ends_with(['C', 'D', 'H', 'S']))
}

/// The places of all values of this kind that hold no others.
fn leaves(record: &Value, is: &dyn Fn(&Value) -> bool) -> Vec<String> {
    fn walk(value: &Value, path: &str, is: &dyn Fn(&Value) -> bool, found: &mut Vec<String>) {
        match value {
            Value::Array(items) => {
                for (index, item) in items.iter().enumerate() {
                    walk(item, &format!("{path}/{index}"), is, found);
                }
            }
            Value::Object(fields) => {
                for (key, item) in fields {
                    walk(item, &format!("{path}/{key}"), is, found);
                }
            }
            leaf if is(leaf) => found.push(path.into()),
            _ => {}
        }
    }
    let mut found = Vec::new();
    walk(record, "", is, &mut found);
    found
}
