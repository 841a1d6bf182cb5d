//! Every relative link in a document leads to a file and a heading that exist, and every path in
//! backticks exists.

use std::fs;
use std::path::{Path, PathBuf};

/// Folders and files of the repository that documents name before a build has made them.
const MADE: [&str; 5] = ["campaign/failures", "runs", "target", "web/dist", "web/engine/wasm"];

/// Words that stand for any name, as in `env/src/state/STAGE.rs`.
const PLACEHOLDERS: [&str; 4] = ["GAME", "NAME", "PACK", "STAGE"];

/// Documents of the past: their entries name files as they were called then.
const RECORDS: [&str; 2] = ["NOTEBOOK.md", "decisions"];

#[test]
fn links_lead_to_files_and_headings() {
    let mut broken = Vec::new();
    for document in documents() {
        let text = prose(&document);
        for link in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            if link.contains("://") {
                continue;
            }
            let (file, heading) = link.split_once('#').unwrap_or((link, ""));
            let target =
                if file.is_empty() { document.clone() } else { document.with_file_name(file) };
            let leads_there =
                target.exists() && (heading.is_empty() || has_heading(&target, heading));
            if !leads_there {
                broken.push(format!("{}: {link}", document.display()));
            }
        }
    }
    assert!(broken.is_empty(), "links that lead nowhere:\n{}", broken.join("\n"));
}

#[test]
fn paths_in_backticks_exist() {
    let mut missing = Vec::new();
    for document in documents() {
        if document.iter().any(|part| RECORDS.iter().any(|record| part == *record)) {
            continue;
        }
        let text = prose(&document);
        for path in text.split('`').skip(1).step_by(2).filter(|span| is_path(span)) {
            let beside = document.with_file_name(path);
            if !beside.exists() && !root().join(path).exists() {
                missing.push(format!("{}: {path}", document.display()));
            }
        }
    }
    assert!(missing.is_empty(), "paths that do not exist:\n{}", missing.join("\n"));
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// All Markdown files of the repository, without those of dependencies and of build outputs.
fn documents() -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in entries(root()) {
        let is_crate_or_documents = entry.join("Cargo.toml").exists() || holds_documents(&entry);
        if is_crate_or_documents || entry.is_file() {
            collect(entry, &mut found);
        }
    }
    assert!(found.len() > 20, "only {} documents were found", found.len());
    found
}

/// Whether this folder of the root has documents although it is no crate.
fn holds_documents(folder: &Path) -> bool {
    ["bindings", "docs", "release", "web"].iter().any(|name| folder.ends_with(name))
}

/// Adds `path` if it is a document, or the documents below it if it is a folder.
fn collect(path: PathBuf, found: &mut Vec<PathBuf>) {
    if path.is_dir() {
        let name = path.file_name().unwrap_or_default();
        if name != "node_modules" && name != "target" && name != "dist" {
            for entry in entries(&path) {
                collect(entry, found);
            }
        }
    } else if path.extension().is_some_and(|extension| extension == "md")
        // A build has made this one, of licences of others.
        && !path.ends_with("THIRD-PARTY.md")
    {
        found.push(path);
    }
}

/// What lies in a folder, in order of names.
fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a readable folder");
    let mut paths: Vec<_> = entries.map(|entry| entry.expect("a readable entry").path()).collect();
    paths.sort();
    paths
}

/// The text of a document without its fenced blocks of code.
fn prose(document: &Path) -> String {
    let text = fs::read_to_string(document).expect("a readable document");
    text.split("\n```").step_by(2).collect()
}

/// Whether a span of code is a path of this repository that has to exist.
fn is_path(span: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || "._-/".contains(c);
    let Some((first, _)) = span.split_once('/') else { return false };
    span.chars().all(plain)
        && !first.is_empty()
        && root().join(first).exists()
        && !PLACEHOLDERS.iter().any(|word| span.contains(word))
        && !MADE.iter().any(|made| span.starts_with(made))
}

/// Whether a document has a heading with this anchor.
fn has_heading(document: &Path, anchor: &str) -> bool {
    prose(document).lines().any(|line| {
        let title = line.trim_start_matches('#');
        title.len() < line.len() && slug(title.trim()) == anchor
    })
}

/// The anchor of a heading, as on GitHub.
fn slug(title: &str) -> String {
    let kept = title.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.map(|c| if c == ' ' { '-' } else { c.to_ascii_lowercase() }).collect()
}
