//! Runs that are stopped at any moment. They must end with the weights of an undisturbed run.

use std::time::Duration;

use crate::attempt::Attempt;
use crate::common::{draw, one_of};
use crate::materials::{ENDS, UPDATES};
use crate::program::Call;
use crate::sealed::Sealed;
use crate::verdict::{Failure, Fault, demand};

pub(crate) fn law(attempt: &mut Attempt<'_>) -> Result<(), Failure> {
    attempt.write("small.toml", attempt.materials.config.to_string());
    let run = attempt.path("run");
    let last = run.join(format!("checkpoints/update-{UPDATES:06}.ckpt"));
    for round in 1.. {
        let begun = run.join("config.toml").exists();
        let arguments = if begun {
            &["resume", "run"][..]
        } else {
            &["train", "--config", "small.toml", "--out", "run"]
        };
        // Later rounds may last longer, so that the run can end.
        let most = attempt.materials.run_takes.as_micros() as usize * (2 + round) / 3;
        let mut call = Call::new(arguments, 0);
        call.after = Duration::from_micros(draw(&mut attempt.rng, most) as u64);
        call.signal = one_of(&mut attempt.rng, &ENDS);
        call.threads = 1 + draw(&mut attempt.rng, 2);
        call.until = Some(last.clone());
        let outcome = attempt.run(&call)?;
        if last.exists() {
            break;
        }
        let stopped = outcome.sent.is_some();
        demand(stopped, Fault::Refused, "a run that was killed does not go on")?;
        demand(round < 200, Fault::NoAnswer, "two hundred rounds, and no end")?;
    }
    finished(attempt, "run")
}

/// Demands that the last checkpoint of a run is valid and has the right weights.
pub(crate) fn finished(attempt: &mut Attempt<'_>, run: &str) -> Result<(), Failure> {
    let last = format!("{run}/checkpoints/update-{UPDATES:06}.ckpt");
    attempt.does(&Call::new(["checkpoint", "verify", &last], 10_000))?;
    let bytes = std::fs::read(attempt.path(&last)).expect("it was verified");
    let weights = Sealed::open(&bytes).weights();
    demand(weights == attempt.materials.weights, Fault::Weights, &weights)
}
