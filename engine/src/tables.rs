//! Both halves of the protocol for one host: tables that deal here, and the engine that plays at them.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use newmarket_agents::strategy::Strategy;
use newmarket_env::rules::NAMES;
use newmarket_env::{Action, ActionMask, MAX_PLAYERS, Observation, Phase, Rules, Seed, View};
use serde_json::{Map, Value};

use crate::check;
use crate::decision::Choice;
use crate::engine::{Engine, not_to_act};
use crate::faults;
use crate::fields::{Fields, Refusal, refuse};
use crate::named::Named;
use crate::player::Player;
use crate::reply::Reply;
use crate::requests::{Answer, Handler, handler, has_room, names, received, unknown};
use crate::seat::{Opening, Seat, fill};
use crate::shared;
use crate::table::SessionTable;

/// An engine whose host may have the cards dealt here, too. It speaks the protocol of [`Engine`],
/// and the messages of `TABLES.md`.
pub struct Tables {
    engine: Engine,
    open: Named<Box<Open>>,
    /// The actions so far of decisions in progress, by table.
    begun: Named<Vec<Action>>,
}

/// A table that was opened here.
struct Open {
    table: SessionTable,
    seed: Seed,
    /// The players' half of each seat that has been asked in this deal.
    seats: [Option<Box<Seat>>; MAX_PLAYERS],
}

/// A question to a network: one action, of which a decision may take several.
#[derive(Clone, Copy, Debug)]
pub struct Asked {
    /// The seat that is to act.
    pub seat: usize,
    /// The observation of the seat.
    pub observation: Observation,
    /// The legal actions. For poker, one card of the best five: networks do not decide which cards are set
    /// apart.
    pub legal: ActionMask,
}

type Result<T, E = Refusal> = core::result::Result<T, E>;

impl Tables {
    /// No table is open.
    pub const fn new(engine: Engine) -> Self {
        Self { engine, open: Named::new(), begun: Named::new() }
    }

    /// Whether the host has said `quit`.
    pub const fn is_over(&self) -> bool {
        self.engine.is_over()
    }

    /// Whether there is [work](Self::work) to do.
    pub fn is_busy(&self) -> bool {
        self.engine.is_busy()
    }

    /// Works on one question, as [`Engine::work`].
    pub fn work(&mut self) -> Vec<String> {
        self.engine.work()
    }

    /// Answers one line of the host. A line that is refused changes nothing.
    pub fn receive(&mut self, line: &[u8]) -> Vec<String> {
        received(line, |fields| self.answer(fields))
    }

    /// The requests of `TABLES.md` that the engine does not take, with the functions that answer them. The type has
    /// been taken from the fields.
    const REQUESTS: [(&str, Handler<Self>); 12] = [
        ("open", Self::open),
        ("state", Self::look),
        ("answer", Self::decided),
        ("undo", Self::undo),
        ("next", Self::next),
        ("record", Self::record),
        ("told", Self::told),
        ("rules", |_, fields| Self::rules(fields)),
        ("strategy", Self::strategy),
        ("options", |_, fields| Self::options(fields)),
        ("code", |tables, fields| shared::code(fields, &mut tables.engine.games)),
        ("check", |_, fields| check::check(fields)),
    ];

    fn answer(&mut self, mut fields: Fields) -> Answer {
        let kind: String = fields.need("type");
        fields.sound()?;
        if let Some(answer) = handler(&Self::REQUESTS, &kind) {
            return answer(self, fields);
        }
        let Some(answer) = handler(&Engine::REQUESTS, &kind) else {
            return unknown(&[names(&Engine::REQUESTS), names(&Self::REQUESTS)].concat());
        };
        let name: String = fields.text("table").unwrap_or_default().into();
        let is_open = self.open.has(&name);
        match &*kind {
            "ask" | "analyse" if is_open || !self.engine.seats.has(&name) => {
                self.ask(&kind, fields)
            }
            "over" if is_open => self.close(fields),
            "deal" | "event" if is_open => refuse("table", "table", "it is one that deals here"),
            _ => {
                let answered = answer(&mut self.engine, fields)?;
                self.begun.remove(&name);
                Ok(answered)
            }
        }
    }

