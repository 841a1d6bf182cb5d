//! The table before a deal.

use crate::game::Game;
use crate::rules::{MAX_CELLS, MAX_CHIPS, MAX_PLAYERS};
use crate::seats::Seats;

/// The table before a deal: everything that a deal takes over from the deals before it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DealStart {
    /// The seat that deals.
    pub dealer: usize,
    /// The seats that play. A seat that is out keeps its chips and takes no part.
    pub seats_in: Seats,
    /// Chips of each seat; below zero only under `credit`.
    pub stacks: [i32; MAX_PLAYERS],
    /// Chips on each cell.
    pub layout: [i32; MAX_CELLS],
    /// Chips in the kitty.
    pub kitty: i32,
    /// Whether stacks are a score (`true`), or chips of which nobody pays more than they have.
    pub credit: bool,
    /// Deals of the session after this one, unless a bust ends it; `None` for a single deal.
    pub deals_left: Option<u32>,
}

impl DealStart {
    /// A single deal: all seats in, nothing on the table, stacks a score from 0.
    pub fn fresh(players: usize, dealer: usize) -> Self {
        Self {
            dealer,
            seats_in: Seats::first(players),
            stacks: [0; MAX_PLAYERS],
            layout: [0; MAX_CELLS],
            kitty: 0,
            credit: true,
            deals_left: None,
        }
    }

    /// Whether a deal of this game can begin from here.
    ///
    /// # Errors
    /// What is wrong, and what was expected.
    pub fn check(&self, game: &Game) -> Result<(), &'static str> {
        self.check_fields(game).map_err(|(_, problem)| problem)
    }

    /// [`DealStart::check`], with the name of the wrong field.
    ///
    /// # Errors
    /// The field, what is wrong with it and what was expected.
    pub fn check_fields(&self, game: &Game) -> Result<(), (&'static str, &'static str)> {
        let Self { dealer, seats_in, stacks, layout, kitty, credit, deals_left: _ } = *self;
        let all = stacks.iter().chain(&layout).chain([&kitty]);
        let ante = |seat: usize| game.rules().full_ante(seat == dealer);
        if !(seats_in - Seats::first(game.players())).is_empty() {
            Err(("seats_in", "a seat is in that is not at the table"))
        } else if seats_in.len() < 2 {
            Err(("seats_in", "fewer than two seats are in: expected somebody to play against"))
        } else if dealer >= game.players() || !seats_in.contains(dealer) {
            Err(("dealer", "the dealer is not in: expected a seat that plays"))
        } else if game.cells_of(&layout).iter().any(|&chips| chips < 0) {
            Err(("layout", "a pile is below 0: expected chips"))
        } else if kitty < 0 {
            Err(("kitty", "a pile is below 0: expected chips"))
        } else if all.map(|&chips| i64::from(chips).abs()).sum::<i64>() > MAX_CHIPS {
            Err(("stacks", "more than 1000000000 chips: expected a table below that"))
        } else if kitty > 0 && !game.rules().has_kitty() {
            Err(("kitty", "chips lie in the kitty: expected 0, the game has none"))
        } else if !credit && seats_in.iter().any(|seat| stacks[seat] < ante(seat)) {
            Err(("stacks", "a seat cannot cover its ante: expected it to be out, or a rebuy"))
        } else {
            Ok(())
        }
    }

    /// The seat to the dealer's left.
    pub const fn eldest(&self) -> usize {
        self.seats_in.left_of(self.dealer)
    }
}
