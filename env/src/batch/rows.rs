//! Where a batch writes: rows that the caller owns, one a table.

use super::tables::Entries;
use super::{BatchError, fits};
use crate::action::ActionMask;
use crate::encode::{self, Change, Observation};
use crate::rules::MAX_PLAYERS;
use crate::view::View;

/// How a table stands after a step.
#[derive(Clone, Copy, Debug)]
pub struct Entry<'e> {
    /// What the seat that is to act may know; seat 0 if none is.
    pub view: View<'e>,
    /// Its legal actions; none if the episode is over.
    pub legal: ActionMask,
    /// Chips that each seat gained in the step.
    pub rewards: [i32; MAX_PLAYERS],
    /// Whether the step ended an episode.
    pub over: bool,
    /// What the step has changed of the row.
    pub change: Change,
}

impl Entry<'_> {
    /// The encoded view: [`Observation::of`], which need not ask for the choices again.
    #[inline]
    pub fn observation(&self) -> Observation {
        let mut observation = Observation::BLANK;
        observation.encode(&self.view, self.legal);
        observation
    }

    /// Writes the bytes of [`Entry::observation`].
    #[inline]
    pub fn pack(&self, row: &mut [u8; Observation::BYTES]) {
        encode::pack(&self.view, self.legal, row);
    }

    /// [`Entry::pack`] for a row that holds the bytes of the table's last entry: what has not changed
    /// since then is not written. Any other row becomes meaningless.
    #[inline]
    pub fn repack(&self, row: &mut [u8; Observation::BYTES]) {
        // A copy: the rest of the entry need not be in memory then.
        let view = self.view;
        encode::repack(&view, self.legal, self.change, row);
    }
}

/// Rows for the entries of tables, one each. They can be cut in two, for two threads.
pub trait Rows: Send {
    /// A range of the rows.
    type Part<'p>: Rows
    where
        Self: 'p;

    /// Whether there are as many rows as tables.
    ///
    /// # Errors
    /// [`BatchError::Length`], about the first buffer that does not fit.
    fn check(&self, tables: usize) -> Result<(), BatchError>;

    /// The first `at` rows, and the others.
    fn split_at(&mut self, at: usize) -> (Self::Part<'_>, Self::Part<'_>);

    /// Writes a row.
    fn write_row(&mut self, row: usize, entry: &Entry);

    /// Writes all rows: takes the entries one by one, to the last.
    #[inline]
    fn write(&mut self, entries: Entries)
    where
        Self: Sized,
    {
        entries.for_each(|row, entry| self.write_row(row, entry));
    }
}

/// Slices with one entry a table; observations and choices are packed.
#[derive(Debug)]
pub struct Buffers<'b> {
    /// What the seat that is to act may know.
    pub observations: &'b mut [Observation],
    /// Its legal actions; none if the episode is over.
    pub legal: &'b mut [ActionMask],
    /// Which seat it is; 0 if the episode is over.
    pub seats: &'b mut [u8],
    /// Chips that each seat gained in the step.
    pub rewards: &'b mut [[i32; MAX_PLAYERS]],
    /// Whether the step ended an episode.
    pub over: &'b mut [bool],
}

impl Buffers<'_> {
    /// Writes all of a row but the observation.
    #[expect(clippy::inline_always, reason = "part of the loop of a batch")]
    #[inline(always)]
    fn write_rest(&mut self, row: usize, entry: &Entry) {
        self.legal[row] = entry.legal;
        self.seats[row] = entry.view.seat() as u8;
        self.rewards[row] = entry.rewards;
        self.over[row] = entry.over;
    }
}

impl Rows for Buffers<'_> {
    type Part<'p>
        = Buffers<'p>
    where
        Self: 'p;

    fn check(&self, tables: usize) -> Result<(), BatchError> {
        fits("observations", self.observations.len(), tables)?;
        fits("legal", self.legal.len(), tables)?;
        fits("seats", self.seats.len(), tables)?;
        fits("rewards", self.rewards.len(), tables)?;
        fits("over", self.over.len(), tables)
    }

    fn split_at(&mut self, at: usize) -> (Buffers<'_>, Buffers<'_>) {
        let (observations, observations_) = self.observations.split_at_mut(at);
        let (legal, legal_) = self.legal.split_at_mut(at);
        let (seats, seats_) = self.seats.split_at_mut(at);
        let (rewards, rewards_) = self.rewards.split_at_mut(at);
        let (over, over_) = self.over.split_at_mut(at);
        (
            Buffers { observations, legal, seats, rewards, over },
            Buffers {
                observations: observations_,
                legal: legal_,
                seats: seats_,
                rewards: rewards_,
                over: over_,
            },
        )
    }

    #[expect(clippy::inline_always, reason = "part of the loop of a batch")]
    #[inline(always)]
    fn write_row(&mut self, row: usize, entry: &Entry) {
        let view = entry.view;
        self.observations[row].encode(&view, entry.legal);
        self.write_rest(row, entry);
    }

    /// Compiled here, in one piece with the engine.
    fn write(&mut self, entries: Entries) {
        entries.for_each(|row, entry| self.write_row(row, entry));
    }
}

/// [`Buffers`] that hold what the last call of the same batch wrote, as the caller promises: a step
/// then writes of each observation only what it has changed. Of buffers that hold anything else the
/// observations are wrong.
#[derive(Debug)]
pub struct InPlace<'b>(pub Buffers<'b>);

impl Rows for InPlace<'_> {
    type Part<'p>
        = InPlace<'p>
    where
        Self: 'p;

    fn check(&self, tables: usize) -> Result<(), BatchError> {
        self.0.check(tables)
    }

    fn split_at(&mut self, at: usize) -> (InPlace<'_>, InPlace<'_>) {
        let (left, right) = self.0.split_at(at);
        (InPlace(left), InPlace(right))
    }

    #[expect(clippy::inline_always, reason = "part of the loop of a batch")]
    #[inline(always)]
    fn write_row(&mut self, row: usize, entry: &Entry) {
        entry.repack(self.0.observations[row].as_bytes_mut());
        self.0.write_rest(row, entry);
    }

    /// Compiled here, in one piece with the engine.
    fn write(&mut self, entries: Entries) {
        entries.for_each(|row, entry| self.write_row(row, entry));
    }
}
