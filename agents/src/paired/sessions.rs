//! Paired statistics with whole sessions as the unit.

use alloc::sync::Arc;
use alloc::vec::Vec;
use core::ops::Range;

use newmarket_env::{Game, Seed};

use super::{Mean, chunks::run_chunks_of};
use crate::{Player, play_session};

/// Sessions that one worker plays before their results are joined: a session is many deals.
pub const SESSION_CHUNK: u64 = 8;

/// A hero, a field, and the sessions on which they are compared.
///
/// All seatings of a session have the same first dealer, the same pack in the deal of the same
/// number, and the same lots. From the second deal on they differ in the chips that are carried
/// over, and may differ in who is in.
#[derive(Clone, Copy)]
pub struct PairedSessions<'a> {
    /// Rules and tables. Session `i` is played at table `i % games.len()`.
    pub games: &'a [Arc<Game>],
    /// The player that is measured.
    pub hero: &'a Player,
    /// The player in all other seats.
    pub field: &'a Player,
    /// Fixes the sessions: session `i` has the seed `seed.child(i)`. An agent that plays itself
    /// gains exactly 0.
    pub seed: Seed,
}

/// The result of one session, summed over all seatings of the hero.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SessionGain {
    /// Chips that the hero gained over the field, summed over its seats.
    pub chips: i64,
    /// Sessions that the hero won more than the field in the same seats, ties shared. The field wins
    /// 1 in all seats together, so the hero won `win_gain + 1`.
    pub win_gain: f64,
    /// Deals that the hero's seatings played.
    pub deals: u64,
    /// Seats at the table, and so seatings of the hero.
    pub players: usize,
}

/// The result of paired sessions, a session and seat. The session is the unit of the intervals.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct SessionGains {
    /// Chips that the hero gains over the field in the same seat.
    pub chips: Mean,
    /// By how much the share of sessions that the hero wins, ties shared, is above the field's in
    /// the same seat, which is 1 in `players`.
    pub win_gain: Mean,
    /// Deals that the hero's sessions had.
    pub deals: Mean,
}

impl PairedSessions<'_> {
    /// Plays these sessions on one thread, with fresh copies of the agents.
    pub fn play(&self, sessions: Range<u64>) -> Vec<SessionGain> {
        const HERO: usize = 0;
        const FIELD: usize = 1;
        let mut agents = [self.hero.another(), self.field.another()];
        let mut play = |session: u64| {
            let game = &*self.games[(session % self.games.len() as u64) as usize];
            let (players, seed) = (game.players(), self.seed.child(session));
            let base = play_session(game, seed, &mut agents, |_| FIELD);
            let mut gain = SessionGain { chips: 0, win_gain: 0.0, deals: 0, players };
            for seat in 0..players {
                let seated = |other| if other == seat { HERO } else { FIELD };
                let with_hero = play_session(game, seed, &mut agents, seated);
                gain.chips += i64::from(with_hero.payoffs[seat]) - i64::from(base.payoffs[seat]);
                gain.win_gain += with_hero.share(seat) - base.share(seat);
                gain.deals += u64::from(with_hero.deals);
            }
            gain
        };
        sessions.map(&mut play).collect()
    }

    /// Plays this many sessions on the threads of rayon's pool. `done` is called after each chunk, from
    /// any thread, with the number of sessions in it.
    pub fn run(&self, sessions: u64, done: impl Fn(u64) + Sync) -> SessionGains {
        let mut gains = SessionGains::default();
        let play = |chunk: Range<u64>| {
            let count = chunk.end - chunk.start;
            let played = self.play(chunk);
            done(count);
            played
        };
        run_chunks_of(SESSION_CHUNK, 0..sessions, play, |chunk| gains.join(&chunk));
        gains
    }
}

impl SessionGains {
    /// Takes in a chunk; the bits of the result depend on where chunks begin.
    pub fn join(&mut self, chunk: &[SessionGain]) {
        let mean = |figure: fn(&SessionGain) -> f64| -> Mean {
            chunk.iter().map(|gain| figure(gain) / gain.players as f64).collect()
        };
        self.chips.join(&mean(|gain| gain.chips as f64));
        self.win_gain.join(&mean(|gain| gain.win_gain));
        self.deals.join(&mean(|gain| gain.deals as f64));
    }
}
