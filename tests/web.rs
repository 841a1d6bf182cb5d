//! `newmarket web`, for browsers and for hostile clients.

mod tmux;

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

/// A script with a hash in its name; its compressed form is among the files.
const SCRIPT: &str = "assets/index-DiwrgTda.js";
const FILES: [(&str, &[u8]); 8] = [
    ("index.html", b"<!doctype html><title>Newmarket</title>"),
    (SCRIPT, b"console.log('script')"),
    ("assets/index-DiwrgTda.js.gz", b"\x1f\x8b script, compressed"),
    ("assets/engine-Ab3_xY-9.wasm", b"\0asm\x01\0\0\0"),
    ("champion.safetensors", &[7; 1_500_000]),
    ("sw.js", b"addEventListener('fetch', () => {})"),
    ("manifest.webmanifest", b"{}"),
    ("icon.svg", b"<svg/>"),
];

/// The server on a free port, in a folder whose `web/dist` has the files above.
struct Server {
    child: Child,
    address: String,
    port: u16,
    /// The path of the page.
    base: String,
    _folder: tempfile::TempDir,
}

impl Server {
    fn start() -> Self {
        Self::with(&[])
    }

    fn with(args: &[&str]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let dist = folder.path().join("web/dist");
        for (name, bytes) in FILES {
            let path = dist.join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, bytes).unwrap();
        }
        fs::write(folder.path().join("web/secret"), "secret").unwrap();
        let mut child = web(folder.path(), &["--port", "0", "--dist", "web/dist"])
            .args(args)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let (url, _) = line.split_once(' ').unwrap();
        let (place, path) = url.strip_prefix("http://").unwrap().split_once('/').unwrap();
        let (address, port) = place.split_once(':').unwrap();
        let (port, address, base) = (port.parse().unwrap(), address.into(), format!("/{path}"));
        Self { child, address, port, base, _folder: folder }
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect((&*self.address, self.port)).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
        stream
    }

    /// The answer to these bytes.
    fn send(&self, request: &[u8]) -> Answer {
        let mut stream = self.connect();
        // The server need not read all of a request that it refuses.
        let _ = stream.write_all(request);
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes).unwrap();
        Answer::of(&bytes)
    }

    fn ask(&self, method: &str, path: &str, headers: &str) -> Answer {
        let host = format!("Host: 127.0.0.1:{}\r\n", self.port);
        self.send(format!("{method} {path} HTTP/1.1\r\n{host}{headers}\r\n").as_bytes())
    }

    fn get(&self, path: &str) -> Answer {
        self.ask("GET", path, "")
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

struct Answer {
    status: u16,
    headers: Vec<(String, String)>,
    body: Vec<u8>,
}

impl Answer {
    fn of(bytes: &[u8]) -> Self {
        let end = bytes.windows(4).position(|it| it == b"\r\n\r\n").expect("a whole head");
        let head = str::from_utf8(&bytes[..end]).unwrap();
        let mut lines = head.split("\r\n");
        let status = lines.next().unwrap().strip_prefix("HTTP/1.1 ").unwrap();
        let headers = lines.map(|line| {
            let (name, value) = line.split_once(": ").unwrap();
            (name.to_owned(), value.to_owned())
        });
        let (headers, body) = (headers.collect(), bytes[end + 4..].to_vec());
        Self { status: status[..3].parse().unwrap(), headers, body }
    }

    /// The header of this name, of which there is at most one.
    fn header(&self, name: &str) -> Option<&str> {
        let mut named = self.headers.iter().filter(|it| it.0 == name);
        let found = named.next().map(|it| &*it.1);
        assert!(named.next().is_none(), "{name} twice");
        found
    }
}

fn web(folder: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_newmarket"));
    command.arg("web").args(args).current_dir(folder).env("RAYON_NUM_THREADS", "1");
    command.stderr(Stdio::piped());
    command
}

/// The one line of a refusal.
fn refused(output: &Output) -> String {
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{text}");
    assert!(text.lines().count() == 1 && output.stdout.is_empty(), "{text}");
    text
}

#[test]
fn every_file_comes_as_what_it_is() {
    let server = Server::start();
    let kept = "public, max-age=31536000, immutable";
    for (path, media, caching, name) in [
        ("/", "text/html; charset=utf-8", "no-cache", "index.html"),
        ("/index.html?deal=7", "text/html; charset=utf-8", "no-cache", "index.html"),
        ("/assets/index-DiwrgTda.js", "text/javascript; charset=utf-8", kept, SCRIPT),
        ("/assets/engine-Ab3_xY-9.wasm", "application/wasm", kept, "assets/engine-Ab3_xY-9.wasm"),
        ("/champion.safetensors", "application/octet-stream", "no-cache", "champion.safetensors"),
        ("/sw.js", "text/javascript; charset=utf-8", "no-cache", "sw.js"),
        ("/manifest.webmanifest", "application/manifest+json", "no-cache", "manifest.webmanifest"),
        ("/icon.svg", "image/svg+xml", "no-cache", "icon.svg"),
    ] {
        let answer = server.get(path);
        let bytes = FILES.iter().find(|file| file.0 == name).unwrap().1;
        assert_eq!((answer.status, &*answer.body), (200, bytes), "{path}");
        assert_eq!(answer.header("Content-Type"), Some(media), "{path}");
        assert_eq!(answer.header("Cache-Control"), Some(caching), "{path}");
        assert_eq!(answer.header("Content-Length"), Some(&*bytes.len().to_string()), "{path}");
        assert_eq!(answer.header("Content-Encoding"), None, "{path}");

        let head = server.ask("HEAD", path, "");
        assert_eq!((head.status, &*head.body, &head.headers), (200, &b""[..], &answer.headers));

        let tag = answer.header("ETag").unwrap();
        let again = server.ask("GET", path, &format!("If-None-Match: \"x\", W/{tag}\r\n"));
        assert_eq!((again.status, &*again.body), (304, &b""[..]), "{path}");
        assert_eq!(again.header("ETag"), Some(tag));
        assert_eq!(again.header("Cache-Control"), Some(caching));
        assert_eq!(server.ask("GET", path, "If-None-Match: \"x\"\r\n").status, 200);
    }
}

#[test]
fn compressed_bytes_go_to_those_who_take_them() {
    let server = Server::start();
    let path = format!("/{SCRIPT}");
    let plain = server.get(&path);
    let gzip = server.ask("GET", &path, "Accept-Encoding: gzip, br\r\n");
    assert_eq!((&*plain.body, &*gzip.body), (FILES[1].1, FILES[2].1));
    assert_eq!(gzip.header("Content-Encoding"), Some("gzip"));
    assert_eq!(gzip.header("Content-Type"), plain.header("Content-Type"));
    assert_ne!(gzip.header("ETag"), plain.header("ETag"), "other bytes");
    for answer in [&plain, &gzip] {
        assert_eq!(answer.header("Vary"), Some("Accept-Encoding"));
    }
    let tag =
        format!("Accept-Encoding: gzip\r\nIf-None-Match: {}\r\n", gzip.header("ETag").unwrap());
    assert_eq!(server.ask("GET", &path, &tag).status, 304);
    let refuses = server.ask("GET", &path, "Accept-Encoding: gzip;q=0\r\n");
    assert_eq!(refuses.body, plain.body);
    // A file without a compressed form is sent plain.
    let icon = server.ask("GET", "/icon.svg", "Accept-Encoding: gzip\r\n");
    assert_eq!((&*icon.body, icon.header("Content-Encoding")), (&b"<svg/>"[..], None));
}

#[test]
fn every_answer_keeps_the_page_to_itself() {
    let server = Server::start();
    let found = server.get("/");
    let tag = format!("If-None-Match: {}\r\n", found.header("ETag").unwrap());
    for answer in [
        found,
        server.ask("GET", "/", &tag),
        server.get("/nothing"),
        server.ask("POST", "/", ""),
        server.send(b"garbage\r\n\r\n"),
    ] {
        let policy = answer.header("Content-Security-Policy").unwrap();
        let rules: Vec<&str> = policy.split("; ").collect();
        for rule in [
            "default-src 'self'",
            "script-src 'self' 'wasm-unsafe-eval'",
            "style-src 'self'",
            "base-uri 'none'",
            "form-action 'none'",
            "frame-ancestors 'none'",
        ] {
            assert!(rules.contains(&rule), "{rule}: {policy}");
        }
        assert!(!policy.contains("unsafe-inline") && !policy.contains("'unsafe-eval'"));
        for (name, value) in [
            ("X-Content-Type-Options", "nosniff"),
            ("Referrer-Policy", "no-referrer"),
            ("Cross-Origin-Opener-Policy", "same-origin"),
            ("Cross-Origin-Resource-Policy", "same-origin"),
        ] {
            assert_eq!(answer.header(name), Some(value), "{name}: {}", answer.status);
        }
    }
}

#[test]
fn nothing_is_done_but_reading() {
    let server = Server::start();
    for method in ["POST", "PUT", "DELETE", "OPTIONS", "TRACE", "PROPFIND", "get"] {
        let answer = server.ask(method, "/", "");
        assert_eq!((answer.status, answer.header("Allow")), (405, Some("GET, HEAD")), "{method}");
    }
    // The answer arrives, although the server does not read the body.
    let body = format!("Content-Length: 100000\r\n\r\n{}", "x".repeat(100_000));
    assert_eq!(server.ask("POST", "/", &body).status, 405);
}

#[test]
fn nothing_but_the_page_is_sent() {
    let server = Server::start();
    for path in [
        "/nothing",
        "/assets",
        "/assets/",
        "//",
        "/../secret",
        "/assets/../../secret",
        "/%2e%2e/secret",
        "/..%2fsecret",
        "/..%5csecret",
        "/....//secret",
        "/./index.html",
        "/%00",
        "/index.html%00",
        "/etc/passwd",
        "//etc/passwd",
        "/assets/index-DiwrgTda.js.gz",
        "/INDEX.HTML",
    ] {
        let answer = server.get(path);
        assert_eq!((answer.status, &*answer.body), (404, &b"404 Not Found"[..]), "{path}");
    }
    for path in ["/\0", "/index.html\0", "/a\x7f"] {
        assert_eq!(server.get(path).status, 400, "{path:?}");
    }
    for path in ["*", "secret", "../secret", "http://127.0.0.1/index.html"] {
        assert_eq!(server.get(path).status, 404, "{path}");
    }
}

#[test]
fn a_name_that_somebody_made_to_lead_here_is_refused() {
    let server = Server::start();
    let status = |host: &str| {
        server.send(format!("GET / HTTP/1.1\r\nHost: {host}\r\n\r\n").as_bytes()).status
    };
    let port = server.port;
    for host in ["localhost", "LOCALHOST", "127.0.0.1", "[::1]"] {
        assert_eq!(status(&format!("{host}:{port}")), 200, "{host}");
    }
    for host in ["evil.example", "localhost.evil.example", "192.168.0.1", "0.0.0.0", ""] {
        assert_eq!(status(&format!("{host}:{port}")), 421, "{host}");
        assert_eq!(status(host), 421, "{host}");
    }
    assert_eq!((status("localhost"), status("localhost:1")), (421, 421));
    assert_eq!(status(&format!("localhost:{port}\r\nHost: evil.example")), 400);
    assert_eq!(server.send(b"GET / HTTP/1.1\r\n\r\n").status, 400);
}

/// Everything else is as if it were not there, and nothing says why.
#[test]
fn a_network_is_served_below_the_token_alone() {
    let mut server = Server::with(&["--lan=127.0.0.1"]);
    let base = server.base.clone();
    let token = base.trim_matches('/');
    assert!(token.len() == 16 && token.bytes().all(|c| c.is_ascii_alphanumeric()), "{base}");
    for (path, name) in [("", "index.html"), ("index.html", "index.html"), (SCRIPT, SCRIPT)] {
        let bytes = FILES.iter().find(|file| file.0 == name).unwrap().1;
        let answer = server.get(&format!("{base}{path}"));
        assert_eq!((answer.status, &*answer.body), (200, bytes), "{path}");
    }
    let typed = server.get(&format!("/{token}"));
    assert_eq!((typed.status, typed.header("Location")), (308, Some(&*base)));
    let other = "0".repeat(16);
    for path in [
        "/".into(),
        "/index.html".into(),
        format!("/{SCRIPT}"),
        "/favicon.ico".into(),
        format!("/{other}/"),
        format!("/{}/", &token[1..]),
        format!("/{token}0/"),
        format!("/{}/", token.to_uppercase()),
        format!("/{base}"),
        format!("/x{base}"),
        format!("{base}nothing"),
        format!("{base}../secret"),
        format!("{base}/index.html"),
        format!("/%{:02x}{}/", token.as_bytes()[0], &token[1..]),
    ] {
        let answer = server.get(&path);
        assert_eq!((answer.status, &*answer.body), (404, &b"404 Not Found"[..]), "{path}");
    }
    assert_eq!(server.ask("POST", "/", "").status, 404);
    assert_eq!(server.ask("POST", &base, "").status, 405);
    // The token is what lets in: a computer has names that this one does not know.
    for (host, path, status) in [("table.local", &*base, 200), ("127.0.0.1", "/", 404)] {
        let head = format!("GET {path} HTTP/1.1\r\nHost: {host}\r\n\r\n");
        assert_eq!(server.send(head.as_bytes()).status, status, "{host}{path}");
    }
    assert_ne!(Server::with(&["--lan=127.0.0.1"]).base, base, "each time another");
    server.child.kill().unwrap();
    let mut warning = String::new();
    server.child.stderr.take().unwrap().read_to_string(&mut warning).unwrap();
    assert!(warning.starts_with("warning: everybody in this network"), "{warning}");
    assert_eq!(warning.lines().count(), 1, "{warning}");
}

#[test]
fn a_terminal_shows_the_code_of_the_address() {
    let dist = tempfile::tempdir().unwrap();
    fs::write(dist.path().join("index.html"), "page").unwrap();
    let (program, dist) = (tmux::PROGRAM, dist.path().display());
    let command = format!("'{program}' web --lan=127.0.0.1 --port 0 --dist '{dist}'");
    let Some(terminal) = tmux::Terminal::run(&command) else { return };
    let screen = terminal.wait("█▀▀▀▀▀█", None);
    assert!(screen.contains("warning: ") && screen.contains("http://127.0.0.1:"), "{screen}");
    terminal.tmux(&["kill-server"]);
}

/// All of 127.0.0.0/8 is this computer.
#[cfg(target_os = "linux")]
#[test]
fn a_network_is_asked_for_and_no_other_address_is_served() {
    let reaches =
        |server: &Server, address: &str| TcpStream::connect((address, server.port)).is_ok();
    let server = Server::with(&["--lan=127.0.0.2"]);
    assert_eq!((&*server.address, server.get(&server.base).status), ("127.0.0.2", 200));
    assert!(!reaches(&server, "127.0.0.1"), "only the address that was named");
    let server = Server::start();
    assert!(reaches(&server, "127.0.0.1") && !reaches(&server, "127.0.0.2"));
}

#[test]
fn garbage_is_refused() {
    let server = Server::start();
    let host = format!("Host: localhost:{}\r\n", server.port);
    let long = "x".repeat(1 << 20);
    let many = "A: b\r\n".repeat(1000);
    for (request, status) in [
        ("\u{16}\u{3}\u{1}\0\u{f8}".into(), 400), // a browser that begins with TLS
        ("garbage\r\n\r\n".into(), 400),
        ("\0".repeat(100), 400),
        ("GET /\r\n\r\n".into(), 400),
        (format!("GET / HTTP/9.9\r\n{host}\r\n"), 505),
        (format!("GET / HTTP/1.1\r\n{host}bad header\r\n\r\n"), 400),
        (format!("GET / HTTP/1.1\r\n{host}A: \0\r\n\r\n"), 400),
        (format!("GET /{long} HTTP/1.1\r\n{host}\r\n"), 414),
        (long.clone(), 414),
        (format!("GET / HTTP/1.1\r\n{host}A: {long}\r\n\r\n"), 431),
        (format!("GET / HTTP/1.1\r\n{host}{many}\r\n"), 431),
    ] {
        let answer = server.send(request.as_bytes());
        assert_eq!(answer.status, status, "{}", request.chars().take(40).collect::<String>());
    }
    for bytes in [&[0xff; 50][..], &[0x80, 0x0a, 0x0a], b"GET /\xff\xfe HTTP/1.1\n\n"] {
        assert_eq!(server.send(bytes).status, 400);
    }
    // Clients that close the connection early get no answer.
    drop(server.connect());
    server.connect().write_all(b"GET / HT").unwrap();
    assert_eq!(server.get("/").status, 200, "it goes on");
}

#[test]
fn slow_clients_keep_nobody_waiting() {
    let server = Server::start();
    let request =
        format!("GET /champion.safetensors HTTP/1.1\r\nHost: localhost:{}\r\n\r\n", server.port);
    let mut slow = Vec::new();
    for nth in 0..200 {
        let mut stream = server.connect();
        match nth % 4 {
            0 => {}
            1 => stream.write_all(b"G").unwrap(),
            2 => stream.write_all(&request.as_bytes()[..40]).unwrap(),
            // It asks for a large file and reads nothing.
            _ => stream.write_all(request.as_bytes()).unwrap(),
        }
        slow.push(stream);
        if nth % 10 == 0 {
            let begun = Instant::now();
            assert_eq!(server.get("/champion.safetensors").body.len(), 1_500_000);
            assert!(begun.elapsed() < Duration::from_secs(5), "{nth}: {:?}", begun.elapsed());
        }
    }
    #[cfg(target_os = "linux")]
    {
        let threads = || -> usize {
            let status = fs::read_to_string(format!("/proc/{}/status", server.child.id())).unwrap();
            let threads = status.lines().find_map(|line| line.strip_prefix("Threads:")).unwrap();
            threads.trim().parse().unwrap()
        };
        // One for each of a hundred connections, one that accepts, one that waits for signals. A
        // thread ends a moment after its connection.
        let end = Instant::now() + Duration::from_secs(5);
        while threads() > 102 {
            assert!(Instant::now() < end, "{}", threads());
            std::thread::sleep(Duration::from_millis(10));
        }
    }
    // The latest connections still have their places.
    let mut last = slow.pop().unwrap();
    let mut bytes = Vec::new();
    last.read_to_end(&mut bytes).unwrap();
    assert_eq!(Answer::of(&bytes).body.len(), 1_500_000);
    // The whole head of a request must arrive within ten seconds.
    let begun = Instant::now();
    let mut drip = server.connect();
    let mut answer = [0; 12];
    drip.set_read_timeout(Some(Duration::from_millis(200))).unwrap();
    for byte in request.bytes().chain(std::iter::repeat(b'x')) {
        let _ = drip.write_all(&[byte.max(b'A')]);
        match drip.read_exact(&mut answer) {
            Ok(()) => break,
            Err(_) => assert!(begun.elapsed() < Duration::from_secs(30)),
        }
    }
    assert_eq!(&answer, b"HTTP/1.1 408");
}

#[cfg(unix)]
#[test]
fn an_interrupt_is_how_it_ends() {
    let mut server = Server::start();
    let _open = server.connect();
    let id = server.child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
    assert_eq!(server.child.wait().unwrap().code(), Some(0));
    let mut error = String::new();
    server.child.stderr.take().unwrap().read_to_string(&mut error).unwrap();
    assert_eq!(error, "");
}

#[test]
fn a_port_that_is_taken_and_a_page_that_is_none() {
    let server = Server::start();
    let folder = tempfile::tempdir().unwrap();
    let port = server.port.to_string();
    fs::write(folder.path().join("index.html"), "page").unwrap();
    let taken = refused(&web(folder.path(), &["--port", &port, "--dist", "."]).output().unwrap());
    assert!(taken.contains(&port) && taken.contains("--port"), "{taken}");
    for (args, says) in [
        (&["--dist", "none"][..], "none"),
        (&["--dist", "index.html"], "index.html"),
        (&["--dist", "empty"], "no index.html in empty"),
        (&["--port", "65536"], "65536"),
        (&["--port", "-1"], "-1"),
        (&["--lan=0.0.0.0", "--dist", "."], "an address of this computer"),
        (&["--lan=nowhere", "--dist", "."], "nowhere"),
        // It stands for no computer (RFC 5737).
        (&["--lan=203.0.113.77", "--dist", "."], "203.0.113.77:8151"),
    ] {
        fs::create_dir_all(folder.path().join("empty")).unwrap();
        let line = refused(&web(folder.path(), args).output().unwrap());
        assert!(line.contains(says), "{line}");
    }
}

/// A program without a built-in page finds the one in `web/dist`, or says how to build it.
#[test]
fn a_clone_without_a_page() {
    if Path::new(env!("CARGO_MANIFEST_DIR")).join("web/dist/index.html").exists() {
        return; // It may be built in.
    }
    let folder = tempfile::tempdir().unwrap();
    let line = refused(&web(folder.path(), &["--port", "0"]).output().unwrap());
    assert!(line.contains("`web/build`") && line.contains("Node"), "{line}");
    fs::create_dir_all(folder.path().join("web/dist")).unwrap();
    fs::write(folder.path().join("web/dist/index.html"), "page").unwrap();
    let mut command = web(folder.path(), &["--port", "0"]);
    let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(line.starts_with("http://127.0.0.1:"), "{line}");
}
