//! Which requests are let in, and the path that they ask for within the page.

use std::fmt;

use super::request::Request;
use crate::failure::{Failure, Result};

/// Who may have the page.
pub(super) enum Door {
    /// This computer alone: requests to its own names, at this port.
    Here(u16),
    /// Everybody who knows the token. No page of another site does, so a name may be any.
    Known(Token),
}

impl Door {
    /// The path of a request within the page: empty, or from its first `/` on.
    ///
    /// # Errors
    /// The status for those who are not let in.
    pub(super) fn path<'r>(&self, request: &'r Request) -> Result<&'r str, &'static str> {
        match self {
            Self::Here(port) if is_here(&request.host, *port) => Ok(&request.path),
            Self::Here(_) => Err("421 Misdirected Request"),
            Self::Known(token) => token.below(&request.path).ok_or("404 Not Found"),
        }
    }
}

/// Whether a host name is one of this computer's own. A page of another site can make its own host name lead here, to
/// read the answers (DNS rebinding).
fn is_here(host: &str, port: u16) -> bool {
    let (name, host_port) = match host.rsplit_once(':') {
        Some((name, host_port)) if !host_port.ends_with(']') => (name, host_port),
        _ => (host, "80"),
    };
    matches!(name, "localhost" | "127.0.0.1" | "[::1]") && host_port == port.to_string()
}

/// Digits and letters, without those that look like others: five bits each.
const LETTERS: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
/// Letters of a token: 80 bits.
const LENGTH: usize = 16;

/// The first part of every path that is served.
pub(super) struct Token(String);

impl Token {
    /// A new token, from the random numbers of the operating system.
    pub(super) fn random() -> Result<Self> {
        let mut bytes = [0; LENGTH];
        getrandom::fill(&mut bytes).map_err(|error| Failure::Program(error.to_string()))?;
        let letters = bytes.map(|byte| char::from(LETTERS[usize::from(byte) % LETTERS.len()]));
        Ok(Self(letters.iter().collect()))
    }

    /// What follows the token in a path that begins with it.
    fn below<'p>(&self, path: &'p str) -> Option<&'p str> {
        let path = path.strip_prefix('/')?;
        let (first, rest) = path.split_at(path.find('/').unwrap_or(path.len()));
        // Hashes are compared in constant time, so that no answer comes sooner the more letters are wrong.
        let same = blake3::hash(first.as_bytes()) == blake3::hash(self.0.as_bytes());
        same.then_some(rest)
    }
}

impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn only_this_computers_names_are_answered() {
        for host in ["localhost:8151", "127.0.0.1:8151", "[::1]:8151"] {
            assert!(is_here(host, 8151), "{host}");
        }
        assert!(is_here("localhost", 80) && is_here("[::1]", 80));
        for host in [
            "",
            "localhost",
            "localhost:",
            "localhost:8152",
            "localhost:08151",
            "localhost.evil.example:8151",
            "evil.example:8151",
            "evil.example",
            "127.0.0.1:8151:8151",
            "[::1]",
            "::1:8151",
            "0.0.0.0:8151",
        ] {
            assert!(!is_here(host, 8151), "{host}");
        }
    }

    #[test]
    fn only_paths_below_the_token_are_served() {
        let token = Token("0123456789abcdef".into());
        assert_eq!(token.below("/0123456789abcdef"), Some(""));
        assert_eq!(token.below("/0123456789abcdef/"), Some("/"));
        assert_eq!(token.below("/0123456789abcdef/assets/x.js"), Some("/assets/x.js"));
        for path in [
            "",
            "/",
            "//",
            "0123456789abcdef/",
            "/0123456789abcde/",
            "/0123456789abcdef0/",
            "/0123456789ABCDEF/",
            "//0123456789abcdef/",
            "/./0123456789abcdef/",
            "/%30123456789abcdef/",
            "/index.html",
        ] {
            assert_eq!(token.below(path), None, "{path}");
        }
    }

    #[test]
    fn no_two_tokens_are_alike() {
        let tokens: BTreeSet<String> =
            (0..100).map(|_| Token::random().expect("random numbers").to_string()).collect();
        assert_eq!(tokens.len(), 100);
        let letters: BTreeSet<u8> = tokens.iter().flat_map(|token| token.bytes()).collect();
        assert_eq!(letters, LETTERS.iter().copied().collect(), "all letters, and no others");
        assert!(tokens.iter().all(|token| token.len() == LENGTH));
    }
}
