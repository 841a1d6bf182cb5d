//! Whatever is not exactly a checkpoint is refused, in one clear line.

use std::collections::BTreeMap;
use std::fs;

use newmarket_agents::net::{PlayKind, Plays};
use newmarket_checkpoints::{
    Checkpoint, Encoding, Error, FormatError, OptimizerState, Provenance, verify,
};
use newmarket_env::{Action, Observation};
use newmarket_net::{NamedArray, NetConfig, Weights};

use super::{bytes, checkpoint, parse, weights_only};

/// The error, whose message must be one line.
fn refused(bytes: &[u8], what: &str) -> FormatError {
    let error = parse(bytes).err().unwrap_or_else(|| panic!("{what}: must be refused"));
    let message = error.to_string();
    assert!(!message.contains('\n'), "{message}");
    error
}

/// Replaces text in a file and seals it anew, as another program might have written it.
fn forged(file: &[u8], from: &str, to: &str) -> Vec<u8> {
    assert_eq!(from.len(), to.len());
    let at = file.windows(from.len()).position(|w| w == from.as_bytes()).expect("in the file");
    let mut file = file.to_vec();
    file[at..at + to.len()].copy_from_slice(to.as_bytes());
    let body = file.len() - 32;
    let seal = blake3::hash(&file[..body]);
    file[body..].copy_from_slice(seal.as_bytes());
    file
}

#[test]
fn every_truncation() {
    for file in [bytes(&checkpoint(1)), bytes(&weights_only())] {
        for length in 0..file.len() {
            let error = refused(&file[..length], &format!("{length} bytes"));
            let expected =
                matches!(error, FormatError::Truncated { .. } | FormatError::Foreign { .. });
            assert!(expected, "{length}: {error}");
            if length > 0 {
                assert!(matches!(error, FormatError::Truncated { .. }), "{length}: {error}");
            }
        }
        let FormatError::Truncated { got, expected, .. } =
            refused(&file[..file.len() - 1], "short")
        else {
            panic!("one byte short is truncated");
        };
        assert_eq!((got, expected), (file.len() as u64 - 1, file.len() as u64));
    }
}

#[test]
fn every_changed_byte() {
    let file = bytes(&weights_only());
    for at in 0..file.len() {
        for flip in [1, 0x20, 0x80, 0xff] {
            let mut file = file.clone();
            file[at] ^= flip;
            refused(&file, &format!("byte {at} ^ {flip}"));
        }
    }
    let file = bytes(&checkpoint(1));
    for at in (0..file.len()).step_by(7) {
        let mut file = file.clone();
        file[at] ^= 0x10;
        refused(&file, &format!("byte {at}"));
    }
}

#[test]
fn more_bytes_than_were_written() {
    let mut file = bytes(&weights_only());
    file.push(0);
    assert!(matches!(refused(&file, "a byte more"), FormatError::Corrupt { .. }));
}

#[test]
fn foreign_files() {
    let json = br#"{"schema":"newmarket-checkpoint","version":2}"#;
    let png = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x01\0\0\0\x01\0";
    let tensor =
        safetensors::tensor::TensorView::new(safetensors::Dtype::F32, vec![1], &[0, 0, 0, 0])
            .unwrap();
    let other = safetensors::serialize([("a", tensor)], None).unwrap();
    let zip = [b"PK\x03\x04".as_slice(), &[0; 60]].concat();
    let cases: [(&str, &[u8]); 7] = [
        ("empty", b""),
        ("json", json),
        ("png", png),
        ("zip", &zip),
        ("text", b"just some text, longer than eight bytes"),
        ("zeros", &[0; 4096]),
        ("other safetensors", &other),
    ];
    for (what, file) in cases {
        let error = refused(file, what);
        assert!(matches!(error, FormatError::Foreign { .. }), "{what}: {error}");
    }
    assert_eq!(
        refused(b"", "empty").to_string(),
        "not a network: an empty file; expected a checkpoint, as update-000120.ckpt, or a player exported as \
         safetensors"
    );
}

#[test]
fn what_is_not_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let error = Checkpoint::read(folder.path()).unwrap_err();
    assert!(matches!(error, Error::Format { source: FormatError::Foreign { .. }, .. }), "{error}");
    let path = folder.path().display().to_string();
    assert!(error.to_string().starts_with(&format!("{path}: not a network: ")), "{error}");
    let error = Checkpoint::read(&folder.path().join("none.ckpt")).unwrap_err();
    assert!(matches!(error, Error::Io { .. }), "{error}");
}

