//! The state of a run between two updates, and its conversion to and from a checkpoint.
//!
//! An update begins with fresh deals from a seed of its own. So the state is the weights, the optimizer's
//! moments, the moving average, the scale of the value head and a few counters. A checkpoint restores it to
//! the bit.

use crate::TrainError;
use crate::adam::Moments;
use crate::config::Config;
use crate::equivariance::SharedWeights;
use crate::learner::Learner;
use crate::memory::Kept;
use crate::normalise::ReturnScale;
use crate::params;
use crate::policy_net::PolicyNet;
use burn::tensor::Device;
use newmarket_agents::net::Plays;
use newmarket_checkpoints::{Checkpoint, Encoding, OptimizerState, Provenance, Scalar, TrainedOn};
use newmarket_env::encode;
use newmarket_net::{NamedArray, NetConfig, Weights};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;

/// The four flat vectors of a checkpoint, by the last part of their tensors' names.
const FIELDS: [&str; 4] = ["average", "iterate", "momentum.moment_1", "momentum.moment_2"];

/// The state of a run between two updates.
#[derive(Clone)]
pub struct RunState {
    /// Updates done.
    pub update: u64,
    /// Deals played.
    pub deals: u64,
    /// Decisions in these deals and in playouts.
    pub decisions: u64,
    /// Rows learnt from.
    pub rows: u64,
    /// The best policy so far, if there was a benchmark.
    pub best: Option<Best>,
    /// The weights and their optimiser.
    pub learner: Learner,
    /// The exponential moving average of the weights. `[count]`
    pub average: Vec<f32>,
    /// What the memory of the phase keeps.
    pub kept: Kept,
}

/// The best policy of a run so far.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Best {
    /// The update after which it was measured.
    pub update: u64,
    /// Its gain over the best policy before it, in antes a deal or in the payoff of a session; 0 for
    /// the first policy that was measured.
    pub gain: f64,
}

/// The part of the state that is not an array. It is written as TOML, which keeps every bit of a number.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct TrainerState {
    scale: ReturnScale,
    /// See [`Kept::seen`].
    #[serde(default, skip_serializing_if = "is_zero")]
    seen: u64,
    best: Option<Best>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "for serde")]
fn is_zero(number: &u64) -> bool {
    *number == 0
}

/// The encoding that networks of this build read.
pub(crate) fn encoding() -> Encoding {
    Encoding { version: encode::VERSION, fingerprint: encode::fingerprint() }
}

/// The sets of weights that are kept equal.
pub(crate) fn shared_weights(config: &Config) -> SharedWeights {
    SharedWeights::new(config.network.symmetry, &config.network.shape())
}

/// The initial weights. The value head is always random: that of another run is in chips and belongs to
/// other opponents.
fn first(config: &Config, start: Option<&Weights>) -> Weights {
    let shape = config.network.shape();
    let random = Weights::init(&shape, config.seed);
    let mut flat = params::from_weights(&random);
    shared_weights(config).copy(&mut flat);
    let random = params::weights(&shape, &flat).expect("fresh weights are finite");
    let Some(start) = start else { return random };
    let mut arrays = random.arrays().to_vec();
    for (array, old) in arrays.iter_mut().zip(start.arrays()) {
        if !array.name.starts_with("value.") {
            array.clone_from(old);
        }
    }
    Weights::from_arrays(&shape, arrays).expect("two networks of this shape")
}

impl RunState {
    /// The state before the first update. `start` are the initial weights; `None`: random weights.
    ///
    /// # Panics
    ///
    /// If `start` has another shape than the network of the configuration.
    pub fn new(config: &Config, start: Option<&Weights>) -> Self {
        let net = PolicyNet::from_weights(&first(config, start), &Device::flex());
        let learner = Learner::new(&net).sharing(shared_weights(config));
        let average = learner.parameters().to_vec();
        let (update, deals, decisions, rows) = (0, 0, 0, 0);
        let kept = Kept::default();
        Self { update, deals, decisions, rows, best: None, learner, average, kept }
    }

    /// Moves the average towards the current weights.
    pub fn average_in(&mut self, decay: f64) {
        // The bound makes the average a plain mean at first, so the random initial weights do not stay in it.
        let decay = decay.min(1.0 - 1.0 / (self.update as f64 + 1.0)) as f32;
        for (mean, now) in self.average.iter_mut().zip(self.learner.parameters()) {
            *mean = decay * *mean + (1.0 - decay) * now;
        }
    }

    /// The network of benchmarks and checkpoints: the average, with the value head in chips.
    ///
    /// # Errors
    ///
    /// If a weight is not finite.
    pub fn player(&self, config: &Config) -> Result<Weights, TrainError> {
        let shape = config.network.shape();
        let mut flat = self.average[..shape.parameters()].to_vec();
        // The value head comes last: its weights, then its bias.
        let units = shape.hidden.last().copied().unwrap_or(0);
        let head = flat.len() - units - 1;
        let (spread, mean) =
            (self.learner.scale().spread() as f32, self.learner.scale().mean as f32);
        for weight in &mut flat[head..] {
            *weight *= spread;
        }
        if let Some(bias) = flat.last_mut() {
            *bias += mean;
        }
        self.weights(&shape, &flat)
    }