    fn open(&mut self, mut fields: Fields) -> Answer {
        let name: String = fields.need("table");
        let id: Option<String> = fields.get("id");
        let (game, session, seed) = shared::session(&mut fields, &mut self.engine.games)?;
        let mut rebuys = [0; MAX_PLAYERS];
        fill(&mut rebuys[..game.players()], "rebuys", &mut fields)?;
        fields.end()?;
        let session =
            session.after_rebuys(rebuys).or_else(|problem| refuse("deal", "rebuys", problem))?;
        if self.engine.seats.has(&name) {
            return refuse("table", "table", "it is one that the host deals at");
        }
        has_room(&self.open, &name)?;
        self.leave(&name);
        let (table, seats) = (SessionTable::begin(game, session), Default::default());
        self.open.insert(&name, Box::new(Open { table, seed, seats }));
        self.reply(&name, id)
    }

    fn look(&mut self, fields: Fields) -> Answer {
        let (name, id) = self.named(fields)?;
        self.reply(&name, id)
    }

    fn told(&mut self, mut fields: Fields) -> Answer {
        let seat: usize = fields.need("seat");
        let at: usize = fields.need("at");
        let (name, id) = self.named(fields)?;
        let table = &self.opened(&name)?.table;
        if !table.state().seats_in().contains(seat) {
            return refuse("field", "seat", "expected a seat that plays this deal");
        }
        let Some(events) = table.told(seat).get(at..) else {
            let told = table.told(seat).len();
            return refuse("field", "at", format!("the seat has been told {told} events"));
        };
        Ok(Some(Reply::Event { id, table: &name, at, events }.line()))
    }

    fn decided(&mut self, mut fields: Fields) -> Answer {
        let choice = fields.choice()?;
        let (name, id) = self.named(fields)?;
        self.take(&name, &choice)?;
        self.reply(&name, id)
    }

    fn undo(&mut self, fields: Fields) -> Answer {
        let (name, id) = self.named(fields)?;
        if !self.opened(&name)?.table.undo() {
            return refuse("turn", "table", "no decision of this deal has been taken");
        }
        self.leave(&name);
        self.reply(&name, id)
    }

    fn next(&mut self, fields: Fields) -> Answer {
        let (name, id) = self.named(fields)?;
        let table = &mut self.opened(&name)?.table;
        if !table.state().is_over() {
            return refuse("turn", "table", "the deal is not over");
        }
        if table.session().is_over() {
            return refuse("turn", "table", "the session is over");
        }
        table.next_deal();
        self.leave(&name);
        self.reply(&name, id)
    }

    /// The deal that is over, as a trace has it.
    fn record(&mut self, fields: Fields) -> Answer {
        let (name, id) = self.named(fields)?;
        let table = &self.opened(&name)?.table;
        if !table.state().is_over() {
            return refuse("turn", "table", "the deal is not over");
        }
        Ok(Some(Reply::record(&name, id, table)))
    }

    /// What is wrong with rules, or all their options.
    fn rules(mut fields: Fields) -> Answer {
        let id: Option<String> = fields.get("id");
        let rules: Map<String, Value> = fields.need("rules");
        let players: Option<usize> = fields.get("players");
        fields.end()?;
        let reply = match faults::read(&rules, players) {
            Err(faults) => {
                Reply::Rules { id, faults, resolved: None, overrides: None, words: Vec::new() }
            }
            Ok(rules) => Reply::Rules {
                id,
                faults: Vec::new(),
                resolved: Some(rules.resolved()),
                overrides: Some(rules.overrides()),
                words: rules.in_words(),
            },
        };
        Ok(Some(reply.line()))
    }

