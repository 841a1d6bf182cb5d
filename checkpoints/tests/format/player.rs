//! Exported players: what is written is read again, weights from elsewhere are taken, and all else is
//! refused in one line.

use std::collections::HashMap;
use std::path::Path;

use half::f16;
use newmarket_agents::net::{ActionSelection, Level, PlayKind, Plays};
use newmarket_checkpoints::export::{Format, Precision};
use newmarket_checkpoints::roster::{net_checkpoint, net_player};
use newmarket_checkpoints::{Checkpoint, Encoding, FormatError, NetPlayer, Provenance};
use newmarket_env::{Action, Observation};
use newmarket_net::{NamedArray, NetConfig, Weights};
use safetensors::tensor::{Dtype, TensorView};
use serde_json::{Value, json};

pub(crate) fn small() -> NetPlayer {
    let net = NetConfig { inputs: Observation::LEN, hidden: vec![3, 2], actions: Action::COUNT };
    let run = Provenance {
        encoding: Encoding::current(),
        training: "♠".into(),
        update: 7,
        ..Provenance::default()
    };
    let checkpoint = Checkpoint::new(run, Weights::init(&net, 3));
    NetPlayer { checkpoint, choice: ActionSelection::Greedy }
}

/// A choice that draws bids and antes after a look.
pub(crate) fn mixed() -> Plays {
    let plays = Plays::LIKELIEST.with(PlayKind::Auction, Some(0.1));
    plays.with(PlayKind::AnteAfterLook, Some(0.25))
}

/// A file as any other program writes one.
fn file(arrays: &[NamedArray], about: &Value) -> Vec<u8> {
    let data: Vec<(&NamedArray, Vec<u8>)> = arrays
        .iter()
        .map(|it| (it, it.data.iter().flat_map(|x| x.to_le_bytes()).collect()))
        .collect();
    let views = data.iter().map(|(array, bytes)| {
        (&array.name, TensorView::new(Dtype::F32, array.shape.clone(), bytes).expect("a tensor"))
    });
    let metadata = [("format".into(), "pt".into()), ("newmarket".into(), about.to_string())];
    safetensors::serialize(views, Some(HashMap::from(metadata))).expect("a file")
}

/// The least that must be said.
fn least() -> Value {
    let Encoding { version, fingerprint } = Encoding::current();
    let encoding = json!({ "version": version, "fingerprint": format!("{fingerprint:016x}") });
    json!({ "schema": "newmarket-player", "version": 1, "encoding": encoding })
}

/// Why it is refused, in one line.
fn refused(bytes: &[u8]) -> String {
    let text = NetPlayer::from_bytes(bytes).expect_err("it must be refused").to_string();
    assert!(!text.contains('\n'), "{text}");
    text
}

#[test]
fn what_is_exported_is_read_again() {
    let mixed = NetPlayer::from(Checkpoint { plays: mixed(), ..small().checkpoint });
    let tempered = NetPlayer { choice: ActionSelection::Tempered(6.0), ..small() };
    for player in [small(), tempered, mixed.clone()] {
        let bytes = player.export(Format::Safetensors, Precision::Single).expect("exported");
        assert_eq!(NetPlayer::from_bytes(&bytes).expect("read"), player);
        assert_eq!(player.export(Format::Safetensors, Precision::Single).expect("again"), bytes);
    }
    // A checkpoint is a player, too.
    let small = small();
    let bytes = small.checkpoint.to_bytes().expect("written");
    assert_eq!(NetPlayer::from_bytes(&bytes).expect("read"), small);
    // So is one that draws some kinds of decision; it comes back as a checkpoint.
    let bytes = mixed.checkpoint.to_bytes().expect("written");
    assert_eq!(NetPlayer::from_bytes(&bytes).expect("read"), mixed);
    assert_eq!(mixed.clone().into_checkpoint(), Ok(mixed.checkpoint));
    // An exported player is no checkpoint, and one that errs on purpose does not become one.
    let exported = small.export(Format::Safetensors, Precision::Half).expect("exported");
    assert_eq!(Checkpoint::from_bytes(&exported), Err(FormatError::Exported));
    let tempered = NetPlayer { choice: ActionSelection::Tempered(2.0), ..small.clone() };
    assert_eq!(tempered.into_checkpoint(), Err(FormatError::Tempered { by: 2.0 }));
    assert_eq!(small.clone().into_checkpoint(), Ok(small.checkpoint));
}

