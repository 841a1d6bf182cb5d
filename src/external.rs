//! `exec:…`: players that are external programs.
//!
//! A program is started once and serves many tables. It speaks the engine protocol (`engine/PROTOCOL.md`), as
//! `newmarket engine` does, and this program is its host: it tells a seat what the seat may know, and asks for its
//! decisions. Faults of a program are counted. After a fault `stopper` plays the rest of that deal in its place; other
//! players lose nothing.

mod fault;
mod group;
mod message;
mod name;
mod player;
mod process;
mod program;
mod stop;

use std::sync::Arc;

use newmarket_agents::Player;
use serde::Serialize;

pub use fault::ProgramReport;
pub(crate) use group::kill_all;
#[cfg(target_os = "linux")]
pub use group::{keep, keep_by};
pub use name::PREFIX;
pub(crate) use name::name_at;
pub use program::Limits;
use program::Program;
pub use stop::{OnFault, stoppable, stopped};

/// The programs that a command has started. Each is started once.
pub struct Programs {
    limits: Limits,
    started: Vec<Arc<Program>>,
}

impl Programs {
    /// No programs yet.
    pub const fn new(limits: Limits) -> Self {
        Self { limits, started: Vec::new() }
    }

    /// A player by its name, `exec:…`. Starts its program unless it runs already.
    ///
    /// # Errors
    /// One line, if the name cannot be read, or if the program cannot be started or does not say hello.
    pub fn player(&mut self, name: &str) -> Result<Player, String> {
        let found = self.started.iter().find(|program| program.name() == name);
        let program = if let Some(program) = found {
            program.clone()
        } else {
            let program = Arc::new(Program::start(name, self.limits)?);
            self.started.push(program.clone());
            program
        };
        Ok(Player::Events(Box::new(player::External::new(program))))
    }

    /// A report on each program.
    pub fn reports(&self) -> Vec<ProgramReport> {
        self.started.iter().map(|program| program.report()).collect()
    }
}

/// A result, with reports on the programs that took part.
#[derive(Serialize)]
pub struct WithPrograms<T> {
    /// The result.
    #[serde(flatten)]
    pub result: T,
    /// The reports; the key is left out if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub programs: Vec<ProgramReport>,
}
