//! Sums over rows of a tensor, with the same bits on every processor.
//!
//! burn sums a row in as many lanes as the vectors of the processor have. So the last bits of gradients and weights
//! would depend on the processor. Here every processor uses [`LANES`] lanes. A GPU uses burn's sums.

use burn::backend::autodiff::checkpoint::{base::Checkpointer, strategy::CheckpointStrategy};
use burn::backend::autodiff::grads::Gradients;
use burn::backend::autodiff::ops::{Backward, Ops, OpsKind, unary};
use burn::backend::flex::FlexTensor;
use burn::backend::tensor::FloatTensor;
use burn::backend::{Autodiff, Backend, Dispatch, Flex, TensorMetadata, backend_extension};
use burn::tensor::{Shape, Tensor, TensorData};

/// Lanes of a sum: as many as a vector of AVX-512 has, which trained the released network.
const LANES: usize = 16;

/// The sum of each row. `[rows, places]` → `[rows, 1]`
pub(crate) fn row_sums(rows: Tensor<2>) -> Tensor<2> {
    Tensor::from_dispatch(Dispatch::row_sums(rows.into_dispatch()))
}

/// Repeats the number of each row in all `places`. `[rows, 1]` → `[rows, places]`
pub(crate) fn spread(numbers: Tensor<2>, places: usize) -> Tensor<2> {
    Tensor::from_dispatch(Dispatch::spread(numbers.into_dispatch(), places))
}

/// The log-softmax of each row. `[rows, places]`
pub(crate) fn log_softmax(logits: Tensor<2>) -> Tensor<2> {
    let places = logits.dims()[1];
    let shifted = logits.clone() - logits.detach().max_dim(1);
    let sums = row_sums(shifted.clone().exp());
    shifted - spread(sums.log(), places)
}

/// Each of the two functions is the gradient of the other.
#[backend_extension(Flex, Autodiff, Cube: cfg(any(feature = "wgpu", feature = "cuda")))]
trait RowSums: Backend {
    fn row_sums(rows: FloatTensor<Self>) -> FloatTensor<Self> {
        Self::float_sum_dim(rows, 1)
    }

    fn spread(numbers: FloatTensor<Self>, places: usize) -> FloatTensor<Self> {
        let rows = numbers.shape()[0];
        Self::float_expand(numbers, Shape::new([rows, places]))
    }
}

impl RowSums for Flex {
    fn row_sums(rows: FloatTensor<Self>) -> FloatTensor<Self> {
        let [count, places] = rows.shape().dims();
        let rows = rows.to_contiguous();
        let numbers = rows.as_slice::<f32>().expect("the learner's numbers, in one piece");
        let sums = numbers.chunks_exact(places).map(sum).collect();
        FlexTensor::from_data(TensorData::new::<f32, _>(sums, [count, 1]))
    }
}

#[cfg(any(feature = "wgpu", feature = "cuda"))]
impl RowSums for burn::backend::Cube {}

impl<B: RowSums, C: CheckpointStrategy> RowSums for Autodiff<B, C> {
    fn row_sums(rows: FloatTensor<Self>) -> FloatTensor<Self> {
        #[derive(Debug)]
        struct Sums;

        impl<B: RowSums> Backward<B, 1> for Sums {
            /// The number of places.
            type State = usize;

            fn backward(
                self,
                ops: Ops<Self::State, 1>,
                grads: &mut Gradients,
                _: &mut Checkpointer,
            ) {
                let places = ops.state;
                unary::<B, _>(ops.parents, ops.node, grads, |grad| B::spread(grad, places));
            }
        }

        let places = rows.primitive().shape()[1];
        let sums = B::row_sums(rows.primitive().clone());
        match Sums.prepare::<C>([rows.node()]).compute_bound().stateful() {
            OpsKind::Tracked(tracked) => tracked.finish(places, sums),
            OpsKind::UnTracked(untracked) => untracked.finish(sums),
        }
    }