    /// What is wrong with a strategy.
    fn strategy(&mut self, mut fields: Fields) -> Answer {
        let id: Option<String> = fields.get("id");
        let content: Map<String, Value> = fields.need("strategy");
        fields.end()?;
        let (faults, name, about) = match self.engine.strategy(&Value::Object(content)) {
            Err(faults) => (faults::told(&faults), None, None),
            Ok(strategy) => {
                let content = strategy.content();
                (Vec::new(), content.name.clone(), Some(content.about.clone()))
            }
        };
        Ok(Some(Reply::Strategy { id, faults, name, about }.line()))
    }

    /// The named games, and the options of rules.
    fn options(mut fields: Fields) -> Answer {
        let id: Option<String> = fields.get("id");
        fields.end()?;
        Ok(Some(Reply::Options { id, games: &NAMES, options: Rules::options() }.line()))
    }

    fn close(&mut self, fields: Fields) -> Answer {
        let (name, _) = self.named(fields)?;
        self.leave(&name);
        self.open.remove(&name);
        Ok(None)
    }

    /// A question about the seat that is to act, as its player's half is asked it.
    fn ask(&mut self, kind: &str, mut fields: Fields) -> Answer {
        let name: String = fields.need("table");
        let player = (kind == "ask").then(|| fields.need::<Player>("player"));
        fields.sound()?;
        let Self { engine, open, .. } = self;
        let Some(open) = open.get_mut(&name) else { return not_open() };
        let seat = open.seated(engine, player.as_ref())?;
        fields.set("table", name);
        fields.set("at", seat.seen.events());
        match kind {
            "ask" => engine.ask(fields, Some(seat)),
            _ => engine.analyse(fields, Some(seat)),
        }
    }

    /// The question to a network at a table that was opened here, or of which the host sends events.
    ///
    /// # Errors
    /// The line of the refusal: no seat is to act, or not the seat that is played here.
    pub fn observe(&mut self, table: &str) -> Result<Asked, String> {
        self.asked(table).map_err(|refusal| Reply::error(None, refusal))
    }

    /// Takes an action that a network chose. Returns the line of a decision that is now whole, which is
    /// also taken at a table that was opened here; `None` if the decision takes more actions.
    ///
    /// # Errors
    /// The line of the refusal; nothing has then changed.
    pub fn act(&mut self, table: &str, action: Action) -> Result<Option<String>, String> {
        self.acted(table, action).map_err(|refusal| Reply::error(None, refusal))
    }

    fn asked(&mut self, name: &str) -> Result<Asked> {
        let taken = self.begun.get(name).cloned().unwrap_or_default();
        let seat = self.seat_of(name)?;
        let (step, _) = walk(seat, &taken)?;
        let number = seat.seen.seat();
        let look = |view: &View| (Observation::of(view), view.legal());
        let (observation, legal) = match step {
            Some(step) => step,
            None => look(&seat.seen.asked().map_err(not_to_act)?),
        };
        Ok(Asked { seat: number, observation, legal })
    }

    fn acted(&mut self, name: &str, action: Action) -> Answer {
        let mut taken = self.begun.get(name).cloned().unwrap_or_default();
        let seat = self.seat_of(name)?;
        taken.push(action);
        let (step, actions) = walk(seat, &taken)?;
        if step.is_some() {
            self.begun.insert(name, taken);
            return Ok(None);
        }
        let number = seat.seen.seat();
        let Some(choice) = Choice::of(&seat.seen.view(), &actions) else {
            return refuse("turn", "table", "it is no decision");
        };
        self.begun.remove(name);
        if self.open.has(name) {
            self.take(name, &choice)?;
        }
        Ok(Some(Reply::Did { table: name, seat: number, choice }.line()))
    }

    /// The player's half of the seat that is to act, or that is played here.
    fn seat_of(&mut self, name: &str) -> Result<&mut Seat> {
        let Self { engine, open, .. } = self;
        match open.get_mut(name) {
            Some(open) => open.seated(engine, None),
            None => engine.seat(name),
        }
    }

