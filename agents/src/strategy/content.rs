//! What a strategy file says.

mod read;

use alloc::boxed::Box;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

use newmarket_env::rules::{Exchange, Stage};
use newmarket_env::{Phase, Rules, View};

use super::expression::{Clause, Condition, Line, Subject};
use super::notes::{Memory, Notes};
use super::split::Antes;
pub use read::LONGEST_LIST;

/// The number of the format of strategy files.
pub const FORMAT: u32 = 1;
/// Most strategies of which each is the base of the one before.
pub const DEEPEST_BASE: usize = 8;
/// A kind of decision for which a file may name its own base.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DecisionKind {
    /// Leads.
    Lead,
    /// Chips of free antes.
    Ante,
    /// The dead hand and its auction.
    DeadHand,
    /// Cards to set apart and bets.
    Poker,
}

impl DecisionKind {
    /// All kinds, in the order of a deal's documentation.
    pub const ALL: [Self; 4] = [Self::Lead, Self::Ante, Self::DeadHand, Self::Poker];

    /// The kind of a decision in this phase; `None` where none is due.
    pub const fn of(phase: Phase) -> Option<Self> {
        match phase {
            Phase::Lead => Some(Self::Lead),
            Phase::Ante => Some(Self::Ante),
            Phase::DeadHand | Phase::Auction => Some(Self::DeadHand),
            Phase::SetApart | Phase::Bet => Some(Self::Poker),
            Phase::Deal | Phase::Over => None,
        }
    }

    /// Whether games by these rules have decisions of the kind.
    pub fn is_in(self, rules: &Rules) -> bool {
        match self {
            Self::Lead => true,
            Self::Ante => rules.has_free_ante(),
            Self::DeadHand => rules.exchange != Exchange::None,
            Self::Poker => rules.has(Stage::Poker),
        }
    }

    /// The kind in words: `leads`.
    pub const fn spoken(self) -> &'static str {
        match self {
            Self::Lead => "leads",
            Self::Ante => "antes",
            Self::DeadHand => "the dead hand",
            Self::Poker => "poker",
        }
    }

    /// The key of the kind in files.
    pub const fn key(self) -> &'static str {
        match self {
            Self::Lead => "lead",
            Self::Ante => "ante",
            Self::DeadHand => "dead_hand",
            Self::Poker => "poker",
        }
    }
}

/// The player that decides what the clauses leave open.
#[derive(Clone, PartialEq, Debug)]
pub enum Base {
    /// A player by name, as `stopper` or `net:champion`.
    Named(String),
    /// A strategy, with what its file says.
    Strategy(Arc<Content>),
}

/// Bases without a file, and what they do.
pub const BASES: [(&str, &str); 3] = [
    ("first", "the first legal choice, in the order of actions"),
    ("random", "any legal choice, all equally likely"),
    ("usual", "antes, the dead hand and poker as the named heuristics; the first lead"),
];

/// What a strategy does in some games.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Plan {
    /// Where this does not hold, the base decides everything.
    pub(super) when: Option<Condition>,
    pub(super) remember: Option<Memory>,
    pub(super) lead: Option<Vec<Clause>>,
    pub(super) ante: Option<Antes>,
    pub(super) dead_hand: Option<Vec<Line>>,
    pub(super) bid: Option<Vec<Line>>,
    /// How often cells are claimed in a deal, by their names.
    pub(super) claimed: Option<Vec<(Box<str>, f64)>>,
}

/// What is claimed of the gain from a strategy.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ClaimedGain {
    /// It gains chips.
    Gains,
    /// It changes nothing.
    MakesNoDifference,
}

/// What a strategy file says.
#[derive(Clone, PartialEq, Debug)]
pub struct Content {
    /// A short name for tables.
    pub name: Option<String>,
    /// What it does, in a few words.
    pub about: String,
    /// The advice that it models, in full.
    pub says: Option<String>,
    /// What is claimed of its gain.
    pub claim: Option<ClaimedGain>,
    /// The player that it is measured over; `None`: its base.
    pub over: Option<Base>,
    /// The other players of the table at which it is measured, by name.
    pub field: Option<String>,
    /// By kind of decision, the player that decides what is left open.
    pub(super) bases: [Base; 4],
    pub(super) plan: Plan,
    /// What differs in a game, by its name.
    pub(super) games: Vec<(&'static str, Plan)>,
    pub(super) needs: Option<Condition>,
    #[cfg(feature = "std")]
    json: serde_json::Value,
}

/// Finds the content of a base that is a file, `strategy:PATH`, and checks that there is a network `net:PATH`, which has
/// no content.
pub type Files<'f> = dyn FnMut(&str) -> Result<Option<Arc<Content>>, String> + 'f;

impl Content {
    /// The same as JSON that needs no other file. Two contents are equal if and only if these are.
    #[cfg(feature = "std")]
    pub const fn json(&self) -> &serde_json::Value {
        &self.json
    }

