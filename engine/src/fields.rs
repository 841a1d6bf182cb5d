//! The fields of a message, taken by name, so that an error can name the field.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use newmarket_env::Event;
use newmarket_env::text::{QUOTED, brief, without_mark};
use serde_json::{Map, Value};

use crate::decision::Choice;
use crate::engine::LONGEST_LINE;
use crate::named::Named;
use crate::values::Held;
use crate::words;

/// Why a message is refused. A refused message changes nothing.
#[derive(Debug)]
pub(crate) struct Reason {
    pub(crate) code: &'static str,
    pub(crate) field: Option<String>,
    pub(crate) message: String,
    /// The number of events that the engine has of the table, if the host is out of step.
    pub(crate) at: Option<usize>,
}

/// A reason on the heap: many functions return it, and a smaller type makes a smaller module.
#[derive(Debug)]
pub(crate) struct Refusal(pub(crate) Box<Reason>);

impl Refusal {
    #[inline(never)]
    pub(crate) fn new(code: &'static str, field: Option<&str>, message: &str) -> Self {
        let (field, message) = (field.map(Into::into), message.into());
        Self(Box::new(Reason { code, field, message, at: None }))
    }
}

/// Refuses one field.
pub(crate) fn refuse<T>(
    code: &'static str,
    field: impl AsRef<str>,
    message: impl AsRef<str>,
) -> Result<T, Refusal> {
    Err(Refusal::new(code, Some(field.as_ref()), message.as_ref()))
}

/// The fields of a message that have not been taken, and the first fault. A wrong field reads as a blank
/// value. A caller must call [`Fields::end`] or [`Fields::sound`] before it acts.
pub(crate) struct Fields {
    left: Named<Value>,
    refused: Option<Refusal>,
}

impl Fields {
    /// Reads a line.
    pub(crate) fn read(line: &[u8]) -> Result<Self, Refusal> {
        let line = without_mark(line);
        if line.len() > LONGEST_LINE {
            let message = format!("a line has at most {LONGEST_LINE} bytes");
            return Err(Refusal::new("too_long", None, &message));
        }
        let problem: String = match serde_json::from_slice(line) {
            Ok(Value::Object(fields)) => return Ok(Self::of(fields)),
            Ok(_) => "expected one JSON object a line".into(),
            Err(error) => format!("expected one JSON object a line: {error}"),
        };
        Err(Refusal::new("json", None, &problem))
    }

    /// The fields of an object.
    pub(crate) fn of(fields: Map<String, Value>) -> Self {
        Self { left: fields.into_iter().collect(), refused: None }
    }

    /// A field that may be left out.
    pub(crate) fn get<T: Held>(&mut self, name: &str) -> Option<T> {
        T::of(self.left.remove(name)?).map_err(|problem| self.refuse(name, &problem)).ok()
    }

    /// Passes over a field, whatever it is.
    pub(crate) fn skip(&mut self, name: &str) {
        self.left.remove(name);
    }

    /// A field that must be there.
    pub(crate) fn need<T: Held>(&mut self, name: &str) -> T {
        self.get(name).unwrap_or_else(|| {
            self.refuse(name, "it is missing");
            T::blank()
        })
    }

    fn refuse(&mut self, name: &str, problem: &str) {
        let refusal = || Refusal::new("field", Some(name), &clean(problem));
        self.refused.get_or_insert_with(refusal);
    }

    /// Checks that all fields so far are right.
    pub(crate) fn sound(&mut self) -> Result<(), Refusal> {
        self.refused.take().map_or(Ok(()), Err)
    }

    /// The events of a message.
    pub(crate) fn events(&mut self) -> Result<Vec<Event>, Refusal> {
        let values: Vec<Value> = self.need("events");
        self.sound()?;
        let read = |(nth, value): (usize, Value)| {
            let problem = |error: String| refuse("field", format!("events[{nth}]"), clean(&error));
            words::event(value).or_else(problem)
        };
        values.into_iter().enumerate().map(read).collect()
    }

    /// The decision of a message.
    pub(crate) fn choice(&mut self) -> Result<Choice, Refusal> {
        let value = self.need("do");
        self.sound()?;
        words::choice(value).or_else(|error| refuse("field", "do", clean(&error)))
    }

    /// The fields that have not been taken.
    pub(crate) fn rest(self) -> Map<String, Value> {
        self.left.into_iter().collect()
    }

    /// A text, even if other fields are wrong.
    pub(crate) fn text(&self, name: &str) -> Option<&str> {
        self.left.get(name).and_then(Value::as_str)
    }

    /// Sets a field.
    pub(crate) fn set(&mut self, name: &str, value: impl Into<Value>) {
        self.left.insert(name, value.into());
    }

    /// The id, even if other fields are wrong.
    pub(crate) fn id(&self) -> Option<String> {
        self.text("id").map(Into::into)
    }

    /// Checks that all fields are right, and that there are no others.
    pub(crate) fn end(mut self) -> Result<(), Refusal> {
        self.sound()?;
        match self.left.first() {
            None => Ok(()),
            Some(name) => refuse("field", brief(name, QUOTED), "the message has no such field"),
        }
    }
}

/// The text of a parser's error, cut to a bounded length.
fn clean(text: &str) -> String {
    brief(text, 3 * QUOTED).to_string()
}