    fn take(&mut self, name: &str, choice: &Choice) -> Result<()> {
        let taken = self.opened(name)?.table.answer(choice);
        self.begun.remove(name);
        taken
            .or_else(|error| refuse("illegal", "do", format!("{error}: `state` tells what is due")))
    }

    /// Forgets what the seats of a table were told, and the decision in progress.
    fn leave(&mut self, name: &str) {
        self.begun.remove(name);
        if let Some(open) = self.open.get_mut(name) {
            open.seats = Default::default();
        }
    }

    fn opened(&mut self, name: &str) -> Result<&mut Open> {
        self.open.get_mut(name).map_or_else(not_open, |open| Ok(&mut **open))
    }

    /// Reads a message with no other fields than the name of an open table and an id.
    fn named(&mut self, mut fields: Fields) -> Result<(String, Option<String>)> {
        let name: String = fields.need("table");
        let id = fields.get("id");
        fields.end()?;
        self.opened(&name)?;
        Ok((name, id))
    }

    fn reply(&mut self, name: &str, id: Option<String>) -> Answer {
        Ok(Some(Reply::table(name, id, &self.opened(name)?.table)))
    }
}

impl Open {
    /// Tells the seat that is to act all that it may know, for this player.
    fn seated(&mut self, engine: &mut Engine, player: Option<&Player>) -> Result<&mut Seat> {
        let Self { table, seed, seats } = self;
        let Some(number) = table.state().actor() else {
            return refuse("turn", "table", "nobody is to act: the deal is over");
        };
        let seat = &mut seats[number];
        if seat.is_none() {
            // Players draw from streams of their own, apart from those of the cards.
            let stream = seed.child(8).child(u64::from(table.session().deal_number()));
            let opening = Opening::of(table, number, stream.child(number as u64));
            *seat = Some(Box::new(Seat::new(opening, None, Box::new(placeholder()))?));
        }
        let seat = seat.as_mut().expect("it is there");
        if let Some(player) = player
            && seat.player.as_ref() != Some(player)
        {
            seat.agent = engine.player(player)?;
            seat.player = Some(player.clone());
        }
        let at = seat.seen.events();
        seat.tell(at, table.told_from(number, at))?;
        Ok(seat)
    }
}

/// The player at an open table before the host has named one; it is never asked.
fn placeholder() -> Strategy {
    Strategy::named("stopper").expect("it is one of them")
}

fn not_open<T>() -> Result<T> {
    refuse("table", "table", "no table of that name is open")
}

/// The observation and the legal actions of one step of a decision.
type Step = (Observation, ActionMask);

/// The next step of a decision after these actions, if there is one, and all actions so far, forced ones
/// included.
fn walk(seat: &mut Seat, taken: &[Action]) -> Result<(Option<Step>, Vec<Action>)> {
    let (mut left, mut step, mut illegal) = (taken.iter(), None, None);
    let first = seat.seen.asked().map_err(not_to_act)?.legal();
    let actions = seat.seen.decide(|view| {
        let legal = view.legal();
        let by_rule = (view.phase() == Phase::SetApart).then(|| view.pick_of_best_five());
        match left.next() {
            Some(&action) if step.is_none() && legal.contains(action) => return action,
            Some(&action) => illegal = illegal.or(Some(action)),
            None if step.is_none() => {
                let legal = by_rule.map_or(legal, ActionMask::only);
                step = Some((Observation::of(view), legal));
            }
            None => {}
        }
        // The later actions do not matter.
        legal.first().expect("a decision has a choice")
    });
    let actions = actions.map_err(not_to_act)?;
    // A forced action is not asked for, but the host may take it.
    if first.is_forced() && taken.first().is_some_and(|&action| first.contains(action)) {
        left.next();
    }
    if let Some(action) = illegal.or(left.next().copied()) {
        return refuse("illegal", "action", format!("{action} is not legal here"));
    }
    Ok((step, actions))
}
