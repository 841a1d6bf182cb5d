//! Plans the number of updates that fit into the minutes of a run.
//!
//! Schedules run over updates, so a run can be repeated to the bit. A configuration may have minutes
//! instead. Then a few updates of each phase are timed before the run and discarded. The number of updates
//! of each phase that fit into its share of the time is written into the configuration of the folder. From
//! then on the run does not depend on the clock.

use super::{BENCHMARK, Trainer, folder};
use crate::TrainError;
use crate::benchmark::{Contest, measure};
use crate::config::{Config, TrainingPhase};
use newmarket_env::Seed;

/// Updates of each phase that are timed. The first warms up and does not count.
const TRIED: u64 = 3;
/// The most updates of a phase.
const MOST: u64 = 1_000_000_000;
/// One over the share of a benchmark's deals that are timed.
const SHARE: u64 = 10;

impl Trainer {
    /// Plans the updates of a run with minutes that has not begun.
    pub(super) fn plan_by_the_clock(
        &mut self,
        seconds: &mut dyn FnMut() -> f64,
    ) -> Result<(), TrainError> {
        let start = seconds();
        let (asked, before) = (self.config.clone(), self.state.clone());
        let mut each = Vec::new();
        for phase in &asked.phases {
            self.config.phases = vec![TrainingPhase { until: 1.0, ..phase.clone() }];
            self.config.run.updates = TRIED;
            self.state.update = 0;
            let mut from = start;
            for nth in 0..TRIED {
                if nth == 1 {
                    from = seconds();
                }
                let rollout = self.gather()?;
                self.learn(&rollout)?;
                self.check_folder(1)?;
            }
            each.push((seconds() - from) / (TRIED - 1) as f64);
        }
        let measured = self.benchmark_seconds(&asked, seconds)?;
        let left = 60.0 * asked.run.minutes - (seconds() - start);
        self.config = planned(asked, &each, measured, left);
        self.state = before;
        self.check_folder(1)?;
        folder::write_config(&self.folder, &self.config)
    }

    /// Seconds of benchmarks for each update, on average.
    fn benchmark_seconds(
        &self,
        config: &Config,
        seconds: &mut dyn FnMut() -> f64,
    ) -> Result<f64, TrainError> {
        let run = &config.run;
        if run.benchmark_every == 0 {
            return Ok(0.0);
        }
        let player = self.player(config)?;
        let deals = run.benchmark_deals.div_ceil(SHARE);
        let (seed, start) = (Seed::new(config.seed).child(BENCHMARK), seconds());
        for agent in &self.benchmark_opponents {
            measure(self.mix.arena(), &player, agent, deals, seed, &self.workers);
        }
        let (arena, field) = (self.mix.arena(), self.exploited());
        let contest = Contest { arena, challenger: &player, best: &player, field, seed };
        contest.play(deals.div_ceil(8), &self.workers);
        let took = (seconds() - start) * run.benchmark_deals as f64 / deals as f64;
        Ok(took / run.benchmark_every as f64)
    }
}

/// The configuration with the updates that fit into `seconds`. An update takes `each` seconds by phase, plus
/// `measured` seconds of benchmarks.
fn planned(mut config: Config, each: &[f64], measured: f64, seconds: f64) -> Config {
    let mut before = 0.0;
    let updates = config.phases.iter().zip(each).map(|(phase, &update)| {
        let share = phase.until - before;
        before = phase.until;
        // A clock that stands still gives 0 seconds.
        let fit = (share * seconds / (update + measured).max(1e-3)).round();
        (fit as u64).clamp(1, MOST)
    });
    let updates: Vec<u64> = updates.collect();
    let all: u64 = updates.iter().sum();
    let mut done = 0;
    for (phase, updates) in config.phases.iter_mut().zip(updates) {
        done += updates;
        phase.until = done as f64 / all as f64;
    }
    config.run.updates = all;
    config
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_phase_gets_its_share_of_the_time() {
        let mut config = Config::preset("standard").expect("standard");
        config.phases[0].until = 0.25;
        let config = planned(config, &[0.8, 2.8], 0.2, 600.0);
        assert_eq!(config.run.updates, 150 + 150);
        assert_eq!(config.phases.iter().map(|phase| phase.until).collect::<Vec<_>>(), [0.5, 1.0]);
        let phase =
            |update: u64| config.phase(update as f64 / 300.0).estimator.plays_by_heuristic();
        assert!(phase(149) && !phase(150));
        // Without time there is one update of each phase.
        let config = planned(config, &[5.0, 5.0], 0.0, -3.0);
        assert_eq!(config.run.updates, 2);
        config.validate().expect("a configuration");
    }
}
