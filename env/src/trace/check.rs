//! The check of traces: takes the decisions out of a record, plays the deal again and compares.

use alloc::format;
use alloc::string::String;
use alloc::string::ToString;
use alloc::vec::Vec;

use std::io::BufRead;

use super::session::{self, Open, Start};
use super::{Record, TraceFault, lines};
use crate::action::{Action, ActionMask};
use crate::card::{Card, Suit};
use crate::deal_start::DealStart;
use crate::game::{Game, Hands};
use crate::referee::{Event, PlayError, Referee};
use crate::rules::ChangeSuit;

/// The contents of a trace without a fault.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct CheckSummary {
    /// Deals, one a line.
    pub deals: usize,
    /// Sessions, complete ones.
    pub sessions: usize,
    /// Events of all deals.
    pub events: usize,
    /// Decisions, forced ones included.
    pub decisions: usize,
}

/// A deal of a trace without a fault.
#[derive(Clone, Debug)]
pub struct CheckedDeal {
    /// The line of the file, from 1.
    pub line: usize,
    /// The rules and the table.
    pub game: Game,
    /// The table before the deal, after any rebuys.
    pub start: DealStart,
    /// The cards as they were dealt.
    pub hands: Hands,
    /// The number of the deal in its session, from 1; `None` for a single deal.
    pub deal: Option<u32>,
    /// Whether it ends its session.
    pub ends_session: bool,
    /// All decisions in order, the forced ones included.
    pub actions: Vec<Action>,
    /// Events of the record.
    pub events: usize,
}

/// Plays every deal of a trace file again, and compares every event, every total, and how the deals of a
/// session follow each other. It reads line by line. Any program may have written the file.
///
/// # Errors
/// The first fault.
pub fn check(from: impl BufRead) -> Result<CheckSummary, TraceFault> {
    let mut summary = CheckSummary::default();
    for deal in deals(from) {
        let deal = deal?;
        summary.deals += 1;
        summary.events += deal.events;
        summary.decisions += deal.actions.len();
        summary.sessions += usize::from(deal.ends_session);
    }
    Ok(summary)
}

/// The deals of a trace file, each [checked](check) as it is read; the first fault ends the iterator. A
/// trace may end within a session.
pub fn deals(from: impl BufRead) -> impl Iterator<Item = Result<CheckedDeal, TraceFault>> {
    let mut records = lines(from);
    let mut open: Option<Open> = None;
    let (mut begun, mut over) = (false, false);
    core::iter::from_fn(move || {
        if over {
            return None;
        }
        let deal = match records.next() {
            Some(record) => record.and_then(|(line, record)| {
                let (deal, after) = check_line(&record, line, open.as_ref())?;
                open = after;
                Ok(deal)
            }),
            None if begun => return None,
            None => {
                let problem = "the file is empty: expected one deal a line".into();
                Err(TraceFault { line: 1, event: None, problem })
            }
        };
        (begun, over) = (true, deal.is_err());
        Some(deal)
    })
}

/// A fault within a line.
struct Problem {
    /// The index of the event.
    event: Option<usize>,
    text: String,
}

impl From<String> for Problem {
    fn from(text: String) -> Self {
        Self { event: None, text }
    }
}

/// Checks one line. Returns the session that is open after it, if any.
fn check_line(
    record: &Record,
    line: usize,
    open: Option<&Open>,
) -> Result<(CheckedDeal, Option<Open>), TraceFault> {
    check_record(record, line, open).map_err(|problem| TraceFault {
        line,
        event: problem.event.map(|index| {
            let json = record.events.get(index).and_then(|e| serde_json::to_string(e).ok());
            (index + 1, json.unwrap_or_default())
        }),
        problem: problem.text,
    })
}

