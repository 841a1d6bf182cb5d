//! Training whose rollouts are gathered by other processes: the learner's end, and theirs.

use std::ffi::OsString;

use newmarket_train::TrainError;
use newmarket_train::gather::{Gather, Plan, RolloutWorker as Inner, ShardForm};
use newmarket_train::rollout::Rollout;
use newmarket_train::workers::Workers;
use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use crate::errors::{bad, exclusive, shared};
use crate::pool::check;
use crate::program::flushed;

/// What is to be played for one update of a training run: see `run_gathering`.
#[pyclass(module = "newmarket")]
pub(crate) struct Update {
    plan: Py<PyArray1<u8>>,
    networks: Py<PyDict>,
    form: ShardForm,
    shards: Vec<Option<Rollout>>,
}

impl Update {
    fn of(py: Python<'_>, plan: &Plan) -> PyResult<Self> {
        let bytes = plan.to_bytes().map_err(bad)?;
        let form = ShardForm::of(plan, &bytes);
        let networks = PyDict::new(py);
        for network in plan.networks() {
            networks.set_item(network.id(), PyArray1::from_slice(py, network.bytes()))?;
        }
        let shards = (0..form.shards()).map(|_| None).collect();
        let plan = PyArray1::from_vec(py, bytes).unbind();
        Ok(Self { plan, networks: networks.unbind(), form, shards })
    }
}

#[pymethods]
impl Update {
    /// The message of the plan, for `RolloutWorker.gather`.
    #[getter]
    fn plan(&self, py: Python<'_>) -> Py<PyArray1<u8>> {
        self.plan.clone_ref(py)
    }

    /// The networks that sit at its tables, by name: messages for `RolloutWorker.add_network`.
    #[getter]
    fn networks(&self, py: Python<'_>) -> Py<PyDict> {
        self.networks.clone_ref(py)
    }

    /// How many shards there are, all of which must be taken.
    #[getter]
    fn shards(&self) -> usize {
        self.shards.len()
    }

    /// Take in a shard. ``ValueError`` if the message is not whole, or of another shard.
    fn take(slf: &Bound<'_, Self>, index: usize, shard: &[u8]) -> PyResult<()> {
        let mut this = exclusive(slf)?;
        let form = &this.form;
        let rows = slf.py().detach(|| form.read(index, shard)).map_err(bad)?;
        this.shards[index] = Some(rows);
        Ok(())
    }
}

/// What Python calls to have an update gathered.
struct Callback(Py<PyAny>);

impl Gather for Callback {
    fn gather(&mut self, plan: &Plan, _: &Workers) -> Result<Vec<Rollout>, TrainError> {
        Python::attach(|py| {
            let update = Bound::new(py, Update::of(py, plan)?)?;
            self.0.call1(py, (&update,))?;
            let shards = std::mem::take(&mut exclusive(&update)?.shards);
            let missing = shards.iter().filter(|shard| shard.is_none()).count();
            if missing > 0 {
                let all = shards.len();
                return Err(bad(format!("{missing} of {all} shards were not taken")));
            }
            Ok(shards.into_iter().flatten().collect())
        })
        .map_err(|error: PyErr| TrainError::Gather {
            update: plan.update() + 1,
            why: error.to_string().replace('\n', " "),
        })
    }
}

/// Run the program's ``train`` or ``resume`` with these arguments, and return its exit code.
///
/// ``gather`` is called once an update and has its shards played, by a `RolloutWorker` anywhere.
#[pyfunction]
pub(crate) fn run_gathering(py: Python<'_>, arguments: Vec<OsString>, gather: Py<PyAny>) -> u8 {
    let gather = Box::new(Callback(gather));
    flushed(py, arguments, |arguments| newmarket::train(arguments, gather))
}

/// Plays shards of updates, in any process, on so many threads.
#[pyclass(module = "newmarket")]
pub(crate) struct RolloutWorker {
    inner: Inner,
    workers: Workers,
}

#[pymethods]
impl RolloutWorker {
    #[new]
    #[pyo3(signature = (*, threads=1))]
    fn new(threads: usize) -> PyResult<Self> {
        let workers = Workers::new(check(threads)?);
        let workers = workers.map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
        Ok(Self { inner: Inner::new(), workers })
    }

    /// Whether the worker has the opponent network of this id.
    fn knows(slf: &Bound<'_, Self>, network: &str) -> PyResult<bool> {
        Ok(shared(slf)?.inner.knows(network))
    }

    /// Take in an opponent network. ``ValueError`` if the message is refused.
    #[expect(clippy::needless_pass_by_value, reason = "borrowed from Python for the call")]
    fn add_network(slf: &Bound<'_, Self>, network: PyReadonlyArray1<'_, u8>) -> PyResult<()> {
        exclusive(slf)?.inner.add_network(network.as_slice()?).map_err(bad)
    }

    /// These shards of a plan, each as a message.
    ///
    /// ``ValueError`` if the plan is refused, or is that of another build, or an opponent network is missing.
    #[expect(clippy::needless_pass_by_value, reason = "borrowed from Python for the call")]
    fn gather<'py>(
        slf: &Bound<'py, Self>,
        plan: PyReadonlyArray1<'py, u8>,
        shards: Vec<usize>,
    ) -> PyResult<Vec<Bound<'py, PyBytes>>> {
        let (py, mut this, plan) = (slf.py(), exclusive(slf)?, plan.as_slice()?);
        let Self { inner, workers } = &mut *this;
        let gathered = py.detach(|| {
            inner.set_plan(plan)?;
            let gathered = workers.map(shards.len(), |place| inner.gather(shards[place]));
            gathered.into_iter().collect::<Result<Vec<_>, _>>()
        });
        let gathered = gathered.map_err(bad)?;
        Ok(gathered.iter().map(|shard| PyBytes::new(py, shard)).collect())
    }
}
