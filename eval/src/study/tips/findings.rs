//! What was found about tips, as plain data.

use newmarket_agents::paired::{Estimate, widening};
use serde::Serialize;

use super::catalogue::Claim;
use super::company::Company;
use super::sessions::SessionCheck;

/// What was found about a tip.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// The whole interval of the gain is above 0, as wide as all verdicts together need it.
    Holds,
    /// The interval contains 0: the effect, if any, is within it.
    DoesNotHold,
    /// The whole interval is below 0.
    Harmful,
    /// Nothing to judge: no decision, or none that mattered, was another one.
    ChangesNothing,
}

/// A tip at one table.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Finding {
    /// The name of the tip.
    pub tip: &'static str,
    /// Who sits in the other seats.
    pub company: Company,
    /// Chips a deal that it gains, as the payoff counts them.
    pub gain: Estimate,
    /// The same where the chips that stay on the table are lost.
    pub gain_in_deal: Estimate,
    /// Cards more a deal that are played to sequences which the seat begins itself.
    pub own_cards: Estimate,
    /// Cards more a deal that are played to sequences which others begin.
    pub others_cards: Estimate,
    /// Sequences more a deal that it begins.
    pub leads: Estimate,
    /// Sequences more a deal, whoever begins them.
    pub sequences: Estimate,
    /// How much more often it goes out.
    pub out: Estimate,
    /// The gain by role, eldest first, the dealer last.
    pub by_role: Vec<Estimate>,
    /// The gain in the last deal of a session, with one to come, with 2 to 4, and with 5 or more; nothing where
    /// deals are counted on their own.
    pub by_left: Vec<Estimate>,
    /// What follows from the gain.
    pub verdict: Verdict,
}

/// All tips in one game.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Findings {
    /// The title of the rules.
    pub rules: String,
    /// Seats at the table.
    pub players: usize,
    /// The name of the study's field.
    pub field: String,
    /// Who plays on, in the company of the field.
    pub player: String,
    /// Deals, each played with and without each tip in each seat.
    pub deals: u64,
    /// The seed that fixed them.
    pub seed: u64,
    /// One for each tip that the game has a use for and each company.
    pub findings: Vec<Finding>,
    /// Some of them against whole sessions; nothing where deals are counted on their own.
    pub sessions: Vec<SessionCheck>,
}

impl Findings {
    /// What was found about a tip, in each company.
    pub fn of<'f>(&'f self, tip: &'f str) -> impl Iterator<Item = &'f Finding> {
        self.findings.iter().filter(move |it| it.tip == tip)
    }

    /// What was found about a tip in one company.
    pub fn at(&self, tip: &str, company: Company) -> Option<&Finding> {
        self.findings.iter().find(|it| it.tip == tip && it.company == company)
    }
}

impl Verdict {
    /// By what the tip says and what it gains, where so many verdicts are to hold together at 95 %
    /// (Bonferroni). A tip that says it makes no difference holds as long as none is found.
    pub fn of(claim: Claim, gain: Estimate, verdicts: usize) -> Self {
        let gain = Estimate { ci95: gain.ci95 * widening(verdicts as u64), ..gain };
        if gain == (Estimate { mean: 0.0, ci95: 0.0 }) {
            return Self::ChangesNothing;
        }
        match (claim, gain.separated()) {
            (Claim::Gains, true) if gain.mean > 0.0 => Self::Holds,
            (Claim::Gains, true) => Self::Harmful,
            (Claim::Gains, false) | (Claim::MakesNoDifference, true) => Self::DoesNotHold,
            (Claim::MakesNoDifference, false) => Self::Holds,
        }
    }

    /// The verdict as reports print it.
    pub const fn words(self) -> &'static str {
        match self {
            Self::Holds => "holds",
            Self::DoesNotHold => "does not hold",
            Self::Harmful => "harmful",
            Self::ChangesNothing => "changes nothing",
        }
    }
}
