//! Whole decisions, as the protocol writes them.

use alloc::vec;
use alloc::vec::Vec;

use newmarket_agents::Agent as _;
use newmarket_agents::strategy::Strategy;
use newmarket_env::{
    Action, CardSet, Event, Game, Hands, MAX_PLAYERS, Name, Phase, Seed, State, View,
};
use serde::{Deserialize, Serialize};

/// The most decisions that are listed one by one; of more, some are listed.
const MOST_LISTED: usize = 1_500;

/// A whole decision: the event that it leads to, without its consequences.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "e", rename_all = "snake_case", deny_unknown_fields)]
#[expect(missing_docs, reason = "they are the events of `docs/TRACE.md`, section 10.5")]
pub enum Choice {
    Ante { layout: Vec<i32> },
    Keep {},
    Exchange {},
    Auction {},
    Bid {},
    Pass {},
    SetApart { cards: Vec<Name> },
    Check {},
    Bet {},
    Call {},
    Raise {},
    Fold {},
    Lead { card: Name },
}

impl Choice {
    /// The decision that these actions make: all chips of an ante, five cards, or one action. `None` if
    /// they do not make a whole decision of the seat.
    pub fn of(view: &View, actions: &[Action]) -> Option<Self> {
        let (game, &first) = (view.game(), actions.first()?);
        let aces = game.rules().aces;
        if first.cell().is_some() {
            let mut layout = vec![0; game.cells()];
            for cell in actions.iter().filter_map(|action| action.cell()) {
                *layout.get_mut(cell)? += 1;
            }
            return Some(Self::Ante { layout });
        }
        if first.card().is_some() {
            let cards = actions.iter().filter_map(|action| action.card());
            return Some(Self::SetApart {
                cards: cards.map(|card| Name::of(card, aces)).collect(),
            });
        }
        if let Some(suit) = first.suit() {
            let card = view.hand().lowest(suit)?;
            return Some(Self::Lead { card: Name::of(card, aces) });
        }
        Some(match first {
            Action::KEEP => Self::Keep {},
            Action::EXCHANGE => Self::Exchange {},
            Action::AUCTION => Self::Auction {},
            Action::BID => Self::Bid {},
            Action::PASS => Self::Pass {},
            Action::CHECK => Self::Check {},
            Action::BET => Self::Bet {},
            Action::CALL => Self::Call {},
            Action::RAISE => Self::Raise {},
            _ => Self::Fold {},
        })
    }

    /// The seat and the decision that an event of a trace tells of, if it tells of one.
    pub(crate) fn of_event(event: &Event) -> Option<(usize, Self)> {
        Some(match *event {
            Event::Ante { seat, ref layout, .. } => (seat, Self::Ante { layout: layout.clone() }),
            Event::Keep { seat } => (seat, Self::Keep {}),
            Event::Exchange { seat, .. } => (seat, Self::Exchange {}),
            Event::Auction { seat } => (seat, Self::Auction {}),
            Event::Bid { seat, .. } => (seat, Self::Bid {}),
            Event::Pass { seat } => (seat, Self::Pass {}),
            Event::SetApart { seat, ref cards } => (seat, Self::SetApart { cards: cards.clone() }),
            Event::Check { seat, .. } => (seat, Self::Check {}),
            Event::Bet { seat, .. } => (seat, Self::Bet {}),
            Event::Call { seat, .. } => (seat, Self::Call {}),
            Event::Raise { seat, .. } => (seat, Self::Raise {}),
            Event::Fold { seat, .. } => (seat, Self::Fold {}),
            Event::Lead { seat, card } => (seat, Self::Lead { card }),
            _ => return None,
        })
    }

    /// Whole decisions that the seat to act may take, at most about `most` of them.
    pub fn some(view: &View, most: usize) -> Vec<Self> {
        let (found, _) = choices_of(view, most);
        found.iter().filter_map(|actions| Self::of(view, actions)).collect()
    }

    /// The actions of the decision, in an order in which they are legal. `None` if the seat to act may not
    /// take it, or if it is not whole.
    pub fn taken(&self, view: &View) -> Option<Vec<Action>> {
        let mut left = self.actions(view.game());
        left.sort_unstable_by_key(|action| action.index());
        let begun = Begun::of(view);
        let mut state = view.determinize(&some_world(view));
        let mut taken = Vec::new();
        while !left.is_empty() {
            if !taken.is_empty() && begun.is_whole(&state) {
                return None;
            }
            let legal = state.legal(view.game());
            // The order of chips matters if cells can be full.
            let next = left.iter().position(|&action| legal.contains(action))?;
            let action = left.remove(next);
            taken.push(action);
            if begun.several() {
                state.apply_unchecked(view.game(), action);
            }
        }
        // Actions do not show a lead of the wrong card, nor a negative number of chips.
        let is_same =
            matches!(self, Self::SetApart { .. }) || Self::of(view, &taken).as_ref() == Some(self);
        (is_same && begun.is_whole(&state)).then_some(taken)
    }

