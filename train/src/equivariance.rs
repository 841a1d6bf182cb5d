//! Suit equivariance: weights are kept equal because suits can be permuted.
//!
//! A deal with permuted suits is equally likely, and its observation has the same numbers in other
//! places ([`permute_suits`]). An equivariant network gives a lead the same logit in every suit, and
//! learns from one deal about all its permutations.
//! It is an ordinary network with equal weights: the hidden units of a layer come in fours, one for each
//! suit, except for some units without a suit. Two weights are shared if a permutation of suits maps one
//! connection to the other. Weights that are equal at the beginning stay equal if the gradient is
//! averaged over each set. A set is an orbit of the group of permutations, and the average is a
//! projection onto the networks that commute with the group (Ravanbakhsh, Schneider and Póczos 2017,
//! *Equivariance through parameter-sharing*). `train/NOTEBOOK.md`, 19 and 33, has the measured gain.

use crate::workers::Workers;
use newmarket_env::encode::permute_suits;
use newmarket_env::{Action, Observation};
use newmarket_net::NetConfig;
use serde::{Deserialize, Serialize};

/// The permutations of suits that the network commutes with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Symmetry {
    /// No permutation: every weight is free.
    None,
    /// Permutations that keep suits of one colour together, for games with a rule about colours.
    Colours,
    /// All permutations.
    Suits,
}

impl Symmetry {
    /// The permutations, suit `s` becoming `suits[s]`; clubs and spades are black.
    fn permutations(self) -> Vec<[usize; 4]> {
        let black = |suit: usize| suit == 0 || suit == 3;
        let fits = |suits: &[usize; 4]| match self {
            Self::None => *suits == [0, 1, 2, 3],
            Self::Colours => black(suits[0]) == black(suits[3]),
            Self::Suits => true,
        };
        let all = (0..256).map(|n| [n & 3, n >> 2 & 3, n >> 4 & 3, n >> 6]);
        let permutes = |suits: &[usize; 4]| (0..4).all(|suit| suits.contains(&suit));
        all.filter(permutes).filter(fits).collect()
    }
}

/// Sets that a worker averages at a time.
const SETS: usize = 1 << 12;

/// Weights that a worker replaces at a time.
const WEIGHTS: usize = 1 << 15;

/// Sets of equal weights.
#[derive(Clone, Debug, Default)]
pub struct SharedWeights {
    /// The set of each weight; empty where no weights are shared.
    set: Vec<u32>,
    /// The first member of each set, and the end of the last set. `[sets + 1]`
    starts: Vec<u32>,
    /// The members of all sets, as ascending positions in the flat parameters.
    members: Vec<u32>,
}

impl SharedWeights {
    /// The sets of a network whose inputs are observations and whose outputs are logits of actions.
    pub fn new(symmetry: Symmetry, config: &NetConfig) -> Self {
        if symmetry == Symmetry::None {
            return Self::default();
        }
        let permutations: Vec<Vec<Vec<usize>>> =
            symmetry.permutations().into_iter().map(|suits| places(suits, config)).collect();
        let mut first = Vec::with_capacity(config.parameters());
        for (at, layer) in config.layers().iter().enumerate() {
            // The value head reads the same units as the policy head and belongs to no suit.
            let depth = config.hidden.len();
            let (from, to) = (at.min(depth), (at < depth).then_some(at + 1));
            let output = |permutation: &[Vec<usize>], j: usize| match to {
                Some(to) => permutation[to][j],
                None if at == depth => permutation[depth + 1][j],
                None => j,
            };
            let start = first.len();
            for i in 0..layer.inputs {
                for j in 0..layer.outputs {
                    let ends =
                        permutations.iter().map(|c| c[from][i] * layer.outputs + output(c, j));
                    first.push((start + ends.min().expect("the identity is one")) as u32);
                }
            }
            let start = first.len();
            for j in 0..layer.outputs {
                let ends = permutations.iter().map(|c| output(c, j));
                first.push((start + ends.min().expect("the identity is one")) as u32);
            }
        }
        Self::of(&first)
    }

    /// `first` holds, for each weight, the first weight of its set.
    fn of(first: &[u32]) -> Self {
        let (mut set, mut starts) = (vec![0; first.len()], Vec::new());
        let mut members: Vec<u32> = (0..first.len() as u32).collect();
        members.sort_by_key(|&at| first[at as usize]);
        for (nth, &at) in members.iter().enumerate() {
            if first[at as usize] == at {
                starts.push(nth as u32);
            }
            set[at as usize] = starts.len() as u32 - 1;
        }
        starts.push(members.len() as u32);
        Self { set, starts, members }
    }

    fn members(&self, set: usize) -> &[u32] {
        &self.members[self.starts[set] as usize..self.starts[set + 1] as usize]
    }

    /// Replaces every number by the mean of its set.
    pub fn average(&self, flat: &mut [f32], workers: &Workers) {
        if self.set.is_empty() {
            return;
        }
        let mut means = vec![0.0_f32; self.starts.len() - 1];
        workers.each(means.chunks_mut(SETS).enumerate(), |(nth, means)| {
            for (set, mean) in (nth * SETS..).zip(means) {
                let members = self.members(set);
                let sum: f32 = members.iter().map(|&at| flat[at as usize]).sum();
                *mean = sum * (1.0 / members.len() as f32);
            }
        });
        let blocks = flat.chunks_mut(WEIGHTS).zip(self.set.chunks(WEIGHTS));
        workers.each(blocks, |(flat, set)| {
            for (x, &set) in flat.iter_mut().zip(set) {
                *x = means[set as usize];
            }
        });
    }

