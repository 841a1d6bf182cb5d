//! Messages between this host and a program.

use newmarket_agents::DealEvents;
use newmarket_engine::{Choice, VERSION};
use newmarket_env::{Aces, Action, CardSet, Event, Name, Rules, View};
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
        #[serde(flatten)]
        resolved: Box<Resolved<'a>>,
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
        rules: &'a RulesForm,
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
            rules: &rules.changes,
            players,
            dealer: start.dealer,
            stacks: &start.stacks[..players],
            layout: game.cells_of(&start.layout),
            resolved: Box::new(rules.resolved(game.cells_of(&start.layout))),
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

/// Rules in the form of the message `deal`: what differs from the named game, and what a program would need a table of
/// games for.
pub(super) struct RulesForm {
    changes: Value,
    /// Each cell with the sets of cards that claim it.
    cells: Vec<(String, Vec<Vec<Name>>)>,
    aces: &'static str,
    /// The ranks of the pack, in ascending order.
    order: &'static str,
    /// The cards of these ranks and of all suits that are not in the pack.
    removed: Vec<Name>,
}

/// What the rules come to, so that a program needs no table of games.
#[derive(Serialize)]
pub(super) struct Resolved<'a> {
    cells: Vec<CellEntry<'a>>,
    aces: &'a str,
    order: &'a str,
    removed: &'a [Name],
}

/// A cell before a deal.
#[derive(Serialize)]
pub(super) struct CellEntry<'a> {
    name: &'a str,
    claimed_by: &'a [Vec<Name>],
    chips: i32,
}

impl RulesForm {
    pub(super) fn of(rules: &Rules) -> Self {
        let mut changes = rules.overrides();
        changes.insert("base".into(), rules.base.into());
        let names = |cards: CardSet| cards.iter().map(|card| Name::of(card, rules.aces)).collect();
        let cells = rules.cells.iter().map(|cell| {
            (cell.name.clone(), cell.claimed_by.iter().map(|&set| names(set)).collect())
        });
        let order = &rules.aces.order()[..rules.ranks];
        let ranks = CardSet::ALL.iter().filter(|card| card.rank().index() < rules.ranks);
        let removed = ranks.filter(|&card| !rules.pack().contains(card)).collect();
        Self {
            changes: Value::Object(changes),
            cells: cells.collect(),
            aces: match rules.aces {
                Aces::Low => "low",
                Aces::High => "high",
            },
            order,
            removed: names(removed),
        }
    }

    /// What the rules come to, with the chips on the cells.
    fn resolved(&self, chips: &[i32]) -> Resolved<'_> {
        let cells = self.cells.iter().zip(chips);
        let cells = cells.map(|((name, claimed_by), &chips)| CellEntry { name, claimed_by, chips });
        let Self { aces, order, removed, .. } = self;
        Resolved { cells: cells.collect(), aces, order, removed }
    }
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
