//! Tables out of played sessions, from which deals with carried chips begin.

use alloc::vec::Vec;

use alloc::sync::Arc;

use crate::action::Action;
use crate::deal_start::DealStart;
use crate::driver::DealDriver;
use crate::game::Game;
use crate::seed::{self, Rng, Seed};
use crate::session::Session;
use crate::state::State;
use crate::view::View;

/// Children of a session's seed: for the draw of a deal start, and for the decisions of players. The
/// session itself uses the others.
const DEAL_START: u64 = 3;
const PLAY: u64 = 4;

/// The tables before each deal of sessions that were played out.
///
/// A draw gives each of these deals the same chance. If busts end sessions early, first deals come up
/// more often, as they do in play. A deal start keeps the chips on the layout and in the kitty, and the
/// dealer. The deal itself is a single one: stacks are a score from 0, and all seats are in.
///
/// ```
/// use newmarket_env::{Env, Episode, Game, Rules, Seed, DealStarts};
/// use std::sync::Arc;
///
/// let game = Arc::new(Game::new(Rules::named("newmarket").unwrap(), 4)?);
/// let deal_starts = Arc::new(DealStarts::random(&game, 30, Seed::new(1)));
/// assert_eq!(deal_starts.len(), 30 * 10);
/// let mut env = Env::new(game, Episode::Carried(deal_starts));
/// env.reset(Seed::new(7));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DealStarts {
    game: Arc<Game>,
    entries: Vec<DealStart>,
}

impl DealStarts {
    /// Plays this many sessions, in which `decide` takes every decision that has a choice. Session
    /// `i` has the seed `seed.child(i)`, for its cards and for the numbers that `decide` draws.
    ///
    /// # Panics
    /// If there is no session, or an action is not legal.
    pub fn play(
        game: &Arc<Game>,
        sessions: usize,
        seed: Seed,
        mut decide: impl FnMut(&View, &mut Rng) -> Action,
    ) -> Self {
        assert!(sessions > 0, "deal starts come from at least one session");
        let mut entries = Vec::new();
        for number in 0..sessions {
            let seed = seed.child(number as u64);
            let mut rng = seed.child(PLAY).rng();
            let mut session = Session::new(game, seed);
            while !session.is_over() {
                let before = *session.deal_start();
                let fresh = DealStart::fresh(game.players(), before.dealer);
                entries.push(DealStart { layout: before.layout, kitty: before.kitty, ..fresh });
                let mut state = play_deal(game, &session, |view| decide(view, &mut rng));
                session.close_with(game, &mut state, |_| ());
            }
        }
        Self { game: game.clone(), entries }
    }

    /// [`DealStarts::play`] with every legal action equally likely.
    pub fn random(game: &Arc<Game>, sessions: usize, seed: Seed) -> Self {
        Self::play(game, sessions, seed, |view, rng| {
            let legal = view.legal();
            let pick = seed::below(rng, legal.len() as u32) as usize;
            legal.nth(pick).expect("a decision has a choice")
        })
    }

    /// The given deal starts.
    ///
    /// # Errors
    /// If the list is empty, or a deal of this game cannot begin from an entry: what is wrong.
    pub fn of(game: &Arc<Game>, entries: Vec<DealStart>) -> Result<Self, &'static str> {
        if entries.is_empty() {
            return Err("no deal start: expected at least one");
        }
        entries.iter().try_for_each(|entry| entry.check(game))?;
        Ok(Self { game: game.clone(), entries })
    }

    /// The rules and the table.
    pub fn game(&self) -> &Arc<Game> {
        &self.game
    }

    /// Number of deal starts.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Always false.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// All of them, session by session and deal by deal.
    pub fn iter(&self) -> impl Iterator<Item = &DealStart> {
        self.entries.iter()
    }

    /// One of them, each equally likely.
    pub fn draw(&self, seed: Seed) -> &DealStart {
        &self.entries[seed::below(&mut seed.rng(), self.entries.len() as u32) as usize]
    }
}

impl Session {
    /// Begins a single deal from one of these deal starts, drawn by the seed.
    pub fn carried(deal_starts: &DealStarts, seed: Seed) -> Self {
        Self::before(*deal_starts.draw(seed.child(DEAL_START)), seed)
    }
}

/// Plays out the current deal of a session.
fn play_deal(game: &Game, session: &Session, mut decide: impl FnMut(&View) -> Action) -> State {
    let mut state = State::new(game, session.deal_start());
    let cards = || session.hands(game);
    while let Some(decision) = DealDriver::CHOICES.next(game, &mut state, cards) {
        let action = decide(&state.view(game, decision.seat));
        state.apply(game, action).expect("a decision is one of its choices");
    }
    state
}
