//! Advances an episode from decision to decision, for [`Env`](crate::Env) and
//! [`BatchEnv`](crate::BatchEnv).

use alloc::sync::Arc;

use crate::action::ActionMask;
use crate::deal_starts::DealStarts;
use crate::driver::DealDriver;
use crate::game::Game;
use crate::rules::MAX_PLAYERS;
use crate::seed::Seed;
use crate::session::Session;
use crate::state::State;

/// What is played between two resets.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Episode {
    /// A single deal: an empty layout, stacks a score from 0.
    Deal,
    /// A single deal with carried chips: layout, kitty and dealer are those of one of these deal starts,
    /// drawn by the episode's seed; stacks are a score from 0.
    Carried(Arc<DealStarts>),
    /// The current deal of this session, whatever the episode's seed is.
    Given(Arc<Session>),
    /// A whole session: chips carry over, the deal moves left, as the rules say.
    Session,
}

/// Advances the episodes of a table from decision to decision, across the deals of a session.
///
/// The caller keeps the session, the state and the ledger, and may keep those of many tables in
/// arrays.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EpisodeDriver {
    game: Arc<Game>,
    episode: Episode,
    deal: DealDriver,
}

/// Each seat's stack when its gains were last counted.
#[derive(Clone, Copy, Debug)]
pub struct RewardLedger([i32; MAX_PLAYERS]);

impl EpisodeDriver {
    /// A driver for such episodes; `deal` says at which decisions it stops.
    ///
    /// # Panics
    /// If the episodes carry chips over from another game.
    pub fn new(game: Arc<Game>, episode: Episode, deal: DealDriver) -> Self {
        if let Episode::Carried(deal_starts) = &episode {
            let same = Arc::ptr_eq(deal_starts.game(), &game) || **deal_starts.game() == *game;
            assert!(same, "the chips are carried over from another game");
        }
        Self { game, episode, deal }
    }

    /// Changes at which decisions it stops.
    #[must_use]
    pub fn by(self, deal: DealDriver) -> Self {
        Self { deal, ..self }
    }

    /// The rules and the table.
    pub fn game(&self) -> &Arc<Game> {
        &self.game
    }

    /// Begins an episode, before its first decision.
    pub fn begin(&self, seed: Seed) -> (Session, State, RewardLedger) {
        let session = self.session(seed);
        let state = State::new(&self.game, session.deal_start());
        let ledger = RewardLedger::new(session.deal_start().stacks);
        (session, state, ledger)
    }

    /// [`EpisodeDriver::begin`], written into existing values, which is faster.
    pub fn begin_again(
        &self,
        seed: Seed,
        session: &mut Session,
        state: &mut State,
        ledger: &mut RewardLedger,
    ) {
        *session = self.session(seed);
        state.restart(&self.game, session.deal_start());
        *ledger = RewardLedger::new(session.deal_start().stacks);
    }

    fn session(&self, seed: Seed) -> Session {
        match &self.episode {
            Episode::Deal => Session::single_deal(&self.game, seed),
            Episode::Carried(deal_starts) => Session::carried(deal_starts, seed),
            Episode::Given(session) => Session::clone(session),
            Episode::Session => Session::new(&self.game, seed),
        }
    }

    /// Advances to the next decision, and returns its legal actions; none at the end of the episode.
    #[expect(clippy::inline_always, reason = "part of the loop of a batch")]
    #[inline(always)]
    pub fn next(
        &self,
        session: &mut Session,
        state: &mut State,
        ledger: &mut RewardLedger,
    ) -> ActionMask {
        let game = &*self.game;
        loop {
            if let Some(decision) = self.deal.next(game, state, || session.hands(game)) {
                return decision.legal;
            }
            if !matches!(self.episode, Episode::Session) {
                return ActionMask::NONE;
            }
            session.close_with(game, state, |_| ());
            if session.is_over() {
                return ActionMask::NONE;
            }
            ledger.bought(session.rebuys());
            state.restart(game, session.deal_start());
        }
    }
}

impl RewardLedger {
    /// A ledger that counts gains from these stacks on.
    pub const fn new(stacks: [i32; MAX_PLAYERS]) -> Self {
        Self(stacks)
    }

    /// Chips that each seat gained since the last call, or since the ledger was made.
    pub fn gains(&mut self, state: &State) -> [i32; MAX_PLAYERS] {
        let gains = core::array::from_fn(|seat| state.public.stacks[seat] - self.0[seat]);
        self.0 = state.public.stacks;
        gains
    }

    /// Does not count chips that seats bought as gains.
    pub fn bought(&mut self, chips: &[i32; MAX_PLAYERS]) {
        for (counted, bought) in self.0.iter_mut().zip(chips) {
            *counted += bought;
        }
    }
}