fn check_record(
    record: &Record,
    line: usize,
    open: Option<&Open>,
) -> Result<(CheckedDeal, Option<Open>), Problem> {
    let game = record.game()?;
    let Start { table: deal_start, rebuys, deal } = session::start(record, &game, open)?;
    let pack = pack_of(record, &game)?;
    let mut replay = Replay { recorded: &record.events, matched: 0, placed: Vec::new(), picked: 0 };
    let (bought, mut actions) = (rebuys.len(), Vec::new());
    replay.compare(&rebuys, 0)?;
    let played = Referee::play(&game, deal_start, &pack, |deal, seat, legal| {
        replay.compare(deal.events(), bought)?;
        let action = replay.decide(deal, seat, legal)?;
        actions.push(action);
        Ok(action)
    });
    let played = played.map_err(|error: PlayError<Problem>| match error {
        PlayError::Decision(problem) => problem,
        PlayError::Pack(text) => text.into(),
        PlayError::DealStart(text) => text.to_string().into(),
        // `decide` looks before it answers.
        PlayError::Illegal { action, .. } => format!("{action} is not legal").into(),
    })?;
    replay.compare(played.events(), bought)?;
    let open = deal.and_then(|deal| session::after(&played, deal));
    let mut after = After::of(&played);
    if deal.is_some() && open.is_none() {
        let so_far = replay.matched;
        let gifts = session::leftover(&played, &record.events[so_far..]);
        replay.compare(&gifts, so_far)?;
        after.give_away(&played, &gifts);
    }
    if replay.matched < record.events.len() {
        let text = "one event too many: due was the end of the deal".into();
        return Err(Problem { event: Some(replay.matched), text });
    }
    let payoffs: Vec<i32> =
        after.stacks.iter().zip(deal_start.stacks).map(|(after, before)| after - before).collect();
    total("payoffs", &record.payoffs, &payoffs)?;
    total("stacks_after", &record.stacks_after, &after.stacks)?;
    total("layout_after", &record.layout_after, &after.layout)?;
    total("kitty_after", &record.kitty_after, &after.kitty)?;
    let ends_session = deal.is_some() && open.is_none();
    let hands = game.deal(&pack, deal_start.dealer, deal_start.seats_in);
    let (start, events) = (deal_start, record.events.len());
    Ok((CheckedDeal { line, game, start, hands, deal, ends_session, actions, events }, open))
}

/// The cards of a record. The referee checks that they are the pack.
fn pack_of(record: &Record, game: &Game) -> Result<Vec<Card>, String> {
    let expected = game.pack().len();
    if record.pack.len() > expected {
        let found = record.pack.len();
        return Err(format!("the pack: {found} cards: expected the {expected} cards of the game"));
    }
    Ok(record.pack.iter().map(|name| name.card(game.rules().aces)).collect())
}

fn total<T: PartialEq + core::fmt::Debug>(key: &str, found: &T, due: &T) -> Result<(), Problem> {
    if found == due {
        return Ok(());
    }
    Err(format!("`{key}` is {found:?}: due was {due:?}").into())
}

/// The chips at the end of a record.
struct After {
    stacks: Vec<i32>,
    layout: Vec<i32>,
    kitty: i32,
}

impl After {
    fn of(played: &Referee<'_>) -> Self {
        Self {
            stacks: played.stacks().to_vec(),
            layout: played.layout().to_vec(),
            kitty: played.kitty(),
        }
    }

    fn give_away(&mut self, played: &Referee<'_>, gifts: &[Event]) {
        for gift in gifts {
            let Event::Leftover { from, seat, chips } = gift else { continue };
            self.stacks[*seat] += chips;
            match played.game().rules().cells.iter().position(|cell| cell.name == *from) {
                Some(cell) => self.layout[cell] -= chips,
                None => self.kitty -= chips,
            }
        }
    }
}

/// The events of a record, compared with those of the referee one after the other.
struct Replay<'r> {
    recorded: &'r [Event],
    /// The number of events compared so far.
    matched: usize,
    /// Chips of a free ante that has not ended yet, by cell.
    placed: Vec<i32>,
    /// The number of cards of a `set_apart` that has not ended yet.
    picked: usize,
}

