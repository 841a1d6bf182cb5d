//! What a strategy file says, and all its faults.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

use newmarket_env::View;
use newmarket_env::rules::{Fault, Faults, NAMES};
use newmarket_env::text::{Joined as _, parted};

use super::expression::{Clause, Condition, Line, Subject};
use super::facts::Scope;
use super::node::{FileNode, NodeValue};
use super::notes::{Memory, Notes};
use super::parse::{self, Misread, nearest};
use super::split::{Antes, Split};

/// The number of the format of strategy files.
pub const FORMAT: u32 = 1;
/// Most clauses or lines of a list.
pub const LONGEST_LIST: usize = 32;
/// Most strategies of which each is the base of the one before.
pub const DEEPEST_BASE: usize = 8;
/// Most characters of `about`, `says` and `name`.
const LONGEST_TEXT: usize = 2000;

/// The keys of a file, in the order of the documentation. `[games.NAME]` may have those of [`PLAN_KEYS`].
const KEYS: [&str; 18] = [
    "format",
    "name",
    "about",
    "says",
    "base",
    "bases",
    "remember",
    "when",
    "lead",
    "ante",
    "dead_hand",
    "bid",
    "claimed",
    "games",
    "over",
    "claim",
    "field",
    "needs",
];
const PLAN_KEYS: [&str; 7] = ["remember", "when", "lead", "ante", "dead_hand", "bid", "claimed"];
const ANTE_KEYS: [&str; 5] = ["when", "eldest", "dealer", "others", "after_look"];

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

/// Finds the content of a base that is named by a file: `strategy:PATH`.
pub type Files<'f> = dyn FnMut(&str) -> Result<Arc<Content>, String> + 'f;

impl Content {
    /// Reads what a file says. `files` finds other files by the names that this one gives.
    ///
    /// # Errors
    /// All faults at once.
    pub fn read(file: &FileNode, files: &mut Files) -> Result<Self, Faults> {
        Self::nested(file, files, 0)
    }

    /// Reads a message or the record of a trace, which carries the strategies that it builds on.
    ///
    /// # Errors
    /// All faults at once.
    pub fn from_json(json: &serde_json::Value) -> Result<Self, Faults> {
        let mut none = |name: &str| {
            Err(format!(
                "`{name}` is a file: expected a player by name, or a table with what the file says"
            ))
        };
        Self::read(&FileNode::from(json), &mut none)
    }

    fn nested(file: &FileNode, files: &mut Files, depth: usize) -> Result<Self, Faults> {
        let mut reader = Reader { files, depth, faults: Faults::default() };
        let content = reader.content(file);
        if reader.faults.count() == 0 {
            return Ok(content);
        }
        reader.faults.0.sort_by_key(|fault| fault.line);
        Err(reader.faults)
    }

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

/// Reads a file and collects its faults.
struct Reader<'r, 'f> {
    files: &'r mut Files<'f>,
    depth: usize,
    faults: Faults,
}

impl Reader<'_, '_> {
    fn fault(
        &mut self,
        node: &FileNode,
        key: &str,
        problem: impl Into<String>,
        expected: impl Into<String>,
    ) {
        self.faults.push(Fault {
            line: node.line,
            key: key.into(),
            problem: problem.into(),
            expected: expected.into(),
        });
    }

    /// A value of the wrong kind.
    fn wrong(&mut self, node: &FileNode, key: &str, expected: &str) {
        let is = match &node.value {
            NodeValue::Text(text) => format!("is \"{}\"", newmarket_env::text::brief(text, 60)),
            #[cfg(feature = "std")]
            NodeValue::Number(number) => format!("is {number}"),
            // The words of `f64` for a number are 6 KB of code in a web page.
            #[cfg(not(feature = "std"))]
            NodeValue::Number(_) => "is a number that it cannot be".into(),
            NodeValue::Flag(flag) => format!("is {flag}"),
            NodeValue::List(_) => "is a list".into(),
            NodeValue::Table(_) => "is a table".into(),
            NodeValue::Other => "has a value that no strategy has".into(),
        };
        self.fault(node, key, is, expected);
    }

