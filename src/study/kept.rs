//! Finished sections in a folder, so that a report that was stopped goes on where it was. They are CBOR (RFC
//! 8949), which keeps every figure to the last bit.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use newmarket_checkpoints::write_whole;
use newmarket_eval::study::Section;

use super::plan::Asked;
use crate::failure::{At, Failure, Result};

/// The folder, and a hash of the program; none: nothing is kept.
pub(super) struct Kept(Option<(PathBuf, blake3::Hash)>);

impl Kept {
    /// Makes the folder if it is not there, and sees that files can be written there.
    pub(super) fn in_folder(folder: Option<&Path>) -> Result<Self> {
        let Some(folder) = folder else { return Ok(Self(None)) };
        if folder.exists() && !folder.is_dir() {
            let path = folder.display();
            return Err(Failure::user(format!("--keep {path}: it is a file, expected a folder")));
        }
        fs::create_dir_all(folder).at(folder.display())?;
        tempfile::tempfile_in(folder).at(folder.display())?;
        // Another build may give other figures.
        let program = std::env::current_exe().and_then(fs::read).unwrap_or_default();
        Ok(Self(Some((folder.to_owned(), blake3::hash(&program)))))
    }

    /// The file of the section that this command gives.
    pub(super) fn file(&self, asked: &Asked, command: &str) -> Option<PathBuf> {
        let (folder, program) = self.0.as_ref()?;
        Some(folder.join(file_name(program, asked, command)))
    }
}

/// The name of the study, and a hash of all that its section depends on: the program, the command, and the
/// rules in full, since a rules file may change.
fn file_name(program: &blake3::Hash, asked: &Asked, command: &str) -> String {
    let mut hash = blake3::Hasher::new();
    hash.update(program.as_bytes()).update(command.as_bytes());
    for game in &asked.games {
        hash.update(game.rules().to_toml().as_bytes());
    }
    let hash = hash.finalize().to_hex();
    format!("{}-{}.cbor", asked.study.name(), &hash[..16])
}

/// The section of a file, if it is there.
pub(super) fn read(path: &Path) -> Result<Option<Section>> {
    let bytes = match fs::read(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        bytes => bytes.at(path.display())?,
    };
    ciborium::from_reader(&bytes[..]).map(Some).map_err(|_| {
        let path = path.display();
        Failure::user(format!("{path}: expected a section as --keep wrote it; remove it"))
    })
}

/// Keeps a section.
pub(super) fn write(path: &Path, section: &Section) -> Result {
    let mut bytes = Vec::new();
    ciborium::into_writer(section, &mut bytes)
        .map_err(|error| Failure::Program(error.to_string()))?;
    Ok(write_whole(path, &bytes)?)
}
