//! `newmarket study advice`.

use newmarket_eval::study::{Payoff, advice};

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
        let candidates = advice::candidates();
        let study = |plan: &Plan, done: &(dyn Fn(u64) + Sync)| {
            Ok(advice::run(&plan.study(&candidates, false), done)?)
        };
        self.measure.show(&advice::games(), Payoff::Session, "advice", study)
    }
}
