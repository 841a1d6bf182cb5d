//! Shared parts of the fuzz targets: the laws of `env/tests/fuzz`, and checkpoints that are sealed again.
//!
//! `just fuzz TARGET SECONDS` runs a target; `env/tests/fuzz/README.md` describes the laws.

#[path = "../../env/tests/common/mod.rs"]
mod common;

mod harness {
    /// The places that an input has reached. libFuzzer counts branches instead.
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

#[allow(dead_code, reason = "only the tests check what a corpus reaches")]
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

#[allow(dead_code, reason = "only the campaign forges whole checkpoints")]
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

/// Panics unless an error has a message. The program shortens and escapes messages, which the campaign tests.
pub fn tells(error: &dyn std::error::Error) {
    assert!(error.to_string().len() > 10, "{error:?}");
}
