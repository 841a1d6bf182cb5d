//! The player's half of the protocol: lines in, lines out.

use alloc::borrow::ToOwned;
use alloc::boxed::Box;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;
use core::time::Duration;

use newmarket_agents::Agent;
use newmarket_agents::net::{self, PolicyTrials};
use newmarket_agents::search::{Clock, Playout};
use newmarket_agents::strategy::{Content, Strategy};
use newmarket_env::rules::{Fault, Faults};
use newmarket_env::text::{Joined as _, QUOTED, brief, parted};
use newmarket_env::{Impossible, Seed, Seen, encode};
use serde_json::Value;

use crate::VERSION;
use crate::analysis::{Analysis, FEWEST_WORLDS, Trials};
use crate::decision::Choice;
use crate::fields::{Fields, Refusal, refuse};
use crate::named::Named;
use crate::player::{self, Player};
use crate::reasons::reasons;
use crate::reply::Reply;
use crate::requests::{Answer, Handler, handler, has_room, names, received, unknown};
use crate::seat::{Games, Opening, Seat};

/// Bytes of the longest line.
pub const LONGEST_LINE: usize = 64 << 10;
/// The most players of different names, and questions in progress.
const MOST_PLAYERS: usize = 64;
const MOST_QUESTIONS: usize = 256;
/// The most worlds of a budget.
const MOST_WORLDS: u64 = 65_536;
/// Worlds of an analysis that names no budget.
const WORLDS: u32 = 256;
/// Worlds between two looks at the clock and at the host's messages.
const SLICE: u32 = 8;

/// The latest time of the first of several answers.
const FIRST: Duration = Duration::from_millis(200);

/// Gives the player of a name, or says why there is none.
pub type PlayerSource = Box<dyn FnMut(&str) -> Result<Box<dyn Agent>, String>>;

/// Players for a host. The engine answers lines; longer work is done in slices by [`Engine::work`].
pub struct Engine {
    players: PlayerSource,
    names: Vec<String>,
    clock: Clock,
    known: Vec<(Player, Box<dyn Agent>)>,
    pub(crate) games: Games,
    pub(crate) seats: Named<Box<Seat>>,
    questions: Vec<Question>,
    over: bool,
}

/// The budget of a question.
#[derive(Clone, Copy, PartialEq)]
enum Budget {
    Worlds(u32),
    Time(Duration),
}

impl Budget {
    /// Spent, however long the question has taken.
    const OVER: Self = Self::Time(Duration::ZERO);
}

/// A question that is answered in slices of work.
struct Question {
    id: String,
    seen: Seen,
    begun: Duration,
    budget: Budget,
    kind: Kind,
}

impl Question {
    /// Lets the question end with its results so far; without any, with a little work.
    const fn hurry(&mut self) {
        self.budget = Budget::OVER;
    }
}

enum Kind {
    Analysis {
        analysis: Box<Analysis>,
        every: Option<Duration>,
        next: Duration,
    },
    /// The same decision with more and more worlds.
    Ask {
        player: Player,
        worlds: u32,
        found: Option<Choice>,
        stream: Seed,
        /// Whether the answer has reasons.
        why: bool,
    },
}

impl Engine {
    /// An engine with these players. `names` are those that the host is told of.
    pub fn new(players: PlayerSource, names: &[&str], clock: Clock) -> Self {
        Self {
            players,
            names: names.iter().map(|&name| name.to_owned()).collect(),
            clock,
            known: Vec::new(),
            games: Games::default(),
            seats: Named::new(),
            questions: Vec::new(),
            over: false,
        }
    }

    /// Whether the host has sent `quit`.
    pub const fn is_over(&self) -> bool {
        self.over
    }

    /// Whether there is [work](Self::work) to do.
    pub fn is_busy(&self) -> bool {
        !self.questions.is_empty()
    }

    /// Answers one line of the host. A line that is refused changes nothing.
    pub fn receive(&mut self, line: &[u8]) -> Vec<String> {
        received(line, |fields| self.answer(fields))
    }

    /// The requests of `PROTOCOL.md`, with the functions that answer them. The type has been taken from the fields.
    pub(crate) const REQUESTS: [(&str, Handler<Self>); 8] = [
        ("hello", Self::hello),
        ("deal", Self::deal),
        ("event", Self::event),
        ("ask", |engine, fields| engine.ask(fields, None)),
        ("analyse", |engine, fields| engine.analyse(fields, None)),
        ("stop", Self::stop),
        ("over", Self::close),
        ("quit", Self::quit),
    ];

    /// Answers a message, with a line or without.
    fn answer(&mut self, mut fields: Fields) -> Answer {
        let kind: String = fields.need("type");
        fields.sound()?;
        match handler(&Self::REQUESTS, &kind) {
            Some(answer) => answer(self, fields),
            None => unknown(&names(&Self::REQUESTS)),
        }
    }

