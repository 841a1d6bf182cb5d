//! Builds the page, `web/dist`, into the program, as a table of its files. The table is empty without a page.
//!
//! Cargo runs this script again when the page or this file changes. `web/build` touches this file, so that Cargo finds a
//! page that did not exist before.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=build.rs");
    let dist = Path::new(env!("CARGO_MANIFEST_DIR")).join("web/dist");
    let mut files = Vec::new();
    if dist.join("index.html").is_file() {
        // Only with a page: Cargo takes a missing path for changed at every build.
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

/// Adds all files below a folder.
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
