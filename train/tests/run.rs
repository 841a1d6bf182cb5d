//! Whole runs in their folders: small networks, few deals, real files.

mod stop_after;

use newmarket_agents::net::{PlayKind, Plays};
use newmarket_checkpoints::{Checkpoint, best, list, verify};
use newmarket_train::config::Players;
use newmarket_train::metrics::{self, MetricsRow};
use newmarket_train::{Config, Ended, Observer, Progress, Quiet, Signal, TrainError, Trainer};
use std::fs;
use std::path::{Path, PathBuf};
use stop_after::StopAfter;

const ROLLOUTS: &str = "phases=[{ until = 1, objective = { kind = 'clipped', clip = 0.2, entropy = 0 }, \
     estimator = { kind = 'policy_rollouts', playouts = 4, ante_share = 0.1, decision_share = 0.3 } }]";
const OUTCOMES: &str = "phases=[{ until = 1, objective = { kind = 'clipped', clip = 0.2, entropy = 0.01 }, \
     estimator = { kind = 'gae', lambda = 0.9 } }]";

/// A run of a few seconds at most, in which every part of the trainer has something to do.
fn config() -> Config {
    let sets = [
        "seed=11",
        "network.hidden=[16, 12]",
        "run.updates=8",
        "run.minutes=0",
        "run.checkpoint_every=3",
        "run.keep=2",
        "run.benchmark_every=4",
        "run.benchmark_deals=20",
        "rollout.deals=24",
        ROLLOUTS,
        "learner.minibatch=64",
        "learner.shards=3",
        "opponents.agents=[{ agent = 'stopper', share = 0.2 }, { agent = 'pimc:2', share = 0.2 }]",
    ];
    Config::load("quick", None, &sets.map(String::from)).expect("a configuration")
}

/// Every look at it takes a second.
struct Ticking(f64);

impl Observer for Ticking {
    fn seconds(&mut self) -> f64 {
        self.0 += 1.0;
        self.0
    }
    fn update(&mut self, _: &Progress<'_>) -> Signal {
        Signal::GoOn
    }
}

/// The last checkpoint, and all metrics except those of the clock.
fn result(folder: &Path) -> (Checkpoint, Vec<MetricsRow>) {
    let (_, last) = list(&folder.join("checkpoints")).expect("listed").pop().expect("saved");
    let rows = metrics::read(folder).expect("readable");
    let without_time = |mut row: MetricsRow| {
        row.values.retain(|(name, _)| !name.starts_with("time/"));
        row
    };
    (Checkpoint::read(&last).expect("whole"), rows.into_iter().map(without_time).collect())
}

/// A whole run with `threads` threads.
fn straight(config: Config, folder: &Path, threads: usize) -> (Checkpoint, Vec<MetricsRow>) {
    let mut trainer = Trainer::create(config, folder, threads).expect("begins");
    assert_eq!(trainer.run(&mut Quiet).expect("runs"), Ended::Finished);
    result(folder)
}

fn folder() -> (tempfile::TempDir, PathBuf) {
    let dir = tempfile::tempdir().expect("a folder");
    let run = dir.path().join("run");
    (dir, run)
}

#[test]
fn stopped_and_resumed_is_the_same_run() {
    stop_and_resume(&config(), &[&[4], &[1, 3], &[5, 2]]);
}

#[test]
fn stopped_and_resumed_is_the_same_run_where_outcomes_are_targets() {
    stop_and_resume(&config().with_override(OUTCOMES).expect("fits"), &[&[5, 2]]);
}

