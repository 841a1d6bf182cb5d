//! The course of an episode, from decision to decision: what [`Env`](crate::Env) and
//! [`BatchEnv`](crate::BatchEnv) have in common.

use std::sync::Arc;

use crate::action::ActionMask;
use crate::deal_starts::DealStarts;
use crate::game::Game;
use crate::rules::MAX_PLAYERS;
use crate::seed::Seed;
use crate::session::Session;
use crate::state::{Phase, State};

/// What an episode is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Episode {
    /// One deal on its own: an empty layout, stacks a score from 0.
    Deal,
    /// One deal out of the middle of play: the layout, the kitty and the dealer are one of these,
    /// drawn by the episode's seed; stacks are a score from 0.
    Carried(Arc<DealStarts>),
    /// A whole session: chips carry over, the deal moves left, as the rules say.
    Session,
}

/// What is played at a table, in every one of its episodes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Course {
    game: Arc<Game>,
    episode: Episode,
    show_forced: bool,
}

/// The stacks up to which each seat's gains have been counted.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Counted([i32; MAX_PLAYERS]);

impl Course {
    /// What is played at a table; [`Course::show_forced`] also asks for decisions that have a
    /// single choice.
    ///
    /// # Panics
    /// If the episodes carry chips over from another game.
    pub(crate) fn new(game: Arc<Game>, episode: Episode) -> Self {
        if let Episode::Carried(deal_starts) = &episode {
            let same = Arc::ptr_eq(deal_starts.game(), &game) || **deal_starts.game() == *game;
            assert!(same, "the chips are carried over from another game");
        }
        Self { game, episode, show_forced: false }
    }

    pub(crate) fn show_forced(&mut self, show: bool) {
        self.show_forced = show;
    }

    pub(crate) fn game(&self) -> &Arc<Game> {
        &self.game
    }

    /// Begins an episode, before its first decision.
    pub(crate) fn begin(&self, seed: Seed) -> (Session, State, Counted) {
        let session = self.session(seed);
        let state = State::new(&self.game, session.deal_start());
        let counted = Counted(session.deal_start().stacks);
        (session, state, counted)
    }

    /// [`Course::begin`] in place of what was there: nothing of it is copied twice.
    pub(crate) fn begin_again(
        &self,
        seed: Seed,
        session: &mut Session,
        state: &mut State,
        counted: &mut Counted,
    ) {
        *session = self.session(seed);
        *state = State::new(&self.game, session.deal_start());
        *counted = Counted(session.deal_start().stacks);
    }

    fn session(&self, seed: Seed) -> Session {
        match &self.episode {
            Episode::Deal => Session::single_deal(&self.game, seed),
            Episode::Carried(deal_starts) => Session::carried(deal_starts, seed),
            Episode::Session => Session::new(&self.game, seed),
        }
    }

    /// Goes on to the next decision, and returns its choices; none at the end of the episode.
    pub(crate) fn run_on(
        &self,
        session: &mut Session,
        state: &mut State,
        counted: &mut Counted,
    ) -> ActionMask {
        let game = &*self.game;
        loop {
            match state.phase() {
                Phase::Deal => state.deal(game, &session.hands(game)),
                Phase::Over => {
                    if !matches!(self.episode, Episode::Session) {
                        return ActionMask::NONE;
                    }
                    session.close_with(game, state, |_| ());
                    if session.is_over() {
                        return ActionMask::NONE;
                    }
                    // What a seat buys is not won.
                    for (counted, bought) in counted.0.iter_mut().zip(session.rebuys()) {
                        *counted += bought;
                    }
                    *state = State::new(game, session.deal_start());
                }
                _ => {
                    let legal = state.legal(game);
                    match legal.first() {
                        Some(only) if legal.is_forced() && !self.show_forced => {
                            state.apply_unchecked(game, only);
                        }
                        _ => return legal,
                    }
                }
            }
        }
    }
}

impl Counted {
    /// Chips that each seat gained since this was asked last, or since the episode began.
    pub(crate) fn gains(&mut self, state: &State) -> [i32; MAX_PLAYERS] {
        let gains = std::array::from_fn(|seat| state.stacks[seat] - self.0[seat]);
        self.0 = state.stacks;
        gains
    }
}
