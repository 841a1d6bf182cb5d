//! Least squares, with intervals that allow for observations which belong together.

use newmarket_agents::paired::{Estimate, student_t95};

/// The sums of some observations from which least squares are computed.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct NormalEquations {
    /// Σ x xᵀ, row by row.
    matrix: Vec<f64>,
    /// Σ x y.
    vector: Vec<f64>,
}

impl NormalEquations {
    /// No observations, of so many features.
    pub(super) fn new(features: usize) -> Self {
        Self { matrix: vec![0.0; features * features], vector: vec![0.0; features] }
    }

    /// Takes in all observations of others.
    pub(super) fn join(&mut self, other: &Self) {
        for (sum, value) in self.matrix.iter_mut().zip(&other.matrix) {
            *sum += value;
        }
        for (sum, value) in self.vector.iter_mut().zip(&other.vector) {
            *sum += value;
        }
    }

    /// Takes in one observation: its features and its value.
    pub(super) fn add(&mut self, features: &[f64], value: f64) {
        let size = self.vector.len();
        for (row, &x) in features.iter().enumerate() {
            self.vector[row] += x * value;
            for (column, &other) in features.iter().enumerate() {
                self.matrix[row * size + column] += x * other;
            }
        }
    }
}

/// A fitted linear regression.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Fit {
    /// One coefficient for each feature.
    pub(super) coefficients: Vec<Estimate>,
}

impl Fit {
    /// Fits all groups together. Intervals are by the sandwich estimator with these groups as
    /// clusters (Liang and Zeger 1986), so that observations of one deal, whose errors go
    /// together, and errors of unequal spread do no harm. `None` if the features are not
    /// independent, or there are hardly more groups than features.
    pub(super) fn of(groups: &[NormalEquations]) -> Option<Self> {
        let size = groups.first()?.vector.len();
        if groups.len() < size + 2 {
            return None;
        }
        let mut all = NormalEquations::new(size);
        for group in groups {
            all.join(group);
        }
        let inverse = inverse(&all.matrix, size)?;
        let apply = |vector: &[f64]| -> Vec<f64> {
            let rows = inverse.chunks(size);
            rows.map(|row| row.iter().zip(vector).map(|(a, b)| a * b).sum()).collect()
        };
        let means = apply(&all.vector);
        let mut variances = vec![0.0; size];
        for group in groups {
            let rows = group.matrix.chunks(size).zip(&group.vector);
            let score: Vec<f64> = rows
                .map(|(row, y)| y - row.iter().zip(&means).map(|(x, b)| x * b).sum::<f64>())
                .collect();
            for (variance, influence) in variances.iter_mut().zip(apply(&score)) {
                *variance += influence * influence;
            }
        }
        let (count, freedom) = (groups.len() as f64, (groups.len() - size) as f64);
        let scale = student_t95(freedom) * (count / freedom).sqrt();
        let coefficient =
            |(mean, variance): (f64, f64)| Estimate { mean, ci95: scale * variance.sqrt() };
        Some(Self { coefficients: means.into_iter().zip(variances).map(coefficient).collect() })
    }
}

/// The inverse, by Gauss and Jordan with pivots; `None` if the matrix has none.
fn inverse(matrix: &[f64], size: usize) -> Option<Vec<f64>> {
    let mut rows: Vec<Vec<f64>> = (0..size)
        .map(|row| {
            let identity = (0..size).map(|column| f64::from(u8::from(column == row)));
            matrix[row * size..(row + 1) * size].iter().copied().chain(identity).collect()
        })
        .collect();
    for column in 0..size {
        let scale = matrix[column * size + column].abs();
        let pivot = (column..size)
            .max_by(|&a, &b| rows[a][column].abs().total_cmp(&rows[b][column].abs()))?;
        if rows[pivot][column].abs() <= 1e-10 * scale {
            return None;
        }
        rows.swap(column, pivot);
        let head = rows[column][column];
        rows[column].iter_mut().for_each(|value| *value /= head);
        let used = rows[column].clone();
        for (other, row) in rows.iter_mut().enumerate() {
            let factor = row[column];
            if other != column {
                row.iter_mut().zip(&used).for_each(|(value, used)| *value -= factor * used);
            }
        }
    }
    Some(rows.into_iter().flat_map(|row| row.into_iter().skip(size)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use newmarket_env::{Seed, seed::unit};

    #[test]
    fn a_line_is_found_and_its_interval_allows_for_clusters() {
        let mut covered = [0; 2];
        for run in 0..400 {
            let mut rng = Seed::new(9).child(run).rng();
            let groups: Vec<NormalEquations> = (0..60)
                .map(|_| {
                    let mut group = NormalEquations::new(2);
                    // A disturbance that all observations of a group share.
                    let shared = 4.0 * (unit(&mut rng) - 0.5);
                    let x = unit(&mut rng);
                    for _ in 0..5 {
                        let x = x + 0.2 * unit(&mut rng);
                        group.add(&[1.0, x], 2.0 - 3.0 * x + shared + unit(&mut rng) - 0.5);
                    }
                    group
                })
                .collect();
            let fit = Fit::of(&groups).unwrap();
            for (at, truth) in [2.0, -3.0].into_iter().enumerate() {
                let it = fit.coefficients[at];
                covered[at] += i32::from((it.mean - truth).abs() < it.ci95);
            }
        }
        // 380 expected, standard deviation 4.4; sandwiches run a little short.
        assert!(covered.iter().all(|covered| (362..396).contains(covered)), "{covered:?}");
    }

    #[test]
    fn dependent_features_are_refused() {
        let mut group = NormalEquations::new(2);
        for x in [1.0, 2.0, 5.0] {
            group.add(&[x, 2.0 * x], x);
        }
        assert_eq!(Fit::of(&vec![group; 9]), None);
    }
}