fn stop_and_resume(config: &Config, all_stops: &[&[u64]]) {
    let (_keep, whole) = folder();
    let expected = straight(config.clone(), &whole, 2);
    assert_eq!(expected.1.len(), 8);
    for &stops in all_stops {
        let (_keep, parts) = folder();
        let mut trainer = Trainer::create(config.clone(), &parts, 1).expect("begins");
        for &stop in stops {
            let ended = trainer.run(&mut StopAfter(stop)).expect("runs");
            assert_eq!(ended, Ended::Interrupted);
            drop(trainer);
            trainer = Trainer::resume(&parts, 2).expect("goes on");
        }
        assert_eq!(trainer.run(&mut Quiet).expect("runs"), Ended::Finished);
        assert!(result(&parts) == expected, "weights, moments, counters and metrics");
    }
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let run = |threads| {
        let (_keep, path) = folder();
        straight(config(), &path, threads)
    };
    let one = run(1);
    assert!(one == run(2) && one == run(5));
}

#[test]
fn generalised_advantage_estimation_is_reproducible_too() {
    let config = config().with_override(OUTCOMES).expect("fits");
    let run = |threads| {
        let (_keep, path) = folder();
        straight(config.clone(), &path, threads)
    };
    assert!(run(1) == run(3));
}

/// Determinized search first, then rollouts: a run goes over from one phase to the other by itself.
#[test]
fn phases_are_reproducible_too() {
    let run = |until: &str, threads| {
        let phases = format!(
            "phases=[{{ until = {until}, objective = {{ kind = 'regression', temperature = 0.5 }}, \
             estimator = {{ kind = 'determinized', worlds = 3, ante_share = 0.1, decision_share = 0.3 }} }}, \
             {{ until = 1, objective = {{ kind = 'regression', temperature = 0.5 }}, estimator = {{ \
             kind = 'policy_rollouts', playouts = 4, ante_share = 0.1, decision_share = 0.3 }} }}]"
        );
        let (_keep, path) = folder();
        straight(config().with_override(&phases).expect("fits"), &path, threads)
    };
    let half = run("0.5", 1);
    assert!(half == run("0.5", 3));
    assert!(half != run("0.001", 1) && half != run("0.999", 1));
}

/// Where decisions are drawn in rollouts, a run is the same on any number of threads and after a stop, and each
/// checkpoint says what its network draws: at the temperature of its update.
#[test]
fn a_run_that_draws_is_reproducible_and_says_what_it_draws() {
    let sets = [
        "tables.0.rules=../eval/games/after-look.toml",
        "tables.0.players=2",
        "plays.ante_after_look={ linear = { from = 1, to = 0.2 } }",
        "plays.lead=0.5",
        "plays.dead_hand=likeliest",
        "plays.auction=likeliest",
        "opponents.agents=[]",
    ];
    let config = sets.iter().fold(config(), |config, set| config.with_override(set).expect(set));
    let (_keep, path) = folder();
    let drawn = straight(config.clone(), &path, 1);
    let plays = |after_look: f32| {
        let plays = Plays::LIKELIEST.with(PlayKind::Lead, Some(0.5));
        plays.with(PlayKind::AnteAfterLook, Some(after_look))
    };
    assert_eq!(drawn.0.plays, plays(0.2));
    let saved = list(&path.join("checkpoints")).expect("listed");
    let sixth = Checkpoint::read(&saved[0].1).expect("whole");
    assert_eq!((sixth.run.update, sixth.plays), (6, plays(0.4)));
    stop_and_resume(&config, &[&[1, 4]]);
    let (_keep, path) = folder();
    let likeliest = config.with_override("plays.ante_after_look=likeliest").expect("a word");
    assert!(straight(likeliest, &path, 2).0.weights != drawn.0.weights);
}

#[test]
fn another_seed_is_another_run() {
    let run = |seed| {
        let (_keep, path) = folder();
        let config = Config { seed, ..config() };
        straight(config, &path, 2).0.weights
    };
    assert_ne!(run(1), run(2));
}

