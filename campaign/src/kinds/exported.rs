//! Exported players with changed bytes. They have no seal, so a reader may accept them.

use newmarket_checkpoints::NetPlayer;
use newmarket_checkpoints::export::{Format, Precision};

use crate::attempt::{Attempt, filled};
use crate::common::{draw, one_of};
use crate::kinds::checkpoints::{CHANGES, READERS};
use crate::program::Call;
use crate::verdict::Failure;

pub(crate) fn law(attempt: &mut Attempt<'_>) -> Result<(), Failure> {
    let precision =
        if draw(&mut attempt.rng, 2) == 0 { Precision::Half } else { Precision::Single };
    let player = NetPlayer::from_bytes(&attempt.materials.checkpoint).expect("a checkpoint");
    let mut bytes = player.export(Format::Safetensors, precision).expect("it can be exported");
    one_of(&mut attempt.rng, &CHANGES)(&mut bytes, &mut attempt.rng);
    attempt.write("file.ckpt", &bytes);
    attempt.write("small.toml", attempt.materials.config.to_string());
    let command = one_of(&mut attempt.rng, &READERS);
    attempt.run(&Call::new(filled(command, "file.ckpt"), 400)).map(drop)
}
