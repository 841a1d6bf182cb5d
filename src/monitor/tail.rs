//! Reads new lines of a file that another process writes.

use std::fs::{self, File};
use std::io::{self, Error, ErrorKind, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

/// The most bytes of a line; longer lines are skipped.
const LONGEST_LINE: usize = 1 << 16;
/// The most bytes of one read.
const AT_ONCE: usize = 1 << 23;
/// Bytes before the position that identify the file.
const KNOWN: usize = 512;

/// A file, read up to some place.
#[derive(Debug)]
pub(super) struct Tail {
    path: PathBuf,
    /// Bytes read so far, and the last of them.
    read: u64,
    known: Vec<u8>,
    /// The beginning of an unfinished line.
    begun: Vec<u8>,
    /// Whether that line is too long already.
    too_long: bool,
}

/// The result of a read.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Found {
    /// The file was replaced or truncated since the last read, so earlier lines are stale.
    pub(super) anew: bool,
    /// Whole lines; `None` for a line that is too long or not UTF-8.
    pub(super) lines: Vec<Option<String>>,
    /// Whether more can be read at once.
    pub(super) more: bool,
}

impl Tail {
    pub(super) fn new(path: PathBuf) -> Self {
        Self { path, read: 0, known: Vec::new(), begun: Vec::new(), too_long: false }
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// The lines since the last read. A missing file counts as empty.
    pub(super) fn look(&mut self) -> io::Result<Found> {
        let mut found = Found::default();
        match fs::metadata(&self.path) {
            Ok(about) if about.is_file() => {}
            // Opening a pipe would block.
            Ok(_) => return Err(Error::new(ErrorKind::InvalidData, "it is not a regular file")),
            Err(error) if error.kind() == ErrorKind::NotFound => {
                found.anew = self.read > 0;
                self.begin_anew();
                return Ok(found);
            }
            Err(error) => return Err(error),
        }
        let mut file = File::open(&self.path)?;
        if !self.is_same(&mut file)? {
            found.anew = true;
            self.begin_anew();
            file.seek(SeekFrom::Start(0))?;
        }
        let mut bytes = Vec::new();
        file.take(AT_ONCE as u64).read_to_end(&mut bytes)?;
        found.more = bytes.len() == AT_ONCE;
        self.read += bytes.len() as u64;
        let all = [&*self.known, &bytes[bytes.len().saturating_sub(KNOWN)..]].concat();
        self.known = all[all.len().saturating_sub(KNOWN)..].to_vec();
        for part in bytes.split_inclusive(|&byte| byte == b'\n') {
            let (text, ends) = match part.strip_suffix(b"\n") {
                Some(text) => (text, true),
                None => (part, false),
            };
            self.too_long |= self.begun.len() + text.len() > LONGEST_LINE;
            if !self.too_long {
                self.begun.extend_from_slice(text);
            }
            if ends {
                let line = std::mem::take(&mut self.begun);
                let whole = !std::mem::take(&mut self.too_long);
                found.lines.push(String::from_utf8(line).ok().filter(|_| whole));
            }
        }
        Ok(found)
    }

    /// Whether the last bytes read are unchanged. The file is then positioned after them.
    fn is_same(&self, file: &mut File) -> io::Result<bool> {
        let mut there = vec![0; self.known.len()];
        file.seek(SeekFrom::Start(self.read - there.len() as u64))?;
        match file.read_exact(&mut there) {
            Ok(()) => Ok(there == self.known),
            Err(error) if error.kind() == ErrorKind::UnexpectedEof => Ok(false),
            Err(error) => Err(error),
        }
    }

    fn begin_anew(&mut self) {
        *self = Self::new(std::mem::take(&mut self.path));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    fn texts(found: &Found) -> Vec<&str> {
        found.lines.iter().map(|line| line.as_deref().unwrap_or("?")).collect()
    }

    #[test]
    fn lines_come_once_and_whole() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("rows");
        let mut tail = Tail::new(path.clone());
        assert_eq!(tail.look().expect("no file is an empty file"), Found::default());
        let mut file = File::create(&path).expect("a file");
        let mut write = |text: &[u8]| file.write_all(text).expect("written");
        for (more, lines) in [
            (&b"on"[..], &[][..]),
            (b"e\ntwo\nth", &["one", "two"]),
            (b"", &[]),
            (b"r", &[]),
            (b"ee\n", &["three"]),
            (b"\xff\n\n\0\n", &["?", "", "\0"]),
        ] {
            write(more);
            let found = tail.look().expect("readable");
            assert_eq!((texts(&found), found.anew), (lines.to_vec(), false));
        }
        write(&vec![b'x'; LONGEST_LINE]);
        assert_eq!(tail.look().expect("readable"), Found::default());
        write(&vec![b'x'; 3 * LONGEST_LINE]);
        assert_eq!(tail.look().expect("readable"), Found::default());
        assert!(tail.begun.len() <= LONGEST_LINE, "bounded");
        write(b"\nfour\n");
        assert_eq!(texts(&tail.look().expect("readable")), ["?", "four"]);
    }

    #[test]
    fn a_file_in_its_place_is_read_anew() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("rows");
        let mut tail = Tail::new(path.clone());
        fs::write(&path, "one 1\ntwo 1\nthree 1\n").expect("written");
        assert_eq!(tail.look().expect("readable").lines.len(), 3);
        // Cut, and gone on from there; longer than it was; gone; there again.
        for (text, lines) in [
            ("one 1\n", &["one 1"][..]),
            ("one 1\ntwo 2\nthree 2\nfour 2\n", &["two 2", "three 2", "four 2"]),
            ("one 3\ntwo 3\nthree 3\nfour 3\nfive", &["one 3", "two 3", "three 3", "four 3"]),
        ] {
            fs::write(&path, text).expect("written");
            let found = tail.look().expect("readable");
            let grown = lines[0] == "two 2";
            assert_eq!((texts(&found), found.anew), (lines.to_vec(), !grown), "{text}");
        }
        fs::remove_file(&path).expect("removed");
        assert_eq!(tail.look().expect("none"), Found { anew: true, ..Found::default() });
        assert_eq!(tail.look().expect("none"), Found::default());
        fs::write(&path, "new\n").expect("written");
        assert_eq!(texts(&tail.look().expect("readable")), ["new"]);
        assert!(Tail::new(folder.path().into()).look().is_err(), "a folder has no lines");
    }

    #[test]
    fn much_is_read_in_parts() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("rows");
        let line = "0123456789abcde\n";
        fs::write(&path, line.repeat(AT_ONCE / 16 + 10)).expect("written");
        let mut tail = Tail::new(path);
        let first = tail.look().expect("readable");
        let rest = tail.look().expect("readable");
        assert!(first.more && !rest.more && rest.lines.len() == 10 && !rest.anew);
    }
}
