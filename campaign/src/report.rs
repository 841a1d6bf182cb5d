//! The report: tries and failures by kind, as a table and as JSON.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::verdict::Fault;

/// The counts of one kind.
#[derive(Default)]
pub(crate) struct Tally {
    pub(crate) name: &'static str,
    pub(crate) tries: u64,
    /// Runs of the program, and those that were sent a signal.
    pub(crate) runs: u64,
    pub(crate) signals: u64,
    pub(crate) failures: BTreeMap<Fault, u64>,
    pub(crate) seconds: f64,
}

/// A failure, with the command that repeats it.
pub(crate) struct Finding {
    pub(crate) kind: &'static str,
    pub(crate) index: u64,
    pub(crate) fault: Fault,
    pub(crate) detail: String,
    pub(crate) repeat: String,
}

/// The number of failures of all kinds.
pub(crate) fn failures(tallies: &[Tally]) -> u64 {
    tallies.iter().flat_map(|tally| tally.failures.values()).sum()
}

/// A table with a row for each kind and a column for each fault that occurred.
pub(crate) fn table(tallies: &[Tally]) -> String {
    let seen = |fault: &Fault| tallies.iter().any(|tally| tally.failures.contains_key(fault));
    let faults = Fault::ALL.into_iter().filter(|(fault, _)| seen(fault));
    let faults: Vec<(Fault, &str)> = faults.collect();
    let words = ["kind", "tries", "runs", "signals", "s", "failures"].map(String::from);
    let mut rows: Vec<Vec<String>> =
        vec![words.into_iter().chain(faults.iter().map(|fault| fault.1.into())).collect()];
    for tally in tallies {
        let counts = [
            tally.tries,
            tally.runs,
            tally.signals,
            tally.seconds as u64,
            tally.failures.values().sum(),
        ];
        let failures = faults.iter().map(|(fault, _)| tally.failures.get(fault).copied());
        let numbers = counts.into_iter().chain(failures.map(Option::unwrap_or_default));
        let row = std::iter::once(tally.name.to_owned()).chain(numbers.map(|it| it.to_string()));
        rows.push(row.collect());
    }
    let width = |column: usize| rows.iter().map(|row| row[column].len()).max().unwrap_or(0);
    let aligned = |row: &Vec<String>| {
        let cells = row.iter().enumerate().map(|(column, cell)| match column {
            0 => format!("{cell:<0$}", width(0)),
            _ => format!("{cell:>0$}", width(column)),
        });
        cells.collect::<Vec<_>>().join("  ")
    };
    rows.iter().map(aligned).collect::<Vec<_>>().join("\n")
}

/// The report as JSON.
pub(crate) fn json(seed: u64, tallies: &[Tally], findings: &[Finding]) -> Value {
    let kinds = tallies.iter().map(|tally| {
        let failures: BTreeMap<&str, u64> =
            tally.failures.iter().map(|(fault, &count)| (fault.name(), count)).collect();
        json!({
            "kind": tally.name, "tries": tally.tries, "runs": tally.runs, "signals": tally.signals,
            "seconds": tally.seconds, "failures": failures,
        })
    });
    let findings = findings.iter().map(|finding| {
        json!({
            "kind": finding.kind, "index": finding.index, "fault": finding.fault.name(),
            "detail": finding.detail, "repeat": finding.repeat,
        })
    });
    json!({
        "seed": seed,
        "kinds": kinds.collect::<Vec<_>>(),
        "findings": findings.collect::<Vec<_>>(),
    })
}
