//! A playing program: it is started, asked one question at a time, and started again after a fault.

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use newmarket_agents::DealEvents;
use newmarket_engine::Choice;
use newmarket_env::text::{QUOTED, brief};
use newmarket_env::{Action, Event};

use super::fault::{Fault, Kind, ProgramReport};
use super::message::{self, Message, RulesForm};
use super::name::Named;
use super::process::Process;
use super::stop::{OnFault, Stopped};

/// Faults without an answer in between, after which a program is not started again.
const MOST_IN_A_ROW: u32 = 3;
/// The most restarts.
const MOST_RESTARTS: u64 = 100;
/// The most legal decisions that a question lists.
const MOST_LISTED: usize = 100;

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

/// A playing program. The tables of all threads ask it in turn, so that it can use its time limit alone.
pub(super) struct Program {
    /// The agent's name.
    name: String,
    named: Named,
    limits: Limits,
    running: Mutex<Running>,
    tables: AtomicU64,
}

struct Running {
    process: Option<Process>,
    /// The player to ask the program for.
    player: String,
    /// The number of the process, from 1.
    starts: u64,
    /// Lines of standard error so far.
    logged: Arc<AtomicU32>,
    in_a_row: u32,
    questions: u64,
    report: ProgramReport,
    /// The fault that ends the command, in one line.
    stopped: Option<String>,
}

/// What a program has been told of a seat of a deal.
pub(super) struct Place {
    table: String,
    seed: u64,
    /// The number of the process that was told; 0 for none.
    start: u64,
    /// The number of events that it was told.
    told: usize,
}

impl Place {
    pub(super) fn new(program: &Program, seed: u64) -> Self {
        let table = program.tables.fetch_add(1, Ordering::Relaxed).to_string();
        Self { table, seed, start: 0, told: 0 }
    }

    /// Sends the events that the program has not been told yet.
    fn tell(&mut self, process: &mut Process, events: &[Event]) {
        let told = std::mem::replace(&mut self.told, events.len());
        if told < events.len() {
            let (table, events) = (&self.table, &events[told..]);
            process.tell(&Message::Event { table, at: told, events });
        }
    }
}

impl Program {
    /// Starts the program of an agent `exec:…`.
    pub(super) fn start(name: &str, limits: Limits) -> Result<Self, String> {
        let named = Named::read(name)?;
        let running = Running {
            process: None,
            player: String::new(),
            starts: 0,
            logged: Arc::default(),
            in_a_row: 0,
            questions: 0,
            report: ProgramReport::new(name),
            stopped: None,
        };
        let (name, running, tables) = (name.to_owned(), Mutex::new(running), AtomicU64::new(0));
        let program = Self { name, named, limits, running, tables };
        let started = program.running().start(&program.named, limits);
        let name = || brief(&program.name, QUOTED);
        started.map_err(|fault| format!("agent `{}`: {}", name(), fault.what))?;
        Ok(program)
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    pub(super) fn report(&self) -> ProgramReport {
        self.running().report.clone()
    }

    fn running(&self) -> MutexGuard<'_, Running> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Asks for a decision of a seat: its actions. `None` after a fault.
    ///
    /// # Panics
    /// If a fault ends the command, by [`OnFault::Stop`].
    pub(super) fn ask(
        &self,
        place: &mut Place,
        deal: &DealEvents,
        events: &[Event],
        rules: &RulesForm,
    ) -> Option<Vec<Action>> {
        let mut running = self.running();
        if running.stopped.is_none() && !running.report.given_up {
            match running.ask(&self.named, self.limits, place, deal, (events, rules)) {
                Ok(actions) => return Some(actions),
                Err(fault) => running.fault(&fault, self.limits.on_fault),
            }
        }
        running.report.by_stopper += 1;
        let stopped = running.stopped.clone();
        drop(running);
        if let Some(line) = stopped {
            resume_unwind(Box::new(Stopped(line)));
        }
        None
    }

    /// Counts a decision that `stopper` took in the program's place.
    pub(super) fn replaced(&self) {
        self.running().report.by_stopper += 1;
    }

    /// Ends the deal of a seat.
    pub(super) fn over(&self, place: &mut Place, events: &[Event]) {
        self.running().over(place, events);
    }
}

impl Running {
    fn start(&mut self, named: &Named, limits: Limits) -> Result<(), Fault> {
        self.starts += 1;
        let mut process =
            Process::start(&named.run, limits.to_move, limits.to_start, &self.logged)?;
        let reply = process.ask(&Message::HELLO, limits.to_start);
        match reply.and_then(|line| message::hello(&line)) {
            Ok(first) => {
                self.player = named.player.clone().unwrap_or(first);
                self.process = Some(process);
                Ok(())
            }
            Err(fault) => {
                process.kill();
                Err(Fault::new(Kind::Start, fault.what))
            }
        }
    }

    fn ask(
        &mut self,
        named: &Named,
        limits: Limits,
        place: &mut Place,
        deal: &DealEvents,
        (events, rules): (&[Event], &RulesForm),
    ) -> Result<Vec<Action>, Fault> {
        if self.process.is_none() {
            self.report.restarts += 1;
            self.start(named, limits)?;
        }
        let Self { process: Some(process), player, starts, .. } = self else {
            unreachable!("it has been started");
        };
        if place.start != *starts {
            (place.start, place.told) = (*starts, 0);
            process.tell(&Message::deal(deal, (&place.table, place.seed), player, rules));
        }
        place.tell(process, events);
        self.questions += 1;
        let (id, view) = (self.questions.to_string(), deal.view());
        let legal = Choice::some(&view, MOST_LISTED);
        let ask = Message::Ask { id: &id, table: &place.table, at: events.len(), legal: &legal };
        let actions = message::answer(&process.ask(&ask, limits.to_move)?, &id, &view)?;
        self.report.answers += 1;
        self.in_a_row = 0;
        Ok(actions)
    }

    fn fault(&mut self, fault: &Fault, on_fault: OnFault) {
        self.report.count(fault);
        if on_fault == OnFault::Stop {
            let name = brief(&self.report.agent, QUOTED);
            self.stopped = Some(format!("agent `{name}`: {}", fault.line()));
        }
        if fault.is_out_of_step() {
            if let Some(process) = self.process.take() {
                process.kill();
            }
            self.in_a_row += 1;
            self.report.given_up =
                self.in_a_row >= MOST_IN_A_ROW || self.report.restarts >= MOST_RESTARTS;
        }
    }

    fn over(&mut self, place: &mut Place, events: &[Event]) {
        if let Some(process) = &mut self.process
            && place.start == self.starts
        {
            place.tell(process, events);
            process.tell(&Message::Over { table: &place.table });
        }
    }
}
