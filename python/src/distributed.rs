//! Training whose rollouts are gathered by other processes: the learner's end, and theirs.

use std::ffi::OsString;

use newmarket_train::TrainError;
use newmarket_train::gather::{Gather, Gatherer as Inner, PieceForm, Plan};
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
    guests: Py<PyDict>,
    form: PieceForm,
    pieces: Vec<Option<Rollout>>,
}

impl Update {
    fn of(py: Python<'_>, plan: &Plan) -> PyResult<Self> {
        let bytes = plan.to_bytes().map_err(bad)?;
        let form = PieceForm::of(plan, &bytes);
        let guests = PyDict::new(py);
        for guest in plan.guests() {
            guests.set_item(guest.id(), PyArray1::from_slice(py, guest.bytes()))?;
        }
        let pieces = (0..form.pieces()).map(|_| None).collect();
        let plan = PyArray1::from_vec(py, bytes).unbind();
        Ok(Self { plan, guests: guests.unbind(), form, pieces })
    }
}

#[pymethods]
impl Update {
    /// The message of the plan, for `Gatherer.gather`.
    #[getter]
    fn plan(&self, py: Python<'_>) -> Py<PyArray1<u8>> {
        self.plan.clone_ref(py)
    }

    /// The networks that sit at its tables, by name: messages for `Gatherer.meet`.
    #[getter]
    fn guests(&self, py: Python<'_>) -> Py<PyDict> {
        self.guests.clone_ref(py)
    }

    /// How many pieces there are, all of which must be taken.
    #[getter]
    fn pieces(&self) -> usize {
        self.pieces.len()
    }

    /// Take in a piece. ``ValueError`` if the message is not whole, or of another piece.
    fn take(slf: &Bound<'_, Self>, index: usize, piece: &[u8]) -> PyResult<()> {
        let mut this = exclusive(slf)?;
        let form = &this.form;
        let rows = slf.py().detach(|| form.read(index, piece)).map_err(bad)?;
        this.pieces[index] = Some(rows);
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
            let pieces = std::mem::take(&mut exclusive(&update)?.pieces);
            let missing = pieces.iter().filter(|piece| piece.is_none()).count();
            if missing > 0 {
                let all = pieces.len();
                return Err(bad(format!("{missing} of {all} pieces were not taken")));
            }
            Ok(pieces.into_iter().flatten().collect())
        })
        .map_err(|error: PyErr| TrainError::Gather {
            update: plan.update() + 1,
            why: error.to_string().replace('\n', " "),
        })
    }
}

/// Run the program's ``train`` or ``resume`` with these arguments, and return its exit code.
///
/// ``gather`` is called once an update and has its pieces played, by a `Gatherer` anywhere.
#[pyfunction]
pub(crate) fn run_gathering(py: Python<'_>, arguments: Vec<OsString>, gather: Py<PyAny>) -> u8 {
    let gather = Box::new(Callback(gather));
    flushed(py, arguments, |arguments| newmarket::train(arguments, gather))
}

/// Plays pieces of updates, in any process, on so many threads.
#[pyclass(module = "newmarket")]
pub(crate) struct Gatherer {
    inner: Inner,
    workers: Workers,
}

#[pymethods]
impl Gatherer {
    #[new]
    #[pyo3(signature = (*, threads=1))]
    fn new(threads: usize) -> PyResult<Self> {
        let workers = Workers::new(check(threads)?);
        let workers = workers.map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
        Ok(Self { inner: Inner::new(), workers })
    }

    /// Whether it has the guest of this name.
    fn knows(slf: &Bound<'_, Self>, guest: &str) -> PyResult<bool> {
        Ok(shared(slf)?.inner.knows(guest))
    }

    /// Take in a guest. ``ValueError`` if the message is refused.
    #[expect(clippy::needless_pass_by_value, reason = "borrowed from Python for the call")]
    fn meet(slf: &Bound<'_, Self>, guest: PyReadonlyArray1<'_, u8>) -> PyResult<()> {
        exclusive(slf)?.inner.meet(guest.as_slice()?).map_err(bad)
    }

    /// These pieces of a plan, each as a message.
    ///
    /// ``ValueError`` if the plan is refused, or is that of another build, or a guest is missing.
    #[expect(clippy::needless_pass_by_value, reason = "borrowed from Python for the call")]
    fn gather<'py>(
        slf: &Bound<'py, Self>,
        plan: PyReadonlyArray1<'py, u8>,
        pieces: Vec<usize>,
    ) -> PyResult<Vec<Bound<'py, PyBytes>>> {
        let (py, mut this, plan) = (slf.py(), exclusive(slf)?, plan.as_slice()?);
        let Self { inner, workers } = &mut *this;
        let gathered = py.detach(|| {
            inner.turn_to(plan)?;
            let gathered = workers.map(pieces.len(), |place| inner.gather(pieces[place]));
            gathered.into_iter().collect::<Result<Vec<_>, _>>()
        });
        let gathered = gathered.map_err(bad)?;
        Ok(gathered.iter().map(|piece| PyBytes::new(py, piece)).collect())
    }
}