    /// How the network of benchmarks and checkpoints chooses.
    pub fn plays(&self, config: &Config) -> Plays {
        config.plays.at(self.update as f64 / config.run.updates.max(1) as f64)
    }

    /// The current network, as rollouts use it: the value head is normalised.
    ///
    /// # Errors
    ///
    /// If a weight is not finite.
    pub fn policy(&self, config: &Config) -> Result<Weights, TrainError> {
        let shape = config.network.shape();
        self.weights(&shape, &self.learner.parameters()[..shape.parameters()])
    }

    fn weights(&self, shape: &NetConfig, flat: &[f32]) -> Result<Weights, TrainError> {
        params::weights(shape, flat)
            .map_err(|_| TrainError::NotFinite { update: self.update, what: "a weight".into() })
    }

    /// The checkpoint of this state, with the tables of the run.
    ///
    /// # Errors
    ///
    /// If a weight is not finite, or a part of the state cannot be written.
    pub fn checkpoint(
        &self,
        config: &Config,
        trained_on: TrainedOn,
    ) -> Result<Checkpoint, TrainError> {
        let moments = self.learner.moments();
        let empty = vec![0.0; self.average.len()];
        let or_empty = |v: &[f32]| if v.is_empty() { empty.clone() } else { v.to_vec() };
        let columns = [
            self.average.clone(),
            self.learner.parameters().to_vec(),
            or_empty(&moments.first),
            or_empty(&moments.second),
        ];
        let mut tensors = Vec::new();
        let (mut scalars, mut paths) = (BTreeMap::new(), BTreeMap::new());
        let mut at = 0;
        for (id, (path, shape)) in (1..).zip(Weights::layout(&config.network.shape())) {
            let next = at + shape.iter().product::<usize>();
            for (field, column) in FIELDS.iter().zip(&columns) {
                let (name, data) = (format!("{id}.{field}"), column[at..next].to_vec());
                tensors.push(NamedArray { name, shape: shape.clone(), data });
            }
            scalars.insert(format!("{id}.__rank"), Scalar::Uint(shape.len() as u64));
            scalars.insert(format!("{id}.momentum.time"), Scalar::Uint(moments.steps));
            paths.insert(id.to_string(), path);
            at = next;
        }
        let optimizer = OptimizerState::from_parts(tensors, scalars, paths)?;
        let rest =
            TrainerState { scale: *self.learner.scale(), seen: self.kept.seen, best: self.best };
        let run = Provenance {
            trained_on,
            encoding: encoding(),
            training: config.to_toml()?,
            seed: config.seed,
            update: self.update,
            decisions: self.decisions,
            counters: [("deals".into(), self.deals), ("rows".into(), self.rows)].into(),
            rng: Vec::new(),
            trainer_state: toml::to_string(&rest)
                .map_err(|error| TrainError::State(error.to_string()))?,
        };
        let (weights, plays) = (self.player(config)?, self.plays(config));
        Ok(Checkpoint { run, weights, plays, optimizer: Some(optimizer) })
    }

