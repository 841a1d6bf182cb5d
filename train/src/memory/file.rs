//! The file of a memory beside its checkpoint, `update-000120.rows`. Numbers are little-endian.
//!
//! | bytes | contents |
//! | --- | --- |
//! | 8 | `nmktkept` |
//! | 4 | version, 1 |
//! | 8 | the fingerprint of the encoding |
//! | 8, 4 | number of rows seen, number of rows kept |
//! | … | the rows, as in the message of a shard |
//! | 32 | the seal: BLAKE3 of all bytes before |

use super::Kept;
use crate::TrainError;
use crate::gather::shard::{Reader, read_row, write_row};
use newmarket_checkpoints::{file_name, write_whole};
use newmarket_env::encode;
use std::fs;
use std::path::{Path, PathBuf};

const MAGIC: &[u8; 8] = b"nmktkept";
const VERSION: u32 = 1;
const ENDING: &str = "rows";

/// The file of the checkpoint of an update.
fn path(folder: &Path, update: u64) -> PathBuf {
    folder.join(file_name(update)).with_extension(ENDING)
}

impl Kept {
    /// Writes the file of an update, if anything was seen. It comes before its checkpoint, so that no checkpoint
    /// is without it.
    pub(crate) fn write(&self, folder: &Path, update: u64) -> Result<(), TrainError> {
        if self.seen == 0 {
            return Ok(());
        }
        Ok(write_whole(&path(folder, update), &self.to_bytes())?)
    }

    /// Reads what was kept at an update at which `seen` rows had been seen.
    pub(crate) fn read(folder: &Path, update: u64, seen: u64) -> Result<Self, String> {
        if seen == 0 {
            return Ok(Self::default());
        }
        let path = path(folder, update);
        let named = |fault: String| format!("{}: {fault}", path.display());
        let kept = fs::read(&path).map_err(|error| named(error.to_string()))?;
        let kept = Self::from_bytes(&kept).map_err(named)?;
        if kept.seen == seen {
            return Ok(kept);
        }
        Err(named(format!("it is of {} rows, expected {seen}", kept.seen)))
    }

    /// Removes files whose checkpoints are gone.
    pub(crate) fn sweep(folder: &Path) -> Result<(), TrainError> {
        for entry in fs::read_dir(folder).map_err(TrainError::io("read", folder))? {
            let path = entry.map_err(TrainError::io("read", folder))?.path();
            let is_kept = path.extension().is_some_and(|ending| ending == ENDING);
            if is_kept && !path.with_extension("ckpt").exists() {
                fs::remove_file(&path).map_err(TrainError::io("remove", &path))?;
            }
        }
        Ok(())
    }

    fn to_bytes(&self) -> Vec<u8> {
        let mut out = MAGIC.to_vec();
        out.extend(VERSION.to_le_bytes());
        out.extend(encode::fingerprint().to_le_bytes());
        out.extend(self.seen.to_le_bytes());
        out.extend((self.rows.len() as u32).to_le_bytes());
        for row in 0..self.rows.len() {
            write_row(&mut out, &self.rows, row);
        }
        let seal = blake3::hash(&out);
        out.extend(seal.as_bytes());
        out
    }

    fn from_bytes(bytes: &[u8]) -> Result<Self, String> {
        let (body, seal) = bytes.split_last_chunk::<32>().ok_or("it is cut off")?;
        let mut reader = Reader(body);
        if reader.take::<8>("its beginning")? != *MAGIC
            || u32::from_le_bytes(reader.take("its version")?) != VERSION
        {
            return Err("it is no file of kept rows that this program reads".into());
        }
        if blake3::hash(body) != *seal {
            return Err("damaged: its seal does not match".into());
        }
        if u64::from_le_bytes(reader.take("its encoding")?) != encode::fingerprint() {
            return Err("it is of another encoding".into());
        }
        let seen = u64::from_le_bytes(reader.take("rows seen")?);
        let mut kept = Self { seen, ..Self::default() };
        for _ in 0..u32::from_le_bytes(reader.take("rows kept")?) {
            read_row(&mut reader, &mut kept.rows, usize::from(u16::MAX) + 1)?;
        }
        if reader.0.is_empty() { Ok(kept) } else { Err("bytes follow its last row".into()) }
    }
}
