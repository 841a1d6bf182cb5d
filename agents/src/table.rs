//! The table at which agents sit.

use std::sync::Arc;

use newmarket_env::{Action, Env, Episode, Game, MAX_PLAYERS, Outcome, Rng, Seed, View};

use crate::agent::{Agent, OpenTable};

/// What each child of a deal's seed is for.
const CARDS: u64 = 0;
const AGENTS: u64 = 1;

/// How a deal came out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DealResult {
    /// Chips that each seat gained, antes included.
    pub payoffs: [i32; MAX_PLAYERS],
    /// Who went out, if anybody did.
    pub winner: Option<usize>,
}

/// What a player gained over another in the same seat, on the same deal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Paired {
    /// How the deal came out with the hero in the seat.
    pub hero: DealResult,
    /// How it came out with the field in all seats.
    pub field: DealResult,
    /// The seat.
    pub seat: usize,
}

impl Paired {
    /// Chips that the hero gained over the field.
    pub fn gain(&self) -> i32 {
        self.hero.payoffs[self.seat] - self.field.payoffs[self.seat]
    }

    /// Whether the hero went out.
    pub fn hero_won(&self) -> bool {
        self.hero.winner == Some(self.seat)
    }

    /// Chips that the hero gained in the deal.
    pub fn hero_payoff(&self) -> i32 {
        self.hero.payoffs[self.seat]
    }
}

/// A table for single deals. A seed fixes the dealer, the cards and every seat's stream of random
/// numbers, whoever sits there: common random numbers for all comparisons.
pub struct Table {
    env: Env,
}

impl Table {
    /// Sets up a table.
    pub fn new(game: Arc<Game>) -> Self {
        Self { env: Env::new(game, Episode::Deal) }
    }

    /// Plays a deal; `act` decides for every seat.
    ///
    /// # Panics
    /// If `act` chooses an illegal action: an agent that does is broken.
    pub fn play(
        &mut self,
        seed: Seed,
        mut act: impl FnMut(usize, &View, &mut Rng) -> Action,
    ) -> DealResult {
        self.play_open(seed, |table, rng| act(table.seat(), &table.view(), rng))
    }

    /// The same for agents, of whom some may look at all cards.
    fn play_open(
        &mut self,
        seed: Seed,
        mut act: impl FnMut(&OpenTable, &mut Rng) -> Action,
    ) -> DealResult {
        let streams = seed.child(AGENTS);
        let mut rngs: [Rng; MAX_PLAYERS] =
            std::array::from_fn(|seat| streams.child(seat as u64).rng());
        self.env.reset(seed.child(CARDS));
        let before = self.env.session().standing().stacks;
        while !self.env.is_over() {
            let seat = self.env.seat();
            let table = OpenTable::new(self.env.game(), self.env.state(), seat);
            let action = act(&table, &mut rngs[seat]);
            if let Err(error) = self.env.step(action) {
                panic!("an agent chose an illegal action: {error}");
            }
        }
        let stacks = self.env.state().stacks();
        let winner = match self.env.state().outcome() {
            Outcome::Out(seat) => Some(seat),
            Outcome::NoWinner | Outcome::Playing => None,
        };
        DealResult { payoffs: std::array::from_fn(|seat| stacks[seat] - before[seat]), winner }
    }

    /// Plays a deal; `seated` says which of the agents sits in each seat. An agent may sit in
    /// several.
    pub fn play_seated(
        &mut self,
        seed: Seed,
        agents: &mut [Box<dyn Agent>],
        seated: impl Fn(usize) -> usize,
    ) -> DealResult {
        self.play_open(seed, |table, rng| agents[seated(table.seat())].act_open(table, rng))
    }

    /// Plays a deal with the field in all seats, then again with the hero in each seat in turn,
    /// and calls `each` with what the hero gained there.
    pub fn duel(
        &mut self,
        seed: Seed,
        hero: &mut dyn Agent,
        field: &mut dyn Agent,
        mut each: impl FnMut(Paired),
    ) {
        let base = self.play_open(seed, |table, rng| field.act_open(table, rng));
        for seat in 0..self.env.game().players() {
            let result = self.play_open(seed, |table, rng| {
                if table.seat() == seat {
                    hero.act_open(table, rng)
                } else {
                    field.act_open(table, rng)
                }
            });
            each(Paired { hero: result, field: base, seat });
        }
    }
}
