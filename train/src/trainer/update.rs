//! One update, its measurement and its record.

use super::folder::{checkpoints, pool_file};
use super::{Purpose, Trainer};
use crate::TrainError;
use crate::config::{Auxiliary, Config};
use crate::league::Guest;
use crate::learner::{Recipe, Stats};
use crate::loss::Objective;
use crate::metrics::Row;
use crate::rollout::{Cast, Gathered, Judge, gather};
use crate::state::Best;
use crate::yardstick::measure;
use newmarket_checkpoints::{Keep, save};
use newmarket_net::FastNet;
use std::fs;
use std::sync::Arc;

/// What each child of an update's seed is for.
#[derive(Clone, Copy)]
enum Part {
    Deals = 0,
    Order = 1,
}

impl Trainer {
    /// Gathers and learns: the state is then that of the next update.
    pub(super) fn update(&mut self) -> Result<Row, TrainError> {
        let done = self.state.update;
        let seed = self.seed.child(Purpose::Updates as u64).child(done);
        let progress = done as f64 / self.config.run.updates as f64;
        let policy = FastNet::new(&self.state.policy(&self.config)?);
        let scale = *self.state.learner.scale();
        let critic = self.state.critic(&self.config)?.map(|critic| FastNet::new(&critic));
        let cast = Cast {
            policy: &policy,
            critic: critic.as_ref(),
            scale: &scale,
            hidden: !self.config.network.auxiliary.is_empty(),
            guests: &self.guests,
            seats: self.config.opponents.seats,
        };
        let gathered = gather(
            &self.mix,
            &cast,
            judge(&self.config, progress),
            seed.child(Part::Deals as u64),
            self.config.rollout.deals,
            &self.workers,
        );
        let recipe = recipe(&self.config, progress);
        let learnt = self.state.learner.update(
            done + 1,
            &gathered.rows,
            &recipe,
            &mut seed.child(Part::Order as u64).rng(),
            &self.workers,
        )?;
        let state = &mut self.state;
        state.update += 1;
        state.deals += gathered.deals;
        state.decisions += gathered.decisions + gathered.trial_decisions;
        state.rows += gathered.rows.len() as u64;
        state.average_in(self.config.run.average);
        self.remember()?;
        Ok(self.record(&gathered, progress, &learnt))
    }

