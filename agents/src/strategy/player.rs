//! The player that plays by a strategy.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

use newmarket_env::{Action, ActionMask, Phase, Rng, Suit, View, seed};

use super::content::{Base, Content, DEEPEST_BASE, DecisionKind, PlanOf};
use super::expression::{Answer, Line, Subject};
use super::named;
use super::notes::{Memory, Notes};
use crate::player::Agent;
use crate::usual;

/// A player by a strategy: clauses narrow the legal choices down, and the base decides among those that stay.
pub struct Strategy {
    name: String,
    content: Arc<Content>,
    /// The bases, each once.
    bases: Vec<Player>,
    /// By kind of decision, which of them decides.
    of_kind: [usize; DecisionKind::ALL.len()],
}

/// A base.
pub(super) enum Player {
    /// The first legal choice.
    First,
    /// Any legal choice, all equally likely. A decision draws one random number.
    Random,
    /// Antes, the dead hand and poker as heuristics do; the first of the leads.
    Usual,
    Agent(Box<dyn Agent>),
}

/// Finds a base that is no strategy: the player of a name.
pub type FindPlayer<'p> = dyn FnMut(&str) -> Result<Box<dyn Agent>, String> + 'p;

impl Strategy {
    /// The named strategy of this name.
    pub fn named(name: &str) -> Option<Self> {
        let content = named::content(name)?;
        let mut none = |name: &str| Err(format!("`{name}` is no base of a named strategy"));
        Some(Self::new(name, content, &mut none).expect("named strategies have named bases"))
    }

    /// The player of a strategy. `name` is what it is called; `players` finds the players that it builds on.
    ///
    /// # Errors
    /// If a base cannot be found, or must choose among some of its choices and cannot.
    pub fn new(
        name: &str,
        content: Arc<Content>,
        players: &mut FindPlayer,
    ) -> Result<Self, String> {
        Self::nested(name, content, players, 0)
    }

    fn nested(
        name: &str,
        content: Arc<Content>,
        players: &mut FindPlayer,
        depth: usize,
    ) -> Result<Self, String> {
        if depth > DEEPEST_BASE {
            return Err(format!(
                "the base of a base, and so on, is too deep: expected at most {DEEPEST_BASE}"
            ));
        }
        if content.lacks_claims() {
            return Err(format!(
                "`{name}` asks how often each cell is claimed in a deal and does not say so: expected it as \
                 claimed = {{ AS = 0.55, KH = 0.4 }} (`newmarket study strategy` counts it at its tables)"
            ));
        }
        // Kinds with the same base share one player: four of each, eight deep, would be 65,536.
        let mut bases: Vec<(&Base, Player)> = Vec::new();
        let mut of_kind = [0; DecisionKind::ALL.len()];
        for kind in DecisionKind::ALL {
            let base = content.base(kind);
            let known = bases.iter().position(|(known, _)| same(known, base));
            let nth = known.unwrap_or(bases.len());
            if known.is_none() {
                bases.push((base, Self::base(name, base, players, depth)?));
            }
            // Antes and lines about the dead hand decide, or leave everything to the base. Clauses on leads may
            // leave some choices.
            if kind == DecisionKind::Lead
                && content.decides(kind)
                && let Player::Agent(agent) = &bases[nth].1
                && !agent.chooses_among()
            {
                return Err(format!(
                    "`{}` cannot choose among what clauses on leads leave: expected a strategy or a network \
                     without search as base",
                    agent.name()
                ));
            }
            of_kind[kind as usize] = nth;
        }
        let bases = bases.into_iter().map(|(_, player)| player).collect();
        Ok(Self { name: name.into(), content, bases, of_kind })
    }

    fn base(
        name: &str,
        base: &Base,
        players: &mut FindPlayer,
        depth: usize,
    ) -> Result<Player, String> {
        Ok(match base {
            Base::Strategy(inner) => {
                Player::Agent(Box::new(Self::nested(name, inner.clone(), players, depth + 1)?))
            }
            Base::Named(base) => match &base[..] {
                "first" => Player::First,
                "random" => Player::Random,
                "usual" => Player::Usual,
                _ => Player::Agent(match named::content(base) {
                    Some(inner) => Box::new(Self::nested(base, inner, players, depth + 1)?),
                    None => players(base)?,
                }),
            },
        })
    }

