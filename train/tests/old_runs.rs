//! Run folders of the program of commit d687014: their configurations are read as they were meant. Networks
//! are shown more now, so what they end with is that of this program.

use newmarket_checkpoints::{Checkpoint, TrainedOn, golden_input, list, roster, verify};
use newmarket_env::Observation;
use newmarket_net::FastNet;
use newmarket_train::{Ended, Quiet, Trainer};
use std::fs;
use std::path::Path;

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("made");
    for entry in fs::read_dir(from).expect("a folder").flatten() {
        let (from, to) = (entry.path(), to.join(entry.file_name()));
        if from.is_dir() {
            copy(&from, &to);
        } else {
            fs::copy(&from, &to).expect("copied");
        }
    }
}

/// Resumes a copy of an old run: its last checkpoint, after it has been found to be that of the old
/// program.
fn resumed(name: &str, folder: &Path) -> Checkpoint {
    let old = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/old").join(name);
    copy(&old, folder);
    let mut trainer = Trainer::resume(folder, 2).expect("reads the old folder");
    assert_eq!(trainer.run(&mut Quiet).expect("runs"), Ended::Finished, "{name}");
    let (update, path) = list(&folder.join("checkpoints")).expect("listed").pop().expect("saved");
    assert_eq!(update, 6);
    let end = Checkpoint::read(&path).expect("whole");

    if std::env::var_os("NEWMARKET_OLD_RUNS").is_some_and(|it| it == "write") {
        let net = FastNet::new(&end.weights);
        let input = golden_input(end.weights.config().inputs, 1);
        let mut scratch = net.scratch();
        let (logits, value) = net.forward(&input[..], &mut scratch);
        let weights = verify(&path).expect("in order").weights_blake3;
        let told =
            serde_json::json!({ "weights_blake3": weights, "value": value, "logits": logits });
        fs::write(old.join("end.json"), format!("{told}\n")).expect("written");
    }
    let expected = fs::read_to_string(old.join("end.json")).expect("readable");
    let expected: serde_json::Value = serde_json::from_str(&expected).expect("JSON");
    // The same bits on a processor of the same kind; elsewhere products are rounded in another way.
    if verify(&path).expect("in order").weights_blake3 != expected["weights_blake3"] {
        let net = FastNet::new(&end.weights);
        let input = golden_input(end.weights.config().inputs, 1);
        let mut scratch = net.scratch();
        let (logits, value) = net.forward(&input[..], &mut scratch);
        let near = |got: f32, expected: &serde_json::Value| {
            let expected = expected.as_f64().expect("a number");
            assert!(
                (f64::from(got) - expected).abs() < 1e-5 + 1e-3 * expected.abs(),
                "{name}: {got} instead of {expected}"
            );
        };
        near(value, &expected["value"]);
        for (logit, expected) in logits.iter().zip(expected["logits"].as_array().expect("a list")) {
            near(*logit, expected);
        }
    }
    end
}

/// Its network plays on, its training does not: what it would be shown from now on is more.
#[test]
fn a_run_on_an_earlier_encoding_plays_and_is_not_resumed() {
    let dir = tempfile::tempdir().expect("a folder");
    copy(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/old/regression"), dir.path());
    let message = Trainer::resume(dir.path(), 2).err().expect("refused").to_string();
    assert!(message.contains("encoding 5") && message.contains("this build has 6"), "{message}");
    assert!(!message.contains('\n'));
    let player = roster::net_player(dir.path()).expect("a player").checkpoint;
    assert_eq!(player.weights.config().inputs, Observation::LEN);
}

#[test]
fn a_checkpoint_of_the_first_format_names_the_first_rules() {
    let path = "tests/old/regression/checkpoints/update-000003.ckpt";
    let old = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    let run = Checkpoint::read(&old).expect("version 1 is read").run;
    let TrainedOn::FirstRules(rules) = &run.trained_on else { panic!("{:?}", run.trained_on) };
    assert!(rules.contains("base = \"newmarket\""), "{rules}");
}

/// Past selves, opponents with others in playouts, an auxiliary head, a regulariser.
#[test]
fn the_clipped_objective_with_all_else_that_is_left_is_the_same() {
    let dir = tempfile::tempdir().expect("a folder");
    resumed("clipped", dir.path());
}

#[test]
fn generalised_advantage_estimation_is_the_same() {
    let dir = tempfile::tempdir().expect("a folder");
    resumed("outcomes", dir.path());
}
