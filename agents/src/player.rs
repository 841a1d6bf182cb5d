//! Players: fair ones see a [`View`] or events, the open one sees all cards.

use alloc::boxed::Box;
#[cfg(feature = "std")]
use alloc::vec::Vec;

use newmarket_env::{Action, ActionMask, Game, Observation, Rng, State, View};

use crate::Runner;
use crate::events::{DealEvents, EventAgent};
#[cfg(feature = "std")]
use crate::many::DecideMany;
use crate::net::Plays;
use crate::search::Omniscient;
use crate::strategy::Strategy;

/// A fair player. It sees a [`View`], which holds only what its seat may know. It draws its random
/// numbers from the stream that it is given, so that a seed fixes all decisions of a deal. It may
/// remember its plan for the current deal, and nothing else.
///
/// ```
/// use newmarket_agents::Agent;
/// use newmarket_env::{Action, Rng, View};
///
/// struct First;
///
/// impl Agent for First {
///     fn name(&self) -> &str {
///         "first"
///     }
///     fn act(&mut self, view: &View, _rng: &mut Rng) -> Action {
///         view.legal().first().expect("a decision has a choice")
///     }
///     fn another(&self) -> Box<dyn Agent> {
///         Box::new(First)
///     }
/// }
/// ```
///
/// A player that sees all cards is not a fair player, and does not compile as one:
///
/// ```compile_fail,E0053
/// use newmarket_agents::{Agent, OpenView};
/// use newmarket_env::{Action, Rng};
///
/// struct Cheat;
///
/// impl Agent for Cheat {
///     fn name(&self) -> &str {
///         "cheat"
///     }
///     fn act(&mut self, table: &OpenView, _rng: &mut Rng) -> Action {
///         table.view().legal().first().expect("a decision has a choice")
///     }
///     fn another(&self) -> Box<dyn Agent> {
///         Box::new(Cheat)
///     }
/// }
/// ```
pub trait Agent: Send + Sync {
    /// The agent's name on the command line.
    fn name(&self) -> &str;

    /// One of `view.legal()`, which has at least one action.
    fn act(&mut self, view: &View, rng: &mut Rng) -> Action;

    /// One of `among`, which are some of `view.legal()`, at least one. `None` if the player cannot choose among
    /// some of its choices only.
    fn act_among(&mut self, _view: &View, _among: ActionMask, _rng: &mut Rng) -> Option<Action> {
        None
    }

    /// Whether [`Agent::act_among`] answers.
    fn chooses_among(&self) -> bool {
        false
    }

    /// The probability of each of `view.legal()`, in that order. `None` if the agent does not know its
    /// probabilities. Nothing asks for it without the feature `std`.
    #[cfg(feature = "std")]
    fn probabilities(&mut self, _view: &View) -> Option<Vec<f64>> {
        None
    }

    /// The policy of a player that chooses by the policy's logits as [`BatchPolicy::plays`] says, except
    /// that it sets the best five cards apart for poker. A caller that plays many deals in step asks the
    /// policy for all of them at once. `None` for all other players.
    fn batch(&self) -> Option<Box<dyn BatchPolicy>> {
        None
    }

    /// What decides in this player's place for a caller that plays many deals in step, and asks for all of
    /// them at once. `None` for a player that decides as fast one by one.
    #[cfg(feature = "std")]
    fn many(&self) -> Option<Box<dyn DecideMany>> {
        None
    }

    /// The action where [`Agent::many`] has left the decision to the player.
    #[cfg(feature = "std")]
    fn act_undecided(&mut self, view: &View, rng: &mut Rng) -> Action {
        self.act(view, rng)
    }

    /// The strategy by which the player plays, if it is one: a strategy can say why it decides.
    fn strategy(&self) -> Option<&Strategy> {
        None
    }

    /// Another player of the same kind, for another table.
    fn another(&self) -> Box<dyn Agent>;
}

/// A policy that answers for many decisions at once. It has its own working memory.
pub trait BatchPolicy: Send + Sync {
    /// Calls `answer(i, logits)` for each observation `i`, in order. `logits` `[actions]` holds the
    /// logits of the viewer's legal actions; its other entries mean nothing. The logits of one
    /// observation do not depend on the others.
    fn logits(&mut self, observations: &[Observation], answer: &mut dyn FnMut(usize, &[f32]));

    /// How its player chooses by these logits: of most kinds of decision, the likeliest action.
    fn plays(&self) -> Plays {
        Plays::LIKELIEST
    }
}

/// A table at which a seat is to act, with all cards face up.
#[derive(Clone, Copy, Debug)]
pub struct OpenView<'a> {
    game: &'a Game,
    state: &'a State,
    seat: usize,
    runner: Option<&'a Runner>,
}

