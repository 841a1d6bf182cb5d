//! The table at which players sit.

use alloc::sync::Arc;
use alloc::vec;
use alloc::vec::Vec;

use newmarket_env::{
    Action, DealDriver, DealStarts, Game, Hands, MAX_PLAYERS, Outcome, Rng, Seed, Session, View,
};

use crate::player::{OpenView, Player};
use crate::runner::Runner;

/// The purpose of each child of a deal's seed.
const CARDS: u64 = 0;
const AGENTS: u64 = 1;

/// The result of a deal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DealResult {
    /// Chips that each seat gained, antes included.
    pub payoffs: [i32; MAX_PLAYERS],
    /// The seat that went out; `None` in a deal without a winner.
    pub winner: Option<usize>,
}

/// What the hero gained over the field in the same seat, on the same deal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Paired {
    /// The result with the hero in the seat.
    pub hero: DealResult,
    /// The result with the field in all seats.
    pub field: DealResult,
    /// The hero's seat.
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
}

/// A table for single deals. A seed fixes the dealer, the cards and every seat's stream of random
/// numbers, whichever players are seated: common random numbers for all comparisons.
///
/// A copy of a table has its deal and its streams, so that a deal can be played on in several
/// ways.
#[derive(Clone)]
pub struct Table {
    game: Arc<Game>,
    /// The deal starts from which deals begin; without them the layout is empty.
    carried: Option<Arc<DealStarts>>,
    runner: Runner,
    rngs: [Rng; MAX_PLAYERS],
}

impl Table {
    /// A table for deals of this game, empty layout, stacks from 0.
    pub fn new(game: Arc<Game>) -> Self {
        Self::of(game, None)
    }

    /// A table whose deals begin with carried chips: each at one of these deal starts, drawn by the
    /// deal's seed.
    pub fn carried(deal_starts: Arc<DealStarts>) -> Self {
        Self::of(deal_starts.game().clone(), Some(deal_starts))
    }

    fn of(game: Arc<Game>, carried: Option<Arc<DealStarts>>) -> Self {
        let session = deal(&game, carried.as_deref(), Seed::new(0));
        let runner = Runner::of_deal(&game, session, DealDriver::CHOICES);
        Self { game, carried, runner, rngs: streams(Seed::new(0)) }
    }

    /// Also asks for decisions that have a single choice, so that the caller sees every lead.
    #[must_use]
    pub fn show_forced(self) -> Self {
        let session = self.runner.session().clone();
        Self { runner: Runner::of_deal(&self.game, session, DealDriver::ALL), ..self }
    }

    /// Begins a deal: the table stands at its first decision.
    pub fn begin(&mut self, seed: Seed) {
        self.rngs = streams(seed);
        let session = deal(&self.game, self.carried.as_deref(), seed.child(CARDS));
        self.runner.restart(&self.game, session);
    }

    /// Whether the deal is over.
    pub fn is_over(&self) -> bool {
        self.runner.state().is_over()
    }

    /// The seat to act; 0 when the deal is over.
    pub fn seat(&self) -> usize {
        self.runner.state().actor().unwrap_or(0)
    }

