//! npz and ONNX files, read by hand: the arrays are the weights, the metadata is that of all formats.

use half::f16;
use newmarket_agents::net::{PlayKind, Plays};
use newmarket_checkpoints::export::{Format, Precision};
use newmarket_checkpoints::{Checkpoint, NetPlayer};
use serde_json::Value;

use super::player::small;

/// The metadata of a safetensors file.
fn metadata(file: &[u8]) -> String {
    let length = u64::from_le_bytes(*file.first_chunk().expect("a length"));
    let header: Value = serde_json::from_slice(&file[8..][..length as usize]).expect("JSON");
    header["__metadata__"]["newmarket"].as_str().expect("a text").into()
}

fn number(bytes: &[u8]) -> usize {
    bytes.iter().rev().fold(0, |number, &byte| number << 8 | usize::from(byte))
}

/// The files of an archive that are stored as they are, by the headers before each.
fn unzipped(mut archive: &[u8]) -> Vec<(String, Vec<u8>)> {
    let mut files = Vec::new();
    while archive.starts_with(b"PK\x03\x04") {
        let (length, name) = (number(&archive[18..22]), number(&archive[26..28]));
        let text = String::from_utf8(archive[30..][..name].to_vec()).expect("a name");
        files.push((text, archive[30 + name..][..length].to_vec()));
        archive = &archive[30 + name + length..];
    }
    assert!(archive.starts_with(b"PK\x01\x02"), "then the directory");
    files
}

/// The fields of a message: number, and the bytes or the number that it holds.
fn fields(mut message: &[u8]) -> Vec<(u64, Vec<u8>, u64)> {
    fn varint(from: &mut &[u8]) -> u64 {
        let mut number = 0;
        for shift in 0.. {
            let byte = from[0];
            *from = &from[1..];
            number |= u64::from(byte & 0x7f) << (7 * shift);
            if byte < 0x80 {
                break;
            }
        }
        number
    }
    let mut found = Vec::new();
    while !message.is_empty() {
        let key = varint(&mut message);
        let value = varint(&mut message);
        let bytes = match key & 7 {
            0 => Vec::new(),
            2 => {
                let (bytes, rest) = message.split_at(value as usize);
                message = rest;
                bytes.to_vec()
            }
            other => panic!("wire type {other}"),
        };
        found.push((key >> 3, bytes, value));
    }
    found
}

fn only(message: &[u8], field: u64) -> Vec<u8> {
    fields(message).into_iter().find(|it| it.0 == field).expect("the field").1
}

/// The bytes of the weights, by name.
fn expected(player: &NetPlayer, half: bool) -> Vec<(String, Vec<usize>, Vec<u8>)> {
    let arrays = player.checkpoint.weights.arrays().iter();
    let bytes = |value: &f32| {
        if half {
            f16::from_f32(*value).to_le_bytes().to_vec()
        } else {
            value.to_le_bytes().to_vec()
        }
    };
    arrays
        .map(|it| (it.name.clone(), it.shape.clone(), it.data.iter().flat_map(bytes).collect()))
        .collect()
}

#[test]
fn npz_has_the_weights_and_the_metadata() {
    for precision in [Precision::Single, Precision::Half] {
        let half = precision == Precision::Half;
        let player = small();
        let file = player.export(Format::Npz, precision).expect("exported");
        assert_eq!(player.export(Format::Npz, precision).expect("again"), file);
        let mut files = unzipped(&file);
        let (name, told) = files.pop().expect("the metadata");
        let same = metadata(&player.export(Format::Safetensors, precision).expect("exported"));
        assert_eq!((name.as_str(), told.ends_with(same.as_bytes())), ("metadata.npy", true));
        let expected = expected(&player, half);
        assert_eq!(files.len(), expected.len());
        for ((file, npy), (name, shape, bytes)) in files.iter().zip(expected) {
            assert_eq!(*file, format!("{name}.npy"));
            let start = 10 + number(&npy[8..10]);
            assert_eq!((&npy[..8], start % 64), (&b"\x93NUMPY\x01\x00"[..], 0));
            let header = String::from_utf8(npy[10..start].to_vec()).expect("a text");
            let kind = if half { "<f2" } else { "<f4" };
            let shape = match shape[..] {
                [one] => format!("({one},)"),
                [rows, columns] => format!("({rows}, {columns},)"),
                _ => panic!("{shape:?}"),
            };
            assert!(header.contains(&format!("'descr': '{kind}'")), "{header}");
            assert!(header.contains(&format!("'shape': {shape}")), "{header}");
            assert_eq!(npy[start..], bytes);
        }
    }
}

