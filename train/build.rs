//! Sets `NEWMARKET_BUILD`, a hash of all that can change a rollout besides its inputs: the sources of the
//! crates that play, and the versions of their dependencies. No such files lie beside a published crate: its version
//! stands for them.

use std::fs;
use std::path::{Path, PathBuf};

/// The hashed paths, relative to the root of the workspace.
const PLAYS: [&str; 6] =
    ["env/src", "net/src", "agents/src", "checkpoints/src", "train/src", "Cargo.lock"];

fn main() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut hash = Fnv(0xcbf2_9ce4_8422_2325);
    hash.write(env!("CARGO_PKG_VERSION").as_bytes());
    for path in PLAYS.map(|name| root.join(name)).iter().filter(|path| path.exists()) {
        println!("cargo::rerun-if-changed={}", path.display());
        let mut files = Vec::new();
        find(path, &mut files);
        files.sort();
        for file in files {
            let name = file.strip_prefix(&root).unwrap_or(&file).to_string_lossy();
            hash.write(name.replace('\\', "/").as_bytes());
            // A file that cannot be read counts as empty: the compiler reports the error.
            hash.write(&fs::read(&file).unwrap_or_default());
        }
    }
    println!("cargo::rustc-env=NEWMARKET_BUILD={:016x}", hash.0);
}

/// All files at or below a path.
fn find(path: &Path, files: &mut Vec<PathBuf>) {
    match fs::read_dir(path) {
        Ok(entries) => entries.flatten().for_each(|entry| find(&entry.path(), files)),
        Err(_) => files.push(path.into()),
    }
}

/// FNV-1a. The hash only tells builds apart; it is no protection.
struct Fnv(u64);

impl Fnv {
    fn write(&mut self, bytes: &[u8]) {
        for &byte in (bytes.len() as u64).to_le_bytes().iter().chain(bytes) {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}
