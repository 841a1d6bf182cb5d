//! `newmarket train` and `newmarket resume`, from the command line: the report of a run.

use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

fn newmarket(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_newmarket")).args(args).output().unwrap()
}

/// A run of four updates with two measurements.
fn train(folder: &Path, more: &[&str]) -> Output {
    command(folder, more).output().unwrap()
}

fn command(folder: &Path, more: &[&str]) -> Command {
    let folder = folder.display().to_string();
    let mut args = vec!["train", "quick", "--out", &folder];
    let sets = [
        "run.updates=4",
        "network.hidden=[16]",
        "rollout.deals=64",
        "phases.0.estimator.worlds=4",
        "run.benchmark_every=2",
        "run.benchmark_deals=50",
    ];
    args.extend(sets.iter().flat_map(|set| ["--set", set]));
    args.extend(more);
    let mut command = Command::new(env!("CARGO_BIN_EXE_newmarket"));
    command.args(args);
    command
}

fn report(folder: &Path) -> String {
    std::fs::read_to_string(folder.join("report.html")).expect("a page")
}

#[test]
fn a_finished_run_has_a_report_with_its_duels() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join("run");
    let output = train(&folder, &[]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(text.contains(&format!("its report:  {}/report.html", folder.display())), "{text}");
    let page = report(&folder);
    for words in ["finished", "4 of 4", "since update 2", "over <code>stopper</code>", "Seed"] {
        assert!(page.contains(words), "{words} is missing");
    }
    // The page has the printed results of the duels.
    let printed = text.lines().find(|line| line.contains("at a table of boodle")).expect("a duel");
    let gain = printed.split_whitespace().find(|word| word.contains('.')).expect("a gain");
    assert!(page.contains(&format!("<td>{gain} ±")), "{printed}");
    assert!(!page.contains("http-equiv") && !page.contains("<script"));
    let left: Vec<String> = std::fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.starts_with('.') || name.contains(".new"))
        .collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn a_run_that_cannot_go_on_says_so() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join("run");
    let sets = ["--set", "learner.learning_rate=1e30", "--set", "learner.max_grad_norm=0"];
    assert_eq!(train(&folder, &sets).status.code(), Some(2));
    let page = report(&folder);
    assert!(page.contains("failed") && page.contains("is not a finite number"), "{page}");
}

/// A run that is interrupted after its first update can be resumed to its end.
#[test]
fn a_run_that_goes_on_knows_what_was_before() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join("run");
    let sets = ["--set", "run.checkpoint_every=1", "--set", "rollout.deals=512"];
    let mut child = command(&folder, &sets).stderr(Stdio::null()).spawn().unwrap();
    let metrics = folder.join("metrics.jsonl");
    while std::fs::read_to_string(&metrics).map_or(0, |text| text.lines().count()) == 0 {
        std::thread::sleep(Duration::from_millis(5));
    }
    // Two signals, as from `timeout`: to the program and to its group.
    let twice = "kill -s INT $0; sleep 0.005; kill -s INT $0";
    let pid = child.id().to_string();
    assert!(Command::new("sh").args(["-c", twice, &pid]).status().unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(0));
    let page = report(&folder);
    assert!(page.contains("stopped") && page.contains("newmarket resume"), "{page}");
    assert!((1..4).any(|done| page.contains(&format!("{done} of 4"))), "{page}");
    assert!(newmarket(&["resume", &folder.display().to_string()]).status.success());
    let page = report(&folder);
    assert!(page.contains("finished") && page.contains("4 of 4"), "{page}");
    // The rows of both calls, and both measurements.
    assert!(page.contains("since update 2") && page.contains("2,048"), "{page}");
}

/// The number of updates is found, printed and kept.
#[test]
fn a_run_has_as_many_updates_as_fit_into_its_time() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join("run");
    let sets = ["--set", "run.updates=0", "--set", "run.minutes=1e-9"];
    let output = train(&folder, &sets);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = std::fs::read_to_string(folder.join("config.toml")).unwrap();
    // One of each phase, at least.
    assert!(text.contains("\nupdates = 2\n"), "{text}");
    assert!(report(&folder).contains("2 of 2"));
}

#[test]
fn a_device_that_cannot_be_had_leaves_no_folder() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join("run");
    let refused = |device: &str| {
        let output = train(&folder, &["--device", device]);
        assert_eq!(output.status.code(), Some(2));
        assert!(!folder.exists());
        let message = String::from_utf8(output.stderr).unwrap();
        assert_eq!(message.lines().count(), 1, "{message}");
        message
    };
    assert!(refused("gpu").contains("expected cpu, wgpu or cuda"));
    if cfg!(not(feature = "wgpu")) {
        assert!(refused("wgpu").contains("`cargo run --release --features wgpu -- train …`"));
    }
    if cfg!(not(feature = "cuda")) {
        assert!(refused("cuda").contains("`cargo run --release --features cuda -- train …`"));
    }
}
