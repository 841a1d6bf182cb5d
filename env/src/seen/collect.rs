//! Stand-ins for the cards by which the others collect cells (`docs/RULES.md`, section 8.1).

use super::stand_in::{Cards, StandIn, fault};
use super::{Fault, possible};
use crate::card_set::CardSet;
use crate::event::Event;
use crate::state::State;

impl StandIn<'_> {
    /// Whether the events from here on are shares of a cell that more seats share than are told of
    /// so far: then the engine makes them greater.
    pub(super) fn shares(&self, nth: usize, due: &Event) -> bool {
        let Event::Collect { seat, cell, chips } = due else { return false };
        let share = match &self.told[nth] {
            Event::Collect { seat: at, chips: told, .. } if at == seat && told < chips => *told,
            _ => return false,
        };
        let same = |event: &Event| matches!(event, Event::Collect { cell: it, chips, .. } if it == cell && *chips == share);
        share > 0 && self.told[nth..].iter().all(same)
    }

    /// Whether the step can be true if what has been told of it breaks off among the collections.
    pub(super) fn more_to_collect(&self, mut after: State) -> bool {
        let (earlier, knowledge) = (self.before.public.knowledge, &mut after.public.knowledge);
        if knowledge.judged == earlier.judged {
            return false;
        }
        let cells = &self.game.rules().cells;
        let collected = self.told.iter().rev().find_map(|event| match event {
            Event::Collect { cell, .. } => cells.iter().position(|it| it.name == *cell),
            _ => None,
        });
        // Others may share the last cell that is told of.
        let told = collected.map_or(0, |last| (1_u16 << last) as u8 - 1);
        knowledge.judged &= earlier.judged | told;
        knowledge.dead = earlier.dead;
        let dead = self.not_collected(&after);
        after.public.knowledge.dead |= dead;
        possible::any_deal(&after.view(self.game, self.seat))
    }

    /// Cards by which the others collect what they are told to. `judged` are the cells with chips.
    pub(super) fn collectors(&self, judged: u8) -> Result<Cards, Fault> {
        let mut cards = Cards::default();
        for (nth, event) in self.told.iter().enumerate() {
            let Event::Collect { seat, cell, .. } = event else { continue };
            if *seat == self.seat {
                continue;
            }
            let cells = &self.game.rules().cells;
            let Some(cell) = cells.iter().position(|it| it.name == *cell) else {
                return fault(nth, "the layout has no such cell");
            };
            if !self.before.seats_in().contains(*seat) {
                return fault(nth, "that seat does not play");
            }
            let Some(set) = self.set_of(*seat, cell, judged)? else {
                return fault(nth, "the seat cannot hold the cards of this cell");
            };
            self.give(&mut cards, *seat, set);
        }
        Ok(cards)
    }

    /// Cards for so many others that a cell pays nobody, if this seat would otherwise be told, as
    /// in `alone`, to collect it.
    pub(super) fn add_sharers(
        &self,
        judged: u8,
        alone: &[Event],
        cards: &mut Cards,
    ) -> Result<(), Fault> {
        for event in alone {
            let Event::Collect { cell: name, chips, .. } = event else { continue };
            let told = |event: &Event| matches!(event, Event::Collect { cell, .. } if cell == name);
            if self.told.iter().any(told) {
                continue;
            }
            let cells = &self.game.rules().cells;
            let Some(cell) = cells.iter().position(|it| it.name == *name) else { continue };
            let mut missing = *chips;
            for seat in self.before.seats_in().iter().filter(|&seat| seat != self.seat) {
                if missing > 0
                    && let Some(set) = self.set_of(seat, cell, judged)?
                {
                    self.give(cards, seat, set);
                    missing -= 1;
                }
            }
        }
        Ok(())
    }

    /// Puts cards where the seat has them when cells are collected.
    fn give(&self, cards: &mut Cards, seat: usize, held: CardSet) {
        let takes =
            |event: &Event| matches!(event, Event::Exchange { seat: at, .. } if *at == seat);
        if self.told.iter().any(takes) {
            cards.dead |= held;
        } else {
            cards.hands[seat] |= held;
        }
    }

    /// A set of cards by which a seat may collect a cell. Whoever has a card of it that collects
    /// another cell by itself collects that, too.
    fn set_of(&self, seat: usize, cell: usize, judged: u8) -> Result<Option<CardSet>, Fault> {
        let claims = self.before.claims(self.game);
        let cells = &self.game.rules().cells;
        let takes = |cell: usize| {
            let told = |event: &Event| {
                matches!(event, Event::Collect { seat: at, cell: name, .. }
                    if *at == seat && *name == cells[cell].name)
            };
            self.told.iter().any(told)
        };
        let fits = |set: &&CardSet| {
            (0..cells.len()).all(|other| match claims.card_of(other) {
                Some(card) if judged >> other & 1 == 1 && set.contains(card) => takes(other),
                _ => true,
            })
        };
        let own = self.own_cards()?;
        let mut sets = claims.of_cell(cell).iter().filter(|&set| (*set & own).is_empty());
        Ok(sets.find(fits).copied())
    }

    /// All cards that the seat knows to be with itself or dead, after the decision of this step.
    fn own_cards(&self) -> Result<CardSet, Fault> {
        let own = self.before.own_cards(self.seat);
        let mut cards = own.hand | own.discard | self.new_hand()?.unwrap_or_default();
        if let Some(Event::Deal { hands, .. }) = self.told.first()
            && let Some(hand) = hands.get(self.seat)
        {
            cards |= self.cards(0, hand)?;
        }
        Ok(cards)
    }
}