#[test]
fn half_the_bits_are_the_nearest_numbers() {
    let player = small();
    let bytes = player.export(Format::Safetensors, Precision::Half).expect("exported");
    let read = NetPlayer::from_bytes(&bytes).expect("read").checkpoint;
    for (exact, near) in player.checkpoint.weights.arrays().iter().zip(read.weights.arrays()) {
        for (&exact, &near) in exact.data.iter().zip(&near.data) {
            // Eleven bits of a number, or a multiple of 2⁻²⁴.
            let bound = (exact.abs() / 2048.0).max(0.5 / f32::from(1u16 << 12).powi(2));
            assert!((exact - near).abs() <= bound, "{exact} {near}");
            assert_eq!(f16::from_f32(near).to_f32().to_bits(), near.to_bits());
        }
    }
    // Rounded once, it is the same for ever.
    let again = NetPlayer { checkpoint: read.clone(), choice: ActionSelection::Greedy };
    let again = again.export(Format::Safetensors, Precision::Half).expect("exported");
    assert_eq!(NetPlayer::from_bytes(&again).expect("read").checkpoint, read);
    // It says what it was rounded from.
    assert!(String::from_utf8_lossy(&bytes).contains(&player.checkpoint.weights_hash()));

    let mut arrays = player.checkpoint.weights.arrays().to_vec();
    arrays[3].data[1] = 65_520.0;
    let weights = Weights::from_arrays(player.checkpoint.weights.config(), arrays).expect("finite");
    let large = NetPlayer { checkpoint: Checkpoint { weights, ..player.checkpoint }, ..player };
    let error =
        large.export(Format::Safetensors, Precision::Half).expect_err("too large").to_string();
    assert!(error.contains("`trunk.1.bias` holds 65520"), "{error}");
    large.export(Format::Safetensors, Precision::Single).expect("32 bits hold it");
}

#[test]
fn every_number_of_16_bits_is_read_exactly() {
    let finite: Vec<u16> = (0..=u16::MAX).filter(|bits| bits >> 10 & 31 != 31).collect();
    let net = NetConfig { inputs: Observation::LEN, hidden: vec![80], actions: Action::COUNT };
    let mut left = finite.iter().copied().cycle();
    let mut tensors = Vec::new();
    for (name, shape) in Weights::layout(&net) {
        let bits: Vec<u16> = left.by_ref().take(shape.iter().product()).collect();
        tensors.push((name, shape, bits));
    }
    assert!(tensors[0].2.len() >= finite.len(), "each of them is there");
    let data: Vec<Vec<u8>> = tensors
        .iter()
        .map(|it| it.2.iter().flat_map(|bits| bits.to_le_bytes()).collect())
        .collect();
    let views = tensors.iter().zip(&data).map(|((name, shape, _), bytes)| {
        (name, TensorView::new(Dtype::F16, shape.clone(), bytes).expect("a tensor"))
    });
    let metadata = HashMap::from([("newmarket".into(), least().to_string())]);
    let bytes = safetensors::serialize(views, Some(metadata)).expect("a file");
    let read = NetPlayer::from_bytes(&bytes).expect("read").checkpoint.weights;
    for (array, (name, _, bits)) in read.arrays().iter().zip(&tensors) {
        assert_eq!(&array.name, name);
        for (&value, &bits) in array.data.iter().zip(bits) {
            let (exponent, fraction) = (i32::from(bits >> 10 & 31), f64::from(bits & 1023));
            let size = match exponent {
                0 => fraction * 2f64.powi(-24),
                _ => (1024.0 + fraction) * 2f64.powi(exponent - 25),
            };
            let expected = if bits >> 15 == 0 { size } else { -size };
            assert_eq!(f64::from(value).to_bits(), expected.to_bits(), "{bits:04x}");
        }
    }
}

#[test]
fn weights_from_elsewhere_are_taken() {
    let weights = small().checkpoint.weights;
    let read = NetPlayer::from_bytes(&file(weights.arrays(), &least())).expect("a player");
    assert_eq!(read.checkpoint.weights, weights);
    assert_eq!(read.checkpoint.run.encoding, Encoding::current());
    assert_eq!(read.choice, ActionSelection::Greedy);
    let mut about = least();
    about["temperature"] = json!(2.5);
    let read = NetPlayer::from_bytes(&file(weights.arrays(), &about)).expect("a player");
    assert_eq!(read.choice, ActionSelection::Tempered(2.5));
    let mut about = least();
    about["version"] = json!(2);
    about["plays"] = json!({ "auction": 0.1, "ante_after_look": 0.25, "lead": "likeliest" });
    let read = NetPlayer::from_bytes(&file(weights.arrays(), &about)).expect("a player");
    assert_eq!(read.choice, ActionSelection::ByKind(mixed()));
    assert_eq!(read.into_checkpoint().expect("a checkpoint").plays, mixed());
}

