//! One seat of a deal, played by many lists.

use newmarket_agents::strategy::Strategy;
use newmarket_agents::{Agent, Player, Table};
use newmarket_env::{Action, ActionMask, Phase, Seed};

use super::Part;
use crate::study::payoff::Ledger;

/// A table of the field at which lists play one seat after the other.
///
/// Lists that leave the same choices play the same deal. So what the seat may do is kept as a tree of the decisions
/// of the kind that is learnt, and each way through it is played out once.
pub(super) struct Deals<'a> {
    ledger: &'a Ledger,
    part: Part,
    /// Where deals begin, by deals left.
    starts: Vec<Table>,
    /// Deals left after this one.
    left: usize,
    /// The deal before its first decision.
    start: Table,
    seat: usize,
    base: Box<dyn Agent>,
    field: Player,
    /// The first is the seat's first decision.
    nodes: Vec<Node>,
}

/// A decision of the seat, or the end of the deal.
struct Node {
    table: Table,
    /// What the seat gets, at the end of the deal.
    paid: Option<f64>,
    /// The nodes after the choices that lists left here.
    next: Vec<(ActionMask, usize)>,
    /// The nodes after actions that were chosen without random numbers.
    taken: Vec<(Action, usize)>,
}

impl<'a> Deals<'a> {
    pub(super) fn new(ledger: &'a Ledger, part: Part, base: &dyn Agent, field: &Player) -> Self {
        let starts = ledger.tables();
        let start = starts[0].clone();
        let (base, field) = (base.another(), field.another());
        Self { ledger, part, starts, left: 0, start, seat: 0, base, field, nodes: Vec::new() }
    }

    /// Deals the cards of the deal of this number.
    pub(super) fn begin(&mut self, number: u64, seed: Seed) {
        self.left = self.ledger.left(number);
        self.start.clone_from(&self.starts[self.left]);
        self.start.begin(seed);
    }

    /// From now on lists play this seat.
    pub(super) fn sit(&mut self, seat: usize) {
        self.seat = seat;
        self.nodes.clear();
        let start = self.start.clone();
        self.add(start);
    }

    /// Whether the seat has a decision of the kind at all.
    pub(super) fn is_asked(&self) -> bool {
        self.nodes[0].paid.is_none()
    }

    /// What the seat gets if it plays by this list.
    pub(super) fn paid(&mut self, list: &Strategy) -> f64 {
        let mut at = 0;
        loop {
            let node = &self.nodes[at];
            if let Some(paid) = node.paid {
                return paid;
            }
            let left = list.left(&node.table.view());
            let known = node.next.iter().find(|(mask, _)| *mask == left);
            at = match known {
                Some(&(_, next)) => next,
                None => self.after(at, left),
            };
        }
    }

    /// The node after the base has chosen among what was left.
    fn after(&mut self, at: usize, left: ActionMask) -> usize {
        let mut table = self.nodes[at].table.clone();
        let (mut action, mut drew) = (None, false);
        table.decide(|open, rng| {
            let (view, before) = (open.view(), rng.clone());
            let chosen = match left.first() {
                Some(only) if left.is_forced() => only,
                _ if left == view.legal() => self.base.act(&view, rng),
                _ => self.base.act_among(&view, left, rng).expect("the base can choose among some"),
            };
            (action, drew) = (Some(chosen), *rng != before);
            chosen
        });
        let action = action.expect("a decision was due");
        let known = self.nodes[at].taken.iter().find(|(other, _)| *other == action);
        let next = match known.filter(|_| !drew) {
            Some(&(_, next)) => next,
            None => self.add(table),
        };
        self.nodes[at].next.push((left, next));
        if !drew {
            self.nodes[at].taken.push((action, next));
        }
        next
    }

    /// Plays on to the seat's next decision of the kind.
    fn add(&mut self, mut table: Table) -> usize {
        let Self { base, field, .. } = self;
        while !table.is_over() {
            let own = table.seat() == self.seat;
            if own && asks(self.part, table.view().phase()) {
                break;
            }
            table.decide(
                |open, rng| {
                    if own { base.act(&open.view(), rng) } else { field.act(open, rng) }
                },
            );
        }
        let paid = table.is_over().then(|| self.ledger.paid(self.left, &table, self.seat));
        self.nodes.push(Node { table, paid, next: Vec::new(), taken: Vec::new() });
        self.nodes.len() - 1
    }
}

/// Whether decisions of this phase are of the kind.
pub(super) const fn asks(part: Part, phase: Phase) -> bool {
    match part {
        Part::Lead => matches!(phase, Phase::Lead),
        Part::Ante => matches!(phase, Phase::Ante),
        Part::DeadHand => matches!(phase, Phase::DeadHand | Phase::Auction),
    }
}
