//! TOML for programs, which a terminal can show unchanged: what could control it is escaped as TOML escapes.

use alloc::borrow::Cow;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::Write;

use serde_json::Value;

use super::{is_order, plain, plain_json};

/// A value in TOML on one line, with inline tables.
pub fn value(value: &Value) -> String {
    match value {
        Value::Array(items) => {
            format!("[{}]", items.iter().map(self::value).collect::<Vec<_>>().join(", "))
        }
        Value::Object(fields) => {
            let field = |(name, field): (&String, &Value)| {
                format!("{} = {}", key(name), self::value(field))
            };
            format!("{{ {} }}", fields.iter().map(field).collect::<Vec<_>>().join(", "))
        }
        // JSON and TOML write strings, numbers and booleans alike, except that TOML escapes DEL.
        simple => plain_json(&format!("{simple}")).into_owned(),
    }
}

/// A key in TOML, quoted if it must be.
pub fn key(name: &str) -> String {
    let bare = |c: char| c.is_ascii_alphanumeric() || "-_".contains(c);
    let is_bare = !name.is_empty() && name.chars().all(bare);
    if is_bare { name.into() } else { value(&name.into()) }
}

/// Escapes a text in TOML so that a terminal shows it unchanged; its values stay the same.
pub fn plain_toml(text: &str) -> Cow<'_, str> {
    let is_order = |c: char| is_order(c) && !matches!(c, '\n' | '\t');
    if !text.contains(is_order) {
        return text.into();
    }
    let (mut shown, mut rest) = (String::with_capacity(text.len()), text);
    while !rest.is_empty() {
        let part = &rest[..end_of_part(rest)];
        rest = &rest[part.len()..];
        let quote = part.chars().next().filter(|c| matches!(c, '"' | '\''));
        match quote {
            _ if !part.contains(is_order) => shown.push_str(part),
            Some('"') => escape(part, false, &mut shown),
            Some(_) => {
                // A literal string has no escapes: it becomes a string that has.
                let marks = if part.starts_with("'''") { 3 } else { 1 };
                let inner = part[marks..].strip_suffix(&part[..marks]).unwrap_or(&part[marks..]);
                let quotes = &"\"\"\""[..marks];
                shown.push_str(quotes);
                escape(inner, true, &mut shown);
                shown.push_str(quotes);
            }
            // A comment, or what stands between strings: nothing there has a value.
            None => {
                for line in part.split_inclusive('\n') {
                    let end =
                        if line.ends_with("\r\n") { 2 } else { usize::from(line.ends_with('\n')) };
                    let (line, end) = line.split_at(line.len() - end);
                    let tabs: Vec<Cow<str>> = line.split('\t').map(plain).collect();
                    shown.push_str(&tabs.join("\t"));
                    shown.push_str(end);
                }
            }
        }
    }
    shown.into()
}

/// The length of the first string, or of all before it.
fn end_of_part(text: &str) -> usize {
    let quote = text.bytes().next().filter(|byte| matches!(byte, b'"' | b'\''));
    let Some(quote) = quote else {
        // A quote in a comment begins no string.
        let mut comment = false;
        let begins = |c: char| {
            comment = c != '\n' && (comment || c == '#');
            !comment && matches!(c, '"' | '\'')
        };
        return text.find(begins).unwrap_or(text.len());
    };
    let marks = if text.as_bytes().starts_with(&[quote; 3]) { 3 } else { 1 };
    let mut at = marks;
    while let Some(&byte) = text.as_bytes().get(at) {
        match byte {
            b'\\' if quote == b'"' => at += 1,
            b'\n' if marks == 1 => return at,
            _ if text.as_bytes()[at..].starts_with(&[quote; 3][..marks]) => {
                // Up to two further quotes before the end belong to a string of several lines.
                let more = text.as_bytes()[at + marks..].iter();
                let more = more.take_while(|&&byte| marks == 3 && byte == quote).count();
                return at + marks + more.min(2);
            }
            _ => {}
        }
        at += 1;
    }
    text.len()
}

/// Writes the inside of a string with escapes; `literal` escapes what a literal string has as it is.
fn escape(text: &str, literal: bool, to: &mut String) {
    for (nth, c) in text.char_indices() {
        let ends_line = c == '\r' && text[nth + 1..].starts_with('\n');
        match c {
            '\\' | '"' if literal => to.extend(['\\', c]),
            '\n' | '\t' => to.push(c),
            '\r' if ends_line => to.push(c),
            c if is_order(c) => {
                let _ = write!(to, "\\u{:04x}", u32::from(c));
            }
            c => to.push(c),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;
    use serde_json::{Map, json};

    type Table = Map<String, Value>;

    /// Every character that orders a terminal, and those that TOML and JSON escape.
    fn odd() -> String {
        let all = ('\0'..='\u{ffff}').filter(|&c| is_order(c) || c == '\u{feff}');
        all.chain(['"', '\'', '\\', '#', 'é', '\u{1f469}', '\u{e0001}', '\u{10ffff}']).collect()
    }

    #[test]
    fn any_text_comes_back_and_orders_nothing() {
        for text in odd().chars().map(String::from).chain([odd(), "a\\u200cb".into()]) {
            let table = json!({ text.clone(): [text.clone(), { "x": text.clone() }] });
            let told = format!("a = {}", value(&table));
            assert!(!told.contains(is_order), "{told:?}");
            let read: Table = ::toml::from_str(&told).expect(&told);
            assert_eq!(read["a"], table, "{told}");
        }
    }

    #[test]
    fn a_file_keeps_its_values() {
        for c in odd().chars().filter(|c| !c.is_control() || *c >= '\u{80}') {
            let files = [
                format!("a = \"x{c}y\" # {c}\"\nb = 1"),
                format!("a = 'x\\{}y' # it's {c}\nb = 1", if c == '\'' { ' ' } else { c }),
                format!(
                    "a = \"\"\"\nx\"{}\"\n y\\\n  z\"\"\"\r\nb = '{}'",
                    if c == '\\' { ' ' } else { c },
                    "\u{200b}"
                ),
                format!("a = '''\nx\\\"\"\"{c} '\r\n'' y'''\nb = [\"\\\"{}\"]", "\u{202e}"),
                format!("a = ''''x' {}'''' # '\nb = \"\"", if c == '\'' { ' ' } else { c }),
            ];
            for text in files {
                let Ok(table) = ::toml::from_str::<Table>(&text) else { continue };
                let shown = plain_toml(&text).to_string();
                let order = |c: char| is_order(c) && !matches!(c, '\n' | '\t' | '\r');
                assert!(!shown.contains(order), "{shown:?}");
                assert_eq!(
                    ::toml::from_str::<Table>(&shown).expect(&shown),
                    table,
                    "{text:?} {shown:?}"
                );
            }
        }
        // What is no TOML is shown all the same.
        for text in ["\u{9b}\"", "a = '\u{9b}", "'''\u{9b}", "\"\\", "\"\"\"\u{9b}\\", "\r\u{9b}"] {
            assert!(!plain_toml(text).contains(is_order), "{text:?}");
        }
    }
}
