//! `newmarket checkpoint`, from the command line.

use std::path::Path;
use std::process::{Command, Output};

use newmarket_agents::net::{PlayKind, Plays};
use newmarket_checkpoints::roster::net_checkpoint;
use newmarket_checkpoints::{Checkpoint, Encoding, NetPlayer, Provenance, TrainedOn};
use newmarket_env::{Action, Observation};
use newmarket_net::{NetConfig, Weights};

fn newmarket(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_newmarket")).args(args).output().unwrap()
}

#[test]
fn networks_are_joined_to_one_that_plays() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("two.ckpt").display().to_string();
    let output = newmarket(&["checkpoint", "join", "champion", "champion", "--out", &file]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(newmarket(&["checkpoint", "verify", &file]).status.success());
    let shown = String::from_utf8(newmarket(&["checkpoint", "show", &file]).stdout).unwrap();
    let champion = net_checkpoint(Path::new("champion")).unwrap().weights;
    let twice: Vec<usize> = champion.config().hidden.iter().map(|width| 2 * width).collect();
    let twice = format!("{twice:?}");
    for words in [&*twice, "# part 1 of 2", "# part 2 of 2", "resumable  no"] {
        assert!(shown.contains(words), "{words}: {shown}");
    }
    // The counts of both parents are added.
    let once = net_checkpoint(Path::new("champion")).unwrap().run;
    let both = net_checkpoint(Path::new(&file)).unwrap().run;
    assert!(once.update > 0 && once.decisions > 0 && once.counters.values().any(|&n| n > 0));
    assert_eq!((both.update, both.decisions), (2 * once.update, 2 * once.decisions));
    assert_eq!(both.counters, once.counters.into_iter().map(|(k, n)| (k, 2 * n)).collect());
    let TrainedOn::Joined(parents) = both.trained_on else { panic!("joined") };
    assert_eq!(parents.len(), 2);
    assert!(shown.contains(&parents[0].weights_blake3), "{shown}");
    assert_eq!(parents[1].update, once.update);
    // The mean of a network with itself plays alike, except near ties, because of rounding.
    let name = format!("net:{file}");
    let args = ["duel", &name, "net:champion", "--deals", "2000", "--json"];
    let duel: serde_json::Value = serde_json::from_slice(&newmarket(&args).stdout).unwrap();
    assert!(duel["gain"].as_f64().unwrap().abs() < 0.03, "{duel}");
}

#[test]
fn what_cannot_be_joined_leaves_no_file() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("two.ckpt").display().to_string();
    for (how, paths, words) in [
        ("join", &["champion"][..], "2 values"),
        ("join", &["champion", "no/such"][..], "no/such"),
        ("join", &["net:champion", "net:easy"][..], "makes mistakes on purpose"),
        ("release", &["net:hard"][..], "checkpoint export net:hard"),
    ] {
        let output = newmarket(&[&["checkpoint", how, "--out", &file], paths].concat());
        let text = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{text}");
        assert!(text.contains(words), "{text}");
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 0);
    }
}

#[test]
fn the_networks_that_come_with_the_program_are_shown_by_their_names() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("released.ckpt").display().to_string();
    for name in ["net:champion", "champion", "net:hard"] {
        let output = newmarket(&["checkpoint", "show", name]);
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(output.status.success(), "{name}: {text}");
        let full = format!("net:{}", name.trim_start_matches("net:"));
        let widths = net_checkpoint(Path::new("champion")).unwrap().weights.config().hidden.clone();
        assert!(text.contains(&full) && text.contains(&format!("{widths:?}")), "{text}");
        assert!(newmarket(&["checkpoint", "verify", name]).status.success());
    }
    let output = newmarket(&["checkpoint", "release", "net:champion", "--out", &file]);
    assert!(output.status.success());
    assert!(newmarket(&["checkpoint", "verify", &format!("net:{file}")]).status.success());
    let output = newmarket(&["checkpoint", "show", "net:nobody"]);
    assert_eq!(output.status.code(), Some(2));
}

