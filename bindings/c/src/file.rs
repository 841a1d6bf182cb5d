//! A network from a player's file: a checkpoint, or a safetensors file of
//! `newmarket checkpoint export`.
//!
//! `newmarket_checkpoints` reads the same, and checks all that a file says of its training and of itself. A page would
//! load more code for that than for the rules of the game; here is what a network needs, and, with
//! the standard library, the hash that says whether it is whole.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use half::f16;
use newmarket_agents::net::{ActionSelection, PlayKind, Plays};
use newmarket_checkpoints::Encoding;
use newmarket_env::{Action, Observation};
use newmarket_net::{NamedArray, NetConfig, Weights, WeightsError};
use serde_json::{Map, Value};

/// The prefix of the names of a checkpoint's weights; an exported player has no prefix.
const OF_CHECKPOINT: &str = "net.";

/// The network, and how it chooses.
///
/// # Errors
/// If it is no player for this program's encoding, or not whole.
pub(crate) fn read(bytes: &[u8]) -> Result<(Weights, ActionSelection), String> {
    let file = File::open(bytes).ok_or("it is no file of a player, or it is cut off")?;
    let schema = file.manifest["schema"].as_str().unwrap_or_default();
    let (prefix, encoding) = match schema {
        "newmarket-checkpoint" => (OF_CHECKPOINT, &file.manifest["run"]["encoding"]),
        "newmarket-player" => ("", &file.manifest["encoding"]),
        _ => return Err(format!("its schema is `{schema}`: expected that of a player")),
    };
    check_encoding(encoding)?;
    let choice = match temperature(&file.manifest["temperature"])? {
        None => plays(&file.manifest["plays"])?.into(),
        Some(by) => ActionSelection::Tempered(by),
    };
    let weights = whole(file.weights(prefix)?, &file.manifest["weights_blake3"])?;
    Ok((weights, choice))
}

/// How it chooses, kind of decision by kind: those without a temperature take the likeliest action.
fn plays(told: &Value) -> Result<Plays, String> {
    let mut kinds = PlayKind::ALL.into_iter().zip(PlayKind::NAMES);
    kinds.try_fold(Plays::LIKELIEST, |plays, (kind, name)| {
        Ok(plays.with(kind, temperature(&told[name])?))
    })
}

/// A temperature, if there is one.
fn temperature(told: &Value) -> Result<Option<f32>, String> {
    match told.as_f64() {
        None => Ok(None),
        Some(by) if (0.001..=1e6).contains(&by) => Ok(Some(by as f32)),
        Some(_) => Err("its temperature is none: expected 0.001 to 1000000".into()),
    }
}

/// Whether the network reads this program's observations.
fn check_encoding(encoding: &Value) -> Result<(), String> {
    let expected = Encoding::current();
    let fingerprint = format!("{:016x}", expected.fingerprint);
    if encoding["version"] == expected.version && encoding["fingerprint"] == fingerprint {
        Ok(())
    } else {
        Err(format!("it was made for another encoding: expected {}", expected.version))
    }
}

/// The weights, if they are those of their hash and their outputs are numbers.
#[cfg(feature = "std")]
fn whole(weights: Weights, told: &Value) -> Result<Weights, String> {
    use newmarket_checkpoints::{Checkpoint, Provenance};

    let checkpoint = Checkpoint::new(Provenance::default(), weights);
    if told.as_str().is_some_and(|told| told != checkpoint.weights_hash()) {
        return Err("its weights are not those of their hash".into());
    }
    if !checkpoint.weights.have_finite_outputs() {
        return Err("its outputs can be infinite".into());
    }
    Ok(checkpoint.weights)
}

/// The weights. A browser loads a file whole, so no hash is checked.
#[cfg(not(feature = "std"))]
#[expect(clippy::unnecessary_wraps, reason = "as with the standard library")]
fn whole(weights: Weights, _told: &Value) -> Result<Weights, String> {
    Ok(weights)
}

/// A safetensors file of this project.
struct File<'b> {
    tensors: Map<String, Value>,
    manifest: Value,
    data: &'b [u8],
}

impl<'b> File<'b> {
    /// The longest header that is read: far above the longest there is.
    const MOST: u64 = 8 << 20;

    fn open(bytes: &'b [u8]) -> Option<Self> {
        let (length, rest) = bytes.split_first_chunk::<8>()?;
        let length = u64::from_le_bytes(*length);
        let (header, data) = rest.split_at_checked(length.min(Self::MOST) as usize)?;
        let Value::Object(tensors) = serde_json::from_slice(header).ok()? else { return None };
        let metadata = tensors.get("__metadata__")?;
        let manifest = serde_json::from_slice(metadata["newmarket"].as_str()?.as_bytes()).ok()?;
        Some(Self { tensors, manifest, data })
    }

