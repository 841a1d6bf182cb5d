//! The Gym-style environment of one table: `reset`, `step`, `observe`, `legal`, `rewards`.

use alloc::sync::Arc;

use crate::action::{Action, ActionMask};
use crate::driver::DealDriver;
use crate::episode::{Episode, EpisodeDriver, RewardLedger};
use crate::game::Game;
use crate::rules::MAX_PLAYERS;
use crate::seed::Seed;
use crate::session::Session;
use crate::state::{IllegalAction, State};
use crate::view::View;

/// One table. Between [`Env::reset`] and the end of the episode a decision is always due: the
/// environment itself deals cards and takes decisions with a single choice.
///
/// ```
/// use newmarket_env::{Env, Episode, Game, Rules, Seed};
/// use std::sync::Arc;
///
/// let game = Arc::new(Game::new(Rules::named("newmarket").unwrap(), 4)?);
/// let mut env = Env::new(game, Episode::Deal);
/// env.reset(Seed::new(7));
/// // All 0, unless nobody has a decision in this deal: it is over then, and these are its payoffs.
/// let mut payoffs = env.rewards().to_vec();
/// while !env.is_over() {
///     let view = env.observe(env.seat());
///     let action = view.legal().first().unwrap();
///     env.step(action)?;
///     for (payoff, reward) in payoffs.iter_mut().zip(env.rewards()) {
///         *payoff += reward;
///     }
/// }
/// // Every seat staked five chips; what nobody claimed is still on the table.
/// let table: i32 = env.state().layout().iter().sum::<i32>() + env.state().kitty();
/// assert_eq!(payoffs.iter().sum::<i32>() + table, 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Env {
    driver: EpisodeDriver,
    session: Session,
    state: State,
    ledger: RewardLedger,
    /// The legal actions of the seat to act; none when the episode is over.
    legal: ActionMask,
    rewards: [i32; MAX_PLAYERS],
}

impl Env {
    /// Sets up a table, at the first decision of the episode of seed 0.
    ///
    /// # Panics
    /// If the episodes carry chips over from another game.
    pub fn new(game: Arc<Game>, episode: Episode) -> Self {
        let driver = EpisodeDriver::new(game, episode, DealDriver::CHOICES);
        let (session, state, ledger) = driver.begin(Seed::new(0));
        let (legal, rewards) = (ActionMask::NONE, [0; MAX_PLAYERS]);
        let mut env = Self { driver, session, state, ledger, legal, rewards };
        env.run_to_first();
        env
    }

    /// Also stops at decisions that have a single choice, or no longer does. Resets the table.
    #[must_use]
    pub fn show_forced(mut self, show: bool) -> Self {
        self.driver = self.driver.by(if show { DealDriver::ALL } else { DealDriver::CHOICES });
        self.reset(Seed::new(0));
        self
    }

    /// Begins a new episode; the same seed gives the same cards. What is paid before the first
    /// decision is counted in the rewards of the first step.
    pub fn reset(&mut self, seed: Seed) {
        let Self { driver, session, state, ledger, .. } = self;
        driver.begin_again(seed, session, state, ledger);
        self.run_to_first();
    }

    fn run_to_first(&mut self) {
        self.run_on();
        self.rewards = [0; MAX_PLAYERS];
        if self.is_over() {
            self.rewards = self.ledger.gains(&self.state);
        }
    }

    fn run_on(&mut self) {
        let Self { driver, session, state, ledger, .. } = self;
        self.legal = driver.next(session, state, ledger);
    }

    /// Takes the decision that is due, and advances to the next one.
    ///
    /// # Errors
    /// If the action is not legal. The table is unchanged then.
    pub fn step(&mut self, action: Action) -> Result<(), IllegalAction> {
        self.state.apply(self.driver.game(), action)?;
        self.run_on();
        self.rewards = self.ledger.gains(&self.state);
        Ok(())
    }

    /// The rules and the table.
    pub fn game(&self) -> &Arc<Game> {
        self.driver.game()
    }

    /// The seat that is to act; 0 when the episode is over.
    pub fn seat(&self) -> usize {
        self.state.actor().unwrap_or(0)
    }

    /// The legal actions of the seat to act; none when the episode is over.
    pub fn legal(&self) -> ActionMask {
        self.legal
    }

    /// What a seat may know.
    pub fn observe(&self, seat: usize) -> View<'_> {
        self.state.view(self.game(), seat)
    }

    /// Chips that each seat gained since the previous decision (negative: paid), `[players]`. Over an
    /// episode they add up to the payoff. Chips that a seat bought in a session do not count. After a
    /// reset they are 0, unless the episode had no decision at all.
    pub fn rewards(&self) -> &[i32] {
        &self.rewards[..self.game().players()]
    }

    /// Whether the episode is over.
    pub fn is_over(&self) -> bool {
        self.legal.is_empty()
    }

    /// The session. An episode of one deal plays only that deal of it.
    pub fn session(&self) -> &Session {
        &self.session
    }

    /// The state with all hidden cards, for referees, recorders and deliberately cheating agents.
    /// Players see [`Env::observe`].
    pub fn state(&self) -> &State {
        &self.state
    }
}
