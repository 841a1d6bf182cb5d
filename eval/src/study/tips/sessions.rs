//! What deals are counted to pay, checked against whole sessions.
//!
//! In a whole session every chip that stays is played for, or it is left over: nothing about it is
//! estimated. Whoever follows a tip does so in all deals.

use newmarket_agents::paired::Estimate;
use newmarket_env::Seed;
use serde::Serialize;

use super::company::Company;
use super::findings::Finding;
use super::trials::Trials;
use crate::study::payoff::Payoff;
use crate::study::whole_sessions;

/// Tips that are checked, where whoever does without them plays as all others do.
const CHECKED: [&str; 3] = ["longest suit", "boodle's suit", "stake on the most played"];
/// The tables at which they are checked.
const COMPANIES: [Company; 3] = [Company::Random, Company::Stopper, Company::Field];

/// A tip followed through whole sessions.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct SessionCheck {
    /// The name of the tip.
    pub tip: &'static str,
    /// Who sits in the other seats.
    pub company: Company,
    /// Chips a deal that it gains in whole sessions.
    pub in_sessions: Estimate,
    /// Chips a deal that it gains as deals are counted.
    pub in_deals: Estimate,
}

impl SessionCheck {
    /// How far the two are apart. They are measured on different deals.
    pub fn difference(&self) -> Estimate {
        let (sessions, deals) = (self.in_sessions, self.in_deals);
        Estimate { mean: deals.mean - sessions.mean, ci95: deals.ci95.hypot(sessions.ci95) }
    }
}

/// Plays sessions of as many deals as the findings had; nothing where deals are on their own.
pub(super) fn check(
    trials: &Trials,
    findings: &[Finding],
    payoff: Payoff,
    deals: u64,
    seed: Seed,
) -> Vec<SessionCheck> {
    let game = trials.game();
    if payoff.in_game(game) == Payoff::Deal {
        return Vec::new();
    }
    let sessions = (deals / u64::from(game.rules().session.deals)).max(2);
    let is_checked = |it: &&Finding| {
        let follows = CHECKED.contains(&it.tip) && COMPANIES.contains(&it.company);
        follows && trials.others_do_without(it.tip, it.company)
    };
    findings
        .iter()
        .filter(is_checked)
        .map(|finding| {
            let [hero, field] = trials.who_follows(finding.tip, finding.company);
            let in_sessions = whole_sessions::chips_a_deal(game, hero, field, sessions, seed);
            let Finding { tip, company, gain: in_deals, .. } = *finding;
            SessionCheck { tip, company, in_sessions, in_deals }
        })
        .collect()
}
