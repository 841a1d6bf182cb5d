//! The length of a study: a number of deals, intervals of a given width, or a time limit.
//!
//! A study is a function of its number of deals. For a width or a time, small runs measure the width of the intervals
//! or the time of a deal, and so find the number of deals; one last run gives all figures. So every report can be
//! reproduced by a command with that number of deals. Studies do not see the clock.

use std::time::{Duration, Instant};

use newmarket_eval::study::Section;

use super::plan::Share;
use crate::failure::{Failure, Result};
use crate::numbers::{positive, whole};
use crate::terminal;

/// The fewest deals of a study.
const LEAST: u64 = 100;
/// Deals by default.
pub(super) const USUAL: u64 = 2000;
/// Deals of the first small run.
const PILOT: u64 = 256;
/// Deals of a chunk. A run has whole chunks.
const CHUNK: u64 = 64;
/// A small run measures the speed well enough if it takes this share of the time.
const PILOT_SHARE: f64 = 0.04;
/// The share of the remaining time that the last run should take. It may be slower than the small runs.
const SAFE: f64 = 0.95;
/// The most deals for an interval.
const MOST: f64 = 1e9;

/// Flags for the length of a study, of which at most one is given.
#[derive(clap::Args)]
#[group(multiple = false)]
pub(super) struct EffortArgs {
    /// Deals in each part of a study, 100 or more [default: 2000; for strategies and tips 40000].
    #[arg(long, value_name = "K", value_parser = whole::<u64>(LEAST..=1_000_000_000))]
    deals: Option<u64>,
    /// Play until the intervals of the main figures are at most ± X chips a deal.
    #[arg(long, value_name = "X", value_parser = positive)]
    ci: Option<f64>,
    /// Play for this many minutes, the same time for each study.
    #[arg(long, value_name = "M", value_parser = positive)]
    minutes: Option<f64>,
}

/// The length of each study.
pub(super) enum Effort {
    Deals(u64),
    Ci(f64),
    /// The end of the time, and the number of studies left.
    Until(Instant, u32),
}

impl Effort {
    /// The length that the flags ask for, for a number of studies of by default so many deals.
    pub(super) fn new(args: &EffortArgs, studies: usize, usual: u64) -> Self {
        if let Some(minutes) = args.minutes {
            let time = Duration::try_from_secs_f64(60.0 * minutes).unwrap_or(Duration::MAX);
            let year = Duration::from_hours(366 * 24);
            if time > year {
                terminal::warn(format!(
                    "--minutes {minutes:e} is more than a year: the study ends after a year"
                ));
            }
            let time = time.min(year);
            Self::Until(Instant::now() + time, studies as u32)
        } else if let Some(ci) = args.ci {
            Self::Ci(ci)
        } else {
            Self::Deals(args.deals.unwrap_or(usual))
        }
    }

    /// The deals of a study with this share, if they are known beforehand.
    pub(super) fn deals(&self, share: Share) -> Option<u64> {
        match self {
            Self::Deals(deals) => Some(share_of(*deals, share)),
            Self::Ci(_) | Self::Until(..) => None,
        }
    }

    /// Plays a study at this length, or at this share of a number of deals.
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
                let time = left / (*studies).max(1);
                *studies = studies.saturating_sub(1);
                within(time, play)
            }
        }
    }
}

fn share_of(deals: u64, share: Share) -> u64 {
    share.of_deals(deals).max(LEAST)
}

/// Plays a study until the intervals of its main figures are at most ± `ci`.
pub(crate) fn narrow(ci: f64, play: impl Fn(u64) -> Result<Section>) -> Result<Section> {
    let mut deals = PILOT;
    loop {
        let section = play(deals)?;
        if section.precision <= ci {
            return Ok(section);
        }
        // Intervals shrink with the root of the number of deals. A few deals estimate their width badly.
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

/// Plays a study for about this time.
pub(crate) fn within(time: Duration, play: impl Fn(u64) -> Result<Section>) -> Result<Section> {
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
