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

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::time::Duration;

use newmarket_agents::Player;
use serde::Serialize;

pub use fault::ProgramReport;
pub(crate) use group::kill_all;
pub(crate) use name::name_at;
use program::Program;

/// The prefix of the names of external players.
pub const PREFIX: &str = "exec:";

/// What to do after a fault of a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum OnFault {
    /// `stopper` plays the rest of the deal in its place
    Stopper,
    /// the command ends
    Stop,
}

/// Limits for programs.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Time limit for a decision.
    pub to_move: Duration,
    /// Time limit for the first message, `hello`.
    pub to_start: Duration,
    /// What to do after a fault.
    pub on_fault: OnFault,
}

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

/// The payload of the panic that ends work after a fault, by [`OnFault::Stop`].
struct Stopped(String);

/// Does work that a fault of a program may end, by [`OnFault::Stop`].
///
/// # Errors
/// One line about the fault that ended the work.
pub fn stoppable<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| match stopped(&*panic) {
        Some(line) => line.to_owned(),
        None => resume_unwind(panic),
    })
}

/// The line about the fault, if this panic is one that [`OnFault::Stop`] caused.
pub fn stopped(panic: &(dyn Any + Send)) -> Option<&str> {
    panic.downcast_ref().map(|Stopped(line)| line.as_str())
}
