//! Tables that deal for their host.

mod documents;
mod host;
mod play;
mod replies;
