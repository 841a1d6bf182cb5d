//! Tips: what descriptions of the game advise, put to the test.
//!
//! Every tip is one change to a player, all else being kept: whoever follows it sits in each seat
//! in turn among others who do not, and so does whoever does not follow it, on the same deals and
//! with the same random numbers for every seat. The difference is what the tip itself is worth in
//! that company. As that depends on the company, there are three ([`Company`]).

mod catalogue;
mod company;
mod lineup;
mod summary;
#[cfg(test)]
mod tests;
mod trials;

use std::sync::Arc;

use newmarket_env::{Game, Seed};
use serde::Serialize;

pub use catalogue::{Claim, NOT_TESTED, TIPS, Tip};
pub use company::Company;
pub use summary::{overview, section};

use super::Measurement;
use newmarket_agents::paired::Estimate;
use trials::{FIGURES, Trials};

/// The games in which tips are tested unless another one is named.
pub const GAMES: [&str; 3] = ["newmarket", "michigan", "newmarket-buy"];

/// What each child of the seed is for.
const DEALS: u64 = 0;
const COUNT: u64 = 1;

/// What was found about a tip.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// The whole interval of the gain is above 0.
    Holds,
    /// The interval has 0 in it: whatever there is, is no larger than the interval's ends.
    DoesNotHold,
    /// The whole interval is below 0.
    Harmful,
    /// Nothing to judge: no decision, or none that mattered, was another one.
    ChangesNothing,
}

/// A tip at one table.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Finding {
    /// The tip's name.
    pub tip: &'static str,
    /// In what company.
    pub company: Company,
    /// Chips a deal that it gains.
    pub gain: Estimate,
    /// The same where the chips left on the table count as everybody's in equal parts.
    pub gain_with_share: Estimate,
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
    /// What follows from the gain.
    pub verdict: Verdict,
}

/// All tips in one game.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Findings {
    /// The rules.
    pub rules: String,
    /// Seats at the table.
    pub players: usize,
    /// Deals, each played with and without each tip in each seat.
    pub deals: u64,
    /// What fixed them.
    pub seed: u64,
    /// One for each tip that the game has a use for and each company.
    pub findings: Vec<Finding>,
}

impl Verdict {
    /// By what the tip says and what it gains. A tip that says it makes no difference holds as
    /// long as none is found.
    pub fn of(claim: Claim, gain: Estimate) -> Self {
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

    /// In words.
    pub const fn words(self) -> &'static str {
        match self {
            Self::Holds => "holds",
            Self::DoesNotHold => "does not hold",
            Self::Harmful => "harmful",
            Self::ChangesNothing => "changes nothing",
        }
    }
}

/// Tests these tips in a game. `done` is told of every so many deals, from any thread.
pub fn run(
    game: &Arc<Game>,
    tips: &[Tip],
    deals: u64,
    seed: u64,
    done: &(dyn Fn(u64) + Sync),
) -> Findings {
    // Tables of different sizes get different packs, so that figures over all sizes can be taken
    // together; different rules for as many players get the same.
    let root = Seed::new(seed).child(game.players() as u64);
    let trials = Trials::of(game, tips, root.child(COUNT));
    let tallies = trials.all.len() * FIGURES;
    let measurement = Measurement { deals, seed: root.child(DEALS), tallies, features: 0 };
    let measured =
        measurement.run(|| trials.worker(), |worker, deal| trials.play(worker, deal), done);
    let figures = measured.tallies.chunks(FIGURES);
    let findings = trials.all.iter().zip(figures).map(|(trial, figures)| {
        let gain = figures[0].controlled();
        Finding {
            tip: trial.tip.name,
            company: trial.company,
            gain,
            gain_with_share: figures[1].controlled(),
            own_cards: figures[2].mean(),
            others_cards: figures[3].mean(),
            leads: figures[4].mean(),
            out: figures[5].mean(),
            sequences: figures[6].mean(),
            verdict: Verdict::of(trial.tip.claim, gain),
        }
    });
    Findings {
        rules: game.rules().title().into(),
        players: game.players(),
        deals,
        seed,
        findings: findings.collect(),
    }
}
