//! The values of a message's fields, from JSON.
//!
//! `Deserialize` reads the same values, but is several times as much code in a web page.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use newmarket_env::text::Joined as _;
use newmarket_env::{Aces, BySeat, Card, HandName, Name, Payee, Why};
use serde_json::{Map, Value};

/// A value of a field.
pub(crate) trait Held: Sized {
    /// Reads a value.
    ///
    /// # Errors
    /// The expected value, or the fault.
    fn of(value: Value) -> Result<Self, String>;

    /// A value that replaces a missing or wrong one until the message is refused.
    fn blank() -> Self;
}

impl Held for Value {
    fn of(value: Value) -> Result<Self, String> {
        Ok(value)
    }

    fn blank() -> Self {
        Self::Null
    }
}

impl Held for bool {
    fn of(value: Value) -> Result<Self, String> {
        value.as_bool().ok_or_else(|| "expected true or false".into())
    }

    fn blank() -> Self {
        false
    }
}

impl Held for u64 {
    fn of(value: Value) -> Result<Self, String> {
        value.as_u64().ok_or_else(|| "expected a whole number, 0 or more".into())
    }

    fn blank() -> Self {
        0
    }
}

impl Held for usize {
    fn of(value: Value) -> Result<Self, String> {
        Self::try_from(u64::of(value)?).map_err(|_| "expected a smaller number".into())
    }

    fn blank() -> Self {
        0
    }
}

impl Held for i32 {
    fn of(value: Value) -> Result<Self, String> {
        let number = value.as_i64().and_then(|number| Self::try_from(number).ok());
        number.ok_or_else(|| "expected a whole number of 32 bits".into())
    }

    fn blank() -> Self {
        0
    }
}

impl Held for String {
    fn of(value: Value) -> Result<Self, String> {
        match value {
            Value::String(text) => Ok(text),
            _ => Err("expected a text".into()),
        }
    }

    fn blank() -> Self {
        Self::new()
    }
}

impl Held for Map<String, Value> {
    fn of(value: Value) -> Result<Self, String> {
        match value {
            Value::Object(map) => Ok(map),
            _ => Err("expected an object".into()),
        }
    }

    fn blank() -> Self {
        Self::new()
    }
}

impl<T: Held> Held for Vec<T> {
    fn of(value: Value) -> Result<Self, String> {
        let Value::Array(values) = value else { return Err("expected a list".into()) };
        let mut list = Self::new();
        for value in values {
            list.push(T::of(value)?);
        }
        Ok(list)
    }

    fn blank() -> Self {
        Self::new()
    }
}

impl<T: Held> Held for BySeat<T> {
    fn of(value: Value) -> Result<Self, String> {
        Map::of(value)?.into_iter().map(|(seat, value)| Ok((seat, T::of(value)?))).collect()
    }

    fn blank() -> Self {
        core::iter::empty().collect()
    }
}

impl Held for Name {
    fn of(value: Value) -> Result<Self, String> {
        Self::try_from(String::of(value)?)
    }

    fn blank() -> Self {
        Self::of(Card::ALL[0], Aces::Low)
    }
}

impl Held for Option<Payee> {
    fn of(value: Value) -> Result<Self, String> {
        if value.is_null() { Ok(None) } else { Payee::try_from(String::of(value)?).map(Some) }
    }

    fn blank() -> Self {
        None
    }
}

impl Held for Why {
    fn of(value: Value) -> Result<Self, String> {
        let words = [
            ("top", Self::Top),
            ("removed", Self::Removed),
            ("dead", Self::Dead),
            ("played", Self::Played),
        ];
        let found = words.iter().find(|(word, _)| value == *word).map(|found| found.1);
        found.ok_or_else(|| format!("expected one of {}", words.map(|(word, _)| word).joined(", ")))
    }

    fn blank() -> Self {
        Self::Top
    }
}

impl Held for HandName {
    fn of(value: Value) -> Result<Self, String> {
        Self::try_from(String::of(value)?)
    }

    fn blank() -> Self {
        Self::HighCard
    }
}
