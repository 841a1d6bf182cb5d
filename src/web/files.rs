//! Reads the page from a folder.

use std::borrow::Cow;
use std::fs::{self, File};
use std::io::Read;
use std::path::Path;

use super::page::Page;
use crate::failure::{At, Failure, Result};

/// The most files of a page, and the most bytes of all files together: many times the actual ones.
const MOST_FILES: usize = 2_000;
const MOST_BYTES: u64 = 256 << 20;

/// Reads all files of the page in a folder.
pub(super) fn read(dist: &Path) -> Result<Page> {
    let place = dist.display();
    let mut files = Vec::new();
    let mut left = MOST_BYTES;
    find(dist, "", &mut files, &mut left).at(format!("cannot read the page in {place}"))?;
    Page::of(files).ok_or_else(|| {
        Failure::user(format!(
            "no index.html in {place}: expected a page that `web/build` has built"
        ))
    })
}

/// Adds all files below a folder to `files`, under names with this prefix. `left` is the number of bytes left.
fn find(
    folder: &Path,
    prefix: &str,
    files: &mut Vec<(String, Cow<'static, [u8]>)>,
    left: &mut u64,
) -> Result {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let (path, kind) = (entry.path(), entry.file_type()?);
        // Links are skipped, and names that are not UTF-8, which have no address.
        let Ok(name) = entry.file_name().into_string() else { continue };
        let name = format!("{prefix}{name}");
        if kind.is_dir() {
            find(&path, &format!("{name}/"), files, left)?;
        } else if kind.is_file() {
            let mut bytes = Vec::new();
            File::open(&path)?.take(*left + 1).read_to_end(&mut bytes)?;
            let rest = left.checked_sub(bytes.len() as u64).filter(|_| files.len() < MOST_FILES);
            *left = rest.ok_or_else(|| {
                Failure::user(format!(
                    "too large for a page: expected at most {MOST_FILES} files of {MOST_BYTES} bytes in all"
                ))
            })?;
            files.push((name, bytes.into()));
        }
    }
    Ok(())
}
