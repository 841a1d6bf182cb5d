//! One line of a trace.

use alloc::format;
use alloc::string::String;
use alloc::string::ToString;
use alloc::vec::Vec;
use core::fmt;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::card::Card;
use crate::deal_start::DealStart;
use crate::event::{Event, Name, given, read_events};
use crate::game::Game;
#[cfg(feature = "std")]
use crate::referee::Referee;
use crate::rules::Rules;
use crate::text::{QUOTED, brief, plain, without_mark};

/// The first fault of a trace.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TraceFault {
    /// The line of the file, from 1.
    pub line: usize,
    /// The event of the line, from 1, and its JSON (nothing, if the line has fewer events).
    pub event: Option<(usize, String)>,
    /// What is wrong, and what was expected.
    pub problem: String,
}

impl fmt::Display for TraceFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}", self.line)?;
        match &self.event {
            None => {}
            Some((number, json)) if json.is_empty() => write!(f, ", event {number}")?,
            Some((number, json)) => write!(f, ", event {number} {}", plain(&brief(json, QUOTED)))?,
        }
        write!(f, ": {}", plain(&brief(&self.problem, 5 * QUOTED)))
    }
}

impl core::error::Error for TraceFault {}

/// The value of the key `schema`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Schema;

impl Schema {
    /// The only schema so far.
    pub const NAME: &str = "newmarket.trace/1";
}

impl TryFrom<String> for Schema {
    type Error = String;

    fn try_from(name: String) -> Result<Self, String> {
        if name == Self::NAME {
            Ok(Self)
        } else {
            Err(format!("unknown schema \"{name}\": expected \"{}\"", Self::NAME))
        }
    }
}

impl From<Schema> for String {
    fn from(_: Schema) -> Self {
        Schema::NAME.into()
    }
}

/// The place of a record's deal in its session.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Place {
    /// The number of the deal, from 1.
    pub deal: u32,
    /// Deals of the session, unless a bust ends it before.
    pub of: u32,
    /// The session's `bankroll`, as in the rules file.
    pub bankroll: Value,
}

/// One line of a trace.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(
    missing_docs,
    reason = "the fields are the keys of `docs/TRACE.md`, section 10, where they are explained"
)]
pub struct Record {
    pub schema: Schema,
    pub rules: String,
    pub overrides: Map<String, Value>,
    pub players: usize,
    pub dealer: usize,
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub session: Option<Place>,
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub seats_in: Option<Vec<bool>>,
    pub stacks_before: Vec<i32>,
    pub layout_before: Vec<i32>,
    pub kitty_before: i32,
    pub pack: Vec<Name>,
    #[serde(deserialize_with = "read_events")]
    pub events: Vec<Event>,
    pub payoffs: Vec<i32>,
    pub stacks_after: Vec<i32>,
    pub layout_after: Vec<i32>,
    pub kitty_after: i32,
}

/// A pile of chips on the table.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Pile {
    /// The cell of this index.
    Cell(usize),
    /// The kitty.
    Kitty,
}

/// What a record adds to a deal that is part of a session.
#[derive(Clone, Copy, Default, Debug)]
pub struct InSession<'a> {
    /// The number of the deal, from 1; `None` for a single deal.
    pub deal: Option<u32>,
    /// Seats that bought chips before the deal, in seat order, and how many chips. The table before the
    /// deal already includes them.
    pub rebuys: &'a [(usize, i32)],
    /// Piles given away after the deal, in layout order, then the kitty: the pile, the seat, the chips.
    pub leftover: &'a [(Pile, usize, i32)],
}

/// What a record says of a deal that is over, besides its events.
#[derive(Clone, Copy, Debug)]
pub struct Over<'a> {
    /// The rules and the number of seats.
    pub game: &'a Game,
    /// The table before the deal, after any rebuys.
    pub before: &'a DealStart,
    /// The number of the deal in its session, from 1; `None` for a single deal.
    pub deal: Option<u32>,
    /// The cards in the order in which they were dealt.
    pub pack: &'a [Card],
    /// Chips of each seat at the end, gifts included.
    pub stacks: &'a [i32],
    /// Chips on each cell at the end, less gifts.
    pub layout: &'a [i32],
    /// Chips in the kitty at the end, less gifts.
    pub kitty: i32,
}

