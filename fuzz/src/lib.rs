//! What the fuzz targets share: the laws of `env/tests/fuzz`, and checkpoints that are sealed again.
//!
//! `just fuzz TARGET SECONDS` runs one; `env/tests/fuzz/README.md` says what the laws are.

#[path = "../../env/tests/common/mod.rs"]
mod common;

mod harness {
    /// What an input has reached; libFuzzer counts branches instead.
    pub(crate) type Reached = std::collections::BTreeSet<String>;
}

#[path = "../../env/tests/fuzz/tape.rs"]
mod tape;

#[path = "../../env/tests/fuzz/games.rs"]
mod games;
#[path = "../../env/tests/fuzz/tables.rs"]
mod tables;

#[path = "../../env/tests/fuzz/course.rs"]
mod course;
#[path = "../../env/tests/fuzz/follow.rs"]
mod follow;

#[allow(dead_code, reason = "a corpus that must reach something is the tests' own")]
#[path = "../../env/tests/fuzz/actions.rs"]
mod actions;
#[allow(dead_code, reason = "as above")]
#[path = "../../env/tests/fuzz/rules.rs"]
mod rules;
#[path = "../../env/tests/fuzz/spoil.rs"]
mod spoil;
#[allow(dead_code, reason = "as above")]
#[path = "../../env/tests/fuzz/trace.rs"]
mod trace;
#[path = "../../env/tests/fuzz/truth.rs"]
mod truth;

#[allow(dead_code, reason = "whole checkpoints are forged by the campaign")]
#[path = "../../campaign/src/sealed.rs"]
mod sealed;

mod small;

pub use small::{described, resealed};

/// A law that panics if it is broken.
type Law = fn(&[u8], &mut harness::Reached);

/// The laws, by the names of their targets.
const LAWS: [(&str, Law); 3] =
    [("actions", actions::law), ("rules", rules::law), ("trace", trace::law)];

/// Panics if an input breaks the law of this name.
pub fn law(name: &str, input: &[u8]) {
    let (_, law) = LAWS.iter().find(|law| law.0 == name).expect("a law");
    law(input, &mut harness::Reached::new());
}

/// Panics unless an error says something. That it is shortened and that nothing in it moves a terminal
/// is the program's part, and so the campaign's.
pub fn tells(error: &dyn std::error::Error) {
    assert!(error.to_string().len() > 10, "{error:?}");
}
