//! The rules that are measured.

use newmarket_agents::Agent;
use newmarket_agents::heuristic::lead::{self, Criterion};
use newmarket_agents::heuristic::{Heuristic, Style, TieBreak};
use newmarket_env::{Action, View};

/// The reference plays, and is asked, in one deal of so many: it thinks long.
pub(super) const REFERENCE_EVERY: u64 = 8;

/// A rule that chooses the suit to lead.
#[derive(Clone, Copy, Debug)]
pub(super) struct LeadRule {
    /// Its name in reports.
    pub(super) name: &'static str,
    /// What it leads, in a few words.
    pub(super) about: &'static str,
    /// Whether it asks a single question.
    pub(super) single: bool,
    /// What it asks; none: it is the heuristic of this name.
    criterion: Option<Criterion>,
}

const fn one(name: &'static str, about: &'static str, criterion: Criterion) -> LeadRule {
    LeadRule { name, about, single: true, criterion: Some(criterion) }
}

const fn heuristic(name: &'static str, about: &'static str, single: bool) -> LeadRule {
    LeadRule { name, about, single, criterion: None }
}

/// All of them: the heuristics, and what these are made of.
pub(super) const RULES: [LeadRule; 12] = [
    heuristic("random", "any suit", false),
    heuristic("lowest", "the lowest card", true),
    heuristic("longest", "the longest suit", true),
    heuristic("boodle", "the suit of the richest boodle in hand, then the longest", false),
    heuristic("stopper", "keep the lead, boodle, out of reach, length", false),
    one("keep the lead", "a run that is sure to stop in the own hand", lead::keeps_lead),
    one("boodle suit", "the suit of the richest boodle in hand", lead::boodle),
    one("out of reach", "a card that nobody can lead up to", lead::out_of_reach),
    one("short suit", "the shortest suit", lead::shortness),
    one("high card", "the suit whose lowest card is highest", lead::high_card),
    one("long run", "the longest unbroken run from the lowest card", lead::run),
    one("unopened suit", "a suit of which nothing has been played", lead::unopened),
];

impl LeadRule {
    /// A player who leads by it.
    pub(super) fn agent(&self) -> Box<dyn Agent> {
        match self.criterion {
            Some(criterion) => Box::new(Style::leading([criterion], TieBreak::Random)),
            None => Box::new(Heuristic::named(self.name).expect("a heuristic")),
        }
    }

    /// How likely it is to make this lead.
    pub(super) fn makes(&self, agent: &mut dyn Agent, view: &View, choice: Action) -> f64 {
        let suits = view.legal().iter().filter_map(Action::suit);
        let (all, bit) = (suits.fold(0, |all, suit| all | 1 << suit.index()), choice.suit());
        if let Some(criterion) = self.criterion {
            let best = lead::best(view, &[criterion], all);
            let made = bit.is_some_and(|suit| best >> suit.index() & 1 == 1);
            return if made { 1.0 / f64::from(best.count_ones()) } else { 0.0 };
        }
        if let Some(likely) = agent.probabilities(view) {
            let at = view.legal().iter().position(|action| action == choice);
            return at.map_or(0.0, |at| likely[at]);
        }
        // The others draw no random numbers.
        let mut rng = newmarket_env::Seed::new(0).rng();
        f64::from(u8::from(agent.act(view, &mut rng) == choice))
    }
}
