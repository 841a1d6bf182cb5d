//! Text from anywhere, made fit for a line of a terminal.

use alloc::borrow::Cow;
use alloc::string::{String, ToString as _};
use core::error::Error;
use core::fmt::Write;

/// Characters of one quotation in a message; more tell a person nothing.
pub const QUOTED: usize = 200;

/// Words with the same text between any two of them. `[T]::join` does the same in six times the code, and
/// pages load what is used.
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

/// A text in which nothing breaks the line, gives a terminal an order or turns the direction of
/// writing: what it quotes may come from anywhere.
pub fn plain(text: &str) -> Cow<'_, str> {
    escaped(text, is_order, |c, plain| plain.extend(c.escape_default()))
}

/// The same for a text of several lines, which stay lines.
pub fn plain_lines(text: &str) -> Cow<'_, str> {
    escaped(
        text,
        |c| is_order(c) && !matches!(c, '\n' | '\t'),
        |c, plain| plain.extend(c.escape_default()),
    )
}

/// The beginning of a text of more than `most` characters, which then ends with `…`.
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
        // Some errors say their cause themselves.
        if !last.ends_with(&text) {
            line = alloc::format!("{line}: {text}");
            last = text;
        }
        cause = error.source();
    }
    line
}

/// A line of JSON that a terminal shows as it is, and that says the same.
pub fn plain_json(line: &str) -> Cow<'_, str> {
    // All of them are of the first plane: one escape each.
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
        || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

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