    fn hello(&mut self, mut fields: Fields) -> Answer {
        let versions: Vec<u64> = fields.need("versions");
        fields.get::<String>("name");
        let id: Option<String> = fields.get("id");
        fields.end()?;
        if !versions.contains(&VERSION) {
            return refuse("version", "versions", format!("expected {VERSION} among them"));
        }
        let encoding = (encode::VERSION, format!("{:016x}", encode::fingerprint()));
        let (version, name, players) = (VERSION, "newmarket", &self.names[..]);
        Ok(Some(Reply::Hello { id, version, name, players, encoding }.line()))
    }

    fn deal(&mut self, mut fields: Fields) -> Answer {
        let table: String = fields.need("table");
        let player: Player = fields.need("player");
        fields.get::<String>("id");
        let opening = Opening::read(&mut fields, &mut self.games)?;
        fields.end()?;
        has_room(&self.seats, &table)?;
        let agent = self.player(&player)?;
        let seat = Seat::new(opening, Some(player), agent)?;
        self.seats.insert(&table, Box::new(seat));
        Ok(None)
    }

    pub(crate) fn player(&mut self, player: &Player) -> Result<Box<dyn Agent>, Refusal> {
        if let Some((_, agent)) = self.known.iter().find(|(known, _)| known == player) {
            return Ok(agent.another());
        }
        let agent = match player {
            Player::Named(name) => (self.players)(name)
                .or_else(|problem| refuse("player", "player", brief(&problem, 3 * QUOTED)))?,
            Player::Strategy(content) => Box::new(
                self.strategy(content)
                    .or_else(|faults| refuse("player", "player.strategy", player::told(&faults)))?,
            ),
        };
        if self.known.len() >= MOST_PLAYERS {
            self.known.clear();
        }
        self.known.push((player.clone(), agent.another()));
        Ok(agent)
    }

    /// The player of a strategy that a message tells.
    ///
    /// # Errors
    /// All faults of the strategy, or that of a base.
    pub(crate) fn strategy(&mut self, content: &Value) -> Result<Strategy, Faults> {
        let content = Content::from_json(content)?;
        let name = player::name_of(&content).to_string();
        Strategy::new(&name, content.into(), &mut self.players).map_err(|problem| {
            let (problem, expected) =
                parted(&problem, ": expected ").unwrap_or((&problem, "another player"));
            Faults::from(Fault {
                line: None,
                key: "base".into(),
                problem: format!("cannot be used: {problem}"),
                expected: expected.into(),
            })
        })
    }

    fn event(&mut self, mut fields: Fields) -> Answer {
        let table: String = fields.need("table");
        let at = fields.need("at");
        let events = fields.events()?;
        fields.get::<String>("id");
        fields.end()?;
        self.seat(&table)?.tell(at, events)?;
        Ok(None)
    }

    pub(crate) fn seat(&mut self, table: &str) -> Result<&mut Seat, Refusal> {
        match self.seats.get_mut(table) {
            Some(seat) => Ok(seat),
            None => not_begun(),
        }
    }

    fn close(&mut self, mut fields: Fields) -> Answer {
        let table: String = fields.need("table");
        fields.get::<String>("id");
        fields.end()?;
        if self.seats.remove(&table).is_none() {
            return not_begun();
        }
        Ok(None)
    }

    fn quit(&mut self, mut fields: Fields) -> Answer {
        fields.get::<String>("id");
        fields.end()?;
        self.over = true;
        Ok(None)
    }

    /// A question about a decision of the seat of a table that was opened, or of a table of the host's.
    pub(crate) fn ask(&mut self, mut fields: Fields, opened: Option<&mut Seat>) -> Answer {
        let begun = (self.clock)();
        let id: String = fields.need("id");
        let table: String = fields.need("table");
        let at = fields.need("at");
        fields.get::<Vec<Value>>("legal");
        let why = fields.get("why").unwrap_or(false);
        let budget = budget(&mut fields)?;
        fields.end()?;
        self.at(&table, opened, |engine, seat| {
            seat.in_step(at)?;
            seat.seen.asked().map_err(not_to_act)?;
            let stream = seat.decision_seed();
            if let Some(budget) = budget
                && let Some(player) = &seat.player
                && engine.with_worlds(player, 1).is_some()
            {
                let (seen, player) = (seat.seen.clone(), player.clone());
                let kind = Kind::Ask { player, worlds: 0, found: None, stream, why };
                engine.begin(Question { id, seen, begun, budget, kind })?;
                return Ok(None);
            }
            let choice = decide(&mut seat.seen, &mut *seat.agent, stream)?;
            let why = why.then(|| reasons(&seat.seen.view(), &choice));
            Ok(Some(engine.answered(&id, choice, why, begun)))
        })
    }