    /// The base for a kind of decision.
    pub fn base(&self, kind: DecisionKind) -> &Base {
        &self.bases[kind as usize]
    }

    /// The plan for a game, by the name of the game that the rules are or extend: its section, and for what the
    /// section does not say the plan of the file.
    pub(super) fn plan_for(&self, game: &str) -> PlanOf<'_> {
        let section = self.games.iter().find(|(name, _)| *name == game).map(|(_, plan)| plan);
        PlanOf { section, general: &self.plan }
    }

    /// All plans: that of the file, and those of the games.
    fn plans(&self) -> impl Iterator<Item = &Plan> {
        core::iter::once(&self.plan).chain(self.games.iter().map(|(_, plan)| plan))
    }

    /// Whether it decides something of this kind itself, in some game.
    pub fn decides(&self, kind: DecisionKind) -> bool {
        self.plans().any(|plan| match kind {
            DecisionKind::Lead => plan.lead.as_ref().is_some_and(|lead| !lead.is_empty()),
            DecisionKind::Ante => plan.ante.is_some(),
            DecisionKind::DeadHand => plan.dead_hand.is_some() || plan.bid.is_some(),
            DecisionKind::Poker => false,
        })
    }

    /// The same strategy with its own decisions on these kinds alone; its base decides the others.
    #[cfg(feature = "std")]
    #[must_use]
    pub fn only(&self, kinds: &[DecisionKind]) -> Self {
        let mut other = self.clone();
        let keys = |kind: DecisionKind| match kind {
            DecisionKind::DeadHand => &["dead_hand", "bid"][..],
            DecisionKind::Lead => &["lead"],
            DecisionKind::Ante => &["ante"],
            DecisionKind::Poker => &[],
        };
        let plans =
            core::iter::once(&mut other.plan).chain(other.games.iter_mut().map(|(_, plan)| plan));
        for plan in plans {
            for kind in DecisionKind::ALL.into_iter().filter(|kind| !kinds.contains(kind)) {
                match kind {
                    DecisionKind::Lead => plan.lead = None,
                    DecisionKind::Ante => plan.ante = None,
                    DecisionKind::DeadHand => (plan.dead_hand, plan.bid) = (None, None),
                    DecisionKind::Poker => {}
                }
            }
        }
        for kind in DecisionKind::ALL.into_iter().filter(|kind| !kinds.contains(kind)) {
            for key in keys(kind) {
                remove(&mut other.json, key);
            }
        }
        other
    }

    /// The clauses of the leads in a game.
    pub fn lead(&self, game: &str) -> &[Clause] {
        self.plan_for(game).part(|plan| plan.lead.as_deref()).unwrap_or_default()
    }

    /// The lines about the dead hand in a game, and those of its auction.
    pub fn dead_hand(&self, game: &str) -> [&[Line]; 2] {
        let plan = self.plan_for(game);
        [
            plan.part(|plan| plan.dead_hand.as_deref()).unwrap_or_default(),
            plan.part(|plan| plan.bid.as_deref()).unwrap_or_default(),
        ]
    }

    /// All clauses and lines in a game, each with its list and its place there, from 0.
    pub fn entries(&self, game: &str) -> Vec<(List, usize, &str)> {
        let [dead_hand, bid] = self.dead_hand(game);
        let lead = self.lead(game).iter().enumerate();
        let lead = lead.map(|(nth, clause)| (List::Lead, nth, clause.text()));
        let lines = [(List::DeadHand, dead_hand), (List::Bid, bid)].into_iter();
        let lines = lines.flat_map(|(list, lines)| {
            lines.iter().enumerate().map(move |(nth, line)| (list, nth, line.text()))
        });
        lead.chain(lines).collect()
    }

    /// The same strategy without one clause or line in a game.
    #[cfg(feature = "std")]
    #[must_use]
    pub fn without(&self, game: &str, list: List, nth: usize) -> Self {
        let mut other = self.clone();
        let has = |plan: &Plan| match list {
            List::Lead => plan.lead.is_some(),
            List::DeadHand => plan.dead_hand.is_some(),
            List::Bid => plan.bid.is_some(),
        };
        let section = other.games.iter_mut().find(|(name, plan)| *name == game && has(plan));
        let plan = section.map_or(&mut other.plan, |(_, plan)| plan);
        match list {
            List::Lead => drop_nth(plan.lead.as_mut(), nth),
            List::DeadHand => drop_nth(plan.dead_hand.as_mut(), nth),
            List::Bid => drop_nth(plan.bid.as_mut(), nth),
        }
        other.json = serde_json::Value::Null;
        other
    }