/// Killed between two checkpoints, with a half-written row: as if what came after had not been.
#[test]
fn killed_at_any_moment_goes_on_from_the_last_checkpoint() {
    let (_keep, whole) = folder();
    let expected = straight(config(), &whole, 2);
    for rows in [0, 2, 5, 7] {
        let (_keep, path) = folder();
        let mut trainer = Trainer::create(config(), &path, 2).expect("begins");
        if rows > 0 {
            trainer.run(&mut StopAfter(rows)).expect("runs");
        }
        drop(trainer);
        // Take away what stopping saved and a kill would not have.
        let saved = list(&path.join("checkpoints")).expect("listed");
        for (update, file) in saved {
            if update % 3 != 0 && update % 4 != 0 {
                fs::remove_file(file).expect("removed");
            }
        }
        let text = fs::read_to_string(path.join(metrics::FILE)).expect("readable");
        fs::write(path.join(metrics::FILE), text + "{\"update\": 99, \"loss").expect("written");
        let mut trainer = Trainer::resume(&path, 2).expect("goes on");
        assert_eq!(trainer.run(&mut Quiet).expect("runs"), Ended::Finished);
        assert!(result(&path) == expected, "killed after {rows}");
    }
}

#[test]
fn a_folder_says_what_it_is_before_the_first_update_and_holds_what_it_should_after() {
    let (_keep, path) = folder();
    let trainer = Trainer::create(config(), &path, 1).expect("begins");
    let text = fs::read_to_string(path.join("config.toml")).expect("written");
    assert_eq!(Config::from_toml(&text, "config.toml").expect("complete"), config());
    drop(trainer);
    let mut trainer = Trainer::resume(&path, 1).expect("a run without a checkpoint can go on");
    trainer.run(&mut Quiet).expect("runs");
    let checkpoints = path.join("checkpoints");
    let kept: Vec<u64> =
        list(&checkpoints).expect("listed").into_iter().map(|(update, _)| update).collect();
    assert_eq!(kept, [6, 8], "the last two");
    let best = best(&checkpoints).expect("listed").expect("marked");
    let summary = verify(&best).expect("in order");
    assert!(summary.resumable && [4, 8].contains(&summary.update), "{summary:?}");
    let rows = metrics::read(&path).expect("readable");
    for name in ["loss/policy", "policy/entropy", "learner/grad_norm", "benchmark/stopper"] {
        assert!(rows[3].get(name).is_some_and(f64::is_finite), "{name}");
    }
    assert_eq!(rows[4].get("benchmark/stopper"), None, "measured every fourth update only");
    let since = |row: usize| rows[row].get("benchmark/stopper_change_since");
    assert_eq!((since(3), since(7)), (None, Some(4.0)), "compared with the one before");
}

#[test]
fn a_run_in_use_is_not_overwritten() {
    let (_keep, path) = folder();
    fs::create_dir_all(&path).expect("made");
    fs::write(path.join("notes.txt"), "mine").expect("written");
    let message = Trainer::create(config(), &path, 1).err().expect("refused").to_string();
    assert!(message.contains("is not empty") && !message.contains('\n'), "{message}");
    assert_eq!(fs::read_dir(&path).expect("a folder").count(), 1, "nothing was added");
}

