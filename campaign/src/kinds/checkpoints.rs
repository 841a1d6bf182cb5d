//! Checkpoints with changed bytes. All readers must refuse them.

use std::fs::File;

use newmarket_env::Rng;

use crate::attempt::{Attempt, filled};
use crate::common::{draw, one_in, one_of};
use crate::program::Call;
use crate::verdict::Failure;

/// Fast commands that read a checkpoint `@`.
pub(crate) const READERS: [&[&str]; 10] = [
    &["checkpoint", "show", "@"],
    &["checkpoint", "verify", "@"],
    &["checkpoint", "release", "@", "--out", "out.ckpt"],
    &["checkpoint", "join", "@", "@", "--out", "out.ckpt"],
    &["checkpoint", "import", "@", "--out", "out.ckpt"],
    &["checkpoint", "export", "@", "--format", "onnx", "--f16", "--out", "out.onnx"],
    &["duel", "net:@", "longest", "--deals", "1", "--json"],
    &["duel", "longest", "net:@+search:2", "--deals", "1"],
    &["trace", "--agents", "net:@", "--deals", "1", "--out", "out.jsonl"],
    &["train", "--config", "small.toml", "--set", "network.start=\"@\"", "--out", "run"],
];

pub(crate) type Change = fn(&mut Vec<u8>, &mut Rng);

/// Changes to the bytes of a file.
pub(crate) const CHANGES: [Change; 10] = [
    |bytes, rng| {
        for _ in 0..=draw(rng, 4) {
            let at = draw(rng, bytes.len());
            bytes[at] ^= 1 << draw(rng, 8);
        }
    },
    // The header matters most.
    |bytes, rng| {
        let at = draw(rng, bytes.len().min(8_000));
        bytes[at] = draw(rng, 256) as u8;
    },
    |bytes, rng| bytes.truncate(draw(rng, bytes.len())),
    |bytes, rng| bytes.truncate(draw(rng, 40)),
    |bytes, rng| {
        let (at, from) = (draw(rng, bytes.len()), draw(rng, bytes.len()));
        let piece = bytes[from..].to_vec();
        bytes.splice(at.., piece);
    },
    |bytes, rng| {
        let at = draw(rng, bytes.len());
        let end = (at + draw(rng, 5_000)).min(bytes.len());
        bytes.drain(at..end);
    },
    |bytes, rng| bytes.extend((0..=draw(rng, 300)).map(|_| draw(rng, 256) as u8)),
    |bytes, rng| {
        let length = one_of(rng, &[0, 1, 99_999_992, 100_000_001, u64::MAX, u64::MAX - 7, 1 << 32]);
        bytes[..8].copy_from_slice(&length.to_le_bytes());
    },
    |bytes, rng| {
        let at = draw(rng, bytes.len());
        bytes[at..].fill(0);
    },
    |bytes, rng| {
        let depth = 1 << draw(rng, 18);
        let header = format!("{{\"a\":{}", "[".repeat(depth));
        *bytes = [&(header.len() as u64).to_le_bytes(), header.as_bytes()].concat();
    },
];

pub(crate) fn law(attempt: &mut Attempt<'_>) -> Result<(), Failure> {
    let mut bytes = attempt.materials.checkpoint.clone();
    one_of(&mut attempt.rng, &CHANGES)(&mut bytes, &mut attempt.rng);
    let changed = bytes != attempt.materials.checkpoint;
    attempt.write("file.ckpt", &bytes);
    // Sometimes most of the file is a hole.
    let hole = draw(&mut attempt.rng, 20) == 0;
    if hole {
        let file = File::options().write(true).open(attempt.path("file.ckpt"));
        file.and_then(|file| file.set_len(3 << 30)).expect("can be made longer");
    }
    read(attempt, &bytes, changed || hole)
}

/// Gives `file.ckpt` to a reader, which must refuse it if `refuse`; or resumes a run with it as the newest file.
pub(crate) fn read(attempt: &mut Attempt<'_>, bytes: &[u8], refuse: bool) -> Result<(), Failure> {
    // Resuming a run takes longer than all other readers together.
    if !one_in(&mut attempt.rng, 20) {
        let command = one_of(&mut attempt.rng, &READERS);
        attempt.write("small.toml", attempt.materials.config.to_string());
        let call = Call::new(filled(command, "file.ckpt"), 400);
        return if refuse {
            attempt.refuses(&call, "a checkpoint that is not right").map(drop)
        } else {
            attempt.run(&call).map(drop)
        };
    }
    // The program may use an older file instead of a broken one.
    attempt.materials.copy_run(&attempt.path("run"));
    for name in ["update-000009.ckpt", "best.ckpt"] {
        attempt.write(&format!("run/checkpoints/{name}"), bytes);
    }
    attempt.run(&Call::new(["resume", "run"], 200)).map(drop)
}
