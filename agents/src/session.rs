//! Whole sessions: deals one after the other at one table, with the same players.

use newmarket_env::{
    DealDriver, Game, MAX_PLAYERS, Rng, Seats, Seed, Session, State, rules::Bankroll,
};

use crate::{Player, Runner};

/// A child of a session's seed; the session itself uses the first ones.
const AGENTS: u64 = 100;

/// How a session has ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SessionResult {
    /// Chips that each seat gained: its stack at the end, with what it was given of the table's chips,
    /// less its stack at the start and the chips that it bought.
    pub payoffs: [i32; MAX_PLAYERS],
    /// The seats that won: the seat that was left alone when the others were out, else all seats that
    /// gained most.
    pub winners: Seats,
    /// Deals that were played.
    pub deals: u32,
}

impl SessionResult {
    /// Reads the result of a session that is over; `state` is the end of its last deal, closed.
    pub fn of(game: &Game, session: &Session, state: &State) -> Self {
        let start = match game.rules().session.bankroll {
            Bankroll::Credit => 0,
            Bankroll::Chips { start, .. } => start,
        };
        let seats = 0..game.players();
        let mut payoffs = [0; MAX_PLAYERS];
        for seat in seats.clone() {
            payoffs[seat] = state.stacks()[seat] - start - session.bought()[seat];
        }
        let most = payoffs[seats.clone()].iter().max();
        let winners = match session.left_alone() {
            Some(seat) => Seats::from_iter([seat]),
            None => seats.filter(|&seat| Some(&payoffs[seat]) == most).collect(),
        };
        Self { payoffs, winners, deals: session.deal_number() }
    }

    /// The share of the session that a seat won: 1, an equal part where several won, or 0.
    pub fn share(&self, seat: usize) -> f64 {
        if self.winners.contains(seat) { 1.0 / self.winners.len() as f64 } else { 0.0 }
    }
}

/// Every seat's stream of random numbers in a deal of a session. It does not depend on the deals
/// before.
pub(crate) fn streams(session: Seed, deal: u32) -> [Rng; MAX_PLAYERS] {
    let streams = session.child(AGENTS).child(u64::from(deal));
    core::array::from_fn(|seat| streams.child(seat as u64).rng())
}

/// Plays a session; `seated` says which of the players sits in each seat. A player may sit in
/// several. The seed fixes the first dealer, the pack of each deal, the lots, and every seat's
/// random numbers, whichever players are seated: they are those of [`record`](crate::record).
///
/// # Panics
/// If a player chooses an illegal action: it is broken.
pub fn play_session(
    game: &Game,
    seed: Seed,
    players: &mut [Player],
    seated: impl Fn(usize) -> usize,
) -> SessionResult {
    let mut runner = Runner::of_session(game, Session::new(game, seed), DealDriver::CHOICES);
    loop {
        let mut rngs = streams(seed, runner.session().deal_number());
        runner.play(game, players, &seated, &mut rngs);
        runner.next_deal(game);
        if runner.session().is_over() {
            return SessionResult::of(game, runner.session(), runner.state());
        }
    }
}
