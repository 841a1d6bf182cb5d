//! Lines of a trace that the host has from elsewhere: each deal is played again.
//!
//! The judge of trace files (`newmarket_env::trace::check`) has a referee that shares no code with the
//! state. Here the state plays: a page loads the state anyway.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use newmarket_env::rules::{Bankroll, Leftover, OnBust};
use newmarket_env::text::Joined as _;
use newmarket_env::trace::{Over, Place, Record, Schema};
use newmarket_env::{
    Action, Card, CardSet, DealStart, Event, Game, Gift, MAX_PLAYERS, Phase, Seats, Seed, Session,
    State, narrate,
};
use serde_json::{Map, Value};

use crate::decision::Choice;
use crate::fields::{Fields, Refusal, refuse};
use crate::reply::Reply;

/// Answers a `check`: whether the deal of a record is played by the rules. The deal may be any deal of
/// a session: the table before the deal is taken as the record has it.
pub(crate) fn check(mut fields: Fields) -> Result<Option<String>, Refusal> {
    let id: Option<String> = fields.get("id");
    let record: Map<String, Value> = fields.need("record");
    fields.end()?;
    let record = read(Fields::of(record))?;
    let game = record.game().or_else(|problem| refuse("rules", "rules", problem))?;
    let decisions = play_again(&record, &game)?;
    Ok(Some(Reply::Check { id, decisions, resolved: game.rules().resolved() }.line()))
}

/// Plays the deal of a record again and compares every event and every total; the number of decisions.
fn play_again(record: &Record, game: &Game) -> Result<usize, Refusal> {
    let (start, rebuys) = start(record, game)?;
    let pack = pack(record, game)?;
    let mut replay = Replay { game, state: State::blank(&start), record, due: rebuys };
    replay.go_on(None, &State::new(game, &start))?;
    let mut decisions = 0;
    loop {
        if replay.state.phase() == Phase::Deal {
            let mut after = replay.state;
            after.deal(game, &game.deal(&pack, start.dealer, start.seats_in));
            replay.go_on(None, &after)?;
        }
        let Some(seat) = replay.state.actor() else { break };
        for action in replay.decision(seat)? {
            let mut after = replay.state;
            after.apply_unchecked(game, action);
            replay.go_on(Some(action), &after)?;
        }
        decisions += 1;
    }
    let stacks = replay.close(&start)?;
    let Replay { state, due, .. } = replay;
    if due.len() < record.events.len() {
        return refuse(
            "trace",
            event(due.len()),
            "one event too many: due was the end of the deal",
        );
    }
    let over = Over {
        game,
        before: &start,
        deal: record.session.as_ref().map(|place| place.deal),
        pack: &pack,
        stacks: &stacks,
        layout: game.cells_of(state.layout()),
        kitty: state.kitty(),
    };
    same(record, &Record::new(&over, due))?;
    Ok(decisions)
}

/// A deal of a record, as far as it has been played again.
struct Replay<'a> {
    game: &'a Game,
    state: State,
    record: &'a Record,
    /// The events so far. The record has the same.
    due: Vec<Event>,
}

impl Replay<'_> {
    /// One step: its events are those of the record.
    fn go_on(&mut self, action: Option<Action>, after: &State) -> Result<(), Refusal> {
        let events = narrate(self.game, &self.state, action, after, None);
        self.due.extend(events);
        self.state = *after;
        self.compare()
    }

    fn compare(&self) -> Result<(), Refusal> {
        let recorded = self.record.events.iter().map(Some).chain(core::iter::repeat(None));
        let differs = self.due.iter().zip(recorded).position(|(due, event)| event != Some(due));
        differs.map_or(Ok(()), |nth| {
            let json = serde_json::to_string(&self.due[nth]).unwrap_or_default();
            refuse("trace", event(nth), format!("due was {json}"))
        })
    }

    /// The actions of the decision that the next event of the record tells of.
    fn decision(&self, seat: usize) -> Result<Vec<Action>, Refusal> {
        let next = self.record.events.get(self.due.len()).and_then(Choice::of_event);
        let choice = next.filter(|(decides, _)| *decides == seat);
        let taken = choice.and_then(|(_, choice)| choice.taken(&self.state.view(self.game, seat)));
        taken.map_or_else(
            || refuse("trace", event(self.due.len()), format!("due was a decision of seat {seat}")),
            Ok,
        )
    }

    /// Closes the deal: piles are given away after the last deal of a session. Where seats are drawn by
    /// lot, each seat that plays may have been drawn. Returns the stacks at the end.
    fn close(&mut self, start: &DealStart) -> Result<Vec<i32>, Refusal> {
        let stacks = |state: &State| state.stacks()[..self.game.players()].to_vec();
        let Some(place) = &self.record.session else { return Ok(stacks(&self.state)) };
        let session = Session::at(self.game, Seed::new(0), place.deal, *start, [0; MAX_PLAYERS]);
        let gifts = session.or_else(wrong)?.close(self.game, &mut self.state);
        let mut stacks = stacks(&self.state);
        let by_lot = self.game.rules().session.leftover == Leftover::Lot;
        for Gift { cell, seat, chips } in gifts {
            let from =
                cell.map_or("kitty".into(), |cell| self.game.rules().cells[cell].name.clone());
            let drawn = match self.record.events.get(self.due.len()) {
                Some(&Event::Leftover { seat, .. }) if by_lot => seat,
                _ => seat,
            };
            if !self.state.seats_in().contains(drawn) {
                return refuse("trace", event(self.due.len()), "expected a seat that plays");
            }
            stacks[seat] -= chips;
            stacks[drawn] += chips;
            self.due.push(Event::Leftover { from, seat: drawn, chips });
        }
        self.compare()?;
        Ok(stacks)
    }
}