/// The run was killed before the configuration was written; other files may be unfinished.
#[test]
fn a_beginning_that_was_cut_short_is_begun_again() {
    let (_keep, other) = folder();
    straight(config(), &other, 2);
    let (_keep, path) = folder();
    fs::create_dir_all(path.join("networks")).expect("made");
    for left in [".x.unfinished", "networks/0.ckpt", "networks/.y.unfinished"] {
        fs::write(path.join(left), "half").expect("written");
    }
    let refused = Trainer::create(after(&other), &path, 1).err().expect("anybody's folder");
    assert!(matches!(refused, TrainError::NotEmpty(_)), "{refused}");
    fs::write(path.join(".begun.unfinished"), "").expect("written");
    let message = Trainer::resume(&path, 1).err().expect("no run").to_string();
    assert!(message.contains("no run has begun there"), "{message}");
    assert_eq!(straight(after(&other), &path, 2).0.run.update, 4);
    for folder in [path.clone(), path.join("networks")] {
        let names = fs::read_dir(folder).expect("a folder").flatten().map(|e| e.file_name());
        assert_eq!(names.filter(|name| name.as_encoded_bytes()[0] == b'.').count(), 0);
    }
    // A run whose rows had not begun; one that another process is at.
    fs::remove_file(path.join(metrics::FILE)).expect("removed");
    let first = Trainer::resume(&path, 1).expect("goes on");
    for second in [Trainer::resume(&path, 1), Trainer::create(config(), &path, 1)] {
        let second = second.err().expect("refused");
        assert!(!cfg!(unix) || matches!(second, TrainError::InUse(_)), "{second}");
    }
    drop(first);
    let again = Trainer::create(config(), &path, 1).err().expect("refused");
    assert!(matches!(again, TrainError::IsARun(_)), "{again}");
}

#[test]
fn what_cannot_work_is_said_in_one_line_before_anything_is_written() {
    let (_keep, path) = folder();
    let refused = |change: &dyn Fn(&mut Config)| {
        let mut config = config();
        change(&mut config);
        let message = Trainer::create(config, &path, 1).err().expect("refused").to_string();
        assert!(!path.exists() && !message.contains('\n'), "{message}");
        message
    };
    assert!(refused(&|c| c.tables[0].rules = "bridge".into()).contains("bridge"));
    assert!(refused(&|c| c.tables[0].players = Players::Exactly(12)).contains("12"));
    assert!(refused(&|c| c.run.benchmark_opponents = vec!["shark".into()]).contains("shark"));
    assert!(refused(&|c| c.opponents.agents[0].agent = "x".into()).contains("opponents.agents"));
    assert!(refused(&|c| c.learner.epochs = 0).contains("learner.epochs"));
    assert!(refused(&|c| c.opponents.seats = 1.5).contains("opponents.seats"));
    let agent = |name: &str| {
        let name = name.to_owned();
        refused(&move |c| c.opponents.agents[0].agent.clone_from(&name))
    };
    assert!(agent("pimc:5ms").contains("plays by the clock"), "never twice the same");
    assert!(agent("pimc:0").contains("expected pimc:N"));
    assert!(agent("net:no/such.ckpt").contains("no/such.ckpt"));
    assert!(refused(&|c| c.opponents.agents[1].playout_policy = "y".into()).contains("`y`"));
    assert!(
        refused(&|c| c.run.benchmark_opponents = vec!["pimc:5ms".into()])
            .contains("run.benchmark_opponents")
    );
    assert!(refused(&|c| c.network.start = "no/such".into()).contains("no/such"));
}

#[test]
fn what_is_no_run_is_not_resumed() {
    let (_keep, path) = folder();
    let message = |path: &Path| Trainer::resume(path, 1).err().expect("refused").to_string();
    assert!(message(&path).contains("config.toml"), "{}", message(&path));
    fs::create_dir_all(&path).expect("made");
    fs::write(path.join("config.toml"), "seed = 1").expect("written");
    assert!(message(&path).contains("missing field"), "{}", message(&path));
    // A broken checkpoint is an error, not a fresh start.
    let (_keep, path) = folder();
    Trainer::create(config(), &path, 1).expect("begins").run(&mut StopAfter(1)).expect("runs");
    let (_, file) = list(&path.join("checkpoints")).expect("listed").pop().expect("saved");
    let mut bytes = fs::read(&file).expect("readable");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&file, bytes).expect("written");
    assert!(message(&path).contains("update-000001.ckpt"), "{}", message(&path));
}

