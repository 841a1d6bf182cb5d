//! Lines that are broken where the terminal is too narrow for them.

use std::io::{self, Write};
use std::sync::LazyLock;

use super::paint::{WIDTH, width};
use crate::output::cannot_write;

/// Columns that are written at most: those of the terminal, or what `COLUMNS` says without one.
pub(super) fn columns() -> usize {
    static COLUMNS: LazyLock<usize> = LazyLock::new(|| {
        let said = || std::env::var("COLUMNS").ok()?.parse().ok();
        let terminal = crossterm::terminal::size().ok().map(|(columns, _)| usize::from(columns));
        terminal.or_else(said).filter(|&columns| columns > 0).unwrap_or(WIDTH).clamp(20, WIDTH)
    });
    // Tests must not depend on where they run.
    if cfg!(test) { WIDTH } else { *COLUMNS }
}

/// Writes on, each line broken at spaces so that it fits.
pub(super) struct Fold<W> {
    out: W,
    /// A line that has not ended.
    line: Vec<u8>,
}

impl<W: Write> Fold<W> {
    pub(super) fn new(out: W) -> Self {
        Self { out, line: Vec::new() }
    }

    fn fold(&mut self) -> io::Result<()> {
        let line = std::mem::take(&mut self.line);
        let text = fold(&String::from_utf8_lossy(&line), columns());
        self.out.write_all(text.as_bytes()).map_err(told)
    }
}

impl<W: Write> Write for Fold<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for part in bytes.split_inclusive(|&byte| byte == b'\n') {
            self.line.extend_from_slice(part);
            if part.ends_with(b"\n") {
                self.fold()?;
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.fold()?;
        self.out.flush().map_err(told)
    }
}

/// An error with where it happened: what is played is written to standard output.
fn told(error: io::Error) -> io::Error {
    io::Error::new(error.kind(), cannot_write("standard output", error).to_string())
}

/// One line as several of so many columns; the further ones are indented by two more.
fn fold(line: &str, columns: usize) -> String {
    if width(line.trim_end()) <= columns {
        return line.into();
    }
    let indent = line.len() - line.trim_start_matches(' ').len();
    let mut folded = String::new();
    let (mut column, mut gap) = (0, indent);
    for word in line[indent..].split(' ') {
        if word.is_empty() {
            gap += 1;
            continue;
        }
        let wide = width(word.trim_end());
        if column > 0 && column + gap + wide > columns {
            gap = (indent + 2).min(columns / 2);
            folded.push('\n');
            column = 0;
        }
        folded.push_str(&" ".repeat(gap));
        folded.push_str(word);
        column += gap + wide;
        gap = 1;
    }
    // The end of a question.
    if line.ends_with(' ') {
        folded.push(' ');
    }
    folded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_broken_at_spaces_and_only_if_it_is_too_long() {
        for line in ["", "\n", "  ♣ 3 7   ♦ 9\n", "lead? "] {
            assert_eq!(fold(line, 20), line);
        }
        assert_eq!(fold("  ♣ 3 7   ♦ 9 10 K   ♠ A\n", 16), "  ♣ 3 7   ♦ 9 10\n    K   ♠ A\n");
        assert_eq!(fold("unbreakable-word which? ", 12), "unbreakable-word\n  which? ");
        let red = "\u{1b}[31m♦\u{1b}[39m";
        assert_eq!(fold(&format!("{red} {red} {red}"), 5), format!("{red} {red} {red}"));
    }
}
