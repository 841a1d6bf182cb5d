//! The engine's own loop, timed: what `python/benches` compares a loop in Python with.

use std::time::Instant;

use newmarket_env::{
    Action, Autoreset, BatchEnv, BatchError, Episode, MAX_PLAYERS, Observation, PlainObservations,
    PlainRewards, PlainRows,
};
use numpy::{PyArray2, PyArrayMethods};
use pyo3::prelude::*;

use crate::errors::{self, bad};
use crate::game::{Game, action};
use crate::observation::Form;
use crate::pool;
use crate::seeds::Seeds;

/// Seconds that the engine itself takes for these actions, ``[steps, tables]``: for benches.
#[pyfunction]
#[pyo3(signature = (game, actions, *, seed=0, form="packed", threads=1))]
pub(crate) fn _replay(
    py: Python<'_>,
    game: &Game,
    actions: &Bound<'_, PyArray2<i64>>,
    seed: u64,
    form: &str,
    threads: usize,
) -> PyResult<f64> {
    let (form, threads) = (Form::parse(form)?, pool::check(threads)?);
    let actions = actions.try_readonly().map_err(|_| bad("actions are in use elsewhere"))?;
    let actions = actions.as_array();
    let steps = actions
        .rows()
        .into_iter()
        .map(|row| row.iter().map(|&id| action(id)).collect::<PyResult<Vec<_>>>())
        .collect::<PyResult<Vec<_>>>()?;
    let tables = Seeds::One(seed).tables(actions.ncols())?;
    let tables = tables.iter().map(|at| (game.inner.clone(), Episode::Deal, at.node()));
    let mut env = BatchEnv::with_seeds(tables, Autoreset::SameStep);
    if threads == 1 {
        env = env.single_threaded();
    }
    let pool = pool::pool(threads)?;
    let seconds = py.detach(|| {
        let mut run = || match form {
            Form::Packed => packed(&mut env, &steps),
            Form::F32 => f32(&mut env, &steps),
        };
        if threads == 1 { run() } else { pool.install(run) }
    });
    seconds.map_err(|error| errors::batch(&error))
}

fn packed(env: &mut BatchEnv, steps: &[Vec<Action>]) -> Result<f64, BatchError> {
    let mut rows = vec![[0; Observation::BYTES]; env.len()];
    timed(env, steps, PlainObservations::PackedInPlace(&mut rows))
}

fn f32(env: &mut BatchEnv, steps: &[Vec<Action>]) -> Result<f64, BatchError> {
    let mut rows = vec![[0.0; Observation::LEN]; env.len()];
    timed(env, steps, PlainObservations::F32(&mut rows))
}

fn timed(
    env: &mut BatchEnv,
    steps: &[Vec<Action>],
    observations: PlainObservations<'_>,
) -> Result<f64, BatchError> {
    let tables = env.len();
    let rows = &mut PlainRows {
        observations,
        mask: &mut vec![[0; Action::COUNT]; tables],
        seats: &mut vec![0; tables],
        rewards: PlainRewards::Seats(&mut vec![[0.0; MAX_PLAYERS]; tables]),
        over: &mut vec![false; tables],
    };
    env.observe_all(rows)?;
    let start = Instant::now();
    for actions in steps {
        env.step(actions, rows)?;
    }
    Ok(start.elapsed().as_secs_f64())
}
