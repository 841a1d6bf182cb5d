//! Connections. Each has one thread and one answer. Their number and their time are limited.
//!
//! When all places are taken, the oldest connection is closed: an answer takes milliseconds, so the oldest connection is
//! a stalled one. Therefore slow clients cannot block others. A new connection waits for the end of the closed one, so
//! the number of threads is limited, too.
//!
//! Why not a server library: `tiny_http` has no time limits and no release since 2022; `hyper` needs an asynchronous
//! runtime for a few files. So this module uses only `httparse`, the parser of hyper. The rest is short, because every
//! connection has one request without a body.

use std::collections::VecDeque;
use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::answer::{self, Answer};
use super::door::Door;
use super::page::Page;
use super::request::{self, NoRequest};
use crate::failure::Result;

/// The most connections at once.
const MOST: usize = 100;
/// The stack of a thread in bytes.
const STACK: usize = 256 << 10;
/// Time limit for a client to read an answer.
const MOST_TIME: Duration = Duration::from_mins(1);
/// How long, and how many bytes, the rest of a request is read after the answer. A connection that is closed with unread
/// bytes can lose the answer.
const LINGER: (Duration, usize) = (Duration::from_secs(1), 256 << 10);

/// Answers all connections. Never returns without a failure.
pub(super) fn serve(listener: &TcpListener, page: Page, door: Door) -> Result {
    let served = Arc::new((page, door));
    let open = Arc::new(Open::default());
    loop {
        let Ok((stream, _)) = listener.accept() else {
            // For example, too many open files: some will be closed soon.
            thread::sleep(Duration::from_millis(20));
            continue;
        };
        let place = Open::begin(&open, stream);
        let served = served.clone();
        // If no thread starts, dropping the place closes the connection.
        let _ = thread::Builder::new().stack_size(STACK).spawn(move || {
            // The client may have closed the connection.
            let _ = converse(&place.stream, &served.0, &served.1);
        });
    }
}

/// The open connections, the oldest first.
#[derive(Default)]
struct Open {
    streams: Mutex<VecDeque<Arc<TcpStream>>>,
    one_ended: Condvar,
}

impl Open {
    /// Takes a place, and closes the oldest connection if none is left.
    fn begin(open: &Arc<Self>, stream: TcpStream) -> Place {
        let stream = Arc::new(stream);
        let mut streams = open.lock();
        while streams.len() >= MOST {
            let _ = streams[0].shutdown(Shutdown::Both);
            streams = open.one_ended.wait(streams).unwrap_or_else(PoisonError::into_inner);
        }
        streams.push_back(stream.clone());
        drop(streams);
        Place { open: open.clone(), stream }
    }

    fn lock(&self) -> MutexGuard<'_, VecDeque<Arc<TcpStream>>> {
        self.streams.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The place of a connection, which is freed when its thread ends in any way.
struct Place {
    open: Arc<Open>,
    stream: Arc<TcpStream>,
}

impl Drop for Place {
    fn drop(&mut self) {
        self.open.lock().retain(|stream| !Arc::ptr_eq(stream, &self.stream));
        self.open.one_ended.notify_one();
    }
}

/// Reads a request and answers it.
fn converse(stream: &TcpStream, page: &Page, door: &Door) -> io::Result<()> {
    let answer = match request::read(stream) {
        Ok(request) => answer::to(page, &request, door),
        Err(NoRequest::Refused(status)) => answer::refusal(status),
        Err(NoRequest::Gone) => return Ok(()),
    };
    send(stream, &answer)?;
    linger(stream)
}

fn send(mut stream: &TcpStream, answer: &Answer<'_>) -> io::Result<()> {
    let end = Instant::now() + MOST_TIME;
    for mut part in [answer.head.as_bytes(), answer.body] {
        while !part.is_empty() {
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(io::ErrorKind::TimedOut.into());
            }
            stream.set_write_timeout(Some(left))?;
            let written = stream.write(part)?;
            part = &part[written..];
        }
    }
    Ok(())
}

fn linger(mut stream: &TcpStream) -> io::Result<()> {
    stream.shutdown(Shutdown::Write)?;
    let (time, mut bytes) = LINGER;
    let end = Instant::now() + time;
    let mut rest = [0; 4096];
    while bytes > 0 {
        let left = end.saturating_duration_since(Instant::now());
        if left.is_zero() {
            break;
        }
        stream.set_read_timeout(Some(left))?;
        match stream.read(&mut rest)? {
            0 => break,
            read => bytes = bytes.saturating_sub(read),
        }
    }
    Ok(())
}
