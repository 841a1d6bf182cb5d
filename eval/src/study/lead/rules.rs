//! The rules that are measured.

use newmarket_agents::Agent;
use newmarket_agents::strategy::Strategy;
use serde_json::json;

use crate::study::by_json;

/// A rule that chooses the suit to lead.
#[derive(Clone, Copy, Debug)]
pub(super) struct LeadRule {
    /// Its name in reports.
    pub(super) name: &'static str,
    /// What it leads, in a few words.
    pub(super) about: &'static str,
    /// Whether it asks a single question.
    pub(super) single: bool,
    /// Its clause, with a random lead among equals; none: it is the strategy of this name.
    clause: Option<&'static str>,
}

const fn one(name: &'static str, about: &'static str, clause: &'static str) -> LeadRule {
    LeadRule { name, about, single: true, clause: Some(clause) }
}

const fn named(name: &'static str, about: &'static str, single: bool) -> LeadRule {
    LeadRule { name, about, single, clause: None }
}

/// All of them: the named strategies, and what these are made of.
pub(super) const RULES: [LeadRule; 12] = [
    named("random", "any suit", false),
    named("lowest", "the lowest card", true),
    named("longest", "the longest suit", true),
    named("boodle", "the suit of the richest boodle in hand, then the longest", false),
    named("stopper", "keep the lead, boodle, out of reach, length", false),
    one("keep the lead", "a run that is sure to stop in the own hand", "run stops"),
    one("boodle suit", "the suit of the richest boodle in hand", "most boodle chips"),
    one("out of reach", "a card that nobody can lead up to", "nobody below"),
    one("short suit", "the shortest suit", "fewest cards"),
    one("high card", "the suit whose lowest card is highest", "highest card"),
    one("long run", "the longest unbroken run from the lowest card", "most run"),
    one("unopened suit", "a suit of which nothing has been played", "when after a stop: unopened"),
];

impl LeadRule {
    /// A player who leads by it.
    pub(super) fn agent(&self) -> Box<dyn Agent> {
        Box::new(match self.clause {
            Some(clause) => by_json(&json!({ "bases": { "lead": "random" }, "lead": [clause] })),
            None => Strategy::named(self.name).expect("a named strategy"),
        })
    }
}
