//! The Gym-style environment of one table: `reset`, `step`, `observe`, `legal`, `rewards`.

use std::sync::Arc;

use crate::action::{Action, Legal};
use crate::game::Game;
use crate::rules::MAX_PLAYERS;
use crate::seed::Seed;
use crate::session::Session;
use crate::state::{IllegalAction, Phase, State};
use crate::view::View;

const NONE: [i32; MAX_PLAYERS] = [0; MAX_PLAYERS];

/// What an episode is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Episode {
    /// One deal on its own: an empty layout, stacks a score from 0.
    Deal,
    /// A whole session: chips carry over, the deal moves left, as the rules say.
    Session,
}

/// One table. Between [`Env::reset`] and the end of the episode it always stands at a decision:
/// cards are dealt, and decisions with a single choice taken, by the environment itself.
///
/// ```
/// use newmarket_env::{Env, Episode, Game, Rules, Seed};
/// use std::sync::Arc;
///
/// let game = Arc::new(Game::new(Rules::named("newmarket").unwrap(), 4)?);
/// let mut env = Env::new(game, Episode::Deal);
/// let mut payoffs = [0; 4];
/// env.reset(Seed::new(7));
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
    game: Arc<Game>,
    episode: Episode,
    show_forced: bool,
    session: Session,
    state: State,
    rewards: [i32; MAX_PLAYERS],
    /// Whether `rewards` is of before the first decision, and belongs to the first step.
    pending: bool,
    over: bool,
}

impl Env {
    /// Sets up a table. It stands at the first decision of the episode of seed 0 until it is
    /// reset.
    pub fn new(game: Arc<Game>, episode: Episode) -> Self {
        let session = Session::single_deal(&game, Seed::new(0));
        let state = State::new(&game, session.standing());
        let rewards = [0; MAX_PLAYERS];
        let (show_forced, pending, over) = (false, false, false);
        let mut env = Self { game, episode, show_forced, session, state, rewards, pending, over };
        env.reset(Seed::new(0));
        env
    }

    /// Also asks for decisions that have a single choice.
    #[must_use]
    pub fn show_forced(mut self, show: bool) -> Self {
        self.show_forced = show;
        self.reset(Seed::new(0));
        self
    }

    /// Begins a new episode; the same seed gives the same cards. What is paid before the first
    /// decision is counted in the rewards of the first step.
    pub fn reset(&mut self, seed: Seed) {
        self.session = match self.episode {
            Episode::Deal => Session::single_deal(&self.game, seed),
            Episode::Session => Session::new(&self.game, seed),
        };
        self.over = false;
        self.rewards = [0; MAX_PLAYERS];
        self.begin_deal();
        self.run_on();
        self.pending = !self.over;
    }

    fn begin_deal(&mut self) {
        let before = self.session.standing().stacks;
        self.state = State::new(&self.game, self.session.standing());
        self.add_rewards(&before);
    }

    fn add_rewards(&mut self, before: &[i32; MAX_PLAYERS]) {
        for (seat, before) in before.iter().enumerate() {
            self.rewards[seat] += self.state.stacks[seat] - before;
        }
    }

    /// Goes on to the next decision or to the end.
    fn run_on(&mut self) {
        loop {
            let before = self.state.stacks;
            match self.state.phase() {
                Phase::Deal => {
                    let pack = self.session.pack(&self.game);
                    let Self { game, state, .. } = self;
                    let hands = game.deal(pack.cards(), state.dealer(), state.seats_in());
                    state.deal(game, &hands);
                }
                Phase::Over => {
                    if self.episode == Episode::Deal {
                        self.over = true;
                        return;
                    }
                    self.session.close(&self.game, &mut self.state);
                    self.add_rewards(&before);
                    if self.session.is_over() {
                        self.over = true;
                        return;
                    }
                    self.begin_deal();
                    continue;
                }
                _ => {
                    let legal = self.state.legal(&self.game);
                    match legal.first() {
                        Some(only) if legal.is_forced() && !self.show_forced => {
                            self.state.apply_unchecked(&self.game, only);
                        }
                        _ => return,
                    }
                }
            }
            self.add_rewards(&before);
        }
    }

    /// Takes the decision that is due, and goes on to the next one.
    ///
    /// # Errors
    /// If the action is not legal; nothing has then changed.
    pub fn step(&mut self, action: Action) -> Result<(), IllegalAction> {
        let before = self.state.stacks;
        self.state.apply(&self.game, action)?;
        if !std::mem::take(&mut self.pending) {
            self.rewards = [0; MAX_PLAYERS];
        }
        self.add_rewards(&before);
        self.run_on();
        Ok(())
    }

    /// The rules and the table.
    pub fn game(&self) -> &Arc<Game> {
        &self.game
    }

    /// The seat that is to act; 0 when the episode is over.
    pub fn seat(&self) -> usize {
        self.state.actor().unwrap_or(0)
    }

    /// Its choices; none when the episode is over.
    pub fn legal(&self) -> Legal {
        self.state.legal(&self.game)
    }

    /// What a seat may know.
    pub fn observe(&self, seat: usize) -> View<'_> {
        self.state.view(&self.game, seat)
    }

    /// Chips that each seat gained since the previous decision (negative: paid). Over an episode
    /// they add up to the payoff; chips that a seat bought in a session are not in them. After a
    /// reset they are 0, unless the episode had no decision at all.
    pub fn rewards(&self) -> &[i32] {
        let rewards = if self.pending { &NONE } else { &self.rewards };
        &rewards[..self.game.players()]
    }

    /// Whether the episode is over.
    pub fn is_over(&self) -> bool {
        self.over
    }

    /// The session, of which an [`Episode::Deal`] plays one deal.
    pub fn session(&self) -> &Session {
        &self.session
    }

    /// The truth. Referees, recorders and deliberately cheating agents may look; players see
    /// [`Env::observe`].
    pub fn state(&self) -> &State {
        &self.state
    }
}
