//! Snapshots of screens as text.

use insta::assert_snapshot;
use newmarket_train::metrics::MetricsRow;
use ratatui::Terminal;
use ratatui::backend::TestBackend;

use super::super::follow::{Activity, Follow};
use super::super::shown::Shown;
use super::super::theme::Theme;
use super::super::view::{Panel, View};
use super::draw;
use crate::train::quick;

/// A run of `quick` after `updates` updates, with a benchmark after every tenth. All metrics are functions of
/// the update.
fn follow(updates: u64) -> Follow {
    let mut config = quick();
    config.run.minutes = 0.0;
    let mut follow = Follow::new("runs/quick".as_ref());
    for update in 1..=updates {
        let progress = update as f64;
        let mut row = serde_json::json!({
            "update": update,
            "loss/policy": 0.2 + 0.3 / progress.sqrt(),
            "loss/value": 0.1 + 0.2 / progress,
            "policy/entropy": 0.9 - 0.005 * progress,
            "policy/kl": 0.01 + 0.005 * (progress * 0.7).sin(),
            "value/explained_variance": 1.0 - 1.0 / progress,
            "learner/grad_norm": 0.5 + 0.1 * progress.cos(),
            "learner/learning_rate": 0.001 * (1.0 - progress / 120.0),
            "run/deals": 1536.0 * progress,
            "time/seconds": 2.0 * progress,
            "time/update_seconds": 2.0,
            "time/gather_seconds": 1.1,
            "time/measurement_seconds": if update.is_multiple_of(10) { 4.0 } else { 0.0 },
            "time/rows_per_s": 8000.0 + 500.0 * (progress * 0.3).sin(),
        });
        if update.is_multiple_of(10) {
            row["best/update"] = update.into();
            for (agent, start, gain) in [("longest", -0.5, 2.2), ("stopper", -1.5, 2.0)] {
                row[format!("benchmark/{agent}")] =
                    (start + gain * (1.0 - (-progress / 25.0).exp())).into();
                row[format!("benchmark/{agent}_ci95")] = 0.21.into();
                row[format!("benchmark/{agent}_wins")] = 0.3.into();
                if update > 40 {
                    row[format!("benchmark/{agent}_change")] = 0.3.into();
                    row[format!("benchmark/{agent}_change_ci95")] =
                        if agent == "longest" { 0.05 } else { 0.4 }.into();
                    row[format!("benchmark/{agent}_change_since")] = (update - 20).into();
                }
            }
        }
        follow.history.take(Some(&row.to_string()), &config);
    }
    follow.config = Ok(config);
    follow.on = Activity::Training;
    follow.saved = (updates >= 25).then_some(updates / 25 * 25);
    follow
}

fn screen(wide: u16, high: u16, shown: &Shown, view: &View) -> String {
    let mut terminal = Terminal::new(TestBackend::new(wide, high)).expect("a terminal");
    let theme = Theme { colour: true };
    terminal.draw(|frame| draw(frame.buffer_mut(), shown, view, theme)).expect("drawn");
    terminal.backend().to_string()
}

#[test]
fn a_run_in_80_by_24() {
    assert_snapshot!(screen(80, 24, &Shown::of(&follow(63)), &View::default()));
}

#[test]
fn a_run_in_120_by_40() {
    assert_snapshot!(screen(120, 40, &Shown::of(&follow(120)), &View::default()));
}

#[test]
fn a_run_that_is_not_planned_yet() {
    let mut follow = follow(0);
    let run = &mut follow.config.as_mut().expect("quick").run;
    (run.updates, run.minutes) = (0, 10.0);
    let text = screen(80, 24, &Shown::of(&follow), &View::default());
    let known =
        ["update 0 of a number that is not known yet", "Phase 1 of 2", "Left  about 10 min"];
    for words in known.into_iter().chain(["after update 25"]) {
        assert!(text.contains(words), "{words}: {text}");
    }
}

#[test]
fn one_opponent_in_a_narrow_window() {
    let view = View { benchmark: Some(1), ..View::default() };
    assert_snapshot!(screen(60, 20, &Shown::of(&follow(63)), &view));
}

#[test]
fn panels_on_the_whole_screen() {
    let shown = Shown::of(&follow(80));
    for (panel, name) in
        [(Panel::Learning, "learning"), (Panel::Signs, "signs"), (Panel::Events, "events")]
    {
        let view = View { panel, zoomed: true, sign: 4, scrolled: 3, ..View::default() };
        assert_snapshot!(format!("zoomed_{name}"), screen(80, 24, &shown, &view));
    }
}

#[test]
fn help_and_waiting() {
    let shown = Shown::of(&Follow::new("runs/quick".as_ref()));
    assert_snapshot!("waiting", screen(80, 24, &shown, &View::default()));
    let view = View { help: true, ..View::default() };
    assert_snapshot!("help", screen(80, 24, &Shown::of(&follow(12)), &view));
}

/// No size, panel or length of a run makes drawing panic.
#[test]
fn every_size_is_drawn() {
    for updates in [0, 1, 9, 10, 11, 20, 120] {
        let shown = Shown::of(&follow(updates));
        for (wide, high) in
            (1..130).step_by(9).flat_map(|wide| [(wide, 5), (wide, 13), (wide, 24), (wide, 50)])
        {
            for panel in [Panel::Learning, Panel::Signs, Panel::Events] {
                for (zoomed, help) in [(false, false), (true, false), (false, true)] {
                    let view =
                        View { panel, zoomed, help, sign: 7, scrolled: 2, benchmark: Some(9) };
                    screen(wide, high, &shown, &view);
                }
            }
        }
    }
}

/// Hostile names, values and lines.
#[test]
fn hostile_rows_are_drawn() {
    let config = quick();
    let long = "x".repeat(90);
    for row in [
        MetricsRow {
            update: u64::MAX,
            values: vec![
                ("benchmark/\u{1b}[2J\u{202e}".into(), 1e29),
                ("benchmark/\u{1b}[2J\u{202e}_wins".into(), 0.0),
                ("benchmark/\u{1b}[2J\u{202e}_ci95".into(), -1e29),
            ],
        },
        MetricsRow {
            update: 0,
            values: vec![
                (format!("benchmark/{long}"), -1e-300),
                (format!("benchmark/{long}_wins"), 0.0),
                ("loss/policy".into(), -1e29),
                ("time/update_seconds".into(), -5.0),
            ],
        },
    ] {
        for times in 1..4 {
            let mut follow = follow(30);
            for nth in 0..times {
                let mut object = serde_json::Map::new();
                object.insert("update".into(), (row.update.saturating_sub(nth)).into());
                for (name, value) in &row.values {
                    object.insert(name.clone(), (*value).into());
                }
                follow.history.take(Some(&serde_json::Value::Object(object).to_string()), &config);
                follow.history.take(Some("{\"update\":1,\"loss/policy\":1e999}"), &config);
                follow.history.take(None, &config);
            }
            let shown = Shown::of(&follow);
            for panel in [Panel::Learning, Panel::Signs, Panel::Events] {
                for zoomed in [false, true] {
                    let view = View { panel, zoomed, sign: 1, ..View::default() };
                    let text = screen(100, 30, &shown, &view);
                    assert!(!text.contains(['\u{1b}', '\u{202e}']), "{text}");
                    let named = panel == Panel::Learning && row.update > 0;
                    assert!(!named || text.contains("\\u{1b}[2J\\u{202e}"), "{text}");
                }
            }
            let Shown::Run(shot) = &shown else { panic!("a run") };
            assert!(shot.summary.text().len() < 8000);
        }
    }
}
