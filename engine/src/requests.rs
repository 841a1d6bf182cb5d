//! Requests by their types, and what all of them have in common.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use newmarket_env::text::{Joined as _, QUOTED};

use crate::fields::{Fields, Refusal, refuse};
use crate::named::Named;
use crate::reply::Reply;

/// The most tables at a time.
const MOST_TABLES: usize = 1_024;

/// The line of a reply, if there is one, or why a request is refused.
pub(crate) type Answer = Result<Option<String>, Refusal>;
/// A function that answers requests of one type.
pub(crate) type Handler<T> = fn(&mut T, Fields) -> Answer;

/// The function of a request, by its name in a list of requests.
pub(crate) fn handler<T>(requests: &[(&str, Handler<T>)], kind: &str) -> Option<Handler<T>> {
    requests.iter().find(|(name, _)| *name == kind).map(|(_, answer)| *answer)
}

/// The names of requests.
pub(crate) fn names<T>(requests: &[(&'static str, Handler<T>)]) -> Vec<&'static str> {
    requests.iter().map(|(name, _)| *name).collect()
}

/// Refuses a request of another type than those that are taken here.
pub(crate) fn unknown<T>(taken: &[&str]) -> Result<T, Refusal> {
    refuse("type", "type", format!("expected one of {}", taken.joined(", ")))
}

/// Refuses one more table if its name is too long or there are too many.
pub(crate) fn has_room<T>(tables: &Named<T>, name: &str) -> Result<(), Refusal> {
    if name.len() > QUOTED {
        return refuse("table", "table", format!("expected a name of at most {QUOTED} bytes"));
    }
    if tables.len() >= MOST_TABLES && !tables.has(name) {
        return refuse("table", "table", format!("expected at most {MOST_TABLES} tables"));
    }
    Ok(())
}

/// The replies to a line, by a function that answers its message.
pub(crate) fn received(line: &[u8], answer: impl FnOnce(Fields) -> Answer) -> Vec<String> {
    let (id, answered) = match Fields::read(line) {
        Ok(fields) => (fields.id(), answer(fields)),
        Err(refusal) => (None, Err(refusal)),
    };
    answered.unwrap_or_else(|refusal| Some(Reply::error(id, refusal))).into_iter().collect()
}
