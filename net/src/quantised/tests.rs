use alloc::vec;
use alloc::vec::Vec;

use newmarket_env::{
    Action, DealDriver, DealStart, Game, Observation, Rules, Seed, State, random, rules,
};

use super::*;
use crate::{FastNet, NamedArray};

/// What is seen at some decisions of each named game, and in layouts that are full of chips.
fn observations() -> Vec<Observation> {
    let mut rng = Seed::new(1).rng();
    let mut seen = Vec::new();
    for (nth, name) in rules::NAMES.into_iter().enumerate() {
        let rules = Rules::named(name).expect("a named game");
        let players = rules.players.0 + nth % 3;
        let game = Game::new(rules, players).expect("it seats them");
        let mut state = State::new(&game, &DealStart::fresh(players, nth % players));
        let hands = random::hands(&game, state.dealer(), state.seats_in(), &mut rng);
        while let Some(decision) = DealDriver::CHOICES.next(&game, &mut state, || hands) {
            seen.push(Observation::of(&state.view(&game, decision.seat)));
            state.apply_unchecked(&game, random::choice(decision.legal, &mut rng));
        }
    }
    let mut rich = *seen[20].as_bytes();
    let cells = newmarket_env::encode::FIELDS.iter().find(|field| field.name == "cell chips");
    let cells = cells.expect("a field").start;
    for cell in 0..4 {
        rich[cells + 4 * cell + 1] = 100;
    }
    seen.push(Observation::from_bytes(rich).expect("a row"));
    seen
}

fn shape(hidden: &[usize]) -> NetConfig {
    NetConfig { inputs: Observation::LEN, hidden: hidden.into(), actions: Action::COUNT }
}

/// Weights changed array by array, value by value.
fn changed(shape: &NetConfig, change: impl Fn(&str, &mut f32)) -> Weights {
    let mut arrays = Weights::init(shape, 3).arrays().to_vec();
    for NamedArray { name, data, .. } in &mut arrays {
        for x in data.iter_mut() {
            change(name, x);
        }
    }
    Weights::from_arrays(shape, arrays).expect("finite")
}

/// Networks as they begin and with policies that prefer something; and one whose sums are cut off.
fn networks() -> Vec<Weights> {
    let prefers = |shape: &NetConfig| {
        changed(shape, |name, x| match name {
            "policy.weight" => *x *= 100.0,
            "trunk.0.bias" | "trunk.1.bias" | "policy.bias" => *x += 0.2,
            _ => {}
        })
    };
    vec![
        prefers(&shape(&[256, 256])),
        prefers(&shape(&[40])),
        prefers(&shape(&[200, 130, 64])),
        changed(&shape(&[140, 150]), |name, x| {
            if name.ends_with("weight") {
                *x = x.abs() + 0.1;
            }
        }),
    ]
}

/// A network that takes no account of the first numbers after the facts, so that they are rounded to 0.
fn deaf() -> Weights {
    let shape = shape(&[70]);
    let mut arrays = Weights::init(&shape, 3).arrays().to_vec();
    let width = shape.hidden[0];
    arrays[0].data[Observation::FACTS * width..][..40 * width].fill(0.0);
    Weights::from_arrays(&shape, arrays).expect("finite")
}

/// Every unit by itself, in 64 bits; whether a sum was cut off. Numbers are `is_set` that were not 0 before they were
/// rounded.
fn slowly(layer: &WholeLayer, inputs: &[i64], is_set: &[bool]) -> (Vec<i64>, bool) {
    let mut cut = false;
    let bound = |sum: i64, cut: &mut bool| {
        *cut |= i16::try_from(sum).is_err();
        sum.clamp(i16::MIN.into(), i16::MAX.into())
    };
    let unit = |j: usize| {
        let of = |numbers: &[i16]| i64::from(numbers[j]);
        let (mut total, mut start) = (of(&layer.bias), 0);
        for &(end, facts) in &layer.stretches {
            let mut sum = 0;
            for (i, x) in inputs.iter().enumerate().take(end).skip(start) {
                let w = i64::from(layer.weight[i * layer.bias.len() + j]);
                sum += if facts { x * w } else { (x * w).div_euclid(65536) };
            }
            if !facts {
                let set = is_set[start..end].iter().filter(|&&is_set| is_set).count();
                sum += set as i64 / 2;
            }
            total = bound(total + bound(sum, &mut cut), &mut cut);
            start = end;
        }
        total.max(0).min(of(&layer.most)) * of(&layer.factor)
    };
    let units = (0..layer.bias.len()).map(unit).collect();
    (units, cut)
}