    /// Takes the policy of now among the past selves when it is time.
    fn remember(&mut self) -> Result<(), TrainError> {
        let opponents = &self.config.opponents;
        let update = self.state.update;
        if opponents.past <= 0.0 || !update.is_multiple_of(opponents.every) {
            return Ok(());
        }
        let saved = self.state.checkpoint(&self.config, self.rules())?.release();
        let path = pool_file(&self.folder, update);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).map_err(TrainError::io("create", parent))?;
        }
        saved.write(&path)?;
        self.state.pool.push(update);
        self.guests.push(Guest::past(&saved));
        if self.state.pool.len() > self.config.opponents.pool {
            // Its file stays: a run that goes on from an earlier checkpoint asks for it again.
            self.guests.remove(self.config.opponents.agents.len());
            self.state.pool.remove(0);
        }
        self.share_out();
        Ok(())
    }

    /// Gives every past self the same share.
    pub(super) fn share_out(&mut self) {
        let opponents = &self.config.opponents;
        let past = &mut self.guests[opponents.agents.len()..];
        let share = opponents.past / past.len().max(1) as f64;
        for guest in past {
            guest.share = share;
        }
    }

    /// Measures the player when it is time, or when it is `over`; whether it is the best so far.
    pub(super) fn measure(&mut self, over: bool, row: &mut Row) -> Result<bool, TrainError> {
        self.measured.clear();
        let run = &self.config.run;
        if run.yardstick_every == 0
            || self.yardsticks.is_empty()
            || !(over || self.state.update.is_multiple_of(run.yardstick_every))
        {
            return Ok(false);
        }
        let player = Arc::new(FastNet::new(&self.state.player(&self.config)?));
        let games: Vec<_> = self.mix.games().cloned().collect();
        let seed = self.seed.child(Purpose::Yardstick as u64);
        let deals = run.yardstick_deals as usize;
        for agent in &self.yardsticks {
            let measured = measure(&games, &player, agent, deals, seed, &self.workers);
            let name = &measured.against;
            row.push(format!("yardstick/{name}"), measured.gain);
            row.push(format!("yardstick/{name}_ci95"), measured.ci95);
            row.push(format!("yardstick/{name}_wins"), measured.wins);
            let change = self.files.measured.add(self.state.update, &measured, &games)?;
            if let Some(change) = change {
                row.push(format!("yardstick/{name}_change"), change.gain);
                row.push(format!("yardstick/{name}_change_ci95"), change.ci95);
                row.push(format!("yardstick/{name}_change_since"), change.since as f64);
            }
            self.measured.push(measured);
        }
        let sum: f64 = self.measured.iter().map(|measured| measured.gain).sum();
        let gain = sum / self.measured.len() as f64;
        let record = self.state.best.is_none_or(|best| gain > best.gain);
        if record {
            self.state.best = Some(Best { update: self.state.update, gain });
        }
        Ok(record)
    }

    /// Writes a checkpoint; `best` says that it is the best so far.
    pub(super) fn save(&self, best: bool) -> Result<(), TrainError> {
        let last = match self.config.run.keep {
            0 => usize::MAX,
            keep => keep,
        };
        let saved = self.state.checkpoint(&self.config, self.rules())?;
        save(&checkpoints(&self.folder), &saved, Keep { last, best })?;
        Ok(())
    }

    /// The rules of the first table, in full.
    fn rules(&self) -> String {
        self.mix.games().next().map(|game| game.rules().to_toml()).unwrap_or_default()
    }

    fn record(&self, gathered: &Gathered, progress: f64, learnt: &Stats) -> Row {
        let state = &self.state;
        let mut row = Row::new(state.update);
        for (name, value) in [
            ("loss/policy", learnt.policy_loss),
            ("loss/value", learnt.value_loss),
            ("policy/entropy", learnt.entropy),
            ("policy/kl", learnt.kl),
            ("policy/clip_fraction", learnt.clip_fraction),
            ("value/explained_variance", learnt.explained_variance),
            ("value/spread_chips", state.learner.scale().spread()),
            ("learner/grad_norm", learnt.grad_norm),
            ("learner/learning_rate", self.config.learner.learning_rate.at(progress)),
            ("learner/entropy_weight", self.config.learner.entropy.at(progress)),
            ("learner/epochs", learnt.epochs as f64),
            ("rollout/rows", gathered.rows.len() as f64),
            ("run/deals", state.deals as f64),
            ("run/rows", state.rows as f64),
            ("run/decisions", state.decisions as f64),
        ] {
            row.push(name, value);
        }
        let network = &self.config.network;
        for (name, value, learnt) in [
            ("loss/critic", learnt.critic_loss, !network.critic.is_empty()),
            ("loss/cards", learnt.cards_loss, network.auxiliary.contains(&Auxiliary::Cards)),
            ("loss/values", learnt.values_loss, network.auxiliary.contains(&Auxiliary::Values)),
        ] {
            if learnt {
                row.push(name, value);
            }
        }
        row
    }
}

/// Adds what the clock said: seconds of this call of `run`, of this update and of its measurement,
/// and the speed of the update. Those two add up to all the time that a run took, over any number of
/// calls: what lies between two rows, such as saving, counts as part of the second's update.
pub(super) fn clock(row: &mut Row, seconds: f64, update: f64, measurement: f64) {
    row.push("time/seconds", seconds);
    row.push("time/update_seconds", update);
    row.push("time/measurement_seconds", measurement);
    if update > 0.0 {
        row.push("time/rows_per_s", row.get("rollout/rows").unwrap_or(0.0) / update);
    }
}

/// How decisions are judged at this point of the run.
fn judge(config: &Config, progress: f64) -> Judge {
    let rollout = &config.rollout;
    let lambda = rollout.lambda as f32;
    let (antes, decisions) = (rollout.antes, rollout.decisions);
    match (rollout.worlds_at(progress), rollout.playouts) {
        (0, 0) => Judge::Outcome { lambda },
        (0, playouts) => Judge::Trials { playouts, antes, decisions },
        (worlds, _) => Judge::Worlds { worlds, antes, decisions },
    }
}

/// What an update does at this point of the run.
fn recipe(config: &Config, progress: f64) -> Recipe {
    let learner = &config.learner;
    Recipe {
        epochs: learner.epochs,
        minibatch: learner.minibatch,
        shards: learner.shards,
        learning_rate: learner.learning_rate.at(progress),
        max_grad_norm: learner.max_grad_norm,
        target_kl: learner.target_kl,
        objective: Objective {
            temperature: (learner.temperature > 0.0).then_some(learner.temperature as f32),
            clip: learner.clip.at(progress) as f32,
            value_clip: (learner.value_clip > 0.0).then_some(learner.value_clip as f32),
            value_weight: learner.value_weight as f32,
            auxiliary_weight: learner.auxiliary as f32,
            entropy_weight: learner.entropy.at(progress) as f32,
            kl_weight: learner.kl.at(progress) as f32,
        },
    }
}
