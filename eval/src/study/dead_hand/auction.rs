//! An auction for one of its bidders: the same deal for every limit up to which it may bid.

use newmarket_agents::{OpenView, Player, Table};
use newmarket_env::{Action, Phase, Rng};

use super::scene::{Choice, Does};

/// Chips of the first bid.
const FIRST_BID: f64 = 1.0;

/// An auction that waits for one of its bidders.
pub(super) struct Auction {
    /// Before the first bid.
    opened: Table,
    /// When the bidder is asked for the first time.
    turn: Table,
    bidder: usize,
}

impl Auction {
    /// The auction at this table, which has just been opened, until a bidder is asked; the others bid as the
    /// field does. Nothing if it is over before, or if the bidder cannot pay.
    pub(super) fn of(opened: Table, bidder: usize, field: &mut Player) -> Option<Self> {
        let mut turn = opened.clone();
        (bids_until(&mut turn, bidder, field) && turn.view().legal().contains(Action::BID))
            .then_some(Self { opened, turn, bidder })
    }

    /// The table when the bidder is asked.
    pub(super) fn turn(&self) -> &Table {
        &self.turn
    }

    /// What each of the bidder's choices gains over passing at once. `paid` plays a deal on, with the field in
    /// the other seats, and says what the bidder gets.
    pub(super) fn gains(
        &self,
        choices: &[Choice],
        field: &mut Player,
        paid: &mut impl FnMut(Table, &mut Player) -> f64,
    ) -> Vec<f64> {
        let gift = self.gift(&mut |table| paid(table, field));
        let limit = |choice: &Choice| match choice.does {
            Does::UpTo(limit) => Some(limit),
            _ => None,
        };
        let limits: Vec<i32> = std::iter::once(0).chain(choices.iter().filter_map(limit)).collect();
        let gets = self.up_to(&limits, field, paid);
        let mut up_to = gets[1..].iter().map(|gets_more| gets_more - gets[0]);
        let gain = |choice: &Choice| match choice.does {
            Does::Given => gift,
            Does::AsField => self.as_field(field, paid) - gets[0],
            Does::UpTo(_) => up_to.next().expect("each limit was played"),
            Does::Act { .. } => unreachable!("a bidder takes no other decision"),
        };
        choices.iter().map(gain).collect()
    }

    /// What the bidder gains by the dead hand as a gift, over nobody having it.
    fn gift(&self, paid: &mut impl FnMut(Table) -> f64) -> f64 {
        let with = |bids: bool| {
            let mut table = self.opened.clone();
            while !table.is_over() && table.view().phase() == Phase::Auction {
                let bids = bids && table.seat() == self.bidder;
                table.take(if bids { Action::BID } else { Action::PASS });
            }
            table
        };
        // The bid is given back.
        paid(with(true)) + FIRST_BID - paid(with(false))
    }

    /// What the bidder gets if it bids as the field does.
    fn as_field(
        &self,
        field: &mut Player,
        paid: &mut impl FnMut(Table, &mut Player) -> f64,
    ) -> f64 {
        let mut table = self.turn.clone();
        while !table.is_over() && table.view().phase() == Phase::Auction {
            table.decide(|table, rng| field.act(table, rng));
        }
        paid(table, field)
    }

    /// What the bidder gets if it bids up to each of these rising limits; 0: it passes.
    ///
    /// It is asked for one bid after the other. Whoever passes at some bid does so with every limit below, so
    /// that each of its turns is played out once.
    fn up_to(
        &self,
        limits: &[i32],
        field: &mut Player,
        paid: &mut impl FnMut(Table, &mut Player) -> f64,
    ) -> Vec<f64> {
        let mut gets = Vec::with_capacity(limits.len());
        let mut table = self.turn.clone();
        loop {
            let next = table.view().bid() + 1;
            let can_bid = table.view().legal().contains(Action::BID);
            let left = &limits[gets.len()..];
            let passing = left.iter().filter(|&&limit| limit < next || !can_bid).count();
            if passing > 0 {
                let mut passed = table.clone();
                passed.take(Action::PASS);
                bids_until(&mut passed, self.bidder, field);
                gets.resize(gets.len() + passing, paid(passed, field));
            }
            if gets.len() == limits.len() {
                return gets;
            }
            table.take(Action::BID);
            if !bids_until(&mut table, self.bidder, field) {
                gets.resize(limits.len(), paid(table, field));
                return gets;
            }
        }
    }
}

/// Has the field bid until a bidder is asked; whether it is.
fn bids_until(table: &mut Table, bidder: usize, field: &mut Player) -> bool {
    while !table.is_over() && table.view().phase() == Phase::Auction {
        if table.seat() == bidder {
            return true;
        }
        table.decide(|table: &OpenView, rng: &mut Rng| field.act(table, rng));
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::study::dead_hand::scene::Scene;
    use newmarket_agents::strategy::Strategy;
    use newmarket_env::{Game, Rules, Seed};
    use std::sync::Arc;

    /// However an auction ends, what one gets others give, or it lies on the table.
    #[test]
    fn no_chip_appears_or_vanishes() {
        let rules = Rules::load("michigan-auction").expect("a named game");
        let game = Arc::new(Game::new(rules, 4).expect("it seats four"));
        let choices = Scene::all(&game).remove(1).choices;
        let is_limit = |choice: &Choice| matches!(choice.does, Does::UpTo(1));
        let first_limit = choices.iter().position(is_limit).expect("a bid of one chip");
        let mut field: Player = Strategy::named("stopper").expect("a strategy").into();
        let mut table = Table::new(game);
        let mut ends = 0;
        for deal in 0..100 {
            table.begin(Seed::new(deal));
            while table.view().phase() != Phase::DeadHand {
                table.decide(|table, rng| field.act(table, rng));
            }
            table.take(Action::AUCTION);
            let bidder = (table.dealer() + 1 + deal as usize % 3) % 4;
            let auction = Auction::of(table.clone(), bidder, &mut field).expect("it is asked");
            assert_eq!(auction.turn().seat(), bidder);
            let mut paid = |mut table: Table, field: &mut Player| {
                assert_ne!(table.view().phase(), Phase::Auction);
                let payoffs = table.play_on(|table, rng| field.act(table, rng)).payoffs;
                let view = table.view();
                let on_table = view.layout().iter().sum::<i32>() + view.kitty();
                assert_eq!(payoffs.iter().sum::<i32>() + on_table, 0);
                ends += 1;
                f64::from(payoffs[bidder])
            };
            let gains = auction.gains(&choices, &mut field, &mut paid);
            assert_eq!(gains.len(), choices.len());
            // A limit of nothing is to pass.
            let nothing = auction.up_to(&[0, 0, 1], &mut field, &mut paid);
            assert_eq!(nothing[0].to_bits(), nothing[1].to_bits());
            assert_eq!((nothing[2] - nothing[0]).to_bits(), gains[first_limit].to_bits());
        }
        assert!(ends > 500, "{ends}");
    }
}
