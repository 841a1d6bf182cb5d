//! The replies of the engine.

use alloc::string::String;
use alloc::vec::Vec;

use serde::Serialize;

use crate::analysis::{Analysis, Judged};
use crate::decision::Choice;
use crate::faults::Fault;
use crate::fields::{Reason, Refusal};
use crate::table::SessionTable;
use newmarket_agents::SessionResult;
use newmarket_env::text::plain_json;
use newmarket_env::{Event, Name, Phase, Record, View};
use serde_json::{Map, Value};

/// One line of a reply.
#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum Reply<'a> {
    Hello {
        #[serde(skip_serializing_if = "Option::is_none")]
        id: Option<String>,
        version: u64,
        name: &'a str,
        players: &'a [String],
        /// Version and fingerprint of the encoding of observations.
        encoding: (u32, String),
    },
    Answer {
        id: &'a str,
        #[serde(rename = "do")]
        choice: Choice,
        spent_ms: u64,
        /// Reasons that the seat can see, if the host wants them.
        #[serde(skip_serializing_if = "Option::is_none")]
        why: Option<Vec<String>>,
    },
    Analysis {
        id: &'a str,
        r#final: bool,
        worlds: u32,
        choices: usize,
        all: bool,
        actions: Vec<Action>,
    },
    /// A table that was opened here.
    Table {
        #[serde(skip_serializing_if = "Option::is_none")]
        id: Option<String>,
        table: &'a str,
        deal: u32,
        of: u32,
        deal_over: bool,
        session_over: bool,
        /// The seats that won a session that is over.
        #[serde(skip_serializing_if = "Option::is_none")]
        winners: Option<Vec<usize>>,
        dealer: usize,
        stacks: &'a [i32],
        bought: &'a [i32],
        layout: &'a [i32],
        kitty: i32,
        /// The number of events that each seat has been told.
        told: Vec<usize>,
        before: Before<'a>,
        /// The seat that is to act, and its cards; left out if the deal is over.
        #[serde(skip_serializing_if = "Option::is_none")]
        seat: Option<usize>,
        #[serde(skip_serializing_if = "Option::is_none")]
        hand: Option<Vec<Name>>,
        /// The decisions of the seat, if each is a single action.
        #[serde(skip_serializing_if = "Option::is_none")]
        legal: Option<Vec<Choice>>,
        /// The number of chips to place, or of cards to set apart.
        #[serde(skip_serializing_if = "Option::is_none")]
        ante: Option<usize>,
        #[serde(skip_serializing_if = "Option::is_none")]
        set_apart: Option<usize>,
    },
    /// A deal that is over, with all cards: a line of a trace.
    Record {
        #[serde(skip_serializing_if = "Option::is_none")]
        id: Option<String>,
        table: &'a str,
        #[serde(flatten)]
        record: Record,
    },
    /// What is wrong with rules, or all their options.
    Rules {
        #[serde(skip_serializing_if = "Option::is_none")]
        id: Option<String>,
        faults: Vec<Fault>,
        #[serde(skip_serializing_if = "Option::is_none")]
        resolved: Option<Map<String, Value>>,
        #[serde(skip_serializing_if = "Option::is_none")]
        overrides: Option<Map<String, Value>>,
        /// The rules for people, a sentence or a few about each thing.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        words: Vec<String>,
    },
    /// What is wrong with a strategy, or what it says of itself.
    Strategy {
        #[serde(skip_serializing_if = "Option::is_none")]
        id: Option<String>,
        faults: Vec<Fault>,
        #[serde(skip_serializing_if = "Option::is_none")]
        name: Option<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        about: Option<String>,
    },
    /// The named games, and the options of rules.
    Options {
        #[serde(skip_serializing_if = "Option::is_none")]
        id: Option<String>,
        games: &'a [&'a str],
        options: Vec<Value>,
    },
    /// The code of a deal, and the deal.
    Code {
        #[serde(skip_serializing_if = "Option::is_none")]
        id: Option<String>,
        code: String,
        deal: &'a Map<String, Value>,
    },
    /// A line of a trace that is right.
    Check {
        #[serde(skip_serializing_if = "Option::is_none")]
        id: Option<String>,
        decisions: usize,
        /// All options of its rules.
        resolved: Map<String, Value>,
    },
    /// The events that a seat is told, in the format in which a host sends them.
    Event {
        #[serde(skip_serializing_if = "Option::is_none")]
        id: Option<String>,
        table: &'a str,
        at: usize,
        events: &'a [Event],
    },
    /// A whole decision that was taken action by action.
    Did {
        table: &'a str,
        seat: usize,
        #[serde(rename = "do")]
        choice: Choice,
    },
    Error {
        #[serde(skip_serializing_if = "Option::is_none")]
        id: Option<String>,
        code: &'a str,
        #[serde(skip_serializing_if = "Option::is_none")]
        field: Option<String>,
        message: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        at: Option<usize>,
    },
}