/// A run can be repeated: the trainer accepts the configuration of its network.
#[test]
fn the_configuration_of_a_network_is_one_for_the_trainer() {
    let dir = tempfile::tempdir().unwrap();
    let (joined, noted) = (dir.path().join("two.ckpt"), dir.path().join("noted.ckpt"));
    let output = newmarket(&["checkpoint", "show", "net:champion", "--config"]);
    assert!(output.status.success());
    // The configuration is complete, without a preset.
    let text = String::from_utf8(output.stdout).unwrap();
    let config = newmarket_train::Config::from_toml(&text, "champion.toml").unwrap();
    let made = net_checkpoint(Path::new("champion")).unwrap();
    assert_eq!(text.trim_end(), made.run.training.trim_end());
    assert_eq!((config.seed, config.run.updates), (made.run.seed, made.run.update));
    assert_eq!(config.network.hidden, made.weights.config().hidden);

    let joined = joined.display().to_string();
    let output = newmarket(&["checkpoint", "join", "champion", "champion", "--out", &joined]);
    assert!(output.status.success());
    forged(&noted, Observation::LEN, Action::COUNT);
    for path in [joined, noted.display().to_string()] {
        let output = newmarket(&["checkpoint", "show", &path, "--config"]);
        let text = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{text}");
        assert!(text.contains("expected the network of a single run: "), "{text}");
        assert!(output.stdout.is_empty() && text.lines().count() == 1, "{text}");
    }
}

/// A checkpoint of the current encoding that is valid except for its widths.
fn forged(path: &Path, inputs: usize, actions: usize) {
    let net = NetConfig { inputs, hidden: vec![8], actions };
    let run = Provenance { encoding: Encoding::current(), ..Provenance::default() };
    let checkpoint = Checkpoint::new(run, Weights::init(&net, 1));
    checkpoint.write(path).unwrap();
}

#[test]
fn widths_that_the_encoding_has_not_are_refused_everywhere() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("forged.ckpt");
    let (path, name) = (file.display().to_string(), format!("net:{}", file.display()));
    let start = format!("network.start={path}");
    let run = dir.path().join("run").display().to_string();
    for (inputs, actions) in [(40, 74), (Observation::LEN, 40), (Observation::LEN, 73)] {
        forged(&file, inputs, actions);
        for args in [
            &["checkpoint", "verify", &path][..],
            &["duel", &name, "random", "--deals", "10"],
            &["trace", "--agents", &name, "--deals", "2"],
            &["train", "quick", "--out", &run, "--set", "network.hidden=[8]", "--set", &start],
        ] {
            let output = newmarket(args);
            let text = String::from_utf8(output.stderr).unwrap();
            assert_eq!(output.status.code(), Some(2), "{args:?}: {text}");
            assert_eq!(text.lines().count(), 1, "{args:?}: {text}");
            assert!(text.contains("must be") && text.contains("encoding version"), "{text}");
        }
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 1, "no run has begun");
    }
}