    /// What its file says.
    pub const fn content(&self) -> &Arc<Content> {
        &self.content
    }

    /// What it does, in a few words.
    pub fn about(&self) -> &str {
        &self.content.about
    }

    /// What decides on what the strategy leaves open, in decisions of a kind.
    pub(super) fn base_of(&self, kind: DecisionKind) -> &Player {
        &self.bases[self.of_kind[kind as usize]]
    }

    /// The choices that the strategy leaves to its base, or the one that it takes itself.
    pub fn left(&self, view: &View) -> ActionMask {
        self.narrow(view, view.legal()).0
    }

    /// The choices that the strategy leaves to its base, and the last clause or line that left fewer.
    pub(super) fn narrow(&self, view: &View, legal: ActionMask) -> (ActionMask, Option<&str>) {
        let plan = self.content.plan_for(view.game().rules().base);
        let part = |memory: Option<Memory>| Notes::new(view, memory.unwrap_or(Memory::ALL));
        match view.phase() {
            Phase::Lead => {
                let Some(clauses) =
                    plan.part(|plan| plan.lead.as_ref()).filter(|all| !all.is_empty())
                else {
                    return (legal, None);
                };
                let suits = legal.iter().filter_map(Action::suit);
                let mut left: u32 = suits.fold(0, |all, suit| all | 1 << suit.index());
                if left == 0 {
                    return (legal, None);
                }
                let notes = part(plan.part(|plan| plan.remember));
                if !holds(plan, &notes) {
                    return (legal, None);
                }
                let mut text = None;
                for clause in clauses {
                    if left.is_power_of_two() {
                        break;
                    }
                    let stay = clause
                        .narrow(&notes, left, |suit| Subject::Suit(Suit::from_index(suit & 3)));
                    if stay != left {
                        left = stay;
                        text = Some(clause.text());
                    }
                }
                (ActionMask::leads(left), text)
            }
            Phase::Ante => {
                let Some(antes) = plan.part(|plan| plan.ante.as_ref()) else {
                    return (legal, None);
                };
                let notes = part(plan.part(|plan| plan.remember));
                if !holds(plan, &notes) {
                    return (legal, None);
                }
                let claimed = plan.part(|plan| plan.claimed.as_deref()).unwrap_or_default();
                match antes.chip(&notes, claimed).filter(|&chip| legal.contains(chip)) {
                    Some(chip) => (ActionMask::only(chip), Some("ante")),
                    None => (legal, None),
                }
            }
            phase @ (Phase::DeadHand | Phase::Auction) => {
                let lines = plan.part(|plan| {
                    if phase == Phase::Auction {
                        plan.bid.as_ref()
                    } else {
                        plan.dead_hand.as_ref()
                    }
                });
                let Some(lines) = lines else { return (legal, None) };
                let notes = part(plan.part(|plan| plan.remember));
                if !holds(plan, &notes) {
                    return (legal, None);
                }
                for line in lines {
                    if let Some(answer) = answered(line, &notes, legal) {
                        return (answer, Some(line.text()));
                    }
                }
                (legal, None)
            }
            Phase::SetApart | Phase::Bet | Phase::Deal | Phase::Over => (legal, None),
        }
    }

    fn choose(&mut self, view: &View, among: ActionMask, rng: &mut Rng) -> Action {
        let legal = view.legal();
        let (left, _) = self.narrow(view, among);
        if left != legal
            && left.is_forced()
            && let Some(only) = left.first()
        {
            return only;
        }
        let kind = DecisionKind::of(view.phase()).expect("a decision is due");
        match &mut self.bases[self.of_kind[kind as usize]] {
            Player::First => left.first().expect("a decision has a choice"),
            Player::Random => {
                let pick = seed::below(rng, left.len() as u32) as usize;
                left.nth(pick).expect("a decision has a choice")
            }
            Player::Usual => usual(view, left),
            Player::Agent(agent) if left == legal => agent.act(view, rng),
            Player::Agent(agent) => {
                agent.act_among(view, left, rng).expect("a base that cannot choose was refused")
            }
        }
    }
}

