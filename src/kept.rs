//! Finished parts of a result, kept in a folder (`--keep`), so that a stopped command can continue. The files are
//! CBOR (RFC 8949), which keeps every figure to the last bit.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use newmarket_checkpoints::write_whole;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::failure::{At, Failure, Result};

/// The folder and a hash of the program; `None` keeps nothing.
pub(crate) struct Kept(Option<(PathBuf, blake3::Hash)>);

impl Kept {
    /// Creates the folder if needed, and checks that files can be written in it.
    pub(crate) fn in_folder(folder: Option<&Path>) -> Result<Self> {
        let Some(folder) = folder else { return Ok(Self(None)) };
        if folder.exists() && !folder.is_dir() {
            let path = folder.display();
            return Err(Failure::user(format!("--keep {path}: it is a file, expected a folder")));
        }
        fs::create_dir_all(folder).at("cannot create").at(folder.display())?;
        tempfile::tempfile_in(folder).at("cannot write there").at(folder.display())?;
        // Another build may give other figures.
        let program = std::env::current_exe().and_then(fs::read).unwrap_or_default();
        Ok(Self(Some((folder.to_owned(), blake3::hash(&program)))))
    }

    /// Reads the part `name` from the folder; if it is not there, does `work` and keeps its result. `depends_on`
    /// lists everything but the program that the part depends on.
    ///
    /// # Errors
    ///
    /// The outer error: the folder cannot be read or written. The inner error: `work` failed.
    pub(crate) fn or<T: Serialize + DeserializeOwned, E>(
        &self,
        name: &str,
        depends_on: impl FnOnce() -> Vec<String>,
        work: impl FnOnce() -> Result<T, E>,
    ) -> Result<Result<T, E>> {
        let Self(Some((folder, program))) = self else { return Ok(work()) };
        let path = folder.join(file_name(program, name, &depends_on()));
        if let Some(part) = read(&path)? {
            return Ok(Ok(part));
        }
        let part = work();
        if let Ok(part) = &part {
            write(&path, part)?;
        }
        Ok(part)
    }
}

/// The file name of a part: its name, and a hash of everything that it depends on.
fn file_name(program: &blake3::Hash, name: &str, depends_on: &[String]) -> String {
    let mut hash = blake3::Hasher::new();
    hash.update(program.as_bytes());
    for text in depends_on {
        // The length keeps a text apart from the next one.
        hash.update(&(text.len() as u64).to_le_bytes());
        hash.update(text.as_bytes());
    }
    let hash = hash.finalize().to_hex();
    format!("{name}-{}.cbor", &hash[..16])
}

/// The part in a file; `None` if there is no such file.
fn read<T: DeserializeOwned>(path: &Path) -> Result<Option<T>> {
    let bytes = match fs::read(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        bytes => bytes.at("cannot read").at(path.display())?,
    };
    ciborium::from_reader(&bytes[..]).map(Some).map_err(|_| {
        let path = path.display();
        Failure::user(format!("{path}: expected a file that --keep wrote; remove it"))
    })
}

fn write(path: &Path, part: &impl Serialize) -> Result {
    let mut bytes = Vec::new();
    ciborium::into_writer(part, &mut bytes).map_err(|error| Failure::Program(error.to_string()))?;
    Ok(write_whole(path, &bytes)?)
}
