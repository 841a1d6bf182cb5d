//! The kinds of tries.

mod bots;
mod checkpoints;
mod command_lines;
mod configurations;
mod disks;
mod exported;
mod floods;
mod forged;
mod kills;
mod names;
mod paths;
mod protocol;
mod rules;
mod strategies;
mod traces;
mod workers;

use crate::attempt::Attempt;
use crate::verdict::Failure;

/// Runs one try.
type Law = fn(&mut Attempt<'_>) -> Result<(), Failure>;

/// A kind of tries.
pub(crate) struct Kind {
    pub(crate) name: &'static str,
    pub(crate) law: Law,
}

/// The kind that needs Python with Ray.
pub(crate) const WORKERS: &str = "workers";

/// All kinds, in the order of the report.
pub(crate) const KINDS: [Kind; 17] = [
    Kind { name: "checkpoints", law: checkpoints::law },
    Kind { name: "forged", law: forged::law },
    Kind { name: "exported", law: exported::law },
    Kind { name: "rules", law: rules::law },
    Kind { name: "strategies", law: strategies::law },
    Kind { name: "floods", law: floods::law },
    Kind { name: "traces", law: traces::broken },
    Kind { name: "altered", law: traces::altered },
    Kind { name: "configurations", law: configurations::law },
    Kind { name: "command-lines", law: command_lines::law },
    Kind { name: "protocol", law: protocol::law },
    Kind { name: "names", law: names::law },
    Kind { name: "bots", law: bots::law },
    Kind { name: "paths", law: paths::law },
    Kind { name: "kills", law: kills::law },
    Kind { name: "disks", law: disks::law },
    Kind { name: WORKERS, law: workers::law },
];