    /// Calls a function with the seat that was opened, or else with that of the host's table.
    fn at(
        &mut self,
        table: &str,
        opened: Option<&mut Seat>,
        answer: impl FnOnce(&mut Self, &mut Seat) -> Answer,
    ) -> Answer {
        if let Some(seat) = opened {
            return answer(self, seat);
        }
        let Some(mut seat) = self.seats.remove(table) else { return not_begun() };
        let answered = answer(self, &mut seat);
        self.seats.insert(table, seat);
        answered
    }

    fn answered(
        &self,
        id: &str,
        choice: Choice,
        why: Option<Vec<String>>,
        begun: Duration,
    ) -> String {
        let spent_ms = (self.clock)().saturating_sub(begun).as_millis() as u64;
        Reply::Answer { id, choice, spent_ms, why }.line()
    }

    /// The player of this name with a budget of worlds, if it is one that searches.
    fn with_worlds(&mut self, player: &Player, worlds: u32) -> Option<Box<dyn Agent>> {
        let Player::Named(player) = player else { return None };
        let name = if let Some((network, _)) = net::parts(player) {
            format!("net:{network}+search:{worlds}")
        } else {
            let (kind, how) = player.split_once(':').unwrap_or((player, ""));
            let playout = how.find(',').map_or("", |comma| &how[comma..]);
            match kind {
                "pimc" | "ismcts" => format!("{kind}:{worlds}{playout}"),
                _ => return None,
            }
        };
        self.player(&Player::Named(name)).ok()
    }

    /// An analysis of a decision, as [`ask`](Self::ask).
    pub(crate) fn analyse(&mut self, mut fields: Fields, opened: Option<&mut Seat>) -> Answer {
        let begun = (self.clock)();
        let id: String = fields.need("id");
        let table: String = fields.need("table");
        let at = fields.need("at");
        let budget = budget(&mut fields)?.unwrap_or(Budget::Worlds(WORLDS));
        let every: Option<u64> = fields.get("every_ms");
        let playout: Option<String> = fields.get("playout");
        fields.end()?;
        let trials = self.trials(playout.as_deref().unwrap_or("stopper"))?;
        self.at(&table, opened, |engine, seat| {
            seat.in_step(at)?;
            let mut seen = seat.seen.clone();
            let stream = seat.decision_seed().child(1);
            let analysis = Analysis::by(&seen.asked().map_err(not_to_act)?, stream, trials, &[]);
            let every = every.map(|ms| Duration::from_millis(ms.max(1)));
            // The first answer comes soon, even if later ones are far apart.
            let next = begun + every.map_or(FIRST, |every| every.min(FIRST));
            let kind = Kind::Analysis { analysis: Box::new(analysis), every, next };
            engine.begin(Question { id, seen, begun, budget, kind })?;
            Ok(None)
        })
    }

    /// The trials of this name: by a rule, or by a player's network.
    fn trials(&mut self, playout: &str) -> Result<Trials, Refusal> {
        if let Some(rule) = Playout::named(playout) {
            return Ok(Trials::Rule(rule));
        }
        let player = Player::Named(playout.into());
        if let Ok(Some(policy)) = self.player(&player).map(|player| player.batch()) {
            return Ok(Trials::Policy(PolicyTrials::new(policy)));
        }
        let rules = Playout::ALL.map(Playout::name).joined(", ");
        let network = self.names.iter().find(|name| name.starts_with("net:"));
        let network = network.map_or(String::new(), |name| format!(", or a network as {name}"));
        refuse("player", "playout", format!("expected {rules}{network}"))
    }

    fn begin(&mut self, question: Question) -> Result<(), Refusal> {
        if self.questions.len() >= MOST_QUESTIONS {
            return refuse(
                "busy",
                "id",
                format!("expected at most {MOST_QUESTIONS} at the same time"),
            );
        }
        if self.questions.iter().any(|other| other.id == question.id) {
            return refuse("field", "id", "a question of this id is still being answered");
        }
        self.questions.push(question);
        Ok(())
    }

    /// Ends a question with its results so far.
    fn stop(&mut self, mut fields: Fields) -> Answer {
        let id: String = fields.need("id");
        fields.end()?;
        let Some(nth) = self.questions.iter().position(|question| question.id == id) else {
            // The question may have been answered in the meantime.
            return Ok(None);
        };
        let mut question = self.questions.remove(nth);
        question.hurry();
        self.some_work(&mut question);
        Ok(Some(self.last_answer(question)))
    }

    /// Ends timed questions now, with their results so far, because the input has closed.
    pub fn hurry(&mut self) {
        let timed = |question: &&mut Question| matches!(question.budget, Budget::Time(_));
        self.questions.iter_mut().filter(timed).for_each(Question::hurry);
    }

