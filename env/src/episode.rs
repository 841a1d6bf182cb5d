//! The way through an episode, from decision to decision: what [`Env`](crate::Env) and
//! [`BatchEnv`](crate::BatchEnv) have in common.

use alloc::sync::Arc;

use crate::action::ActionMask;
use crate::deal_starts::DealStarts;
use crate::driver::DealDriver;
use crate::game::Game;
use crate::rules::MAX_PLAYERS;
use crate::seed::Seed;
use crate::session::Session;
use crate::state::State;

/// The kind of an episode: what is played between two resets.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Episode {
    /// One deal on its own: an empty layout, stacks a score from 0.
    Deal,
    /// One deal with carried chips: layout, kitty and dealer are one of these deal starts, drawn by
    /// the episode's seed; stacks are a score from 0.
    Carried(Arc<DealStarts>),
    /// A whole session: chips carry over, the deal moves left, as the rules say.
    Session,
}

/// Takes the episodes of a table from decision to decision, over the ends of deals.
///
/// The session, the state and the ledger stay with the caller, who may keep those of many tables
/// side by side.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EpisodeDriver {
    game: Arc<Game>,
    episode: Episode,
    deal: DealDriver,
}

/// The stacks up to which each seat's gains have been counted.
#[derive(Clone, Copy, Debug)]
pub struct RewardLedger([i32; MAX_PLAYERS]);

impl EpisodeDriver {
    /// Drives episodes of this kind; which decisions are yielded is up to `deal`.
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

    /// Changes which decisions are yielded.
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

    /// [`EpisodeDriver::begin`] in place of what was there: nothing of it is copied twice.
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
            Episode::Session => Session::new(&self.game, seed),
        }
    }

    /// Goes on to the next decision, and returns its legal actions; none at the end of the
    /// episode.
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

    /// Chips that each seat gained since this was asked last, or since the ledger was made.
    pub fn gains(&mut self, state: &State) -> [i32; MAX_PLAYERS] {
        let gains = core::array::from_fn(|seat| state.public.stacks[seat] - self.0[seat]);
        self.0 = state.public.stacks;
        gains
    }

    /// Takes note of chips that seats bought: these are not gains.
    pub fn bought(&mut self, chips: &[i32; MAX_PLAYERS]) {
        for (counted, bought) in self.0.iter_mut().zip(chips) {
            *counted += bought;
        }
    }
}
