//! Dependencies between the crates point one way: `env ← net ← agents ← checkpoints ← {train, eval}
//! ← newmarket ← python`; `train` and `eval` never depend on each other; burn is in `train` alone. The tests read
//! Cargo's resolution of the dependencies.
//!
//! The modules of `env` import each other one way, too: that is read off its source. And a public name
//! stands for one type.

mod modules;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{fs, iter};

use modules::Modules;
use serde_json::Value;

/// Each crate of the workspace, and the crates that it may depend on.
const ALLOWED: [(&str, &[&str]); 11] = [
    ("newmarket-env", &[]),
    ("newmarket-net", &["newmarket-env"]),
    ("newmarket-agents", &["newmarket-env", "newmarket-net"]),
    ("newmarket-engine", &["newmarket-env", "newmarket-agents"]),
    ("newmarket-checkpoints", &["newmarket-env", "newmarket-net", "newmarket-agents"]),
    (
        "newmarket-c",
        &[
            "newmarket-env",
            "newmarket-net",
            "newmarket-agents",
            "newmarket-checkpoints",
            "newmarket-engine",
        ],
    ),
    (
        "newmarket-train",
        &["newmarket-env", "newmarket-net", "newmarket-agents", "newmarket-checkpoints"],
    ),
    (
        "newmarket-eval",
        &["newmarket-env", "newmarket-net", "newmarket-agents", "newmarket-checkpoints"],
    ),
    ("newmarket-campaign", &["newmarket-env", "newmarket-checkpoints"]),
    (
        "newmarket",
        &[
            "newmarket-env",
            "newmarket-net",
            "newmarket-agents",
            "newmarket-engine",
            "newmarket-checkpoints",
            "newmarket-train",
            "newmarket-eval",
            "newmarket-campaign",
        ],
    ),
    (
        "newmarket-python",
        &[
            "newmarket-env",
            "newmarket-net",
            "newmarket-agents",
            "newmarket-checkpoints",
            "newmarket-train",
            "newmarket-eval",
            "newmarket",
        ],
    ),
];

/// Cargo's resolution of the workspace and all that it depends on.
fn metadata() -> Value {
    // Packages of other platforms need not be here.
    let rustc = Command::new("rustc").arg("-vV").output().expect("rustc runs");
    let rustc = String::from_utf8_lossy(&rustc.stdout).into_owned();
    let host = rustc.lines().find_map(|line| line.strip_prefix("host: ")).expect("a host");
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--locked", "--offline"])
        .args(["--filter-platform", host])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("JSON")
}

/// What each package of the resolved graph depends on directly, for building, tests or build
/// scripts; and the packages of the workspace.
struct Graph {
    edges: BTreeMap<String, BTreeSet<String>>,
    members: BTreeSet<String>,
}

impl Graph {
    fn read() -> Self {
        Self::of(&metadata())
    }

    fn of(metadata: &Value) -> Self {
        let list = |value: &Value| value.as_array().expect("an array").clone();
        let text = |value: &Value| value.as_str().expect("a string").to_owned();
        let packages = list(&metadata["packages"]);
        let name_of: BTreeMap<String, String> =
            packages.iter().map(|it| (text(&it["id"]), text(&it["name"]))).collect();
        let mut edges: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for node in list(&metadata["resolve"]["nodes"]) {
            let to = list(&node["deps"])
                .iter()
                .map(|it| name_of[&text(&it["pkg"])].clone())
                .collect::<Vec<_>>();
            edges.entry(name_of[&text(&node["id"])].clone()).or_default().extend(to);
        }
        let members = list(&metadata["workspace_members"]);
        Self { edges, members: members.iter().map(|id| name_of[&text(id)].clone()).collect() }
    }

