//! Plain inference against its definition, and a seed is the whole of a network's beginning.

use newmarket_net::{
    FastNet, NamedArray, NetConfig, Weights, WeightsError, argmax, masked_softmax, sample,
};
use rand_core::{Rng as _, SeedableRng as _};
use rand_xoshiro::Xoshiro256PlusPlus as Rng;

fn config() -> NetConfig {
    NetConfig { inputs: 97, hidden: vec![64, 40], actions: 74 }
}

fn unit(rng: &mut Rng) -> f64 {
    (rng.next_u64() >> 11) as f64 / (1u64 << 53) as f64
}

/// `rows` observations of which about one value in eight is not zero.
fn observations(rows: usize, inputs: usize, seed: u64) -> Vec<f32> {
    let mut rng = Rng::seed_from_u64(seed);
    (0..rows * inputs)
        .map(|_| if unit(&mut rng) < 0.125 { (2.0 * unit(&mut rng) - 1.0) as f32 } else { 0.0 })
        .collect()
}

/// Weights with large policy logits and biases that are not zero, as after training.
fn trained(config: &NetConfig, seed: u64) -> Weights {
    let mut rng = Rng::seed_from_u64(seed ^ 0xabcd);
    let arrays = Weights::init(config, seed).arrays().to_vec();
    let arrays = arrays
        .into_iter()
        .map(|mut a| {
            let gain = if a.name == "policy.weight" { 100.0 } else { 1.0 };
            let shift = if a.name.ends_with("bias") { 0.2 } else { 0.0 };
            for x in &mut a.data {
                *x = *x * gain + shift * (unit(&mut rng) as f32 - 0.5);
            }
            a
        })
        .collect();
    Weights::from_arrays(config, arrays).expect("arrays of the right shapes")
}

fn assert_close(a: &[f32], b: &[f32]) {
    assert_eq!(a.len(), b.len());
    for (k, (x, y)) in a.iter().zip(b).enumerate() {
        assert!((x - y).abs() <= 1e-5, "index {k}: {x} against {y}");
    }
}

#[test]
fn a_row_alone_and_in_a_batch_gives_the_same_bits() {
    let weights = trained(&config(), 4);
    let net = FastNet::new(&weights);
    let (mut s, mut t) = (net.scratch(), net.scratch());
    for rows in [1, 2, 3, 16, 37] {
        let obs = observations(rows, config().inputs, rows as u64);
        let rows: Vec<&[f32]> = obs.chunks(config().inputs).collect();
        let mut count = 0;
        net.forward_each(&rows, &mut s, |row, logits, value| {
            let (l, v) = net.forward(rows[row], &mut t);
            let bits = |xs: &[f32]| xs.iter().map(|x| x.to_bits()).collect::<Vec<u32>>();
            assert_eq!(bits(l), bits(logits));
            assert_eq!(v.to_bits(), value.to_bits());
            count += 1;
        });
        assert_eq!(count, rows.len());
    }
}

/// The slow, obvious form: the sum in the documented order.
#[test]
fn fast_inference_equals_the_double_loop_bit_for_bit() {
    let config = config();
    let weights = trained(&config, 8);
    let obs = observations(1, config.inputs, 9);
    let arrays = weights.arrays();
    let dense = |x: &[f32], k: usize, relu: bool| -> Vec<f32> {
        let (weight, bias) = (&arrays[2 * k].data, &arrays[2 * k + 1].data);
        (0..bias.len())
            .map(|j| {
                let mut sum = bias[j];
                for (i, v) in x.iter().enumerate() {
                    sum += v * weight[i * bias.len() + j];
                }
                if relu { sum.max(0.0) } else { sum }
            })
            .collect()
    };
    let hidden = dense(&dense(&obs, 0, true), 1, true);
    let net = FastNet::new(&weights);
    let mut scratch = net.scratch();
    let (logits, value) = net.forward(&obs[..], &mut scratch);
    assert_eq!(logits, dense(&hidden, 2, false));
    assert_eq!(vec![value], dense(&hidden, 3, false));
}

#[test]
fn weights_are_their_arrays() {
    let weights = trained(&config(), 5);
    let again = Weights::from_arrays(&config(), weights.arrays().to_vec());
    assert_eq!(again.as_ref(), Ok(&weights));
}

#[test]
fn a_seed_is_the_whole_beginning() {
    let weights = Weights::init(&config(), 1);
    assert_eq!(weights, Weights::init(&config(), 1));
    assert_ne!(weights, Weights::init(&config(), 2));
    // Value stability: these bits are a promise, the same on every machine.
    let first: Vec<u32> = weights.arrays()[0].data[..3].iter().map(|x| x.to_bits()).collect();
    assert_eq!(first, FIRST_BITS);
}

const FIRST_BITS: [u32; 3] = [3_148_623_133, 3_175_580_751, 3_176_850_850];

#[test]
fn initial_weights_are_orthogonal_with_the_usual_gains() {
    let weights = Weights::init(&config(), 11);
    for array in weights.arrays() {
        let [rows, cols] = array.shape[..] else {
            assert!(array.data.iter().all(|&x| x == 0.0), "{} starts at zero", array.name);
            continue;
        };
        let gain = match array.name.as_str() {
            "policy.weight" => 0.01,
            "value.weight" => 1.0,
            _ => 2f64.sqrt(),
        };
        let at = |r: usize, c: usize| f64::from(array.data[r * cols + c]);
        let (count, length) = (rows.min(cols), rows.max(cols));
        let pick = |k: usize, i: usize| if rows >= cols { at(i, k) } else { at(k, i) };
        for a in 0..count {
            for b in 0..=a {
                let dot: f64 = (0..length).map(|i| pick(a, i) * pick(b, i)).sum();
                let want = if a == b { gain * gain } else { 0.0 };
                assert!((dot - want).abs() < 1e-6, "{} {a}·{b}: {dot}", array.name);
            }
        }
    }
}