    /// The state of a checkpoint of the same configuration. `path` is used in errors; beside it is what a memory kept.
    ///
    /// # Errors
    ///
    /// If another kind of run wrote the checkpoint, or it was made for release.
    pub fn from_checkpoint(
        config: &Config,
        saved: &Checkpoint,
        path: &Path,
    ) -> Result<Self, TrainError> {
        let wrong = |reason: String| TrainError::NotARun { folder: path.into(), reason };
        if saved.run.encoding != encoding() {
            return Err(wrong(format!(
                "trained on encoding {} ({:016x}), this build has {} ({:016x})",
                saved.run.encoding.version,
                saved.run.encoding.fingerprint,
                encode::VERSION,
                encode::fingerprint(),
            )));
        }
        if *saved.weights.config() != config.network.shape() {
            return Err(wrong(format!(
                "the network has hidden layers {:?}, config.toml says {:?}",
                saved.weights.config().hidden,
                config.network.hidden,
            )));
        }
        let optimizer = saved
            .optimizer
            .as_ref()
            .ok_or_else(|| wrong("made for release, its training cannot go on".into()))?;
        let net = PolicyNet::from_weights(&saved.weights, &Device::flex());
        let layout = Weights::layout(&config.network.shape());
        let count: usize = layout.iter().map(|(_, shape)| shape.iter().product::<usize>()).sum();
        let [average, iterate, first, second] = FIELDS.map(|field| {
            let ids = 1..=optimizer.tensors().len() / FIELDS.len();
            let column: Vec<f32> = ids
                .filter_map(|id| {
                    let name = format!("{id}.{field}");
                    optimizer.tensors().iter().find(|array| array.name == name)
                })
                .flat_map(|array| array.data.iter().copied())
                .collect();
            column
        });
        if [&average, &iterate, &first, &second].iter().any(|column| column.len() != count) {
            return Err(wrong("the optimizer's state is not of this network".into()));
        }
        let Some(Scalar::Uint(steps)) = optimizer.scalars().get("1.momentum.time").copied() else {
            return Err(wrong("the optimizer's state lacks its steps".into()));
        };
        let rest: TrainerState = toml::from_str(&saved.run.trainer_state)
            .map_err(|error| wrong(format!("trainer state: {}", error.message())))?;
        let counter = |name: &str| saved.run.counters.get(name).copied().unwrap_or(0);
        Ok(Self {
            update: saved.run.update,
            deals: counter("deals"),
            decisions: saved.run.decisions,
            rows: counter("rows"),
            best: rest.best,
            learner: Learner::resume(&net, iterate, &Moments { steps, first, second }, rest.scale)
                .sharing(shared_weights(config)),
            average,
            kept: Kept::read(path.parent().unwrap_or(path), saved.run.update, rest.seen)
                .map_err(|fault| wrong(format!("rows of earlier updates: {fault}")))?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Symmetry;
    use newmarket_env::Observation;

    fn config() -> Config {
        let mut config = Config::preset("quick").expect("quick");
        config.network.hidden = vec![6, 5];
        config.network.symmetry = Symmetry::None; // made-up weights are not shared
        config
    }

    /// A state in which every part differs from that of a new run.
    fn lived(config: &Config) -> RunState {
        let mut state = RunState::new(config, None);
        let count = state.average.len();
        let column = |k: f32| (0..count).map(|i| (i as f32 * k).sin() / 3.0).collect::<Vec<_>>();
        let scale = ReturnScale { count: 10.0, mean: 0.1 + 0.2, squares: 123.456 };
        let squares = column(0.2).into_iter().map(f32::abs).collect();
        let moments = Moments { steps: 17, first: column(0.1), second: squares };
        let net = PolicyNet::init(&config.network.shape(), 5, &Device::flex());
        state.learner = Learner::resume(&net, column(0.3), &moments, scale);
        state.average = column(0.4);
        (state.update, state.deals, state.decisions, state.rows) = (7, 70, 700, 77);
        state.best = Some(Best { update: 5, gain: 1.0 / 3.0 });
        state
    }

    #[test]
    fn a_saved_state_comes_back_bit_for_bit() {
        let config = config();
        for state in [RunState::new(&config, None), lived(&config)] {
            let dir = tempfile::tempdir().expect("a folder");
            let path = dir.path().join("x.ckpt");
            let saved = state.checkpoint(&config, TrainedOn::default()).expect("finite");
            saved.write(&path).expect("written");
            let read = Checkpoint::read(&path).expect("whole");
            let again = RunState::from_checkpoint(&config, &read, &path).expect("fits");
            assert_eq!(again.learner.parameters(), state.learner.parameters());
            assert_eq!(again.learner.scale(), state.learner.scale());
            assert_eq!(again.average, state.average);
            assert_eq!(again.best, state.best);
            let counters = |s: &RunState| (s.update, s.deals, s.decisions, s.rows);
            assert_eq!(counters(&again), counters(&state));
            let twice = again.checkpoint(&config, TrainedOn::default()).expect("finite");
            assert_eq!(twice, saved, "moments included");
        }
    }

    #[test]
    fn the_player_speaks_of_chips() {
        use newmarket_net::FastNet;
        let config = config();
        let mut state = lived(&config);
        state.average = state.learner.parameters().to_vec();
        let input: Vec<f32> = (0..Observation::LEN).map(|i| (i % 3) as f32).collect();
        let value = |weights: &Weights| {
            let net = FastNet::new(weights);
            net.forward(&input[..], &mut net.scratch()).1
        };
        let normalised = value(&state.policy(&config).expect("finite"));
        let chips = value(&state.player(&config).expect("finite"));
        assert!((state.learner.scale().chips(normalised) - chips).abs() < 1e-4);
        assert!((normalised - chips).abs() > 1e-2, "the test must see a difference");
    }

    #[test]
    fn what_does_not_fit_is_refused_with_the_reason() {
        let config = config();
        let good = lived(&config).checkpoint(&config, TrainedOn::default()).expect("finite");
        let refused = |change: &dyn Fn(&mut Checkpoint, &mut Config)| {
            let (mut bad, mut config) = (good.clone(), config.clone());
            change(&mut bad, &mut config);
            let error = RunState::from_checkpoint(&config, &bad, Path::new("run")).err();
            error.expect("refused").to_string()
        };
        assert!(refused(&|c, _| c.run.encoding.fingerprint ^= 1).contains("encoding"));
        assert!(refused(&|_, config| config.network.hidden = vec![7]).contains("[6, 5]"));
        assert!(refused(&|c, _| *c = c.clone().release()).contains("release"));
        assert!(refused(&|c, _| c.run.trainer_state = "x".into()).contains("trainer state"));
        let short = |saved: &mut Checkpoint| {
            let state = saved.optimizer.take().expect("it can go on");
            let few = state.tensors()[1..].to_vec();
            let state = OptimizerState::from_parts(few, state.scalars().clone(), BTreeMap::new());
            saved.optimizer = Some(state.expect("names of parameters"));
        };
        assert!(refused(&|saved, _| short(saved)).contains("optimizer"));
    }
}