    fn misread(&mut self, node: &FileNode, key: &str, misread: Misread) {
        self.fault(node, key, misread.problem, misread.expected);
    }

    fn content(&mut self, file: &FileNode) -> Content {
        self.known_keys(file, "", &KEYS);
        let base =
            file.get("base").map_or(Base::Named("usual".into()), |node| self.base(node, "base"));
        let mut bases = DecisionKind::ALL.map(|_| base.clone());
        if let Some(node) = file.get("bases") {
            self.known_keys(node, "bases.", &DecisionKind::ALL.map(DecisionKind::key));
            for kind in DecisionKind::ALL {
                if let Some(node) = node.get(kind.key()) {
                    bases[kind as usize] = self.base(node, &format!("bases.{}", kind.key()));
                }
            }
        }
        let over = file.get("over").map(|node| self.base(node, "over"));
        if let Some(node) = file.get("format")
            && node.whole() != Some(FORMAT.into())
        {
            self.wrong(node, "format", &format!("{FORMAT}, which is what this program reads"));
        }
        let claim = file.get("claim").and_then(|node| self.claim(node));
        let needs = file.get("needs").and_then(|node| self.condition(node, "needs"));
        let plan = self.plan(file, "");
        let games = file.get("games").map_or_else(Vec::new, |node| self.games(node));
        Content {
            name: self.words(file, "name"),
            about: self.words(file, "about").unwrap_or_default(),
            says: self.words(file, "says"),
            claim,
            field: self.words(file, "field"),
            #[cfg(feature = "std")]
            json: json(file, &bases, over.as_ref()),
            over,
            bases,
            plan,
            games,
            needs,
        }
    }

    fn claim(&mut self, node: &FileNode) -> Option<ClaimedGain> {
        match node.text() {
            Some("gains") => Some(ClaimedGain::Gains),
            Some("makes no difference") => Some(ClaimedGain::MakesNoDifference),
            _ => {
                self.wrong(node, "claim", "\"gains\" or \"makes no difference\"");
                None
            }
        }
    }

    fn words(&mut self, file: &FileNode, key: &str) -> Option<String> {
        let node = file.get(key)?;
        let text = node.text().filter(|text| text.chars().count() <= LONGEST_TEXT);
        if text.is_none() {
            self.wrong(node, key, &format!("a text of at most {LONGEST_TEXT} characters"));
        }
        text.map(String::from)
    }

    fn known_keys(&mut self, node: &FileNode, prefix: &str, known: &[&str]) {
        let Some(entries) = node.entries() else {
            self.wrong(node, prefix.trim_end_matches('.'), "a table");
            return;
        };
        for (key, node) in entries.iter().filter(|(key, _)| !known.contains(&key.as_str())) {
            // Of many keys only those are told that are most like this one.
            let near = if known.len() > 8 { nearest(key, known) } else { known.to_vec() };
            self.fault(
                node,
                &format!("{prefix}{key}"),
                "is no key",
                format!("one of {}", near.joined(", ")),
            );
        }
    }

    fn base(&mut self, node: &FileNode, key: &str) -> Base {
        match &node.value {
            NodeValue::Text(name) if name.starts_with("strategy:") => match (self.files)(name) {
                Ok(content) => return Base::Strategy(content),
                Err(problem) => {
                    let (problem, expected) =
                        parted(&problem, ": expected ").unwrap_or((&problem, "a strategy file"));
                    self.fault(node, key, problem, expected);
                }
            },
            NodeValue::Text(name) if name.starts_with("exec:") => {
                self.fault(
                    node,
                    key,
                    "is a program, which cannot choose among what clauses leave",
                    "a player of this program, as \"stopper\" or \"net:champion\"",
                );
            }
            NodeValue::Text(name) if !name.is_empty() => return Base::Named(name.clone()),
            NodeValue::Table(_) if self.depth >= DEEPEST_BASE => {
                self.fault(
                    node,
                    key,
                    "is the base of a base, and so on, too often",
                    format!("at most {DEEPEST_BASE} strategies on top of each other"),
                );
            }
            NodeValue::Table(_) => match Content::nested(node, self.files, self.depth + 1) {
                Ok(content) => return Base::Strategy(Arc::new(content)),
                Err(faults) => {
                    for fault in faults.0 {
                        self.faults.push(Fault { key: format!("{key}.{}", fault.key), ..fault });
                    }
                }
            },
            _ => self.wrong(node, key, "the name of a player, as \"stopper\", or a table"),
        }
        Base::Named("usual".into())
    }