/// In a file of version 2 nothing is drawn.
#[test]
fn what_is_drawn_needs_its_version() {
    let plays = Plays::LIKELIEST.with(PlayKind::Lead, Some(0.1));
    let mixed = bytes(&Checkpoint { plays, ..weights_only() });
    let old = forged(&mixed, r#"checkpoint\",\"version\":3"#, r#"checkpoint\",\"version\":2"#);
    let text = refused(&old, "an old version").to_string();
    assert!(text.contains("`plays` needs version 3"), "{text}");
}

#[test]
fn another_version_is_named() {
    for version in [0, 1, 4] {
        let file = forged(
            &bytes(&weights_only()),
            r#"checkpoint\",\"version\":2"#,
            &format!(r#"checkpoint\",\"version\":{version}"#),
        );
        assert_eq!(
            refused(&file, "another version").to_string(),
            format!(
                "checkpoint format version {version}, this program reads versions 2 and 3; use the \
                 program that wrote it, or train anew"
            )
        );
    }
    let file = forged(&bytes(&weights_only()), "newmarket-checkpoint", "oldmarket-checkpoint");
    assert!(matches!(refused(&file, "schema"), FormatError::Foreign { .. }));
}

#[test]
fn sealed_nonsense() {
    let file = bytes(&checkpoint(1));
    for (from, to) in [
        // A field that nobody knows, one of a wrong type, a number that is none.
        (r#"\"decisions\":"#, r#"\"decisionz\":"#),
        (r#"\"update\":1"#, r#"\"update\":x"#),
        (r#"\"seed\":\"18446744073709551615\""#, r#"\"seed\":\"99446744073709551615\""#),
        ("0123456789abcdef", "0123456789abcdeg"),
        ("0001020304050607", "000102030405060z"),
        // Another network than the tensors have; tensors of other names.
        (r#"\"actions\":7"#, r#"\"actions\":8"#),
        (r#"\"inputs\":12"#, r#"\"inputs\":00"#),
        ("net.policy.bias", "net.policy.bits"),
        ("net.policy.bias", "xxx.policy.bias"),
        ("optim.1.momentum.moment_1", "optim.x.momentum.moment_1"),
        ("optim.1.momentum.moment_1", "other.1.momentum.moment_1"),
    ] {
        refused(&forged(&file, from, to), to);
    }
    // A weight that was changed and sealed: the weights have a hash of their own.
    let weights = bytes(&weights_only());
    let mut changed = weights.clone();
    let at = weights.len() - 32 - 9;
    changed[at] ^= 1;
    let body = changed.len() - 32;
    let seal = blake3::hash(&changed[..body]);
    changed[body..].copy_from_slice(seal.as_bytes());
    let error = refused(&changed, "a changed weight");
    assert!(error.to_string().contains("the weights' hash"), "{error}");
}

#[test]
fn another_encoding() {
    let whole = checkpoint(1);
    let here = whole.run.encoding;
    assert!(whole.check_encoding(here).is_ok());
    for other in
        [Encoding { fingerprint: 0xbad, ..here }, Encoding { version: here.version + 1, ..here }]
    {
        let error = whole.check_encoding(other).unwrap_err();
        assert!(matches!(error, FormatError::Encoding { .. }));
    }
    let other = Encoding { version: 2, fingerprint: 0xbad };
    assert_eq!(
        whole.check_encoding(other).unwrap_err().to_string(),
        "made for encoding version 1 (0123456789abcdef), this program has version 2 \
         (0000000000000bad); use the program that made it, or train anew"
    );
}

#[test]
fn a_golden_pass_that_does_not_come_out() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.ckpt");
    let file = bytes(&checkpoint(1));
    // The value's first digit after the point, whatever it is.
    let key = br#"\"value\":"#;
    let from = file.windows(key.len()).rposition(|w| w == key).unwrap();
    let point = from + file[from..].iter().position(|&b| b == b'.').unwrap();
    let old = String::from_utf8(file[from..point + 2].to_vec()).unwrap();
    let digit = if file[point + 1] == b'9' { '1' } else { '9' };
    let new = format!("{}{digit}", &old[..old.len() - 1]);

    fs::write(&path, &file).unwrap();
    verify(&path).unwrap();
    fs::write(&path, forged(&file, &old, &new)).unwrap();
    assert!(Checkpoint::read(&path).is_ok(), "the file itself is sound");
    let error = verify(&path).unwrap_err();
    assert!(
        matches!(&error, Error::Format { source: FormatError::Golden { output, .. }, .. } if output == "value"),
        "{error}"
    );
}

#[test]
fn other_widths_than_the_encodings() {
    let of = |encoding, inputs, actions| {
        let net = NetConfig { inputs, hidden: vec![3], actions };
        let run = Provenance { encoding, ..Provenance::default() };
        bytes(&Checkpoint::new(run, Weights::init(&net, 1)))
    };
    let (here, old) = (Encoding::current(), Encoding { version: 1, fingerprint: 1 });
    parse(&of(here, Observation::LEN, Action::COUNT)).expect("the widths of the encoding");
    parse(&of(old, 40, 40)).expect("what widths an older encoding had is not known here");
    for (inputs, actions, words) in [
        (40, Action::COUNT, "network: `inputs` is 40, must be "),
        (Observation::LEN + 1, Action::COUNT, "`inputs`"),
        (Observation::LEN, 40, "network: `actions` is 40, must be 74 "),
        (Observation::LEN, 73, "`actions` is 73"),
        (Observation::LEN, 75, "`actions` is 75"),
    ] {
        let error = refused(&of(here, inputs, actions), words);
        assert!(matches!(error, FormatError::Widths { .. }), "{error}");
        assert!(error.to_string().contains(words), "{error}");
    }
}

/// The file of a checkpoint whose optimizer's arrays were changed.
fn with_arrays(change: impl FnOnce(&mut Vec<NamedArray>)) -> Vec<u8> {
    let mut whole = checkpoint(1);
    let state = whole.optimizer.take().expect("it has one");
    let (mut arrays, scalars) = (state.tensors().to_vec(), state.scalars().clone());
    change(&mut arrays);
    whole.optimizer =
        Some(OptimizerState::from_parts(arrays, scalars, BTreeMap::new()).expect("names"));
    bytes(&whole)
}

#[test]
fn an_optimizer_from_which_nothing_can_go_on() {
    parse(&with_arrays(|_| ())).expect("as it was");
    for (name, value, words) in [
        ("1.momentum.moment_1", f32::NAN, "holds NaN at index 2, must be finite"),
        ("1.momentum.moment_1", f32::INFINITY, "holds inf"),
        ("2.momentum.moment_2", f32::NAN, "`2.momentum.moment_2` holds NaN"),
        ("2.momentum.moment_2", -1e-9, "must be finite and 0 or more"),
    ] {
        let file = with_arrays(|arrays| {
            arrays.iter_mut().find(|array| array.name == name).expect(name).data[2] = value;
        });
        let error = refused(&file, words);
        assert!(error.to_string().contains(words), "{error}");
    }
    for (name, shape, words) in [
        ("1.momentum.moment_3", vec![1], "unknown tensor `1.momentum.moment_3`"),
        ("1.", vec![1], "unknown tensor `1.`"),
        ("0.average", vec![1], "unknown tensor `0.average`"),
        // Beyond the network, and no path says what it is.
        ("9.average", vec![1], "unknown tensor `9.average`"),
        ("1.average", vec![1], "`1.average` has shape [1], must be [12, 9]"),
    ] {
        let file = with_arrays(|arrays| {
            arrays.push(NamedArray { name: name.into(), shape, data: vec![0.0] });
        });
        let error = refused(&file, words);
        assert!(error.to_string().contains(words), "{error}");
    }
}

/// A file with one tensor more than was written, sealed anew.
fn with_tensor(file: &[u8], name: &str) -> Vec<u8> {
    let length = u64::from_le_bytes(file[..8].try_into().unwrap()) as usize;
    let (header, data) = file[8..].split_at(length);
    let mut header: serde_json::Value = serde_json::from_slice(header).unwrap();
    let end = data.len() - 32;
    header[name] =
        serde_json::json!({"dtype": "F32", "shape": [1], "data_offsets": [end, end + 4]});
    header["seal"]["data_offsets"] = serde_json::json!([end + 4, end + 36]);
    let header = header.to_string();
    let mut forged = (header.len() as u64).to_le_bytes().to_vec();
    forged.extend_from_slice(header.as_bytes());
    forged.extend_from_slice(&data[..end]);
    forged.extend_from_slice(&[0; 4]);
    let seal = blake3::hash(&forged);
    forged.extend_from_slice(seal.as_bytes());
    forged
}

#[test]
fn unknown_tensors() {
    let file = bytes(&weights_only());
    for name in ["net.trunk.9.bias", "net.critic.bias", "net.", "more"] {
        let error = refused(&with_tensor(&file, name), name);
        assert!(error.to_string().contains(&format!("unknown tensor `{name}`")), "{error}");
    }
}

#[test]
fn the_beginning_of_a_file_tells_before_the_rest_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.ckpt");
    let whole = bytes(&weights_only());
    // Holes take no room on a disk, but would in memory.
    let long = |beginning: &[u8]| {
        fs::write(&path, beginning).unwrap();
        fs::File::options().write(true).open(&path).unwrap().set_len(3 << 30).unwrap();
        Checkpoint::read(&path).unwrap_err().to_string()
    };
    assert!(long(b"").contains("not a network"));
    assert!(long(&whole).contains("its length"));
    assert!(long(b"\0\0\0\x05\0\0\0\0{").contains("a header of 83886080 bytes, at most 8388608"));
    fs::write(&path, &whole[..whole.len() - 1]).unwrap();
    assert!(Checkpoint::read(&path).unwrap_err().to_string().contains("truncated"));
}
