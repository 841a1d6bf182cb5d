//! The page: a fixed table of its files. The server sends only these.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fs;
use std::io::Read;
use std::path::Path;

use super::kinds::{caching, media_type};
use crate::failure::{At, Failure, Result};

/// The files of `web/dist` when the program was compiled.
static BUILT_IN: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/page.rs"));

/// The most files of a page, and the most bytes of all files together: many times the actual ones.
const MOST_FILES: usize = 2_000;
const MOST_BYTES: u64 = 256 << 20;

/// The files of the page, by path without the first `/`.
#[derive(Debug)]
pub(super) struct Page {
    files: BTreeMap<String, File>,
}

/// A file with its headers.
#[derive(Debug)]
pub(super) struct File {
    pub(super) media_type: &'static str,
    pub(super) caching: &'static str,
    pub(super) plain: Form,
    /// The compressed form, if there is a file `NAME.gz`.
    pub(super) gzip: Option<Form>,
}

/// A form of a file: plain or compressed.
#[derive(Debug)]
pub(super) struct Form {
    pub(super) bytes: Cow<'static, [u8]>,
    /// The entity tag: a hash of the bytes.
    pub(super) tag: String,
}

impl Page {
    /// The built-in page; `None` if the program was compiled without one.
    pub(super) fn built_in() -> Option<Self> {
        Self::of(BUILT_IN.iter().map(|(name, bytes)| ((*name).to_owned(), Cow::Borrowed(*bytes))))
    }

    /// Reads the page in a folder.
    pub(super) fn in_folder(dist: &Path) -> Result<Self> {
        let place = dist.display();
        let mut files = Vec::new();
        let mut left = MOST_BYTES;
        find(dist, "", &mut files, &mut left).at(format!("cannot read the page in {place}"))?;
        Self::of(files).ok_or_else(|| {
            Failure::user(format!(
                "no index.html in {place}: expected a page that `web/build` has built"
            ))
        })
    }

    /// The page of these files; `None` without an `index.html`.
    fn of(files: impl IntoIterator<Item = (String, Cow<'static, [u8]>)>) -> Option<Self> {
        let mut forms: BTreeMap<String, Form> =
            files.into_iter().map(|(name, bytes)| (name, Form::new(bytes))).collect();
        forms.contains_key("index.html").then_some(())?;
        let names: Vec<String> = forms.keys().cloned().collect();
        let mut files = BTreeMap::new();
        for name in names {
            // `x.gz` sorts after `x`, which has removed it.
            let Some(plain) = forms.remove(&name) else { continue };
            let gzip = forms.remove(&format!("{name}.gz"));
            let (media_type, caching) = (media_type(&name), caching(&name));
            files.insert(name, File { media_type, caching, plain, gzip });
        }
        Some(Self { files })
    }

    /// The file at the path of a request.
    pub(super) fn file(&self, path: &str) -> Option<&File> {
        match path.strip_prefix('/')? {
            "" => self.files.get("index.html"),
            name => self.files.get(name),
        }
    }
}

impl Form {
    fn new(bytes: Cow<'static, [u8]>) -> Self {
        let tag = format!("\"{}\"", &blake3::hash(&bytes).to_hex()[..32]);
        Self { bytes, tag }
    }
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
            fs::File::open(&path)?.take(*left + 1).read_to_end(&mut bytes)?;
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

#[cfg(test)]
mod tests {
    use super::*;

    fn page(names: &[&str]) -> Option<Page> {
        Page::of(names.iter().map(|name| ((*name).to_owned(), name.as_bytes().to_vec().into())))
    }

    #[test]
    fn compressed_files_are_forms_of_their_files() {
        let page = page(&["index.html", "a.js", "a.js.gz", "a.jsx", "b.gz"]).expect("a page");
        let js = page.file("/a.js").expect("there");
        assert_eq!(js.gzip.as_ref().map(|gzip| &*gzip.bytes), Some(&b"a.js.gz"[..]));
        assert!(page.file("/a.js.gz").is_none() && page.file("/b.gz").is_some());
        assert!(page.file("/a.jsx").is_some_and(|file| file.gzip.is_none()));
        assert_eq!(page.file("/").map(|file| &file.plain.tag), {
            page.file("/index.html").map(|file| &file.plain.tag)
        });
        assert!(page.file("index.html").is_none());
    }

    #[test]
    fn there_is_no_page_without_its_index() {
        assert!(page(&[]).is_none() && page(&["a.js"]).is_none());
    }

    #[test]
    fn the_page_inside_is_whole_or_absent() {
        assert_eq!(Page::built_in().is_none(), BUILT_IN.is_empty());
    }
}