#[test]
fn the_clock_says_how_many_updates_there_are_and_nothing_else() {
    let mut config = config();
    config.run.updates = 0;
    config.run.minutes = 0.5;
    config.phases = Config::preset("quick").expect("quick").phases;
    let (_keep, path) = folder();
    let mut trainer = Trainer::create(config.clone(), &path, 2).expect("begins");
    assert_eq!(trainer.run(&mut Ticking(100.0)).expect("runs"), Ended::Finished);
    let planned = trainer.config().clone();
    assert!((4..200).contains(&planned.run.updates), "{}", planned.run.updates);
    assert_eq!(trainer.state().update, planned.run.updates);
    drop(trainer);
    // The result is a function of the written configuration alone.
    let text = fs::read_to_string(path.join("config.toml")).expect("readable");
    let written = Config::from_toml(&text, "config.toml").expect("complete");
    assert_eq!(written, planned);
    assert_eq!((written.run.minutes, written.seed), (config.run.minutes, config.seed));
    let (_keep, again) = folder();
    Trainer::create(written, &again, 1).expect("begins").run(&mut Quiet).expect("runs");
    assert!(result(&path) == result(&again), "another clock, the same bytes");
    config.run.minutes = 0.0;
    let error = config.validate().expect_err("no end").to_string();
    assert!(error.contains("`run.updates` and `run.minutes` are both 0"), "{error}");
}

/// A checkpoint that calls itself the best is written before its copy.
#[test]
fn a_best_checkpoint_that_lacks_its_copy_gets_it() {
    let (_keep, path) = folder();
    let whole = straight(config(), &path, 2);
    let best_of = |path: &Path| {
        let file = best(&path.join("checkpoints")).expect("listed").expect("a best one");
        Checkpoint::read(&file).expect("whole")
    };
    let (_keep, cut) = folder();
    Trainer::create(config(), &cut, 2).expect("begins").run(&mut StopAfter(4)).expect("runs");
    let file = best(&cut.join("checkpoints")).expect("listed").expect("the first is the best");
    fs::remove_file(file).expect("removed");
    let mut trainer = Trainer::resume(&cut, 1).expect("goes on");
    trainer.run(&mut Quiet).expect("runs");
    assert!(result(&cut) == whole && best_of(&cut) == best_of(&path));
}

/// It was killed before it knew how long it would be.
#[test]
fn a_run_that_was_not_planned_to_the_end_is_planned_when_it_goes_on() {
    let mut config = config();
    config.run.updates = 0;
    config.run.minutes = 0.3;
    let (_keep, path) = folder();
    drop(Trainer::create(config, &path, 1).expect("begins"));
    let mut trainer = Trainer::resume(&path, 1).expect("goes on");
    trainer.plan_updates(&mut || 0.0).expect("planned");
    // A clock that stands still lets a thousand updates a second fit in.
    assert_eq!(trainer.config().run.updates, 18_000);
    assert_eq!(trainer.state().update, 0);
}

#[test]
fn leaving_the_numbers_is_an_error_and_what_was_saved_stays() {
    let mut config = config();
    config.learner.learning_rate = 1e30.into();
    config.learner.max_grad_norm = 0.0;
    let (_keep, path) = folder();
    let mut trainer = Trainer::create(config, &path, 1).expect("begins");
    let error = trainer.run(&mut Quiet).expect_err("diverges");
    drop(trainer);
    let TrainError::Stopped { error, advice } = error else { panic!("{error}") };
    assert!(matches!(*error, TrainError::NotFinite { .. }), "{error}");
    assert!(advice.contains("learning_rate"), "{advice}");
    for (_, file) in list(&path.join("checkpoints")).expect("listed") {
        verify(&file).expect("only good ones");
    }
    Trainer::resume(&path, 1).expect("the folder is still readable");
}

/// A run that begins with the weights of another, meets it, and is measured against it.
fn after(other: &Path) -> Config {
    let mut config = config();
    let name = format!("net:{}", other.display());
    config.seed += 1;
    config.run.updates = 4;
    config.network.start = other.display().to_string();
    config.opponents.agents[0].agent.clone_from(&name);
    config.opponents.agents[1].agent = "omniscient".into();
    config.run.benchmark_opponents = vec![name, "pimc:1".into()];
    config
}

