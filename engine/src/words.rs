//! Events and decisions from JSON, key by key.
//!
//! Both derive `Deserialize`, which reads the same, but is seven times as much code in a web page.
//! `tests/words.rs` compares the two.

use alloc::format;
use alloc::string::String;

use newmarket_env::Event;
use serde_json::{Map, Value};

use crate::decision::Choice;
use crate::named::Named;
use crate::values::Held;

/// An event from its object.
///
/// # Errors
/// The fault, in a few words.
pub fn event(value: Value) -> Result<Event, String> {
    let (kind, mut keys) = Keys::of(value)?;
    let event = match kind.as_str() {
        "rebuy" => Event::Rebuy { seat: keys.need("seat"), chips: keys.need("chips") },
        "ante" => Event::Ante {
            seat: keys.need("seat"),
            kitty: keys.need("kitty"),
            layout: keys.need("layout"),
        },
        "spill" => {
            Event::Spill { from: keys.need("from"), to: keys.need("to"), chips: keys.need("chips") }
        }
        "deal" => Event::Deal { hands: keys.need("hands"), dead: keys.need("dead") },
        "keep" => Event::Keep { seat: keys.need("seat") },
        "exchange" => Event::Exchange {
            seat: keys.need("seat"),
            paid: keys.need("paid"),
            to: keys.need("to"),
            dead: keys.need("dead"),
            hand: keys.get("hand"),
        },
        "auction" => Event::Auction { seat: keys.need("seat") },
        "bid" => Event::Bid { seat: keys.need("seat"), chips: keys.need("chips") },
        "pass" => Event::Pass { seat: keys.need("seat") },
        "collect" => Event::Collect {
            seat: keys.need("seat"),
            cell: keys.need("cell"),
            chips: keys.need("chips"),
        },
        "set_apart" => Event::SetApart { seat: keys.need("seat"), cards: keys.need("cards") },
        "check" => Event::Check { seat: keys.need("seat"), chips: keys.need("chips") },
        "bet" => Event::Bet { seat: keys.need("seat"), chips: keys.need("chips") },
        "call" => Event::Call { seat: keys.need("seat"), chips: keys.need("chips") },
        "raise" => Event::Raise { seat: keys.need("seat"), chips: keys.need("chips") },
        "fold" => Event::Fold { seat: keys.need("seat"), chips: keys.need("chips") },
        "showdown" => Event::Showdown {
            winners: keys.need("winners"),
            hands: keys.get("hands"),
            shown: keys.get("shown"),
            paid: keys.need("paid"),
        },
        "lead" => Event::Lead { seat: keys.need("seat"), card: keys.need("card") },
        "play" => Event::Play { seat: keys.need("seat"), card: keys.need("card") },
        "claim" => Event::Claim {
            seat: keys.need("seat"),
            cell: keys.need("cell"),
            chips: keys.need("chips"),
        },
        "stop" => {
            Event::Stop { seat: keys.need("seat"), card: keys.need("card"), why: keys.need("why") }
        }
        "pass_lead" => Event::PassLead { seat: keys.need("seat") },
        "out" => Event::Out { seat: keys.need("seat") },
        "no_winner" => Event::NoWinner {},
        "settle" => Event::Settle {
            winner: keys.need("winner"),
            kitty: keys.need("kitty"),
            cards: keys.need("cards"),
            paid: keys.need("paid"),
        },
        "leftover" => Event::Leftover {
            from: keys.need("from"),
            seat: keys.need("seat"),
            chips: keys.need("chips"),
        },
        _ => return Err(format!("\"{kind}\" is no event")),
    };
    keys.end()?;
    Ok(event)
}

/// A whole decision from its object.
///
/// # Errors
/// The fault, in a few words.
pub fn choice(value: Value) -> Result<Choice, String> {
    let (kind, mut keys) = Keys::of(value)?;
    let choice = match kind.as_str() {
        "ante" => Choice::Ante { layout: keys.need("layout") },
        "keep" => Choice::Keep {},
        "exchange" => Choice::Exchange {},
        "auction" => Choice::Auction {},
        "bid" => Choice::Bid {},
        "pass" => Choice::Pass {},
        "set_apart" => Choice::SetApart { cards: keys.need("cards") },
        "check" => Choice::Check {},
        "bet" => Choice::Bet {},
        "call" => Choice::Call {},
        "raise" => Choice::Raise {},
        "fold" => Choice::Fold {},
        "lead" => Choice::Lead { card: keys.need("card") },
        _ => return Err(format!("\"{kind}\" is no decision")),
    };
    keys.end()?;
    Ok(choice)
}

/// The keys of an object that have not been taken yet, and the first problem of those that have.
struct Keys {
    left: Named<Value>,
    problem: Option<String>,
}

impl Keys {
    /// The kind of an object, and its other keys.
    fn of(value: Value) -> Result<(String, Self), String> {
        let mut keys = Self { left: Map::of(value)?.into_iter().collect(), problem: None };
        let kind = keys.need("e");
        keys.sound()?;
        Ok((kind, keys))
    }

    fn need<T: Held>(&mut self, key: &str) -> T {
        self.get(key).unwrap_or_else(|| {
            self.fail(format!("`{key}` is missing"));
            T::blank()
        })
    }

    fn get<T: Held>(&mut self, key: &str) -> Option<T> {
        T::of(self.left.remove(key)?).map_err(|problem| self.fail(problem)).ok()
    }

    fn fail(&mut self, problem: String) {
        self.problem.get_or_insert(problem);
    }

    fn sound(&mut self) -> Result<(), String> {
        self.problem.take().map_or(Ok(()), Err)
    }

    fn end(mut self) -> Result<(), String> {
        self.sound()?;
        match self.left.first() {
            None => Ok(()),
            Some(key) => Err(format!("there is no key \"{key}\" here")),
        }
    }
}
