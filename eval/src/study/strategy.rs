//! What strategies are worth over their base, or over another player.
//!
//! A [`Candidate`] sits in each seat in turn among the players of a field, and so does the player that it is
//! measured over, on the same deals and with the same random numbers for every seat. All candidates of a table
//! play the same deals.

mod claims;
mod tables;

use std::sync::Arc;

use newmarket_agents::paired::Estimate;
use newmarket_agents::strategy::{BASES, Base, Content, DecisionKind, List};
use newmarket_agents::{Player, Table};
use newmarket_env::{Game, Seed};

use super::heroes::{Gain, Pair, gains_of};
use super::payoff::{Ledger, Payoff};
use super::report::Section;
use super::setting::{LEDGER, NothingToStudy, USUAL_FIELD};
use super::whole_sessions;
use claims::Claims;
pub(super) use tables::{Labels, details, joint, summary};

/// A strategy that is measured.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// Its name in tables.
    pub name: String,
    /// What its file says.
    pub content: Arc<Content>,
    /// The player that it is measured over, and its name; `None`: the one that its file names, or its base.
    pub over: Option<(String, Base)>,
}

/// Makes a player: a strategy of this name in tables, or a player by name.
pub type MakePlayer<'m> = dyn Fn(&str, &Base) -> Result<Player, String> + 'm;

/// Which strategies are measured, where, and how closely.
pub struct StrategyStudy<'a> {
    /// The strategies.
    pub candidates: &'a [Candidate],
    /// The tables.
    pub games: &'a [Arc<Game>],
    /// The players in the other seats, by name; none: for each strategy those that its file names, or `stopper`.
    pub fields: &'a [String],
    /// Makes players.
    pub make: &'a MakePlayer<'a>,
    /// Deals at each table and for each field.
    pub deals: u64,
    /// Whole sessions at each table and for each field; 0: none.
    pub sessions: u64,
    /// Fixes the deals and all random numbers: those of a [`Duel`](crate::Duel) of this seed.
    pub seed: u64,
    /// What counts as the payoff of a deal.
    pub payoff: Payoff,
    /// Also measures each part alone, and what each clause adds.
    pub parts: bool,
    /// Also tells the gain by seat, and by deals left where deals are counted as part of a session.
    pub by_seat: bool,
}

/// A child of the seed that no deal has.
const CLAIMS: u64 = u64::MAX;

/// What was found about one strategy at one table.
pub(super) struct Finding<'a> {
    pub(super) candidate: &'a Candidate,
    pub(super) game: Arc<Game>,
    pub(super) field: &'a str,
    /// The name of the player that it is measured over.
    pub(super) over: String,
    pub(super) whole: Gain,
    /// What it gains with some of its decisions alone, and what its base gains if it is measured over another
    /// player; the names of these parts.
    pub(super) parts: Vec<(&'static str, Estimate)>,
    /// What the whole gains over the strategy without a clause.
    pub(super) clauses: Vec<(List, usize, String, Estimate)>,
    /// Chips a session, and share of sessions won.
    pub(super) sessions: Option<[Estimate; 2]>,
}

