//! The rows that a batch writes: the caller's, one for each table.

use super::options::{BatchError, fits};
use super::tables::Entries;
use crate::action::ActionMask;
use crate::encode::{Change, Encoder, Observation};
use crate::rules::MAX_PLAYERS;
use crate::view::View;

/// The result of a step at a table.
#[derive(Clone, Copy, Debug)]
pub struct Entry<'e> {
    /// What the seat to act may know; seat 0 if the episode is over.
    pub view: View<'e>,
    /// Its legal actions; none if the episode is over.
    pub legal: ActionMask,
    /// Chips that each seat gained in the step.
    pub rewards: [i32; MAX_PLAYERS],
    /// Whether the step ended an episode.
    pub over: bool,
    /// The part of the row that the step has changed.
    pub change: Change,
    /// The encoder of the table's game.
    pub encoder: &'e Encoder,
}

impl Entry<'_> {
    /// The encoded view.
    #[inline]
    pub fn observation(&self) -> Observation {
        let mut observation = Observation::BLANK;
        self.pack(observation.as_bytes_mut());
        observation
    }

    /// Writes the bytes of [`Entry::observation`].
    #[inline]
    pub fn pack(&self, row: &mut [u8; Observation::BYTES]) {
        // A copy, so that the compiler need not keep the rest of the entry in memory.
        let view = self.view;
        self.encoder.pack(&view, self.legal, row);
    }

    /// [`Entry::pack`] for a row that holds the bytes of the table's last entry: writes only what has
    /// changed since. Any other row becomes meaningless.
    #[inline]
    pub fn repack(&self, row: &mut [u8; Observation::BYTES]) {
        let view = self.view;
        self.encoder.repack(&view, self.legal, self.change, row);
    }
}

/// Rows for the entries of tables, one each. They can be split, for several threads.
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

    /// Writes all rows: must take every entry.
    #[inline]
    fn write(&mut self, entries: Entries)
    where
        Self: Sized,
    {
        entries.for_each(|row, entry| self.write_row(row, entry));
    }
}

/// Slices with one entry for each table; observations and masks are packed.
#[derive(Debug)]
pub struct Buffers<'b> {
    /// What the seat that is to act may know.
    pub observations: &'b mut [Observation],
    /// Its legal actions; none if the episode is over.
    pub legal: &'b mut [ActionMask],
    /// The seat to act; 0 if the episode is over.
    pub seats: &'b mut [u8],
    /// Chips that each seat gained in the step.
    pub rewards: &'b mut [[i32; MAX_PLAYERS]],
    /// Whether the step ended an episode.
    pub over: &'b mut [bool],
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
        entry.pack(self.observations[row].as_bytes_mut());
        self.legal[row] = entry.legal;
        self.seats[row] = entry.view.seat() as u8;
        self.rewards[row] = entry.rewards;
        self.over[row] = entry.over;
    }

    /// Compiled here, together with the engine, which makes it faster.
    fn write(&mut self, entries: Entries) {
        entries.for_each(|row, entry| self.write_row(row, entry));
    }
}
