//! Reads a strategy file, and collects all its faults.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
#[cfg(feature = "std")]
use alloc::string::ToString as _;
use alloc::sync::Arc;
use alloc::vec::Vec;
#[cfg(feature = "std")]
use core::time::Duration;

use newmarket_env::rules::{Fault, Faults, NAMES};
use newmarket_env::text::{Joined as _, brief, parted};

use super::{BASES, Base, ClaimedGain, Content, DEEPEST_BASE, DecisionKind, FORMAT, Files, Plan};
use crate::strategy::expression::Condition;
use crate::strategy::facts::Scope;
use crate::strategy::named::NAMES as NAMED;
use crate::strategy::node::{FileNode, NodeValue};
use crate::strategy::notes::Memory;
use crate::strategy::parse::{self, Misread, nearest};
use crate::strategy::split::{Antes, Split};
#[cfg(feature = "std")]
use crate::{player::Player, search};

/// Most clauses or lines of a list.
pub const LONGEST_LIST: usize = 32;
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
            if name.starts_with("net:") {
                return Ok(None);
            }
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
            NodeValue::Text(text) => format!("is \"{}\"", brief(text, 60)),
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
            NodeValue::Text(name) => match self.player(name) {
                Ok(base) => return base,
                Err(Misread { problem, expected }) => self.fault(node, key, problem, expected),
            },
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

    /// The base of this name.
    fn player(&mut self, name: &str) -> Result<Base, Misread> {
        let misread = |problem: &str, expected: &str| Misread {
            problem: problem.into(),
            expected: expected.into(),
        };
        // `random` is a base and a named strategy.
        let bases = BASES.map(|(name, _)| name).into_iter();
        let known = || bases.clone().filter(|name| !NAMED.contains(name)).chain(NAMED);
        let named = || Ok(Base::Named(name.into()));
        if known().any(|known| known == name) {
            return named();
        }
        if name.starts_with("exec:") {
            return Err(misread(
                "is a program, which cannot choose among what clauses leave",
                "a player of this program, as \"stopper\" or \"net:champion\"",
            ));
        }
        if name.starts_with("strategy:") || name.starts_with("net:") {
            return match (self.files)(name) {
                Ok(Some(content)) => Ok(Base::Strategy(content)),
                Ok(None) => named(),
                Err(problem) => {
                    let (problem, expected) =
                        parted(&problem, ": expected ").unwrap_or((&problem, "another player"));
                    Err(misread(problem, expected))
                }
            };
        }
        if searches(name)? {
            return named();
        }
        let players: Vec<&str> = known().chain(["net:champion", "pimc:60"]).collect();
        let near = nearest(name, &players).joined(", ");
        Err(misread(
            &format!("`{}` is no player", brief(name, 60)),
            &format!("one of these, which are nearest: {near}, or strategy:PATH"),
        ))
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
        // JSON and TOML may list cells in different orders.
        chips.sort_unstable();
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

/// Whether this is the name of a searching player that sees its own hand alone.
#[cfg(feature = "std")]
fn searches(name: &str) -> Result<bool, Misread> {
    match search::named(name, Some(|| Duration::ZERO)) {
        Ok(None) => Ok(false),
        Ok(Some(Player::Fair(_))) => Ok(true),
        Ok(Some(_)) => Err(Misread {
            problem: format!("`{name}` sees all cards"),
            expected: "a player that sees its own hand alone".into(),
        }),
        Err(error) => {
            let problem = error.to_string();
            let (problem, expected) =
                parted(&problem, ": expected ").unwrap_or((&problem, "another player"));
            Err(Misread { problem: problem.into(), expected: expected.into() })
        }
    }
}

/// The same of the name's beginning alone: all search is much code for a web page. Whoever makes the player reads the
/// rest.
#[cfg(not(feature = "std"))]
fn searches(name: &str) -> Result<bool, Misread> {
    Ok(name.starts_with("pimc:") || name.starts_with("ismcts:"))
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