#[test]
fn wrong_tensors_are_refused() {
    let arrays = small().checkpoint.weights.arrays().to_vec();
    let with = |change: &dyn Fn(&mut Vec<NamedArray>)| {
        let mut arrays = arrays.clone();
        change(&mut arrays);
        refused(&file(&arrays, &least()))
    };
    for (change, words) in [
        (
            // As PyTorch has it.
            (&|it: &mut Vec<NamedArray>| it[0].shape.reverse()) as &dyn Fn(&mut Vec<NamedArray>),
            "`trunk.0.weight` has shape [3, 896], must be [896, 3]",
        ),
        (&|it| it[3].name = "trunk.1.offset".into(), "unknown tensor `trunk.1.offset`"),
        (&|it| drop(it.remove(7)), "`value.bias`"),
        (&|it| drop(it.remove(1)), "`hidden` is empty"),
        (&|it| it.clear(), "`hidden` is empty"),
        (&|it| it[4].name = "net.policy.weight".into(), "unknown tensor `net.policy.weight`"),
        (&|it| it[2].data[1] = f32::NAN, "`trunk.1.weight` holds a value that is not finite"),
        (&|it| it[6].data[0] = f32::INFINITY, "`value.weight` holds a value that is not finite"),
        (
            &|it| (it[1].shape, it[1].data) = (vec![20_000], vec![0.0; 20_000]),
            "`hidden` is 20000, must be at most 16384",
        ),
        (&|it| (it[1].shape, it[1].data) = (vec![0], vec![]), "`hidden` is 0"),
    ] {
        let text = with(change);
        assert!(text.contains(words), "{words}: {text}");
    }
    let doubles = vec![0; 8 * 3];
    let view = TensorView::new(Dtype::F64, vec![3], &doubles).expect("a tensor");
    let others = arrays.iter().map(|it| it.data.iter().flat_map(|x| x.to_le_bytes()).collect());
    let others: Vec<Vec<u8>> = others.collect();
    let mut views: Vec<_> = arrays
        .iter()
        .zip(&others)
        .map(|(it, bytes)| {
            (&it.name, TensorView::new(Dtype::F32, it.shape.clone(), bytes).unwrap())
        })
        .collect();
    views[1].1 = view;
    let metadata = HashMap::from([("newmarket".into(), least().to_string())]);
    let text = refused(&safetensors::serialize(views, Some(metadata)).expect("a file"));
    assert!(text.contains("`trunk.0.bias` is F64, must be F32 or F16"), "{text}");
}

/// Whatever is read gives numbers, so that it is exported again and its actions are drawn.
#[test]
fn weights_whose_outputs_are_no_numbers_are_refused() {
    let arrays = small().checkpoint.weights.arrays().to_vec();
    for (nth, size, good) in [
        (0, 3e38, false),
        (1, 3e38, false),
        (2, 1e20, true),
        (2, 1e24, false),
        (6, 1e20, true),
        (6, 1e26, false),
    ] {
        let mut arrays = arrays.clone();
        arrays[nth].data[0] = size;
        let bytes = file(&arrays, &least());
        // A checkpoint is held to the same.
        let weights = Weights::from_arrays(small().checkpoint.weights.config(), arrays.clone());
        let weights = weights.expect("they are finite");
        let checkpoint = Checkpoint { weights, ..small().checkpoint }.to_bytes().expect("bytes");
        assert_eq!(NetPlayer::from_bytes(&checkpoint).is_ok(), good, "{nth} {size}");
        if good {
            let read = NetPlayer::from_bytes(&bytes).expect("large, but not too large");
            let again = read.export(Format::Safetensors, Precision::Single).expect("exported");
            assert_eq!(NetPlayer::from_bytes(&again), Ok(read));
        } else {
            assert!(
                refused(&bytes).contains("so large that outputs can be infinite"),
                "{nth} {size}"
            );
        }
    }
}

