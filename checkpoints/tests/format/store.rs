//! Retention, the best, what a path means, and writers that die.

use std::fs;
use std::path::Path;

use newmarket_checkpoints::{
    BEST, Checkpoint, Error, Keep, Provenance, best, file_name, latest, list, resolve, save, verify,
};

use super::weights_only;

fn at(update: u64) -> Checkpoint {
    Checkpoint { run: Provenance { update, ..Provenance::default() }, ..weights_only() }
}

fn updates(folder: &Path) -> Vec<u64> {
    list(folder).unwrap().into_iter().map(|(update, _)| update).collect()
}

#[test]
fn the_newest_and_the_best_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().join("run/checkpoints");
    for update in 1..=12 {
        save(&folder, &at(update * 10), Keep { last: 3, best: update == 4 }).unwrap();
    }
    assert_eq!(updates(&folder), [100, 110, 120]);
    assert_eq!(Checkpoint::read(&folder.join(BEST)).unwrap(), at(40));
    assert_eq!(latest(&folder).unwrap(), Some(folder.join("update-000120.ckpt")));
    assert_eq!(best(&folder).unwrap(), Some(folder.join(BEST)));
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 4);

    save(&folder, &at(130), Keep { last: 0, best: false }).unwrap();
    assert_eq!(updates(&folder), [130], "the one just written always stays");
}

#[test]
fn updates_are_ordered_as_numbers() {
    let folder = tempfile::tempdir().unwrap();
    for update in [2_000_000, 999_999, 7] {
        save(folder.path(), &at(update), Keep { last: 9, best: false }).unwrap();
    }
    assert_eq!(updates(folder.path()), [7, 999_999, 2_000_000]);
    assert_eq!(file_name(7), "update-000007.ckpt");
    for stray in ["update-7.ckpt", "update-x.ckpt", "update-000008.ckpt.bak", "notes.txt"] {
        fs::write(folder.path().join(stray), "stray").unwrap();
    }
    assert_eq!(updates(folder.path()), [7, 999_999, 2_000_000]);
    save(folder.path(), &at(2_000_001), Keep { last: 1, best: false }).unwrap();
    assert!(folder.path().join("notes.txt").exists(), "what is not ours stays");
}

#[test]
fn a_path_means_a_file_or_the_best_or_the_newest() {
    let folder = tempfile::tempdir().unwrap();
    let run = folder.path();
    assert!(matches!(resolve(run), Err(Error::NoneHere { .. })));
    assert!(matches!(resolve(&run.join("nowhere")), Err(Error::Io { .. })));
    let inner = run.join("checkpoints");
    save(&inner, &at(1), Keep { last: 5, best: false }).unwrap();
    let newest = save(&inner, &at(2), Keep { last: 5, best: false }).unwrap();
    assert_eq!(resolve(run).unwrap(), newest);
    assert_eq!(resolve(&inner).unwrap(), newest);
    save(&inner, &at(3), Keep { last: 5, best: true }).unwrap();
    save(&inner, &at(4), Keep { last: 5, best: false }).unwrap();
    assert_eq!(resolve(run).unwrap(), inner.join(BEST));
    assert_eq!(resolve(&newest).unwrap(), newest);
    assert_eq!(latest(&inner).unwrap(), Some(inner.join(file_name(4))));
}

#[test]
fn what_a_dead_writer_left_is_ignored_and_then_removed() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    save(folder, &at(1), Keep { last: 5, best: true }).unwrap();
    let whole = fs::read(folder.join(file_name(1))).unwrap();
    let left = folder.join(".Ab3xYz.unfinished");
    fs::write(&left, &whole[..whole.len() / 2]).unwrap();

    assert_eq!(updates(folder), [1]);
    assert_eq!(resolve(folder).unwrap(), folder.join(BEST));
    verify(&latest(folder).unwrap().unwrap()).unwrap();

    save(folder, &at(2), Keep { last: 5, best: false }).unwrap();
    assert!(!left.exists());
    assert_eq!(fs::read_dir(folder).unwrap().count(), 3, "two numbered ones and the best");
}

