//! A batch that writes into arrays, for networks.

use ndarray::{ArrayViewMut1, ArrayViewMut2, Axis};

use super::{BatchError, Entries, Entry, Rows, fits};
use crate::action::Action;
use crate::encode::Observation;
use crate::rules::MAX_PLAYERS;

/// Arrays with one row a table, ready for a network; of any strides, such as views into a larger
/// array.
#[derive(Debug)]
pub struct Arrays<'a> {
    /// `[tables, Observation::LEN]`: what the seat that is to act may know, scaled.
    pub observations: ArrayViewMut2<'a, f32>,
    /// `[tables, Action::COUNT]`: its choices; none if the episode is over.
    pub legal: ArrayViewMut2<'a, bool>,
    /// `[tables]`: which seat it is; 0 if the episode is over.
    pub seats: ArrayViewMut1<'a, u8>,
    /// `[tables, MAX_PLAYERS]`: chips that each seat gained in the step.
    pub rewards: ArrayViewMut2<'a, i32>,
    /// `[tables]`: whether the step ended an episode.
    pub over: ArrayViewMut1<'a, bool>,
}

impl Rows for Arrays<'_> {
    type Part<'p>
        = Arrays<'p>
    where
        Self: 'p;

    fn check(&self, tables: usize) -> Result<(), BatchError> {
        fits("observations", self.observations.nrows(), tables)?;
        fits("a row of observations", self.observations.ncols(), Observation::LEN)?;
        fits("legal", self.legal.nrows(), tables)?;
        fits("a row of legal", self.legal.ncols(), Action::COUNT)?;
        fits("seats", self.seats.len(), tables)?;
        fits("rewards", self.rewards.nrows(), tables)?;
        fits("a row of rewards", self.rewards.ncols(), MAX_PLAYERS)?;
        fits("over", self.over.len(), tables)
    }

    fn split_at(&mut self, at: usize) -> (Arrays<'_>, Arrays<'_>) {
        let rows = Axis(0);
        let (observations, observations_) = self.observations.view_mut().split_at(rows, at);
        let (legal, legal_) = self.legal.view_mut().split_at(rows, at);
        let (seats, seats_) = self.seats.view_mut().split_at(rows, at);
        let (rewards, rewards_) = self.rewards.view_mut().split_at(rows, at);
        let (over, over_) = self.over.view_mut().split_at(rows, at);
        (
            Arrays { observations, legal, seats, rewards, over },
            Arrays {
                observations: observations_,
                legal: legal_,
                seats: seats_,
                rewards: rewards_,
                over: over_,
            },
        )
    }

    fn write_row(&mut self, row: usize, entry: &Entry) {
        let mut packed = Observation::BLANK;
        packed.encode(&entry.view, entry.legal);
        let mut observation = self.observations.row_mut(row);
        if let Some(side_by_side) = observation.as_slice_mut() {
            packed.write(side_by_side);
        } else {
            observation.fill(0.0);
            packed.for_each_nonzero(|index, value| observation[index] = value);
        }
        let mut legal = self.legal.row_mut(row);
        legal.fill(false);
        for action in entry.legal.iter() {
            legal[action.index()] = true;
        }
        self.seats[row] = entry.view.seat() as u8;
        for (reward, chips) in self.rewards.row_mut(row).iter_mut().zip(entry.rewards) {
            *reward = chips;
        }
        self.over[row] = entry.over;
    }

    fn write(&mut self, entries: Entries) {
        entries.for_each(|row, entry| self.write_row(row, entry));
    }
}
