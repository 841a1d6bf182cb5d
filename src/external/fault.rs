//! Faults of programs, and their counts.

use std::collections::BTreeMap;

use newmarket_env::text::{QUOTED, brief};
use serde::Serialize;

/// A kind of fault.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Kind {
    /// It cannot be started again, or does not say hello.
    Start,
    /// No answer in time.
    Silence,
    /// It has ended.
    Death,
    /// A line that is not an answer.
    Garbage,
    /// A line that is too long, or that was not asked for.
    Flood,
    /// An answer to another question.
    WrongId,
    /// An error instead of an answer.
    Refusal,
    /// An illegal decision.
    Illegal,
}

impl Kind {
    const fn name(self) -> &'static str {
        match self {
            Self::Start => "start",
            Self::Silence => "silence",
            Self::Death => "death",
            Self::Garbage => "garbage",
            Self::Flood => "flood",
            Self::WrongId => "wrong id",
            Self::Refusal => "refusal",
            Self::Illegal => "illegal",
        }
    }
}

/// A fault of a program.
#[derive(Debug)]
pub(super) struct Fault {
    pub(super) kind: Kind,
    pub(super) what: String,
}

impl Fault {
    pub(super) fn new(kind: Kind, what: impl Into<String>) -> Self {
        Self { kind, what: what.into() }
    }

    /// A fault that quotes a line of the program.
    pub(super) fn quoting(kind: Kind, what: &str, line: &[u8]) -> Self {
        let line = String::from_utf8_lossy(&line[..line.len().min(4 * QUOTED)]);
        Self::new(kind, format!("{what}: {}", brief(&line, QUOTED)))
    }

    /// Whether the program is out of step with the host, so that it must be started again.
    pub(super) fn is_out_of_step(&self) -> bool {
        self.kind != Kind::Illegal
    }

    /// The fault in one line.
    pub(super) fn line(&self) -> String {
        format!("{} ({})", self.what, self.kind.name())
    }
}

/// A report on a program.
#[derive(Clone, Debug, Default, Serialize)]
pub struct ProgramReport {
    /// The agent's name.
    pub agent: String,
    /// Decisions that it answered.
    pub answers: u64,
    /// Its faults by kind.
    faults: BTreeMap<Kind, u64>,
    /// Decisions that `stopper` took in its place.
    pub by_stopper: u64,
    /// How often it was started again.
    pub restarts: u64,
    /// Whether it had too many faults to be started again.
    pub given_up: bool,
    /// Its first fault.
    pub first_fault: Option<String>,
}

impl ProgramReport {
    pub(super) fn new(agent: &str) -> Self {
        Self { agent: agent.into(), ..Self::default() }
    }

    pub(super) fn count(&mut self, fault: &Fault) {
        *self.faults.entry(fault.kind).or_default() += 1;
        self.first_fault.get_or_insert_with(|| fault.line());
    }

    /// The number of its faults.
    pub fn faults(&self) -> u64 {
        self.faults.values().sum()
    }

    /// The report in a sentence.
    pub fn sentence(&self) -> String {
        let (agent, answers) = (&self.agent, self.answers);
        let Some(first) = &self.first_fault else {
            return format!("{agent}: {answers} answers, no fault");
        };
        let kinds: Vec<String> =
            self.faults.iter().map(|(kind, count)| format!("{count} {}", kind.name())).collect();
        let end = if self.given_up { ", and was not started again" } else { "" };
        format!(
            "{agent}: {answers} answers, faults: {}; stopper took {} decisions in its place{end}; \
             the first fault: {first}",
            kinds.join(", "),
            self.by_stopper
        )
    }
}