    /// The actions of the decision, which need not be legal.
    pub fn actions(&self, game: &Game) -> Vec<Action> {
        let aces = game.rules().aces;
        match self {
            Self::Ante { layout } => {
                let cells = layout.iter().take(game.cells()).enumerate();
                let chips = cells.flat_map(|(cell, &chips)| {
                    core::iter::repeat_n(Action::chip(cell), chips.clamp(0, 100_000) as usize)
                });
                chips.collect()
            }
            Self::SetApart { cards } => {
                cards.iter().map(|name| Action::pick(name.card(aces))).collect()
            }
            Self::Lead { card } => vec![Action::lead(card.suit())],
            Self::Keep {} => vec![Action::KEEP],
            Self::Exchange {} => vec![Action::EXCHANGE],
            Self::Auction {} => vec![Action::AUCTION],
            Self::Bid {} => vec![Action::BID],
            Self::Pass {} => vec![Action::PASS],
            Self::Check {} => vec![Action::CHECK],
            Self::Bet {} => vec![Action::BET],
            Self::Call {} => vec![Action::CALL],
            Self::Raise {} => vec![Action::RAISE],
            Self::Fold {} => vec![Action::FOLD],
        }
    }
}

/// The whole decisions that the seat to act may take, each as its actions, and whether these are all of
/// them. Of very many, some are listed, with every first action among them. If a decision takes several
/// actions, the heuristic's decision comes first.
pub(crate) fn choices(view: &View) -> (Vec<Vec<Action>>, bool) {
    let (mut found, all) = choices_of(view, MOST_LISTED);
    if Begun::of(view).several() {
        let usual = by_heuristic(view);
        found.retain(|plan| *plan != usual);
        found.insert(0, usual);
    }
    (found, all)
}

/// The heuristic's decision.
fn by_heuristic(view: &View) -> Vec<Action> {
    let (begun, mut heuristic) = (Begun::of(view), Strategy::named("stopper").expect("it is one"));
    let mut state = view.determinize(&some_world(view));
    let (mut plan, mut rng) = (Vec::new(), Seed::new(0).rng());
    loop {
        let action = heuristic.act(&state.view(view.game(), view.seat()), &mut rng);
        plan.push(action);
        state.apply_unchecked(view.game(), action);
        if begun.is_whole(&state) {
            return plan;
        }
    }
}

fn choices_of(view: &View, most: usize) -> (Vec<Vec<Action>>, bool) {
    let (world, begun) = (some_world(view), Begun::of(view));
    let mut found = Vec::new();
    let mut whole = true;
    // Every first action gets its share of the list.
    let first = view.legal();
    let share = most / first.len().max(1);
    for action in first.iter() {
        let most = found.len() + share.max(1);
        let mut path = vec![action];
        whole &= begun.extend(view.determinize(&world), &mut path, most, &mut found);
    }
    (found, whole)
}

/// Hands with the right cards for the seat only. The decision does not depend on the other hands, but
/// each must have five cards that can be set apart.
fn some_world(view: &View) -> Hands {
    let any_five: CardSet = view.game().pack().iter().take(5).collect();
    let mut world = Hands { seats: [any_five; MAX_PLAYERS], dead: CardSet::EMPTY };
    world.seats[view.seat()] = view.hand();
    world
}

/// A decision in progress, which may take several actions.
struct Begun<'g> {
    game: &'g Game,
    seat: usize,
    phase: Phase,
}

impl<'g> Begun<'g> {
    fn of(view: &View<'g>) -> Self {
        Self { game: view.game(), seat: view.seat(), phase: view.phase() }
    }

    /// Whether the decision takes several actions.
    fn several(&self) -> bool {
        matches!(self.phase, Phase::Ante | Phase::SetApart)
    }

    fn is_whole(&self, state: &State) -> bool {
        !self.several() || state.phase() != self.phase || state.actor() != Some(self.seat)
    }

    /// Adds every way to complete a path, up to `most` entries of the list. Returns whether all ways were
    /// added.
    fn extend(
        &self,
        mut state: State,
        path: &mut Vec<Action>,
        most: usize,
        found: &mut Vec<Vec<Action>>,
    ) -> bool {
        if self.several()
            && let Some(&last) = path.last()
        {
            state.apply_unchecked(self.game, last);
        }
        if self.is_whole(&state) {
            found.push(path.clone());
            return true;
        }
        for action in state.legal(self.game).iter() {
            if found.len() >= most {
                return false;
            }
            path.push(action);
            let all = self.extend(state, path, most, found);
            path.pop();
            if !all {
                return false;
            }
        }
        true
    }
}
