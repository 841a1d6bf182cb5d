//! Each fault is found in a program that has it, and no fault in a program without one.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use newmarket_checkpoints::{Checkpoint, CheckpointSummary};
use newmarket_env::Seed;
use nix::sys::signal::Signal;

use crate::attempt::Attempt;
use crate::campaign::Campaign;
use crate::kinds::{KINDS, Kind};
use crate::materials::Materials;
use crate::program::{Call, Program};
use crate::report::{Tally, failures, json, table};
use crate::sealed::{Sealed, Tensor};
use crate::verdict::{Failure, Fault};

/// A released checkpoint.
const CHAMPION: &[u8] = include_bytes!("../../checkpoints/released/champion/net.ckpt");

/// A shell script instead of the program. It runs its first argument.
fn script(folder: &Path) -> Program {
    let path = folder.join("newmarket");
    // A shell cannot undo that interrupts are ignored, as in background jobs.
    let text = "#!/bin/sh\nexec env --default-signal=INT sh -c \"$1\"\n";
    fs::write(&path, text).expect("can be written");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("a mode");
    Program { path, user: None, patience: Duration::from_secs(2), memory: 100 << 20 }
}

fn nothing() -> Materials {
    Materials {
        run: PathBuf::new(),
        checkpoint: Vec::new(),
        config: toml::Table::new(),
        weights: String::new(),
        run_takes: Duration::ZERO,
        traces: Vec::new(),
        rules: Vec::new(),
        strategies: Vec::new(),
    }
}

/// The fault that is found in a program that does this.
fn found(does: &str, change: impl FnOnce(&mut Call)) -> Option<Fault> {
    let folder = tempfile::tempdir().expect("a folder");
    fs::create_dir_all(folder.path().join("work")).expect("can be made");
    let (program, materials) = (script(folder.path()), nothing());
    let mut attempt = Attempt {
        program: &program,
        python: None,
        materials: &materials,
        rng: Seed::new(1).rng(),
        folder: folder.path().into(),
        lines: Vec::new(),
        runs: 0,
        signals: 0,
        killed: false,
    };
    let mut call = Call::new([does], 400);
    change(&mut call);
    attempt.run(&call).err().map(|failure| failure.fault)
}

#[test]
fn every_fault_is_seen() {
    let table = [
        ("echo \"thread 'main' panicked at x.rs:1:1:\" >&2; exit 101", Some(Fault::Panic)),
        // A caught panic.
        ("echo \"thread 'x' panicked at x.rs:1:1:\" >&2; exit 0", Some(Fault::Panic)),
        ("kill -SEGV $$", Some(Fault::Signal)),
        ("kill -KILL $$", Some(Fault::Signal)),
        ("trap '' INT; while :; do sleep 0.05; done", Some(Fault::NoAnswer)),
        ("while :; do sleep 0.05; done", None),
        (
            "trap 'trap - INT; echo again to stop at once >&2' INT; while :; do sleep 0.05; done",
            None,
        ),
        (
            "trap 'trap - INT; echo later >&2' INT; while :; do sleep 0.05; done",
            Some(Fault::NoAnswer),
        ),
        ("trap 'exit 130' INT; while :; do sleep 0.05; done", None),
        ("exit 101", Some(Fault::ExitCode)),
        ("exit 1", Some(Fault::ExitCode)),
        ("exit 2", None),
        ("exit 0", None),
        ("head -c 70000 /dev/zero | tr '\\\\0' x >&2", Some(Fault::Message)),
        ("printf 'error: \\\\033[31mred' >&2", Some(Fault::Control)),
        ("printf 'a\\\\tb\\\\n'", None),
        ("touch .tmpAbCdEf", Some(Fault::Leftover)),
        ("mkdir -p a/b; touch a/b/.x.unfinished", Some(Fault::Leftover)),
        ("x=$(head -c 400000000 /dev/zero | tr '\\\\0' x); sleep 1", Some(Fault::Memory)),
        (
            "echo 'needs about 3 GB of memory, for a network of 9'; x=$(head -c 400000000 /dev/zero | tr '\\\\0' x); sleep 1",
            None,
        ),
    ];
    for (does, fault) in table {
        // `eval` interprets backslashes once more.
        let does = does.replace("\\\\", "\\");
        let after =
            if fault == Some(Fault::Memory) || does.contains("GB of") { 20_000 } else { 400 };
        let change = |call: &mut Call| call.after = Duration::from_millis(after);
        assert_eq!(found(&does, change), fault, "{does}");
    }
}

#[test]
fn an_injected_fault_excuses_exit_code_1_and_a_kill_what_is_left() {
    assert_eq!(found("exit 1", |call| call.injected = true), None);
    assert_eq!(found("exit 3", |call| call.injected = true), Some(Fault::ExitCode));
    let kill = |call: &mut Call| call.signal = Signal::SIGKILL;
    assert_eq!(found("touch .tmpAbCdEf; while :; do sleep 0.05; done", kill), None);
}

