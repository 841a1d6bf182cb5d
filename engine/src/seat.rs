//! One seat at a table of the host: its events and its player.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

use newmarket_agents::Agent;
use newmarket_env::rules::Bankroll;
use newmarket_env::{DealStart, Event, Game, Rules, Seats, Seed, Seen};
use serde_json::{Map, Value};

use crate::fields::{Fields, Refusal, refuse};
use crate::player::Player;
use crate::table::SessionTable;

/// A seat of a deal.
pub(crate) struct Seat {
    start: DealStart,
    pub(crate) seen: Seen,
    events: Vec<Event>,
    /// `None` before the host has named one.
    pub(crate) player: Option<Player>,
    pub(crate) agent: Box<dyn Agent>,
    pub(crate) seed: Seed,
}

/// The game and the table before a deal, from a `deal` message.
pub(crate) struct Opening {
    pub(crate) game: Arc<Game>,
    pub(crate) seat: usize,
    start: DealStart,
    seed: Seed,
}

/// Games that have been set up, the latest last.
#[derive(Default)]
pub(crate) struct Games(Vec<(Map<String, Value>, usize, Arc<Game>)>);

impl Games {
    /// The most games that are kept, because it takes longer to set up a game than to play a deal.
    const MOST: usize = 16;

    pub(crate) fn game(
        &mut self,
        rules: Map<String, Value>,
        players: usize,
    ) -> Result<Arc<Game>, Refusal> {
        if let Some(found) = self.0.iter().find(|known| known.1 == players && known.0 == rules) {
            return Ok(found.2.clone());
        }
        let Some(Value::String(base)) = rules.get("base") else {
            return refuse("rules", "rules.base", "expected the name of a game");
        };
        let read = Rules::from_overrides(base, &rules)
            .or_else(|faults| refuse("rules", "rules", format!("{faults}")))?;
        let game = Game::new(read, players)
            .or_else(|error| refuse("rules", "players", format!("{error}")))?;
        let game = Arc::new(game);
        if self.0.len() == Self::MOST {
            self.0.remove(0);
        }
        self.0.push((rules, players, game.clone()));
        Ok(game)
    }
}

impl Opening {
    /// The seat of a table's deal. The seed is for the player's random numbers.
    pub(crate) fn of(table: &SessionTable, seat: usize, seed: Seed) -> Self {
        let start = *table.session().deal_start();
        Self { game: table.game().clone(), seat, start, seed }
    }

    /// Reads the fields of a `deal`.
    pub(crate) fn read(fields: &mut Fields, games: &mut Games) -> Result<Self, Refusal> {
        let rules: Map<String, Value> = fields.need("rules");
        let players: usize = fields.need("players");
        fields.sound()?;
        let game = games.game(rules, players)?;
        // A program is told these, so that it needs no table of games. They follow from the rules.
        for name in ["cells", "aces", "order", "removed"] {
            fields.skip(name);
        }
        let seat = fields.need("seat");
        let dealer = fields.need("dealer");
        fields.sound()?;
        let mut start = standing(fields, &game, dealer)?;
        (start.credit, start.deals_left) = session(fields, &game)?;
        start.check_fields(&game).or_else(|(field, problem)| refuse("deal", field, problem))?;
        let seed = seed(fields)?.unwrap_or(Seed::new(0));
        Ok(Self { game, seat, start, seed })
    }
}

/// The seed of a message, if it has one.
pub(crate) fn seed(fields: &mut Fields) -> Result<Option<Seed>, Refusal> {
    let seed: Option<String> = fields.get("seed");
    fields.sound()?;
    match seed.as_deref().map(str::parse) {
        None => Ok(None),
        Some(Ok(seed)) => Ok(Some(Seed::new(seed))),
        Some(Err(_)) => refuse("field", "seed", "expected a number of 64 bits in quotes"),
    }
}

/// The table before a deal, from a message. Whether a deal can begin like this is not checked.
pub(crate) fn standing(
    fields: &mut Fields,
    game: &Game,
    dealer: usize,
) -> Result<DealStart, Refusal> {
    let players = game.players();
    if dealer >= players {
        return refuse("field", "dealer", format!("expected a seat, 0 to {}", players - 1));
    }
    let mut start = DealStart::fresh(players, dealer);
    fill(&mut start.stacks[..players], "stacks", fields)?;
    fill(&mut start.layout[..game.cells()], "layout", fields)?;
    start.kitty = fields.get("kitty").unwrap_or(0);
    let seats_in: Option<Vec<bool>> = fields.get("seats_in");
    fields.sound()?;
    if let Some(seats_in) = seats_in {
        if seats_in.len() != players {
            return refuse("field", "seats_in", format!("expected {players} of true or false"));
        }
        start.seats_in = (0..players).filter(|&seat| seats_in[seat]).collect::<Seats>();
    }
    Ok(start)
}