#[test]
fn foreign_arrays_are_refused() {
    let good = Weights::init(&config(), 1).arrays().to_vec();
    let refused = |change: &dyn Fn(&mut Vec<NamedArray>)| {
        let mut arrays = good.clone();
        change(&mut arrays);
        Weights::from_arrays(&config(), arrays).expect_err("must be refused")
    };
    assert!(matches!(refused(&|a| a.truncate(5)), WeightsError::Count { got: 5, .. }));
    assert!(matches!(refused(&|a| a.swap(0, 2)), WeightsError::Name { index: 0, .. }));
    assert!(matches!(refused(&|a| a[0].shape.reverse()), WeightsError::Shape { .. }));
    assert!(matches!(refused(&|a| a[3].data.truncate(1)), WeightsError::Shape { .. }));
    let error = refused(&|a| a[1].data[7] = f32::NAN);
    assert_eq!(
        error.to_string(),
        "weights: `trunk.0.bias` holds a value that is not finite at index 7"
    );
    for bad in [
        NetConfig { inputs: 0, ..config() },
        NetConfig { hidden: vec![], ..config() },
        NetConfig { hidden: vec![4, 0], ..config() },
        NetConfig { actions: 129, ..config() },
    ] {
        assert!(bad.validate().is_err(), "{bad:?}");
    }
}

#[test]
fn joined_networks_answer_with_the_mean_of_their_answers() {
    let shapes = [vec![64, 40], vec![33, 17], vec![16, 16]];
    let parts: Vec<Weights> = (1..)
        .zip(shapes)
        .map(|(seed, hidden)| trained(&NetConfig { hidden, ..config() }, seed))
        .collect();
    let joined = Weights::joined(&parts).expect("they differ in their widths alone");
    assert_eq!(joined.config().hidden, [113, 73]);
    let inputs = config().inputs;
    let obs = observations(50, inputs, 3);
    let answers = |weights: &Weights| {
        let net = FastNet::new(weights);
        let mut scratch = net.scratch();
        let of_one = |row: &[f32]| {
            let (logits, value) = net.forward(row, &mut scratch);
            logits.iter().copied().chain([value]).collect::<Vec<f32>>()
        };
        obs.chunks(inputs).flat_map(of_one).collect::<Vec<f32>>()
    };
    let each: Vec<_> = parts.iter().map(answers).collect();
    let mean: Vec<f32> =
        (0..each[0].len()).map(|at| each.iter().map(|a| a[at]).sum::<f32>() / 3.0).collect();
    assert!(mean.iter().any(|x| x.abs() > 0.1), "the networks say something");
    assert_close(&answers(&joined), &mean);
}

#[test]
fn networks_that_differ_in_more_than_their_widths_are_not_joined() {
    let of = |config: &NetConfig| Weights::init(config, 1);
    for other in [
        NetConfig { inputs: 98, ..config() },
        NetConfig { hidden: vec![64], ..config() },
        NetConfig { actions: 73, ..config() },
    ] {
        let error = Weights::joined(&[of(&config()), of(&other)]).expect_err("they differ");
        assert!(error.to_string().contains("network 2 has"), "{error}");
    }
    assert!(Weights::joined(&[]).is_err());
}

#[test]
fn only_legal_actions_are_chosen_and_as_often_as_they_should_be() {
    let logits = [0.3f32, 50.0, -1.0, 1.2, 0.0, 99.0];
    let legal = 0b1_1101u128; // neither 1 nor 5, the largest
    let mut p = [0.0; 6];
    masked_softmax(&logits, legal, &mut p);
    assert_eq!((p[1], p[5]), (0.0, 0.0));
    assert!((p.iter().sum::<f32>() - 1.0).abs() < 1e-6);
    assert_eq!(argmax(&logits, legal), 3);
    assert_eq!(argmax(&[1.0, 1.0, 1.0], 0b110), 1, "the lowest of equals");

    let draws = 40_000;
    let mut seen = [0u32; 6];
    let mut rng = Rng::seed_from_u64(3);
    for _ in 0..draws {
        let (i, log_prob) = sample(&logits, legal, unit(&mut rng));
        assert!((log_prob - p[i].ln()).abs() < 1e-5);
        seen[i] += 1;
    }
    for (i, &n) in seen.iter().enumerate() {
        let (n, q) = (f64::from(n), f64::from(p[i]));
        let sd = (f64::from(draws) * q * (1.0 - q)).sqrt();
        assert!((n - q * f64::from(draws)).abs() <= 4.5 * sd, "action {i}: {n} of {draws}, p {q}");
    }
}

#[test]
fn the_ends_of_the_unit_interval_are_safe() {
    let almost_one = 1.0 - f64::EPSILON / 2.0;
    let logits = [0.0f32, -1e9, 0.0, -1e9];
    assert_eq!(sample(&logits, 0b1111, 0.0).0, 0);
    assert_eq!(sample(&logits, 0b1111, almost_one).0, 2);
    // As if rounding had left something over at the end.
    assert_eq!(sample(&logits, 0b1111, 1.0).0, 2, "never one of no probability");
    let mut wide = [0.0f32; 128];
    wide[127] = 5.0;
    assert_eq!(argmax(&wide, u128::MAX), 127);
    assert_eq!(sample(&wide, 1 << 127, 0.7), (127, 0.0));
}

#[test]
#[should_panic(expected = "at least one legal action")]
fn no_legal_action_is_a_mistake() {
    argmax(&[0.0; 4], 0);
}