    fn spread(numbers: FloatTensor<Self>, places: usize) -> FloatTensor<Self> {
        #[derive(Debug)]
        struct Spread;

        impl<B: RowSums> Backward<B, 1> for Spread {
            type State = ();

            fn backward(
                self,
                ops: Ops<Self::State, 1>,
                grads: &mut Gradients,
                _: &mut Checkpointer,
            ) {
                unary::<B, _>(ops.parents, ops.node, grads, B::row_sums);
            }
        }

        let rows = B::spread(numbers.primitive().clone(), places);
        match Spread.prepare::<C>([numbers.node()]).compute_bound().stateful() {
            OpsKind::Tracked(tracked) => tracked.finish((), rows),
            OpsKind::UnTracked(untracked) => untracked.finish(rows),
        }
    }
}

/// Adds whole blocks of lanes in order, then the upper half of the lanes to the lower half until one lane is left,
/// then the rest of the row.
fn sum(row: &[f32]) -> f32 {
    let (blocks, rest) = row.as_chunks::<LANES>();
    let mut lanes = [0.0; LANES];
    for block in blocks {
        for (lane, x) in lanes.iter_mut().zip(block) {
            *lane += x;
        }
    }
    let mut half = LANES / 2;
    while half > 0 {
        for lane in 0..half {
            lanes[lane] += lanes[lane + half];
        }
        half /= 2;
    }
    lanes[0] + rest.iter().sum::<f32>()
}

#[cfg(test)]
mod tests {
    use super::*;
    use burn::tensor::{Device, activation};

    /// A large number, one, and the negative large number: the sum depends on the order.
    #[test]
    fn numbers_are_added_in_sixteen_lanes() {
        const LARGE: f32 = 1e8;
        let table = [
            // Places 0 and 16 share a lane and cancel before place 8 is added. With eight lanes all would share one.
            ([0, 8, 16], 32, 1.0),
            // Lane 8 is added to lane 0 before lane 4.
            ([0, 4, 8], 16, 1.0),
            ([0, 8, 4], 16, 0.0),
            // Blocks come before the rest of the row, which is added in its order.
            ([0, 16, 1], 17, 1.0),
            ([16, 17, 18], 19, 0.0),
        ];
        for (places, wide, expected) in table {
            let mut row = vec![0.0; wide];
            for (place, x) in places.into_iter().zip([LARGE, 1.0, -LARGE]) {
                row[place] = x;
            }
            assert_eq!(sum(&row).to_bits(), f32::to_bits(expected), "{places:?} of {wide}");
        }
    }

    /// Five rows of `places` numbers.
    fn rows(places: usize, device: &Device) -> Tensor<2> {
        let numbers: Vec<f32> = (0..5 * places).map(|i| (i as f32 * 0.7).sin()).collect();
        Tensor::from_data(TensorData::new(numbers, [5, places]), device)
    }

    /// Compares numbers up to a hundred.
    fn assert_near(some: Tensor<2>, others: Tensor<2>) {
        assert_eq!(some.dims(), others.dims());
        let off = (some - others).abs().max().into_scalar::<f32>();
        assert!(off < 1e-4, "{off}");
    }

    /// Values and gradients, for every length of a row.
    #[test]
    fn they_are_what_burn_has_up_to_rounding() {
        let device = Device::flex().autodiff();
        for places in 1..=newmarket_env::Action::COUNT {
            let both = |of: &dyn Fn(Tensor<2>) -> Tensor<2>| {
                let x = rows(places, &device).require_grad();
                let y = of(x.clone());
                // A loss with another slope in every place.
                let grads = (y.clone() * rows(places, &device).cos()).sum().backward();
                (y.inner(), x.grad(&grads).expect("a gradient"))
            };
            let ours = both(&|x| {
                log_softmax(x.clone()) + spread(row_sums(x.clone().square()), places) / x.exp()
            });
            let burns = both(&|x| {
                activation::log_softmax(x.clone(), 1) + x.clone().square().sum_dim(1) / x.exp()
            });
            assert_near(ours.0, burns.0);
            assert_near(ours.1, burns.1);
        }
    }

    /// Rows that are not contiguous, and a part of the rows.
    #[test]
    fn views_of_a_tensor_have_rows() {
        let x = rows(7, &Device::flex());
        assert_near(row_sums(x.clone().transpose()), x.clone().sum_dim(0).transpose());
        assert_near(row_sums(x.clone().narrow(0, 2, 2)), x.sum_dim(1).narrow(0, 2, 2));
    }
}
