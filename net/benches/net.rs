//! Inference speed on observations that are mostly zeros.
//!
//! `cargo bench -p newmarket-net --bench net`; best of several windows.
#![expect(clippy::print_stdout, reason = "a bench prints what it measured")]

use std::hint::black_box;
use std::time::{Duration, Instant};

use newmarket_net::{FastNet, NetConfig, Weights, sample};
use rand_core::{Rng as _, SeedableRng as _};
use rand_xoshiro::Xoshiro256PlusPlus;

const INPUTS: usize = 512;
/// Of 512 values, how many are not zero.
const SET: usize = 64;

fn main() {
    let config = NetConfig { inputs: INPUTS, hidden: vec![256, 256], actions: 74 };
    let weights = Weights::init(&config, 1);
    let net = FastNet::new(&weights);

    for rows in [1, 16, 32, 64, 256, 1024] {
        let obs = observations(rows);
        let mut scratch = net.scratch();
        let (mut logits, mut values) = (vec![0.0; rows * 74], vec![0.0; rows]);
        let fast = best(|| {
            let rows: Vec<&[f32]> = black_box(&obs).chunks(INPUTS).collect();
            net.forward_each(&rows, &mut scratch, |row, out, value| {
                logits[row * 74..(row + 1) * 74].copy_from_slice(out);
                values[row] = value;
            });
        });
        black_box((&logits, &values));
        println!("b={rows:<5} {:8.2} µs {:8.0} rows/s", fast * 1e6, rows as f64 / fast);
    }

    let mut scratch = net.scratch();
    let (logits, _) = net.forward(&observations(1)[..], &mut scratch);
    let mut unit = 0.0;
    let draw = best(|| {
        unit = (unit + 0.618_034) % 1.0;
        black_box(sample(black_box(logits), 0b1111, unit));
    });
    println!("sample among 4: {:.0} ns", draw * 1e9);
}

fn observations(rows: usize) -> Vec<f32> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(7);
    let mut obs = vec![0.0; rows * INPUTS];
    for row in obs.chunks_exact_mut(INPUTS) {
        for _ in 0..SET {
            row[(rng.next_u64() % INPUTS as u64) as usize] = 1.0;
        }
    }
    obs
}

/// Seconds of one call: the best of ten windows of 50 ms.
fn best(mut call: impl FnMut()) -> f64 {
    call();
    (0..10)
        .map(|_| {
            let (start, mut calls) = (Instant::now(), 0u32);
            while start.elapsed() < Duration::from_millis(50) {
                for _ in 0..8 {
                    call();
                }
                calls += 8;
            }
            start.elapsed().as_secs_f64() / f64::from(calls)
        })
        .fold(f64::INFINITY, f64::min)
}
