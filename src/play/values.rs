//! What every choice of the person is worth, by the analysis that the engine protocol offers, too.

use std::io::Write;

use newmarket_agents::search::Playout;
use newmarket_engine::{Analysis, Choice, Judged};
use newmarket_env::{Seed, View};

use super::ask::Stop;
use super::paint::{left, say, width};
use super::pen::Pen;
use super::person::row;

/// Sampled deals: a fraction of a second at any decision.
pub(super) const WORLDS: u32 = 1_024;
/// Why a choice may be ahead of the best.
pub(super) const HALVES: &str = "Half of the deals choose the best, the other half measure.";
/// The best choices of very many.
pub(super) const MOST_SHOWN: usize = 8;

impl Pen<'_> {
    /// Tells what the choices of a decision are worth. The same decision is judged in the same deals
    /// if it is asked again.
    pub(super) fn values(&self, out: &mut dyn Write, view: &View) -> Result<(), Stop> {
        let mut analysis = Analysis::new(view, Seed::new(0));
        analysis.add(view, WORLDS);
        let judged = analysis.judged(view);
        let heading = format!(
            "Chips that you gain from now on, in {} sampled deals with what you know, ± 95 %. {HALVES} \
             After the choice all play as {}.",
            analysis.worlds(),
            Playout::Stopper.name()
        );
        writeln!(out, "{}", say(&heading))?;
        let names: Vec<String> =
            judged.iter().map(|it| self.whole_choice(view, &it.choice)).collect();
        let columns = names.iter().map(|name| width(name)).max().unwrap_or(0);
        for (name, judged) in names.iter().zip(&judged).take(MOST_SHOWN) {
            writeln!(out, "    {}  {}", left(name, columns), value(judged))?;
        }
        if analysis.choices() > MOST_SHOWN {
            writeln!(out, "    … the best of {} choices", analysis.choices())?;
        }
        Ok(())
    }

    /// A whole decision in words.
    pub(super) fn whole_choice(&self, view: &View, choice: &Choice) -> String {
        match choice {
            Choice::Ante { layout } => row(layout),
            Choice::SetApart { cards } => {
                let aces = self.aces();
                self.five(cards.iter().map(|name| name.card(aces)).collect())
            }
            single => {
                let actions = single.actions(self.game);
                actions.first().map_or(String::new(), |&action| self.choice(view, action))
            }
        }
    }
}

fn value(judged: &Judged) -> String {
    let Judged { chips, ci95, .. } = judged;
    let behind = behind(judged).map(|behind| format!("   {behind}"));
    format!("{chips:+.2} ± {ci95:.2}{}", behind.unwrap_or_default())
}

/// How far a choice is behind the one that was chosen, or ahead of it in the deals that measure.
pub(super) fn behind(judged: &Judged) -> Option<String> {
    let Judged { behind, behind_ci95: ci95, .. } = judged;
    let word = if *behind < 0.0 { "ahead" } else { "behind" };
    let differs = *behind != 0.0 || *ci95 != 0.0;
    differs.then(|| format!("{:.2} ± {ci95:.2} {word}", behind.abs()))
}
