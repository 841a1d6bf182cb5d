//! Fuzz targets that check laws: any bytes are a deal, a rules file, a trace. See `README.md`.

#[path = "../common/mod.rs"]
mod common;

mod harness;
mod mutate;
mod quiet;
mod tape;

mod games;
mod tables;

mod course;
mod follow;

mod actions;
mod rules;
mod spoil;
mod trace;
mod truth;
mod words;

use harness::{Target, run};

#[test]
fn actions() {
    run(&Target {
        name: "actions",
        law: actions::law,
        words: &[],
        reaches: actions::REACHES,
        inputs: 4_000,
    });
}

#[test]
fn rules() {
    run(&Target {
        name: "rules",
        law: rules::law,
        words: words::RULES,
        reaches: rules::REACHES,
        inputs: 15_000,
    });
}

#[test]
fn trace() {
    run(&Target {
        name: "trace",
        law: trace::law,
        words: words::TRACES,
        reaches: trace::REACHES,
        inputs: 8_000,
    });
}
