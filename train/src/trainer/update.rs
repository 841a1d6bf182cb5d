//! One update, its benchmarks and its record.

use super::folder::checkpoints;
use super::{BENCHMARK, CONTEST, Trainer};
use crate::TrainError;
use crate::benchmark::{Contest, measure, player};
use crate::config::{Config, TrainingPhase};
use crate::gather::Plan;
use crate::gather::plan::{Others, Part, seed};
use crate::learner::{UpdateSettings, UpdateStats};
use crate::loss::LossSettings;
use crate::memory::Kept;
use crate::metrics::{MetricsRow, add_quality};
use crate::rollout::Rollout;
use crate::state::Best;
use newmarket_agents::Player;
use newmarket_checkpoints::{Keep, save};
use newmarket_env::Seed;

/// Seconds of the parts of an update.
pub(super) struct Took {
    pub(super) gathering: f64,
    /// Includes gathering.
    pub(super) update: f64,
    /// Benchmarks after the update.
    pub(super) measurement: f64,
}

impl Trainer {
    /// The plan of the next rollout.
    pub(super) fn plan(&self) -> Result<Plan, TrainError> {
        let (state, config) = (&self.state, &self.config);
        let others = Others { opponents: &self.opponents, networks: &self.networks };
        let weights = state.policy(config)?;
        Ok(Plan::new(config, &self.mix, others, state.update, weights, *state.learner.scale()))
    }

    /// Gathers the rollout of the next update, from this process or others.
    pub(super) fn gather(&mut self) -> Result<Rollout, TrainError> {
        let plan = self.plan()?;
        Ok(Rollout::joined(self.gather.gather(&plan, &self.workers)?))
    }

    /// Learns from a rollout, and advances the state by one update.
    pub(super) fn learn(&mut self, rollout: &Rollout) -> Result<MetricsRow, TrainError> {
        let done = self.state.update;
        let progress = done as f64 / self.config.run.updates as f64;
        let phase = self.config.phase(progress);
        let settings = settings(&self.config, phase, progress);
        let state = &mut self.state;
        let new = &rollout.targets.rows;
        if self.config.begins_phase(done) {
            state.kept = Kept::default();
        }
        let recalled = phase.memory.as_ref().map(|memory| {
            let rng = &mut seed(&self.config, done, Part::Memory).rng();
            let rows = memory.recall(&mut state.kept, new, rng);
            state.kept.seen += new.len() as u64;
            rows
        });
        let learnt = state.learner.update(
            done + 1,
            recalled.as_ref().unwrap_or(new),
            &settings,
            &mut seed(&self.config, done, Part::Order).rng(),
            &self.workers,
        )?;
        state.update += 1;
        state.deals += rollout.deals;
        state.decisions += rollout.decisions + rollout.targets.playout_decisions;
        state.rows += new.len() as u64;
        state.average_in(self.config.run.ema_decay);
        Ok(self.record(rollout, &settings, &learnt))
    }

    /// The player of benchmarks, as the next checkpoint has it.
    pub(super) fn player(&self, config: &Config) -> Result<Player, TrainError> {
        Ok(player(&self.state.player(config)?, self.state.plays(config)))
    }

    /// Benchmarks the player if a benchmark is due or the run is `over`. Returns whether the player is the
    /// best so far.
    pub(super) fn benchmark(
        &mut self,
        over: bool,
        row: &mut MetricsRow,
    ) -> Result<bool, TrainError> {
        self.benchmarks.clear();
        let run = &self.config.run;
        if run.benchmark_every == 0
            || self.benchmark_opponents.is_empty()
            || !(over || self.state.update.is_multiple_of(run.benchmark_every))
        {
            return Ok(false);
        }
        let player = self.player(&self.config)?;
        let arena = self.mix.arena();
        let seed = Seed::new(self.config.seed).child(BENCHMARK);
        let deals = run.benchmark_deals;
        for agent in &self.benchmark_opponents {
            let result = measure(arena, &player, agent, deals, seed, &self.workers);
            let name = &result.against;
            row.push(format!("benchmark/{name}"), result.gain);
            row.push(format!("benchmark/{name}_ci95"), result.ci95);
            row.push(format!("benchmark/{name}_wins"), result.wins);
            for (game, gain) in self.mix.by_label(&result.chips) {
                row.push(format!("gains over {name}/{game}"), gain);
            }
            let change = self.files.benchmarks.add(self.state.update, &result, arena.games)?;
            if let Some(change) = change {
                row.push(format!("benchmark/{name}_change"), change.gain);
                row.push(format!("benchmark/{name}_change_ci95"), change.ci95);
                row.push(format!("benchmark/{name}_change_since"), change.since as f64);
            }
            self.benchmarks.push(result);
        }
        Ok(self.contest(player, row))
    }

