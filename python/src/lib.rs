//! The Python wheel: glue between the crates and Python, no more. Documentation of what Python sees is
//! what `newmarket/_native.pyi` says, word for word (`python/tests/test_docs.py`).
//!
//! Observations cross the border in [`observation`] alone, seeds in [`seeds`], and errors in
//! [`errors`].

mod agent;
mod analysis;
mod arrays;
mod asking;
mod batch;
mod callable;
mod chance;
mod distributed;
mod errors;
mod game;
mod history;
mod lab;
mod observation;
mod opponents;
mod options;
mod player;
mod pool;
mod position;
mod program;
mod progress;
mod seated;
mod seeds;
mod source;
mod table;
mod view;
mod watched;
mod weights;
mod whole;

use pyo3::prelude::*;

/// The native half of the package `newmarket`.
#[pymodule]
mod _native {
    #[pymodule_export]
    use crate::agent::{Agent, named_agents};
    #[pymodule_export]
    use crate::analysis::_analyse;
    #[pymodule_export]
    use crate::batch::Batch;
    #[pymodule_export]
    use crate::callable::Rows;
    #[pymodule_export]
    use crate::chance::Deal;
    #[pymodule_export]
    use crate::distributed::{RolloutWorker, Update, run_gathering};
    #[pymodule_export]
    use crate::errors::IllegalActionError;
    #[pymodule_export]
    use crate::game::{Game, action_names, named_games};
    #[pymodule_export]
    use crate::lab::duel::{_duel, _sessions};
    #[pymodule_export]
    use crate::lab::exploit::{_exploit, _exploit_strategy, _search, _upper_bound};
    #[pymodule_export]
    use crate::lab::ladder::_ladder;
    #[pymodule_export]
    use crate::lab::review::_review;
    #[pymodule_export]
    use crate::lab::study::{_strategies, _study, _usual_games};
    #[pymodule_export]
    use crate::lab::survey::_survey;
    #[pymodule_export]
    use crate::lab::trace::trace;
    #[pymodule_export]
    use crate::lab::{_game_near, _widening};
    #[pymodule_export]
    use crate::observation::{encoding, spans, unpack};
    #[pymodule_export]
    use crate::player::Player;
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