/// What was found at all tables.
pub(super) struct Found<'a> {
    pub(super) findings: Vec<Finding<'a>>,
    /// The strategies that are not for a table, and the table.
    pub(super) left_out: Vec<(&'a str, Arc<Game>)>,
    /// How often cells are claimed, where a strategy asks for it.
    pub(super) claims: Vec<(Arc<Game>, &'a str, Claims)>,
}

impl StrategyStudy<'_> {
    /// How many deals and sessions its `done` is told of while it runs.
    pub fn work(&self) -> u64 {
        let groups = self.games.len() * self.all_fields().len();
        groups as u64 * (self.deals + self.sessions)
    }

    /// Plays the deals and reports what was found. `done` is told of deals and sessions, from any thread.
    ///
    /// # Errors
    /// If a player cannot be made, or no strategy is for any of the tables.
    pub fn run(&self, done: &(dyn Fn(u64) + Sync)) -> Result<Section, NothingToStudy> {
        Ok(tables::section(self, &self.measure(done)?))
    }

    pub(super) fn measure(&self, done: &(dyn Fn(u64) + Sync)) -> Result<Found<'_>, NothingToStudy> {
        let mut found = Found { findings: Vec::new(), left_out: Vec::new(), claims: Vec::new() };
        for game in self.games {
            let mut table = Table::new(game.clone());
            table.begin(Seed::new(0));
            let (here, elsewhere): (Vec<&Candidate>, Vec<&Candidate>) =
                self.candidates.iter().partition(|it| it.content.is_for(&table.view()));
            found.left_out.extend(elsewhere.iter().map(|it| (&*it.name, game.clone())));
            for field in self.all_fields() {
                let among: Vec<&Candidate> =
                    here.iter().copied().filter(|it| self.is_among(it, field)).collect();
                if among.is_empty() {
                    done(self.deals + self.sessions);
                } else {
                    self.at_table(game, field, &among, &mut found, done)?;
                }
            }
        }
        if found.findings.is_empty() {
            let names: Vec<&str> = self.candidates.iter().map(|it| &*it.name).collect();
            return Err(NothingToStudy(format!(
                "nothing to study: {} needs another table: expected one for which its `needs` holds",
                names.join(", ")
            )));
        }
        Ok(found)
    }

    /// The names of the fields, each once.
    /// The fields in which a strategy is measured, each once.
    pub(super) fn all_fields(&self) -> Vec<&str> {
        let mut names: Vec<&str> = self.fields.iter().map(String::as_str).collect();
        if names.is_empty() {
            names.extend(self.candidates.iter().map(own_field));
        }
        let mut all: Vec<&str> = Vec::new();
        for name in names {
            if !all.contains(&name) {
                all.push(name);
            }
        }
        all
    }

    fn is_among(&self, candidate: &Candidate, field: &str) -> bool {
        !self.fields.is_empty() || own_field(candidate) == field
    }

    /// Measures these candidates at one table, in one field.
    fn at_table<'s>(
        &'s self,
        game: &Arc<Game>,
        field: &'s str,
        among: &[&'s Candidate],
        found: &mut Found<'s>,
        done: &(dyn Fn(u64) + Sync),
    ) -> Result<(), NothingToStudy> {
        let seed = Seed::new(self.seed);
        let others = self.player(field, &Base::Named(field.into()))?;
        let asks = |it: &&Candidate| it.content.lacks_claims() || lacks_claims(over(it));
        let claims =
            among.iter().any(asks).then(|| Claims::count(game, &others, seed.child(CLAIMS)));
        let mut trials = Trials { study: self, game, field, claims, heroes: Vec::new() };
        let entered: Vec<Entered> =
            among.iter().map(|it| trials.enter(it)).collect::<Result<_, _>>()?;
        let Trials { heroes, claims, .. } = trials;
        let ledger = Ledger::new(self.payoff, game, &others, self.deals, seed.child(LEDGER));
        let pairs: Vec<Pair> = entered.iter().flat_map(Entered::pairs).collect();
        let mut gains =
            gains_of(&ledger, &others, &heroes, &pairs, self.deals, seed, done).into_iter();
        let wholes: Vec<Pair> = entered.iter().map(|it| it.whole).collect();
        let mut sessions = (self.sessions > 0).then(|| {
            let heroes: Vec<&Player> = heroes.iter().collect();
            let (games, count) = (game, self.sessions);
            whole_sessions::gains_of(games, &others, &heroes, &wholes, count, seed, done)
                .into_iter()
        });
        for (candidate, entered) in among.iter().zip(entered) {
            let mut next = || gains.next().expect("each pair has its gain");
            found.findings.push(Finding {
                candidate,
                game: game.clone(),
                field,
                over: over_name(candidate),
                whole: next(),
                parts: entered.parts.into_iter().map(|(name, _)| (name, next().all)).collect(),
                clauses: (entered.clauses.into_iter())
                    .map(|(list, nth, text, _)| (list, nth, text, next().all))
                    .collect(),
                sessions: sessions.as_mut().and_then(Iterator::next),
            });
        }
        found.claims.extend(claims.map(|claims| (game.clone(), field, claims)));
        Ok(())
    }

    fn player(&self, name: &str, base: &Base) -> Result<Player, NothingToStudy> {
        (self.make)(name, base).map_err(NothingToStudy)
    }
}

/// The players of one table, as they are entered.
struct Trials<'t> {
    study: &'t StrategyStudy<'t>,
    game: &'t Arc<Game>,
    field: &'t str,
    claims: Option<Claims>,
    heroes: Vec<Player>,
}