#[test]
fn networks_are_met_as_they_were_when_the_run_began() {
    let (_keep, other) = folder();
    straight(config(), &other, 2);
    let (_keep, whole) = folder();
    let expected = straight(after(&other), &whole, 2);
    let (_keep, parts) = folder();
    Trainer::create(after(&other), &parts, 1)
        .expect("begins")
        .run(&mut StopAfter(1))
        .expect("runs");
    fs::remove_dir_all(&other).expect("removed");
    let mut trainer = Trainer::resume(&parts, 1).expect("goes on without the original");
    trainer.run(&mut Quiet).expect("runs");
    assert!(result(&parts) == expected);
    drop(trainer);
    // Not even the first checkpoint is needed, only the copies.
    fs::remove_dir_all(parts.join("checkpoints")).expect("removed");
    Trainer::resume(&parts, 2).expect("begins anew").run(&mut Quiet).expect("runs");
    assert!(result(&parts) == expected);
    fs::remove_file(parts.join("networks/0.ckpt")).expect("one copy for three places");
    let message = Trainer::resume(&parts, 1).err().expect("refused").to_string();
    assert!(message.contains("networks/0.ckpt in it"), "{message}");
    assert!(message.contains(&other.display().to_string()) && !message.contains('\n'), "{message}");
}

/// A run against a strategy that builds on another file and on a network.
#[test]
fn strategies_are_met_as_they_were_when_the_run_began() {
    let (keep, whole) = folder();
    let files = keep.path();
    let file = |name: &str, text: &str| fs::write(files.join(name), text).expect("written");
    let write_all = || {
        file("mine.toml", "base = 'strategy:below.toml'\nlead = ['most chips', 'fewest cards']\n");
        file("below.toml", "base = 'net:champion'\nlead = ['nobody below']\nante = 'even'\n");
    };
    write_all();
    let mut config = config();
    let name = format!("strategy:{}", files.join("mine.toml").display());
    config.run.updates = 4;
    config.opponents.agents[0].agent.clone_from(&name);
    config.opponents.agents[1].playout_policy.clone_from(&name);
    config.run.benchmark_opponents = vec![name.clone()];
    let expected = straight(config.clone(), &whole, 2);
    // The checkpoint says what it was trained against.
    for known in ["strategies", "most chips", "nobody below", "hash = "] {
        assert!(expected.0.run.training.contains(known), "{known}: {}", expected.0.run.training);
    }
    for change in ["base = 'longest'\n", "no strategy", ""] {
        write_all();
        let (_keep, parts) = folder();
        let mut trainer = Trainer::create(config.clone(), &parts, 1).expect("begins");
        trainer.run(&mut StopAfter(2)).expect("runs");
        drop(trainer);
        for name in ["mine.toml", "below.toml"] {
            if change.is_empty() {
                fs::remove_file(files.join(name)).expect("removed");
            } else {
                file(name, change);
            }
        }
        let mut trainer = Trainer::resume(&parts, 2).expect("goes on without the files");
        trainer.run(&mut Quiet).expect("runs");
        assert!(result(&parts) == expected, "{change}");
    }
    // A run of the same configuration is the same run, whatever the files say now.
    let text = fs::read_to_string(whole.join("config.toml")).expect("written");
    let again = Config::from_toml(&text, "config.toml").expect("whole");
    let (_keep, path) = folder();
    assert!(straight(again, &path, 1) == expected);
    let over = Config::preset("quick").expect("quick").with_toml(&text, "config.toml");
    assert_eq!(over.expect("it may override another").strategies.len(), 1);
    // Another content under the same hash is refused.
    fs::write(whole.join("config.toml"), text.replace("nobody below", "top card"))
        .expect("written");
    let message = Trainer::resume(&whole, 1).err().expect("refused").to_string();
    assert!(message.contains("has the hash") && !message.contains('\n'), "{message}");
}

