//! Strategy files: TOML or JSON, with the files on which they build.

use alloc::format;
use alloc::string::{String, ToString as _};
use alloc::sync::Arc;
use alloc::vec::Vec;
use std::path::{Path, PathBuf};

use newmarket_agents::net;
use newmarket_agents::strategy::{Content, DEEPEST_BASE, FileNode, NodeValue};
use newmarket_env::files::read_text;
use newmarket_env::rules::Faults;
use newmarket_env::text::{plain, with_causes};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::error::Error;
use crate::released;

/// How the name of a strategy's player begins: `strategy:PATH`.
pub const PREFIX: &str = "strategy:";
/// Most bytes of a strategy file.
pub const LONGEST_STRATEGY: u64 = 1 << 16;

/// Why a strategy file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum StrategyError {
    /// The file cannot be read.
    #[error("cannot read the strategy file {}: {source}", plain(path))]
    Io {
        /// The file.
        path: String,
        /// The error of the system.
        source: std::io::Error,
    },
    /// The file is not TOML or JSON.
    #[error("{} is not {language}: {problem}", plain(path))]
    Syntax {
        /// The file.
        path: String,
        /// TOML, or JSON for a file whose name ends in `.json`.
        language: &'static str,
        /// The line and the problem, in one line of text.
        problem: String,
    },
    /// The file has faults.
    #[error("{}: {faults}", plain(path))]
    Faults {
        /// The file.
        path: String,
        /// All faults.
        faults: Faults,
    },
    /// A player on which the strategy builds cannot be used.
    #[error("agent `{}`: {problem}", plain(name))]
    Base {
        /// The name of the strategy's player.
        name: String,
        /// The problem.
        problem: String,
    },
}

/// What a strategy file says. Names of files in it are relative to its folder.
///
/// # Errors
/// If it, or a file that it builds on, cannot be read or has faults.
pub fn read_strategy(path: &Path) -> Result<Arc<Content>, StrategyError> {
    read(path, &mut Vec::new())
}

/// What the text of a strategy file says, in TOML. `path` names the source in messages. It cannot build on files.
///
/// # Errors
/// If it is not TOML, or has faults.
pub fn strategy_from_toml(text: &str, path: &str) -> Result<Arc<Content>, StrategyError> {
    let node = toml_node(path, text)?;
    let mut refused = |name: &str| match net::parts(name) {
        Some(_) => network(name),
        None => Err(format!("`{name}` is a file: expected a player by name")),
    };
    match Content::read(&node, &mut refused) {
        Ok(content) => Ok(Arc::new(content)),
        Err(faults) => Err(StrategyError::Faults { path: path.into(), faults }),
    }
}

/// Reads a file; `above` are the files that build on it.
fn read(path: &Path, above: &mut Vec<PathBuf>) -> Result<Arc<Content>, StrategyError> {
    let shown = path.display().to_string();
    let text = read_text(path, LONGEST_STRATEGY)
        .map_err(|source| StrategyError::Io { path: shown.clone(), source })?;
    let node = node(path, &text)?;
    above.push(path.canonicalize().unwrap_or_else(|_| path.into()));
    let folder = path.parent().unwrap_or(Path::new("")).to_path_buf();
    let content = Content::read(&node, &mut |name| {
        if net::parts(name).is_some() {
            return network(name);
        }
        let base = folder.join(name.strip_prefix(PREFIX).unwrap_or(name));
        if base.canonicalize().is_ok_and(|base| above.contains(&base)) {
            return Err(format!("`{name}` builds on this file: expected a file that does not"));
        }
        if above.len() >= DEEPEST_BASE {
            return Err(format!(
                "`{name}` is too deep: expected at most {DEEPEST_BASE} files on top of each other"
            ));
        }
        read(&base, above).map(Some).map_err(|error| with_causes(&error))
    });
    above.pop();
    match content {
        Ok(content) => Ok(Arc::new(content)),
        Err(faults) => Err(StrategyError::Faults { path: shown, faults }),
    }
}

/// Checks that there is a network of this name. It is read where the strategy's player is made.
fn network(name: &str) -> Result<Option<Arc<Content>>, String> {
    let path = net::parts(name).map_or("", |(path, _)| path);
    if released::named(path).is_some() || Path::new(path).exists() {
        return Ok(None);
    }
    Err(with_causes(&Error::NoPlayer { path: path.into() }))
}

/// The tree of a file, with lines if it is TOML.
fn node(path: &Path, text: &str) -> Result<FileNode, StrategyError> {
    let shown = path.display().to_string();
    if path.extension().is_none_or(|end| end != "json") {
        return toml_node(&shown, text);
    }
    match serde_json::from_str::<serde_json::Value>(text) {
        Ok(json) => Ok(FileNode::from(&json)),
        Err(error) => {
            Err(StrategyError::Syntax { path: shown, language: "JSON", problem: error.to_string() })
        }
    }
}

