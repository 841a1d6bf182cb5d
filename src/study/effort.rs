//! How much is played: a number of deals, until the intervals are narrow enough, or until time is
//! up.
//!
//! A study is a function of its number of deals. So the other two are answered by finding that
//! number: small runs say how long a deal takes and how wide the intervals are, and one last run
//! gives all the figures. That is what makes every report reproducible, its command being the one
//! with that number of deals. The clock is the program's, and no study sees it.

use std::time::{Duration, Instant};

use newmarket_eval::study::Section;

use super::plan::Share;
use crate::failure::{Failure, Result};
use crate::numbers::{positive, whole};
use crate::terminal;

/// Deals of a study at least.
const LEAST: u64 = 100;
/// Deals where nothing is said.
const USUAL: u64 = 2000;
/// Deals of the first small run.
const PILOT: u64 = 256;
/// Deals of a chunk; runs are of whole chunks.
const CHUNK: u64 = 64;
/// A small run is good enough to tell the speed if it takes this share of the time.
const PILOT_SHARE: f64 = 0.04;
/// The share of the time left that the last run should take: it may be slower than it looked.
const SAFE: f64 = 0.95;
/// More deals than this are not tried for an interval.
const MOST: f64 = 1e9;

/// How much is played; at most one of the flags is given.
#[derive(clap::Args)]
#[group(multiple = false)]
pub(super) struct EffortArgs {
    /// Deals in each part of a study, 100 or more [default: 2000].
    #[arg(long, value_name = "K", value_parser = whole::<u64>(LEAST..=1_000_000_000))]
    deals: Option<u64>,
    /// Play until the intervals of the main figures are no wider than ± X chips a deal.
    #[arg(long, value_name = "X", value_parser = positive)]
    ci: Option<f64>,
    /// Play for so many minutes, the same time for each study.
    #[arg(long, value_name = "M", value_parser = positive)]
    minutes: Option<f64>,
}

/// What is left to spend.
pub(super) enum Effort {
    Deals(u64),
    Ci(f64),
    /// Until then, for so many studies.
    Until(Instant, u32),
}

impl Effort {
    /// What is asked for, for so many studies.
    pub(super) fn new(args: &EffortArgs, studies: usize) -> Self {
        if let Some(minutes) = args.minutes {
            let time = Duration::try_from_secs_f64(60.0 * minutes).unwrap_or(Duration::MAX);
            let year = Duration::from_hours(366 * 24);
            if time > year {
                terminal::warn(format!("--minutes {minutes:e} is more than a year: it ends then"));
            }
            let time = time.min(year);
            Self::Until(Instant::now() + time, studies as u32)
        } else if let Some(ci) = args.ci {
            Self::Ci(ci)
        } else {
            Self::Deals(args.deals.unwrap_or(USUAL))
        }
    }

    /// The deals of a study that plays this share of them, if that is known beforehand.
    pub(super) fn deals(&self, share: Share) -> Option<u64> {
        match self {
            Self::Deals(deals) => Some(share_of(*deals, share)),
            Self::Ci(_) | Self::Until(..) => None,
        }
    }

    /// Plays a study as it should be, this share of a number of deals.
    pub(super) fn spend(
        &mut self,
        share: Share,
        play: impl Fn(u64) -> Result<Section>,
    ) -> Result<Section> {
        match self {
            Self::Deals(deals) => play(share_of(*deals, share)),
            Self::Ci(ci) => narrow(*ci, play),
            Self::Until(end, studies) => {
                let left = end.saturating_duration_since(Instant::now());
                let own = left / (*studies).max(1);
                *studies = studies.saturating_sub(1);
                within(own, play)
            }
        }
    }
}

fn share_of(deals: u64, share: Share) -> u64 {
    share.of_deals(deals).max(LEAST)
}

/// Plays a study until the main figures' intervals are no wider than this.
fn narrow(ci: f64, play: impl Fn(u64) -> Result<Section>) -> Result<Section> {
    let mut deals = PILOT;
    loop {
        let section = play(deals)?;
        if section.precision <= ci {
            return Ok(section);
        }
        // Intervals shrink with the root of the number of deals; what a few deals say of their
        // width is not to be trusted far.
        let factor = (section.precision / ci).powi(2) * 1.05;
        let factor = if factor.is_finite() { factor.clamp(1.1, 64.0) } else { 4.0 };
        let wanted = deals as f64 * factor;
        if wanted > MOST {
            return Err(Failure::user(format!(
                "intervals of ± {ci} would take more than {MOST:.0e} deals; {deals} give ± {:.4}",
                section.precision
            )));
        }
        deals = chunks(wanted.ceil()) + CHUNK;
    }
}

/// Plays a study for this time.
fn within(time: Duration, play: impl Fn(u64) -> Result<Section>) -> Result<Section> {
    let (start, time) = (Instant::now(), time.as_secs_f64());
    let mut deals = PILOT;
    loop {
        let before = start.elapsed().as_secs_f64();
        let section = play(deals)?;
        let spent = start.elapsed().as_secs_f64();
        let took = (spent - before).max(1e-6);
        let affordable = chunks(deals as f64 * (time - spent) * SAFE / took);
        if affordable <= deals {
            return Ok(section);
        }
        if took >= PILOT_SHARE * time {
            return play(affordable);
        }
        deals = chunks(deals as f64 * (PILOT_SHARE * time / took).clamp(2.0, 16.0));
    }
}

/// Rounds a number of deals down to whole chunks.
fn chunks(deals: f64) -> u64 {
    deals.max(0.0) as u64 / CHUNK * CHUNK
}
