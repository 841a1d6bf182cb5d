//! Tips: what descriptions of the game advise, put to the test.
//!
//! Every tip is one change to a player, all else being kept: whoever follows it sits in each seat
//! in turn among others who do not, and so does whoever does not follow it, on the same deals and
//! with the same random numbers for every seat. The difference is what the tip itself is worth in
//! that company. As that depends on the company, there are three ([`Company`]).

mod catalogue;
mod company;
mod findings;
mod lineup;
mod sessions;
mod summary;
#[cfg(test)]
mod tests;
mod trials;

use std::sync::Arc;

use newmarket_env::{Game, Seed};

pub use catalogue::{Claim, NOT_TESTED, TIPS, Tip};
pub use company::Company;
pub use findings::{Finding, Findings, Verdict};
pub use sessions::SessionCheck;
pub use summary::{overview, section};

use super::measure::Measurement;
use super::payoff::Payoff;
use trials::{FIGURES, Trials};

/// The games in which tips are tested unless another one is named.
pub const GAMES: [&str; 3] = ["newmarket", "michigan", "newmarket-buy"];

/// What each child of the seed is for.
const DEALS: u64 = 0;
const COUNT: u64 = 1;
const SESSIONS: u64 = 2;

/// Tests these tips in a game. `done` is told of every so many deals, from any thread.
pub fn run(
    game: &Arc<Game>,
    tips: &[Tip],
    payoff: Payoff,
    deals: u64,
    seed: u64,
    done: &(dyn Fn(u64) + Sync),
) -> Findings {
    // Tables of different sizes get different packs, so that figures over all sizes can be taken
    // together; different rules for as many players get the same.
    let root = Seed::new(seed).child(game.players() as u64);
    let trials = Trials::of(game, tips, payoff, deals, root.child(COUNT));
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
            gain_in_deal: figures[1].controlled(),
            own_cards: figures[2].mean(),
            others_cards: figures[3].mean(),
            leads: figures[4].mean(),
            out: figures[5].mean(),
            sequences: figures[6].mean(),
            verdict: Verdict::of(trial.tip.claim, gain, trials.all.len()),
        }
    });
    let findings: Vec<Finding> = findings.collect();
    let sessions = sessions::check(&trials, &findings, payoff, deals, root.child(SESSIONS));
    Findings {
        rules: game.rules().title().into(),
        players: game.players(),
        deals,
        seed,
        findings,
        sessions,
    }
}
