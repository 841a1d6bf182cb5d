//! `newmarket train` and `newmarket resume`, from the command line: the report of a run.

use std::path::Path;
use std::process::{Command, Output};

fn newmarket(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_newmarket")).args(args).output().unwrap()
}

/// A run of four updates with two measurements.
fn train(folder: &Path, more: &[&str]) -> Output {
    let folder = folder.display().to_string();
    let mut args = vec!["train", "quick", "--updates", "4", "--out", &folder];
    let sets = [
        "network.hidden=[16]",
        "rollout.deals=64",
        "phases.0.estimator.worlds=4",
        "run.benchmark_every=2",
        "run.benchmark_deals=50",
    ];
    args.extend(sets.iter().flat_map(|set| ["--set", set]));
    args.extend(more);
    newmarket(&args)
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
    // What was printed of the duels is what the page has.
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

/// The limit is over at once, so that each call does one update.
#[test]
fn a_run_that_goes_on_knows_what_was_before() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join("run");
    assert!(train(&folder, &["--minutes", "1e-9"]).status.success());
    let page = report(&folder);
    assert!(page.contains("stopped by its limit") && page.contains("1 of 4"), "{page}");
    assert!(page.contains("newmarket resume"));
    for _ in 2..=4 {
        assert!(newmarket(&["resume", &folder.display().to_string()]).status.success());
    }
    let page = report(&folder);
    assert!(page.contains("finished") && page.contains("4 of 4"), "{page}");
    // The rows of all four calls, and both measurements.
    assert!(page.contains("since update 2") && page.contains("256"), "{page}");
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