    fn games(&mut self, node: &FileNode) -> Vec<(&'static str, Plan)> {
        let Some(entries) = node.entries() else {
            self.wrong(node, "games", "a table for each game, as [games.michigan]");
            return Vec::new();
        };
        let mut games = Vec::new();
        for (name, section) in entries {
            let place = format!("games.{name}");
            if let Some(game) = NAMES.into_iter().find(|game| game == name) {
                let prefix = format!("{place}.");
                self.known_keys(section, &prefix, &PLAN_KEYS);
                games.push((game, self.plan(section, &prefix)));
            } else {
                let near = nearest(name, &NAMES).joined(", ");
                let expected = format!("a named game, of which these are nearest: {near}");
                self.fault(section, &place, "is no game", expected);
            }
        }
        games
    }

    fn plan(&mut self, table: &FileNode, prefix: &str) -> Plan {
        let key = |key: &str| format!("{prefix}{key}");
        Plan {
            when: table.get("when").and_then(|node| self.condition(node, &key("when"))),
            remember: table.get("remember").map(|node| self.memory(node, &key("remember"))),
            lead: table
                .get("lead")
                .map(|node| self.list(node, &key("lead"), |text| parse::clause(text, Scope::Suit))),
            ante: table.get("ante").map(|node| self.antes(node, &key("ante"))),
            dead_hand: table
                .get("dead_hand")
                .map(|node| self.list(node, &key("dead_hand"), |text| parse::line(text, false))),
            bid: table
                .get("bid")
                .map(|node| self.list(node, &key("bid"), |text| parse::line(text, true))),
            claimed: table.get("claimed").map(|node| self.claimed(node, &key("claimed"))),
        }
    }

    fn condition(&mut self, node: &FileNode, key: &str) -> Option<Condition> {
        let Some(text) = node.text() else {
            self.wrong(node, key, "a condition on the table, as \"players <= 4\"");
            return None;
        };
        match parse::condition(text) {
            Ok(condition) => Some(condition),
            Err(misread) => {
                self.misread(node, key, misread);
                None
            }
        }
    }

    fn list<T>(
        &mut self,
        node: &FileNode,
        key: &str,
        read: impl Fn(&str) -> Result<T, Misread>,
    ) -> Vec<T> {
        let Some(items) = node.list() else {
            self.wrong(node, key, "a list of texts");
            return Vec::new();
        };
        if items.len() > LONGEST_LIST {
            self.fault(
                node,
                key,
                format!("has {} entries", items.len()),
                format!("at most {LONGEST_LIST}"),
            );
            return Vec::new();
        }
        let mut all = Vec::with_capacity(items.len());
        for (nth, item) in items.iter().enumerate() {
            let key = format!("{key}[{}]", nth + 1);
            match item.text().map(&read) {
                Some(Ok(read)) => all.push(read),
                Some(Err(misread)) => self.misread(item, &key, misread),
                None => self.wrong(item, &key, "a text"),
            }
        }
        all
    }

    fn memory(&mut self, node: &FileNode, key: &str) -> Memory {
        let expected = "a list of \"played\", \"stops\" and \"discard\"";
        let mut memory = Memory { played: false, stops: false, discard: false };
        let Some(items) = node.list() else {
            self.wrong(node, key, expected);
            return memory;
        };
        for item in items {
            match item.text() {
                Some("played") => memory.played = true,
                Some("stops") => memory.stops = true,
                Some("discard") => memory.discard = true,
                _ => self.wrong(item, key, expected),
            }
        }
        memory
    }