/// Whether two bases are certainly the same player.
fn same(one: &Base, other: &Base) -> bool {
    match (one, other) {
        (Base::Named(one), Base::Named(other)) => one == other,
        (Base::Strategy(one), Base::Strategy(other)) => Arc::ptr_eq(one, other),
        _ => false,
    }
}

/// Whether the plan is for this table.
fn holds(plan: PlanOf, notes: &Notes) -> bool {
    plan.part(|plan| plan.when.as_ref()).is_none_or(|when| when.holds(notes, Subject::Table))
}

/// What a line answers here, if it decides: its condition holds and its answer is legal.
fn answered(line: &Line, notes: &Notes, legal: ActionMask) -> Option<ActionMask> {
    if line.when.as_ref().is_some_and(|when| !when.holds(notes, Subject::Table)) {
        return None;
    }
    let next_bid = f64::from(notes.view.bid() + 1);
    let bid = |bids: bool| if bids { Action::BID } else { Action::PASS };
    let action = match &line.answer {
        Answer::Base => return Some(legal),
        Answer::Keep => Action::KEEP,
        Answer::Take => Action::EXCHANGE,
        Answer::Auction => Action::AUCTION,
        Answer::Pass => Action::PASS,
        Answer::UpTo(most) => bid(next_bid <= most.of(notes, Subject::Table)),
        Answer::UpToBelow(limit) => bid(next_bid < limit.of(notes, Subject::Table)),
    };
    legal.contains(action).then_some(ActionMask::only(action))
}

/// What heuristics do, or the first of the choices where they would do something else.
fn usual(view: &View, among: ActionMask) -> Action {
    if view.phase() == Phase::Lead {
        return among.first().expect("a decision has a choice");
    }
    let action = usual::before_play(view);
    if among.contains(action) { action } else { among.first().expect("a decision has a choice") }
}

impl Agent for Strategy {
    fn name(&self) -> &str {
        &self.name
    }

    fn act(&mut self, view: &View, rng: &mut Rng) -> Action {
        self.choose(view, view.legal(), rng)
    }

    fn act_among(&mut self, view: &View, among: ActionMask, rng: &mut Rng) -> Option<Action> {
        Some(self.choose(view, among, rng))
    }

    fn chooses_among(&self) -> bool {
        match self.base_of(DecisionKind::Lead) {
            Player::Agent(agent) => agent.chooses_among(),
            _ => true,
        }
    }

    #[cfg(feature = "std")]
    fn probabilities(&mut self, view: &View) -> Option<Vec<f64>> {
        let kind = DecisionKind::of(view.phase())?;
        let legal = view.legal();
        let (left, _) = self.narrow(view, legal);
        match &mut self.bases[self.of_kind[kind as usize]] {
            Player::Random => {
                let share = 1.0 / left.len() as f64;
                Some(
                    legal
                        .iter()
                        .map(|action| if left.contains(action) { share } else { 0.0 })
                        .collect(),
                )
            }
            Player::Agent(agent) if left == legal => agent.probabilities(view),
            _ => None,
        }
    }

    fn strategy(&self) -> Option<&Strategy> {
        Some(self)
    }

    fn another(&self) -> Box<dyn Agent> {
        Box::new(self.clone())
    }
}

impl Clone for Strategy {
    fn clone(&self) -> Self {
        let bases = self.bases.iter().map(|base| match base {
            Player::First => Player::First,
            Player::Random => Player::Random,
            Player::Usual => Player::Usual,
            Player::Agent(agent) => Player::Agent(agent.another()),
        });
        Self {
            name: self.name.clone(),
            content: self.content.clone(),
            bases: bases.collect(),
            of_kind: self.of_kind,
        }
    }
}
