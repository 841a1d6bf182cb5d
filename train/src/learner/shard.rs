//! The rows of a shard, as tensors.

use crate::loss::{LossSettings, MASKED, Shard};
use crate::normalise::ReturnScale;
use crate::trajectory::RolloutRows;
use burn::tensor::{Device, Int, Tensor, TensorData};
use ndarray::Array2;

/// The columns of the rows that one update derives.
pub(super) struct Columns {
    /// In the unit of the objective. `[actions]`
    advantages: Vec<f32>,
    /// The weight of each row, if the objective weighs rows. `[rows]`
    row_weights: Option<Vec<f32>>,
    /// Normalised. `[rows]`
    targets: Vec<f32>,
}

impl Columns {
    pub(super) fn new<O>(
        rows: &RolloutRows<O>,
        loss: &LossSettings<'_>,
        scale: &ReturnScale,
    ) -> Self {
        Self {
            advantages: loss.objective.advantages(rows),
            row_weights: loss.objective.row_weights(rows),
            targets: rows.targets.iter().map(|&target| scale.normalise(target)).collect(),
        }
    }
}

/// The rows of a shard as tensors, without their observations.
pub(super) fn gather<O>(
    rows: &RolloutRows<O>,
    columns: &Columns,
    shard: &[u32],
    device: &Device,
) -> Shard {
    let n = shard.len();
    let row = |column: &[f32]| -> Tensor<1> {
        let picked: Vec<f32> = shard.iter().map(|row| column[*row as usize]).collect();
        Tensor::from_data(TensorData::new(picked, [n]), device)
    };
    let wide = shard.iter().map(|row| rows.actions(*row as usize).len()).max().unwrap_or(0);
    let actions = |column: &[f32], empty: f32| -> Tensor<2> {
        let mut picked = Array2::from_elem((n, wide), empty);
        for (mut out, row) in picked.rows_mut().into_iter().zip(shard) {
            for (place, &value) in out.iter_mut().zip(&column[rows.actions(*row as usize)]) {
                *place = value;
            }
        }
        tensor(picked, device)
    };
    let (mut ids, mut mask) =
        (Array2::<i64>::zeros((n, wide)), Array2::from_elem((n, wide), MASKED));
    for (i, row) in shard.iter().enumerate() {
        let mut legal = rows.legal[*row as usize];
        for place in 0..legal.count_ones() as usize {
            ids[[i, place]] = i64::from(legal.trailing_zeros());
            mask[[i, place]] = 0.0;
            legal &= legal - 1;
        }
    }
    let ids = TensorData::new(ids.into_raw_vec_and_offset().0, [n, wide]);
    Shard {
        actions: Tensor::<2, Int>::from_data(ids, device),
        mask: tensor(mask, device),
        log_probs: actions(&rows.log_probs, MASKED),
        weights: actions(&rows.weights, 0.0),
        advantages: actions(&columns.advantages, 0.0),
        row_weights: columns.row_weights.as_ref().map(|weights| row(weights).unsqueeze_dim(1)),
        targets: row(&columns.targets),
    }
}

/// An array as a tensor of the same shape.
fn tensor(array: Array2<f32>, device: &Device) -> Tensor<2> {
    let (rows, columns) = array.dim();
    let data = TensorData::new(array.into_raw_vec_and_offset().0, [rows, columns]);
    Tensor::from_data(data, device)
}
