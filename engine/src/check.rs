//! Lines of a trace that the host has from elsewhere: each deal is played again.

use alloc::format;
use alloc::string::String;

use newmarket_env::Record;
use newmarket_env::trace::{self, Place, Schema};
use serde_json::{Map, Value};

use crate::fields::{Fields, Refusal, refuse};
use crate::reply::Reply;

/// Answers a `check`: whether the deal of a record is played by the rules.
pub(crate) fn check(mut fields: Fields) -> Result<Option<String>, Refusal> {
    fields.need::<String>("type");
    let id: Option<String> = fields.get("id");
    let record: Map<String, Value> = fields.need("record");
    fields.end()?;
    let record = read(Fields::of(record))?;
    let checked = trace::check_deal(&record).map_err(|fault| {
        let field = fault.event.map(|(number, _)| format!("events[{}]", number - 1));
        Refusal::new("trace", field.as_deref(), &fault.problem)
    })?;
    let resolved = checked.game.rules().resolved();
    Ok(Some(Reply::Check { id, decisions: checked.actions.len(), resolved }.line()))
}

/// A record from its object.
fn read(mut fields: Fields) -> Result<Record, Refusal> {
    let schema: String = fields.need("schema");
    let schema = Schema::try_from(schema).or_else(|problem| refuse("field", "schema", problem))?;
    let place: Option<Map<String, Value>> = fields.get("session");
    fields.sound()?;
    let session = place.map(|place| read_place(Fields::of(place))).transpose()?;
    let record = Record {
        schema,
        rules: fields.need("rules"),
        overrides: fields.need("overrides"),
        players: fields.need("players"),
        dealer: fields.need("dealer"),
        session,
        seats_in: fields.get("seats_in"),
        stacks_before: fields.need("stacks_before"),
        layout_before: fields.need("layout_before"),
        kitty_before: fields.need("kitty_before"),
        pack: fields.need("pack"),
        events: fields.events()?,
        payoffs: fields.need("payoffs"),
        stacks_after: fields.need("stacks_after"),
        layout_after: fields.need("layout_after"),
        kitty_after: fields.need("kitty_after"),
    };
    fields.end()?;
    Ok(record)
}

/// Which deal of a session a record is.
fn read_place(mut fields: Fields) -> Result<Place, Refusal> {
    let number = |number: usize| u32::try_from(number).unwrap_or(0);
    let place = Place {
        deal: number(fields.need("deal")),
        of: number(fields.need("of")),
        bankroll: fields.need("bankroll"),
    };
    match fields.end() {
        Ok(()) => Ok(place),
        Err(Refusal(why)) => {
            let field = why.field.as_deref().unwrap_or_default();
            refuse("field", format!("session.{field}"), &why.message)
        }
    }
}
