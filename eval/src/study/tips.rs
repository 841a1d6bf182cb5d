//! Tips: what descriptions of the game advise, put to the test.
//!
//! Every tip is one change to a player, all else being kept: whoever follows it sits in each seat
//! in turn among others who do not, and so does whoever does not follow it, on the same deals and
//! with the same random numbers for every seat. The difference is what the tip itself is worth in
//! that company. As that depends on the company, there are several ([`Company`]).

mod catalogue;
mod company;
mod findings;
mod lineup;
mod sessions;
mod summary;
#[cfg(test)]
mod tests;
mod trials;

use newmarket_env::Seed;

pub use catalogue::{Claim, NOT_TESTED, TIPS, Tip};
pub use company::Company;
pub use findings::{Finding, Findings, Verdict};
pub use sessions::SessionCheck;
pub use summary::{overview, section};

use super::measure::Measurement;
use super::payoff::{LEFT_GROUPS, Payoff};
use super::setting::{NothingToStudy, Setting};
use super::tally::Tally;
use trials::{FIGURES, Trials};

/// The games in which tips are tested unless another one is named.
pub const GAMES: [&str; 3] = ["newmarket", "michigan", "newmarket-buy"];

/// What each child of the seed is for.
const DEALS: u64 = 0;
const COUNT: u64 = 1;
const SESSIONS: u64 = 2;

/// Tests these tips: in companies of heuristics where the field is `stopper`, among the field alone where it
/// is another. `done` is told of every so many deals, from any thread.
///
/// # Errors
/// If the study's player sees more than its view.
pub fn run(
    setting: &Setting,
    tips: &[Tip],
    done: &(dyn Fn(u64) + Sync),
) -> Result<Findings, NothingToStudy> {
    let Setting { ref game, field, payoff, deals, seed, .. } = *setting;
    // Tables of different sizes get different packs, so that figures over all sizes can be taken
    // together; different rules for as many players get the same.
    let root = Seed::new(seed).child(game.players() as u64);
    let trials = Trials::of(setting, tips, root.child(COUNT))?;
    let tallies = trials.all.len() * trials.figures();
    let measurement = Measurement { deals, seed: root.child(DEALS), tallies, features: 0 };
    let measured =
        measurement.run(|| trials.worker(), |worker, deal| trials.play(worker, deal), done);
    let figures = measured.tallies.chunks(trials.figures());
    let findings = trials.all.iter().zip(figures).map(|(trial, figures)| {
        let gain = figures[0].controlled();
        // A deal on its own is no part of a session.
        let left = 0..if payoff.in_game(game) == Payoff::Deal { 0 } else { LEFT_GROUPS.len() };
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
            by_role: figures[FIGURES..][..game.players()].iter().map(Tally::controlled).collect(),
            by_left: left.map(|at| figures[FIGURES + game.players() + at].controlled()).collect(),
            verdict: Verdict::of(trial.tip.claim, gain, trials.all.len()),
        }
    });
    let findings: Vec<Finding> = findings.collect();
    let sessions = sessions::check(&trials, &findings, payoff, deals, root.child(SESSIONS));
    Ok(Findings {
        rules: game.rules().title().into(),
        players: game.players(),
        field: field.name().into(),
        player: setting.player.name().into(),
        deals,
        seed,
        findings,
        sessions,
    })
}
