//! Products of sparse matrices. Observations are sparse, and the first layer is the largest part of the learner's
//! work.
//!
//! `X · W` sums the rows of `W` where a row of `X` is not zero. `Xᵀ · G` sums rows of `G` in the same way, with `X`
//! transposed; its sum over the shards of a minibatch is the gradient of `W`. Each number of a product is summed in
//! the order of the entries, without fused multiply-add. So its bits depend neither on the machine's vectors nor on
//! the number of threads.

use crate::trajectory::Packed;
use multiversion::multiversion;

/// Columns of a strip; the kernel keeps their sums in registers.
const TILE: usize = 64;

/// The numbers of one row of a strip, aligned to cache lines.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Tile([f32; TILE]);

/// A number and its column.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Entry {
    column: u32,
    value: f32,
}

/// A sparse matrix, row by row.
#[derive(Clone, Debug)]
pub(crate) struct Sparse {
    columns: usize,
    /// The first entry of each row, and the end of the last row. `[rows + 1]`
    starts: Vec<usize>,
    /// The entries of each row, in the order of `Packed::for_each_nonzero`.
    entries: Vec<Entry>,
}

impl Sparse {
    /// Observations as rows, with a last column of ones for the bias. `[rows, inputs + 1]`
    pub(crate) fn with_ones<'a, O: Packed + 'a>(rows: impl Iterator<Item = &'a O>) -> Self {
        let mut built = Self { columns: O::WIDTH + 1, starts: vec![0], entries: Vec::new() };
        for row in rows {
            row.for_each_nonzero(|column, value| {
                built.entries.push(Entry { column: column as u32, value });
            });
            built.entries.push(Entry { column: O::WIDTH as u32, value: 1.0 });
            built.starts.push(built.entries.len());
        }
        built
    }

    fn rows(&self) -> usize {
        self.starts.len() - 1
    }

    fn row(&self, row: usize) -> &[Entry] {
        &self.entries[self.starts[row]..self.starts[row + 1]]
    }

    /// The transposed matrix. `[columns, rows]`
    pub(crate) fn transposed(&self) -> Self {
        let mut starts = vec![0; self.columns + 1];
        for entry in &self.entries {
            starts[entry.column as usize + 1] += 1;
        }
        for column in 0..self.columns {
            starts[column + 1] += starts[column];
        }
        let (mut next, mut entries) = (starts.clone(), vec![Entry::default(); self.entries.len()]);
        for row in 0..self.rows() {
            for entry in self.row(row) {
                let place = &mut next[entry.column as usize];
                entries[*place] = Entry { column: row as u32, value: entry.value };
                *place += 1;
            }
        }
        Self { columns: self.rows(), starts, entries }
    }

    /// The product with `dense` `[columns, width]`. `[rows, width]`
    pub(crate) fn times(&self, dense: &Tiles) -> Vec<f32> {
        assert_eq!(self.columns, dense.rows, "columns of one, rows of the other");
        let mut product = vec![0.0; self.rows() * dense.width];
        for (nth, strip) in dense.strips.chunks_exact(dense.rows.max(1)).enumerate() {
            let first = nth * TILE;
            let columns = first..dense.width.min(first + TILE);
            sum_rows(self, 0, strip, &mut product, columns, dense.width);
        }
        product
    }
}

/// A dense matrix cut into strips of columns. A strip is contiguous, so it stays in the near caches while many rows
/// are summed.
pub(crate) struct Tiles {
    rows: usize,
    width: usize,
    /// `[width / TILE, rows]`, the last strip filled up with zeros.
    strips: Vec<Tile>,
}

impl Tiles {
    /// `dense` is `[rows, width]`.
    pub(crate) fn new(dense: &[f32], width: usize) -> Self {
        let rows = dense.len() / width;
        let mut strips = vec![Tile([0.0; TILE]); rows * width.div_ceil(TILE)];
        for (row, numbers) in dense.chunks_exact(width).enumerate() {
            for (strip, part) in numbers.chunks(TILE).enumerate() {
                strips[strip * rows + row].0[..part.len()].copy_from_slice(part);
            }
        }
        Self { rows, width, strips }
    }
}

/// Rows of the gradient of a first layer: the sum of `Xᵀ · G` over the shards `(Xᵀ, G)` of a minibatch, in their order.
/// `out` `[n, width]` receives the `n` rows from row `first` on.
pub(crate) fn sum_products(shards: &[(Sparse, Tiles)], first: usize, out: &mut [f32]) {
    let width = shards.first().map_or(1, |(_, sums)| sums.width);
    for strip in 0..width.div_ceil(TILE) {
        let columns = strip * TILE..width.min((strip + 1) * TILE);
        for (inputs, sums) in shards {
            let strip = &sums.strips[strip * sums.rows..][..sums.rows];
            sum_rows(inputs, first, strip, out, columns.clone(), width);
        }
    }
}