#[test]
fn a_failed_write_leaves_the_old_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.ckpt");
    at(1).write(&path).unwrap();
    at(2).write(&path).unwrap();
    assert_eq!(Checkpoint::read(&path).unwrap(), at(2), "in place of the old one");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "and nothing beside it");

    let error = at(3).write(&folder.path().join("nowhere/x.ckpt")).unwrap_err();
    assert!(error.to_string().contains("cannot write"), "{error}");
    // A folder stands where the file should be: the rename fails, the sibling is removed.
    let taken = folder.path().join("taken");
    fs::create_dir(&taken).unwrap();
    assert!(at(3).write(&taken).is_err());
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
}

/// A run that resumes from a numbered checkpoint that is the best so far makes a missing copy.
#[test]
fn the_newest_is_there_before_the_best() {
    let folder = tempfile::tempdir().unwrap();
    save(folder.path(), &at(1), Keep { last: 1, best: false }).unwrap();
    // What stops the second of the two.
    fs::create_dir(folder.path().join(BEST)).unwrap();
    let error = save(folder.path(), &at(2), Keep { last: 1, best: true }).unwrap_err();
    assert!(error.to_string().contains("best.ckpt: cannot write: "), "{error}");
    assert!(!error.to_string().contains("unfinished"), "{error}");
    assert_eq!(Checkpoint::read(&folder.path().join(file_name(2))).unwrap(), at(2));
    Checkpoint::read(&folder.path().join(file_name(1))).unwrap();
}

#[cfg(unix)]
#[test]
fn others_may_read_what_is_handed_around() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = tempfile::tempdir().unwrap();
    let (ours, plain) = (folder.path().join("x.ckpt"), folder.path().join("plain"));
    at(1).write(&ours).unwrap();
    fs::write(&plain, "").unwrap();
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode();
    assert_eq!(mode(&ours), mode(&plain), "as any file that the user makes");
}

/// A reader finds the old file or the new one while another process writes.
#[test]
fn a_reader_never_sees_half_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(BEST);
    at(1).write(&path).unwrap();
    std::thread::scope(|scope| {
        let writer = scope.spawn(|| {
            for update in 0..200 {
                at(update).write(&path).unwrap();
            }
        });
        let mut reads = 0;
        while !writer.is_finished() || reads == 0 {
            Checkpoint::read(&path).unwrap();
            reads += 1;
        }
    });
}

/// Kills a writer without warning, again and again: whatever bears a checkpoint's name is whole,
/// the best does not get lost, and the newest does not go back.
#[cfg(unix)]
#[test]
fn a_killed_writer_leaves_only_whole_files() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    save(folder, &at(1), Keep { last: 2, best: true }).unwrap();
    let mut newest = 1;
    for round in 0..12 {
        let mut writer = std::process::Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "store::endless_writer", "--ignored", "--nocapture"])
            .env("NEWMARKET_TEST_FOLDER", folder)
            .stdout(std::process::Stdio::null())
            .stderr(std::process::Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(std::time::Duration::from_millis(20 + 7 * round));
        writer.kill().unwrap();
        writer.wait().unwrap();
        for (_, path) in list(folder).unwrap() {
            verify(&path).unwrap();
        }
        verify(&folder.join(BEST)).unwrap();
        let now = updates(folder).pop().unwrap();
        assert!(now >= newest, "from {newest} to {now}");
        newest = now;
    }
    assert!(newest > 1, "the writers did write");
    save(folder, &at(newest + 1), Keep { last: 2, best: false }).unwrap();
    assert_eq!(fs::read_dir(folder).unwrap().count(), 3, "no leftovers");
}

/// The process that `a_killed_writer_leaves_only_whole_files` kills.
#[test]
#[ignore = "started, and killed, by another test"]
fn endless_writer() {
    let Some(folder) = std::env::var_os("NEWMARKET_TEST_FOLDER") else { return };
    let folder = Path::new(&folder);
    let mut update = updates(folder).pop().unwrap();
    loop {
        update += 1;
        save(folder, &at(update), Keep { last: 2, best: update.is_multiple_of(3) }).unwrap();
    }
}
