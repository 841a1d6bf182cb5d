//! Which cards take which cells of the layout.
//!
//! The rules say it cell by cell. What is in force belongs to the deal: a [`Game`](crate::Game) has
//! one or several tables of claims, and each deal goes by one of them.

use alloc::vec::Vec;

use crate::card::Card;
use crate::card_set::CardSet;
use crate::rules::{Cell, MAX_CELLS, Rules, Stage};

/// One table of claims: by cell, the sets of cards that take its chips.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Claims {
    /// By cell, all sets of cards that take it, whether they are held or played.
    cells: Vec<Vec<CardSet>>,
    /// By cell, the card that takes it on its own, whether it is held or played.
    cards: [Option<Card>; MAX_CELLS],
    /// The cards that take a cell on their own when they are played.
    pub(crate) singles: CardSet,
    /// The cell that a card of `singles` takes, by [`Card::bit`].
    pub(crate) cell_of: [u8; 64],
    /// The other sets that take a cell when they are played, and their cells.
    sets: Vec<(usize, CardSet)>,
}

impl Claims {
    /// The cells as the rules have them. What has been collected before the play is not claimed
    /// in it.
    pub(crate) fn of(rules: &Rules) -> Self {
        let mut claims = Self {
            cells: rules.cells.iter().map(|cell| cell.claimed_by.clone()).collect(),
            cards: [None; MAX_CELLS],
            singles: CardSet::EMPTY,
            cell_of: [0; 64],
            sets: Vec::new(),
        };
        let in_play = !rules.has(Stage::Collect);
        for (index, cell) in rules.cells.iter().enumerate() {
            claims.cards[index] = cell.claiming_card();
            match claims.cards[index] {
                Some(card) if in_play => {
                    claims.singles.insert(card);
                    claims.cell_of[card.bit() as usize] = index as u8;
                }
                None if in_play => claims.add_sets(index, cell),
                _ => {}
            }
        }
        claims
    }

    fn add_sets(&mut self, index: usize, cell: &Cell) {
        self.sets.extend(cell.claimed_by.iter().map(|&set| (index, set)));
    }

    /// The sets of cards that take a cell: for the seat that has played all of one, or holds all of
    /// one when cells are collected. The pot has none.
    pub fn of_cell(&self, cell: usize) -> &[CardSet] {
        &self.cells[cell]
    }

    /// The card that takes a cell on its own, if it is a cell of that kind.
    pub fn card_of(&self, cell: usize) -> Option<Card> {
        self.cards[cell]
    }

    /// The cell that this card takes on its own when it is played, if any.
    pub fn cell_claimed_by(&self, card: Card) -> Option<usize> {
        self.singles.contains(card).then(|| self.cell_of[card.bit() as usize] as usize)
    }

    /// The sets that take a cell when they are played by one player, with their cells; without
    /// those of [`Claims::cell_claimed_by`].
    pub fn sets(&self) -> impl Iterator<Item = (usize, CardSet)> {
        self.sets.iter().copied()
    }

    /// Whether what a card takes in the play may depend on other cards.
    pub(crate) fn has_sets(&self) -> bool {
        !self.sets.is_empty()
    }
}
