//! Requests. Only the head of a request is read, with limits of size and time.

use std::io::{self, Read};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use httparse::{EMPTY_HEADER, Error, Header, Status};

/// The most bytes and headers of a head.
const MOST_BYTES: usize = 16 << 10;
const MOST_HEADERS: usize = 64;
/// Time limit for the whole head.
const MOST_TIME: Duration = Duration::from_secs(10);

/// The parts of a request that the server uses.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Request {
    pub(super) method: String,
    /// The path without the query.
    pub(super) path: String,
    pub(super) host: String,
    /// The value of `If-None-Match`: the tags of the forms that the browser has.
    pub(super) have: String,
    pub(super) takes_gzip: bool,
}

/// The reason why there is no request to answer.
#[derive(Debug)]
pub(super) enum NoRequest {
    /// The client has closed the connection.
    Gone,
    /// The request is wrong; the answer is this status.
    Refused(&'static str),
}

impl From<io::Error> for NoRequest {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut => {
                Self::Refused("408 Request Timeout")
            }
            _ => Self::Gone,
        }
    }
}

impl From<Error> for NoRequest {
    fn from(error: Error) -> Self {
        Self::Refused(match error {
            Error::TooManyHeaders => "431 Request Header Fields Too Large",
            Error::Version => "505 HTTP Version Not Supported",
            _ => "400 Bad Request",
        })
    }
}

/// Reads the head of a request.
pub(super) fn read(mut stream: &TcpStream) -> Result<Request, NoRequest> {
    let end = Instant::now() + MOST_TIME;
    let (mut head, mut length) = (vec![0; MOST_BYTES], 0);
    loop {
        let left = end.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(NoRequest::Refused("408 Request Timeout"));
        }
        stream.set_read_timeout(Some(left))?;
        match stream.read(&mut head[length..])? {
            0 => return Err(NoRequest::Gone),
            more => length += more,
        }
        if let Some(request) = parse(&head[..length])? {
            return Ok(request);
        }
        if length == MOST_BYTES {
            let one_line = !head.contains(&b'\n');
            let status =
                if one_line { "414 URI Too Long" } else { "431 Request Header Fields Too Large" };
            return Err(NoRequest::Refused(status));
        }
    }
}

/// The request that begins with these bytes; `None` if its head is not complete.
fn parse(head: &[u8]) -> Result<Option<Request>, NoRequest> {
    let mut headers = [EMPTY_HEADER; MOST_HEADERS];
    let mut parsed = httparse::Request::new(&mut headers);
    if parsed.parse(head)? == Status::Partial {
        return Ok(None);
    }
    let (Some(method), Some(target)) = (parsed.method, parsed.path) else { return Ok(None) };
    let headers = &*parsed.headers;
    let path = target.split_once('?').map_or(target, |(path, _)| path);
    let [host] = &all(headers, "host")[..] else {
        return Err(NoRequest::Refused("400 Bad Request"));
    };
    Ok(Some(Request {
        method: method.into(),
        path: path.into(),
        host: host.to_ascii_lowercase(),
        have: all(headers, "if-none-match").join(","),
        takes_gzip: all(headers, "accept-encoding").iter().any(|value| takes_gzip(value)),
    }))
}

/// The values of all headers of this name. Values that are not UTF-8 are ignored.
fn all<'a>(headers: &[Header<'a>], name: &str) -> Vec<&'a str> {
    let named = headers.iter().filter(|header| header.name.eq_ignore_ascii_case(name));
    named.filter_map(|header| str::from_utf8(header.value).ok()).map(str::trim).collect()
}

/// Whether `Accept-Encoding` lists gzip with a weight above 0.
fn takes_gzip(accepted: &str) -> bool {
    accepted.split(',').any(|coding| {
        let mut parts = coding.split(';').map(str::trim);
        let gzip = parts.next().is_some_and(|name| name.eq_ignore_ascii_case("gzip"));
        let weight = parts.find_map(|part| part.strip_prefix("q=")?.parse::<f32>().ok());
        gzip && weight.unwrap_or(1.0) > 0.0
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_is_what_it_says() {
        let head =
            b"GET /a.js?b=/c HTTP/1.1\r\nHOST: LocalHost:1\r\nAccept-Encoding: br, gzip;q=0.5\r\n\
                     If-None-Match: \"x\"\r\nif-none-match: W/\"y\"\r\n\r\nbody";
        let request = parse(head).expect("no fault").expect("whole");
        let (method, path) = ("GET".into(), "/a.js".into());
        let (host, have) = ("localhost:1".into(), "\"x\",W/\"y\"".into());
        assert_eq!(request, Request { method, path, host, have, takes_gzip: true });
        for end in 0..head.len() - 4 {
            assert!(parse(&head[..end]).expect("no fault").is_none(), "{end}");
        }
    }

    #[test]
    fn gzip_is_taken_where_it_is_named() {
        for accepted in ["gzip", "deflate, GZIP", "br;q=1.0,gzip;q=0.001", "gzip; level=1"] {
            assert!(takes_gzip(accepted), "{accepted}");
        }
        for accepted in ["", "br", "gzip;q=0", "gzip;q=0.0, br", "x-gzip"] {
            assert!(!takes_gzip(accepted), "{accepted}");
        }
    }

    #[test]
    fn a_request_has_one_host() {
        for head in ["GET / HTTP/1.1\r\n\r\n", "GET / HTTP/1.1\r\nHost: a\r\nhost: b\r\n\r\n"] {
            assert!(matches!(parse(head.as_bytes()), Err(NoRequest::Refused("400 Bad Request"))));
        }
    }
}
