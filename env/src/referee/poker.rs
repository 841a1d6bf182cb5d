//! The stage of poker (`docs/RULES.md`, section 8.1).

use alloc::string::ToString;
use alloc::vec;
use alloc::vec::Vec;

use alloc::collections::VecDeque;

use super::ranking::{Worth, worth};
use super::{Decide, Event, PlayError, Referee};
use crate::action::{Action, ActionMask};
use crate::rules::Cell;

/// Cards that make a poker hand.
const HAND: usize = 5;
/// The most raises of all players together; the first bet does not count.
const MOST_RAISES: usize = 3;

impl Referee<'_> {
    /// Five cards apart, bets, and the pot for the best hand.
    pub(super) fn poker<E>(&mut self, decide: Decide<'_, E>) -> Result<(), PlayError<E>> {
        for seat in self.turn() {
            self.set_apart(seat, decide)?;
        }
        let stay = self.bets(decide)?;
        self.showdown(&stay);
        Ok(())
    }

    /// Five cards, one after the other in the order of the hand.
    fn set_apart<E>(&mut self, seat: usize, decide: Decide<'_, E>) -> Result<(), PlayError<E>> {
        for picked in 0..HAND {
            let mut above = self.hands[seat].clone();
            if let Some(&last) = self.apart[seat].last() {
                above.retain(|&card| card > last);
            }
            // The cards still to come need that many higher cards.
            let still_to_come = HAND - picked - 1;
            above.truncate(above.len() - still_to_come);
            let legal = above.into_iter().map(Action::pick).collect();
            let action = self.ask(decide, seat, legal)?;
            self.apart[seat].push(action.card().expect("only picks are legal"));
        }
        let cards = self.names(&self.apart[seat]);
        self.events.push(Event::SetApart { seat, cards });
        Ok(())
    }

    /// The betting round. Returns the seats that stay, from eldest on.
    fn bets<E>(&mut self, decide: Decide<'_, E>) -> Result<Vec<usize>, PlayError<E>> {
        let pot = self.pot();
        let mut stay = self.turn();
        let mut put = vec![0; self.game.players()];
        let (mut highest, mut raises) = (0, 0);
        // The seats that must still act, unless the bet goes up.
        let mut waiting = VecDeque::from(self.turn());
        while stay.len() > 1
            && let Some(seat) = waiting.pop_front()
        {
            let call = highest - put[seat];
            let mut legal =
                ActionMask::only(if highest == 0 { Action::CHECK } else { Action::FOLD });
            if highest == 0 && self.can_pay(seat, 1) {
                legal = legal.with(Action::BET);
            }
            if highest > 0 && self.can_pay(seat, call) {
                legal = legal.with(Action::CALL);
            }
            if highest > 0 && raises < MOST_RAISES && self.can_pay(seat, call + 1) {
                legal = legal.with(Action::RAISE);
            }
            let action = self.ask(decide, seat, legal)?;
            let chips = match action {
                Action::BET => 1,
                Action::CALL => call,
                Action::RAISE => call + 1,
                _ => 0,
            };
            self.stacks[seat] -= chips;
            self.layout[pot] += chips;
            put[seat] += chips;
            self.events.push(match action {
                Action::CHECK => Event::Check { seat, chips },
                Action::BET => Event::Bet { seat, chips },
                Action::CALL => Event::Call { seat, chips },
                Action::RAISE => Event::Raise { seat, chips },
                _ => Event::Fold { seat, chips },
            });
            if action == Action::FOLD {
                stay.retain(|&other| other != seat);
            }
            if action == Action::BET || action == Action::RAISE {
                highest += 1;
                raises += usize::from(action == Action::RAISE);
                // All other seats that stay, from the seat's left round.
                waiting = self.from(seat).into();
                waiting.retain(|other| *other != seat && stay.contains(other));
            }
        }
        Ok(stay)
    }

    /// The pot goes to the best hand among the seats that stay, or unseen to the only one.
    fn showdown(&mut self, stay: &[usize]) {
        let aces = self.rules().aces;
        let mut winners = stay.to_vec();
        let mut hands = None;
        if stay.len() > 1 {
            let value = |seat: usize| -> Worth { worth(&self.apart[seat], aces) };
            let best = stay.iter().map(|&seat| value(seat)).max();
            winners.retain(|&seat| Some(value(seat)) == best);
            hands = Some(stay.iter().map(|&seat| (seat.to_string(), value(seat).0)).collect());
        }
        let pot = self.pot();
        let mut paid = vec![0; self.game.players()];
        let shares = winners.len() as i32;
        for (place, &seat) in winners.iter().enumerate() {
            // The odd chips go one each from eldest on.
            let odd = i32::from((place as i32) < self.layout[pot] % shares);
            paid[seat] = self.layout[pot] / shares + odd;
            self.stacks[seat] += paid[seat];
        }
        self.layout[pot] = 0;
        self.poker_winner = Some(winners[0]);
        self.events.push(Event::Showdown { winners, hands, shown: None, paid });
    }

    /// The cell that no card claims.
    fn pot(&self) -> usize {
        let pot = self.rules().cells.iter().position(Cell::is_pot);
        pot.expect("there is no poker without a pot")
    }
}