/// The name of an event in an error.
fn event(nth: usize) -> String {
    format!("events[{nth}]")
}

fn wrong<T>(problem: &str) -> Result<T, Refusal> {
    Err(Refusal::new("trace", None, problem))
}

/// The table before the deal, after the rebuys that are due, and these.
fn start(record: &Record, game: &Game) -> Result<(DealStart, Vec<Event>), Refusal> {
    let (players, rules) = (game.players(), &game.rules().session);
    let bankroll = rules.bankroll;
    if record.dealer >= players {
        return refuse("trace", "dealer", format!("expected a seat, 0 to {}", players - 1));
    }
    let mut start = DealStart::fresh(players, record.dealer);
    fill(&mut start.stacks[..players], "stacks_before", &record.stacks_before)?;
    fill(&mut start.layout[..game.cells()], "layout_before", &record.layout_before)?;
    start.kitty = record.kitty_before;
    if let Some(seats_in) = &record.seats_in {
        if seats_in.len() != players || !seats_in.contains(&false) || record.session.is_none() {
            let expected = "expected true or false for each seat, in a session in which one is out";
            return refuse("trace", "seats_in", expected);
        }
        start.seats_in = (0..players).filter(|&seat| seats_in[seat]).collect::<Seats>();
    }
    let mut rebuys = Vec::new();
    let Some(place) = &record.session else {
        start.check(game).or_else(wrong)?;
        return Ok((start, rebuys));
    };
    if place.of != rules.deals {
        return refuse("trace", "session.of", format!("expected {}, as in the rules", rules.deals));
    }
    if place.bankroll != bankroll.value() {
        let expected = format!("expected {}, as in the rules", bankroll.value());
        return refuse("trace", "session.bankroll", expected);
    }
    if !(1..=rules.deals).contains(&place.deal) {
        return refuse("trace", "session.deal", format!("expected 1 to {}", rules.deals));
    }
    start.credit = bankroll == Bankroll::Credit;
    start.deals_left = Some(rules.deals - place.deal);
    if let Bankroll::Chips { start: chips, on_bust: OnBust::Rebuy } = bankroll {
        for seat in 0..players {
            let stack = &mut start.stacks[seat];
            if *stack < game.rules().full_ante(seat == record.dealer) {
                rebuys.push(Event::Rebuy { seat, chips: chips - *stack });
                *stack = chips;
            }
        }
    }
    start.check(game).or_else(wrong)?;
    Ok((start, rebuys))
}

fn fill(places: &mut [i32], key: &str, chips: &[i32]) -> Result<(), Refusal> {
    if chips.len() != places.len() {
        return refuse("trace", key, format!("expected {} numbers", places.len()));
    }
    places.copy_from_slice(chips);
    Ok(())
}

/// The cards of a record: all cards of the game, each once.
fn pack(record: &Record, game: &Game) -> Result<Vec<Card>, Refusal> {
    let aces = game.rules().aces;
    let pack: Vec<Card> = record.pack.iter().map(|name| name.card(aces)).collect();
    let cards: CardSet = pack.iter().copied().collect();
    if cards != game.pack() || pack.len() != cards.len() {
        let expected = format!("expected the {} cards of the game, each once", game.pack().len());
        return refuse("trace", "pack", expected);
    }
    Ok(pack)
}

/// Compares the totals of a record.
fn same(record: &Record, due: &Record) -> Result<(), Refusal> {
    let lists = [
        ("payoffs", &record.payoffs, &due.payoffs),
        ("stacks_after", &record.stacks_after, &due.stacks_after),
        ("layout_after", &record.layout_after, &due.layout_after),
    ];
    if let Some((key, _, due)) = lists.into_iter().find(|(_, found, due)| found != due) {
        let due: Vec<String> = due.iter().map(ToString::to_string).collect();
        return refuse("trace", key, format!("due was [{}]", due.joined(",")));
    }
    if record.kitty_after != due.kitty_after {
        return refuse("trace", "kitty_after", format!("due was {}", due.kitty_after));
    }
    Ok(())
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
