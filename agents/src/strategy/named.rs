//! The named strategies, which come with the program.

use alloc::boxed::Box;
use alloc::sync::Arc;

use once_cell::race::OnceBox;
use serde_json::Value;

use super::content::Content;
use super::node::FileNode;

/// The named strategies, from the weakest to the strongest. Each is a file of `agents/strategies/`.
pub const NAMES: [&str; 6] = ["random", "lowest", "longest", "boodle", "stopper", "basic"];

/// The content of a named strategy; `None` if there is none of this name.
pub fn content(name: &str) -> Option<Arc<Content>> {
    static ALL: OnceBox<[Arc<Content>; NAMES.len()]> = OnceBox::new();
    let nth = NAMES.iter().position(|named| *named == name)?;
    let all = ALL.get_or_init(|| Box::new(NAMES.map(|name| Arc::new(read(name)))));
    Some(all[nth].clone())
}

/// Reads the file of a name from `strategies.json`, so that the light core needs no parser for TOML.
fn read(name: &str) -> Content {
    let files: Value = serde_json::from_slice(include_bytes!("strategies.json"))
        .unwrap_or_else(|_| unreachable!("strategies.json is JSON"));
    Content::read(&FileNode::from(&files[name]), &mut |other| {
        unreachable!("a named strategy has no file as base: {other}")
    })
    .unwrap_or_else(|faults| panic!("the strategy {name} has faults: {faults}"))
}

/// The file of a named strategy, with its comments; `None` if there is none of this name.
#[cfg(feature = "std")]
pub fn toml(name: &str) -> Option<&'static str> {
    Some(match name {
        "random" => include_str!("../../strategies/random.toml"),
        "lowest" => include_str!("../../strategies/lowest.toml"),
        "longest" => include_str!("../../strategies/longest.toml"),
        "boodle" => include_str!("../../strategies/boodle.toml"),
        "stopper" => include_str!("../../strategies/stopper.toml"),
        "basic" => include_str!("../../strategies/basic.toml"),
        _ => return None,
    })
}

/// The file of the advice for antes after a look at the hand, as [`toml`].
#[cfg(feature = "std")]
pub const AFTER_LOOK_TOML: &str =
    include_str!("../../strategies/advice/after-a-look-the-lowest.toml");
