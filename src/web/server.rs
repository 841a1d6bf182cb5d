//! Connections: a thread and one answer each, so many at once, each for so long.
//!
//! When all places are taken, the connection that has been open longest is closed: an answer takes
//! milliseconds, so that one waits for nothing good. Hence nobody keeps others out by being slow. The
//! next connection begins when a closed one is done with, so threads do not pile up.
//!
//! Of libraries for servers, `tiny_http` sets no limits of time, and `hyper` brings an asynchronous
//! runtime for a handful of files. So `httparse`, with which hyper reads requests, is taken alone; what
//! is left is little, since every connection has one request, whose body nobody wants.

use std::collections::VecDeque;
use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::answer::{self, Answer};
use super::page::Page;
use super::request::{self, NoRequest};
use crate::failure::Result;

/// Connections at once.
const MOST: usize = 100;
/// Memory of a thread, which needs little.
const STACK: usize = 256 << 10;
/// An answer has been taken by then.
const MOST_TIME: Duration = Duration::from_mins(1);
/// What is still sent is read for so long, and so many bytes of it, that the answer arrives: a
/// connection that is closed on unread bytes loses what was written.
const LINGER: (Duration, usize) = (Duration::from_secs(1), 256 << 10);

/// Answers everybody, for ever.
pub(super) fn serve(listener: &TcpListener, page: &Arc<Page>, port: u16) -> Result {
    let open = Arc::new(Open::default());
    loop {
        let Ok((stream, _)) = listener.accept() else {
            // No more files, say: some will be closed soon.
            thread::sleep(Duration::from_millis(20));
            continue;
        };
        let place = Open::begin(&open, stream);
        let page = page.clone();
        // Without a thread the connection is closed as its place is dropped.
        let _ = thread::Builder::new().stack_size(STACK).spawn(move || {
            // Whoever went away gets no answer.
            let _ = converse(&place.stream, &page, port);
        });
    }
}

/// The connections whose threads live, those that are open longest first.
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

/// A connection's place, free again when its thread ends, however it ends.
struct Place {
    open: Arc<Open>,
    stream: Arc<TcpStream>,
}

impl Drop for Place {
    fn drop(&mut self) {
        self.open.lock().retain(|it| !Arc::ptr_eq(it, &self.stream));
        self.open.one_ended.notify_one();
    }
}

/// One request, one answer.
fn converse(stream: &TcpStream, page: &Page, port: u16) -> io::Result<()> {
    let answer = match request::read(stream) {
        Ok(request) => answer::of(page, &request, port),
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
