//! Events and decisions from JSON, key by key.
//!
//! They derive `Deserialize`, which does the same; but what it expands to for each kind of event is
//! seven times as much code, and a page loads all of it. `tests/words.rs` compares the two.

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use newmarket_env::{Event, Name, Payee};
use serde_json::{Map, Value};

use crate::decision::Choice;

/// An event from its object.
///
/// # Errors
/// What is wrong with it, in a few words.
pub fn event(value: Value) -> Result<Event, String> {
    let (kind, mut keys) = Keys::of(value)?;
    let event = match kind.as_str() {
        "rebuy" => Event::Rebuy { seat: keys.seat("seat")?, chips: keys.chips("chips")? },
        "ante" => Event::Ante {
            seat: keys.seat("seat")?,
            kitty: keys.chips("kitty")?,
            layout: keys.list("layout", |it| chips(&it))?,
        },
        "spill" => Event::Spill {
            from: keys.text("from")?,
            to: keys.text("to")?,
            chips: keys.chips("chips")?,
        },
        "deal" => Event::Deal {
            hands: keys.list("hands", |hand| list(hand, name))?,
            dead: keys.list("dead", name)?,
        },
        "keep" => Event::Keep { seat: keys.seat("seat")? },
        "exchange" => Event::Exchange {
            seat: keys.seat("seat")?,
            paid: keys.chips("paid")?,
            to: match keys.need("to")? {
                Value::Null => None,
                to => Some(Payee::try_from(text(to)?)?),
            },
            dead: keys.list("dead", name)?,
            hand: keys.get("hand", |hand| list(hand, name))?,
        },
        "auction" => Event::Auction { seat: keys.seat("seat")? },
        "bid" => Event::Bid { seat: keys.seat("seat")?, chips: keys.chips("chips")? },
        "pass" => Event::Pass { seat: keys.seat("seat")? },
        "collect" => Event::Collect {
            seat: keys.seat("seat")?,
            cell: keys.text("cell")?,
            chips: keys.chips("chips")?,
        },
        "set_apart" => {
            Event::SetApart { seat: keys.seat("seat")?, cards: keys.list("cards", name)? }
        }
        "check" => Event::Check { seat: keys.seat("seat")?, chips: keys.chips("chips")? },
        "bet" => Event::Bet { seat: keys.seat("seat")?, chips: keys.chips("chips")? },
        "call" => Event::Call { seat: keys.seat("seat")?, chips: keys.chips("chips")? },
        "raise" => Event::Raise { seat: keys.seat("seat")?, chips: keys.chips("chips")? },
        "fold" => Event::Fold { seat: keys.seat("seat")?, chips: keys.chips("chips")? },
        "showdown" => Event::Showdown {
            winners: keys.list("winners", |it| seat(&it))?,
            hands: keys.get("hands", |hands| by_seat(hands, word))?,
            shown: keys.get("shown", |hands| by_seat(hands, |hand| list(hand, name)))?,
            paid: keys.list("paid", |it| chips(&it))?,
        },
        "lead" => Event::Lead { seat: keys.seat("seat")?, card: keys.name("card")? },
        "play" => Event::Play { seat: keys.seat("seat")?, card: keys.name("card")? },
        "claim" => Event::Claim {
            seat: keys.seat("seat")?,
            cell: keys.text("cell")?,
            chips: keys.chips("chips")?,
        },
        "stop" => Event::Stop {
            seat: keys.seat("seat")?,
            card: keys.name("card")?,
            why: word(keys.need("why")?)?,
        },
        "pass_lead" => Event::PassLead { seat: keys.seat("seat")? },
        "out" => Event::Out { seat: keys.seat("seat")? },
        "no_winner" => Event::NoWinner {},
        "settle" => Event::Settle {
            winner: keys.seat("winner")?,
            kitty: keys.chips("kitty")?,
            cards: keys.list("cards", |it| chips(&it))?,
            paid: keys.list("paid", |it| chips(&it))?,
        },
        "leftover" => Event::Leftover {
            from: keys.text("from")?,
            seat: keys.seat("seat")?,
            chips: keys.chips("chips")?,
        },
        _ => return Err(format!("{kind:?} is no event")),
    };
    keys.end()?;
    Ok(event)
}

