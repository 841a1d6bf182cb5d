//! The one mapping of seeds to deals: episode `e` of table `t` of seed `s` is
//! `Seed::new(s).child(t).child(e)`, in every front end.

use newmarket_env::Seed;
use pyo3::prelude::*;

use crate::errors::bad;

/// A table of a seed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct TableSeed {
    pub(crate) seed: u64,
    pub(crate) table: u64,
}

impl TableSeed {
    /// The seed whose child `e` is that of episode `e`.
    pub(crate) fn node(self) -> Seed {
        Seed::new(self.seed).child(self.table)
    }
}

/// One seed for all tables, or one for each.
pub(crate) enum Seeds {
    /// Table `t` is table `t` of this seed.
    One(u64),
    /// Each table is table 0 of its own seed.
    Each(Vec<u64>),
}

impl FromPyObject<'_, '_> for Seeds {
    type Error = PyErr;

    fn extract(given: Borrowed<'_, '_, PyAny>) -> PyResult<Self> {
        let one = given.extract().map(Self::One);
        one.or_else(|_| given.extract().map(Self::Each)).map_err(|_| {
            bad("seed: expected a number from 0 to 2**64 - 1, or a list of them, one a table")
        })
    }
}

impl Seeds {
    /// The seeds of so many tables.
    pub(crate) fn tables(self, tables: usize) -> PyResult<Vec<TableSeed>> {
        match self {
            Self::One(seed) => {
                Ok((0..tables as u64).map(|table| TableSeed { seed, table }).collect())
            }
            Self::Each(seeds) if seeds.len() == tables => {
                Ok(seeds.into_iter().map(|seed| TableSeed { seed, table: 0 }).collect())
            }
            Self::Each(seeds) => {
                Err(bad(format!("{} seeds for {tables} tables: expected one a table", seeds.len())))
            }
        }
    }
}
