//! The rows of a shard as tensors.

use crate::hidden::PLANES;
use crate::loss::{MASKED, Shard, Unseen};
use crate::trajectory::{Packed, Rows};
use burn::tensor::{Device, Int, Tensor, TensorData};
use ndarray::Array2;
use newmarket_env::MAX_PLAYERS;

/// The columns of the rows that one update derives.
pub(super) struct Columns {
    /// Standardised, or over the temperature. `[choices]`
    pub(super) advantages: Vec<f32>,
    /// How much each row counts. `[rows]`
    pub(super) balance: Vec<f32>,
    /// Normalised. `[rows]`
    pub(super) targets: Vec<f32>,
    /// Normalised. `[rows]`
    pub(super) values: Vec<f32>,
    /// What each seat gains, normalised; none where nobody learns from that. `[rows][players]`
    pub(super) gains: Vec<Vec<f32>>,
}

/// What a shard's rows saw. `[rows, inputs]`
pub(super) fn observations<O: Packed>(rows: &Rows<O>, shard: &[u32], device: &Device) -> Tensor<2> {
    let mut observations = Array2::zeros((shard.len(), O::WIDTH));
    for (mut out, row) in observations.rows_mut().into_iter().zip(shard) {
        let out = out.as_slice_mut().expect("rows of a new array are contiguous");
        rows.observations[*row as usize].expand_into(out);
    }
    tensor(observations, device)
}

/// All else about them.
pub(super) fn gather<O>(
    rows: &Rows<O>,
    columns: &Columns,
    shard: &[u32],
    device: &Device,
) -> Shard {
    let n = shard.len();
    let row = |column: &[f32]| -> Tensor<1> {
        let picked: Vec<f32> = shard.iter().map(|row| column[*row as usize]).collect();
        Tensor::from_data(TensorData::new(picked, [n]), device)
    };
    let wide = shard.iter().map(|row| rows.choices(*row as usize).len()).max().unwrap_or(0);
    let choices = |column: &[f32], empty: f32| -> Tensor<2> {
        let mut picked = Array2::from_elem((n, wide), empty);
        for (mut out, row) in picked.rows_mut().into_iter().zip(shard) {
            for (place, &value) in out.iter_mut().zip(&column[rows.choices(*row as usize)]) {
                *place = value;
            }
        }
        tensor(picked, device)
    };
    let (mut actions, mut mask) =
        (Array2::<i64>::zeros((n, wide)), Array2::from_elem((n, wide), MASKED));
    for (i, row) in shard.iter().enumerate() {
        let mut legal = rows.legal[*row as usize];
        for place in 0..legal.count_ones() as usize {
            actions[[i, place]] = i64::from(legal.trailing_zeros());
            mask[[i, place]] = 0.0;
            legal &= legal - 1;
        }
    }
    let actions = TensorData::new(actions.into_raw_vec_and_offset().0, [n, wide]);
    Shard {
        actions: Tensor::<2, Int>::from_data(actions, device),
        mask: tensor(mask, device),
        log_probs: choices(&rows.log_probs, MASKED),
        weights: choices(&rows.weights, 0.0),
        advantages: choices(&columns.advantages, 0.0),
        balance: row(&columns.balance).unsqueeze_dim(1),
        targets: row(&columns.targets),
        values: row(&columns.values),
        unseen: (!rows.hidden.is_empty()).then(|| unseen(rows, columns, shard, device)),
    }
}

/// What the seats of a shard's rows could not see.
fn unseen<O>(rows: &Rows<O>, columns: &Columns, shard: &[u32], device: &Device) -> Unseen {
    let mut planes = Array2::zeros((shard.len(), PLANES));
    let mut gains = Array2::zeros((shard.len(), MAX_PLAYERS));
    let mut seats = Array2::zeros((shard.len(), MAX_PLAYERS));
    for (i, row) in shard.iter().enumerate() {
        for index in rows.hidden[*row as usize].ones() {
            planes[[i, index]] = 1.0;
        }
        let of_row = &columns.gains[*row as usize];
        for (seat, gain) in of_row.iter().enumerate() {
            gains[[i, seat]] = *gain;
            seats[[i, seat]] = 1.0 / of_row.len() as f32;
        }
    }
    Unseen {
        planes: tensor(planes, device),
        gains: tensor(gains, device),
        seats: tensor(seats, device),
    }
}

/// An array as a tensor of the same shape.
fn tensor(array: Array2<f32>, device: &Device) -> Tensor<2> {
    let (rows, columns) = array.dim();
    let data = TensorData::new(array.into_raw_vec_and_offset().0, [rows, columns]);
    Tensor::from_data(data, device)
}