    /// The packages of the workspace from which `wanted` is reached without passing through
    /// another package of the workspace.
    fn bearers(&self, wanted: &str) -> BTreeSet<&str> {
        let bears = |member: &&str| {
            let (mut seen, mut left) = (BTreeSet::new(), vec![*member]);
            while let Some(at) = left.pop() {
                let next = self.edges[at].iter().map(String::as_str);
                let next = next.filter(|name| !self.members.contains(*name));
                left.extend(next.filter(|&name| seen.insert(name)));
            }
            seen.contains(wanted)
        };
        self.members.iter().map(String::as_str).filter(bears).collect()
    }

    /// Dependencies within the workspace that are not allowed.
    fn wrong(&self) -> Vec<(&str, &str)> {
        let allowed = |from: &str, to: &str| {
            let entry = ALLOWED.iter().find(|entry| entry.0 == from);
            entry.is_some_and(|entry| entry.1.contains(&to))
        };
        self.members
            .iter()
            .flat_map(|from| self.edges[from].iter().map(move |to| (&**from, &**to)))
            .filter(|(from, to)| self.members.contains(*to) && !allowed(from, to))
            .collect()
    }
}

#[test]
fn dependencies_point_one_way() {
    let graph = Graph::read();
    assert_eq!(graph.members, ALLOWED.map(|entry| entry.0.to_owned()).into());
    assert_eq!(graph.wrong(), []);
}

#[test]
fn burn_is_in_train_alone() {
    assert_eq!(Graph::read().bearers("burn-core"), BTreeSet::from(["newmarket-train"]));
}

#[test]
fn the_check_sees_a_wrong_dependency() {
    let package = |name: &str| serde_json::json!({ "id": name, "name": name });
    let node = |id: &str, deps: &[&str]| {
        let deps: Vec<Value> = deps.iter().map(|to| serde_json::json!({ "pkg": to })).collect();
        serde_json::json!({ "id": id, "deps": deps })
    };
    let members = ["newmarket-env", "newmarket-eval", "newmarket-train"];
    let packages = [&members[..], &["between", "burn-core"]].concat();
    let packages: Vec<Value> = packages.into_iter().map(package).collect();
    let nodes = [
        node("newmarket-env", &["newmarket-eval", "between"]),
        node("newmarket-eval", &["newmarket-train"]),
        node("newmarket-train", &["burn-core", "newmarket-env"]),
        node("between", &["burn-core"]),
        node("burn-core", &[]),
    ];
    let graph = Graph::of(&serde_json::json!({
        "packages": packages,
        "workspace_members": members,
        "resolve": { "nodes": nodes },
    }));
    let wrong = [("newmarket-env", "newmarket-eval"), ("newmarket-eval", "newmarket-train")];
    assert_eq!(graph.wrong(), wrong);
    assert_eq!(graph.bearers("burn-core"), BTreeSet::from(["newmarket-env", "newmarket-train"]));
}

/// The modules of the rules and of the state, and those that they must not know.
const BELOW: [&str; 5] = ["rules", "game", "deal_start", "session", "state"];
const ABOVE: [&str; 8] =
    ["batch", "encode", "env", "episode", "inference", "random", "view", "worlds"];

fn modules_of_env() -> Modules {
    Modules::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("env/src"))
}

#[test]
fn modules_of_env_form_no_circles() {
    let modules = modules_of_env();
    let circles = modules.folders().circles();
    assert!(circles.is_empty(), "modules import each other: {circles:?}");
    let mut circles = modules.circles();
    circles.retain(|circle| circle.len() > 2);
    assert!(circles.is_empty(), "more than two files import each other: {circles:?}");
}

#[test]
fn rules_and_state_know_neither_encoding_nor_sampling() {
    let modules = modules_of_env().folders();
    for from in BELOW {
        let reached = modules.reached(from);
        let wrong: Vec<_> = ABOVE.into_iter().filter(|to| reached.contains(*to)).collect();
        assert!(wrong.is_empty(), "`{from}` must not know {wrong:?}");
    }
    // The check reads imports: of the batch it finds more than these.
    let reached = modules.reached("batch");
    assert!(BELOW.into_iter().all(|below| reached.contains(below)), "{reached:?}");
}