/// The pairs that measure one candidate.
struct Entered {
    whole: Pair,
    parts: Vec<(&'static str, Pair)>,
    clauses: Vec<(List, usize, String, Pair)>,
}

impl Entered {
    fn pairs(&self) -> impl Iterator<Item = Pair> {
        let parts = self.parts.iter().map(|(_, pair)| *pair);
        let clauses = self.clauses.iter().map(|(.., pair)| *pair);
        std::iter::once(self.whole).chain(parts).chain(clauses)
    }
}

impl Trials<'_> {
    fn enter(&mut self, candidate: &Candidate) -> Result<Entered, NothingToStudy> {
        let (content, name) = (&candidate.content, &*candidate.name);
        let base = content.only(&[]);
        let over = match over(candidate) {
            Some(Base::Named(named)) if named == self.field => None,
            Some(other) => Some(self.hero(&over_name(candidate), other)?),
            None if is_named(content.single_base(), self.field) => None,
            None => Some(self.seat(&base_name(content), base.clone())?),
        };
        let whole = self.seat(name, Content::clone(content))?;
        let mut entered = Entered { whole: (whole, over), parts: Vec::new(), clauses: Vec::new() };
        if !self.study.parts {
            return Ok(entered);
        }
        for (kind, part) in PARTS.into_iter().filter(|(kind, _)| content.decides(*kind)) {
            entered.parts.push((part, (self.seat(name, content.only(&[kind]))?, over)));
        }
        if self::over(candidate).is_some() {
            entered.parts.push(("its base", (self.seat(name, base)?, over)));
        }
        let rules = self.game.rules().base;
        for (list, nth, text) in content.entries(rules) {
            let without = self.seat(name, content.without(rules, list, nth))?;
            entered.clauses.push((list, nth, text.into(), (whole, Some(without))));
        }
        Ok(entered)
    }

    /// Seats a strategy, and tells it how often cells are claimed here if it asks.
    fn seat(&mut self, name: &str, content: Content) -> Result<usize, NothingToStudy> {
        self.hero(name, &Base::Strategy(Arc::new(content)))
    }

    fn hero(&mut self, name: &str, base: &Base) -> Result<usize, NothingToStudy> {
        let told = match (base, &self.claims) {
            (Base::Strategy(content), Some(claims)) if content.lacks_claims() => {
                Some(Base::Strategy(Arc::new(content.with_claims(&claims.by_cell()))))
            }
            // A base without an opinion is no player by name.
            (Base::Named(named), _) if BASES.iter().any(|(base, _)| base == named) => {
                let json = serde_json::json!({ "base": named });
                let content = Content::from_json(&json).expect("a base alone is a strategy");
                Some(Base::Strategy(Arc::new(content)))
            }
            _ => None,
        };
        self.heroes.push(self.study.player(name, told.as_ref().unwrap_or(base))?);
        Ok(self.heroes.len() - 1)
    }
}

/// The decisions of which each kind is measured alone.
const PARTS: [(DecisionKind, &str); 3] = [
    (DecisionKind::Lead, "leads alone"),
    (DecisionKind::Ante, "antes alone"),
    (DecisionKind::DeadHand, "dead hand alone"),
];

/// The player that a candidate is measured over, if it is not its base.
fn over(candidate: &Candidate) -> Option<&Base> {
    candidate.over.as_ref().map(|(_, base)| base).or(candidate.content.over.as_ref())
}

fn lacks_claims(base: Option<&Base>) -> bool {
    matches!(base, Some(Base::Strategy(content)) if content.lacks_claims())
}

fn own_field(candidate: &Candidate) -> &str {
    candidate.content.field.as_deref().unwrap_or(USUAL_FIELD)
}

fn is_named(base: Option<&Base>, name: &str) -> bool {
    matches!(base, Some(Base::Named(named)) if named == name)
}

fn over_name(candidate: &Candidate) -> String {
    if let Some((name, _)) = &candidate.over {
        return name.clone();
    }
    over(candidate).map_or_else(|| base_name(&candidate.content), name_of)
}

fn base_name(content: &Content) -> String {
    content.single_base().map_or_else(|| "its bases".into(), name_of)
}

fn name_of(base: &Base) -> String {
    match base {
        Base::Named(name) => name.clone(),
        Base::Strategy(content) => {
            let about = || Some(content.about.clone()).filter(|about| !about.is_empty());
            content.name.clone().or_else(about).unwrap_or_else(|| "a strategy of its file".into())
        }
    }
}