#[test]
fn wrong_metadata_is_refused() {
    let arrays = small().checkpoint.weights.arrays().to_vec();
    let with = |key: &str, value: Value| {
        let mut about = least();
        about[key] = value;
        refused(&file(&arrays, &about))
    };
    let other = json!({ "version": 4, "fingerprint": "00000000000000ff" });
    let mut run = serde_json::to_value(small().checkpoint.run).expect("JSON");
    run["encoding"] = other.clone();
    for (key, value, words) in [
        ("encoding", other, "made for encoding version 4 (00000000000000ff)"),
        ("encoding", json!(5), "manifest: "),
        ("schema", json!("newmarket-song"), "its schema is `newmarket-song`"),
        ("version", json!(3), "exported player of version 3, this program reads versions 1 and 2"),
        ("plays", json!({ "lead": 0.5 }), "`plays` needs version 2"),
        ("plays", json!({ "leads": 0.5 }), "`plays` has `leads`, expected ante, ante_after_look, "),
        ("plays", json!({ "bet": "boldly" }), "`plays.bet` must be \"likeliest\" or a temperature"),
        ("plays", json!({ "bet": 0 }), "`plays.bet` must be \"likeliest\" or a temperature"),
        ("plays", json!({ "bet": 1e300 }), "between 0.001 and 1000000"),
        ("plays", json!({ "bet": null }), "manifest: "),
        ("plays", json!(0.5), "manifest: "),
        ("temperature", json!(0), "`temperature` is 0, must be between 0.001 and 1000000"),
        ("temperature", json!(-1e300), "`temperature` is -inf"),
        ("weights_blake3", json!("00"), "corrupt: the weights' hash"),
        ("golden", json!({ "seed": 1, "logits": [0.0], "value": 0.0 }), "golden pass"),
        ("run", run, "`run.encoding` is not `encoding`"),
        ("temprature", json!(2), "unknown field `temprature`"),
    ] {
        let text = with(key, value);
        assert!(text.contains(words), "{words}: {text}");
    }
    let mut about = least();
    (about["version"], about["plays"]) = (json!(2), json!({ "lead": 0.5 }));
    about["temperature"] = json!(2);
    assert!(refused(&file(&arrays, &about)).contains("`temperature` and `plays` exclude"));
    let mut about = least();
    about.as_object_mut().expect("an object").remove("encoding");
    assert!(refused(&file(&arrays, &about)).contains("missing field `encoding`"));
    let none: Option<HashMap<String, String>> = None;
    let empty: [(&str, TensorView); 0] = [];
    let text = refused(&safetensors::serialize(empty, none).expect("a file"));
    assert!(text.contains("metadata has no `newmarket`"), "{text}");
}

#[test]
fn damaged_files_are_refused_or_say_the_same() {
    let player = small();
    let whole = player.export(Format::Safetensors, Precision::Half).expect("exported");
    for length in (0..whole.len()).step_by(7).chain([whole.len() - 1]) {
        let text = refused(&whole[..length]);
        assert!(length == 0 || text.contains("truncated"), "{length}: {text}");
    }
    let read = NetPlayer::from_bytes(&whole).expect("whole");
    for at in (0..whole.len()).step_by(5) {
        for flip in [1, 0x20, 0x80] {
            let mut file = whole.clone();
            file[at] ^= flip;
            // A letter may have changed in what is said about it; its weights have not.
            if let Ok(changed) = NetPlayer::from_bytes(&file) {
                assert_eq!(changed.checkpoint.weights, read.checkpoint.weights, "byte {at}");
            }
        }
    }
    assert!(refused(&[&whole[..], &[0]].concat()).contains("its length"));
}

#[test]
fn a_name_finds_either_kind_of_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("small.safetensors");
    let tempered = NetPlayer { choice: ActionSelection::Tempered(2.0), ..small() };
    std::fs::write(
        &path,
        tempered.export(Format::Safetensors, Precision::Single).expect("exported"),
    )
    .unwrap();
    assert_eq!(net_player(&path).expect("read"), tempered);
    let error = net_checkpoint(&path).expect_err("it has a temperature").to_string();
    assert!(error.contains("temperature 2"), "{error}");
    std::fs::write(
        &path,
        small().export(Format::Safetensors, Precision::Single).expect("exported"),
    )
    .unwrap();
    assert_eq!(net_checkpoint(&path).expect("read"), small().checkpoint);
    let easy = net_player(Path::new("easy")).expect("known").choice;
    assert!(matches!(easy, ActionSelection::Level(Level { temperature: 25.0, .. })));
}