#[test]
fn the_check_sees_circles_of_modules() {
    let sources = [
        ("", "mod game;\npub use game::Game;"),
        ("text", "mod line;\npub(crate) use line::Line;"),
        ("text/line", "use super::Text;"),
        (
            "game",
            "//! crate::state\nmod cards;\npub use cards::Pack;\nuse crate::encode::{row::{Row}, Span,};",
        ),
        ("game/cards", "pub struct Pack;"),
        ("encode", "mod row;\npub use self::row::Row as It;\npub struct Span(It);"),
        ("encode/row", "fn of() { super::super::view::View::new('\"'); }"),
        (
            "view",
            "const TEXT: &str = \"use crate::encode\";\nuse crate::{Game, game::Pack as Other};",
        ),
        ("state", "#[cfg(test)]\nmod tests {\n    use crate::view;\n}"),
    ];
    let names =
        |path: &str| path.split('/').filter(|it| !it.is_empty()).map(String::from).collect();
    let sources = sources.map(|(module, text)| (names(module), format!("\n{text}")));
    let modules = Modules::of(&sources.into());
    let circles =
        BTreeSet::from([["encode", "encode/row", "game", "view"].map(String::from).to_vec()]);
    assert_eq!(modules.circles(), circles);
    let circles = BTreeSet::from([["encode", "game", "view"].map(String::from).to_vec()]);
    assert_eq!(modules.folders().circles(), circles);
    let reached = ["encode", "encode/row", "game", "game/cards", "view"].map(String::from);
    assert_eq!(modules.reached("view"), reached.into());
    assert_eq!(modules.reached("state"), BTreeSet::new());
}

/// All source files of the workspace's packages, tests and examples aside.
fn sources() -> Vec<PathBuf> {
    let metadata = metadata();
    let list = |value: &Value| value.as_array().expect("an array").clone();
    let members = list(&metadata["workspace_members"]);
    let packages = list(&metadata["packages"]);
    let manifests = packages.iter().filter(|it| members.contains(&it["id"]));
    let mut folders: Vec<PathBuf> = manifests
        .map(|it| Path::new(it["manifest_path"].as_str().expect("a path")).with_file_name("src"))
        .collect();
    let mut sources = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a folder of sources") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                sources.push(path);
            }
        }
    }
    sources
}

/// The names of the types and traits that are public in a source file.
fn public_types(source: &str) -> impl Iterator<Item = &str> {
    source.lines().filter_map(|line| {
        let (kind, rest) = line.strip_prefix("pub ")?.split_once(' ')?;
        let is_type = ["struct", "enum", "union", "trait", "type"].contains(&kind);
        let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        is_type.then_some(&rest[..end])
    })
}

/// Of these files, each with its text: the names of public types that stand in several places.
fn repeated_names(sources: &[(String, String)]) -> BTreeMap<&str, Vec<&str>> {
    let mut places: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (path, name) in
        sources.iter().flat_map(|(path, text)| iter::repeat(&**path).zip(public_types(text)))
    {
        places.entry(name).or_default().push(path);
    }
    places.retain(|_, places| places.len() > 1);
    places
}

#[test]
fn a_public_name_stands_for_one_type() {
    let read = |path: PathBuf| {
        let text = fs::read_to_string(&path).expect("a source file");
        (path.display().to_string(), text)
    };
    let sources: Vec<(String, String)> = sources().into_iter().map(read).collect();
    assert!(sources.len() > 300, "{} source files", sources.len());
    assert_eq!(repeated_names(&sources), BTreeMap::new());
}

#[test]
fn a_name_of_two_types_is_seen() {
    let file = |path: &str, text: &str| (path.to_owned(), text.to_owned());
    let sources = [
        file("a.rs", "pub struct Table {\n    pub struct Inner;\n}\npub(crate) struct Seat;"),
        file("b.rs", "pub enum Table<T> {}\npub struct Seat;\nstruct Row;\npub trait Inner {}"),
    ];
    assert_eq!(repeated_names(&sources), BTreeMap::from([("Table", vec!["a.rs", "b.rs"])]));
}
