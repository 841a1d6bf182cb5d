//! Messages between this host and a program.

use newmarket_agents::DealEvents;
use newmarket_engine::{Choice, VERSION};
use newmarket_env::{Action, Event, Rules, View};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::fault::{Fault, Kind};

/// A message of the host.
#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(super) enum Message<'a> {
    Hello {
        versions: [u64; 1],
        name: &'static str,
    },
    Deal {
        table: &'a str,
        seat: usize,
        player: &'a str,
        rules: &'a Value,
        players: usize,
        dealer: usize,
        stacks: &'a [i32],
        layout: &'a [i32],
        kitty: i32,
        #[serde(skip_serializing_if = "Option::is_none")]
        seats_in: Option<Vec<bool>>,
        #[serde(skip_serializing_if = "Option::is_none")]
        session: Option<Value>,
        seed: String,
    },
    Event {
        table: &'a str,
        at: usize,
        events: &'a [Event],
    },
    Ask {
        id: &'a str,
        table: &'a str,
        at: usize,
        legal: &'a [Choice],
    },
    Over {
        table: &'a str,
    },
    Quit {},
}

impl<'a> Message<'a> {
    pub(super) const HELLO: Self = Self::Hello { versions: [VERSION], name: "newmarket" };

    /// The message that begins a deal for a seat.
    pub(super) fn deal(
        deal: &DealEvents<'a>,
        (table, seed): (&'a str, u64),
        player: &'a str,
        rules: &'a Value,
    ) -> Self {
        let (game, start) = (deal.game(), deal.deal_start());
        let players = game.players();
        let all = start.seats_in.len() == players;
        let seats_in = || (0..players).map(|seat| start.seats_in.contains(seat)).collect();
        let session = deal.session().map(
            |place| json!({"deal": place.deal, "of": place.of, "bankroll": place.bankroll.value()}),
        );
        Self::Deal {
            table,
            seat: deal.seat(),
            player,
            rules,
            players,
            dealer: start.dealer,
            stacks: &start.stacks[..players],
            layout: game.cells_of(&start.layout),
            kitty: start.kitty,
            seats_in: (!all).then(seats_in),
            session,
            seed: seed.to_string(),
        }
    }

    /// Appends the message to the bytes to send, as one line.
    pub(super) fn write(&self, to: &mut Vec<u8>) {
        serde_json::to_writer(&mut *to, self).expect("a message is plain JSON, in memory");
        to.push(b'\n');
    }
}

/// Rules in the form of the message `deal`.
pub(super) fn rules(rules: &Rules) -> Value {
    let mut fields = rules.overrides();
    fields.insert("base".into(), rules.base.into());
    Value::Object(fields)
}

/// A message of a program. Unknown fields are ignored.
#[derive(Deserialize)]
struct Reply {
    #[serde(rename = "type")]
    kind: String,
    id: Option<String>,
    #[serde(rename = "do")]
    choice: Option<Value>,
    version: Option<u64>,
    name: Option<String>,
    #[serde(default)]
    players: Vec<String>,
    message: Option<String>,
}

fn read(line: &[u8]) -> Result<Reply, Fault> {
    let reply: Reply = serde_json::from_slice(line).map_err(|error| {
        Fault::quoting(Kind::Garbage, &format!("its line is not a reply ({error})"), line)
    })?;
    if reply.kind == "error" {
        let message = reply.message.unwrap_or_default();
        return Err(Fault::quoting(Kind::Refusal, "it answers with an error", message.as_bytes()));
    }
    Ok(reply)
}

/// Reads the reply to `hello`: the program's first player, which plays if the name asks for no other.
pub(super) fn hello(line: &[u8]) -> Result<String, Fault> {
    let reply = read(line)?;
    if reply.kind != "hello" || reply.version != Some(VERSION) {
        let what = format!("it does not say hello with version {VERSION}");
        return Err(Fault::quoting(Kind::Garbage, &what, line));
    }
    Ok(reply.players.into_iter().next().or(reply.name).unwrap_or_default())
}

/// Reads the answer to the question `id`: the actions of a whole legal decision.
pub(super) fn answer(line: &[u8], id: &str, view: &View) -> Result<Vec<Action>, Fault> {
    let reply = read(line)?;
    if reply.kind != "answer" {
        return Err(Fault::quoting(Kind::Garbage, "its line is not an answer", line));
    }
    if reply.id.as_deref() != Some(id) {
        let what = format!("it answers a question other than {id}");
        return Err(Fault::quoting(Kind::WrongId, &what, line));
    }
    let choice = reply.choice.and_then(|choice| serde_json::from_value::<Choice>(choice).ok());
    choice
        .and_then(|choice| choice.taken(view))
        .ok_or_else(|| Fault::quoting(Kind::Illegal, "its decision is not legal", line))
}
