//! One company with one player in it, seat by seat, and what came of it.

use std::sync::Arc;

use newmarket_agents::{OpenView, Player, Table};
use newmarket_env::{Action, Decision, Game, MAX_PLAYERS, Phase, Rng, Seed, View};

use crate::study::payoff::Ledger;

/// Who plays: one player in each seat in turn among others.
pub(super) struct Lineup {
    /// The rules and the table.
    pub(super) game: Arc<Game>,
    /// Where deals begin and what they pay.
    pub(super) ledger: Arc<Ledger>,
    /// The player in all other seats.
    pub(super) others: Player,
    /// The player; `None`: one of the others, so that a single deal shows all seats.
    pub(super) player: Option<Player>,
}

/// A line-up at its tables.
pub(super) struct Seated<'a> {
    lineup: &'a Lineup,
    /// By deals left.
    tables: Vec<Table>,
    others: Player,
    player: Option<Player>,
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
    /// The players take their seats. The tables show forced decisions too.
    pub(super) fn seated(&self) -> Seated<'_> {
        let tables = self.ledger.tables_of(&self.game);
        Seated {
            lineup: self,
            tables: tables.into_iter().map(Table::show_forced).collect(),
            others: self.others.another(),
            player: self.player.as_ref().map(Player::another),
        }
    }
}

impl Seated<'_> {
    /// The table of the deal of this number.
    pub(super) fn table(&self, number: u64) -> &Table {
        &self.tables[self.lineup.ledger.left(number)]
    }

    /// How the deal of this number goes for the player in each seat.
    pub(super) fn play(&mut self, number: u64, seed: Seed) -> [Outcome; MAX_PLAYERS] {
        let left = self.lineup.ledger.left(number);
        if self.player.is_none() {
            return self.deal(left, seed, None);
        }
        let mut outcomes = [Outcome::default(); MAX_PLAYERS];
        for (seat, outcome) in outcomes.iter_mut().enumerate().take(self.lineup.game.players()) {
            *outcome = self.deal(left, seed, Some(seat))[seat];
        }
        outcomes
    }

    /// A deal with the player in this seat.
    fn deal(&mut self, left: usize, seed: Seed, own: Option<usize>) -> [Outcome; MAX_PLAYERS] {
        let Self { lineup, tables, others, player } = self;
        let (players, table) = (lineup.game.players(), &mut tables[left]);
        let mut counter = SequenceCounter::new(players);
        table.begin(seed);
        let result = table.play_on(|table, rng| {
            counter.see(&table.view());
            let player = player.as_mut().filter(|_| own == Some(table.seat()));
            act(player.unwrap_or(others), table, rng)
        });
        counter.credit(&table.view());
        let mut outcomes = counter.outcomes;
        let sequences: f64 = outcomes.iter().map(|outcome| outcome.leads).sum();
        for (seat, outcome) in outcomes.iter_mut().enumerate().take(players) {
            outcome.chips = f64::from(result.payoffs[seat]);
            outcome.sequences = sequences;
            outcome.paid = outcome.chips + lineup.ledger.later(left, table, seat);
            outcome.out = f64::from(u8::from(result.winner == Some(seat)));
        }
        outcomes
    }
}

/// Forced decisions are shown so that every lead is counted; nobody is asked about them.
fn act(player: &mut Player, table: &OpenView, rng: &mut Rng) -> Action {
    let view = table.view();
    let decision = Decision { seat: view.seat(), legal: view.legal() };
    decision.forced().unwrap_or_else(|| player.act(table, rng))
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
