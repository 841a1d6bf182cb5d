//! The tables at which tips are tested: who sits there, and what the tip is added to.

use newmarket_agents::Player;
use newmarket_agents::heuristic::lead::Criterion;
use newmarket_agents::heuristic::stakes::Ante;
use newmarket_agents::heuristic::{STOPPER, Style, TieBreak};
use serde::Serialize;

use super::catalogue::take_without_boodle;
use crate::study::setting::USUAL_FIELD;

/// What `stopper` asks of a lead before it falls back on length.
const CORE: &[Criterion] = STOPPER.split_at(STOPPER.len() - 1).0;

/// A table, and what a tip about leads is added to there.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Company {
    /// Everybody leads at random; with the tip, at random among what it likes best.
    Random,
    /// Everybody leads as `stopper`; with the tip, by the tip first and as `stopper` in its ties.
    Stopper,
    /// Everybody leads as `stopper`. Figures against who asks the first three questions of
    /// `stopper` and then leads at random; with the tip, by the tip before that.
    StopperTies,
    /// The field of the study, whichever it is. Whoever follows the tip plays on as the study's player in all
    /// else, and so does whoever does not.
    Field,
}

impl Company {
    /// All companies, in the order of a report.
    pub const ALL: [Self; 4] = [Self::Random, Self::Stopper, Self::StopperTies, Self::Field];

    /// The companies of a study of this field: those of heuristics for `stopper`, or the field alone.
    pub(super) fn of(field: &Player) -> &'static [Self] {
        let [heuristics @ .., own] = &Self::ALL;
        if field.name() == USUAL_FIELD { heuristics } else { std::slice::from_ref(own) }
    }

    /// What it is called in a table, where the field has this name.
    pub const fn name(self, field: &str) -> &str {
        match self {
            Self::Random => "random",
            Self::Stopper => "stopper",
            Self::StopperTies => "stopper, in ties",
            Self::Field => field,
        }
    }

    /// The player in all other seats.
    pub(super) fn others(self, field: &Player) -> Player {
        match self {
            Self::Field => field.another(),
            Self::Random | Self::Stopper | Self::StopperTies => self.other_style().into(),
        }
    }

    /// The player in all other seats of a company of heuristics.
    fn other_style(self) -> Style {
        let style = match self {
            Self::Random => Style::leading([], TieBreak::Random),
            _ => Style::leading(STOPPER, TieBreak::First),
        };
        // Nobody's stakes say what they hold, also where they are placed after a look. Dead hands
        // are bought now and then: the heuristic pays no four chips for one.
        Style { ante: Ante::EVEN, dead_hand: take_without_boodle, ..style }
    }

    /// Who leads there without any tip, in a company of heuristics.
    pub(super) fn plain(self) -> Style {
        match self {
            Self::StopperTies => {
                Style { lead: CORE.to_vec(), ties: TieBreak::Random, ..self.other_style() }
            }
            _ => self.other_style(),
        }
    }

    /// Who leads there by this first, or, in ties, last.
    pub(super) fn minding(self, criterion: Criterion) -> Style {
        let plain = self.plain();
        let lead = match self {
            Self::StopperTies => [&plain.lead[..], &[criterion]].concat(),
            _ => [&[criterion], &plain.lead[..]].concat(),
        };
        Style { lead, ..plain }
    }
}