/// The logits and the value of one observation, and whether a sum was cut off.
fn answers_slowly(net: &WholeNumbers, observation: &Observation) -> (Vec<f32>, f32, bool) {
    let mut dense = vec![0.0; Observation::LEN];
    observation.write(&mut dense);
    let read = |(i, x): (usize, &f32)| match i.checked_sub(Observation::FACTS) {
        None => *x as i64,
        Some(_) if *x == 0.0 => 0,
        Some(nth) => i64::from((x * net.units[nth] + 0.5) as i16),
    };
    let mut units: Vec<i64> = dense.iter().enumerate().map(read).collect();
    let mut is_set: Vec<bool> = dense.iter().map(|&x| x != 0.0).collect();
    let mut cut = false;
    for layer in &net.trunk {
        let (outputs, of_layer) = slowly(layer, &units, &is_set);
        is_set = outputs.iter().map(|&x| x != 0).collect();
        (units, cut) = (outputs, cut || of_layer);
    }
    let of = |head: &WholeHead, output: usize| {
        let weights = head.weight[output..].iter().step_by(head.bias.len());
        let products = units.iter().zip(weights).map(|(x, &w)| x * i64::from(w));
        let sum = i32::try_from(products.sum::<i64>()).expect("32 bits are enough");
        sum as f32 * head.unit[output] + head.bias[output]
    };
    let logits = (0..net.policy.bias.len()).map(|output| of(&net.policy, output)).collect();
    (logits, of(&net.value, 0), cut)
}

#[test]
fn logits_are_those_of_each_unit_by_itself() {
    let seen = observations();
    let mut cuts = Vec::new();
    for weights in networks().into_iter().chain([deaf()]) {
        let net = QuantisedNet::new(&weights);
        let arrays = net.arrays();
        let mut scratch = net.scratch();
        let mut count = 0;
        let mut any = 0;
        net.logits_each(&seen, &mut scratch, |row, logits| {
            let (mut slow, _, cut) = answers_slowly(&arrays, &seen[row]);
            for (action, logit) in slow.iter_mut().enumerate() {
                if !seen[row].legal().contains(Action::from_index(action)) {
                    *logit = f32::NEG_INFINITY;
                }
            }
            assert_eq!(logits, slow, "{:?}, row {row}", weights.config().hidden);
            any += usize::from(cut);
            count += 1;
        });
        assert_eq!(count, seen.len());
        cuts.push(any);
    }
    // The one observation with very many chips is cut off anywhere, all others in the fourth network.
    assert!(cuts[..3].iter().all(|&cut| cut <= 1), "{cuts:?}");
    assert!(cuts[3] > seen.len() / 2, "{cuts:?}");
}

#[test]
fn an_observation_alone_and_among_others_has_the_same_logits() {
    let seen = observations();
    let net = QuantisedNet::new(&networks()[0]);
    let (mut alone, mut among) = (net.scratch(), net.scratch());
    net.logits_each(&seen, &mut among, |row, logits| {
        assert_eq!(net.logits(&seen[row], &mut alone), logits);
    });
}