    /// What the seat to act may know.
    pub fn view(&self) -> View<'_> {
        self.runner.state().view(&self.game, self.seat())
    }

    /// The seat that deals.
    pub fn dealer(&self) -> usize {
        self.runner.session().deal_start().dealer
    }

    /// Chips on each cell before the deal.
    pub fn layout_before(&self) -> &[i32] {
        self.game.cells_of(&self.runner.session().deal_start().layout)
    }

    /// The cards as they were dealt. For measurements, not for players.
    pub fn dealt(&self) -> Hands {
        self.runner.session().hands(&self.game)
    }

    /// Takes the decision that is due.
    ///
    /// # Panics
    /// If the action is not legal: an agent that chooses one is broken.
    pub fn take(&mut self, action: Action) {
        self.runner.take_chosen(&self.game, action);
    }

    /// Takes the action that `act` chooses, with the random numbers of the seat that is to act.
    pub fn decide(&mut self, act: impl FnOnce(&OpenView, &mut Rng) -> Action) {
        let action = self.choose(act);
        self.take(action);
    }

    fn choose(&mut self, act: impl FnOnce(&OpenView, &mut Rng) -> Action) -> Action {
        let seat = self.seat();
        act(&self.runner.open_view(&self.game, seat), &mut self.rngs[seat])
    }

    /// The result of the deal so far.
    pub fn result(&self) -> DealResult {
        let (state, before) = (self.runner.state(), self.runner.session().deal_start().stacks);
        let winner = match state.outcome() {
            Outcome::Out(seat) => Some(seat),
            Outcome::NoWinner | Outcome::Playing => None,
        };
        let payoff = |seat: usize| state.stacks()[seat] - before[seat];
        DealResult { payoffs: core::array::from_fn(payoff), winner }
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
        self.begin(seed);
        self.play_on(|table, rng| act(table.seat(), &table.view(), rng))
    }

    /// Plays the deal on to its end; `act` decides for every seat.
    pub fn play_on(&mut self, mut act: impl FnMut(&OpenView, &mut Rng) -> Action) -> DealResult {
        while !self.is_over() {
            self.decide(&mut act);
        }
        self.result()
    }

    /// Plays a deal; `seated` says which of the players sits in each seat. A player may sit in
    /// several.
    pub fn play_seated(
        &mut self,
        seed: Seed,
        players: &mut [Player],
        seated: impl Fn(usize) -> usize,
    ) -> DealResult {
        self.begin(seed);
        self.runner.play(&self.game, players, seated, &mut self.rngs);
        self.result()
    }

    /// Plays a deal with the field in all seats, then again with the hero in each seat in turn,
    /// and calls `each` with what the hero gained there.
    ///
    /// As long as a hero does what was done in its seat before, the field does again what it did, and
    /// is not asked. Only a field that needs the events of the deal is asked everything.
    pub fn duel(
        &mut self,
        seed: Seed,
        hero: &mut Player,
        field: &mut Player,
        mut each: impl FnMut(Paired),
    ) {
        self.duel_of(seed, &mut [hero], field, |_, paired| each(paired));
    }

    /// [`Table::duel`] for several heroes, each in each seat. `each` is also given the hero's number.
    pub fn duel_of(
        &mut self,
        seed: Seed,
        heroes: &mut [&mut Player],
        field: &mut Player,
        mut each: impl FnMut(usize, Paired),
    ) {
        let mut base = None;
        self.seatings(seed, heroes, field, |seating, table| match (seating, base) {
            (Some((nth, seat)), Some(base)) => {
                each(nth, Paired { hero: table.result(), field: base, seat });
            }
            _ => base = Some(table.result()),
        });
    }

    /// The deals of [`Table::duel_of`]. After each, `each` is given the hero's number and seat, and the table at
    /// the end of the deal; after the first one, of the field alone, it is given no hero.
    pub fn seatings(
        &mut self,
        seed: Seed,
        heroes: &mut [&mut Player],
        field: &mut Player,
        mut each: impl FnMut(Option<(usize, usize)>, &Self),
    ) {
        let mut lines = vec![self.play_beside(seed, &[], None, field)];
        each(None, self);
        for seat in 0..self.game.players() {
            lines.truncate(1);
            for (nth, hero) in heroes.iter_mut().enumerate() {
                let known: &[Line] = if field.needs_events() { &[] } else { &lines };
                let line = self.play_beside(seed, known, Some((seat, hero)), field);
                each(Some((nth, seat)), self);
                lines.push(line);
            }
        }
    }

    /// Plays a deal with the field in all seats but the hero's. In the known lines of this deal the
    /// field sat in all seats, or another hero in this hero's. While the deal follows one of these
    /// lines, the field does what it did there.
    fn play_beside(
        &mut self,
        seed: Seed,
        known: &[Line],
        mut hero: Option<(usize, &mut Player)>,
        field: &mut Player,
    ) -> Line {
        self.begin(seed);
        let mut followed: Vec<&Line> = known.iter().collect();
        let mut choices = Vec::with_capacity(32);
        while !self.is_over() {
            let seat = self.seat();
            let hero_here = hero.as_mut().filter(|(hero, _)| *hero == seat);
            let action = match (hero_here, followed.first()) {
                (Some((_, hero)), _) => self.choose(|table, rng| hero.act(table, rng)),
                (None, None) => self.choose(|table, rng| field.act(table, rng)),
                (None, Some(line)) => {
                    let (action, rng) = &line.choices[choices.len()];
                    self.rngs[seat].clone_from(rng);
                    *action
                }
            };
            self.take(action);
            followed.retain(|line| line.choices[choices.len()].0 == action);
            choices.push((action, self.rngs[seat].clone()));
        }
        for seat in 0..self.game.players() {
            let player = match &mut hero {
                Some((at, hero)) if *at == seat => hero,
                _ => &mut *field,
            };
            player.over(&self.runner.open_view(&self.game, seat));
        }
        Line { choices }
    }
}

/// How a deal was played.
struct Line {
    /// Each choice, and where the random numbers of the seat that took it stood after it.
    choices: Vec<(Action, Rng)>,
}

/// A deal on its own, with its cards.
fn deal(game: &Game, carried: Option<&DealStarts>, seed: Seed) -> Session {
    match carried {
        None => Session::single_deal(game, seed),
        Some(deal_starts) => Session::carried(deal_starts, seed),
    }
}

/// Every seat's stream of random numbers.
fn streams(seed: Seed) -> [Rng; MAX_PLAYERS] {
    let streams = seed.child(AGENTS);
    core::array::from_fn(|seat| streams.child(seat as u64).rng())
}