/// A whole decision from its object.
///
/// # Errors
/// What is wrong with it, in a few words.
pub fn choice(value: Value) -> Result<Choice, String> {
    let (kind, mut keys) = Keys::of(value)?;
    let choice = match kind.as_str() {
        "ante" => Choice::Ante { layout: keys.list("layout", |it| chips(&it))? },
        "keep" => Choice::Keep {},
        "exchange" => Choice::Exchange {},
        "auction" => Choice::Auction {},
        "bid" => Choice::Bid {},
        "pass" => Choice::Pass {},
        "set_apart" => Choice::SetApart { cards: keys.list("cards", name)? },
        "check" => Choice::Check {},
        "bet" => Choice::Bet {},
        "call" => Choice::Call {},
        "raise" => Choice::Raise {},
        "fold" => Choice::Fold {},
        "lead" => Choice::Lead { card: keys.name("card")? },
        _ => return Err(format!("{kind:?} is no decision")),
    };
    keys.end()?;
    Ok(choice)
}

/// The keys of an object that have not been taken yet.
struct Keys(Map<String, Value>);

impl Keys {
    /// The kind of an object, and its other keys.
    fn of(value: Value) -> Result<(String, Self), String> {
        let Value::Object(map) = value else { return Err("expected an object".into()) };
        let mut keys = Self(map);
        Ok((keys.text("e")?, keys))
    }

    fn need(&mut self, key: &str) -> Result<Value, String> {
        self.0.remove(key).ok_or_else(|| format!("`{key}` is missing"))
    }

    fn get<T>(
        &mut self,
        key: &str,
        read: impl Fn(Value) -> Result<T, String>,
    ) -> Result<Option<T>, String> {
        self.0.remove(key).map(read).transpose()
    }

    fn list<T>(
        &mut self,
        key: &str,
        read: impl Fn(Value) -> Result<T, String>,
    ) -> Result<Vec<T>, String> {
        list(self.need(key)?, read)
    }

    fn seat(&mut self, key: &str) -> Result<usize, String> {
        seat(&self.need(key)?)
    }

    fn chips(&mut self, key: &str) -> Result<i32, String> {
        chips(&self.need(key)?)
    }

    fn text(&mut self, key: &str) -> Result<String, String> {
        text(self.need(key)?)
    }

    fn name(&mut self, key: &str) -> Result<Name, String> {
        name(self.need(key)?)
    }

    fn end(self) -> Result<(), String> {
        match self.0.keys().min() {
            None => Ok(()),
            Some(key) => Err(format!("there is no key {key:?} here")),
        }
    }
}

fn seat(value: &Value) -> Result<usize, String> {
    let seat = value.as_u64().and_then(|number| usize::try_from(number).ok());
    seat.ok_or_else(|| "expected a seat".into())
}

fn chips(value: &Value) -> Result<i32, String> {
    let chips = value.as_i64().and_then(|number| i32::try_from(number).ok());
    chips.ok_or_else(|| "expected a number of chips".into())
}

fn text(value: Value) -> Result<String, String> {
    match value {
        Value::String(text) => Ok(text),
        _ => Err("expected a text".into()),
    }
}

fn name(value: Value) -> Result<Name, String> {
    Name::try_from(text(value)?)
}

fn list<T>(value: Value, read: impl Fn(Value) -> Result<T, String>) -> Result<Vec<T>, String> {
    match value {
        Value::Array(values) => values.into_iter().map(read).collect(),
        _ => Err("expected a list".into()),
    }
}

/// The hands of a showdown, by seat.
fn by_seat<T>(
    value: Value,
    read: impl Fn(Value) -> Result<T, String>,
) -> Result<BTreeMap<String, T>, String> {
    match value {
        Value::Object(map) => map.into_iter().map(|(key, it)| Ok((key, read(it)?))).collect(),
        _ => Err("expected a table by seat".into()),
    }
}

/// One of a few words.
fn word<T: serde::de::DeserializeOwned>(value: Value) -> Result<T, String> {
    serde_json::from_value(value).map_err(|error| format!("{error}"))
}
