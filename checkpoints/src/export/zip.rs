//! An archive of files that are not compressed, without times: the same content is the same bytes.
//!
//! Written by hand, since the crate that writes all kinds of archives brings random numbers and system
//! calls along. <https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT>, sections 4.3.7 to 4.3.16.

use alloc::string::String;
use alloc::vec::Vec;

/// Version 2.0, no flags, not compressed, at midnight on the first of January 1980.
const KIND: [u16; 5] = [20, 0, 0, 0, 0x21];

/// An archive of these files, by name.
///
/// # Panics
///
/// If it has 4 GiB or more, or a name 64 KiB.
pub(super) fn stored(files: &[(String, Vec<u8>)]) -> Vec<u8> {
    let (mut archive, mut directory) = (Vec::new(), Vec::new());
    for (name, bytes) in files {
        let offset = small(archive.len());
        archive.extend(b"PK\x03\x04");
        let about = about(name, bytes);
        archive.extend(&about);
        archive.extend(name.as_bytes());
        archive.extend(bytes);

        directory.extend(b"PK\x01\x02");
        directory.extend(KIND[0].to_le_bytes());
        directory.extend(&about);
        // No comment, the first disk, attributes.
        directory.extend([0; 10]);
        directory.extend(offset.to_le_bytes());
        directory.extend(name.as_bytes());
    }
    let (start, length) = (small(archive.len()), small(directory.len()));
    let count = u16::try_from(files.len()).expect("few files");
    archive.extend(directory);
    archive.extend(b"PK\x05\x06");
    archive.extend([0; 4]);
    archive.extend(count.to_le_bytes());
    archive.extend(count.to_le_bytes());
    archive.extend(length.to_le_bytes());
    archive.extend(start.to_le_bytes());
    archive.extend([0; 2]);
    archive
}

/// What stands before a file and in the directory alike.
fn about(name: &str, bytes: &[u8]) -> Vec<u8> {
    let length = small(bytes.len());
    let mut about: Vec<u8> = KIND.iter().flat_map(|number| number.to_le_bytes()).collect();
    for number in [crc32fast::hash(bytes), length, length] {
        about.extend(number.to_le_bytes());
    }
    about.extend(u16::try_from(name.len()).expect("a short name").to_le_bytes());
    about.extend(0u16.to_le_bytes());
    about
}

fn small(length: usize) -> u32 {
    u32::try_from(length).expect("an archive below 4 GiB")
}