/// Whether stacks are a score (in a deal on its own, and in sessions on credit), and the number of deals
/// of the session that follow.
fn session(fields: &mut Fields, game: &Game) -> Result<(bool, Option<u32>), Refusal> {
    let session: Option<Map<String, Value>> = fields.get("session");
    fields.sound()?;
    let Some(session) = session else { return Ok((true, None)) };
    let due = &game.rules().session;
    let mut deal = 0;
    for (key, value) in &session {
        let (right, expected) = match key.as_str() {
            "deal" => {
                let number = value.as_u64().unwrap_or(0);
                deal = number as u32;
                ((1..=u64::from(due.deals)).contains(&number), "1 to `of`".into())
            }
            "of" => (
                value.as_u64() == Some(u64::from(due.deals)),
                format!("{}, as in the rules", due.deals),
            ),
            "bankroll" => {
                let bankroll = due.bankroll.value();
                let told = serde_json::to_string(&bankroll).expect("a value is JSON");
                (*value == bankroll, told + ", as in the rules")
            }
            _ => return refuse("field", format!("session.{key}"), "the message has no such field"),
        };
        if !right {
            return refuse("field", format!("session.{key}"), format!("expected {expected}"));
        }
    }
    let missing = ["deal", "of", "bankroll"].into_iter().find(|&key| !session.contains_key(key));
    if let Some(key) = missing {
        return refuse("field", format!("session.{key}"), "it is missing");
    }
    Ok((due.bankroll == Bankroll::Credit, Some(due.deals - deal)))
}

/// Numbers of a list, if the message has it.
pub(crate) fn fill(places: &mut [i32], name: &str, fields: &mut Fields) -> Result<(), Refusal> {
    let chips: Option<Vec<i32>> = fields.get(name);
    fields.sound()?;
    let Some(chips) = chips else { return Ok(()) };
    if chips.len() != places.len() {
        return refuse("field", name, format!("expected {} numbers", places.len()));
    }
    places.copy_from_slice(&chips);
    Ok(())
}

impl Seat {
    pub(crate) fn new(
        opening: Opening,
        player: Option<Player>,
        agent: Box<dyn Agent>,
    ) -> Result<Self, Refusal> {
        let Opening { game, seat, start, seed } = opening;
        let seen =
            Seen::new(game, seat, &start).or_else(|problem| refuse("deal", "seat", problem))?;
        Ok(Self { start, seen, events: Vec::new(), player, agent, seed })
    }

    /// Takes events from this place on. Earlier events from this place on are undone.
    pub(crate) fn tell(&mut self, at: usize, events: Vec<Event>) -> Result<(), Refusal> {
        if at > self.events.len() {
            return self.out_of_step();
        }
        let impossible = |error: newmarket_env::Impossible| {
            let field = format!("events[{}]", error.event);
            Refusal::new("impossible", Some(&field), &error.problem)
        };
        if at == self.events.len() {
            self.seen.tell(&events).map_err(impossible)?;
        } else {
            let game = self.seen.game().clone();
            let seat = self.seen.seat();
            let mut seen = Seen::new(game, seat, &self.start)
                .or_else(|problem| refuse("deal", "seat", problem))?;
            seen.tell(&self.events[..at]).map_err(impossible)?;
            seen.tell(&events).map_err(impossible)?;
            self.seen = seen;
            self.events.truncate(at);
            // A new player: the old one may have a plan for what has been undone.
            self.agent = self.agent.another();
        }
        self.events.extend(events);
        Ok(())
    }

    /// Checks that the engine has as many events as the host says.
    pub(crate) fn in_step(&self, at: usize) -> Result<(), Refusal> {
        if at == self.events.len() { Ok(()) } else { self.out_of_step() }
    }

    fn out_of_step<T>(&self) -> Result<T, Refusal> {
        let at = self.events.len();
        let message =
            format!("the engine has {at} events of this table: send from there, or from 0");
        let mut refusal = Refusal::new("out_of_step", Some("at"), &message);
        refusal.0.at = Some(at);
        Err(refusal)
    }

    /// The seed of a decision's random numbers: the same if the same decision comes again.
    pub(crate) fn decision_seed(&self) -> Seed {
        self.seed.child(self.events.len() as u64)
    }
}