/// How a table stood before its deal, after any rebuys.
#[derive(Serialize)]
pub(crate) struct Before<'a> {
    stacks: &'a [i32],
    layout: &'a [i32],
    kitty: i32,
    seats_in: Vec<bool>,
    /// What each seat bought just before the deal.
    rebuys: &'a [i32],
}

/// A decision of an analysis.
#[derive(Serialize)]
pub(crate) struct Action {
    #[serde(rename = "do")]
    choice: Choice,
    chips: f64,
    ci95: f64,
    behind: f64,
    behind_ci95: f64,
}

impl Reply<'_> {
    pub(crate) fn line(&self) -> String {
        plain_json(&serde_json::to_string(self).expect("a reply is JSON")).into_owned()
    }

    pub(crate) fn error(id: Option<String>, refusal: Refusal) -> String {
        let Reason { code, field, message, at } = *refusal.0;
        Reply::Error { id, code, field, message, at }.line()
    }

    pub(crate) fn table(name: &str, id: Option<String>, table: &SessionTable) -> String {
        let (game, session, state) = (table.game(), table.session(), table.state());
        let (players, start) = (game.players(), session.deal_start());
        let view = state.actor().map(|seat| state.view(game, seat));
        let phase = view.as_ref().map(View::phase);
        let ante = view.as_ref().filter(|_| phase == Some(Phase::Ante)).map(View::chips_left);
        let set_apart = (phase == Some(Phase::SetApart)).then_some(5);
        let single = ante.or(set_apart).is_none();
        let name_of = |card| Name::of(card, game.rules().aces);
        let is_in = |seat| start.seats_in.contains(seat);
        let told = |seat| if is_in(seat) { table.told(seat).len() } else { 0 };
        let choices = |view: &View| {
            let legal = view.legal().iter().filter(|_| single);
            legal.filter_map(|action| Choice::of(view, &[action])).collect()
        };
        Reply::Table {
            id,
            table: name,
            deal: session.deal_number(),
            of: game.rules().session.deals,
            deal_over: state.is_over(),
            session_over: session.is_over(),
            winners: session
                .is_over()
                .then(|| SessionResult::of(game, session, state).winners.iter().collect()),
            dealer: start.dealer,
            stacks: &state.stacks()[..players],
            bought: &session.bought()[..players],
            layout: game.cells_of(state.layout()),
            kitty: state.kitty(),
            told: (0..players).map(told).collect(),
            before: Before {
                stacks: &start.stacks[..players],
                layout: game.cells_of(&start.layout),
                kitty: start.kitty,
                seats_in: (0..players).map(is_in).collect(),
                rebuys: &session.rebuys()[..players],
            },
            seat: state.actor(),
            hand: view.as_ref().map(|view| view.hand().iter().map(name_of).collect()),
            legal: view.as_ref().map(choices),
            ante,
            set_apart,
        }
        .line()
    }

    pub(crate) fn record(name: &str, id: Option<String>, table: &SessionTable) -> String {
        Reply::Record { id, table: name, record: table.record() }.line()
    }

    pub(crate) fn analysis(id: &str, analysis: &Analysis, view: &View, last: bool) -> String {
        // A thousandth of a chip is far below what sampling leaves open.
        let round = |value: f64| libm::round(value * 1000.0) / 1000.0;
        let action = |judged: Judged| Action {
            choice: judged.choice,
            chips: round(judged.chips),
            ci95: round(judged.ci95),
            behind: round(judged.behind),
            behind_ci95: round(judged.behind_ci95),
        };
        Reply::Analysis {
            id,
            r#final: last,
            worlds: analysis.worlds(),
            choices: analysis.choices(),
            all: analysis.all_tried(),
            actions: analysis.judged(view).into_iter().map(action).collect(),
        }
        .line()
    }
}
