//! Rows of plain numbers, as other languages use them: a byte for each action, rewards as `f32`,
//! observations packed or as vectors.
//!
//! The loop over the tables is compiled here, together with the engine: in another crate it would be
//! slower (`env/decisions/0002-what-bounds-the-batch.md`).

use super::options::{BatchError, fits};
use super::rows::{Entry, Rows};
use super::tables::Entries;
use crate::action::{Action, ActionMask};
use crate::encode::{Change, Observation};
use crate::rules::MAX_PLAYERS;

/// Slices of plain numbers, one row for each table.
#[derive(Debug)]
pub struct PlainRows<'a> {
    /// What the seat to act may know.
    pub observations: PlainObservations<'a>,
    /// `[tables, Action::COUNT]`: 1 for each of its legal actions, else 0.
    pub mask: &'a mut [[i8; Action::COUNT]],
    /// `[tables]`: the seat to act; 0 if the episode is over.
    pub seats: &'a mut [u8],
    /// Chips gained in the step.
    pub rewards: PlainRewards<'a>,
    /// `[tables]`: whether the step ended an episode.
    pub over: &'a mut [bool],
}

/// Observations in either form.
#[derive(Debug)]
pub enum PlainObservations<'a> {
    /// `[tables, Observation::BYTES]`: packed rows.
    Packed(&'a mut [[u8; Observation::BYTES]]),
    /// The same, for rows and masks that hold what the last call of the same batch wrote: a step writes
    /// only what it has changed. Other contents give wrong rows.
    PackedInPlace(&'a mut [[u8; Observation::BYTES]]),
    /// `[tables, Observation::LEN]`: vectors.
    F32(&'a mut [[f32; Observation::LEN]]),
}

/// Rewards of all seats, or of one.
#[derive(Debug)]
pub enum PlainRewards<'a> {
    /// `[tables, MAX_PLAYERS]`: of each seat.
    Seats(&'a mut [[f32; MAX_PLAYERS]]),
    /// `[tables]`: of the seat to act.
    Actor(&'a mut [f32]),
}

/// The bits of each byte as numbers, the lowest first.
const BITS: [[i8; 8]; 256] = {
    let mut table = [[0; 8]; 256];
    let mut bit = 0;
    while bit < 256 * 8 {
        table[bit / 8][bit % 8] = ((bit / 8) >> (bit % 8) & 1) as i8;
        bit += 1;
    }
    table
};

impl ActionMask {
    /// Writes 1 for each legal action and 0 for the others.
    #[inline]
    pub fn write(self, row: &mut [i8; Action::COUNT]) {
        // Eight at a time: the actions of a decision are mostly that close together.
        *row = [0; Action::COUNT];
        let mut left = self.bits();
        while left != 0 {
            // Entries that are written twice get the same values.
            let first = (left.trailing_zeros() as usize).min(Action::COUNT - 8);
            row[first..first + 8].copy_from_slice(&BITS[usize::from((self.bits() >> first) as u8)]);
            left &= !(0xff << first);
        }
    }

    /// [`ActionMask::write`] for a mask of leads or chips, over one of leads or chips: only the first twelve
    /// entries differ.
    #[inline]
    fn write_first(self, row: &mut [i8; Action::COUNT]) {
        debug_assert!(self.bits() >> 12 == 0 && row[12..].iter().all(|&legal| legal == 0));
        let bits = self.bits() as u32;
        row[..8].copy_from_slice(&BITS[usize::from(bits as u8)]);
        row[4..12].copy_from_slice(&BITS[usize::from((bits >> 4) as u8)]);
    }
}

/// Writes a row without its observation. A mask in place holds that of the table's last entry.
#[expect(clippy::inline_always, reason = "part of the loop of a batch")]
#[inline(always)]
fn write_rest(rest: &mut Rest, row: usize, entry: &Entry, in_place: bool) {
    let (mask, seats, rewards, over) = rest;
    match entry.change {
        Change::Antes | Change::Play if in_place => entry.legal.write_first(&mut mask[row]),
        _ => entry.legal.write(&mut mask[row]),
    }
    let seat = entry.view.seat();
    seats[row] = seat as u8;
    match rewards {
        PlainRewards::Seats(rewards) => rewards[row] = entry.rewards.map(|chips| chips as f32),
        PlainRewards::Actor(rewards) => rewards[row] = entry.rewards[seat] as f32,
    }
    over[row] = entry.over;
}

/// Mask, seats, rewards and ends.
type Rest<'a, 'b> =
    (&'b mut [[i8; Action::COUNT]], &'b mut [u8], &'b mut PlainRewards<'a>, &'b mut [bool]);

impl Rows for PlainRows<'_> {
    type Part<'p>
        = PlainRows<'p>
    where
        Self: 'p;

    fn check(&self, tables: usize) -> Result<(), BatchError> {
        let observations = match &self.observations {
            PlainObservations::Packed(rows) | PlainObservations::PackedInPlace(rows) => rows.len(),
            PlainObservations::F32(rows) => rows.len(),
        };
        let rewards = match &self.rewards {
            PlainRewards::Seats(rewards) => rewards.len(),
            PlainRewards::Actor(rewards) => rewards.len(),
        };
        fits("observations", observations, tables)?;
        fits("mask", self.mask.len(), tables)?;
        fits("seats", self.seats.len(), tables)?;
        fits("rewards", rewards, tables)?;
        fits("over", self.over.len(), tables)
    }

    fn split_at(&mut self, at: usize) -> (PlainRows<'_>, PlainRows<'_>) {
        let (observations, observations_) = match &mut self.observations {
            PlainObservations::Packed(rows) => {
                let (rows, rows_) = rows.split_at_mut(at);
                (PlainObservations::Packed(rows), PlainObservations::Packed(rows_))
            }
            PlainObservations::PackedInPlace(rows) => {
                let (rows, rows_) = rows.split_at_mut(at);
                (PlainObservations::PackedInPlace(rows), PlainObservations::PackedInPlace(rows_))
            }
            PlainObservations::F32(rows) => {
                let (rows, rows_) = rows.split_at_mut(at);
                (PlainObservations::F32(rows), PlainObservations::F32(rows_))
            }
        };
        let (rewards, rewards_) = match &mut self.rewards {
            PlainRewards::Seats(rewards) => {
                let (rewards, rewards_) = rewards.split_at_mut(at);
                (PlainRewards::Seats(rewards), PlainRewards::Seats(rewards_))
            }
            PlainRewards::Actor(rewards) => {
                let (rewards, rewards_) = rewards.split_at_mut(at);
                (PlainRewards::Actor(rewards), PlainRewards::Actor(rewards_))
            }
        };
        let (mask, mask_) = self.mask.split_at_mut(at);
        let (seats, seats_) = self.seats.split_at_mut(at);
        let (over, over_) = self.over.split_at_mut(at);
        (
            PlainRows { observations, mask, seats, rewards, over },
            PlainRows {
                observations: observations_,
                mask: mask_,
                seats: seats_,
                rewards: rewards_,
                over: over_,
            },
        )
    }

    fn write_row(&mut self, row: usize, entry: &Entry) {
        let Self { observations, mask, seats, rewards, over } = self;
        match observations {
            PlainObservations::Packed(rows) => entry.pack(&mut rows[row]),
            PlainObservations::PackedInPlace(rows) => entry.repack(&mut rows[row]),
            PlainObservations::F32(rows) => entry.observation().write(&mut rows[row]),
        }
        let in_place = matches!(observations, PlainObservations::PackedInPlace(_));
        write_rest(&mut (mask, seats, rewards, over), row, entry, in_place);
    }

    fn write(&mut self, entries: Entries) {
        let Self { observations, mask, seats, rewards, over } = self;
        let rest = &mut (&mut **mask, &mut **seats, rewards, &mut **over);
        match observations {
            PlainObservations::Packed(rows) => entries.for_each(|row, entry| {
                entry.pack(&mut rows[row]);
                write_rest(rest, row, entry, false);
            }),
            PlainObservations::PackedInPlace(rows) => entries.for_each(|row, entry| {
                entry.repack(&mut rows[row]);
                write_rest(rest, row, entry, true);
            }),
            PlainObservations::F32(rows) => {
                let mut packed = Observation::BLANK;
                entries.for_each(|row, entry| {
                    entry.pack(packed.as_bytes_mut());
                    packed.write(&mut rows[row]);
                    write_rest(rest, row, entry, false);
                });
            }
        }
    }
}
