//! Encoding of many views of one game.

use alloc::vec::Vec;

use super::Observation;
use super::change::Change;
use super::row::{self, Row};
use super::template::Template;
use crate::action::ActionMask;
use crate::game::Game;
use crate::rules::MAX_PLAYERS;
use crate::view::View;

/// Encodes views of one game. It keeps what all observations of the game have in common.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Encoder {
    /// One for each table of claims that deals can use.
    templates: Vec<Template>,
    rows: RowsOf,
}

/// Which parts of a row a step may change.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum RowsOf {
    /// At most four seats, single cards that take cells, no stage before the play.
    FewSeats,
    /// The same with more seats.
    ManySeats,
    /// Stages or sets of cards: their fields depend on the viewer and may change with every decision.
    StagesOrSets,
}

impl Encoder {
    /// An encoder for views of this game.
    pub fn new(game: &Game) -> Self {
        let templates: Vec<_> =
            game.all_claims().iter().map(|claims| Template::of(game, claims)).collect();
        let rows = match game.players() {
            _ if templates.iter().any(Template::has_more) => RowsOf::StagesOrSets,
            0..=4 => RowsOf::FewSeats,
            _ => RowsOf::ManySeats,
        };
        Self { templates, rows }
    }

    /// Encodes a view of the encoder's game: the same as [`Observation::of`].
    #[inline]
    pub fn encode(&self, view: &View) -> Observation {
        let mut observation = Observation::BLANK;
        self.pack(view, view.legal(), observation.as_bytes_mut());
        observation
    }

    /// Writes a view with these choices.
    #[expect(clippy::inline_always, reason = "part of the loop of a batch")]
    #[inline(always)]
    pub(crate) fn pack(&self, view: &View, legal: ActionMask, row: &mut Row) {
        let template = &self.templates[usize::from(view.public().claims)];
        row::pack(template, view, legal, row);
    }

    /// Updates the row of the table's last view to [`Encoder::pack`]'s row after this change.
    #[expect(clippy::inline_always, reason = "part of the loop of a batch")]
    #[inline(always)]
    pub(crate) fn repack(&self, view: &View, legal: ActionMask, change: Change, row: &mut Row) {
        match (change, self.rows) {
            (Change::Antes, RowsOf::FewSeats) => row::pack_antes::<4>(view, legal, row),
            (Change::Antes, RowsOf::ManySeats) => row::pack_antes::<MAX_PLAYERS>(view, legal, row),
            (Change::Play, RowsOf::FewSeats) => row::pack_play::<4>(view, legal, row),
            (Change::Play, RowsOf::ManySeats) => row::pack_play::<MAX_PLAYERS>(view, legal, row),
            (Change::Anything, _) | (_, RowsOf::StagesOrSets) => self.pack(view, legal, row),
        }
    }
}
