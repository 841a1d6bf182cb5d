//! What a step changes of a packed row, so that the rest need not be written again.

use super::row::{Row, pack, pack_chips, pack_played, pack_staked, pack_turn};
use super::template::Template;
use crate::action::ActionMask;
use crate::rules::MAX_PLAYERS;
use crate::state::Phase;
use crate::view::View;

/// What may have changed of a packed row between two decisions at a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Change {
    /// What antes change: the step began and ended in the antes of one deal.
    Antes,
    /// What leads and their sequences change: the step began and ended at a lead of one deal.
    Play,
    /// All of it.
    Anything,
}

/// What a game needs of its rows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum RowsOf {
    /// At most four seats, single cards that take cells, no stage before the play.
    FewSeats,
    /// The same with more seats.
    ManySeats,
    /// What stages and sets tell goes by the viewer, and may change with every decision.
    StagesOrSets,
}

impl RowsOf {
    /// What the rows of one more template need.
    pub(crate) fn and(self, players: usize, template: &Template) -> Self {
        match self {
            _ if template.has_more() => Self::StagesOrSets,
            Self::FewSeats if players > 4 => Self::ManySeats,
            _ => self,
        }
    }
}

impl Change {
    /// What a step has changed that began and ended in these phases.
    #[expect(clippy::inline_always, reason = "part of the loop of a batch")]
    #[inline(always)]
    pub(crate) fn within(before: Phase, after: Phase, same_deal: bool) -> Self {
        match before {
            _ if before != after || !same_deal => Self::Anything,
            Phase::Ante => Self::Antes,
            Phase::Lead => Self::Play,
            _ => Self::Anything,
        }
    }
}

/// Makes [`pack`]'s row of the row before this change.
#[expect(clippy::inline_always, reason = "part of the loop of a batch")]
#[inline(always)]
pub(crate) fn repack(view: &View, legal: ActionMask, change: Change, row: &mut Row) {
    match (change, view.game().rows()) {
        (Change::Antes, RowsOf::FewSeats) => repack_antes::<4>(view, legal, row),
        (Change::Antes, RowsOf::ManySeats) => repack_antes::<MAX_PLAYERS>(view, legal, row),
        (Change::Play, RowsOf::FewSeats) => repack_play::<4>(view, legal, row),
        (Change::Play, RowsOf::ManySeats) => repack_play::<MAX_PLAYERS>(view, legal, row),
        (Change::Anything, _) | (_, RowsOf::StagesOrSets) => pack(view, legal, row),
    }
}

#[inline(never)]
fn repack_antes<const SEATS: usize>(view: &View, legal: ActionMask, row: &mut Row) {
    pack_turn(view, legal, row);
    pack_staked::<SEATS>(view.public(), row);
    pack_chips::<SEATS>(view.public(), row);
}

#[inline(never)]
fn repack_play<const SEATS: usize>(view: &View, legal: ActionMask, row: &mut Row) {
    pack_turn(view, legal, row);
    pack_played::<SEATS>(view.public(), row);
    pack_chips::<SEATS>(view.public(), row);
}