impl Replay<'_> {
    /// Compares those of `due` that have not been compared yet; `due[0]` stands for the recorded
    /// event of index `offset`.
    fn compare(&mut self, due: &[Event], offset: usize) -> Result<(), Problem> {
        for event in &due[self.matched - offset..] {
            if self.recorded.get(self.matched) != Some(event) {
                let json = serde_json::to_string(event).unwrap_or_default();
                return Err(self.problem(format!("due was {json}")));
            }
            self.matched += 1;
            self.placed.clear();
            self.picked = 0;
        }
        Ok(())
    }

    fn problem(&self, text: String) -> Problem {
        let ended = self.matched >= self.recorded.len();
        let text = if ended { format!("the events end too early: {text}") } else { text };
        Problem { event: Some(self.matched), text }
    }

    /// The decision that the next recorded event tells of.
    fn decide(
        &mut self,
        deal: &Referee<'_>,
        asked: usize,
        legal: ActionMask,
    ) -> Result<Action, Problem> {
        let action = match self.recorded.get(self.matched) {
            Some(Event::Ante { seat, layout, .. }) if *seat == asked => {
                self.next_chip(deal, layout)
            }
            Some(Event::Keep { seat }) if *seat == asked => Some(Action::KEEP),
            Some(Event::Exchange { seat, .. }) if *seat == asked => Some(Action::EXCHANGE),
            Some(Event::Auction { seat }) if *seat == asked => Some(Action::AUCTION),
            Some(Event::Bid { seat, .. }) if *seat == asked => Some(Action::BID),
            Some(Event::Pass { seat }) if *seat == asked => Some(Action::PASS),
            Some(Event::SetApart { seat, cards }) if *seat == asked => {
                let next = cards.get(self.picked);
                self.picked += 1;
                next.map(|card| Action::pick(card.card(deal.game().rules().aces)))
            }
            Some(Event::Check { seat, .. }) if *seat == asked => Some(Action::CHECK),
            Some(Event::Bet { seat, .. }) if *seat == asked => Some(Action::BET),
            Some(Event::Call { seat, .. }) if *seat == asked => Some(Action::CALL),
            Some(Event::Raise { seat, .. }) if *seat == asked => Some(Action::RAISE),
            Some(Event::Fold { seat, .. }) if *seat == asked => Some(Action::FOLD),
            Some(Event::Lead { seat, card }) if *seat == asked => Some(Action::lead(card.suit())),
            _ => None,
        };
        match action {
            Some(action) if legal.contains(action) => Ok(action),
            Some(action) if legal.iter().any(|option| same_kind(option, action)) => {
                let why =
                    reason(deal, asked, action).map_or(String::new(), |why| format!(" ({why})"));
                let action = deal.game().action_in_words(action);
                Err(self.problem(format!(
                    "seat {asked} cannot {action}{why}: due was {}",
                    options(deal, legal)
                )))
            }
            _ => Err(self.problem(format!("due was seat {asked}: {}", options(deal, legal)))),
        }
    }

    /// The next chip of a recorded ante, in layout order; none if it has no more.
    fn next_chip(&mut self, deal: &Referee<'_>, layout: &[i32]) -> Option<Action> {
        self.placed.resize(deal.layout().len(), 0);
        let cell = (0..self.placed.len())
            .find(|&cell| layout.get(cell).is_some_and(|&chips| self.placed[cell] < chips))?;
        self.placed[cell] += 1;
        Some(Action::chip(cell))
    }
}

/// Whether both answer the same question.
fn same_kind(a: Action, b: Action) -> bool {
    let question = |action: Action| match action {
        Action::BID | Action::PASS => 0,
        Action::CHECK | Action::BET => 1,
        Action::CALL | Action::RAISE | Action::FOLD => 2,
        _ if action.suit().is_some() => 3,
        _ if action.cell().is_some() => 4,
        _ if action.card().is_some() => 5,
        _ => 6,
    };
    question(a) == question(b)
}

fn options(deal: &Referee<'_>, legal: ActionMask) -> String {
    let words: Vec<String> =
        legal.iter().map(|action| deal.game().action_in_words(action)).collect();
    words.join(" or ")
}

/// Why an action is not legal, where that takes a word.
fn reason(deal: &Referee<'_>, seat: usize, action: Action) -> Option<String> {
    let rules = deal.game().rules();
    if action.cell().is_some() {
        return Some(match rules.cell_cap {
            Some(cap) => format!("cells are full at {cap}"),
            None => "the layout has no such cell".into(),
        });
    }
    if let Some(card) = action.card() {
        let last = deal.apart(seat).last();
        return Some(if !deal.hand(seat).contains(&card) {
            "it does not hold it".into()
        } else if last.is_some_and(|&last| card <= last) {
            "five cards in the order of a hand".into()
        } else {
            "five cards are to be set apart".into()
        });
    }
    if [Action::BID, Action::EXCHANGE, Action::BET, Action::CALL, Action::RAISE].contains(&action) {
        return Some("it is not offered, or the chips do not cover it".into());
    }
    let suit = action.suit()?;
    if !deal.hand(seat).iter().any(|card| card.suit() == suit) {
        return Some("it holds none".into());
    }
    let stopped = deal.events().iter().rev().find_map(|event| match event {
        Event::Stop { card, .. } => Some(card.suit()),
        _ => None,
    });
    let Some(stopped) = stopped else {
        return Some("the first lead is the lowest card of the rules' suit".into());
    };
    Some(match rules.change_suit {
        ChangeSuit::OtherColour => other_colour_reason(suit, stopped).into(),
        ChangeSuit::ElseSame => "the suit that stopped, and it holds another".into(),
        ChangeSuit::ElsePass | ChangeSuit::Free => "the suit that stopped".into(),
    })
}

fn other_colour_reason(suit: Suit, stopped: Suit) -> &'static str {
    if suit.is_red() == stopped.is_red() {
        "the colour that stopped"
    } else {
        "not its lowest card of the other colour"
    }
}