    /// Ends all questions now, with their results so far.
    pub fn finish(&mut self) {
        self.questions.iter_mut().for_each(Question::hurry);
    }

    /// Works on one question for a few milliseconds. Returns the lines to be sent.
    pub fn work(&mut self) -> Vec<String> {
        if self.questions.is_empty() {
            return Vec::new();
        }
        let mut question = self.questions.remove(0);
        let done = self.some_work(&mut question);
        if done {
            return vec![self.last_answer(question)];
        }
        let mut replies = Vec::new();
        let now = (self.clock)();
        if let Kind::Analysis { analysis, every: Some(every), next } = &mut question.kind
            && now >= *next
        {
            *next = now + *every;
            replies.push(Reply::analysis(&question.id, analysis, &question.seen.view(), false));
        }
        self.questions.push(question);
        replies
    }

    /// Works on a question for a few milliseconds. Returns whether its budget is spent.
    fn some_work(&mut self, question: &mut Question) -> bool {
        let spent = (self.clock)().saturating_sub(question.begun);
        match &mut question.kind {
            Kind::Analysis { analysis, .. } => {
                let left = match question.budget {
                    Budget::Worlds(all) => all.max(FEWEST_WORLDS).saturating_sub(analysis.worlds()),
                    Budget::Time(limit) if spent < limit || analysis.worlds() == 0 => SLICE,
                    Budget::Time(_) => 0,
                };
                analysis.add(&question.seen.view(), left.min(SLICE));
                matches!(question.budget, Budget::Worlds(_)) && left <= SLICE || left == 0
            }
            // No further round for a question that must end.
            Kind::Ask { found: Some(_), .. } if question.budget == Budget::OVER => true,
            Kind::Ask { player, worlds, found, stream, .. } => {
                let next = match question.budget {
                    Budget::Worlds(all) => (2 * *worlds).max(16).min(all),
                    Budget::Time(_) => (2 * *worlds).max(16),
                };
                let (player, stream) = (player.clone(), *stream);
                if let Some(mut agent) = self.with_worlds(&player, next) {
                    let choice = decide(&mut question.seen, &mut *agent, stream).ok();
                    *found = choice.or(found.take());
                }
                *worlds = next;
                // The next round takes about as long as all rounds so far.
                match question.budget {
                    Budget::Worlds(all) => next >= all,
                    Budget::Time(limit) => {
                        let spent = (self.clock)().saturating_sub(question.begun);
                        spent * 3 > limit || u64::from(next) >= MOST_WORLDS
                    }
                }
            }
        }
    }

    fn last_answer(&mut self, question: Question) -> String {
        let Question { id, seen, begun, kind, .. } = question;
        match kind {
            Kind::Analysis { analysis, .. } => Reply::analysis(&id, &analysis, &seen.view(), true),
            Kind::Ask { found: Some(choice), why, .. } => {
                let why = why.then(|| reasons(&seen.view(), &choice));
                self.answered(&id, choice, why, begun)
            }
            Kind::Ask { .. } => {
                let message = "the player did not answer".to_string();
                Reply::error(Some(id), Refusal::new("player", None, &message))
            }
        }
    }
}

fn not_begun<T>() -> Result<T, Refusal> {
    refuse("table", "table", "no deal of that table has begun")
}

/// The whole decision of an agent.
fn decide(seen: &mut Seen, agent: &mut dyn Agent, stream: Seed) -> Result<Choice, Refusal> {
    let mut rng = stream.rng();
    let actions = seen.decide(|view| agent.act(view, &mut rng)).map_err(not_to_act)?;
    match Choice::of(&seen.view(), &actions) {
        Some(choice) => Ok(choice),
        None => refuse("player", "player", "the player did not answer"),
    }
}

#[expect(clippy::needless_pass_by_value, reason = "`map_err` gives it away")]
pub(crate) fn not_to_act(error: Impossible) -> Refusal {
    Refusal::new("turn", Some("table"), &error.problem)
}

fn budget(fields: &mut Fields) -> Result<Option<Budget>, Refusal> {
    let budget: Option<serde_json::Map<String, Value>> = fields.get("budget");
    fields.sound()?;
    let Some(budget) = budget else { return Ok(None) };
    let problem = "expected {\"ms\":1 to 600000} or {\"worlds\":1 to 65536}";
    let mut parts = budget.into_iter();
    match (parts.next(), parts.next()) {
        (Some((key, value)), None) => match (key.as_str(), value.as_u64()) {
            ("ms", Some(ms @ 1..=600_000)) => Ok(Some(Budget::Time(Duration::from_millis(ms)))),
            ("worlds", Some(worlds @ 1..=MOST_WORLDS)) => Ok(Some(Budget::Worlds(worlds as u32))),
            _ => refuse("field", format!("budget.{}", brief(&key, QUOTED)), problem),
        },
        _ => refuse("field", "budget", problem),
    }
}