    /// Whether the strategy, or one that it builds on, asks how often cells are claimed and does not state it.
    pub fn lacks_claims(&self) -> bool {
        let stated = self.plan.claimed.is_some();
        let asks = |plan: &Plan| plan.ante.as_ref().is_some_and(Antes::asks_claims);
        let own = self.plans().any(|plan| asks(plan) && !stated && plan.claimed.is_none());
        own || self.strategies().any(|base| base.lacks_claims())
    }

    /// The same with these counts, by the names of cells, wherever it asks how often cells are claimed and does not
    /// state it.
    #[cfg(feature = "std")]
    #[must_use]
    pub fn with_claims(&self, claims: &[(&str, f64)]) -> Self {
        let mut other = self.clone();
        for nth in 0..other.bases.len() {
            let Some(inner) = self.bases[nth].strategy() else { continue };
            // Kinds with the same base go on sharing it.
            let is_inner = |base: &Base| base.strategy().is_some_and(|it| Arc::ptr_eq(it, inner));
            let known = self.bases[..nth].iter().position(is_inner);
            other.bases[nth] = match known {
                Some(known) => other.bases[known].clone(),
                None => Base::Strategy(Arc::new(inner.with_claims(claims))),
            };
        }
        if other.plan.claimed.is_none() {
            let claims = claims.iter().map(|&(cell, often)| (cell.into(), often));
            other.plan.claimed = Some(claims.collect());
        }
        other.json = serde_json::Value::Null;
        other
    }

    /// The base of all kinds of decision, if they have the same one.
    pub fn single_base(&self) -> Option<&Base> {
        let [first, others @ ..] = &self.bases;
        others.iter().all(|base| base == first).then_some(first)
    }

    /// The same clauses over another base, for all kinds of decision.
    #[cfg(feature = "std")]
    #[must_use]
    pub fn over_base(&self, base: &Base) -> Self {
        let bases = DecisionKind::ALL.map(|_| base.clone());
        Self { bases, json: serde_json::Value::Null, ..self.clone() }
    }

    /// Whether the strategy is for a table: what it `needs` holds in this view, of the first decision of a deal there.
    pub fn is_for(&self, view: &View) -> bool {
        let notes = Notes::new(view, Memory::ALL);
        self.needs.as_ref().is_none_or(|needs| needs.holds(&notes, Subject::Table))
    }

    /// The names of all players on which it builds and that are no files, those below its bases too, each once.
    #[cfg(feature = "std")]
    pub fn players(&self) -> Vec<&str> {
        let own = self.bases.iter().filter_map(|base| match base {
            Base::Named(name) => Some(&**name),
            Base::Strategy(_) => None,
        });
        let below = self.strategies().flat_map(|base| base.players());
        let mut names = Vec::new();
        for name in own.chain(below) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names
    }

    /// The strategies among the bases, each once.
    fn strategies(&self) -> impl Iterator<Item = &Arc<Self>> {
        let all = self.bases.iter().filter_map(Base::strategy).enumerate();
        all.filter_map(|(nth, content)| {
            let mut before = self.bases.iter().filter_map(Base::strategy).take(nth);
            (!before.any(|known| Arc::ptr_eq(known, content))).then_some(content)
        })
    }
}

impl Base {
    /// What its file says, if it is a strategy.
    pub const fn strategy(&self) -> Option<&Arc<Content>> {
        match self {
            Self::Strategy(content) => Some(content),
            Self::Named(_) => None,
        }
    }
}

/// A list of a strategy.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum List {
    /// The clauses of the leads.
    Lead,
    /// The lines about the dead hand.
    DeadHand,
    /// The lines about its auction.
    Bid,
}

impl List {
    /// Its key in files.
    pub const fn key(self) -> &'static str {
        match self {
            Self::Lead => "lead",
            Self::DeadHand => "dead_hand",
            Self::Bid => "bid",
        }
    }
}

#[cfg(feature = "std")]
fn drop_nth<T>(list: Option<&mut Vec<T>>, nth: usize) {
    if let Some(list) = list.filter(|list| nth < list.len()) {
        list.remove(nth);
    }
}

/// Removes a key of the file and of its sections.
#[cfg(feature = "std")]
fn remove(json: &mut serde_json::Value, key: &str) {
    let Some(table) = json.as_object_mut() else { return };
    table.remove(key);
    if let Some(games) = table.get_mut("games").and_then(serde_json::Value::as_object_mut) {
        for section in games.values_mut().filter_map(serde_json::Value::as_object_mut) {
            section.remove(key);
        }
    }
}

/// The plan of a file for one game.
#[derive(Clone, Copy)]
pub(super) struct PlanOf<'c> {
    section: Option<&'c Plan>,
    general: &'c Plan,
}

impl<'c> PlanOf<'c> {
    /// A part of the section, if the section has it, else of the file.
    pub(super) fn part<T>(self, part: impl Fn(&'c Plan) -> Option<T>) -> Option<T> {
        self.section.and_then(&part).or_else(|| part(self.general))
    }
}
