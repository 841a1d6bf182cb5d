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
