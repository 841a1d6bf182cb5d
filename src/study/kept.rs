//! Finished sections in a folder, so that a report that was stopped goes on where it was.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use newmarket_checkpoints::write_whole;
use newmarket_eval::study::Section;

use super::plan::Asked;
use crate::failure::{At, Failure, Result};

/// The folder; none: nothing is kept.
pub(super) struct Kept(Option<PathBuf>);

impl Kept {
    /// Makes the folder if it is not there.
    pub(super) fn in_folder(folder: Option<&Path>) -> Result<Self> {
        if let Some(folder) = folder {
            fs::create_dir_all(folder).at(folder.display())?;
        }
        Ok(Self(folder.map(Path::to_owned)))
    }

    /// The file of the section that this command gives.
    pub(super) fn file(&self, asked: &Asked, command: &str) -> Option<PathBuf> {
        self.0.as_ref().map(|folder| folder.join(file_name(asked, command)))
    }
}

/// The name of the study, and a hash of all that its section depends on: the program, the command, and the
/// rules in full, since a rules file may change.
fn file_name(asked: &Asked, command: &str) -> String {
    let mut hash = blake3::Hasher::new();
    hash.update(env!("CARGO_PKG_VERSION").as_bytes()).update(command.as_bytes());
    for game in &asked.games {
        hash.update(game.rules().to_toml().as_bytes());
    }
    let hash = hash.finalize().to_hex();
    format!("{}-{}.json", asked.study.name(), &hash[..16])
}

/// The section of a file, if it is there.
pub(super) fn read(path: &Path) -> Result<Option<Section>> {
    let text = match fs::read_to_string(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        text => text.at(path.display())?,
    };
    serde_json::from_str(&text).map(Some).map_err(|error| {
        let path = path.display();
        Failure::user(format!("{path}: {error}: expected a section as --keep wrote it; remove it"))
    })
}

/// Keeps a section.
pub(super) fn write(path: &Path, section: &Section) -> Result {
    let text =
        serde_json::to_string(section).map_err(|error| Failure::Program(error.to_string()))?;
    Ok(write_whole(path, text.as_bytes())?)
}
