//! The Python wheel: glue between the crates and Python, no more. Documentation of what Python sees is
//! what `newmarket/_native.pyi` says, word for word (`python/tests/test_docs.py`).
//!
//! Observations cross the border in [`observation`] alone, seeds in [`seeds`], and errors in
//! [`errors`].

mod agent;
mod arrays;
mod batch;
mod chance;
mod distributed;
mod errors;
mod game;
mod history;
mod lab;
mod observation;
mod opponents;
mod options;
mod pool;
mod program;
mod seated;
mod seeds;
mod source;
mod table;
mod view;
mod watched;
mod weights;

use pyo3::prelude::*;

/// The native half of the package `newmarket`.
#[pymodule]
mod _native {
    #[pymodule_export]
    use crate::agent::{Agent, named_agents};
    #[pymodule_export]
    use crate::batch::Batch;
    #[pymodule_export]
    use crate::chance::Deal;
    #[pymodule_export]
    use crate::distributed::{RolloutWorker, Update, run_gathering};
    #[pymodule_export]
    use crate::errors::IllegalActionError;
    #[pymodule_export]
    use crate::game::{Game, action_names, named_games};
    #[pymodule_export]
    use crate::lab::{_exploit_strategy, duel, exploit, study, trace};
    #[pymodule_export]
    use crate::observation::{encoding, spans, unpack};
    #[pymodule_export]
    use crate::program::{_keep, _keep_by, interrupted, run};
    #[pymodule_export]
    use crate::seated::Seated;
    #[pymodule_export]
    use crate::table::Table;
    #[pymodule_export]
    use crate::view::View;
    #[pymodule_export]
    use crate::weights::{read_checkpoint, write_checkpoint};

    #[pymodule_init]
    fn init(module: &super::Bound<'_, super::PyModule>) -> super::PyResult<()> {
        use super::PyModuleMethods;
        module.add("ACTIONS", newmarket_env::Action::COUNT)?;
        module.add("MAX_PLAYERS", newmarket_env::MAX_PLAYERS)?;
        module.add("OBSERVATION", newmarket_env::Observation::LEN)?;
        module.add("PACKED", crate::observation::BYTES)?;
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