    fn antes(&mut self, node: &FileNode, key: &str) -> Antes {
        if node.text().is_some() {
            let split = Some(Arc::new(self.split(node, key)));
            return Antes { others: split.clone(), after_look: split, ..Antes::default() };
        }
        self.known_keys(node, &format!("{key}."), &ANTE_KEYS);
        let mut split = |name: &str| {
            node.get(name).map(|node| Arc::new(self.split(node, &format!("{key}.{name}"))))
        };
        let [eldest, dealer, others, after_look] =
            ["eldest", "dealer", "others", "after_look"].map(&mut split);
        let when = node.get("when").and_then(|node| self.condition(node, &format!("{key}.when")));
        Antes { when, eldest, dealer, others, after_look }
    }

    fn split(&mut self, node: &FileNode, key: &str) -> Split {
        let expected = "\"even\", \"base\", chips by cell as { AS = 4 }, or { cells = [\"mine\"], spread = \"even\" }";
        match node.text() {
            Some("even") => return Split::Even,
            Some("base") => return Split::Base,
            _ => {}
        }
        let Some(entries) = node.entries().filter(|entries| !entries.is_empty()) else {
            self.wrong(node, key, expected);
            return Split::Base;
        };
        let Some(cells) = node.get("cells") else { return Split::Chips(self.chips(entries, key)) };
        self.known_keys(node, &format!("{key}."), &["cells", "spread"]);
        let one = match node.get("spread").map(|spread| (spread, spread.text())) {
            None | Some((_, Some("even"))) => false,
            Some((_, Some("one"))) => true,
            Some((spread, _)) => {
                self.wrong(spread, &format!("{key}.spread"), "\"even\" or \"one\"");
                false
            }
        };
        let key = format!("{key}.cells");
        Split::Over { cells: self.list(cells, &key, |text| parse::clause(text, Scope::Cell)), one }
    }

    fn chips(&mut self, entries: &[(String, FileNode)], key: &str) -> Vec<(Box<str>, i32)> {
        let mut chips = Vec::new();
        for (cell, node) in entries {
            if let Some(whole @ 0..=1000) = node.whole() {
                chips.push((cell.as_str().into(), whole as i32));
            } else {
                let key = format!("{key}.{cell}");
                self.wrong(node, &key, "a whole number of chips, 0 to 1000");
            }
        }
        chips
    }

    fn claimed(&mut self, node: &FileNode, key: &str) -> Vec<(Box<str>, f64)> {
        let Some(entries) = node.entries() else {
            self.wrong(node, key, "a table of cells, as { AS = 0.55 }");
            return Vec::new();
        };
        let mut claimed = Vec::new();
        for (cell, node) in entries {
            match node.value {
                NodeValue::Number(often) if (0.0..=1.0).contains(&often) => {
                    claimed.push((cell.as_str().into(), often));
                }
                _ => self.wrong(node, &format!("{key}.{cell}"), "a number from 0 to 1"),
            }
        }
        claimed
    }
}

/// The file as JSON, with the content of the files that it names.
#[cfg(feature = "std")]
fn json(file: &FileNode, bases: &[Base; 4], over: Option<&Base>) -> serde_json::Value {
    let mut json = file.to_json();
    let put = |place: Option<&mut serde_json::Value>, base: &Base| {
        if let (Some(place), Base::Strategy(content)) = (place, base) {
            *place = content.json.clone();
        }
    };
    if let Some(over) = over {
        put(json.get_mut("over"), over);
    }
    let general = DecisionKind::ALL
        .into_iter()
        .find(|kind| file.get("bases").and_then(|bases| bases.get(kind.key())).is_none());
    if let Some(kind) = general {
        put(json.get_mut("base"), &bases[kind as usize]);
    }
    for kind in DecisionKind::ALL {
        put(json.get_mut("bases").and_then(|all| all.get_mut(kind.key())), &bases[kind as usize]);
    }
    json
}