/// Adds one strip of the product of the rows from `first` on to `columns` of `out` `[rows, width]`.
#[multiversion(targets("x86_64+avx512f", "x86_64+avx2"))]
fn sum_rows(
    sparse: &Sparse,
    first: usize,
    strip: &[Tile],
    out: &mut [f32],
    columns: std::ops::Range<usize>,
    width: usize,
) {
    // Indices, not iterators: this crate has several codegen units, and iterators would not be inlined between them.
    for nth in 0..out.len() / width {
        let row = first + nth;
        let entries = &sparse.entries[sparse.starts[row]..sparse.starts[row + 1]];
        if entries.is_empty() {
            continue;
        }
        let mut sum = [0.0; TILE];
        for &Entry { column, value } in entries {
            let Tile(numbers) = &strip[column as usize];
            for nth in 0..TILE {
                sum[nth] += value * numbers[nth];
            }
        }
        let out = &mut out[nth * width..][columns.clone()];
        for nth in 0..out.len() {
            out[nth] += sum[nth];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::{Array2, ArrayView2};

    const WIDTH: usize = 23;

    #[derive(Clone)]
    struct Row([f32; WIDTH]);

    impl Packed for Row {
        const WIDTH: usize = WIDTH;

        fn for_each_nonzero(&self, mut see: impl FnMut(usize, f32)) {
            for (column, &value) in self.0.iter().enumerate().filter(|(_, value)| **value != 0.0) {
                see(column, value);
            }
        }
    }

    /// One number in four is not zero; the third row is empty.
    fn rows(count: usize) -> Vec<Row> {
        let number = |row: usize, column: usize| match (row * 7 + column * 5) % 4 {
            0 if row != 2 => ((row + 3 * column) as f32).sin(),
            _ => 0.0,
        };
        (0..count).map(|row| Row(std::array::from_fn(|column| number(row, column)))).collect()
    }

    fn dense(rows: usize, width: usize) -> Vec<f32> {
        (0..rows * width).map(|nth| (nth as f32 * 0.37).cos()).collect()
    }

    /// With its column of ones.
    fn plain(rows: &[Row]) -> Array2<f32> {
        let flat: Vec<f32> = rows.iter().flat_map(|row| row.0.into_iter().chain([1.0])).collect();
        Array2::from_shape_vec((rows.len(), WIDTH + 1), flat).expect("whole rows")
    }

    fn near(got: &[f32], expected: &Array2<f32>) {
        assert_eq!(got.len(), expected.len());
        for (got, expected) in got.iter().zip(expected) {
            assert!((got - expected).abs() < 1e-4, "{got} and {expected}");
        }
    }

    #[test]
    fn products_are_those_of_the_whole_matrices() {
        let rows = rows(50);
        let (sparse, plain) = (Sparse::with_ones(rows.iter()), plain(&rows));
        for width in [1, TILE - 1, TILE, 2 * TILE + 5] {
            let weights = dense(WIDTH + 1, width);
            let view = ArrayView2::from_shape((WIDTH + 1, width), &weights).expect("its shape");
            near(&sparse.times(&Tiles::new(&weights, width)), &plain.dot(&view));
            let gradient = dense(rows.len(), width);
            let view = ArrayView2::from_shape((rows.len(), width), &gradient).expect("its shape");
            let product = sparse.transposed().times(&Tiles::new(&gradient, width));
            near(&product, &plain.t().dot(&view));

            let shard = |of: std::ops::Range<usize>| {
                let inputs = Sparse::with_ones(rows[of.clone()].iter()).transposed();
                (inputs, Tiles::new(&gradient[of.start * width..of.end * width], width))
            };
            let shards = [shard(0..20), shard(20..21), shard(21..50)];
            let mut sum = vec![0.0; product.len()];
            for (nth, out) in sum.chunks_mut(7 * width).enumerate() {
                sum_products(&shards, 7 * nth, out);
            }
            near(&sum, &plain.t().dot(&view));
        }
    }

    #[test]
    fn a_row_has_the_same_bits_in_any_company() {
        let rows = rows(30);
        let tiles = Tiles::new(&dense(WIDTH + 1, 70), 70);
        let all = Sparse::with_ones(rows.iter()).times(&tiles);
        for (row, together) in rows.iter().zip(all.chunks(70)) {
            assert_eq!(Sparse::with_ones([row].into_iter()).times(&tiles), together);
        }
    }
}
