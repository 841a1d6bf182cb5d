//! The stage in which cells go to the holders of their cards (`docs/RULES.md`, section 8.1).

use super::State;
use crate::game::Game;
use crate::seats::Seats;

impl State {
    /// The holders of a cell's cards share its chips. The remainder of the division stays on the cell.
    pub(super) fn collect(&mut self, game: &Game) {
        let claims = self.claims(game);
        for index in 0..game.cells() {
            let sets = claims.of_cell(index);
            let chips = self.public.layout[index];
            if chips == 0 || sets.is_empty() {
                continue;
            }
            let mut holders = Seats::default();
            for seat in self.public.seats_in.iter() {
                let hand = self.hands[seat];
                if sets.iter().any(|&set| hand.is_superset(set)) {
                    holders.insert(seat);
                }
            }
            // If a single set claims the cell, everybody learns who holds it, or that nobody does.
            if let [set] = *sets {
                match holders.iter().next() {
                    Some(seat) => self.public.knowledge.holds(seat, set),
                    None if set.len() == 1 => self.public.knowledge.dead(set),
                    None => {}
                }
            }
            let share = chips / holders.len().max(1) as i32;
            // Nobody sees a share of 0.
            self.public
                .knowledge
                .collected(index, if share > 0 { holders } else { Seats::default() });
            if share > 0 {
                for seat in holders.iter() {
                    self.public.stacks[seat] += share;
                    self.public.layout[index] -= share;
                }
            }
        }
    }
}
