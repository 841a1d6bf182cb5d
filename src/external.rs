//! `exec:…`: players that are programs of their own.
//!
//! A program is started once and serves many tables. It speaks the engine protocol
//! (`engine/PROTOCOL.md`) as `newmarket engine` does, with this program as its host: a seat is told
//! what it may know and asked for its decisions. What a program does wrong is counted. It costs the
//! program the deal in which it happens, where `stopper` plays on for it, and nobody else anything.

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

/// What the names of such players begin with.
pub const PREFIX: &str = "exec:";

/// What happens at a fault of a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum OnFault {
    /// `stopper` plays the rest of the deal in its place
    Stopper,
    /// The command ends
    Stop,
}

/// What programs are granted.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The time for a decision.
    pub to_move: Duration,
    /// The time until the program has said hello.
    pub to_start: Duration,
    /// What happens at a fault.
    pub on_fault: OnFault,
}

/// The programs that a command has started, each once.
pub struct Programs {
    limits: Limits,
    started: Vec<Arc<Program>>,
}

impl Programs {
    /// None so far.
    pub const fn new(limits: Limits) -> Self {
        Self { limits, started: Vec::new() }
    }

    /// A player that this program is. It is started, unless it has been already.
    ///
    /// # Errors
    /// If the name makes no sense, or the program cannot be started or does not say hello: one
    /// line.
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

    /// What has become of them.
    pub fn reports(&self) -> Vec<ProgramReport> {
        self.started.iter().map(|program| program.report()).collect()
    }
}

/// What was played, and what has become of the programs that took part.
#[derive(Serialize)]
pub struct WithPrograms<T> {
    /// What was played.
    #[serde(flatten)]
    pub result: T,
    /// The programs; the key is there only if there are any.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub programs: Vec<ProgramReport>,
}

/// What unwinds work in which a program was at fault.
struct Stopped(String);

/// Does work that ends if a program is at fault, by [`OnFault::Stop`].
///
/// # Errors
/// If it ended so: one line about the fault.
pub fn stoppable<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| match stopped(&*panic) {
        Some(line) => line.to_owned(),
        None => resume_unwind(panic),
    })
}

/// The line about the fault, if it was one that unwound the work.
pub fn stopped(panic: &(dyn Any + Send)) -> Option<&str> {
    panic.downcast_ref().map(|Stopped(line)| line.as_str())
}
