//! Dependencies between the crates point one way: `env ← agents ← checkpoints ← {train, eval}
//! ← newmarket`, and `train` and `eval` never import each other.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// Each crate's folder, and the crates of this workspace that it may use.
const ALLOWED: [(&str, &[&str]); 6] = [
    ("env", &[]),
    ("agents", &["env"]),
    ("checkpoints", &["env", "agents"]),
    ("train", &["env", "agents", "checkpoints"]),
    ("eval", &["env", "agents", "checkpoints"]),
    ("", &["env", "agents", "checkpoints", "train", "eval"]),
];

fn manifest(folder: &str) -> toml::Table {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder).join("Cargo.toml");
    fs::read_to_string(&path).expect("a manifest").parse().expect("TOML")
}

/// The workspace's crates that a manifest names, for building, tests or build scripts.
fn used(manifest: &toml::Table) -> BTreeSet<String> {
    ["dependencies", "dev-dependencies", "build-dependencies"]
        .iter()
        .filter_map(|key| manifest.get(*key)?.as_table())
        .flat_map(toml::Table::keys)
        .filter_map(|name| name.strip_prefix("newmarket-"))
        .map(str::to_owned)
        .collect()
}

#[test]
fn dependencies_point_one_way() {
    for (folder, allowed) in ALLOWED {
        let allowed: BTreeSet<String> = allowed.iter().map(|&name| name.to_owned()).collect();
        let used = used(&manifest(folder));
        let wrong: Vec<_> = used.difference(&allowed).collect();
        assert!(wrong.is_empty(), "`{folder}` must not depend on {wrong:?}");
    }
}

/// The source files of a folder.
fn sources(folder: &Path, found: &mut Vec<(String, String)>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = fs::read_to_string(&path).expect("text");
            found.push((path.display().to_string(), text));
        }
    }
}

/// Hidden cards are shown through one door, and one player goes through it.
#[test]
fn only_the_omniscient_looks_at_hidden_cards() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    for folder in ["agents/src", "checkpoints/src", "train/src", "eval/src", "src"] {
        sources(&root.join(folder), &mut files);
    }
    let who = |what: &str| -> Vec<&str> {
        let those = files.iter().filter(|(_, text)| text.contains(what));
        let mut names: Vec<&str> =
            those.map(|(path, _)| &path[root.as_os_str().len() + 1..]).collect();
        names.sort_unstable();
        names
    };
    let door = ["agents/src/agent.rs", "agents/src/search/omniscient.rs"];
    assert_eq!(who("fn act_open("), door);
    assert_eq!(who("table.state()"), door[1..]);
}

#[test]
fn every_member_is_judged() {
    let root = manifest("");
    let members = root["workspace"]["members"].as_array().expect("members");
    let members: BTreeSet<&str> = members.iter().filter_map(toml::Value::as_str).collect();
    let judged = ALLOWED.iter().map(|entry| entry.0).filter(|folder| !folder.is_empty()).collect();
    assert_eq!(members, judged);
}

#[test]
fn the_check_sees_a_wrong_dependency() {
    let text = "[dependencies]\nnewmarket-eval.workspace = true\nrayon = \"1\"\n";
    assert_eq!(used(&text.parse().unwrap()), BTreeSet::from(["eval".to_owned()]));
}
