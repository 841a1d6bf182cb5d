//! Puts the built page, `web/dist`, into the program: a table of its files, empty without a page.
//!
//! Cargo runs this again when the page has changed or this file has: `web/build` touches it, so that a
//! page that was not there before is found.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=build.rs");
    let dist = Path::new(env!("CARGO_MANIFEST_DIR")).join("web/dist");
    let mut files = Vec::new();
    if dist.join("index.html").is_file() {
        // Not without a page: what is not there counts as changed at every build.
        println!("cargo::rerun-if-changed=web/dist");
        find(&dist, &mut files)?;
        files.sort();
    }
    let mut table = String::from("&[\n");
    for file in files {
        let name = file.strip_prefix(&dist).unwrap_or(&file).to_string_lossy().replace('\\', "/");
        let _ = writeln!(table, "({name:?}, include_bytes!({:?})),", file.display().to_string());
    }
    table.push_str("]\n");
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    fs::write(out.join("page.rs"), table)
}

/// All files below a folder.
fn find(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            find(&path, files)?;
        } else {
            files.push(path);
        }
    }
    Ok(())
}
