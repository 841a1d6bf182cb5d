//! Makes any text safe for one line of a terminal.

pub mod toml;

use alloc::borrow::Cow;
use alloc::string::{String, ToString as _};
use core::error::Error;
use core::fmt::Write;

/// Most characters of one quotation in a message.
pub const QUOTED: usize = 200;

/// The byte order mark in UTF-8.
pub const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// Joins texts with a separator. `[T]::join` would add six times as much code to the browser module.
pub trait Joined {
    /// One text.
    fn joined(&self, between: &str) -> String;
}

impl<T: AsRef<str>> Joined for [T] {
    fn joined(&self, between: &str) -> String {
        let mut text = String::new();
        for (nth, word) in self.iter().enumerate() {
            if nth > 0 {
                text.push_str(between);
            }
            text.push_str(word.as_ref());
        }
        text
    }
}

/// A list in a sentence: `a, b and c`.
pub fn listed<T: AsRef<str>>(parts: &[T]) -> String {
    match parts {
        [] => String::new(),
        [one] => one.as_ref().into(),
        [most @ .., last] => [&*most.joined(", "), last.as_ref()].joined(" and "),
    }
}

/// Replaces everything in a text that could break the line, control a terminal or change the direction of
/// writing: a quotation may come from outside.
pub fn plain(text: &str) -> Cow<'_, str> {
    escaped(text, is_order, |c, plain| plain.extend(c.escape_default()))
}

/// [`plain`] for a text of several lines; line breaks stay.
pub fn plain_lines(text: &str) -> Cow<'_, str> {
    escaped(
        text,
        |c| is_order(c) && !matches!(c, '\n' | '\t'),
        |c, plain| plain.extend(c.escape_default()),
    )
}

/// The parts of a text before and after the first `between`. `str::split_once` is 3 KB of code in the browser module.
pub fn parted<'t>(text: &'t str, between: &str) -> Option<(&'t str, &'t str)> {
    let found =
        (0..text.len()).find(|&at| text.as_bytes()[at..].starts_with(between.as_bytes()))?;
    Some((&text[..found], &text[found + between.len()..]))
}

/// The bytes of a text without the byte order mark that some programs write before it.
pub fn without_mark(text: &[u8]) -> &[u8] {
    text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text)
}

/// Cuts a text after `most` characters, and marks the cut with `…`.
pub fn brief(text: &str, most: usize) -> Cow<'_, str> {
    match text.char_indices().nth(most) {
        None => text.into(),
        Some((end, _)) => alloc::format!("{}…", &text[..end]).into(),
    }
}

/// An error and its causes in one line.
pub fn with_causes(error: &dyn Error) -> String {
    let mut line = error.to_string();
    let mut last = line.clone();
    let mut cause = error.source();
    while let Some(error) = cause {
        let text = error.to_string();
        // Some messages already include their cause.
        if !last.ends_with(&text) {
            line = alloc::format!("{line}: {text}");
            last = text;
        }
        cause = error.source();
    }
    line
}

/// Escapes a line of JSON so that a terminal shows it unchanged; its value stays the same.
pub fn plain_json(line: &str) -> Cow<'_, str> {
    // All such characters are of the first plane: one escape each.
    escaped(line, is_order, |c, plain| {
        let _ = write!(plain, "\\u{:04x}", u32::from(c));
    })
}

fn escaped(
    text: &str,
    escape: impl Fn(char) -> bool,
    write: impl Fn(char, &mut String),
) -> Cow<'_, str> {
    if !text.contains(&escape) {
        return text.into();
    }
    let mut plain = String::with_capacity(text.len());
    for c in text.chars() {
        if escape(c) { write(c, &mut plain) } else { plain.push(c) }
    }
    plain.into()
}

/// Control characters, and those that change the direction of writing or cannot be seen.
fn is_order(c: char) -> bool {
    c.is_control()
        || matches!(
            c,
            '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}'
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_parted_as_the_standard_library_does() {
        for text in ["", "a: b", "é: expected ü: expected x", ": expected", ": expected ", "no"] {
            assert_eq!(parted(text, ": expected "), text.split_once(": expected "), "{text}");
        }
    }

    #[test]
    fn words_are_joined_as_the_standard_library_does() {
        for words in [&[][..], &["one"], &["", "two", "three"]] {
            assert_eq!(words.joined(", "), words.join(", "));
        }
    }

    #[test]
    fn nothing_reaches_a_terminal_but_text() {
        assert_eq!(plain("Königin ♠"), "Königin ♠");
        assert_eq!(plain("a\u{1b}[31mb\nc\u{202e}d\u{9b}"), "a\\u{1b}[31mb\\nc\\u{202e}d\\u{9b}");
        assert_eq!(plain_json("{\"a\":\"\u{7f}ä\u{202e}\"}"), "{\"a\":\"\\u007fä\\u202e\"}");
        assert_eq!(plain_lines("a\n\tb\r\u{7}"), "a\n\tb\\r\\u{7}");
        assert_eq!((&*brief("ääää", 4), &*brief("ääää", 3)), ("ääää", "äää…"));
    }
}