impl Record {
    /// The record of a deal with these events, rebuys and gifts included.
    ///
    /// # Panics
    /// If a rebuy names a seat that the game does not have.
    pub fn new(over: &Over<'_>, events: Vec<Event>) -> Self {
        let Over { game, before, .. } = *over;
        let (rules, players) = (game.rules(), game.players());
        let mut stacks_before = before.stacks[..players].to_vec();
        for event in &events {
            if let Event::Rebuy { seat, chips } = *event {
                stacks_before[seat] -= chips;
            }
        }
        let all_in = before.seats_in.len() == players;
        Self {
            schema: Schema,
            rules: rules.base.into(),
            overrides: rules.overrides(),
            players,
            dealer: before.dealer,
            session: over.deal.map(|deal| Place {
                deal,
                of: rules.session.deals,
                bankroll: rules.session.bankroll.value(),
            }),
            seats_in: (!all_in)
                .then(|| (0..players).map(|seat| before.seats_in.contains(seat)).collect()),
            stacks_before,
            layout_before: game.cells_of(&before.layout).to_vec(),
            kitty_before: before.kitty,
            pack: over.pack.iter().map(|&card| Name::of(card, rules.aces)).collect(),
            events,
            // Payoffs count from the stacks after the rebuys.
            payoffs: over.stacks.iter().zip(before.stacks).map(|(a, b)| a - b).collect(),
            stacks_after: over.stacks.to_vec(),
            layout_after: over.layout.to_vec(),
            kitty_after: over.kitty,
        }
    }

    /// The record of a deal that the referee has played.
    ///
    /// # Panics
    /// If a rebuy or a leftover names a seat or a cell that the game does not have.
    #[cfg(feature = "std")]
    pub fn of(played: &Referee<'_>, session: InSession<'_>) -> Self {
        let game = played.game();
        let mut events = Vec::with_capacity(played.events().len());
        events.extend(session.rebuys.iter().map(|&(seat, chips)| Event::Rebuy { seat, chips }));
        events.extend_from_slice(played.events());
        let mut stacks = played.stacks().to_vec();
        let mut layout = played.layout().to_vec();
        let mut kitty = played.kitty();
        for &(pile, seat, chips) in session.leftover {
            let from = match pile {
                Pile::Cell(index) => {
                    layout[index] -= chips;
                    game.rules().cells[index].name.clone()
                }
                Pile::Kitty => {
                    kitty -= chips;
                    "kitty".into()
                }
            };
            stacks[seat] += chips;
            events.push(Event::Leftover { from, seat, chips });
        }
        let over = Over {
            game,
            before: played.before(),
            deal: session.deal,
            pack: played.pack(),
            stacks: &stacks,
            layout: &layout,
            kitty,
        };
        Self::new(&over, events)
    }

    /// The rules and the number of players.
    ///
    /// # Errors
    /// If they make no game, or an override says what the base says, too.
    pub fn game(&self) -> Result<Game, String> {
        if self.overrides.contains_key("base") {
            return Err("`overrides.base`: expected the named game in `rules` alone".into());
        }
        let rules = Rules::from_overrides(&self.rules, &self.overrides)
            .map_err(|faults| format!("`rules` and `overrides`: {faults}"))?;
        let differing = rules.overrides();
        for (key, value) in &self.overrides {
            let same =
                |key: &str| format!("`overrides.{key}` is as in {}: it is left out", rules.base);
            match (value.as_object(), differing.get(key)) {
                (_, None) if key != "name" => return Err(same(key)),
                (Some(fields), Some(differing))
                    if ["dead_hand", "session"].contains(&key.as_str()) =>
                {
                    let field = fields.iter().find(|(k, _)| differing.get(k).is_none());
                    if let Some((field, _)) = field {
                        return Err(same(&format!("{key}.{field}")));
                    }
                }
                _ => {}
            }
        }
        Game::new(rules, self.players).map_err(|error| error.to_string())
    }

    /// The line, without a line break.
    ///
    /// # Panics
    /// Never: every record can be written as JSON.
    pub fn to_line(&self) -> String {
        serde_json::to_string(self).expect("a record is JSON")
    }

    /// Reads a line. [`check`](super::check) checks that the deals follow the rules.
    ///
    /// # Errors
    /// If it is not a record; `line` is its number, for the message.
    pub fn parse(text: &str, line: usize) -> Result<Self, TraceFault> {
        serde_json::from_slice(without_mark(text.as_bytes())).map_err(|error| {
            // The record is one line, so the parser's line number is useless.
            let full = error.to_string().replace(['\n', '\r'], " ");
            let end = format!(" at line {} column {}", error.line(), error.column());
            let mut what = full.strip_suffix(&end).unwrap_or(&full);
            let mut event = None;
            if let Some((number, rest)) =
                what.strip_prefix("event ").and_then(|rest| rest.split_once(": "))
            {
                event = number.parse().ok().map(|number: usize| (number, String::new()));
                what = rest;
            }
            let number = ["usize", "i32", "u32"].into_iter().find(|kind| what.ends_with(kind));
            let what = match number.and_then(|kind| what.strip_suffix(kind)) {
                Some(what) => format!("{what}a whole number"),
                None => what.to_string(),
            };
            let kind = if what.starts_with("EOF") {
                "the line is cut off: "
            } else if error.is_syntax() {
                "not a record, which is one JSON object a line: "
            } else {
                ""
            };
            let problem = format!("{kind}{what} (column {})", error.column());
            TraceFault { line, event, problem }
        })
    }
}
