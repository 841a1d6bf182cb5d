//! What every choice of the person is worth, by the analysis of the engine protocol.

use newmarket_agents::search::Playout;
use newmarket_engine::{Analysis, Judged};
use newmarket_env::{Seed, View};

use crate::wording::Wording;

/// Sampled deals of an analysis: a fraction of a second at any decision.
pub(super) const WORLDS: u32 = 1_024;
/// Why another choice may be ahead of the best one.
pub(super) const HALVES: &str = "Half of the deals choose the best, the other half measure.";
/// How many of the best choices are shown.
pub(super) const MOST_SHOWN: usize = 8;

/// The values of a decision's choices, in lines. The same decision is always judged in the same
/// sampled deals.
pub(super) fn lines(wording: &Wording, view: &View) -> Vec<String> {
    let mut analysis = Analysis::new(view, Seed::new(0));
    analysis.add(view, WORLDS);
    let judged = analysis.judged(view);
    let names: Vec<String> =
        judged.iter().map(|judged| wording.choice(view, &judged.choice)).collect();
    let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
    let mut lines = vec![format!(
        "  Chips that you gain from now on, in {} sampled deals with what you know, ± 95 %. {HALVES} \
         After the choice all play as {}.",
        analysis.worlds(),
        Playout::Stopper.name()
    )];
    lines.extend(names.iter().zip(&judged).take(MOST_SHOWN).map(|(name, judged)| {
        let behind = behind(judged).map_or(String::new(), |behind| format!("   {behind}"));
        format!("    {name:<width$}  {:+.2} ± {:.2}{behind}", judged.chips, judged.ci95)
    }));
    if analysis.choices() > MOST_SHOWN {
        lines.push(format!("    … the best of {} choices", analysis.choices()));
    }
    lines
}

/// How far a choice is behind the best one, or ahead of it in the deals that measure.
pub(super) fn behind(judged: &Judged) -> Option<String> {
    let Judged { behind, behind_ci95: ci95, .. } = judged;
    let word = if *behind < 0.0 { "ahead" } else { "behind" };
    let differs = *behind != 0.0 || *ci95 != 0.0;
    differs.then(|| format!("{:.2} ± {ci95:.2} {word}", behind.abs()))
}