/// All logits and the value of rows of `f32`, and the logits that are asked for alone.
#[test]
fn rows_are_answered_as_each_unit_by_itself() {
    let seen = observations();
    let mut rows = vec![0.0; seen.len() * Observation::LEN];
    for (observation, row) in seen.iter().zip(rows.chunks_exact_mut(Observation::LEN)) {
        observation.write(row);
    }
    let asked = |row: usize| 0x5_0003_0000_1001_u128.rotate_left(row as u32 % 20);
    for weights in networks().into_iter().chain([deaf()]) {
        let net = QuantisedNet::new(&weights);
        let arrays = net.arrays();
        let mut scratch = net.scratch();
        let mut all = Vec::new();
        net.forward_each(
            &rows,
            |_| u128::MAX >> 54,
            &mut scratch,
            |row, logits, value| {
                let (slow, slow_value, _) = answers_slowly(&arrays, &seen[row]);
                assert_eq!((logits, value), (&slow[..], slow_value), "row {row}");
                all.push((slow, value));
            },
        );
        assert_eq!(all.len(), seen.len());
        net.forward_each(&rows, asked, &mut scratch, |row, logits, value| {
            let (mut due, due_value) = all[row].clone();
            for (action, logit) in due.iter_mut().enumerate() {
                if asked(row) >> action & 1 == 0 {
                    *logit = f32::NEG_INFINITY;
                }
            }
            assert_eq!((logits, value), (&due[..], due_value), "row {row}");
        });
    }
}

/// Of the spread of logits among legal actions, and of values, the difference is a hundredth at most.
#[test]
fn answers_are_near_those_of_the_exact_network() {
    let seen = observations();
    for weights in &networks()[..3] {
        let (net, exact) = (QuantisedNet::new(weights), FastNet::new(weights));
        let (mut scratch, mut exact_scratch) = (net.scratch(), exact.scratch());
        let (mut error, mut spread) = (0.0, 0.0);
        let (mut value_error, mut values) = (0.0, 0.0);
        let mut row = vec![0.0; Observation::LEN];
        for observation in &seen[..seen.len() - 1] {
            let (expected, worth) = exact.forward(observation, &mut exact_scratch);
            observation.write(&mut row);
            net.forward_each(
                &row,
                |_| 0,
                &mut scratch,
                |_, _, value| {
                    value_error += (value - worth).powi(2);
                    values += worth.powi(2);
                },
            );
            let logits = net.logits(observation, &mut scratch);
            let legal: Vec<usize> = observation.legal().iter().map(Action::index).collect();
            let mean = legal.iter().map(|&i| expected[i]).sum::<f32>() / legal.len().max(1) as f32;
            for i in legal {
                error += (logits[i] - expected[i]).powi(2);
                spread += (expected[i] - mean).powi(2);
            }
        }
        assert!(error < 1e-4 * spread, "{error} of {spread}");
        assert!(value_error < 1e-4 * values, "{value_error} of {values}");
    }
}

#[test]
#[should_panic(expected = "the network takes other observations")]
fn other_observations_are_refused() {
    let shape = NetConfig { inputs: 12, hidden: vec![8], actions: 4 };
    let _ = QuantisedNet::new(&Weights::init(&shape, 1));
}

/// The same on every machine: a hash (FNV-1a) of the bits of all logits.
#[test]
fn logits_are_a_promise() {
    let seen = observations();
    let hash = |weights: &Weights| {
        let net = QuantisedNet::new(weights);
        let mut hash = 0xcbf2_9ce4_8422_2325_u64;
        net.logits_each(&seen, &mut net.scratch(), |_, logits| {
            for byte in logits.iter().flat_map(|logit| logit.to_bits().to_le_bytes()) {
                hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
            }
        });
        hash
    };
    let hashes: Vec<u64> = networks().iter().map(hash).collect();
    assert_eq!(hashes, HASHES);
}

const HASHES: [u64; 4] = [
    1_990_084_669_409_355_991,
    9_236_239_783_289_565_018,
    15_991_942_659_421_245_840,
    162_093_263_062_040_279,
];
