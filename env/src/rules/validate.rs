//! What a [`Spec`] must satisfy to be played.

use super::{
    Bankroll, Cell, DeadHand, Exchange, Fault, Faults, FirstDealer, LayoutAnte, MAX_CELLS,
    Remainder, Rules, Spec,
};
use crate::card_set::CardSet;

impl Spec {
    /// Checks the whole.
    ///
    /// # Errors
    /// All faults at once.
    pub fn validate(self) -> Result<Rules, Faults> {
        let faults = self.faults();
        if faults.is_empty() { Ok(Rules(self)) } else { Err(Faults(faults)) }
    }

    /// Everything about these rules that cannot be played.
    pub(super) fn faults(&self) -> Vec<Fault> {
        let mut faults = Vec::new();
        let mut fault = |key: &str, problem: String, expected: &str| {
            faults.push(Fault { key: key.into(), problem, expected: expected.into() });
        };
        let has_dead_hand = self.dead_hand != DeadHand::None;
        if self.exchange != Exchange::None && !has_dead_hand {
            let expected = "\"none\", or a dead hand (`dead_hand.position`)";
            fault("exchange", "needs a dead hand".into(), expected);
        }
        if self.remainder == Remainder::DeadHand && !has_dead_hand {
            let expected = "\"rotation\", or a dead hand (`dead_hand.position`)";
            fault("dead_hand.remainder", "is \"dead_hand\" without one".into(), expected);
        }
        self.cell_faults(&mut fault);
        let (least, most) = self.players;
        let (pack, needed) = (self.pack().len(), self.cards_needed(least));
        if pack < needed {
            let each = if self.poker.is_some() { "five cards" } else { "a card" };
            fault(
                "players",
                format!("of at least {least} get a pack of {pack}"),
                &format!("{each} for everybody: at least {needed} cards, or fewer players"),
            );
        }
        if let Bankroll::Chips { start, .. } = self.session.bankroll
            && start < self.full_ante(true).max(self.full_ante(false))
        {
            let ante = self.full_ante(true).max(self.full_ante(false));
            fault(
                "session.bankroll.chips.start",
                format!("is {start}, below the full ante"),
                &format!("at least {ante}"),
            );
        }
        if let FirstDealer::Seat(seat) = self.session.first_dealer
            && seat >= most
        {
            let expected = format!("a seat at the table, 0 to {}", most - 1);
            fault("session.first_dealer", format!("is seat {seat}"), &expected);
        }
        faults
    }

    fn cell_faults(&self, fault: &mut impl FnMut(&str, String, &str)) {
        if self.cells.len() > MAX_CELLS {
            fault("cells", format!("has {} cells", self.cells.len()), "at most 8");
        }
        let pack = self.pack();
        if self.poker.is_some() {
            if self.cell_cap.is_some() {
                fault("cell_cap", "does not go with Three in One".into(), "it left out");
            }
            if let LayoutAnte::Free { .. } = self.layout_ante {
                let expected = "{ fixed = { each, dealer } }";
                fault(
                    "layout_ante",
                    "is free, which does not go with Three in One".into(),
                    expected,
                );
            }
        }
        for (index, cell) in self.cells.iter().enumerate() {
            let earlier = &self.cells[..index];
            if earlier.iter().any(|other| other.name == cell.name) {
                fault("cells", format!("has {} twice", cell.name), "each cell once");
            } else if let Some(other) = earlier.iter().find(|other| shares_claim(other, cell)) {
                let problem = format!("has {} and {} claimed by one card", other.name, cell.name);
                fault("cells", problem, "a claiming card of its own for each");
            }
            if !cell.claimed_by.is_empty()
                && !cell.claimed_by.iter().any(|&set| pack.is_superset(set))
            {
                let cards: CardSet =
                    cell.claimed_by.iter().fold(CardSet::EMPTY, |all, &set| all | set);
                let problem = format!(
                    "has {}, claimed by {}, which is not in the pack",
                    cell.name,
                    cards.notation(self.aces).join(" ")
                );
                fault("cells", problem, "claiming cards that are in play");
            }
        }
        if self.cells.is_empty() {
            if let LayoutAnte::Free { chips, dealer_chips } = self.layout_ante
                && chips.max(dealer_chips) > 0
            {
                fault("layout_ante", "has no cell to go to".into(), "cells, or no chips");
            }
            let fee = match self.exchange {
                Exchange::Dealer { fee } => fee,
                Exchange::OfferChain { price } => price,
                _ => 0,
            };
            if fee > 0 && !self.has_kitty() {
                fault("exchange", "has nobody to pay".into(), "a kitty, cells, or no price");
            }
        }
    }
}

/// Whether one card claims both cells.
fn shares_claim(a: &Cell, b: &Cell) -> bool {
    a.claiming_card().is_some() && a.claiming_card() == b.claiming_card()
}
