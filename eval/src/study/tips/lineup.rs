//! One company with one player in it, seat by seat, and what came of it.

use std::sync::Arc;

use newmarket_agents::Table;
use newmarket_agents::heuristic::Style;
use newmarket_env::{Action, Decision, Game, MAX_PLAYERS, Phase, Rng, Seed, View};

use crate::study::payoff::Ledger;

/// Who plays: one player in each seat in turn among others.
#[derive(Clone, Debug)]
pub(super) struct Lineup {
    /// The rules and the table.
    pub(super) game: Arc<Game>,
    /// Where deals begin and what they pay.
    pub(super) ledger: Arc<Ledger>,
    /// The player in all other seats.
    pub(super) others: Style,
    /// The player; `None`: one of the others, so that a single deal shows all seats.
    pub(super) player: Option<Style>,
}

/// How a deal went for one seat.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(super) struct Outcome {
    /// What the deal paid.
    pub(super) paid: f64,
    /// Chips gained in the deal alone.
    pub(super) chips: f64,
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
    /// Tables by deals left; they show forced decisions too.
    pub(super) fn tables(&self) -> Vec<Table> {
        self.ledger.tables_of(&self.game).into_iter().map(Table::show_forced).collect()
    }

    /// How the deal of this number goes for the player in each seat.
    pub(super) fn play(
        &self,
        tables: &mut [Table],
        number: u64,
        seed: Seed,
    ) -> [Outcome; MAX_PLAYERS] {
        let left = self.ledger.left(number);
        let table = &mut tables[left];
        let Some(player) = &self.player else {
            return self.deal(left, table, seed, |_| &self.others);
        };
        let mut outcomes = [Outcome::default(); MAX_PLAYERS];
        for (seat, outcome) in outcomes.iter_mut().enumerate().take(self.game.players()) {
            let seated = |at| if at == seat { player } else { &self.others };
            *outcome = self.deal(left, table, seed, seated)[seat];
        }
        outcomes
    }

    fn deal<'s>(
        &self,
        left: usize,
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
        let mut outcomes = counter.outcomes;
        let sequences: f64 = outcomes.iter().map(|outcome| outcome.leads).sum();
        for (seat, outcome) in outcomes.iter_mut().enumerate().take(players) {
            outcome.chips = f64::from(result.payoffs[seat]);
            outcome.sequences = sequences;
            outcome.paid = outcome.chips + self.ledger.later(left, table, seat);
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
