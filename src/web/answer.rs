//! Answers to requests.

use std::fmt::Write;

use super::door::Door;
use super::page::{File, Page};
use super::request::Request;

/// The headers of every answer. The page runs only its own scripts, styles and WebAssembly, loads nothing from other
/// sites, and cannot be framed; no other page may use its files.
const ALWAYS: [(&str, &str); 6] = [
    (
        "Content-Security-Policy",
        "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; \
         object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    ),
    ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "no-referrer"),
    ("Cross-Origin-Opener-Policy", "same-origin"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
    ("Connection", "close"),
];

/// An answer: its head and its body.
pub(super) struct Answer<'a> {
    pub(super) head: String,
    pub(super) body: &'a [u8],
}

/// The answer to a request at this door.
pub(super) fn to<'a>(page: &'a Page, request: &Request, door: &Door) -> Answer<'a> {
    let path = match door.path(request) {
        Ok(path) => path,
        Err(status) => return refusal(status),
    };
    if !matches!(&*request.method, "GET" | "HEAD") {
        return refusal("405 Method Not Allowed");
    }
    match page.file(path) {
        Some(file) => found(file, request),
        // Somebody has typed the address without its last slash.
        None if path.is_empty() => moved(&format!("{}/", request.path)),
        None => refusal("404 Not Found"),
    }
}

fn found<'a>(file: &'a File, request: &Request) -> Answer<'a> {
    let gzip = file.gzip.as_ref().filter(|_| request.takes_gzip);
    let form = gzip.unwrap_or(&file.plain);
    let mut headers = vec![("ETag", &*form.tag), ("Cache-Control", file.caching)];
    if file.gzip.is_some() {
        headers.push(("Vary", "Accept-Encoding"));
    }
    if has(&request.have, &form.tag) {
        return Answer { head: head("304 Not Modified", &headers), body: &[] };
    }
    let length = form.bytes.len().to_string();
    headers.extend([("Content-Type", file.media_type), ("Content-Length", &*length)]);
    if gzip.is_some() {
        headers.push(("Content-Encoding", "gzip"));
    }
    let body = if request.method == "HEAD" { &[] } else { &*form.bytes };
    Answer { head: head("200 OK", &headers), body }
}

/// Whether `If-None-Match` lists this tag.
fn has(have: &str, tag: &str) -> bool {
    let listed = |entry: &str| entry == "*" || entry.trim_start_matches("W/") == tag;
    have.split(',').map(str::trim).any(listed)
}

/// An answer that only has a status.
pub(super) fn refusal(status: &'static str) -> Answer<'static> {
    let length = status.len().to_string();
    let mut headers = vec![
        ("Content-Type", "text/plain; charset=utf-8"),
        ("Content-Length", &*length),
        ("Cache-Control", "no-store"),
    ];
    if status.starts_with("405") {
        headers.push(("Allow", "GET, HEAD"));
    }
    Answer { head: head(status, &headers), body: status.as_bytes() }
}

/// An answer that sends the browser to another path.
fn moved(to: &str) -> Answer<'static> {
    let headers = [("Location", to), ("Content-Length", "0"), ("Cache-Control", "no-store")];
    Answer { head: head("308 Permanent Redirect", &headers), body: &[] }
}

fn head(status: &str, headers: &[(&str, &str)]) -> String {
    let mut head = format!("HTTP/1.1 {status}\r\n");
    for (name, value) in headers.iter().chain(&ALWAYS) {
        let _ = write!(head, "{name}: {value}\r\n");
    }
    head + "\r\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_is_known_by_its_tag() {
        for have in ["\"a\"", "W/\"a\"", "\"b\", \"a\"", "*"] {
            assert!(has(have, "\"a\""), "{have}");
        }
        for have in ["", "\"b\"", "a", "\"A\""] {
            assert!(!has(have, "\"a\""), "{have}");
        }
    }
}
