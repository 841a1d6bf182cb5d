//! One company with one player in it, seat by seat, and what came of it.

use std::sync::Arc;

use newmarket_agents::Table;
use newmarket_agents::heuristic::Style;
use newmarket_env::{Action, Decision, Game, MAX_PLAYERS, Phase, Rng, Seed, View};

/// Who plays: one player in each seat in turn among others.
#[derive(Clone, Debug)]
pub(super) struct Lineup {
    /// The rules and the table.
    pub(super) game: Arc<Game>,
    /// The player in all other seats.
    pub(super) others: Style,
    /// The player; `None`: one of the others, so that a single deal shows all seats.
    pub(super) player: Option<Style>,
}

/// How a deal went for one seat.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(super) struct Outcome {
    /// Chips gained in the deal.
    pub(super) chips: f64,
    /// The same, and an even share of the chips that are left on the table for the next deal.
    pub(super) with_share: f64,
    /// Cards played to sequences that the seat began itself.
    pub(super) own: f64,
    /// Cards played to sequences that others began.
    pub(super) others: f64,
    /// Sequences that it began.
    pub(super) leads: f64,
    /// Sequences that anybody began.
    pub(super) sequences: f64,
    /// 1 if it went out.
    pub(super) out: f64,
}

impl Lineup {
    /// A table that shows forced decisions too.
    pub(super) fn table(&self) -> Table {
        Table::new(self.game.clone()).show_forced()
    }

    /// How a deal goes for the player in each seat.
    pub(super) fn play(&self, table: &mut Table, seed: Seed) -> [Outcome; MAX_PLAYERS] {
        let Some(player) = &self.player else {
            return self.deal(table, seed, |_| &self.others);
        };
        let mut outcomes = [Outcome::default(); MAX_PLAYERS];
        for (seat, outcome) in outcomes.iter_mut().enumerate().take(self.game.players()) {
            let seated = |at| if at == seat { player } else { &self.others };
            *outcome = self.deal(table, seed, seated)[seat];
        }
        outcomes
    }

    fn deal<'s>(
        &self,
        table: &mut Table,
        seed: Seed,
        seated: impl Fn(usize) -> &'s Style,
    ) -> [Outcome; MAX_PLAYERS] {
        let players = self.game.players();
        let mut counter = SequenceCounter::new(players);
        let result = table.play(seed, |seat, view, rng| {
            counter.see(view);
            act(seated(seat), view, rng)
        });
        counter.credit(&table.view());
        let left = -result.payoffs.iter().sum::<i32>();
        let share = f64::from(left) / players as f64;
        let mut outcomes = counter.outcomes;
        let sequences: f64 = outcomes.iter().map(|outcome| outcome.leads).sum();
        for (seat, outcome) in outcomes.iter_mut().enumerate().take(players) {
            outcome.chips = f64::from(result.payoffs[seat]);
            outcome.sequences = sequences;
            outcome.with_share = outcome.chips + share;
            outcome.out = f64::from(u8::from(result.winner == Some(seat)));
        }
        outcomes
    }
}

/// Forced decisions are shown so that every lead is counted; nobody is asked about them.
fn act(style: &Style, view: &View, rng: &mut Rng) -> Action {
    let decision = Decision { seat: view.seat(), legal: view.legal() };
    decision.forced().unwrap_or_else(|| style.choose(view, rng))
}

/// Counts who began which sequence, and who played to it.
struct SequenceCounter {
    players: usize,
    leader: Option<usize>,
    played: [usize; MAX_PLAYERS],
    outcomes: [Outcome; MAX_PLAYERS],
}

impl SequenceCounter {
    fn new(players: usize) -> Self {
        let (played, outcomes) = ([0; MAX_PLAYERS], [Outcome::default(); MAX_PLAYERS]);
        Self { players, leader: None, played, outcomes }
    }

    /// Notes the decision that is due.
    fn see(&mut self, view: &View) {
        if view.phase() == Phase::Lead {
            self.credit(view);
            self.leader = Some(view.seat());
            self.outcomes[view.seat()].leads += 1.0;
        }
    }

    /// The sequence is over. One that nobody chose to begin (the first lead of some games) is
    /// nobody's.
    fn credit(&mut self, view: &View) {
        for seat in 0..self.players {
            let played = view.played_by(seat).len();
            let new = (played - self.played[seat]) as f64;
            self.played[seat] = played;
            let outcome = &mut self.outcomes[seat];
            if self.leader == Some(seat) {
                outcome.own += new;
            } else {
                outcome.others += new;
            }
        }
    }
}