    /// Replaces every number by the first of its set: for fresh weights, whose mean would be small.
    pub fn copy(&self, flat: &mut [f32]) {
        for (at, &set) in self.set.iter().enumerate() {
            flat[at] = flat[self.members(set as usize)[0] as usize];
        }
    }

    /// Whether all numbers of each set are equal.
    pub fn hold(&self, flat: &[f32]) -> bool {
        let first = |set: u32| flat[self.members(set as usize)[0] as usize];
        self.set.iter().zip(flat).all(|(&set, x)| first(set).to_bits() == x.to_bits())
    }
}

/// The image of each input, hidden unit and action under a permutation, layer by layer.
fn places(suits: [usize; 4], config: &NetConfig) -> Vec<Vec<usize>> {
    assert_eq!(config.inputs, Observation::LEN, "only observations have suits");
    let units = |&width: &usize| {
        let equivariant = NetConfig::equivariant_units(width);
        let unit = |at: usize| if at < equivariant { at - at % 4 + suits[at % 4] } else { at };
        (0..width).map(unit).collect()
    };
    let action = |id: usize| {
        let action = Action::from_index(id);
        action.permute_suits(suits).index()
    };
    let inputs = std::iter::once(permute_suits(suits).to_vec());
    let actions = std::iter::once((0..config.actions).map(action).collect());
    inputs.chain(config.hidden.iter().map(units)).chain(actions).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params;
    use newmarket_env::Seed;
    use newmarket_env::seed::unit;
    use newmarket_net::{FastNet, Weights};

    fn config() -> NetConfig {
        NetConfig { inputs: Observation::LEN, hidden: vec![32, 16], actions: Action::COUNT }
    }

    fn flat() -> Vec<f32> {
        params::from_weights(&Weights::init(&config(), 5))
    }

    fn workers() -> Workers {
        Workers::new(2).expect("threads")
    }

    /// Noise in every number, the heads' too.
    fn noise(flat: &mut [f32]) {
        let mut rng = Seed::new(8).rng();
        for x in flat {
            *x += 0.1 * unit(&mut rng) as f32;
        }
    }

    /// Asks the network about an observation in these suits and about the same in others.
    fn commutes(flat: &[f32], suits: [usize; 4]) -> bool {
        let net = FastNet::new(&params::weights(&config(), flat).expect("finite"));
        let mut rng = Seed::new(9).rng();
        let one: Vec<f32> = (0..Observation::LEN).map(|_| unit(&mut rng) as f32).collect();
        let mut other = vec![0.0; one.len()];
        for (x, place) in one.iter().zip(permute_suits(suits)) {
            other[place] = *x;
        }
        let mut scratch = net.scratch();
        let (logits, value) = net.forward(&one[..], &mut scratch);
        let logits = logits.to_vec();
        let (permuted, same) = net.forward(&other[..], &mut scratch);
        let near = |a: f32, b: f32| (a - b).abs() < 1e-4;
        near(value, same)
            && Action::ALL.into_iter().all(|action| {
                near(logits[action.index()], permuted[action.permute_suits(suits).index()])
            })
    }

    #[test]
    fn an_equivariant_network_commutes_with_every_permutation_of_suits() {
        for (symmetry, count) in [(Symmetry::Suits, 24), (Symmetry::Colours, 8)] {
            let shared = SharedWeights::new(symmetry, &config());
            assert_eq!(symmetry.permutations().len(), count);
            let mut averaged = flat();
            noise(&mut averaged);
            let mut copied = averaged.clone();
            assert!(!shared.hold(&averaged) && !commutes(&averaged, [3, 1, 2, 0]));
            shared.average(&mut averaged, &workers());
            shared.copy(&mut copied);
            for flat in [averaged, copied] {
                assert!(shared.hold(&flat));
                for suits in Symmetry::Suits.permutations() {
                    let expected = symmetry.permutations().contains(&suits);
                    assert_eq!(commutes(&flat, suits), expected, "{symmetry:?} {suits:?}");
                }
            }
        }
    }

    #[test]
    fn equivariant_networks_stay_so_when_they_are_joined() {
        let equivariant = |hidden: Vec<usize>, symmetry| {
            let config = NetConfig { hidden, ..config() };
            let mut flat = params::from_weights(&Weights::init(&config, 3));
            SharedWeights::new(symmetry, &config).copy(&mut flat);
            params::weights(&config, &flat).expect("finite")
        };
        let parts = [
            equivariant(vec![32, 16], Symmetry::Suits),
            equivariant(vec![16, 48], Symmetry::Colours),
        ];
        let joined = Weights::joined(&parts).expect("they differ in their widths alone");
        let flat = params::from_weights(&joined);
        assert!(SharedWeights::new(Symmetry::Colours, joined.config()).hold(&flat));
        assert!(!SharedWeights::new(Symmetry::Suits, joined.config()).hold(&flat));
    }

    #[test]
    fn the_average_of_shared_weights_is_the_mean_of_each_set() {
        let shared = SharedWeights::new(Symmetry::Suits, &config());
        let mut averaged = flat();
        noise(&mut averaged);
        let before = averaged.clone();
        shared.average(&mut averaged, &workers());
        let sum = |flat: &[f32]| flat.iter().map(|x| f64::from(*x)).sum::<f64>();
        assert!((sum(&before) - sum(&averaged)).abs() < 1e-3);
        let once = averaged.clone();
        shared.average(&mut averaged, &workers());
        assert!(once.iter().zip(&averaged).all(|(a, b)| (a - b).abs() < 1e-6));
    }

    #[test]
    fn without_symmetry_nothing_is_shared() {
        let shared = SharedWeights::new(Symmetry::None, &config());
        let mut after = flat();
        shared.average(&mut after, &workers());
        shared.copy(&mut after);
        assert_eq!(after, flat());
    }
}