#[test]
fn a_campaign_counts_what_panics_and_keeps_its_input() {
    /// Every other try panics.
    static KIND: Kind = Kind {
        name: "half",
        law: |attempt| {
            attempt.write("input", "x");
            let does = ["exit 0", "echo \"thread 'main' panicked at x.rs\" >&2; exit 101"];
            let number = attempt.folder.display().to_string().ends_with(['1', '3', '5', '7', '9']);
            attempt.run(&Call::new([does[usize::from(number)]], 20_000)).map(drop)
        },
    };
    let folder = tempfile::tempdir().expect("a folder");
    let (scratch, keep) = (folder.path().join("scratch"), folder.path().join("keep"));
    fs::create_dir_all(&scratch).expect("can be made");
    let campaign = Campaign {
        kinds: vec![&KIND],
        seed: 3,
        from: 10,
        tries: Some(16),
        time: Duration::ZERO,
        given: Path::new("newmarket"),
        keep: &keep,
        program: script(&scratch),
        python: None,
        materials: nothing(),
        scratch: &scratch,
    };
    let (tallies, findings) = campaign.run();
    assert_eq!((tallies[0].tries, tallies[0].runs, failures(&tallies)), (16, 16, 8));
    assert_eq!(tallies[0].failures[&Fault::Panic], 8);
    // Five of each kind and fault are kept.
    assert_eq!(findings.len(), 5);
    for finding in findings {
        assert!((10..26).contains(&finding.index) && finding.index % 2 == 1);
        let kept = keep.join(format!("3-half-{}", finding.index));
        assert_eq!(fs::read(kept.join("work/input")).expect("it was kept"), b"x");
        let told = fs::read_to_string(kept.join("failure.txt")).expect("it says why");
        assert!(told.starts_with("panic: ") && told.contains("exit 101"), "{told}");
        let again = format!("--seed 3 --kind half --from {} --tries 1", finding.index);
        assert!(finding.repeat.contains(&again), "{}", finding.repeat);
    }
}

#[test]
fn limits_of_the_shell_hold() {
    let limit = |call: &mut Call| {
        call.shell = "trap '' XFSZ; ulimit -f $0";
        call.limit = 8;
    };
    assert_eq!(found("head -c 100 /dev/zero > small || exit 3", limit), None);
    assert_eq!(found("head -c 100000 /dev/zero > large || exit 3", limit), Some(Fault::ExitCode));
}

#[test]
fn a_call_ends_when_its_file_is_there() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::create_dir_all(folder.path().join("work")).expect("can be made");
    let program = script(folder.path());
    let mut call = Call::new(["sleep 0.1; touch done; sleep 60"], 60_000);
    call.until = Some(folder.path().join("work/done"));
    let start = Instant::now();
    let outcome = program.run(&call, folder.path()).expect("it runs");
    assert_eq!(outcome.sent, Some(Signal::SIGKILL));
    assert!(start.elapsed() < Duration::from_secs(30));
}

#[test]
fn what_is_sealed_again_is_whole_and_a_forged_network_computes_what_it_says() {
    let whole = Checkpoint::from_bytes(CHAMPION).expect("whole");
    let whole = whole.to_bytes().expect("bytes");
    let mut sealed = Sealed::open(&whole);
    assert_eq!(
        CheckpointSummary::verify(&sealed.seal()).expect("whole").weights_blake3,
        sealed.weights()
    );
    let before = sealed.weights();
    sealed.hash();
    assert_eq!(sealed.weights(), before);

    let mut rng = Seed::new(7).rng();
    let inputs = sealed.manifest["net"]["inputs"].as_u64().expect("a number") as usize;
    sealed.network(&[inputs, 9, 4], 74, &mut rng);
    let forged = CheckpointSummary::verify(&sealed.seal()).expect("as whole as any other");
    assert_eq!((forged.net.hidden, forged.net.actions), (vec![9, 4], 74));
    sealed.tensors[0] = Tensor::new("net.trunk.0.weight", &[2], &[0.0; 2]);
    assert!(CheckpointSummary::verify(&sealed.seal()).is_err());
}

#[test]
fn a_report_counts_what_failed() {
    let mut tally = Tally { name: "rules", tries: 5, runs: 6, ..Tally::default() };
    assert_eq!(failures(&[Tally::default()]), 0);
    tally.failures.insert(Fault::Panic, 2);
    tally.failures.insert(Fault::Memory, 1);
    let text = table(&[Tally::default(), tally]);
    let row: Vec<&str> = text.lines().last().expect("a row").split_whitespace().collect();
    assert_eq!(row, ["rules", "5", "6", "0", "0", "3", "2", "1"], "{text}");
    assert!(text.lines().next().is_some_and(|line| line.ends_with("panic  memory")), "{text}");
    let tally = Tally { failures: [(Fault::Weights, 1)].into(), ..Tally::default() };
    assert_eq!(json(1, &[tally], &[])["kinds"][0]["failures"]["weights"], 1);
}

#[test]
fn every_fault_has_its_name_and_every_kind_its_own() {
    for (place, (fault, name)) in Fault::ALL.into_iter().enumerate() {
        assert_eq!((fault as usize, fault.name()), (place, name));
    }
    let names: std::collections::BTreeSet<&str> = KINDS.iter().map(|kind| kind.name).collect();
    assert_eq!(names.len(), KINDS.len());
    assert_ne!(Failure::new(Fault::Panic, "x"), Failure::new(Fault::Signal, "x"));
}
