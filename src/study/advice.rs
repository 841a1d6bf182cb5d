//! `newmarket study advice`.

use newmarket_checkpoints::strategy_from_toml;
use newmarket_eval::study::{Candidate, Payoff, advice};

use super::strategy::{MeasureArgs, Plan};
use crate::failure::Result;

/// Measure what a reader gains who plays by the lists of `basic`: all of them, leads, antes and the dead hand.
///
/// Each part is measured as `basic` over `basic` without it, in every game that has the choice. With one game, the report
/// opens with what to do there.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  newmarket study advice --rules michigan-widow\n  \
                        newmarket study advice --field net:champion --rules newmarket --out advice.html")]
pub(crate) struct AdviceArgs {
    #[command(flatten)]
    measure: MeasureArgs,
}

impl AdviceArgs {
    pub(super) fn run(self) -> Result {
        let candidates = candidates()?;
        let study = |plan: &Plan, done: &(dyn Fn(u64) + Sync)| {
            Ok(advice::run(&plan.study(&candidates, false), done)?)
        };
        self.measure.show(&advice::games(), Payoff::Session, "advice", study)
    }
}

/// What is measured: the lists of `basic`, and the file for antes after a look.
pub(crate) fn candidates() -> Result<Vec<Candidate>> {
    let (path, text) = advice::AFTER_LOOK_FILE;
    Ok(advice::candidates(&strategy_from_toml(text, path)?))
}