impl<'a> OpenView<'a> {
    /// A table at which this seat is to act.
    pub const fn new(game: &'a Game, state: &'a State, seat: usize) -> Self {
        Self { game, state, seat, runner: None }
    }

    /// The table of a runner, with the events of the deal.
    pub(crate) const fn of(game: &'a Game, runner: &'a Runner, seat: usize) -> Self {
        Self { game, state: runner.state(), seat, runner: Some(runner) }
    }

    /// The rules and the number of seats.
    pub const fn game(&self) -> &'a Game {
        self.game
    }

    /// All hands, the dead hand included.
    pub const fn state(&self) -> &'a State {
        self.state
    }

    /// The seat that is to act.
    pub const fn seat(&self) -> usize {
        self.seat
    }

    /// What the seat that is to act may know.
    pub fn view(&self) -> View<'a> {
        self.state.view(self.game, self.seat)
    }

    fn events(&self) -> DealEvents<'a> {
        let runner = self.runner.expect("a player that needs events sits at the table of a runner");
        DealEvents::new(self.game, runner, self.seat)
    }
}

/// A player of any kind. Only this type decides what a player sees.
pub enum Player {
    /// A player that sees what its seat may know.
    Fair(Box<dyn Agent>),
    /// The player that sees all cards, for comparison with those that do not.
    Open(Omniscient),
    /// A player that sees what its seat may know as the events of the deal.
    Events(Box<dyn EventAgent>),
}

impl Player {
    /// The player's name on the command line.
    pub fn name(&self) -> &str {
        match self {
            Self::Fair(agent) => agent.name(),
            Self::Open(_) => Omniscient::NAME,
            Self::Events(agent) => agent.name(),
        }
    }

    /// The player's choice for the seat that is to act. A fair player sees only the seat's view.
    ///
    /// # Panics
    /// If the player needs the events of the deal, and the table is no [`Runner`]'s.
    pub fn act(&mut self, table: &OpenView, rng: &mut Rng) -> Action {
        match self {
            Self::Fair(agent) => agent.act(&table.view(), rng),
            Self::Open(agent) => agent.act(table, rng),
            Self::Events(agent) => agent.act(&table.events(), rng),
        }
    }

    /// Whether it needs the events of the deal.
    pub const fn needs_events(&self) -> bool {
        matches!(self, Self::Events(_))
    }

    /// Tells a player that needs the events of the deal that the deal is over.
    ///
    /// # Panics
    /// As [`Player::act`].
    pub fn over(&mut self, table: &OpenView) {
        if let Self::Events(agent) = self {
            agent.over(&table.events());
        }
    }

    /// The policy of a fair player that can answer for many decisions at once ([`Agent::batch`]).
    pub fn batch(&self) -> Option<Box<dyn BatchPolicy>> {
        match self {
            Self::Fair(agent) => agent.batch(),
            Self::Open(_) | Self::Events(_) => None,
        }
    }

    /// What decides for a fair player at many tables at once ([`Agent::many`]).
    #[cfg(feature = "std")]
    pub fn many(&self) -> Option<Box<dyn DecideMany>> {
        match self {
            Self::Fair(agent) => agent.many(),
            Self::Open(_) | Self::Events(_) => None,
        }
    }

    /// The choice of a fair player where [`Player::many`] has left it to the player at the table.
    ///
    /// # Panics
    /// If the player is not fair.
    #[cfg(feature = "std")]
    pub(crate) fn act_undecided(&mut self, view: &View, rng: &mut Rng) -> Action {
        match self {
            Self::Fair(agent) => agent.act_undecided(view, rng),
            Self::Open(_) | Self::Events(_) => unreachable!("only fair players have many"),
        }
    }

    /// The strategy by which the player plays, if it is one.
    pub fn strategy(&self) -> Option<&Strategy> {
        match self {
            Self::Fair(agent) => agent.strategy(),
            Self::Open(_) | Self::Events(_) => None,
        }
    }

    /// The fair player, if it is one.
    pub fn fair(self) -> Option<Box<dyn Agent>> {
        match self {
            Self::Fair(agent) => Some(agent),
            Self::Open(_) | Self::Events(_) => None,
        }
    }

    /// Another player of the same kind, for another table.
    #[must_use]
    pub fn another(&self) -> Self {
        match self {
            Self::Fair(agent) => Self::Fair(agent.another()),
            Self::Open(_) => Self::Open(Omniscient::default()),
            Self::Events(agent) => Self::Events(agent.another()),
        }
    }
}

impl<A: Agent + 'static> From<A> for Player {
    fn from(agent: A) -> Self {
        Self::Fair(Box::new(agent))
    }
}

impl From<Box<dyn Agent>> for Player {
    fn from(agent: Box<dyn Agent>) -> Self {
        Self::Fair(agent)
    }
}