fn toml_node(path: &str, text: &str) -> Result<FileNode, StrategyError> {
    let starts: Vec<usize> =
        core::iter::once(0).chain(text.match_indices('\n').map(|(end, _)| end + 1)).collect();
    let line = |place: usize| starts.partition_point(|&start| start <= place);
    let table = DeTable::parse(text).map_err(|error| {
        let place =
            error.span().map_or(String::new(), |span| format!("line {}: ", line(span.start)));
        let problem = format!("{place}{}", plain(&error.message().replace('\n', " ")));
        StrategyError::Syntax { path: path.into(), language: "TOML", problem }
    })?;
    Ok(FileNode { line: None, value: of_table(table.get_ref(), &line) })
}

fn of_table(table: &DeTable, line: &dyn Fn(usize) -> usize) -> NodeValue {
    let entries = table.iter().map(|(key, value)| {
        // A table may begin far above its key's line; the key tells where to look.
        let mut node = of_value(value, line);
        node.line = Some(line(key.span().start));
        (key.get_ref().to_string(), node)
    });
    NodeValue::Table(entries.collect())
}

fn of_value(value: &Spanned<DeValue>, line: &dyn Fn(usize) -> usize) -> FileNode {
    let number = |text: &str| text.parse().map_or(NodeValue::Other, NodeValue::Number);
    let node = match value.get_ref() {
        DeValue::String(text) => NodeValue::Text(text.to_string()),
        DeValue::Boolean(flag) => NodeValue::Flag(*flag),
        DeValue::Integer(integer) => i64::from_str_radix(integer.as_str(), integer.radix())
            .map_or(NodeValue::Other, |number| NodeValue::Number(number as f64)),
        DeValue::Float(float) => number(float.as_str()),
        DeValue::Array(items) => {
            NodeValue::List(items.iter().map(|item| of_value(item, line)).collect())
        }
        DeValue::Table(table) => of_table(table, line),
        DeValue::Datetime(_) => NodeValue::Other,
    };
    FileNode { line: Some(line(value.span().start)), value: node }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(files: &[(&str, &str)]) -> PathBuf {
        let name = format!("newmarket-strategies-{}-{}", std::process::id(), files[0].0);
        let folder = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&folder).expect("a folder");
        for (name, text) in files {
            std::fs::write(folder.join(name), text).expect("a file");
        }
        folder
    }

    fn told(folder: &Path, name: &str) -> String {
        let error = read_strategy(&folder.join(name)).expect_err("it has a fault");
        let text = error.to_string();
        assert_eq!(text.lines().count(), 1, "{text}");
        text
    }

    #[test]
    fn faults_are_told_with_their_lines() {
        let folder = folder(&[(
            "faults.toml",
            "base = 'stoper'\nbases.ante = 'net:nowhere'\nbases.poker = 'omniscient'\nlead = [\n  'most chps',\n  'run stops',\n  'cards >=',\n]\nled = []\n\n[games.michgan]\nlead = []\n",
        )]);
        let told = told(&folder, "faults.toml");
        for part in [
            "7 faults: ",
            "line 1: `base` `stoper` is no player: expected one of these, which are nearest: stopper",
            "line 2: `bases.ante` nowhere: no such file or folder: expected champion",
            "line 3: `bases.poker` `omniscient` sees all cards: expected",
            "line 5: `lead[1]` `chps`: expected a number or a fact, of which these are nearest: chips",
            "line 7: `lead[3]` ends too early",
            "line 9: `led` is no key",
            "line 11: `games.michgan` is no game",
            "nearest: michigan",
        ] {
            assert!(told.contains(part), "{part} is not in: {told}");
        }
        std::fs::remove_dir_all(folder).expect("removed");
    }

    #[test]
    fn cells_may_stand_in_any_order() {
        let file =
            |ante: &str| strategy_from_toml(&format!("ante = {{ others = {ante} }}"), "a.toml");
        let (one, other) = (file("{ KS = 3, JC = 1 }"), file("{ JC = 1, KS = 3 }"));
        assert_eq!(one.expect("a strategy"), other.expect("a strategy"));
    }

    #[test]
    fn files_build_on_files_but_not_in_a_circle() {
        let folder = folder(&[
            ("a.toml", "base = 'strategy:b.toml'\nlead = ['most cards']\n"),
            ("b.toml", "base = 'stopper'\ndead_hand = ['keep']\n"),
            ("c.toml", "base = 'strategy:d.toml'\n"),
            ("d.toml", "base = 'strategy:c.toml'\n"),
            ("e.toml", "base = 'strategy:none.toml'\n"),
            ("f.toml", "base = \n"),
        ]);
        let content = read_strategy(&folder.join("a.toml")).expect("a strategy");
        // What the file says needs no other file.
        assert_eq!(content.json()["base"]["dead_hand"][0], "keep");
        assert_eq!(Content::from_json(content.json()).as_ref(), Ok(&*content));
        assert!(told(&folder, "c.toml").contains("builds on this file"));
        assert!(told(&folder, "e.toml").contains("cannot read the strategy file"));
        assert!(told(&folder, "f.toml").contains("is not TOML: line 1"));
        std::fs::remove_dir_all(folder).expect("removed");
    }
}