/// A run for the game of a rules file.
#[test]
fn rules_are_played_as_they_were_when_the_run_began() {
    let (keep, whole) = folder();
    let file = keep.path().join("house.toml");
    let write = |text: &str| fs::write(&file, text).expect("written");
    let config = || {
        write("base = 'michigan'\nname = 'my house'\nper_card = 3\n");
        let name = file.display().to_string();
        config().at_one_table(Some(&name), Some(3)).expect("a game")
    };
    let expected = straight(config(), &whole, 2);
    for change in ["base = 'michigan'\nper_card = 1\n", "no rules", ""] {
        let (_keep, parts) = folder();
        let mut trainer = Trainer::create(config(), &parts, 1).expect("begins");
        trainer.run(&mut StopAfter(5)).expect("runs");
        drop(trainer);
        if change.is_empty() {
            fs::remove_file(&file).expect("removed");
        } else {
            write(change);
        }
        let mut trainer = Trainer::resume(&parts, 2).expect("goes on without the file");
        trainer.run(&mut Quiet).expect("runs");
        assert!(result(&parts) == expected, "{change}");
    }
    let text = fs::read_to_string(whole.join("config.toml")).expect("written");
    assert!(text.contains("per_card = 3") && text.contains("my house"), "{text}");
    let config = Config::from_toml(&text, "config.toml").expect("whole");
    let other = config.clone().with_override("tables.0.rules=michigan").expect("another game");
    assert_eq!((&*other.tables[0].rules, &other.tables[0].file), ("michigan", &None));
    let mut wrong = config;
    wrong.tables[0].rules = "michigan".into();
    let message = wrong.validate().expect_err("refused").to_string();
    assert!(message.contains("`file` of `michigan`"), "{message}");
    fs::write(whole.join("config.toml"), text.replace("per_card = 3", "per_cart = 3"))
        .expect("written");
    let message = Trainer::resume(&whole, 1).err().expect("refused").to_string();
    assert!(message.contains("per_card") && !message.contains('\n'), "{message}");
}

#[test]
fn a_run_can_begin_where_another_ended() {
    let (_keep, other) = folder();
    straight(config(), &other, 2);
    let (_keep, path) = folder();
    let trainer = Trainer::create(after(&other), &path, 1).expect("begins");
    let first = trainer.state().policy(trainer.config()).expect("finite");
    let last = Checkpoint::read(&best(&other.join("checkpoints")).expect("listed").expect("one"));
    for (array, old) in first.arrays().iter().zip(last.expect("whole").weights.arrays()) {
        assert_eq!(array == old, !array.name.starts_with("value."), "{}", array.name);
    }
    let mut config = after(&other);
    config.network.hidden = vec![9];
    let message = Trainer::create(config, &path, 1).err().expect("refused").to_string();
    assert!(message.contains("network.start") && message.contains("[16, 12]"), "{message}");
}

/// Against players who choose at random a few updates are enough to be seen.
#[test]
fn an_exploiter_gains() {
    let sets = [
        "run.updates=20",
        "run.benchmark_every=20",
        "network.hidden=[64]",
        "rollout.deals=128",
        "learner.minibatch=256",
        "learner.learning_rate=3e-3",
    ];
    let config = Config::load("quick", None, &sets.map(String::from)).expect("a configuration");
    let mut config = config.exploiting("random").expect("an agent");
    config.run.benchmark_deals = 1000;
    let (_keep, path) = folder();
    let (_, rows) = straight(config, &path, 2);
    let last = rows.last().expect("a row");
    let value = |name: &str| last.get(&format!("benchmark/random{name}")).expect("measured");
    assert!(value("") > 1.5 * value("_ci95"), "{last:?}");
}