    /// Compares the player with the best so far. Returns whether the player becomes the best.
    fn contest(&mut self, player: Player, row: &mut MetricsRow) -> bool {
        let update = self.state.update;
        let mut gain = 0.0;
        if let Some(best) = &self.best {
            let contest = Contest {
                arena: self.mix.arena(),
                challenger: &player,
                best,
                field: self.exploited(),
                seed: Seed::new(self.config.seed).child(CONTEST).child(update),
            };
            // All eight looks have as many deals as a benchmark.
            let outcome = contest.play(self.config.run.benchmark_deals.div_ceil(8), &self.workers);
            row.push("best/gain", outcome.gain);
            row.push("best/error", outcome.error);
            row.push("best/rounds", outcome.rounds as f64);
            if !outcome.is_won() {
                row.push("best/update", self.state.best.map_or(0.0, |best| best.update as f64));
                return false;
            }
            gain = outcome.gain;
        }
        row.push("best/update", update as f64);
        self.state.best = Some(Best { update, gain });
        self.best = Some(player);
        true
    }

    /// Writes a checkpoint; with `best`, also as the best so far.
    pub(super) fn save(&self, best: bool) -> Result<(), TrainError> {
        let last = match self.config.run.keep {
            0 => usize::MAX,
            keep => keep,
        };
        let saved = self.state.checkpoint(&self.config, self.mix.trained_on())?;
        let folder = checkpoints(&self.folder);
        self.state.kept.write(&folder, self.state.update)?;
        save(&folder, &saved, Keep { last, best })?;
        Kept::sweep(&folder)
    }

    fn record(
        &self,
        rollout: &Rollout,
        settings: &UpdateSettings<'_>,
        learnt: &UpdateStats,
    ) -> MetricsRow {
        let (state, losses) = (&self.state, &learnt.losses);
        let objective = settings.loss.objective;
        let entropy_weight = objective.entropy_weight(settings.loss.progress).map(f64::from);
        let mut row = MetricsRow::new(state.update);
        for (name, value) in [
            ("loss/policy", Some(losses.policy)),
            ("loss/value", Some(losses.value)),
            ("policy/entropy", Some(losses.entropy)),
            ("policy/kl", Some(losses.kl)),
            ("policy/clip_fraction", losses.clipped),
            ("value/explained_variance", Some(learnt.explained_variance)),
            ("value/spread_chips", Some(state.learner.scale().spread())),
            ("learner/grad_norm", Some(learnt.grad_norm)),
            ("learner/learning_rate", Some(settings.learning_rate)),
            ("learner/entropy_weight", entropy_weight),
            ("rollout/rows", Some(rollout.targets.rows.len() as f64)),
            ("run/deals", Some(state.deals as f64)),
            ("run/rows", Some(state.rows as f64)),
            ("run/decisions", Some(state.decisions as f64)),
        ] {
            if let Some(value) = value {
                row.push(name, value);
            }
        }
        if self.config.phase(settings.loss.progress).estimator.tries_all_actions() {
            add_quality(&mut row, &rollout.targets.rows, objective.temperature());
        }
        row
    }
}

/// Adds the times of a row, in seconds: of this call of `run`, of the update, of its gathering and of its
/// benchmarks; and the speed of the update. Updates and benchmarks of all rows add up to the whole time of
/// a run: time between two rows, such as saving, counts for the update of the second row.
pub(super) fn clock(row: &mut MetricsRow, seconds: f64, took: &Took) {
    row.push("time/seconds", seconds);
    row.push("time/update_seconds", took.update);
    row.push("time/gather_seconds", took.gathering);
    row.push("time/measurement_seconds", took.measurement);
    if took.update > 0.0 {
        row.push("time/rows_per_s", row.get("rollout/rows").unwrap_or(0.0) / took.update);
    }
}

/// The settings of an update at this progress.
fn settings<'a>(config: &Config, phase: &'a TrainingPhase, progress: f64) -> UpdateSettings<'a> {
    let learner = &config.learner;
    UpdateSettings {
        epochs: learner.epochs,
        minibatch: learner.minibatch,
        shards: learner.shards,
        learning_rate: learner.learning_rate.at(progress),
        max_grad_norm: learner.max_grad_norm,
        loss: LossSettings {
            objective: &*phase.objective,
            progress,
            value_weight: learner.value_weight as f32,
        },
    }
}