#[test]
fn onnx_has_the_weights_and_the_metadata() {
    for precision in [Precision::Single, Precision::Half] {
        let half = precision == Precision::Half;
        let player = small();
        let file = player.export(Format::Onnx, precision).expect("exported");
        assert_eq!(player.export(Format::Onnx, precision).expect("again"), file);
        let same = metadata(&player.export(Format::Safetensors, precision).expect("exported"));
        assert_eq!(only(&only(&file, 14), 2), same.as_bytes());
        let graph = only(&file, 7);
        let tensors = fields(&graph).into_iter().filter(|it| it.0 == 5).map(|it| it.1);
        let tensors: Vec<Vec<u8>> = tensors.collect();
        for (name, shape, bytes) in expected(&player, half) {
            let name = if half { format!("{name}.f16") } else { name };
            let tensor = tensors.iter().find(|it| only(it, 8) == name.as_bytes());
            let tensor = tensor.expect("the weights");
            let dims = fields(tensor).into_iter().filter(|it| it.0 == 1).map(|it| it.2 as usize);
            assert_eq!(dims.collect::<Vec<_>>(), shape);
            assert_eq!(only(tensor, 9), bytes);
        }
        let names = |field| -> Vec<String> {
            let infos = fields(&graph).into_iter().filter(|it| it.0 == field);
            infos.map(|it| String::from_utf8(only(&it.1, 1)).expect("a name")).collect()
        };
        assert_eq!(names(11), ["observation", "legal"]);
        assert_eq!(names(12), ["logits", "value", "policy", "action"]);
    }
}

/// A player that draws some kinds of decision says so in every format, and its policy is certain elsewhere.
#[test]
fn what_a_player_draws_is_exported() {
    let (mut certain, mut drawn) = (0, 0);
    for kind in PlayKind::ALL {
        let plays = Plays::LIKELIEST.with(kind, Some(0.5));
        let player = NetPlayer::from(Checkpoint { plays, ..small().checkpoint });
        let told =
            metadata(&player.export(Format::Safetensors, Precision::Single).expect("exported"));
        let onnx = player.export(Format::Onnx, Precision::Single).expect("exported");
        assert_eq!(only(&only(&onnx, 14), 2), told.as_bytes());
        let told: Value = serde_json::from_str(&told).expect("JSON");
        assert_eq!(told["version"], 2);
        for (other, name) in PlayKind::ALL.into_iter().zip(PlayKind::NAMES) {
            let expected = if other == kind { 0.5.into() } else { Value::from("likeliest") };
            assert_eq!(told["plays"][name], expected);
        }
        let example = &told["about"]["example"];
        let policy = example["policy"].as_array().expect("a list");
        let policy: Vec<f64> = policy.iter().map(|it| it.as_f64().expect("a number")).collect();
        assert!((policy.iter().sum::<f64>() - 1.0).abs() < 1e-5);
        let action = example["action"].as_u64().expect("an index") as usize;
        assert!(policy.iter().all(|&chance| chance <= policy[action]));
        if policy[action] > 0.999_999 { certain += 1 } else { drawn += 1 }
    }
    assert_eq!((certain, drawn), (PlayKind::COUNT - 1, 1), "the example is of one kind");
}