/// The output of a command, which must succeed.
fn done(args: &[&str]) -> String {
    let output = newmarket(args);
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// The one line of a refusal.
fn refused(args: &[&str]) -> String {
    let output = newmarket(args);
    let text = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{args:?}: {text}");
    assert_eq!(text.lines().count(), 1, "{args:?}: {text}");
    text
}

#[test]
fn a_player_leaves_and_comes_back_as_it_was() {
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str| dir.path().join(name).display().to_string();
    let (out, back) = (path("champion.safetensors"), path("back.ckpt"));
    done(&["checkpoint", "export", "net:champion", "--format", "safetensors", "--out", &out]);
    done(&["checkpoint", "import", &out, "--out", &back]);
    let released = path("released.ckpt");
    done(&["checkpoint", "release", "net:champion", "--out", &released]);
    assert!(std::fs::read(&back).unwrap() == std::fs::read(&released).unwrap());
    // It can also play without being imported.
    let duel = |hero: &str| {
        let args = ["duel", hero, "net:champion", "--deals", "100", "--json"];
        serde_json::from_str::<serde_json::Value>(&done(&args)).unwrap()["gain"].as_f64().unwrap()
    };
    assert!(duel(&format!("net:{out}")).abs() < 1e-9);
    // A player that makes mistakes on purpose keeps doing so, and cannot become a checkpoint.
    let easy = path("easy.safetensors");
    let args = ["checkpoint", "export", "net:easy", "--format", "safetensors", "--out", &easy];
    done(&[&args[..], &["--f16"]].concat());
    assert!((duel(&format!("net:{easy}")) - duel("net:easy")).abs() < 0.05);
    assert!(duel("net:easy") < -0.5);
    let text = refused(&["checkpoint", "import", &easy, "--out", &path("easy.ckpt")]);
    assert!(text.contains("temperature 25") && text.contains("net:FILE"), "{text}");
    assert!(!dir.path().join("easy.ckpt").exists());
}

/// What a network draws is shown, leaves with it and comes back; networks that draw differently are not joined.
#[test]
fn a_player_that_draws_leaves_and_comes_back_as_it_was() {
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str| dir.path().join(name).display().to_string();
    let (mixed, out, back) = (path("mixed.ckpt"), path("mixed.safetensors"), path("back.ckpt"));
    let plays = Plays::LIKELIEST.with(PlayKind::Lead, Some(4.0));
    let champion = net_checkpoint(Path::new("champion")).unwrap();
    Checkpoint { plays, ..champion }.write(Path::new(&mixed)).unwrap();
    let shown = done(&["checkpoint", "show", &mixed]);
    assert!(shown.contains("plays      likeliest action; lead drawn at temperature 4"), "{shown}");
    assert!(done(&["checkpoint", "show", "champion"]).contains("plays      likeliest action\n"));
    done(&["checkpoint", "export", &mixed, "--format", "safetensors", "--out", &out]);
    done(&["checkpoint", "import", &out, "--out", &back]);
    assert!(std::fs::read(&back).unwrap() == std::fs::read(&mixed).unwrap());
    // It plays as it says, from either file.
    let duel = |hero: &str| {
        let args = ["duel", hero, "net:champion", "--deals", "1000", "--json"];
        serde_json::from_str::<serde_json::Value>(&done(&args)).unwrap()["gain"].as_f64().unwrap()
    };
    let gain = duel(&format!("net:{mixed}"));
    assert!(gain < -0.05, "{gain}");
    assert!((gain - duel(&format!("net:{out}"))).abs() < 1e-9);
    let two = path("two.ckpt");
    let text = refused(&["checkpoint", "join", &mixed, "champion", "--out", &two]);
    assert!(text.contains("expected networks that choose alike"), "{text}");
    done(&["checkpoint", "join", &mixed, &back, "--out", &two]);
    assert_eq!(net_checkpoint(Path::new(&two)).unwrap().plays, plays);
}

#[test]
fn networks_of_all_kinds_are_exported_in_all_formats() {
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str| dir.path().join(name).display().to_string();
    let two = path("two.ckpt");
    done(&["checkpoint", "join", "champion", "champion", "--out", &two]);
    let first = path("two.safetensors");
    done(&["checkpoint", "export", &two, "--format", "safetensors", "--f16", "--out", &first]);
    for (format, starts) in
        [("safetensors", None), ("npz", Some(&b"PK\x03\x04"[..])), ("onnx", Some(b"\x08\x08"))]
    {
        // An exported player can be exported again.
        let out = path(format);
        done(&["checkpoint", "export", &first, "--format", format, "--f16", "--out", &out]);
        let bytes = std::fs::read(&out).unwrap();
        match starts {
            Some(starts) => assert!(bytes.starts_with(starts), "{format}"),
            None => assert!(NetPlayer::from_bytes(&bytes).is_ok()),
        }
    }
}

#[test]
fn what_cannot_be_exported_or_imported_leaves_no_file() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("out").display().to_string();
    let foreign = dir.path().join("foreign.safetensors");
    std::fs::write(&foreign, [&8u64.to_le_bytes()[..], b"{}      "].concat()).unwrap();
    let foreign = foreign.display().to_string();
    for (args, words) in [
        (&["export", "net:champion+search:64", "--format", "onnx"][..], "expected net:champion"),
        (&["export", "stopper", "--format", "onnx"], "stopper"),
        (&["export", "net:nobody", "--format", "npz"], "nobody"),
        (&["import", &foreign], "metadata has no `newmarket`"),
        (&["import", "no/such/file"], "no/such/file"),
    ] {
        let text = refused(&[&["checkpoint"], args, &["--out", &file]].concat());
        assert!(text.contains(words), "{text}");
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 1);
    }
}