    /// The tensors of the network. The biases say how deep and how wide it is.
    fn weights(&self, prefix: &str) -> Result<Weights, String> {
        let width = |layer: usize| {
            let bias = self.tensors.get(&format!("{prefix}trunk.{layer}.bias"))?;
            Some(bias["shape"][0].as_u64()? as usize)
        };
        let hidden = (0..=NetConfig::MAX_DEPTH).map_while(width).collect();
        let config = NetConfig { inputs: Observation::LEN, hidden, actions: Action::COUNT };
        if config.validate().is_err() {
            let (deep, wide) = (NetConfig::MAX_DEPTH, NetConfig::MAX_WIDTH);
            return Err(format!(
                "its hidden layers are not 1 to {deep}, of 1 to {wide} units each"
            ));
        }
        let array = |(name, shape): (String, Vec<usize>)| {
            let data = self.values(&format!("{prefix}{name}"), &shape);
            let data = data.ok_or_else(|| format!("its tensor {name} cannot be read"))?;
            Ok::<_, String>(NamedArray { name, shape, data })
        };
        let arrays: Result<Vec<_>, _> = Weights::layout(&config).into_iter().map(array).collect();
        // Names and shapes are those of the layout.
        Weights::from_arrays(&config, arrays?).map_err(|error| match error {
            WeightsError::NotFinite { name, index } => {
                format!("its tensor {name} holds a value that is not finite at index {index}")
            }
            _ => "its tensors are no network's".into(),
        })
    }

    /// The values of a tensor that has this shape.
    fn values(&self, name: &str, shape: &[usize]) -> Option<Vec<f32>> {
        let tensor = self.tensors.get(name)?;
        let told = tensor["shape"].as_array()?;
        let same = |(told, due): (&Value, &usize)| told.as_u64() == Some(*due as u64);
        let offset = |nth: usize| tensor["data_offsets"][nth].as_u64().map(|at| at as usize);
        let bytes = self.data.get(offset(0)?..offset(1)?)?;
        let floats: Vec<f32> = match tensor["dtype"].as_str()? {
            "F32" => bytes.as_chunks().0.iter().map(|&it| f32::from_le_bytes(it)).collect(),
            "F16" => {
                bytes.as_chunks().0.iter().map(|&it| f16::from_le_bytes(it).to_f32()).collect()
            }
            _ => return None,
        };
        let right = told.len() == shape.len() && told.iter().zip(shape).all(same);
        (right && floats.len() == shape.iter().product::<usize>()).then_some(floats)
    }
}

#[cfg(all(test, feature = "std"))]
mod tests {
    use newmarket_checkpoints::export::{Format, Precision};
    use newmarket_checkpoints::{Checkpoint, NetPlayer, released};

    use super::*;

    /// The whole reader says the same of every file that it takes, and of this one cut off and changed.
    #[test]
    fn it_reads_what_the_whole_reader_reads() {
        let checkpoint = released::ALL[0].file;
        let player = NetPlayer::from_bytes(checkpoint).expect("a player");
        let plays = Plays::LIKELIEST.with(PlayKind::Auction, Some(0.1));
        let plays = plays.with(PlayKind::AnteAfterLook, Some(0.3));
        let mixed = Checkpoint { plays, ..player.checkpoint.clone() }.to_bytes().expect("bytes");
        let export = |choice, precision| {
            let player = NetPlayer { choice, ..player.clone() };
            player.export(Format::Safetensors, precision).expect("it can be")
        };
        for file in [
            checkpoint,
            &mixed,
            &export(ActionSelection::Tempered(6.0), Precision::Single),
            &export(ActionSelection::Tempered(6.0), Precision::Half),
            &export(plays.into(), Precision::Half),
        ] {
            let whole = NetPlayer::from_bytes(file).expect("a player");
            assert!(read(file) == Ok((whole.checkpoint.weights, whole.choice)));
            for end in [0, 7, 8, 100, 5_000, file.len() - 40] {
                assert!(NetPlayer::from_bytes(&file[..end]).is_err());
                assert!(read(&file[..end]).is_err(), "{end}");
            }
            let mut changed = file.to_vec();
            changed[file.len() / 2] ^= 1;
            assert!(NetPlayer::from_bytes(&changed).is_err() && read(&changed).is_err());
        }
    }

    #[test]
    fn a_network_whose_outputs_can_be_infinite_is_none() {
        let mut player = NetPlayer::from_bytes(released::ALL[0].file).expect("a player");
        let config = player.checkpoint.weights.config().clone();
        let mut arrays = player.checkpoint.weights.arrays().to_vec();
        arrays[2].data.fill(1e30);
        player.checkpoint.weights = Weights::from_arrays(&config, arrays).expect("finite");
        player.choice = ActionSelection::Tempered(6.0);
        let file = player.export(Format::Safetensors, Precision::Single).expect("it can be");
        assert!(NetPlayer::from_bytes(&file).is_err());
        assert_eq!(read(&file).expect_err("no network"), "its outputs can be infinite");
    }
}
